// SPDX-License-Identifier: GPL-3.0-or-later
// paotai odds list, paotai odds show NAME: print the handicaps of core/rules/odds.def.
#include <string.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/command/help.h"
#include "core/rules/odds.h"

typedef struct OddsSettings {
    bool json;
} OddsSettings;

static const OptionRow odds_rows[] = {
    ROW_JSON(OddsSettings),
    OPTION_END,
};

static Status run_list(const CommandCall *call, Err *err) {
    const OddsSettings *settings = call->settings;
    (void)err;
    for (int kind = 0; kind < ODDS_KIND_COUNT; kind++) {
        Odds odds;
        odds_of_kind((OddsKind)kind, 0, &odds);
        if (settings->json) {
            record_print(call->out, true, "name %s giver %s summary %s", odds.pattern,
                         side_name(odds.giver), odds.summary);
        } else if (isatty(fileno(call->out))) {
            help_entry(call->out, odds.pattern, odds.summary, 12);
        } else { // not a terminal, perhaps a script: one line per handicap
            fprintf(call->out, "%-9s %s\n", odds.pattern, odds.summary);
        }
    }
    return STATUS_OK;
}

static const char *const reach_texts[] = {
    [REACH_ANYWHERE] = "anywhere",
    [REACH_OWN_HALF] = "not across the river",
    [REACH_RIVER_EDGE] =
        "soldiers up to the last rank before the river, other men not even to that rank",
};
static const char *const iron_texts[] = {
    [IRON_NONE] = "none",
    [IRON_UNTIL_MOVED] = "each man until its own first move",
    [IRON_EXCEPT_BY_CHECK] =
        "for the whole game, except by a man that gives check with the capture",
};

static Status run_show(const CommandCall *call, Err *err) {
    const OddsSettings *settings = call->settings;
    Odds odds;
    if (odds_by_name(call->args[0], &odds, err) != STATUS_OK) return err_usage(err, NULL);
    char fen[FEN_SIZE];
    position_to_fen(&odds.start, FEN_UCI, fen);
    AUTO(Text) men = {0};
    for (int i = 0; i < odds.iron_count; i++) {
        const int square = odds.iron_squares[i];
        text_add(&men, "%s%c%d", i ? " " : "", 'a' + square_file(square), square_rank(square));
    }
    OddsState state;
    MoveList first;
    odds_begin(&odds, &state);
    odds_legal_moves(&state, &odds.start, &first);
    static const char pattern[] = "N moves";
    AUTO(Text) summary = {0};
    const char *count = strstr(odds.summary, pattern);
    if (count) {
        text_add(&summary, "%.*s%d move%s%s", (int)(count - odds.summary), odds.summary, odds.moves,
                 odds.moves == 1 ? "" : "s", count + sizeof pattern - 1);
    }
    record_print(call->out, settings->json,
                 "name %s giver %s receiver %s fen %s moves %d reach %s iron_men %s iron %s "
                 "set_games %d first_moves %d summary %s",
                 odds.name, side_name(odds.giver), side_name(side_other(odds.giver)), fen,
                 odds.moves, reach_texts[odds.reach], odds.iron_count ? text_get(&men) : "none",
                 iron_texts[odds.iron], odds.set_games, first.count,
                 count ? summary.data : odds.summary);
    return STATUS_OK;
}

const Command command_odds_list = {
    .name = "odds list",
    .summary = "list the handicaps",
    .usage = "",
    .details =
        "N in a name stands for a number of moves: knight+1, knight+2, ..., 4plus:4, 4plus:5, ...",
    .rows = odds_rows,
    .settings_size = sizeof(OddsSettings),
    .run = run_list,
};

const Command command_odds_show = {
    .name = "odds show",
    .summary = "show one handicap: start, extra moves, protected men",
    .usage = "NAME",
    .details = "fen          start position\n"
               "moves        number of moves of Red before Black's first reply; only the last of "
               "them may give check\n"
               "reach        to which ranks Red may move before Black's first reply\n"
               "iron_men     squares, in the start position, of the men that cannot be captured\n"
               "iron         how long the men of iron_men cannot be captured\n"
               "set_games    number of games, 1 or 3, that form one set in the XiangQi FAQ\n"
               "first_moves  number of moves that the handicap allows Red in the start position",
    .rows = odds_rows,
    .settings_size = sizeof(OddsSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_show,
};
