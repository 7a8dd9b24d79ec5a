// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eval/terms_match.h"

#include "core/base/memory.h"

int term_names_find(const TermNames *terms, const char *name, size_t length) {
    for (int i = 0; i < terms->count; i++) {
        if (text_word_is(name, length, terms->names[i])) return i;
    }
    return -1;
}

Status terms_match(TermsMatch *match, const char *name, size_t length, int *index, Err *err) {
    const TermNames *terms = match->terms;
    const int shown = (int)(length < 60 ? length : 60);
    *index = term_names_find(terms, name, length);
    if (*index < 0 && match->drop) {
        text_add(&match->dropped, "%s%.*s", match->dropped.length ? ", " : "", shown, name);
        return STATUS_OK;
    }
    if (*index < 0) {
        return err_set(err, STATUS_BAD_INPUT, "unknown term '%.*s': %s has no such term (%s)",
                       shown, name, terms->owner, terms->remedy);
    }
    if (match->seen[*index]) {
        return err_set(err, STATUS_BAD_INPUT, "the term %.*s is given twice: keep one of them",
                       shown, name);
    }
    match->seen[*index] = true;
    return STATUS_OK;
}

Status terms_match_end(TermsMatch *match, const char *origin, Err *err) {
    const TermNames *terms = match->terms;
    AUTO(Text) missing = {0};
    int count = 0;
    for (int i = 0; i < terms->count; i++) {
        if (match->seen[i]) continue;
        text_add(&missing, "%s%s", count++ ? ", " : "", terms->names[i]);
    }
    if (count == terms->count) {
        return err_set(err, STATUS_BAD_INPUT, "%s: the file has no term that %s knows", origin,
                       terms->owner);
    }
    if (count) {
        err_note(err, "%s has no weights for the terms %s: they are set to 0", origin,
                 missing.data);
    }
    if (match->dropped.length) {
        err_note(err, "%s has terms that %s does not know; they are left out: %s", origin,
                 terms->owner, match->dropped.data);
    }
    return STATUS_OK;
}

void terms_match_clear(TermsMatch *match) {
    text_clear(&match->dropped);
}

// Returns the first line of a text that is not blank and no comment, if no such line begins with
// the name of a term or is the head "term ..." of a table. The text is then no weight file. Returns
// NULL otherwise.
static const char *foreign_line(const TermNames *terms, const char *text) {
    const char *first = NULL;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const char *cursor = line, *word;
        size_t size;
        const bool filled = text_next_word(&cursor, &word, &size) && word < line + length;
        if (filled && *word != '#') {
            const bool head = size == 4 && memcmp(word, "term", size) == 0;
            if (head || term_names_find(terms, word, size) >= 0) return NULL;
            if (!first) first = word;
        }
        line += length + (line[length] != '\0');
    }
    return first;
}

Status terms_read(const char *text, const char *origin, TermsMatch *match, ReadTerm *read,
                  void *context, Err *err) {
    AUTO_FREE char *copy = memory_copy_text(text);
    char *cursor = copy, *line;
    const char *other = foreign_line(match->terms, text);
    if (other) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "%s: this is no weight file: no line begins with a term of %s; unknown term in the "
            "first line '%.*s'. A weight file has a line 'TERM NUMBER NUMBER' for each "
            "term; 'paotai weights convert classic' prints one",
            origin, match->terms->owner,
            (int)(strcspn(other, "\n") < 60 ? strcspn(other, "\n") : 60), other);
    }
    for (size_t number = 1; (line = text_next_field(&cursor, '\n')) != NULL; number++) {
        line = text_trim(line);
        if (*line == '\0' || *line == '#') continue;
        if (read(context, match, line, err) != STATUS_OK) {
            return err_prefix(err, "%s:%zu", origin, number);
        }
    }
    return terms_match_end(match, origin, err);
}
