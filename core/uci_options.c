// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: its options.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/uci_internal.h"

// Puts a setting into effect; the error says why not.
typedef Status ApplyOption(Server *server, const char *value, Err *err);

static Status apply_hash(Server *server, const char *value, Err *err);
static Status apply_weights(Server *server, const char *value, Err *err);
static Status apply_clear(Server *server, const char *value, Err *err);

typedef struct OptionLine {
    const char *name, *type, *range; // range: "min N max N", "var V ..."
    const char *default_value;
    ApplyOption *apply;
} OptionLine;

static const OptionLine option_lines[] = {
    {"UCI_Variant", "combo", "var xiangqi", "xiangqi", NULL},
    {"Hash", "spin", "min 1 max 65536", "16", apply_hash},
    {"Weights", "string", "", "default", apply_weights},
    {"Clear Hash", "button", "", NULL, apply_clear},
};
enum { OPTION_LINE_COUNT = sizeof option_lines / sizeof *option_lines };

static void new_search(Server *server) {
    search_free(server->search);
    server->search = search_new(&server->weights, server->settings.hash_mb, NULL);
    search_set_report(server->search, server_report, server);
    search_set_stop(server->search, &server->inbox.stop);
}

static Status apply_hash(Server *server, const char *value, Err *err) {
    long long parsed;
    const Status status = parse_int(value, 1, 65536, &parsed, "Hash", err);
    if (status != STATUS_OK) return status;
    server->settings.hash_mb = (int)parsed;
    new_search(server);
    return STATUS_OK;
}

static Status apply_weights(Server *server, const char *value, Err *err) {
    Weights weights;
    const Status status = weights_load(value, &weights, err);
    if (status != STATUS_OK) return status;
    server->weights = weights;
    search_set_weights(server->search, &weights);
    return STATUS_OK;
}

static Status apply_clear(Server *server, const char *value, Err *err) {
    (void)value;
    (void)err;
    search_clear(server->search);
    return STATUS_OK;
}

void server_options_init(Server *server) {
    weights_default(&server->weights);
    server->settings.hash_mb = 16;
    server->settings.move_overhead_ms = 20;
    new_search(server);
}

void server_options_list(Server *server) {
    for (int i = 0; i < OPTION_LINE_COUNT; i++) {
        const OptionLine *line = &option_lines[i];
        Text text = {0};
        text_add(&text, "option name %s type %s", line->name, line->type);
        if (line->default_value) text_add(&text, " default %s", line->default_value);
        if (line->range[0]) text_add(&text, " %s", line->range);
        server_say(server, "%s", text.data);
        text_clear(&text);
    }
}

// Joins the words from *cursor to the word `until` (or the end) by single blanks; the caller frees.
static char *join_words(const char **cursor, const char *until) {
    Text text = {0};
    const char *word;
    size_t length;
    text_add(&text, "%s", "");
    while (!(until && take_word(cursor, until)) && text_next_word(cursor, &word, &length)) {
        if (text.length) text_add_bytes(&text, " ", 1);
        text_add_bytes(&text, word, length);
    }
    return text.data;
}

void on_setoption(Server *server, const char *rest) {
    take_word(&rest, "name");
    char *name = join_words(&rest, "value"), *value = join_words(&rest, NULL);
    const OptionLine *found = NULL;
    for (int i = 0; i < OPTION_LINE_COUNT; i++) {
        if (strcasecmp(option_lines[i].name, name) == 0) found = &option_lines[i];
    }
    Err err = {0};
    if (!found) {
        server_tell(server, "no option '%.60s'", name);
    } else if (found->apply && found->apply(server, value, &err) != STATUS_OK) {
        server_tell(server, "%s stays as it was: %s", found->name, err.text);
    }
    free(name);
    free(value);
}
