// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/tournament.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "selfplay/run/resume.h"

typedef struct TournamentRun {
    const TournamentSpec *spec;
    TournamentGameDone *done;
    void *done_context;
    TournamentResult *result;
    Status status;
    Err err;
} TournamentRun;

static size_t count_pairings(const TournamentSpec *spec) {
    const size_t players = (size_t)spec->contest.player_count;
    return spec->kind == GAUNTLET ? players - 1 : players * (players - 1) / 2;
}

uint64_t tournament_games(const TournamentSpec *spec) {
    return 2 * spec->rounds * count_pairings(spec);
}

static void make_pairings(const TournamentSpec *spec, TournamentResult *result) {
    result->pairing_count = count_pairings(spec);
    result->pairings = memory_alloc(result->pairing_count, sizeof *result->pairings);
    result->faults = memory_alloc(result->pairing_count, sizeof *result->faults);
    result->tallies = memory_alloc((size_t)spec->contest.player_count, sizeof *result->tallies);
    size_t at = 0;
    const int firsts = spec->kind == GAUNTLET ? 1 : spec->contest.player_count;
    for (int first = 0; first < firsts; first++) {
        for (int second = first + 1; second < spec->contest.player_count; second++) {
            result->pairings[at++] = (PairingCounts){.first = first, .second = second};
        }
    }
}

// Game 2(r P + k) + c is pairing k of round r; the first player is Red where c is 0.
static size_t pairing_of(const TournamentResult *result, uint64_t index) {
    return (size_t)(index / 2 % result->pairing_count);
}

static void *worker_new(void *context) {
    return contest_worker_new(&((const TournamentRun *)context)->spec->contest);
}

static void worker_free(void *worker) {
    contest_worker_free(worker);
}

static Status play(void *context, void *worker, uint64_t index, PlayedGame *played, Err *err) {
    const TournamentResult *result = ((const TournamentRun *)context)->result;
    const PairingCounts *pairing = &result->pairings[pairing_of(result, index)];
    const uint64_t round = index / 2 / result->pairing_count;
    const bool first_is_red = index % 2 == 0;
    return contest_play(worker, first_is_red ? pairing->first : pairing->second,
                        first_is_red ? pairing->second : pairing->first, round, index, played, err);
}

static void count_record(const TournamentRun *run, const GameRecord *record, const char *note) {
    TournamentResult *result = run->result;
    const size_t which = pairing_of(result, record->index);
    PairingCounts *pairing = &result->pairings[which];
    const bool stopped = result->faults[which].why[0] != '\0';
    const bool fine = contest_count_fault(&run->spec->contest, record, note, &result->faults[which],
                                          result->tallies);
    result->stopped += !fine && !stopped;
    const int points = record->index % 2 == 0 ? record->result : -record->result;
    pairing->wins += points > 0;
    pairing->draws += points == 0;
    pairing->losses += points < 0;
    result->reasons[record->reason]++;
    result->games++;
}

static bool accept(void *context, const PlayedGame *played) {
    TournamentRun *run = context;
    run->status = contest_count_game(&run->spec->contest, played, run->result->tallies, &run->err);
    if (run->status != STATUS_OK) return false;
    count_record(run, &played->record, played->note);
    if (run->done) run->done(run->done_context, run->result);
    return true;
}

static bool wanted(void *context, uint64_t index) {
    const TournamentResult *result = ((const TournamentRun *)context)->result;
    return result->faults[pairing_of(result, index)].why[0] == '\0';
}

// Counts what is on disk: any games, in any order, that belong to the tournament.
static Status count_stored(TournamentRun *run, Err *err) {
    if (!run->spec->out || !run_has_shards(run->spec->out)) return STATUS_OK;
    Store *store = NULL;
    Status status = store_open(run->spec->out, &store, err);
    for (size_t i = 0; status == STATUS_OK && i < store_shard_count(store); i++) {
        GameBatch batch = {0};
        status = store_read_games(store, i, &batch, err);
        for (size_t k = 0; status == STATUS_OK && k < batch.count; k++) {
            const GameRecord *game = &batch.games[k];
            if (game->index >= tournament_games(run->spec)) continue;
            status = contest_count_stored(&run->spec->contest, game, batch.plies + game->first_ply,
                                          run->result->tallies, err);
            if (status != STATUS_OK) break;
            count_record(run, game, NULL);
            run->result->already++;
        }
        game_batch_clear(&batch);
    }
    store_close(store);
    return status;
}

Status tournament_run(const TournamentSpec *spec, TournamentGameDone *done, void *context,
                      TournamentResult *result, Err *err) {
    *result = (TournamentResult){.pairings = NULL};
    make_pairings(spec, result);
    TournamentRun run = {.spec = spec, .done = done, .done_context = context, .result = result};
    OptionRange all = {0, tournament_games(spec)}, *missing = NULL;
    size_t count = 1;
    Status status = spec->out ? run_directory_prepare(spec->out, err) : STATUS_OK;
    if (status == STATUS_OK) status = count_stored(&run, err);
    if (status == STATUS_OK && spec->out) {
        status = run_missing_ranges(spec->out, all, &missing, &count, err);
    }
    if (status != STATUS_OK) return status;
    const Schedule schedule = {.ranges = spec->out ? missing : &all,
                               .range_count = count,
                               .threads = spec->threads,
                               .out = spec->out,
                               .shard_games = spec->shard_games,
                               .shard_seconds = SHARD_SECONDS,
                               .provenance = &spec->provenance};
    const GameSource source = {.context = &run,
                               .worker_new = worker_new,
                               .worker_free = worker_free,
                               .play = play,
                               .accept = accept,
                               .wanted = wanted};
    status = schedule_run(&schedule, &source, err);
    free(missing);
    if (status == STATUS_OK && run.status != STATUS_OK) {
        status = run.status;
        if (err) *err = run.err;
    }
    result->interrupted = interrupt_requested();
    return status;
}

void tournament_clear(TournamentResult *result) {
    free(result->pairings);
    free(result->faults);
    free(result->tallies);
    *result = (TournamentResult){.pairings = NULL};
}
