// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of option tables for the rules of the game, shared by several commands.
#pragma once

#include "core/command/options.h"
#include "core/rules/rules.h"

// The names of the rule sets and of the material rules, each preceded by '|'. The index of a name,
// counted from 0, is the value of its enumerator.
extern const char rule_set_choices[];
extern const char material_rule_choices[];

// Rows of a command's option table for the rules that end a game. `member` is a member of the
// command's struct `Settings`, of type int. It receives a RuleSet (RULES_OPTION), a MaterialRule
// (MATERIAL_OPTION), Rules.max_checks (MAX_CHECKS_OPTION) or Rules.check_run (CHECK_RUN_OPTION).
#define RULES_OPTION(Settings, member)                                                             \
    OPT_CHOICE("rules", Settings, member, "axf", &rule_set_choices[1],                             \
               "rule set for repetition ('paotai judge --help' explains the rule sets; cxa is "    \
               "approximate)")

#define MATERIAL_OPTION(Settings, member)                                                          \
    OPT_CHOICE("material", Settings, member, "axf", &material_rule_choices[1],                     \
               "rule for draws by insufficient material")

#define MAX_CHECKS_OPTION(Settings, member)                                                        \
    OPT_INT("max-checks", Settings, member, 3, 1000, "3", "N",                                     \
            "with --rules literal: perpetual check loses at the Nth occurrence of the position")

#define CHECK_RUN_OPTION(Settings, member)                                                         \
    OPT_INT("check-run", Settings, member, 0, 1000, "0", "N",                                      \
            "with --rules literal: a side loses if it gives more than N checks in a row while "    \
            "each side moves only one piece; 0: no limit")
