// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data export: writes games of run directories and shards as files of games, positions or
// sparse rows for other programs.
#include <string.h>

#include "core/command/common_rows.h"
#include "core/eval/weights.h"
#include "datasets/exchange/export_print.h"

typedef struct ExportSettings {
    int format;    // --format: 0 for auto, or 1 + index among the formats that can be written
    int moves;     // --moves: 0 for auto, or the NotationSystem + 1
    int positions; // --positions: 0 for "sampled", 1 for "all"
    const char *out, *weights;
    bool unscored, rows, json, quiet;
} ExportSettings;

static const OptionRow export_rows[] = {
    OPT_CHOICE("format", ExportSettings, format, "auto", FORMAT_WRITE_CHOICES,
               "write this format; auto: the format that has the ending of --out; csv if there is "
               "no ending or no --out"),
    OPT_CHOICE("moves", ExportSettings, moves, "auto", MOVES_CHOICES,
               "write moves in this notation; auto: iccs in pgn, uci1 in plain, otherwise uci"),
    OPT_CHOICE("positions", ExportSettings, positions, "sampled", "sampled|all",
               "write the sampled positions, or all positions in which a move was played, in the "
               "formats epd, texel, bullet, csv, plain and bin; games without a result are written "
               "only in csv"),
    OPT_FLAG("unscored", ExportSettings, unscored,
             "also write positions without a score, in the formats plain, bullet and bin (in bin "
             "with the score 0)"),
    OPT_FLAG("rows", ExportSettings, rows,
             "write the coefficients of the evaluation's terms in each sampled position as sparse "
             "rows, for 'tune --rows' and other tuners"),
    OPT_TEXT("weights", ExportSettings, weights, "classic", "NAME|FILE",
             "with --rows, store these weights (classic, default or a file) as the start of a fit"),
    OPT_TEXT(
        "out", ExportSettings, out, NULL, "FILE",
        "write to this file, or for xqf and cbr to this folder; without --out and --rows, games "
        "go to standard output and their counts to standard error; with --rows and without "
        "--out, the first argument is the output file"),
    ROW_JSON(ExportSettings),
    ROW_QUIET(ExportSettings),
    OPTION_END,
};

static bool to_file(const ExportSettings *settings) {
    return settings->out && strcmp(settings->out, "-") != 0;
}

// Exports games or positions. A format with one game per file needs a folder.
static Status export_all(const CommandCall *call, const GameFormat *format, ExportReport *report,
                         Err *err) {
    const ExportSettings *settings = call->settings;
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
    if (format->single && !to_file(settings)) {
        return err_set(
            err, STATUS_USAGE,
            "the format %s writes one file for each game: give a folder with --out FOLDER",
            format->name);
    }
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status =
        to_file(settings)
            ? export_games_to(&spec, call->args, count, &progress, report, err)
            : export_games(&spec, call->args, count, call->out, &progress, report, err);
    progress_finish(&progress, report->games, status == STATUS_INTERRUPTED ? "interrupted" : "");
    return status;
}

// Writes sparse rows to the file --out. If --out is not given, the first argument is this file.
static Status export_rows_file(const CommandCall *call, const ExportSettings *settings,
                               ExportReport *report, Err *err) {
    const int first = settings->out ? 0 : 1;
    const char *out = settings->out ? settings->out : call->args[0];
    if (call->arg_count == first) {
        return err_set(
            err, STATUS_USAGE,
            "--rows needs a file to write and games to read: give --rows --out FILE.h5 DIR");
    }
    Weights start;
    TRY(weights_load(settings->weights, &start, err));
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = export_sparse(call->args + first, call->arg_count - first, out, &start,
                                        &progress, report, err);
    progress_finish(&progress, report->games, status == STATUS_INTERRUPTED ? "interrupted" : "");
    return status;
}

static Status run_export(const CommandCall *call, Err *err) {
    const ExportSettings *settings = call->settings;
    const GameFormat *format = NULL;
    ExportReport report = {0};
    if (!settings->rows) TRY(export_choose_format(settings->format, settings->out, &format, err));
    TRY(settings->rows ? export_rows_file(call, settings, &report, err)
                       : export_all(call, format, &report, err));
    const bool shown = to_file(settings) || settings->rows;
    export_print_losses(&report, format, call->err);
    if (!shown && settings->quiet) return STATUS_OK;
    export_print_counts(&report, settings->rows, settings->json, shown ? call->out : call->err);
    return STATUS_OK;
}

const Command command_data_export = {
    .name = "data export",
    .summary = "export games and positions for other programs",
    .usage = "DIR|FILE...",
    .details =
        "paotai data export --moves chinese --out games.pgn build/games\n"
        "paotai data export --format pgn --moves wxf build/games | less\n"
        "paotai data export --positions all --out games.plain build/games\n"
        "paotai data export --format xqf --out games/ build/games\n"
        "paotai data export --out positions.csv build/games\n"
        "paotai data export --format moves build/games | head -n 3\n"
        "paotai data export --rows --out rows.h5 build/games\n\n"
        "pgn      tags (FEN and Odds if needed), moves, variations, remarks, and for searched "
        "moves {+0.35/12 0.100s, n=500, best=h2e2}: score of the side to move in points, depth, "
        "time, nodes and preferred move, if known; {book} marks moves of the opening\n"
        "moves    result, FEN unless it is the initial position, moves; separated by tabs\n"
        "epd      one position per line with standard opcodes: hmvc and fmvn are the counters, sm "
        "is the move played, bm the preferred move, c9 the result; ce, acd and acn are score, "
        "depth and nodes, id is game.ply\n"
        "texel    FEN [RESULT], without moves, for tuners; RESULT is 1.0, 0.5 or 0.0 (Red's "
        "points)\n"
        "bullet   FEN | SCORE | RESULT, without moves, for trainers; both from Red's side\n"
        "csv      the first line names the columns; score, mate and result are from Red's side\n"
        "plain    for variant-nnue-tools: fen, move (ranks from 1), score and result from the side "
        "to move, ply; positions without a score are skipped unless --unscored is given\n"
        "bin      the content of plain, 136 bytes per position\n"
        "xqf      XQStudio 1.0: start, moves, variations, remarks, result, some tags; one game per "
        "file\n"
        "cbr      CCBridge 2: start, moves, variations, remarks, result, some tags; one game per "
        "file\n"
        "dhtmlxq  start, moves, variations, remarks, result and some tags, as dpxq.com writes "
        "them\n\n"
        "bullet writes mates as scores of 10000 units (100 points) and limits other scores to this "
        "value. plain "
        "and bin compute the ply from the move number of the FEN. If a game starts in the last "
        "position of the game before it, its plies are counted from 0 instead: readers of these "
        "formats recognise a new game by a smaller ply.\n\n"
        "Data that a format cannot hold is counted in lines lost_NAME N. NAME is one of the words "
        "below. searches are depth, nodes and preferred move. high_scores are scores beyond 10000 "
        "units. counters are numbers of plies without a capture that are larger than 127. unscored "
        "are positions that get the score 0 in bin. odds are games written without the extra moves "
        "of their odds. tags include tags that were cut. long_remarks are remarks that were cut. "
        "Data that each format lacks (pgn lacks none of it):\n"
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
