// SPDX-License-Identifier: GPL-3.0-or-later
// The store. A run is a directory of shards. A shard is a closed HDF5 file of whole games, which
// was renamed to its final name when it was complete. datasets/README.md documents every column.
// Only the room datasets includes hdf5.h; calls of HDF5 are serialised inside.
#pragma once

#include "core/base/options.h"
#include "core/base/out_file.h"
#include "core/base/progress.h"
#include "datasets/store/record.h"
#include "datasets/store/run_directory.h"

// Initialises HDF5: switches off error printing, external links and plugins. Called once at
// start-up.
void datasets_library_init(void);
// Prints the lines `hdf5 VERSION` and `zlib VERSION`.
void datasets_library_versions(FILE *out);

// Version of the files that this program reads and writes.
enum { STORE_SCHEMA_VERSION = 2 };

// The provenance of a file. provenance_begin() fills it for a command; provenance_clear() frees it.
typedef struct Provenance {
    const char *kind, *command; // "selfplay", "import", "match" ...; name of the command
    uint64_t seed;
    Text options;  // options as resolved
    Text identity; // everything that decides the content, see run.h
    Text rules;    // the rules, see rules_to_text()
    Text weights;  // names and hashes of the players' weights
    Text source;   // names and SHA-256 of imported files and of the opening book
} Provenance;
void provenance_clear(Provenance *provenance);
AUTO_VALUE(Provenance, provenance_clear)

// Derives games, whose indices ascend, and writes them as DIR/shard-AAAAAAAA-BBBBBBBB.h5 with their
// sampled positions. A:B is the range that the shard covers, half-open. The file is written under a
// temporary name, synced and renamed, and the directory is synced. `name` receives the file's name.
// Defined in shard_write.c.
enum { SHARD_NAME_SIZE = 64 };
Status shard_write(const char *dir, GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err);

// The head of a shard.
typedef struct ShardHead {
    OptionRange range; // games that the shard covers
    size_t counts[ROW_GROUP_COUNT];
    char content_hash[SHA256_HEX_SIZE];
} ShardHead;

// Writes derived games to a file of any name. The file is closed and synced when the function
// returns.
Status shard_write_file(const char *path, const GameBatch *batch, OptionRange range,
                        const Provenance *provenance, Err *err);

// Reads and checks the head of a shard: schema and lengths of all columns. Defined, like the
// functions up to shard_read_provenance(), in shard_read.c.
Status shard_read_head(const char *path, ShardHead *head, Err *err);

// Reads a shard in blocks of whole games.
typedef struct ShardReader ShardReader;
Status shard_reader_open(const char *path, ShardReader **reader, Err *err);
void shard_reader_close(ShardReader *reader);
AUTO_HANDLE(ShardReader, shard_reader_close)
const ShardHead *shard_reader_head(const ShardReader *reader);
// Reads the next games with about max_plies plies; at least one game, or all remaining if max_plies
// is 0. The caller calls game_batch_check() and clears the batch. At the end the batch has no
// games.
Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err);
// Compares the content of the shard with content_hash once all games were read. Returns
// STATUS_CORRUPT if it differs. Call it at most once.
Status shard_reader_check(ShardReader *reader, Err *err);
// Skips the hashing of games, because the caller will not call shard_reader_check().
void shard_reader_unchecked(ShardReader *reader);
// Reads the sampled positions of a shard. The caller frees *positions, and calls
// position_record_board() to check each one and set it up.
Status shard_read_positions(const char *path, PositionRecord **positions, size_t *count, Err *err);

// The attributes of /provenance as texts; the seed is a decimal number.
enum {
    PROVENANCE_SEED,
#define PROVENANCE(name, value) PROVENANCE_##name,
#include "datasets/store/provenance.def"
    PROVENANCE_COUNT
};
extern const char *const provenance_names[PROVENANCE_COUNT];
typedef union ProvenanceTexts {
    char *list[PROVENANCE_COUNT]; // in the order of provenance_names
    struct {
        char *seed;
#define PROVENANCE(name, value) char *name;
#include "datasets/store/provenance.def"
    };
} ProvenanceTexts;
void provenance_texts_clear(ProvenanceTexts *texts);
AUTO_VALUE(ProvenanceTexts, provenance_texts_clear)
// Reads the provenance of a shard without checking its columns. The caller clears the texts.
Status shard_read_provenance(const char *path, ProvenanceTexts *texts, Err *err);

// ---- files -------------------------------------------------------------------------------------

// Lists the shard files of several paths, in that order. A path without shards is an error. So is
// an unfinished run (run_directory.h), unless `accept_unfinished` is set.
Status store_list_all(const char *const *paths, size_t count, bool accept_unfinished,
                      PathList *list, Err *err);

// Counts the games of all files, for progress lines. A file that cannot be read counts as empty.
uint64_t store_count_games(const PathList *files);

// ---- a store -----------------------------------------------------------------------------------

// An open run directory or shard file. Shards are in game order. An unfinished run
// (run_directory.h) is refused.
typedef struct Store Store;
Status store_open(const char *path, Store **store, Err *err);
// Opens a list of files. Unless `any_order` is set, sorts them in game order and refuses files with
// the same games; `remedy` completes that message.
Status store_open_files(const PathList *files, bool any_order, const char *remedy, Store **store,
                        Err *err);
void store_close(Store *store);
AUTO_HANDLE(Store, store_close)

size_t store_shard_count(const Store *store);
const char *store_shard_path(const Store *store, size_t shard);
OptionRange store_shard_range(const Store *store, size_t shard);
// Computes the SHA-256 of the content hashes of the shards. It identifies a source without reading
// it.
void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]);
uint64_t store_game_count(const Store *store);
uint64_t store_position_count(const Store *store);

// Reads a whole shard: games, plies, tags and positions. game_batch_clear() frees it, also after a
// failure.
Status store_read_shard(const Store *store, size_t shard, GameBatch *batch, Err *err);

// ---- scans -------------------------------------------------------------------------------------

// Functions that a scan calls. If one fails, the scan fails.
typedef struct ScanHooks {
    Status (*opened)(void *context, const char *path, ShardReader *reader,
                     Err *err); // called for each shard, or NULL
    // Receives some games without game_batch_check(), and may change them.
    Status (*block)(void *context, const char *path, GameBatch *games, Err *err);
    void *context;
    bool accept_unfinished; // also scan an unfinished run
} ScanHooks;

// Scan all games. Return STATUS_INTERRUPTED after Ctrl-C, between two blocks. `progress` can be
// NULL.
Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err);
Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err);

// ---- single games ------------------------------------------------------------------------------

// Reads single games of a store of any size in ascending order. The store must outlive the stream.
typedef struct GameStream GameStream;
GameStream *game_stream_open(const Store *store);
// Finds the game with this index. Sets *game to NULL if the store does not have it. Game and plies
// are valid until the next call. Indices ascend from call to call.
Status game_stream_find(GameStream *stream, uint64_t index, const GameRecord **game,
                        const PlyRecord **plies, Err *err);
// Returns the game->tag_count tags of the game found last.
const TagRecord *game_stream_tags(const GameStream *stream);
void game_stream_close(GameStream *stream);
AUTO_HANDLE(GameStream, game_stream_close)
