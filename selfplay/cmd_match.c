// SPDX-License-Identifier: GPL-3.0-or-later
// paotai match: which of two players is stronger, and by how much.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/commands.h"
#include "selfplay/common_options.h"
#include "selfplay/match.h"
#include "selfplay/play_options.h"

typedef struct MatchSettings {
    const char *a, *b, *sprt, *out, *opening_weights;
    uint64_t pairs, nodes, seed;
    int depth, threads, model;
    PlayOptions play;
    double hash_mb, alpha, beta;
    bool json, quiet;
} MatchSettings;

static const OptionRow match_rows[] = {
    {"a", OPTION_TEXT, offsetof(MatchSettings, a), 0, 0, "weights=default", "PLAYER",
     "player A: key=value,... (see below)"},
    {"b", OPTION_TEXT, offsetof(MatchSettings, b), 0, 0, "weights=classic", "PLAYER", "player B"},
    {"pairs", OPTION_U64, offsetof(MatchSettings, pairs), 0, 0, "100", "N",
     "opening pairs: twice as many games"},
    {"sprt", OPTION_TEXT, offsetof(MatchSettings, sprt), 0, 0, NULL, "E0,E1",
     "stop when an SPRT of elo0 against elo1 has decided"},
    {"model", OPTION_CHOICE, offsetof(MatchSettings, model), 0, 0, "normalized", SPRT_MODEL_WORDS,
     "what the Elo of --sprt are"},
    {"alpha", OPTION_REAL, offsetof(MatchSettings, alpha), 1e-6, 0.49, "0.05", "P",
     "probability to accept elo1 when elo0 is true"},
    {"beta", OPTION_REAL, offsetof(MatchSettings, beta), 1e-6, 0.49, "0.05", "P",
     "probability to accept elo0 when elo1 is true"},
    ROW_NODES(MatchSettings, "1000"),
    ROW_DEPTH(MatchSettings),
    ROW_THREADS(MatchSettings),
    ROW_SEED(MatchSettings),
    PLAY_ROWS(MatchSettings),
    {"opening-weights", OPTION_TEXT, offsetof(MatchSettings, opening_weights), 0, 0, "default",
     "NAME|FILE", "weights of the search that finds openings balanced"},
    {"hash", OPTION_REAL, offsetof(MatchSettings, hash_mb), 0.001, 65536, "1", "MB",
     "table of each player"},
    {"out", OPTION_TEXT, offsetof(MatchSettings, out), 0, 0, NULL, "DIR",
     "store the games in this run directory"},
    ROW_JSON(MatchSettings),
    ROW_QUIET(MatchSettings),
    OPTION_END,
};

static Status parse_sprt(const MatchSettings *settings, MatchSpec *spec, Err *err) {
    if (!settings->sprt) return STATUS_OK;
    char text[64], *comma;
    if (strlen(settings->sprt) >= sizeof text ||
        !(comma = strchr(strcpy(text, settings->sprt), ','))) {
        return err_set(err, STATUS_USAGE, "--sprt: '%.60s' is not elo0,elo1", settings->sprt);
    }
    *comma = '\0';
    spec->has_sprt = true;
    spec->sprt = (SprtSpec){
        .model = (SprtModel)settings->model, .alpha = settings->alpha, .beta = settings->beta};
    Status status =
        parse_real(text, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo0, "--sprt elo0", err);
    if (status == STATUS_OK) {
        status = parse_real(comma + 1, -SPRT_ELO_MAX, SPRT_ELO_MAX, &spec->sprt.elo1, "--sprt elo1",
                            err);
    }
    if (status == STATUS_OK) status = sprt_check(&spec->sprt, err);
    if (status != STATUS_OK && err) err->status = STATUS_USAGE;
    return status;
}

static Status fill_spec(const CommandCall *call, MatchSpec *spec, Book *book, Err *err) {
    const MatchSettings *settings = call->settings;
    spec->pairs = settings->pairs;
    spec->seed = settings->seed;
    spec->threads = settings->threads;
    spec->out = settings->out;
    spec->shard_games = 256;
    Status status = parse_sprt(settings, spec, err);
    if (status == STATUS_OK) {
        status =
            play_options_resolve(call, &settings->play, &spec->play, &spec->openings, book, err);
    }
    if (status == STATUS_OK)
        status = weights_load(settings->opening_weights, &spec->opening_weights, err);
    if (status == STATUS_OK) status = engine_spec_parse(settings->a, "--a", &spec->players[0], err);
    if (status == STATUS_OK) status = engine_spec_parse(settings->b, "--b", &spec->players[1], err);
    for (int i = 0; i < MATCH_PLAYERS && status == STATUS_OK; i++) {
        EngineSpec *player = &spec->players[i];
        const bool own = player->limits.nodes || player->limits.depth;
        if (!own)
            player->limits = (SearchLimits){.nodes = settings->nodes, .depth = settings->depth};
        if (!player->limits.nodes && !player->limits.depth) {
            status = err_set(err, STATUS_USAGE, "--nodes 0 wants a --depth: a search must end");
        }
        if (player->hash_mb <= 0) player->hash_mb = settings->hash_mb;
    }
    return status;
}

// ---- the live line and the report
// ------------------------------------------------------------------

static void show_pair(void *context, const MatchResult *result) {
    Progress *progress = context;
    Strength strength;
    strength_from_counts(&result->counts, &strength);
    const long long *penta = result->counts.penta;
    char detail[200];
    snprintf(detail, sizeof detail, "[%lld %lld %lld %lld %lld]  Elo %+.1f +- %.1f  LLR %.2f",
             penta[0], penta[1], penta[2], penta[3], penta[4], strength.elo, strength.elo_error95,
             result->sprt.llr);
    progress_update(progress, (uint64_t)match_counts_pairs(&result->counts), detail);
}

static void print_result(const CommandCall *call, const MatchSpec *spec, const MatchResult *result,
                         double seconds) {
    const MatchSettings *settings = call->settings;
    static const char *const letters[MATCH_PLAYERS] = {"a", "b"};
    Record record;
    record_begin(&record, call->out, settings->json);
    for (int i = 0; i < MATCH_PLAYERS; i++) {
        char key[32];
        record_text(&record, letters[i], spec->players[i].name);
        const double moves = result->moves[i] ? (double)result->moves[i] : 1.0;
        snprintf(key, sizeof key, "%s_depth", letters[i]);
        record_real(&record, key, (double)result->depth_sum[i] / moves, 2);
        snprintf(key, sizeof key, "%s_nodes_per_move", letters[i]);
        record_real(&record, key, (double)result->nodes[i] / moves, 1);
    }
    const double games = (double)match_counts_games(&result->counts);
    record_real(&record, "red_share",
                games > 0
                    ? ((double)result->red_wins + games - (double)result->black_wins) / (2 * games)
                    : 0.5,
                4);
    for (int i = 1; i < END_REASON_COUNT; i++) {
        if (!result->reasons[i]) continue;
        char key[64];
        snprintf(key, sizeof key, "end_%s", end_reason_name((EndReason)i));
        record_int(&record, key, (long long)result->reasons[i]);
    }
    record_real(&record, "seconds", seconds, 2);
    match_report_record(&record, &result->counts, spec->has_sprt ? &result->sprt : NULL);
    record_end(&record);
}

static Status play_match(const CommandCall *call, MatchSpec *spec, const char *book_hash,
                         Err *err) {
    const MatchSettings *settings = call->settings;
    char weights[700], source[400] = "", hash_a[SHA256_HEX_SIZE], hash_b[SHA256_HEX_SIZE];
    weights_hash(&spec->players[0].weights, hash_a);
    weights_hash(&spec->players[1].weights, hash_b);
    snprintf(weights, sizeof weights, "a: %s %s, b: %s %s", spec->players[0].weights_name, hash_a,
             spec->players[1].weights_name, hash_b);
    if (*book_hash) snprintf(source, sizeof source, "%s %s", settings->play.openings, book_hash);
    Text options = {0};
    command_options_text(call, &options);
    spec->provenance = (Provenance){.kind = "match",
                                    .command = call->command->name,
                                    .options = text_get(&options),
                                    .weights = weights,
                                    .source = source,
                                    .rules = rule_set_name(spec->play.rules.set),
                                    .seed = settings->seed};
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "pairs", settings->pairs);
    MatchResult result;
    const Status status = match_run(spec, show_pair, &progress, &result, err);
    const double seconds = progress_elapsed_s(&progress);
    progress_finish(&progress, (uint64_t)match_counts_pairs(&result.counts),
                    result.interrupted ? "interrupted" : "");
    if (status == STATUS_OK) print_result(call, spec, &result, seconds);
    text_clear(&options);
    return status == STATUS_OK && result.interrupted ? STATUS_INTERRUPTED : status;
}

static int run_match(const CommandCall *call) {
    Err err = {0};
    MatchSpec *spec = memory_alloc(1, sizeof *spec);
    Book book = {0};
    Status status = fill_spec(call, spec, &book, &err);
    if (status == STATUS_OK) status = play_match(call, spec, book.hash, &err);
    book_clear(&book);
    free(spec);
    if (status == STATUS_INTERRUPTED) return 1; // the report has been printed
    return status == STATUS_OK ? 0 : command_fail(call, &err);
}

const Command command_match = {
    .name = "match",
    .summary = "which of two players is stronger, and by how much, with error bars and SPRT",
    .usage = "",
    .details =
        "A PLAYER is a comma list: weights=classic|default|FILE, name=, nodes=, depth=, hash=MB,\n"
        "option.NAME=VALUE for a search parameter. Each opening is played twice with the colours\n"
        "exchanged; pairs are counted in order, so that the result is the same for any number of\n"
        "threads. The results are from A's side; pentanomial counts pairs LL,LD,DD+WL,WD,WW.\n\n"
        "paotai match --a weights=build/fitted.txt --b weights=classic --pairs 300 --threads 2\n"
        "paotai match --a weights=new.txt --b weights=old.txt --pairs 5000 --sprt 0,5",
    .rows = match_rows,
    .settings_size = sizeof(MatchSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_match,
};
