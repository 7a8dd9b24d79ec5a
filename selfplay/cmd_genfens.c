// SPDX-License-Identifier: GPL-3.0-or-later
// paotai genfens: prints opening positions in the form that OpenBench requires from engines.
#include <string.h>

#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/eval/weights.h"
#include "selfplay/openings/opening.h"

typedef struct GenfensSettings {
    const char *weights;
    bool json;
} GenfensSettings;

static const OptionRow genfens_rows[] = {ROW_WEIGHTS(GenfensSettings), ROW_JSON(GenfensSettings),
                                         OPTION_END};

// How openings are made: number of plies, range of scores and nodes are the defaults of self-play.
// Only the final position of an opening is printed, so the search scores it without the moves that
// led to it (`bare`).
static const RandomOpening random_plies = {
    .plies = 8, .low = -100, .high = 100, .nodes = 2000, .bare = true};

// Reads the arguments "N seed S book FILE|None". Ignores further arguments, which OpenBench may
// pass for other engines.
static Status read_args(const CommandCall *call, long long *count, uint64_t *seed, Err *err) {
    if (strcmp(call->args[1], "seed") != 0 || strcmp(call->args[3], "book") != 0) {
        return err_set(err, STATUS_USAGE,
                       "the arguments must be N seed S book FILE|None, not '%s %s %s %s %s'",
                       call->args[0], call->args[1], call->args[2], call->args[3], call->args[4]);
    }
    if (parse_int(call->args[0], 0, 1000000000, count, "the number of positions", err) ||
        parse_u64(call->args[2], seed, "seed", err)) {
        return err_usage(err, NULL);
    }
    return STATUS_OK;
}

static Status run_genfens(const CommandCall *call, Err *err) {
    const GenfensSettings *settings = call->settings;
    AUTO(OpeningSource) source = {.shuffled = true, .random = random_plies};
    Weights weights;
    long long count = 0;
    uint64_t seed = 0;
    TRY(read_args(call, &count, &seed, err));
    TRY(weights_load(settings->weights, &weights, err));
    const Rules rules = rules_default(RULES_AXF);
    if (strcmp(call->args[4], "None") != 0) {
        TRY(book_load(call->args[4], &rules, BOOK_LINE_PLIES, &source.book, err));
    }
    AUTO_POINTER(Search) search = search_new(&weights, 1, NULL);
    search_set_rules(search, &rules);
    AUTO(OddsGame) og;
    odds_game_init(&og);
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        TRY(opening_make(&source, seed, i, &rules, search, &og, err));
        char fen[FEN_SIZE];
        position_to_fen(&og.game.now, FEN_UCI, fen);
        record_row(call->out, settings->json, "info string genfens {fen}%s\n", fen);
    }
    return STATUS_OK;
}

const Command command_genfens = {
    .name = "genfens",
    .summary = "print opening positions in the format of OpenBench",
    .usage = "N seed S book FILE|None",
    .details = "Prints N lines 'info string genfens FEN'. Each position is reached by 8 random "
               "plies from the initial position (book None) or from an opening of the book FILE, "
               "and a search of 2,000 nodes scores it within +-100 units. S is the seed: the same "
               "seed gives the same lines. OpenBench sends the command as one argument, which the "
               "engine reads as a line of UCI:\n\n"
               "paotai \"genfens 8 seed 1 book None\" quit",
    .rows = genfens_rows,
    .settings_size = sizeof(GenfensSettings),
    .reads_weights = true,
    .min_args = 5,
    .max_args = -1,
    .run = run_genfens,
};
