// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/term_header.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "tuner/rows/term_names.h"

enum { IDENTIFIER_SIZE = SPARSE_NAME_SIZE + 32, LINE_LENGTH = 100 };

// Makes a C identifier of a name: other characters become `_`, and each end of a name has none.
static void make_identifier(const char *name, char identifier[IDENTIFIER_SIZE]) {
    size_t length = 0;
    if (!isalpha((unsigned char)*name)) identifier[length++] = 'v';
    for (const char *at = name; *at; at++) {
        const bool good = isalnum((unsigned char)*at) && (unsigned char)*at < 128;
        if (good) {
            identifier[length++] = *at;
        } else if (length > 0 && identifier[length - 1] != '_') {
            identifier[length++] = '_';
        }
    }
    while (length > 1 && identifier[length - 1] == '_') length--;
    identifier[length] = '\0';
}

// Returns the identifier of a group. If an earlier group has the same one, appends the number of
// the group.
static void identifier_of(const TermFamilies *families, int number,
                          char identifier[IDENTIFIER_SIZE]) {
    char other[IDENTIFIER_SIZE];
    make_identifier(families->list[number].name, identifier);
    for (int i = 0; i < number; i++) {
        make_identifier(families->list[i].name, other);
        if (strcmp(other, identifier) != 0) continue;
        const size_t length = strlen(identifier);
        snprintf(identifier + length, IDENTIFIER_SIZE - length, "_%d", number);
        return;
    }
}

static bool is_whole(const TermTable *table, const TermFamily *family) {
    for (int i = 0; i < family->count && table->terms->unit; i++) {
        const double unit = table->terms->unit[family->terms[i]][0];
        if (unit != floor(unit)) return false;
    }
    return table->terms->unit != NULL;
}

static void add_number(const TermTable *table, int term, int phase, bool whole, Text *text) {
    const double value = table->weights[term][phase];
    char number[40];
    snprintf(number, sizeof number, whole ? "%.0f" : "%.9g", value);
    text_add(text, "%s%s", strcmp(number, "-0") == 0 ? "0" : number,
             whole || strpbrk(number, ".en") ? "" : ".0");
}

// Returns the end of the name of an array.
static const char *ending(const SparseTerms *terms, int phase) {
    return !terms->phased ? "" : phase ? "_eg" : "_mg";
}

// Appends one array.
static void add_array(const TermTable *table, const TermFamilies *families, int number, int phase,
                      Text *text) {
    const TermFamily *family = &families->list[number];
    const bool whole = is_whole(table, family);
    char identifier[IDENTIFIER_SIZE];
    identifier_of(families, number, identifier);
    text_add(text, "TERM_VALUES %s %s%s", whole ? "int" : "double", identifier,
             ending(table->terms, phase));
    for (int d = 0; d < family->indices; d++) text_add(text, "[%d]", family->extent[d]);
    if (family->indices == 0) {
        text_add(text, " = ");
        add_number(table, family->terms[0], phase, whole, text);
        text_add(text, ";\n");
        return;
    }
    text_add(text, " = {");
    size_t begin = text->length;
    for (int i = 0; i < family->count; i++) {
        if (i == 0 || text->length - begin > LINE_LENGTH - 24) {
            text_add(text, "\n   ");
            begin = text->length;
        }
        text_add(text, " ");
        for (int d = 0; d < family->indices; d++) text_add(text, "[%d]", family->place[i][d]);
        text_add(text, " = ");
        add_number(table, family->terms[i], phase, whole, text);
        text_add(text, ",");
    }
    text_add(text, "\n};\n");
}

void term_header_format(const TermTable *table, const char *provenance, Text *text) {
    AUTO(TermFamilies) families = {0};
    AUTO_FREE char *lines = memory_copy_text(provenance);
    char *cursor = lines;
    term_families_init(&families, table->terms);
    for (const char *line; (line = text_next_field(&cursor, '\n'));) {
        // A line must not end in a backslash, which would continue the comment.
        const size_t length = strlen(line);
        if (length > 0) text_add(text, "// %s%s\n", line, line[length - 1] == '\\' ? "." : "");
    }
    text_add(text, "#ifndef FITTED_TERMS_H\n#define FITTED_TERMS_H\n\n"
                   "#if defined(__GNUC__)\n"
                   "#define TERM_VALUES __attribute__((unused)) static const\n"
                   "#else\n#define TERM_VALUES static const\n#endif\n\n");
    for (int f = 0; f < families.count; f++) {
        for (int phase = 0; phase < 1 + table->terms->phased; phase++) {
            add_array(table, &families, f, phase, text);
        }
    }
    text_add(text, "\n#undef TERM_VALUES\n#endif\n");
}

// Returns the text behind a name that stands as a whole word, or NULL.
static const char *find_name(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++) {
        if (at > text && at[-1] == ' ' && (at[length] == ' ' || at[length] == '[')) {
            return at + length;
        }
    }
    return NULL;
}

// Finds the value of a term behind the name of its array. Returns NULL if there is none.
static const char *find_value(const TermFamily *family, int member, const char *array) {
    AUTO(Text) key = {0};
    const char *end = strchr(array, ';');
    for (int d = 0; d < family->indices; d++) {
        text_add(&key, "[%d]", family->place[member][d]);
    }
    text_add(&key, " = ");
    const char *at = strstr(family->indices > 0 ? strchr(array, '=') : array, key.data);
    return at && end && at < end ? at + key.length : NULL;
}

Status term_header_read(const SparseTerms *terms, const char *text, double (*values)[2], Err *err) {
    AUTO(TermFamilies) families = {0};
    term_families_init(&families, terms);
    for (int f = 0; f < families.count; f++) {
        const TermFamily *family = &families.list[f];
        for (int i = 0; i < 2 * family->count; i++) {
            char name[IDENTIFIER_SIZE + 4], *after;
            const int term = family->terms[i / 2];
            identifier_of(&families, f, name);
            strcat(name, ending(terms, i % 2));
            const char *array = find_name(text, name);
            const char *at = array && strchr(array, '=') ? find_value(family, i / 2, array) : NULL;
            if (at) values[term][i % 2] = strtod(at, &after);
            if (at && after > at) continue;
            return err_set(err, STATUS_BAD_INPUT, "the header has no value of %s (array %s)",
                           terms->names[term], name);
        }
    }
    return STATUS_OK;
}
