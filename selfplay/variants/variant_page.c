// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/out_file.h"
#include "selfplay/pages/chart.h"
#include "selfplay/stats/stats.h"

enum { SERIES = VARIANT_PAGE_GAMES + 1, MOST_ROWS = 2 * VARIANT_MAX_TERMS, XIANGQI = SERIES - 1 };

typedef struct Values {
    int rows;
    const char *names[MOST_ROWS];
    double value[MOST_ROWS][SERIES], error95[MOST_ROWS][SERIES]; // NAN where a game has none
} Values;

static int row_of(Values *values, const char *name) {
    int row = 0;
    while (row < values->rows && strcmp(values->names[row], name) != 0) row++;
    if (row < values->rows) return row;
    values->names[values->rows++] = name;
    for (int i = 0; i < SERIES; i++) values->value[row][i] = values->error95[row][i] = NAN;
    return row;
}

// Adds the pieces of a game that have a value.
static void add_game(Values *values, int series, const Variant *game,
                     const VariantWeights *weights) {
    double scale = 0.01;
    for (int i = 0; i < game->term_count; i++) {
        const double value = weights->value[i];
        if (strcmp(game->terms[i].name, "chariot") == 0 && value > 0) scale = 9 / value;
    }
    for (int i = 0; i < game->term_count; i++) {
        if (game->terms[i].classic == 0 || weights->value[i] == 0) continue;
        const int row = row_of(values, game->terms[i].name);
        values->value[row][series] = scale * weights->value[i];
        if (weights->se[i] > 0) values->error95[row][series] = scale * Z95 * weights->se[i];
    }
}

static void draw(const Values *values, const char *const legends[SERIES], Text *html) {
    enum { WIDTH = 480 };
    Chart chart;
    Span span = {0, 0};
    for (int row = 0; row < values->rows; row++) {
        for (int i = 0; i < SERIES; i++) {
            span_add(&span, values->value[row][i], values->error95[row][i]);
        }
    }
    chart_begin(&chart, html, "values", "Values of the pieces",
                "A row for each piece, a dot with its 95 % interval for each game", WIDTH,
                60 + 30.0 * values->rows + 60, chart_rows_left(values->names, values->rows, WIDTH),
                60);
    chart_rows(&chart, values->names, values->rows);
    chart_axis_x(&chart, span.low, span.high, 6, "value, the chariot being 9");
    for (int i = 0; i < SERIES; i++) {
        if (!legends[i]) continue;
        chart_legend(&chart, i + 1, false, legends[i]);
        for (int row = 0; row < values->rows; row++) {
            chart_point(&chart, i + 1, row + 0.25 * (i + 1), values->value[row][i],
                        values->error95[row][i], 2, "%s, %s", legends[i], values->names[row]);
        }
    }
    chart_end(&chart);
}

Status variant_page_write(const char *path, const Variant *const *games,
                          const VariantWeights *weights, int count, const char *beside, Err *err) {
    Values values = {.rows = 0};
    const char *legends[SERIES] = {NULL};
    AUTO(Text) html = {0};
    for (int i = 0; i < count; i++) {
        add_game(&values, i, games[i], &weights[i]);
        legends[i] = games[i]->name;
    }
    if (beside) {
        VariantWeights xiangqi;
        TRY(variant_weights_load(games[0], beside, &xiangqi, err));
        add_game(&values, XIANGQI, games[0], &xiangqi);
        legends[XIANGQI] = "xiangqi";
    }
    page_begin(&html, "Values of the pieces in other games");
    text_add(&html, "<p>A chariot on the board is 9 in each game. Bars are 95 %% intervals.");
    for (int i = 0; i < count; i++) {
        text_add(&html, " %s: ", games[i]->name);
        page_add_escaped(&html, weights[i].name);
        text_add(&html, ".");
    }
    text_add(&html, "</p>\n");
    draw(&values, legends, &html);
    page_end(&html);
    return text_write_file(path, html.data, html.length, err);
}
