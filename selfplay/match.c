// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/match.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "selfplay/resume.h"

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

typedef struct MatchWorker {
    Search *openings;
    Player *players[MATCH_PLAYERS]; // opened when first needed
    OddsGame game;
} MatchWorker;

static void *worker_new(void *context) {
    const MatchSpec *spec = ((const MatchRun *)context)->spec;
    MatchWorker *worker = memory_alloc(1, sizeof *worker);
    worker->openings = search_new(&spec->opening_weights, 1, NULL);
    search_set_rules(worker->openings, &spec->play.rules);
    odds_game_init(&worker->game);
    return worker;
}

static void worker_free(void *memory) {
    MatchWorker *worker = memory;
    search_free(worker->openings);
    for (int i = 0; i < MATCH_PLAYERS; i++) player_close(worker->players[i]);
    odds_game_clear(&worker->game);
    free(worker);
}

// Who plays Red in a game: A in even ones.
static int red_player(uint64_t index) {
    return (int)(index % 2);
}

static Status ready_player(const MatchSpec *spec, MatchWorker *worker, int who, Err *err) {
    const MatchPlayer *player = &spec->players[who];
    Status status = STATUS_OK;
    if (!worker->players[who]) {
        if (player->spec.program) {
            status = player_open_program(&player->spec, &worker->players[who], err);
        } else {
            worker->players[who] = player_open_engine(&player->engine, &spec->play.rules);
        }
    }
    if (status == STATUS_OK) {
        status = player_new_game(worker->players[who], &player->spec.control, err);
    }
    if (status != STATUS_OK) err_prefix(err, "%s", player->spec.name);
    return status;
}

static Status play(void *context, void *memory, uint64_t index, PlayedGame *played, Err *err) {
    const MatchSpec *spec = ((const MatchRun *)context)->spec;
    MatchWorker *worker = memory;
    Status status = opening_make(&spec->openings, spec->seed, index / 2, &spec->play.rules,
                                 worker->openings, &worker->game, err);
    if (status != STATUS_OK) return status;
    Player *players[SIDE_COUNT];
    PlaySpec play_spec = spec->play;
    for (int side = RED; side <= BLACK; side++) {
        const int who = side == RED ? red_player(index) : 1 - red_player(index);
        status = ready_player(spec, worker, who, err);
        if (status != STATUS_OK) return status;
        players[side] = worker->players[who];
        play_spec.controls[side] = spec->players[who].spec.control;
    }
    Random random;
    random_init(&random, random_mix(spec->seed), index);
    play_game(&play_spec, players, &worker->game, &random, played);
    played->record.index = index;
    played->record.red_player = (uint8_t)(1 + red_player(index));
    played->record.black_player = (uint8_t)(2 - red_player(index));
    return STATUS_OK;
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

static void add_tally(SideTally *sum, const SideTally *more) {
    sum->moves += more->moves;
    sum->nodes += more->nodes;
    sum->depth_sum += more->depth_sum;
    sum->time_ns += more->time_ns;
}

// False when a player has failed too often.
static bool count_fault(MatchRun *run, const PlayedGame *played) {
    MatchResult *result = run->result;
    if (played->fault == PLAYER_NONE) return true;
    const bool red_lost = played->record.result < 0;
    const int who =
        red_lost ? red_player(played->record.index) : 1 - red_player(played->record.index);
    result->faults[who]++;
    snprintf(result->last_note, sizeof result->last_note, "%s", played->note);
    if (result->faults[who] <= run->spec->most_faults) return true;
    run->status =
        err_set(&run->err, STATUS_ENGINE,
                "%s failed in %llu games, the last time: %s (%s); the match is stopped",
                run->spec->players[who].spec.name, (unsigned long long)result->faults[who],
                player_fault_name(played->fault), played->note);
    return false;
}

static bool accept(void *context, const PlayedGame *played) {
    MatchRun *run = context;
    for (int side = RED; side <= BLACK; side++) {
        const int red = red_player(played->record.index);
        add_tally(&run->result->tally[side == RED ? red : 1 - red], &played->tally[side]);
    }
    if (!count_fault(run, played)) return false;
    const bool more = count_in_order(run, &played->record);
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
            *over = !count_in_order(run, &batch.games[k]);
            *next = batch.games[k].index + 1;
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
                               .provenance = &spec->provenance};
    const GameSource source = {&run, worker_new, worker_free, play, accept, NULL};
    status = schedule_run(&schedule, &source, err);
    if (status == STATUS_OK && run.status != STATUS_OK) {
        status = run.status;
        if (err) *err = run.err;
    }
    result->interrupted = interrupt_requested();
    return status;
}
