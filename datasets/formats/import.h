// SPDX-License-Identifier: GPL-3.0-or-later
// Imports games of other programs into a run directory.
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
    IMPORT_UNKNOWN_REFEREE, // the referee's result if the game ended by the rules; else refused
    IMPORT_UNKNOWN_DRAW,    // the referee's result if the game ended by the rules; else a draw
    IMPORT_UNKNOWN_SKIP,    // refused
} ImportUnknown;

typedef struct ImportSpec {
    const PathList *paths;    // files; an empty list means standard input
    const GameFormat *format; // format of all files; NULL: detect it by the content
    ReadSettings read;
    const char *out; // run directory, which must hold no games
    Rules rules;     // rules of the referee, whose end of each game is recorded
    ImportSample sample;
    ImportUnknown unknown;
    bool result_by_name; // prefer a result in the name of the file or of a folder to `unknown`
    int sample_after;    // sample no position before this ply, nor after the referee's end
    bool sample_given, sample_after_given; // if false, formats of positions sample every position
    int shard_games;
    int threads;
    Provenance provenance;
} ImportSpec;

typedef struct ImportReport {
    uint64_t records;
    uint64_t games, plies, positions;
    uint64_t refused[IMPORT_REFUSAL_COUNT];
    uint64_t refused_files;          // files that could not be read to their end
    uint64_t ends[END_REASON_COUNT]; // kept games, by the referee's reason for the end
    PassedOver passed;               // files of folders and archives that were not read
    uint64_t unsampled;              // kept games without a sampled position
    uint64_t by_referee,
        as_draws;            // games without a result in the file: decided by the referee, or draws
    uint64_t by_name;        // games whose result is in the file's name
    uint64_t variations;     // games that are variations
    uint64_t varied;         // games with variations that were not read
    uint64_t remarks_cut;    // remarks that were shortened or left out
    uint64_t variations_cut; // variations nested too deep, too many, or before the first move
    uint64_t tags_cut;       // tags that were too many, too long, or had an invalid name
    bool interrupted;        // interrupted by Ctrl-C; games read before are kept
} ImportReport;

typedef struct ImportPlace {
    const char *path;
    size_t line;   // line of the fault, from 1; 0 in files without lines
    size_t offset; // byte offset of the record, in files without lines
    size_t number; // number of the record in its file, from 1; 0 if the file cannot be read
} ImportPlace;

// Called in the order of the files.
typedef struct ImportHooks {
    void (*refused)(void *context, const ImportPlace *place, const char *why);
    void *context;
} ImportHooks;

void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why);

// Adds a file to the list. Of a directory, adds all files in and below it that have the extension
// of the format (NULL: of any format), ordered by name, and refuses what is not a regular file.
// Returns STATUS_NOT_FOUND if a directory has no such file.
Status import_list_files(const char *path, const GameFormat *format, const ImportHooks *hooks,
                         PathList *list, ImportReport *report, Err *err);

// Describes the files for the provenance: each by name and SHA-256, or many by their number and one
// hash. Refuses files that cannot be read and removes them from the list. Fails if none is left.
Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err);

// With ReadSettings.variations each variation becomes a game of its own, numbered after its game.
// Its result is the referee's, else the variation's own, else none. It has the tags of the game and
// two more: VariationOf, the key of the game that it leaves, and VariationPly, the plies before it.
// No position is sampled twice.

// Reads one record with its result, the referee's end, and the sampled plies.
ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err);

// Reads the files and writes the shards of the run. A file that cannot be read to its end is
// refused from that place on; if it is the only file, that is an error, and the written shards are
// kept. Adds to the counts of *report.
Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err);
