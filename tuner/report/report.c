// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/report/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "core/system/version.h"
#include "tuner/report/report_internal.h"

// ---- pieces of a page ---------------------------------------------------------------------------

void page_figure(Report *report, const char *id, const char *heading) {
    page_add(report->html, "<figure id='%s'><h3>%s</h3>\n", id, heading);
}

void page_term_figure(Report *report, const char *id, const char *prefix, const WeightTerm *term) {
    const char *mark = report_mark(report, term);
    // The description of the term begins with a capital letter if no prefix stands before it.
    page_add(report->html, "<figure id='%s'><h3>%s%c%s <code>%s</code>", id, prefix,
             *prefix ? *term->meaning : toupper((unsigned char)*term->meaning), term->meaning + 1,
             term->name);
    if (*mark) page_add(report->html, " <span class='tag'>%s</span>", mark);
    page_add(report->html, "</h3>\n");
}

void page_not_shown(Report *report, const char *id, const char *heading, const char *why) {
    page_figure(report, id, heading);
    page_add(report->html, "<figcaption>Not shown: ");
    page_add_prose(report->html, why);
    page_add(report->html, "</figcaption></figure>\n");
}

void page_figure_end(Report *report, const char *caption) {
    page_add(report->html, "<figcaption>");
    page_add_prose(report->html, caption);
    page_add(report->html, "</figcaption></figure>\n");
}

void page_paragraph(Report *report, const char *format, ...) {
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    page_add(report->html, "<p>");
    page_add_prose(report->html, text_get(&text));
    page_add(report->html, "</p>\n");
}

static void add_games_path(Report *report) {
    page_add_url(report->html, report->source->games);
}

// Appends the content of a table cell. A negative number gets a typographic minus sign, "nan"
// becomes a dash, and "#GAME/PLY" a link to the page of games.
static void add_cell(Report *report, const char *cell) {
    Html *html = report->html;
    unsigned long long game, ply;
    int end = 0;
    if (report->places && sscanf(cell, "#%llu/%llu%n", &game, &ply, &end) == 2 && !cell[end]) {
        page_add(html, "<a href='");
        add_games_path(report);
        page_add(html, "#%llu/%llu'>game %llu, ply %llu</a>", game, ply, game, ply);
    } else if (strcmp(cell, "nan") == 0 || strcmp(cell, "-nan") == 0 || strcmp(cell, "+nan") == 0) {
        page_add(html, "\xe2\x80\x93");
    } else if (*cell == '-' && cell[1] >= '0' && cell[1] <= '9') {
        page_add(html, "\xe2\x88\x92%s", cell + 1);
    } else {
        page_add_text(html, cell);
    }
}

// Appends a row of a table. The first cell is its heading. If `head` is set, all cells are headings
// of columns.
static void add_row(Report *report, char *cells, bool head) {
    Html *html = report->html;
    bool begun = false;
    page_add(html, "<tr>");
    for (char *cell; (cell = text_next_field(&cells, '|')); begun = true) {
        if (head) {
            page_add(html, "<th scope='col'>");
        } else if (!begun) {
            page_add(html, "<th scope='row'>");
        } else {
            page_add(html, "<td>");
        }
        add_cell(report, cell);
        if (head || !begun) {
            page_add(html, "</th>");
        } else {
            page_add(html, "</td>");
        }
    }
    page_add(html, "</tr>\n");
}

void page_table(Report *report, const char *summary, const char *heads) {
    AUTO_FREE char *copy = memory_copy_text(heads);
    page_add(report->html,
             "<details><summary>%s</summary><div class='scroll' tabindex='0'><table><thead>",
             summary);
    add_row(report, copy, true);
    page_add(report->html, "</thead><tbody>\n");
}

void page_row(Report *report, const char *format, ...) {
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    add_row(report, text.data, false);
}

void page_table_end(Report *report) {
    page_add(report->html, "</tbody></table></div></details>\n");
}

// ---- measuring ----------------------------------------------------------------------------------

static void count_games(Report *report, const double *weight) {
    const RowSet *rows = report->source->rows;
    for (size_t i = 0; i < rows->game_count; i++) {
        if (!(weight[i] > 0)) continue;
        report->games++;
        report->positions += rows->games[i].rows;
    }
}

// Returns the weight of each game in the loss, 0 for games that are not measured; the caller frees
// the array. If the weight file records how its fit split the games, measures the first part that
// has games: test games, validation games or training games. Without such a record, or with
// --unseen, measures all games.
static double *choose_games(Report *report, const FitSetup *setup) {
    static const FitPart parts[] = {PART_TEST, PART_VALID, PART_TRAIN};
    static const char *const names[] = {"test games", "validation games", "training games"};
    const ReportSource *source = report->source;
    const RowSet *rows = source->rows;
    size_t length;
    const char *by = fit_record_option(&report->record, "split_by", &length);
    const bool content = by && length == 7 && strncmp(by, "content", length) == 0;
    const bool known = by && content == rows->split_by_content && !source->unseen;
    double *weight = known ? NULL : fit_game_weights(rows, setup->weigh);
    report->part = "all games";
    report->fit_part = PART_COUNT;
    for (int k = 0; known && report->games == 0 && k < PART_COUNT; k++) {
        free(weight);
        weight = fit_part_weights(rows, setup, parts[k]);
        report->fit_part = parts[k];
        report->part = parts[k] != PART_TRAIN || source->fitted_rows ? names[k] : "all games";
        count_games(report, weight);
    }
    if (!known) count_games(report, weight);
    return weight;
}

Status report_fit_slopes(const ReportSource *source, LossSetup *loss, const double *weights,
                         Err *err) {
    const double *measured = loss->game_weight;
    AUTO_FREE double *every = fit_game_weights(source->rows, source->setup.weigh);
    loss->game_weight = every;
    const Status status = loss_fit_slopes(source->rows, loss, weights, err);
    loss->game_weight = measured;
    return status;
}

// Sets the parameters of the two sigmoids that convert scores to expected results: K (loss->k) for
// scores of `weights`; k_score, k_bend and mover_units for search scores. If the loaded games are
// those of the fit, takes the parameters for search scores from the record of the fit. Also takes K
// from this record if `own` is set, which says that `weights` are the fitted weights. If K is still
// unknown, fits all unknown parameters to all loaded games: the measured games may be few.
static Status choose_slopes(Report *report, LossSetup *loss, const double *weights, bool own,
                            Err *err) {
    const FitRecord *record = &report->record;
    const bool known = report->source->fitted_rows;
    loss->k_score = known ? fit_record_number(record, "fitted_k_score", 0) : 0;
    for (int j = 0; known && j < SCORE_KNOTS - 1; j++) {
        char name[32];
        snprintf(name, sizeof name, "fitted_k_bend%d", j);
        loss->k_bend[j] = fit_record_number(record, name, 0);
    }
    loss->phase_max = known ? report->source->rows->phase_max : 0;
    loss->mover_units = known ? fit_record_number(record, "fitted_mover_units", 0) : 0;
    loss->k = known && own ? fit_record_number(record, "fitted_k", 0) : 0;
    return loss->k > 0 ? STATUS_OK : report_fit_slopes(report->source, loss, weights, err);
}

static Status measure(Report *report, Err *err) {
    const RowSet *rows = report->source->rows;
    if (!rows) return STATUS_OK;
    TRY(fit_check_rows(rows, report->source->setup.lambda, err));
    const FitSetup *setup = &report->source->setup;
    report->loss = fit_loss_setup(setup, choose_games(report, setup));
    report->loss.k = 0;
    if (rows->without_score == rows->count) report->loss.lambda = 1;
    if (rows->without_result == rows->count) report->loss.lambda = 0;
    TRY(choose_slopes(report, &report->loss, report->flat, true, err));
    double classic[2 * WEIGHT_COUNT];
    values_classic(classic);
    LossSetup against = report->loss;
    TRY(choose_slopes(report, &against, classic, false, err));
    report->mean = measure_loss(rows, &report->loss, report->flat);
    report->against_classic =
        measure_difference(rows, &report->loss, report->flat, &against, classic);
    LossSetup results = report->loss;
    results.lambda = 1;
    measure_calibration(rows, &results, report->flat, report->bins);
    measure_calibration(rows, &report->loss, report->flat, report->target_bins);
    measure_residuals(rows, &report->loss, report->flat, &report->residuals);
    piece_table_measure(rows, report->flat, &report->pieces, NULL);
    report->measured = true;
    if (report->source->network) TRY(report_measure_surplus(report, err));
    return report_find_places(report, err);
}

// ---- the page -----------------------------------------------------------------------------------

void report_card(Report *report, const char *name, const char *format, ...) {
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    char *remark = text.data;
    const char *value = text_next_field(&remark, '|');
    page_add(report->html, "<div><dt>%s</dt><dd>%s <small>", name, value);
    page_add_prose(report->html, remark);
    page_add(report->html, "</small></dd></div>\n");
}

static const char *sign_of(double value) {
    return value < 0 ? "\xe2\x88\x92" : "+";
}

static void cards(Report *report) {
    const Estimate *against = &report->against_classic;
    page_add(report->html, "<dl class='cards live'>\n");
    report_card(report, "loss minus that of the classic table (below 0 is better)",
                "%s%.5f|\xc2\xb1 %.5f (95 %%)", sign_of(against->value), fabs(against->value),
                Z95 * against->error);
    report_card(report,
                report->loss.kind == LOSS_SQUARED
                    ? "mean loss, squared points (lower is better)"
                    : "mean loss, nats per position (lower is better)",
                "%.5f|\xc2\xb1 %.5f (95 %%)", report->mean.value, Z95 * report->mean.error);
    report_card(report, "measured on", "%llu|%s", (unsigned long long)report->games, report->part);
    report_card(report, "positions in these games", "%llu|", (unsigned long long)report->positions);
    report_card(report, "expected result with a lead of 100 units (1 point)", "%.1f %%|",
                100.0 * loss_expected_points(report->loss.k * UNITS_A_POINT));
    page_add(report->html, "</dl>\n");
}

void page_verdict(Report *report, const char *sentence) {
    page_add(report->html, "<p class='verdict'>");
    page_add_prose(report->html, sentence);
    page_add(report->html, "</p>\n");
}

// Appends "WHO played as A (NAME).", if `players` contains a player of the match. Returns true if
// it does.
static bool add_match_player(const MatchOutcome *match, const char *who, unsigned players,
                             Text *text) {
    if (players == 0) return false;
    if (text->length) text_add(text, " ");
    if (players == 3) {
        text_add(text, "%s played as both A (%s) and B (%s).", who, match->names[0],
                 match->names[1]);
    } else {
        text_add(text, "%s played as %s (%s).", who, players == 1 ? "A" : "B",
                 match->names[players == 1 ? 0 : 1]);
    }
    return true;
}

// Appends sentences that say which players of the match used the weights or the network of the
// report. If no player is known to have used them, names the players whose weights the run does not
// record.
static void match_players(Report *report) {
    const ReportSource *source = report->source;
    AUTO(Text) text = {0}, network = {0};
    text_add(&network, "The network %s", source->evaluation_name ? source->evaluation_name : "");
    const bool weights =
        add_match_player(source->match, "These weights", source->match_weights, &text);
    if (!add_match_player(source->match, network.data, source->match_network, &text) && !weights) {
        add_match_player(source->match, "A program whose weights the run does not record",
                         source->match_programs, &text);
    }
    page_paragraph(report, "%s", text_get(&text));
}

void report_verdict(Report *report) {
    const MatchOutcome *const match = report->source->match;
    AUTO(Text) sentence = {0};
    if (!match) return;
    const StrengthVerdict *verdict = &match->verdict;
    match_outcome_add(match, &sentence);
    page_verdict(report, sentence.data);
    match_players(report);
    page_add(report->html, "<dl class='cards live'>\n");
    if (!verdict->one_sided) {
        // Shows the interval of the Elo as the verdict does: omits a bound at or beyond +-1,000
        // Elo.
        AUTO(Text) interval = {0};
        strength_interval_add(&interval, verdict);
        const char *ends = strchr(interval.data, ',');
        AUTO(Text) word = {0};
        strength_word_add(&word, verdict);
        report_card(report, "Elo of A in the match", "%s%.0f|%s%s%s%s",
                    sign_of(text_zero_unsigned(verdict->elo, 0)), fabs(verdict->elo),
                    ends ? "95 %:" : "", ends ? ends + 1 : "", ends ? "; " : "", word.data);
    }
    report_card(report, "A won \xe2\x80\x93 drawn \xe2\x80\x93 lost",
                "%lld \xe2\x80\x93 %lld \xe2\x80\x93 %lld|games", match->counts.wins,
                match->counts.draws, match->counts.losses);
    page_add(report->html, "</dl>\n");
}

// Appends a sentence that says whether the weights predict better than the classic piece values.
// Appends nothing if the report has no measured games.
static void prediction_verdict(Report *report) {
    const double value = report->against_classic.value;
    const double half = Z95 * report->against_classic.error;
    if (!report->measured) return;
    page_verdict(report, value < -half  ? "The weights predict better than the classic piece "
                                          "values: the 95 % interval of the difference excludes 0."
                         : value > half ? "The weights predict worse than the classic piece "
                                          "values: the 95 % interval of the difference excludes 0."
                                        : "These games do not show whether the weights predict "
                                          "better than the classic piece values.");
}

const char *part_noun(const Report *report) {
    return strcmp(report->part, "all games") == 0 ? "games" : report->part;
}

static void summary(Report *report) {
    if (!report->measured) {
        page_paragraph(report, "No games were given, so the weights were not measured. Give games "
                               "with --data DIR.");
        return;
    }
    cards(report);
    page_add(report->html, "<div class='words'>\n");
    page_paragraph(
        report,
        "The weights were measured on %llu %s of %s. The loss is the %s between the predicted "
        "result of a position and its target (%.0f %% game result, %.0f %% search score); %s "
        "have equal weight. All intervals treat games as the independent units.",
        (unsigned long long)report->games, part_noun(report), report->source->data,
        report->loss.kind == LOSS_SQUARED ? "squared difference" : "cross-entropy",
        100 * report->loss.lambda, 100 * (1 - report->loss.lambda),
        report->source->setup.weigh == WEIGH_GAMES ? "all games" : "all positions");
    page_paragraph(
        report, "%s%s%s",
        report->source->unseen
            ? "All games were measured, because --unseen says that the fit did not see them."
        : report->fit_part == PART_COUNT
            ? "The weight file records no fit that split its games by start and moves, so all "
              "games "
              "were measured. If the weights were fitted to some of them, the loss is too low."
        : report->fit_part == PART_TEST ? "These are the test games: no step of the fit saw them."
        : report->fit_part == PART_VALID
            ? "These are the validation games: the fit used them only to watch the validation loss."
        : report->source->fitted_rows
            ? "These are the fitted games, because none were kept for validation: the loss is too "
              "low."
            : "The fit keeps none of these games for test or validation, so all were measured. If "
              "the weights were fitted to some of them, the loss is too low.",
        (report->fit_part == PART_TEST || report->fit_part == PART_VALID) &&
                report->source->rows->split_by_content
            ? " A hash of start and moves chose them."
            : "",
        report->source->fitted_rows
            ? ""
            : " The weight file does not name exactly these runs. The slopes of predictions and "
              "targets were fitted again, to games of these runs, so the losses of two reports "
              "cannot be compared.");
    if (report->source->games) {
        page_add(report->html, "<p><a href='");
        add_games_path(report);
        page_add(report->html, "'>View these games on a board</a></p>\n");
    }
    page_add(report->html, "</div>\n");
}

static void fact(Report *report, const char *name, const char *value) {
    page_add(report->html, "<tr><th scope='row'>%s</th><td>%s</td></tr>\n", name, value);
}

static void provenance(Report *report) {
    char hash[SHA256_HEX_SIZE];
    weights_hash(report->source->weights, hash);
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    page_add(report->html, "<details><summary>%s: ", date);
    page_add(report->html, "<code>");
    page_add_command(report->html, report->source->command);
    page_add(report->html, "</code></summary>\n<table class='facts'><tbody>\n");
    fact(report, "weights", report->source->name);
    fact(report, "hash of the weights", hash);
    fact(report, "measured on", report->source->data ? report->source->data : "no games");
    fact(report, "report made by", "paotai " PAOTAI_VERSION);
    fact(report, "revision", version_revision());
    fact(report, "compiler", version_compiler());
    fact(report, "flags", version_flags());
    page_add(
        report->html,
        "</tbody></table>\n<h3>The comments of the weight file</h3>\n<pre>%s</pre></details>\n",
        report->record.notes.length ? report->record.notes.data : "Nothing.");
}

static void report_weights(Report *report) {
    report_certainty(report);
    report_values(report);
    report_singles(report);
    report_uncertain(report);
}

static void report_predictions(Report *report) {
    report_calibration(report);
    report_residuals(report);
}

static const struct {
    const char *id, *title, *layout; // `layout` is a class of the style sheet, page.css
    void (*write)(Report *report);
} sections[] = {
    {"s-changes", "Changes by the fit", "changes", report_changes},
    {"s-values", "Piece values and single weights", "pictures", report_weights},
    {"s-worth", "Worth of terms", "pictures", report_worth},
    {"s-network", "The network: where it predicts better or worse", "pictures", report_surplus},
    {"s-predictions", "Predictions: do they come true, and where are they wrong?", "pictures",
     report_predictions},
    {"s-boards", "Piece-square tables: where pieces stand well", "pictures", report_boards},
    {"s-counts", "Mobility, guards and attacks", "pictures", report_counts},
    {"s-provenance", "Provenance", "origin", provenance},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

// Returns true if the section appears in the report. Three sections appear only if their data were
// given; the other sections always appear and say what is missing.
static bool is_shown(const Report *report, int section) {
    void (*write)(Report *) = sections[section].write;
    return write == report_changes   ? report_has_changes(report)
           : write == report_surplus ? report->surplus != NULL
           : write == report_worth   ? report->source->worth != NULL
                                     : true;
}

static void page(Report *report) {
    AUTO(Text) title = {0};
    text_add(&title, "Weights %s", report->source->name);
    page_begin(report->html, title.data, NULL);
    report_verdict(report);
    prediction_verdict(report);
    if (report->surplus) surplus_verdict(report);
    page_add(report->html, "<p class='lead'>A report of Paotai, the laboratory for xiangqi "
                           "evaluation. 100 units of the evaluation are one point, the value of a "
                           "soldier in the classic table.</p>\n<nav aria-label='sections'>");
    for (int i = 0; i < SECTIONS; i++) {
        if (!is_shown(report, i)) continue;
        page_add(report->html, "<a href='#%s'>%s</a>", sections[i].id, sections[i].title);
    }
    page_add(report->html, "</nav>\n");
    summary(report);
    for (int i = 0; i < SECTIONS; i++) {
        if (!is_shown(report, i)) continue;
        page_section_begin(report->html, sections[i].id, sections[i].title, sections[i].layout);
        sections[i].write(report);
        page_section_end(report->html);
    }
    page_end(report->html, NULL);
}

Status report_begin(Report *report, const ReportSource *source, Html *html, Err *err) {
    *report = (Report){.html = html, .source = source};
    fit_record_parse(source->text, &report->record);
    values_flat(source->weights, report->flat);
    report_find_changes(report);
    return measure(report, err);
}

void report_clear(Report *report) {
    free((void *)report->loss.game_weight);
    free(report->places);
    free(report->surplus);
    free(report->network_red);
    fit_record_clear(&report->record);
}

Status report_format(const ReportSource *source, Html *html, Err *err) {
    AUTO(Report) report = {0};
    TRY(report_begin(&report, source, html, err));
    page(&report);
    return STATUS_OK;
}

Status report_write(const ReportSource *source, const char *path, Err *err) {
    AUTO(Html) html = {0};
    TRY(report_format(source, &html, err));
    return page_write(&html, path, err);
}
