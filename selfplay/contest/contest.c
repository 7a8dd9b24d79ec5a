// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/eval/weights.h"
#include "core/system/interrupt.h"
#include "core/system/ranks.h"
#include "datasets/formats/formats.h"
#include "datasets/store/tags.h"
#include "selfplay/contest/contest_pgn.h"

enum { CLAIMS_REPORTED = 10 };

// Contests combine this constant with --seed (XOR), so that with the same seed they draw other
// openings than self-play. Weights should not be tested on the openings on which they were trained.
#define CONTEST_STREAM 0x636f6e74657374ULL // the letters "contest" in ASCII

typedef struct Contest {
    const ContestSpec *spec;
    ContestPgn *pgn; // PGN file of the contest; NULL if no PGN file was requested
    ContestDone *done;
    void *done_context;
    ContestResult *result;
    Store *store; // games of the run directory; NULL if no games were stored before
    GameStream *stream;
    Run run;
    const Weights *weights; // weights of the static evaluation to which scores are compared
    uint64_t next;          // index of the next game to count
    GameRecord first; // last counted game; if has_first, the first game of a pair whose second game
                      // is not yet counted
    uint64_t first_moves; // hash of the moves of the game in `first`
    bool has_first;
    bool over;     // the contest has ended; later games do not change its result
    Status status; // error that ended the contest, or STATUS_OK
    Err err;
} Contest;

// ---- which players meet in a game ---------------------------------------------------------------

static size_t count_pairings(const ContestSpec *spec) {
    const size_t players = (size_t)spec->player_count;
    return spec->kind == GAUNTLET ? players - 1 : players * (players - 1) / 2;
}

uint64_t contest_games(const ContestSpec *spec) {
    return 2 * spec->rounds * count_pairings(spec);
}

static void make_pairings(const ContestSpec *spec, ContestResult *result) {
    result->pairing_count = count_pairings(spec);
    result->pairings = memory_alloc(result->pairing_count, sizeof *result->pairings);
    result->faults = memory_alloc(result->pairing_count, sizeof *result->faults);
    result->tallies = memory_alloc((size_t)spec->player_count, sizeof *result->tallies);
    size_t at = 0;
    const int firsts = spec->kind == GAUNTLET ? 1 : spec->player_count;
    for (int first = 0; first < firsts; first++) {
        for (int second = first + 1; second < spec->player_count; second++) {
            result->pairings[at++] = (PairingCounts){.first = first, .second = second};
        }
    }
}

// Returns the index of the pairing that plays a game. With P pairings, games 2(r P + k) and 2(r P +
// k) + 1 are the pair of pairing k in round r. The first player of the pairing is Red in the first
// of these games.
static size_t pairing_of(const ContestResult *result, uint64_t index) {
    return (size_t)(index / 2 % result->pairing_count);
}

// ---- totals of each player ----------------------------------------------------------------------

static void add_side(SideTally *sum, const SideTally *more) {
    sum->moves += more->moves;
    sum->nodes += more->nodes;
    sum->depth_sum += more->depth_sum;
    sum->bounds += more->bounds;
    sum->unread += more->unread;
    sum->timed += more->timed;
    sum->time_ns += more->time_ns;
}

// Adds a game that was stored before --resume to the totals of its two players. Returns
// STATUS_MISMATCH if a player number of the game is not in the contest.
static Status add_stored_game(const ContestSpec *spec, const GameRecord *record,
                              const PlyRecord *plies, ContestTally *tallies, Err *err) {
    const int numbers[SIDE_COUNT] = {record->red_player, record->black_player};
    for (int side = RED; side <= BLACK; side++) {
        if (numbers[side] >= 1 && numbers[side] <= spec->player_count) continue;
        return err_set(err, STATUS_MISMATCH,
                       "stored game %llu was played by player %d, but this contest has %d players: "
                       "use another --out",
                       (unsigned long long)record->index, numbers[side], spec->player_count);
    }
    for (uint32_t i = record->opening_plies; i < record->ply_count; i++) {
        // The extra moves of a handicap are all made by one side, so they do not change the side to
        // move. They belong to the opening.
        const bool other = (i - record->extra_plies) % 2 != 0;
        const Side stm = other ? side_other((Side)record->start.stm) : (Side)record->start.stm;
        SideTally *tally = &tallies[numbers[stm] - 1].side;
        tally->moves++;
        tally->nodes += plies[i].nodes;
        tally->depth_sum += plies[i].depth;
    }
    return STATUS_OK;
}

// Appends the failures of the players in a game, and their false claims (ContestTally.claims), as
// "NAME: PROBLEM; ...". Appends nothing if there were none.
static void add_game_note(const ContestSpec *spec, const PlayedGame *played, Text *text) {
    const GameRecord *record = &played->record;
    const int numbers[SIDE_COUNT] = {record->red_player, record->black_player};
    for (int side = RED; side <= BLACK; side++) {
        const char *name = spec->players[numbers[side] - 1].spec.name;
        if (played->claims[side]) {
            text_add(text, "%s%s: %s (ignored, %d time%s)", text->length ? "; " : "", name,
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
    return reason == END_TIME_FORFEIT ? "Give a larger --margin, or fewer --threads, which leave "
                                        "more processor time to each game"
                                      : "'paotai engine-check PLAYER' finds faults of a program; "
                                        "log=FILE in PLAYER records the "
                                        "conversation";
}

// Prints the failures and false claims of the players in a game. The first failure of a player is
// printed with advice. Some engines make false claims in many games. After CLAIMS_REPORTED such
// games of the two players together, a game with claims but without a failure is not printed.
static void report_failures(const ContestSpec *spec, const PlayedGame *played,
                            ContestTally *tallies) {
    const GameRecord *record = &played->record;
    const uint64_t claims =
        tallies[record->red_player - 1].claims + tallies[record->black_player - 1].claims;
    if (!spec->progress || (played->fault == PLAYER_NONE && claims > CLAIMS_REPORTED)) return;
    AUTO(Text) text = {0};
    AUTO(Text) note = {0};
    const int loser = (record->result < 0 ? record->red_player : record->black_player) - 1;
    add_game_note(spec, played, &note);
    if (note.length) {
        text_add(&text, "game %llu: %s", (unsigned long long)record->index, note.data);
        if (played->fault != PLAYER_NONE) text_add(&text, " (move %u)", record->ply_count / 2 + 1);
        if (played->fault != PLAYER_NONE && !tallies[loser].advised) {
            tallies[loser].advised = true;
            text_add(&text, ". %s", remedy((EndReason)record->reason));
        }
        progress_say(spec->progress, text.data);
    }
}

// Adds a game that was just played to the totals of its two players, and reports failures and false
// claims. With --verbose also prints a line about the game.
static void add_played_game(const ContestSpec *spec, const PlayedGame *played,
                            ContestTally *tallies) {
    const GameRecord *record = &played->record;
    add_side(&tallies[record->red_player - 1].side, &played->tally[RED]);
    add_side(&tallies[record->black_player - 1].side, &played->tally[BLACK]);
    tallies[record->red_player - 1].claims += played->claims[RED] > 0;
    tallies[record->black_player - 1].claims += played->claims[BLACK] > 0;
    if (spec->verbose && spec->progress) {
        AUTO(Text) text = {0};
        text_add(&text, "game %llu: %s - %s %s %s, %u plies", (unsigned long long)record->index,
                 spec->players[record->red_player - 1].spec.name,
                 spec->players[record->black_player - 1].spec.name, result_to_text(record->result),
                 end_reason_name((EndReason)record->reason), record->ply_count);
        progress_say(spec->progress, text.data);
    }
    report_failures(spec, played, tallies);
}

uint64_t contest_faults(const uint64_t reasons[END_REASON_COUNT]) {
    uint64_t faults = 0;
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (end_reason_is_fault((EndReason)i)) faults += reasons[i];
    }
    return faults;
}

// If a player lost the game by failing to play (crash, illegal move, ...), counts the failure.
// `note` describes the failure; it is "" for a stored game. Returns false if the player has now
// failed too often, and its pairing must be stopped.
static bool count_fault(const ContestSpec *spec, const GameRecord *record, const char *note,
                        PairingFaults *faults, ContestTally *tallies) {
    if (!end_reason_is_fault((EndReason)record->reason)) return true;
    const int red = record->red_player - 1, black = record->black_player - 1;
    const int loser = record->result < 0 ? red : black;
    tallies[loser].faults++;
    const uint64_t count = ++faults->count[loser == (red < black ? red : black) ? 0 : 1];
    if (count <= CONTEST_MOST_FAULTS) return true;
    snprintf(faults->why, sizeof faults->why,
             "%.64s failed to play in %llu games, the last time: %s%s%s; its pairing is stopped",
             spec->players[loser].spec.name, (unsigned long long)count,
             end_reason_name((EndReason)record->reason), *note ? ", " : "", note);
    return false;
}

// ---- playing a game -----------------------------------------------------------------------------

// Makes player `who` ready for a game. If a player that was started for an earlier game cannot be
// made ready (STATUS_ENGINE), sets *lost, describes the failure in `err` and returns STATUS_OK.
static Status ready_player(const ContestSpec *spec, int who, Player **player, bool *lost,
                           Err *err) {
    const PlayerSetup *wanted = &spec->players[who];
    const bool known = *player != NULL;
    const Status status = player_ready(wanted, &spec->play.rules, player, err);
    *lost = known && status == STATUS_ENGINE;
    if (status != STATUS_OK && !*lost) err_prefix(err, "%s", wanted->spec.name);
    return *lost ? STATUS_OK : status;
}

// Plays game number `index` of the contest. Players are numbered from 1 in the game record, and
// from 0 in the contest. A player that was started before and then does not answer or start again
// loses the game. If a player cannot be started at all, or its program is no longer found, returns
// the error of player_ready(). Also returns the errors of opening_make() and play_game().
static Status play_contest_game(void *context, GameWorker *worker, uint64_t index,
                                PlayedGame *played, Err *err) {
    const ContestResult *result = ((const Contest *)context)->result;
    const ContestSpec *spec = ((const Contest *)context)->spec;
    const uint64_t seed = spec->seed ^ CONTEST_STREAM;
    const PairingCounts *pairing = &result->pairings[pairing_of(result, index)];
    const int pair[2] = {pairing->first, pairing->second};
    const int sides[SIDE_COUNT] = {pair[index % 2], pair[1 - index % 2]};
    bool lost = false;
    Side loser = RED;
    TRY(opening_make(&spec->openings, seed, index / 2 / result->pairing_count, &spec->play.rules,
                     worker->opening_search, &worker->game, err));
    for (int side = RED; side <= BLACK && !lost; side++) {
        TRY(ready_player(spec, sides[side], &worker->players[sides[side]], &lost, err));
        loser = (Side)side;
    }
    if (lost) {
        play_forfeit(&worker->game, loser, err->text, played);
    } else {
        PlaySpec play_spec = spec->play;
        Player *players[SIDE_COUNT];
        Random random;
        for (int side = RED; side <= BLACK; side++) {
            const PlayerSpec *player = &spec->players[sides[side]].spec;
            play_spec.controls[side] = player->limits.control;
            play_spec.margin_ns[side] = player->has_margin ? player->margin_ns : spec->margin_ns;
            players[side] = worker->players[sides[side]];
        }
        random_init(&random, random_mix(seed), index);
        TRY(play_game(&play_spec, players, &worker->game, &random, played));
    }
    played->record.index = index;
    played->record.red_player = (uint8_t)(1 + sides[RED]);
    played->record.black_player = (uint8_t)(1 + sides[BLACK]);
    AUTO(Text) note = {0};
    TagList tags = {0};
    add_game_note(spec, played, &note);
    if (note.length) tag_list_add(&tags, TAG_NOTE, note.data, note.length);
    free(played->tags);
    played->tags = tags.list;
    played->record.tag_count = tags.count;
    return STATUS_OK;
}

static bool wanted(void *context, uint64_t index) {
    const ContestResult *result = ((const Contest *)context)->result;
    return result->faults[pairing_of(result, index)].why[0] == '\0';
}

// ---- counting results ---------------------------------------------------------------------------

static void end(Contest *contest, Status status) {
    contest->over = true;
    contest->status = status;
}

// Returns the result of a game for the first player of its pairing: 1 for a win, 0 for a draw, -1
// for a loss.
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

uint64_t contest_moves_key(const GameRecord *game, const PlyRecord *plies) {
    uint64_t key = game->ply_count;
    for (uint32_t i = 0; i < game->ply_count; i++) key = random_mix(key ^ (uint64_t)plies[i].move);
    return key;
}

// Counts the result of a game and, after the second game of a pair, the result of the pair. A match
// counts only whole pairs. After each pair, the SPRT of the match, if it has one, decides whether
// to stop. `moves` is the contest_moves_key() of the game.
static void count_result(Contest *contest, const GameRecord *record, uint64_t moves) {
    ContestResult *result = contest->result;
    const bool match = contest->spec->kind == MATCH, second = record->index % 2 == 1;
    const bool pair = second && contest->has_first && contest->first.index + 1 == record->index;
    if (match && pair) count_record(result, &contest->first);
    if (!match || pair) count_record(result, record);
    if (pair) {
        const int first = 1 + points_of(&contest->first), last = 1 + points_of(record);
        PairingCounts *pairing = &result->pairings[pairing_of(result, record->index)];
        pairing->pairs[first + last]++;
        pairing->alike += moves == contest->first_moves &&
                          !end_reason_is_fault((EndReason)record->reason) &&
                          !end_reason_is_fault((EndReason)contest->first.reason);
        match_counts_add_pair(&result->counts, first, last);
    }
    if (pair && contest->spec->has_sprt) {
        const Status status =
            sprt_report(&contest->spec->sprt, &result->counts, &result->sprt, &contest->err);
        if (status != STATUS_OK || result->sprt.decision != SPRT_CONTINUE) end(contest, status);
    }
    contest->first = *record;
    contest->first_moves = moves;
    contest->has_first = !second;
}

// Counts the result of a game and, if a player lost it by failing to play, the failure. `note`
// describes the failure; it is "" for a stored game.
static void count_game(Contest *contest, const GameRecord *record, const PlyRecord *plies,
                       const char *note) {
    ContestResult *result = contest->result;
    PairingFaults *faults = &result->faults[pairing_of(result, record->index)];
    const bool stopped = faults->why[0] != '\0';
    count_result(contest, record, contest_moves_key(record, plies));
    if (contest->status != STATUS_OK ||
        count_fault(contest->spec, record, note, faults, result->tallies)) {
        return;
    }
    result->stopped += !stopped;
    if (contest->spec->kind == MATCH) {
        end(contest, err_set(&contest->err, STATUS_ENGINE, "%s", faults->why));
    }
}

// Counts the signs of the scores of the programs that played a game, and says once for each program
// if they are wrong. Also compares the numbers of nodes with the node limits.
static void count_signs(Contest *contest, const GameRecord *record, const PlyRecord *plies) {
    const int numbers[SIDE_COUNT] = {record->red_player, record->black_player};
    for (int side = RED; side <= BLACK; side++) {
        const PlayerSpec *player = &contest->spec->players[numbers[side] - 1].spec;
        ContestTally *tally = &contest->result->tallies[numbers[side] - 1];
        AUTO(Text) remark = {0};
        if (!player->program) continue;
        node_ratios_count(&tally->ratios, player->limits.nodes, record, plies, (Side)side);
        score_signs_count(&tally->signs, record, plies,
                          (const bool[SIDE_COUNT]){side == RED, side == BLACK}, contest->weights);
        if (tally->warned || !contest->spec->progress ||
            !score_signs_remark(&tally->signs, player, &remark)) {
            continue;
        }
        tally->warned = true;
        progress_say(contest->spec->progress, remark.data);
    }
}

// Calls contest->done(), which updates displays. In a match only the second game of a pair calls
// it.
static void show_game(const Contest *contest, uint64_t index) {
    if (contest->done && (contest->spec->kind != MATCH || index % 2 == 1)) {
        contest->done(contest->done_context, contest->result);
    }
}

// Counts the stored games from contest->next to end_index - 1.
static void count_stored(Contest *contest, uint64_t end_index) {
    for (; contest->stream && contest->next < end_index && !contest->over; contest->next++) {
        const GameRecord *game = NULL;
        const PlyRecord *plies = NULL;
        Status status =
            game_stream_find(contest->stream, contest->next, &game, &plies, &contest->err);
        if (status == STATUS_OK && game) {
            status = add_stored_game(contest->spec, game, plies, contest->result->tallies,
                                     &contest->err);
        }
        if (status != STATUS_OK) {
            end(contest, status);
        } else if (game) {
            contest->result->already++;
            count_signs(contest, game, plies);
            count_game(contest, game, plies, "");
            show_game(contest, game->index);
        }
    }
}

// Returns the index of the first game from `next` on that is not stored, or the number of games of
// the contest if all of these are stored.
static uint64_t next_missing(const Contest *contest, uint64_t next) {
    for (size_t i = 0; i < contest->run.missing_count; i++) {
        const OptionRange range = contest->run.missing[i];
        if (next < range.end) return next > range.first ? next : range.first;
    }
    return contest_games(contest->spec);
}

static bool accept(void *context, const PlayedGame *played) {
    Contest *contest = context;
    const uint64_t index = played->record.index;
    count_stored(contest, index);
    if (contest->over) return false;
    add_played_game(contest->spec, played, contest->result->tallies);
    const Status status = contest_pgn_add(contest->pgn, played, &contest->err);
    if (status != STATUS_OK) end(contest, status);
    if (contest->over) return false;
    count_signs(contest, &played->record, played->plies);
    count_game(contest, &played->record, played->plies, played->note);
    show_game(contest, index);
    contest->next = index + 1;
    count_stored(contest, next_missing(contest, index + 1));
    return !contest->over;
}

// ---- opening and closing the run ----------------------------------------------------------------

// Opens the run directory, the PGN file of --pgn and, if games are already stored, a stream that
// reads them. Counts the stored games before the first missing game.
static Status open_run(Contest *contest, const Schedule *schedule, Err *err) {
    const ContestSpec *spec = contest->spec;
    TRY(run_open(&schedule->run, &contest->run, err));
    if (spec->pgn_path && mpi_rank() == 0) {
        TRY(contest_pgn_open(spec, &contest->run, &contest->pgn, err));
    }
    if (contest->run.present_games > 0) {
        TRY(store_open(spec->schedule.run.dir, &contest->store, err));
        contest->stream = game_stream_open(contest->store);
    }
    if (contest->done) contest->done(contest->done_context, contest->result);
    count_stored(contest, next_missing(contest, 0));
    return STATUS_OK;
}

static Status close_run(Contest *contest, Status status, Err *err) {
    contest->result->interrupted = interrupt_requested();
    // In a match, stored games after a game that was not played are not counted, because the SPRT
    // must see the pairs in order.
    if (status == STATUS_OK && contest->spec->kind != MATCH)
        count_stored(contest, contest_games(contest->spec));
    game_stream_close(contest->stream);
    store_close(contest->store);
    run_close(&contest->run);
    if (status == STATUS_OK && contest->status != STATUS_OK) {
        status = contest->status;
        if (err) *err = contest->err;
    }
    const Status closed = contest_pgn_close(contest->pgn, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? closed : status;
}

Status contest_run(const ContestSpec *spec, ContestDone *done, void *context, ContestResult *result,
                   Err *err) {
    *result = (ContestResult){.counts = {.has_pairs = true, .has_games = true}};
    make_pairings(spec, result);
    Contest contest = {.spec = spec, .done = done, .done_context = context, .result = result};
    const OptionRange games = {0, contest_games(spec)};
    Weights opening_weights;
    TRY(weights_default(&opening_weights, err));
    contest.weights = &opening_weights;
    Schedule schedule = spec->schedule;
    schedule.run.wanted = &games;
    schedule.run.wanted_count = 1;
    const GameSource source = {.context = &contest,
                               .player_count = spec->player_count,
                               .opening_weights = &opening_weights,
                               .opening_hash_mb = CONTEST_OPENING_HASH_MB,
                               .rules = &spec->play.rules,
                               .play = play_contest_game,
                               .accept = accept,
                               .wanted = wanted,
                               .progress = spec->progress};
    if (spec->has_sprt) TRY(sprt_report(&spec->sprt, &result->counts, &result->sprt, err));
    const double began = clock_process_cpu_s();
    Status status = open_run(&contest, &schedule, err);
    if (status == STATUS_OK && !contest.over) {
        status = schedule_play(&schedule, &contest.run, &source, err);
    }
    status = close_run(&contest, status, err);
    if (mpi_size() == 1) result->cpu_s = clock_process_cpu_s() - began;
    return status;
}

double contest_cpu_s_per_game(const ContestResult *result) {
    const double games = (double)match_counts_games(&result->counts) - (double)result->already;
    return games > 0 ? result->cpu_s / games : 0;
}

void contest_result_clear(ContestResult *result) {
    free(result->pairings);
    free(result->faults);
    free(result->tallies);
    *result = (ContestResult){.pairings = NULL};
}
