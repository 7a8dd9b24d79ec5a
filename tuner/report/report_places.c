// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the game and the ply of each position, and makes links from the report to the page of
// --games, which shows the games of the positions.
#include <stdlib.h>

#include "core/base/memory.h"
#include "datasets/store/store.h"
#include "tuner/report/report_internal.h"

// For the first run (source 0), sets report->places: the game and ply of each position. The shard
// files contain the positions in the order in which they were loaded. Positions of variations
// follow the positions of the main line; for variations, game and ply stay unknown.
static Status read_places(Report *report, Err *err) {
    const RowSet *rows = report->source->rows;
    AUTO_POINTER(Store) store = NULL;
    // index of the current game, index of its first position, and number of its positions that were
    // found in the store
    size_t game = 0, row = 0, done = 0;
    TRY(store_open(report->source->run, &store, err));
    for (size_t shard = 0; shard < store_shard_count(store); shard++) {
        AUTO_FREE PositionRecord *positions = NULL;
        size_t count;
        TRY(shard_read_positions(store_shard_path(store, shard), &positions, &count, err));
        for (size_t i = 0; i < count; i++) {
            while (game < rows->game_count && rows->games[game].source == 0 &&
                   rows->games[game].id < positions[i].game) {
                row += rows->games[game++].rows;
                done = 0;
            }
            if (game == rows->game_count || rows->games[game].source != 0) return STATUS_OK;
            if (rows->games[game].id > positions[i].game || done == rows->games[game].rows)
                continue;
            report->places[row + done++] = (Place){positions[i].game, positions[i].ply};
        }
    }
    return STATUS_OK;
}

Status report_find_places(Report *report, Err *err) {
    const RowSet *rows = report->source->rows;
    uint64_t row = 0;
    if (!report->source->games) return STATUS_OK;
    report->places = memory_alloc(rows->count, sizeof *report->places);
    for (size_t i = 0; i < rows->count; i++) report->places[i].ply = -1;
    TRY(read_places(report, err));
    for (size_t c = 0; c < rows->chunk_count; c++) {
        const RowChunk *chunk = &rows->chunks[c];
        for (uint32_t i = 0; i < chunk->count; i++, row++) {
            for (uint32_t e = chunk->begin[i]; e < chunk->begin[i + 1]; e++) {
                if (chunk->pair[e] >= WEIGHT_COUNT || report->places[row].ply < 0) continue;
                if (!report->seen[chunk->pair[e]]) report->seen[chunk->pair[e]] = row + 1;
            }
        }
    }
    return STATUS_OK;
}

const char *page_position_head(const Report *report) {
    return report->places ? "|position" : "";
}

const char *page_position(const Report *report, uint64_t row, char text[POSITION_SIZE]) {
    const Place *place = report->places && row ? &report->places[row - 1] : NULL;
    if (!report->places) return "";
    if (!place || place->ply < 0) return "|";
    snprintf(text, POSITION_SIZE, "|#%llu/%d", (unsigned long long)place->game, place->ply);
    return text;
}
