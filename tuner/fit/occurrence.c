// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/occurrence.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/eval/eval.h"

// Returns true if a chosen weight occurs more often for one side than for the other in position
// `i`. Sets *sum to Red's count minus Black's, over all chosen weights.
static bool row_has(const RowSet *rows, const RowChunk *chunk, uint32_t i, const bool *chosen,
                    double *sum) {
    bool found = false;
    *sum = 0;
    for (uint32_t k = chunk->begin[i]; k < chunk->begin[i + 1]; k++) {
        const int pair = chunk->pair[k];
        if (pair == rows->pairs || (!chosen[2 * pair] && !chosen[2 * pair + 1])) continue;
        found = true;
        *sum += row_coefficient(chunk, k);
    }
    return found;
}

static void add_row(const RowSet *rows, const RowChunk *chunk, uint32_t i, double sum,
                    Occurrence *occurrence) {
    const double share = chunk->phase[i] / rows->phase_max, result = chunk->result[i];
    const int stage = (int)(share * PHASE_MAX) / STAGE_PHASES;
    occurrence->positions++;
    occurrence->by_stage[stage < STAGE_ALL ? stage : STAGE_ALL - 1]++;
    if (sum == 0 || result < 0 || result == 0.5) return;
    if ((sum > 0) == (result > 0.5)) {
        occurrence->winner++;
    } else {
        occurrence->loser++;
    }
}

void occurrence_measure(const RowSet *rows, const bool *chosen, Occurrence *occurrence) {
    AUTO_FREE bool *seen = memory_alloc(rows->game_count, sizeof *seen);
    *occurrence = (Occurrence){.all_positions = rows->count, .all_games = rows->game_count};
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++) {
            double sum;
            if (!row_has(rows, chunk, i, chosen, &sum)) continue;
            add_row(rows, chunk, i, sum, occurrence);
            occurrence->games += !seen[chunk->game[i]];
            seen[chunk->game[i]] = true;
        }
    }
    for (int pair = 0; pair < rows->pairs && occurrence->positions == 0; pair++) {
        const bool of_group = chosen[2 * pair] || chosen[2 * pair + 1];
        occurrence->both_alike =
            occurrence->both_alike || (of_group && rows->occurrences[pair] > 0);
    }
}

bool occurrence_never(const Occurrence *occurrence) {
    return occurrence->positions == 0;
}

void occurrence_describe(const Occurrence *occurrence, Text *text) {
    text_add(text, "occurs in %llu of %llu positions and in %llu of %llu games",
             (unsigned long long)occurrence->positions,
             (unsigned long long)occurrence->all_positions, (unsigned long long)occurrence->games,
             (unsigned long long)occurrence->all_games);
    if (occurrence->both_alike) {
        text_add(text, ", because it always counts the same for both sides: nothing was measured");
    } else if (occurrence_never(occurrence)) {
        text_add(text,
                 ": nothing was measured; sampled positions are quiet (no check, and the next move "
                 "captures nothing), except after 'data import --sample all'");
    } else if (occurrence->games < OCCURRENCE_FEW_GAMES) {
        text_add(text, ": fewer than %d games are too few to measure a term", OCCURRENCE_FEW_GAMES);
    }
}
