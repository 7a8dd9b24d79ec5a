// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/scan.h"

// A format's function: adds what it holds of a game and counts it.
typedef void ExportGame(const GameRecord *game, const PlyRecord *plies, Text *text,
                        ExportReport *report);

const char EXPORT_CHOICES_AFTER_BAR[] =
#define EXPORT_FORMAT(id, name, write) "|" name
    EXPORT_FORMATS(EXPORT_FORMAT);
#undef EXPORT_FORMAT

static const char *result_text(int result) {
    return result > 0 ? "1-0" : result < 0 ? "0-1" : "1/2-1/2";
}

// From the side that is to move.
static int turned(const Position *position, int value_red) {
    return position->stm == RED ? value_red : -value_red;
}

static bool has_score(const PlyRecord *ply) {
    return ply->mate_red != 0 || ply->score_red != SCORE_UNKNOWN;
}

// ---- positions ---------------------------------------------------------------------------------

static const char csv_header[] = "fen,move,score_red,mate_red,result,game,ply\n";

static void csv_position(const GameRecord *game, const GameWalk *walk, const PlyRecord *ply,
                         Text *text) {
    char fen[FEN_SIZE], move[5];
    position_to_fen(&walk->position, FEN_UCI, fen);
    move_to_uci(ply->move, move);
    text_add(text, "%s,%s,", fen, move);
    if (ply->score_red != SCORE_UNKNOWN) text_add(text, "%d", ply->score_red);
    text_add(text, ",%d,%d,%llu,%u\n", ply->mate_red, game->result, (unsigned long long)game->index,
             walk->ply);
}

// Board, side and two empty fields, then opcodes: `ce` the score of the side to move, `dm` a mate
// of the side to move in so many moves, `sm` the move that was played, `c9` the result of the game.
static void epd_position(const GameRecord *game, const GameWalk *walk, const PlyRecord *ply,
                         Text *text) {
    char fen[FEN_SIZE], move[5];
    position_to_fen(&walk->position, FEN_UCI, fen);
    move_to_uci(ply->move, move);
    const char *board_end = strchr(fen, ' ');
    text_add(text, "%.*s %c - - sm %s; ", (int)(board_end - fen), fen, board_end[1], move);
    const int mate = turned(&walk->position, ply->mate_red);
    if (mate > 0) {
        text_add(text, "dm %d; ", (mate + 1) / 2);
    } else if (ply->score_red != SCORE_UNKNOWN && mate == 0) {
        text_add(text, "ce %d; ", turned(&walk->position, ply->score_red));
    }
    text_add(text, "c9 \"%s\";\n", result_text(game->result));
}

// The text form of variant-nnue-tools (docs/convert.md): score and result of the side to move, the
// move with ranks from 1, mates as 32000 less their plies.
static void plain_position(const GameRecord *game, const GameWalk *walk, const PlyRecord *ply,
                           Text *text) {
    enum { PLAIN_MATE = 32000 };
    const Position *position = &walk->position;
    const int from = move_from(ply->move), to = move_to(ply->move);
    char fen[FEN_SIZE];
    position_to_fen(position, FEN_UCI, fen);
    const int mate = turned(position, ply->mate_red);
    const int score = mate > 0   ? PLAIN_MATE - mate
                      : mate < 0 ? -PLAIN_MATE - mate
                                 : turned(position, ply->score_red);
    text_add(text, "fen %s\nmove %c%d%c%d\nscore %d\nply %d\nresult %d\ne\n", fen,
             'a' + square_file(from), square_rank(from) + 1, 'a' + square_file(to),
             square_rank(to) + 1, score, 2 * (position->fullmove - 1) + position->stm,
             turned(position, game->result));
}

typedef void ExportPosition(const GameRecord *game, const GameWalk *walk, const PlyRecord *ply,
                            Text *text);

static void export_positions(const GameRecord *game, const PlyRecord *plies, Text *text,
                             ExportReport *report, ExportPosition *write, bool only_scored) {
    GameWalk walk;
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (plies[i].sampled && only_scored && !has_score(&plies[i])) {
            report->skipped++;
        } else if (plies[i].sampled) {
            write(game, &walk, &plies[i], text);
            report->positions++;
        }
        if (!game_walk_step(&walk, game, plies[i].move)) return;
    }
}

static void export_csv(const GameRecord *game, const PlyRecord *plies, Text *text,
                       ExportReport *report) {
    export_positions(game, plies, text, report, csv_position, false);
}

static void export_epd(const GameRecord *game, const PlyRecord *plies, Text *text,
                       ExportReport *report) {
    export_positions(game, plies, text, report, epd_position, false);
}

static void export_plain(const GameRecord *game, const PlyRecord *plies, Text *text,
                         ExportReport *report) {
    export_positions(game, plies, text, report, plain_position, true);
}

// ---- games -------------------------------------------------------------------------------------

// A line that `data import --format moves` reads: the result, the start where it is another one
// than the usual, the moves. Extra moves of odds are in the start already.
static void export_moves(const GameRecord *game, const PlyRecord *plies, Text *text,
                         ExportReport *report) {
    (void)report;
    char fen[FEN_SIZE];
    GameWalk walk;
    game_walk_init(&walk, game);
    while (walk.ply < game->extra_plies && game_walk_step(&walk, game, plies[walk.ply].move)) {
    }
    position_to_fen(&walk.position, FEN_UCI, fen);
    text_add(text, "%s", result_text(game->result));
    if (strcmp(fen, START_FEN) != 0) text_add(text, "\t%s", fen);
    for (uint32_t i = walk.ply; i < game->ply_count; i++) {
        char move[5];
        move_to_uci(plies[i].move, move);
        text_add(text, "%c%s", i == walk.ply ? '\t' : ' ', move);
    }
    text_add(text, "\n");
}

// ---- the store ---------------------------------------------------------------------------------

typedef struct Exporting {
    ExportGame *write;
    FILE *out;
    ExportReport *report;
    Text text;
} Exporting;

static Status write_text(Exporting *exporting, Err *err) {
    const Text *text = &exporting->text;
    const bool good = !text->length || fwrite(text->data, text->length, 1, exporting->out) == 1;
    const int why = errno;
    text_reset(&exporting->text);
    return good ? STATUS_OK : err_set(err, STATUS_IO, "cannot write: %s", strerror(why));
}

static Status export_block(void *context, const ScanBlock *block, Err *err) {
    Exporting *exporting = context;
    GameBatch batch = {0};
    Status status = shard_rows_to_batch(block->rows, &batch, err);
    if (status != STATUS_OK) err_prefix(err, "%s", block->path);
    for (size_t i = 0; i < batch.count && status == STATUS_OK; i++) {
        const GameRecord *game = &batch.games[i];
        exporting->write(game, batch.plies + game->first_ply, &exporting->text, exporting->report);
        exporting->report->games++;
        status = write_text(exporting, err);
    }
    game_batch_clear(&batch);
    return status;
}

Status store_export(const char *path, ExportFormat format, FILE *out, Progress *progress,
                    ExportReport *report, Err *err) {
    static ExportGame *const writers[EXPORT_FORMAT_COUNT] = {
#define EXPORT_FORMAT(id, name, write) [EXPORT_##id] = write,
        EXPORT_FORMATS(EXPORT_FORMAT)
#undef EXPORT_FORMAT
    };
    *report = (ExportReport){0};
    Exporting exporting = {.write = writers[format], .out = out, .report = report};
    if (format == EXPORT_CSV) text_add(&exporting.text, "%s", csv_header);
    Status status = write_text(&exporting, err);
    const ScanHooks hooks = {.block = export_block, .context = &exporting};
    if (status == STATUS_OK) status = store_scan(path, &hooks, progress, err);
    if (status == STATUS_OK && fflush(out) != 0) {
        status = err_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    }
    text_clear(&exporting.text);
    return status;
}
