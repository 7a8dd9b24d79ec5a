// SPDX-License-Identifier: GPL-3.0-or-later
// paotai bench harness: processor time a ply that a match costs beside its engines.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands.h"
#include "bench/speed/harness.h"
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/rules/rules_options.h"

typedef struct BenchHarnessSettings {
    uint64_t pairs;
    int threads, rules;
    const char *scratch;
    bool engine, json;
} BenchHarnessSettings;

static const OptionRow bench_harness_rows[] = {
    {"pairs", OPTION_U64, offsetof(BenchHarnessSettings, pairs), 0, 0, "200", "N",
     "pairs of games of 100 plies"},
    {"threads", OPTION_INT, offsetof(BenchHarnessSettings, threads), 1, 64, "1", "N",
     "games at once"},
    RULES_OPTION(BenchHarnessSettings, rules),
    {"scratch", OPTION_TEXT, offsetof(BenchHarnessSettings, scratch), 0, 0, "build", "DIR",
     "directory of the store that is written and removed"},
    {"engine", OPTION_FLAG, offsetof(BenchHarnessSettings, engine), 0, 0, NULL, NULL,
     "be the engine: UCI, one game known by heart"},
    ROW_JSON(BenchHarnessSettings),
    OPTION_END,
};

static void print(const CommandCall *call, const HarnessCost *cost) {
    const BenchHarnessSettings *settings = call->settings;
    const double plies = cost->plies ? (double)cost->plies : 1.0;
    Record record;
    record_begin(&record, call->out, settings->json);
    record_int(&record, "games", (long long)cost->games);
    record_int(&record, "plies", (long long)cost->plies);
    record_real(&record, "wall_us_per_ply", cost->wall_s * 1e6 / plies, 2);
    record_real(&record, "waits_per_ply", (double)cost->waits / plies, 2);
    record_real(&record, "user_us_per_ply", cost->user_s * 1e6 / plies, 2);
    record_real(&record, "cpu_us_per_ply", cost->cpu_s * 1e6 / plies, 2);
    record_end(&record);
}

static Status measure(const BenchHarnessSettings *settings, HarnessCost *cost, Err *err) {
    Text dir = {0};
    text_add(&dir, "%s/harness.XXXXXX", settings->scratch);
    Status status = STATUS_OK;
    if (settings->pairs == 0 || settings->pairs > 1000000) {
        status = err_set(err, STATUS_USAGE, "--pairs: from 1 to 1000000");
    } else if (!mkdtemp(dir.data)) {
        status = err_set(err, STATUS_IO, "cannot create %s: %s (--scratch DIR)", dir.data,
                         strerror(errno));
    } else {
        const HarnessSpec spec = {.program = "/proc/self/exe bench harness --engine",
                                  .pairs = settings->pairs,
                                  .threads = settings->threads,
                                  .rules = (RuleSet)settings->rules,
                                  .dir = dir.data};
        status = harness_measure(&spec, cost, err);
    }
    text_clear(&dir);
    return status;
}

static int run_bench_harness(const CommandCall *call) {
    const BenchHarnessSettings *settings = call->settings;
    HarnessCost cost;
    Err err = {0};
    if (settings->engine) {
        harness_engine(stdin, call->out);
        return 0;
    }
    if (measure(settings, &cost, &err) != STATUS_OK) return command_fail(call, &err);
    print(call, &cost);
    return 0;
}

const Command command_bench_harness = {
    .name = "bench harness",
    .summary = "what a match costs beside its engines: processor time a ply",
    .usage = "",
    .details =
        "Plays games of 100 plies between two UCI programs that answer at once, under our "
        "referee,\n"
        "stored, without PGN. cpu is the user and system time of this process alone, the start of\n"
        "the programs and the store included.\n\n"
        "paotai bench harness --pairs 500",
    .rows = bench_harness_rows,
    .settings_size = sizeof(BenchHarnessSettings),
    .min_args = 0,
    .max_args = 0,
    .run = run_bench_harness,
};
