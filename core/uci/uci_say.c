// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: output, the log of all lines, and the parsing of words.
#include <stdlib.h>
#include <string.h>

#include "core/system/out_file.h"
#include "core/uci/uci_internal.h"

// ---- output -------------------------------------------------------------------------------------

// Calls fwrite() only once, because the reader thread and the worker may send at the same time.
void server_say(Server *server, const char *format, ...) {
    AUTO(Text) line = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&line, format, args);
    va_end(args);
    server_log(server, '<', text_get(&line));
    text_add_bytes(&line, "\n", 1);
    fwrite(line.data, 1, line.length, server->out);
    fflush(server->out);
}

void server_log(Server *server, char arrow, const char *lines) {
    pthread_mutex_lock(&server->log_lock);
    while (server->log && *lines) {
        const int length = (int)strcspn(lines, "\n");
        AUTO(Text) line = {0};
        text_add(&line, "%c %.*s", arrow, length, lines);
        text_make_printable(line.data);
        fprintf(server->log, "%s\n", line.data);
        lines += length + (lines[length] == '\n');
    }
    if (server->log) fflush(server->log);
    pthread_mutex_unlock(&server->log_lock);
}

Status server_log_to(Server *server, const char *path, Err *err) {
    const bool wanted = *path && strcmp(path, "<empty>") != 0;
    FILE *log = NULL;
    if (wanted) TRY(out_file_append(path, &log, err));
    pthread_mutex_lock(&server->log_lock);
    if (server->log) fclose(server->log);
    server->log = log;
    pthread_mutex_unlock(&server->log_lock);
    return STATUS_OK;
}

void server_tell(Server *server, const char *format, ...) {
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    text_make_printable(text.data);
    server_say(server, "info %s %s", server->dialect == DIALECT_UCCI ? "message" : "string",
               text.data);
}

// ---- words of the input -------------------------------------------------------------------------

bool take_word(const char **cursor, const char *wanted) {
    const char *at = *cursor, *word;
    size_t length;
    if (!text_next_word(&at, &word, &length)) return false;
    if (!text_word_is(word, length, wanted)) return false;
    *cursor = at;
    return true;
}

char *join_words(const char **cursor, const char *until, int most) {
    Text text = {0};
    const char *word;
    size_t length;
    text_add(&text, "%s", "");
    while (most-- > 0 && !(until && take_word(cursor, until)) &&
           text_next_word(cursor, &word, &length)) {
        if (text.length) text_add_bytes(&text, " ", 1);
        text_add_bytes(&text, word, length);
    }
    return text.data;
}

void server_add_move(const Server *server, Text *text, const char *before, Move move) {
    char word[MOVE_TEXT_SIZE];
    move_write(move, server->settings.first_rank, word);
    text_add(text, "%s%s", before, word);
}
