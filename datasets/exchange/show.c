// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/show.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/notation/board_draw.h"
#include "core/notation/notation.h"
#include "core/system/in_file.h"
#include "core/system/terminal.h"
#include "datasets/formats/formats.h"
#include "datasets/store/game_key.h"
#include "datasets/store/store.h"
#include "datasets/store/tags.h"

typedef struct ShowCall {
    const ShowSpec *spec;
    const char *const *args;
    int arg_count;
    FILE *out;
} ShowCall;

// The position to show, and how it was reached.
typedef struct Shown {
    Position before; // position before the last move
    Position now;    // position to show
    Move last;       // the last move; MOVE_NONE if no move was played
    Store *store;
    GameStream *stream;     // reads games from `store`
    const GameRecord *game; // the game from which the position comes, or NULL
    const PlyRecord *plies;
    uint32_t ply; // number of plies of the game before the position
} Shown;

// Plays moves from shown->now. An error message names the ply and `what`, the source of the moves.
static Status play_moves(const ShowSpec *spec, const char *moves, const char *what, Shown *shown,
                         Err *err) {
    const char *word;
    size_t length;
    for (int ply = 1; text_next_word(&moves, &word, &length); ply++) {
        shown->before = shown->now;
        if (notation_read((NotationSystem)spec->from, NULL, &shown->before, word, length,
                          &shown->last, err) != STATUS_OK) {
            return err_prefix(err, "%s, ply %d", what, ply);
        }
        position_do_move(&shown->before, shown->last, &shown->now);
    }
    return STATUS_OK;
}

// Returns true if standard input has data and is not a terminal. Waits at most 200 ms for the data
// of a pipe, and reads nothing.
static bool input_has_data(void) {
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    int size = 0;
    return !isatty(STDIN_FILENO) && poll(&wait, 1, 200) > 0 &&
           ioctl(STDIN_FILENO, FIONREAD, &size) == 0 && size > 0;
}

// Appends the first line of standard input that is not blank and does not begin with '#'.
static Status read_input_line(Text *words, Err *err) {
    LineReader reader;
    TRY(line_reader_open(&reader, NULL, err));
    const bool found = line_reader_next_record(&reader);
    const bool is_text = found && strlen(reader.line) == reader.length;
    if (is_text) text_add(words, "%s", reader.line);
    TRY(line_reader_close(&reader, err));
    if (is_text) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "standard input: %s",
                   found ? "the line contains a zero byte: it is not text"
                         : "it has no line with a FEN");
}

static Status shown_from_args(const ShowCall *call, Shown *shown, Err *err) {
    const ShowSpec *spec = call->spec;
    AUTO(Text) words = {0};
    const bool input = call->arg_count == 1 && strcmp(call->args[0], "-") == 0;
    if (input) TRY(read_input_line(&words, err));
    if (call->arg_count == 0) {
        text_add(&words, "%s", START_FEN);
        if (input_has_data()) {
            err_note(err, "standard input is not read; to show the FEN in it, use 'paotai show -'");
        }
    }
    for (int i = 0; i < call->arg_count && !input; i++) {
        text_add(&words, "%s%s", i ? " " : "", call->args[i]);
    }
    const char *fen = text_get(&words);
    char *moves = NULL;
    if (words.length) fen_split_moves(words.data, &fen, &moves);
    if (position_from_fen(&shown->now, fen, err) != STATUS_OK) {
        const bool file = call->arg_count == 1 && !input && access(call->args[0], F_OK) == 0;
        if (!file) return err->status;
        return err_remedy(err, "to show a game of a run, use 'paotai show --data %s'",
                          call->args[0]);
    }
    if (moves) TRY(play_moves(spec, moves, "moves", shown, err));
    return spec->moves ? play_moves(spec, spec->moves, "--moves", shown, err) : STATUS_OK;
}

static Status shown_from_data(const ShowCall *call, Shown *shown, Err *err) {
    const ShowSpec *spec = call->spec;
    if (call->arg_count || spec->moves) {
        return err_set(err, STATUS_USAGE, "--data shows a stored game: omit the FEN and --moves");
    }
    TRY(store_open(spec->data, &shown->store, err));
    shown->stream = game_stream_open(shown->store);
    TRY(game_stream_find(shown->stream, spec->game, &shown->game, &shown->plies, err));
    const size_t shards = store_shard_count(shown->store);
    const unsigned long long count = store_game_count(shown->store), index = spec->game;
    if (!shown->game && count == 0) {
        return err_set(err, STATUS_NOT_FOUND, "%s has no games", spec->data);
    }
    if (!shown->game) {
        return err_set(err, STATUS_NOT_FOUND,
                       "%s has no game %llu; it has %llu games, from %llu to %llu", spec->data,
                       index, count, (unsigned long long)store_shard_range(shown->store, 0).first,
                       (unsigned long long)store_shard_range(shown->store, shards - 1).end - 1);
    }
    const uint32_t plies = shown->game->ply_count;
    shown->ply = spec->ply < 0 ? plies : (uint32_t)spec->ply;
    if (shown->ply > plies) {
        return err_set(err, STATUS_NOT_FOUND, "--data %s: game %llu has %u plies, not %u",
                       spec->data, index, plies, shown->ply);
    }
    GameWalk walk;
    game_walk_init(&walk, shown->game);
    while (walk.ply < shown->ply) {
        shown->before = walk.position;
        shown->last = shown->plies[walk.ply].move;
        if (!game_walk_step(&walk, shown->game, shown->last)) {
            return err_set(err, STATUS_CORRUPT, "--data %s: game %llu, ply %u: the move is illegal",
                           spec->data, index, walk.ply + 1);
        }
    }
    shown->now = walk.position;
    return STATUS_OK;
}

static const char *condition(const Position *position) {
    const bool check = position_in_check(position), stuck = position_no_legal_move(position);
    return stuck ? (check ? "checkmated" : "stalemated") : check ? "in check" : "";
}

// Adds the tags of the game to the output record, each under its own name.
static void add_tags(Record *record, const Shown *shown) {
    const TagRecord *tags = game_stream_tags(shown->stream);
    char name[TAG_NAME_SIZE];
    AUTO(Text) value = {0};
    for (size_t at = 0; tag_next(tags, shown->game->tag_count, &at, name, &value);) {
        if (!record->json) text_make_printable(name);
        for (size_t i = 0; i < value.length && !record->json; i++) {
            if (value.data[i] == '\n') value.data[i] = ' ';
        }
        record_add(record, "%s %s", name, text_get(&value));
    }
}

static void print_json(const ShowCall *call, const Shown *shown) {
    const ShowSpec *spec = call->spec;
    const GameRecord *game = shown->game;
    char text[(int)FEN_SIZE + (int)NOTATION_SIZE];
    Record record;
    record_begin(&record, call->out, true);
    if (spec->data) {
        record_add(&record, "game %lu ply %u plies %u result %s reason %s", game->index, shown->ply,
                   game->ply_count, result_to_text(game->result),
                   end_reason_name((EndReason)game->reason));
        snprintf(text, sizeof text, "%016lx", game_content_key(game, shown->plies, false));
        record_add(&record, "key %s", text);
        if (game->odds[0]) record_add(&record, "odds %s", game->odds);
        add_tags(&record, shown);
    }
    if (shown->last != MOVE_NONE) {
        move_to_uci(shown->last, text);
        record_add(&record, "last_move %s", text);
        notation_write(NOTATION_WXF, NULL, &shown->before, shown->last, text);
        record_add(&record, "last_move_wxf %s", text);
        notation_write(NOTATION_CHINESE, NULL, &shown->before, shown->last, text);
        record_add(&record, "last_move_chinese %s", text);
    }
    position_to_fen(&shown->now, (FenDialect)spec->dialect, text);
    record_add(&record, "to_move %s condition %s fen %s", side_name((Side)shown->now.stm),
               condition(&shown->now), text);
    record_end(&record);
}

// Appends the score of a ply, such as " +0.35/6" or " +M7/12". Appends nothing if the ply has no
// score.
static void add_score(const PlyRecord *ply, Text *text) {
    if (ply->mate_red) {
        text_add(text, " %cM%d", ply->mate_red > 0 ? '+' : '-', abs(ply->mate_red));
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(text, " %+.2f", ply->score_red / 100.0);
    } else {
        return;
    }
    if (ply->depth) text_add(text, "/%d", ply->depth);
}

// Appends one ply: the move in two notations, and its score from Red's side with the depth. If the
// search preferred another move, appends that move too.
static void add_ply(const Position *position, const PlyRecord *ply, Text *text) {
    char wxf[NOTATION_SIZE], chinese[NOTATION_SIZE];
    notation_write(NOTATION_WXF, NULL, position, ply->move, wxf);
    notation_write(NOTATION_CHINESE, NULL, position, ply->move, chinese);
    text_add(text, "%s %s", wxf, chinese);
    add_score(ply, text);
    if (ply->best == MOVE_NONE) return;
    notation_write(NOTATION_WXF, NULL, position, ply->best, wxf);
    text_add(text, " (%s)", wxf);
}

static void print_moves(FILE *out, const GameRecord *game, const PlyRecord *plies) {
    GameWalk walk;
    AUTO(Text) line = {0};
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (!position_is_pseudo_legal(&walk.position, plies[i].move)) break;
        text_reset(&line);
        add_ply(&walk.position, &plies[i], &line);
        fprintf(out, "%4u %-5s %s%s\n", i + 1, side_name((Side)walk.position.stm), text_get(&line),
                i < game->opening_plies ? "  opening" : "");
        game_walk_step(&walk, game, plies[i].move);
    }
}

static void print_board(const ShowCall *call, const Shown *shown) {
    const ShowSpec *spec = call->spec;
    const BoardStyle style = {
        .letters = spec->pieces == 1,
        .black_below = spec->black_below,
        .colour = spec->colour == COLOUR_ALWAYS ||
                  (spec->colour == COLOUR_AUTO && terminal_colour(call->out)),
        .last = shown->last,
    };
    const GameRecord *game = shown->game;
    if (spec->data) {
        fprintf(call->out, "game %llu, ply %u of %u, result %s %s%s%s\n\n",
                (unsigned long long)game->index, shown->ply, game->ply_count,
                result_to_text(game->result), end_reason_name((EndReason)game->reason),
                game->odds[0] ? ", odds " : "", game->odds);
        if (!spec->board_only) {
            Record tags;
            record_begin(&tags, call->out, false);
            add_tags(&tags, shown);
            record_end(&tags);
            print_moves(call->out, game, shown->plies);
            fputc('\n', call->out);
        }
    }
    AUTO(Text) board = {0};
    board_draw(&shown->now, &style, &board);
    fprintf(call->out, "%s\n", text_get(&board));
    if (shown->last != MOVE_NONE) {
        char uci[5], wxf[NOTATION_SIZE], chinese[NOTATION_SIZE];
        move_to_uci(shown->last, uci);
        notation_write(NOTATION_WXF, NULL, &shown->before, shown->last, wxf);
        notation_write(NOTATION_CHINESE, NULL, &shown->before, shown->last, chinese);
        fprintf(call->out, "last move %s %s %s\n", uci, wxf, chinese);
    }
    char fen[FEN_SIZE];
    position_to_fen(&shown->now, (FenDialect)spec->dialect, fen);
    const char *state = condition(&shown->now);
    fprintf(call->out, "%s to move%s%s\nfen %s\n", side_name((Side)shown->now.stm),
            *state ? ", " : "", state, fen);
}

Status show_position(const ShowSpec *spec, const char *const *words, int count, FILE *out,
                     Err *err) {
    const ShowCall call = {spec, words, count, out};
    Shown shown = {.last = MOVE_NONE};
    const Status status =
        spec->data ? shown_from_data(&call, &shown, err) : shown_from_args(&call, &shown, err);
    if (status == STATUS_OK) (spec->json ? print_json : print_board)(&call, &shown);
    game_stream_close(shown.stream);
    store_close(shown.store);
    return status;
}
