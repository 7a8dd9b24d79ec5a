// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/analysis/analyse_output.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "core/system/terminal.h"

// ---- printing one result ------------------------------------------------------------------------

// Sets *value to the score of line `index` from Red's side, in units. Returns true if the score is
// a mate; then *value is the number of moves to the mate: positive if Red mates, negative if Black
// mates, 0 if the side to move has no legal move.
static bool analysis_score_red(const Analysis *analysis, int index, int *value) {
    const int sign = analysis->stm == RED ? 1 : -1;
    const int score = analysis->count ? analysis->lines[index].score : -SCORE_MATE;
    const int plies = score_mate_plies(score);
    const bool mate = abs(score) >= SCORE_MATE_BOUND;
    *value = sign * (!mate ? score : plies > 0 ? (plies + 1) / 2 : plies / 2);
    return mate;
}

static void add_plain(const Analysis *analysis, int index, int multi_pv, Text *text) {
    const SearchLine *line = analysis->count ? &analysis->lines[index] : NULL;
    int value;
    const bool mate = analysis_score_red(analysis, index, &value);
    text_add(text, "%s%d\t%d\t", mate ? "mate " : "", value, line ? line->depth : 0);
    if (line) moves_add_uci(line->moves, line->count, text);
    if (!line || line->count == 0) text_add(text, "-");
    if (analysis->has_parts) {
        const int red = analysis->stm == RED ? 1 : -1;
        text_add(text, "\tlinear %d network %d", red * analysis->parts.linear,
                 red * analysis->parts.network);
    }
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
    if (line) moves_add_uci(line->moves, line->count, text);
    text_add(text, "\"");
    if (analysis->has_parts) {
        const int red = analysis->stm == RED ? 1 : -1;
        text_add(text, ",\"linear_red\":%d,\"network_red\":%d", red * analysis->parts.linear,
                 red * analysis->parts.network);
    }
    if (multi_pv > 1) text_add(text, ",\"multipv\":%d", index + 1);
    text_add(text, ",\"nodes\":%llu", (unsigned long long)analysis->nodes);
    if (analysis->tactics.length && index == 0) {
        char *tactics = memory_copy_text(text_get(&analysis->tactics)), *cursor = tactics;
        text_add(text, ",\"tactics\":");
        for (char *move, sep = '['; (move = text_next_field(&cursor, '\n')) && *move; sep = ',') {
            text_add(text, "%c", sep);
            json_add_string(text, move);
        }
        text_add(text, "]");
        free(tactics);
    }
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

static void add_analysis(const Analysis *analysis, int multi_pv, bool json, Text *text) {
    const int lines = analysis->count ? analysis->count : 1;
    for (int i = 0; i < lines; i++) {
        (json ? add_json : add_plain)(analysis, i, multi_pv, text);
    }
    for (const char *line = text_get(&analysis->tactics); !json && *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        text_add(text, "# %.*s", (int)length, line);
        line += length;
    }
}

// ---- printing all results -----------------------------------------------------------------------

typedef struct Output {
    int multi_pv;
    bool json;
    FILE *out;
    Progress *progress;
    Text text;
    bool failed; // true if a line of the input could not be read or analysed
    uint64_t records, tests, solved;
    uint64_t no_side; // number of lines without a side to move
    // Sums over the solved tests: nodes and time that the searches needed to find the solution.
    uint64_t solved_nodes;
    int64_t solved_time_ns;
} Output;

static bool print_record(void *context, const Analysis *analysis) {
    Output *output = context;
    terminal_begin_line(output->out);
    if (analysis->status == STATUS_OK) {
        text_reset(&output->text);
        add_analysis(analysis, output->multi_pv, output->json, &output->text);
        fputs(text_get(&output->text), output->out);
    } else {
        output->failed = true;
        record_bad_line(output->out, output->json, analysis->line, analysis->err.text);
    }
    output->no_side += analysis->status == STATUS_OK && analysis->no_side;
    output->tests += analysis->is_test;
    if (analysis->is_test && analysis->solved) {
        output->solved++;
        output->solved_nodes += analysis->solved_nodes;
        output->solved_time_ns += analysis->solved_time_ns;
    }
    progress_update(output->progress, ++output->records, NULL);
    fflush(output->out);
    return !interrupt_requested();
}

static void print_totals(const Output *output) {
    const double ms = (double)output->solved_time_ns * 1e-6;
    if (output->tests && output->json) {
        record_print(output->out, true, "solved %lu tests %lu solved_ms %.1f solved_nodes %lu",
                     output->solved, output->tests, ms, output->solved_nodes);
    } else if (output->tests) {
        fprintf(
            output->out,
            "in total, the solutions were found after %.1f ms and %lu nodes\nsolved %lu of %lu\n",
            ms, output->solved_nodes, output->solved, output->tests);
    }
}

Status analyse_write(const AnalyseSpec *spec, const char *path, bool json, FILE *out, FILE *tell,
                     Progress *progress, Err *err) {
    LineReader reader;
    Output output = {.multi_pv = spec->multi_pv, .json = json, .out = out, .progress = progress};
    TRY(line_reader_open(&reader, path, err));
    analyse_lines(spec, &reader, print_record, &output);
    progress_finish(progress, output.records, NULL);
    text_clear(&output.text);
    TRY(line_reader_close(&reader, err));
    print_totals(&output);
    if (output.no_side && tell) {
        fprintf(tell,
                "paotai analyse: %llu of %llu lines do not state the side to move; Red moves in "
                "these positions\n",
                (unsigned long long)output.no_side, (unsigned long long)output.records);
    }
    return output.failed ? STATUS_REPORTED : STATUS_OK;
}
