// SPDX-License-Identifier: GPL-3.0-or-later
// The store: a run is a directory of shards, each one closed HDF5 file that was renamed into place.
// datasets/README.md documents every column. Only this room sees hdf5.h; calls are serialised
// inside.
#pragma once

#include "core/base/hash.h"
#include "core/base/options.h"
#include "datasets/store/record.h"

// Of the files this program reads and writes.
enum { STORE_SCHEMA_VERSION = 2 };

// What made a file. All texts are borrowed; NULL counts as "".
typedef struct Provenance {
    const char *kind;     // "selfplay", "import", "match"
    const char *command;  // the command's name
    const char *options;  // command_options_text(): how the options were resolved
    const char *identity; // what decides the content: see run.h
    const char *rules; // name of the rule set; see rules_to_text() for other settings than its own
    const char *weights; // name and hash of the players' weights
    const char *source;  // imported file, opening book: name and SHA-256
    const char *gsl;     // version of GSL where the caller uses it
    uint64_t seed;
} Provenance;

// Derives games (ascending index) and writes them with the positions they sample as
// DIR/shard-AAAAAAAA-BBBBBBBB.h5, where A:B, first game to one past the last covered index, is the
// range the shard answers for: temporary name, close, fsync, rename, fsync of the directory. name
// receives the file's name.
enum { SHARD_NAME_SIZE = 64 };
Status shard_write(const char *dir, GameBatch *batch, OptionRange range,
                   const Provenance *provenance, char name[SHARD_NAME_SIZE], Err *err);

// A run directory, or one shard file, opened for reading. Shards are in game order.
typedef struct Store Store;
Status store_open(const char *path, Store **store, Err *err);
void store_close(Store *store);

size_t store_shard_count(const Store *store);
const char *store_shard_path(const Store *store, size_t shard);
OptionRange store_shard_range(const Store *store, size_t shard);
// SHA-256 of the content hashes of its shards: tells one source from another without reading it.
void store_digest(const Store *store, char hex[SHA256_HEX_SIZE]);
uint64_t store_game_count(const Store *store);
uint64_t store_position_count(const Store *store);
// The provenance text of a shard as key=value lines; the caller frees it.
Status store_provenance(const Store *store, size_t shard, char **text, Err *err);

// Reads a shard's games with all plies (appended to batch).
Status store_read_games(const Store *store, size_t shard, GameBatch *batch, Err *err);
// Reads a shard's sampled positions: *positions (count of them) is the caller's to free;
// position_record_board() checks each and sets its pieces up.
Status store_read_positions(const Store *store, size_t shard, PositionRecord **positions,
                            size_t *count, Err *err);

// Reads the games of a store one after the other, however many there are. The store must outlive
// the stream.
typedef struct GameStream GameStream;
GameStream *game_stream_open(const Store *store);
// The game of this index and its plies, which live until the next call; *game is NULL where the
// store has none. Indices ascend from call to call.
Status game_stream_find(GameStream *stream, uint64_t index, const GameRecord **game,
                        const PlyRecord **plies, Err *err);
void game_stream_close(GameStream *stream);
