// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "selfplay/contest_pgn.h"

struct ContestWorker {
    const Contest *contest;
    Search *openings;
    Player **players; // NULL until needed
    OddsGame game;
    Companions companions;
};

ContestWorker *contest_worker_new(const Contest *contest) {
    ContestWorker *worker = memory_alloc(1, sizeof *worker);
    worker->contest = contest;
    worker->openings = search_new(&contest->opening_weights, 1, NULL);
    search_set_rules(worker->openings, &contest->play.rules);
    worker->players = memory_alloc((size_t)contest->player_count, sizeof(Player *));
    odds_game_init(&worker->game);
    return worker;
}

void contest_worker_free(ContestWorker *worker) {
    if (!worker) return;
    for (int i = 0; i < worker->contest->player_count; i++) player_close(worker->players[i]);
    free(worker->players);
    search_free(worker->openings);
    odds_game_clear(&worker->game);
    free(worker);
}

static Status ready_player(ContestWorker *worker, int who, Err *err) {
    const ContestPlayer *player = &worker->contest->players[who];
    Status status = STATUS_OK;
    if (!worker->players[who]) {
        if (player->spec.program) {
            status = player_open_program(&player->spec, &worker->players[who], err);
        } else {
            worker->players[who] =
                player_open_engine(&player->engine, &worker->contest->play.rules);
        }
    }
    if (status == STATUS_OK) {
        status = player_new_game(worker->players[who], &player->spec.control, err);
    }
    if (status != STATUS_OK) err_prefix(err, "%s", player->spec.name);
    return status;
}

Status contest_play(ContestWorker *worker, int red, int black, uint64_t opening, uint64_t index,
                    PlayedGame *played, Err *err) {
    const Contest *contest = worker->contest;
    Status status = opening_make(&contest->openings, contest->seed, opening, &contest->play.rules,
                                 worker->openings, &worker->game, err);
    if (status == STATUS_OK) status = ready_player(worker, red, err);
    if (status == STATUS_OK) status = ready_player(worker, black, err);
    if (status != STATUS_OK) return status;
    PlaySpec play = contest->play;
    play.companions = &worker->companions;
    play.controls[RED] = contest->players[red].spec.control;
    play.controls[BLACK] = contest->players[black].spec.control;
    Player *const players[SIDE_COUNT] = {worker->players[red], worker->players[black]};
    Random random;
    random_init(&random, random_mix(contest->seed), index);
    play_game(&play, players, &worker->game, &random, played);
    played->record.index = index;
    played->record.red_player = (uint8_t)(1 + red);
    played->record.black_player = (uint8_t)(1 + black);
    return STATUS_OK;
}

static void add_side(SideTally *sum, const SideTally *more) {
    sum->moves += more->moves;
    sum->nodes += more->nodes;
    sum->depth_sum += more->depth_sum;
    sum->time_ns += more->time_ns;
}

Status contest_count(const Contest *contest, const PlayedGame *played, ContestTally *tallies,
                     Err *err) {
    const GameRecord *record = &played->record;
    const int red = record->red_player - 1, black = record->black_player - 1;
    add_side(&tallies[red].side, &played->tally[RED]);
    add_side(&tallies[black].side, &played->tally[BLACK]);
    const Status written = contest_pgn_add(contest->pgn, played, err);
    if (written != STATUS_OK || played->fault == PLAYER_NONE) return written;
    const int loser = record->result < 0 ? red : black;
    const uint64_t faults = ++tallies[loser].faults;
    if (faults <= contest->most_faults) return STATUS_OK;
    return err_set(err, STATUS_ENGINE,
                   "%s failed to play in %llu games, the last time: %s (%s); no more are played",
                   contest->players[loser].spec.name, (unsigned long long)faults,
                   player_fault_name(played->fault), played->note);
}

void contest_players_text(const Contest *contest, Text *text) {
    for (int i = 0; i < contest->player_count; i++) {
        const ContestPlayer *player = &contest->players[i];
        text_add(text, "%s%d %s %s", i ? ", " : "", i + 1, player->spec.name,
                 player->spec.program ? player->spec.profile.name : player->engine.weights_hash);
    }
}

void contest_clear(Contest *contest) {
    for (int i = 0; i < contest->player_count; i++) player_spec_clear(&contest->players[i].spec);
    free(contest->players);
    *contest = (Contest){.players = NULL};
}
