// SPDX-License-Identifier: GPL-3.0-or-later
// Imports games from files of other programs into a run directory.
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/formats/survey.h"
#include "datasets/store/store.h"

// Selects the positions of an imported game that are sampled.
typedef enum ImportSample {
    IMPORT_SAMPLE_QUIET, // positions that are not in check and whose played move is not a capture
    IMPORT_SAMPLE_ALL,
    IMPORT_SAMPLE_NONE,
} ImportSample;

// Selects the result of a game whose file does not state one.
typedef enum ImportUnknown {
    IMPORT_UNKNOWN_REFEREE, // use the result that the rules give; if they do not end the game at
                            // its last position, refuse it
    IMPORT_UNKNOWN_DRAW, // use the result that the rules give; if they do not end the game at its
                         // last position, store a draw
    IMPORT_UNKNOWN_SKIP, // refuse the game
    IMPORT_UNKNOWN_NONE, // store the result as unknown (RESULT_NONE), except in a game that the
                         // rules end at its last position
} ImportUnknown;

typedef struct ImportSpec {
    const PathList *paths;    // files and archives to read; an empty list means standard input
    const GameFormat *format; // format of all files; NULL: the format of each file is detected by
                              // its content or, if that fails, by its name
    ReadSettings read;
    const char *out; // run directory to write; it may exist, but must not hold games
    Rules rules;     // rules that decide how each game ends, such as on repetition
    ImportSample sample;
    ImportUnknown unknown;
    bool result_by_name; // if the file states no result, use the result in its name or in the name
                         // of its folder or archive; if no name has a result, decide by `unknown`
    int sample_after; // smallest number of plies before a sampled position. Positions after the ply
                      // at which the rules end the game are never sampled
    // Set if the user gave the option --sample or --sample-after. In files of positions, an option
    // that was not given has the value "all" or 0 instead of its usual default.
    bool sample_given, sample_after_given;
    int shard_games; // largest number of records in a shard; the variations of these records are
                     // stored in the same shard, but not counted
    int threads;
    const Provenance *provenance; // provenance that each shard stores
} ImportSpec;

typedef struct ImportReport {
    uint64_t records;                       // number of records and variations that were read
    uint64_t plies_scored;                  // kept plies with a score or a mate
    uint64_t games, plies, positions;       // kept games, their plies and their sampled positions
    uint64_t refused[IMPORT_REFUSAL_COUNT]; // number of refused records and variations, by reason
    uint64_t refused_files; // number of refused files and folders, such as damaged files and files
                            // without a game
    uint64_t ends[END_REASON_COUNT]; // number of kept games by GameRecord.end_reason: the reason
                                     // for which the rules end the game, or the reason that Paotai
                                     // stored in the file
    PassedOver passed; // files that were not read because of the endings of their names, and files
                       // that were opened as text, by encoding
    // Formats of positions: number of kept records, number of games to which they belong (distinct
    // values of /games/group), and number of these games that only the order of the rows shows.
    uint64_t grouped, groups, guessed_groups;
    uint64_t unsampled;  // number of kept games without a sampled position
    uint64_t by_referee; // number of kept games whose result was determined by the rules
    uint64_t unknown;    // number of kept games, without variations, whose result stays unknown
    uint64_t as_draws;   // number of kept games of unknown result that were stored as draws
    uint64_t by_name; // number of kept games whose result was found in the name of a file, folder
                      // or archive
    size_t doubtful_units; // number of scores in files of the formats plain and bin whose unit is
                           // not stated
    Text scales;    // scales of the results in files of positions, such as "half"; the caller
                    // clears it
    uint64_t sided; // number of positions in kept games whose side to move is that of the option
                    // --side
    uint64_t variations; // number of kept games that are variations of another game
    uint64_t varied;     // number of kept games whose variations were not read
    // Sums over all kept games. Each is the sum of the SourceGame member of the same name.
    uint64_t remarks_cut, variations_cut, tags_cut;
    bool interrupted; // Ctrl-C stopped the import; the games read before are kept
} ImportReport;

// The place of a fault in the input.
typedef struct ImportPlace {
    const char *path; // name of the file, such as "games.zip:sub/a.pgn"
    size_t line;   // number of the faulty line, from 1; 0 if the file has no lines, or if the whole
                   // file is faulty
    size_t offset; // byte offset of the record, if the file has no lines
    size_t number; // number of the faulty record in its file, from 1; 0 if the whole file is faulty
} ImportPlace;

// Callback of an import, called for each refused record and file. Refused records are reported in
// the order of the files. A file that cannot be opened may be reported before the records of
// earlier files.
typedef struct ImportHooks {
    void (*refused)(void *context, const ImportPlace *place, const char *why);
    void *context;
} ImportHooks;

// Counts a refused file in *report and calls the callback.
void import_refuse_file(const ImportHooks *hooks, ImportReport *report, const char *path,
                        const char *why);

// Adds a file to the list. For a directory, adds the files in it and in its sub-directories, sorted
// by name, if source_name_is_wanted() accepts their names. Hidden files are skipped, and files that
// are not regular are refused. Returns STATUS_NOT_FOUND if no file of a directory was added or
// refused.
Status import_list_files(const char *path, const GameFormat *format, const ImportHooks *hooks,
                         PathList *list, ImportReport *report, Err *err);

// Searches for a result in a file name, then in the names of its folders and archive, innermost
// first. In each name, the word 和 (draw) is tried last, because it also means "and". Returns false
// if there is none.
bool import_result_of_name(const char *path, int8_t *result);

// Describes the files for the provenance. A file is described by its name and SHA-256, standard
// input by source_stream_to_text(). If there are more than 8 files, only their number and one
// common hash are stored. Files that cannot be read are refused and removed from the list. Returns
// an error if files were given but none can be read.
Status import_sources_to_text(PathList *paths, const ImportHooks *hooks, ImportReport *report,
                              Text *text, Err *err);

// Copies of the inputs that can be read only once, such as standard input and named pipes. An
// import reads each input twice: first its survey, then its games.
typedef struct ImportCopies {
    FILE **files; // copy of each path; NULL if the path can be read again
    size_t count;
} ImportCopies;

// Copies such inputs to temporary files in the directory `dir`, which have no name there and end
// with the program. If `dir` is NULL, copies them to memory, and refuses an input of more than 64
// MB. An empty list of paths means standard input.
Status import_copy_inputs(const PathList *paths, const char *dir, ImportCopies *copies, Err *err);
void import_copies_clear(ImportCopies *copies);
AUTO_VALUE(ImportCopies, import_copies_clear)

// Surveys all files of positions and decides their doubtful readings. Ignores files that cannot be
// read. Returns STATUS_BAD_INPUT if a reading cannot be decided.
Status import_survey(const PathList *paths, const ImportCopies *copies, const GameFormat *format,
                     const ReadSettings *settings, Survey *survey, Err *err);

// Prints the first five records of each file as an import understands them: place, board, side to
// move, move, score, result in words, and the origin of each. Writes nothing else. Reads standard
// input into memory. Returns STATUS_REPORTED if one of these records, or a file, is refused.
Status import_check(const ImportSpec *spec, bool json, FILE *out, Err *err);

// If ReadSettings.variations is set, each variation becomes a separate game, numbered after its
// main game. If the rules end the variation at its last position, they determine its result.
// Otherwise its result is the one that the file states for the variation, or unknown if the file
// states none. With IMPORT_UNKNOWN_SKIP, a variation without a stated result is refused. A
// variation has the tags of the main game except Termination, and two more. VariationPly is the
// number of plies before the variation. VariationOf is the key of the game from which the variation
// branches, if that game was kept. A position that was sampled in the main game or in an earlier
// variation is not sampled again.

// Reads a game from a record. Determines its result, the ply at which the rules end it, and the
// sampled plies. If the game is refused, *err has the reason.
ImportRefusal import_read(const ImportSpec *spec, const SourceText *text, SourceGame *source,
                          Err *err);

// Reads the files and writes the shards of the run. A file that cannot be opened or read to its end
// is refused. If such a file is larger than about 32 MB, its games before the fault are kept.
// Returns an error if there is only one file and it cannot be opened, or if the run cannot be
// written. Adds to the counts in *report.
Status import_games(const ImportSpec *spec, const ImportHooks *hooks, Progress *progress,
                    ImportReport *report, Err *err);
