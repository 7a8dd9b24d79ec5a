// SPDX-License-Identifier: GPL-3.0-or-later
// Tags: further facts about a game, under the names that PGN uses. A value longer than a TagRecord
// continues in the next record, whose name is empty. A long name continues in the next record after
// a '+'.
#pragma once

#include "core/base/options.h"
#include "datasets/store/record.h"

// RemarkN is the comment after ply N, or before the first move for N = 0. Its lines end with '\n'.
#define TAG_REMARK "Remark"
bool tag_is_remark(const char *name);
enum { TAG_REMARK_MAX = 1 << 20, TAG_VALUE_MAX = 4096 }; // bytes
// The number of plies of its game before a variation begins. Only variations have this tag.
#define TAG_VARIATION "VariationPly"
// The game that a variation leaves: game_content_key() without mirror images, in hexadecimal.
#define TAG_VARIATION_OF "VariationOf"
// Faults and claimed results of the players in a contest. PGN has it as a comment.
#define TAG_NOTE "ContestNote"

enum { TAG_NAME_SIZE = 256 }; // bytes with the terminator; the PGN standard allows 255

// A list of tags. Initialise with zeros; tag_list_clear() frees it.
typedef struct TagList {
    TagRecord *list;
    size_t count, capacity;
} TagList;
void tag_list_clear(TagList *tags);

// Adds a tag. Invalid bytes become '?', control characters become blanks. A value is cut after 4096
// bytes, a remark after TAG_REMARK_MAX, and trailing blanks are removed. Returns false, and adds
// nothing, if the tag exists or its name is not 1 to 255 letters, digits and '_'.
bool tag_list_add(TagList *tags, const char *name, const char *value, size_t length);

// Returns the number at the beginning of a tag's value, or `none` if there is no such tag.
long tag_number(const TagRecord *tags, size_t count, const char *name, long none);

void tag_list_append(TagList *tags, const TagRecord *list, size_t count);
void tag_list_remove(TagList *tags, const char *name);

// Reads the value of a tag, ignoring the case of its name. Returns false and "" if there is none.
bool tag_value(const TagRecord *tags, size_t count, const char *name, Text *value);
// Reads name and value of the tag at *at, and moves *at to the next tag. Returns false at the end.
bool tag_next(const TagRecord *tags, size_t count, size_t *at, char name[TAG_NAME_SIZE],
              Text *value);

// Selects games by their tags; all conditions must hold. A text must be part of the value, ignoring
// the case of ASCII letters. NULL means any value.
typedef struct TagRule {
    const char *player;     // name of the Red or Black player
    OptionTexts tags;       // "NAME=TEXT" conditions
    int min_elo;            // smallest rating of both players; 0: any
    int min_year, max_year; // years of the date; 0: any
} TagRule;
// Returns true if the game fits. Sets *unread if the rule needs the year and the date cannot be
// read.
bool tag_rule_holds(const TagRule *rule, const TagRecord *tags, size_t count, bool *unread);
// Returns STATUS_USAGE if a condition is not of the form NAME=TEXT.
Status tag_rule_check(const TagRule *rule, Err *err);

// Returns why tags cannot have been written by this program, or "" if they can.
const char *tags_fault(const TagRecord *tags, size_t count);
