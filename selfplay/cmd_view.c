// SPDX-License-Identifier: GPL-3.0-or-later
// paotai view: writes games as one HTML page.
#include <sys/stat.h>

#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/eval/weights.h"
#include "selfplay/contest/contest_view.h"

typedef struct ViewSettings {
    const char *out;
    int format;   // 1 + FormatId of the games; 0: detect the format
    int moves;    // 1 + NotationSystem of the moves in the file; 0: detect the notation
    int notation; // 1 + NotationSystem in which the page shows the moves when it is opened; 0: the
                  // default
    bool json, quiet;
} ViewSettings;

static const OptionRow view_rows[] = {
    OPT_TEXT("out", ViewSettings, out, NULL, "FILE", "write the page to this HTML file",
             OPTION_REQUIRED),
    OPT_CHOICE("format", ViewSettings, format, "auto", FORMAT_READ_CHOICES,
               "format of a file of games; auto: detect it by the content or the file name"),
    OPT_CHOICE("moves", ViewSettings, moves, "auto", MOVES_CHOICES,
               "notation of the moves in a file of games; auto: for each game, the notation that "
               "it names; otherwise the notation is detected from its moves"),
    OPT_CHOICE(
        "notation", ViewSettings, notation, "auto", MOVES_CHOICES,
        "notation in which the page first shows the moves; auto: WXF; the reader of the page can "
        "choose another one"),
    ROW_JSON(ViewSettings),
    ROW_QUIET(ViewSettings),
    OPTION_END,
};

static void print_refused(void *context, const char *file, const char *why) {
    const CommandCall *call = context;
    AUTO(Text) text = {0};
    text_add(&text, "%s: %s", file, why);
    text_make_printable(text.data);
    fprintf(call->err, "paotai view: left out %s\n", text.data);
}

// Refuses a weight file, which would be read as a list of games with a fault in each line.
static Status refuse_weights(const char *path, Err *err) {
    enum { LARGEST = 1 << 20 }; // bytes; a weight file has less than 100,000
    struct stat state;
    Weights weights;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size > LARGEST ||
        weights_load(path, &weights, NULL) != STATUS_OK) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE,
                   "%s is a weight file, not a file of games: 'paotai weights show %s' prints it, "
                   "'paotai report --out FILE.html %s' draws it",
                   path, path, path);
}

static Status run_view(const CommandCall *call, Err *err) {
    const ViewSettings *settings = call->settings;
    const ViewSpec spec = {
        .path = call->args[0],
        .format = settings->format ? game_format((FormatId)(settings->format - 1)) : NULL,
        .read = {.system = settings->moves ? settings->moves - 1 : MOVES_DETECTED,
                 .format_option = true},
        .notation = settings->notation ? settings->notation - 1 : MOVES_DETECTED,
        .out = settings->out,
        .refused = print_refused,
        .context = (void *)call,
    };
    ViewCounts counts = {0};
    Progress progress;
    TRY(refuse_weights(spec.path, err));
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = contest_view_write(&spec, &progress, &counts, err);
    progress_finish(&progress, counts.games, "shown");
    TRY(status);
    record_print(call->out, settings->json, "page %s games %llu refused %llu", settings->out,
                 (unsigned long long)counts.games, (unsigned long long)counts.refused);
    return counts.refused ? STATUS_REPORTED : STATUS_OK;
}

const Command command_view = {
    .name = "view",
    .summary = "write games as one HTML page: board, scores, standings",
    .usage = "RUN|FILE",
    .details =
        "paotai view build/games --out games.html\n"
        "paotai view collection.pgn.gz --out games.html\n\n"
        "The page needs no internet connection and no other file, and works on a phone. It shows a "
        "list of the "
        "games (with filters for player, result and end), the board with letters or characters, "
        "the moves in WXF, UCI, ICCS or Chinese (--notation adds any other system), the score by "
        "ply and the position as FEN. If the search preferred another move, an arrow shows it. For "
        "a match the page also shows standings, and Elo and LLR by opening pairs; for a "
        "tournament, "
        "standings. Keys: left and right step through the moves, Home and End go to the first and "
        "last position, up and down change the game, the space bar plays the moves, f turns the "
        "board.\n\n"
        "RUN is a run directory or a shard. FILE has any format that 'data import' reads. A page "
        "of 100,000 games has about 30 MB without scores and 100 MB with scores; 'data sample' and "
        "'data split' make smaller runs.",
    .rows = view_rows,
    .settings_size = sizeof(ViewSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_view,
};
