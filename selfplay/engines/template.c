// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

enum { KIND_TEXT, KIND_NUMBER, KIND_TIME };
enum { NESTING_MAX = 8, FACTOR_MAX = 1000 };

static const struct {
    const char *name;
    int kind;
} places[PLACE_COUNT] = {
#define PLACEHOLDER(id, name, kind, meaning) {name, KIND_##kind},
#include "selfplay/engines/placeholders.def"
};

typedef enum TimeForm {
    FORM_UNIT,
    FORM_MS,
    FORM_CS,
    FORM_S,
    FORM_S_UP,
    FORM_S_DOWN,
    FORM_CLOCK
} TimeForm;
static const struct {
    const char *suffix;
    TimeForm form;
} forms[] = {{"_clock", FORM_CLOCK}, {"_s_up", FORM_S_UP}, {"_s_down", FORM_S_DOWN},
             {"_ms", FORM_MS},       {"_cs", FORM_CS},     {"_s", FORM_S},
             {"", FORM_UNIT}};

// What stands between braces.
typedef struct Reference {
    Placeholder place;
    TimeForm form;
    int factor;
} Reference;

// Reads NAME[_unit][*factor] of the given length.
static bool read_reference(const char *text, size_t length, Reference *reference) {
    *reference = (Reference){.factor = 1};
    const char *star = memchr(text, '*', length);
    if (star) {
        char *end = NULL;
        const long factor = strtol(star + 1, &end, 10);
        if (end != text + length || factor < 1 || factor > FACTOR_MAX) return false;
        reference->factor = (int)factor;
        length = (size_t)(star - text);
    }
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        const size_t suffix = strlen(forms[f].suffix);
        if (length < suffix || memcmp(text + length - suffix, forms[f].suffix, suffix) != 0)
            continue;
        for (int p = 0; p < PLACE_COUNT; p++) {
            if (strlen(places[p].name) != length - suffix) continue;
            if (memcmp(places[p].name, text, length - suffix) != 0) continue;
            if ((suffix || star) && places[p].kind != KIND_TIME) continue;
            reference->place = (Placeholder)p;
            reference->form = forms[f].form;
            return true;
        }
    }
    return false;
}

static void add_time(const Reference *reference, int64_t ns, TimeUnit unit, Text *out) {
    static const TimeForm of_unit[] = {
        [TIME_MS] = FORM_MS, [TIME_CS] = FORM_CS, [TIME_S] = FORM_S_DOWN};
    const TimeForm form = reference->form == FORM_UNIT ? of_unit[unit] : reference->form;
    const long long ms = (long long)(ns / MS_NS) * reference->factor;
    const long long whole = ms < 1000 ? 1 : ms / 1000;
    switch (form) {
    case FORM_UNIT:
    case FORM_MS:
        text_add(out, "%lld", ms);
        break;
    case FORM_CS:
        text_add(out, "%lld", ms / 10);
        break;
    case FORM_S_UP:
        text_add(out, "%lld", whole);
        break;
    case FORM_S_DOWN:
        text_add(out, "%lld", ms / 1000);
        break;
    case FORM_CLOCK:
        text_add(out, "%lld:%02lld", whole / 60, whole % 60);
        break;
    case FORM_S:
        text_add(out, "%lld", ms / 1000);
        if (ms % 1000) {
            text_add(out, ".%03lld", ms % 1000);
            while (out->data[out->length - 1] == '0') out->data[--out->length] = '\0';
        }
        break;
    }
}

static bool add_value(const Reference *reference, const PlaceValues *values, Text *out) {
    const Placeholder place = reference->place;
    if (!values->has[place]) return false;
    switch (places[place].kind) {
    case KIND_TEXT:
        text_add_bytes(out, values->text[place], strlen(values->text[place]));
        break;
    case KIND_NUMBER:
        text_add(out, "%lld", (long long)values->number[place]);
        break;
    default:
        add_time(reference, values->number[place], values->unit, out);
        break;
    }
    return true;
}

// Expands from *at up to the end of the line, or to ']' or '|' inside brackets. *complete says
// whether every value was there. What is wrong with the template comes back as a word, NULL when
// nothing is.
static const char *expand_run(const char **at, int nesting, const PlaceValues *values, Text *out,
                              bool *complete);

// From behind a '[' to behind its ']': appends the first alternative that is complete.
static const char *expand_optional(const char **at, int nesting, const PlaceValues *values,
                                   Text *out) {
    bool done = false;
    if (nesting >= NESTING_MAX) return "brackets are nested too deep";
    for (;;) {
        const size_t before = out->length;
        bool complete = true;
        const char *wrong = expand_run(at, nesting + 1, values, out, &complete);
        if (wrong) return wrong;
        if (done || !complete) {
            out->length = before;
            if (out->data) out->data[before] = '\0';
        }
        done = done || complete;
        if (**at == ']') {
            ++*at;
            return NULL;
        }
        if (**at != '|') return "a [ is not closed";
        ++*at;
    }
}

static const char *expand_run(const char **at, int nesting, const PlaceValues *values, Text *out,
                              bool *complete) {
    while (**at && **at != '\n') {
        // What is not special is copied in one piece.
        const size_t plain = strcspn(*at, "{}[]|\\\n");
        if (plain > 0) {
            text_add_bytes(out, *at, plain);
            *at += plain;
            continue;
        }
        const char c = *(*at)++;
        if (nesting > 0 && (c == ']' || c == '|')) {
            --*at;
            return NULL;
        }
        if (c == '{') {
            const size_t length = strcspn(*at, "}\n");
            Reference reference;
            if ((*at)[length] != '}') return "a { is not closed";
            if (!read_reference(*at, length, &reference)) return "no such placeholder";
            if (!add_value(&reference, values, out)) *complete = false;
            *at += length + 1;
        } else if (c == '[') {
            const char *wrong = expand_optional(at, nesting, values, out);
            if (wrong) return wrong;
        } else if (c == '\\' && **at && **at != '\n') {
            text_add_bytes(out, (*at)++, 1);
        } else if (c == ']' || c == '}') {
            return "a bracket is closed that was not opened";
        } else {
            text_add_bytes(out, &c, 1);
        }
    }
    return NULL;
}

// All lines of a template; NULL, or what is wrong and where.
static const char *expand_lines(const char *text, const PlaceValues *values, Text *out,
                                const char **place) {
    while (*text) {
        const size_t before = out->length;
        bool complete = true;
        *place = text;
        const char *wrong = expand_run(&text, 0, values, out, &complete);
        if (wrong) return wrong;
        if (!complete) {
            out->length = before;
            if (out->data) out->data[before] = '\0';
        }
        if (out->length > before) text_add_bytes(out, "\n", 1);
        if (*text == '\n') text++;
    }
    return NULL;
}

void place_set_text(PlaceValues *values, Placeholder place, const char *text) {
    values->has[place] = true;
    values->text[place] = text;
}

void place_set_number(PlaceValues *values, Placeholder place, int64_t number) {
    values->has[place] = true;
    values->number[place] = number;
}

Status template_check(const char *text, Err *err) {
    const PlaceValues none = {0};
    Text out = {0};
    const char *place = text;
    const char *wrong = expand_lines(text, &none, &out, &place);
    text_clear(&out);
    if (!wrong) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%s in '%.*s'", wrong, (int)strcspn(place, "\n"), place);
}

bool template_uses(const char *text, Placeholder place) {
    for (const char *at = text; (at = strchr(at, '{')) != NULL; at++) {
        Reference reference;
        const size_t length = strcspn(at + 1, "}");
        if (read_reference(at + 1, length, &reference) && reference.place == place) return true;
    }
    return false;
}

void template_expand(const char *text, const PlaceValues *values, Text *out) {
    const char *place;
    expand_lines(text, values, out, &place);
}
