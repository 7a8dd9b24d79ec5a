// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_verdict.h"

#include <math.h>

#include "core/command/progress.h"
#include "selfplay/stats/stats.h"

const char *term_verdict_word(TermVerdict verdict) {
    static const char *const words[] = {[TERM_NEVER] = "never",
                                        [TERM_COPY] = "copy",
                                        [TERM_KEEP] = "keep",
                                        [TERM_DROP] = "drop",
                                        [TERM_UNDECIDED] = "undecided"};
    return words[verdict];
}

TermVerdict term_verdict_of_match(const WeightsMatch *match) {
    const StrengthVerdict *verdict = &match->verdict;
    if (weights_match_games(match) == 0) return TERM_UNDECIDED;
    if (verdict->word == STRENGTH_STRONGER) return TERM_KEEP;
    if (strength_open_above(verdict)) return TERM_UNDECIDED;
    const bool no_gain = verdict->word != STRENGTH_UNDECIDED || match->decision == SPRT_ACCEPT_H0;
    return no_gain ? TERM_DROP : TERM_UNDECIDED;
}

// Returns true if the second match shows that the term weakens the engine with longer searches.
static bool loses_second(const TermStudy *study) {
    return weights_match_games(&study->confirm) > 0 &&
           study->confirm.verdict.word == STRENGTH_WEAKER;
}

static TermVerdict decide(const TermStudy *study) {
    const Study *base = &study->base;
    if (occurrence_never(&base->occurrence) && study->search.with_term == 0) return TERM_NEVER;
    if (!study->fitted) return TERM_UNDECIDED;
    if (collinearity_is_copy(&base->collinearity)) return TERM_COPY;
    if (study->unchanged) return TERM_DROP;
    const TermVerdict verdict = term_verdict_of_match(&base->match);
    return loses_second(study) && verdict == TERM_KEEP ? TERM_UNDECIDED : verdict;
}

// ---- the sentence -------------------------------------------------------------------------------

static void say_never(const TermStudy *study, Text *text) {
    occurrence_describe(&study->base.occurrence, text);
    text_add(text, "; it counts in 0 of %llu evaluations of a search of the bench positions",
             (unsigned long long)study->search.evaluations);
}

static void say_few(const TermStudy *study, Text *text) {
    const TermSearch *search = &study->search;
    occurrence_describe(&study->base.occurrence, text);
    text_add(text,
             "; a search of the bench positions meets it in %llu of %llu evaluations (%.2f %%)",
             (unsigned long long)search->with_term, (unsigned long long)search->evaluations,
             100 * (double)search->with_term / fmax(1, (double)search->evaluations));
}

// Appends which gain the data exclude: the upper end of the 95 % interval, rounded up. If the
// interval decides the strength, appends that first.
static void say_excluded(const StrengthVerdict *verdict, Text *text) {
    if (verdict->word != STRENGTH_UNDECIDED) {
        strength_word_add(text, verdict);
        text_add(text, ", ");
    }
    if (verdict->ci_high < 0) {
        text_add(text, "any gain is excluded: ");
    } else {
        text_add(text, "more than +%.0f Elo is excluded: ", ceil(verdict->ci_high));
    }
}

static void say_played(const TermStudy *study, TermVerdict verdict, Text *text) {
    const WeightsMatch *match = &study->base.match;
    const StrengthWord word = match->verdict.word;
    if (verdict == TERM_UNDECIDED && word == STRENGTH_STRONGER) {
        text_add(text, "not decided: it gains at %llu nodes, but loses at %llu: ",
                 (unsigned long long)study->settings->nodes,
                 (unsigned long long)study->settings->confirm_nodes);
    } else if (verdict == TERM_UNDECIDED) {
        text_add(text, "not decided: ");
    } else if (verdict == TERM_DROP) {
        say_excluded(&match->verdict, text);
    } else {
        strength_word_add(text, &match->verdict);
        text_add(text, ": ");
    }
    text_add(text, "with it ");
    weights_match_add(match, text);
    if (word == STRENGTH_STRONGER || word == STRENGTH_WEAKER) return;
    StrengthPower power;
    strength_power(&match->counts, match->game_cpu_s, &power);
    if (power.seen_elo <= SMALL_ELO) return;
    text_add(text, "; ");
    strength_power_add(text, &power);
}

// Appends the result of the second match, and its processor time.
static void say_second(const TermStudy *study, Text *text) {
    const WeightsMatch *match = &study->confirm;
    const StrengthWord word = match->verdict.word;
    if (weights_match_games(match) == 0) return;
    text_add(text, "; at %llu nodes %s: ", (unsigned long long)study->settings->confirm_nodes,
             word == STRENGTH_STRONGER ? "the gain holds"
             : word == STRENGTH_WEAKER ? "it is weaker"
             : word == STRENGTH_LEVEL  ? "the gain is small"
                                       : "the gain is not decided");
    weights_match_add(match, text);
    if (!(match->game_cpu_s > 0)) return;
    text_add(text, ", ");
    progress_add_duration(text, match->game_cpu_s * (double)weights_match_games(match));
    text_add(text, " of processor time");
}

// Appends that terms which do not play explain the new term, unless they add little to the
// explanation by the terms that play.
static void say_unused(const TermStudy *study, Text *text) {
    const Collinearity *all = &study->with_unused;
    const double by_playing = fmax(0, study->base.collinearity.r2);
    if (!(all->r2 > fmax(COLLINEARITY_SOME_R2, by_playing + 0.05))) return;
    AUTO(Text) names = {0};
    collinearity_add_names(all, &study->base.rows, &names);
    text_add(text,
             "; terms with weight 0 in %s, which do not play, explain it together with the others "
             "(R2 %.4f: %s)%s",
             study->settings->weights, all->r2, names.length ? names.data : "many terms together",
             collinearity_word(all) ? ", so not all of them are needed" : "");
}

// Appends remarks that do not depend on the verdict: that the games of the fit alone do not show
// the gain of the match, which other terms can replace the new term, that the start weights already
// contain it, and that the program plays differently although the term has weight 0.
static void say_remarks(const TermStudy *study, Text *text) {
    const Collinearity *collinearity = &study->base.collinearity;
    AUTO(Text) others = {0};
    if (study->base.match.verdict.word == STRENGTH_STRONGER && !study->base.significant) {
        text_add(text, "; the games of the fit alone do not show it: no weight of the term differs "
                       "from 0 by more than chance");
    }
    if (study->fitted && !collinearity_is_copy(collinearity) &&
        collinearity_describe(collinearity, &study->base.rows, &others)) {
        text_add(text, "; %s%s%s",
                 collinearity_word(collinearity) ? collinearity_word(collinearity) : "",
                 collinearity_word(collinearity) ? ": " : "", others.data);
    }
    if (study->fitted) say_unused(study, text);
    if (study->known_before) {
        text_add(text,
                 "; %s already contains the term: its other weights were fitted together with the "
                 "term, which overstates the worth of the term ('paotai ablate' fits them again)",
                 study->settings->weights);
    }
    if (study->same.compared && !study->same.same) {
        text_add(text,
                 "; with the term at weight 0 the program does not play like commit %s, so "
                 "something else has changed, too",
                 study->same.commit);
    }
}

static const char *ordinal(int n) {
    const int last = n % 10;
    return n / 10 % 10 == 1 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

// Appends how many worthless terms chance alone keeps, if several terms were tried with the games.
static void say_trials(const TermStudy *study, Text *text) {
    if (study->trials < 2) return;
    text_add(text,
             "; the %d%s term on these games: expect %.2g false keeps if all are worthless; new "
             "games or a stricter test keep fewer",
             study->trials, ordinal(study->trials), study->settings->sprt.alpha * study->trials);
}

void term_decide(TermStudy *study) {
    Text *text = &study->sentence;
    study->verdict = decide(study);
    if (study->verdict == TERM_NEVER) {
        say_never(study, text);
    } else if (!study->fitted) {
        say_few(study, text);
    } else if (study->verdict == TERM_COPY) {
        collinearity_describe(&study->base.collinearity, &study->base.rows, text);
    } else if (study->unchanged) {
        text_add(text, "its fitted values are 0 when rounded, so they change nothing: any gain by "
                       "these values is "
                       "excluded");
    } else {
        say_played(study, study->verdict, text);
        say_second(study, text);
    }
    say_trials(study, text);
    say_remarks(study, text);
}
