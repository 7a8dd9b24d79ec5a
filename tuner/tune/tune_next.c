// SPDX-License-Identifier: GPL-3.0-or-later
// The next step after a fit. For another program, this is the match that shows whether the fit
// makes it stronger, with the time that the match takes.
#include <math.h>
#include <string.h>

#include "selfplay/engines/player_spec.h"
#include "tuner/tune/tune.h"

// The match that `next` names. Its error is about 28 Elo, so a difference of 40 Elo is found with
// 80 % power.
enum { MATCH_PAIRS = 300, MATCH_NODES = 5000, MATCH_SEES_ELO = 40 };

// Returns the seconds that a game of the match takes, or 0 if unknown. The match has games as long
// as those of DIR. A move takes the time of the player's st=. If the limit is a number of nodes, a
// move takes the time that this number of nodes took in DIR.
static double game_seconds(const TuneFit *tune, const PlayLimits *limits) {
    const RowPlayed *played = &tune->rows.played;
    if (played->games == 0) return 0;
    const double plies = (double)played->plies / (double)played->games;
    if (limits->control.move_ns > 0) return plies * (double)limits->control.move_ns / 1e9;
    const bool other = limits->depth > 0 || limits->control.base_ns > 0;
    if (other || 2 * played->timed < played->plies) return 0;
    const double nodes = limits->nodes > 0 ? (double)limits->nodes : MATCH_NODES;
    return plies * nodes * (double)played->time_ms / 1000 / (double)played->nodes;
}

// Returns the keys of a PLAYER text after its first one: the text from the first comma without a
// backslash, or the end of the text.
static const char *later_keys(const char *player) {
    while (*player && *player != ',') player += player[0] == '\\' && player[1] ? 2 : 1;
    return player;
}

// Appends the steps that show whether a fit makes another program stronger, and the time of the
// match. The new engine gets the keys that follow the program in the old one's PLAYER.
static void add_match(const TuneFit *tune, Text *text) {
    const TuneSettings *settings = &tune->settings;
    const char *old = settings->trace ? settings->trace : "cmd=OLD";
    const char *keys = later_keys(old);
    AUTO(PlayerSpec) spec = {.program = false};
    AUTO(Text) limit = {0};
    Err err = {0};
    if (player_spec_parse(old, "--trace", &spec, &err) != STATUS_OK ||
        !limits_are_set(&spec.limits)) {
        text_add(&limit, ",nodes=%d", MATCH_NODES);
    }
    text_add(text, "write the values back into the engine and build it as NEW; ");
    if (settings->trace && settings->out) {
        text_add(text, "check them: paotai tune --trace cmd=NEW%s --check %s; ", keys,
                 settings->out);
    }
    text_add(text,
             "play a match: paotai match --a 'cmd=NEW%s%s' --b '%s%s' --pairs %d; its %d games "
             "show a difference of %d Elo",
             keys, text_get(&limit), old, text_get(&limit), MATCH_PAIRS, 2 * MATCH_PAIRS,
             MATCH_SEES_ELO);
    const double seconds = 2 * MATCH_PAIRS * game_seconds(tune, &spec.limits);
    if (seconds > 0) {
        text_add(text, " and take about %.0f minutes with --threads 1",
                 fmax(1, round(seconds / 60)));
    }
    text_add(text, "; ");
}

// Returns true if any weight of --weights has a standard error, even one that the fit does not use.
static bool starts_with_errors(const TuneFit *tune) {
    bool any = false;
    for (int i = 0; i < 2 * WEIGHT_COUNT; i++) any = any || tune->start_se[i] > 0;
    return any;
}

// Appends advice about more games for a fit that does not predict worse. Even if these games do not
// show that more games would help, the advice is to play more: twice as many games would have
// improved all 631 simulated fits whose `more_games` was "not seen" (E-164).
static void add_games_advice(const TuneFit *tune, bool plays, Text *text) {
    const Estimate *half = &tune->half;
    if (tune_few_positions(tune) || half->value < -Z95 * half->error) {
        text_add(text, "play more games and fit to all games together");
    } else if (half->value > Z95 * half->error) {
        text_add(text, "check that all games are of one kind, and fit again");
    } else if (tune_prior_decides(tune)) {
        text_add(text,
                 "fit to many times more games%s; these games do not show whether more games "
                 "would help",
                 tune->known_start || tune->terms ? ""
                 : starts_with_errors(tune)       ? ", or make the prior twice as wide as the "
                                                    "standard errors in --weights "
                                                    "(--prior-errors 2)"
                                                  : ", or start from --weights default");
    } else {
        text_add(text, "%s: these games do not show whether more games would help",
                 plays ? "let the winner of this match play new games" : "fit to more games");
    }
}

void tune_add_next(const TuneFit *tune, Text *text) {
    const Estimate *change = &tune->fit.loss_change[PART_VALID];
    const bool better = change->value < -Z95 * change->error;
    const bool worse = change->value > Z95 * change->error;
    // Engines also gained from fits whose validation loss showed nothing (E-131).
    const bool match = tune->terms && (better || (tune->terms->start && !worse));
    if (match) add_match(tune, text);
    if (worse) {
        text_add(text, "%s; fit to more games, or with a smaller %s",
                 tune->terms && !tune->terms->start ? "do not use these values"
                                                    : "keep the start weights",
                 tune->known_start                  ? "--prior-errors"
                 : tune->settings.setup.prior.terms ? "--prior-times"
                                                    : "--prior-sd");
        return;
    }
    if (better && !tune->terms) {
        text_add(text, "play a match of the fit against its start ('paotai match'); ");
    }
    add_games_advice(tune, better || match, text);
}
