// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_add_string(Text *text, const char *value) {
    const char *const end = value + strlen(value);
    text_add_bytes(text, "\"", 1);
    for (const char *at = value; at < end;) {
        const char *const from = at;
        const int32_t c = text_next_utf8(&at, end);
        if (c == '"' || c == '\\') {
            text_add(text, "\\%c", (int)c);
        } else if (c < 0) {
            text_add(text, "\\ufffd");
        } else if (c < 0x20 || c == 0x7f) {
            text_add(text, "\\u%04x", (unsigned)c);
        } else {
            text_add_bytes(text, from, (size_t)(at - from));
        }
    }
    text_add_bytes(text, "\"", 1);
}

void json_add_real(Text *text, double value) {
    if (!isfinite(value)) {
        text_add(text, "null");
        return;
    }
    text_add_real(text, value);
}

void record_begin(Record *record, FILE *out, bool json) {
    *record = (Record){.out = out, .json = json, .empty = true};
    if (json) text_add(&record->text, "{");
}

static void add_key(Record *record, const char *key) {
    if (record->json) {
        if (!record->empty) text_add(&record->text, ",");
        json_add_string(&record->text, key);
        text_add(&record->text, ":");
    } else {
        text_add(&record->text, "%s ", key);
    }
    record->empty = false;
}

static void end_member(Record *record) {
    if (!record->json) text_add(&record->text, "\n");
}

static void add_printable(Text *text, const char *value) {
    const size_t begin = text->length;
    text_add(text, "%s", value);
    text_make_printable(text->data + begin);
}

void record_text(Record *record, const char *key, const char *value) {
    add_key(record, key);
    if (record->json) {
        json_add_string(&record->text, value);
    } else {
        add_printable(&record->text, value);
    }
    end_member(record);
}

void record_int(Record *record, const char *key, long long value) {
    add_key(record, key);
    text_add(&record->text, "%lld", value);
    end_member(record);
}

static void add_real(Record *record, const char *key, double value, bool fixed, int digits) {
    add_key(record, key);
    if (value == 0) value = 0; // not -0
    if (record->json) {
        json_add_real(&record->text, value);
    } else {
        text_add(&record->text, fixed ? "%.*f" : "%.*g", digits, value);
    }
    end_member(record);
}

void record_real(Record *record, const char *key, double value, int decimals) {
    add_real(record, key, value, decimals >= 0, decimals >= 0 ? decimals : 17);
}

void record_digits(Record *record, const char *key, double value, int digits) {
    add_real(record, key, value, false, digits);
}

void record_unknown(Record *record, const char *key) {
    add_key(record, key);
    text_add(&record->text, record->json ? "null" : "-");
    end_member(record);
}

void record_ints(Record *record, const char *key, const long long *values, int count) {
    add_key(record, key);
    if (record->json) text_add(&record->text, "[");
    for (int i = 0; i < count; i++) text_add(&record->text, "%s%lld", i ? "," : "", values[i]);
    if (record->json) text_add(&record->text, "]");
    end_member(record);
}

void record_end(Record *record) {
    if (record->json) text_add(&record->text, "}\n");
    fputs(text_get(&record->text), record->out);
    fflush(record->out);
    text_clear(&record->text);
}

void record_bad_line(FILE *out, bool json, size_t number, const char *why) {
    Record record;
    record_begin(&record, out, json);
    if (json) {
        record_int(&record, "line", (long long)number);
        record_text(&record, "error", why);
    } else {
        text_add(&record.text, "error\tline %zu: ", number);
        add_printable(&record.text, why);
        text_add(&record.text, "\n");
    }
    record_end(&record);
}
