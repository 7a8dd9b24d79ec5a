// SPDX-License-Identifier: GPL-3.0-or-later
// Imports games from files of other programs into a run directory.
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/store/store.h"

// Selects the positions of an imported game that are sampled.
typedef enum ImportSample {
    IMPORT_SAMPLE_QUIET, // sample positions that are not in check and whose played move is not a
                         // capture
    IMPORT_SAMPLE_ALL,
    IMPORT_SAMPLE_NONE,
} ImportSample;

// Selects the result of a game whose file does not state one.
typedef enum ImportUnknown {
    IMPORT_UNKNOWN_REFEREE, // use the result by the rules; if the rules do not end the game, refuse
                            // it
    IMPORT_UNKNOWN_DRAW, // use the result by the rules; if the rules do not end the game, store a
                         // draw
    IMPORT_UNKNOWN_SKIP, // refuse the game
} ImportUnknown;

typedef struct ImportSpec {
    const PathList *paths;    // paths of the files to read; an empty list means standard input
    const GameFormat *format; // format of all files; NULL: detect it by the content
    ReadSettings read;
    const char *out; // run directory to write; it must not hold games
    Rules rules;     // rules by which the referee judges each game
    ImportSample sample;
    ImportUnknown unknown;
    bool result_by_name; // if the name of the file or of a folder has a result, prefer it to
                         // `unknown`
    int sample_after;    // sample no position before this ply, nor after the ply at which the rules
                         // end the game
    // Set if the user gave --sample or --sample-after, respectively. In files of positions, an
    // option that was not given has the value `all` or 0 instead of its usual default.
    bool sample_given, sample_after_given;
    int shard_games;
    int threads;
    Provenance provenance;
} ImportSpec;

typedef struct ImportReport {
    uint64_t records;
    uint64_t games, plies, positions;
    uint64_t refused[IMPORT_REFUSAL_COUNT];
    uint64_t refused_files; // number of files that could not be opened or read to their end, or
                            // contain no game
    uint64_t ends[END_REASON_COUNT]; // number of kept games by GameRecord.end_reason: why the
                                     // referee ends the game, or the reason in our own files
    PassedOver passed;   // files that were not read because of the endings of their names, and text
                         // files that were read, by encoding
    uint64_t unsampled;  // number of kept games without a sampled position
    uint64_t by_referee; // number of games whose result was determined by the referee
    uint64_t as_draws;   // number of games of unknown result that were stored as draws
    uint64_t by_name;    // number of games whose result was found in the name of a file or folder
    uint64_t variations; // number of kept games that are variations of another game
    uint64_t varied;     // number of games whose variations were not read
    uint64_t remarks_cut;    // number of remarks that were shortened or omitted
    uint64_t variations_cut; // number of omitted variations: too deep, too many, or before the
                             // first move
    uint64_t tags_cut; // number of tags that were omitted or shortened: too many, too long, or an
                       // invalid name
    bool interrupted;  // Ctrl-C stopped the import; the games read before are kept
} ImportReport;

typedef struct ImportPlace {
    const char *path;
    size_t line;   // line of the fault, from 1; 0 if the file has no lines
    size_t offset; // byte offset of the record, if the file has no lines
    size_t number; // number of the record in its file, from 1; 0: the whole file is at fault
} ImportPlace;

// Callbacks of an import, called in the order of the files.
typedef struct ImportHooks {
    void (*refused)(void *context, const ImportPlace *place, const char *why);
    void *context;
} ImportHooks;

void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why);

// Adds a file to the list. For a directory, adds the files in it and in its sub-directories whose
// extension belongs to `format` (NULL: to any format), sorted by name, and refuses those that are
// not regular files. Returns STATUS_NOT_FOUND if a directory has no such file.
Status import_list_files(const char *path, const GameFormat *format, const ImportHooks *hooks,
                         PathList *list, ImportReport *report, Err *err);

// Describes the files for the provenance: each by its name and SHA-256. If there are more than 8
// files, only their number and one common hash are stored. Files that cannot be read are refused
// and removed from the list. Returns an error if no file remains.
Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err);

// If ReadSettings.variations is set, each variation becomes a separate game, numbered after its
// main game. Its result is that of the referee, otherwise the one that the file states for the
// variation, otherwise unknown. It has the tags of the main game and two more: VariationOf is the
// key of the game from which it branches, VariationPly the number of plies before it. A variation
// has no sample of a position that the main game or an earlier variation has sampled.

// Reads a game from a record. Determines its result, the ply at which the rules end it, and the
// sampled plies.
ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err);

// Reads the files and writes the shards of the run. A file that cannot be opened or read to its end
// is refused. If it is larger than 32 MB, its games before the fault are kept. Returns an error if
// the only file cannot be opened, or if a shard cannot be written. Adds to the counts in *report.
Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err);
