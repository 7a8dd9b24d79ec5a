// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the evaluation: the struct, the flat vector, names, hashes and files, all from
// weights.def.
#pragma once

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"

// A weight or a sum of weights, for middlegame and endgame, in units (100 = one point of the
// classic table).
typedef struct Score {
    int32_t mg, eg;
} Score;

// Group, part and shape of a term. weights.def explains them.
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
const char *weight_group_name(WeightGroup group);  // for example "crossed soldier"
const char *weight_group_piece(WeightGroup group); // for example "a soldier across the river"
// Returns the term that holds pair `index`.
const WeightTerm *weight_term_of(int index);
// Names of the entries of terms that are no tables: SCALE and KINDS of weights.def.
typedef struct WeightAxis {
    const char *terms;         // beginning of the names of its terms
    int first;                 // count of the first entry, for SCALE
    const char *what;          // counted things, for SCALE; NULL for KINDS
    const char *outer, *inner; // names of the kinds, for KINDS
} WeightAxis;
const WeightAxis *weight_axis_of(const WeightTerm *term);
// Writes the name of an entry, such as "3" or "own turn, horse", to text[size].
void weight_entry_name(const WeightTerm *term, int entry, char *text, size_t size);
// Writes the name of pair `index`, such as "table_horse[12]", to text[size].
void weight_pair_name(int index, char *text, size_t size);

ALWAYS_INLINE Score *weights_flat(Weights *weights) {
    return (Score *)(void *)weights;
}
ALWAYS_INLINE const Score *weights_flat_const(const Weights *weights) {
    return (const Score *)(const void *)weights;
}

enum { WEIGHT_NAME_MAX = 64 }; // largest size of a term's name, with its zero byte
enum { WEIGHT_LIMIT = 30000 }; // a weight lies within +-WEIGHT_LIMIT

// Sets the values of the books: the column `classic` of weights.def.
void weights_classic(Weights *weights);
// Reads the weight file that was compiled in, core/eval/weights_default.txt.
Status weights_default(Weights *weights, Err *err);
const char *weights_default_text(void);

// Every set of weights, of a text, an HDF5 file or a network, is matched to the program's terms by
// name. A term that the set lacks is 0, which err_note() tells. A term that the program lacks is an
// error, or is left out with a note if `drop` is set. A term with another number of pairs is an
// error.
typedef struct WeightsMatch {
    bool drop;
    bool seen[WEIGHT_TERM_COUNT];
    Text dropped; // names
} WeightsMatch;
// Finds the program's term of this name; *term is NULL if it is left out.
Status weights_match(WeightsMatch *match, const char *name, size_t length, int pairs,
                     const WeightTerm **term, Err *err);
// Ends a set, which `origin` names: notes what is missing and what was left out. A set without any
// of the program's terms is an error.
Status weights_match_end(WeightsMatch *match, const char *origin, Err *err);
void weights_match_clear(WeightsMatch *match);
AUTO_VALUE(WeightsMatch, weights_match_clear)

// Loads "classic", "default", or a weight file, of text or HDF5. Errors name file, line, value and
// remedy. Unknown terms are left out if err_drops_unknown().
Status weights_load(const char *name_or_path, Weights *weights, Err *err);
// Parses the text form: a term a line, with all of its values. `origin` names the text in errors.
Status weights_parse(const char *text, const char *origin, Weights *weights, Err *err);
// Returns in *text, which the caller frees, the text form of a set with its comment lines.
Status weights_read_text(const char *name_or_path, char **text, Err *err);
// Returns the text form of the file `path`, whose bytes these are: data ends with a zero byte.
Status weights_text_of(const char *data, size_t length, const char *path, char **text, Err *err);

// Reads an HDF5 file and returns its text form, which the caller frees.
typedef Status WeightsReader(const char *path, char **text, Err *err);
// Sets the reader of HDF5, once at the start of the program: core/ has no HDF5. Without a reader
// such files are refused.
void weights_set_hdf5_reader(WeightsReader *reader);

// Writes the text form: provenance as '#' lines (borrowed, may be NULL), then `term mg eg mg eg
// ...` lines, one a term.
void weights_format(const Weights *weights, const char *provenance, Text *text);
// Appends the lines of a text (borrowed, may be NULL) as comments.
void weights_format_comment(const char *lines, Text *text);
Status weights_save(const Weights *weights, const char *path, const char *provenance, Err *err);

// Returns the SHA-256 of names and values (little-endian 32-bit pairs) of the terms that are not 0:
// a new term, which is 0, does not change it.
void weights_hash(const Weights *weights, char hex[SHA256_HEX_SIZE]);
// Adds these names and values to a hash.
void weights_hash_add(const Weights *weights, Sha256 *hash);
