// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the hidden units of a network, and the positions in which the network changes the
// prediction most.
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/search/search.h"
#include "selfplay/pages/chart.h"
#include "tuner/report/report_internal.h"

// ---- positions ----------------------------------------------------------------------------------

enum { SHOWN = 10, DEEP_NODES = 100000, DEEP_MB = 16 };

// A position with its scores by the weights alone and with the network.
typedef struct Opinion {
    size_t row;
    uint32_t game;
    double weights, network; // scores in units, from Red's view
    // absolute difference of the expected results for the scores `weights` and `network`
    double change;
} Opinion;

// Inserts a position into the list of the positions in which the network changes the expected
// result most, if the change is large enough. The list is sorted, the largest change first, and has
// at most one position of each game.
static void insert(Opinion list[SHOWN], Opinion opinion) {
    int at = 0, end = 0;
    while (end < SHOWN - 1 && list[end].change > 0 && list[end].game != opinion.game) end++;
    while (at <= end && list[at].change >= opinion.change) at++;
    if (at > end) return;
    memmove(list + at + 1, list + at, (size_t)(end - at) * sizeof *list);
    list[at] = opinion;
}

static void find_opinions(const Report *report, Opinion list[SHOWN]) {
    const RowSet *rows = report->source->rows;
    const double *k = report->surplus_k;
    AUTO_FREE double *scores = memory_alloc(rows->chunk_rows, sizeof *scores);
    for (size_t c = 0, row = 0; c < rows->chunk_count; c++) {
        loss_chunk_scores(rows, c, report->flat, scores);
        for (uint32_t i = 0; i < rows->chunks[c].count; i++, row++) {
            const double network = (double)report->network_red[row];
            if (isnan(report->surplus[row])) continue;
            insert(list, (Opinion){row, rows->chunks[c].game[i], scores[i], network,
                                   fabs(loss_expected_points(k[1] * network) -
                                        loss_expected_points(k[0] * scores[i]))});
        }
    }
}

static void opinions(Report *report) {
    const RowSet *rows = report->source->rows;
    const Network *network = report->source->network;
    AUTO_POINTER(Search) search = search_new(&network->weights, DEEP_MB, NULL);
    Opinion list[SHOWN] = {{.change = 0}};
    ListRow lines[SHOWN] = {0};
    int count = 0;
    search_set_network(search, network);
    find_opinions(report, list);
    for (; count < SHOWN && list[count].change > 0; count++) {
        const Opinion *opinion = &list[count];
        ListRow *line = &lines[count];
        const RowChunk *chunk = &rows->chunks[opinion->row / rows->chunk_rows];
        PositionRecord record = {
            .stm = chunk->side_to_move[opinion->row % rows->chunk_rows] < 0 ? BLACK : RED};
        Position position;
        Game game;
        SearchResult result;
        memcpy(record.squares, rows->boards[opinion->row].squares, sizeof record.squares);
        // This call cannot fail, because report_measure_surplus() has already read the board.
        position_record_board(&record, &position, NULL);
        position.fullmove = 1;
        game_init(&game, &position);
        search_clear(search);
        search_run(search, &game, &(SearchLimits){.nodes = DEEP_NODES}, &result);
        game_clear(&game);
        snprintf(line->name, sizeof line->name, "%d", count + 1);
        position_to_fen(&position, FEN_UCI, line->more);
        line->row = opinion->row + 1;
        line->value[0] = opinion->weights / UNITS_A_POINT;
        line->value[1] = opinion->network / UNITS_A_POINT;
        line->value[2] = (record.stm == RED ? 1 : -1) * result.line.score / UNITS_A_POINT;
    }
    page_list(report,
              &(PageList){.id = "network-positions",
                          .heading = "Positions in which network and weights disagree most",
                          .caption =
                              "The positions, at most one of a game and ten in all, in which the "
                              "network changes the expected result most. "
                              "\"Search\" is the score of a search of 100,000 "
                              "nodes with the network; a mate is shown as about 300 "
                              "points. The table has the positions as FEN.",
                          .axis = "score from Red's side (points)",
                          .what = "number",
                          .more = "FEN",
                          .series = {"weights", "with the network", "search"},
                          .rows = lines,
                          .count = count,
                          .decimals = 2,
                          .limit = 15,
                          .exact = true});
}

// ---- hidden units -------------------------------------------------------------------------------

enum { KINDS = PIECE_COUNT };

// A hidden unit. The network computes it once for each side; "own" means this side, which is at the
// bottom of the board. Each input weight is the mean over the buckets of the network (the squares
// of the own general).
typedef struct Unit {
    double weight[KINDS][SQUARE_COUNT]; // NAN: the network has no input for this piece and square
    double share[KINDS]; // share of each kind of piece in the variance of the input weights
    // mean of the unit's output weights over all outputs of the network, in the view of the side to
    // move [0] and of the other side [1]
    double output[SIDE_COUNT];
    double strength;   // estimate of the unit's largest effect on the score
    int first, second; // the two kinds of pieces with the largest `share`
} Unit;

static void read_kind(const Network *network, int u, int piece, Unit *unit, double *total) {
    double sum = 0, squares = 0;
    int count = 0;
    for (int square = 0; square < SQUARE_COUNT; square++) {
        const Side side = piece_side((Piece)piece);
        const PieceType type = piece_type((Piece)piece);
        double value = 0;
        unit->weight[piece][square] = NAN;
        if (type == NO_PIECE_TYPE || piece == piece_make(RED, GENERAL)) continue;
        if (!square_fits_piece(square, side, type)) continue;
        const int place = network->places.of[RED][0][piece][square];
        for (int b = 0; b < NETWORK_BUCKETS; b++) {
            value += network->input[(b * NETWORK_PLACES + place) * network->units + u];
        }
        value /= NETWORK_BUCKETS * NETWORK_FINE * NETWORK_ONE;
        unit->weight[piece][square] = value;
        sum += value;
        squares += value * value;
        count++;
    }
    unit->share[piece] = count ? squares - sum * sum / count : 0;
    *total += unit->share[piece];
}

static void read_unit(const Network *network, int u, Unit *unit) {
    double total = 0;
    *unit = (Unit){.first = 0};
    for (int piece = 0; piece < KINDS; piece++) read_kind(network, u, piece, unit, &total);
    for (int piece = 0; piece < KINDS; piece++) unit->share[piece] /= total > 0 ? total : 1;
    for (int view = 0; view < 2; view++) {
        for (int o = 0; o < NETWORK_OUTPUTS; o++) {
            const double output = network->output[o][view * network->units + u];
            unit->output[view] += output / NETWORK_OUTPUTS / NETWORK_OUTPUT_ONE;
        }
    }
    unit->strength = sqrt(total) * (fabs(unit->output[0]) + fabs(unit->output[1]));
    for (int piece = 1; piece < KINDS; piece++) {
        if (unit->share[piece] > unit->share[unit->first]) unit->first = piece;
    }
    unit->second = unit->first == 0;
    for (int piece = 0; piece < KINDS; piece++) {
        if (piece != unit->first && unit->share[piece] > unit->share[unit->second]) {
            unit->second = piece;
        }
    }
}

static const char *kind_name(int piece, char name[32]) {
    snprintf(name, 32, "%s %s", piece_side((Piece)piece) == RED ? "own" : "enemy",
             piece_type_name(piece_type((Piece)piece)));
    return name;
}

static void unit_board(Report *report, const Unit *unit, int piece) {
    char name[32];
    page_add(report->html, "<div><h4>%s, %.0f\xc2\xa0%%</h4>\n", kind_name(piece, name),
             100 * unit->share[piece]);
    square_board_figure(unit->weight[piece], name, report->html);
    page_add(report->html, "</div>\n");
}

// Appends boards of one hidden unit: the strongest (Unit.strength) of those that depend most on
// `piece` (Unit.first). Appends nothing if there is none.
static void unit_group(Report *report, const Unit *units, int piece) {
    const Unit *best = NULL;
    int count = 0;
    char id[48], heading[120], name[32];
    for (int u = 0; u < report->source->network->units; u++) {
        if (units[u].first != piece || units[u].strength <= 0) continue;
        count++;
        if (!best || units[u].strength > best->strength) best = &units[u];
    }
    if (!best) return;
    snprintf(id, sizeof id, "unit-%d", piece);
    snprintf(heading, sizeof heading, "Hidden units that depend most on the %s: %d of %d",
             kind_name(piece, name), count, report->source->network->units);
    page_figure(report, id, heading);
    page_add(report->html, "<div class='boards'>\n");
    unit_board(report, best, best->first);
    unit_board(report, best, best->second);
    page_add(report->html, "</div>\n");
    AUTO(Text) caption = {0};
    text_add(
        &caption,
        "Unit %d, the strongest of them. Its output weight is %+.2f in the view of the side to "
        "move and %+.2f in the view of the other side.",
        (int)(best - units), best->output[0], best->output[1]);
    page_figure_end(report, caption.data);
}

// ---- learning curve -----------------------------------------------------------------------------

// Plots the strength of networks against the number of their training positions. The numbers come
// from experiment E-105, not from the network of this report. A strong network played the training
// games of E-105.
static void learning_curve(Report *report) {
#define LEARNED(...) {__VA_ARGS__},
    static const struct {
        double positions, elo, error;
    } learned[] = {
#include "tuner/report/learning_curve.def"
    };
    enum { COUNT = sizeof learned / sizeof *learned };
    double x[COUNT], y[COUNT];
    Chart chart;
    Span span = {0, 0};
    for (int i = 0; i < COUNT; i++) {
        x[i] = learned[i].positions;
        y[i] = learned[i].elo;
        span_add(&span, learned[i].elo, learned[i].error);
    }
    page_figure(report, "learning-curve",
                "Strength by the number of training positions of strong games");
    chart_begin(&chart, report->html, "learning-curve", "Learning curve",
                "Elo of networks over the linear default by millions of training positions from "
                "games of the network best.",
                CHART_WIDTH, CHART_HEIGHT, CHART_LEFT, CHART_BOTTOM);
    chart_axis_x(&chart, 0, x[COUNT - 1], 6, "training positions from games of best (millions)");
    span_widen(&span);
    chart_axis_y(&chart, span.low, span.high, 6, "Elo over the linear default");
    chart_line(&chart, 1, x, y, COUNT);
    for (int i = 0; i < COUNT; i++) {
        chart_point(&chart, 1, x[i], y[i], learned[i].error, 0, "%g million positions", x[i]);
    }
    chart_end(&chart);
    page_table(report, "Numbers: strength by positions",
               "millions of positions|Elo over the linear default|error, 95 %");
    for (int i = 0; i < COUNT; i++) {
        page_row(report, "%g|%+.0f|%.0f", x[i], y[i], learned[i].error);
    }
    page_table_end(report);
    page_figure_end(
        report, "Four networks with 128 hidden units each, trained from random weights on "
                "more and more games of the compiled network (\"best\") at 400 nodes, against "
                "the linear default weights: 300 games of 5,000 nodes a move each. Games of "
                "weaker players teach less: networks fitted to 0.6, 1.4 and 2.8 million positions "
                "of games by the linear default changed -4, +19 and +23 Elo, each +- 30. "
                "The bars are 95 % intervals. The experiments "
                "E-105 and E-190 in experiments.md have the commands. The network of this report "
                "is not among them.");
}

void report_network(Report *report) {
    const Network *network = report->source->network;
    AUTO_FREE Unit *units = memory_alloc((size_t)network->units, sizeof *units);
    opinions(report);
    page_paragraph(
        report,
        "Each hidden unit of the network is listed under the kind of piece whose squares change "
        "its "
        "input most. Of each list, the unit with the largest effect on the score is shown: its "
        "input weights by square for the two kinds that change it most, with the share of each "
        "kind in the variance of its input weights. The own side is at the bottom. A piece on a "
        "red square raises the unit's activation, a piece on a blue square lowers it. A unit "
        "exists once for each side, with its own output weight.");
    for (int u = 0; u < network->units; u++) read_unit(network, u, &units[u]);
    for (int piece = 0; piece < KINDS; piece++) unit_group(report, units, piece);
    learning_curve(report);
}
