// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the HTML page of `paotai term` about a new term: the verdict, the values in both phases,
// how often the term occurs, example positions, the other terms that explain it (R2), the loss, the
// match, and whether the program with weight 0 for the term plays like the older program.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/system/out_file.h"
#include "selfplay/pages/chart.h"
#include "selfplay/pages/position_board.h"
#include "tuner/report/weight_show.h"
#include "tuner/term/term_boards.h"

typedef unsigned long long Count;

void term_page_path(const TermStudy *study, Text *path) {
    if (study->settings->page) {
        text_add(path, "%s", study->settings->page);
    } else {
        text_add(path, "%s.html", study->dir.data);
    }
}

static void add_heading(Html *html, const char *heading) {
    page_add(html, "<h2>%s</h2>\n", heading);
}

static void add_paragraph(Html *html, const char *class_name, const char *text) {
    page_add(html, "<p");
    if (class_name) page_add(html, " class='%s'", class_name);
    page_add(html, ">");
    page_add_prose(html, text);
    page_add(html, "</p>\n");
}

// ---- sections -----------------------------------------------------------------------------------

enum { ROWS_MOST = 40 };

// Lists the pairs of weights (middlegame, endgame) of the new terms, at most ROWS_MOST. Returns
// their number.
static int list_pairs(const TermStudy *study, int pairs[ROWS_MOST]) {
    int count = 0;
    for (int i = 0; i < WEIGHT_COUNT && count < ROWS_MOST; i++) {
        if (study->pairs[i]) pairs[count++] = i;
    }
    return count;
}

static double half_of(const TermStudy *study, int weight) {
    return Z95 * study->base.errors.weight[weight];
}

// Appends the name of a pair of weights: the name of its term, a separator, and the name of its
// entry. If the page shows only one term, leaves out the term and the separator. If the term has
// only one entry, appends only the name of the term.
static void add_name(int pair, bool one_term, const char *separator, Text *text) {
    const WeightTerm *term = weight_term_of(pair);
    const bool named = !one_term || term->count == 1;
    if (named) text_add(text, "%s", term->name);
    if (term->count == 1) return;
    text_add(text, "%s", named ? separator : "");
    weight_show_entry(term, pair - term->first, text);
}

// Draws the middlegame and endgame value of each weight with its error.
static void add_values(const TermStudy *study, Html *html) {
    enum { WIDTH = 500 };
    const double *value = study->base.with.weights;
    Text names[ROWS_MOST] = {0};
    const char *labels[ROWS_MOST];
    int pairs[ROWS_MOST];
    const int count = list_pairs(study, pairs);
    const bool one_term = count > 0 && weight_term_of(pairs[0]) == weight_term_of(pairs[count - 1]);
    const double row_height = one_term ? 34 : 2 * CHART_ROW_LINE + 6;
    Chart chart;
    Span span = {0, 0};
    for (int row = 0; row < count; row++) {
        add_name(pairs[row], one_term, "\n", &names[row]);
        labels[row] = names[row].data;
        for (int phase = 0; phase < 2; phase++) {
            const int weight = 2 * pairs[row] + phase;
            span_add(&span, value[weight], half_of(study, weight));
        }
    }
    page_add(html, "<div class='pictures'><figure><h3>Middlegame and endgame value</h3>\n");
    chart_begin(&chart, html, "values", "Values of the term",
                "A row for each entry, a dot with its 95 % interval for middlegame and endgame",
                WIDTH, 110.0 + row_height * count, chart_rows_left(labels, count, WIDTH), 60);
    chart_rows(&chart, labels, count);
    chart_axis_x(&chart, span.low, span.high, 4, "value (units; 100: a classic soldier)");
    chart_rule_x(&chart, 0, "ideal");
    chart_legend(&chart, 1, false, "middlegame");
    chart_legend(&chart, 2, false, "endgame");
    for (int row = 0; row < count; row++) {
        AUTO(Text) tip = {0};
        add_name(pairs[row], one_term, ", ", &tip);
        text_clear(&names[row]);
        for (int phase = 0; phase < 2; phase++) {
            const int weight = 2 * pairs[row] + phase;
            chart_point(&chart, 1 + phase, row + (phase ? 0.66 : 0.34), value[weight],
                        half_of(study, weight), 1, "%s, %s", tip.data,
                        phase ? "endgame" : "middlegame");
        }
    }
    chart_end(&chart);
    page_add(
        html,
        "<figcaption>The values were fitted while all other weights kept their values in %s. The "
        "bars are 95\xc2\xa0%% intervals, with games as the independent units. "
        "100\xc2\xa0units are a soldier of the classic table.</figcaption></figure></div>\n",
        study->settings->weights);
}

static void add_occurrence(const TermStudy *study, Html *html) {
    const Occurrence *found = &study->base.occurrence;
    AUTO(Text) text = {0};
    text_add(&text, "The term ");
    occurrence_describe(found, &text);
    text_add(&text, ". It counts in %llu of %llu evaluations of a search of the bench positions.",
             (Count)study->search.with_term, (Count)study->search.evaluations);
    add_paragraph(html, NULL, text.data);
    const struct {
        const char *name;
        uint64_t count;
    } lines[] = {{"positions with the term", found->positions},
                 {"of these, in the opening", found->by_stage[STAGE_OPENING]},
                 {"in the middlegame", found->by_stage[STAGE_MIDDLEGAME]},
                 {"in the endgame", found->by_stage[STAGE_ENDGAME]},
                 {"the winner of the game has more", found->winner},
                 {"the loser of the game has more", found->loser}};
    page_add(html, "<table>\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        page_add(html, "<tr><th scope='row'>%s</th><td>%llu</td></tr>\n", lines[i].name,
                 (Count)lines[i].count);
    }
    page_add(html, "</table>\n");
}

static void add_collinearity(const TermStudy *study, Html *html) {
    AUTO(Text) text = {0}, names = {0};
    const Collinearity *collinearity = &study->base.collinearity;
    collinearity_add_names(collinearity, &study->base.rows, &names);
    text_add(&text, "Other terms explain %.1f %% of the term (R2 %.4f)%s%s.",
             100 * collinearity->r2, collinearity->r2, names.length ? ", most of all " : "",
             text_get(&names));
    add_paragraph(html, NULL, text.data);
}

static void add_loss(const TermStudy *study, Html *html) {
    const Estimate *change = &study->base.change;
    AUTO(Text) text = {0};
    text_add(&text,
             "Loss with the term minus loss without it, on %llu games that the fit did not use: "
             "%+.7f \xc2\xb1 %.7f (95 %%, games as the independent units). A lower loss is better: "
             "below 0 the term helps to predict.",
             (Count)study->base.with.games[PART_VALID], change->value, Z95 * change->error);
    add_paragraph(html, NULL, text.data);
}

static void add_match(const TermStudy *study, Html *html) {
    const WeightsMatch *match = &study->base.match;
    const SprtSpec *sprt = &study->settings->sprt;
    AUTO(Text) text = {0};
    if (weights_match_games(match) == 0) {
        add_paragraph(html, NULL, "No match was played.");
        return;
    }
    text_add(&text,
             "A match of the weights with the term against the weights without it, %llu nodes a "
             "move: ",
             (Count)study->settings->nodes);
    strength_word_add(&text, &match->verdict);
    text_add(&text, ", ");
    weights_match_add(match, &text);
    text_add(&text, ". The number of pairs of games in which the weights with the "
                    "term scored 0, "
                    "\xc2\xbd, 1, 1\xc2\xbd and 2 points: ");
    for (int i = 0; i < PAIR_OUTCOMES; i++) {
        text_add(&text, "%s%lld", i ? ", " : "", match->counts.penta[i]);
    }
    text_add(
        &text,
        ". The sequential test (SPRT) of %g against %g normalized Elo says: %s. Normalized Elo "
        "is Elo relative to the spread of the results of pairs, so that the test needs about "
        "equally many games in any match.",
        sprt->elo0, sprt->elo1, sprt_decision_words(match->decision));
    add_paragraph(html, NULL, text.data);
}

static void add_same(const TermStudy *study, Html *html) {
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

static Status add_boards(const TermStudy *study, Html *html, Err *err) {
    AUTO(Html) boards = {0};
    AUTO(Text) text = {0};
    int count;
    TRY(term_boards_add(study, &boards, &count, err));
    text_add(
        &text,
        "%d positions in which the sides differ in the term, spread over the games. If possible, "
        "there are as many positions in which Red has more of the term as positions in which Black "
        "has more. %sA yellow ring marks a piece "
        "whose removal changes the count. 'paotai data find --term %s RUN' lists all such "
        "positions.",
        count,
        study->fitted ? "Below a board is what the term adds to Red's score. If possible, this "
                        "number is negative in half of the positions. "
                      : "",
        study->base.terms);
    add_paragraph(html, NULL,
                  count ? text.data
                        : "There is no position in which the sides differ in the term.");
    if (count) position_board_choice(html);
    page_add(html, "<div class='boards'>\n");
    page_add_html(html, &boards);
    page_add(html, "</div>\n");
    return STATUS_OK;
}

// Appends the verdict. The first part of its sentence, up to a semicolon, is in large type.
static void add_verdict(const TermStudy *study, Html *html) {
    static const char *const heads[] = {[TERM_NEVER] = "%s never counts: ",
                                        [TERM_COPY] = "%s is a copy of other terms: ",
                                        [TERM_KEEP] = "Keep %s: ",
                                        [TERM_DROP] = "Drop %s: ",
                                        [TERM_UNDECIDED] = "It is not decided whether %s helps: "};
    static const char undecided[] = "not decided: ";
    AUTO(Text) verdict = {0}, more = {0};
    const char *sentence = text_get(&study->sentence);
    const char *rest = strstr(sentence, "; ");
    const bool twice = strncmp(sentence, undecided, strlen(undecided)) == 0;
    text_add(&verdict, heads[study->verdict], study->base.terms);
    if (strncmp(sentence, "occurs ", strlen("occurs ")) == 0) text_add(&verdict, "it ");
    if (twice) sentence += strlen(undecided);
    text_add_bytes(&verdict, sentence, rest ? (size_t)(rest - sentence) : strlen(sentence));
    add_paragraph(html, "verdict", verdict.data);
    if (!rest) return;
    text_add(&more, "%c%s.", toupper((unsigned char)rest[2]), rest + 3);
    add_paragraph(html, NULL, more.data);
}

// Appends a paragraph that says what to do after the verdict.
static void add_next(const TermStudy *study, Html *html) {
    const char *name = study->base.terms;
    AUTO(Text) with = {0}, without = {0}, path = {0};
    text_add(&path, "%s/with.txt", study->dir.data);
    text_add_word(&with, path.data);
    text_reset(&path);
    text_add(&path, "%s/without.txt", study->dir.data);
    text_add_word(&without, path.data);
    page_add(html, "<p class='next'>Next: ");
    const bool confirmed = study->confirm.verdict.word == STRENGTH_STRONGER;
    const bool lost_second = study->base.match.verdict.word == STRENGTH_STRONGER;
    if (study->verdict == TERM_KEEP && confirmed) {
        page_add(html, "make the weights the default (<code>make adopt WEIGHTS=%s</code>).",
                 with.data);
    } else if (study->verdict == TERM_KEEP) {
        page_add(html,
                 "confirm the gain with longer searches (<code>build/paotai match --a weights=%s "
                 "--b weights=%s --nodes 1000 --sprt 0,5</code>), then make the weights the "
                 "default (<code>make adopt WEIGHTS=%s</code>).",
                 with.data, without.data, with.data);
    } else if (study->verdict == TERM_DROP) {
        page_add(
            html,
            "remove the line of %s from <code>core/eval/weights.def</code> and its code from "
            "<code>core/eval/eval.c</code>, or change what the term counts and run the command "
            "again.",
            name);
    } else if (study->verdict == TERM_NEVER) {
        page_add(html, "look for a fault in the code of %s in <code>core/eval/eval.c</code>.",
                 name);
    } else if (study->verdict == TERM_COPY) {
        page_add(html,
                 "remove %s, or the terms that explain it, from <code>core/eval/weights.def</code> "
                 "and <code>core/eval/eval.c</code>.",
                 name);
    } else if (study->fitted && lost_second) {
        page_add(html, "change what %s counts, so that it gains with longer searches, too.", name);
    } else if (study->fitted) {
        page_add(html,
                 "run the command again with more pairs in the match (<code>--match-pairs</code>); "
                 "it keeps the games that it has played.");
    } else {
        page_add(html,
                 "run the command again with more games (<code>--games</code>), or with games in "
                 "which %s occurs.",
                 name);
    }
    page_add(html, "</p>\n");
}

Status term_page_write(const TermStudy *study, Err *err) {
    AUTO(Html) html = {0};
    AUTO(Text) title = {0}, path = {0};
    text_add(&title, "The term %s", study->base.terms);
    page_begin(&html, title.data, NULL);
    add_verdict(study, &html);
    add_next(study, &html);
    if (study->fitted) {
        add_heading(&html, "Value by phase");
        add_values(study, &html);
    }
    add_heading(&html, "Occurrence");
    add_occurrence(study, &html);
    page_section_begin(&html, "s-positions", "Positions with the term", "");
    TRY(add_boards(study, &html, err));
    page_section_end(&html);
    if (study->fitted) {
        add_heading(&html, "Terms that explain it");
        add_collinearity(study, &html);
        add_heading(&html, "Loss");
        add_loss(study, &html);
        add_heading(&html, "Match");
        add_match(study, &html);
    }
    add_heading(&html, "Play at weight 0");
    add_same(study, &html);
    page_end(&html, NULL);
    term_page_path(study, &path);
    return page_write(&html, path.data, err);
}
