// SPDX-License-Identifier: GPL-3.0-or-later
// A store as text for other programs.
#pragma once

#include <stdio.h>

#include "core/base/progress.h"
#include "core/base/text.h"
#include "datasets/rows.h"

// EXPORT_FORMAT(id, name, write): a format and the function that adds one game to a text.
#define EXPORT_FORMATS(FORMAT)                                                                     \
    FORMAT(CSV, "csv", export_csv)                                                                 \
    FORMAT(EPD, "epd", export_epd)                                                                 \
    FORMAT(PLAIN, "plain", export_plain)                                                           \
    FORMAT(MOVES, "moves", export_moves)

typedef enum ExportFormat {
#define EXPORT_FORMAT(id, name, write) EXPORT_##id,
    EXPORT_FORMATS(EXPORT_FORMAT)
#undef EXPORT_FORMAT
        EXPORT_FORMAT_COUNT
} ExportFormat;

// The names as OPTION_CHOICE wants them.
#define EXPORT_CHOICES (&EXPORT_CHOICES_AFTER_BAR[1])
extern const char EXPORT_CHOICES_AFTER_BAR[];

typedef struct ExportReport {
    uint64_t games, positions; // written
    uint64_t skipped;          // positions that the format cannot hold: no score
} ExportReport;

// Writes a run directory or shard. csv, epd and plain hold the sampled positions, moves the games.
Status store_export(const char *path, ExportFormat format, FILE *out, Progress *progress,
                    ExportReport *report, Err *err);
