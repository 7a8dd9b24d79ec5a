// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of this binary, for `paotai --version` and the provenance of every output.
#pragma once

#include <stdio.h>

#define PAOTAI_VERSION "0.2.0"

enum { BUILD_ID_BYTES = 20 };

// Returns the abbreviated commit hash, with "-dirty" if the source tree had uncommitted changes.
const char *version_revision(void);
// Returns the build id in hexadecimal: a hash of the program, computed by the linker. It tells
// builds of one commit apart if uncommitted changes made the programs differ.
const char *version_build(void);
const char *version_compiler(void);
const char *version_flags(void);
// Prints one line each for `paotai` (the version), `revision`, `build`, `compiler`, `flags` and
// `variant` ("release", "asan-clang", ...).
void version_print(FILE *out);
