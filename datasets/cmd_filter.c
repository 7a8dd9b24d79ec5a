// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data filter: keeps the games and positions that meet conditions.
#include "core/eval/eval.h"
#include "datasets/derive_rows.h"

#define RULE_FLAG(name, member, help) OPT_FLAG(name, DeriveSettings, spec.rule.member, help)
#define RULE_INT(name, member, low, high, value, unit, help)                                       \
    OPT_INT(name, DeriveSettings, spec.rule.member, low, high, value, unit, help)

static const OptionRow filter_rows[] = {
    ROW_DERIVE_OUT("write to this run directory, which must not hold games"),
    OPT_CHOICE("from", DeriveSettings, spec.rule.from, "sampled", "sampled|plies",
               "choose among the sampled positions, or sample anew from all plies"),
    RULE_FLAG("quiet-positions", quiet,
              "keep positions that are not in check and whose move played is not a capture"),
    RULE_FLAG("no-check", no_check, "keep positions that are not in check"),
    RULE_FLAG("scored", scored, "keep positions with a score and without a mate"),
    RULE_INT("min-ply", min_ply, 0, 65535, "0", "N",
             "smallest number of plies before the position"),
    RULE_INT("max-ply", max_ply, 0, 65535, "65535", "N",
             "largest number of plies before the position"),
    RULE_INT("every", every, 1, 65535, "1", "N",
             "keep only each N-th ply of a game, counted from --min-ply"),
    RULE_INT("max-score", max_score, -1, 32767, "-1", "UNITS",
             "largest absolute score, and no mate; -1: any score"),
    RULE_INT("min-pieces", min_pieces, 0, 32, "0", "N", "smallest number of pieces on the board"),
    RULE_INT("max-pieces", max_pieces, 0, 32, "32", "N", "largest number of pieces on the board"),
    RULE_INT("min-phase", min_phase, 0, PHASE_MAX, "0", "N",
             "smallest phase of the evaluation, which is 48 with all pieces"),
    RULE_INT("max-phase", max_phase, 0, PHASE_MAX, "48", "N", "largest phase of the evaluation"),
    RULE_INT(
        "max-gap", max_gap, -1, 32767, "-1", "UNITS",
        "largest difference of score and static evaluation by --weights, and no mate; -1: any"),
    OPT_TEXT("weights", DeriveSettings, spec.rule.weights, "default", "NAME|FILE",
             "weights for --max-gap: classic, default or a weight file"),
    OPT_TEXT("player", DeriveSettings, spec.tags.player, NULL, "NAME",
             "keep games in which Red's or Black's name contains NAME"),
    OPT_TEXTS("tag", DeriveSettings, spec.tags.tags, NULL, "NAME=TEXT",
              "keep games whose tag NAME (Red, Event, ECCO ...) contains TEXT"),
    OPT_INT("min-elo", DeriveSettings, spec.tags.min_elo, 0, 10000, "0", "N",
            "keep games in which both players have at least this rating; 0: any"),
    OPT_INT("min-year", DeriveSettings, spec.tags.min_year, 0, 9999, "0", "YEAR",
            "keep games that are dated in this year or later; 0: any"),
    OPT_INT("max-year", DeriveSettings, spec.tags.max_year, 0, 9999, "0", "YEAR",
            "keep games that are dated in this year or earlier; 0: any"),
    ROWS_DERIVE_END,
};

const Command command_data_filter = {
    .name = "data filter",
    .summary = "choose positions, and games, by a rule",
    .usage = "DIR|FILE",
    .details =
        "All given conditions must hold. The command keeps the games and drops positions that do "
        "not fit. It drops games with other players, tags, ratings or years. In an imported game, "
        "--from plies uses only the plies before the referee's end.\n\n"
        "paotai data filter --quiet-positions --max-score 1500 --out "
        "build/clean build/games\n"
        "paotai data filter --from plies --scored --min-ply 10 --out build/anew build/games\n"
        "paotai data filter --player 胡荣华 --tag ECCO=C --min-year 1980 --out build/hu "
        "build/real",
    DERIVE_COMMAND(filter_rows, 1),
    .reads_weights = true,
};
