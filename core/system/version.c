// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/version.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "version.inc"

// Copies the build id from the ELF note of the first loaded object, which is the program.
static int read_build_id(struct dl_phdr_info *info, size_t size, void *out) {
    char *hex = out;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + header->p_vaddr);
        const char *const end = at + header->p_memsz;
        ElfW(Nhdr) note;
        for (; header->p_type == PT_NOTE && at + sizeof note <= end;
             at += sizeof note + (note.n_namesz + 3U) / 4 * 4 + (note.n_descsz + 3U) / 4 * 4) {
            memcpy(&note, at, sizeof note);
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof "GNU") continue;
            const unsigned char *id = (const unsigned char *)at + sizeof note + sizeof "GNU";
            for (size_t k = 0; k < note.n_descsz && k < BUILD_ID_BYTES; k++) {
                hex += sprintf(hex, "%02x", id[k]);
            }
            return 1;
        }
    }
    return 1;
}

const char *version_build(void) {
    static _Thread_local char hex[2 * BUILD_ID_BYTES + 1];
    if (!hex[0]) dl_iterate_phdr(read_build_id, hex);
    return hex[0] ? hex : "unknown";
}

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
    fprintf(out, "paotai %s\nrevision %s\nbuild %s\ncompiler %s\nflags %s\nvariant %s\n",
            PAOTAI_VERSION, version_revision(), version_build(), version_compiler(),
            version_flags(), BUILD_VARIANT);
}
