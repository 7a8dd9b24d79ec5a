// SPDX-License-Identifier: GPL-3.0-or-later
// paotai view: games as one HTML page to look at.
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "selfplay/pages/view.h"

typedef struct ViewSettings {
    const char *out;
    int format;          // 0 auto, else FormatId + 1
    int moves, notation; // 0 auto, else NotationSystem + 1
    bool json, quiet;
} ViewSettings;

static const OptionRow view_rows[] = {
    OPT_TEXT("out", ViewSettings, out, NULL, "FILE", "file for the page (HTML)", OPTION_REQUIRED),
    OPT_CHOICE("format", ViewSettings, format, "auto", FORMAT_READ_CHOICES,
               "what a file is; auto: by its content"),
    OPT_CHOICE("moves", ViewSettings, moves, "auto", MOVES_CHOICES,
               "of a file: the system of its moves; auto: as the file says, or tried"),
    OPT_CHOICE("notation", ViewSettings, notation, "auto", MOVES_CHOICES,
               "the system that the page opens with; auto: Chinese, and four more to choose from"),
    ROW_JSON(ViewSettings),
    ROW_QUIET(ViewSettings),
    OPTION_END,
};

static void print_refused(void *context, const char *file, const char *why) {
    const CommandCall *call = context;
    AUTO(Text) text = {0};
    text_add(&text, "%s: %s", file, why);
    text_make_printable(text.data);
    fprintf(call->err, "left out: %s\n", text.data);
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
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = view_write(&spec, &progress, &counts, err);
    progress_finish(&progress, counts.games, "shown");
    TRY(status);
    record_print(call->out, settings->json, "page %s games %llu refused %llu", settings->out,
                 (unsigned long long)counts.games, (unsigned long long)counts.refused);
    return counts.refused ? STATUS_REPORTED : STATUS_OK;
}

const Command command_view = {
    .name = "view",
    .summary = "write games as one HTML page: list, board, moves, scores, standings",
    .usage = "RUN|FILE",
    .details =
        "paotai view build/games --out games.html\n"
        "paotai view collection.pgn.gz --out games.html\n\n"
        "The page needs no network and no other file: copy it, send it, open it on a phone. It has "
        "a list of the games (filter by player, result, end), the board with characters or "
        "letters, the moves in Chinese, WXF, ICCS or UCI (--notation: in any system), the score by "
        "ply, the position as FEN, and, where it is stored, the move that the search preferred, as "
        "an arrow. Of a match it shows standings, Elo and LLR by opening pairs. Keys: arrows, "
        "Home, End, space, f.\n\n"
        "RUN is a run directory or a shard; FILE is of any format that data import reads. Some "
        "100,000 games make a page of 30 MB; 'data sample' and 'data split' make smaller runs.",
    .rows = view_rows,
    .settings_size = sizeof(ViewSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_view,
};
