// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data info: what a store holds.
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/commands.h"
#include "datasets/store/summary.h"

typedef struct InfoSettings {
    int threads;
    bool json, quiet;
} InfoSettings;

static const OptionRow info_rows[] = {
    ROW_THREADS(InfoSettings),
    ROW_JSON(InfoSettings),
    ROW_QUIET(InfoSettings),
    OPTION_END,
};

// ---- histograms --------------------------------------------------------------------------------

enum { BAR_LABEL_SIZE = 48 };

// A bar for each count between the first and the last that is not 0, as comment lines.
static void print_bars(FILE *out, const char *title, const uint64_t *counts, int bins,
                       void (*label)(int bin, char text[BAR_LABEL_SIZE])) {
    enum { BAR = 50 };
    uint64_t most = 1;
    int first = bins, last = -1;
    for (int i = 0; i < bins; i++) {
        if (counts[i] > most) most = counts[i];
        if (counts[i]) last = i;
        if (counts[i] && first == bins) first = i;
    }
    if (last >= 0) fprintf(out, "# %s\n", title);
    for (int i = first; i <= last; i++) {
        char text[BAR_LABEL_SIZE];
        label(i, text);
        const int length = (int)(counts[i] * BAR / most);
        fprintf(out, "# %14s %9llu %.*s\n", text, (unsigned long long)counts[i], length,
                "##################################################");
    }
}

static void label_length(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d%s", bin * LENGTH_BIN_PLIES,
             bin == LENGTH_BINS - 1 ? "+" : "");
}
static void label_pieces(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d", bin);
}
static void label_phase(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d", bin * PHASE_BIN);
}
static void label_score(int bin, char text[BAR_LABEL_SIZE]) {
    const char *beyond = bin == 0 ? " or less" : bin == SCORE_BINS - 1 ? " or more" : "";
    snprintf(text, BAR_LABEL_SIZE, "%+d%s", (bin - SCORE_BINS / 2) * SCORE_BIN, beyond);
}
static void label_result(int bin, char text[BAR_LABEL_SIZE]) {
    static const char *const names[] = {"Black wins", "draws", "Red wins"};
    snprintf(text, BAR_LABEL_SIZE, "%s", names[bin]);
}
static void label_repeats(int bin, char text[BAR_LABEL_SIZE]) {
    static const char *const names[REPEAT_BINS] = {"once",      "twice",       "3-4 times",
                                                   "5-9 times", "10-99 times", "100+ times"};
    snprintf(text, BAR_LABEL_SIZE, "%s", names[bin]);
}

static void print_all_bars(FILE *out, const StoreSummary *summary) {
    print_bars(out, "games by result", summary->results, 3, label_result);
    print_bars(out, "games by plies", summary->lengths, LENGTH_BINS, label_length);
    print_bars(out, "positions by pieces on the board", summary->pieces, PIECE_BINS, label_pieces);
    print_bars(out, "positions by phase, 48 with all pieces", summary->phases, PHASE_BINS,
               label_phase);
    print_bars(out, "positions by score from Red's side, units", summary->scores, SCORE_BINS,
               label_score);
    print_bars(out, "different positions by how often they occur", summary->repeats, REPEAT_BINS,
               label_repeats);
}

// ---- values ------------------------------------------------------------------------------------

static void add_reasons(Record *record, const char *prefix, const uint64_t *counts) {
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (counts[i] == 0) continue;
        char key[64];
        const char *name = i == END_NONE ? "none" : end_reason_name((EndReason)i);
        snprintf(key, sizeof key, "%s%s", prefix, name);
        record_int(record, key, (long long)counts[i]);
    }
}

// Positions in thirds of the phase: below 18, below 36, and above.
static void add_phases(Record *record, const uint64_t phases[PHASE_BINS]) {
    static const char *const names[] = {"positions_endgame", "positions_middlegame",
                                        "positions_opening"};
    uint64_t counts[3] = {0};
    for (int i = 0; i < PHASE_BINS; i++) counts[i * 3 / PHASE_BINS] += phases[i];
    for (int i = 2; i >= 0; i--) record_int(record, names[i], (long long)counts[i]);
}

// "opening_1 412 games +198 =60 -154: C2=5 H8+7 H2+3 R9=8"
static void add_openings(Record *record, const StoreSummary *summary) {
    for (int i = 0; i < summary->frequent_count; i++) {
        const OpeningCount *opening = &summary->frequent[i];
        char key[32], text[192];
        snprintf(key, sizeof key, "opening_%d", i + 1);
        snprintf(text, sizeof text, "%llu games +%llu =%llu -%llu: %s",
                 (unsigned long long)opening->games, (unsigned long long)opening->red_wins,
                 (unsigned long long)opening->draws, (unsigned long long)opening->black_wins,
                 opening->moves);
        record_text(record, key, text);
    }
}

static void add_counts(Record *record, const StoreSummary *summary) {
    const double games = summary->games ? (double)summary->games : 1;
    record_int(record, "games", (long long)summary->games);
    record_int(record, "plies", (long long)summary->plies);
    record_int(record, "positions", (long long)summary->positions);
    record_text(record, "content_hash", summary->content_hash);
    record_int(record, "shards", (long long)summary->shards);
    record_int(record, "first_game", (long long)summary->first_game);
    record_int(record, "end_game", (long long)summary->end_game);
    record_int(record, "missing_games", (long long)summary->missing);
    if (summary->asked) {
        const uint64_t there = summary->games < summary->asked ? summary->games : summary->asked;
        record_int(record, "asked_games", (long long)summary->asked);
        record_int(record, "unplayed_games", (long long)(summary->asked - there));
    }
    record_int(record, "bytes", (long long)summary->bytes);
    record_int(record, "red_wins", (long long)summary->results[2]);
    record_int(record, "draws", (long long)summary->results[1]);
    record_int(record, "black_wins", (long long)summary->results[0]);
    add_reasons(record, "end_", summary->reasons);
    add_reasons(record, "referee_", summary->end_reasons);
    record_int(record, "plies_min", (long long)summary->shortest);
    record_real(record, "plies_mean", (double)summary->plies / games, 1);
    record_int(record, "plies_max", (long long)summary->longest);
    record_int(record, "plies_scored", (long long)summary->scored);
    record_int(record, "different_games", (long long)summary->different_games);
    record_int(record, "different_openings", (long long)summary->openings);
    record_int(record, "different_positions", (long long)summary->distinct);
    record_int(record, "repeated_positions", (long long)(summary->positions - summary->distinct));
    record_int(record, "most_repeated", (long long)summary->most_repeated);
    add_phases(record, summary->phases);
    add_openings(record, summary);
}

static void add_provenance(Record *record, const StoreProvenance *made) {
    for (int i = 0; i < PROVENANCE_COUNT && made->texts.list[i]; i++) {
        char key[64], *value = made->texts.list[i];
        snprintf(key, sizeof key, "provenance_%s", provenance_names[i]);
        // Options are lines; key-value output has one line a key.
        for (char *at = value; !record->json && *at; at++) {
            if (*at == '\n') *at = ';';
        }
        record_text(record, key, made->same[i] ? value : "(differs between shards)");
    }
}

static int run_info(const CommandCall *call) {
    const InfoSettings *settings = call->settings;
    Progress progress;
    StoreSummary summary;
    StoreProvenance made;
    Err err = {0};
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    Status status = store_summarise(call->args[0], settings->threads, &progress, &summary, &err);
    progress_finish(&progress, summary.games, "");
    if (status == STATUS_OK) status = store_provenance(call->args[0], &made, &err);
    if (status != STATUS_OK) return command_fail(call, &err);
    Record record;
    record_begin(&record, call->out, settings->json);
    add_counts(&record, &summary);
    add_provenance(&record, &made);
    record_end(&record);
    if (!settings->json) print_all_bars(call->out, &summary);
    provenance_texts_clear(&made.texts);
    return 0;
}

const Command command_data_info = {
    .name = "data info",
    .summary = "what a store holds: counts, results, lengths, content hash, provenance",
    .usage = "DIR|FILE",
    .details =
        "Counts are of games, or of the sampled positions where that is said; an opening is the "
        "first\n"
        "four plies from the usual start, with the games' results from Red's side. In the lines\n"
        "with '#' are histograms. missing_games counts gaps between the first and the last game "
        "that\n"
        "are there; unplayed_games what is not there of the asked_games of 'selfplay --games', as\n"
        "after Ctrl-C: 'selfplay --resume' plays them.\n\n"
        "The content hash depends on the games and positions alone, not on shards, threads, times\n"
        "or the machine.",
    .rows = info_rows,
    .settings_size = sizeof(InfoSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_info,
};
