// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/play_game.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"

void played_sums_add(PlayedSums *sums, const PlayedSums *more) {
#define PLAYED_SUM(name, meaning) sums->name += more->name;
    PLAYED_SUMS(PLAYED_SUM)
#undef PLAYED_SUM
    score_signs_add(&sums->signs, &more->signs);
}

void played_sums_record(Record *record, const PlayerSpec *player, const PlayedSums *sums) {
    const ScoreFaults faults = {sums->bounds, sums->unread_scores, &sums->signs};
    score_faults_record(&faults, player, "", record);
}

void played_game_clear(PlayedGame *played) {
    free(played->plies);
    free(played->tags);
    *played = (PlayedGame){0};
}

// ---- recording a game ------------------------------------------------------------------------

static PlyRecord *next_ply_record(PlayedGame *played) {
    played->plies = memory_room(played->plies, &played->capacity, played->record.ply_count + 1,
                                sizeof *played->plies);
    PlyRecord *ply = &played->plies[played->record.ply_count++];
    *ply = (PlyRecord){.score_red = SCORE_UNKNOWN};
    return ply;
}

static void begin_record(const OddsGame *og, PlayedGame *played) {
    GameRecord *record = &played->record;
    *record = (GameRecord){.start = og->start};
    if (og->odds) {
        memcpy(record->odds, og->odds->name, sizeof record->odds);
        record->extra_plies = (uint32_t)odds_extra_plies(og->odds);
    }
    memset(played->tally, 0, sizeof played->tally);
    played->fault = PLAYER_NONE;
    played->note[0] = '\0';
    memset(played->claims, 0, sizeof played->claims);
    for (size_t i = 0; i < odds_game_plies(og); i++) {
        next_ply_record(played)->move = odds_game_move(og, i);
    }
    record->opening_plies = record->ply_count;
}

// Limits a score to +-SCORE_EVAL_MAX. Scores of wins by the repetition rules exceed this limit.
static int16_t clamp_score(int score) {
    return (int16_t)(score > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
                     : score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                               : score);
}

void ply_take_reply(PlyRecord *ply, const PlayerReply *reply, Side stm) {
    const int sign = stm == RED ? 1 : -1;
    ply->best = reply->move == ply->move ? MOVE_NONE : reply->move;
    ply->score_red = SCORE_UNKNOWN;
    ply->mate_red = 0;
    ply->time_ms = 0;
    if (reply->info.has_score) {
        ply->mate_red = (int16_t)(sign * reply->info.mate);
        ply->score_red = (int16_t)(reply->info.mate ? 0 : sign * clamp_score(reply->info.score_cp));
    }
    ply->depth = (uint8_t)(reply->info.depth < 255 ? reply->info.depth : 255);
    ply->nodes = (uint32_t)(reply->info.nodes < UINT32_MAX ? reply->info.nodes : UINT32_MAX);
}

static void record_reply(const OddsGame *og, const PlayerReply *reply, Move move, bool timed,
                         PlayedGame *played) {
    const Position *now = &og->game.now;
    PlyRecord *ply = next_ply_record(played);
    ply->move = move;
    ply_take_reply(ply, reply, (Side)now->stm);
    ply->sampled = !reply->info.mate && abs(reply->info.score_cp) < SCORE_EVAL_MAX &&
                   !position_in_check(now) && !position_is_capture(now, move);
    if (timed) {
        const int64_t ms = (reply->time_ns + MS_NS / 2) / MS_NS;
        ply->time_ms = (uint32_t)(ms < 1 ? 1 : ms < UINT32_MAX ? ms : UINT32_MAX);
    }
    SideTally *tally = &played->tally[now->stm];
    tally->moves++;
    tally->nodes += reply->info.nodes;
    tally->depth_sum += (uint64_t)reply->info.depth;
    tally->bounds += !reply->info.has_score && reply->info.ends_with_bound;
    tally->unread += reply->info.unread_score;
    tally->timed++;
    tally->time_ns += reply->time_ns;
}

// ---- ends of a game ----------------------------------------------------------------------------

// Returns the score of a ply from Red's side: +-SCORE_MATE for a mate, 0 if the ply has no score.
static int ply_score(const PlyRecord *ply) {
    return ply->mate_red > 0                 ? SCORE_MATE
           : ply->mate_red < 0               ? -SCORE_MATE
           : ply->score_red == SCORE_UNKNOWN ? 0
                                             : ply->score_red;
}

// Decides after a ply whether the game is adjudicated. Returns the reason and sets *result, or
// returns END_NONE if the game continues.
static EndReason adjudicate(const Adjudication *rules, const PlayedGame *played, int8_t *result) {
    const GameRecord *record = &played->record;
    const int most = RESIGN_PLIES > DRAW_PLIES ? RESIGN_PLIES : DRAW_PLIES;
    // Three numbers of consecutive plies, counted back from the last ply: those whose scores say
    // that Red wins, that Black wins, and that the game is level.
    int red = 0, black = 0, level = 0;
    for (int i = 0; i < most && record->ply_count - (uint32_t)i > record->opening_plies; i++) {
        const PlyRecord *ply = &played->plies[record->ply_count - 1 - (uint32_t)i];
        const int score = ply_score(ply);
        red += red == i && score >= rules->resign_score;
        black += black == i && score <= -rules->resign_score;
        level += level == i && ply->score_red != SCORE_UNKNOWN && abs(score) <= rules->draw_score;
    }
    *result = 0;
    if (rules->resign_score && (red >= RESIGN_PLIES || black >= RESIGN_PLIES)) {
        *result = red >= RESIGN_PLIES ? 1 : -1;
        return END_RESIGN_ADJUDICATION;
    }
    if (rules->draw_score && level >= DRAW_PLIES && record->ply_count >= DRAW_AFTER) {
        return END_DRAW_ADJUDICATION;
    }
    return END_NONE;
}

static void end_game(PlayedGame *played, EndReason reason, int result) {
    played->record.reason = (uint8_t)reason;
    played->record.result = (int8_t)result;
}

// If the game is over by the rules, by adjudication or because of its length, records the end and
// returns true.
static bool game_is_over(const PlaySpec *spec, const OddsGame *og, PlayedGame *played) {
    const Judgement end = odds_game_judge(&spec->rules, og);
    if (end.verdict != VERDICT_NONE) {
        end_game(played, end.reason, verdict_result(end.verdict));
        return true;
    }
    GameRecord *record = &played->record;
    int8_t result;
    const EndReason reason = adjudicate(&spec->adjudication, played, &result);
    if (reason != END_NONE) {
        record->adjudicated_ply = record->ply_count;
        record->adjudicated_result = result;
        end_game(played, reason, result);
        return true;
    }
    if (spec->adjudication.max_plies &&
        record->ply_count >= (uint32_t)spec->adjudication.max_plies) {
        end_game(played, END_MAX_PLIES, 0);
        return true;
    }
    return false;
}

EndReason play_fault_end(PlayerFault fault) {
    static const EndReason reasons[] = {
#define PLAYER_FAULT(id, name, end, meaning) end,
#include "selfplay/engines/player_faults.def"
    };
    return reasons[fault];
}

PlayerFault play_reply_fault(const OddsGame *og, const PlayerReply *reply,
                             char note[PLAYER_TEXT_SIZE]) {
    char move[5];
    if (reply->fault != PLAYER_NONE || reply->resigns) return reply->fault;
    if (reply->move == MOVE_NONE) return PLAYER_CLAIM;
    if (odds_game_allows(og, reply->move)) return PLAYER_NONE;
    move_to_uci(reply->move, move);
    snprintf(note, PLAYER_TEXT_SIZE, "the handicap %s does not allow its move %s",
             og->odds ? og->odds->name : "-", move);
    return PLAYER_ILLEGAL;
}

// An answer without a move after this number of plies without a capture is taken for the claim of a
// draw.
enum { CLAIM_PLIES = 40 };

// If the side to move loses because of its reply, records the end and returns true. It loses if it
// resigns, exceeds its time, fails, or plays no move or an illegal one. In all cases except a
// resignation, also records the fault.
static bool answer_loses(const PlaySpec *spec, const OddsGame *og, const PlayerReply *reply,
                         Clock *clock, PlayedGame *played) {
    const int loss = og->game.now.stm == RED ? -1 : 1;
    const int64_t margin_ns = spec->margin_ns[og->game.now.stm];
    PlayerFault fault = reply->fault;
    if (fault == PLAYER_NONE && reply->resigns) {
        end_game(played, END_RESIGNATION, loss);
        return true;
    }
    if (fault == PLAYER_NONE && clock_is_used(clock) &&
        !clock_move(clock, reply->time_ns, margin_ns)) {
        fault = PLAYER_LATE;
    }
    if (fault == PLAYER_LATE && clock_is_used(clock)) {
        const long long took = reply->time_ns / MS_NS, had = clock->left_ns / MS_NS;
        snprintf(played->note, sizeof played->note,
                 "it took %lld ms and had %lld ms: %lld ms over, the margin is %lld ms", took, had,
                 took - had, (long long)(margin_ns / MS_NS));
    }
    if (fault == PLAYER_NONE) fault = play_reply_fault(og, reply, played->note);
    if (fault == PLAYER_NONE) return false;
    played->fault = fault;
    const int quiet = og->game.now.halfmove;
    if (reply->no_move && quiet >= CLAIM_PLIES) {
        snprintf(played->note, sizeof played->note,
                 "claims a draw at ply %d without capture; the rules say %d: --no-capture %d",
                 quiet, spec->rules.no_capture_plies, quiet);
    }
    if (!played->note[0]) memcpy(played->note, reply->note, sizeof played->note);
    end_game(played, play_fault_end(fault), loss);
    return true;
}

// ---- playing a game ----------------------------------------------------------------------------

// Returns true if this process was stopped for a time (interrupt_stops()) and the pause has
// affected the game: a clock ran meanwhile, or the player seems to have failed. `stops` is the
// number of stops at the last call, or at the start of the game.
static bool is_spoiled(const PlaySpec *spec, const PlayerTurn *turn, const PlayerReply *reply,
                       unsigned *stops) {
    enum { HANDLER_MS = 100 }; // time in which the handler of SIGCONT runs in some other thread
    const Side stm = (Side)turn->game->now.stm;
    const Clock *clock = &turn->clocks[stm];
    const unsigned before = *stops;
    const bool late =
        reply->fault != PLAYER_NONE ||
        (clock_is_used(clock) && reply->time_ns > clock->left_ns + spec->margin_ns[stm]);
    if (late && interrupt_stops() == before) {
        nanosleep(&(struct timespec){.tv_nsec = HANDLER_MS * MS_NS}, NULL);
    }
    *stops = interrupt_stops();
    return *stops != before &&
           (late || clock_is_used(&turn->clocks[RED]) || clock_is_used(&turn->clocks[BLACK]));
}

// Returns the move to play: the best move or, on plies with noise (several lines in the reply), a
// random move of the lines that score at most NOISE_WINDOW units below the best.
static Move choose(const PlayerReply *reply, Random *random) {
    int near = 0;
    while (near < reply->line_count &&
           reply->lines[0].score - reply->lines[near].score <= NOISE_WINDOW) {
        near++;
    }
    if (near < 2) return reply->move;
    return reply->lines[random_below(random, (uint64_t)near)].move;
}

static void finish(PlayedGame *played) {
    GameRecord *record = &played->record;
    record->end_ply = record->ply_count;
    record->end_reason = record->reason;
}

void play_forfeit(const OddsGame *og, Side loser, const char *note, PlayedGame *played) {
    begin_record(og, played);
    played->fault = PLAYER_START;
    snprintf(played->note, sizeof played->note, "%s", note);
    end_game(played, play_fault_end(PLAYER_START), loser == RED ? -1 : 1);
    finish(played);
}

Status play_game(const PlaySpec *spec, Player *const players[SIDE_COUNT], OddsGame *og,
                 Random *random, PlayedGame *played) {
    begin_record(og, played);
    // Draw one random number and ignore it. Earlier versions of the program used this number, so
    // their runs are still reproduced exactly.
    random_real(random);
    const uint32_t noise_end = played->record.opening_plies + (uint32_t)spec->noise_plies;
    PlayerTurn turn = {.game = &og->game};
    for (int side = RED; side <= BLACK; side++) {
        clock_start(&turn.clocks[side], &spec->controls[side]);
    }
    bool draw_offered = false;
    unsigned stops = interrupt_stops();
    while (!game_is_over(spec, og, played)) {
        const Side stm = (Side)og->game.now.stm;
        Clock *clock = &turn.clocks[stm];
        turn.patience_ns =
            clock_is_used(clock) ? clock->left_ns + spec->margin_ns[stm] : spec->patience_ns;
        turn.odds = odds_game_state(og);
        turn.multi_pv = played->record.ply_count < noise_end ? NOISE_LINES : 1;
        Player *const other = players[side_other(stm)];
        if (other != players[stm]) player_ponder(other, &turn);
        PlayerReply reply;
        player_go(players[stm], &turn, &reply);
        if (reply.interrupted || is_spoiled(spec, &turn, &reply, &stops)) return STATUS_INTERRUPTED;
        if (reply.fault == PLAYER_NONE &&
            reply.note[0]) { // ignore the false claim that the game is over or a move is illegal
            played->claims[stm]++;
            memcpy(played->claim[stm], reply.note, sizeof played->claim[stm]);
        }
        if (answer_loses(spec, og, &reply, clock, played)) break;
        const Move move = choose(&reply, random);
        record_reply(og, &reply, move, spec->timed, played);
        odds_game_push(og, move);
        if (draw_offered && reply.offers_draw &&
            odds_game_judge(&spec->rules, og).verdict == VERDICT_NONE) {
            end_game(played, END_AGREED_DRAW, 0);
            break;
        }
        draw_offered = reply.offers_draw;
    }
    finish(played);
    return STATUS_OK;
}
