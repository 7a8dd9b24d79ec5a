// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: writes scores, principal variations and best moves.
#include "core/eval/eval.h"
#include "core/system/clock.h"
#include "core/uci/uci_internal.h"

// UCCI has no mate scores. A mate in N plies is sent as UCCI_MATE - N, or as N - UCCI_MATE if the
// side to move is mated. The absolute value of all other scores is at most UCCI_SCORE_MOST.
enum { UCCI_MATE = 10000, UCCI_SCORE_MOST = UCCI_MATE - 2 * MAX_PLY };

int ucci_score(int score) {
    const int plies = score_mate_plies(score);
    if (score >= SCORE_MATE_BOUND) return UCCI_MATE - plies;
    if (score <= -SCORE_MATE_BOUND) return -(UCCI_MATE + plies);
    if (score > UCCI_SCORE_MOST) return UCCI_SCORE_MOST;
    return score < -UCCI_SCORE_MOST ? -UCCI_SCORE_MOST : score;
}

static void add_uci_score(Text *text, int score) {
    const int plies = score_mate_plies(score);
    if (score >= SCORE_MATE_BOUND) {
        text_add(text, "mate %d", (plies + 1) / 2);
    } else if (score <= -SCORE_MATE_BOUND) {
        text_add(text, "mate %d", plies / 2);
    } else {
        text_add(text, "cp %d", score);
    }
}

void server_report(void *context, const Search *search, const SearchLine *line, int index,
                   uint64_t nodes, int64_t time_ns) {
    Server *server = context;
    (void)search;
    const unsigned long long count = nodes;
    server->reported_nodes = nodes;
    const long long time_ms = time_ns / MS_NS;
    AUTO(Text) text = {0};
    if (server->dialect == DIALECT_UCCI) {
        if (index == 0) text_add(&text, "info time %lld nodes %llu\n", time_ms, count);
        text_add(&text, "info depth %d score %d pv", line->depth, ucci_score(line->score));
    } else {
        text_add(&text, "info depth %d seldepth %d multipv %d score ", line->depth, line->seldepth,
                 index + 1);
        add_uci_score(&text, line->score);
        if (server->settings.show_wdl) {
            const Wdl wdl = wdl_of_score(line->score, eval_phase(&server->game.now));
            text_add(&text, " wdl %d %d %d", wdl.win, wdl.draw, wdl.loss);
        }
        text_add(&text, " nodes %llu nps %.0f hashfull %d time %lld pv", count,
                 (double)nodes * 1e9 / (double)(time_ns > 0 ? time_ns : 1),
                 tt_full_permille(smp_tt(server->smp)), time_ms);
    }
    for (int i = 0; i < line->count; i++) server_add_move(server, &text, " ", line->moves[i]);
    server_say(server, "%s", text.data);
}

void add_best_move(Text *text, const Server *server, const SearchResult *result) {
    if (result->best == MOVE_NONE) {
        text_add(text, server->dialect == DIALECT_UCCI ? "nobestmove" : "bestmove (none)");
        return;
    }
    server_add_move(server, text, "bestmove ", result->best);
    if (result->line.count > 1) server_add_move(server, text, " ponder ", result->line.moves[1]);
}

void add_hash_entry(Text *text, const Server *server, const Position *position,
                    const TtData *entry) {
    if (entry->move != MOVE_NONE && position_is_pseudo_legal(position, entry->move) &&
        position_is_legal(position, entry->move)) {
        server_add_move(server, text, " bestmove ", entry->move);
    }
    const int score = ucci_score(entry->score);
    if (entry->bound & BOUND_LOWER) text_add(text, " lowerbound %d depth %d", score, entry->depth);
    if (entry->bound & BOUND_UPPER) text_add(text, " upperbound %d depth %d", score, entry->depth);
}
