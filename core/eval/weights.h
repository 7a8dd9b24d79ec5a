// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the linear evaluation, their names, hashes and files. The struct Weights and the names
// are generated from weights.def.
#pragma once

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/eval/terms_match.h"

// A weight, or a sum of weights, for the middlegame and for the endgame, in units of the
// evaluation. In the evaluation "classic", a chariot is worth 900 units.
typedef struct WeightPair {
    int32_t mg, eg;
} WeightPair;

// Values of the columns `group`, `part` and `shape` of weights.def, which explains them.
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
#define WEIGHT(name, count, group, part, shape, classic, meaning) WeightPair name[count];
#include "core/eval/weights.def"
} Weights;

// The flat vector is a Weights seen as an array of WEIGHT_COUNT pairs (weights_flat()). One pair
// has two weights, so the linear evaluation has 2 * WEIGHT_COUNT weights. WEIGHT_INDEX(term) is the
// index of the first pair of a term.
enum { WEIGHT_COUNT = sizeof(Weights) / sizeof(WeightPair) };
#define WEIGHT_INDEX(term) ((int)(offsetof(Weights, term) / sizeof(WeightPair)))

// A term of the evaluation, from one WEIGHT line of weights.def.
typedef struct WeightTerm {
    const char *name;
    int first; // index of the term's first pair (middlegame and endgame weight) in the array that
               // weights_flat() returns
    int count; // number of the term's pairs
    WeightGroup group;
    TermPart part;
    TableShape shape; // shape of the piece-square table; SHAPE_NONE: the term is not such a table
    int32_t classic;  // value of all weights of the term in the evaluation "classic", in units
    const char *meaning; // one occurrence of the term in words, such as "a chariot"
} WeightTerm;

enum {
    WEIGHT_TERM_COUNT = 0
#define WEIGHT(name, count, group, part, shape, classic, meaning) +1
#include "core/eval/weights.def"
};
extern const WeightTerm weight_terms[WEIGHT_TERM_COUNT];
const char *weight_group_name(WeightGroup group);  // returns a name such as "crossed soldier"
const char *weight_group_piece(WeightGroup group); // returns a name such as "a soldier across the
                                                   // river"
// Returns the term to which the element weights_flat()[index] belongs. An element is a pair of a
// middlegame and an endgame weight.
const WeightTerm *weight_term_of(int index);
// A line SCALE or KINDS of weights.def. It names the entries of terms that are not piece-square
// tables.
typedef struct WeightAxis {
    const char *terms; // prefix of the names of the terms to which the line applies
    int first;         // for a SCALE line: entry i is the weight for the number `first` + i
    const char *what;  // for a SCALE line: what is counted, such as "points to go to"; NULL for a
                       // KINDS line
    const char *outer, *inner; // for a KINDS line, whose entries form a table: `outer` names the
                               // rows, `inner` the columns; '|' separates the names
} WeightAxis;
const WeightAxis *weight_axis_of(const WeightTerm *term);
// Writes the name of an entry of a term that is not a piece-square table, such as "3" or "own turn,
// horse", to a buffer of `size` bytes.
void weight_entry_name(const WeightTerm *term, int entry, char *text, size_t size);
// Writes the name of weights_flat()[index], a pair of a middlegame and an endgame weight, to a
// buffer of `size` bytes. The name is for example "table_horse[12]".
void weight_pair_name(int index, char *text, size_t size);

ALWAYS_INLINE WeightPair *weights_flat(Weights *weights) {
    return (WeightPair *)(void *)weights;
}
ALWAYS_INLINE const WeightPair *weights_flat_const(const Weights *weights) {
    return (const WeightPair *)(const void *)weights;
}

enum { WEIGHT_NAME_MAX = 64 }; // size of a buffer for the name of any term, with its zero byte
enum { WEIGHT_LIMIT = 30000 }; // all weights lie within +-WEIGHT_LIMIT

// Sets the values that introductions to xiangqi give: the column `classic` of weights.def.
void weights_classic(Weights *weights);
// Reads the weight file that was compiled into the program, core/eval/weights_default.txt.
Status weights_default(Weights *weights, Err *err);
const char *weights_default_text(void);

// Begins to match the terms of a set of weights (from a text file, an HDF5 file or a network) with
// the program's terms. Unknown terms are left out if `drop` is set (terms_match.h).
TermsMatch weights_match_begin(bool drop);
// Like terms_match(), and refuses a term with another number of pairs of weights than the program's
// term. `pairs` is the number that the set has. If the program lacks the term and match->drop is
// set, *term becomes NULL.
Status weights_match(TermsMatch *match, const char *name, size_t length, int pairs,
                     const WeightTerm **term, Err *err);

// Loads "classic", "default", or a weight file in text or HDF5 form. Errors name the file and, for
// a bad line, its number. Unknown terms are left out if err_drops_unknown() is true.
Status weights_load(const char *name_or_path, Weights *weights, Err *err);
// Reads weights from their text form: one term per line, with all of its values. `origin` is the
// name of the text in errors.
Status weights_parse(const char *text, const char *origin, Weights *weights, Err *err);
// Completes the error of a file of weights that could not be read. If the path is a directory,
// names the file in it that was probably meant. `allowed` lists what can be given. Returns the
// status.
Status weights_no_file(const char *path, const char *allowed, Err *err);
// Sets *text, which the caller frees, to the text form of "classic", "default" or a weight file,
// including its comment lines. "best" and networks are refused.
Status weights_read_text(const char *name_or_path, char **text, Err *err);
// Sets *text, which the caller frees, to the text form of the weight file `path`. `data` are the
// `length` bytes of the file, followed by a zero byte. An HDF5 file is read again from `path`. A
// network is refused, and a text whose last line has no line end.
Status weights_text_of(const char *data, size_t length, const char *path, char **text, Err *err);

// A function that reads weights from an HDF5 file. It sets *text, which the caller frees, to their
// text form.
typedef Status WeightsReader(const char *path, char **text, Err *err);
// Sets the function that reads HDF5 files, because core/ does not use the HDF5 library. main()
// calls it once, before any file is read. Without it HDF5 files are refused.
void weights_set_hdf5_reader(WeightsReader *reader);

// Appends weights in text form: a heading and the provenance (may be NULL) as comments, then one
// line `term mg eg mg eg ...` for each term.
void weights_format(const Weights *weights, const char *provenance, Text *text);
// Appends the lines of a text (may be NULL) as comments, which begin with "# ".
void weights_format_comment(const char *lines, Text *text);
Status weights_save(const Weights *weights, const char *path, const char *provenance, Err *err);

// Sets `hex` to the SHA-256 of the names, numbers of weight pairs and values (little-endian 32-bit
// integers) of all terms, without terms whose values are all 0. A new term with value 0 therefore
// does not change the hash.
void weights_hash(const Weights *weights, char hex[SHA256_HEX_SIZE]);
// Adds the bytes that weights_hash() hashes to the running hash *hash.
void weights_hash_add(const Weights *weights, Sha256 *hash);
