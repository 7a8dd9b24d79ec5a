// SPDX-License-Identifier: GPL-3.0-or-later
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/interrupt.h"
#include "core/system/out_file.h"
#include "datasets/store/game_key.h"
#include "selfplay/openings/opening.h"

// ---- scoring candidates in chunks of fixed size -------------------------------------------------

// Number of candidates (openings that may be added to the book) in a chunk. The threads score the
// candidates of a chunk in parallel. Then the candidates that were kept are added in order, so that
// the book does not depend on the number of threads.
enum { CHUNK = 256 };

typedef enum Fate { FATE_KEPT, FATE_UNBALANCED, FATE_ENDED } Fate;

typedef struct Candidate {
    OddsGame og;
    Fate fate;
} Candidate;

typedef struct Maker {
    const BookSpec *spec;
    Progress *progress;
    Book *book;
    BookSummary *summary;
    KeySet seen;     // content keys of the positions in the book
    KeySet refused;  // judged_key() of candidates that were scored and not kept
    Player **judges; // for each thread the player that scores its candidates, [threads]; NULL until
                     // the thread needs it
    Status status;   // first failure of a player that scores candidates
    Err err;
} Maker;

// Returns a key of all that determines the score of a candidate: its final position and, unless
// positions are scored without the preceding moves, these moves.
static uint64_t judged_key(const BookSpec *spec, const Game *game) {
    uint64_t key = position_content_key(&game->now, false);
    for (size_t i = 0; !spec->opening.bare && i < game->count; i++) {
        key = random_mix(key ^ game->plies[i].move);
    }
    return key;
}

static Fate judge(Maker *maker, const OddsGame *og) {
    const BookSpec *spec = maker->spec;
    PlayerReply reply;
    Err err = {0};
    if (odds_game_judge(&spec->rules, og).verdict != VERDICT_NONE) return FATE_ENDED;
    if (position_in_check(&og->game.now)) return FATE_UNBALANCED;
    if (!spec->judge) return FATE_KEPT;
    // Do not search a candidate again. If the book has its position, add_kept() counts it as
    // repeated.
    if (key_set_has(&maker->seen, position_content_key(&og->game.now, true))) return FATE_KEPT;
    if (key_set_has(&maker->refused, judged_key(spec, &og->game))) return FATE_UNBALANCED;
    AUTO(OddsGame) bare;
    opening_without_moves(og, &bare);
    const Status status = player_score(spec->judge, &spec->rules, spec->opening.bare ? &bare : og,
                                       &maker->judges[omp_get_thread_num()], &reply, &err);
    if (status != STATUS_OK) {
#pragma omp critical(book_judge)
        if (maker->status == STATUS_OK) {
#pragma omp atomic write
            maker->status = status;
            maker->err = err;
        }
        return FATE_ENDED;
    }
    const int score = og->game.now.stm == RED ? reply.info.score_cp : -reply.info.score_cp;
    const bool fits = score >= spec->opening.low && score <= spec->opening.high;
    return fits && !reply.info.mate ? FATE_KEPT : FATE_UNBALANCED;
}

static bool may_continue(const Maker *maker) {
    Status status;
#pragma omp atomic read
    status = maker->status;
    return status == STATUS_OK && !interrupt_requested();
}

// Adds the candidates that were kept to the book, in order. Returns false when the book is full.
static bool add_kept(Maker *maker, Candidate *candidates, size_t count) {
    const uint64_t wanted = maker->spec->count;
    BookSummary *summary = maker->summary;
    for (size_t i = 0; i < count && maker->book->count < wanted; i++) {
        summary->tried++;
        if (candidates[i].fate == FATE_UNBALANCED) {
            summary->unbalanced++;
            key_set_add(&maker->refused, judged_key(maker->spec, &candidates[i].og.game));
        }
        summary->ended += candidates[i].fate == FATE_ENDED;
        if (candidates[i].fate != FATE_KEPT) continue;
        if (key_set_add(&maker->seen, position_content_key(&candidates[i].og.game.now, true))) {
            book_add(maker->book, &candidates[i].og.game);
        } else {
            summary->repeated++;
        }
    }
    progress_update(maker->progress, maker->book->count, NULL);
    return maker->book->count < wanted;
}

// ---- books of random plies ----------------------------------------------------------------------

static void fill_random(Maker *maker, uint64_t first, Candidate *candidates) {
    const BookSpec *spec = maker->spec;
#pragma omp parallel for schedule(dynamic, 4) num_threads(spec->threads)
    for (int i = 0; i < CHUNK; i++) {
        Random random;
        random_init(&random, spec->seed, first + (uint64_t)i);
        Candidate *candidate = &candidates[i];
        odds_game_reset(&candidate->og, &spec->start, NULL);
        candidate->fate = may_continue(maker) && opening_play_random(&spec->opening, &spec->rules,
                                                                     &random, &candidate->og)
                              ? judge(maker, &candidate->og)
                              : FATE_ENDED;
    }
}

static void make_random(Maker *maker) {
    AUTO_FREE Candidate *candidates = memory_alloc(CHUNK, sizeof *candidates);
    for (int i = 0; i < CHUNK; i++) odds_game_init(&candidates[i].og);
    // The loop ends after DRY_MOST candidates in a row that added no opening. Otherwise it might
    // never end: there may be fewer openings with these plies than requested, or none whose score
    // lies in the window.
    enum { DRY_MOST = 100000 };
    uint64_t last = 0; // number of candidates up to the last one that was added
    for (uint64_t first = 0; first - last < DRY_MOST && may_continue(maker); first += CHUNK) {
        const size_t before = maker->book->count;
        fill_random(maker, first, candidates);
        if (!add_kept(maker, candidates, CHUNK)) break;
        if (maker->book->count > before) last = first + CHUNK;
    }
    for (int i = 0; i < CHUNK; i++) odds_game_clear(&candidates[i].og);
}

// ---- books from a tree of good moves ------------------------------------------------------------

// Searches the final position of `line`. Appends to *next the lines that continue `line` by one
// move: at most spec->width moves whose scores are at most spec->spread units below the best move.
// Appends nothing if the rules end the game in the final position.
static void extend(const BookSpec *spec, Search *search, const BookLine *line, Game *game,
                   Book *next) {
    book_line_play(line, game);
    if (rules_judge(&spec->rules, game).verdict != VERDICT_NONE) return;
    const SearchLimits limits = {
        .nodes = spec->tree_nodes, .multi_pv = spec->width, .ending = interrupt_flag()};
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

// Appends to *next all continuations of the lines in `level` by one ply, in the order of `level`.
// If several lines lead to one position, or to its mirror image, only the first is added.
static void grow(const BookSpec *spec, const Book *level, Book *next) {
    AUTO_FREE Book *grown = memory_alloc(level->count, sizeof *grown);
#pragma omp parallel num_threads(spec->threads)
    {
        Search *search = search_new(spec->weights, 1, NULL);
        search_set_rules(search, &spec->rules);
        Game game = {0};
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < level->count; i++) {
            if (!interrupt_requested()) extend(spec, search, &level->lines[i], &game, &grown[i]);
        }
        game_clear(&game);
        search_free(search);
    }
    AUTO(KeySet) seen = {0};
    AUTO(Game) game = {0};
    for (size_t i = 0; i < level->count; i++) {
        for (size_t k = 0; k < grown[i].count; k++) {
            book_line_play(&grown[i].lines[k], &game);
            if (key_set_add(&seen, position_content_key(&game.now, true))) book_add(next, &game);
        }
        book_clear(&grown[i]);
    }
}

// If a level of the tree (all lines of one length) has more than about TREE_LEVEL_FACTOR times the
// requested number of lines, the lines to keep are drawn at random. Without this limit the time
// would grow exponentially with the depth.
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

static void make_tree(Maker *maker) {
    const BookSpec *spec = maker->spec;
    Candidate candidate;
    odds_game_init(&candidate.og);
    odds_game_reset(&candidate.og, &spec->start, NULL);
    Book level = {0};
    book_add(&level, &candidate.og.game);
    for (int ply = 0; ply < spec->opening.plies && level.count && !interrupt_requested(); ply++) {
        Book next = {0};
        grow(spec, &level, &next);
        book_clear(&level);
        level = MOVE(next);
        thin(spec, &level);
        char detail[64];
        snprintf(detail, sizeof detail, "ply %d: %zu lines", ply + 1, level.count);
        progress_update(maker->progress, 0, detail);
    }
    bool more = true;
    for (size_t i = 0; i < level.count && more && may_continue(maker); i++) {
        book_line_play(&level.lines[i], &candidate.og.game);
        candidate.fate = judge(maker, &candidate.og);
        more = add_kept(maker, &candidate, 1);
    }
    odds_game_clear(&candidate.og);
    book_clear(&level);
}

Status book_make(const BookSpec *spec, Progress *progress, Book *book, BookSummary *summary,
                 Err *err) {
    *book = (Book){0};
    *summary = (BookSummary){0};
    Maker maker = {
        .spec = spec,
        .progress = progress,
        .book = book,
        .summary = summary,
        .judges = memory_alloc((size_t)spec->threads, sizeof(Player *)),
    };
    (spec->method == BOOK_TREE ? make_tree : make_random)(&maker);
    for (int i = 0; i < spec->threads; i++) player_close(maker.judges[i]);
    free(maker.judges);
    key_set_clear(&maker.seen);
    key_set_clear(&maker.refused);
    if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
    if (maker.status != STATUS_OK) {
        if (err) *err = maker.err;
        return maker.status;
    }
    if (book->count == 0) {
        return err_set(err, STATUS_NOT_FOUND,
                       "no opening was kept: of %llu openings that were tried, %llu were in "
                       "check or scored outside of %d:%d, in %llu the game ended; widen --window "
                       "or change --plies",
                       (unsigned long long)summary->tried, (unsigned long long)summary->unbalanced,
                       spec->opening.low, spec->opening.high, (unsigned long long)summary->ended);
    }
    return STATUS_OK;
}

static void format_book(const Book *book, const char *header, bool with_moves, Text *text) {
    for (const char *at = header; *at;) {
        const size_t length = strcspn(at, "\n");
        text_add(text, "# %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    AUTO(Game) game = {0};
    for (size_t i = 0; i < book->count; i++) {
        const BookLine *line = &book->lines[i];
        char fen[FEN_SIZE];
        book_line_play(line, &game);
        position_to_fen(with_moves ? &line->start : &game.now, FEN_UCI, fen);
        text_add(text, "%s%s", fen, with_moves ? "\t" : "");
        if (with_moves) moves_add_uci(line->moves, line->count, text);
        text_add(text, "\n");
    }
}

Status book_write(const Book *book, const char *header, bool with_moves, const char *path,
                  char hash[SHA256_HEX_SIZE], Err *err) {
    AUTO(Text) text = {0};
    format_book(book, header, with_moves, &text);
    sha256_hex_of(text.data, text.length, hash);
    return text_write_file(path, text.data, text.length, err);
}
