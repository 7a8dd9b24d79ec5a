// SPDX-License-Identifier: GPL-3.0-or-later
// The store: a run is a directory of shards, each one closed HDF5 file of whole games that was
// renamed into place. datasets/README.md documents every column. Only this folder sees hdf5.h;
// calls are serialised inside.
#pragma once

#include "core/base/options.h"
#include "core/base/out_file.h"
#include "core/base/progress.h"
#include "datasets/store/record.h"

// Switches HDF5's own error stack printing off; call once at start-up.
void datasets_library_init(void);
// The lines `hdf5 VERSION` and `zlib VERSION`.
void datasets_library_versions(FILE *out);

// Of the files this program reads and writes.
enum { STORE_SCHEMA_VERSION = 2 };

// How a file is made. provenance_begin() fills it for a command; provenance_clear() frees.
typedef struct Provenance {
    const char *kind, *command; // "selfplay", "import", "match"; the command's name
    uint64_t seed;
    Text options;  // how they were resolved
    Text identity; // what decides the content: see run.h
    Text rules;    // name of the rule set; see rules_to_text() for other settings than its own
    Text weights;  // name and hash of the players' weights
    Text source;   // imported files, opening book: name and SHA-256
} Provenance;
void provenance_clear(Provenance *provenance);
AUTO_VALUE(Provenance, provenance_clear)

// Derives games (ascending index) and writes them with the positions they sample as
// DIR/shard-AAAAAAAA-BBBBBBBB.h5, where A:B, first game to one past the last covered index, is the
// range the shard answers for: temporary name, close, fsync, rename, fsync of the directory. name
// receives the file's name.
enum { SHARD_NAME_SIZE = 64 };
Status shard_write(const char *dir, GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err);

// The head of a shard.
typedef struct ShardHead {
    OptionRange range; // the games it answers for
    size_t counts[ROW_GROUP_COUNT];
    char content_hash[SHA256_HEX_SIZE];
} ShardHead;

// Writes derived games to `path` (any name), through the disk: closed and fsynced when it returns.
Status shard_write_file(const char *path, const GameBatch *batch, OptionRange range,
                        const Provenance *provenance, Err *err);

// Reads and checks the head of a shard: schema, lengths of all columns.
Status shard_read_head(const char *path, ShardHead *head, Err *err);

// Reads a shard from its beginning in blocks of whole games.
typedef struct ShardReader ShardReader;
Status shard_reader_open(const char *path, ShardReader **reader, Err *err);
void shard_reader_close(ShardReader *reader);
AUTO_HANDLE(ShardReader, shard_reader_close)
const ShardHead *shard_reader_head(const ShardReader *reader);
// The next games, with about max_plies plies (at least one game; 0: all the rest), their plies and
// positions; game_batch_check() is left to the caller. The batch is filled anew, the caller clears
// it; no games: the end.
Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err);
// When all games were read: are they what content_hash says? STATUS_CORRUPT; asked once.
Status shard_reader_check(ShardReader *reader, Err *err);
// Nobody will ask so: the games need not be hashed.
void shard_reader_unchecked(ShardReader *reader);
// Reads a shard's sampled positions: *positions (count of them) is the caller's to free;
// position_record_board() checks each and sets its pieces up.
Status shard_read_positions(const char *path, PositionRecord **positions, size_t *count, Err *err);

// The attributes of /provenance, as texts; the seed is a decimal number.
enum {
    PROVENANCE_SEED,
#define PROVENANCE(name, value) PROVENANCE_##name,
#include "datasets/store/provenance.def"
    PROVENANCE_COUNT
};
extern const char *const provenance_names[PROVENANCE_COUNT];
typedef union ProvenanceTexts {
    char *list[PROVENANCE_COUNT]; // by provenance_names
    struct {
        char *seed;
#define PROVENANCE(name, value) char *name;
#include "datasets/store/provenance.def"
    };
} ProvenanceTexts;
void provenance_texts_clear(ProvenanceTexts *texts);
AUTO_VALUE(ProvenanceTexts, provenance_texts_clear)
// Those of a shard, whose columns are not looked at. The caller clears them.
Status shard_read_provenance(const char *path, ProvenanceTexts *texts, Err *err);

// ---- the files ---------------------------------------------------------------------------------

// The shard files of a run directory in game order, or the one file that is named. The caller
// frees the list with path_list_clear().
Status store_list_files(const char *path, PathList *list, Err *err);
// Is it the name, without folders, of a shard: shard-*.h5?
bool is_shard_name(const char *name);
// The same for several of them, in that order; it is an error when one of them has none, or, unless
// `parts` is set, is a run that was left unfinished (run.h).
Status store_list_all(const char *const *paths, size_t count, bool parts, PathList *list, Err *err);

// The games of all files, for the time that is left; one that cannot be read has none.
uint64_t store_count_games(const PathList *files);

// ---- a store -----------------------------------------------------------------------------------

// A run directory, or one shard file, opened for reading. Shards are in game order. A run that was
// left unfinished (run.h) is refused.
typedef struct Store Store;
Status store_open(const char *path, Store **store, Err *err);
// The same of a list of files. Unless `any_order` is set they are put into game order, and two that
// hold the same games are refused, with the remedy named.
Status store_open_files(const PathList *files, bool any_order, const char *remedy, Store **store,
                        Err *err);
void store_close(Store *store);
AUTO_HANDLE(Store, store_close)

size_t store_shard_count(const Store *store);
const char *store_shard_path(const Store *store, size_t shard);
OptionRange store_shard_range(const Store *store, size_t shard);
// SHA-256 of the content hashes of its shards: tells one source from another without reading it.
void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]);
uint64_t store_game_count(const Store *store);
uint64_t store_position_count(const Store *store);

// Reads all of a shard: games, plies, tags and positions. game_batch_clear() frees, also after a
// failure.
Status store_read_shard(const Store *store, size_t shard, GameBatch *batch, Err *err);
// ---- going through it --------------------------------------------------------------------------

// Functions that a scan calls. A failure ends the scan with that failure.
typedef struct ScanHooks {
    Status (*opened)(void *context, const char *path, ShardReader *reader, Err *err); // may be NULL
    // Some games, not yet checked (game_batch_check()); the hook may change them.
    Status (*block)(void *context, const char *path, GameBatch *games, Err *err);
    void *context;
    bool parts; // of a run that was left unfinished, too
} ScanHooks;

// STATUS_INTERRUPTED after Ctrl-C, between two blocks. progress may be NULL.
Status store_scan_files(const PathList *files, const ScanHooks *hooks, Progress *progress,
                        Err *err);
Status store_scan_paths(const char *const *paths, size_t count, const ScanHooks *hooks,
                        Progress *progress, Err *err);

// ---- single games ------------------------------------------------------------------------------

// Reads the games of a store one after the other, however many there are. The store must outlive
// the stream.
typedef struct GameStream GameStream;
GameStream *game_stream_open(const Store *store);
// The game of this index and its plies, which live until the next call; *game is NULL where the
// store has none. Indices ascend from call to call.
Status game_stream_find(GameStream *stream, uint64_t index, const GameRecord **game,
                        const PlyRecord **plies, Err *err);
// The tags of the game that was found last, game->tag_count of them.
const TagRecord *game_stream_tags(const GameStream *stream);
void game_stream_close(GameStream *stream);
AUTO_HANDLE(GameStream, game_stream_close)
