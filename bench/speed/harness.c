// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/speed/harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/base/version.h"
#include "selfplay/contest/match.h"

// ---- the engine ------------------------------------------------------------------------------

// Random moves from the initial position; false when a rule ends the game on the way.
static bool try_game(uint64_t seed, Game *game) {
    static const RuleSet sets[] = {RULES_AXF, RULES_LITERAL, RULES_CXA};
    Random random;
    Position start;
    position_init_start(&start);
    game_reset(game, &start);
    random_init(&random, seed, 0);
    while (game->count < HARNESS_PLIES) {
        MoveList list;
        position_legal_moves(&game->now, &list);
        game_push(game, list.moves[random_below(&random, (uint64_t)list.count)]);
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
            const Rules rules = rules_default(sets[i]);
            if (rules_judge(&rules, game).verdict != VERDICT_NONE) return false;
        }
    }
    return true;
}

// The number of moves in `position fen F[ moves M...]`.
static size_t count_moves(const char *line) {
    const char *moves = strstr(line, " moves ");
    return moves ? (strlen(moves) - strlen(" moves")) / strlen(" h2e2") : 0;
}

void harness_engine(FILE *in, FILE *out) {
    char line[4096];
    Position start;
    Game game;
    size_t ply = 0;
    position_init_start(&start);
    game_init(&game, &start);
    for (uint64_t seed = 1; !try_game(seed, &game);) seed++;
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "uci") == 0) fputs("id name At Once\nuciok\n", out);
        if (strcmp(line, "isready") == 0) fputs("readyok\n", out);
        if (strcmp(line, "quit") == 0) break;
        if (strncmp(line, "position ", 9) == 0) ply = count_moves(line);
        if (strncmp(line, "go", 2) == 0) {
            char move[5];
            move_to_uci(game.plies[ply % HARNESS_PLIES].move, move);
            fprintf(out, "info depth 1 score cp 10 nodes 1\nbestmove %s\n", move);
        }
        fflush(out);
    }
    game_clear(&game);
}

// ---- the measurement -------------------------------------------------------------------------

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void remove_store(const char *dir) {
    Store *store = NULL;
    if (store_open(dir, &store, NULL) == STATUS_OK) {
        for (size_t i = 0; i < store_shard_count(store); i++) unlink(store_shard_path(store, i));
        store_close(store);
    }
    rmdir(dir);
}

static Status make_players(const HarnessSpec *spec, Contest *contest, Err *err) {
    Status status = STATUS_OK;
    contest->players = memory_alloc(MATCH_PLAYERS, sizeof *contest->players);
    contest->player_count = MATCH_PLAYERS;
    for (int i = 0; i < MATCH_PLAYERS && status == STATUS_OK; i++) {
        Text text = {0};
        text_add(&text, "cmd=%s,proto=uci,nodes=1,name=%c", spec->program, 'a' + i);
        status = player_spec_parse(text_get(&text), "player", &contest->players[i].spec, err);
        text_clear(&text);
    }
    return status;
}

Status harness_measure(const HarnessSpec *spec, HarnessCost *cost, Err *err) {
    *cost = (HarnessCost){0};
    MatchSpec match = {.pairs = spec->pairs,
                       .threads = spec->threads,
                       .out = spec->dir,
                       .shard_games = 256,
                       .provenance = {.kind = "bench", .rules = rule_set_name(spec->rules)}};
    match.contest.play.rules = rules_default(spec->rules);
    match.contest.play.adjudication.max_plies = HARNESS_PLIES;
    match.contest.play.patience_ns = 10 * 1000 * MS_NS;
    MatchResult result;
    struct rusage before, after;
    Status status = make_players(spec, &match.contest, err);
    if (status == STATUS_OK) status = weights_load("classic", &match.contest.opening_weights, err);
    getrusage(RUSAGE_SELF, &before);
    const double start = clock_now_s();
    if (status == STATUS_OK) status = match_run(&match, NULL, NULL, &result, err);
    cost->wall_s = clock_now_s() - start;
    getrusage(RUSAGE_SELF, &after);
    if (status == STATUS_OK) {
        cost->games = (uint64_t)match_counts_games(&result.counts);
        cost->plies = result.plies;
        cost->user_s = seconds(after.ru_utime) - seconds(before.ru_utime);
        cost->cpu_s = cost->user_s + seconds(after.ru_stime) - seconds(before.ru_stime);
        cost->waits = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw;
        if (result.reasons[END_MAX_PLIES] != cost->games) {
            status = err_set(err, STATUS_ENGINE, "not every game had %d plies: the engine failed",
                             HARNESS_PLIES);
        }
    }
    remove_store(spec->dir);
    contest_clear(&match.contest);
    return status;
}
