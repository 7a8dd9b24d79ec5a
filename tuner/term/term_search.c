// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_search.h"

#include "core/board/bench_positions.h"
#include "core/eval/eval.h"
#include "core/search/search.h"

enum { NODES = 4000 };

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
    for (int i = 0; i < BENCH_POSITION_COUNT; i++) {
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
