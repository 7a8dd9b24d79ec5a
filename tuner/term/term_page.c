// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the page of a study: verdict, values by phase, boards, correlated terms, loss, match.
#include <math.h>

#include "core/base/out_file.h"
#include "selfplay/pages/chart.h"
#include "tuner/rows/terms.h"
#include "tuner/term/term_boards.h"

typedef unsigned long long Count;

void term_page_path(const TermStudy *study, Text *path) {
    if (study->settings->page) {
        text_add(path, "%s", study->settings->page);
    } else {
        text_add(path, "%s.html", study->dir.data);
    }
}

static void add_heading(Text *html, const char *heading) {
    text_add(html, "<h2>%s</h2>\n", heading);
}

static void add_paragraph(Text *html, const char *class_name, const char *text) {
    text_add(html, "<p%s%s%s>", class_name ? " class='" : "", class_name ? class_name : "",
             class_name ? "'" : "");
    page_add_escaped(html, text);
    text_add(html, "</p>\n");
}

// ---- sections -----------------------------------------------------------------------------------

enum { ROWS_MOST = 40 };

// Lists the pairs of weights of the new terms, at most ROWS_MOST.
static int list_pairs(const TermStudy *study, int pairs[ROWS_MOST]) {
    int count = 0;
    for (int i = 0; i < WEIGHT_COUNT && count < ROWS_MOST; i++) {
        if (study->pairs[i]) pairs[count++] = i;
    }
    return count;
}

static double half_of(const TermStudy *study, int weight) {
    return Z95 * study->errors.weight[weight];
}

// Draws the middlegame and endgame value of each weight with its error.
static void add_values(const TermStudy *study, Text *html) {
    enum { WIDTH = 500 };
    const double *value = study->base.with.weights;
    char names[ROWS_MOST][WEIGHT_NAME_SIZE];
    const char *labels[ROWS_MOST];
    int pairs[ROWS_MOST];
    const int count = list_pairs(study, pairs);
    Chart chart;
    Span span = {0, 0};
    for (int row = 0; row < count; row++) {
        weight_pair_name(pairs[row], names[row], sizeof names[row]);
        labels[row] = names[row];
        for (int phase = 0; phase < 2; phase++) {
            const int weight = 2 * pairs[row] + phase;
            span_add(&span, value[weight], half_of(study, weight));
        }
    }
    text_add(html, "<div class='pictures'><figure>\n");
    chart_begin(&chart, html, "values", "Values of the term",
                "A row for each entry, a dot with its 95 % interval for middlegame and endgame",
                WIDTH, 110 + 34.0 * count, chart_rows_left(labels, count, WIDTH), 60);
    chart_rows(&chart, labels, count);
    chart_axis_x(&chart, span.low, span.high, 4, "units (100 = a soldier of the classic table)");
    chart_rule_x(&chart, 0, "ideal");
    chart_legend(&chart, 1, false, "middlegame");
    chart_legend(&chart, 2, false, "endgame");
    for (int row = 0; row < count; row++) {
        for (int phase = 0; phase < 2; phase++) {
            const int weight = 2 * pairs[row] + phase;
            chart_point(&chart, 1 + phase, row + (phase ? 0.66 : 0.34), value[weight],
                        half_of(study, weight), 1, "%s, %s", names[row],
                        phase ? "endgame" : "middlegame");
        }
    }
    chart_end(&chart);
    text_add(html,
             "<figcaption>Fitted onto %s, whose other weights stay as they are. The bars are "
             "95 %% intervals, with games as the independent units.</figcaption></figure>"
             "</div>\n",
             study->settings->weights);
}

static void add_occurrence(const TermStudy *study, Text *html) {
    const Occurrence *found = &study->ablation.occurrence;
    AUTO(Text) text = {0};
    text_add(&text, "The term ");
    occurrence_describe(found, &text);
    text_add(&text, ". It counts in %llu of %llu evaluations of a search of the bench positions.",
             (Count)study->search.with_term, (Count)study->search.evaluations);
    add_paragraph(html, NULL, text.data);
    text_add(html,
             "<table><tr><th>positions with the term</th><th>opening</th><th>middlegame</th>"
             "<th>endgame</th><th>the winner has more</th><th>the loser has more</th></tr>\n"
             "<tr><td>%llu</td><td>%llu</td><td>%llu</td><td>%llu</td><td>%llu</td><td>%llu</td>"
             "</tr></table>\n",
             (Count)found->positions, (Count)found->by_stage[STAGE_OPENING],
             (Count)found->by_stage[STAGE_MIDDLEGAME], (Count)found->by_stage[STAGE_ENDGAME],
             (Count)found->winner, (Count)found->loser);
}

static void add_ties(const TermStudy *study, Text *html) {
    AUTO(Text) text = {0}, names = {0};
    const Ties *ties = &study->ablation.ties;
    ties_add_names(ties, &study->rows, &names);
    text_add(&text, "R2 %.4f: the share of the term that other terms explain%s%s.", ties->r2,
             names.length ? "; most of it " : "", text_get(&names));
    add_paragraph(html, NULL, text.data);
}

static void add_loss(const TermStudy *study, Text *html) {
    const Estimate *change = &study->ablation.change;
    AUTO(Text) text = {0};
    text_add(&text,
             "Loss with the term minus loss without it, on %llu games kept for validation: %+.7f "
             "\xc2\xb1 %.7f (95 %%, by game). If it is below 0, the term helps to predict "
             "results.",
             (Count)study->base.with.games[PART_VALID], change->value, Z95 * change->error);
    add_paragraph(html, NULL, text.data);
}

static void add_match(const TermStudy *study, Text *html) {
    const TermMatch *match = &study->ablation.match;
    const SprtSpec *sprt = &study->settings->sprt;
    AUTO(Text) text = {0};
    if (term_match_games(match) == 0) {
        add_paragraph(html, NULL, "No match was played.");
        return;
    }
    text_add(&text,
             "Match of the weights with the term against those without, %llu nodes a move, SPRT "
             "of %g against %g normalized Elo: ",
             (Count)study->settings->nodes, sprt->elo0, sprt->elo1);
    strength_word_add(&text, &match->verdict);
    text_add(&text, ", ");
    strength_interval_add(&text, &match->verdict);
    text_add(&text, " (%lld games, 95 %%; pairs by points ", term_match_games(match));
    for (int i = 0; i < PAIR_OUTCOMES; i++) {
        text_add(&text, "%s%lld", i ? ", " : "", match->counts.penta[i]);
    }
    text_add(&text, "; the test says %s).", sprt_decision_text(match->decision));
    add_paragraph(html, NULL, text.data);
}

static void add_same(const TermStudy *study, Text *html) {
    const TermSame *same = &study->same;
    AUTO(Text) text = {0};
    if (!same->compared) {
        text_add(&text, "Not compared with an older commit: %s.", text_get(&same->why));
    } else if (same->same) {
        text_add(&text,
                 "With the term at weight 0 the program plays like commit %s: equal moves, scores "
                 "and nodes in %d bench positions, over UCI too.",
                 same->commit, same->positions);
    } else {
        text_add(&text, "With the term at weight 0 the program does not play like commit %s: %s.",
                 same->commit, text_get(&same->why));
    }
    add_paragraph(html, NULL, text.data);
}

static Status add_boards(const TermStudy *study, Text *html, Err *err) {
    AUTO(Text) boards = {0}, text = {0};
    int count;
    TRY(term_boards_add(study, &boards, &count, err));
    text_add(&text,
             "%d positions in which one side has more of the term, chosen at equal distances, "
             "for both sides and both signs of its contribution. A yellow ring marks a piece "
             "whose removal changes the count. 'paotai data find --term %s RUN' lists all such "
             "positions.",
             count, study->name);
    add_paragraph(html, NULL,
                  count ? text.data
                        : "There is no position in which one side has more of the term.");
    text_add(html, "<div class='boards'>\n%s</div>\n", text_get(&boards));
    return STATUS_OK;
}

Status term_page_write(const TermStudy *study, Err *err) {
    AUTO(Text) html = {0}, title = {0}, verdict = {0}, path = {0};
    text_add(&title, "The term %s", study->name);
    text_add(&verdict, "%s: %s", term_verdict_word(study->verdict), text_get(&study->sentence));
    page_begin(&html, title.data);
    add_paragraph(&html, "verdict", verdict.data);
    if (study->fitted) {
        add_heading(&html, "Value by phase");
        add_values(study, &html);
    }
    add_heading(&html, "Occurrence");
    add_occurrence(study, &html);
    TRY(add_boards(study, &html, err));
    if (study->fitted) {
        add_heading(&html, "Terms that explain it");
        add_ties(study, &html);
        add_heading(&html, "Loss");
        add_loss(study, &html);
        add_heading(&html, "Match");
        add_match(study, &html);
    }
    add_heading(&html, "Play at weight 0");
    add_same(study, &html);
    page_end(&html);
    term_page_path(study, &path);
    return text_write_file(path.data, html.data, html.length, err);
}
