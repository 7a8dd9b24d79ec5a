// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a command line that is being translated (foreign.h).
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/command/foreign.h"
#include "core/command/translation.h"

static const struct ForeignKey {
    const char *name, *ours, *value;
} keys[] = {
#define FOREIGN_KEY(name, ours, value) {name, ours, value},
#include "core/command/foreign_keys.def"
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static bool in_search_path(const char *program) {
    const char *path = getenv("PATH");
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        AUTO(Text) file = {0};
        text_add(&file, "%.*s/%s", (int)length, path, program);
        if (access(file.data, X_OK) == 0) return true;
        path += length + (path[length] != '\0');
    }
    return false;
}

const char *foreign_player_key(const char *text) {
    static const char *const endings[] = {".txt", ".net", ".h5", ".nnue"};
    struct stat state;
    const char *dot = strrchr(text, '.');
    if (option_choice_index("classic|default|best", text) >= 0) return "weights";
    for (int i = 0; i < 4 && dot; i++) {
        if (strcmp(dot, endings[i]) == 0) return "weights";
    }
    if (stat(text, &state) == 0 && S_ISREG(state.st_mode)) {
        return access(text, X_OK) == 0 ? "cmd" : "weights";
    }
    return strchr(text, '/') || (*text && in_search_path(text)) ? "cmd" : NULL;
}

// ---- players ------------------------------------------------------------------------------------

void foreign_add_field(Text *player, const char *key, size_t key_length, const char *value) {
    text_add(player, "%s%.*s=", player->length ? "," : "", (int)key_length, key);
    for (; *value; value++) text_add(player, "%s%c", strchr(",\\", *value) ? "\\" : "", *value);
}

// Adds a player given as a PLAYER text, or as the name of a program or of weights.
void foreign_add_player(Translation *self, const char *text, int at) {
    if (at >= PLAYERS_MAX) return;
    if (self->player_count <= at) self->player_count = at + 1;
    text_clear(&self->players[at]);
    const char *key = foreign_player_key(text);
    if (strchr(text, '=') || !*text) {
        text_add(&self->players[at], "%s", text);
        return;
    }
    self->changed = true;
    foreign_add_field(&self->players[at], key ? key : "cmd", strlen(key ? key : "cmd"), text);
}

void foreign_leave_out(Translation *self, const char *word, size_t length, const char *why) {
    text_add(self->left_out, "%.*s: %s\n", (int)length, word, why);
}

// Adds a word KEY=VALUE of -engine or -each. Arguments are collected in `arguments`.
static void add_key(Translation *self, const char *word, Text *player, Text *arguments) {
    const size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : "";
    if (text_word_is(word, length, "arg") || text_word_is(word, length, "args")) {
        text_add(arguments, " %s", value);
        return;
    }
    if (text_word_is(word, length, "tc") && option_choice_index("inf|infinite", value) >= 0) return;
    if (text_word_is(word, length, "ponder") && !*value) value = "yes";
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!text_word_is(word, length, keys[i].name)) continue;
        if (keys[i].ours) {
            foreign_add_field(player, keys[i].ours, strlen(keys[i].ours),
                              keys[i].value ? keys[i].value : value);
        } else {
            foreign_leave_out(self, word, strlen(word), "players have no such key");
        }
        return;
    }
    foreign_add_field(player, word, length, value);
}

void foreign_add_engine(Translation *self, Text *player, int first, int end) {
    AUTO(Text) arguments = {0};
    if (first < end && !strchr(self->words[first], '=')) {
        const char *key = foreign_player_key(self->words[first]);
        foreign_add_field(player, key ? key : "cmd", strlen(key ? key : "cmd"),
                          self->words[first++]);
    }
    for (int i = first; i < end; i++) {
        if (strncmp(self->words[i], "cmd=", 4) != 0 && strncmp(self->words[i], "conf=", 5) != 0) {
            add_key(self, self->words[i], player, &arguments);
            continue;
        }
        AUTO(Text) command = {0};
        text_add(&command, "%s", strchr(self->words[i], '=') + 1);
        for (int j = first; j < end; j++) {
            const char *word = self->words[j];
            if (strncmp(word, "arg=", 4) == 0 || strncmp(word, "args=", 5) == 0) {
                text_add(&command, " %s", strchr(word, '=') + 1);
            }
        }
        foreign_add_field(player, "cmd", 3, command.data);
    }
}

// Appends the KEY=VALUE pairs of -each whose keys the player does not set.
static void add_each(Text *player, const char *each) {
    while (*each) {
        size_t length = 0;
        while (each[length] && each[length] != ',') length += each[length] == '\\' ? 2 : 1;
        AUTO(Text) key = {0};
        text_add(&key, ",%.*s=", (int)strcspn(each, "="), each);
        const char *set = text_get(player);
        if (strncmp(set, key.data + 1, key.length - 1) != 0 && !strstr(set, key.data)) {
            text_add(player, "%s%.*s", player->length ? "," : "", (int)length, each);
        }
        each += length + (each[length] == ',');
    }
}

// Adds the players, and how many games they play.
void foreign_add_contest(Translation *self, Text *line) {
    const bool match = command_row(self->command, "a", 1), many = match && self->player_count > 2;
    const bool pairs = match || command_row(self->command, "pairs", 5);
    for (int i = 0; match && self->each.length && i < 2; i++) {
        const OptionRow *row = command_row(self->command, i == 0 ? "a" : "b", 1);
        if (self->player_count == i) foreign_add_player(self, row->default_value, i);
    }
    if (self->rounds || self->games) {
        const long rounds = self->rounds ? strtol(self->rounds, NULL, 10) : 1;
        const long games = self->games ? strtol(self->games, NULL, 10) : 2;
        const long count = (rounds * games + 1) / 2;
        AUTO(Text) number = {0};
        text_add(&number, "%ld", count > 0 ? count : 1);
        foreign_add_option(self, many || !pairs ? "rounds" : "pairs", number.data);
    }
    if (self->kind && (many || command_row(self->command, "kind", 4))) {
        foreign_add_option(self, "kind",
                           strcmp(self->kind, "gauntlet") == 0 ? "gauntlet" : "round-robin");
    }
    text_add(line, "paotai %s", many ? "tournament" : self->command->name);
    for (int i = 0; i < self->player_count; i++) {
        add_each(&self->players[i], text_get(&self->each));
        if (!self->players[i].length) continue;
        text_add(line, !match || many ? " " : i == 0 ? " --a " : " --b ");
        text_add_word(line, self->players[i].data);
    }
}
