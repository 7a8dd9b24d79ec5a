// SPDX-License-Identifier: GPL-3.0-or-later
// A run is a directory of shards (HDF5 files of games). This module compares the settings of runs,
// finds the games that are still missing, and writes new runs.
#pragma once

#include "datasets/store/run_directory.h"
#include "datasets/store/store.h"

// ---- identity -----------------------------------------------------------------------------------

// Starts the identity of a run: a text of "name=value" lines with everything that decides the
// games. If two runs have equal identities, games with equal numbers are equal. This function
// writes the kind of the run and the options that decide the games, which are all options without
// the flag OPTION_NEUTRAL. The command then adds the hashes of weights, books and sources, and the
// players' settings, because their options hold only names or paths. Paths, thread counts, times
// and the program's revision are not part of the identity. Every shard stores the identity
// (Provenance.identity).
void run_identity_begin(const CommandCall *call, const char *kind, Text *identity);

// Compares two identities. Returns false if they are equal. Otherwise stores the first pair of
// lines that differ.
bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b);
// Compares the identity `then`, stored in the file `where`, with the identity `now` of this
// command. Returns STATUS_MISMATCH if they differ; *err names the first different lines.
Status run_identity_check(const char *where, const char *then, const char *now, Err *err);

// ---- playing into a run -------------------------------------------------------------------------

typedef struct RunSpec {
    const char *dir;           // directory of the run; NULL: games are not stored
    const OptionRange *wanted; // ranges of game indices to play, ascending
    size_t wanted_count;
    bool resume; // if set, shards of an earlier, interrupted run are accepted and their games are
                 // not played again
    // Provenance of new shards. Existing shards with another identity are refused. Must be set if
    // `dir` is set.
    const Provenance *provenance;
} RunSpec;

// A run whose directory this process has locked, and the list of games that are still to be played.
typedef struct Run {
    RunLock *lock;
    OptionRange *missing; // ranges of game indices that no shard covers, ascending
    size_t missing_count;
    uint64_t missing_games, present_games; // number of games to play that no shard covers, and
                                           // number of games to play that a shard
                                           // already covers
} Run;

// Locks a run and finds its missing games. Returns STATUS_USAGE if some of the games exist and
// `resume` is not set, STATUS_MISMATCH if shards have another identity or were written by another
// version of the program, and STATUS_BUSY if another process has locked the run. Call run_close()
// even after a failure.
Status run_open(const RunSpec *spec, Run *run, Err *err);
void run_close(Run *run);

// Reports that a shard is safely on disk: prints "shard NAME games A:B", or a JSON object with
// shard, first and end. Flushes the stream.
void shard_line_print(FILE *out, bool json, const char *name, OptionRange range);

// ---- writing a run from its beginning to its end ------------------------------------------------

typedef struct RunWriter RunWriter;

// Opens a writer for a new run of a command. *provenance must live as long as the writer.
Status run_writer_open(const char *dir, const char *command, const Provenance *provenance,
                       size_t shard_games, RunWriter **writer, Err *err);

// Announces the range of game indices to which the next games belong. The shards then cover the
// whole range, even if some of its games are not added. Ranges must ascend. If there is a gap
// between two ranges, no shard covers it.
Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err);

// Adds a game whose index is in the range that run_writer_cover() announced. Copies its plies and
// tags. Game indices must ascend from call to call.
Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies,
                      const TagRecord *tags, Err *err);

// Writes the games that are not yet in a shard. Without this call they are lost.
Status run_writer_finish(RunWriter *writer, Err *err);
// Frees the writer. Unless `complete` is set, the run stays marked as unfinished.
void run_writer_close(RunWriter *writer, bool complete);

typedef struct RunWriterCounts {
    uint64_t games, plies, positions, shards;
} RunWriterCounts;
RunWriterCounts run_writer_counts(const RunWriter *writer);

// ---- provenance, defined in provenance.c --------------------------------------------------------

// Appends the rules as a text: the rule set, followed by the settings that differ from
// rules_default(). Example: "literal material=pikafish no_capture_plies=100 check_cap=-1
// max_checks=4".
void rules_to_text(const Rules *rules, Text *text);
// Parses the text that rules_to_text() writes. Returns STATUS_BAD_INPUT if a word is unknown, and
// names it in *err.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// Appends "NAME sha256 HEX", where NAME is the file name without folders, and HEX is the hash of
// the file's content. A pipe or device is not read, and the text says that it is not a regular
// file.
Status source_to_text(const char *path, Text *text, Err *err);

// Starts the provenance of a run with the command, its options and the identity. The command adds
// the other texts and the seed.
void provenance_begin(const CommandCall *call, const char *kind, Provenance *made);
// Adds the sources from which a run is derived: their rules and weights, and their provenance in
// `source`. If a source has the same provenance as the previous one, only its name, counts and
// content hash are added. Returns STATUS_MISMATCH if the sources have different rules.
Status provenance_add_sources(Provenance *made, const char *const *paths, int count, Err *err);

// Reads the provenance that all files share. A text that differs between files becomes "(several)".
// The texts are NULL if `files` is empty. *requested becomes the smallest range that contains the
// ranges --games=A:B of all self-play shards. These ranges differ if a run was resumed with more
// games or was merged. *old_scores becomes true if a file has scores of version 0.1, whose search
// scored some repetitions as won or lost that the referee calls draws. Scores that `rescore`
// replaced do not count. The caller clears the texts, also after a failure.
Status provenance_of_files(const PathList *files, ProvenanceTexts *texts, OptionRange *requested,
                           bool *old_scores, Err *err);
// Prints a note that the store `path` has scores of version 0.1.
void provenance_tell_old_scores(const char *path, FILE *tell);
// Reads the provenance of the store `path`. Prints a note if the store has scores of version 0.1.
Status provenance_note_old_scores(const char *path, FILE *tell, Err *err);

// Extends *requested so that it contains the option --games of one more shard. The range is empty
// at first.
void add_requested_games(const ProvenanceTexts *made, OptionRange *requested);
// Appends the options to `text`, but replaces the value of --games by the requested range.
void add_requested_options(const char *options, OptionRange requested, Text *text);
