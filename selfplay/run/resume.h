// SPDX-License-Identifier: GPL-3.0-or-later
// Going on with a run: only with what it was begun with.
#pragma once

#include "datasets/store/store.h"

// Does the directory hold shards? False when there is none.
bool run_has_shards(const char *dir);

// May the games of `wanted` be played into this directory? A missing or empty one: yes. One with
// shards: when every line of `identity` (command_identity_text(), and the revision) and the
// weights (their hash, or any text that holds it) are those its shards were made with; and where it
// holds some of the games already, only when `resume` is set. STATUS_MISMATCH names the first
// option that differs.
Status run_check_resume(const char *dir, OptionRange wanted, bool resume, const char *identity,
                        const char *weights, Err *err);

// Makes a run directory this process's own and asks run_check_resume(): what every command that
// plays into one begins with. The caller unlocks *lock at the end, if there is one. STATUS_BUSY
// when another process is at work there.
Status run_claim(const char *dir, OptionRange wanted, bool resume, const char *identity,
                 const char *weights, RunLock **lock, Err *err);
