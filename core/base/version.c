// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include "version.inc"

const char *version_revision(void) {
    return BUILD_REVISION;
}
const char *version_compiler(void) {
    return BUILD_COMPILER;
}
const char *version_flags(void) {
    return BUILD_FLAGS;
}
void version_print(FILE *out) {
    fprintf(out, "paotai %s\nrevision %s\ncompiler %s\nflags %s\nvariant %s\n", PAOTAI_VERSION,
            version_revision(), version_compiler(), version_flags(), BUILD_VARIANT);
}
