// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/in_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/interrupt.h"

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
        while (text_is_blank(*at)) at++;
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
