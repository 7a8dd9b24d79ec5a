// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/peers/compare_peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/compare_program.h"
#include "bench/perft/perft.h"
#include "core/base/clock.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"

static const CompareItem perft_items[] = {
#define COMPARE_POSITION(name, depth, nodes, fen) {COMPARE_PERFT, name, fen, depth, nodes},
#include "bench/peers/compare_positions.def"
#undef COMPARE_POSITION
};
static const char *const search_fens[] = {
#define BENCH_POSITION(fen) fen,
#include "bench/speed/positions.def"
#undef BENCH_POSITION
};
enum {
    PERFT_COUNT = sizeof perft_items / sizeof *perft_items,
    SEARCH_COUNT = 11,     // of the positions of bench: the start and ten others
    OWN_RUN_NS = 50000000, // least time of one own perft measurement: shorter ones are repeated
};

// Everything the runs share.
typedef struct Work {
    const CompareOptions *options;
    Compare *compare;
    Perft *perft;
    PlayerSpec self; // ourselves, as another program: searches are measured like everybody's
    MeasuredProgram programs[COMPARE_PROGRAMS_MAX]; // 0 is ourselves
    double *samples;                                // [cell * runs + measurement]
} Work;

// ---- what is measured --------------------------------------------------------------------------

static void list_items(const CompareOptions *options, Compare *compare) {
    compare->items = memory_alloc(PERFT_COUNT + SEARCH_COUNT, sizeof *compare->items);
    for (int i = 0; i < PERFT_COUNT; i++) {
        if (perft_items[i].nodes > options->max_nodes) continue;
        compare->items[compare->item_count++] = perft_items[i];
    }
    for (int i = 0; i < SEARCH_COUNT && options->movetime_ms + options->depth > 0; i++) {
        compare->items[compare->item_count++] =
            (CompareItem){.kind = COMPARE_SEARCH, .fen = search_fens[i]};
    }
}

static void add_program(Work *work, const PlayerSpec *spec) {
    Compare *compare = work->compare;
    const int at = compare->program_count++;
    snprintf(compare->programs[at].name, sizeof compare->programs[at].name, "%s", spec->name);
    measured_program_init(&work->programs[at], spec);
}

// A peer of the table where it is installed: asked by starting it.
static void add_installed(Work *work, const char *profile) {
    PlayerSpec spec;
    Text text = {0};
    text_add(&text, "profile=%s", profile);
    const Status status = player_spec_parse(text.data, "peer", &spec, NULL);
    text_clear(&text);
    if (status != STATUS_OK) return;
    Process *process = NULL;
    if (process_start(spec.profile.field[PROFILE_COMMAND], NULL, &process, NULL) == STATUS_OK) {
        process_stop(process, 0);
        add_program(work, &spec);
    } else {
        Text *absent = &work->compare->absent;
        text_add(absent, "%s%s", absent->length ? " " : "", profile);
    }
    player_spec_clear(&spec);
}

static Status list_programs(Work *work, Err *err) {
    const CompareOptions *options = work->options;
    const Status status = player_spec_parse("cmd=/proc/self/exe,profile=paotai,name=paotai", "self",
                                            &work->self, err);
    if (status != STATUS_OK) return status;
    add_program(work, &work->self);
    for (int i = 0; i < options->peer_count; i++) add_program(work, &options->peers[i]);
    const char *name;
    for (int i = 0; options->peer_count == 0 && (name = measured_peer_name(i)) != NULL; i++) {
        add_installed(work, name);
    }
    return STATUS_OK;
}

// ---- measuring ---------------------------------------------------------------------------------

// Our own perft, in this thread.
static bool own_perft(const Work *work, const Position *position, int depth, uint64_t *nodes,
                      double *seconds) {
    const int64_t begun_ns = clock_cpu_ns();
    int64_t spent_ns = 0;
    int passes = 0;
    do {
        if (!perft_count(work->perft, position, depth, NULL, nodes)) return false;
        passes++;
        spent_ns = clock_cpu_ns() - begun_ns;
    } while (spent_ns < OWN_RUN_NS);
    *seconds = (double)spent_ns * 1e-9 / passes;
    return true;
}

static void measure(Work *work, int item_index, int program) {
    Compare *compare = work->compare;
    const CompareItem *item = &compare->items[item_index];
    const size_t at = (size_t)(item_index * compare->program_count + program);
    CompareCell *cell = &compare->cells[at];
    MeasuredProgram *measured = &work->programs[program];
    Position position;
    uint64_t nodes = 0;
    double seconds = 0;
    if (position_from_fen(&position, item->fen, NULL) != STATUS_OK) return;
    const bool perft = item->kind == COMPARE_PERFT;
    const bool good =
        perft && program == 0 ? own_perft(work, &position, item->depth, &nodes, &seconds)
        : perft ? measured_program_perft(measured, &position, item->depth, &nodes, &seconds)
                : measured_program_search(measured, &position, work->options->movetime_ms,
                                          work->options->depth, &nodes, &seconds);
    if (!good) return;
    if (perft && nodes != item->nodes) {
        cell->other_nodes = nodes;
        if (program == 0) compare->wrong = true;
    }
    const double shortest = 1e-9;
    work->samples[at * (size_t)work->options->runs + (size_t)cell->count++] =
        (double)nodes / (seconds > shortest ? seconds : shortest);
}

static Status measure_all(Work *work, Progress *progress, Err *err) {
    const Compare *compare = work->compare;
    const uint64_t steps = (uint64_t)(work->options->runs * compare->item_count);
    uint64_t done = 0;
    progress->total = steps;
    for (int run = 0; run < work->options->runs; run++) {
        for (int item = 0; item < compare->item_count; item++) {
            for (int program = 0; program < compare->program_count; program++) {
                measure(work, item, program);
                if (!interrupt_requested()) continue;
                return err_set(err, STATUS_INTERRUPTED, "interrupted: nothing was compared");
            }
            progress_update(progress, ++done, NULL);
        }
    }
    progress_finish(progress, done, NULL);
    return STATUS_OK;
}

// ---- results -----------------------------------------------------------------------------------

static int compare_reals(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(Work *work) {
    Compare *compare = work->compare;
    for (int item = 0; item < compare->item_count; item++) {
        CompareCell *row = &compare->cells[item * compare->program_count];
        for (int program = 0; program < compare->program_count; program++) {
            CompareCell *cell = &row[program];
            double *own =
                work->samples + (size_t)(cell - compare->cells) * (size_t)work->options->runs;
            if (!cell->count) continue;
            qsort(own, (size_t)cell->count, sizeof *own, compare_reals);
            cell->nps = own[cell->count / 2];
            cell->q1 = own[cell->count / 4];
            cell->q3 = own[cell->count - 1 - cell->count / 4];
            if (row[0].count) cell->ratio = row[0].nps / cell->nps;
        }
    }
    for (int i = 0; i < compare->program_count; i++) {
        snprintf(compare->programs[i].note, sizeof compare->programs[i].note, "%.*s",
                 COMPARE_NOTE_SIZE - 1, work->programs[i].note);
    }
}

Status compare_run(const CompareOptions *options, Progress *progress, Compare *compare, Err *err) {
    const PerftOptions perft = {.method = PERFT_DIFFERENTIAL, .threads = 1};
    *compare = (Compare){0};
    Work *work = memory_alloc(1, sizeof *work);
    *work = (Work){.options = options, .compare = compare, .perft = perft_new(&perft)};
    list_items(options, compare);
    Status status = list_programs(work, err);
    if (status == STATUS_OK && compare->item_count == 0) {
        status =
            err_set(err, STATUS_USAGE,
                    "nothing is left to measure: --max-nodes is below every perft position, and "
                    "there are no searches without --movetime or --depth");
    }
    const size_t cells = (size_t)(compare->item_count * compare->program_count);
    compare->cells = memory_alloc(cells, sizeof *compare->cells);
    work->samples = memory_alloc(cells * (size_t)options->runs, sizeof *work->samples);
    if (status == STATUS_OK) status = measure_all(work, progress, err);
    if (status == STATUS_OK) summarise(work);
    for (int i = 0; i < compare->program_count; i++) measured_program_clear(&work->programs[i]);
    player_spec_clear(&work->self);
    perft_free(work->perft);
    free(work->samples);
    free(work);
    return status;
}

void compare_clear(Compare *compare) {
    free(compare->items);
    free(compare->cells);
    text_clear(&compare->absent);
    *compare = (Compare){0};
}

const CompareCell *compare_cell(const Compare *compare, int item, int program) {
    return &compare->cells[item * compare->program_count + program];
}

bool compare_ratios(const Compare *compare, CompareKind kind, int program, double *mean,
                    double *least) {
    double sum = 0;
    int count = 0;
    *least = INFINITY;
    for (int item = 0; item < compare->item_count; item++) {
        const double ratio = compare_cell(compare, item, program)->ratio;
        if (compare->items[item].kind != kind || ratio <= 0) continue;
        sum += log(ratio);
        if (ratio < *least) *least = ratio;
        count++;
    }
    *mean = count ? exp(sum / count) : 0;
    return count > 0;
}
