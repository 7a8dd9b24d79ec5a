// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/openings/epd.h"

#include <string.h>

#include "core/base/text.h"

char *epd_cut(char *line) {
    const char *cursor = line, *word;
    size_t length;
    for (int field = 0; text_next_word(&cursor, &word, &length); field++) {
        const bool counter = strspn(word, "0123456789") >= length;
        const bool dash = length == 1 && word[0] == '-';
        if (field < 2 || (field < 6 && (counter || dash))) continue;
        const size_t at = (size_t)(word - line);
        if (at == 0) break;
        line[at - 1] = '\0'; // the blank before the first opcode
        return line + at;
    }
    return line + strlen(line);
}

// The end of the operation that begins at `text`: its semicolon, or the end of the text.
static const char *operation_end(const char *text) {
    bool quoted = false;
    while (*text && (quoted || *text != ';')) {
        quoted = quoted != (*text == '"');
        text++;
    }
    return text;
}

bool epd_find(const char *operations, const char *opcode, const char **operand, size_t *length) {
    for (const char *at = operations, *end; *at; at = *end ? end + 1 : end) {
        end = operation_end(at);
        const char *word;
        size_t word_length;
        if (!text_next_word(&at, &word, &word_length) || word >= end) continue;
        if (strlen(opcode) != word_length || memcmp(word, opcode, word_length) != 0) continue;
        const char *stop = end;
        while (at < stop && (*at == ' ' || *at == '\t')) at++;
        while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        *operand = at;
        *length = (size_t)(stop - at);
        return true;
    }
    return false;
}
