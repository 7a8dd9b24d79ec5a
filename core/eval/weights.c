// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/weights.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/eval/network.h"

const WeightTerm weight_terms[WEIGHT_TERM_COUNT] = {
#define WEIGHT(name, count, group, part, shape, classic, meaning)                                  \
    {#name, WEIGHT_INDEX(name), count, GROUP_##group, TERM_##part, SHAPE_##shape, classic, meaning},
#include "core/eval/weights.def"
};

// One bit of four for each group of pieces but the general's.
#define ONE_EACH (UINT64_C(0x1111111) << 4 * GROUP_ADVISOR)
_Static_assert(GROUP_SOLDIER_CROSSED - GROUP_ADVISOR == 6 && GROUP_GENERAL == 0, "seven groups");
_Static_assert(((0
#define WEIGHT(name, count, group, part, ...)                                                      \
    +((TERM_##part == TERM_MATERIAL) * (UINT64_C(1) << 4 * GROUP_##group))
#include "core/eval/weights.def"
                 ) &
                ~ONE_EACH) == 0,
               "weights.def: a piece has one MATERIAL term at most, a group without pieces none");
_Static_assert((0
#define WEIGHT(name, count, group, part, ...)                                                      \
    +(TERM_##part == TERM_ENTRY && GROUP_##group > GROUP_SOLDIER_CROSSED)
#include "core/eval/weights.def"
                ) == 0,
               "weights.def: ENTRY is for groups of pieces");

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

// Number `index` of "one|two|three", and how long it is.
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
        weights_flat(weights)[i] = (Score){value, value};
    }
}

// ---- text form ----------------------------------------------------------------------------------

static int find_term(const char *name, size_t length) {
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (text_word_is(name, length, weight_terms[i].name)) return i;
    }
    return -1;
}

// Reads the 2 * count numbers behind a term's name.
static Status parse_values(const char *cursor, const WeightTerm *term, Score *values,
                           const char *origin, size_t line, Err *err) {
    const char *word;
    size_t length;
    int got = 0;
    for (; text_next_word(&cursor, &word, &length); got++) {
        if (got == 2 * term->count) {
            return err_set(err, STATUS_BAD_INPUT, "%s:%zu: %s has more than its %d values", origin,
                           line, term->name, 2 * term->count);
        }
        char number[24] = "";
        if (length < sizeof number) memcpy(number, word, length);
        long long value = 0;
        const Status status =
            length < sizeof number
                ? parse_int(number, -WEIGHT_LIMIT, WEIGHT_LIMIT, &value, term->name, err)
                : err_set(err, STATUS_BAD_INPUT, "%s: '%.20s...' is too long", term->name, word);
        if (status != STATUS_OK) return err_prefix(err, "%s:%zu", origin, line);
        Score *score = &values[got / 2];
        *(got % 2 ? &score->eg : &score->mg) = (int32_t)value;
    }
    if (got != 2 * term->count) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s:%zu: %s has %d values, not %d (middlegame and endgame of %d)", origin,
                       line, term->name, got, 2 * term->count, term->count);
    }
    return STATUS_OK;
}

// One line that is neither blank nor a comment: `schema HEX`, or a term with its values.
static Status parse_line(const char *cursor, Weights *weights, bool *seen, const char *origin,
                         size_t line, Err *err) {
    const char *word;
    size_t length;
    text_next_word(&cursor, &word, &length);
    if (text_word_is(word, length, "schema")) {
        char hex[SHA256_HEX_SIZE];
        weights_schema_hash(hex);
        text_next_word(&cursor, &word, &length);
        if (!text_word_is(word, length, hex)) {
            return err_set(err, STATUS_MISMATCH,
                           "%s:%zu: schema %.*s is not this program's %.12s...: the file is for "
                           "other terms; use the program that fitted it, or fit again",
                           origin, line, (int)(length < 12 ? length : 12), word, hex);
        }
        return STATUS_OK;
    }
    const int index = find_term(word, length);
    if (index < 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "%s:%zu: unknown term '%.*s'; 'paotai weights show classic' lists the terms",
                       origin, line, (int)(length < 60 ? length : 60), word);
    }
    const WeightTerm *term = &weight_terms[index];
    if (seen[index]) {
        return err_set(err, STATUS_BAD_INPUT, "%s:%zu: %s is given twice", origin, line,
                       term->name);
    }
    seen[index] = true;
    return parse_values(cursor, term, weights_flat(weights) + term->first, origin, line, err);
}

// With `partly`, lines that do not fit these terms are passed over.
static Status parse_lines(const char *text, const char *origin, bool partly, bool *seen,
                          Weights *weights, Err *err) {
    memset(weights, 0, sizeof *weights);
    AUTO_FREE char *copy = memory_copy_text(text);
    char *cursor = copy, *line;
    for (size_t number = 1; (line = text_next_field(&cursor, '\n')) != NULL; number++) {
        const char *at = line + strspn(line, " \t\r");
        if (*at == '\0' || *at == '#') continue;
        const Status status = parse_line(at, weights, seen, origin, number, err);
        if (!partly) TRY(status);
    }
    return STATUS_OK;
}

EMBED_BYTES(compiled, compiled_end, "core/eval/weights_default.txt");

const char *weights_default_text(void) {
    return (const char *)compiled;
}

// A term that is newer than the file is 0 until a fit is adopted.
void weights_default(Weights *weights) {
    bool seen[WEIGHT_TERM_COUNT] = {false};
    parse_lines(weights_default_text(), "default", true, seen, weights, NULL);
}

Status weights_parse(const char *text, const char *origin, Weights *weights, Err *err) {
    bool seen[WEIGHT_TERM_COUNT] = {false};
    TRY(parse_lines(text, origin, false, seen, weights, err));
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        if (seen[i]) continue;
        return err_set(err, STATUS_BAD_INPUT, "%s: the term %s is missing", origin,
                       weight_terms[i].name);
    }
    return STATUS_OK;
}

Status weights_load(const char *name_or_path, Weights *weights, Err *err) {
    if (strcmp(name_or_path, "classic") == 0) {
        weights_classic(weights);
        return STATUS_OK;
    }
    if (strcmp(name_or_path, "default") == 0) {
        weights_default(weights);
        return STATUS_OK;
    }
    AUTO_FREE char *data = NULL;
    size_t length = 0;
    if (text_read_file(name_or_path, &data, &length, err) != STATUS_OK) {
        return err_prefix(err, "weights ('classic', 'default' or a file)");
    }
    return weights_of_file(data, length, name_or_path, weights, err);
}

Status weights_of_file(const char *data, size_t length, const char *origin, Weights *weights,
                       Err *err) {
    if (strlen(data) == length) return weights_parse(data, origin, weights, err);
    return err_set(err, STATUS_BAD_INPUT, "%s: not a weight file (%s)", origin,
                   network_is_file(data, length)
                       ? "it is a network, which plays; here linear weights are wanted"
                       : "it holds zero bytes");
}

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
    char hex[SHA256_HEX_SIZE];
    text_add(text,
             "# Paotai weights: term, then middlegame and endgame value of each of its points;\n"
             "# units, 100 = one point of the classic table\n");
    weights_format_comment(provenance, text);
    weights_schema_hash(hex);
    text_add(text, "schema %s\n", hex);
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        const Score *values = weights_flat_const(weights) + weight_terms[i].first;
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

// ---- hashes -------------------------------------------------------------------------------------

void weights_hash(const Weights *weights, char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        sha256_add_u32(&hash, (uint32_t)weights_flat_const(weights)[i].mg);
        sha256_add_u32(&hash, (uint32_t)weights_flat_const(weights)[i].eg);
    }
    sha256_finish_hex(&hash, hex);
}

void weights_schema_hash(char hex[SHA256_HEX_SIZE]) {
    Sha256 hash;
    sha256_init(&hash);
    for (int i = 0; i < WEIGHT_TERM_COUNT; i++) {
        sha256_add(&hash, weight_terms[i].name, strlen(weight_terms[i].name) + 1);
        sha256_add_u32(&hash, (uint32_t)weight_terms[i].count);
        sha256_add_u32(&hash, (uint32_t)weight_terms[i].group);
    }
    sha256_finish_hex(&hash, hex);
}
