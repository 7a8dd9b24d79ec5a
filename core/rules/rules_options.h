// SPDX-License-Identifier: GPL-3.0-or-later
// Option rows of the rules. All commands with rules use them.
#pragma once

#include "core/base/options.h"
#include "core/rules/rules.h"

// The names of rule sets and of material rules for the option parser. The index of a word is its
// enumerator.
extern const char rule_set_choices[];
extern const char material_rule_choices[];

// The members have type int: a RuleSet, a MaterialRule, Rules.max_checks, Rules.check_run.
#define RULES_OPTION(Settings, member)                                                             \
    OPT_CHOICE(                                                                                    \
        "rules", Settings, member, "axf", &rule_set_choices[1],                                    \
        "rule set for repetition ('paotai judge --help' explains them; cxa is approximate)")

#define MATERIAL_OPTION(Settings, member)                                                          \
    OPT_CHOICE("material", Settings, member, "axf", &material_rule_choices[1],                     \
               "rule for draws by insufficient material")

#define MAX_CHECKS_OPTION(Settings, member)                                                        \
    OPT_INT("max-checks", Settings, member, 3, 1000, "3", "N",                                     \
            "literal: perpetual check loses at the Nth occurrence of the position")

#define CHECK_RUN_OPTION(Settings, member)                                                         \
    OPT_INT("check-run", Settings, member, 0, 1000, "0", "N",                                      \
            "literal: more than N checks in a row by one piece lose if neither side moves "        \
            "another piece; 0: no limit")
