// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/weights.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/eval/network.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"

const WeightTerm weight_terms[WEIGHT_TERM_COUNT] = {
#define WEIGHT(name, count, group, part, shape, classic, meaning)                                  \
    {#name, WEIGHT_INDEX(name), count, GROUP_##group, TERM_##part, SHAPE_##shape, classic, meaning},
#include "core/eval/weights.def"
};

// These assertions check weights.def. Its column `group` names a kind of piece, or another topic
// such as threats. Each kind of piece except the general may have one MATERIAL term, the value of
// the piece; other groups have none. Only kinds of pieces may have ENTRY terms, such as
// piece-square tables, which add to the value of a piece. The second assertion counts the MATERIAL
// terms of all groups in one number with four bits for each group. A count of 1 sets the lowest bit
// of its group, a count of 2 a higher one. ONE_EACH is a mask of the allowed bits: the lowest bit
// of each kind of piece except the general.
#define ONE_EACH (UINT64_C(0x1111111) << 4 * GROUP_ADVISOR)
_Static_assert(GROUP_SOLDIER_CROSSED - GROUP_ADVISOR == 6 && GROUP_GENERAL == 0, "seven groups");
_Static_assert(
    ((0
#define WEIGHT(name, count, group, part, ...)                                                      \
    +((TERM_##part == TERM_MATERIAL) * (UINT64_C(1) << 4 * GROUP_##group))
#include "core/eval/weights.def"
      ) &
     ~ONE_EACH) == 0,
    "weights.def: only groups of pieces, except the general, can have a MATERIAL term, and "
    "at most one each");
_Static_assert((0
#define WEIGHT(name, count, group, part, ...)                                                      \
    +(TERM_##part == TERM_ENTRY && GROUP_##group > GROUP_SOLDIER_CROSSED)
#include "core/eval/weights.def"
                ) == 0,
               "weights.def: only groups of pieces can have ENTRY terms");

static const struct {
    const char *name, *piece;
} groups[GROUP_COUNT] = {
#define GROUP(id, name, piece) {name, piece},
#include "core/eval/weights.def"
};

const char *weight_group_name(WeightGroup group) {
    return groups[group].name;
}

const char *weight_group_piece(WeightGroup group) {
    return groups[group].piece;
}

const WeightTerm *weight_term_of(int index) {
    const WeightTerm *term = weight_terms;
    while (index >= term->first + term->count) term++;
    return term;
}

void weight_pair_name(int index, char *text, size_t size) {
    const WeightTerm *term = weight_term_of(index);
    snprintf(text, size, "%s[%d]", term->name, index - term->first);
}

const WeightAxis *weight_axis_of(const WeightTerm *term) {
    static const WeightAxis axes[] = {
#define SCALE(terms, first, what)  {terms, first, what, NULL, NULL},
#define KINDS(terms, outer, inner) {terms, 0, NULL, outer, inner},
#include "core/eval/weights.def"
    };
    const WeightAxis *axis = axes;
    while (strncmp(term->name, axis->terms, strlen(axis->terms)) != 0) axis++;
    return axis;
}

// Returns word number `index`, from 0, of a list such as "one|two|three", and sets its length.
static const char *kind_name(const char *names, int index, int *length) {
    for (const char *bar; index > 0 && (bar = strchr(names, '|')); index--) names = bar + 1;
    *length = (int)strcspn(names, "|");
    return names;
}

void weight_entry_name(const WeightTerm *term, int entry, char *text, size_t size) {
    const WeightAxis *axis = weight_axis_of(term);
    if (axis->what) {
        snprintf(text, size, "%d", axis->first + entry);
        return;
    }
    int inner = 1, lengths[2];
    for (const char *at = axis->inner; *at; at++) inner += *at == '|';
    const char *outer_name = kind_name(axis->outer, entry / inner, &lengths[0]);
    const char *inner_name = kind_name(axis->inner, entry % inner, &lengths[1]);
    snprintf(text, size, "%.*s%s%.*s", lengths[0], outer_name, lengths[0] ? ", " : "", lengths[1],
             inner_name);
}

void weights_classic(Weights *weights) {
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const int32_t value = weight_term_of(i)->classic;
        weights_flat(weights)[i] = (WeightPair){value, value};
    }
}

// ---- terms of a set of weights ------------------------------------------------------------------

static const TermNames term_names = {
    .owner = "this program",
    .remedy =
        "'paotai weights show classic' lists its terms; --drop-unknown leaves the term out, and "
        "'paotai weights convert FILE --drop-unknown --out NEW' writes a file without it",
    .count = WEIGHT_TERM_COUNT,
    .names =
        {
#define WEIGHT(name, ...) #name,
#include "core/eval/weights.def"
        },
};
_Static_assert((int)WEIGHT_TERM_COUNT <= (int)TERMS_MATCH_MAX, "TERMS_MATCH_MAX is too small");

TermsMatch weights_match_begin(bool drop) {
    return (TermsMatch){.terms = &term_names, .drop = drop};
}

Status weights_match(TermsMatch *match, const char *name, size_t length, int pairs,
                     const WeightTerm **term, Err *err) {
    int index;
    *term = NULL;
    TRY(terms_match(match, name, length, &index, err));
    if (index < 0) return STATUS_OK;
    if (pairs != weight_terms[index].count) {
        return err_set(err, STATUS_MISMATCH,
                       "%s has %d pair%s of a middlegame and an endgame value here, but %d in this "
                       "program: take the term out of the file, and fit it again",
                       weight_terms[index].name, pairs, pairs == 1 ? "" : "s",
                       weight_terms[index].count);
    }
    *term = &weight_terms[index];
    return STATUS_OK;
}

// ---- text form ----------------------------------------------------------------------------------

// Reads the 2 * count numbers after the name of a term.
static Status parse_values(const char *cursor, const WeightTerm *term, WeightPair *values,
                           Err *err) {
    const char *word;
    size_t length;
    for (int got = 0; text_next_word(&cursor, &word, &length); got++) {
        char number[24] = "";
        if (length >= sizeof number) {
            return err_set(err, STATUS_BAD_INPUT,
                           "%s: the value '%.20s...' is too long for a weight", term->name, word);
        }
        memcpy(number, word, length);
        long long value = 0;
        TRY(parse_int(number, -WEIGHT_LIMIT, WEIGHT_LIMIT, &value, term->name, err));
        WeightPair *score = &values[got / 2];
        *(got % 2 ? &score->eg : &score->mg) = (int32_t)value;
    }
    return STATUS_OK;
}

// Reads a line that is neither blank nor a comment: a term with its values. Files of older versions
// have a line `schema HEX`, which is ignored because terms are matched by name.
static Status parse_line(void *context, TermsMatch *match, char *line, Err *err) {
    Weights *weights = context;
    const char *cursor = line, *name, *word;
    size_t length, word_length;
    text_next_word(&cursor, &name, &length);
    if (text_word_is(name, length, "schema")) return STATUS_OK;
    int count = 0;
    for (const char *at = cursor; text_next_word(&at, &word, &word_length);) count++;
    if (count % 2 != 0 && term_names_find(&term_names, name, length) >= 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%.*s has %d values, but needs pairs of a middlegame and an endgame value",
                       (int)length, name, count);
    }
    const WeightTerm *term;
    TRY(weights_match(match, name, length, count / 2, &term, err));
    return term ? parse_values(cursor, term, weights_flat(weights) + term->first, err) : STATUS_OK;
}

Status weights_parse(const char *text, const char *origin, Weights *weights, Err *err) {
    AUTO(TermsMatch) match = weights_match_begin(err_drops_unknown(err));
    memset(weights, 0, sizeof *weights);
    return terms_read(text, origin, &match, parse_line, weights, err);
}

// ---- weight sets by name or path ----------------------------------------------------------------

// The Makefile names another file for `make EVALFILE=FILE`.
#ifndef DEFAULT_WEIGHTS
#define DEFAULT_WEIGHTS "core/eval/weights_default.txt"
#endif
EMBED_BYTES(compiled, compiled_end, DEFAULT_WEIGHTS);

const char *weights_default_text(void) {
    return (const char *)compiled;
}

// Parses the compiled file weights_default.txt. The build has checked (check_default.sh) that each
// of its terms is in weights.def and has the number of values that weights.def says. err_note()
// reports terms that the file lacks.
Status weights_default(Weights *weights, Err *err) {
    return weights_parse(weights_default_text(), "default", weights, err);
}

// The reader of HDF5 files. It is set once, before any file is read (weights.h).
static WeightsReader *read_hdf5;

void weights_set_hdf5_reader(WeightsReader *reader) {
    read_hdf5 = reader;
}

Status weights_text_of(const char *data, size_t length, const char *path, char **text, Err *err) {
    static const char hdf5[] = "\x89HDF\r\n\x1a\n";
    if (fairy_is_file(data, length)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s: this is a network of Fairy-Stockfish, which has no linear weights, but "
                       "linear weights are needed here",
                       path);
    }
    if (network_is_file(data, length)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s: this is a network, but linear weights are needed here ('paotai weights "
                       "convert FILE.net' prints the linear weights of a network)",
                       path);
    }
    if (read_hdf5 && length >= sizeof hdf5 - 1 && memcmp(data, hdf5, sizeof hdf5 - 1) == 0) {
        return read_hdf5(path, text, err);
    }
    if (strlen(data) < length) {
        return err_set(err, STATUS_BAD_INPUT, "%s: not a weight file (it contains NUL bytes)",
                       path);
    }
    // A file that was cut off may end inside a number, which would be read as another number.
    if (length > 0 && data[length - 1] != '\n') {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s: the last line has no line end, so the file may have been cut off: copy "
                       "the file again, or add the line end if it is complete",
                       path);
    }
    *text = memory_copy_text(data);
    return STATUS_OK;
}

Status weights_no_file(const char *path, const char *allowed, Err *err) {
    static const char *const names[] = {"champion.net", "champion.txt", "network.net",
                                        "weights.txt"};
    struct stat state;
    if (stat(path, &state) != 0 || !S_ISDIR(state.st_mode)) {
        return err_prefix(err, "weights (%s)", allowed);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        AUTO(Text) file = {0};
        text_add(&file, "%s/%s", path, names[i]);
        if (access(file.data, R_OK) == 0) {
            return err_set(err, STATUS_IO, "weights: %s is a directory; did you mean %s?", path,
                           file.data);
        }
    }
    return err_set(
        err, STATUS_IO,
        "weights: %s is a directory, not a file of weights: give the file that 'tune --out' "
        "wrote, such as %s/weights.txt; 'paotai data info %s' describes a run of games",
        path, path, path);
}

Status weights_read_text(const char *name_or_path, char **text, Err *err) {
    AUTO_FREE char *data = NULL;
    size_t length = 0;
    *text = NULL;
    if (strcmp(name_or_path, "classic") == 0) {
        AUTO(Text) classic = {0};
        Weights weights;
        weights_classic(&weights);
        weights_format(&weights, NULL, &classic);
        *text = TAKE(classic.data);
        return STATUS_OK;
    }
    if (strcmp(name_or_path, "default") == 0) {
        *text = memory_copy_text(weights_default_text());
        return STATUS_OK;
    }
    if (strcmp(name_or_path, "best") == 0) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "'best' can be a network, but linear weights are needed here: give 'default', "
            "'classic' or a file");
    }
    if (text_read_file(name_or_path, &data, &length, err) != STATUS_OK) {
        return weights_no_file(name_or_path, "'classic', 'default' or a file", err);
    }
    return weights_text_of(data, length, name_or_path, text, err);
}

Status weights_load(const char *name_or_path, Weights *weights, Err *err) {
    AUTO_FREE char *text = NULL;
    TRY(weights_read_text(name_or_path, &text, err));
    return weights_parse(text, name_or_path, weights, err);
}

// ---- writing ------------------------------------------------------------------------------------

void weights_format_comment(const char *lines, Text *text) {
    for (const char *at = lines ? lines : ""; *at;) {
        const size_t length = strcspn(at, "\n");
        text_add(text, "# ");
        const size_t begin = text->length;
        text_add(text, "%.*s", (int)length, at);
        text_make_printable(text->data + begin);
        text_add(text, "\n");
        at += length + (at[length] == '\n');
    }
}

void weights_format(const Weights *weights, const char *provenance, Text *text) {
    text_add(
        text,
        "# Paotai weights: name of the term, then middlegame and endgame value of each entry;\n"
        "# units, 100 = one point of the classic table\n");
    weights_format_comment(provenance, text);
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightPair *values = weights_flat_const(weights) + weight_terms[i].first;
        text_add(text, "%s", weight_terms[i].name);
        for (int k = 0; k < weight_terms[i].count; k++) {
            text_add(text, "%s %d %d", k ? " " : "", values[k].mg, values[k].eg);
        }
        text_add(text, "\n");
    }
}

Status weights_save(const Weights *weights, const char *path, const char *provenance, Err *err) {
    AUTO(Text) text = {0};
    weights_format(weights, provenance, &text);
    return text_write_file(path, text.data, text.length, err);
}

// ---- hash ---------------------------------------------------------------------------------------

void weights_hash_add(const Weights *weights, Sha256 *hash) {
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const WeightTerm *term = &weight_terms[i];
        const WeightPair *values = weights_flat_const(weights) + term->first;
        bool zero = true;
        for (int k = 0; k < term->count; k++) zero = zero && !values[k].mg && !values[k].eg;
        if (zero) continue;
        sha256_add(hash, term->name, strlen(term->name) + 1);
        sha256_add_u32(hash, (uint32_t)term->count);
        for (int k = 0; k < term->count; k++) {
            sha256_add_u32(hash, (uint32_t)values[k].mg);
            sha256_add_u32(hash, (uint32_t)values[k].eg);
        }
    }
}

void weights_hash(const Weights *weights, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    weights_hash_add(weights, &hash);
    sha256_finish_hex(&hash, hex);
}
