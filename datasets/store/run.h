// SPDX-License-Identifier: GPL-3.0-or-later
// A run: a directory that games go into, piece by piece. This module alone knows when two runs are
// the same, who may write into one, what is missing of it, and when a piece of it is safe.
#pragma once

#include "datasets/store/store.h"

// ---- identity -----------------------------------------------------------------------------------

// Two runs are the same when their identities are: lines "name=value" of all that decides what is
// computed. It begins with the kind of the run and the options that are not OPTION_NEUTRAL; the
// command adds what those only name: weights, books and sources by their hashes, players by what
// they are. Paths, threads, times and the revision are not in it. It is stored with every shard
// (Provenance.identity).
void run_identity_begin(const CommandCall *call, const char *kind, Text *identity);

// The first lines that differ; false when the two are the same.
bool run_identity_differs(const char *a, const char *b, Text *line_a, Text *line_b);
// STATUS_MISMATCH, with the values of the first line that differs, when what `where` was made with
// is not the identity of `now`.
Status run_identity_check(const char *where, const char *then, const char *now, Err *err);

// ---- the directory ------------------------------------------------------------------------------

// Creates a directory (it may exist), or says why not. Temporary files of dead writers are removed:
// .NAME.tmp.PID, as shards and out_file.h have them.
Status run_directory_prepare(const char *dir, Err *err);
// Takes a prepared directory for this process alone, until run_directory_unlock() or the end of the
// process, however it ends; all temporary files are removed. STATUS_BUSY names the process that has
// it.
typedef struct RunLock RunLock;
Status run_directory_lock(const char *dir, RunLock **lock, Err *err);
void run_directory_unlock(RunLock *lock);
AUTO_HANDLE(RunLock, run_directory_unlock)

// Is this locked directory one in which a command keeps `files` (a list that NULL ends), the first
// of which marks it as that command's? *begun says so, which is STATUS_USAGE unless `resume` is
// set. One that is not begun must hold none of the others and no games (STATUS_USAGE): nobody's
// files are written over. `tell` (NULL: nobody) hears when there is nothing to resume.
Status run_directory_claim(const char *dir, const char *const *files, bool resume, FILE *tell,
                           bool *begun, Err *err);

// ---- playing into a run -------------------------------------------------------------------------

typedef struct RunSpec {
    const char *dir;           // NULL: nothing is stored
    const OptionRange *wanted; // games, ascending
    size_t wanted_count;
    bool resume;          // some of the games may be there already
    const char *identity; // shards of another are refused
} RunSpec;

// Taken for this process, with what is still to be played.
typedef struct Run {
    RunLock *lock;
    OptionRange *missing; // of the wanted games, ascending
    size_t missing_count;
    uint64_t missing_games, present_games;
} Run;

// STATUS_USAGE when some of the games are there and resume is not set, STATUS_MISMATCH when the
// shards there were made with another identity or by another revision, STATUS_BUSY when another
// process is at work there. run_close() is the caller's in any case.
Status run_open(const RunSpec *spec, Run *run, Err *err);
void run_close(Run *run);

// The stream on which a shard is acknowledged once it is safe on the disk: "shard NAME games A:B",
// or an object with shard, first and end; flushed.
typedef struct ShardLines {
    FILE *out;
    bool json;
} ShardLines;
void shard_line_print(const ShardLines *lines, const char *name, OptionRange range);

// ---- writing a run from its beginning to its end ------------------------------------------------

// A run that a command makes in one go. A directory that holds games is refused (STATUS_USAGE), and
// so is one that such a command, killed or interrupted, left unfinished, with what to do about it.
Status run_new(const char *dir, const char *command, RunLock **lock, Err *err);
// The command that was to fill the directory and did not come to its end; NULL: there is none. The
// caller frees.
Status run_unfinished(const char *dir, char **command, Err *err);
// STATUS_MISMATCH, with what to do about it, when there is one.
Status run_must_be_whole(const char *dir, Err *err);
// Ends it: `complete` removes the mark of the unfinished; a directory without games is removed.
void run_new_end(const char *dir, RunLock *lock, bool complete, bool has_games);

typedef struct RunWriter RunWriter;

// A new run of this command's. *provenance must live as long as the writer.
Status run_writer_open(const char *dir, const char *command, const Provenance *provenance,
                       size_t shard_games, RunWriter **writer, Err *err);

// The games that follow are those of this range of the run; the shards answer for all of it. Ranges
// ascend; between two that do not touch, no shard answers.
Status run_writer_cover(RunWriter *writer, OptionRange range, Err *err);

// Adds a game of the covered range (its plies and tags are copied); indices ascend.
Status run_writer_add(RunWriter *writer, const GameRecord *game, const PlyRecord *plies,
                      const TagRecord *tags, Err *err);

// Writes what is left; without this call the last games are not written.
Status run_writer_finish(RunWriter *writer, Err *err);
// Frees the writer; what is not complete keeps its mark.
void run_writer_close(RunWriter *writer, bool complete);

typedef struct RunWriterCounts {
    uint64_t games, plies, positions, shards;
} RunWriterCounts;
RunWriterCounts run_writer_counts(const RunWriter *writer);

// ---- what made it -------------------------------------------------------------------------------

// The rules a game was judged by: "axf", and what differs from rules_default() behind it
// ("literal material=pikafish max_checks=4 no_capture_plies=100 check_cap=-1").
void rules_to_text(const Rules *rules, Text *text);
// The inverse; STATUS_BAD_INPUT with the word that is not understood.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// "NAME sha256 HEX": what a source file is called (without its folders) and what was in it.
Status source_to_text(const char *path, Text *text, Err *err);

// Begins what is written of a command's run: the command, its options and its identity; the command
// adds to the texts and sets the seed.
void provenance_begin(const CommandCall *call, const char *kind, Provenance *made);
// The runs, or files, that it is made of: their rules and weights, and in `source` what made them,
// but for those made like the one before, their games and time apart. STATUS_MISMATCH when not all
// of them were judged by the same rules.
Status provenance_add_sources(Provenance *made, const char *const *paths, int count, Err *err);

// The text of all shards of a list, "(several)" where two differ; NULL where there is no shard.
// *asked is what selfplay was asked for: --games=A:B among its options, from the first to the last;
// a run that was resumed with more games, or merged of ranges, has shards of several. The caller
// clears the texts, also after a failure.
Status provenance_of_files(const PathList *files, ProvenanceTexts *texts, OptionRange *asked,
                           Err *err);
// Returns true if a search of version 0.1 made scores of this store. That search scored some loops
// as won or lost that the referee draws. Scores that `rescore` replaced are not counted.
bool provenance_has_old_scores(const ProvenanceTexts *made);
// Reads the provenance of a store and writes a note to `tell` if it has such scores.
Status provenance_note_old_scores(const char *path, FILE *tell, Err *err);

// What was asked for, widened by the options of one more shard; empty at first.
void add_asked_games(const ProvenanceTexts *made, OptionRange *asked);
// Options with the games that all shards were asked for.
void add_options_asked(const char *options, OptionRange asked, Text *text);
