// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/export_print.h"

#include <string.h>

#include "core/base/json.h"

// Refuses an --out whose ending belongs to no format that can be written.
static Status check_ending(const char *out, const GameFormat *named, Err *err) {
    if (!out || strcmp(out, "-") == 0) return STATUS_OK;
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    if (!dot || dot[1] == '\0' || (named && named->write)) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "--out %s: no format that can be written has the ending %s; %s", out, dot,
                   strcmp(dot, ".h5") == 0
                       ? "use --rows for sparse rows, 'data merge' for games"
                       : "name the format with --format, or choose another ending");
}

Status export_choose_format(int choice, const char *out, const GameFormat **format, Err *err) {
    const GameFormat *named = out ? game_format_of_name(out) : NULL;
    *format = named && named->write ? named : game_format(FORMAT_CSV);
    if (choice == 0) return check_ending(out, named, err);
    for (int i = 0; choice > 0; i++) {
        *format = game_format((FormatId)i);
        choice -= (*format)->write != NULL;
    }
    return STATUS_OK;
}

static const struct {
    const char *name, *text;
} losses[EXPORT_LOSS_COUNT] = {
#define EXPORT_LOSS(name, text) {#name, text},
    EXPORT_LOSSES(EXPORT_LOSS)
#undef EXPORT_LOSS
};

void export_print_losses(const ExportReport *report, const GameFormat *format, FILE *out) {
    for (int i = 0; i < EXPORT_LOSS_COUNT; i++) {
        if (report->lost[i] == 0) continue;
        AUTO(Text) text = {0};
        AUTO(Text) what = {0};
        text_add(&what, "%s", losses[i].name);
        for (char *c = what.data; *c; c++) *c = *c == '_' ? ' ' : *c;
        for (const char *at = losses[i].text; *at; at++) {
            const bool name = strncmp(at, "%s", 2) == 0;
            if (name) text_add(&text, "%s", format->name);
            if (!name) text_add(&text, "%c", *at);
            at += name;
        }
        fprintf(out, "paotai data export: %llu %s %s\n", (unsigned long long)report->lost[i],
                what.data, text.data);
    }
    if (report->variations) {
        fprintf(out, "paotai data export: %llu of the games are written as variations\n",
                (unsigned long long)report->variations);
    }
}

void export_print_counts(const ExportReport *report, bool rows, bool json, FILE *out) {
    Record record;
    record_begin(&record, out, json);
    record_add(&record, "games %lu %s %lu positions %lu skipped %lu bytes %lu", report->games,
               rows ? "copied_games" : "plies", rows ? report->copies : report->plies,
               report->positions, report->skipped, report->bytes);
    for (int i = 0; i < EXPORT_LOSS_COUNT; i++) {
        if (report->lost[i]) record_add(&record, "lost_%s %lu", losses[i].name, report->lost[i]);
    }
    record_end(&record);
}
