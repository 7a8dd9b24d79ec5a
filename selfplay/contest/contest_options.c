// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest_options.h"

#include "core/base/memory.h"
#include "core/base/version.h"
#include "selfplay/contest/contest_pgn.h"
#include "selfplay/run/resume.h"

static bool is_limited(const PlayerSpec *spec) {
    return spec->nodes || spec->depth || spec->control.move_ns || spec->control.base_ns;
}

static Status limit_player(const ContestOptions *options, PlayerSpec *spec, Err *err) {
    if (options->tc) return timecontrol_parse(options->tc, &spec->control, err);
    if (options->movetime_ms) {
        spec->control.move_ns = options->movetime_ms * MS_NS;
    } else {
        spec->nodes = options->nodes;
        spec->depth = options->depth;
    }
    if (is_limited(spec)) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--nodes 0 wants a --depth, --movetime or --tc: a search must end");
}

static Status fill_player(const ContestOptions *options, const char *text, const char *what,
                          ContestPlayer *player, Err *err) {
    Status status = player_spec_parse(text, what, &player->spec, err);
    if (status == STATUS_OK && !is_limited(&player->spec)) {
        status = limit_player(options, &player->spec, err);
    }
    if (status != STATUS_OK || player->spec.program) return status;
    return engine_config(&player->spec, options->hash_mb, &player->engine, err);
}

Status contest_options_resolve(const CommandCall *call, const ContestOptions *options,
                               const char *const *texts, const char *const *whats, int count,
                               PlayThings *things, Contest *contest, Err *err) {
    *contest = (Contest){.players = memory_alloc((size_t)count, sizeof *contest->players),
                         .player_count = count,
                         .seed = options->seed,
                         .most_faults = options->most_faults};
    Status status =
        play_options_resolve(call, &options->play, things, &contest->play, &contest->openings, err);
    contest->play.margin_ns = options->margin_ms * MS_NS;
    contest->play.patience_ns = options->patience_s * 1000 * MS_NS;
    if (status == STATUS_OK) {
        status = weights_load(options->opening_weights, &contest->opening_weights, err);
    }
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = fill_player(options, texts[i], whats[i], &contest->players[i], err);
    }
    return status;
}

// Players that are arguments are no options, but decide as much.
static void add_arguments(const CommandCall *call, Text *text) {
    if (call->arg_count == 0) return;
    text_add(text, "players=");
    for (int i = 0; i < call->arg_count; i++) text_add(text, "%s%s", i ? " " : "", call->args[i]);
    text_add(text, "\n");
}

void contest_options_warn_repeats(const CommandCall *call, const Contest *contest, uint64_t wanted,
                                  const char *what) {
    bool alike = contest->play.noise.plies == 0;
    for (int i = 0; i < contest->player_count; i++) {
        const TimeControl *control = &contest->players[i].spec.control;
        alike = alike && !control->move_ns && !control->base_ns;
    }
    play_options_warn_repeats(call, &contest->openings, alike, wanted, what);
}

static Status check_resume(const CommandCall *call, const ContestOptions *options,
                           const char *players, OptionRange games, Err *err) {
    Text identity = {0};
    command_identity_text(call, &identity);
    add_arguments(call, &identity);
    text_add(&identity, "revision=%s\n", version_revision());
    const Status status =
        run_check_resume(options->out, games, options->resume, text_get(&identity), players, err);
    text_clear(&identity);
    return status;
}

Status contest_papers(const CommandCall *call, const ContestOptions *options,
                      const Contest *contest, const PlayThings *things, OptionRange games,
                      ContestPapers *papers, Err *err) {
    *papers = (ContestPapers){.options = {0}};
    contest_players_text(contest, &papers->players);
    if (things->book.count) {
        text_add(&papers->source, "%s %s", options->play.openings, things->book.hash);
    }
    command_options_text(call, &papers->options);
    add_arguments(call, &papers->options);
    papers->provenance = (Provenance){.kind = call->command->name,
                                      .command = call->command->name,
                                      .options = text_get(&papers->options),
                                      .weights = text_get(&papers->players),
                                      .source = text_get(&papers->source),
                                      .rules = rule_set_name(contest->play.rules.set),
                                      .seed = options->seed};
    if (!options->out) return STATUS_OK;
    Status status = run_directory_prepare(options->out, err);
    if (status == STATUS_OK) status = run_directory_lock(options->out, &papers->lock, err);
    if (status != STATUS_OK) return status;
    return check_resume(call, options, text_get(&papers->players), games, err);
}

Status contest_options_pgn(const CommandCall *call, const ContestOptions *options, Contest *contest,
                           Err *err) {
    if (!options->pgn) return STATUS_OK;
    const ContestPgnSpec spec = {.path = options->pgn,
                                 .system = options->pgn_moves,
                                 .event = call->command->name,
                                 .run = options->out,
                                 .resume = options->resume};
    return contest_pgn_open(contest, &spec, &contest->pgn, err);
}

static void say(void *context, const char *sentence) {
    progress_say(context, sentence);
}

void contest_options_tell(Contest *contest, Progress *progress) {
    contest->tell = say;
    contest->tell_context = progress;
}

void contest_options_close(const CommandCall *call, const ContestOptions *options,
                           const uint64_t reasons[END_REASON_COUNT], uint64_t games,
                           bool interrupted) {
    const uint64_t faults = contest_faults(reasons);
    if (faults > 0) {
        fprintf(call->err, "%llu of %llu games ended by faults\n", (unsigned long long)faults,
                (unsigned long long)games);
    }
    if (interrupted) play_options_interrupted(call, options->out);
}

void contest_papers_clear(ContestPapers *papers) {
    text_clear(&papers->options);
    text_clear(&papers->players);
    text_clear(&papers->source);
    run_directory_unlock(papers->lock);
    papers->lock = NULL;
}
