// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_search.h"

#include "core/eval/eval.h"
#include "core/search/search.h"

static const char *const bench_fens[] = {
#define BENCH_POSITION(fen) fen,
#include "core/search/bench_positions.def"
};
enum { POSITIONS = sizeof bench_fens / sizeof *bench_fens, NODES = 4000 };

typedef struct Counting {
    const Weights *weights;
    const bool *chosen;
    TermSearch *found;
} Counting;

static void evaluated(void *context, const Position *position) {
    const Counting *counting = context;
    EvalTrace trace;
    counting->found->evaluations++;
    evaluate_traced(position, counting->weights, &trace);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        if (!counting->chosen[i] || trace.count[RED][i] == trace.count[BLACK][i]) continue;
        counting->found->with_term++;
        return;
    }
}

Status term_search_count(const Weights *weights, const bool *chosen, TermSearch *found, Err *err) {
    Counting counting = {weights, chosen, found};
    const SearchLimits limits = {.nodes = NODES};
    AUTO_POINTER(Search) search = search_new(weights, 1, NULL);
    search_set_evaluated(search, evaluated, &counting);
    for (int i = 0; i < POSITIONS; i++) {
        Position position;
        AUTO(Game) game = {0};
        SearchResult result;
        TRY(position_from_fen(&position, bench_fens[i], err));
        game_init(&game, &position);
        search_clear(search);
        search_run(search, &game, &limits, &result);
    }
    return STATUS_OK;
}
