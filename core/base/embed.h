// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Embeds a file of the repository as the text `name`. The Makefile must list the file as a
// prerequisite of the object file.
#define EMBED_TEXT(name, path)                                                                     \
    extern const char name[] __attribute__((visibility("hidden")));                                \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection")
