// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/analysis/review.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/network.h"
#include "core/system/interrupt.h"

const char *const review_mark_names[] = {
#define REVIEW_MARK(id, name, from) name,
    REVIEW_MARKS(REVIEW_MARK)
#undef REVIEW_MARK
};
const double review_mark_from[] = {
#define REVIEW_MARK(id, name, from) from,
    REVIEW_MARKS(REVIEW_MARK)
#undef REVIEW_MARK
};

// A suspected mistake is compared with the best move this number of times (see review.h).
enum { CHECKS = 3 };

// K, the factor that converts scores into expected points, for the compiled default weights.
// `train` found it when it made the network of E-074, which corrects these weights.
static const double USUAL_K = 0.0033477786;

bool review_find_k(const PlayerSetup *player, double *k) {
    AUTO_FREE char *text = NULL;
    const Network *network = player->network;
    Err ignored;
    *k = USUAL_K;
    if (player->spec.program) return false;
    if (!network && weights_read_text(player->weights_name, &text, &ignored) != STATUS_OK)
        return false;
    for (const char *line = network ? text_get(&network->provenance) : text; line && *line;) {
        double value;
        if (sscanf(line, network ? "k %lf" : "# k %lf", &value) == 1 && value > 0 && value < 1) {
            *k = value;
            return true;
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return false;
}

uint32_t review_first_ply(const GameRecord *game) {
    return game->opening_plies > game->extra_plies ? game->opening_plies : game->extra_plies;
}

// ---- review of one game -------------------------------------------------------------------------

typedef struct ReviewThread {
    const ReviewSpec *spec;
    Player *player;
    OddsGame og;
    Odds odds;
} ReviewThread;

// Sets up the position after the first `plies` plies of the game. Returns STATUS_CORRUPT if one of
// their moves is illegal.
static Status set_up(ReviewThread *thread, const ReviewedGame *game, uint32_t plies, Err *err) {
    const GameRecord *record = game->game.game;
    odds_game_reset(&thread->og, &record->start, record->odds[0] ? &thread->odds : NULL);
    for (uint32_t i = 0; i < plies; i++) {
        const Move move = game->plies[i].move;
        if (!odds_game_allows(&thread->og, move)) {
            return err_set(
                err, STATUS_CORRUPT,
                "game %llu: ply %u is an illegal move; 'paotai data verify' reports the details",
                (unsigned long long)record->index, i + 1);
        }
        odds_game_push(&thread->og, move);
    }
    return STATUS_OK;
}

static double expected_points(double k, const SearchInfo *info) {
    return info->mate ? info->mate > 0 : 1 / (1 + exp(-k * info->score_cp));
}

// Sets *red to the expected points of Red in the current position, and *reply to the answer of the
// search. If `judged` is set, first checks whether the rules end the game in this position. If they
// do, *red is the result of the game, and *reply contains no move.
static Status find_value(ReviewThread *thread, bool judged, PlayerReply *reply, double *red,
                         Err *err) {
    const ReviewSpec *spec = thread->spec;
    *reply = (PlayerReply){.fault = PLAYER_NONE};
    if (judged) {
        const Judgement end = odds_game_judge(&spec->rules, &thread->og);
        *red = (1 + verdict_result(end.verdict)) / 2.0;
        if (end.verdict != VERDICT_NONE) return STATUS_OK;
    }
    TRY(player_search(spec->player, &spec->rules, &thread->og, &thread->player, reply, err));
    if (reply->fault || !reply->info.has_score || reply->move == MOVE_NONE) {
        return err_set(err, STATUS_ENGINE, "%s: %s %s", spec->player->spec.name,
                       reply->fault ? player_fault_name(reply->fault)
                                    : "it returned no move or no score",
                       reply->note);
    }
    const double points = expected_points(spec->k, &reply->info);
    *red = thread->og.game.now.stm == RED ? points : 1 - points;
    return STATUS_OK;
}

// Appends moves to review->line. Stops before the first move that is illegal.
static void add_line(const Position *from, const Move *moves, int count, ReviewPly *review) {
    Position now = *from, after;
    for (int i = 0; i < count && review->count < PLAYER_EXPECTED_MAX; i++) {
        const Move move = moves[i];
        if (!position_is_pseudo_legal(&now, move) || !position_is_legal(&now, move)) return;
        review->line[review->count++] = move;
        position_do_move(&now, move, &after);
        now = after;
    }
}

// Sets the loss of ply i to max(0, min(before, best) - played). These are values for the side to
// move: `before` of the position before the ply, `best` after the best move, `played` after the
// played move. Compares the two moves CHECKS times and keeps the last loss: repeated searches
// get deeper, because they find earlier results in the transposition table.
// `after` is the value after the played move from an earlier search, in expected points of Red. The
// first comparison uses it instead of a new search. Sets *answer to the result of the last search
// after the best move. `sign` is 1 if Red moves, -1 if Black moves.
static Status compare(ReviewThread *thread, ReviewedGame *game, uint32_t i, Move best_move,
                      double sign, double after, PlayerReply *answer, Err *err) {
    ReviewPly *review = &game->reviews[i];
    for (int round = 0; round < CHECKS; round++) {
        double best;
        TRY(set_up(thread, game, i, err));
        odds_game_push(&thread->og, best_move);
        TRY(find_value(thread, true, answer, &best, err));
        if (round > 0) {
            PlayerReply ignored;
            TRY(set_up(thread, game, i + 1, err));
            TRY(find_value(thread, i + 1 == game->game.game->ply_count, &ignored, &after, err));
        }
        review->loss = fmax(0, fmin(sign * best, sign * review->expected) - sign * after);
    }
    return STATUS_OK;
}

// Rounds a loss to four decimals, as it is printed. The mark of the move (inaccuracy, mistake or
// blunder) then agrees with the printed loss.
static double rounded(double loss) {
    return round(1e4 * loss) / 1e4;
}

// Finds the loss, the mark and the best line of ply i. The caller has set up and searched the
// position before the ply; `reply` is the result of this search. `after` is the value of the
// position after the played move, in expected points of Red.
static Status review_ply(ReviewThread *thread, ReviewedGame *game, uint32_t i,
                         const PlayerReply *reply, double after, Err *err) {
    ReviewPly *review = &game->reviews[i];
    PlyRecord *ply = &game->plies[i];
    const Position position = thread->og.game.now;
    const double sign = position.stm == RED ? 1 : -1;
    PlayerReply answer = {.expected_count = 0};
    ply->side = position.stm;
    ply_take_reply(ply, reply, (Side)position.stm);
    if (reply->move != ply->move) {
        review->loss = rounded(fmax(0, sign * (review->expected - after)));
        if (review->loss >= review_mark_from[1]) {
            TRY(compare(thread, game, i, reply->move, sign, after, &answer, err));
            review->loss = rounded(review->loss);
        }
    }
    // The line is the best move and the principal variation after it. If compare() has searched the
    // position after the best move, use the variation of that search (`answer`): it was deeper than
    // the search before the move (`reply`).
    Position next;
    const bool later = answer.expected_count > 0;
    position_do_move(&position, reply->move, &next);
    add_line(&position, &reply->move, 1, review);
    add_line(&next, later ? answer.expected : reply->expected + 1,
             later ? answer.expected_count : reply->expected_count - 1, review);
    while (review->mark + 1 < REVIEW_MARK_COUNT &&
           review->loss >= review_mark_from[review->mark + 1])
        review->mark++;
    return STATUS_OK;
}

// Returns the accuracy in per cent of a move that loses `loss` expected points. The formula is from
// Lichess (lichess.org/page/accuracy); it yields 100 for 0, 64 for 0.1 and 40 for 0.2.
static double accuracy_of(double loss) {
    return fmin(100, fmax(0, 103.1668 * exp(-4.354 * loss) - 3.1668));
}

static void sum_sides(ReviewedGame *game) {
    double sums[SIDE_COUNT] = {0};
    for (uint32_t i = review_first_ply(game->game.game); i < game->game.game->ply_count; i++) {
        const Side side = (Side)game->plies[i].side;
        game->sides[side].moves++;
        game->sides[side].marks[game->reviews[i].mark]++;
        sums[side] += accuracy_of(game->reviews[i].loss);
    }
    for (int s = 0; s < SIDE_COUNT; s++) game->sides[s].accuracy = sums[s] / game->sides[s].moves;
}

static Status review_game(ReviewThread *thread, ReviewedGame *game, Err *err) {
    const ReviewSpec *spec = thread->spec;
    if (game->game.game->odds[0]) TRY(odds_by_name(game->game.game->odds, &thread->odds, err));
    const uint32_t count = game->game.game->ply_count;
    TRY(player_ready(spec->player, &spec->rules, &thread->player, err));
    double after = 0.5;
    for (uint32_t i = count + 1; i-- > review_first_ply(game->game.game);) {
        PlayerReply reply;
        double value;
        TRY(set_up(thread, game, i, err));
        // A recorded game may continue after the rules would have ended it. Such a game is reviewed
        // to its last move. Therefore the rules judge only the final position, no earlier one.
        TRY(find_value(thread, i == count, &reply, &value, err));
        if (i == count) {
            game->expected = value;
        } else {
            game->reviews[i].expected = value;
            TRY(review_ply(thread, game, i, &reply, after, err));
        }
        // After a signal a search ends before its limit, so its value is useless.
        if (interrupt_requested()) return STATUS_INTERRUPTED;
        after = value;
    }
    sum_sides(game);
    return STATUS_OK;
}

// ---- review of all games ------------------------------------------------------------------------

typedef struct Review {
    const ReviewSpec *spec;
    ReviewThread *threads;
    GameBatch batch;     // games that were read and are not reviewed yet
    ReviewedGame *games; // games of the batch and the losses of their moves, [room]
    size_t room;
    uint64_t plies; // number of plies of the finished games, for the progress line
    Progress *progress;
    Status failed; // status of review_block() if it failed in refuse_record(), which cannot return
                   // a status; otherwise STATUS_OK
    Err err;
} Review;

static void begin_game(Review *review, size_t i) {
    ReviewedGame *game = &review->games[i];
    GameRecord *record = &review->batch.games[i];
    game->game.game = record;
    game->game.plies = game->plies = review->batch.plies + record->first_ply;
    game->game.tags = game_batch_tags(&review->batch, record);
    game->reviews = memory_alloc(record->ply_count, sizeof *game->reviews);
    for (uint32_t ply = 0; ply < record->ply_count; ply++) {
        game->plies[ply] = (PlyRecord){.move = game->plies[ply].move, .score_red = SCORE_UNKNOWN};
    }
}

static void clear_games(Review *review) {
    for (size_t i = 0; i < review->batch.count; i++) {
        free(review->games[i].reviews);
        for (int name = 0; name < 4; name++) free(review->games[i].names[name]);
    }
    game_batch_reset(&review->batch);
}

// Reviews the games of the batch in parallel and passes them to spec->reviewed() in their order.
static Status review_block(Review *review, Err *err) {
    const ReviewSpec *spec = review->spec;
    const int count = (int)review->batch.count;
    const int used = spec->threads < count ? spec->threads : count;
    if (count == 0) return STATUS_OK;
    AUTO_FREE Status *states = memory_alloc((size_t)count, sizeof *states);
    AUTO_FREE Err *errors = memory_alloc((size_t)count, sizeof *errors);
    for (int i = 0; i < count; i++) begin_game(review, (size_t)i);
#pragma omp parallel for schedule(dynamic, 1) num_threads(used) if (used > 1)
    for (int i = 0; i < count; i++) {
        ReviewedGame *game = &review->games[i];
        states[i] = interrupt_requested()
                        ? STATUS_INTERRUPTED
                        : review_game(&review->threads[omp_get_thread_num()], game, &errors[i]);
#pragma omp critical(review_progress)
        progress_update(review->progress, review->plies += game->game.game->ply_count, NULL);
    }
    Status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK && states[i] != STATUS_OK) {
            *err = errors[i];
            status = states[i];
        }
        if (status == STATUS_OK && !spec->reviewed(spec->context, &review->games[i])) {
            status = STATUS_INTERRUPTED;
        }
    }
    clear_games(review);
    return status;
}

// Adds a game without its variations to the batch. Reviews the batch when it is full.
static Status take_game(void *context, const ExportGame *given, Err *err) {
    Review *review = context;
    if (review->failed != STATUS_OK) {
        *err = review->err;
        return review->failed;
    }
    ReviewedGame *game = &review->games[review->batch.count];
    *game = (ReviewedGame){.game = {.system = given->system, .open = given->open}};
    game_batch_append(&review->batch, given->game, given->plies, given->tags);
    const char *const from[] = {given->event, given->date, given->red, given->black};
    const char **const to[] = {&game->game.event, &game->game.date, &game->game.red,
                               &game->game.black};
    for (int i = 0; i < 4; i++) {
        *to[i] = game->names[i] = from[i] ? memory_copy_text(from[i]) : NULL;
    }
    return review->batch.count == review->room ? review_block(review, err) : STATUS_OK;
}

// Reviews the games that precede a record that could not be read, then calls hooks.refused() of the
// spec.
static void refuse_record(void *context, const ImportPlace *place, const char *why) {
    Review *review = context;
    const ImportHooks *hooks = &review->spec->hooks;
    if (review->failed == STATUS_OK) review->failed = review_block(review, &review->err);
    if (hooks->refused && review->failed == STATUS_OK) hooks->refused(hooks->context, place, why);
}

static Status read_games(Review *review, Err *err) {
    const GamesReading reading = {.path = review->spec->path,
                                  .read = {.system = MOVES_DETECTED},
                                  .system = MOVES_DETECTED,
                                  .game = take_game,
                                  .hooks = {.refused = refuse_record, .context = review},
                                  .context = review};
    Progress silent;
    progress_init(&silent, NULL, true, "games", 0);
    TRY(games_read(&reading, &silent, err));
    if (review->failed == STATUS_OK) return review_block(review, err);
    *err = review->err;
    return review->failed;
}

Status review_games(const ReviewSpec *spec, Progress *progress, Err *err) {
    Review review = {.spec = spec, .progress = progress};
    review.room = spec->threads == 1 ? 1 : 4 * (size_t)spec->threads;
    review.games = memory_alloc(review.room, sizeof *review.games);
    review.threads = memory_alloc((size_t)spec->threads, sizeof *review.threads);
    for (int i = 0; i < spec->threads; i++) {
        review.threads[i].spec = spec;
        odds_game_init(&review.threads[i].og);
    }
    const Status status = read_games(&review, err);
    clear_games(&review);
    game_batch_clear(&review.batch);
    for (int i = 0; i < spec->threads; i++) {
        player_close(review.threads[i].player);
        odds_game_clear(&review.threads[i].og);
    }
    free(review.games);
    free(review.threads);
    progress_finish(progress, review.plies, NULL);
    return status;
}
