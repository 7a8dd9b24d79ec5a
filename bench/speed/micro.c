// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/speed/micro.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/board/bench_positions.h"
#include "core/eval/eval.h"
#include "core/rules/rules.h"
#include "core/search/see.h"
#include "core/system/clock.h"

enum {
    GAME_COUNT = BENCH_POSITION_COUNT,
    GAME_PLIES = 80,
    KEEP_EVERY = 5, // every 5th position of a game becomes test data
    POSITION_COUNT = GAME_COUNT * (GAME_PLIES / KEEP_EVERY),
    RUN_NS = 4000000, // a measurement repeats its operation until it lasts about this many
                      // nanoseconds of processor time or more
};

// After these moves the start position occurs for the third time.
static const char loop_moves[] = "h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9";

typedef struct MicroData {
    const Weights *weights;
    Evaluator *evaluator;
    Rules rules;
    Game games[GAME_COUNT];
    Game loop; // game that ends with the third occurrence of a position
    int count; // number of entries in `positions`, `pseudo`, `legal` and `captures`
    Position positions[POSITION_COUNT];
    MoveList pseudo[POSITION_COUNT], legal[POSITION_COUNT], captures[POSITION_COUNT];
} MicroData;

// Runs an operation once on each item of its data. Adds the number of items to *units, and returns
// a checksum of the results, so that the compiler does not remove the calls.
typedef uint64_t MicroPass(const MicroData *data, uint64_t *units);

typedef void Generator(const Position *position, MoveList *list);

static inline int generate(const Position *position, Generator *generator) {
    MoveList list;
    generator(position, &list);
    return list.count;
}

static inline uint64_t make(const Position *position, Move move) {
    Position after;
    position_do_move(position, move, &after);
    return after.key;
}

static inline int trace(const Position *position, const Weights *weights) {
    EvalTrace traced;
    return evaluate_traced(position, weights, &traced) + traced.phase;
}

// Loops over the test data: positions, moves or games. Each loop evaluates `expression`, a measured
// operation from micro.def, for every position, move or game, and adds the results to a checksum.
// It adds the number of evaluations to *units.
#define POSITIONS(expression)                                                                      \
    for (int i = 0; i < data->count; i++) {                                                        \
        const Position *const p = &data->positions[i];                                             \
        sum += (uint64_t)(expression);                                                             \
    }                                                                                              \
    *units += (uint64_t)data->count;
#define MOVES(list, expression)                                                                    \
    for (int i = 0; i < data->count; i++) {                                                        \
        const Position *const p = &data->positions[i];                                             \
        for (int j = 0; j < data->list[i].count; j++) {                                            \
            const Move move = data->list[i].moves[j];                                              \
            sum += (uint64_t)(expression);                                                         \
        }                                                                                          \
        *units += (uint64_t)data->list[i].count;                                                   \
    }
#define PSEUDO(expression)   MOVES(pseudo, expression)
#define LEGAL(expression)    MOVES(legal, expression)
#define CAPTURES(expression) MOVES(captures, expression)
#define GAMES(expression)                                                                          \
    for (int i = 0; i < GAME_COUNT; i++) {                                                         \
        const Game *const game = &data->games[i];                                                  \
        sum += (uint64_t)(expression);                                                             \
    }                                                                                              \
    *units += GAME_COUNT;
#define ONCE(expression)                                                                           \
    sum += (uint64_t)(expression);                                                                 \
    *units += 1;

#define MICRO(items, name, unit, meaning, expression)                                              \
    static uint64_t pass_##name(const MicroData *data, uint64_t *units) {                          \
        uint64_t sum = 0;                                                                          \
        items(expression) return sum;                                                              \
    }
#include "bench/speed/micro.def"

static const struct {
    const char *name, *unit, *meaning;
    MicroPass *pass;
} operations[] = {
#define MICRO(items, name, unit, meaning, expression) {#name, unit, meaning, pass_##name},
#include "bench/speed/micro.def"
};
enum { OPERATION_COUNT = sizeof operations / sizeof *operations };

static void load_data(MicroData *data, const Weights *weights) {
    data->weights = weights;
    data->evaluator = memory_aligned(64, sizeof *data->evaluator);
    evaluator_init(data->evaluator, weights);
    data->rules = rules_default(RULES_AXF);
    data->count = 0;
    Position opening;
    position_init_start(&opening);
    game_init(&data->loop, &opening);
    const Status looped = game_push_text(&data->loop, loop_moves, 0, NULL);
    assert(looped == STATUS_OK);
    (void)looped;
    for (int i = 0; i < GAME_COUNT; i++) {
        Random random;
        Position start;
        random_init(&random, 1, (uint64_t)i);
        const Status status = position_from_fen(&start, bench_fens[i], NULL);
        assert(status == STATUS_OK);
        (void)status;
        game_init(&data->games[i], &start);
        for (int ply = 0; ply < GAME_PLIES; ply++) {
            MoveList list;
            const Position *now = &data->games[i].now;
            position_legal_moves(now, &list);
            if (ply % KEEP_EVERY == 0) {
                const int at = data->count++;
                data->positions[at] = *now;
                data->legal[at] = list;
                position_pseudo_moves(now, &data->pseudo[at]);
                position_captures(now, &data->captures[at]);
            }
            if (list.count == 0) break;
            game_push(&data->games[i], list.moves[random_below(&random, (uint64_t)list.count)]);
        }
    }
}

// Runs an operation on all items, `passes` times. Returns the processor time in nanoseconds, and
// sets *units to the number of items in all passes together.
static double measure(const MicroData *data, MicroPass *pass, uint64_t passes, uint64_t *units) {
    uint64_t sum = 0;
    *units = 0;
    const int64_t start_ns = clock_cpu_ns();
    for (uint64_t i = 0; i < passes; i++) sum += pass(data, units);
    const int64_t spent_ns = clock_cpu_ns() - start_ns;
    const volatile uint64_t used = sum; // volatile: compilers must not remove the operations
    (void)used;
    return (double)spent_ns;
}

void micro_run(const Weights *weights, int runs, bool json, FILE *out) {
    MicroData *data = memory_aligned(_Alignof(MicroData), sizeof *data);
    AUTO_FREE double *ns = memory_alloc((size_t)(runs * OPERATION_COUNT), sizeof *ns);
    uint64_t passes[OPERATION_COUNT], units[OPERATION_COUNT];
    load_data(data, weights);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        passes[i] = 1;
        while (measure(data, operations[i].pass, passes[i], &units[i]) < RUN_NS) passes[i] *= 2;
    }
    for (int run = 0; run < runs; run++) {
        for (int i = 0; i < OPERATION_COUNT; i++) {
            const double spent = measure(data, operations[i].pass, passes[i], &units[i]);
            ns[i * runs + run] = spent / (double)(units[i] ? units[i] : 1);
        }
    }
    if (!json) fprintf(out, "nanoseconds: median, quartiles and smallest of %d runs\n", runs);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        double *own = ns + i * runs;
        gsl_sort(own, 1, (size_t)runs);
        record_row(out, json,
                   "{operation}%-16s {ns}%9.1f ns a {unit}%-9s {ns_q1}%9.1f .. {ns_q3}%.1f  least "
                   "{ns_min}%.1f{!runs}%d{!units}%llu  %s\n",
                   operations[i].name, own[runs / 2], operations[i].unit, own[runs / 4],
                   own[runs - 1 - runs / 4], own[0], runs, (unsigned long long)units[i],
                   operations[i].meaning);
    }
    for (int i = 0; i < GAME_COUNT; i++) game_clear(&data->games[i]);
    game_clear(&data->loop);
    free(data->evaluator);
    free(data);
}
