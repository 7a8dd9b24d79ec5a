// SPDX-License-Identifier: GPL-3.0-or-later
// Why the referee decided as it did, for people.
#pragma once

#include "core/base/text.h"
#include "core/rules/rules.h"

// Adds the reasons for rules_judge_at(rules, game, ply) to the text: lines that begin with "# ".
// For a loop: per ply who checks, which attacks are chases and which are not and why, who protects
// what and which protectors are false; then what each side kept up on every move.
void rules_explain(const Rules *rules, const Game *game, size_t ply, Text *text);
