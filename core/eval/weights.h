// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the evaluation: the struct, the flat vector, names, hashes and files, all from
// weights.def.
#pragma once

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"

// A weight, or a sum of weights: middlegame and endgame apart, in units (100 = one point of the
// classic table).
typedef struct Score {
    int32_t mg, eg;
} Score;

// The piece whose worth a term is part of, the assumptions that the fit may make about it, and the
// points it covers if it is a table: weights.def explains them.
typedef enum WeightGroup {
#define GROUP(id, name, piece) GROUP_##id,
#include "core/eval/weights.def"
    GROUP_COUNT,
} WeightGroup;
typedef enum TermPart { TERM_MATERIAL, TERM_ENTRY, TERM_FREE, TERM_TOGETHER } TermPart;
typedef enum TableShape {
#define SHAPE(id, ...) SHAPE_##id,
#include "core/eval/weights.def"
    SHAPE_COUNT,
} TableShape;

typedef struct Weights {
#define WEIGHT(name, count, group, part, shape, classic, meaning) Score name[count];
#include "core/eval/weights.def"
} Weights;

// Number of (middlegame, endgame) pairs, and the index of the first pair of each term.
enum { WEIGHT_COUNT = sizeof(Weights) / sizeof(Score) };
#define WEIGHT_INDEX(term) ((int)(offsetof(Weights, term) / sizeof(Score)))

// One row of weights.def.
typedef struct WeightTerm {
    const char *name;
    int first, count; // pairs
    WeightGroup group;
    TermPart part;
    TableShape shape; // SHAPE_NONE: not a table
    int32_t classic;
    const char *meaning;
} WeightTerm;

enum {
    WEIGHT_TERM_COUNT = 0
#define WEIGHT(name, count, group, part, shape, classic, meaning) +1
#include "core/eval/weights.def"
};
extern const WeightTerm weight_terms[WEIGHT_TERM_COUNT];
const char *weight_group_name(WeightGroup group);  // "crossed soldier"
const char *weight_group_piece(WeightGroup group); // "a soldier across the river"
// The term that pair `index` belongs to.
const WeightTerm *weight_term_of(int index);
// The entries of a term without a table: SCALE and KINDS of weights.def.
typedef struct WeightAxis {
    const char *terms;
    int first;
    const char *what;          // is counted, from `first` on; NULL: entries are kinds
    const char *outer, *inner; // their names
} WeightAxis;
const WeightAxis *weight_axis_of(const WeightTerm *term);
// The entry's name on it: "3", "own turn, horse"; text holds `size` bytes.
void weight_entry_name(const WeightTerm *term, int entry, char *text, size_t size);
// "table_horse[12]" for pair `index`; text holds `size` bytes.
void weight_pair_name(int index, char *text, size_t size);

ALWAYS_INLINE Score *weights_flat(Weights *weights) {
    return (Score *)(void *)weights;
}
ALWAYS_INLINE const Score *weights_flat_const(const Weights *weights) {
    return (const Score *)(const void *)weights;
}

enum { WEIGHT_LIMIT = 30000 }; // a weight lies within +-WEIGHT_LIMIT

// The values of the books: the column `classic` of weights.def.
void weights_classic(Weights *weights);
// The values of the weight file that was compiled in, core/eval/weights_default.txt, and its text.
void weights_default(Weights *weights);
const char *weights_default_text(void);

// "classic", "default", or the path of a weight file. Errors name file, line, value and remedy.
Status weights_load(const char *name_or_path, Weights *weights, Err *err);
// Parses the text form: every term once, all of its values; the line of the schema, which a file
// written by hand may leave out, must be this program's. `origin` names the text in errors.
Status weights_parse(const char *text, const char *origin, Weights *weights, Err *err);
// The same of a whole file that was read, terminated by a zero byte.
Status weights_of_file(const char *data, size_t length, const char *origin, Weights *weights,
                       Err *err);
// Writes the text form: provenance as '#' lines (borrowed, may be NULL), then `term mg eg mg eg
// ...` lines, one a term, preceded by the schema hash.
void weights_format(const Weights *weights, const char *provenance, Text *text);
// Appends the lines of a text (borrowed, may be NULL) as comments.
void weights_format_comment(const char *lines, Text *text);
Status weights_save(const Weights *weights, const char *path, const char *provenance, Err *err);

// SHA-256 of the values (as little-endian 32-bit pairs) and of the schema (names, counts, groups).
void weights_hash(const Weights *weights, char hex[SHA256_HEX_SIZE]);
void weights_schema_hash(char hex[SHA256_HEX_SIZE]);
