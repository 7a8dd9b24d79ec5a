// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "core/base/json.h"
#include "selfplay/run/analyse.h"

bool analysis_score_red(const Analysis *analysis, int index, int *value) {
    const int sign = analysis->stm == RED ? 1 : -1;
    const int score = analysis->count ? analysis->lines[index].score : -SCORE_MATE;
    const int plies = score_mate_plies(score);
    const bool mate = abs(score) >= SCORE_MATE_BOUND;
    *value = sign * (!mate ? score : plies > 0 ? (plies + 1) / 2 : plies / 2);
    return mate;
}

static void add_moves(Text *text, const SearchLine *line) {
    for (int i = 0; line && i < line->count; i++) {
        char move[5];
        move_to_uci(line->moves[i], move);
        text_add(text, "%s%s", i ? " " : "", move);
    }
}

static void add_plain(const Analysis *analysis, int index, int multi_pv, Text *text) {
    const SearchLine *line = analysis->count ? &analysis->lines[index] : NULL;
    int value;
    const bool mate = analysis_score_red(analysis, index, &value);
    text_add(text, "%s%d\t%d\t", mate ? "mate " : "", value, line ? line->depth : 0);
    add_moves(text, line);
    if (!line || line->count == 0) text_add(text, "-");
    if (multi_pv > 1) text_add(text, "\t%d", index + 1);
    if (analysis->is_test && index == 0) {
        const bool solved = analysis->solved;
        text_add(text, "\t%s\t%.1f\t%llu", solved ? "solved" : "failed",
                 (double)(solved ? analysis->solved_time_ns : analysis->time_ns) * 1e-6,
                 (unsigned long long)(solved ? analysis->solved_nodes : analysis->nodes));
    }
    text_add(text, "\n");
}

static void add_json(const Analysis *analysis, int index, int multi_pv, Text *text) {
    const SearchLine *line = analysis->count ? &analysis->lines[index] : NULL;
    int value;
    const bool mate = analysis_score_red(analysis, index, &value);
    text_add(text, "{\"line\":%zu", analysis->line);
    if (analysis->id) {
        text_add(text, ",\"id\":");
        json_add_string(text, analysis->id);
    }
    text_add(text, ",\"score_red\":");
    if (mate) {
        text_add(text, "null,\"mate\":%d", value);
    } else {
        text_add(text, "%d,\"mate\":null", value);
    }
    text_add(text, ",\"depth\":%d,\"pv\":\"", line ? line->depth : 0);
    add_moves(text, line);
    text_add(text, "\"");
    if (multi_pv > 1) text_add(text, ",\"multipv\":%d", index + 1);
    text_add(text, ",\"nodes\":%llu", (unsigned long long)analysis->nodes);
    if (analysis->is_test && index == 0) {
        text_add(text, ",\"solved\":%s", analysis->solved ? "true" : "false");
        if (analysis->solved) {
            text_add(text, ",\"solved_depth\":%d,\"solved_ms\":%.1f,\"solved_nodes\":%llu",
                     analysis->solved_depth, (double)analysis->solved_time_ns * 1e-6,
                     (unsigned long long)analysis->solved_nodes);
        }
    }
    text_add(text, "}\n");
}

void analysis_text(const Analysis *analysis, int multi_pv, bool json, Text *text) {
    if (analysis->status != STATUS_OK) {
        if (json) {
            text_add(text, "{\"line\":%zu,\"error\":", analysis->line);
            json_add_string(text, analysis->err.text);
            text_add(text, "}\n");
        } else {
            text_add(text, "error\tline %zu: %s\n", analysis->line, analysis->err.text);
        }
        return;
    }
    const int lines = analysis->count ? analysis->count : 1;
    for (int i = 0; i < lines; i++) {
        (json ? add_json : add_plain)(analysis, i, multi_pv, text);
    }
}
