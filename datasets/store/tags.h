// SPDX-License-Identifier: GPL-3.0-or-later
// Tags are facts about a game such as Event and Date, with the names that PGN uses. A TagRecord has
// room for a short name and a short value. A longer value continues in the next record, whose name
// is empty. If a name is too long, its rest follows after a '+' in the name of the next record.
#pragma once

#include "core/command/options.h"
#include "datasets/store/record.h"

// The tag RemarkN has the comment after ply N of the game, and Remark0 the comment before the first
// move. The lines of a comment are separated by '\n'.
#define TAG_REMARK "Remark"
// Returns true if a tag with this name is a remark.
bool tag_is_remark(const char *name);
// Largest length of a remark, and of the value of any other tag, in bytes.
enum { TAG_REMARK_MAX = 1 << 20, TAG_VALUE_MAX = 4096 };
// Name of the tag that marks a game as a variation. Its value is the number of plies before the
// first move of the variation, counted from the start of the main line.
#define TAG_VARIATION "VariationPly"
// Name of the tag that identifies the game from which a variation branches. Its value is
// game_content_key() of that game, with `mirrored` not set, in hexadecimal.
#define TAG_VARIATION_OF "VariationOf"
// Name of the tag in which match and tournament describe a player's fault, such as a crash, and
// results that players claimed. In a PGN file, the text of this tag is a comment.
#define TAG_NOTE "ContestNote"

enum {
    TAG_NAME_SIZE = 256
}; // size of a name in bytes, with the terminator; the PGN standard allows 255 characters

// A growing list of tags. Initialise with zeros; tag_list_clear() frees the memory.
typedef struct TagList {
    TagRecord *list;
    size_t count, capacity;
} TagList;
void tag_list_clear(TagList *tags);

// Adds a tag. In its value, bytes that are not UTF-8 become '?', control characters become blanks
// (except line ends in a remark), and trailing blanks are removed. A value is cut after
// TAG_VALUE_MAX bytes, a remark after TAG_REMARK_MAX bytes. Returns false, and adds nothing, if the
// tag exists already, or if its name is not 1 to 255 letters, digits and '_'.
bool tag_list_add(TagList *tags, const char *name, const char *value, size_t length);

// Returns the number at the beginning of a tag's value, or `none` if there is no such tag.
long tag_number(const TagRecord *tags, size_t count, const char *name, long none);

// Appends `count` records, without a test whether the tags exist already.
void tag_list_append(TagList *tags, const TagRecord *list, size_t count);
// Appends at most `most` of the `count` records: those that are a whole tag each, because its name
// and value are short.
void tag_list_append_short(TagList *tags, const TagRecord *list, size_t count, size_t most);
// Removes a tag, if it exists.
void tag_list_remove(TagList *tags, const char *name);

// Reads the value of a tag into `value`, ignoring the case of its name. If there is no such tag,
// returns false and makes the text empty.
bool tag_value(const TagRecord *tags, size_t count, const char *name, Text *value);
// Reads the name and the value of the tag that begins at record *at, and moves *at to the next tag.
// Returns false at the end of the list.
bool tag_next(const TagRecord *tags, size_t count, size_t *at, char name[TAG_NAME_SIZE],
              Text *value);

// Selects games by their tags. A game must meet all conditions. The value of a tag must contain the
// text of its condition, ignoring the case of ASCII letters.
typedef struct TagRule {
    const char *player;     // text in the name of the Red or the Black player; NULL: any
    OptionTexts tags;       // conditions on tags, "NAME=TEXT"
    int min_elo;            // rating that both players must have at least (tags RedElo and
                            // BlackElo); 0: any
    int min_year, max_year; // first and last year of the game's date; 0: any
} TagRule;
// Returns true if a game meets the conditions. If there is a condition on the year, sets *unread to
// whether the game has a date whose year cannot be read; otherwise leaves *unread unchanged.
bool tag_rule_holds(const TagRule *rule, const TagRecord *tags, size_t count, bool *unread);
// Returns STATUS_USAGE if one of `tags` is not of the form NAME=TEXT.
Status tag_rule_check(const TagRule *rule, Err *err);

// Checks names and values of tags that were read from a file. Returns an empty text if they are
// valid, otherwise the fault.
const char *tags_fault(const TagRecord *tags, size_t count);
