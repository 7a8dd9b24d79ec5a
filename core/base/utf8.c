// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <stdbool.h>
#include <string.h>

int32_t text_next_utf8(const char **cursor, const char *end) {
    if (*cursor >= end) return -1;
    const unsigned char first = (unsigned char)*(*cursor)++;
    if (first < 0x80) return first;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || end - *cursor < more) return -1;
    int32_t code = first & (0x3f >> more);
    for (int i = 0; i < more; i++) {
        const unsigned char next = (unsigned char)(*cursor)[i];
        if ((next & 0xc0) != 0x80) return -1;
        code = code << 6 | (next & 0x3f);
    }
    // Longer than need be, a half of a surrogate pair, or beyond Unicode.
    const bool bad = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000) ||
                     (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
    if (bad) return -1;
    *cursor += more;
    return code;
}

void text_make_printable(char *text) {
    const char *at = text, *const end = text + strlen(text);
    while (at < end) {
        char *from = text + (at - text);
        const int32_t c = text_next_utf8(&at, end);
        if (c < ' ' || (c >= 0x7f && c < 0xa0)) memset(from, '?', (size_t)(at - from));
    }
}
