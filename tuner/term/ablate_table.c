// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/ablate_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "selfplay/stats/stats.h"
#include "tuner/term/ablate_verdict.h"

int ablate_groups(char groups[GROUPS_MAX][GROUP_NAME_SIZE]) {
    int count = 0;
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        const char *name = weight_terms[t].name;
        const int length = (int)strcspn(name, "_");
        char group[GROUP_NAME_SIZE];
        snprintf(group, sizeof group, "%.*s%s", length, name, name[length] ? "_*" : "");
        bool known = weight_terms[t].part == TERM_MATERIAL;
        for (int i = 0; i < count && !known; i++) known = strcmp(groups[i], group) == 0;
        if (!known) memcpy(groups[count++], group, sizeof group);
    }
    return count;
}

void ablate_table_add(AblateTable *table, const Study *study) {
    const Collinearity *collinearity = &study->collinearity;
    AblateLine *line = &table->lines[table->count++];
    AUTO(Text) by = {0}, word = {0};
    *line = (AblateLine){.change = study->change,
                         .match = study->match,
                         .positions = study->occurrence.positions,
                         .met_in = study->occurrence.games,
                         .r2 = collinearity->r2};
    snprintf(line->terms, sizeof line->terms, "%s", study->terms);
    ablate_word_add(study, &word);
    snprintf(line->verdict, sizeof line->verdict, "%s", word.data);
    collinearity_add_list(collinearity, &study->rows, &by);
    snprintf(line->by, sizeof line->by, "%s", by.length ? by.data : "-");
}

// ---- the file -----------------------------------------------------------------------------------

// Names of the first columns of the table. 'paotai report' draws these columns.
#define NUMBER_COLUMNS "terms\tloss_change\tloss_change_se\telo\telo_ci95_low\telo_ci95_high\t"
static const char columns[] =
    NUMBER_COLUMNS "pentanomial\tpositions\tgames\tr2\texplained_by\tverdict\n";
static const char legend[] =
    "# loss_change: loss with the terms minus loss without them, and its standard error (se); "
    "elo: weights with the terms against weights without them, and the ends of the 95 % interval "
    "(ci95)\n";

// Sets elo[0] to the Elo of the match, elo[1] and elo[2] to the ends of its interval. All three are
// NAN if no match was played. elo[0] is also NAN if one player won every game.
static void get_elo(const WeightsMatch *match, double elo[3]) {
    const StrengthVerdict *verdict = &match->verdict;
    const bool played = weights_match_games(match) > 0;
    elo[0] = played && !verdict->one_sided ? verdict->elo : NAN;
    elo[1] = played ? verdict->ci_low : NAN;
    elo[2] = played ? verdict->ci_high : NAN;
}

Status ablate_table_write(const AblateTable *table, const char *head, const char *path, Err *err) {
    AUTO(Text) text = {0};
    text_add(&text, "%s%s%s", head, legend, columns);
    for (int i = 0; i < table->count; i++) {
        const AblateLine *line = &table->lines[i];
        double elo[3];
        get_elo(&line->match, elo);
        text_add(&text, "%s\t%.9g\t%.9g\t%g\t%g\t%g\t", line->terms, line->change.value,
                 line->change.error, elo[0], elo[1], elo[2]);
        match_counts_add_pairs(&line->match.counts, &text);
        text_add(&text, "\t%llu\t%llu\t%.5f\t%s\t%s\n", line->positions, line->met_in, line->r2,
                 line->by, line->verdict);
    }
    return text_write_file(path, text.data, text.length, err);
}

static Status read_line(const char *text, AblateLine *line, Err *err) {
    char pentanomial[128];
    MatchCounts counts;
    *line = (AblateLine){.match = weights_match_of(NULL, &weights_match_sprt)};
    if (sscanf(text, "%255s %lf %lf %*s %*s %*s %127s %llu %llu %lf %127s %47[^\t]", line->terms,
               &line->change.value, &line->change.error, pentanomial, &line->positions,
               &line->met_in, &line->r2, line->by, line->verdict) != 9) {
        return STATUS_NOT_FOUND;
    }
    if (strcmp(pentanomial, "-") == 0) return STATUS_OK;
    TRY(match_counts_parse(pentanomial, &counts, err));
    line->match = weights_match_of(&counts, &weights_match_sprt);
    return STATUS_OK;
}

bool ablate_table_is(const char *text) {
    const char *at = strstr(text, NUMBER_COLUMNS);
    return at && (at == text || at[-1] == '\n');
}

Status ablate_table_read(AblateTable *table, const char *head, const char *path, Err *err) {
    AUTO_FREE char *text = NULL;
    size_t length;
    TRY(text_read_file(path, &text, &length, err));
    if (strncmp(text, head, strlen(head)) != 0) {
        return err_set(err, STATUS_MISMATCH,
                       "the table %s was made from other games or options; use those that its "
                       "first line names, or another --out",
                       path);
    }
    char *cursor = text + strlen(head), *at;
    while ((at = text_next_field(&cursor, '\n')) && table->count < GROUPS_MAX) {
        const Status status = read_line(at, &table->lines[table->count], err);
        // Skip comments, the column names, and incomplete lines.
        if (status == STATUS_NOT_FOUND) continue;
        TRY(status);
        table->count++;
    }
    return STATUS_OK;
}

// ---- the screen ---------------------------------------------------------------------------------

static int by_worth(const void *a, const void *b) {
    const AblateLine *first = a, *second = b;
    const bool first_played = weights_match_games(&first->match) > 0;
    const bool second_played = weights_match_games(&second->match) > 0;
    if (first_played != second_played) return first_played ? -1 : 1;
    const double x = first_played ? -first->match.verdict.elo : first->change.value;
    const double y = first_played ? -second->match.verdict.elo : second->change.value;
    return (x > y) - (x < y);
}

static void print_line(const AblateLine *line, bool json, FILE *out) {
    double elo[3];
    AUTO(Text) interval = {0}, pentanomial = {0};
    get_elo(&line->match, elo);
    match_counts_add_pairs(&line->match.counts, &pentanomial);
    if (weights_match_games(&line->match) > 0) {
        strength_interval_add(&interval, &line->match.verdict);
    } else {
        text_add(&interval, "-");
    }
    record_row(out, json,
               "{terms}%-16s {loss_change}%+11.6f +- {loss_change_error95}%9.6f  %-24s "
               "{r2}%5.2f  {verdict}%s{!elo}%f{!ci_low}%f{!ci_high}%f{!pentanomial}%s"
               "{!positions_with_term}%llu{!games_with_term}%llu{!explained_by}%s\n",
               line->terms, line->change.value, Z95 * line->change.error, interval.data, line->r2,
               line->verdict, elo[0], elo[1], elo[2], pentanomial.data, line->positions,
               line->met_in, line->by);
}

// Appends the name of the group with the largest worth. Unless the games show that it is worth more
// than the next group, appends the name of that group, too.
static void add_first(const AblateTable *table, Text *text) {
    const AblateLine *first = &table->lines[0], *next = &table->lines[1];
    text_add(text, "%s", first->terms);
    if (table->count < 2) return;
    const bool played =
        weights_match_games(&first->match) > 0 && weights_match_games(&next->match) > 0;
    const bool clear = played ? first->match.verdict.ci_low > next->match.verdict.ci_high
                              : next->change.value - first->change.value >
                                    Z95 * hypot(first->change.error, next->change.error);
    if (!clear) text_add(text, ", not surely more than %s", next->terms);
}

void ablate_table_print(AblateTable *table, bool json, FILE *out) {
    int helping = 0, hurting = 0, measured = 0;
    qsort(table->lines, (size_t)table->count, sizeof *table->lines, by_worth);
    if (!json) {
        fprintf(out, "%-16s %11s    %9s  %-20s %5s  %s\n", "terms", "loss", "95 %", "elo (95 %)",
                "R2", "verdict");
    }
    for (int i = 0; i < table->count; i++) {
        const AblateLine *line = &table->lines[i];
        const double error = Z95 * line->change.error;
        print_line(line, json, out);
        measured += line->positions > 0;
        helping += line->change.value < -error;
        hurting += line->change.value > error;
    }
    if (json || table->count == 0) return;
    AUTO(Text) first = {0};
    add_first(table, &first);
    fprintf(out,
            "%d groups: %d help to predict and %d make predictions worse; chance alone would "
            "give about %.1f such verdicts (5 %% of %d); worth most: %s\n",
            table->count, helping, hurting, 0.05 * measured, measured, first.data);
}
