// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data info: what a store holds.
#include <stdlib.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "datasets/commands.h"
#include "datasets/store/run.h"
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

typedef struct Histogram {
    const char *title;
    size_t counts;             // offset in a StoreSummary
    int bins, first, step;     // labels are first + bin * step, with a sign where some are below 0
    const char *below, *above; // what the label of the first and the last bin ends with
    const char *const *names;  // the labels instead
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

// A bar for each count between the first and the last that is not 0, as comment lines.
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
static void add_opening(Record *record, const char *key, int number, const ResultCount *count,
                        const char *what) {
    char name[32], text[192];
    snprintf(name, sizeof name, "%s_%d", key, number);
    snprintf(text, sizeof text, "%llu games +%llu =%llu -%llu: %s",
             (unsigned long long)count->games, (unsigned long long)count->red_wins,
             (unsigned long long)count->draws, (unsigned long long)count->black_wins, what);
    text_make_printable(text);
    record_text(record, name, text);
}

static void add_openings(Record *record, const StoreSummary *summary) {
    for (int i = 0; i < summary->frequent_count; i++) {
        const OpeningCount *opening = &summary->frequent[i];
        add_opening(record, "opening", i + 1, &opening->count, opening->moves);
    }
    for (int i = 0; i <= OPENING_NAME_COUNT; i++) {
        if (summary->named[i].games == 0) continue;
        add_opening(record, "named_opening", i + 1, &summary->named[i],
                    opening_name(i < OPENING_NAME_COUNT ? i : -1));
    }
}

// "player_1 35 games +20 =10 -5: NAME", from the player's side.
static void add_players(Record *record, const StoreSummary *summary) {
    if (summary->tagged == 0) return;
    record_int(record, "games_tagged", (long long)summary->tagged);
    record_int(record, "players", (long long)summary->players);
    for (int i = 0; i < summary->busiest_count; i++) {
        const PlayerCount *player = &summary->busiest[i];
        add_opening(record, "player", i + 1, &player->count, player->name);
    }
}

static void add_counts(Record *record, const StoreSummary *summary, const char *unfinished) {
    const double games = summary->games ? (double)summary->games : 1;
    record_int(record, "games", (long long)summary->games);
    record_int(record, "plies", (long long)summary->plies);
    record_int(record, "positions", (long long)summary->positions);
    record_text(record, "content_hash", summary->content_hash);
    record_int(record, "shards", (long long)summary->shards);
    record_int(record, "first_game", (long long)summary->first_game);
    record_int(record, "end_game", (long long)summary->end_game);
    record_int(record, "missing_games", (long long)summary->missing);
    const uint64_t numbers = summary->end_game - summary->first_game;
    record_int(record, "left_out_games", (long long)(numbers - summary->missing - summary->games));
    if (summary->asked) {
        const uint64_t there = summary->games < summary->asked ? summary->games : summary->asked;
        record_int(record, "asked_games", (long long)summary->asked);
        record_int(record, "unplayed_games", (long long)(summary->asked - there));
    }
    if (unfinished) record_text(record, "unfinished", unfinished);
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
    add_players(record, summary);
}

static void add_provenance(Record *record, const StoreProvenance *made) {
    for (int i = 0; i < PROVENANCE_COUNT && made->texts.list[i]; i++) {
        char key[64], *value = made->texts.list[i];
        size_t length = strlen(value);
        while (length > 0 && value[length - 1] == '\n') value[--length] = '\0';
        snprintf(key, sizeof key, "provenance_%s", provenance_names[i]);
        // Options are lines; key-value output has one line a key.
        for (char *at = value; !record->json && *at; at++) {
            if (*at == '\n') *at = ';';
        }
        record_text(record, key, made->where[i] ? "(differs between shards)" : value);
    }
}

static Status run_info(const CommandCall *call, Err *err) {
    const InfoSettings *settings = call->settings;
    Progress progress;
    StoreSummary summary;
    StoreProvenance made;
    Store *store = NULL;
    char *unfinished = NULL;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    Status status = store_summarise(call->args[0], settings->threads, &progress, &summary, err);
    progress_finish(&progress, summary.games, "");
    if (status == STATUS_OK) status = run_unfinished(call->args[0], &unfinished, err);
    if (status == STATUS_OK) status = store_open(call->args[0], &store, err);
    if (status == STATUS_OK) status = store_provenance(store, &made, err);
    store_close(store);
    if (status != STATUS_OK) {
        free(unfinished);
        return err->status;
    }
    Record record;
    record_begin(&record, call->out, settings->json);
    add_counts(&record, &summary, unfinished);
    add_provenance(&record, &made);
    record_end(&record);
    for (size_t i = 0; i < sizeof histograms / sizeof *histograms && !settings->json; i++) {
        print_bars(call->out, &histograms[i], &summary);
    }
    if (unfinished) {
        fprintf(call->err,
                "paotai data info: 'paotai %s' was stopped before it had written all of this: "
                "remove it and begin again\n",
                unfinished);
    }
    free(unfinished);
    store_provenance_clear(&made);
    return STATUS_OK;
}

const Command command_data_info = {
    .name = "data info",
    .summary = "what a store holds: counts, results, lengths, content hash, provenance",
    .usage = "DIR|FILE",
    .details =
        "Counts are of games, or of sampled positions where the name says so; an opening is the\n"
        "first four plies from the usual start, with the games' results from Red's side, a\n"
        "player one whom tags name, with the results from his. Lines that begin with '#' show\n"
        "histograms. Games have numbers from first_game to end_game - 1: missing_games counts\n"
        "gaps in them, left_out_games those that 'import' refused or 'filter' did not choose.\n"
        "unplayed_games is what is not there of the asked_games of 'selfplay --games', as after\n"
        "Ctrl-C: 'selfplay --resume' plays them. unfinished names the command that was stopped\n"
        "before it had written all.\n\n"
        "The content hash depends on the games and positions alone, not on shards, threads,\n"
        "times or the machine.",
    .rows = info_rows,
    .settings_size = sizeof(InfoSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_info,
};
