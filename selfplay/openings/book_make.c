// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/openings/opening.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "datasets/store/game_key.h"

// ---- candidates, a fixed chunk at a time --------------------------------------------------------

// Candidates of a chunk are judged by all threads and taken in order, so that the book does not
// depend on the threads.
enum { CHUNK = 256 };

typedef enum Fate { FATE_KEPT, FATE_UNBALANCED, FATE_ENDED } Fate;

typedef struct Candidate {
    OddsGame og;
    Fate fate;
} Candidate;

static Search *make_search(const BookSpec *spec) {
    Search *search = search_new(&spec->weights, 1, NULL);
    search_set_rules(search, &spec->rules);
    return search;
}

static Fate judge(const BookSpec *spec, Search *search, const OddsGame *og) {
    if (odds_game_judge(&spec->rules, og).verdict != VERDICT_NONE) return FATE_ENDED;
    return opening_is_balanced(&spec->opening, search, og, 0) ? FATE_KEPT : FATE_UNBALANCED;
}

// Takes the candidates of a chunk in order. False when the book is full.
static bool take(const BookSpec *spec, Candidate *candidates, size_t count, KeySet *seen,
                 Book *book, BookSummary *summary) {
    for (size_t i = 0; i < count && book->count < spec->count; i++) {
        summary->tried++;
        summary->unbalanced += candidates[i].fate == FATE_UNBALANCED;
        summary->ended += candidates[i].fate == FATE_ENDED;
        if (candidates[i].fate != FATE_KEPT) continue;
        if (key_set_add(seen, position_content_key(&candidates[i].og.game.now, true))) {
            book_add(book, &candidates[i].og.game);
        } else {
            summary->repeated++;
        }
    }
    return book->count < spec->count;
}

// ---- random plies -------------------------------------------------------------------------------

static void fill_random(const BookSpec *spec, uint64_t first, Candidate *candidates) {
#pragma omp parallel num_threads(spec->threads)
    {
        Search *search = make_search(spec);
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < CHUNK; i++) {
            Random random;
            random_init(&random, spec->seed, first + (uint64_t)i);
            Candidate *candidate = &candidates[i];
            odds_game_reset(&candidate->og, spec->start, NULL);
            candidate->fate =
                opening_play_random(&spec->opening, &spec->rules, &random, search, &candidate->og)
                    ? judge(spec, search, &candidate->og)
                    : FATE_ENDED;
        }
        search_free(search);
    }
}

static void make_random(const BookSpec *spec, Progress *progress, KeySet *seen, Book *book,
                        BookSummary *summary) {
    Candidate *candidates = memory_alloc(CHUNK, sizeof *candidates);
    for (int i = 0; i < CHUNK; i++) odds_game_init(&candidates[i].og);
    // A window that nothing fits must end too.
    const uint64_t most = 1000 * spec->count + 100000;
    for (uint64_t first = 0; first < most && !interrupt_requested(); first += CHUNK) {
        fill_random(spec, first, candidates);
        const bool more = take(spec, candidates, CHUNK, seen, book, summary);
        progress_update(progress, book->count, NULL);
        if (!more) break;
    }
    for (int i = 0; i < CHUNK; i++) odds_game_clear(&candidates[i].og);
    free(candidates);
}

// ---- the tree -----------------------------------------------------------------------------------

// Appends to *next the lines one move longer than `line` whose score is within the spread.
static void extend(const BookSpec *spec, Search *search, const BookLine *line, Game *game,
                   Book *next) {
    book_line_play(line, game);
    if (rules_judge(&spec->rules, game).verdict != VERDICT_NONE) return;
    const SearchLimits limits = {.nodes = spec->tree_nodes, .multi_pv = spec->width};
    SearchResult result;
    search_clear(search);
    search_run(search, game, &limits, &result);
    const int count = search_line_count(search);
    for (int i = 0; i < count; i++) {
        const SearchLine *found = search_line(search, i);
        if (search_line(search, 0)->score - found->score > spec->spread) break;
        game_push(game, found->moves[0]);
        book_add(next, game);
        game_pop(game);
    }
}

// The lines of one ply more, in the order of their parents, each position once.
static void grow(const BookSpec *spec, const Book *level, Book *next) {
    Book *grown = memory_alloc(level->count, sizeof *grown);
#pragma omp parallel num_threads(spec->threads)
    {
        Search *search = make_search(spec);
        Game game;
        game_init(&game, spec->start);
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < level->count; i++) {
            if (!interrupt_requested()) extend(spec, search, &level->lines[i], &game, &grown[i]);
        }
        game_clear(&game);
        search_free(search);
    }
    KeySet seen = {0};
    Game game;
    game_init(&game, spec->start);
    for (size_t i = 0; i < level->count; i++) {
        for (size_t k = 0; k < grown[i].count; k++) {
            book_line_play(&grown[i].lines[k], &game);
            if (key_set_add(&seen, position_content_key(&game.now, true))) book_add(next, &game);
        }
        book_clear(&grown[i]);
    }
    game_clear(&game);
    key_set_clear(&seen);
    free(grown);
}

// A tree wider than this is thinned by the seed, so that depth stays affordable.
enum { TREE_LEVEL_FACTOR = 4 };

static void thin(const BookSpec *spec, Book *level) {
    const size_t most = (size_t)(TREE_LEVEL_FACTOR * spec->count + 64);
    if (level->count <= most) return;
    Random random;
    random_init(&random, spec->seed, level->count);
    for (size_t i = 0; i < most; i++) {
        const size_t other = i + (size_t)random_below(&random, level->count - i);
        const BookLine swapped = level->lines[i];
        level->lines[i] = level->lines[other];
        level->lines[other] = swapped;
    }
    level->count = most;
}

static void make_tree(const BookSpec *spec, Progress *progress, KeySet *seen, Book *book,
                      BookSummary *summary) {
    Candidate candidate = {0};
    odds_game_init(&candidate.og);
    odds_game_reset(&candidate.og, spec->start, NULL);
    Book level = {0};
    book_add(&level, &candidate.og.game);
    for (int ply = 0; ply < spec->opening.plies && level.count && !interrupt_requested(); ply++) {
        Book next = {0};
        grow(spec, &level, &next);
        book_clear(&level);
        level = next;
        thin(spec, &level);
        char detail[64];
        snprintf(detail, sizeof detail, "ply %d: %zu lines", ply + 1, level.count);
        progress_update(progress, 0, detail);
    }
    Search *search = make_search(spec);
    bool more = true;
    for (size_t i = 0; i < level.count && more && !interrupt_requested(); i++) {
        book_line_play(&level.lines[i], &candidate.og.game);
        candidate.fate = judge(spec, search, &candidate.og);
        more = take(spec, &candidate, 1, seen, book, summary);
        progress_update(progress, book->count, NULL);
    }
    search_free(search);
    odds_game_clear(&candidate.og);
    book_clear(&level);
}

Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err) {
    Position initial;
    position_init_start(&initial);
    BookSpec complete = *spec;
    if (!complete.start) complete.start = &initial;
    *book = (Book){0};
    *summary = (BookSummary){0};
    KeySet seen = {0};
    if (spec->method == BOOK_TREE) {
        make_tree(&complete, progress, &seen, book, summary);
    } else {
        make_random(&complete, progress, &seen, book, summary);
    }
    key_set_clear(&seen);
    if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    if (book->count == 0) {
        return err_set(err, STATUS_NOT_FOUND,
                       "no balanced opening among %llu; widen the window (%d)",
                       (unsigned long long)summary->tried, spec->opening.window);
    }
    return STATUS_OK;
}

void book_format(const Book *book, const char *header, bool with_moves, Text *text) {
    for (const char *at = header; *at;) {
        const size_t length = strcspn(at, "\n");
        text_add(text, "# %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    if (book->count == 0) return;
    Game game;
    game_init(&game, &book->lines[0].start);
    for (size_t i = 0; i < book->count; i++) {
        const BookLine *line = &book->lines[i];
        char fen[FEN_SIZE], move[5];
        book_line_play(line, &game);
        position_to_fen(with_moves ? &line->start : &game.now, FEN_UCI, fen);
        text_add(text, "%s%s", fen, with_moves ? "\t" : "");
        for (int m = 0; with_moves && m < line->count; m++) {
            move_to_uci(line->moves[m], move);
            text_add(text, "%s%s", m ? " " : "", move);
        }
        text_add(text, "\n");
    }
    game_clear(&game);
}
