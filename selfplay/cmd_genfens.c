// SPDX-License-Identifier: GPL-3.0-or-later
// paotai genfens: opening positions, in the form that OpenBench asks every engine for.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/commands.h"
#include "selfplay/common_options.h"
#include "selfplay/opening.h"

typedef struct GenfensSettings {
    int opening_plies, opening_window, rules;
    uint64_t opening_nodes;
    const char *weights;
} GenfensSettings;

static const OptionRow genfens_rows[] = {
    ROW_OPENING(GenfensSettings),
    ROW_WEIGHTS(GenfensSettings),
    RULES_OPTION(GenfensSettings, rules),
    OPTION_END,
};

// Where openings begin: the start position, or the positions of a book.
typedef struct Starts {
    Position *positions;
    size_t count, capacity;
} Starts;

static void add_start(Starts *starts, const Position *position) {
    if (starts->count == starts->capacity) {
        starts->capacity = memory_grow(starts->capacity, starts->count + 1);
        Position *moved =
            memory_aligned(_Alignof(Position), starts->capacity * sizeof *starts->positions);
        if (starts->count) memcpy(moved, starts->positions, starts->count * sizeof *moved);
        free(starts->positions);
        starts->positions = moved;
    }
    starts->positions[starts->count++] = *position;
}

// A book is a FEN a line; what follows a tab is not read.
static Status read_book(const char *path, Starts *starts, Err *err) {
    Position position;
    if (strcmp(path, "None") == 0) {
        position_init_start(&position);
        add_start(starts, &position);
        return STATUS_OK;
    }
    LineReader reader;
    Status status = line_reader_open(&reader, path, err);
    if (status != STATUS_OK) return status;
    while (status == STATUS_OK && line_reader_next_record(&reader)) {
        char *cursor = reader.line;
        status = position_from_fen(&position, text_next_field(&cursor, '\t'), err);
        if (status == STATUS_OK) add_start(starts, &position);
    }
    if (status != STATUS_OK) err_prefix(err, "%s line %zu", path, reader.number);
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    if (status == STATUS_OK) status = closed;
    if (status == STATUS_OK && starts->count == 0) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: no position in this book", path);
    }
    return status;
}

// N seed S book FILE|None; what follows is for other engines.
static Status read_args(const CommandCall *call, long long *count, uint64_t *seed,
                        const char **book, Err *err) {
    Status status = STATUS_OK;
    if (strcmp(call->args[1], "seed") != 0 || strcmp(call->args[3], "book") != 0) {
        return err_set(err, STATUS_USAGE, "want N seed S book FILE|None, not '%s %s %s %s %s'",
                       call->args[0], call->args[1], call->args[2], call->args[3], call->args[4]);
    }
    *book = call->args[4];
    status = parse_int(call->args[0], 0, 1000000000, count, "the number of positions", err);
    if (status == STATUS_OK) status = parse_u64(call->args[2], seed, "seed", err);
    if (status != STATUS_OK) err->status = STATUS_USAGE;
    return status;
}

static Status print_openings(const CommandCall *call, const Starts *starts, long long count,
                             uint64_t seed, const Weights *weights, Err *err) {
    const GenfensSettings *settings = call->settings;
    const OpeningSpec spec = {settings->opening_plies, settings->opening_window,
                              settings->opening_nodes};
    const Rules rules = rules_default((RuleSet)settings->rules);
    Search *search = search_new(weights, 1, NULL);
    search_set_rules(search, &rules);
    Game game;
    game_init(&game, &starts->positions[0]);
    Status status = STATUS_OK;
    for (long long i = 0; i < count && status == STATUS_OK; i++) {
        Random random;
        random_init(&random, seed, (uint64_t)i);
        const Position *start = &starts->positions[random_below(&random, starts->count)];
        status = opening_make(&spec, start, &rules, &random, search, &game, err);
        if (status != STATUS_OK) break;
        char fen[FEN_SIZE];
        position_to_fen(&game.now, FEN_UCI, fen);
        fprintf(call->out, "info string genfens %s\n", fen);
    }
    game_clear(&game);
    search_free(search);
    return status;
}

static int run_genfens(const CommandCall *call) {
    const GenfensSettings *settings = call->settings;
    Err err = {0};
    Starts starts = {0};
    Weights weights;
    long long count = 0;
    uint64_t seed = 0;
    const char *book = NULL;
    Status status = read_args(call, &count, &seed, &book, &err);
    if (status == STATUS_OK) status = weights_load(settings->weights, &weights, &err);
    if (status == STATUS_OK) status = read_book(book, &starts, &err);
    if (status == STATUS_OK) status = print_openings(call, &starts, count, seed, &weights, &err);
    free(starts.positions);
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_genfens = {
    .name = "genfens",
    .summary = "opening positions, as OpenBench asks for them",
    .usage = "N seed S book FILE|None",
    .details = "Prints N lines 'info string genfens FEN': random plies from the start position, or "
               "from the\npositions of a book (a FEN a line), that a short search finds balanced. "
               "The same seed gives\nthe same lines. OpenBench calls it as a line of the "
               "protocol:\n\npaotai \"genfens 8 seed 1 book None\" quit",
    .rows = genfens_rows,
    .settings_size = sizeof(GenfensSettings),
    .min_args = 5,
    .max_args = -1,
    .run = run_genfens,
};
