// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/eval/network.h"
#include "tuner/rows/terms.h"
#include "tuner/term/term.h"

typedef unsigned long long Count;

static void print_same(const TermStudy *study) {
    const TermSame *same = &study->same;
    Record record;
    record_begin(&record, study->call->out, study->settings->json);
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
    const Occurrence *found = &study->ablation.occurrence;
    Record record;
    record_begin(&record, study->call->out, study->settings->json);
    record_add(&record, "games %zu positions %zu games_with_term %llu positions_with_term %llu",
               study->rows.game_count, study->rows.count, (Count)found->games,
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
    enum { MOST = 16 };
    const Fit *fit = &study->base.with;
    int count = 0;
    for (int i = 0; i < fit->n; i++) {
        char name[WEIGHT_NAME_SIZE];
        if (!study->weights[i] || count++ >= MOST) continue;
        row_weight_name(&study->rows, i, name);
        record_row(study->call->out, study->settings->json,
                   "{weight}%-28s {value}%8.1f +- {value_error95}%.1f in {games}%.0f games\n", name,
                   fit->weights[i], Z95 * study->errors.weight[i], study->errors.games[i]);
    }
    if (count <= MOST || study->settings->quiet) return;
    fprintf(study->call->err, "%d more weights of the term are in %s/with.txt\n", count - MOST,
            study->dir.data);
}

static void print_fit(const TermStudy *study) {
    const Ablation *ablation = &study->ablation;
    const TermMatch *match = &ablation->match;
    AUTO(Text) by = {0};
    Record record;
    collinearity_add_list(&ablation->collinearity, &study->rows, &by);
    record_begin(&record, study->call->out, study->settings->json);
    record_add(&record, "r2 %.4f explained_by %s", ablation->collinearity.r2,
               by.length ? by.data : "-");
    record_add(&record, "valid_games %llu loss_change %.7f loss_change_error95 %.7f",
               (Count)study->base.with.games[PART_VALID], ablation->change.value,
               Z95 * ablation->change.error);
    if (term_match_games(match) > 0) {
        record_add(&record, "match_games %lld decision %s", term_match_games(match),
                   sprt_decision_text(match->decision));
        record_ints(&record, "pentanomial", match->counts.penta, PAIR_OUTCOMES);
        term_match_record(match, &record);
    }
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
    if (study->settings->nodes < CONFIRM_NODES) {
        text_add(&confirm,
                 "build/paotai match --a weights=%s/with.txt --b weights=%s/without.txt --nodes %d "
                 "--sprt 0,5",
                 study->dir.data, study->dir.data, CONFIRM_NODES);
        record_print(study->call->out, study->settings->json, "confirm %s", confirm.data);
    }
    text_add(&adopt, "make adopt WEIGHTS=%s/with.txt", study->dir.data);
    text_add(&retrain,
             "build/paotai train %s --weights default --out build/new.net && make adopt "
             "WEIGHTS=build/new.net",
             study->runs.data);
    record_print(study->call->out, study->settings->json, "adopt %s best %s retrain %s", adopt.data,
                 best, retrain.data);
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
    }
    term_page_path(study, &page);
    record_print(study->call->out, json, "page %s", page.data);
    if (study->verdict == TERM_KEEP) print_adopting(study);
    record_begin(&record, study->call->out, json);
    record_add(&record, "verdict %s", term_verdict_word(study->verdict));
    if (json) record_add(&record, "sentence %s", study->sentence.data);
    record_end(&record);
    if (!json) fprintf(study->call->out, "%s: %s\n", study->name, study->sentence.data);
}
