// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest.h"

#include <stdlib.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "datasets/store/tags.h"

// Parts the random choices of a contest from those of self-play with the same seed, so that weights
// do not play the openings that they were fitted to.
#define CONTEST_STREAM 0x636f6e74657374ULL // "contest"

typedef struct ContestRun {
    const ContestSpec *spec;
    Contest contest; // with its PGN file, and the seed of its own stream
    ContestDone *done;
    void *done_context;
    ContestResult *result;
    // Games on disk are counted in their order: those below `next` have been.
    Store *store; // NULL: nothing is there
    GameStream *stream;
    Run run;
    uint64_t next;
    GameRecord first; // of the pair being counted
    bool has_first;
    bool over;     // no more games are counted
    Status status; // why it is over, if that is a failure
    Err err;
} ContestRun;

// ---- who plays whom -----------------------------------------------------------------------------

static size_t count_pairings(const ContestSpec *spec) {
    const size_t players = (size_t)spec->contest.player_count;
    return spec->kind == GAUNTLET ? players - 1 : players * (players - 1) / 2;
}

uint64_t contest_games(const ContestSpec *spec) {
    return 2 * spec->rounds * count_pairings(spec);
}

static void make_pairings(const ContestSpec *spec, ContestResult *result) {
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
static size_t pairing_of(const ContestResult *result, uint64_t index) {
    return (size_t)(index / 2 % result->pairing_count);
}

// ---- playing ------------------------------------------------------------------------------------

static Status open_player(const Contest *contest, int who, Player **player, Err *err) {
    const ContestPlayer *wanted = &contest->players[who];
    if (!wanted->spec.program) {
        *player = player_open_engine(&wanted->engine, &contest->play.rules);
        return STATUS_OK;
    }
    return player_open_program(&wanted->spec, player, err);
}

// *lost: it has run before, and does not any more; the error says why.
static Status ready_player(const Contest *contest, int who, Player **player, bool *lost, Err *err) {
    const PlayerSpec *spec = &contest->players[who].spec;
    const bool known = *player != NULL;
    Status status = known ? STATUS_OK : open_player(contest, who, player, err);
    if (status == STATUS_OK) status = player_new_game(*player, &spec->control, err);
    *lost = known && status == STATUS_ENGINE;
    if (status != STATUS_OK && !*lost) err_prefix(err, "%s", spec->name);
    return *lost ? STATUS_OK : status;
}

// Stores with the game how players failed in it.
static void add_note(const Contest *contest, PlayedGame *played) {
    AUTO(Text) note = {0};
    TagList tags = {0};
    contest_game_note(contest, played, &note);
    if (note.length) tag_list_add(&tags, TAG_NOTE, note.data, note.length);
    free(played->tags);
    played->tags = tags.list;
    played->record.tag_count = tags.count;
}

// The record's player numbers are 1 + those of the contest. A player that could be started once and
// cannot be made ready any more loses the game; STATUS_ENGINE, STATUS_NOT_FOUND or STATUS_USAGE
// when it cannot be started at all.
static Status play(void *context, GameWorker *worker, uint64_t index, PlayedGame *played,
                   Err *err) {
    const ContestResult *result = ((const ContestRun *)context)->result;
    const Contest *contest = &((const ContestRun *)context)->contest;
    const PairingCounts *pairing = &result->pairings[pairing_of(result, index)];
    const int pair[2] = {pairing->first, pairing->second};
    const int sides[SIDE_COUNT] = {pair[index % 2], pair[1 - index % 2]};
    bool lost = false;
    Side loser = RED;
    Err why = {0};
    Status status =
        opening_make(&contest->openings, contest->seed, index / 2 / result->pairing_count,
                     &contest->play.rules, worker->openings, &worker->game, err);
    for (int side = RED; side <= BLACK && status == STATUS_OK && !lost; side++) {
        status = ready_player(contest, sides[side], &worker->players[sides[side]], &lost, &why);
        loser = (Side)side;
    }
    if (status != STATUS_OK) {
        if (why.status != STATUS_OK && err) *err = why;
        return status;
    }
    if (lost) {
        play_forfeit(&worker->game, loser, why.text, played);
    } else {
        PlaySpec play_spec = contest->play;
        Player *players[SIDE_COUNT];
        Random random;
        for (int side = RED; side <= BLACK; side++) {
            const PlayerSpec *spec = &contest->players[sides[side]].spec;
            play_spec.controls[side] = spec->control;
            play_spec.margin_ns[side] = spec->has_margin ? spec->margin_ns : contest->margin_ns;
            players[side] = worker->players[sides[side]];
        }
        random_init(&random, random_mix(contest->seed), index);
        TRY(play_game(&play_spec, players, &worker->game, &random, played));
    }
    played->record.index = index;
    played->record.red_player = (uint8_t)(1 + sides[RED]);
    played->record.black_player = (uint8_t)(1 + sides[BLACK]);
    add_note(contest, played);
    return STATUS_OK;
}

static bool wanted(void *context, uint64_t index) {
    const ContestResult *result = ((const ContestRun *)context)->result;
    return result->faults[pairing_of(result, index)].why[0] == '\0';
}

// ---- counting -----------------------------------------------------------------------------------

static void end(ContestRun *run, Status status) {
    run->over = true;
    run->status = status;
}

// Points of the pairing's first player: -1, 0, 1.
static int points_of(const GameRecord *record) {
    return record->index % 2 == 0 ? record->result : -record->result;
}

static void count_record(ContestResult *result, const GameRecord *record) {
    PairingCounts *pairing = &result->pairings[pairing_of(result, record->index)];
    const int points = points_of(record);
    pairing->wins += points > 0;
    pairing->draws += points == 0;
    pairing->losses += points < 0;
    result->red_wins += record->result > 0;
    result->black_wins += record->result < 0;
    result->reasons[record->reason]++;
    result->plies += record->ply_count;
    result->games++;
}

// Counts a game, and the pair that it ends. A match counts whole pairs only, and asks its test.
static void count_result(ContestRun *run, const GameRecord *record) {
    ContestResult *result = run->result;
    const bool match = run->spec->kind == MATCH, second = record->index % 2 == 1;
    const bool pair = second && run->has_first && run->first.index + 1 == record->index;
    if (match && pair) count_record(result, &run->first);
    if (!match || pair) count_record(result, record);
    if (pair) {
        const int first = 1 + points_of(&run->first), last = 1 + points_of(record);
        result->pairings[pairing_of(result, record->index)].pairs[first + last]++;
        match_counts_add_pair(&result->counts, first, last);
    }
    if (pair && run->spec->has_sprt) {
        const Status status =
            sprt_report(&run->spec->sprt, &result->counts, &result->sprt, &run->err);
        if (status != STATUS_OK || result->sprt.decision != SPRT_CONTINUE) end(run, status);
    }
    run->first = *record;
    run->has_first = !second;
}

// Counts a game and its fault; `note` says how (NULL: a game of an earlier run).
static void count_game(ContestRun *run, const GameRecord *record, const char *note) {
    ContestResult *result = run->result;
    PairingFaults *faults = &result->faults[pairing_of(result, record->index)];
    const bool stopped = faults->why[0] != '\0';
    count_result(run, record);
    if (run->status != STATUS_OK ||
        contest_count_fault(&run->contest, record, note, faults, result->tallies)) {
        return;
    }
    result->stopped += !stopped;
    if (run->spec->kind == MATCH) {
        end(run, err_set(&run->err, STATUS_ENGINE, "%s", faults->why));
    }
}

// Counts the games on disk below `end_index`, which follow what was counted.
static void count_stored(ContestRun *run, uint64_t end_index) {
    for (; run->stream && run->next < end_index && !run->over; run->next++) {
        const GameRecord *game = NULL;
        const PlyRecord *plies = NULL;
        Status status = game_stream_find(run->stream, run->next, &game, &plies, &run->err);
        if (status == STATUS_OK && game) {
            status =
                contest_count_stored(&run->contest, game, plies, run->result->tallies, &run->err);
        }
        if (status != STATUS_OK) {
            end(run, status);
        } else if (game) {
            run->result->already++;
            count_game(run, game, NULL);
        }
    }
}

// The first game from `next` on that is not on disk, or the end of the contest.
static uint64_t next_missing(const ContestRun *run, uint64_t next) {
    for (size_t i = 0; i < run->run.missing_count; i++) {
        const OptionRange range = run->run.missing[i];
        if (next < range.end) return next > range.first ? next : range.first;
    }
    return contest_games(run->spec);
}

static bool accept(void *context, const PlayedGame *played) {
    ContestRun *run = context;
    const uint64_t index = played->record.index;
    count_stored(run, index);
    if (run->over) return false;
    const Status status =
        contest_count_game(&run->contest, played, run->result->tallies, &run->err);
    if (status != STATUS_OK) end(run, status);
    if (run->over) return false;
    count_game(run, &played->record, played->note);
    run->next = index + 1;
    count_stored(run, next_missing(run, index + 1));
    if (run->done && (run->spec->kind != MATCH || index % 2 == 1)) {
        run->done(run->done_context, run->result);
    }
    return !run->over;
}

// ---- the run ------------------------------------------------------------------------------------

// Opens what the contest is written to, and counts the games that are there before the first gap.
static Status open_run(ContestRun *run, const Schedule *schedule, Err *err) {
    const ContestSpec *spec = run->spec;
    TRY(run_open(&schedule->run, &run->run, err));
    if (spec->pgn_path && rank_self() == 0) {
        TRY(contest_pgn_open(spec, &run->run, &run->contest.pgn, err));
    }
    if (run->run.present_games > 0) {
        TRY(store_open(spec->schedule.run.dir, &run->store, err));
        run->stream = game_stream_open(run->store);
    }
    count_stored(run, next_missing(run, 0));
    return STATUS_OK;
}

static Status close_run(ContestRun *run, Status status, Err *err) {
    // The games behind a gap that was not filled are no part of a match.
    run->result->interrupted = interrupt_requested();
    if (status == STATUS_OK && run->spec->kind != MATCH)
        count_stored(run, contest_games(run->spec));
    game_stream_close(run->stream);
    store_close(run->store);
    run_close(&run->run);
    if (status == STATUS_OK && run->status != STATUS_OK) {
        status = run->status;
        if (err) *err = run->err;
    }
    const Status closed = contest_pgn_close(run->contest.pgn, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? closed : status;
}

Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err) {
    *result = (ContestResult){.counts = {.has_pairs = true, .has_games = true}};
    make_pairings(spec, result);
    ContestRun run = {.spec = spec,
                      .contest = spec->contest,
                      .done = done,
                      .done_context = context,
                      .result = result};
    run.contest.seed ^= CONTEST_STREAM;
    const OptionRange games = {0, contest_games(spec)};
    Schedule schedule = spec->schedule;
    schedule.run.identity = text_get(&schedule.provenance.identity);
    schedule.run.wanted = &games;
    schedule.run.wanted_count = 1;
    const GameSource source = {.context = &run,
                               .player_count = spec->contest.player_count,
                               .opening_weights = &spec->contest.opening_weights,
                               .opening_hash_mb = 1,
                               .rules = &spec->contest.play.rules,
                               .play = play,
                               .accept = accept,
                               .wanted = wanted};
    Status status = STATUS_OK;
    if (spec->has_sprt) status = sprt_report(&spec->sprt, &result->counts, &result->sprt, err);
    if (status == STATUS_OK) status = open_run(&run, &schedule, err);
    if (status == STATUS_OK && !run.over) {
        status = schedule_play(&schedule, &run.run, &source, err);
    }
    return close_run(&run, status, err);
}

void contest_result_clear(ContestResult *result) {
    free(result->pairings);
    free(result->faults);
    free(result->tallies);
    *result = (ContestResult){.pairings = NULL};
}
