// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_check.h"

#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/term_names.h"

void row_check_init(RowCheck *check, size_t terms, double unit) {
    *check = (RowCheck){.terms = terms,
                        .unit = unit,
                        .seen = memory_alloc(terms, sizeof *check->seen),
                        .missed = memory_alloc(terms, sizeof *check->missed)};
}

void row_check_clear(RowCheck *check) {
    free(check->seen);
    free(check->missed);
    free(check->misses);
    free(check->miss_index);
    free(check->miss_coefficient);
    *check = (RowCheck){.terms = 0};
}

// ---- counting -----------------------------------------------------------------------------------

// Keeps a row. `index` and `coefficient` replace the place of its coefficients in *miss.
static void keep(RowCheck *check, const RowMiss *miss, const int64_t *index,
                 const double (*coefficient)[2]) {
    const size_t count = miss->count;
    const size_t first = check->miss_entries;
    if (check->miss_count >= ROW_CHECK_MISSES_KEPT) return;
    check->misses = memory_room(check->misses, &check->miss_capacity, check->miss_count + 1,
                                sizeof *check->misses);
    check->miss_index = memory_room(check->miss_index, &check->index_capacity, first + count,
                                    sizeof *check->miss_index);
    check->miss_coefficient = memory_room(check->miss_coefficient, &check->coefficient_capacity,
                                          first + count, sizeof *check->miss_coefficient);
    check->misses[check->miss_count] = *miss;
    check->misses[check->miss_count++].first = first;
    if (count > 0) {
        memcpy(check->miss_index + first, index, count * sizeof *index);
        memcpy(check->miss_coefficient + first, coefficient, count * sizeof *coefficient);
    }
    check->miss_entries += count;
}

static void note_worst(RowCheck *check, double value, double sum, const char *where) {
    if (check->worst[0] && fabs(value - sum) <= fabs(check->worst_value - check->worst_sum)) return;
    check->worst_value = value;
    check->worst_sum = sum;
    snprintf(check->worst, sizeof check->worst, "%s", where);
}

static void add_phase(PhaseErrors *sums, double e, double t, double value) {
    const double s = (value > 0) - (value < 0);
    sums->n++;
    sums->ee += e * e;
    sums->et += e * t;
    sums->tt += t * t;
    sums->es += e * s;
    sums->ts += t * s;
}

bool row_check_add(RowCheck *check, const RowChecked *row, const char *where) {
    const double error = row->value - row->sum;
    const bool good = fabs(error) <= 2 * check->unit + 1e-6 * fabs(row->value);
    check->rows++;
    check->mismatches += !good;
    check->value_sum += row->value;
    check->value_squares += row->value * row->value;
    for (size_t i = 0; i < row->count; i++) {
        if (row->coefficient[i][0] == 0 && row->coefficient[i][1] == 0) continue;
        check->seen[row->index[i]]++;
        check->missed[row->index[i]] += !good;
    }
    if (good) add_phase(&check->phase, error, row->by_phase, row->value);
    if (!good) note_worst(check, row->value, row->sum, where);
    if (!good || check->wants_good > 0) {
        RowMiss miss = {good ? 0 : error, row->share, row->factor, 0, row->count, ""};
        snprintf(miss.where, sizeof miss.where, "%s", where);
        keep(check, &miss, row->index, row->coefficient);
        check->wants_good += good ? -1 : 1;
    }
    return good;
}

void row_check_merge(RowCheck *check, const RowCheck *from) {
    check->rows += from->rows;
    check->mismatches += from->mismatches;
    check->value_sum += from->value_sum;
    check->value_squares += from->value_squares;
    check->phase.n += from->phase.n;
    check->phase.ee += from->phase.ee;
    check->phase.et += from->phase.et;
    check->phase.tt += from->phase.tt;
    check->phase.es += from->phase.es;
    check->phase.ts += from->phase.ts;
    for (size_t i = 0; i < check->terms; i++) {
        check->seen[i] += from->seen[i];
        check->missed[i] += from->missed[i];
    }
    if (from->worst[0]) note_worst(check, from->worst_value, from->worst_sum, from->worst);
    for (size_t i = 0; i < from->miss_count; i++) {
        const RowMiss *miss = &from->misses[i];
        keep(check, miss, from->miss_index + miss->first,
             (const double(*)[2])(from->miss_coefficient + miss->first));
    }
}

double row_check_deviation(const RowCheck *check) {
    const double n = (double)check->rows, mean = check->value_sum / n;
    return n > 1 ? sqrt(fmax(0, check->value_squares / n - mean * mean)) : 0;
}

double row_check_phase(const RowCheck *check) {
    enum { LEAST_STEPS = 3, SURE = 8 }; // steps in quarters; SURE in standard errors
    const PhaseErrors *p = &check->phase;
    const double tt = p->n > 0 ? p->tt - p->ts * p->ts / p->n : 0;
    if (!(tt > 1e-9 * p->tt)) return 0;
    const double steps = (p->et - p->es * p->ts / p->n) / tt;
    const double error = sqrt(p->ee / p->n / tt);
    return 4 * fabs(steps) >= LEAST_STEPS && fabs(steps) > SURE * error ? steps : 0;
}

// ---- verdicts -----------------------------------------------------------------------------------

// Appends "; mobility[horse] explains 93 % of it", for the groups that explain more than a tenth.
static void add_explanation(const RowCheck *check, const SparseTerms *terms, Text *text) {
    RowExplanation best[ROW_EXPLANATIONS];
    const int count = row_check_explain(check, terms, best);
    for (int i = 0; i < count && i < 3 && best[i].share > 0.1; i++) {
        text_add(text, i ? ", %s %.0f %%" : "; %s explains %.0f %% of it", best[i].name,
                 100 * best[i].share);
    }
}

Status row_check_verdict(const RowCheck *check, const SparseTerms *terms, double most, Err *err) {
    const double deviation = row_check_deviation(check);
    if (check->rows == 0) return STATUS_OK;
    if (2 * check->unit > ROW_CHECK_BLIND * deviation) {
        return err_set(err, STATUS_MISMATCH,
                       "two units of the value (%g) are more than %g %% of its standard deviation "
                       "(%.4g), so a comparison of rows and values could see nothing; print values "
                       "with smaller steps, and give their unit ('trace phase P unit U', or the "
                       "attribute value_unit)",
                       2 * check->unit, 100 * ROW_CHECK_BLIND, deviation);
    }
    if ((double)check->mismatches <= most * (double)check->rows) return STATUS_OK;
    AUTO(Text) why = {0};
    add_explanation(check, terms, &why);
    return err_set(err, STATUS_MISMATCH,
                   "%llu of %llu rows (%.2f %%, more than --max-mismatch %g) do not add up to the "
                   "value%s; worst: value %g, sum %.6g, %s",
                   (unsigned long long)check->mismatches, (unsigned long long)check->rows,
                   100.0 * (double)check->mismatches / (double)check->rows, most, text_get(&why),
                   check->worst_value, check->worst_sum, check->worst);
}

// Returns the term with the largest share of mismatches above ROW_CHECK_TERM_SHARE; among equal
// shares the one with most mismatches. Returns check->terms if there is none.
static size_t worst_term(const RowCheck *check, const double *missed, const bool *named,
                         uint64_t least) {
    double worst = ROW_CHECK_TERM_SHARE;
    size_t which = check->terms;
    for (size_t i = 0; i < check->terms; i++) {
        const double share = missed[i] / (double)check->seen[i];
        if (named[i] || check->seen[i] < least || !(share >= worst)) continue;
        if (share == worst && (which == check->terms || missed[i] <= missed[which])) continue;
        worst = share;
        which = i;
    }
    return which;
}

static bool row_has(const RowCheck *check, const RowMiss *miss, size_t term) {
    for (size_t k = miss->first; k < miss->first + miss->count; k++) {
        if (check->miss_index[k] == (int64_t)term) return true;
    }
    return false;
}

// Takes the mismatches of rows with a term off the counts of all terms, because this term explains
// them. Rows that were not kept count in proportion.
static void take_off(const RowCheck *check, size_t term, bool *taken, double *missed) {
    size_t kept = 0;
    for (size_t m = 0; m < check->miss_count; m++) kept += check->misses[m].error != 0;
    const double each = kept ? (double)check->mismatches / (double)kept : 0;
    for (size_t m = 0; m < check->miss_count; m++) {
        const RowMiss *miss = &check->misses[m];
        if (miss->error == 0 || taken[m] || !row_has(check, miss, term)) continue;
        taken[m] = true;
        for (size_t k = miss->first; k < miss->first + miss->count; k++) {
            missed[check->miss_index[k]] -= each;
        }
    }
}

// Appends the terms whose share of mismatches is too large, and which earlier terms do not explain.
// Returns their number. Terms that are not fitted are left out.
static int add_bad_terms(const RowCheck *check, const SparseTerms *terms, const bool *frozen,
                         uint64_t least, Text *text) {
    enum { SHOWN = 8 };
    AUTO_FREE bool *named = memory_alloc(check->terms, sizeof *named);
    AUTO_FREE bool *taken = memory_alloc(check->miss_count, sizeof *taken);
    AUTO_FREE double *missed = memory_alloc(check->terms, sizeof *missed);
    int bad = 0;
    for (size_t i = 0; i < check->terms; i++) missed[i] = (double)check->missed[i];
    for (;;) {
        const size_t which = worst_term(check, missed, named, least);
        if (which == check->terms) return bad;
        named[which] = true;
        take_off(check, which, taken, missed);
        if (frozen[2 * which] && frozen[2 * which + 1]) continue;
        if (bad++ >= SHOWN) continue;
        text_add(text, "%s%s (%llu of %llu)", text->length ? ", " : "", terms->names[which],
                 (unsigned long long)check->missed[which], (unsigned long long)check->seen[which]);
    }
}

Status row_check_terms(const RowCheck *check, const SparseTerms *terms, const bool *frozen,
                       uint64_t least, Err *err) {
    AUTO(Text) text = {0}, why = {0};
    const int bad = add_bad_terms(check, terms, frozen, least, &text);
    if (bad == 0) return STATUS_OK;
    add_explanation(check, terms, &why);
    return err_set(err, STATUS_MISMATCH,
                   "more than %g %% of the positions with a term do not add up to the value: "
                   "%.200s%s%s; correct the trace, or keep the terms with --freeze; worst: value "
                   "%g, sum %.6g, %s",
                   100 * ROW_CHECK_TERM_SHARE, text_get(&text), bad > 8 ? " and others" : "",
                   text_get(&why), check->worst_value, check->worst_sum, check->worst);
}

// ---- explanations -------------------------------------------------------------------------------

// Hypotheses about a fault of the trace. Each predicts the error of a row up to a factor.
typedef enum Hypothesis {
    WRONG_SCALE,    // coefficients of a term, or of a group of terms, have a wrong scale or sign
    WRONG_COUNT,    // coefficients of a term or group are too large or too small by a constant
    WRONG_PRESENCE, // the value of a term or group is wrong wherever it occurs
    WRONG_ALWAYS,   // a term is wrong by a constant, also where the row does not have it
    HYPOTHESES,
} Hypothesis;

// Sums of a regression of the errors on one predicted error.
typedef struct Regression {
    double by_error, by_itself; // sums of predicted times error, and of predicted squared
} Regression;

static void regress(Regression *sums, double predicted, double error) {
    sums->by_error += predicted * error;
    sums->by_itself += predicted * predicted;
}

static double share_of(const Regression *sums, double total) {
    return sums->by_itself > 0 ? sums->by_error * sums->by_error / (sums->by_itself * total) : 0;
}

// Sums of a regression of the errors on two numbers a and b: the engine evaluates with other
// middlegame and endgame values than it prints.
typedef struct Regression2 {
    double aa, ab, bb, a_error, b_error;
} Regression2;

static void regress2(Regression2 *sums, double a, double b, double error) {
    sums->aa += a * a;
    sums->ab += a * b;
    sums->bb += b * b;
    sums->a_error += a * error;
    sums->b_error += b * error;
}

static double share_of2(const Regression2 *sums, double total) {
    const double det = sums->aa * sums->bb - sums->ab * sums->ab;
    if (!(det > 1e-9 * sums->aa * sums->bb)) return 0;
    const double x = (sums->bb * sums->a_error - sums->ab * sums->b_error) / det;
    const double y = (sums->aa * sums->b_error - sums->ab * sums->a_error) / det;
    return (x * sums->a_error + y * sums->b_error) / total;
}

// The regressions of all hypotheses: for each term, for each group, and for a wrong phase.
typedef struct Explain {
    const RowCheck *check;
    const SparseTerms *terms;
    TermFamilies families;
    Regression (*term)[HYPOTHESES], (*group)[HYPOTHESES], phase;
    Regression2 *values;       // for each term
    double (*sum)[HYPOTHESES]; // predicted errors of the groups in one row
    double total;              // sum of squared errors
} Explain;

static void explain_row(Explain *explain, const RowMiss *miss) {
    const RowCheck *check = explain->check;
    const double middle = miss->factor * miss->share, end = miss->factor * (1 - miss->share);
    double tilt = 0;
    for (size_t k = miss->first; k < miss->first + miss->count; k++) {
        const int64_t term = check->miss_index[k];
        const double *c = check->miss_coefficient[k], *start = explain->terms->start[term];
        const double value = middle * start[0] + end * start[1];
        const double predicted[HYPOTHESES] = {middle * c[0] * start[0] + end * c[1] * start[1],
                                              value, c[0] > 0 ? value : -value, 0};
        regress2(&explain->values[term], middle * c[0], end * c[1], miss->error);
        double *sum = explain->sum[explain->families.family_of[term]];
        tilt += miss->factor * (c[0] * start[0] - c[1] * start[1]);
        for (int h = 0; h < WRONG_ALWAYS; h++) {
            sum[h] += predicted[h];
            regress(&explain->term[term][h], predicted[h], miss->error);
        }
    }
    for (size_t t = 0; t < explain->terms->terms && miss->error != 0; t++) {
        const double *start = explain->terms->start[t];
        regress(&explain->term[t][WRONG_ALWAYS], middle * start[0] + end * start[1], miss->error);
    }
    for (int f = 0; f < explain->families.count; f++) {
        for (int h = 0; h < WRONG_ALWAYS; h++) {
            regress(&explain->group[f][h], explain->sum[f][h], miss->error);
            explain->sum[f][h] = 0;
        }
    }
    regress(&explain->phase, tilt, miss->error);
    explain->total += miss->error * miss->error;
}

static double largest(const Regression regressions[HYPOTHESES], double total) {
    double share = 0;
    for (int h = 0; h < HYPOTHESES; h++) {
        // A constant error has many possible causes, so a term that occurs in the rows comes first.
        const double weight = h == WRONG_ALWAYS ? 0.99 : 1;
        share = fmax(share, weight * share_of(&regressions[h], total));
    }
    return share;
}

// The best explanation of the errors within a group: the group, one of its terms, or a wrong phase.
typedef struct Candidate {
    const char *name;
    double share; // explained share of the squared errors
    double rank;  // the candidates are sorted by this number
} Candidate;

// Makes a candidate. Among candidates that explain alike, the one comes first whose positions are
// mismatches most often.
static Candidate candidate(const char *name, double share, double missed, double seen) {
    return (Candidate){name, share, share * (0.9 + 0.1 * (seen > 0 ? missed / seen : 0))};
}

// Finds the best candidate of each group.
static void find_candidates(const Explain *explain, Candidate *list) {
    const RowCheck *check = explain->check;
    for (int f = 0; f < explain->families.count; f++) {
        const TermFamily *family = &explain->families.list[f];
        double missed = 0, seen = 0;
        for (int i = 0; i < family->count; i++) {
            missed += (double)check->missed[family->terms[i]];
            seen += (double)check->seen[family->terms[i]];
        }
        const double share = largest(explain->group[f], explain->total);
        list[f] = candidate(family->name, share, missed, seen);
    }
    for (size_t t = 0; t < check->terms; t++) {
        Candidate *best = &list[explain->families.family_of[t]];
        // Two free numbers explain a little more than one, even without a reason.
        const double share = fmax(largest(explain->term[t], explain->total),
                                  0.995 * share_of2(&explain->values[t], explain->total));
        const Candidate one = candidate(explain->terms->names[t], share, (double)check->missed[t],
                                        (double)check->seen[t]);
        if (one.rank > best->rank + 1e-4) *best = one;
    }
}

static void explain_clear(Explain *explain) {
    term_families_clear(&explain->families);
    free(explain->term);
    free(explain->values);
    free(explain->group);
    free(explain->sum);
}

int row_check_explain(const RowCheck *check, const SparseTerms *terms,
                      RowExplanation best[ROW_EXPLANATIONS]) {
    Explain explain = {.check = check, .terms = terms};
    int count = 0;
    if (!terms->start || check->mismatches == 0) return 0;
    term_families_init(&explain.families, terms);
    const size_t groups = (size_t)explain.families.count;
    explain.term = memory_alloc(terms->terms, sizeof *explain.term);
    explain.values = memory_alloc(terms->terms, sizeof *explain.values);
    explain.group = memory_alloc(groups, sizeof *explain.group);
    explain.sum = memory_alloc(groups, sizeof *explain.sum);
    for (size_t m = 0; m < check->miss_count; m++) explain_row(&explain, &check->misses[m]);
    AUTO_FREE Candidate *list = memory_alloc(groups + 1, sizeof *list);
    find_candidates(&explain, list);
    const double phase = share_of(&explain.phase, explain.total);
    list[groups] = (Candidate){"a wrong phase", phase, phase};
    while (count < ROW_EXPLANATIONS) {
        size_t which = 0;
        for (size_t g = 1; g <= groups; g++) which = list[g].rank > list[which].rank ? g : which;
        if (!(list[which].rank > 0)) break;
        best[count].share = list[which].share;
        snprintf(best[count++].name, SPARSE_NAME_SIZE, "%s", list[which].name);
        list[which].rank = 0;
    }
    explain_clear(&explain);
    return count;
}
