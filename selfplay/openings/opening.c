// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/openings/opening.h"

#include <math.h>
#include <stdlib.h>

// ---- random plies -------------------------------------------------------------------------------

// A move drawn with probability proportional to exp(score / temperature), where the score is that
// of a search of one ply.
static Move draw_softmax(int temperature, Random *random, Search *search, const OddsGame *og,
                         const MoveList *moves) {
    const SearchLimits limits = {.depth = 1, .multi_pv = moves->count, .odds = odds_game_state(og)};
    SearchResult result;
    search_clear(search);
    search_run(search, &og->game, &limits, &result);
    const int count = search_line_count(search);
    double weight[MAX_MOVES], sum = 0;
    for (int i = 0; i < count; i++) {
        const int below = search_line(search, 0)->score - search_line(search, i)->score;
        weight[i] = exp(-(double)below / temperature);
        sum += weight[i];
    }
    double draw = random_real(random) * sum;
    int chosen = 0;
    while (chosen < count - 1 && draw >= weight[chosen]) draw -= weight[chosen++];
    return search_line(search, chosen)->moves[0];
}

bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         Search *search, OddsGame *og) {
    for (int ply = 0; ply < spec->plies; ply++) {
        MoveList moves;
        odds_game_moves(og, &moves);
        if (moves.count == 0) return false;
        odds_game_push(og, spec->softmax > 0
                               ? draw_softmax(spec->softmax, random, search, og, &moves)
                               : moves.moves[random_below(random, (uint64_t)moves.count)]);
    }
    return odds_game_judge(rules, og).verdict == VERDICT_NONE;
}

// Score of a search of the present position, from Red's side.
static int score_red(uint64_t nodes, Search *search, const OddsGame *og) {
    const SearchLimits limits = {.nodes = nodes, .odds = odds_game_state(og)};
    SearchResult result;
    search_clear(search);
    search_run(search, &og->game, &limits, &result);
    return og->game.now.stm == RED ? result.line.score : -result.line.score;
}

bool opening_is_balanced(const RandomOpening *spec, Search *search, const OddsGame *og, int level) {
    if (position_in_check(&og->game.now)) return false;
    return spec->nodes == 0 || abs(score_red(spec->nodes, search, og) - level) <= spec->window;
}

// ---- the whole opening --------------------------------------------------------------------------

// Which opening of a book game `index` gets. Shuffled: every opening once before any comes again,
// by a permutation of the seed that needs no table: a Feistel network of four rounds over the
// smallest even number of bits, walked until it lands inside (Black and Rogaway 2002).
static size_t book_index(size_t count, bool shuffled, uint64_t seed, uint64_t index) {
    const uint64_t at = index % count, round_key = random_mix(seed ^ (index / count));
    if (!shuffled || count < 2) return (size_t)at;
    int half_bits = 1;
    while ((UINT64_C(1) << (2 * half_bits)) < count) half_bits++;
    const uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t value = at;
    do {
        uint64_t left = value >> half_bits, right = value & mask;
        for (uint64_t round = 0; round < 4; round++) {
            const uint64_t mixed =
                left ^ (random_mix(right ^ random_mix(round_key + round)) & mask);
            left = right;
            right = mixed;
        }
        value = left << half_bits | right;
    } while (value >= count);
    return (size_t)value;
}

uint64_t openings_distinct(const OpeningSource *source) {
    if (source->random.plies > 0) return 0;
    return source->book ? book_distinct(source->book) : 1;
}

static void play_book(const OpeningSource *source, uint64_t seed, uint64_t index, OddsGame *og) {
    if (!source->book) {
        Position start;
        position_init_start(&start);
        odds_game_reset(og, &start, source->odds);
        return;
    }
    const BookLine *line =
        &source->book->lines[book_index(source->book->count, source->shuffled, seed, index)];
    odds_game_reset(og, &line->start, NULL);
    for (int i = 0; i < line->count; i++) odds_game_push(og, line->moves[i]);
}

Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err) {
    const RandomOpening *spec = &source->random;
    Random random;
    random_init(&random, seed, index);
    int level = 0;
    if (source->odds && spec->plies > 0 && spec->nodes > 0) {
        play_book(source, seed, index, og);
        level = score_red(spec->nodes, search, og);
    }
    for (int attempt = 0; attempt < OPENING_TRIES; attempt++) {
        play_book(source, seed, index, og);
        if (spec->plies == 0) return STATUS_OK;
        if (opening_play_random(spec, rules, &random, search, og) &&
            opening_is_balanced(spec, search, og, level)) {
            return STATUS_OK;
        }
    }
    return err_set(
        err, STATUS_NOT_FOUND,
        "opening %llu: none of %d sets of %d random plies was balanced; widen the window "
        "(%d) or play fewer plies",
        (unsigned long long)index, OPENING_TRIES, spec->plies, spec->window);
}
