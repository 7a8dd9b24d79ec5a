// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/exchange/import_print.h"

#include "core/base/json.h"

void import_print_refused(const ImportPlace *place, const char *why, bool json, FILE *out) {
    const char *unit = place->line ? "line" : "byte";
    const size_t at = place->line ? place->line : place->offset;
    if (json) {
        Record record;
        record_begin(&record, out, true);
        if (place->number) record_add(&record, "%s %zu", unit, at);
        record_add(&record, "file %s", place->path);
        if (place->number) record_add(&record, "game %zu", place->number);
        record_add(&record, "error %s", why);
        record_end(&record);
        return;
    }
    AUTO(Text) text = {0};
    if (place->number) {
        text_add(&text, "%s %zu: %s, game %zu: %s", unit, at, place->path, place->number, why);
    } else {
        text_add(&text, "file %s: %s", place->path, why);
    }
    text_make_printable(text.data);
    fprintf(out, "error\t%s\n", text.data);
}

void import_print_notes(const ImportReport *report, const char *run, FILE *out) {
    const PassedOver *passed = &report->passed;
    if (report->games && (report->games < report->records || report->refused_files)) {
        AUTO(Text) word = {0};
        text_add_word(&word, run);
        fprintf(out,
                "%s has all games that were not refused, and it can be used. To import the refused "
                "games too, correct them in their files, remove the run (rm -r %s) and import all "
                "files again\n",
                word.data, word.data);
    }
    if (report->refused[IMPORT_RESULT]) {
        fprintf(out, "games without a result, or with a faulty one, were refused (refused_result): "
                     "correct the results in the file (in PGN: the tag Result with 1-0, 0-1 or "
                     "1/2-1/2), or use --unknown for games without a result\n");
    }
    if (report->guessed_groups > report->grouped / 2) {
        fprintf(out, "the rows were taken as independent, because the file has no numbers of games "
                     "and its rows are not in the order of games. If several rows come from one "
                     "game, the standard errors of a fit are too small and its verdict can be "
                     "wrong: give each row the number of its game (csv: column game; epd: id "
                     "\"GAME.PLY\")\n");
    }
    if (report->doubtful_units) {
        fprintf(out, "the scores of the formats plain and bin were read as 1/100 points, as "
                     "'data export' writes them; for files of Fairy-Stockfish, import them with "
                     "--score-unit fairy\n");
    }
    if (passed->count == 0) return;
    AUTO(Text) text = {0};
    text_add(&text, "these files were not read because of the endings of their names:");
    for (size_t i = 0; i < passed->endings; i++) {
        text_add(&text, "%s %zu %s (%s%s)", i ? "," : "", passed->by[i].count,
                 passed->by[i].ending[0] ? passed->by[i].ending : "without an ending",
                 passed->by[i].name, passed->by[i].count > 1 ? " ..." : "");
    }
    text_make_printable(text.data);
    fprintf(out,
            "%s; to read such a file, give its name as an argument (unpack an archive first)\n",
            text.data);
}

// Adds a count to the record. Without --json, rare counts are left out if they are 0.
static void add_count(Record *record, const char *name, uint64_t count, bool rare) {
    if (record->json || !rare || count > 0) record_add(record, "%s %lu", name, count);
}

void import_print_summary(const ImportReport *report, const StoreSummary *different, bool json,
                          FILE *out) {
    const struct {
        const char *name;
        uint64_t count;
        bool rare;
    } counts[] = {{"refused_files", report->refused_files, false},
                  {"passed_over", report->passed.count, true},
                  {"plies", report->plies, false},
                  {"plies_scored", report->plies_scored, true},
                  {"positions", report->positions, false},
                  {"variations", report->variations, true},
                  {"games_varied", report->varied, true},
                  {"remarks_cut", report->remarks_cut, true},
                  {"variations_cut", report->variations_cut, true},
                  {"tags_cut", report->tags_cut, true},
                  {"groups", report->groups, true},
                  {"games_unsampled", report->unsampled, true},
                  {"sides_by_option", report->sided, true},
                  {"results_by_name", report->by_name, true},
                  {"results_by_referee", report->by_referee, true},
                  {"results_as_draws", report->as_draws, true},
                  {"unknown_results", report->unknown, true}};
    Record record;
    record_begin(&record, out, json);
    record_add(&record, "records %lu games %lu refused %lu", report->records, report->games,
               report->records - report->games);
    for (int i = IMPORT_KEPT + 1; i < IMPORT_REFUSAL_COUNT; i++) {
        if (!record.json && report->refused[i] == 0) continue;
        record_add(&record, "refused_%s %lu", import_refusal_name((ImportRefusal)i),
                   report->refused[i]);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        add_count(&record, counts[i].name, counts[i].count, counts[i].rare);
    }
    if (different) {
        add_count(&record, "different_games", different->different_games, true);
        add_count(&record, "different_positions", different->distinct, true);
        sense_record(&different->sense, &record);
    }
    if (report->scales.length) record_add(&record, "result_scale %s", report->scales.data);
    for (int i = ENCODING_UTF8 + 1; i < ENCODING_COUNT; i++) {
        const size_t files = report->passed.encodings[i];
        if (files)
            record_add(&record, "files_in_%s %zu", text_encoding_name((TextEncoding)i), files);
    }
    for (int i = 0; i < END_REASON_COUNT; i++) {
        if (report->ends[i] == 0) continue;
        record_add(&record, "referee_%s %lu",
                   i == END_NONE ? "none" : end_reason_name((EndReason)i), report->ends[i]);
    }
    record_end(&record);
}
