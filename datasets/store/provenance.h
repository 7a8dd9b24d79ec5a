// SPDX-License-Identifier: GPL-3.0-or-later
// What made a run: the texts of its provenance, written and read.
#pragma once

#include "datasets/store/run.h"

// The rules a game was judged by: "axf", and what differs from rules_default() behind it
// ("literal material=pikafish max_checks=4 no_capture_plies=100 check_cap=-1").
void rules_to_text(const Rules *rules, Text *text);
// The inverse; STATUS_BAD_INPUT with the word that is not understood.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// SHA-256 of a file, in hexadecimal digits.
Status file_sha256(const char *path, char hex[SHA256_HEX_SIZE], Err *err);
// "NAME sha256 HEX": what a source file is called (without its folders) and what was in it.
Status source_to_text(const char *path, Text *text, Err *err);

// What a command's run is made of. It begins with the command, its options and its identity; the
// command adds to the texts. run_origin_clear() frees.
typedef struct RunOrigin {
    const char *kind, *command;
    Text options, identity, rules, weights, source; // as Provenance has them
} RunOrigin;
void run_origin_begin(const CommandCall *call, const char *kind, RunOrigin *origin);
// A run, or a file, that it is made of: its rules and weights, and in `source` what made it.
// STATUS_MISMATCH when not all of it, and what was added before, was judged by the same rules.
Status run_origin_add(RunOrigin *origin, const char *path, Err *err);
// Points into the texts.
Provenance run_origin_provenance(const RunOrigin *origin, uint64_t seed);
void run_origin_clear(RunOrigin *origin);

// What made a store: the values of its first shard, NULL where there is no shard.
typedef struct StoreProvenance {
    ProvenanceTexts texts;
    ProvenanceTexts other;               // a value that differs, in another shard; NULL: none
    const char *where[PROVENANCE_COUNT]; // the path of that shard, which is the store's
} StoreProvenance;
Status store_provenance(const Store *store, StoreProvenance *made, Err *err);
void store_provenance_clear(StoreProvenance *made);
