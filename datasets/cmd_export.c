// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data export: write stores as text for other programs.
#include <errno.h>
#include <string.h>

#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/eval/weights.h"
#include "datasets/formats/export.h"

typedef struct ExportSettings {
    int format;    // 0 auto, else 1 + index among the formats that are written
    int moves;     // 0 auto, else NotationSystem + 1
    int positions; // 0 sampled, 1 all
    const char *out, *weights;
    bool unscored, rows, json, quiet;
} ExportSettings;

static const OptionRow export_rows[] = {
    OPT_CHOICE("format", ExportSettings, format, "auto", FORMAT_WRITE_CHOICES,
               "what to write; auto: by the ending of --out, csv where there is none"),
    OPT_CHOICE("moves", ExportSettings, moves, "auto", MOVES_CHOICES,
               "the system of the moves; auto: iccs in pgn, uci1 in plain, else uci"),
    OPT_CHOICE(
        "positions", ExportSettings, positions, "sampled", "sampled|all",
        "which positions the formats of positions (epd, texel, bullet, csv, plain, bin) hold"),
    OPT_FLAG("unscored", ExportSettings, unscored,
             "plain, bullet: also write positions without a score"),
    OPT_FLAG("rows", ExportSettings, rows,
             "instead: sparse rows of our evaluation's terms, for 'tune --rows' and other tuners"),
    OPT_TEXT("weights", ExportSettings, weights, "classic", "NAME|FILE",
             "rows: the weights in the file that a fit begins with"),
    OPT_TEXT("out", ExportSettings, out, NULL, "FILE",
             "file to write (xqf and cbr: a folder); without it, text goes to standard output and "
             "counts to standard error"),
    ROW_JSON(ExportSettings),
    ROW_QUIET(ExportSettings),
    OPTION_END,
};

static const GameFormat *wanted_format(const ExportSettings *settings) {
    const GameFormat *format = settings->out ? game_format_of_name(settings->out) : NULL;
    if (!settings->format) return format && format->write ? format : game_format(FORMAT_CSV);
    for (int i = 0, left = settings->format; left > 0; i++) {
        format = game_format((FormatId)i);
        left -= format->write != NULL;
    }
    return format;
}

// The ending of --out has to say what is written unless --format does.
static Status check_ending(const ExportSettings *settings, Err *err) {
    const char *out = settings->out;
    if (settings->format || !out || strcmp(out, "-") == 0) return STATUS_OK;
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    const GameFormat *named = game_format_of_name(out);
    if (!dot || dot[1] == '\0' || (named && named->write)) return STATUS_OK;
    return err_set(err, STATUS_USAGE, "--out %s: no format writes %s; %s", out, dot,
                   strcmp(dot, ".h5") == 0
                       ? "--rows writes sparse rows, 'data merge' games"
                       : "--format says what is to be written, or choose another ending");
}

static bool to_file(const ExportSettings *settings) {
    return settings->out && strcmp(settings->out, "-") != 0;
}

// Formats of one game a file want a folder.
static Status export_all(const CommandCall *call, ExportReport *report, Err *err) {
    const ExportSettings *settings = call->settings;
    const GameFormat *format = wanted_format(settings);
    const ExportSpec spec = {
        .format = format,
        .system = settings->moves ? settings->moves - 1 : MOVES_DETECTED,
        .all_positions = settings->positions == 1,
        .folder = format->single ? settings->out : NULL,
        .unscored = settings->unscored,
        .out_name = settings->out ? settings->out : "the output",
    };
    const size_t count = (size_t)call->arg_count;
    Progress progress;
    TRY(check_ending(settings, err));
    if (format->single && !to_file(settings)) {
        return err_set(err, STATUS_USAGE, "--out FOLDER is missing: a game is a file of its own");
    }
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    Status status = to_file(settings)
                        ? export_games_to(&spec, call->args, count, &progress, report, err)
                        : export_games(&spec, call->args, count, call->out, &progress, report, err);
    progress_finish(&progress, report->games, status == STATUS_INTERRUPTED ? "interrupted" : "");
    if (status == STATUS_OK && fflush(call->out) != 0) {
        status = err_set(err, STATUS_IO, "cannot write the output: %s", strerror(errno));
    }
    return status;
}

// --rows writes --out, or the first argument where that is not given.
static Status export_rows_file(const CommandCall *call, const ExportSettings *settings,
                               ExportReport *report, Err *err) {
    const char *out = settings->out;
    const char *const *paths = call->args;
    int count = call->arg_count;
    if (!out) { // the first argument is the file
        out = *paths++;
        count--;
    }
    if (count == 0) {
        return err_set(err, STATUS_USAGE, "--rows wants FILE.h5 and a DIR of games behind it");
    }
    Weights start;
    AUTO(Text) provenance = {0};
    TRY(weights_load(settings->weights, &start, err));
    text_add(&provenance, "paotai %s %s: data export --rows", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < count; i++) text_add(&provenance, " %s", paths[i]);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status =
        export_sparse(paths, count, out, &start, text_get(&provenance), &progress, report, err);
    progress_finish(&progress, report->games, status == STATUS_INTERRUPTED ? "interrupted" : "");
    return status;
}

static const struct {
    const char *name, *text;
} losses[EXPORT_LOSS_COUNT] = {
#define EXPORT_LOSS(name, text) {#name, text},
    EXPORT_LOSSES(EXPORT_LOSS)
#undef EXPORT_LOSS
};

// Says what the format cannot hold.
static void print_lost(const CommandCall *call, const ExportReport *report) {
    for (int i = 0; i < EXPORT_LOSS_COUNT; i++) {
        if (report->lost[i] == 0) continue;
        AUTO(Text) text = {0};
        AUTO(Text) what = {0};
        text_add(&what, "%s", losses[i].name);
        for (char *c = what.data; *c; c++) *c = *c == '_' ? ' ' : *c;
        for (const char *at = losses[i].text; *at; at++) {
            const bool name = strncmp(at, "%s", 2) == 0;
            if (name) text_add(&text, "%s", wanted_format(call->settings)->name);
            if (!name) text_add(&text, "%c", *at);
            at += name;
        }
        fprintf(call->err, "paotai data export: %llu %s %s\n", (unsigned long long)report->lost[i],
                what.data, text.data);
    }
}

static Status run_export(const CommandCall *call, Err *err) {
    const ExportSettings *settings = call->settings;
    ExportReport report = {0};
    TRY(settings->rows ? export_rows_file(call, settings, &report, err)
                       : export_all(call, &report, err));
    const bool shown = to_file(settings) || settings->rows;
    print_lost(call, &report);
    if (report.variations) {
        fprintf(call->err, "paotai data export: %llu of the games stand in others as variations\n",
                (unsigned long long)report.variations);
    }
    if (!shown && settings->quiet) return STATUS_OK;
    Record record;
    record_begin(&record, shown ? call->out : call->err, settings->json);
    record_add(&record, "games %lu %s %lu positions %lu skipped %lu bytes %lu", report.games,
               settings->rows ? "copied_games" : "plies",
               settings->rows ? report.copies : report.plies, report.positions, report.skipped,
               report.bytes);
    for (int i = 0; i < EXPORT_LOSS_COUNT; i++) {
        if (report.lost[i]) record_add(&record, "lost_%s %lu", losses[i].name, report.lost[i]);
    }
    record_end(&record);
    return STATUS_OK;
}

const Command command_data_export = {
    .name = "data export",
    .summary = "write stores as text for other programs",
    .usage = "DIR|FILE...",
    .details =
        "paotai data export --moves chinese --out games.pgn build/games\n"
        "paotai data export --format pgn --moves wxf build/games | less\n"
        "paotai data export --positions all --out games.plain build/games\n"
        "paotai data export --format xqf --out games/ build/games\n"
        "paotai data export --out positions.csv build/games\n"
        "paotai data export --format moves build/games | head -n 3\n"
        "paotai data export --rows --out rows.h5 build/games\n\n"
        "pgn    tags (FEN, Odds where there are any), moves, and of searched moves\n"
        "       {+0.35/12, n=500}: the score of the side to move in points, depth, nodes; {book} "
        "of the "
        "opening\n"
        "moves  result, FEN unless the initial position, moves; tabs between\n"
        "epd    a position a line with the opcodes of the standard: hmvc fmvn, sm the move "
        "played,\n"
        "       c9 the result, ce acd acn its score, depth and nodes, id game.ply\n"
        "texel  FEN [0.5], and bullet, FEN | score | 0.5: without moves, for tuners and trainers\n"
        "csv    the columns that its first line names; score, mate and result from Red's side\n"
        "plain  of variant-nnue-tools: fen, move (ranks from 1), score and result from the side to "
        "move, "
        "ply;\n"
        "       positions without a score are left out (skipped) unless --unscored is given\n"
        "bin    the same, 136 bytes a position\n"
        "xqf    XQStudio 1.0, and cbr, CCBridge 2: start, moves and result, a game a file\n"
        "dhtmlxq  the same in the tags of dpxq.com\n\n"
        "What a format cannot hold is said and counted, as lost_NAME N. bullet writes mates as "
        "scores of 10000 units and cuts higher scores to that; searches are depth, nodes and "
        "preferred move; counters are plies without a capture beyond 127; unscored positions have "
        "the score 0 in bin; odds are extra moves. plain and bin take the ply from the counters of "
        "the FEN. Not in the formats (pgn holds all of these):\n"
#define LACKS(loss) " " #loss
#define FORMAT(id, name, extension, content, cut, read, write, entry, system, header, lacks,       \
               summary)                                                                            \
    "  " name ":" lacks "\n"
#define FORMAT_READ(...)
#include "datasets/formats/formats.def"
#undef LACKS
    ,
    .rows = export_rows,
    .settings_size = sizeof(ExportSettings),
    .reads_weights = true,
    .min_args = 1,
    .max_args = -1,
    .run = run_export,
};
