// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/trace/trace_load.h"

#include <omp.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "selfplay/engines/protocol.h"

// ---- the engine
// ----------------------------------------------------------------------------------

Status tracer_open(const char *player, int plies, int threads, Tracer *tracer, Err *err) {
    *tracer = (Tracer){.plies = plies, .threads = threads};
    tracer->engines = memory_alloc((size_t)threads, sizeof *tracer->engines);
    TRY(player_spec_parse(player, "--trace", &tracer->spec, err));
    return trace_engine_open(&tracer->engines[0], &tracer->spec, err);
}

void tracer_close(Tracer *tracer) {
    for (int i = 0; i < tracer->threads; i++) trace_engine_close(&tracer->engines[i]);
    free(tracer->engines);
    player_spec_clear(&tracer->spec);
    *tracer = (Tracer){.threads = 0};
}

static bool same_terms(const TraceTerms *a, const TraceTerms *b) {
    if (a->phased != b->phased || a->phase_max != b->phase_max || a->unit != b->unit ||
        a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        const struct TraceTerm *x = &a->terms[i], *y = &b->terms[i];
        if (strcmp(x->name, y->name) != 0 || x->start[0] != y->start[0] ||
            x->start[1] != y->start[1] || x->unit != y->unit || x->fixed != y->fixed) {
            return false;
        }
    }
    return true;
}

// Sets *engine to the engine of this thread. Starts it if needed.
static Status own_engine(Tracer *tracer, TraceEngine **engine, Err *err) {
    *engine = &tracer->engines[omp_get_thread_num()];
    if ((*engine)->open) return STATUS_OK;
    TRY(trace_engine_open(*engine, &tracer->spec, err));
    if (same_terms(&(*engine)->terms, &tracer->engines[0].terms)) return STATUS_OK;
    return err_set(err, STATUS_ENGINE,
                   "--trace: two processes of '%s' print different terms; all must print the same",
                   tracer->spec.command);
}

// Describes pair `at` of the weights, which holds the middlegame value of a term (if `middle`), its
// endgame value (if `end`), or both.
static void describe(const struct TraceTerm *term, size_t number, bool middle, bool end, size_t at,
                     SparseTerms *terms) {
    memcpy(terms->names[at], term->name, sizeof term->name);
    for (int phase = 0; phase < 2; phase++) {
        const bool used = phase ? end : middle;
        terms->start[at][phase] = used ? term->start[phase] : 0;
        terms->unit[at][phase] = term->unit;
        terms->fixed[at][phase] = term->fixed || !used;
        terms->value_of[at][phase] = used ? (double)number : -1;
    }
}

void tracer_describe(const Tracer *tracer, const bool *split, SparseTerms *terms) {
    const TraceTerms *from = &tracer->engines[0].terms;
    size_t n = from->count;
    for (size_t i = 0; split && i < from->count; i++) n += split[i];
    *terms = (SparseTerms){.terms = n,
                           .phased = from->phased,
                           .phase_max = from->phase_max,
                           .value_unit = from->unit,
                           .names = memory_alloc(n, sizeof *terms->names),
                           .start = memory_alloc(n, sizeof *terms->start),
                           .fixed = memory_alloc(n, sizeof *terms->fixed),
                           .unit = memory_alloc(n, sizeof *terms->unit),
                           .value_of = memory_alloc(n, sizeof *terms->value_of)};
    for (size_t i = 0, next = from->count; i < from->count; i++) {
        const bool two = split && split[i];
        describe(&from->terms[i], i, true, !two, i, terms);
        if (two) describe(&from->terms[i], i, false, true, next++, terms);
    }
}

// ---- rows
// ----------------------------------------------------------------------------------------

// A pass over the positions, and the rows of a shard.
typedef struct Pass {
    Tracer *tracer;
    const SparseTerms *terms;
    const int *second; // for each term its second pair of weights; -1: it has none
    TraceReport *report;
} Pass;

typedef struct ShardTrace {
    const Pass *pass;
    TraceEngine *engine;
    TraceRow row;
    TraceReport report;
    GameBatch games; // games of the shard, with --trace-plies
    size_t game;
    int64_t *index; // entries of a row of the RowSet
    double *coefficient;
} ShardTrace;

static void report_init(TraceReport *report, const TraceTerms *terms) {
    row_check_init(&report->check, terms->count, terms->unit);
    report->split = memory_alloc(terms->count, sizeof *report->split);
}

void trace_report_clear(TraceReport *report) {
    row_check_clear(&report->check);
    free(report->split);
    free(report->values);
    *report = (TraceReport){.none = 0};
}

static Status begin(void *context, const Store *store, size_t shard, void **state, Err *err) {
    const Pass *pass = context;
    ShardTrace *trace = *state = memory_alloc(1, sizeof *trace);
    trace->pass = pass;
    TRY(own_engine(pass->tracer, &trace->engine, err));
    const TraceTerms *terms = &trace->engine->terms;
    report_init(&trace->report, terms);
    trace_row_init(&trace->row, terms->count);
    trace->index = memory_alloc(2 * terms->count, sizeof *trace->index);
    trace->coefficient = memory_alloc(2 * terms->count, sizeof *trace->coefficient);
    if (pass->tracer->plies > 0) TRY(store_read_shard(store, shard, &trace->games, err));
    return STATUS_OK;
}

static void add_word(TraceReport *report, const char *word, uint64_t count) {
    int i = 0;
    while (i < report->word_count && strcmp(report->words[i].word, word) != 0) i++;
    if (i == TRACE_WORDS_MAX) i--;
    if (i == report->word_count) {
        const bool last = i == TRACE_WORDS_MAX - 1;
        snprintf(report->words[report->word_count++].word, TRACE_WORD_SIZE, "%s",
                 last ? "other words" : word);
    }
    report->words[i].count += count;
}

static void add_value(TraceReport *report, float value) {
    report->values = memory_room(report->values, &report->value_capacity, report->value_count + 1,
                                 sizeof *report->values);
    report->values[report->value_count++] = value;
}

static void end(void *context, void *state) {
    const Pass *pass = context;
    ShardTrace *trace = state;
    TraceReport *all = pass->report, *own = &trace->report;
    if (own->check.terms) row_check_merge(&all->check, &own->check);
    all->none += own->none;
    for (int i = 0; i < own->word_count; i++)
        add_word(all, own->words[i].word, own->words[i].count);
    for (size_t i = 0; i < own->check.terms; i++) all->split[i] = all->split[i] || own->split[i];
    for (size_t i = 0; i < own->value_count; i++) add_value(all, own->values[i]);
    trace_report_clear(own);
    trace_row_clear(&trace->row);
    game_batch_clear(&trace->games);
    free(trace->index);
    free(trace->coefficient);
    free(trace);
}

// Finds the position some plies before a stored position, and the moves between them.
static Status find_root(ShardTrace *trace, const PositionRecord *position, Position *root,
                        MoveList *moves, Err *err) {
    const GameBatch *games = &trace->games;
    GameWalk walk;
    while (trace->game < games->count && games->games[trace->game].index != position->game) {
        trace->game++;
    }
    if (trace->game == games->count) {
        return err_set(err, STATUS_CORRUPT, "game %llu is not in the shard",
                       (unsigned long long)position->game);
    }
    const GameRecord *game = &games->games[trace->game];
    const PlyRecord *plies = games->plies + game->first_ply;
    uint32_t from = position->ply > (uint32_t)trace->pass->tracer->plies
                        ? position->ply - (uint32_t)trace->pass->tracer->plies
                        : 0;
    // One side makes all extra moves of a handicap, which `moves` cannot express.
    if (from < game->extra_plies) from = game->extra_plies;
    game_walk_init(&walk, game);
    moves->count = 0;
    while (walk.ply < position->ply) {
        if (walk.ply == from) *root = walk.position;
        if (walk.ply >= from) moves->moves[moves->count++] = plies[walk.ply].move;
        if (game_walk_step(&walk, game, plies[walk.ply].move)) continue;
        return err_set(err, STATUS_CORRUPT, "game %llu has an impossible move at ply %u",
                       (unsigned long long)position->game, walk.ply);
    }
    if (walk.ply == from || moves->count == 0) *root = walk.position;
    return STATUS_OK;
}

// Appends the row that was read to *part, with the second pairs of weights.
static void append(const ShardTrace *trace, const PositionRecord *position, const RowGame *game,
                   RowPart *part) {
    const TraceRow *row = &trace->row;
    const int *second = trace->pass->second;
    RowHead head = row_head_of(position);
    size_t count = 0;
    head.phase = (float)row->phase;
    for (size_t i = 0; i < row->count; i++) {
        trace->index[count] = row->index[i];
        trace->coefficient[count++] = row->factor * row->coefficient[i][0];
    }
    for (size_t i = 0; i < row->count; i++) { // second pairs follow all first pairs
        if (second[row->index[i]] < 0) continue;
        trace->index[count] = second[row->index[i]];
        trace->coefficient[count++] = row->factor * row->coefficient[i][1];
    }
    row_part_add_entries(part, (int)trace->pass->terms->terms, trace->index, trace->coefficient,
                         count, row->factor * row->offset, &head, game);
}

static Status add(void *state, const PositionRecord *position, const Position *board,
                  const RowGame *game, RowPart *part, Err *err) {
    ShardTrace *trace = state;
    const TraceTerms *terms = &trace->engine->terms;
    TraceRow *row = &trace->row;
    MoveList moves = {.count = 0};
    Position root = *board;
    char fen[FEN_SIZE];
    if (interrupt_requested()) {
        return err_set(err, STATUS_INTERRUPTED, "interrupted while reading");
    }
    if (trace->pass->tracer->plies > 0) TRY(find_root(trace, position, &root, &moves, err));
    TRY(trace_engine_ask(trace->engine, &root, &moves, row, err));
    if (row->none[0]) {
        trace->report.none++;
        add_word(&trace->report, row->none, 1);
        return STATUS_OK;
    }
    double by_phase;
    const double sum = trace_row_sum(terms, row, &by_phase);
    const RowChecked checked = {.value = row->value,
                                .sum = sum,
                                .by_phase = by_phase,
                                .share = row->phase / terms->phase_max,
                                .factor = row->factor,
                                .count = row->count,
                                .index = row->index,
                                .coefficient = (const double(*)[2])row->coefficient};
    position_to_fen(board, FEN_UCI, fen);
    if (!row_check_add(&trace->report.check, &checked, fen)) return STATUS_OK;
    for (size_t i = 0; i < row->count && row->split; i++) {
        if (row->coefficient[i][0] != row->coefficient[i][1]) {
            trace->report.split[row->index[i]] = true;
        }
    }
    add_value(&trace->report, (float)row->value);
    append(trace, position, game, part);
    return STATUS_OK;
}

// ---- all positions
// -------------------------------------------------------------------------------

// Reads all positions. Sets *again if a term needs a second pair of weights that it does not have.
static Status one_pass(Tracer *tracer, const char *const *paths, int count, FILE *show,
                       RowSet *rows, SparseTerms *terms, TraceReport *report, bool *again,
                       Err *err) {
    const size_t n = tracer->engines[0].terms.count;
    AUTO_FREE int *second = memory_alloc(n, sizeof *second);
    const Pass pass = {tracer, terms, second, report};
    for (size_t i = 0, next = n; i < n; i++) second[i] = report->split[i] ? (int)next++ : -1;
    tracer_describe(tracer, report->split, terms);
    if (terms->terms > SPARSE_MAX_TERMS) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the rows have %zu pairs of weights, because coefficients differ between "
                       "the phases; a fit allows at most %d",
                       terms->terms, SPARSE_MAX_TERMS);
    }
    const RowTracer way = {.pairs = (int)terms->terms,
                           .phase_max = terms->phase_max,
                           .begin = begin,
                           .add = add,
                           .end = end,
                           .context = (void *)&pass};
    const RowChoice choice = {.boards = true, .tracer = &way, .with_faults = tracer->with_faults};
    TRY(rows_load(paths, count, &choice, tracer->threads, show, rows, err));
    for (size_t i = 0; i < n; i++) *again = *again || (report->split[i] && second[i] < 0);
    return STATUS_OK;
}

Status trace_load(Tracer *tracer, const char *const *paths, int count, FILE *show, RowSet *rows,
                  SparseTerms *terms, TraceReport *report, Err *err) {
    const TraceTerms *from = &tracer->engines[0].terms;
    bool again = false;
    report_init(report, from);
    TRY(one_pass(tracer, paths, count, show, rows, terms, report, &again, err));
    if (again) { // read all positions again, now with second pairs
        TraceReport first = MOVE(*report);
        report_init(report, from);
        memcpy(report->split, first.split, from->count * sizeof *first.split);
        trace_report_clear(&first);
        sparse_terms_clear(terms);
        row_set_clear(rows);
        TRY(one_pass(tracer, paths, count, show, rows, terms, report, &again, err));
    }
    rows->names = memory_alloc(terms->terms, sizeof *rows->names);
    memcpy(rows->names, terms->names, terms->terms * sizeof *rows->names);
    return STATUS_OK;
}

Status trace_verdict(const TraceReport *report, const SparseTerms *terms, double most, Err *err) {
    if (report->none > report->check.rows) {
        AUTO(Text) words = {0};
        for (int i = 0; i < report->word_count; i++) {
            text_add(&words, "%s%s %llu", i ? ", " : "", report->words[i].word,
                     (unsigned long long)report->words[i].count);
        }
        return err_set(err, STATUS_MISMATCH,
                       "the engine has no value for %llu of %llu positions (%s): more than half",
                       (unsigned long long)report->none,
                       (unsigned long long)(report->none + report->check.rows), words.data);
    }
    return row_check_verdict(&report->check, terms, most, err);
}
