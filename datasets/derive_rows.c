// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/derive_rows.h"

#include <stdio.h>

#include "core/base/json.h"

static void print_summary(const CommandCall *call, const DeriveSettings *settings,
                          const DeriveReport *report, const char *const *parts) {
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "source_games", (long long)report->games);
    record_int(&record, "source_positions", (long long)report->positions);
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && (i == 0 || (parts && parts[i])); i++) {
        const RunWriterCounts *counts = &report->out[i];
        const struct {
            const char *name;
            uint64_t value;
        } values[] = {
            {"games", counts->games}, {"plies", counts->plies}, {"positions", counts->positions}};
        for (int k = 0; k < 3; k++) {
            char key[64];
            snprintf(key, sizeof key, "%s%s%s", parts ? parts[i] : "", parts ? "_" : "",
                     values[k].name);
            record_int(&record, key, (long long)values[k].value);
        }
    }
    record_end(&record);
}

int derive_command(const CommandCall *call, const DeriveSettings *settings, uint64_t seed,
                   DeriveGame *game, void *context, const char *const *parts) {
    Err err = {0};
    Text options = {0}, identity = {0}, outs[DERIVE_MAX_OUTPUTS] = {{0}};
    command_options_text(call, &options);
    run_identity_begin(call, "derived", &identity);
    DeriveSpec spec = {.path = call->args[0],
                       .shard_games = (size_t)settings->shard_games,
                       .drop_empty = settings->drop_empty,
                       .command = call->command->name,
                       .options = text_get(&options),
                       .identity = text_get(&identity),
                       .seed = seed,
                       .game = game,
                       .context = context};
    for (int i = 0; i < DERIVE_MAX_OUTPUTS && (i == 0 || (parts && parts[i])); i++) {
        text_add(&outs[i], "%s%s%s", settings->out, parts ? "/" : "", parts ? parts[i] : "");
        spec.outs[i] = outs[i].data;
    }
    Progress progress;
    DeriveReport report;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    const Status status = store_derive(&spec, &progress, &report, &err);
    progress_finish(&progress, report.games, "");
    text_clear(&options);
    text_clear(&identity);
    for (int i = 0; i < DERIVE_MAX_OUTPUTS; i++) text_clear(&outs[i]);
    if (status != STATUS_OK) return command_fail(call, &err);
    print_summary(call, settings, &report, parts);
    return 0;
}
