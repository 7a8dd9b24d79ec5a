// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/foreign.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"

// How the translation handles the words after an option of another program.
typedef enum Kind {
    KIND_VALUE,    // passes a value on: the word `score=VALUE`, else the last word
    KIND_ENGINE,   // KEY=VALUE words: a player
    KIND_EACH,     // KEY=VALUE words: for all players
    KIND_ROUNDS,   // number of rounds
    KIND_GAMES,    // number of games in a round
    KIND_REPEAT,   // openings are used twice, as always; a number means games in a round
    KIND_SPRT,     // elo0=, elo1=, alpha=, beta=, model=, or two to four numbers
    KIND_OPENINGS, // file=, order=, plies=
    KIND_MOVES,    // number of moves of both sides: passes twice the number on
    KIND_KIND,     // kind of tournament
    KIND_ARGUMENT, // an input that is an argument in Paotai, not an option
    KIND_DROP,     // left out
} Kind;

static const struct ForeignOption {
    const char *name, *ours;
    Kind kind;
    const char *key, *why;
} options[] = {
#define FOREIGN_OPTION(name, ours, kind, key, why) {name, ours, KIND_##kind, key, why},
#include "core/command/foreign_options.def"
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static const struct ForeignKey {
    const char *name, *ours, *value;
} keys[] = {
#define FOREIGN_KEY(name, ours, value) {name, ours, value},
#include "core/command/foreign_keys.def"
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

enum { PLAYERS_MAX = 64 };

// A command line that is being translated.
typedef struct Translation {
    const Command *command;
    int count;
    char *const *words;
    Text options, arguments; // translated words with a blank before each
    Text *left_out;
    Text each;                 // KEY=VALUE,... for all players
    Text players[PLAYERS_MAX]; // PLAYER texts, without those of `each`
    int player_count;
    const char *rounds, *games, *kind;
    bool changed, unknown;
} Translation;

static const OptionRow *row_named(const Command *command, const char *name, size_t length) {
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        if (text_word_is(name, length, row->name)) return row;
    }
    return NULL;
}

static const struct ForeignOption *option_named(const char *name, size_t length) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].name) == length && strncasecmp(options[i].name, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

const char *foreign_option(const Command *command, const char *name, size_t length) {
    const struct ForeignOption *option = option_named(name, length);
    if (!option || !option->ours) return NULL;
    const bool players = option->kind == KIND_ENGINE || option->kind == KIND_EACH;
    if (!row_named(command, option->ours, strlen(option->ours))) return NULL;
    return players ? "a and --b" : option->ours;
}

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

static void add_field(Text *player, const char *key, size_t key_length, const char *value) {
    text_add(player, "%s%.*s=", player->length ? "," : "", (int)key_length, key);
    for (; *value; value++) text_add(player, "%s%c", strchr(",\\", *value) ? "\\" : "", *value);
}

// Adds a player given as a PLAYER text, or as the name of a program or of weights.
static void add_player(Translation *self, const char *text, int at) {
    if (at >= PLAYERS_MAX) return;
    if (self->player_count <= at) self->player_count = at + 1;
    text_clear(&self->players[at]);
    const char *key = foreign_player_key(text);
    if (strchr(text, '=') || !*text) {
        text_add(&self->players[at], "%s", text);
        return;
    }
    self->changed = true;
    add_field(&self->players[at], key ? key : "cmd", strlen(key ? key : "cmd"), text);
}

static void leave_out(Translation *self, const char *word, size_t length, const char *why) {
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
            add_field(player, keys[i].ours, strlen(keys[i].ours),
                      keys[i].value ? keys[i].value : value);
        } else {
            leave_out(self, word, strlen(word), "players have no such key");
        }
        return;
    }
    add_field(player, word, length, value);
}

static void add_engine(Translation *self, Text *player, int first, int end) {
    AUTO(Text) arguments = {0};
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
        add_field(player, "cmd", 3, command.data);
    }
}

// ---- options ------------------------------------------------------------------------------------

static void add_option(Translation *self, const char *name, const char *value) {
    text_add(&self->options, " --%s ", name);
    text_add_word(&self->options, value);
}

// Returns the value of the word KEY=VALUE among the words [first, end), or NULL.
static const char *value_of(const Translation *self, const char *key, int first, int end) {
    const size_t length = strlen(key);
    for (int i = first; i < end; i++) {
        const char *word = self->words[i];
        if (strncmp(word, key, length) == 0 && word[length] == '=') return word + length + 1;
    }
    return NULL;
}

static void add_sprt(Translation *self, int first, int end) {
    const char *values[4] = {value_of(self, "elo0", first, end), value_of(self, "elo1", first, end),
                             value_of(self, "alpha", first, end),
                             value_of(self, "beta", first, end)};
    const char *model = value_of(self, "model", first, end);
    for (int i = first; i < end && i < first + 4; i++) {
        if (!strchr(self->words[i], '=')) values[i - first] = self->words[i];
    }
    AUTO(Text) elos = {0};
    const bool both = values[0] && strchr(values[0], ','); // Paotai's form: 0,5
    if (both) text_add(&elos, "%s", values[0]);
    if (!both) text_add(&elos, "%s,%s", values[0] ? values[0] : "0", values[1] ? values[1] : "5");
    add_option(self, "sprt", elos.data);
    if (values[2]) add_option(self, "alpha", values[2]);
    if (values[3]) add_option(self, "beta", values[3]);
    if (!model) return;
    const bool known = option_choice_index("normalized|logistic|bayesian", model) >= 0;
    if (known) add_option(self, "model", model);
    if (!known)
        leave_out(self, model, strlen(model), "--model is normalized, logistic or bayesian");
}

static void add_openings(Translation *self, int first, int end) {
    const char *file = value_of(self, "file", first, end);
    const char *order = value_of(self, "order", first, end);
    const char *plies = value_of(self, "plies", first, end);
    if (!file && first < end && !strchr(self->words[first], '=')) file = self->words[first];
    if (file) add_option(self, "openings", file);
    if (order) add_option(self, "order", strncmp(order, "seq", 3) == 0 ? "sequence" : "random");
    if (plies) add_option(self, "book-plies", plies);
}

static void add_moves(Translation *self, const char *ours, const char *value) {
    AUTO(Text) plies = {0};
    text_add(&plies, "%ld", 2 * strtol(value, NULL, 10));
    add_option(self, ours, plies.data);
}

// Translates an option of another program, whose words are [first, end).
static void add_foreign(Translation *self, const struct ForeignOption *option, int first, int end) {
    const char *word = end > first ? self->words[end - 1] : NULL;
    const char *value = option->key ? value_of(self, option->key, first, end) : NULL;
    if (!value) value = word;
    switch (option->kind) {
    case KIND_VALUE:
        if (value) add_option(self, option->ours, value);
        break;
    case KIND_ENGINE:
        if (self->player_count < PLAYERS_MAX) {
            add_engine(self, &self->players[self->player_count++], first, end);
        }
        break;
    case KIND_EACH:
        add_engine(self, &self->each, first, end);
        break;
    case KIND_ROUNDS:
        self->rounds = value;
        break;
    case KIND_GAMES:
    case KIND_REPEAT:
        if (value) self->games = value;
        break;
    case KIND_SPRT:
        add_sprt(self, first, end);
        break;
    case KIND_OPENINGS:
        add_openings(self, first, end);
        break;
    case KIND_MOVES:
        if (value) add_moves(self, option->ours, value);
        break;
    case KIND_KIND:
        self->kind = value;
        break;
    case KIND_ARGUMENT:
        for (int i = first; i < end; i++) {
            text_add(&self->arguments, " ");
            text_add_word(&self->arguments, self->words[i]);
        }
        break;
    case KIND_DROP:
        leave_out(self, self->words[first - 1], strlen(self->words[first - 1]), option->why);
        break;
    }
}

static bool is_option(const char *word) {
    return word[0] == '-' &&
           (word[1] == '-' ? word[2] != '\0' : (word[1] | 32) >= 'a' && (word[1] | 32) <= 'z');
}

static bool takes_player(const OptionRow *row) {
    return row->type != OPTION_FLAG && row->unit && strcmp(row->unit, "PLAYER") == 0;
}

// Adds an option of Paotai, whose name is in words[at]. Returns the index after its last word.
static int add_own(Translation *self, const OptionRow *row, const char *value, int at) {
    if (row->type == OPTION_FLAG) {
        text_add(&self->options, " --%s", row->name);
        return at + 1;
    }
    const int next = value ? at + 1 : at + 2;
    if (!value && at + 1 >= self->count) {
        self->unknown = true; // the value is missing
        return at + 1;
    }
    if (!value) value = self->words[at + 1];
    if (!takes_player(row)) {
        add_option(self, row->name, value);
    } else if (strcmp(row->name, "a") == 0 || strcmp(row->name, "b") == 0) {
        add_player(self, value, row->name[0] - 'a');
    } else {
        AUTO(Text) player = {0};
        const char *key = strchr(value, '=') ? NULL : foreign_player_key(value);
        if (key) self->changed = true;
        if (key) add_field(&player, key, strlen(key), value);
        add_option(self, row->name, key ? player.data : value);
    }
    return next;
}

// ---- the line -----------------------------------------------------------------------------------

// Returns the index of the first word from `first` on that is an option.
static int end_of_values(const Translation *self, int first) {
    while (first < self->count && !is_option(self->words[first])) first++;
    return first;
}

// Returns true if the values after an option that Paotai has, too, are those of another program:
// --sprt 0 5, --openings file=x.
static bool foreign_values(const Translation *self, const struct ForeignOption *option, int first,
                           int end) {
    if (!option || first == end) return false;
    if (option->kind == KIND_SPRT && end - first > 1) return true;
    if (option->kind != KIND_SPRT && !option->key) return false;
    const size_t length = strcspn(self->words[first], "=");
    return self->words[first][length] == '=' &&
           strspn(self->words[first], "abcdefghijklmnopqrstuvwxyz01") == length;
}

static bool has_players(const Command *command) {
    const bool options_only = row_named(command, "a", 1) && command->max_args == 0;
    return options_only || strstr(command->usage, "PLAYER");
}

// Returns true if the command, or `tournament` in its place, has the similar option.
static bool can_use(const Command *command, const struct ForeignOption *option) {
    switch (option->kind) {
    case KIND_DROP:
    case KIND_KIND:
    case KIND_GAMES:
    case KIND_REPEAT:
    case KIND_ENGINE:
    case KIND_EACH:
        return has_players(command);
    case KIND_ARGUMENT:
        return command->max_args != 0;
    default:
        return foreign_option(command, option->name, strlen(option->name)) != NULL;
    }
}

// Adds the nearest option of Paotai to an unknown one. Returns the index after its last word.
static int add_nearest(Translation *self, const char *name, const char *value, size_t length,
                       int at) {
    Nearest nearest = {.word = name, .length = length};
    for (const OptionRow *row = self->command->rows; row && row->name; row++) {
        nearest_try(&nearest, row->name, strlen(row->name));
    }
    const OptionRow *row =
        nearest.name ? row_named(self->command, nearest.name, nearest.name_length) : NULL;
    if (row) return add_own(self, row, value, at);
    // An unknown option of another program that plays matches has one dash.
    self->unknown |= name - self->words[at] > 1 || !has_players(self->command);
    leave_out(self, self->words[at], strlen(self->words[at]), "no similar option is known");
    return end_of_values(self, at + 1);
}

// Translates the option in words[at]. Returns the index after its last word.
static int translate_option(Translation *self, int at) {
    const char *word = self->words[at], *name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    const OptionRow *row = row_named(self->command, name, length);
    const struct ForeignOption *option = option_named(name, length);
    const int end = value ? at + 1 : end_of_values(self, at + 1);
    if (row && !foreign_values(self, option, at + 1, end)) {
        self->changed |= word[1] != '-';
        return add_own(self, row, value, at);
    }
    if (text_word_is(name, length, "options") || text_word_is(name, length, DROP_UNKNOWN_NAME)) {
        self->unknown = true;
        return at + 1;
    }
    self->changed = true;
    if (!option || !can_use(self->command, option)) {
        return add_nearest(self, name, value, length, at);
    }
    if (!value) {
        add_foreign(self, option, at + 1, end);
        return end;
    }
    // The value is in the same word, after '='.
    char *const *words = self->words;
    char *const both[] = {words[at], (char *)(uintptr_t)value};
    self->words = both;
    add_foreign(self, option, 1, 2);
    self->words = words;
    return end;
}

// Translates a word that belongs to no option.
static int translate_argument(Translation *self, int at) {
    const char *word = self->words[at];
    const OptionRow *row = row_named(self->command, word, strlen(word));
    if (row && row->type != OPTION_FLAG && at + 1 < self->count && access(word, F_OK) != 0) {
        self->changed = true;
        return add_own(self, row, NULL, at);
    }
    if (has_players(self->command)) {
        self->changed |= self->command->max_args == 0;
        add_player(self, word, self->player_count);
        return at + 1;
    }
    text_add(&self->arguments, " ");
    text_add_word(&self->arguments, word);
    return at + 1;
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
static void add_contest(Translation *self, Text *line) {
    const bool match = row_named(self->command, "a", 1), many = match && self->player_count > 2;
    const bool pairs = match || row_named(self->command, "pairs", 5);
    for (int i = 0; match && self->each.length && i < 2; i++) {
        const OptionRow *row = row_named(self->command, i == 0 ? "a" : "b", 1);
        if (self->player_count == i) add_player(self, row->default_value, i);
    }
    if (self->rounds || self->games) {
        const long rounds = self->rounds ? strtol(self->rounds, NULL, 10) : 1;
        const long games = self->games ? strtol(self->games, NULL, 10) : 2;
        const long count = (rounds * games + 1) / 2;
        AUTO(Text) number = {0};
        text_add(&number, "%ld", count > 0 ? count : 1);
        add_option(self, many || !pairs ? "rounds" : "pairs", number.data);
    }
    if (self->kind && (many || row_named(self->command, "kind", 4))) {
        add_option(self, "kind", strcmp(self->kind, "gauntlet") == 0 ? "gauntlet" : "round-robin");
    }
    text_add(line, "paotai %s", many ? "tournament" : self->command->name);
    for (int i = 0; i < self->player_count; i++) {
        add_each(&self->players[i], text_get(&self->each));
        if (!self->players[i].length) continue;
        text_add(line, !match || many ? " " : i == 0 ? " --a " : " --b ");
        text_add_word(line, self->players[i].data);
    }
}

bool foreign_translate(const Command *command, int count, char *const *words, Text *line,
                       Text *left_out) {
    Translation self = {.command = command, .count = count, .words = words, .left_out = left_out};
    for (int at = 0; at < count && !self.unknown;) {
        at = is_option(words[at]) ? translate_option(&self, at) : translate_argument(&self, at);
    }
    add_contest(&self, line);
    text_add(line, "%s%s", text_get(&self.options), text_get(&self.arguments));
    for (int i = 0; i < self.player_count; i++) text_clear(&self.players[i]);
    text_clear(&self.each);
    text_clear(&self.options);
    text_clear(&self.arguments);
    return self.changed && !self.unknown;
}

void foreign_propose(const Command *command, int count, char *const *words, FILE *err) {
    AUTO(Text) line = {0};
    AUTO(Text) left_out = {0};
    if (!foreign_translate(command, count, words, &line, &left_out)) return;
    text_make_printable(line.data);
    fprintf(err, "Write instead:\n  %s\n", line.data);
    for (const char *why = text_get(&left_out); *why; why = strchr(why, '\n') + 1) {
        fprintf(err, "left out: %.*s\n", (int)strcspn(why, "\n"), why);
    }
}
