// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of this binary, for `paotai --version` and the provenance of every output.
#pragma once

#include <stdio.h>

#define PAOTAI_VERSION "0.2.0"

enum { BUILD_ID_BYTES = 20 };

// Returns the abbreviated commit, with "-dirty" if the tree had changes.
const char *version_revision(void);
// Returns the linker's build id. It differs between two builds if their sources differ, even if
// both have the same commit.
const char *version_build(void);
const char *version_compiler(void);
const char *version_flags(void);
// Prints `version`, `revision`, `build`, `compiler`, `flags` and `variant` ("release",
// "asan-clang", ...).
void version_print(FILE *out);
