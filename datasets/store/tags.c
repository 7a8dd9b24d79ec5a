// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/tags.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"

bool tag_is_remark(const char *name) {
    const size_t length = strlen(TAG_REMARK);
    return strncmp(name, TAG_REMARK, length) == 0 && isdigit((unsigned char)name[length]);
}

void tag_list_clear(TagList *tags) {
    free(tags->list);
    *tags = (TagList){0};
}

static bool is_name(const char *name, size_t size) {
    const size_t length = strnlen(name, size);
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') return false;
    }
    return length > 0 && length < size;
}

// A tag name that is too long for one TagRecord continues in the next one, after this character.
enum { NAME_MORE = '+' };

// Reads the name of the tag that begins at record *at. The name may take several records. Moves *at
// past these records.
static void take_name(const TagRecord *tags, size_t count, size_t *at, char name[TAG_NAME_SIZE]) {
    size_t length = 0;
    do {
        const char *row = tags[(*at)++].name, *piece = row + (*row == NAME_MORE);
        const size_t size = strnlen(piece, (size_t)(row + COLUMN_NAME_SIZE - piece));
        if (length + size >= TAG_NAME_SIZE) continue;
        memcpy(name + length, piece, size);
        length += size;
    } while (*at < count && tags[*at].name[0] == NAME_MORE);
    name[length] = '\0';
}

// Returns the index of the first record of a tag, or `count` if there is no such tag.
static size_t find(const TagRecord *tags, size_t count, const char *name) {
    char own[TAG_NAME_SIZE];
    for (size_t at = 0, end = 0; at < count; at = end) {
        take_name(tags, count, &end, own);
        if (strcasecmp(own, name) == 0) return at;
    }
    return count;
}

// Returns how many bytes of the text fit in one record, without cutting a UTF-8 character.
static size_t part_length(const char *text, size_t length) {
    size_t part = length < COLUMN_VALUE_SIZE ? length : COLUMN_VALUE_SIZE - 1;
    while (part < length && part > 0 && ((unsigned char)text[part] & 0xc0) == 0x80) part--;
    return part;
}

// Replaces control characters by blanks and bytes that are not UTF-8 by '?'. In a remark, line ends
// are kept.
static void clean(char *text, size_t length, bool remark) {
    char *line = text;
    for (size_t i = 0; i < length; i++) {
        if (iscntrl((unsigned char)text[i]) && (!remark || text[i] != '\n')) text[i] = ' ';
    }
    text[length] = '\0';
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        text_make_printable(line);
        *end = '\n';
    }
    text_make_printable(line);
}

static TagRecord *add_row(TagList *tags, const char *mark, const char *name, size_t length) {
    tags->list = memory_room(tags->list, &tags->capacity, tags->count + 1, sizeof *tags->list);
    TagRecord *tag = &tags->list[tags->count++];
    *tag = (TagRecord){0};
    snprintf(tag->name, sizeof tag->name, "%s%.*s", mark, (int)length, name);
    return tag;
}

bool tag_list_add(TagList *tags, const char *name, const char *value, size_t length) {
    enum { PART = COLUMN_NAME_SIZE - 2 };
    if (!is_name(name, TAG_NAME_SIZE) || find(tags->list, tags->count, name) < tags->count) {
        return false;
    }
    const bool remark = tag_is_remark(name);
    const size_t max_size = remark ? TAG_REMARK_MAX : TAG_VALUE_MAX;
    if (length > max_size) length = max_size;
    AUTO_FREE char *text = memory_alloc(length + 1, 1);
    if (length) memcpy(text, value, length);
    clean(text, length, remark);
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') length--;
    const char *mark = "";
    for (; strlen(name) > PART; name += PART, mark = "+") add_row(tags, mark, name, PART);
    for (size_t at = 0, part = 0; at == 0 || at < length; at += part) {
        TagRecord *tag = add_row(tags, at ? "" : mark, name, at ? 0 : PART);
        part = part_length(text + at, length - at);
        memcpy(tag->value, text + at, part);
        if (part == 0) break;
    }
    return true;
}

void tag_list_append(TagList *tags, const TagRecord *list, size_t count) {
    if (count == 0) return;
    tags->list = memory_room(tags->list, &tags->capacity, tags->count + count, sizeof *tags->list);
    memcpy(tags->list + tags->count, list, count * sizeof *list);
    tags->count += count;
}

// Returns true if a row continues the name or the value of the row before it.
static bool row_continues(const TagRecord *row) {
    return row->name[0] == '\0' || row->name[0] == '+';
}

void tag_list_append_short(TagList *tags, const TagRecord *list, size_t count, size_t most) {
    for (size_t i = 0; i < count && most > 0; i++) {
        if (row_continues(&list[i]) || (i + 1 < count && row_continues(&list[i + 1]))) continue;
        tag_list_append(tags, &list[i], 1);
        most--;
    }
}

void tag_list_remove(TagList *tags, const char *name) {
    const size_t at = find(tags->list, tags->count, name);
    size_t end = at;
    char own[TAG_NAME_SIZE];
    if (at == tags->count) return;
    take_name(tags->list, tags->count, &end, own);
    while (end < tags->count && tags->list[end].name[0] == '\0') end++;
    memmove(tags->list + at, tags->list + end, (tags->count - end) * sizeof *tags->list);
    tags->count -= end - at;
}

bool tag_next(const TagRecord *tags, size_t count, size_t *at, char name[TAG_NAME_SIZE],
              Text *value) {
    text_reset(value);
    if (*at >= count) return false;
    take_name(tags, count, at, name);
    size_t row = *at - 1;
    do {
        text_add_bytes(value, tags[row].value, strnlen(tags[row].value, COLUMN_VALUE_SIZE));
        row++;
    } while (row < count && tags[row].name[0] == '\0');
    *at = row;
    return true;
}

bool tag_value(const TagRecord *tags, size_t count, const char *name, Text *value) {
    char found[TAG_NAME_SIZE];
    size_t at = find(tags, count, name);
    return tag_next(tags, count, &at, found, value);
}

const char *tags_fault(const TagRecord *tags, size_t count) {
    bool remark = false;
    for (size_t i = 0; i < count; i++) {
        const TagRecord *tag = &tags[i];
        const size_t length = strnlen(tag->value, COLUMN_VALUE_SIZE);
        char text[COLUMN_VALUE_SIZE + 1] = "";
        memcpy(text, tag->value, length);
        if (tag->name[0]) remark = tag_is_remark(tag->name);
        clean(text, length, remark);
        const bool more = i > 0 && tag->name[0] == NAME_MORE;
        if (i == 0 || tag->name[0]) {
            if (!is_name(tag->name + more, COLUMN_NAME_SIZE - more)) {
                return "the name of a tag is empty, or has other characters than letters, digits "
                       "and '_'";
            }
        }
        if (length == COLUMN_VALUE_SIZE || memcmp(text, tag->value, length) != 0) {
            return "the value of a tag is too long, or is not UTF-8 text without control "
                   "characters";
        }
    }
    return "";
}

// ---- rules -------------------------------------------------------------------------------------

// Returns true if the value of a tag contains the text, ignoring case.
static bool holds(const TagRecord *tags, size_t count, const char *name, const char *text) {
    AUTO(Text) value = {0};
    return tag_value(tags, count, name, &value) && strcasestr(text_get(&value), text);
}

long tag_number(const TagRecord *tags, size_t count, const char *name, long none) {
    AUTO(Text) value = {0};
    return tag_value(tags, count, name, &value) ? strtol(text_get(&value), NULL, 10) : none;
}

// Copies a date as ASCII text. Full-width and Chinese digits become ASCII digits, all other
// characters that are not ASCII become blanks.
static void plain_digits(const char *date, char *plain, size_t size) {
    static const char *const digits[] = {"〇零０", "一１", "二２", "三３", "四４",
                                         "五５",   "六６", "七７", "八８", "九９"};
    const char *end = date + strlen(date);
    size_t length = 0;
    for (const char *at = date, *next = date; at < end && length + 1 < size; at = next) {
        char letter[8] = "";
        text_next_utf8(&next, end);
        memcpy(letter, at, (size_t)(next - at) < 7 ? (size_t)(next - at) : 0);
        plain[length] = next - at == 1 ? *at : ' ';
        for (int k = 0; k < 10 && next - at > 1; k++) {
            if (strstr(digits[k], letter)) plain[length] = (char)('0' + k);
        }
        length++;
    }
    plain[length] = '\0';
}

// Returns the year in the tag Date, or 0 if there is none or *unread is set. A year is a number of
// four digits, or the first four digits of a date of six or eight digits: "1961.02.04", "19610204",
// "12/12/2001", "1961年2月", "二〇〇一年". Sets *unread to true if the tag exists but its year is
// ambiguous, or missing although the value is more than a placeholder such as "????.??.??".
static int tags_year(const TagRecord *tags, size_t count, bool *unread) {
    AUTO(Text) value = {0};
    char date[256];
    int year = 0;
    *unread = false;
    if (!tag_value(tags, count, "Date", &value)) return 0;
    plain_digits(text_get(&value), date, sizeof date);
    for (const char *at = date; *at;) {
        const size_t digits = strspn(at, "0123456789");
        int first = 0, month = 0, day = 0;
        if (digits == 4 || digits == 6 || digits == 8)
            sscanf(at, "%4d%2d%2d", &first, &month, &day);
        if (digits == 4) month = day = 0;
        if (first < 1000 || first > 2100 || month > 12 || day > 31) first = 0;
        if (first > 0 && year > 0 && first != year) *unread = true;
        if (first > 0) year = first;
        at += digits ? digits : 1;
    }
    *unread = *unread || (year == 0 && strspn(text_get(&value), "?.- ") < value.length);
    return *unread ? 0 : year;
}

// Splits a condition "NAME=TEXT". Returns a pointer to TEXT, or NULL if the argument has another
// form.
static const char *split(const char *rule, char name[TAG_NAME_SIZE]) {
    const size_t length = strcspn(rule, "=");
    if (rule[length] == '\0' || length >= TAG_NAME_SIZE) return NULL;
    memcpy(name, rule, length);
    name[length] = '\0';
    return is_name(name, TAG_NAME_SIZE) ? rule + length + 1 : NULL;
}

bool tag_rule_holds(const TagRule *rule, const TagRecord *tags, size_t count, bool *unread) {
    const bool dated = rule->min_year || rule->max_year;
    const int year = dated ? tags_year(tags, count, unread) : 0;
    if (rule->player && !holds(tags, count, "Red", rule->player) &&
        !holds(tags, count, "Black", rule->player)) {
        return false;
    }
    for (int i = 0; i < rule->tags.count; i++) {
        char name[TAG_NAME_SIZE];
        const char *text = split(rule->tags.texts[i], name);
        if (!text || !holds(tags, count, name, text)) return false;
    }
    if (rule->min_elo && (tag_number(tags, count, "RedElo", 0) < rule->min_elo ||
                          tag_number(tags, count, "BlackElo", 0) < rule->min_elo)) {
        return false;
    }
    if (!dated) return true;
    return year > 0 && year >= rule->min_year && (rule->max_year == 0 || year <= rule->max_year);
}

Status tag_rule_check(const TagRule *rule, Err *err) {
    char name[TAG_NAME_SIZE];
    for (int i = 0; i < rule->tags.count; i++) {
        if (split(rule->tags.texts[i], name)) continue;
        return err_set(err, STATUS_USAGE,
                       "--tag '%s' does not have the form NAME=TEXT, such as Event=1999",
                       rule->tags.texts[i]);
    }
    return STATUS_OK;
}
