// SPDX-License-Identifier: GPL-3.0-or-later
// Writes strength.html, and the page of the running loop (--page).
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/command/progress.h"
#include "core/system/out_file.h"
#include "selfplay/pages/chart.h"
#include "selfplay/stats/strength_verdict.h"
#include "tuner/loop/generations.h"

// Strength of a generation's candidate with its 95 % interval: the sum of the Elo of its own match
// and of the matches in which the earlier champions were promoted. The estimates take the stopping
// rule of the SPRT into account, but Elo does not add: a candidate gains more over the champion of
// its own kind than over the start.
typedef struct Step {
    double elo, low, high;
    // `counted` is false if the match yields no Elo, because one side won every game or because
    // there was no candidate
    bool promoted, counted;
    const char *word; // generation_verdict()
} Step;

// Adds the Elo of a generation's match to the champion's Elo. Errors of different matches are
// independent, so the squares of the half widths of their confidence intervals add up, separately
// below and above the Elo. The start weights have Elo 0 without error.
static void add_match(const Generation *g, const Step *champion, Step *step) {
    *step = *champion;
    step->counted = !isnan(g->elo_median);
    step->promoted = generation_promoted(g);
    step->word = generation_verdict(g);
    if (!step->counted) return;
    step->elo += g->elo_median;
    step->low = step->elo - hypot(champion->elo - champion->low, g->elo_median - g->ci_low);
    step->high = step->elo + hypot(champion->high - champion->elo, g->ci_high - g->elo_median);
}

// Draws the sum of the matches by generation. Beside the last champion, draws its match against the
// start weights (`direct`), which shows by how much the sum is too high.
static void draw_steps(const Step *steps, int count, const Step *direct, Html *html) {
    enum { WIDTH = 480, HEIGHT = 320, LEFT = 84, BOTTOM = 52 };
    Span span = {0, 0};
    AUTO_FREE double *x = memory_alloc((size_t)count + 1, sizeof *x);
    AUTO_FREE double *y = memory_alloc((size_t)count + 1, sizeof *y);
    // Number of points of the plotted line: the Elo of the champion by generation. The first point
    // is (0, 0): before generation 1 the start weights are the champion, with Elo 0.
    int line = 1;
    for (int i = 0; i < count; i++) {
        span_add(&span, steps[i].low, 0);
        span_add(&span, steps[i].high, 0);
        if (!steps[i].promoted) continue;
        x[line] = i + 1;
        y[line++] = steps[i].elo;
    }
    if (direct->counted) span_add(&span, direct->low, 0);
    if (direct->counted) span_add(&span, direct->high, 0);
    Chart chart;
    char desc[100];
    snprintf(desc, sizeof desc,
             line > 1 ? "After %d generation%s the matches of the champions add up to %s Elo."
                      : "After %d generation%s no candidate was promoted.",
             count, count == 1 ? "" : "s", shown(y[line - 1], 0, true).text);
    page_add(html, "<figure><h2>Sum of the matches</h2>\n");
    chart_begin(&chart, html, "strength", "sum of the matches, Elo", desc, WIDTH, HEIGHT, LEFT,
                BOTTOM);
    chart_axis_count(&chart, count, 10, "generation");
    if (span.high < 10) span.high = 10;
    span_widen(&span);
    chart_axis_y(&chart, span.low, span.high, 8, "sum of the matches, Elo");
    chart_rule_y(&chart, 0, "ideal");
    chart_line(&chart, 1, x, y, line);
    for (int i = 0; i < count; i++) {
        const Step *step = &steps[i];
        const int series = step->promoted ? 1 : 2;
        AUTO(Text) bounds = {0};
        strength_bounds_add(&bounds, step->low, step->high);
        chart_bar(&chart, series, i + 1, step->low, step->high);
        chart_point(&chart, series, i + 1, step->elo, NAN, 0, "generation %d, %s%s (95 %%)%s",
                    i + 1, step->word, text_get(&bounds),
                    step->counted ? "" : ", not measured, counted as 0");
    }
    if (direct->counted) {
        const double beside = x[line - 1] - 0.2;
        AUTO(Text) bounds = {0};
        strength_bounds_add(&bounds, direct->low, direct->high);
        chart_bar(&chart, 3, beside, direct->low, direct->high);
        chart_point(&chart, 3, beside, direct->elo, NAN, 0,
                    "direct match against the start weights%s (95 %%)", text_get(&bounds));
    }
    chart_legend(&chart, 1, true, "promoted");
    chart_legend(&chart, 2, false, "not promoted");
    if (direct->counted) chart_legend(&chart, 3, false, "direct match");
    chart_end(&chart);
    page_add(html,
             "<figcaption>Each point is a sum: the Elo of the candidate's own match and of the "
             "matches in which earlier candidates were promoted. Elo does not add exactly; such "
             "sums are mostly too high. The direct match against the start weights, if "
             "it was played, shows the strength of the last champion. Bars are "
             "95\xc2\xa0%% intervals of the sum.</figcaption></figure>\n");
}

// Appends an Elo difference and its interval, such as "+226, 161 to 290", or "-" if the match was
// too one-sided for a number.
static void add_interval(Html *html, double elo, double low, double high) {
    AUTO(Text) text = {0};
    text_add(&text, "%s", shown(elo, 0, true).text);
    if (!isnan(elo)) strength_bounds_add(&text, low, high);
    page_add_prose(html, text.data);
}

static void add_row(const LoopSpec *spec, const Generation *g, const Step *step, const char *base,
                    Html *html) {
    AUTO(Text) path = {0};
    text_add(&path, GENERATION_PATH, spec->dir, g->number, "report.html");
    page_add(html, "<tr><td>%d", g->number);
    if (access(path.data, R_OK) == 0) {
        page_add(html, ", <a href='");
        page_add_url(html, base);
        page_add(html, "gen-%03d/report.html'>report</a>", g->number);
    }
    page_add(html, "</td><td>%s</td><td>", generation_verdict(g));
    add_interval(html, g->elo_median, g->ci_low, g->ci_high);
    page_add(html, "<br/><small>%llu\xe2\x80\x93%llu\xe2\x80\x93%llu</small></td><td>",
             (unsigned long long)g->wins, (unsigned long long)g->draws,
             (unsigned long long)g->losses);
    add_interval(html, step->elo, step->low, step->high);
    page_add(html, "</td></tr>\n");
}

// Results over all finished generations of `paotai loop`.
typedef struct LoopSum {
    Step champion; // strength of the last champion: sum of the matches
    Step direct;   // its strength in its match against the start; `counted` is false without one
    uint64_t direct_games;
    Text direct_interval, direct_strength; // the result of this match in words (Generation)
    double seconds;                        // duration of all steps of all generations
} LoopSum;

static void loop_sum_clear(LoopSum *sum) {
    text_clear(&sum->direct_interval);
    text_clear(&sum->direct_strength);
}
AUTO_VALUE(LoopSum, loop_sum_clear)

// Appends the chart and the table of the first `count` generations, and sets *sum to their results.
// `base` is the path from the HTML page to the loop's directory (add_base()).
static Status add_strength(const LoopSpec *spec, int count, const char *base, Html *html,
                           LoopSum *sum, Err *err) {
    AUTO(Html) table = {0};
    AUTO_FREE Step *steps = memory_alloc((size_t)count, sizeof *steps);
    *sum = (LoopSum){.champion = {.counted = true}};
    for (int i = 0; i < count; i++) {
        AUTO(Generation) g = {.number = i + 1};
        TRY(generation_read(spec, i + 1, &g, err));
        sum->seconds += generation_seconds(&g);
        add_match(&g, &sum->champion, &steps[i]);
        add_row(spec, &g, &steps[i], base, &table);
        if (!steps[i].promoted) continue;
        sum->champion = steps[i];
        sum->direct = (Step){.elo = g.direct_elo,
                             .low = g.direct_ci_low,
                             .high = g.direct_ci_high,
                             .counted = g.direct_games > 0 && !isnan(g.direct_elo)};
        sum->direct_games = g.direct_games;
        text_reset(&sum->direct_interval);
        text_reset(&sum->direct_strength);
        if (g.direct_interval) text_add(&sum->direct_interval, "%s", g.direct_interval);
        if (g.direct_strength) text_add(&sum->direct_strength, "%s", g.direct_strength);
    }
    draw_steps(steps, count, &sum->direct, html);
    page_add(html,
             "<figure><h2>Generations</h2>\n<table class='facts'><thead><tr><th>generation</th>"
             "<th>decision</th><th>Elo against the champion</th><th>sum of the "
             "matches</th></tr>"
             "</thead><tbody>\n");
    page_add_html(html, &table);
    page_add(html,
             "</tbody></table>\n<figcaption>Each candidate played a match "
             "against the champion of that time: Elo with its 95 %% interval, and games won, drawn "
             "and lost. The Elo takes into account that the SPRT stopped the match. \"Undecided\" "
             "means that the SPRT did not end within "
             "<span class='word'>--pairs</span> opening pairs. "
             "<code>log.md</code> contains all commands."
             "</figcaption></figure>\n");
    return STATUS_OK;
}

// Appends a sentence with the strength of the champion, the best weights or network so far, after
// `count` generations of the training loop.
static void add_champion(const LoopSum *sum, int count, Text *text) {
    const Step *champion = &sum->champion;
    text_add(text, "After %d generation%s ", count, count == 1 ? "" : "s");
    if (!champion->promoted) {
        text_add(text, "no candidate was promoted: the start weights are still the champion");
        return;
    }
    if (sum->direct_interval.length) {
        text_add(text,
                 "the champion %s%s (95 %%), against the start weights, in a match of %llu games: "
                 "%s",
                 sum->direct.counted ? "is " : "", sum->direct_interval.data,
                 (unsigned long long)sum->direct_games, text_get(&sum->direct_strength));
        return;
    }
    if (sum->direct_games > 0) {
        text_add(text,
                 "the champion and the start weights made the same moves in all %llu games of "
                 "their match; nothing was measured",
                 (unsigned long long)sum->direct_games);
        return;
    }
    text_add(text,
             "the matches of the champion and its predecessors add up to %s Elo; the sum is mostly "
             "too high, and a match against the start weights (--direct-pairs) measures the gain",
             shown(champion->elo, 0, true).text);
}

Status loop_write_page(const LoopSpec *spec, int count, Err *err) {
    AUTO(Html) html = {0}, strength = {0};
    AUTO(Text) path = {0}, verdict = {0};
    AUTO(LoopSum) sum = {0};
    TRY(add_strength(spec, count, "", &strength, &sum, err));
    add_champion(&sum, count, &verdict);
    page_begin(&html, "The loop: strength by generation", NULL);
    page_add(&html, "<p class='verdict'>");
    page_add_prose(&html, verdict.data);
    page_add(&html, "</p>\n<div class='row'>\n");
    page_add_html(&html, &strength);
    page_add(&html, "</div>\n");
    page_end(&html, NULL);
    text_add(&path, "%s/strength.html", spec->dir);
    return page_write(&html, path.data, err);
}

// ---- the page of the running loop ---------------------------------------------------------------

// Appends the path from the HTML page of --page to the directory of `paotai loop`, with a slash at
// its end. The path is relative if this directory is below that of the page, empty if both are the
// same directory, and otherwise absolute.
static void add_base(const LoopSpec *spec, Text *base) {
    AUTO(Text) folder = {0};
    const char *slash = strrchr(spec->page, '/');
    if (slash) text_add_bytes(&folder, spec->page, (size_t)(slash - spec->page) + 1);
    AUTO_FREE char *from = realpath(slash ? folder.data : ".", NULL);
    AUTO_FREE char *dir = realpath(spec->dir, NULL);
    const size_t length = from ? strlen(from) : 0;
    if (!from || !dir) return;
    if (strcmp(from, dir) == 0) return;
    const bool below = strncmp(dir, from, length) == 0 && dir[length] == '/';
    text_add(base, "%s/", below ? dir + length + 1 : dir);
}

// Appends a row to the HTML table of a generation's steps (self-play, fit, match). `line` is the
// command line of a finished step, NULL for other steps.
static void add_step(const LoopSpec *spec, int number, const char *name, const char *line,
                     double seconds, bool running, const char *base, Html *html) {
    AUTO(Text) path = {0};
    text_add(&path, GENERATION_PATH ".html", spec->dir, number, name);
    const bool linked = loop_step_page(name) && (running || access(path.data, R_OK) == 0);
    page_add(html, "<tr><td>");
    if (linked) {
        page_add(html, "<a href='");
        page_add_url(html, base);
        page_add(html, "gen-%03d/%s.html'>%s</a>", number, name, name);
    } else {
        page_add(html, "%s", name);
    }
    page_add(html, "</td><td>%s", line ? "finished" : running ? "running" : "waits");
    if (line) {
        AUTO(Text) duration = {0};
        progress_add_duration(&duration, seconds);
        page_add(html, " after %s", duration.data);
    }
    page_add(html, "</td></tr>\n");
}

// Appends an HTML table with the three steps of a generation: self-play, fit and match. The first
// unfinished step is shown as running.
static Status add_steps(const LoopSpec *spec, int number, const char *base, Html *html, Err *err) {
    AUTO(Generation) g = {.number = number};
    const char *const fit = spec->train ? "train" : "tune";
    TRY(generation_read(spec, number, &g, err));
    page_add(html, "<figure><h2>Steps of generation %d</h2><table class='across'>\n", number);
    add_step(spec, number, "selfplay", g.selfplay, g.selfplay_seconds, !g.selfplay, base, html);
    add_step(spec, number, fit, g.tune, g.tune_seconds, !g.tune && g.selfplay, base, html);
    add_step(spec, number, "match", g.match, g.match_seconds, !g.match && g.tune, base, html);
    page_add(html,
             "</table><figcaption>A link leads to the page of the step, which is updated while "
             "the step runs.</figcaption></figure>\n");
    return STATUS_OK;
}

// Adds a number in large type to the HTML page: the Elo of the current champion in its match
// against the start weights, or, before this match, the sum of the matches.
static void add_gain(const LoopSum *sum, LiveFacts *facts) {
    static const char name[] = "champion against the start weights";
    const Step *champion = &sum->champion;
    AUTO(Text) note = {0};
    if (sum->direct_games > 0) {
        text_add(&note, "%s%s%s, in a match of %llu games", text_get(&sum->direct_strength),
                 sum->direct_strength.length ? ": " : "",
                 sum->direct_interval.length ? sum->direct_interval.data : "the same moves",
                 (unsigned long long)sum->direct_games);
        live_add_card(facts, name, note.data, "%s%s", shown(sum->direct.elo, 0, true).text,
                      sum->direct.counted ? " Elo" : "");
    } else if (champion->promoted) {
        live_add_card(facts, name, "sum of the matches of all promotions, mostly too high",
                      "%s Elo", shown(champion->elo, 0, true).text);
    } else {
        live_add_card(facts, name, "no candidate was promoted, so the champion is the start", "-");
    }
}

void loop_page_update(const LoopSpec *spec, int number, const char *step) {
    LiveFacts facts = {
        .done = number - 1, .end = spec->generations, .unit = "generations", .rate_s = 3600};
    AUTO(Text) base = {0};
    Err ignored = {0}; // a result that cannot be read is left out of the page
    if (!spec->live) return;
    add_base(spec, &base);
    text_add(&facts.title, "Loop of %d generation%s: %s", spec->generations,
             spec->generations == 1 ? "" : "s", spec->dir);
    if (step) {
        text_add(&facts.verdict, "Generation %d of %d: %s runs. ", number, spec->generations, step);
        live_begin_row(&facts.body);
        add_steps(spec, number, text_get(&base), &facts.body, &ignored);
        live_end_row(&facts.body);
    }
    if (number > 1) {
        AUTO(LoopSum) sum = {0};
        live_begin_row(&facts.body);
        add_strength(spec, number - 1, text_get(&base), &facts.body, &sum, &ignored);
        live_end_row(&facts.body);
        facts.seconds = sum.seconds;
        add_champion(&sum, number - 1, &facts.verdict);
        add_gain(&sum, &facts);
    }
    live_page_update(spec->live, &facts);
}
