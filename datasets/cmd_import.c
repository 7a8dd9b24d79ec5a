// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data import: games of other people into a run directory.
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/rules/rules_options.h"
#include "datasets/commands.h"
#include "datasets/formats/import.h"
#include "datasets/store/provenance.h"
#include "datasets/store/run.h"
#include "datasets/store/summary.h"

typedef struct ImportSettings {
    int format; // 0 auto, else FormatId + 1
    int moves;  // 0 auto, else NotationSystem + 1
    int rules, material, max_checks, sample, unknown, sample_after, shard_games, threads;
    const char *out;
    bool fill_moves, json, quiet;
} ImportSettings;

static const OptionRow import_rows[] = {
    OPT_CHOICE("format", ImportSettings, format, "auto", FORMAT_READ_CHOICES,
               "what the files are; auto: each by its content"),
    OPT_CHOICE("moves", ImportSettings, moves, "auto", MOVES_CHOICES,
               "the system of the moves; auto: as the file says, or tried"),
    OPT_FLAG("fill-moves", ImportSettings, fill_moves,
             "positions of which no move is told take the first legal one; else they are refused"),
    OPT_TEXT("out", ImportSettings, out, NULL, "DIR", "run directory without games",
             OPTION_REQUIRED | OPTION_NEUTRAL),
    RULES_OPTION(ImportSettings, rules),
    MATERIAL_OPTION(ImportSettings, material),
    MAX_CHECKS_OPTION(ImportSettings, max_checks),
    OPT_CHOICE("sample", ImportSettings, sample, "quiet", "quiet|all|none",
               "positions to sample; quiet: not in check, and the move played captures nothing"),
    OPT_INT("sample-after", ImportSettings, sample_after, 0, 65535, "10", "N",
            "no positions from the first N plies; none behind the referee's end either"),
    OPT_CHOICE("unknown", ImportSettings, unknown, "referee", "referee|draw|skip",
               "games without a result; referee: his word where they stop in an end, else refused; "
               "draw: else a draw; skip: refused"),
    OPT_INT("shard-games", ImportSettings, shard_games, 1, 1000000, "4096", "N",
            "records of one file", OPTION_NEUTRAL),
    ROW_THREADS(ImportSettings),
    ROW_JSON(ImportSettings),
    ROW_QUIET(ImportSettings),
    OPTION_END,
};

// A record that is refused, or with number 0 a file. Names of files are others' words.
static void print_refused(void *context, const ImportPlace *place, const char *why) {
    const CommandCall *call = context;
    const ImportSettings *settings = call->settings;
    const char *unit = place->line ? "line" : "byte";
    const size_t at = place->line ? place->line : place->offset;
    if (!settings->json) {
        Text text = {0};
        if (place->number) {
            text_add(&text, "%s %zu: %s, game %zu: %s", unit, at, place->path, place->number, why);
        } else {
            text_add(&text, "file %s: %s", place->path, why);
        }
        text_make_printable(text.data);
        fprintf(call->out, "error\t%s\n", text.data);
        text_clear(&text);
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    if (place->number) record_int(&record, unit, (long long)at);
    record_text(&record, "file", place->path);
    if (place->number) record_int(&record, "game", (long long)place->number);
    record_text(&record, "error", why);
    record_end(&record);
}

// What a reader of the counts may miss otherwise.
static void print_notes(const CommandCall *call, const ImportReport *report) {
    const PassedOver *passed = &report->passed;
    if (report->refused[IMPORT_RESULT]) {
        fprintf(call->err,
                "games without a result (refused_result) are kept when it is written into them: in "
                "PGN into the tag Result, as 1-0, 0-1 or 1/2-1/2; or see --unknown\n");
    }
    if (passed->count == 0) return;
    Text text = {0};
    text_add(&text, "passed over for the endings of their names:");
    for (size_t i = 0; i < passed->endings; i++) {
        text_add(&text, "%s %zu %s", i ? "," : "", passed->by[i].count,
                 passed->by[i].ending[0] ? passed->by[i].ending : "without one");
    }
    text_make_printable(text.data);
    fprintf(call->err, "%s; a file that is named itself is read whatever its name\n", text.data);
    text_clear(&text);
}

// `different`: what is in the run directory; of no games where nothing was kept.
static void print_summary(const CommandCall *call, const ImportReport *report,
                          const StoreSummary *different) {
    const ImportSettings *settings = call->settings;
    char key[64];
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "records", (long long)report->records);
    record_int(&record, "games", (long long)report->games);
    record_int(&record, "refused", (long long)(report->records - report->games));
    for (int i = IMPORT_KEPT + 1; i < IMPORT_REFUSAL_COUNT; i++) {
        if (!record.json && report->refused[i] == 0) continue;
        snprintf(key, sizeof key, "refused_%s", import_refusal_name((ImportRefusal)i));
        record_int(&record, key, (long long)report->refused[i]);
    }
    record_int(&record, "refused_files", (long long)report->refused_files);
    if (record.json || report->passed.count) {
        record_int(&record, "passed_over", (long long)report->passed.count);
    }
    record_int(&record, "plies", (long long)report->plies);
    record_int(&record, "positions", (long long)report->positions);
    if (report->unsampled) record_int(&record, "games_unsampled", (long long)report->unsampled);
    if (report->by_referee)
        record_int(&record, "results_by_referee", (long long)report->by_referee);
    if (report->as_draws) record_int(&record, "results_as_draws", (long long)report->as_draws);
    if (different->games) {
        record_int(&record, "different_games", (long long)different->different_games);
        record_int(&record, "different_positions", (long long)different->distinct);
    }
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (report->ends[i] == 0) continue;
        snprintf(key, sizeof key, "referee_%s",
                 i == END_NONE ? "none" : end_reason_name((EndReason)i));
        record_int(&record, key, (long long)report->ends[i]);
    }
    record_end(&record);
}

static void fill_spec(const CommandCall *call, const PathList *paths, ImportSpec *spec) {
    const ImportSettings *settings = call->settings;
    *spec = (ImportSpec){
        .paths = paths,
        .format = settings->format ? game_format((FormatId)(settings->format - 1)) : NULL,
        .read = {.system = settings->moves ? settings->moves - 1 : MOVES_DETECTED,
                 .fill_moves = settings->fill_moves},
        .out = settings->out,
        .rules = rules_default((RuleSet)settings->rules),
        .sample = (ImportSample)settings->sample,
        .unknown = (ImportUnknown)settings->unknown,
        .sample_after = settings->sample_after,
        .sample_given = command_given(call, "sample"),
        .sample_after_given = command_given(call, "sample-after"),
        .shard_games = settings->shard_games,
        .threads = settings->threads,
    };
    spec->rules.material = (MaterialRule)settings->material;
    spec->rules.max_checks = settings->max_checks;
}

static Status list_sources(const CommandCall *call, const ImportSpec *spec,
                           const ImportHooks *hooks, PathList *paths, ImportReport *report,
                           Text *source, Err *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < call->arg_count && status == STATUS_OK; i++) {
        status = import_list_files(call->args[i], spec->format, hooks, paths, report, err);
    }
    if (status != STATUS_OK) return status;
    return import_sources_to_text(paths, hooks, report, source, err);
}

static Status import(const CommandCall *call, ImportReport *report, Err *err) {
    const ImportSettings *settings = call->settings;
    Text source = {0}, rules = {0}, options = {0}, identity = {0};
    PathList paths = {0};
    ImportSpec spec;
    const ImportHooks hooks = {.refused = print_refused, .context = (void *)call};
    fill_spec(call, &paths, &spec);
    Status status = list_sources(call, &spec, &hooks, &paths, report, &source, err);
    if (status == STATUS_OK) {
        rules_to_text(&spec.rules, &rules);
        command_options_text(call, &options);
        run_identity_begin(call, "import", &identity);
        spec.provenance = (Provenance){.kind = "import",
                                       .command = call->command->name,
                                       .options = text_get(&options),
                                       .identity = text_get(&identity),
                                       .rules = text_get(&rules),
                                       .source = text_get(&source)};
        Progress progress;
        progress_init(&progress, call->err, settings->quiet, "records", 0);
        status = import_games(&spec, &hooks, &progress, report, err);
        progress_finish(&progress, report->records, report->interrupted ? "interrupted" : "");
    }
    path_list_clear(&paths);
    text_clear(&source);
    text_clear(&rules);
    text_clear(&options);
    text_clear(&identity);
    return status;
}

static int run_import(const CommandCall *call) {
    ImportReport report = {0};
    Err err = {0};
    if (import(call, &report, &err) != STATUS_OK) return command_fail(call, &err);
    StoreSummary different = {0};
    const ImportSettings *settings = call->settings;
    if (report.games &&
        store_summarise(settings->out, settings->threads, NULL, &different, &err) != STATUS_OK) {
        return command_fail(call, &err);
    }
    print_summary(call, &report, &different);
    if (report.records == 0 && report.refused_files == 0 && !report.interrupted) {
        err_set(&err, STATUS_BAD_INPUT,
                "nothing was read: no game in the files; is it another --format?");
        return command_fail(call, &err);
    }
    if (!settings->quiet) print_notes(call, &report);
    return report.games < report.records || report.refused_files ? 1 : 0;
}

const Command command_data_import = {
    .name = "data import",
    .summary = "games of other people into a run directory",
    .usage = "[FILE|DIR...]",
    .details =
        "paotai data import --out build/real games.tsv\n"
        "    1-0<TAB>h2e2 h9g7 h0g2 i9h9          or 1-0<TAB>FEN<TAB>moves\n"
        "paotai data import --out build/real records/ more.pgn\n"
        "    [Result \"1-0\"] 1. 炮二平五 马８进７ 2. 马二进三 {+0.35/12 0.5s} 车９平８ 1-0\n"
        "paotai data import --moves chinese --format pgn --out build/real <old.txt\n"
        "paotai data import --out build/positions positions.epd\n"
        "    FEN w - - sm h2e2; c9 \"1-0\"; ce 35;  or FEN [0.5]  or FEN | score | 0.5\n"
        "paotai data import --fill-moves --out build/positions positions.csv\n"
        "    fen,move,score_red,result            (first line; --help of data export has all)\n"
        "paotai data import --out build/positions training.plain\n"
        "    fen FEN / move h3e3 / score 35 / ply 0 / result 1 / e, each on a line\n"
        "paotai data import --out build/real game.xqf game.cbr library.cbl page.html\n"
        "    XQStudio 1.0-1.8, CCBridge and its libraries, [DhtmlXQ_movelist]7747...\n"
        "paotai data import --out build/real collection.zip games.pgn.gz\n"
        "    packed: .gz .bz2 .xz .zst, .zip .7z .rar .tar, and one more such layer in these\n\n"
        "Of a folder or an archive all files with the extension of a format are taken, those of "
        "folders\nin it too.\n"
        "What cannot be read is refused by place, file, game and reason, and the rest is kept; so "
        "are\n"
        "whole files, and pipes and devices in a folder: the exit status is then 1, as when "
        "nothing was\n"
        "read. Results stay as given; where our referee would have ended the game is recorded "
        "beside\n"
        "them.\n\n"
        "formats:\n"
#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary)            \
    "  " name " (" extension "): " summary "\n"
#define FORMAT_READ(id, name, extension, content, cut, read, summary)                              \
    "  " name " (" extension "): " summary "\n"
#include "datasets/formats/formats.def"
        "\nMoves of PGN may be in any notation that is tried (uci, iccs, wxf, chinese, san, uci1, "
        "lalg)\n"
        "or that a tag Format or --moves names; scores in comments are taken, variations skipped.",
    .rows = import_rows,
    .settings_size = sizeof(ImportSettings),
    .min_args = 0,
    .max_args = -1,
    .run = run_import,
};
