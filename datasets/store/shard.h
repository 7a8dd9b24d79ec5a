// SPDX-License-Identifier: GPL-3.0-or-later
// One shard file: writing it whole, reading it with every check, and what made it.
// datasets/README.md documents every column. Only this room sees hdf5.h; calls are serialised
// inside.
#pragma once

#include "core/base/options.h"
#include "datasets/store/record.h"

// Switches HDF5's own error stack printing off; call once at start-up.
void datasets_library_init(void);
// The lines `hdf5 VERSION` and `zlib VERSION`.
void datasets_library_versions(FILE *out);

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

// What the head of a shard says.
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
const ShardHead *shard_reader_head(const ShardReader *reader);
// The next games, with about max_plies plies (at least one game; 0: all the rest), their plies and
// positions; game_batch_check() is left to the caller. The batch is filled anew, the caller clears
// it; no games: the end.
Status shard_reader_next(ShardReader *reader, size_t max_plies, GameBatch *batch, Err *err);
// Positions first..first+count-1, whatever was read before.
Status shard_reader_positions(ShardReader *reader, size_t first, size_t count,
                              PositionRecord *records, Err *err);
// The same, but only squares, side to move and result: boards with outcomes and nothing else.
Status shard_reader_boards(ShardReader *reader, size_t first, size_t count, PositionRecord *records,
                           Err *err);

// What /provenance says, as texts; the seed is a decimal number.
enum {
    PROVENANCE_SEED,
#define PROVENANCE(name, value, meaning) PROVENANCE_##name,
#include "datasets/store/provenance.def"
#undef PROVENANCE
    PROVENANCE_COUNT
};
extern const char *const provenance_names[PROVENANCE_COUNT];
typedef union ProvenanceTexts {
    char *list[PROVENANCE_COUNT]; // by provenance_names
    struct {
        char *seed;
#define PROVENANCE(name, value, meaning) char *name;
#include "datasets/store/provenance.def"
#undef PROVENANCE
    };
} ProvenanceTexts;
void provenance_texts_clear(ProvenanceTexts *texts);
// Those of the shard, which live as long as the reader.
Status shard_reader_provenance(ShardReader *reader, const ProvenanceTexts **texts, Err *err);
