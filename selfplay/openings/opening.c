// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/openings/opening.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "datasets/formats/epd_text.h"
#include "datasets/formats/formats.h"
#include "datasets/store/game_key.h"

// ---- random plies -------------------------------------------------------------------------------

bool opening_play_random(const RandomOpening *spec, const Rules *rules, Random *random,
                         OddsGame *og) {
    for (int ply = 0; ply < spec->plies; ply++) {
        MoveList moves;
        odds_game_moves(og, &moves);
        if (moves.count == 0) return false;
        odds_game_push(og, moves.moves[random_below(random, (uint64_t)moves.count)]);
        if (odds_game_judge(rules, og).verdict != VERDICT_NONE) return false;
    }
    return true;
}

void opening_without_moves(const OddsGame *og, OddsGame *bare) {
    odds_game_init(bare);
    odds_game_reset(bare, &og->game.now, NULL);
}

// Searches the current position of a game and returns the score in units from Red's side. The score
// is useless if interrupt_requested() returns true.
static int score_red(const RandomOpening *spec, Search *search, const OddsGame *og) {
    if (spec->bare && og->game.count > 0) {
        AUTO(OddsGame) bare;
        opening_without_moves(og, &bare);
        return score_red(spec, search, &bare);
    }
    const SearchLimits limits = {
        .nodes = spec->nodes, .odds = odds_game_state(og), .ending = interrupt_flag()};
    SearchResult result;
    search_clear(search);
    search_run(search, &og->game, &limits, &result);
    return og->game.now.stm == RED ? result.line.score : -result.line.score;
}

// Returns true if the side to move is not in check and the score of a search, minus `level`, is in
// the range spec->low..spec->high. Scores are from Red's side. `level` is the score of a handicap's
// start position, otherwise 0. If spec->nodes is 0, does not search: all scores are accepted.
static bool is_balanced(const RandomOpening *spec, Search *search, const OddsGame *og, int level) {
    if (position_in_check(&og->game.now)) return false;
    if (spec->nodes == 0) return true;
    const int score = score_red(spec, search, og) - level;
    return score >= spec->low && score <= spec->high;
}

enum { WINDOW_MOST = 30000 };

Status opening_read_window(const char *text, const char *what, RandomOpening *opening, Err *err) {
    char low[16];
    const char *colon = strchr(text, ':');
    long long from = 0, to = 0;
    const int length = snprintf(low, sizeof low, "%.*s", (int)strcspn(text, ":"), text);
    if (length >= (int)sizeof low ||
        parse_int(low, colon ? -WINDOW_MOST : 0, WINDOW_MOST, &from, what, NULL) != STATUS_OK ||
        (colon && parse_int(colon + 1, from, WINDOW_MOST, &to, what, NULL) != STATUS_OK)) {
        return err_set(
            err, STATUS_USAGE,
            "%s: '%.40s' is neither UNITS (0 to %d) nor LOW:HIGH with -%d <= LOW <= HIGH <= %d",
            what, text, WINDOW_MOST, WINDOW_MOST, WINDOW_MOST);
    }
    opening->low = colon ? (int)from : -(int)from;
    opening->high = colon ? (int)to : (int)from;
    return STATUS_OK;
}

// ---- complete openings --------------------------------------------------------------------------

// Number of rounds of the shuffle. Each round swaps a place with another one with probability 1/2.
// After 64 rounds the difference from an even choice is far below chance.
enum { SHUFFLE_ROUNDS = 64 };

size_t book_shuffle(size_t count, uint64_t seed, uint64_t pass, size_t place) {
    // The complement separates these numbers from those of the random plies of game number `pass`.
    Random random;
    random_init(&random, ~seed, pass);
    for (int round = 0; round < SHUFFLE_ROUNDS; round++) {
        const uint64_t key = random_below(&random, count), coins = random_next(&random);
        const size_t partner = (size_t)(key >= place ? key - place : key + count - place);
        const size_t larger = place > partner ? place : partner;
        if (random_mix(coins ^ larger) & 1) place = partner;
    }
    return place;
}

void book_identity(const Book *book, Text *identity) {
    // Version of the reader of books and of the random order. Increase it if the same file and seed
    // give other openings than before: then old and new games are not joined to one run.
    enum { BOOK_VERSION = 2 };
    text_add(identity, "book=%s\n", book->hash);
    if (book->count) text_add(identity, "book-version=%d\n", BOOK_VERSION);
}

// Returns which of the `count` openings of a book opening_make() uses for `index`. All openings are
// used once before any opening is used again.
static size_t book_index(size_t count, bool shuffled, uint64_t seed, uint64_t index) {
    const size_t place = (size_t)(index % count);
    return shuffled ? book_shuffle(count, seed, index / count, place) : place;
}

uint64_t openings_distinct(const OpeningSource *source) {
    if (source->random.plies > 0) return 0;
    return source->book.count ? book_distinct(&source->book) : 1;
}

static void play_book(const OpeningSource *source, uint64_t seed, uint64_t index, OddsGame *og) {
    const Book *book = &source->book;
    if (book->count == 0) {
        Position start;
        position_init_start(&start);
        odds_game_reset(og, &start, source->has_odds ? &source->odds : NULL);
        return;
    }
    const BookLine *line = &book->lines[book_index(book->count, source->shuffled, seed, index)];
    odds_game_reset(og, &line->start, NULL);
    for (int i = 0; i < line->count; i++) odds_game_push(og, line->moves[i]);
}

Status opening_make(const OpeningSource *source, uint64_t seed, uint64_t index, const Rules *rules,
                    Search *search, OddsGame *og, Err *err) {
    const RandomOpening *spec = &source->random;
    Random random;
    random_init(&random, seed, index);
    int level = 0;
    if (source->has_odds && spec->plies > 0 && spec->nodes > 0) {
        play_book(source, seed, index, og);
        level = score_red(spec, search, og);
    }
    for (int attempt = 0; attempt < OPENING_TRIES; attempt++) {
        play_book(source, seed, index, og);
        if (spec->plies == 0) return STATUS_OK;
        const bool good =
            opening_play_random(spec, rules, &random, og) && is_balanced(spec, search, og, level);
        if (interrupt_requested()) return err_set(err, STATUS_INTERRUPTED, "interrupted");
        if (good) return STATUS_OK;
    }
    return err_set(
        err, STATUS_NOT_FOUND,
        "opening %llu: none of %d sets of %d random plies led to a position that is not in check "
        "and scores within the window %d:%d; widen the window or play fewer plies",
        (unsigned long long)index, OPENING_TRIES, spec->plies, spec->low, spec->high);
}

// ---- reading books ------------------------------------------------------------------------------

void book_add(Book *book, const Game *game) {
    book->lines = memory_room(book->lines, &book->capacity, book->count + 1, sizeof *book->lines);
    BookLine *line = &book->lines[book->count++];
    line->start = *game_start(game);
    line->count = 0;
    for (size_t i = 0; i < game->count && i < BOOK_LINE_PLIES; i++) {
        line->moves[line->count++] = game->plies[i].move;
    }
}

void book_line_play(const BookLine *line, Game *game) {
    game_reset(game, &line->start);
    for (int i = 0; i < line->count; i++) game_push(game, line->moves[i]);
}

// Arguments of book_load() for the functions that read one line or one game of the book.
typedef struct BookReading {
    Book *book;
    const Rules *rules; // rules that end a game; NULL: only checkmate and stalemate end a game
    size_t plies_max;   // number of plies that are kept of each opening
} BookReading;

// Finds the first position in which the game is over. Sets *ply to the number of plies played
// before that position. Returns false if the game is not over.
static bool find_end(const BookReading *reading, const Game *game, size_t *ply, Judgement *end) {
    if (reading->rules) return rules_first_end(reading->rules, game, ply, end);
    const bool mated = position_in_check(&game->now);
    *end = (Judgement){VERDICT_NONE, mated ? END_CHECKMATE : END_STALEMATE};
    *ply = game->count;
    return position_no_legal_move(&game->now);
}

static Status read_line(const BookReading *reading, Game *game, char *text, Err *err) {
    const char *fen, *operations;
    char *moves;
    Position start;
    FenFields fields;
    Judgement end;
    size_t ply;
    if (fen_split_moves(text, &fen, &moves)) {
        TRY(position_from_fen(&start, fen, err));
    } else {
        const char *line = text_next_field(&text, '\t');
        moves = text;
        TRY(epd_read_position(line, FEN_SIDE_FREE, &start, &fields, &operations, err));
    }
    game_reset(game, &start);
    if (moves) TRY(game_push_text(game, moves, 0, err));
    if (game->count > BOOK_LINE_PLIES) {
        return err_set(err, STATUS_BAD_INPUT, "the line has %zu moves; at most %d are allowed",
                       game->count, BOOK_LINE_PLIES);
    }
    while (game->count > reading->plies_max) game_pop(game);
    if (find_end(reading, game, &ply, &end)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the game is over after %zu of the line's %zu plies (%s: %s), so it is no "
                       "opening; shorten or remove the line",
                       ply, game->count, end_reason_name(end.reason),
                       end_reason_meaning(end.reason));
    }
    book_add(reading->book, game);
    return STATUS_OK;
}

// Adds the first plies_max plies of a game as an opening. If the game is over earlier, the opening
// ends before the move that ended it. Skips a game that is over in its start position.
static void add_game(const BookReading *reading, Game *game) {
    Judgement end;
    size_t ply;
    while (game->count > reading->plies_max) game_pop(game);
    while (find_end(reading, game, &ply, &end)) {
        if (ply == 0) return;
        while (game->count >= ply) game_pop(game);
    }
    book_add(reading->book, game);
}

static Status read_games(const BookReading *reading, SourceReader *reader, Err *err) {
    AUTO(SourceGame) source;
    SourceText text;
    Status status = STATUS_OK;
    source_game_init(&source);
    while (status == STATUS_OK && source_reader_cut(reader, &text)) {
        if (source_text_read(&text, &reader->settings, &source, err) == IMPORT_KEPT) {
            add_game(reading, &source.game);
        } else {
            status = text.line ? err_prefix(err, "%s:%zu, game %zu", text.file,
                                            text.line + source.line, text.number)
                               : err_prefix(err, "%s, game %zu", text.file, text.number);
        }
        free(text.data);
    }
    return status;
}

static Status read_lines(const BookReading *reading, LineReader *lines, Err *err) {
    AUTO(Game) game = {0};
    while (line_reader_next_record(lines)) {
        if (read_line(reading, &game, lines->line, err) != STATUS_OK) {
            return err_prefix(err, "%s:%zu", lines->name, lines->number);
        }
    }
    return STATUS_OK;
}

static Status read_files(const BookReading *reading, SourceReader *reader, Err *err) {
    Status status;
    while ((status = source_reader_next_file(reader, err)) == STATUS_OK) {
        const GameFormat *format = reader->format;
        const FormatId id = format->id;
        const bool lines = id == FORMAT_MOVES || id == FORMAT_EPD || id == FORMAT_TEXEL ||
                           id == FORMAT_BULLET,
                   games = !lines;
        reading->book->format = games ? format->name : game_format(FORMAT_EPD)->name;
        status =
            games ? read_games(reading, reader, err) : read_lines(reading, &reader->lines, err);
        if (status != STATUS_OK) return status;
        if (!source_reader_failed(reader)) continue;
        *err = reader->failure;
        status = err->status;
        break;
    }
    return status == STATUS_NOT_FOUND ? STATUS_OK
                                      : err_prefix(err, "%s", packed_file_name(reader->packed));
}

Status book_load(const char *path, const Rules *rules, int plies_max, Book *book, Err *err) {
    static const ReadSettings settings = {.system = MOVES_DETECTED, .positions = true};
    *book = (Book){.format = game_format(FORMAT_EPD)->name};
    SourceReader reader;
    TRY(file_sha256(path, book->hash, err));
    TRY(source_reader_open(&reader, path, NULL, &settings, err));
    const BookReading reading = {book, rules, (size_t)plies_max};
    Status status = read_files(&reading, &reader, err);
    source_reader_close(&reader);
    if (status == STATUS_OK && book->count == 0) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: the book contains no opening", path);
    }
    if (status != STATUS_OK) book_clear(book);
    return status;
}

size_t book_distinct(const Book *book) {
    AUTO(KeySet) seen = {0};
    AUTO(Game) game = {0};
    for (size_t i = 0; i < book->count; i++) {
        book_line_play(&book->lines[i], &game);
        key_set_add(&seen, position_content_key(&game.now, false));
    }
    return seen.count;
}

void book_clear(Book *book) {
    free(book->lines);
    *book = (Book){0};
}

void opening_source_clear(OpeningSource *source) {
    book_clear(&source->book);
}
