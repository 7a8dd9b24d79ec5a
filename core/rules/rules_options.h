// SPDX-License-Identifier: GPL-3.0-or-later
// The option rows of the rules, the same in every command: write them into the command's table.
#pragma once

#include "core/base/options.h"
#include "core/rules/rules.h"

// The names of core/rules/rules.def and of the material rules as the option parser wants them; the
// index of a word is its enumerator.
extern const char rule_set_choices[];
extern const char material_rule_choices[];

// --rules: `int member` of the settings becomes a RuleSet.
#define RULES_OPTION(Settings, member)                                                             \
    OPT_CHOICE("rules", Settings, member, "axf", &rule_set_choices[1],                             \
               "who loses by repetition ('paotai judge --help' lists them; cxa is approximate)")

// --material: `int member` becomes a MaterialRule.
#define MATERIAL_OPTION(Settings, member)                                                          \
    OPT_CHOICE("material", Settings, member, "axf", &material_rule_choices[1],                     \
               "which positions are drawn for want of material")

// --max-checks: `int member` is Rules.max_checks.
#define MAX_CHECKS_OPTION(Settings, member)                                                        \
    OPT_INT("max-checks", Settings, member, 3, 1000, "3", "N",                                     \
            "literal: perpetual check loses at the Nth occurrence of the position")

// --check-run: `int member` is Rules.check_run.
#define CHECK_RUN_OPTION(Settings, member)                                                         \
    OPT_INT("check-run", Settings, member, 0, 1000, "0", "N",                                      \
            "literal: more than N checks in a row by the same piece lose, while neither side "     \
            "moves another; 0: any number")
