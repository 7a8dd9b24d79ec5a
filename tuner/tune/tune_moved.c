// SPDX-License-Identifier: GPL-3.0-or-later
// Names fitted terms of another program that moved far, or that the search of this program may use
// elsewhere, too.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "tuner/rows/term_names.h"
#include "tuner/tune/tune.h"

enum { NAMES_SHOWN = 10 };
#define MOVED_FAR 0.2 // share of the start value
#define GROWN_FAR 2   // multiple of the change that the prior expects

// The change of a term of the fit.
typedef struct Moved {
    int pair;
    double rank; // the terms are listed by this number, the largest first
    Text text;
} Moved;

static int compare(const void *a, const void *b) {
    const Moved *x = a, *y = b;
    return x->rank > y->rank ? -1 : x->rank < y->rank ? 1 : x->pair - y->pair;
}

// Prints a line `key` with the first terms of the list, and the number of the others.
static void print_list(const TuneFit *tune, const char *key, Moved *list, int count) {
    AUTO(Text) line = {0};
    if (count > 0) qsort(list, (size_t)count, sizeof *list, compare);
    for (int i = 0; i < count; i++) {
        if (i < NAMES_SHOWN) text_add(&line, "%s%s", i ? ", " : "", list[i].text.data);
        text_clear(&list[i].text);
    }
    if (count > NAMES_SHOWN) text_add(&line, " and %d others", count - NAMES_SHOWN);
    if (count > 0) tune_print_note(tune, key, line.data);
}

static const char *phase_word(const TuneFit *tune, int weight) {
    return !tune->terms->phased ? "" : weight % 2 ? ".eg" : ".mg";
}

// Lists weights that the fit moved by more than MOVED_FAR of their start value. Weights of tables
// and curves are compared with the typical size of their family. Returns true if there are any.
static bool print_moved(const TuneFit *tune, const TermFamilies *families, const double *sizes) {
    const Fit *fit = &tune->fit;
    AUTO_FREE Moved *list = memory_alloc((size_t)fit->n, sizeof *list);
    int count = 0;
    for (int i = 0; i < fit->n; i++) {
        const double start = fit->start[i], change = fit->weights[i] - start;
        const double size = fmax(fabs(start), sizes[families->family_of[i / 2]]);
        if (fit->frozen[i] || !(fabs(change) > MOVED_FAR * size) || size == 0) continue;
        Moved *moved = &list[count++];
        *moved = (Moved){.pair = i, .rank = fabs(change)};
        text_add(&moved->text, "%s%s %.9g -> %.9g", tune->terms->names[i / 2], phase_word(tune, i),
                 start, fit->weights[i]);
    }
    print_list(tune, "moved_far", list, count);
    return count > 0;
}

static bool suggests_value(const char *name) {
    static const char *const words[] = {"material", "value", "worth", "pieceval"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasestr(name, words[i])) return true;
    }
    return false;
}

// Lists fitted terms whose names suggest the value of a piece.
static bool print_values(const TuneFit *tune) {
    const Fit *fit = &tune->fit;
    AUTO_FREE Moved *list = memory_alloc((size_t)fit->n, sizeof *list);
    int count = 0;
    for (int pair = 0; pair < fit->n / 2; pair++) {
        const bool fitted = !fit->frozen[2 * pair] || !fit->frozen[2 * pair + 1];
        if (!fitted || !suggests_value(tune->terms->names[pair])) continue;
        list[count] = (Moved){.pair = pair};
        text_add(&list[count++].text, "%s", tune->terms->names[pair]);
    }
    print_list(tune, "may_be_piece_values", list, count);
    return count > 0;
}

// Adds up, for each weight pair, how much its two weights count in the evaluation of the positions:
// sums of squares of coefficient times phase shares (mg mg, mg eg, eg eg).
static void add_uses(const RowSet *rows, double (*uses)[3]) {
    for (size_t c = rows->own_first; c < rows->own_end; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            const double share = (double)chunk->phase[i] / rows->phase_max;
            for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
                if (chunk->pair[k] >= rows->pairs) continue;
                const double times = row_coefficient(chunk, k);
                double *use = uses[chunk->pair[k]];
                use[0] += times * times * share * share;
                use[1] += times * times * share * (1 - share);
                use[2] += times * times * (1 - share) * (1 - share);
            }
        }
    }
}

// Lists the terms whose change, in the evaluation of the positions, is large compared with what the
// prior expects. If many terms are held by a narrow prior, a single one may move too far instead.
static void print_grown(const TuneFit *tune) {
    const Fit *fit = &tune->fit;
    const size_t pairs = (size_t)fit->n / 2;
    AUTO_FREE double(*uses)[3] = memory_alloc(pairs, sizeof *uses);
    AUTO_FREE Moved *list = memory_alloc(pairs, sizeof *list);
    int count = 0;
    if (!fit->prior.sd) return;
    add_uses(&tune->rows, uses);
    for (size_t pair = 0; pair < pairs; pair++) {
        double change[2], sd[2];
        for (int k = 0; k < 2; k++) {
            const size_t i = 2 * pair + (size_t)k;
            change[k] = fit->weights[i] - fit->start[i];
            sd[k] = fit->frozen[i] ? 0 : fit->prior.sd[i];
        }
        const double *use = uses[pair];
        const double effect = change[0] * change[0] * use[0] + 2 * change[0] * change[1] * use[1] +
                              change[1] * change[1] * use[2];
        const double expected = sd[0] * sd[0] * use[0] + sd[1] * sd[1] * use[2];
        if (!(effect > GROWN_FAR * GROWN_FAR * expected)) continue;
        Moved *moved = &list[count++];
        *moved = (Moved){.pair = (int)pair, .rank = sqrt(effect / expected)};
        text_add(&moved->text, "%s %.1f times (%.3g units)", tune->terms->names[pair], moved->rank,
                 sqrt(effect / (double)tune->rows.count));
    }
    print_list(tune, "grew_most_against_prior", list, count);
}

void tune_print_moved(const TuneFit *tune) {
    AUTO(TermFamilies) families = {0};
    if (!tune->terms->start) return;
    term_families_init(&families, tune->terms);
    AUTO_FREE double *sizes = memory_alloc((size_t)families.count, sizeof *sizes);
    for (int f = 0; f < families.count; f++) {
        const TermFamily *family = &families.list[f];
        double sum = 0;
        for (int i = 0; i < family->count; i++) {
            const double *start = tune->terms->start[family->terms[i]];
            sum += (start[0] * start[0] + start[1] * start[1]) / (2 * family->count);
        }
        sizes[f] = family->indices > 0 ? sqrt(sum) : 0;
    }
    const bool moved = print_moved(tune, &families, sizes), values = print_values(tune);
    if (moved || values) {
        tune_print_note(
            tune, "moved_note",
            "a search may use such values elsewhere, too: in exchanges, margins, the phase, or "
            "limits for resigning and for draws (ElephantEye resigns below -300); look for their "
            "uses in the source of the engine. Where it does, keep the old value there, "
            "or keep it in the fit with --freeze or by the word 'fixed' in the trace");
    }
    print_grown(tune);
}
