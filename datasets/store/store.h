// SPDX-License-Identifier: GPL-3.0-or-later
// The store of games. A run is a directory of shards. A shard is an HDF5 file of whole games. It is
// renamed to its final name only when it is complete. datasets/README.md documents every column. A
// store is a run or a single shard. Any thread can call these functions: they call HDF5 under a
// lock.
#pragma once

#include "core/command/options.h"
#include "core/command/progress.h"
#include "core/system/out_file.h"
#include "datasets/store/record.h"
#include "datasets/store/run_directory.h"

// Initialises HDF5 at the start of the program: disables error printing, external links and
// plugins.
void datasets_library_init(void);
// Prints the lines `hdf5 VERSION` and `zlib VERSION`.
void datasets_library_versions(FILE *out);

// Version of the shard format that this program reads and writes. A column that a file may lack
// (column_may_lack()) does not change the version.
enum { STORE_SCHEMA_VERSION = 2 };

// The provenance of a run: how it was made. Every shard stores it. provenance_begin() starts it for
// a command; provenance_clear() frees it.
typedef struct Provenance {
    const char *kind,
        *command;  // kind of the run ("selfplay", "import", "match" ...), and name of the command
    uint64_t seed; // seed of the random choices of the run
    Text options;  // "name=value" lines of all options of the command, with defaults filled in
    Text identity; // "name=value" lines of the settings that determine the games; see run.h
    Text rules;    // rules of the referee, as rules_to_text() writes them
    Text weights;  // names of the players and hashes of their weights; see provenance.def
    Text source; // names and hashes of imported files or of the opening book, or the provenance of
                 // the runs from which this run is derived
} Provenance;
void provenance_clear(Provenance *provenance);
AUTO_VALUE(Provenance, provenance_clear)

// Completes the games of a batch by game_batch_derive() and writes them, with their sampled
// positions, as DIR/shard-AAAAAAAA-BBBBBBBB.h5. The shard covers `range`: the game indices A to
// B-1. The indices of the games must lie in this range and ascend. The file is written under a
// temporary name, synced and renamed. Then the directory is synced. `name` receives the file's
// name. Defined in shard_write.c.
enum { SHARD_NAME_SIZE = 64 };
Status shard_write(const char *dir, GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err);

// Properties of a shard that can be read without reading its games.
typedef struct ShardHead {
    OptionRange range;              // range of game indices that the shard covers
    size_t counts[ROW_GROUP_COUNT]; // number of games, plies, sampled positions, tag records
    bool grouped; // the shard has the column /games/group: some of its games are parts of games
    char content_hash[SHA256_HEX_SIZE]; // content hash that is stored in the file
} ShardHead;

// Writes games to a shard file of any name, and syncs the file. The caller has called
// game_batch_derive(). Defined in shard_write.c.
Status shard_write_file(const char *path, const GameBatch *batch, OptionRange range,
                        const Provenance *provenance, Err *err);

// Reads the header of a shard, and checks the schema and the lengths of all columns. This function
// and those up to shard_read_provenance() are defined in shard_read.c.
Status shard_read_head(const char *path, ShardHead *head, Err *err);

// Reads the games of a shard block by block. A block holds whole games.
typedef struct ShardReader ShardReader;
Status shard_reader_open(const char *path, ShardReader **reader, Err *err);
void shard_reader_close(ShardReader *reader);
AUTO_HANDLE(ShardReader, shard_reader_close)
const ShardHead *shard_reader_head(const ShardReader *reader);
// Reads the next block into *batch: at least one game, and at most max_plies plies unless the first
// game is longer. If max_plies is 0, reads all remaining games. The batch is empty at the end of
// the shard. The games are not checked; the caller calls game_batch_check(). The caller also clears
// the batch.
Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err);
// Compares the hash of all games with the attribute content_hash. Returns STATUS_CORRUPT if they
// differ. Returns STATUS_OK at once if the last game was not read yet. After the last game was
// read, it can be called only once.
Status shard_reader_check(ShardReader *reader, Err *err);
// Tells the reader that shard_reader_check() will not be called, so that it need not hash the
// games.
void shard_reader_unchecked(ShardReader *reader);
// Reads all sampled positions of a shard. The caller frees *positions, and calls
// position_record_board() to check and set up each position.
Status shard_read_positions(const char *path, PositionRecord **positions, size_t *count, Err *err);

// The attributes of the group /provenance as texts. The text of the seed is a decimal number.
enum {
    PROVENANCE_SEED,
#define PROVENANCE(name, value) PROVENANCE_##name,
#include "datasets/store/provenance.def"
    PROVENANCE_COUNT
};
extern const char *const provenance_names[PROVENANCE_COUNT];
typedef union ProvenanceTexts {
    char *list[PROVENANCE_COUNT]; // the texts, in the order of provenance_names
    struct {
        char *seed;
#define PROVENANCE(name, value) char *name;
#include "datasets/store/provenance.def"
    };
} ProvenanceTexts;
void provenance_texts_clear(ProvenanceTexts *texts);
AUTO_VALUE(ProvenanceTexts, provenance_texts_clear)
// Reads the provenance of a shard without checking the columns. A text attribute that the file
// lacks becomes an empty text; a missing seed is an error. The caller clears the texts, also after
// a failure.
Status shard_read_provenance(const char *path, ProvenanceTexts *texts, Err *err);

// ---- files -------------------------------------------------------------------------------------

// Fills *err with the message that `path` has no shards, and returns STATUS_NOT_FOUND.
Status store_refuse_empty(const char *path, Err *err);

// Lists the shard files of several paths, in the order of the paths. Returns an error if a path has
// no shards, or if it is an unfinished run and `accept_unfinished` is not set.
Status store_list_all(const char *const *paths, size_t count, bool accept_unfinished,
                      PathList *list, Err *err);

// Counts the games of all files. The sum is the total of a progress line. A file that cannot be
// read counts as empty.
uint64_t store_count_games(const PathList *files);

// ---- a store -----------------------------------------------------------------------------------

// The shards of a run directory, or a shard file: their paths and headers. store_open() puts the
// shards in game order. It refuses an unfinished run, and shards whose ranges overlap.
typedef struct Store Store;
Status store_open(const char *path, Store **store, Err *err);
// Opens a list of shard files as one store. Unless `any_order` is set, sorts them in game order and
// returns STATUS_MISMATCH if two files cover the same game index. The error message then ends with
// `remedy`, which tells the user what to do.
Status store_open_files(const PathList *files, bool any_order, const char *remedy, Store **store,
                        Err *err);
void store_close(Store *store);
AUTO_HANDLE(Store, store_close)

size_t store_shard_count(const Store *store);
const char *store_shard_path(const Store *store, size_t shard);
OptionRange store_shard_range(const Store *store, size_t shard);
// Computes a hash that identifies the content of a store: the SHA-256 of the content hashes of its
// shards. No games are read.
void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]);
uint64_t store_game_count(const Store *store);
bool store_is_grouped(const Store *store); // a shard has the column /games/group
uint64_t store_position_count(const Store *store);

// Reads a whole shard: games, plies, tags and positions. Checks the games and the content hash.
// The caller clears the batch, also after a failure.
Status store_read_shard(const Store *store, size_t shard, GameBatch *batch, Err *err);

// ---- scans -------------------------------------------------------------------------------------

// Callbacks of a scan. If one returns an error, the scan stops and returns that error.
typedef struct ScanHooks {
    Status (*opened)(void *context, const char *path, ShardReader *reader,
                     Err *err); // called when a shard was opened; may be NULL
    // Called for each block of games. The games were not checked by game_batch_check(). The
    // function may change them.
    Status (*block)(void *context, const char *path, GameBatch *games, Err *err);
    void *context;
    bool accept_unfinished; // if set, store_scan_paths() also scans an unfinished run
    bool check_content;     // compare the content hash of each shard after its last block
} ScanHooks;

// Pass all games of the files, or of run directories and shards, to the callbacks: file by file, in
// the order of the list. Ctrl-C ends the scan after the current block; the functions then return
// STATUS_INTERRUPTED. `progress` can be NULL.
Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err);
Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err);

// ---- single games ------------------------------------------------------------------------------

// Finds single games of a store by ascending index, without reading the whole store into memory.
// The store must outlive the stream.
typedef struct GameStream GameStream;
GameStream *game_stream_open(const Store *store);
// Finds the game with this index. Sets *game to NULL if the store does not have this game. *game
// and *plies are valid until the next call. The index must not be smaller than in the previous
// call.
Status game_stream_find(GameStream *stream, uint64_t index, const GameRecord **game,
                        const PlyRecord **plies, Err *err);
// Returns the tag records of the game that the last call of game_stream_find() found. Their number
// is game->tag_count. Must not be called if that call found no game.
const TagRecord *game_stream_tags(const GameStream *stream);
void game_stream_close(GameStream *stream);
AUTO_HANDLE(GameStream, game_stream_close)
