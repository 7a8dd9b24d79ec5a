// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/play_options.h"

#include "core/system/ranks.h"

// Refuses options about openings that would have no effect.
static Status refuse_unused(const CommandCall *call, const PlayOptions *options,
                            const RandomOpening *random, Err *err) {
    if (!options->book) {
        TRY(command_refuse_change(call, "order book-plies", "has an effect only with --openings",
                                  err));
    }
    if (random->plies == 0) {
        const char *searched =
            random->nodes > 0 ? "opening-window opening-nodes" : "opening-window";
        return command_refuse_change(
            call, searched, "has an effect only with random plies: give --opening-plies above 0",
            err);
    }
    if (random->nodes > 0) return STATUS_OK;
    return command_refuse_change(
        call, "opening-window",
        "has no effect, because --opening-nodes 0 keeps every opening, whatever its score", err);
}

// Refuses a handicap that only decides who plays which colour. It would have no effect: in a match
// the players swap colours, and in self-play one player plays both.
static Status refuse_colours(const Odds *odds, Err *err) {
    Position start;
    position_init_start(&start);
    if (odds->moves > 1 || odds->iron != IRON_NONE || odds->start.key != start.key) {
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE,
                   "--odds %s only decides who plays which colour, but here both players play both "
                   "colours equally often, so it would change no game: omit it",
                   odds->name);
}

// Refuses --max-plies if an opening alone can have that many plies.
static Status check_length(const PlayOptions *options, const OpeningSource *openings, Err *err) {
    const int most = options->adjudication.max_plies;
    int plies = openings->has_odds ? odds_extra_plies(&openings->odds) : 0;
    for (size_t i = 0; i < openings->book.count; i++) {
        const int count = openings->book.lines[i].count;
        if (count > plies) plies = count;
    }
    plies += openings->random.plies;
    if (most == 0 || most > plies) return STATUS_OK;
    return err_set(
        err, STATUS_USAGE,
        "--max-plies %d: openings have up to %d plies, so some games would end before the "
        "first search; give a larger number, or shorter openings (--book-plies, "
        "--opening-plies)",
        most, plies);
}

Status play_options_resolve(const CommandCall *call, const PlayOptions *options, PlaySpec *play,
                            OpeningSource *openings, Err *err) {
    play->rules = rules_default((RuleSet)options->rules);
    if (options->no_capture > 0) play->rules.no_capture_plies = options->no_capture;
    play->noise_plies = options->noise_plies;
    play->adjudication = options->adjudication;
    *openings = (OpeningSource){.shuffled = options->order == 0, .random = options->random};
    TRY(opening_read_window(options->window, "--opening-window", &openings->random, err));
    if (options->odds) {
        openings->has_odds = true;
        if (odds_by_name(options->odds, &openings->odds, err) != STATUS_OK) {
            return err_usage(err, "odds");
        }
        TRY(refuse_colours(&openings->odds, err));
        TRY(command_refuse(call, "openings",
                           "not possible, because --odds has its own start position", err));
    }
    if (options->book && !command_given(call, "opening-plies")) openings->random.plies = 0;
    TRY(refuse_unused(call, options, &openings->random, err));
    if (options->book) {
        TRY(book_load(options->book, &play->rules, options->book_plies, &openings->book, err));
    }
    return check_length(options, openings, err);
}

void play_options_lower_limit(const CommandCall *call, const PlayOptions *options,
                              const PlayerSpec *player, PlaySpec *play) {
    const int limit = player->program ? player->quirks.no_capture : 0;
    if (options->no_capture > 0 || limit == 0 || limit >= play->rules.no_capture_plies) return;
    play->rules.no_capture_plies = limit;
    if (mpi_rank() > 0) return;
    fprintf(call->err,
            "note: %s holds a game drawn after %d plies without a capture, so all games of this "
            "run end then; --no-capture N sets another limit\n",
            player->name, limit);
}

void play_options_warn_repeats(const CommandCall *call, const OpeningSource *openings,
                               bool deterministic, bool noise, uint64_t wanted, const char *what) {
    const uint64_t distinct = openings_distinct(openings);
    if (!deterministic || distinct == 0 || wanted <= distinct) return;
    fprintf(call->err,
            "paotai %s: only %llu different opening%s for %llu %s. Without a clock, games "
            "are repeated and count several times.\nPlay at most %llu %s%s, or add --opening-plies "
            "4%s\n",
            call->command->name, (unsigned long long)distinct, distinct == 1 ? "" : "s",
            (unsigned long long)wanted, what, (unsigned long long)distinct, what,
            openings->has_odds ? "" : ", use a larger book", noise ? " or --noise-plies 20" : "");
}

void play_options_interrupted(const CommandCall *call, const char *out) {
    fprintf(call->err, "paotai %s: interrupted. ", call->command->name);
    if (out) {
        AUTO(Text) word = {0};
        text_add_word(&word, out);
        fprintf(call->err,
                "The finished games are in %s; continue with the same command and --resume\n",
                word.data);
    } else {
        fputs("The games were not stored. A run with --out DIR can be continued with --resume\n",
              call->err);
    }
}
