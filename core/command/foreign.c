// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/foreign.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/command/translation.h"

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
    KIND_PLAYER,   // a player: PLAYER, the name of a program, or of weights
    KIND_PLAYERS,  // several players
    KIND_KEY,      // key of all players
    KIND_ELO,      // elo0 or elo1 of an SPRT
    KIND_FEN,      // a position, which is a line of input
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

static bool has_row(const Command *command, const char *name) {
    return command_row(command, name, strlen(name)) != NULL;
}

// Returns true if the input of the command is lines of a file.
static bool reads_lines(const Command *command) {
    return strcmp(command->usage, "[FILE]") == 0;
}

bool foreign_has_players(const Command *command) {
    const bool options_only = has_row(command, "a") && command->max_args == 0;
    return options_only || strstr(command->usage, "PLAYER");
}

// Returns true if the command, or `tournament` in its place, can do what the option says.
static bool can_use(const Command *command, const struct ForeignOption *option) {
    switch (option->kind) {
    case KIND_DROP:
        return option->key ? strcmp(command->name, option->key) == 0 : foreign_has_players(command);
    case KIND_KIND:
    case KIND_GAMES:
    case KIND_REPEAT:
    case KIND_EACH:
    case KIND_KEY:
    case KIND_PLAYERS:
        return foreign_has_players(command);
    case KIND_ENGINE:
    case KIND_PLAYER:
        return foreign_has_players(command) || has_row(command, "player");
    case KIND_ARGUMENT:
        return command->max_args != 0;
    case KIND_FEN:
        return reads_lines(command);
    default:
        return has_row(command, option->ours);
    }
}

// Returns the first row of the table with this name that the command can use, or NULL.
static const struct ForeignOption *option_named(const Command *command, const char *name,
                                                size_t length) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].name) == length && strncasecmp(options[i].name, name, length) == 0 &&
            can_use(command, &options[i])) {
            return &options[i];
        }
    }
    return NULL;
}

const char *foreign_option(const Command *command, const char *name, size_t length) {
    const struct ForeignOption *option = option_named(command, name, length);
    if (!option || !option->ours || !has_row(command, option->ours)) return NULL;
    const bool players = option->kind == KIND_ENGINE || option->kind == KIND_EACH;
    return players ? "a and --b" : option->ours;
}

// ---- options ------------------------------------------------------------------------------------

void foreign_add_option(Translation *self, const char *name, const char *value) {
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
    AUTO_FREE char *parts = memory_copy_text(values[0] ? values[0] : "");
    char *rest = parts;
    if (strpbrk(parts, ",;:[]")) { // several numbers in one word, as in [0,5]
        int count = 0;
        for (char *part; count < 4 && (part = strtok_r(rest, ",;:[]() ", &rest));) {
            values[count++] = part;
        }
    }
    AUTO(Text) elos = {0};
    text_add(&elos, "%s,%s", values[0] ? values[0] : "0", values[1] ? values[1] : "5");
    foreign_add_option(self, "sprt", elos.data);
    if (values[2]) foreign_add_option(self, "alpha", values[2]);
    if (values[3]) foreign_add_option(self, "beta", values[3]);
    if (!model) return;
    const bool known = option_choice_index("normalized|logistic|bayesian", model) >= 0;
    if (known) foreign_add_option(self, "model", model);
    if (!known)
        foreign_leave_out(self, model, strlen(model),
                          "--model is normalized, logistic or bayesian");
}

static void add_openings(Translation *self, int first, int end) {
    const char *file = value_of(self, "file", first, end);
    const char *order = value_of(self, "order", first, end);
    const char *plies = value_of(self, "plies", first, end);
    if (!file && first < end && !strchr(self->words[first], '=')) file = self->words[first];
    if (file) foreign_add_option(self, "openings", file);
    if (order)
        foreign_add_option(self, "order", strncmp(order, "seq", 3) == 0 ? "sequence" : "random");
    if (plies) foreign_add_option(self, "book-plies", plies);
}

static void add_moves(Translation *self, const char *ours, const char *value) {
    AUTO(Text) plies = {0};
    text_add(&plies, "%ld", 2 * strtol(value, NULL, 10));
    foreign_add_option(self, ours, plies.data);
}

// Translates an option of another program, whose words are [first, end).
static void add_foreign(Translation *self, const struct ForeignOption *option, int first, int end) {
    const char *word = end > first ? self->words[end - 1] : NULL;
    self->unknown |= !word && (option->kind == KIND_VALUE || option->kind == KIND_MOVES);
    const char *value = option->key ? value_of(self, option->key, first, end) : NULL;
    if (!value) value = word;
    switch (option->kind) {
    case KIND_VALUE:
        if (value) foreign_add_option(self, option->ours, value);
        break;
    case KIND_ENGINE:
        if (!foreign_has_players(self->command)) {
            AUTO(Text) player = {0};
            foreign_add_engine(self, &player, first, end);
            foreign_add_option(self, "player", text_get(&player));
        } else if (self->player_count < PLAYERS_MAX) {
            foreign_add_engine(self, &self->players[self->player_count++], first, end);
        }
        break;
    case KIND_PLAYER:
        if (value) foreign_add_player(self, value, strcmp(option->ours, "b") == 0);
        break;
    case KIND_PLAYERS:
        for (int i = first; i < end; i++) {
            foreign_add_player(self, self->words[i], self->player_count);
        }
        break;
    case KIND_KEY:
        if (value) foreign_add_field(&self->each, option->ours, strlen(option->ours), value);
        break;
    case KIND_ELO:
        if (value) self->elos[strcmp(option->name, "elo1") == 0] = value;
        break;
    case KIND_FEN:
        if (first < end) self->fen = self->words[first];
        for (int i = first + 1; i < end; i++) text_add(&self->arguments, " %s", self->words[i]);
        break;
    case KIND_EACH:
        foreign_add_engine(self, &self->each, first, end);
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
        foreign_leave_out(self, self->words[first - 1], strlen(self->words[first - 1]),
                          option->why);
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

// Joins a player and the next words KEY=VALUE, or two words KEY VALUE. Returns the index after
// them.
static int join_player(Translation *self, const char *value, int next, Text *joined) {
    text_add(joined, "%s", value);
    if (!strchr(value, '=') && next < self->count && !foreign_player_key(value) &&
        strspn(self->words[next], "0123456789.+/") == strlen(self->words[next])) {
        text_add(joined, "=%s", self->words[next++]);
        self->changed = true;
    }
    while (strchr(joined->data, '=') && next < self->count && !is_option(self->words[next]) &&
           strchr(self->words[next], '=')) {
        text_add(joined, ",%s", self->words[next++]);
        self->changed = true;
    }
    return next;
}

// Joins the fields of a FEN that was not quoted. Returns the index after them.
static int join_fen(Translation *self, const char *value, int next, Text *joined) {
    text_add(joined, "%s", value);
    for (int i = 0; i < 5 && next < self->count && !strchr(value, ' '); i++) {
        const char *word = self->words[next];
        const bool number = strspn(word, "0123456789") == strlen(word);
        if (i == 0  ? option_choice_index("w|b|r", word) < 0
            : i < 3 ? strcmp(word, "-") != 0
                    : !number) {
            break;
        }
        text_add(joined, " %s", self->words[next++]);
        self->changed = true;
    }
    return next;
}

// Adds an option of Paotai, whose name is in words[at]. Returns the index after its last word.
static int add_own(Translation *self, const OptionRow *row, const char *value, int at) {
    if (row->type == OPTION_FLAG) {
        text_add(&self->options, " --%s", row->name);
        return at + 1;
    }
    int next = value ? at + 1 : at + 2;
    if (!value && at + 1 >= self->count) {
        self->unknown = true; // the value is missing
        return at + 1;
    }
    if (!value) value = self->words[at + 1];
    AUTO(Text) joined = {0};
    if (takes_player(row)) next = join_player(self, value, next, &joined);
    if (strcmp(row->unit, "FEN") == 0) next = join_fen(self, value, next, &joined);
    if (joined.length) value = joined.data;
    if (!takes_player(row)) {
        foreign_add_option(self, row->name, value);
    } else if (strcmp(row->name, "a") == 0 || strcmp(row->name, "b") == 0) {
        foreign_add_player(self, value, row->name[0] - 'a');
    } else {
        AUTO(Text) player = {0};
        const char *key = strchr(value, '=') ? NULL : foreign_player_key(value);
        if (key) self->changed = true;
        if (key) foreign_add_field(&player, key, strlen(key), value);
        foreign_add_option(self, row->name, key ? player.data : value);
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
// --sprt 0 5, --openings file=x. `value` is the first of `count` values.
static bool foreign_values(const struct ForeignOption *option, const char *value, int count) {
    if (!option || count == 0) return false;
    if (option->kind == KIND_SPRT && count > 1) return true;
    if (option->kind == KIND_SPRT && strpbrk(value, ";:[]")) return true;
    if (option->kind == KIND_SPRT && strchr(value, ',') != strrchr(value, ',')) return true;
    if (option->kind != KIND_SPRT && !option->key) return false;
    const size_t length = strcspn(value, "=");
    return value[length] == '=' && strspn(value, "abcdefghijklmnopqrstuvwxyz01") == length;
}

// Adds the nearest option of Paotai to an unknown one. Returns the index after its last word.
static int add_nearest(Translation *self, const char *name, const char *value, size_t length,
                       int at) {
    Nearest nearest = {.word = name, .length = length};
    for (const OptionRow *row = self->command->rows; row && row->name; row++) {
        nearest_try(&nearest, row->name, strlen(row->name));
    }
    const OptionRow *row =
        nearest.name ? command_row(self->command, nearest.name, nearest.name_length) : NULL;
    if (row) return add_own(self, row, value, at);
    // An unknown option of another program that plays matches has one dash.
    self->unknown |= name - self->words[at] > 1 || !foreign_has_players(self->command);
    foreign_leave_out(self, self->words[at], strlen(self->words[at]), "no similar option is known");
    return end_of_values(self, at + 1);
}

// Translates the option in words[at]. Returns the index after its last word.
static int translate_option(Translation *self, int at) {
    const char *word = self->words[at], *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    if (word[1] != '-' && length > 1 && strspn(name + 1, "0123456789") == length - 1) { // -j4
        length = 1;
        value = name + 1;
    }
    const OptionRow *row = command_row(self->command, name, length);
    const struct ForeignOption *option = option_named(self->command, name, length);
    const int end = value ? at + 1 : end_of_values(self, at + 1);
    const int count = value ? 1 : end - at - 1;
    if (row && !foreign_values(option, value || !count ? value : self->words[at + 1], count)) {
        self->changed |= word[1] != '-';
        return add_own(self, row, value, at);
    }
    if (text_word_is(name, length, "options") || text_word_is(name, length, DROP_UNKNOWN_NAME)) {
        self->unknown = true;
        return at + 1;
    }
    self->changed = true;
    if (!option) return add_nearest(self, name, value, length, at);
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

// Names of options whose value people type without the name: `selfplay 100`, `play 3`.
static const char number_options[] = "generations|games|level|pairs|rounds";

static const OptionRow *number_row(const Command *command) {
    const char *names = number_options, *name;
    size_t length;
    while (option_next_choice(&names, &name, &length)) {
        const OptionRow *row = command_row(command, name, length);
        if (row) return row;
    }
    return NULL;
}

static int count_slashes(const char *word) {
    int count = 0;
    for (; *word; word++) count += *word == '/';
    return count;
}

// Translates a word that names an option, is its value, or says nothing. Returns the index after
// the words that were translated, or `at` if words[at] is none of these.
static int translate_bare_word(Translation *self, int at) {
    const char *word = self->words[at];
    const OptionRow *row = command_row(self->command, word, strlen(word));
    const OptionRow *fen = command_row(self->command, "fen", strlen("fen"));
    const bool number = strspn(word, "0123456789") == strlen(word);
    if (*word == '\0' || access(word, F_OK) == 0) return at;
    if (row && row->type == OPTION_FLAG) return add_own(self, row, NULL, at);
    if (row && at + 1 < self->count) return add_own(self, row, NULL, at);
    if (fen && count_slashes(word) == 9) return add_own(self, fen, word, at);
    if (fen && strcmp(word, "startpos") == 0) return at + 1;
    if (foreign_has_players(self->command) && option_choice_index("vs|versus|against", word) >= 0) {
        return at + 1;
    }
    row = number ? number_row(self->command) : NULL;
    if (row) return add_own(self, row, word, at);
    if (self->command->max_args == 0 && !number && has_row(self->command, "out") &&
        !foreign_has_players(self->command)) {
        return add_own(self, command_row(self->command, "out", 3), word, at);
    }
    return at;
}

// Translates a word that belongs to no option.
static int translate_argument(Translation *self, int at) {
    const char *word = self->words[at];
    const int next = translate_bare_word(self, at);
    if (next > at) {
        self->changed = true;
        return next;
    }
    if (foreign_has_players(self->command)) {
        self->changed |= self->command->max_args == 0;
        foreign_add_player(self, word, self->player_count);
        return at + 1;
    }
    text_add(&self->arguments, " ");
    text_add_word(&self->arguments, word);
    return at + 1;
}

// Adds the whole line.
static void add_line(Translation *self, Text *line) {
    AUTO(Text) elos = {0};
    if (self->elos[0] || self->elos[1]) {
        text_add(&elos, "%s,%s", self->elos[0] ? self->elos[0] : "0",
                 self->elos[1] ? self->elos[1] : "5");
        foreign_add_option(self, "sprt", elos.data);
    }
    if (self->fen) {
        text_add(line, "printf '%%s\\t%%s\\n' ");
        text_add_quoted(line, self->fen);
        text_add(line, " ");
        text_add_quoted(line, self->arguments.length ? self->arguments.data + 1 : "");
        text_add(line, " | ");
        text_reset(&self->arguments);
    }
    foreign_add_contest(self, line);
    text_add(line, "%s%s", text_get(&self->options), text_get(&self->arguments));
}

bool foreign_translate(const Command *command, int count, char *const *words, Text *line,
                       Text *left_out) {
    Translation self = {.command = command, .count = count, .words = words, .left_out = left_out};
    for (int at = 0; at < count && !self.unknown;) {
        at = is_option(words[at]) ? translate_option(&self, at) : translate_argument(&self, at);
    }
    add_line(&self, line);
    for (int i = 0; i < self.player_count; i++) text_clear(&self.players[i]);
    text_clear(&self.each);
    text_clear(&self.options);
    text_clear(&self.arguments);
    return self.changed && !self.unknown;
}

const char *foreign_command(const char *word) {
    static const char *const words[][2] = {
#define FOREIGN_COMMAND(word, ours) {word, ours},
#include "core/command/foreign_commands.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(word, words[i][0]) == 0) return words[i][1];
    }
    return NULL;
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
