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
               "apply the conditions to the sampled positions, or to the positions of all plies"),
    RULE_FLAG("quiet-positions", quiet,
              "keep only positions that are not in check and whose played move is not a capture"),
    RULE_FLAG("no-check", no_check,
              "keep only positions in which the side to move is not in check"),
    RULE_FLAG("scored", scored, "keep only positions whose score is known and not a mate"),
    RULE_INT("min-ply", min_ply, 0, 65535, "0", "N",
             "keep only positions with at least this number of plies before them"),
    RULE_INT("max-ply", max_ply, 0, 65535, "65535", "N",
             "keep only positions with at most this number of plies before them"),
    RULE_INT("every", every, 1, 65535, "1", "N",
             "keep only every N-th ply of a game, counted from --min-ply"),
    RULE_INT("max-score", max_score, -1, 32767, "-1", "UNITS",
             "drop positions whose score is a mate or has an absolute value above UNITS, but "
             "keep positions without a score; -1: drop none"),
    RULE_INT("min-pieces", min_pieces, 0, 32, "0", "N",
             "keep only positions with at least this number of pieces on the board"),
    RULE_INT("max-pieces", max_pieces, 0, 32, "32", "N",
             "keep only positions with at most this number of pieces on the board"),
    RULE_INT("min-phase", min_phase, 0, PHASE_MAX, "0", "N",
             "keep only positions with at least this game phase: 6 for each chariot and 3 for each "
             "horse and cannon on the board, 48 at the start"),
    RULE_INT("max-phase", max_phase, 0, PHASE_MAX, "48", "N",
             "keep only positions with at most this game phase (48 at the start, see --min-phase)"),
    RULE_INT("max-gap", max_gap, -1, 32767, "-1", "UNITS",
             "drop positions whose score is a mate or differs from the static evaluation by more "
             "than UNITS, but keep positions without a score; -1: drop none"),
    OPT_TEXT("weights", DeriveSettings, spec.rule.weights, "default", "NAME|FILE",
             "use these weights for the static evaluation of --max-gap: classic, default or a "
             "weight file"),
    OPT_TEXT("player", DeriveSettings, spec.tags.player, NULL, "NAME",
             "keep only games in which the name of Red or Black contains NAME"),
    OPT_TEXTS("tag", DeriveSettings, spec.tags.tags, NULL, "NAME=TEXT",
              "keep only games whose tag NAME (Red, Event, ECCO ...) contains TEXT; may be given "
              "several times"),
    OPT_INT("min-elo", DeriveSettings, spec.tags.min_elo, 0, 10000, "0", "N",
            "keep only games in which both players have at least this rating; 0: keep all games"),
    OPT_INT("min-year", DeriveSettings, spec.tags.min_year, 0, 9999, "0", "YEAR",
            "keep only games dated in this year or later; 0: keep all games"),
    OPT_INT("max-year", DeriveSettings, spec.tags.max_year, 0, 9999, "0", "YEAR",
            "keep only games dated in this year or earlier; 0: keep all games"),
    OPT_TEXT("end", DeriveSettings, spec.end, NULL, "REASONS",
             "keep only games that ended for these reasons, separated by commas, such as "
             "checkmate,resignation; with '!' before the names: drop these games, for example "
             "'!time_forfeit,!crash' or, for all faults of players, '!faults'"),
    ROWS_DERIVE_END,
};

const Command command_data_filter = {
    .name = "data filter",
    .summary = "keep the positions and games that meet conditions",
    .usage = "DIR|FILE",
    .details =
        "All given conditions must hold. A position that does not meet a condition is no "
        "longer sampled. Its game is kept, unless --drop-empty is given and no position of "
        "the game is sampled. A game is dropped if it does not meet the conditions on "
        "players, tags, ratings, years or the end. --player and --tag ignore the case of letters. "
        "With --from plies, plies after the end of a game by the rules are left out.\n\n"
        "paotai data filter --quiet-positions --max-score 1500 --out build/clean "
        "build/games\n"
        "paotai data filter --from plies --scored --min-ply 10 --out build/anew build/games\n"
        "paotai data filter --player 胡荣华 --tag ECCO=C --min-year 1980 --out build/hu build/real",
    DERIVE_COMMAND(filter_rows, 1),
    .reads_weights = true,
};
