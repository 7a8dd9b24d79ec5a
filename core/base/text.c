// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"

void keep_note(ErrNotes *notes, const char *text) {
    text_add(&((KeptNotes *)notes)->lines, "%s\n", text);
}

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
    // Refuse overlong encodings, surrogates, and code points beyond Unicode.
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

static void text_reserve(Text *text, size_t more) {
    if (text->length + more + 1 > text->capacity) {
        text->capacity = memory_grow(text->capacity, text->length + more + 1);
        text->data = memory_resize(text->data, text->capacity, 1);
    }
}

void text_add_args(Text *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    text_reserve(text, 0);
    const size_t room = text->capacity - text->length;
    const int needed = vsnprintf(text->data + text->length, room, format, args);
    if (needed >= 0 && (size_t)needed >= room) {
        text_reserve(text, (size_t)needed);
        vsnprintf(text->data + text->length, (size_t)needed + 1, format, again);
    }
    if (needed >= 0) text->length += (size_t)needed;
    text->data[text->length] = '\0'; // also terminates the text if vsnprintf() failed
    va_end(again);
}

void text_add(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_add_args(text, format, args);
    va_end(args);
}

void text_add_real(Text *text, double value) {
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    text_add(text, "%s", digits);
}

double text_zero_unsigned(double value, int decimals) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    return digits[strspn(digits, "-0.")] ? value : 0.0;
}

void text_add_bytes(Text *text, const void *bytes, size_t length) {
    text_reserve(text, length);
    if (length) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

const unsigned char *bytes_take(const unsigned char *from, void *to, size_t size) {
    if (size) memcpy(to, from, size);
    return from + size;
}

void text_reset(Text *text) {
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

void text_clear(Text *text) {
    free(text->data);
    *text = (Text){0};
}

const char *text_get(const Text *text) {
    return text->data ? text->data : "";
}

Status parse_int(const char *text, long long min, long long max, long long *value, const char *what,
                 Err *err) {
    char *end = NULL;
    errno = 0;
    const long long parsed = strtoll(text, &end, 10);
    const char first = text[0];
    if (!((first >= '0' && first <= '9') || first == '-' || first == '+') || *end != '\0' ||
        end == text) {
        return err_set(err, STATUS_BAD_INPUT, "%s: '%s' is not a whole number", what, text);
    }
    if (errno == ERANGE || parsed < min || parsed > max) {
        return err_set(err, STATUS_BAD_INPUT, "%s: %s is not in %lld..%lld", what, text, min, max);
    }
    *value = parsed;
    return STATUS_OK;
}

Status parse_u64(const char *text, uint64_t *value, const char *what, Err *err) {
    char *end = NULL;
    errno = 0;
    const unsigned long long parsed = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno == ERANGE) {
        return err_set(err, STATUS_BAD_INPUT, "%s: '%s' is not a whole number from 0 to 2^64-1",
                       what, text);
    }
    *value = parsed;
    return STATUS_OK;
}

Status parse_real(const char *text, double min, double max, double *value, const char *what,
                  Err *err) {
    char *end = NULL;
    const double parsed = strtod(text, &end);
    const char first = text[0];
    if (!((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') ||
        *end != '\0' || end == text || !isfinite(parsed)) {
        return err_set(err, STATUS_BAD_INPUT, "%s: '%s' is not a number", what, text);
    }
    if (parsed < min || parsed > max) {
        return err_set(err, STATUS_BAD_INPUT, "%s: %s is not in %g..%g", what, text, min, max);
    }
    *value = parsed;
    return STATUS_OK;
}

char *text_next_field(char **cursor, char separator) {
    char *field = *cursor;
    if (!field) return NULL;
    char *end = strchr(field, separator);
    if (end) {
        *end = '\0';
        *cursor = end + 1;
    } else {
        *cursor = NULL;
    }
    return field;
}

bool text_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *text_trim(char *text) {
    while (text_is_blank(*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && text_is_blank(text[length - 1])) text[--length] = '\0';
    return text;
}

bool text_next_word(const char **cursor, const char **word, size_t *length) {
    const char *at = *cursor;
    while (text_is_blank(*at)) at++;
    *word = at;
    while (*at && !text_is_blank(*at)) at++;
    *length = (size_t)(at - *word);
    *cursor = at;
    return *length > 0;
}

bool text_word_is(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

bool text_ends_in(const char *text, const char *ending) {
    const size_t length = text ? strlen(text) : 0, end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

// Returns the edit distance of two words (Levenshtein 1966). `row` has room for b_length + 1
// numbers, one row of the table of distances.
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length, int *row) {
    for (size_t j = 0; j <= b_length; j++) row[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            const int change = corner + (a[i - 1] != b[j - 1]);
            const int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = change < shift ? change : shift;
        }
    }
    return row[b_length];
}

void nearest_try(Nearest *nearest, const char *name, size_t length) {
    int row[64];
    if (length >= sizeof row / sizeof *row) return;
    const bool begins = nearest->length >= 3 && nearest->length < length &&
                        memcmp(nearest->word, name, nearest->length) == 0;
    const int found = begins ? 1 : edit_distance(nearest->word, nearest->length, name, length, row);
    const int limit = nearest->length < 4 ? 1 : 1 + (int)nearest->length / 5;
    // A word whose letters are mostly others is another word.
    if (found > limit || 2 * found > (int)length || (nearest->name && found >= nearest->distance))
        return;
    nearest->name = name;
    nearest->name_length = length;
    nearest->distance = found;
}

bool text_begins_pgn_tag(const char *text, size_t length) {
    size_t at = 1;
    if (length == 0 || text[0] != '[') return false;
    while (at < length && (isalnum((unsigned char)text[at]) || text[at] == '_')) at++;
    const size_t name_end = at;
    while (at < length && isblank((unsigned char)text[at])) at++;
    return name_end > 1 && at > name_end && at < length && text[at] == '"';
}

const char *text_game_format(const char *text, size_t length) {
    static const char *const marks[][2] = {
        {"[DhtmlXQ", "dhtmlxq"}, {"CCBridge Record", "cbr"}, {"CCBridge", "cbl"}};
    if (text_begins_pgn_tag(text, length)) return "pgn";
    // The byte after "XQ" is the version, a control character. In version 1.0 it is 10, a line end.
    if (length >= 2 && memcmp(text, "XQ", 2) == 0 && (length == 2 || (unsigned char)text[2] < ' '))
        return "xqf";
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t size = strlen(marks[i][0]);
        if (length >= size && memcmp(text, marks[i][0], size) == 0) return marks[i][1];
    }
    return NULL;
}

void text_add_wrapped(Text *text, const char *words) {
    enum { WIDTH = 80 };
    size_t length, column = 0;
    const char *word, *cursor = words;
    for (const char *at = text_get(text); *at; at++) column = *at == '\n' ? 0 : column + 1;
    while (text_next_word(&cursor, &word, &length)) {
        const bool full = column + 1 + length > WIDTH;
        text_add(text, column == 0 ? "%.*s" : full ? "\n  %.*s" : " %.*s", (int)length, word);
        column = full ? 2 + length : column + (column > 0) + length;
    }
    text_add(text, "\n");
}

void text_add_quoted(Text *text, const char *word) {
    // In a shell, '...' can hold every character except a single quote, so single quotes are
    // written inside "...".
    for (const char *at = word; *at || at == word;) {
        const size_t length = *at == '\'' ? strspn(at, "'") : strcspn(at, "'");
        const char quote = *at == '\'' ? '"' : '\'';
        text_add(text, "%c%.*s%c", quote, (int)length, at, quote);
        at += length;
        if (!*at) return;
    }
}

void text_add_word(Text *text, const char *word) {
    AUTO_FREE char *printable = memory_copy_text(word);
    text_make_printable(printable);
    if (strcmp(word, printable) == 0) {
        if (*word && !strpbrk(word, " '\"\\$`*?[]{}()<>|&;#~!")) {
            text_add(text, "%s", word);
        } else {
            text_add_quoted(text, word);
        }
        return;
    }
    text_add(text, "$'");
    for (; *word; word++) {
        const unsigned char c = (unsigned char)*word;
        const bool raw = c >= ' ' && c < 0x7f && c != '\'' && c != '\\';
        text_add(text, raw ? "%c" : "\\%03o", c);
    }
    text_add(text, "'");
}
