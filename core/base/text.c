// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/interrupt.h"
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

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *text_trim(char *text) {
    while (is_blank(*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1])) text[--length] = '\0';
    return text;
}

bool text_next_word(const char **cursor, const char **word, size_t *length) {
    const char *at = *cursor;
    while (is_blank(*at)) at++;
    *word = at;
    while (*at && !is_blank(*at)) at++;
    *length = (size_t)(at - *word);
    *cursor = at;
    return *length > 0;
}

bool text_word_is(const char *word, size_t length, const char *wanted) {
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
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
    if (found > limit || (nearest->name && found >= nearest->distance)) return;
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

// Opens a file for reading. For a named pipe, waits until a writer has written to it or closed it;
// if Ctrl-C comes first, returns NULL with errno EINTR. poll() is used because a waiting open()
// would not notice Ctrl-C.
static FILE *open_to_read(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISFIFO(info.st_mode)) return fopen(path, "rb");
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return NULL;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    while (poll(&wait, 1, 200) <= 0) {
        if (!interrupt_requested()) continue;
        close(fd);
        errno = EINTR;
        return NULL;
    }
    const int flags = fcntl(fd, F_GETFL);
    FILE *file =
        flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(fd, "rb") : NULL;
    if (!file) close(fd);
    return file;
}

Status line_reader_open(LineReader *reader, const char *path, Err *err) {
    *reader = (LineReader){0};
    if (!path || strcmp(path, "-") == 0) {
        reader->file = stdin;
        reader->name = "standard input";
        return STATUS_OK;
    }
    reader->name = path;
    reader->file = open_to_read(path);
    if (!reader->file) {
        return err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    }
    reader->owned = true;
    return STATUS_OK;
}

// The UTF-8 byte order mark, which some Windows editors write at the start of a file.
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

// Appends the next line of the block to the current line, which ends where the next line begins.
static void take_line(LineReader *reader) {
    const char *begin = reader->block + reader->next;
    const char *end = memchr(begin, '\r', reader->rest);
    if (!end) end = memchr(begin, '\n', reader->rest);
    size_t taken = end ? (size_t)(end - begin) : reader->rest;
    reader->length += taken;
    reader->unended = taken == reader->rest;
    if (taken < reader->rest && begin[taken] == '\r') taken++;
    if (taken < reader->rest && begin[taken] == '\n') taken++;
    reader->next += taken;
    reader->rest -= taken;
    reader->line[reader->length] = '\0';
    reader->number++;
}

bool line_reader_next(LineReader *reader) {
    if (reader->again) {
        reader->again = false;
        return true;
    }
    if (reader->rest == 0) {
        const ssize_t got = getline(&reader->block, &reader->capacity, reader->file);
        if (got < 0) {
            if (!feof(reader->file)) reader->error_number = errno;
            return false;
        }
        reader->next = 0;
        reader->rest = (size_t)got;
    }
    reader->line = reader->block + reader->next;
    reader->length = 0;
    take_line(reader);
    if (reader->number == 1 && strncmp(reader->line, BYTE_ORDER_MARK, 3) == 0) {
        reader->length -= 3;
        memmove(reader->line, reader->line + 3, reader->length + 1);
    }
    return true;
}

bool line_reader_join(LineReader *reader) {
    char *end = reader->line + reader->length;
    if (reader->rest == 0 || end + 1 != reader->block + reader->next) return false;
    *end = ' ';
    reader->length++;
    take_line(reader);
    return true;
}

void line_reader_unread(LineReader *reader) {
    reader->again = true;
}

bool line_reader_next_record(LineReader *reader) {
    while (line_reader_next(reader)) {
        const char *at = reader->line;
        while (is_blank(*at)) at++;
        const bool blank = *at == '\0' && (size_t)(at - reader->line) == reader->length;
        if (!blank && reader->line[0] != '#') return true;
    }
    return false;
}

Status line_reader_refuse_games(LineReader *reader, const char *advice, Err *err) {
    const char *format = text_game_format(reader->line, reader->length), *name = reader->name;
    const size_t line = reader->number;
    if (!format) return STATUS_OK;
    TRY(line_reader_close(reader, err));
    return err_set(err, STATUS_BAD_INPUT,
                   "%s, line %zu: a file of games in the format %s, but this command reads lines "
                   "with a FEN, a tab and moves; %s",
                   name, line, format, advice);
}

Status line_reader_close(LineReader *reader, Err *err) {
    Status status = STATUS_OK;
    if (reader->error_number) {
        status = err_set(err, STATUS_IO, "cannot read %s: %s", reader->name,
                         strerror(reader->error_number));
    }
    if (reader->owned) fclose(reader->file);
    free(reader->block);
    *reader = (LineReader){0};
    return status;
}

Status bytes_read_file(const char *path, char **data, size_t *length, Err *err) {
    FILE *file = open_to_read(path);
    if (!file) return err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    AUTO(Text) text = {0};
    char block[16384];
    size_t got;
    while (text.length <= TEXT_FILE_MAX && (got = fread(block, 1, sizeof block, file)) > 0) {
        text_add_bytes(&text, block, got);
    }
    const bool failed = ferror(file) != 0;
    const int error_number = errno;
    fclose(file);
    if (failed) return err_set(err, STATUS_IO, "cannot read %s: %s", path, strerror(error_number));
    if (text.length > TEXT_FILE_MAX) {
        return err_set(err, STATUS_BAD_INPUT, "%s: the file is longer than %d MB", path,
                       TEXT_FILE_MAX >> 20);
    }
    text_add_bytes(&text, "", 0);
    *length = text.length;
    *data = TAKE(text.data);
    return STATUS_OK;
}

Status text_read_file(const char *path, char **data, size_t *length, Err *err) {
    TRY(bytes_read_file(path, data, length, err));
    if (strncmp(*data, BYTE_ORDER_MARK, 3) != 0) return STATUS_OK;
    *length -= 3;
    memmove(*data, *data + 3, *length + 1);
    return STATUS_OK;
}
