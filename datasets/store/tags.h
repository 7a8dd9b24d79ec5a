// SPDX-License-Identifier: GPL-3.0-or-later
// Tags: what an imported record says of its game besides start, moves and result, by the names that
// PGN has. A value that is longer than a TagRecord goes on in the next one, whose name is empty; so
// does a name, behind a "+".
#pragma once

#include "core/base/options.h"
#include "datasets/store/record.h"

// What a record says behind its ply N is the tag RemarkN; 0: before the first move. Lines of it end
// with '\n'.
#define TAG_REMARK "Remark"
bool tag_is_remark(const char *name);
enum { TAG_REMARK_MOST = 1 << 20, TAG_VALUE_MOST = 4096 };
// How many plies of its game were played before a variation begins; no other game has it.
#define TAG_VARIATION "VariationPly"
// Which game it leaves: game_content_key() without mirrors, in hexadecimal.
#define TAG_VARIATION_OF "VariationOf"
// Of a contest's game: how players failed, and results that they claimed. PGN has it as a comment.
#define TAG_NOTE "ContestNote"

enum { TAG_NAME_SIZE = 256 }; // with the end, as the PGN standard has it

// Zero-initialise; tag_list_clear() frees.
typedef struct TagList {
    TagRecord *list;
    size_t count, capacity;
} TagList;
void tag_list_clear(TagList *tags);

// Adds a tag: bytes that are no text become '?', control characters blanks; a value ends after 4096
// bytes, a remark after TAG_REMARK_MOST, and without a blank. False, and nothing is added: the name
// is there already, or is none of up to 255 letters, digits and _.
bool tag_list_add(TagList *tags, const char *name, const char *value, size_t length);

// The number that the value of a tag begins with; `none` when there is no such tag.
long tag_number(const TagRecord *tags, size_t count, const char *name, long none);

void tag_list_append(TagList *tags, const TagRecord *list, size_t count);
void tag_list_remove(TagList *tags, const char *name);

// The value of a tag, by its name in any case of letters; false and "" when there is none.
bool tag_value(const TagRecord *tags, size_t count, const char *name, Text *value);
// Goes from tag to tag: the name and the value of the one at *at, which moves on; false at the end.
bool tag_next(const TagRecord *tags, size_t count, size_t *at, char name[TAG_NAME_SIZE],
              Text *value);

// Which games are wanted by their tags: all of this holds. Texts are parts of values, ASCII letters
// in any case; NULL is any.
typedef struct TagRule {
    const char *player;     // in Red or Black
    OptionTexts tags;       // "NAME=TEXT", each
    int min_elo;            // of both players; 0: any
    int min_year, max_year; // of the date; 0: any
} TagRule;
// *unread is set where the rule wants a year and the date cannot be read.
bool tag_rule_holds(const TagRule *rule, const TagRecord *tags, size_t count, bool *unread);
// STATUS_USAGE when one of the tags is not NAME=TEXT.
Status tag_rule_check(const TagRule *rule, Err *err);

// Why the tags of a stored game are not ours; "" where they are.
const char *tags_fault(const TagRecord *tags, size_t count);
