// SPDX-License-Identifier: GPL-3.0-or-later
// The identity of this program, for `paotai --version` and for the provenance in its output files.
#pragma once

#include <stdio.h>

#define PAOTAI_VERSION "0.2.0"

enum { BUILD_ID_BYTES = 20 };

// Returns the output of `git describe --always --dirty --abbrev=10` at build time: normally the
// first 10 digits of the commit hash, with "-dirty" if the source tree had uncommitted changes.
// Returns "unknown" for a build outside a git repository.
const char *version_revision(void);
// Returns the build id in hexadecimal, a hash of the program that the linker computed. Different
// programs that were built from one commit, with different uncommitted changes, have different
// build ids. Returns "unknown" if the program has no build id.
const char *version_build(void);
const char *version_compiler(void);
const char *version_flags(void);
// Prints one line each for `paotai` (the version), `revision`, `build`, `compiler`, `flags` and
// `variant` ("release", "asan-clang", ...).
void version_print(FILE *out);
