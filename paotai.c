// SPDX-License-Identifier: GPL-3.0-or-later
// main() and the table of commands. The program serves UCI or UCCI, runs a command, or prints help
// or its version.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/board/position.h"
#include "core/command/foreign.h"
#include "core/command/help.h"
#include "core/command/options.h"
#include "core/eval/network.h"
#include "core/eval/weights.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "core/system/version.h"
#include "core/uci/uci.h"
#include "datasets/sparse/weights_hdf5.h"
#include "datasets/store/store.h"
#include "selfplay/engines/quirks.h"
#include "tuner/fit/fit.h"

#define COMMAND(symbol, group) extern const Command symbol;
#include "bench/commands.def"
#include "core/commands.def"
#include "datasets/commands.def"
#include "selfplay/commands.def"
#include "tuner/commands.def"
#undef COMMAND

static const CommandEntry commands[] = {
#define COMMAND(symbol, group) {&symbol, COMMANDS_##group},
// clang-format off: this order is that of --help
#include "bench/commands.def"
#include "core/commands.def"
#include "datasets/commands.def"
#include "selfplay/commands.def"
#include "tuner/commands.def"
// clang-format on
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

// A value that is being completed: the typed text, and the length of the part before the last word.
typedef struct Begun {
    const char *text;
    size_t head;
    FILE *out;
} Begun;

// Prints the head and `word` if this text begins with the typed text.
static void offer_word(const Begun *begun, const char *word, const char *end) {
    const char *rest = begun->text + begun->head;
    if (strncmp(word, rest, strlen(rest)) != 0) return;
    fprintf(begun->out, "%.*s%s%s\n", (int)begun->head, begun->text, word, end);
}

// Offers keys of players, and the values of some keys. `field` is the typed KEY=VALUE or KEY.
static void offer_player(const Begun *begun, const char *field) {
    static const char *const keys[] = {
#define PLAYER_KEY(id, name, who, kind, meaning) name,
#include "selfplay/engines/player_keys.def"
    };
    static const char *const quirks[] = {
#define QUIRK(id, kind, meaning) #id,
#include "selfplay/engines/quirks.def"
    };
    for (size_t i = 0; !strchr(field, '=') && i < sizeof keys / sizeof *keys; i++) {
        offer_word(begun, keys[i], "=");
    }
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++) {
        if (strncmp(field, "quirk=", 6) == 0) offer_word(begun, quirks[i], "");
    }
    for (const Profile *profile = profiles; profile->name; profile++) {
        if (strncmp(field, "profile=", 8) == 0) offer_word(begun, profile->name, "");
    }
}

// Offers players, weight sets and names of terms. `unit` is that of an option, or the usage of a
// command. A file of weights is possible where a weight set is.
static void offer_values(const char *unit, const char *text, FILE *out) {
    static const char *const sets[] = {"classic", "default", "best"};
    const char *comma = strrchr(text, ','), *field = comma ? comma + 1 : text;
    const char *equals = strchr(field, '='), *value = equals ? equals + 1 : field;
    const Begun begun = {text, (size_t)(value - text), out};
    const bool player = strstr(unit, "PLAYER") != NULL;
    const bool weights =
        player ? strncmp(field, "weights=", 8) == 0 : strstr(unit, "NAME|FILE") != NULL;
    const bool terms = option_choice_index("PATTERNS|NAME [DIR...]", unit) >= 0;
    for (size_t i = 0; weights && i < 3; i++) offer_word(&begun, sets[i], "");
    for (int i = 0; terms && i < WEIGHT_TERM_COUNT; i++)
        offer_word(&begun, weight_terms[i].name, "");
    if (player) offer_player(&begun, field);
    if (weights) fprintf(out, "@files\n");
}

static const CommandTable table = {commands, COMMAND_COUNT, offer_values};

// Runs a protocol line whose first word is bench or genfens; OpenBench sends genfens in this form.
// Returns false for every other line.
static bool run_protocol_line(const char *line, FILE *out, FILE *err) {
    static const Command *const allowed[] = {&command_bench, &command_genfens};
    enum { MOST_WORDS = 32 };
    char *copy = memory_copy_text(line), *words[MOST_WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(copy, " \t"); word && count < MOST_WORDS; word = strtok(NULL, " \t")) {
        words[count++] = word;
    }
    bool known = false;
    for (size_t i = 0; count > 0 && i < sizeof allowed / sizeof *allowed; i++) {
        if (strcmp(allowed[i]->name, words[0]) != 0) continue;
        known = true;
        command_main(allowed[i], count - 1, words + 1, out, err, NULL);
        fflush(out);
    }
    free(copy);
    return known;
}

static int serve(FILE *in) {
    const UciSetup setup = {.run_command = run_protocol_line};
    return uci_main(in, stdout, stderr, &setup);
}

// Answers the command-line arguments as if they were input lines of the UCI or UCCI protocol.
// Example: paotai "position startpos" "go depth 8".
static int serve_arguments(int argc, char **argv) {
    AUTO(Text) lines = {0};
    for (int i = 1; i < argc; i++) text_add(&lines, "%s\n", argv[i]);
    FILE *in = fmemopen(lines.data, lines.length, "r");
    const int status = in ? serve(in) : 1;
    if (in) fclose(in);
    return status;
}

static int run_as_rank(const char *name, int argc, char **argv, FILE *out, FILE *err) {
    return command_main(command_named(&table, name), argc, argv, out, err, NULL);
}

static void prepare_signals(void) {
    // Ignore SIGXFSZ: a write beyond the file size limit then fails with an error, as on a full
    // disk.
    signal(SIGXFSZ, SIG_IGN);
    interrupt_install();
}

static int print_version(void) {
    version_print(stdout);
    network_version(stdout);
    hash_library_version(stdout);
    datasets_library_versions(stdout);
    tuner_library_versions(stdout);
    return 0;
}

// Serves the protocol uci or ucci as if this word were the first line of standard input.
static int serve_protocol(const char *name) {
    ungetc('\n', stdin);
    for (size_t i = strlen(name); i > 0; i--) ungetc(name[i - 1], stdin);
    return serve(stdin);
}

// Appends the arguments [first, argc) with blanks between them.
static void join(Text *text, int first, int argc, char **argv) {
    for (int i = first; i < argc; i++) text_add(text, "%s%s", i > first ? " " : "", argv[i]);
    if (text->length) text_make_printable(text->data);
}

// Says how a line of the protocol is given as an argument.
static int advise_protocol(int argc, char **argv) {
    const char *word = argv[1];
    AUTO(Text) line = {0}, rest = {0};
    Position position;
    join(&line, 1, argc, argv);
    join(&rest, 2, argc, argv);
    fprintf(stderr, "paotai: '%s' is a command of the protocol. Write instead:\n", word);
    if (rest.length && position_from_fen(&position, rest.data, NULL) == STATUS_OK) {
        const bool shows = option_choice_index("position|fen|startpos|d", word) >= 0;
        fprintf(stderr, "  paotai \"position fen %s\" \"%s%s\"\n", rest.data, shows ? "d" : word,
                strcmp(word, "go") == 0 ? " movetime 1000" : "");
    } else if (option_choice_index("position|startpos|fen", word) >= 0) {
        const bool whole = strcmp(word, "position") == 0;
        if (argc == 2 && strcmp(word, "startpos") != 0) text_add(&line, " startpos");
        fprintf(stderr, "  paotai \"%s%s\" \"d\"\n", whole ? "" : "position ", line.data);
    } else if (strcmp(word, "setoption") == 0) {
        fprintf(stderr, "  paotai \"%s\" \"go movetime 1000\"\n", line.data);
    } else if (option_choice_index("go|d|eval|bench|perft|flip|trace", word) >= 0) {
        if (argc == 2 && strcmp(word, "go") == 0) text_add(&line, " movetime 1000");
        fprintf(stderr, "  paotai \"position startpos\" \"%s\"\n", line.data);
    } else { // such as isready, stop and quit, which act only in a conversation
        fprintf(stderr, "  paotai uci\nand then type '%s'\n", line.data);
    }
    return 2;
}

// Returns true if a text begins with a legal move of the start position, as coordinates.
static bool is_first_move(const char *text) {
    Position position;
    MoveList list;
    char move[5];
    position_init_start(&position);
    position_legal_moves(&position, &list);
    for (int i = 0; i < list.count; i++) {
        move_to_uci(list.moves[i], move);
        if (text_word_is(text, strcspn(text, " "), move)) return true;
    }
    return false;
}

// Answers a position or moves that are typed instead of a command. Returns -1 for other words.
static int advise_position(int argc, char **argv) {
    AUTO(Text) line = {0};
    Position position;
    join(&line, 1, argc, argv);
    if (strchr(argv[1], '/') && position_from_fen(&position, line.data, NULL) == STATUS_OK) {
        fprintf(stderr,
                "paotai: this is a position. To draw or to search it, write:\n  paotai show '%s'\n"
                "  echo '%s' | paotai analyse\n",
                line.data, line.data);
        return 2;
    }
    if (!is_first_move(argv[1])) return -1;
    fprintf(stderr,
            "paotai: these are moves. To see or to search the position after them, write:\n"
            "  paotai \"position startpos moves %s\" \"d\"\n"
            "  echo 'position startpos moves %s' | paotai analyse\n",
            line.data, line.data);
    return 2;
}

// Answers a command line that does not begin with a command, but with a word that users know from
// the protocols or from other programs. Returns the exit status, or -1 for other words.
static int run_other_word(int argc, char **argv) {
    const char *word = argv[1];
    if (option_choice_index("uci|ucci", word) >= 0 && argc == 2) return serve_protocol(word);
    if (option_choice_index("xboard|cecp|winboard|-xboard|--xboard", word) >= 0) {
        fprintf(stderr, "paotai: for XBoard's protocol use the translator uci2wb:\n"
                        "  uci2wb -c paotai\n");
        return 2;
    }
    if (uci_knows(word)) return advise_protocol(argc, argv);
    const bool program =
        option_choice_index("fastchess|cutechess-cli|cutechess|c-chess-cli", word) >= 0;
    if (!program && (word[0] != '-' || argc == 2)) return -1;
    fprintf(stderr, "paotai: '%s' is no command; games between engines are played by 'match'\n",
            word);
    foreign_propose(&command_match, argc - 1 - program, argv + 1 + program, stderr);
    return 2;
}

static int run(int argc, char **argv) {
    if (argc == 1) return serve(stdin);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        return help_main(&table, argc - 2, argv + 2, stdout, stderr);
    }
    if (option_choice_index("--version|-version|version|-v", argv[1]) >= 0) return print_version();
    int used = 0;
    const Command *command = command_find(&table, argc - 1, argv + 1, &used);
    if (command) {
        ranks_warn_separate();
        prepare_signals();
        return command_main(command, argc - 1 - used, argv + 1 + used, stdout, stderr, NULL);
    }
    int status = advise_position(argc, argv);
    if (status >= 0) return status;
    if (strpbrk(argv[1], " \t")) return serve_arguments(argc, argv);
    status = run_other_word(argc, argv);
    if (status >= 0) return status;
    return help_no_command(&table, argc - 1, argv + 1, stdout, stderr);
}

int main(int argc, char **argv) {
    openmp_prepare(argc, argv);
    ranks_start();
    core_init();
    datasets_library_init();
    weights_set_hdf5_reader(weights_read_hdf5);
    tuner_library_init();
    if (mpi_rank() == 0) {
        int status = run(argc, argv);
        if (fflush(stdout) != 0 && status == 0) {
            fprintf(stderr, "paotai: cannot write to standard output: %s\n", strerror(errno));
            status = 1;
        }
        return ranks_end(status);
    }
    prepare_signals();
    ranks_serve(run_as_rank);
    return 0;
}
