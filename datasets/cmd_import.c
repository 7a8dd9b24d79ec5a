// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data import: imports games from other sources into a run directory.
#include "core/command/common_rows.h"
#include "core/rules/rules_options.h"
#include "datasets/exchange/import_print.h"
#include "datasets/store/run.h"

typedef struct ImportSettings {
    int format;      // --format: 0 for auto, or the FormatId + 1
    int moves;       // --moves: 0 for auto, or the NotationSystem + 1
    ImportSpec spec; // description of the import; only the members that options set are valid here
    int pov;         // --pov: PointOfView of the scores and results in the files
    int side;        // --side: 0 for none, 1 for Red, 2 for Black
    int threads;
    bool check; // --check: print what would be stored
    bool json, quiet;
} ImportSettings;

static const OptionRow import_rows[] = {
    OPT_CHOICE("format", ImportSettings, format, "auto", FORMAT_READ_CHOICES,
               "read files of this format; auto: detect the format of each file by its content, or "
               "else by its name"),
    OPT_CHOICE("moves", ImportSettings, moves, "auto", MOVES_CHOICES,
               "read moves in this notation; auto: use the one that the file names; otherwise "
               "detect it from the moves"),
    OPT_FLAG("fill-moves", ImportSettings, spec.read.fill_moves,
             "if a position has no move, store its best move (if the file has one) or its first "
             "legal move; without this flag, such a position is refused"),
    OPT_CHOICE(
        "pov", ImportSettings, pov, "auto", "auto|red|stm",
        "point of view of scores, mates and results in texel and bullet, of W D L and numbers in "
        "c9 of epd, and in csv columns whose names do not state it by the ending _red, _white or "
        "_stm; red: Red's side; stm: the side "
        "to move; auto: Red's side, but an error if the csv file also has a column with the ending "
        "_stm, or if the results are points (2, 1, 0) or W D L; a result such as 1-0, red or black "
        "names the winner from any point of view"),
    OPT_CHOICE("result-scale", ImportSettings, spec.read.result_scale, "auto", RESULT_SCALE_CHOICES,
               "scale of results that are numbers; half: 1, 0.5, 0; sign: 1, 0, -1; points: 2, 1, "
               "0; auto: that which the format defines (texel and bullet: half; plain and bin: "
               "sign), or that which the numbers of all files with the same columns prove"),
    OPT_CHOICE("score-unit", ImportSettings, spec.read.score_unit, "auto", SCORE_UNIT_CHOICES,
               "unit of scores whose column name does not state it by the ending _cp, _pawn or "
               "_pawns; pawn: 1 point; centipawn: 1/100 point; fairy: internal units of "
               "Fairy-Stockfish, as in its own files of the formats plain and bin, 208 to a "
               "soldier; auto: centipawns, but files in which a score has a fraction are refused"),
    OPT_CHOICE("side", ImportSettings, side, "none", "none|red|black",
               "side to move in positions whose FEN does not state it; none: refuse such a "
               "position, unless a csv column states the side"),
    OPT_FLAG("variations", ImportSettings, spec.read.variations,
             "store each variation as a separate game, which begins where the variation branches "
             "from its line; its result is unknown unless the rules or the file give one"),
    OPT_TEXT("out", ImportSettings, spec.out, NULL, "DIR",
             "write to this run directory, which must not hold games; required without --check",
             OPTION_NEUTRAL),
    OPT_FLAG("check", ImportSettings, check,
             "write nothing, and print the first five records of each file as they are understood: "
             "board, side to move, move, score, result, and the column of each",
             OPTION_NEUTRAL),
    RULES_OPTION(ImportSettings, spec.rules.set),
    OPT_CHOICE("sample", ImportSettings, spec.sample, "quiet", "quiet|all|none",
               "positions to mark as sampled (by default all in files of positions: epd, texel, "
               "bullet, csv, plain, bin); quiet: those that are not in check and whose played "
               "move is not a capture"),
    OPT_INT("sample-after", ImportSettings, spec.sample_after, 0, 65535, "10", "N",
            "sample no positions from the first N plies of a game (by default 0 in files of "
            "positions), nor after the ply at which the rules end the game"),
    OPT_CHOICE(
        "unknown", ImportSettings, spec.unknown, "referee", "referee|draw|skip|none",
        "what to do with games without a result; referee: use the result by the rules, "
        "and refuse a game that the rules do not end at its last position; draw: store "
        "such a game as a draw; skip: refuse all games without a result; none: store the result "
        "as unknown, so that fits use the search scores alone"),
    OPT_FLAG("result-by-name", ImportSettings, spec.result_by_name,
             "if a game has no result, take it from the name of its file, folder or archive: 1-0, "
             "0-1, 紅勝, 先负, 和 ..."),
    OPT_INT("max-record", ImportSettings, spec.read.record_mb, 1, 1024, "32", "MB",
            "refuse a line or a record (a game) that is longer than this number of megabytes",
            OPTION_NEUTRAL),
    OPT_INT("shard-games", ImportSettings, spec.shard_games, 1, 1000000, "4096", "N",
            "read this number of records for each shard", OPTION_NEUTRAL),
    ROW_THREADS(ImportSettings),
    ROW_JSON(ImportSettings),
    ROW_QUIET(ImportSettings),
    OPTION_END,
};

static void print_refused(void *context, const ImportPlace *place, const char *why) {
    const CommandCall *call = context;
    const ImportSettings *settings = call->settings;
    import_print_refused(place, why, settings->json, call->out);
}

// Adds settings that determine the games, but are not options, to the identity of the run: a hash
// of the list of files, and whether --sample and --sample-after were given. The defaults of these
// two options depend on the format.
static void add_identity(const ImportSpec *spec, Provenance *origin) {
    char hash[SHA256_HEX_SIZE];
    sha256_hex_of(origin->source.data, origin->source.length, hash);
    text_add(&origin->identity, "given=%d,%d\nsource=%s\n", spec->sample_given,
             spec->sample_after_given, hash);
}

static Status import(const CommandCall *call, ImportReport *report, Err *err) {
    const ImportSettings *settings = call->settings;
    AUTO(Provenance) origin = {.kind = NULL};
    AUTO(PathList) paths = {0};
    ImportSpec spec = settings->spec;
    const ImportHooks hooks = {.refused = print_refused, .context = (void *)call};
    spec.paths = &paths;
    spec.format = settings->format ? game_format((FormatId)(settings->format - 1)) : NULL;
    spec.read.system = settings->moves ? settings->moves - 1 : MOVES_DETECTED;
    spec.read.format_option = true;
    spec.read.pov = (PointOfView)settings->pov;
    spec.read.side = (FenSide)(FEN_SIDE_NEEDED + settings->side);
    spec.threads = settings->threads;
    spec.rules = rules_default(spec.rules.set);
    spec.sample_given = command_given(call, "sample");
    spec.sample_after_given = command_given(call, "sample-after");
    provenance_begin(call, "import", &origin);
    for (int i = 0; i < call->arg_count; i++) {
        TRY(import_list_files(call->args[i], spec.format, &hooks, &paths, report, err));
    }
    if (settings->check) return import_check(&spec, settings->json, call->out, err);
    TRY(import_sources_to_text(&paths, &hooks, report, &origin.source, err));
    add_identity(&spec, &origin);
    rules_to_text(&spec.rules, &origin.rules);
    spec.provenance = &origin;
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "records", 0);
    const Status status = import_games(&spec, &hooks, &progress, report, err);
    progress_finish(&progress, report->records, report->interrupted ? "interrupted" : "");
    return status;
}

static Status run_import(const CommandCall *call, Err *err) {
    const ImportSettings *settings = call->settings;
    ImportReport report = {0};
    StoreSummary different = {0};
    if (!settings->check && !settings->spec.out) {
        return err_set(err, STATUS_USAGE,
                       "--out DIR is missing: name the run directory to write, or give --check to "
                       "see how the files are understood");
    }
    TRY(import(call, &report, err));
    if (settings->check) return STATUS_OK;
    // An interrupt or a failure may prevent the count of distinct games. The other counts are
    // printed nevertheless.
    Status counted = STATUS_OK;
    if (report.games && !report.interrupted) {
        counted = store_summarise(settings->spec.out, settings->threads, NULL, &different, err);
    }
    const bool known = counted == STATUS_OK && !(report.games && report.interrupted);
    import_print_summary(&report, known ? &different : NULL, settings->json, call->out);
    text_clear(&report.scales);
    if (known) sense_print(&different.sense, call->err);
    if (!settings->quiet) import_print_notes(&report, settings->spec.out, call->err);
    if (!settings->quiet && settings->side && report.sided == 0) {
        fprintf(call->err, "--side had no effect: every position states the side to move\n");
    }
    TRY(counted);
    if (report.interrupted) {
        return err_set(err, STATUS_INTERRUPTED,
                       report.games ? "interrupted; '%s' has the games counted above and is "
                                      "incomplete: remove it and import again"
                                    : "interrupted before the first shard; '%s' was not written",
                       settings->spec.out);
    }
    return report.games < report.records || report.refused_files ? STATUS_REPORTED : STATUS_OK;
}

const Command command_data_import = {
    .name = "data import",
    .summary = "import games from other sources into a run directory",
    .usage = "[FILE|DIR...]",
    .details =
        "paotai data import --out build/real games.tsv records/ collection.zip games.pgn.gz\n"
        "paotai data import --moves chinese --format pgn --out build/real <old.txt\n"
        "paotai data import --check positions.csv\n"
        "paotai data import --fill-moves --out build/positions positions.csv\n\n"
        "moves  1-0<TAB>h2e2 h9g7 h0g2, or 1-0<TAB>FEN<TAB>moves\n"
        "pgn    [Result \"1-0\"] 1. 炮二平五 马８进７ 2. 马二进三 {+0.35/12 0.5s} 车９平８ 1-0\n"
        "epd    FEN w - - sm h2e2; c9 \"1-0\"; ce 35; or FEN [0.5] or FEN [0.5] score or FEN | "
        "score "
        "| 0.5\n"
        "csv    the first line names the columns, such as fen,move,score_red,result; commas, tabs, "
        "semicolons or bars separate them. Without such a line the columns are fen,result or "
        "fen,score,result or those of our files. Columns whose names end in _stm (score_stm, "
        "result_stm) are "
        "from the side to move, those that end in _red or _white from Red's side, and the others "
        "as --pov "
        "says. A column stm, turn, side, active or side_to_move has the side to move: w, r, red or "
        "white, or b or black. A result written as 1-0, 0-1, red or black names the winner "
        "whatever the point of view. Results in numbers need 0.5, -1 or 2 in one of the files with "
        "the same columns, or --result-scale\n"
        "plain  fen FEN / move h3e3 / score 35 / ply 0 / result 1 / e, each on a line\n\n"
        "Files may be compressed (.gz .bz2 .xz .zst) or be archives (.zip .7z .rar .tar). An "
        "archive may contain compressed files and other archives, but archives inside these are "
        "not read. From a folder or an archive, import reads files with the ending of the format "
        "that --format names or, without --format, of any format. A game that cannot be read is "
        "reported with its place and the reason. The others are kept, "
        "and the exit status is 1.\n"
        "A result that the file states is kept. The ply at which the rules end the game is stored "
        "too.\n\n"
        "formats:\n"
#define FORMAT(id, name, extension, content, cut, read, write, entry, system, header, lacks,       \
               summary)                                                                            \
    "  " name " (" extension "): " summary "\n"
#include "datasets/formats/formats.def"
        "\nMoves can be in any notation that --moves or a tag Format names. Otherwise, in the "
        "formats pgn and moves, import uses the first of uci, iccs, wxf, chinese, san, uci1, lalg, "
        "lau, system1, dpxq, pritchard, globalstar, fsf-san and fsf-lan that reads the whole game. "
        "Scores and remarks are kept. "
        "Variations are skipped unless --variations is given; games_varied counts the games that "
        "have some.",
    .rows = import_rows,
    .settings_size = sizeof(ImportSettings),
    .max_args = -1,
    .run = run_import,
};
