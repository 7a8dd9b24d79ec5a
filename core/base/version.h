// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of this binary, for `paotai --version` and for the provenance of every output.
#pragma once

#include <stdio.h>

#define PAOTAI_VERSION "0.2.0"

enum { BUILD_ID_BYTES = 20 };

const char *
version_revision(void); // abbreviated commit, "-dirty" behind it where the tree was changed
// The linker's hash of the program, which tells two builds of one changed tree apart.
const char *version_build(void);
const char *version_compiler(void);
const char *version_flags(void);
// The lines `version`, `revision`, `build`, `compiler`, `flags`, `variant` ("release",
// "asan-clang", ...).
void version_print(FILE *out);
