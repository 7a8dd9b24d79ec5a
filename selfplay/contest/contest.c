// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest.h"

#include <stdlib.h>

#include "datasets/formats/formats.h"

enum { CLAIMS_REPORTED = 10 };

static void add_side(SideTally *sum, const SideTally *more) {
    sum->moves += more->moves;
    sum->nodes += more->nodes;
    sum->depth_sum += more->depth_sum;
    sum->timed += more->timed;
    sum->time_ns += more->time_ns;
}

Status contest_count_stored(const Contest *contest, const GameRecord *record,
                            const PlyRecord *plies, ContestTally *tallies, Err *err) {
    const int numbers[SIDE_COUNT] = {record->red_player, record->black_player};
    for (int side = RED; side <= BLACK; side++) {
        if (numbers[side] >= 1 && numbers[side] <= contest->player_count) continue;
        return err_set(err, STATUS_MISMATCH,
                       "game %llu on the disk is one of player %d, here are %d: use another --out",
                       (unsigned long long)record->index, numbers[side], contest->player_count);
    }
    for (uint32_t i = record->opening_plies; i < record->ply_count; i++) {
        // Extra moves of odds leave the move with their side; they belong to the opening.
        const bool other = (i - record->extra_plies) % 2 != 0;
        const Side stm = other ? side_other((Side)record->start.stm) : (Side)record->start.stm;
        SideTally *tally = &tallies[numbers[stm] - 1].side;
        tally->moves++;
        tally->nodes += plies[i].nodes;
        tally->depth_sum += plies[i].depth;
    }
    return STATUS_OK;
}

SideMeans side_means(const SideTally *tally) {
    const double moves = tally->moves ? (double)tally->moves : 1.0;
    const double timed = tally->timed ? (double)tally->timed : 1.0;
    return (SideMeans){.depth = (double)tally->depth_sum / moves,
                       .nodes = (double)tally->nodes / moves,
                       .ms = (double)tally->time_ns * 1e-6 / timed};
}

void side_time_record(Record *record, const char *key, const SideTally *tally) {
    if (tally->timed || !tally->moves) {
        record_add(record, "%s %.3f", key, side_means(tally).ms);
    } else {
        record_unknown(record, key);
    }
}

void contest_game_note(const Contest *contest, const PlayedGame *played, Text *text) {
    const GameRecord *record = &played->record;
    const int numbers[SIDE_COUNT] = {record->red_player, record->black_player};
    for (int side = RED; side <= BLACK; side++) {
        const char *name = contest->players[numbers[side] - 1].spec.name;
        if (played->claims[side]) {
            text_add(text, "%s%s: %s (not believed, %d time%s)", text->length ? "; " : "", name,
                     played->claim[side], played->claims[side],
                     played->claims[side] == 1 ? "" : "s");
        }
        if (played->fault != PLAYER_NONE && record->result == (side == RED ? -1 : 1)) {
            text_add(text, "%s%s: %s%s%s", text->length ? "; " : "", name,
                     end_reason_name((EndReason)record->reason), played->note[0] ? ", " : "",
                     played->note);
        }
    }
}

static const char *remedy(EndReason reason) {
    return reason == END_TIME_FORFEIT
               ? "A larger --margin forgives more, fewer --threads leave it more of the machine"
               : "'paotai engine-check PLAYER' looks for what it does wrong, log=FILE in PLAYER "
                 "writes down what is said";
}

// Some engines claim in every second game: only the first few claims are printed.
static void report_failures(const Contest *contest, const PlayedGame *played,
                            ContestTally *tallies) {
    const GameRecord *record = &played->record;
    const uint64_t claims =
        tallies[record->red_player - 1].claims + tallies[record->black_player - 1].claims;
    if (!contest->progress || (played->fault == PLAYER_NONE && claims > CLAIMS_REPORTED)) return;
    AUTO(Text) text = {0};
    AUTO(Text) note = {0};
    const int loser = (record->result < 0 ? record->red_player : record->black_player) - 1;
    contest_game_note(contest, played, &note);
    if (note.length) {
        text_add(&text, "game %llu: %s", (unsigned long long)record->index, note.data);
        if (played->fault != PLAYER_NONE) text_add(&text, " (move %u)", record->ply_count / 2 + 1);
        if (played->fault != PLAYER_NONE && !tallies[loser].advised) {
            tallies[loser].advised = true;
            text_add(&text, ". %s", remedy((EndReason)record->reason));
        }
        progress_say(contest->progress, text.data);
    }
}

// "game 12: A - B 1-0 checkmate, 86 plies"
static void report_game(const Contest *contest, const GameRecord *game) {
    AUTO(Text) text = {0};
    text_add(&text, "game %llu: %s - %s %s %s, %u plies", (unsigned long long)game->index,
             contest->players[game->red_player - 1].spec.name,
             contest->players[game->black_player - 1].spec.name, result_to_text(game->result),
             end_reason_name((EndReason)game->reason), game->ply_count);
    progress_say(contest->progress, text.data);
}

Status contest_count_game(const Contest *contest, const PlayedGame *played, ContestTally *tallies,
                          Err *err) {
    const GameRecord *record = &played->record;
    add_side(&tallies[record->red_player - 1].side, &played->tally[RED]);
    add_side(&tallies[record->black_player - 1].side, &played->tally[BLACK]);
    tallies[record->red_player - 1].claims += played->claims[RED] > 0;
    tallies[record->black_player - 1].claims += played->claims[BLACK] > 0;
    if (contest->verbose && contest->progress) report_game(contest, record);
    report_failures(contest, played, tallies);
    return contest_pgn_add(contest->pgn, played, err);
}

static bool is_fault(EndReason reason) {
    return reason == END_CRASH || reason == END_TIME_FORFEIT || reason == END_ILLEGAL_MOVE ||
           reason == END_PROTOCOL_FAULT;
}

uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]) {
    uint64_t faults = 0;
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (is_fault((EndReason)i)) faults += reasons[i];
    }
    return faults;
}

bool contest_count_fault(const Contest *contest, const GameRecord *record, const char *note,
                         PairingFaults *faults, ContestTally *tallies) {
    if (!is_fault((EndReason)record->reason)) return true;
    const int red = record->red_player - 1, black = record->black_player - 1;
    const int loser = record->result < 0 ? red : black;
    tallies[loser].faults++;
    const uint64_t count = ++faults->count[loser == (red < black ? red : black) ? 0 : 1];
    if (count <= CONTEST_MOST_FAULTS) return true;
    snprintf(faults->why, sizeof faults->why,
             "%.64s failed to play in %llu games, the last time: %s%s%s; no more are played",
             contest->players[loser].spec.name, (unsigned long long)count,
             end_reason_name((EndReason)record->reason), note && *note ? ", " : "",
             note ? note : "");
    return false;
}

void contest_players_text(const Contest *contest, Text *text) {
    for (int i = 0; i < contest->player_count; i++) {
        const ContestPlayer *player = &contest->players[i];
        text_add(text, "%s%d ", i ? ", " : "", i + 1);
        for (const char *at = player->spec.name; *at; at++) {
            if (strncmp(at, ", ", 2) != 0) text_add(text, "%c", *at); // it stands between players
        }
        text_add(text, " %s",
                 player->spec.program ? player->spec.profile->name : player->engine.weights_hash);
    }
}

void contest_clear(Contest *contest) {
    for (int i = 0; i < contest->player_count; i++) {
        player_spec_clear(&contest->players[i].spec);
        engine_config_clear(&contest->players[i].engine);
    }
    free(contest->players);
    *contest = (Contest){.players = NULL};
}
