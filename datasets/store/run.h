// SPDX-License-Identifier: GPL-3.0-or-later
// A run is a directory of shards (HDF5 files of games). This module compares the settings of runs,
// finds the games that are still missing, writes new runs, and describes how a run was made
// (provenance).
#pragma once

#include "datasets/store/run_directory.h"
#include "datasets/store/store.h"

// ---- identity -----------------------------------------------------------------------------------

// Starts the identity of a run: a text of "name=value" lines with the settings that determine the
// games. This function writes the kind of the run and all options without the flag OPTION_NEUTRAL.
// The commands then add hashes of weights, opening book, source runs and imported files, and the
// players' settings, because the options have only names or paths. If two runs have equal
// identities and the same build of the program, games with the same index are equal, unless a clock
// limits the searches or another engine plays. Every shard stores the identity of its run
// (Provenance.identity). In older files of imported and derived runs, the identity lacks the
// sources.
void run_identity_begin(const CommandCall *call, const char *kind, Text *identity);

// Compares two identities. Returns false if they are equal. Otherwise appends the first line that
// differs to *line_a and *line_b, at most 150 bytes of it. If only one identity has a line with
// this name, the other text stays empty.
bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b);
// Compares two identities: `then`, stored in the file `where`, and `now`, that of this command.
// Returns STATUS_MISMATCH if they differ; *err names the first setting that differs or that only
// one of them has, and the revision of the program that made the file (NULL: unknown) unless it is
// that of this program.
Status run_identity_check(const char *where, const char *then, const char *now,
                          const char *revision, Err *err);

// ---- playing into a run -------------------------------------------------------------------------

typedef struct RunSpec {
    const char *dir;           // directory of the run; NULL: games are not stored
    const OptionRange *wanted; // ranges of game indices to play, ascending
    size_t wanted_count;
    bool resume; // accept a directory that already has some of these games, and play only the
                 // missing ones
    // Provenance of new shards. Existing shards whose identity (the settings that determine the
    // games) differs are refused. Must be set if `dir` is set.
    const Provenance *provenance;
} RunSpec;

// A run whose directory this process has locked, and the list of games that are still to be played.
typedef struct Run {
    RunLock *lock;        // NULL if games are not stored, and on all MPI ranks except rank 0
    OptionRange *missing; // ranges of game indices to play that no shard covers, ascending
    size_t missing_count;
    uint64_t missing_games, present_games; // number of games to play that no shard covers, and
                                           // number of games to play that a shard
                                           // already covers
} Run;

// Locks a run and finds its missing games. Returns STATUS_USAGE if some of the games exist and
// `resume` is not set, STATUS_MISMATCH if a shard was made with other settings
// (run_identity_check()) or by another revision or build of the program, and STATUS_BUSY if another
// process has locked the run. All MPI ranks except rank 0 get an empty Run. Call run_close() even
// after a failure.
Status run_open(const RunSpec *spec, Run *run, Err *err);
void run_close(Run *run);

// Reports that a shard is safely on disk: prints "shard NAME games A:B", where B is the index after
// the last game, or a JSON object with shard, first and end. Flushes the stream.
void shard_line_print(FILE *out, bool json, const char *name, OptionRange range);

// ---- writing a run from its beginning to its end ------------------------------------------------

typedef struct RunWriter RunWriter;

// Creates and locks the directory of a new run by run_new(). Opens a writer of shards with at most
// shard_games games. `command` is the name of the command that makes the run. *provenance must stay
// valid until the writer is closed.
Status run_writer_open(const char *dir, const char *command, const Provenance *provenance,
                       size_t shard_games, RunWriter **writer, Err *err);

// Sets the range of game indices to which the next added games belong. Each shard (file of games)
// states a range of indices. Together the shards state the whole range, even if games with some of
// its indices are never added. Ranges must ascend. Indices between two ranges are in no shard.
Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err);

// Adds a game whose index is in the range of the last run_writer_cover(). Copies its plies and
// tags. Game indices must ascend from call to call.
Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies,
                      const TagRecord *tags, Err *err);

// Writes the games that are not yet in a shard. Without this call they are lost.
Status run_writer_finish(RunWriter *writer, Err *err);
// Frees the writer and unlocks the directory. If `complete` is set, removes the file that marks the
// run as unfinished. Otherwise keeps this file if a shard was written. If no shard was written,
// removes this file, and the directory if it is then empty.
void run_writer_close(RunWriter *writer, bool complete);

// Numbers of games, plies and sampled positions that were added, and of shards that were written.
typedef struct RunWriterCounts {
    uint64_t games, plies, positions, shards;
} RunWriterCounts;
RunWriterCounts run_writer_counts(const RunWriter *writer);

// ---- provenance, defined in provenance.c --------------------------------------------------------

// Appends the rules as a text: the rule set, followed by the settings that differ from
// rules_default(). Example: "literal material=pikafish no_capture_plies=100 check_cap=-1
// max_checks=4".
void rules_to_text(const Rules *rules, Text *text);
// Parses the text that rules_to_text() writes. Returns STATUS_BAD_INPUT, with the reason in *err,
// if a word is unknown, a value is not a valid number, or the rule set is missing.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// Describes a pipe or device. It is not hashed, because reading it would leave no bytes to import.
// The text has the process and the time instead, so that two imports never have the same source.
void source_stream_to_text(const char *name, Text *text);
// Appends "NAME sha256 HEX", where NAME is the file name without folders, and HEX is the hash of
// the file's content. If the file is a pipe or a device, calls source_stream_to_text().
Status source_to_text(const char *path, Text *text, Err *err);

// Starts the provenance of a run: sets the kind of the run, the command, all options, and the
// identity (run_identity_begin()). The caller adds seed, rules, weights and source.
void provenance_begin(const CommandCall *call, const char *kind, Provenance *made);
// Adds the stores from which a run is made to its provenance. The rules and weights of the stores
// become those of the run. The identity of the run gets a hash of each store. The text `source`
// gets the name, counts, hash and provenance of each store; provenance that equals that of the
// previous store is omitted. Returns STATUS_MISMATCH if the stores have different rules.
Status provenance_add_sources(Provenance *made, const char *const *paths, int count, Err *err);

// Faults of earlier versions in the data of a store.
typedef struct ProvenanceFaults {
    bool old_scores;  // a file has scores of version 0.1, whose search scored some draws by
                      // repetition as won or lost; scores that the command rescore replaced do not
                      // count
    bool old_results; // a file has results that a version without the option --result-scale
                      // imported from csv, texel or bullet: losses written 0 can be draws
} ProvenanceFaults;

// Reads the provenance that all files share. A text that differs between files becomes "(several)".
// All members of *texts are NULL if `files` is empty. *requested becomes the smallest range that
// includes the ranges of the option --games of all self-play shards. The shards have different
// options if a run was resumed with more games or was merged. The range is empty if no shard is
// from self-play. The caller clears the texts, also after a failure.
Status provenance_of_files(const PathList *files, ProvenanceTexts *texts, OptionRange *requested,
                           ProvenanceFaults *faults, Err *err);
// Prints a note to the stream `tell` for each fault of the store `path`.
void provenance_tell_faults(const char *path, const ProvenanceFaults *faults, FILE *tell);
// Reads the provenance of the store `path`, and prints the notes of provenance_tell_faults().
Status provenance_note_faults(const char *path, FILE *tell, Err *err);

// Extends *requested so that it includes the range of the option --games in `made`, the provenance
// of a shard. Does nothing if the shard is not from self-play. *requested must be {0, 0} before the
// first call.
void add_requested_games(const ProvenanceTexts *made, OptionRange *requested);
// Appends the "name=value" lines `options` to `text`. Replaces the value of --games by the range
// `requested`, unless the range is empty.
void add_requested_options(const char *options, OptionRange requested, Text *text);
