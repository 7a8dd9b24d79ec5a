// SPDX-License-Identifier: GPL-3.0-or-later
// A run: a directory of shards. This module decides when two runs are equal, which games are
// missing, and when a shard is safe on disk.
#pragma once

#include "datasets/store/run_directory.h"
#include "datasets/store/store.h"

// ---- identity -----------------------------------------------------------------------------------

// Starts the identity of a run: "name=value" lines of everything that decides the content. Two runs
// are equal if their identities are equal. It begins with the kind of the run and the options that
// are not OPTION_NEUTRAL. The command adds the content behind neutral options: hashes of weights,
// books and sources, and the players' settings. Paths, threads, times and the revision are not part
// of it. Every shard stores it (Provenance.identity).
void run_identity_begin(const CommandCall *call, const char *kind, Text *identity);

// Finds the first lines that differ. Returns false if the identities are equal.
bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b);
// Returns STATUS_MISMATCH, with the first lines that differ, if the identity `then` of `where`
// differs from `now`.
Status run_identity_check(const char *where, const char *then, const char *now, Err *err);

// ---- playing into a run -------------------------------------------------------------------------

typedef struct RunSpec {
    const char *dir;           // NULL: games are not stored
    const OptionRange *wanted; // ranges of games to play, ascending
    size_t wanted_count;
    bool resume; // some of the games may already exist
    // Provenance of new shards; shards with another identity are refused. Needed with a directory.
    const Provenance *provenance;
} RunSpec;

// A run that is locked for this process, and the games still to be played.
typedef struct Run {
    RunLock *lock;
    OptionRange *missing; // ranges of games that no shard has, ascending
    size_t missing_count;
    uint64_t missing_games, present_games;
} Run;

// Opens a run. Returns STATUS_USAGE if some of the games exist and `resume` is not set,
// STATUS_MISMATCH if shards have another identity or come from another program, STATUS_BUSY if
// another process has locked it. Call run_close() in any case.
Status run_open(const RunSpec *spec, Run *run, Err *err);
void run_close(Run *run);

// Prints that a shard is safe on disk, as "shard NAME games A:B" or as a JSON object with shard,
// first and end, and flushes the stream.
void shard_line_print(FILE *out, bool json, const char *name, OptionRange range);

// ---- writing a run from its beginning to its end ------------------------------------------------

typedef struct RunWriter RunWriter;

// Writes a new run of a command. *provenance must live as long as the writer.
Status run_writer_open(const char *dir, const char *command, const Provenance *provenance,
                       size_t shard_games, RunWriter **writer, Err *err);

// Announces the range of the games that follow. The shards then cover all of it. Ranges ascend. A
// gap between two ranges is covered by no shard.
Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err);

// Adds a game of the announced range, with copies of its plies and tags. Indices ascend.
Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies,
                      const TagRecord *tags, Err *err);

// Writes the remaining games. Without this call they are not written.
Status run_writer_finish(RunWriter *writer, Err *err);
// Frees the writer. Unless `complete` is set, the run keeps its mark.
void run_writer_close(RunWriter *writer, bool complete);

typedef struct RunWriterCounts {
    uint64_t games, plies, positions, shards;
} RunWriterCounts;
RunWriterCounts run_writer_counts(const RunWriter *writer);

// ---- provenance, defined in provenance.c --------------------------------------------------------

// Appends rules as a text: the rule set, then the settings that differ from rules_default(), such
// as "literal material=pikafish max_checks=4 no_capture_plies=100 check_cap=-1".
void rules_to_text(const Rules *rules, Text *text);
// Reads such a text. Returns STATUS_BAD_INPUT with the word that is unknown.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// Appends "NAME sha256 HEX": the name of a source file without its folders, and the hash of its
// content.
Status source_to_text(const char *path, Text *text, Err *err);

// Starts the provenance of a run: command, options and identity. The command adds other texts and
// the seed.
void provenance_begin(const CommandCall *call, const char *kind, Provenance *made);
// Adds the sources of a run: their rules and weights, and in `source` their provenance. A source
// made like the one before is only named. Returns STATUS_MISMATCH if the sources have different
// rules.
Status provenance_add_sources(Provenance *made, const char *const *paths, int count, Err *err);

// Reads the provenance that all files share; a text that differs becomes "(several)". Texts are
// NULL if there is no file. *requested is the smallest range that contains --games=A:B of all
// self-play shards, which differ if a run was resumed with more games or merged from ranges.
// *old_scores is true if a search of version 0.1 made scores of a file: it scored some loops as won
// or lost that the referee draws. Scores that `rescore` replaced do not count. The caller clears
// the texts, also after a failure.
Status provenance_of_files(const PathList *files, ProvenanceTexts *texts, OptionRange *requested,
                           bool *old_scores, Err *err);
// Writes a note about such scores in the store `path`.
void provenance_tell_old_scores(const char *path, FILE *tell);
// Reads the provenance of a store, and writes this note if it has such scores.
Status provenance_note_old_scores(const char *path, FILE *tell, Err *err);

// Extends *requested, which is empty at first, by the --games of one more shard.
void add_requested_games(const ProvenanceTexts *made, OptionRange *requested);
// Appends options, with --games replaced by the requested range.
void add_requested_options(const char *options, OptionRange requested, Text *text);
