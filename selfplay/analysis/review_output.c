// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/analysis/review_output.h"

#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/eval/network.h"
#include "core/system/interrupt.h"
#include "core/system/terminal.h"
#include "datasets/exchange/import_print.h"
#include "datasets/formats/board_list.h"
#include "selfplay/contest/contest_view.h"

// ---- lines --------------------------------------------------------------------------------------

static void add_player(const PlayerSetup *player, Text *text) {
    if (player->spec.program) {
        text_add(text, "player %s", player->spec.name);
    } else {
        network_describe(player->weights_name, player->network, player->weights_hash, text);
    }
}

// Appends lines that say how a review was done: the player and its limits, the factor K that
// converts scores to expected points and its source, the thresholds of the marks, and the formula
// of the accuracy.
static void add_about(const PlayerSetup *player, double k, bool k_known, Text *text) {
    const PlayerSpec *spec = &player->spec;
    add_player(player, text);
    if (spec->limits.nodes) text_add(text, ", %llu nodes", (unsigned long long)spec->limits.nodes);
    if (spec->limits.depth) text_add(text, ", depth %d", spec->limits.depth);
    if (spec->limits.control.move_ns) {
        text_add(text, ", %lld ms", (long long)(spec->limits.control.move_ns / MS_NS));
    }
    text_add(text,
             " a search\nloss: expected points that the move lost; expected points of a score: 1 / "
             "(1 + exp(-K score)), K = %.7f per unit (%s)\n",
             k,
             k_known ? "from the weights"
                     : "from the compiled default weights, because the player has no K");
    for (int mark = 1; mark < REVIEW_MARK_COUNT; mark++) {
        text_add(text, "%s%s from %.2f", mark > 1 ? ", " : "", review_mark_names[mark],
                 review_mark_from[mark]);
    }
    text_add(text, "; accuracy: mean over the moves of 103.1668 exp(-4.354 loss) - 3.1668\n");
}

static void print_head(const PlayerSetup *player, double k, bool k_known, bool json, FILE *out) {
    AUTO(Text) text = {0};
    if (json) {
        const PlayerSpec *spec = &player->spec;
        Record record;
        add_player(player, &text);
        record_begin(&record, out, true);
        record_add(&record, "player %s nodes %lu depth %d k %.8f k_from_weights %s", text.data,
                   spec->limits.nodes, spec->limits.depth, k, k_known ? "yes" : "no");
        for (int mark = 1; mark < REVIEW_MARK_COUNT; mark++) {
            record_add(&record, "%s %.2f", review_mark_names[mark], review_mark_from[mark]);
        }
        record_end(&record);
        return;
    }
    add_about(player, k, k_known, &text);
    char *cursor = text.data;
    for (char *line; *(line = text_next_field(&cursor, '\n'));) fprintf(out, "# %s\n", line);
    fputs("# game\tply\tmove\tloss\tmark\tbest line\n", out);
}

static void print_ply(const ReviewedGame *game, uint32_t i, bool json, Text *line, FILE *out) {
    const ReviewPly *review = &game->reviews[i];
    const bool reviewed = i >= review_first_ply(game->game.game);
    char move[5];
    move_to_uci(game->plies[i].move, move);
    text_reset(line);
    moves_add_uci(review->line, review->count, line);
    record_row(out, json, "{game}%lu\t{ply}%u\t{move}%s\t{loss}%.4f\t{mark}%s\t{best_line}%s\n",
               game->game.game->index, i + 1, move, reviewed ? review->loss : NAN,
               review_mark_names[review->mark], review->count ? line->data : "-");
}

static void add_side(const ReviewedGame *game, Side side, Text *text) {
    const ReviewSide *of = &game->sides[side];
    const char *colour = side == RED ? "Red" : "Black";
    AUTO(Text) name = {0};
    const char *tag = export_tag(&game->game, colour, &name);
    text_add(text, "%s%s%s%s accuracy ", colour, *tag ? " (" : "", tag, *tag ? ")" : "");
    text_add(text, of->moves ? "%.1f %%" : "unknown", of->accuracy);
    for (int mark = 1; mark < REVIEW_MARK_COUNT; mark++) {
        text_add(text, ", %s %u", review_mark_names[mark], of->marks[mark]);
    }
}

static void print_sums(const ReviewedGame *game, FILE *out) {
    AUTO(Text) text = {0};
    text_add(&text, "game %llu: ", (unsigned long long)game->game.game->index);
    add_side(game, RED, &text);
    text_add(&text, "; ");
    add_side(game, BLACK, &text);
    text_make_printable(text.data);
    fprintf(out, "# %s\n", text.data);
}

static void print_sums_json(const ReviewedGame *game, FILE *out) {
    Record record;
    record_begin(&record, out, true);
    record_add(&record, "game %lu plies %u", game->game.game->index, game->game.game->ply_count);
    for (Side side = RED; side < SIDE_COUNT; side++) {
        const ReviewSide *of = &game->sides[side];
        const char *key = side == RED ? "red" : "black";
        AUTO(Text) name = {0};
        record_add(&record, "%s %s %s_moves %u %s_accuracy %.1f", key,
                   export_tag(&game->game, side == RED ? "Red" : "Black", &name), key, of->moves,
                   key, of->accuracy);
        for (int mark = 1; mark < REVIEW_MARK_COUNT; mark++) {
            record_add(&record, "%s_%s %u", key, review_mark_names[mark], of->marks[mark]);
        }
    }
    record_end(&record);
}

static void print_game(const ReviewedGame *game, bool json, FILE *out) {
    AUTO(Text) line = {0};
    for (uint32_t i = 0; i < game->game.game->ply_count; i++) print_ply(game, i, json, &line, out);
    (json ? print_sums_json : print_sums)(game, out);
    fflush(out);
}

// ---- the page -----------------------------------------------------------------------------------

// Maximum number of moves of a best line (ReviewPly.line) that the page shows.
enum { PAGE_LINE = 8 };

// Fills *line with the best line of ply i as a variation of the game. `start` is the position
// before ply i. `record` and `plies` hold the data of the variation.
static void add_variation(const ReviewedGame *game, uint32_t i, const Position *start,
                          ExportGame *line, GameRecord *record, PlyRecord *plies) {
    const ReviewPly *review = &game->reviews[i];
    const int count = review->count < PAGE_LINE ? review->count : PAGE_LINE;
    for (int j = 0; j < count; j++) {
        plies[j] = (PlyRecord){.move = review->line[j], .score_red = SCORE_UNKNOWN};
    }
    *record = (GameRecord){.start = *start, .ply_count = (uint32_t)count};
    *line =
        (ExportGame){.game = record, .plies = plies, .system = game->game.system, .branch_ply = i};
}

// Appends the values of the review as JSON members; viewer.js describes them.
static void add_values(const ReviewedGame *game, Text *text) {
    const uint32_t count = game->game.game->ply_count;
    for (const char *key = "gcj"; *key; key++) {
        text_add(text, ",\"%c\":[", *key);
        for (uint32_t i = 0; i < count; i++) {
            const ReviewPly *ply = &game->reviews[i];
            // Round losses down to thousandths, so that no loss is rounded up to the threshold of a
            // worse mark (inaccuracy, mistake or blunder).
            const double value = *key == 'j'   ? (double)ply->mark
                                 : *key == 'c' ? floor(1000 * ply->loss + 1e-6)
                                               : 1000 * ply->expected;
            text_add(text, i < review_first_ply(game->game.game) ? "null," : "%.0f,", value);
        }
        text_add(text, "%.0f]", *key == 'g' ? 1000 * game->expected : 0);
    }
    text_add(text, ",\"u\":[");
    for (Side side = RED; side < SIDE_COUNT; side++) {
        const ReviewSide *of = &game->sides[side];
        text_add(text, of->moves ? "%s%.1f" : "%snull", side ? "," : "", of->accuracy);
    }
    text_add(text, "]");
}

// Appends the game to the page's data. The best line for each inaccuracy, mistake and
// blunder becomes a variation of the game.
static void add_page_game(const ReviewedGame *game, Text *text) {
    const uint32_t count = game->game.game->ply_count;
    AUTO(Text) values = {0};
    AUTO_FREE ExportGame *lines = memory_alloc(count, sizeof *lines);
    AUTO_FREE GameRecord *records = memory_alloc(count, sizeof *records);
    AUTO_FREE PlyRecord *plies = memory_alloc((size_t)count * PAGE_LINE, sizeof *plies);
    ExportGame whole = game->game, **last = &whole.variations;
    GameWalk walk;
    game_walk_init(&walk, game->game.game);
    for (uint32_t i = 0; i < count; i++) {
        if (game->reviews[i].mark != REVIEW_GOOD) {
            add_variation(game, i, &walk.position, &lines[i], &records[i], plies + i * PAGE_LINE);
            *last = &lines[i];
            last = &lines[i].next;
        }
        game_walk_step(&walk, game->game.game, game->plies[i].move);
    }
    add_values(game, &values);
    text_add(text, text->length ? "\n,\n" : "\n");
    view_add_game(&whole, values.data, text);
}

// ---- all games ----------------------------------------------------------------------------------

typedef struct ReviewWriter {
    const ReviewOutput *output;
    Text games; // data of the page: games in JSON, separated by commas
    uint64_t count, refused;
} ReviewWriter;

static bool write_game(void *context, const ReviewedGame *game) {
    ReviewWriter *writer = context;
    terminal_begin_line(writer->output->out);
    print_game(game, writer->output->json, writer->output->out);
    if (writer->output->page) add_page_game(game, &writer->games);
    writer->count++;
    return !interrupt_requested();
}

static void print_refused(void *context, const ImportPlace *place, const char *why) {
    ReviewWriter *writer = context;
    terminal_begin_line(writer->output->out);
    import_print_refused(place, why, writer->output->json, writer->output->out);
    writer->refused++;
}

static Status write_page(const ReviewWriter *writer, const char *path, const char *about,
                         Err *err) {
    const ViewSpec view = {.path = path,
                           .notation = MOVES_DETECTED,
                           .out = writer->output->page,
                           .games = text_get(&writer->games),
                           .note = about};
    ViewCounts counts = {.games = writer->count};
    return contest_view_write(&view, NULL, &counts, err);
}

Status review_write(const ReviewSpec *spec, const ReviewOutput *output, Progress *progress,
                    Err *err) {
    const char *path = spec->path ? spec->path : "standard input";
    ReviewWriter writer = {.output = output};
    ReviewSpec review = *spec;
    const bool known = review_find_k(spec->player, &review.k);
    review.reviewed = write_game;
    review.hooks = (ImportHooks){.refused = print_refused, .context = &writer};
    review.context = &writer;
    print_head(spec->player, review.k, known, output->json, output->out);
    Status status = review_games(&review, progress, err);
    if (writer.count == 0 && writer.refused == 0 && status == STATUS_OK) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: the file contains no game", path);
    }
    if (output->page && writer.count) {
        AUTO(Text) about = {0};
        add_about(spec->player, review.k, known, &about);
        const Status written = write_page(&writer, path, about.data, err);
        if (status == STATUS_OK) status = written;
    }
    text_clear(&writer.games);
    return status == STATUS_OK && writer.refused ? STATUS_REPORTED : status;
}
