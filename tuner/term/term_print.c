// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tuner/term/term.h"

typedef unsigned long long Count;

static void print_same(const TermStudy *study) {
    const TermSame *same = &study->same;
    Record record;
    record_begin(&record, study->base.call->out, study->settings->json);
    record_add(&record, "same_play %s",
               !same->compared ? "not_compared"
               : same->same    ? "yes"
                               : "no");
    if (same->compared) {
        record_add(&record, "same_play_commit %s same_play_positions %d", same->commit,
                   same->positions);
    }
    if (!same->same) record_add(&record, "same_play_why %s", text_get(&same->why));
    record_end(&record);
}

static void print_occurrence(const TermStudy *study) {
    const Occurrence *found = &study->base.occurrence;
    Record record;
    record_begin(&record, study->base.call->out, study->settings->json);
    record_add(&record, "games %zu positions %zu games_with_term %llu positions_with_term %llu",
               study->base.rows.game_count, study->base.rows.count, (Count)found->games,
               (Count)found->positions);
    record_add(&record, "in_endgame %llu in_middlegame %llu in_opening %llu",
               (Count)found->by_stage[0], (Count)found->by_stage[1], (Count)found->by_stage[2]);
    record_add(&record, "winner_has_more %llu loser_has_more %llu", (Count)found->winner,
               (Count)found->loser);
    record_add(&record, "search_evaluations %llu search_with_term %llu",
               (Count)study->search.evaluations, (Count)study->search.with_term);
    record_end(&record);
}

static void print_values(const TermStudy *study) {
    const ValueChoice choice = {.most = 16};
    const int hidden = study_print_values(&study->base, &choice, study->settings->json);
    if (hidden == 0 || study->settings->quiet) return;
    fprintf(study->base.call->err, "%d more weights of the term are in %s/with.txt\n", hidden,
            study->dir.data);
}

static void print_fit(const TermStudy *study) {
    const WeightsMatch *match = &study->base.match;
    Record record;
    record_begin(&record, study->base.call->out, study->settings->json);
    study_record_explained(&study->base, &record);
    record_add(&record, "valid_games %llu", (Count)study->base.with.games[PART_VALID]);
    study_record_change(&study->base, &record);
    record_add(&record, "significant %s", study->base.significant ? "yes" : "no");
    if (weights_match_games(match) > 0) {
        record_add(&record, "match_games %lld decision %s", weights_match_games(match),
                   sprt_decision_text(match->decision));
        record_ints(&record, "pentanomial", match->counts.penta, PAIR_OUTCOMES);
        weights_match_record(match, &record);
    }
    record_end(&record);
}

// Prints the second match: its node limit, its number of games, and its verdict.
static void print_second(const TermStudy *study) {
    const WeightsMatch *match = &study->confirm;
    AUTO(Text) word = {0};
    Record record;
    if (weights_match_games(match) == 0) return;
    record_begin(&record, study->base.call->out, study->settings->json);
    record_add(&record, "confirm_nodes %llu confirm_games %lld",
               (Count)study->settings->confirm_nodes, weights_match_games(match));
    if (match->verdict.one_sided) {
        record_unknown(&record, "confirm_elo");
    } else {
        record_add(&record, "confirm_elo %.1f", match->verdict.elo);
    }
    strength_word_add(&word, &match->verdict);
    record_add(&record, "confirm_ci_low %.1f confirm_ci_high %.1f confirm_strength %s",
               match->verdict.ci_low, match->verdict.ci_high, word.data);
    record_end(&record);
}

// Prints the command that makes the fit the default. If the match used few nodes, also prints the
// command for a match with more nodes. Says that the engine plays without a network after 'make
// adopt', and prints the commands that train and adopt a new network.
static void print_adopting(const TermStudy *study) {
    static const char best[] =
        "the network of 'best' was trained together with the old weights: after 'make adopt' the "
        "engine plays with 'default' until a network for the new weights is adopted";
    // A player that wins with few nodes per move does not always win with more nodes (E-104).
    enum { CONFIRM_NODES = 1000 };
    AUTO(Text) confirm = {0}, adopt = {0}, retrain = {0};
    if (study->settings->nodes < CONFIRM_NODES && weights_match_games(&study->confirm) == 0) {
        text_add(&confirm,
                 "build/paotai match --a weights=%s/with.txt --b weights=%s/without.txt --nodes %d "
                 "--sprt 0,5",
                 study->dir.data, study->dir.data, CONFIRM_NODES);
        record_print(study->base.call->out, study->settings->json, "confirm %s", confirm.data);
    }
    text_add(&adopt, "make adopt WEIGHTS=%s/with.txt", study->dir.data);
    text_add(&retrain,
             "build/paotai train %s --weights default --out build/new.net && make adopt "
             "WEIGHTS=build/new.net",
             study->runs.data);
    record_print(study->base.call->out, study->settings->json, "adopt %s best %s retrain %s",
                 adopt.data, best, retrain.data);
}

void term_print(const TermStudy *study) {
    const bool json = study->settings->json;
    AUTO(Text) page = {0};
    Record record;
    print_same(study);
    print_occurrence(study);
    if (study->fitted) {
        print_values(study);
        print_fit(study);
        print_second(study);
    }
    term_page_path(study, &page);
    record_print(study->base.call->out, json, "page %s", page.data);
    if (study->verdict == TERM_KEEP) print_adopting(study);
    record_begin(&record, study->base.call->out, json);
    record_add(&record, "verdict %s", term_verdict_word(study->verdict));
    if (json) record_add(&record, "sentence %s", study->sentence.data);
    record_end(&record);
    if (!json) fprintf(study->base.call->out, "%s: %s\n", study->base.terms, study->sentence.data);
}
