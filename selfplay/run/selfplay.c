// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/selfplay.h"

#include "core/base/json.h"
#include "core/command/page.h"
#include "core/system/ranks.h"

static Status resolve_play(const CommandCall *call, const SelfplayOptions *options,
                           SelfplayGames *games, Err *err) {
    *games = (SelfplayGames){.seed = options->seed};
    PlayerSetup *player = &games->player;
    TRY(play_options_resolve(call, &options->play, &games->play, &games->openings, err));
    TRY(player_setup_resolve(call, &options->search, player, err));
    for (int side = RED; side <= BLACK; side++) {
        games->play.controls[side] = player->spec.limits.control;
        // A margin of one minute: the clock practically never decides a game of self-play.
        games->play.margin_ns[side] = 60000 * MS_NS;
    }
    games->play.patience_ns = 600000 * MS_NS;
    play_options_lower_limit(call, &options->play, &player->spec, &games->play);
    if (options->play.noise_plies && player->spec.program) {
        return err_set(
            err, STATUS_USAGE,
            "--noise-plies has an effect only on our engine: a program in --player reports only "
            "its best move");
    }
    return STATUS_OK;
}

Status selfplay_resolve(const CommandCall *call, const SelfplayOptions *options,
                        SelfplayGames *games, Provenance *origin, Err *err) {
    TRY(resolve_play(call, options, games, err));
    const char *book_hash = games->openings.book.hash;
    TRY(player_setup_origin(&games->player, origin, err));
    rules_to_text(&games->play.rules, &origin->rules);
    if (*book_hash) text_add(&origin->source, "%s %s", options->play.book, book_hash);
    book_identity(&games->openings.book, &origin->identity);
    origin->seed = options->seed;
    return STATUS_OK;
}

void selfplay_games_clear(SelfplayGames *games) {
    opening_source_clear(&games->openings);
    player_setup_clear(&games->player);
}

static void count_game(const PlayerSetup *player, const PlayedGame *played, PlayedSums *sums) {
    if (player->spec.program) {
        score_signs_count(&sums->signs, &played->record, played->plies,
                          (const bool[SIDE_COUNT]){true, true}, player->weights);
    }
    sums->games++;
    sums->plies += played->record.ply_count;
    for (int side = RED; side <= BLACK; side++) {
        sums->nodes += played->tally[side].nodes;
        sums->search_ns += (uint64_t)played->tally[side].time_ns;
        sums->bounds += played->tally[side].bounds;
        sums->unread_scores += played->tally[side].unread;
    }
    sums->red_wins += played->record.result > 0;
    sums->black_wins += played->record.result < 0;
    sums->adjudicated += played->record.adjudicated_ply > 0;
    for (uint32_t i = 0; i < played->record.ply_count; i++) {
        sums->positions += played->plies[i].sampled;
    }
}

// State of a self-play run while it is played.
typedef struct SelfplayRun {
    const SelfplayGames *games;
    const Schedule *schedule;
    RunTotals totals;
    uint64_t shards; // number of shards that this command has written
} SelfplayRun;

static void add_mean(Html *html, const char *name, double value, int decimals) {
    page_add(html, "<tr><td>%s</td><td>", name);
    if (decimals > 0) {
        page_add_number(html, value, decimals, false);
    } else {
        AUTO(Text) count = {0};
        text_add_count(&count, value);
        page_add(html, "%s", count.data);
    }
    page_add(html, "</td></tr>\n");
}

// Appends a figure with a table of means per game.
static void add_means(const PlayedSums *sums, Html *html) {
    const double games = (double)sums->games;
    page_add(html, "<figure><h2>A game on average</h2><table class='wide'><tbody>\n");
    add_mean(html, "plies", (double)sums->plies / games, 1);
    add_mean(html, "positions sampled for the tuner", (double)sums->positions / games, 1);
    add_mean(html, "searched nodes", (double)sums->nodes / games, 0);
    add_mean(html, "search, ms", (double)sums->search_ns * 1e-6 / games, 1);
    add_mean(html, "opening, ms", (double)sums->opening_ns * 1e-6 / games, 1);
    page_add(html, "</tbody></table>\n<figcaption>Means of the games that this command has played. "
                   "The opening "
                   "includes the searches that check its score.</figcaption></figure>\n");
}

static void show_page(const SelfplayRun *run) {
    const PlayedSums *sums = &run->totals.sums;
    const Progress *progress = run->totals.progress;
    const double elapsed_s = progress_elapsed_s(progress), present = (double)run->totals.present;
    const double games = (double)sums->games;
    const double red = (double)sums->red_wins, black = (double)sums->black_wins;
    const LiveBar results[] = {
        {"Red won", red, NULL}, {"drawn", games - red - black, NULL}, {"Black won", black, NULL}};
    LiveFacts facts = {.done = present + games,
                       .before = present,
                       .end = present + (double)progress->total,
                       .seconds = elapsed_s,
                       .unit = "games",
                       .rate_s = 60};
    text_add(&facts.title, "Self-play of %s", run->games->player.spec.name);
    if (games > 0) {
        AUTO(Text) rate = {0}, positions = {0};
        text_add_count(&rate, (double)sums->positions / (elapsed_s > 1e-9 ? elapsed_s : 1e-9));
        text_add_count(&positions, (double)sums->positions);
        live_add_card(&facts, "positions", "sampled for the tuner", "%s", positions.data);
        live_add_card(&facts, "points of Red", NULL, "%.1f %%", 50 + 50 * (red - black) / games);
        live_add_detail(&facts, "positions per second", "mean", "%s", rate.data);
        live_add_detail(&facts, "shards", "written by this command", "%llu",
                        (unsigned long long)run->shards);
        live_add_detail(&facts, "games adjudicated", NULL, "%.1f %%",
                        100 * (double)sums->adjudicated / games);
        live_begin_row(&facts.body);
        live_add_bars(&facts.body, "Results", "Results of the games that this command has played.",
                      results, 3);
        add_means(sums, &facts.body);
        live_end_row(&facts.body);
        live_add_games(&facts.body, run->schedule->run.dir);
    }
    live_page_update(run->games->page, &facts);
}

static void show_page_if_due(void *context) {
    const SelfplayRun *run = context;
    if (live_page_is_due(run->games->page)) show_page(run);
}

static bool count_selfplay_game(void *context, const PlayedGame *played) {
    SelfplayRun *run = context;
    run_totals_add(&run->totals, played);
    show_page_if_due(run);
    return true;
}

static void count_shard(void *context) {
    ((SelfplayRun *)context)->shards++;
}

static Status play_selfplay_game(void *context, GameWorker *worker, uint64_t index,
                                 PlayedGame *played, Err *err) {
    const SelfplayGames *games = ((const SelfplayRun *)context)->games;
    const Rules *rules = &games->play.rules;
    const int64_t begun_ns = clock_now_ns();
    Status status = opening_make(&games->openings, games->seed, index, rules,
                                 worker->opening_search, &worker->game, err);
    played->sums = (PlayedSums){.opening_ns = (uint64_t)(clock_now_ns() - begun_ns)};
    if (status == STATUS_OK) status = player_ready(&games->player, rules, worker->players, err);
    if (status != STATUS_OK) return err_prefix(err, "game %lu", index);
    // The noise has a random stream of its own, so it does not depend on how many random numbers
    // the opening used.
    Random random;
    random_init(&random, random_mix(games->seed), index);
    Player *const players[SIDE_COUNT] = {worker->players[0], worker->players[0]};
    TRY(play_game(&games->play, players, &worker->game, &random, played));
    played->record.index = index;
    count_game(&games->player, played, &played->sums);
    return STATUS_OK;
}

static void print_summary(const Schedule *schedule, const SelfplayGames *games,
                          const RunTotals *totals) {
    const PlayedSums *sums = &totals->sums;
    const double seconds = totals->seconds;
    const Adjudication *adjudication = &games->play.adjudication;
    const double thread_s = seconds * schedule->threads * mpi_size() + 1e-9;
    const double opening_s = (double)sums->opening_ns * 1e-9;
    const double search_s = (double)sums->search_ns * 1e-9;
    Record record;
    record_begin(&record, schedule->out, schedule->json);
    record_add(&record, "games %lu plies %lu positions %lu nodes %lu already %lu", sums->games,
               sums->plies, sums->positions, sums->nodes, totals->present);
    if (adjudication->resign_score || adjudication->draw_score) {
        record_add(&record, "adjudicated %lu", sums->adjudicated);
    }
    played_sums_record(&record, &games->player.spec, sums);
    // search_share includes the time in which openings are made, because searches score openings.
    record_add(&record, "seconds %.2f search_share %.4f opening_share %.4f plies_per_second %.1f",
               seconds, (search_s + opening_s) / thread_s, opening_s / thread_s,
               (double)sums->plies / (seconds > 1e-9 ? seconds : 1e-9));
    record_end(&record);
}

Status selfplay_run(const SelfplayGames *games, const Schedule *schedule, Progress *progress,
                    Err *err) {
    const PlayerSetup *player = &games->player;
    SelfplayRun run = {.games = games, .schedule = schedule};
    run.totals = (RunTotals){.player = &games->player.spec,
                             .progress = progress,
                             .total = &run.totals.sums.positions,
                             .total_name = "positions"};
    // The search for openings has a table of its own.
    TRY(player_setup_check_memory(player, 1, player->hash_mb, schedule->threads, err));
    const GameSource source = {.context = &run,
                               .player_count = 1,
                               .opening_weights = player->weights,
                               .opening_hash_mb = player->hash_mb,
                               .rules = &games->play.rules,
                               .play = play_selfplay_game,
                               .accept = count_selfplay_game,
                               .only_sums = true,
                               .stored = count_shard,
                               .progress = progress};
    TRY(schedule_run(schedule, &source, show_page_if_due, &run.totals, err));
    if (games->page) show_page(&run);
    if (schedule->out) print_summary(schedule, games, &run.totals);
    return STATUS_OK;
}
