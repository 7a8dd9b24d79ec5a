// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/board_list.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

static const uint8_t order[LIST_MEN / 2] = {CHARIOT,  HORSE,   ELEPHANT, ADVISOR, GENERAL, ADVISOR,
                                            ELEPHANT, HORSE,   CHARIOT,  CANNON,  CANNON,  SOLDIER,
                                            SOLDIER,  SOLDIER, SOLDIER,  SOLDIER};

static Piece man_of_list(int man) {
    return piece_make(man < LIST_MEN / 2 ? RED : BLACK, (PieceType)order[man % (LIST_MEN / 2)]);
}

int square_from_top(int column, int row) {
    return column >= 0 && column < FILE_COUNT && row >= 0 && row < RANK_COUNT
               ? square_make(column, RANK_COUNT - 1 - row)
               : SQUARE_NONE;
}

Status board_from_list(const uint8_t squares[LIST_MEN], Piece board[SQUARE_COUNT], Err *err) {
    memset(board, PIECE_NONE, SQUARE_COUNT);
    for (int i = 0; i < LIST_MEN; i++) {
        const int square = squares[i];
        if (square >= SQUARE_COUNT) continue;
        if (board[square] != PIECE_NONE) {
            return err_set(err, STATUS_BAD_INPUT, "the board has two pieces on the square %c%d",
                           'a' + square_file(square), square_rank(square));
        }
        board[square] = man_of_list(i);
    }
    return STATUS_OK;
}

void board_to_list(const Position *position, uint8_t squares[LIST_MEN]) {
    memset(squares, SQUARE_NONE, LIST_MEN);
    for (int i = 0; i < SQUARE_COUNT; i++) {
        // Each side lists its pieces file by file, from the file on its own right to that on its
        // left, and in each file from its own back rank forward. In this order, Red's square number
        // i is Black's square number i after the board is turned by 180 degrees.
        const int file = i / RANK_COUNT, rank = RANK_COUNT - 1 - i % RANK_COUNT;
        const int points[] = {square_make(FILE_COUNT - 1 - file, RANK_COUNT - 1 - rank),
                              square_make(file, rank)};
        for (int side = RED; side <= BLACK; side++) {
            const Piece piece = position->board[points[side]];
            if (piece == PIECE_NONE || piece_side(piece) != (Side)side) continue;
            int man = side * (LIST_MEN / 2);
            while (man < LIST_MEN && (squares[man] != SQUARE_NONE || man_of_list(man) != piece)) {
                man++;
            }
            if (man < LIST_MEN) squares[man] = (uint8_t)points[side];
        }
    }
}

Status source_game_start_board(SourceGame *source, const Piece board[SQUARE_COUNT], int first,
                               Side stm, unsigned fullmove, Err *err) {
    const Piece piece = first >= 0 && first < SQUARE_COUNT ? board[first] : PIECE_NONE;
    const Side side = piece == PIECE_NONE ? stm : piece_side(piece);
    Position start;
    TRY(position_from_board(&start, board, side, 0, fullmove, err));
    source_game_start(source, &start);
    return STATUS_OK;
}

Status source_game_push_points(SourceGame *source, size_t line, int from, int to, Err *err) {
    const uint32_t ply = source_game_plies(source, line) + 1;
    if (ply > PLIES_MOST) return err_set(err, STATUS_BAD_INPUT, PLIES_TOO_MANY, PLIES_MOST);
    if (from < 0 || from >= SQUARE_COUNT || to < 0 || to >= SQUARE_COUNT || from == to) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "ply %u: the move does not lead from one square of the board to another; its "
            "squares are read as %d and %d, but must be two different numbers from 0 to %d",
            ply, from, to, SQUARE_COUNT - 1);
    }
    char uci[5];
    Move move = move_make(from, to);
    move_to_uci(move, uci);
    if (move_parse_legal(source_game_now(source, line), uci, 4, 0, &move, err) != STATUS_OK)
        return err_prefix(err, "ply %u", ply);
    source_game_play(source, line, move);
    return STATUS_OK;
}

// A move that a variation replaces. In the file, the variation follows after the continuation of
// this move, so the position before the move is kept until then.
typedef struct Fork {
    Position before;
    uint32_t ply;
    size_t line;
    bool broken; // set if an earlier move of the line was illegal: the variation is then read but
                 // not stored
} Fork;

typedef struct Tree {
    SourceGame *source;
    size_t line; // number of the line of moves (0: the main line) to which the next move belongs
    bool broken; // set after an illegal move of the current line: its further moves are read but
                 // not played
    Fork *forks;
    size_t count, capacity;
} Tree;

static void add_fork(Tree *tree) {
    tree->forks = memory_room(tree->forks, &tree->capacity, tree->count + 1, sizeof *tree->forks);
    tree->forks[tree->count++] =
        (Fork){*source_game_now(tree->source, tree->line),
               source_game_plies(tree->source, tree->line), tree->line, tree->broken};
}

// Begins the variation whose moves follow next in the file. Returns false if no variation remains,
// or if the game has too many.
static bool take_fork(Tree *tree) {
    if (tree->count == 0) return false;
    const Fork *fork = &tree->forks[--tree->count];
    tree->broken = fork->broken;
    if (tree->broken) return true;
    tree->line = source_game_add_variation(tree->source, fork->line, &fork->before, fork->ply);
    return tree->line != 0;
}

// Reads the variations that follow the main line. tree->forks has the moves of the main line that
// they replace.
static void read_variations(Tree *tree, NextTreeMove *next, void *file) {
    TreeMove move;
    while (take_fork(tree)) {
        do {
            if (!next(file, &move) || move.none) return;
            if (move.varied) add_fork(tree);
            Err fault = {0};
            if (tree->broken) continue;
            if (source_game_push_points(tree->source, tree->line, move.from, move.to, &fault) ==
                STATUS_OK) {
                source_game_remark(tree->source, tree->line, move.remark, move.remark_length);
            } else {
                source_game_set_fault(tree->source, tree->line, &fault);
                tree->broken = true;
            }
        } while (!move.last);
    }
}

static ImportRefusal read_main_line(Tree *tree, const Piece board[SQUARE_COUNT], Side stm,
                                    unsigned fullmove, NextTreeMove *next, void *file, Err *err) {
    SourceGame *source = tree->source;
    TreeMove move;
    bool good = next(file, &move);
    if (good) source_game_remark(source, 0, move.remark, move.remark_length);
    for (bool first = true; good && !move.last; first = false) {
        good = next(file, &move);
        if (!good || move.none) break;
        if (first &&
            source_game_start_board(source, board, move.from, stm, fullmove, err) != STATUS_OK) {
            return IMPORT_START;
        }
        if (move.varied) add_fork(tree);
        if (source_game_push_points(source, 0, move.from, move.to, err) != STATUS_OK) {
            return IMPORT_MOVE;
        }
        source_game_remark(source, 0, move.remark, move.remark_length);
    }
    if (good && source->game.count == 0 &&
        source_game_start_board(source, board, SQUARE_NONE, stm, fullmove, err) != STATUS_OK) {
        return IMPORT_START;
    }
    if (good) return IMPORT_KEPT;
    return import_refuse(err, IMPORT_FIELDS,
                         "the file ends after ply %zu, but no move is marked as the last one, so "
                         "the file may be incomplete",
                         source->game.count);
}

ImportRefusal source_game_read_tree(SourceGame *source, const ReadSettings *settings,
                                    const Piece board[SQUARE_COUNT], Side stm, unsigned fullmove,
                                    NextTreeMove *next, void *file, Err *err) {
    Tree tree = {.source = source};
    const ImportRefusal refusal = read_main_line(&tree, board, stm, fullmove, next, file, err);
    if (refusal == IMPORT_KEPT && settings->variations) read_variations(&tree, next, file);
    source->varied = tree.count > 0 && !settings->variations;
    free(tree.forks);
    return refusal;
}

void source_game_set_result(SourceGame *source, uint8_t code) {
    source->has_result = code >= 1 && code <= 3;
    source->record.result = (int8_t)(code == 1 ? 1 : code == 2 ? -1 : 0);
}

uint8_t result_code(int result) {
    return (uint8_t)(result == RESULT_NONE ? 0 : result > 0 ? 1 : result < 0 ? 2 : 3);
}

size_t remark_split(char *text) {
    char *to = text;
    for (const char *at = text; at && *at; at++) {
        const bool end = at[0] == '|' && at[1] == '|';
        *to++ = end ? '\n' : *at;
        at += end;
    }
    return (size_t)(to - text);
}

uint32_t read_u32_little(const uint8_t bytes[4]) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

bool export_imported(const GameRecord *game, const TagRecord *tags) {
    if (game_result_is_given(game)) return true;
    char name[TAG_NAME_SIZE];
    AUTO(Text) value = {0};
    for (size_t at = 0; tag_next(tags, tags ? game->tag_count : 0, &at, name, &value);) {
        if (strcmp(name, TAG_NOTE) != 0) return true;
    }
    return false;
}

const char *export_tag(const ExportGame *given, const char *name, Text *text) {
    const struct {
        const char *name, *value;
    } known[] = {{"Red", given->red},
                 {"Black", given->black},
                 {"Event", given->event},
                 {"Date", given->date}};
    if (tag_value(given->tags, given->tags ? given->game->tag_count : 0, name, text)) {
        if (given->tags_written) ++*given->tags_written;
        return text_get(text);
    }
    // For an imported game, the provenance has only the date of the import, not facts about the
    // game. Event, Date, Red and Black then stay empty.
    if (export_imported(given->game, given->tags)) return "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0 && known[i].value) return known[i].value;
    }
    return "";
}

void export_tag_bytes(const ExportGame *given, const char *name, TextEncoding encoding, size_t size,
                      Text *out) {
    AUTO(Text) value = {0};
    text_reset(out);
    const size_t before = given->tags_written ? *given->tags_written : 0;
    const bool whole = text_encode(encoding, export_tag(given, name, &value), size, out);
    if (!whole && given->tags_written) *given->tags_written = before;
}

bool export_remark(const ExportGame *given, uint32_t ply, Text *text) {
    char name[32];
    snprintf(name, sizeof name, TAG_REMARK "%u", ply);
    return tag_value(given->tags, given->tags ? given->game->tag_count : 0, name, text);
}

Status export_walk_begin(const ExportGame *given, GameWalk *walk, Err *err) {
    const GameRecord *game = given->game;
    game_walk_init(walk, game);
    while (walk->ply < game->extra_plies && walk->ply < game->ply_count) {
        if (!game_walk_step(walk, game, given->plies[walk->ply].move)) {
            return err_set(err, STATUS_CORRUPT, "extra move number %u of the handicap is illegal",
                           walk->ply + 1);
        }
    }
    return STATUS_OK;
}

Move export_walk_next(const ExportGame *given, GameWalk *walk, Status *status, Err *err) {
    if (walk->ply == given->game->ply_count) return MOVE_NONE;
    const Move move = given->plies[walk->ply].move;
    if (game_walk_step(walk, given->game, move)) return move;
    *status = err_set(err, STATUS_CORRUPT, "the move in ply %u is illegal", walk->ply + 1);
    return MOVE_NONE;
}

const ExportGame *export_variation(const ExportGame *line, uint32_t ply, const ExportGame *other) {
    other = other ? other->next : line->variations;
    while (other && other->branch_ply != ply) other = other->next;
    return other;
}

// Writes the moves of a line, followed by its variations; those that branch later in the line come
// first. `main` is set for the main line. `varied` is set if a further variation replaces the first
// move of this line.
static Status put_line(const ExportGame *line, bool main, bool varied, PutTreeMove *put,
                       size_t *remarks_cut, Text *out, Err *err) {
    GameWalk walk;
    Status status = STATUS_OK;
    AUTO(Text) remark = {0}, before = {0};
    TRY(export_walk_begin(line, &walk, err));
    const uint32_t begin = walk.ply, end = line->game->ply_count;
    export_remark(line, begin, &before);
    const TreeMove start = {.none = true, .last = begin == end, .remark = text_get(&before)};
    size_t cut = main && !put(&start, out);
    for (Move move; (move = export_walk_next(line, &walk, &status, err)) != MOVE_NONE;) {
        const bool first = walk.ply == begin + 1 && !main;
        export_remark(line, walk.ply, &remark);
        if (first && before.length) {
            text_add(&before, "%s%s", remark.length ? "\n" : "", text_get(&remark));
        }
        const bool replaced = first ? varied : export_variation(line, walk.ply - 1, NULL) != NULL;
        cut += !put(&(TreeMove){.from = move_from(move),
                                .to = move_to(move),
                                .last = walk.ply == end,
                                .varied = replaced,
                                .remark = text_get(first && before.length ? &before : &remark)},
                    out);
    }
    if (remarks_cut) *remarks_cut += cut;
    for (uint32_t ply = end; status == STATUS_OK && ply-- > begin;) {
        const ExportGame *other = export_variation(line, ply, NULL);
        while (other && status == STATUS_OK) {
            const ExportGame *next = export_variation(line, ply, other);
            status = put_line(other, false, next, put, remarks_cut, out, err);
            other = next;
        }
    }
    return status;
}

Status export_tree(const ExportGame *given, PutTreeMove *put, Text *out, Err *err) {
    return put_line(given, true, false, put, given->remarks_cut, out, err);
}
