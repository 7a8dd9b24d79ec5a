// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the weight sets with which the games of a fit were played.
#include <string.h>

#include "core/eval/weights.h"
#include "datasets/store/store.h"
#include "tuner/rows/row_notes.h"

enum { SHORT_HASH = 12, PLAYERS_MOST = 3 };

// The weight sets with which the games of a run were played, except the set given to
// rows_say_players().
typedef struct Players {
    Text names; // names and short hashes of the first PLAYERS_MOST weight sets, separated by commas
    int count;
    bool own; // true if at least one shard has games that were played with `weights`
} Players;

// Appends the name of weights and the beginning of their hash, "NAME HASH". Text that does not end
// with a hash is appended unchanged.
static void add_short(const char *weights, Text *text) {
    const char *hash = strrchr(weights, ' ');
    if (!hash || strlen(hash + 1) != SHA256_HEX_SIZE - 1) {
        text_add(text, "%s", weights);
        return;
    }
    text_add(text, "%.*s %.*s", (int)(hash - weights), weights, SHORT_HASH, hash + 1);
}

// Records in *players the weights that played the games of a shard, according to its provenance.
// `hash` is the hash of the weights given to rows_say_players(). Skips a shard that cannot be read,
// and a shard whose provenance has no weights, such as one of imported games.
static void note_shard(const char *path, const char *hash, Players *players) {
    AUTO(ProvenanceTexts) made = {.list = {NULL}};
    AUTO(Text) name = {0};
    if (shard_read_provenance(path, &made, NULL) != STATUS_OK) return;
    if (!made.weights || !*made.weights) return;
    if (strstr(made.weights, hash)) {
        players->own = true;
        return;
    }
    add_short(made.weights, &name);
    if (strstr(text_get(&players->names), name.data)) return;
    if (players->count++ < PLAYERS_MOST) {
        text_add(&players->names, "%s%s", players->count > 1 ? ", " : "", name.data);
    }
}

void rows_say_players(const CommandCall *call, const char *name, const char *advice) {
    Weights weights;
    char hash[SHA256_HEX_SIZE];
    if (weights_load(name, &weights, NULL) != STATUS_OK) return;
    weights_hash(&weights, hash);
    for (int i = 0; i < call->arg_count; i++) {
        AUTO(PathList) files = {0};
        Players players = {.own = false};
        if (store_list_files(call->args[i], &files, NULL) != STATUS_OK) continue;
        for (size_t k = 0; k < files.count; k++) note_shard(files.paths[k], hash, &players);
        if (players.count > 0) {
            fprintf(call->err, "%s: the games were %splayed by %s%s, not by --weights %s %.*s%s\n",
                    call->args[i], players.own ? "partly " : "", text_get(&players.names),
                    players.count > PLAYERS_MOST ? " and others" : "", name, SHORT_HASH, hash,
                    advice);
        }
        text_clear(&players.names);
    }
}
