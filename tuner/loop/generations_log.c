// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the results of a generation, and writes the log of the loop and the chart of its strength.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/version.h"
#include "selfplay/pages/chart.h"
#include "tuner/loop/generations.h"
#include "tuner/loop/words.h"

void generation_begun(const LoopSpec *spec, Text *text) {
    const time_t now = time(NULL);
    struct tm date;
    char day[32] = "-";
    if (localtime_r(&now, &date)) strftime(day, sizeof day, "%Y-%m-%d", &date);
    text_add(text, "date %s\nrevision %s\nmachine %ld cores, %s, %s, %d threads\n", day,
             version_revision(), sysconf(_SC_NPROCESSORS_ONLN), version_compiler(), version_flags(),
             spec->threads);
}

// ---- values -------------------------------------------------------------------------------------

// A value: its name, and the file in gen-NNN with a line that begins with `word` and contains it.
static const struct ValueRow {
    const char *name, *file, *word;
} rows[] = {
    {"date", "begun.txt", "date"},
    {"revision", "begun.txt", "revision"},
    {"machine", "begun.txt", "machine"},
    {"selfplay", "selfplay.txt", "command"},
    {"tune", "tune.txt", "command"},
    {"match", "match.txt", "command"},
    {"selfplay_seconds", "selfplay.txt", "step_seconds"},
    {"tune_seconds", "tune.txt", "step_seconds"},
    {"match_seconds", "match.txt", "step_seconds"},
    {"games", "data.txt", "games"},
    {"positions", "data.txt", "positions"},
    {"content_hash", "data.txt", "content_hash"},
    {"valid_loss_start", "tune.txt", "valid_loss_start"},
    {"valid_loss", "tune.txt", "valid_loss"},
    {"valid_loss_error95", "tune.txt", "valid_loss_error95"},
    {"match_games", "match.txt", "games"},
    {"wins", "match.txt", "wins"},
    {"draws", "match.txt", "draws"},
    {"losses", "match.txt", "losses"},
    {"pentanomial", "match.txt", "pentanomial"},
    {"elo", "match.txt", "elo"},
    {"elo_error95", "match.txt", "elo_error95"},
    {"elo_median", "match.txt", "elo_median"},
    {"ci_low", "match.txt", "ci_low"},
    {"ci_high", "match.txt", "ci_high"},
    {"llr", "match.txt", "llr"},
    {"lower", "match.txt", "lower"},
    {"upper", "match.txt", "upper"},
    {"decision", "match.txt", "decision"},
    {"strength", "match.txt", "strength"},
    // Values computed from the ones above.
    {"seconds", NULL, NULL},
    {"promoted", NULL, NULL},
    {"number", NULL, NULL},
    {"id", NULL, NULL},
    {"verdict", NULL, NULL},
    {"outcome", NULL, NULL},
};
enum { VALUES = sizeof rows / sizeof *rows, FIRST_RECORDED = 6 };

struct Generation {
    char *value[VALUES];
};

static void set_value(Generation *generation, const char *name, const char *value) {
    for (int i = 0; i < VALUES; i++) {
        if (strcmp(rows[i].name, name) == 0) generation->value[i] = memory_copy_text(value);
    }
}

double generation_number(const Generation *generation, const char *name) {
    double value;
    const char *text = generation_value(generation, name);
    return parse_real(text, -1e300, 1e300, &value, name, NULL) == STATUS_OK ? value : NAN;
}

const char *generation_value(const Generation *generation, const char *name) {
    for (int i = 0; i < VALUES; i++) {
        if (strcmp(rows[i].name, name) == 0) return generation->value[i];
    }
    return "-";
}

static Status read_value(const LoopSpec *spec, int number, int row, char **value, Err *err) {
    AUTO(Text) path = {0};
    AUTO_FREE char *text = NULL;
    size_t length;
    const bool fit = strcmp(rows[row].file, "tune.txt") == 0;
    text_add(&path, GENERATION_PATH, spec->dir, number,
             fit && spec->train ? "train.txt" : rows[row].file);
    TRY(text_read_file(path.data, &text, &length, err));
    *value = output_value(text, rows[row].word);
    return STATUS_OK;
}

Status generation_read(const LoopSpec *spec, int number, Generation **generation, Err *err) {
    char text[16];
    Generation *g = *generation = memory_alloc(1, sizeof *g);
    for (int i = 0; i < VALUES && rows[i].file; i++) {
        TRY(read_value(spec, number, i, &g->value[i], err));
    }
    const char *decision = generation_value(g, "decision");
    const bool promoted = strcmp(decision, "accept_h1") == 0;
    const bool rejected = strcmp(decision, "accept_h0") == 0;
    snprintf(text, sizeof text, "%d", number);
    set_value(g, "number", text);
    snprintf(text, sizeof text, "%03d", number);
    set_value(g, "id", text);
    snprintf(text, sizeof text, "%.0f",
             generation_number(g, "selfplay_seconds") + generation_number(g, "tune_seconds") +
                 generation_number(g, "match_seconds"));
    set_value(g, "seconds", isdigit((unsigned char)*text) ? text : "-");
    set_value(g, "promoted", promoted ? "yes" : "no");
    set_value(g, "verdict",
              promoted   ? "promoted"
              : rejected ? "rejected"
                         : "rejected: not decided");
    set_value(g, "outcome",
              promoted   ? "promoted: this candidate plays the next generation"
              : rejected ? "rejected: the champion stays"
                         : "rejected: the match ended without a decision, so the champion stays");
    return STATUS_OK;
}

void generation_free(Generation *generation) {
    for (int i = 0; generation && i < VALUES; i++) free(generation->value[i]);
    free(generation);
}

void generation_record(const Generation *generation, Record *record) {
    double real;
    long long whole;
    for (int i = FIRST_RECORDED; i < VALUES && strcmp(rows[i].name, "number") != 0; i++) {
        const char *name = rows[i].name, *value = generation->value[i];
        if (parse_int(value, INT64_MIN, INT64_MAX, &whole, name, NULL) == STATUS_OK) {
            record_add(record, "%s %lld", name, whole);
        } else if (parse_real(value, -1e300, 1e300, &real, name, NULL) == STATUS_OK) {
            record_add(record, "%s %.6g", name, real);
        } else if (strcmp(value, "-") == 0) {
            record_unknown(record, name);
        } else {
            record_add(record, "%s %s", name, value);
        }
    }
}

void generation_format(const Generation *generation, const char *form, Text *text) {
    for (size_t plain;
         plain = strcspn(form, "{"), text_add_bytes(text, form, plain), form[plain];) {
        char name[40];
        int decimals = -1;
        double number;
        form += plain;
        sscanf(form, "{%39[^:}]:%d", name, &decimals);
        const char *const colon = strpbrk(form, ":}");
        form = strchr(form, '}') + 1;
        const char *value = generation_value(generation, name);
        if (decimals >= 0 && parse_real(value, -1e300, 1e300, &number, "", NULL) == STATUS_OK) {
            text_add(text, strncmp(colon, ":+", 2) == 0 ? "%+.*f" : "%.*f", decimals, number);
        } else {
            text_add(text, "%s", value);
        }
    }
}

// ---- the log ------------------------------------------------------------------------------------

static void add_entry(const LoopSpec *spec, int number, const Generation *generation, Text *text) {
    const int first = number - spec->window + 1 > 1 ? number - spec->window + 1 : 1;
    generation_format(
        generation,
        "### G-{id} {date} generation {number}\n"
        "question   are weights that were fitted to the champion's games stronger than the "
        "champion?\n"
        "revision   {revision}\n"
        "command    {selfplay}\n           {tune}\n           {match}\n"
        "data       gen-{id}/games: {games} games, {positions} positions, content hash "
        "{content_hash}",
        text);
    if (first < number) {
        text_add(text, ";\n           fitted together with the games since gen-%03d", first);
    }
    text_add(text,
             "\nseeds      %llu (loop and split); the commands contain the seeds of the games "
             "and the match\n",
             (unsigned long long)spec->seed);
    generation_format(generation,
                      "machine    {machine}\n"
                      "result     validation loss {valid_loss_start:6} -> {valid_loss:6} "
                      "+- {valid_loss_error95:6}\n"
                      "           {match_games} games: {wins} won, {draws} drawn, {losses} lost; "
                      "pentanomial {pentanomial}; LLR {llr:2} [{lower:2}, {upper:2}]",
                      text);
    text_add(text, " for normalized Elo %g against %g;\n", spec->elo1, spec->elo0);
    generation_format(
        generation,
        "           {strength}: {elo_median:+0} Elo, {ci_low:0} to {ci_high:0} (95 %)\n"
        "decision   {outcome}\n\n",
        text);
}

Status loop_write_log(const LoopSpec *spec, int count, Err *err) {
    AUTO(Text) table = {0}, entries = {0}, path = {0};
    text_add(&table, "# The loop's log\n\n"
                     "One entry per generation, in the form of experiments.md.\n\n"
                     "| entry | date | data | validation loss | candidate against champion | "
                     "decision |\n|---|---|---|---|---|---|\n");
    for (int number = 1; number <= count; number++) {
        AUTO_POINTER(Generation) generation = NULL;
        TRY(generation_read(spec, number, &generation, err));
        generation_format(
            generation,
            "| G-{id} | {date} | {games} games | {valid_loss_start:5} -> "
            "{valid_loss:5} | {strength}: {elo_median:+0} Elo, {ci_low:0} to {ci_high:0} "
            "({match_games} games) | {verdict} |\n",
            &table);
        add_entry(spec, number, generation, &entries);
    }
    text_add(&table, "\n%s", text_get(&entries));
    text_add(&path, "%s/log.md", spec->dir);
    return text_write_file(path.data, table.data, table.length, err);
}

// ---- the chart of the strength ------------------------------------------------------------------

// The candidate of a generation, by the sum of the matches up to it.
typedef struct Step {
    double elo, error95;    // against the start
    bool promoted, counted; // counted: false if the match was too one-sided for a number
} Step;

// Adds the Elo of the matches. Errors of different matches are independent, so their squares add
// up.
static Status read_steps(const LoopSpec *spec, int count, Step *steps, Err *err) {
    Step champion = {0, 0, true, true};
    for (int i = 0; i < count; i++) {
        AUTO_POINTER(Generation) generation = NULL;
        TRY(generation_read(spec, i + 1, &generation, err));
        const double elo = generation_number(generation, "elo_median");
        const double width =
            generation_number(generation, "ci_high") - generation_number(generation, "ci_low");
        steps[i] = champion;
        steps[i].counted = !isnan(elo);
        if (steps[i].counted) {
            steps[i].elo += elo;
            steps[i].error95 = hypot(champion.error95, 0.5 * width);
        }
        steps[i].promoted = strcmp(generation_value(generation, "promoted"), "yes") == 0;
        if (steps[i].promoted) champion = steps[i];
    }
    return STATUS_OK;
}

static void draw_steps(const Step *steps, int count, Text *html) {
    enum { WIDTH = 480, HEIGHT = 320, LEFT = 70, BOTTOM = 52 };
    Span span = {0, 0};
    AUTO_FREE double *x = memory_alloc((size_t)count + 1, sizeof *x);
    AUTO_FREE double *y = memory_alloc((size_t)count + 1, sizeof *y);
    int line = 1; // index of the next point; the line begins at (0, 0), the start
    for (int i = 0; i < count; i++) {
        span_add(&span, steps[i].elo, steps[i].error95);
        if (!steps[i].promoted) continue;
        x[line] = i + 1;
        y[line++] = steps[i].elo;
    }
    Chart chart;
    char desc[100];
    snprintf(desc, sizeof desc, "After %d generations the champion is %.0f Elo above the start.",
             count, y[line - 1]);
    text_add(html, "<figure>\n");
    chart_begin(&chart, html, "strength", "Elo against the start", desc, WIDTH, HEIGHT, LEFT,
                BOTTOM);
    chart_axis_x(&chart, 0, count + 0.5, count < 10 ? count + 1 : 10, "generation");
    chart_axis_y(&chart, span.low, span.high > 10 ? span.high : 10, 8, "Elo against the start");
    chart_rule_y(&chart, 0, "ideal");
    chart_line(&chart, 1, x, y, line);
    for (int i = 0; i < count; i++) {
        chart_point(&chart, steps[i].promoted ? 1 : 2, i + 1, steps[i].elo, steps[i].error95, 0,
                    "generation %d, %s%s", i + 1, steps[i].promoted ? "promoted" : "rejected",
                    steps[i].counted ? "" : ", too one-sided for a number, counted as 0");
    }
    chart_legend(&chart, 1, true, "promoted");
    chart_legend(&chart, 2, false, "rejected");
    chart_end(&chart);
    text_add(html, "<figcaption>%s Bars: 95 %%.</figcaption></figure>\n", desc);
}

Status loop_write_page(const LoopSpec *spec, int count, Err *err) {
    AUTO(Text) html = {0}, path = {0};
    AUTO_FREE Step *steps = memory_alloc((size_t)count, sizeof *steps);
    TRY(read_steps(spec, count, steps, err));
    page_begin(&html, "The loop: strength by generation");
    text_add(&html, "<p>Each candidate played a match against the champion of that time; the "
                    "chart adds these matches. Elo does not add exactly. To measure the whole "
                    "gain, play the champion against <code>start.txt</code>. "
                    "<code>log.md</code> contains all commands.</p>\n");
    draw_steps(steps, count, &html);
    page_end(&html);
    text_add(&path, "%s/strength.html", spec->dir);
    return text_write_file(path.data, html.data, html.length, err);
}
