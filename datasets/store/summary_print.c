// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/summary_print.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"

// ---- histograms --------------------------------------------------------------------------------

typedef struct Histogram {
    const char *title;
    size_t counts; // offset of the array of counts in a StoreSummary
    int bins, first,
        step; // number of bins; the label of bin number i is first + i * step; if `first` is
              // negative, all labels have a sign (+ or -)
    const char *below, *above; // suffixes for the labels of the first and the last bin
    const char *const *names;  // labels of the bins instead of numbers, or NULL
} Histogram;

static const Histogram histograms[] = {
    {"games by result", offsetof(StoreSummary, results), 3,
     .names = (const char *const[]){"Black wins", "draws", "Red wins"}},
    {"games by plies", offsetof(StoreSummary, lengths), LENGTH_BINS, .step = LENGTH_BIN_PLIES,
     .above = "+"},
    {"positions by pieces on the board", offsetof(StoreSummary, pieces), PIECE_BINS, .step = 1},
    {"positions by phase, 48 with all pieces", offsetof(StoreSummary, phases), PHASE_BINS,
     .step = PHASE_BIN},
    {"positions by score from Red's side, units", offsetof(StoreSummary, scores), SCORE_BINS,
     .first = -SCORE_BINS / 2 * SCORE_BIN, .step = SCORE_BIN, .below = " or less",
     .above = " or more"},
    {"different positions by how often they occur", offsetof(StoreSummary, repeats), REPEAT_BINS,
     .names = (const char *const[]){"once", "twice", "3-4 times", "5-9 times", "10-99 times",
                                    "100+ times"}},
};

static void label_bar(const Histogram *bars, int bin, char *label, size_t size) {
    const char *end = bin == 0 ? bars->below : bin == bars->bins - 1 ? bars->above : NULL;
    if (bars->names) {
        snprintf(label, size, "%s", bars->names[bin]);
    } else {
        snprintf(label, size, bars->first < 0 ? "%+d%s" : "%d%s", bars->first + bin * bars->step,
                 end ? end : "");
    }
}

// Prints a histogram as comment lines, one bar per bin. Omits empty bins at both ends.
static void print_bars(FILE *out, const Histogram *bars, const StoreSummary *summary) {
    enum { BAR = 50 };
    const uint64_t *counts = (const uint64_t *)(const void *)((const char *)summary + bars->counts);
    uint64_t most = 1;
    int first = bars->bins, last = -1;
    for (int i = 0; i < bars->bins; i++) {
        if (counts[i] > most) most = counts[i];
        if (counts[i]) last = i;
        if (counts[i] && first == bars->bins) first = i;
    }
    if (last >= 0) fprintf(out, "# %s\n", bars->title);
    for (int i = first; i <= last; i++) {
        char label[48];
        label_bar(bars, i, label, sizeof label);
        fprintf(out, "# %14s %9llu %.*s\n", label, (unsigned long long)counts[i],
                (int)(counts[i] * BAR / most),
                "##################################################");
    }
}

// ---- values ------------------------------------------------------------------------------------

static void add_reasons(Record *record, const char *prefix, const uint64_t *counts) {
    for (int i = 0; i < END_REASON_COUNT; i++) {
        const char *name = i == END_NONE ? "none" : end_reason_name((EndReason)i);
        if (counts[i]) record_add(record, "%s%s %lu", prefix, name, counts[i]);
    }
}

// Adds the numbers of positions in three ranges of the phase: below 18, 18 to 35, and 36 to 48.
static void add_phases(Record *record, const uint64_t phases[PHASE_BINS]) {
    static const char *const names[] = {"positions_endgame", "positions_middlegame",
                                        "positions_opening"};
    uint64_t counts[3] = {0};
    for (int i = 0; i < PHASE_BINS; i++) counts[i * 3 / PHASE_BINS] += phases[i];
    for (int i = 2; i >= 0; i--) record_add(record, "%s %lu", names[i], counts[i]);
}

// Adds the counts to the record. For `requested` and `unfinished`, see SummaryPrint.
static void add_counts(Record *record, const StoreSummary *summary, uint64_t requested,
                       const char *unfinished) {
    const double games = summary->games ? (double)summary->games : 1;
    const uint64_t numbers = summary->end_game - summary->first_game;
    record_add(record,
               "games %lu plies %lu positions %lu content_hash %s shards %lu first_game %lu "
               "end_game %lu missing_games %lu left_out_games %lu",
               summary->games, summary->plies, summary->positions, summary->content_hash,
               summary->shards, summary->first_game, summary->end_game, summary->missing,
               numbers - summary->missing - summary->games);
    if (requested) {
        const uint64_t there = summary->games < requested ? summary->games : requested;
        record_add(record, "asked_games %lu unplayed_games %lu", requested, requested - there);
    }
    if (unfinished) record_add(record, "unfinished %s", unfinished);
    record_add(record, "bytes %lu red_wins %lu draws %lu black_wins %lu", summary->bytes,
               summary->results[2], summary->results[1], summary->results[0]);
    const uint64_t ended = summary->results[0] + summary->results[1] + summary->results[2];
    if (summary->grouped) record_add(record, "groups %lu", summary->groups);
    if (ended < summary->games) record_add(record, "games_open %lu", summary->games - ended);
    add_reasons(record, "end_", summary->reasons);
    add_reasons(record, "referee_", summary->end_reasons);
    record_add(record,
               "plies_min %lu plies_mean %.1f plies_max %lu plies_scored %lu spikes %lu "
               "different_games %lu "
               "different_openings %lu different_positions %lu repeated_positions %lu "
               "most_repeated %lu",
               summary->shortest, (double)summary->plies / games, summary->longest, summary->scored,
               summary->spikes, summary->different_games, summary->openings, summary->distinct,
               summary->positions - summary->distinct, summary->most_repeated);
    record_add(record, "rule_scores %lu rule_scores_refuted %lu rule_scores_unproved %lu",
               summary->rule_scores, summary->rule_scores_refuted, summary->rule_scores_unproved);
    sense_record(&summary->sense, record);
    add_phases(record, summary->phases);
    if (summary->tagged) record_add(record, "games_tagged %lu", summary->tagged);
}

enum { PROVENANCE_SHOWN = 600 };

static void add_provenance(Record *record, const ProvenanceTexts *made, bool all) {
    for (int i = 0; i < PROVENANCE_COUNT && made->list[i]; i++) {
        char *value = made->list[i];
        size_t length = strlen(value);
        while (length > 0 && value[length - 1] == '\n') value[--length] = '\0';
        // Joins the lines of a text by ';', because key-value output has one line per key.
        for (char *at = value; !record->json && *at; at++) {
            if (*at == '\n') *at = ';';
        }
        AUTO(Text) shown = {0};
        size_t end = all || length < PROVENANCE_SHOWN ? length : PROVENANCE_SHOWN;
        while (end < length && ((unsigned char)value[end] & 0xc0) == 0x80)
            end--; // do not cut in the middle of a UTF-8 character
        text_add_bytes(&shown, value, end);
        if (shown.length < length) text_add(&shown, " ... (--verbose: all %zu bytes)", length);
        record_add(record, "provenance_%s %s", provenance_names[i], text_get(&shown));
    }
}

void summary_print(const StoreSummary *summary, const ProvenanceTexts *made,
                   const SummaryPrint *style, FILE *out) {
    Record record;
    record_begin(&record, out, style->json);
    add_counts(&record, summary, style->requested, style->unfinished);
    add_provenance(&record, made, style->verbose || style->json);
    record_end(&record);
    for (size_t i = 0; i < sizeof histograms / sizeof *histograms && !style->json; i++) {
        print_bars(out, &histograms[i], summary);
    }
}
