// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_string(Text *text, const char *at, const char *end) {
    text_add_bytes(text, "\"", 1);
    while (at < end) {
        const char *const from = at;
        const int32_t c = text_next_utf8(&at, end);
        if (c == '"' || c == '\\') {
            text_add(text, "\\%c", (int)c);
        } else if (c < 0) {
            text_add(text, "\\ufffd");
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
            text_add(text, "\\u%04x", (unsigned)c);
        } else {
            text_add_bytes(text, from, (size_t)(at - from));
        }
    }
    text_add_bytes(text, "\"", 1);
}

void json_add_string(Text *text, const char *value) {
    add_string(text, value, value + strlen(value));
}

void record_begin(Record *record, FILE *out, bool json) {
    *record = (Record){.out = out, .json = json, .empty = true};
    if (json) text_add(&record->text, "{");
}

static void add_key(Record *record, const char *key, size_t length) {
    if (record->json) {
        if (!record->empty) text_add(&record->text, ",");
        add_string(&record->text, key, key + length);
    } else {
        text_add_bytes(&record->text, key, length);
    }
    text_add(&record->text, record->json ? ":" : " ");
    record->empty = false;
}

static void end_member(Record *record) {
    if (!record->json) text_add(&record->text, "\n");
}

void record_unknown(Record *record, const char *key) {
    add_key(record, key, strlen(key));
    text_add(&record->text, record->json ? "null" : "-");
    end_member(record);
}

void record_ints(Record *record, const char *key, const long long *values, int count) {
    add_key(record, key, strlen(key));
    if (record->json) text_add(&record->text, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) text_add(&record->text, ",");
        if (values[i] == RECORD_UNKNOWN) {
            text_add(&record->text, record->json ? "null" : "-");
        } else {
            text_add(&record->text, "%lld", values[i]);
        }
    }
    if (record->json) text_add(&record->text, "]");
    end_member(record);
}

typedef struct Arguments {
    va_list list;
} Arguments;

// Appends a real number: in plain text with the printf conversion `spec`, in JSON by
// text_add_real(). A value that is not finite is unknown: "-" in plain text, null in JSON.
static void add_real_by(Text *text, bool json, char *spec, double value) {
    const char *const dot = strchr(spec, '.');
    const bool rounded = !json && dot && spec[strlen(spec) - 1] == 'f';
    if (rounded) value = text_zero_unsigned(value, atoi(dot + 1));
    if (value == 0) value = 0; // prints 0 instead of -0
    if (json && isfinite(value)) {
        text_add_real(text, value);
    } else if (json) {
        text_add(text, "null");
    } else if (!isfinite(value)) {
        strcpy(spec + strcspn(spec, ".efg"), "s"); // changes "%8.3f" to "%8s", for example
        text_add(text, spec, "-");
    } else {
        text_add(text, spec, value);
    }
}

// Appends the next argument, formatted by the printf conversion at *format. Moves *format past this
// conversion.
static void add_value(Text *text, bool json, const char **format, Arguments *arguments) {
    char spec[48] = "%";
    int length = 1, longs = 0;
    const size_t begin = text->length;
    const char *at = *format + 1;
    for (; !isalpha((unsigned char)*at) || *at == 'l' || *at == 'z'; at++) {
        longs += *at == 'l' || *at == 'z';
        if (*at == '*') {
            length += snprintf(spec + length, 16, "%d", va_arg(arguments->list, int));
        } else if (*at != 'l' && *at != 'z') {
            spec[length++] = *at;
        }
    }
    *format = at + 1;
    snprintf(spec + length, 4, "%s%c", *at == 'd' || *at == 'u' ? "ll" : "", *at);
    if (*at == 's' && json) {
        json_add_string(text, va_arg(arguments->list, const char *));
    } else if (*at == 's') {
        text_add(text, spec, va_arg(arguments->list, const char *));
        text_make_printable(text->data + begin);
    } else if (*at == 'd') {
        text_add(text, json ? "%lld" : spec,
                 longs ? va_arg(arguments->list, long long) : va_arg(arguments->list, int));
    } else if (*at == 'u') {
        text_add(text, json ? "%llu" : spec,
                 longs ? va_arg(arguments->list, unsigned long long)
                       : va_arg(arguments->list, unsigned));
    } else {
        add_real_by(text, json, spec, va_arg(arguments->list, double));
    }
}

static void add_members(Record *record, const char *format, Arguments *arguments) {
    const char *word;
    size_t length;
    AUTO(Text) key = {0};
    while (text_next_word(&format, &word, &length)) {
        text_reset(&key);
        for (const char *at = word, *end = word + length; at < end; at++) {
            const bool hole = *at == '%';
            text_add(&key, hole ? "%s" : "%.1s", hole ? va_arg(arguments->list, const char *) : at);
            at += hole;
        }
        add_key(record, key.data, key.length);
        format += strspn(format, " ");
        add_value(&record->text, record->json, &format, arguments);
        end_member(record);
    }
}

void record_add(Record *record, const char *format, ...) {
    Arguments arguments;
    va_start(arguments.list, format);
    add_members(record, format, &arguments);
    va_end(arguments.list);
}

void record_print(FILE *out, bool json, const char *format, ...) {
    Record record;
    Arguments arguments;
    record_begin(&record, out, json);
    va_start(arguments.list, format);
    add_members(&record, format, &arguments);
    va_end(arguments.list);
    record_end(&record);
}

void record_row(FILE *out, bool json, const char *format, ...) {
    Record record;
    Arguments arguments;
    record_begin(&record, out, json);
    va_start(arguments.list, format);
    while (*format) {
        const char *key = format + 1;
        const size_t length = *format == '{' ? strcspn(key, "}") : 0;
        const bool hidden = length && *key == '!';
        if (length) format = key + length + 1;
        if (*format == '%' && format[1] != '%') {
            if (json && length) add_key(&record, key + hidden, length - hidden);
            const size_t begin = record.text.length;
            add_value(&record.text, json, &format, &arguments);
            if (json ? !length : hidden) record.text.length = begin;
        } else {
            format += *format == '%';
            if (!json) text_add_bytes(&record.text, format, 1);
            format++;
        }
    }
    va_end(arguments.list);
    record_end(&record);
}

void record_end(Record *record) {
    if (record->json) text_add(&record->text, "}\n");
    fputs(text_get(&record->text), record->out);
    fflush(record->out);
    text_clear(&record->text);
}

void record_bad_line(FILE *out, bool json, size_t number, const char *why) {
    if (json) {
        record_print(out, true, "line %zu error %s", number, why);
    } else {
        record_row(out, false, "error\tline %zu: %s\n", number, why);
    }
}
