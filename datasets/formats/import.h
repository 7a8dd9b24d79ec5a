// SPDX-License-Identifier: GPL-3.0-or-later
// Games of other people into a run directory.
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/store/store.h"

// Which positions of an imported game are sampled.
typedef enum ImportSample {
    IMPORT_SAMPLE_QUIET, // not in check and the move played captures nothing
    IMPORT_SAMPLE_ALL,
    IMPORT_SAMPLE_NONE,
} ImportSample;

// The result of a game whose file does not give one.
typedef enum ImportUnknown {
    IMPORT_UNKNOWN_REFEREE, // the referee's word where the game stops in what he calls an end
    IMPORT_UNKNOWN_DRAW,    // the same, and else a draw
    IMPORT_UNKNOWN_SKIP,    // it is refused
} ImportUnknown;

typedef struct ImportSpec {
    const PathList *paths;    // none: standard input
    const GameFormat *format; // NULL: by the content of each file
    ReadSettings read;
    const char *out; // run directory, which must hold no games
    Rules rules;     // of the referee whose ends are recorded
    ImportSample sample;
    ImportUnknown unknown;
    bool result_by_name; // before that: the name of the file or of a folder may say it
    int sample_after;    // no position before so many plies; none after the referee's end either
    bool sample_given, sample_after_given; // else records made of positions give them all
    int shard_games;
    int threads;
    Provenance provenance;
} ImportSpec;

typedef struct ImportReport {
    uint64_t records;
    uint64_t games, plies, positions;
    uint64_t refused[IMPORT_REFUSAL_COUNT];
    uint64_t refused_files;          // that could not be read, or not to their ends
    uint64_t ends[END_REASON_COUNT]; // where the referee ends the games that were kept
    PassedOver passed;               // files of folders and archives
    uint64_t unsampled;              // games that were kept of which no position is sampled
    uint64_t by_referee, as_draws;   // results that the files did not tell
    uint64_t by_name;                // the same, by their names
    uint64_t variations;             // among the games
    uint64_t varied;                 // games whose variations are left out
    uint64_t remarks_cut;            // remarks that are not whole
    uint64_t variations_cut;         // wanted, but nested too deep, too many, or without a place
    uint64_t tags_cut;               // too many, not whole, or with names that are none
    bool interrupted;                // Ctrl-C: what was read before is kept
} ImportReport;

typedef struct ImportPlace {
    const char *path;
    size_t line;   // of the fault, from 1; 0 in files without lines
    size_t offset; // in those: of the record
    size_t number; // of the record in its file, from 1; 0: it is the file that cannot be read
} ImportPlace;

// Called in the order of the files.
typedef struct ImportHooks {
    void (*refused)(void *context, const ImportPlace *place, const char *why);
    void *context;
} ImportHooks;

void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why);

// Adds a file, or in order of their names all files in and below a directory that have the format's
// extension (NULL: that of any format); what is no file to read is refused. STATUS_NOT_FOUND when
// there is none.
Status import_list_files(const char *path, const GameFormat *format, const ImportHooks *hooks,
                         PathList *list, ImportReport *report, Err *err);

// For the provenance: each file by name and SHA-256, of many their number and one hash. Files that
// cannot be read are refused and taken off the list; it is an error when none is left.
Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err);

// Where variations are wanted each line is a game of its own, with a number behind that of its
// game. It ends as the referee says, else as the line says itself, else as the game did. To the
// tags of the game come VariationOf and VariationPly: the key of the game that it leaves, and the
// plies played before. No position is sampled twice.

// Reads one record: the result, the referee's end and the sampled plies, too.
ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err);

// Reads the files and writes shards of the run. A file that cannot be read to its end is refused
// from there on; when it is the only one that is an error, and the shards that were written are
// kept. The report is continued.
Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err);
