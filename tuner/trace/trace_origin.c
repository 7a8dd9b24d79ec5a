// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_origin.h"

#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "selfplay/engines/protocol.h"

// Computes a hash of the names, start values and units of the terms.
static void hash_terms(const SparseTerms *terms, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < terms->terms; i++) {
        AUTO(Text) line = {0};
        text_add(&line, "%s", terms->names[i]);
        for (int k = 0; k < 2; k++) {
            text_add(&line, " %.9g %.9g %g", terms->start ? terms->start[i][k] : 0,
                     terms->unit ? terms->unit[i][k] : 1, terms->fixed ? terms->fixed[i][k] : 0);
        }
        sha256_add(&hash, line.data, line.length + 1);
    }
    sha256_finish_hex(&hash, hex);
}

// Appends the hash of the program's files.
static void add_program(const char *command, const char *dir, Text *text) {
    AUTO(Text) program = {0};
    process_command_hash(command, dir, &program);
    text_add(text, "%s", text_get(&program) + (*text_get(&program) == '+'));
}

Status trace_origin(const Tracer *tracer, const SparseTerms *terms, const char *const *paths,
                    int count, Text *text, Err *err) {
    const PlayerSpec *spec = &tracer->spec;
    char hex[SHA256_HEX_SIZE];
    hash_terms(terms, hex);
    text_add(text, "terms %s\nprogram ", hex);
    add_program(spec->command, spec->dir, text);
    text_add(text, "\ncommand %s\ndir %s\nprotocol %s\nquirks", spec->command,
             spec->dir ? spec->dir : "", spec->profile->name);
    quirks_write(&spec->quirks, text);
    text_add(text, "\noptions");
    for (int i = 0; i < spec->option_count; i++) {
        text_add(text, " %s=%s", spec->options[i].name, spec->options[i].value);
    }
    text_add(text, "\nplies %d\n", tracer->plies);
    for (int i = 0; i < count; i++) {
        AUTO_POINTER(Store) store = NULL;
        TRY(store_open(paths[i], &store, err));
        store_digest(store, hex);
        text_add(text, "games %s %s\n", hex, paths[i]);
    }
    return STATUS_OK;
}

// Returns the value of a line "KEY VALUE", or "".
static const char *value_of(const char *line, const char *key) {
    const size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && line[length] == ' ' ? line + length + 1 : "";
}

// Compares the digest of a run with "HASH PATH".
static void compare_games(char *value, Text *text) {
    AUTO_POINTER(Store) store = NULL;
    char hex[SHA256_HEX_SIZE], *path = strchr(value, ' ');
    if (!path) return;
    *path++ = '\0';
    if (access(path, R_OK) != 0 || store_open(path, &store, NULL) != STATUS_OK) return;
    store_digest(store, hex);
    if (strcmp(hex, value) == 0) return;
    text_add(text, "the games in %s are not those of which the rows were made\n", path);
}

void trace_origin_compare(const SparseTerms *terms, Text *text) {
    AUTO_FREE char *lines = memory_copy_text(terms->origin ? terms->origin : "");
    AUTO(Text) now = {0};
    const char *program = "", *command = "", *dir = "";
    char *cursor = lines, hex[SHA256_HEX_SIZE];
    hash_terms(terms, hex);
    for (char *line; (line = text_next_field(&cursor, '\n'));) {
        const char *old = value_of(line, "terms");
        if (*old && strcmp(old, hex) != 0) {
            text_add(text, "names, start values or units of the file were changed after the rows "
                           "were made\n");
        }
        if (*value_of(line, "program")) program = value_of(line, "program");
        if (*value_of(line, "command")) command = value_of(line, "command");
        if (*value_of(line, "dir")) dir = value_of(line, "dir");
        if (*value_of(line, "games")) compare_games(line + strlen("games "), text);
    }
    if (!*program || !*command) return;
    add_program(command, *dir ? dir : NULL, &now);
    if (!now.length || strcmp(now.data, program) == 0) return;
    text_add(text, "the program '%s' has changed since the rows were made: hash %s, now %s\n",
             command, program, now.data);
}
