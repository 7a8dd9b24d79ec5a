// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/match.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "selfplay/run/resume.h"

typedef struct MatchRun {
    const MatchSpec *spec;
    MatchPairDone *done;
    void *done_context;
    MatchResult *result;
    GameRecord first; // the first game of the pair being counted
    bool has_first;
    Status status; // of the test, or of players that failed too often
    Err err;
} MatchRun;

static void *worker_new(void *context) {
    return contest_worker_new(&((const MatchRun *)context)->spec->contest);
}

static void worker_free(void *worker) {
    contest_worker_free(worker);
}

// Who plays Red in a game: A in even ones.
static int red_player(uint64_t index) {
    return (int)(index % 2);
}

static Status play(void *context, void *worker, uint64_t index, PlayedGame *played, Err *err) {
    (void)context;
    const int red = red_player(index);
    return contest_play(worker, red, 1 - red, index / 2, index, played, err);
}

// ---- counting
// --------------------------------------------------------------------------------------

// A's half points in a game: 0, 1, 2.
static int half_points(const GameRecord *record) {
    return 1 + (red_player(record->index) == 0 ? record->result : -record->result);
}

static void count_record(MatchResult *result, const GameRecord *record) {
    result->red_wins += record->result > 0;
    result->black_wins += record->result < 0;
    result->reasons[record->reason]++;
    result->plies += record->ply_count;
}

// Counts games in order, from the disk or just played: a pair when its second game comes. False
// when the match is over.
static bool count_in_order(MatchRun *run, const GameRecord *record) {
    MatchResult *result = run->result;
    if (record->index % 2 == 0) {
        run->first = *record;
        run->has_first = true;
        return true;
    }
    if (!run->has_first) return true;
    run->has_first = false;
    match_counts_add_pair(&result->counts, half_points(&run->first), half_points(record));
    count_record(result, &run->first);
    count_record(result, record);
    if (run->spec->has_sprt) {
        run->status = sprt_report(&run->spec->sprt, &result->counts, &result->sprt, &run->err);
        if (run->status != STATUS_OK || result->sprt.decision != SPRT_CONTINUE) return false;
    }
    return true;
}

// Counts a game and its fault. False when the match is over.
static bool count_game(MatchRun *run, const GameRecord *record, const char *note) {
    MatchResult *result = run->result;
    const bool more = count_in_order(run, record);
    if (run->status != STATUS_OK ||
        contest_count_fault(&run->spec->contest, record, note, &result->faults, result->tally)) {
        return more;
    }
    run->status = err_set(&run->err, STATUS_ENGINE, "%s", result->faults.why);
    return false;
}

static bool accept(void *context, const PlayedGame *played) {
    MatchRun *run = context;
    run->status = contest_count_game(&run->spec->contest, played, run->result->tally, &run->err);
    if (run->status != STATUS_OK) return false;
    const bool more = count_game(run, &played->record, played->note);
    if (run->done && played->record.index % 2 == 1) run->done(run->done_context, run->result);
    return more;
}

// ---- going on
// --------------------------------------------------------------------------------------

// Counts the games that are on disk, in order, up to the first that is missing: *next is its
// number. *over: the test had decided by then.
static Status count_stored(MatchRun *run, uint64_t *next, bool *over, Err *err) {
    *next = 0;
    *over = false;
    if (!run_has_shards(run->spec->out)) return STATUS_OK;
    Store *store = NULL;
    Status status = store_open(run->spec->out, &store, err);
    for (size_t i = 0; status == STATUS_OK && !*over && i < store_shard_count(store); i++) {
        if (store_shard_range(store, i).first != *next) break;
        GameBatch batch = {0};
        status = store_read_games(store, i, &batch, err);
        for (size_t k = 0; status == STATUS_OK && !*over && k < batch.count; k++) {
            const GameRecord *game = &batch.games[k];
            status = contest_count_stored(&run->spec->contest, game, batch.plies + game->first_ply,
                                          run->result->tally, err);
            if (status != STATUS_OK) break;
            *over = !count_game(run, game, NULL);
            *next = game->index + 1;
        }
        game_batch_clear(&batch);
    }
    store_close(store);
    run->result->already = *next;
    return status;
}

Status match_run(const MatchSpec *spec, MatchPairDone *done, void *context, MatchResult *result,
                 Err *err) {
    *result = (MatchResult){.counts = {.has_pairs = true, .has_games = true}};
    MatchRun run = {.spec = spec, .done = done, .done_context = context, .result = result};
    uint64_t next = 0;
    bool over = false;
    Status status = STATUS_OK;
    if (spec->has_sprt) status = sprt_report(&spec->sprt, &result->counts, &result->sprt, err);
    if (status == STATUS_OK && spec->out) status = run_directory_prepare(spec->out, err);
    if (status == STATUS_OK && spec->out) status = count_stored(&run, &next, &over, err);
    if (status != STATUS_OK) return status;
    const OptionRange games = {next, 2 * spec->pairs};
    const Schedule schedule = {.ranges = &games,
                               .range_count = !over && games.first < games.end ? 1 : 0,
                               .threads = spec->threads,
                               .out = spec->out,
                               .shard_games = spec->shard_games,
                               .shard_seconds = SHARD_SECONDS,
                               .provenance = &spec->provenance};
    const GameSource source = {.context = &run,
                               .worker_new = worker_new,
                               .worker_free = worker_free,
                               .play = play,
                               .accept = accept};
    status = schedule_run(&schedule, &source, err);
    if (status == STATUS_OK && run.status != STATUS_OK) {
        status = run.status;
        if (err) *err = run.err;
    }
    result->interrupted = interrupt_requested();
    return status;
}
