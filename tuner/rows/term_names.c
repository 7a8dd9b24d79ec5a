// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/term_names.h"

#include <ctype.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/board/types.h"

enum { HALF_FILES = 5, INDEX_DIGITS_MAX = 6 };

// Returns the length of a numeric index "[12]" at the beginning of a text, or 0.
static size_t index_length(const char *text, int *value) {
    size_t digits = 0;
    if (*text != '[') return 0;
    while (isdigit((unsigned char)text[1 + digits])) digits++;
    if (digits == 0 || digits > INDEX_DIGITS_MAX || text[1 + digits] != ']') return 0;
    *value = atoi(text + 1);
    return digits + 2;
}

// Writes the name of a term without its numeric indices, and the indices. Returns their number; a
// name with more than FAMILY_INDICES_MAX numeric indices has none.
static int term_name_split(const char *name, char base[SPARSE_NAME_SIZE],
                           int place[FAMILY_INDICES_MAX]) {
    size_t length = 0;
    int count = 0;
    for (const char *at = name; *at;) {
        int value = 0;
        const size_t skip = index_length(at, &value);
        if (skip && count < FAMILY_INDICES_MAX) place[count] = value;
        count += skip > 0;
        if (!skip) base[length++] = *at;
        at += skip ? skip : 1;
    }
    base[length] = '\0';
    if (count > 0 && count <= FAMILY_INDICES_MAX && length > 0) return count;
    snprintf(base, SPARSE_NAME_SIZE, "%s", name);
    return 0;
}

bool term_names_have_indices(const SparseTerms *terms) {
    char base[SPARSE_NAME_SIZE];
    int place[FAMILY_INDICES_MAX];
    for (size_t i = 0; i < terms->terms; i++) {
        if (term_name_split(terms->names[i], base, place) > 0) return true;
    }
    return false;
}

// Decides by the largest indices. A few squares at the end of a table may be missing.
static FamilyKind kind_of(const TermFamily *family) {
    const int *extent = family->extent, n = family->indices;
    const bool ranks = extent[0] == RANK_COUNT || extent[0] == RANK_COUNT - 1;
    if (n == 0) return FAMILY_SINGLE;
    if (n == 1 && extent[0] > SQUARE_COUNT - FILE_COUNT && extent[0] <= SQUARE_COUNT) {
        return FAMILY_TABLE;
    }
    if (n == 1 && extent[0] == RANK_COUNT * HALF_FILES) return FAMILY_HALF;
    if (n == 2 && ranks && extent[1] == FILE_COUNT) return FAMILY_TABLE;
    if (n == 2 && ranks && extent[1] == HALF_FILES) return FAMILY_HALF;
    return FAMILY_CURVE;
}

int term_family_place(const TermFamily *family, int member) {
    const int *place = family->place[member];
    int number = 0;
    for (int i = 0; i < family->indices; i++) number = number * family->extent[i] + place[i];
    return number;
}

// Adds a term to its family.
static void add_member(TermFamily *family, size_t term, const int place[FAMILY_INDICES_MAX]) {
    const size_t count = (size_t)family->count + 1;
    family->terms = memory_resize(family->terms, count, sizeof *family->terms);
    family->place = memory_resize(family->place, count, sizeof *family->place);
    family->terms[family->count] = (int)term;
    memcpy(family->place[family->count++], place, sizeof *family->place);
    for (int i = 0; i < family->indices; i++) {
        if (place[i] >= family->extent[i]) family->extent[i] = place[i] + 1;
    }
}

void term_families_init(TermFamilies *families, const SparseTerms *terms) {
    *families = (TermFamilies){.list = memory_alloc(terms->terms, sizeof *families->list),
                               .family_of = memory_alloc(terms->terms, sizeof(int))};
    for (size_t t = 0; t < terms->terms; t++) {
        char base[SPARSE_NAME_SIZE];
        int place[FAMILY_INDICES_MAX] = {0}, f = 0;
        if (terms->value_of && terms->value_of[t][0] < 0) {
            families->family_of[t] = families->family_of[(int)terms->value_of[t][1]];
            continue;
        }
        const int indices = term_name_split(terms->names[t], base, place);
        while (f < families->count && (families->list[f].indices != indices || indices == 0 ||
                                       strcmp(families->list[f].name, base) != 0)) {
            f++;
        }
        TermFamily *family = &families->list[f];
        if (f == families->count) {
            families->count++;
            family->indices = indices;
            memcpy(family->name, base, sizeof family->name);
        }
        families->family_of[t] = f;
        add_member(family, t, place);
    }
    for (int f = 0; f < families->count; f++) families->list[f].kind = kind_of(&families->list[f]);
}

void term_families_clear(TermFamilies *families) {
    for (int f = 0; f < families->count; f++) {
        free(families->list[f].terms);
        free(families->list[f].place);
    }
    free(families->list);
    free(families->family_of);
    *families = (TermFamilies){.count = 0};
}
