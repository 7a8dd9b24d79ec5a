// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data info: prints statistics of a run directory or shard.
#include "core/command/common_rows.h"
#include "datasets/store/summary_print.h"

typedef struct InfoSettings {
    int threads;
    bool json, quiet, verbose;
} InfoSettings;

static const OptionRow info_rows[] = {
    ROW_THREADS(InfoSettings),
    ROW_JSON(InfoSettings),
    ROW_QUIET(InfoSettings),
    OPT_FLAG("verbose", InfoSettings, verbose, "print long texts of the provenance in full",
             OPTION_NEUTRAL),
    OPTION_END,
};

static Status run_info(const CommandCall *call, Err *err) {
    const InfoSettings *settings = call->settings;
    Progress progress;
    StoreSummary summary;
    AUTO(ProvenanceTexts) made = {{NULL}};
    OptionRange requested;
    ProvenanceFaults faults;
    AUTO(PathList) files = {0};
    AUTO_FREE char *unfinished = NULL;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status =
        store_summarise(call->args[0], settings->threads, &progress, &summary, err);
    progress_finish(&progress, summary.games, "");
    TRY(status);
    TRY(run_unfinished(call->args[0], &unfinished, err));
    TRY(store_list_files(call->args[0], &files, err));
    TRY(provenance_of_files(&files, &made, &requested, &faults, err));
    provenance_tell_faults(call->args[0], &faults, call->err);
    const SummaryPrint style = {.json = settings->json,
                                .verbose = settings->verbose,
                                .requested = requested.end - requested.first,
                                .unfinished = unfinished};
    summary_print(&summary, &made, &style, call->out);
    sense_print(&summary.sense, call->err);
    if (unfinished) {
        fprintf(
            call->err,
            "paotai data info: this run is incomplete, because 'paotai %s' was stopped or is still "
            "running: wait for it, or remove the run and begin again\n",
            unfinished);
    }
    return STATUS_OK;
}

const Command command_data_info = {
    .name = "data info",
    .summary = "summarise stored games: counts, results, content hash",
    .usage = "DIR|FILE",
    .details =
        "Keys whose names contain the word positions count sampled positions. red_wins, draws, "
        "black_wins "
        "and the keys end_REASON count games. referee_REASON counts imported games by the reason "
        "for which the rules end them. Lines that begin with '#' show histograms.\n\n"
        "Games have numbers from first_game to end_game - 1. missing_games counts the numbers in "
        "this range that no shard covers. left_out_games counts the numbers that a shard covers "
        "without having the game, because 'data filter', 'data dedup' or another command dropped "
        "it. asked_games counts the games from the lowest to the highest number that 'selfplay "
        "--games' requested, unplayed_games those of them that are missing, for example after "
        "Ctrl-C: 'selfplay --resume' plays those in its --games. "
        "unfinished names the command that has not yet written all games.\n\n"
        "groups counts the games if the parts of one game count once. It is printed if some "
        "records "
        "are parts of games, as in runs that were imported from positions.\n\n"
        "different_games counts a game and its mirror image once, as 'data dedup --games' does. "
        "different_openings counts the positions after the opening, or after 8 plies if no opening "
        "is recorded. repeated_positions is the number of sampled positions minus "
        "different_positions. most_repeated is the number of occurrences of the most frequent "
        "position. plies_scored counts plies with a score or a mate. spikes counts the sampled "
        "plies whose score is at least 3 points above, or 3 points below, the scores of both "
        "neighbouring plies.\n\n"
        "rule_scores counts plies with a score beyond 150 points that is not a mate. Such a score "
        "claims that the rules of repetition decide the game. rule_scores_unproved counts "
        "such plies in games that ended by adjudication or the ply limit. rule_scores_refuted "
        "counts such plies in other games that the side with the high score did not win.\n\n"
        "red_wins_above_300_red_to_move is the share of Red wins among the sampled positions with "
        "Red "
        "to move in which Red's score is above 300 units, and so on; score_least, score_median "
        "and score_largest are absolute scores; mates_share is the share of mates. If a side that "
        "is ahead does not win, a message says that scores or results are from another view.\n\n"
        "content_hash depends only on the games and positions, not on shards, threads, times, tags "
        "or the machine.",
    .rows = info_rows,
    .settings_size = sizeof(InfoSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_info,
};
