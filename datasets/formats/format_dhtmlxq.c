// SPDX-License-Identifier: GPL-3.0-or-later
// DhtmlXQ, the form of games on dpxq.com and in forums (UBB): tags in a text or HTML page, in any
// encoding:
//     [DhtmlXQ] [DhtmlXQ_title]...[/DhtmlXQ_title] [DhtmlXQ_result]红胜[/DhtmlXQ_result]
//     [DhtmlXQ_binit]8979...[/DhtmlXQ_binit] [DhtmlXQ_movelist]77477062...[/DhtmlXQ_movelist]
//     [/DhtmlXQ]
// A point is two digits: the column and the row, counted from 0 at the top left. binit has the
// points of 32 pieces in the order of board_list.h, 99 for a captured piece. If there is a tag
// DhtmlXQ_fen, binit is ignored. Each variation is a list of its own, such as DhtmlXQ_move_0_5_1.
// If movelist is empty, move_0_1_0 is the main line.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"

static const char prefix[] = "[DhtmlXQ", end_prefix[] = "[/DhtmlXQ";

// ---- cutting -----------------------------------------------------------------------------------

// Returns true if a line has a tag that encloses a game, such as [DhtmlXQ] or [DhtmlXQiFrame].
// `tag` is `prefix` for opening tags and end_prefix for closing tags.
static bool has_block_tag(const char *line, const char *tag) {
    for (const char *at = line; (at = strstr(at, tag)); at++) {
        if (at[strlen(tag)] != '_') return true;
    }
    return false;
}

// Extracts the next game from the file. It ends with the closing tag of its block, before the next
// block, or where its first tag occurs again. Lines before the first tag are skipped.
bool cut_dhtmlxq(SourceReader *reader) {
    LineReader *lines = &reader->lines;
    char first[64] = "";
    while (line_reader_next(lines)) {
        const char *line = lines->line;
        const char *tag = strstr(line, "[DhtmlXQ_");
        const size_t length = tag ? strcspn(tag, "]") : 0;
        const bool again =
            tag && *first && strlen(first) == length && memcmp(tag, first, length) == 0;
        if (reader->line && (again || (*first && has_block_tag(line, prefix)))) {
            line_reader_unread(lines);
            return true;
        }
        if (!reader->line && !strstr(line, prefix)) continue;
        if (tag && !*first && length < sizeof first)
            snprintf(first, sizeof first, "%.*s", (int)length, tag);
        source_reader_take_line(reader);
        if (has_block_tag(line, end_prefix)) return true;
    }
    return reader->line > 0;
}

// ---- reading -----------------------------------------------------------------------------------

// A DhtmlXQ tag in a text: its name without the prefix "DhtmlXQ_", and its value.
typedef struct DhtmlTag {
    const char *name, *value;
    size_t name_length, value_length;
} DhtmlTag;

// All DhtmlXQ tags of a text, so that finding one does not search the text again.
typedef struct DhtmlTags {
    DhtmlTag *list;     // in the order of the text
    DhtmlTag **by_name; // sorted by name; tags with the same name in the order of the text
    size_t count, capacity;
    bool remarks; // there is a tag whose name begins with "comment"
} DhtmlTags;

static void dhtml_tags_clear(DhtmlTags *tags) {
    free(tags->list);
    free(tags->by_name);
}
AUTO_VALUE(DhtmlTags, dhtml_tags_clear)

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length) {
    const size_t length = a_length < b_length ? a_length : b_length;
    const int order = memcmp(a, b, length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_tags(const void *one, const void *two) {
    const DhtmlTag *a = *(DhtmlTag *const *)one, *b = *(DhtmlTag *const *)two;
    const int order = compare_names(a->name, a->name_length, b->name, b->name_length);
    return order ? order : (a > b) - (a < b);
}

// Lists the tags of a text. A value ends before the next closing tag or, if there is none, before
// the next bracket or line end. Blanks at its ends do not count.
static void list_tags(const char *text, DhtmlTags *tags) {
    static const char begin[] = "[DhtmlXQ_";
    const char *closing = text;
    for (const char *at = text; (at = strstr(at, begin));) {
        at += strlen(begin);
        const char *end = at + strcspn(at, "[]\n");
        if (*end != ']') continue;
        DhtmlTag tag = {.name = at, .name_length = (size_t)(end - at), .value = end + 1};
        if (closing && closing < tag.value) closing = strstr(tag.value, end_prefix);
        tag.value_length = closing ? (size_t)(closing - tag.value) : strcspn(tag.value, "[\n");
        for (; tag.value_length > 0 && isspace((unsigned char)*tag.value); tag.value_length--) {
            tag.value++;
        }
        while (tag.value_length > 0 && isspace((unsigned char)tag.value[tag.value_length - 1])) {
            tag.value_length--;
        }
        tags->list = memory_room(tags->list, &tags->capacity, tags->count + 1, sizeof *tags->list);
        tags->list[tags->count++] = tag;
        tags->remarks = tags->remarks || strncmp(at, "comment", strlen("comment")) == 0;
    }
    tags->by_name = memory_alloc(tags->count, sizeof(DhtmlTag *));
    for (size_t i = 0; i < tags->count; i++) tags->by_name[i] = &tags->list[i];
    qsort(tags->by_name, tags->count, sizeof(DhtmlTag *), compare_tags);
}

// Copies the value of the first tag with a name to *value. Returns false if the tag is missing.
static bool find_value(const DhtmlTags *tags, const char *name, Text *value) {
    const size_t length = strlen(name);
    size_t low = 0, high = tags->count;
    text_reset(value);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const DhtmlTag *tag = tags->by_name[middle];
        if (compare_names(tag->name, tag->name_length, name, length) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == tags->count) return false;
    const DhtmlTag *tag = tags->by_name[low];
    if (compare_names(tag->name, tag->name_length, name, length) != 0) return false;
    text_add_bytes(value, tag->value, tag->value_length);
    return true;
}

// Tags that dpxq.com and other programs use, and the PGN tags with the same meaning.
static const struct {
    const char *own, *name;
} tag_names[] = {{"title", "Title"},         {"event", "Event"},          {"date", "Date"},
                 {"place", "Site"},          {"round", "Round"},          {"red", "Red"},
                 {"redteam", "RedTeam"},     {"redrating", "RedElo"},     {"black", "Black"},
                 {"blackteam", "BlackTeam"}, {"blackrating", "BlackElo"}, {"ecco", "ECCO"},
                 {"open", "Opening"},        {"variation", "Variation"},  {"remark", "Annotator"},
                 {"author", "Author"}};

// Removes the blanks from a value. Returns false if it has characters other than digits and blanks;
// the error message calls the value `what`.
static bool keep_digits(Text *value, const char *what, Err *err) {
    size_t kept = 0;
    for (size_t i = 0; i < value->length; i++) {
        const char c = value->data[i];
        if (isspace((unsigned char)c)) continue;
        if (!isdigit((unsigned char)c)) {
            char shown[PRINTABLE_SIZE];
            notation_printable(value->data + i, value->length - i, shown);
            err_set(err, STATUS_BAD_INPUT, "%s has '%s' where digits are expected", what, shown);
            return false;
        }
        value->data[kept++] = c;
    }
    value->length = kept;
    if (value->data) value->data[kept] = '\0';
    return true;
}

// Returns the square of a point, or SQUARE_NONE if the point is not on the board.
static int square_of(const char *digits) {
    return square_from_top(digits[0] - '0', digits[1] - '0');
}

static ImportRefusal start_game(const DhtmlTags *tags, int first, FenSide side, SourceGame *source,
                                Err *err) {
    AUTO(Text) value = {0};
    Position start;
    uint8_t squares[LIST_MEN];
    Piece board[SQUARE_COUNT];
    if (find_value(tags, "fen", &value) && value.length) {
        if (source_read_fen(side, value.data, &start, &source->sided, err) != STATUS_OK) {
            return IMPORT_START;
        }
        source_game_start(source, &start);
        return IMPORT_KEPT;
    }
    if (!find_value(tags, "binit", &value) || value.length == 0) return IMPORT_KEPT;
    if (!keep_digits(&value, "binit", err)) return IMPORT_START;
    if (value.length != 2 * LIST_MEN) {
        return import_refuse(err, IMPORT_START,
                             "the tag binit (start position) has %zu digits, but must have %d",
                             value.length, 2 * LIST_MEN);
    }
    for (size_t i = 0; i < LIST_MEN; i++) squares[i] = (uint8_t)square_of(value.data + 2 * i);
    const bool good = board_from_list(squares, board, err) == STATUS_OK &&
                      source_game_start_board(source, board, first, RED, 1, err) == STATUS_OK;
    return good ? IMPORT_KEPT : IMPORT_START;
}

// Writes the name of the tag that holds the remark after ply N: commentN in the main line,
// commentK_N in variation K. Plies count from the start of the game, also in a variation.
static void name_comment(unsigned number, unsigned ply, char name[32]) {
    if (number) {
        snprintf(name, 32, "comment%u_%u", number, ply);
    } else {
        snprintf(name, 32, "comment%u", ply);
    }
}

// Stores the remark after the last ply of a line of play. `line` is the index of the line in
// `source`, and `number` its number in the file. "||" in a remark stands for a line end.
static void take_remark(const DhtmlTags *tags, unsigned number, size_t line, SourceGame *source) {
    const uint32_t ply = source_game_plies(source, line) - source->record.extra_plies;
    AUTO(Text) value = {0};
    char name[32];
    name_comment(number, ply, name);
    if (!find_value(tags, name, &value) || value.length == 0) return;
    source_game_remark(source, line, value.data, remark_split(value.data));
}

// Plays a list of moves as a line of `source`, and stores its remarks. `line` is the index of the
// line in `source`, and `number` its number in the file; both are 0 for the main line.
static ImportRefusal play_moves(const DhtmlTags *tags, const Text *list, unsigned number,
                                size_t line, SourceGame *source, Err *err) {
    if (tags->remarks) take_remark(tags, number, line, source);
    for (size_t i = 0; i < list->length; i += 4) {
        if (list->length - i < 4) {
            return import_refuse(err, IMPORT_FIELDS,
                                 "the list of moves is incomplete: it ends in the middle of ply %u",
                                 source_game_plies(source, line) + 1);
        }
        const char *digits = list->data + i;
        if (source_game_push_points(source, line, square_of(digits), square_of(digits + 2), err) !=
            STATUS_OK) {
            return IMPORT_MOVE;
        }
        if (tags->remarks) take_remark(tags, number, line, source);
    }
    return IMPORT_KEPT;
}

// Returns the position before ply number `ply` of the game (counted from 1) in line `number`, or
// NULL if the line has no such ply. *at is used as a buffer.
static const Position *position_before(const SourceGame *source, size_t number, unsigned ply,
                                       Position *at) {
    const SourceLine *line = number ? &source->lines[number - 1] : NULL;
    const size_t first = line ? line->ply : 0, count = line ? line->count : source->game.count;
    if (ply < first + 1 || ply > first + count) return NULL;
    if (!line) return game_position(&source->game, ply - 1);
    source_line_position(line, ply - 1 - first, at);
    return at;
}

// Reads a number of at most 6 digits and the character behind it. Returns false if it is not there.
static bool take_number(const char **at, char behind, unsigned *number) {
    size_t digits = 0;
    for (*number = 0; digits < 7 && isdigit((unsigned char)**at); digits++, ++*at) {
        *number = 10 * *number + (unsigned)(**at - '0');
    }
    if (digits == 0 || digits == 7 || **at != behind) return false;
    ++*at;
    return true;
}

// Reads the variations. If `wanted` is not set, only sets source->varied if there are variations.
// The tag [DhtmlXQ_move_P_K_N] holds variation N, which branches from variation P (0: the main
// line) and replaces ply K. This tag must stand after the tag of variation P.
static void read_variations(const DhtmlTags *tags, bool wanted, SourceGame *source) {
    static const char move[] = "move_";
    // Variation number N of the file is variation number lines[N] of `source`.
    AUTO_FREE size_t *lines = wanted ? memory_alloc(SOURCE_LINES_MOST + 1, sizeof *lines) : NULL;
    for (size_t i = 0; i < tags->count; i++) {
        unsigned of, ply, number;
        AUTO(Text) list = {0};
        Position board;
        const DhtmlTag *tag = &tags->list[i];
        const char *at = tag->name + strlen(move);
        if (strncmp(tag->name, move, strlen(move)) != 0 || !take_number(&at, '_', &of) ||
            !take_number(&at, '_', &ply) || !take_number(&at, ']', &number)) {
            continue;
        }
        // The tag move_0_1_0 is a list of the main line, not of a variation.
        if (of == 0 && ply == 1 && number == 0) continue;
        source->varied = !wanted;
        if (!wanted) return;
        if (number == 0 || number > SOURCE_LINES_MOST || of > SOURCE_LINES_MOST ||
            (of && !lines[of])) {
            source->variations_cut++;
            continue;
        }
        const Position *start = position_before(source, lines[of], ply, &board);
        const size_t line =
            start ? source_game_add_variation(source, lines[of], start, ply - 1) : 0;
        if (!start) source->variations_cut++;
        if (line == 0) continue;
        lines[number] = line;
        text_add_bytes(&list, tag->value, tag->value_length);
        Err fault = {0};
        if (!keep_digits(&list, "the list of moves", &fault) ||
            play_moves(tags, &list, number, line, source, &fault) != IMPORT_KEPT) {
            source_game_set_fault(source, line, &fault);
        }
    }
}

// Refuses a game in which the start position or the result comes twice, with different values.
static ImportRefusal refuse_twice(const DhtmlTags *tags, Err *err) {
    static const char *const names[] = {"fen", "binit", "result"};
    for (size_t i = 1; i < tags->count; i++) {
        const DhtmlTag *a = tags->by_name[i - 1], *b = tags->by_name[i];
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            if (!text_word_is(a->name, a->name_length, names[j]) ||
                !text_word_is(b->name, b->name_length, names[j]) ||
                (a->value_length == b->value_length &&
                 memcmp(a->value, b->value, a->value_length) == 0)) {
                continue;
            }
            return import_refuse(err, IMPORT_FIELDS,
                                 "the tag DhtmlXQ_%s comes twice, with different values", names[j]);
        }
    }
    return IMPORT_KEPT;
}

static ImportRefusal read_block(const char *text, const ReadSettings *settings, SourceGame *source,
                                Err *err) {
    AUTO(Text) value = {0}, list = {0};
    AUTO(DhtmlTags) found = {0};
    const DhtmlTags *tags = &found;
    list_tags(text, &found);
    ImportRefusal refusal = refuse_twice(tags, err);
    if (refusal != IMPORT_KEPT) return refusal;
    for (size_t i = 0; i < sizeof tag_names / sizeof *tag_names; i++) {
        if (!find_value(tags, tag_names[i].own, &value)) continue;
        source_game_tag(source, tag_names[i].name, text_get(&value), value.length);
    }
    if (find_value(tags, "result", &value)) {
        source->has_result = result_from_text(text_get(&value), &source->record.result);
    }
    find_value(tags, "movelist", &list);
    if (list.length == 0) find_value(tags, "move_0_1_0", &list);
    if (!keep_digits(&list, "the list of moves", err)) return IMPORT_FIELDS;
    const int first = list.length >= 2 ? square_of(list.data) : SQUARE_NONE;
    refusal = start_game(tags, first, settings->side, source, err);
    if (refusal == IMPORT_KEPT) refusal = play_moves(tags, &list, 0, 0, source, err);
    if (refusal == IMPORT_KEPT) read_variations(tags, settings->variations, source);
    return refusal;
}

ImportRefusal read_dhtmlxq(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                           Err *err) {
    static const char list[] = "[DhtmlXQ_movelist]";
    AUTO(Text) utf8 = {0};
    if (text_decode_any(text->data, text->length, &utf8, err) != STATUS_OK) {
        return IMPORT_FIELDS;
    }
    const char *first = strstr(text_get(&utf8), list);
    if (!first || !strstr(first + 1, list)) {
        return read_block(text_get(&utf8), settings, source, err);
    }
    return import_refuse(
        err, IMPORT_FIELDS,
        "the text of this game has several lists of moves, but a game has only one");
}

// ---- writing -----------------------------------------------------------------------------------

static void add_point(int square, Text *out) {
    if (square == SQUARE_NONE) {
        text_add(out, "99");
    } else {
        text_add(out, "%d%d", square_file(square), RANK_COUNT - 1 - square_rank(square));
    }
}

static void add_tag(const char *name, const char *value, Text *out) {
    if (!value || !*value) return;
    text_add(out, "%s_%s]", prefix, name);
    for (; *value; value++) {
        const bool tag = strncmp(value, prefix, strlen(prefix)) == 0 ||
                         strncmp(value, end_prefix, strlen(end_prefix)) == 0;
        const bool blank = tag || iscntrl((unsigned char)*value);
        text_add(out, *value == '\n' ? "||" : "%c", blank ? ' ' : *value);
    }
    text_add(out, "%s_%s]\n", end_prefix, name);
}

// Writes the moves of a line as the tag `name`, followed by its remarks and variations. `own` is
// the number of the line in the file, `before` the number of plies of the game before the first
// move of the line. *lines is the number of variations written so far.
static Status add_line(const ExportGame *line, const char *name, unsigned before, unsigned own,
                       unsigned *lines, Text *out, Err *err) {
    GameWalk walk;
    Status status = STATUS_OK;
    AUTO(Text) value = {0};
    char tag[48];
    TRY(export_walk_begin(line, &walk, err));
    const uint32_t begin = walk.ply;
    text_add(out, "%s_%s]", prefix, name);
    for (Move move; (move = export_walk_next(line, &walk, &status, err)) != MOVE_NONE;) {
        add_point(move_from(move), out);
        add_point(move_to(move), out);
    }
    text_add(out, "%s_%s]\n", end_prefix, name);
    for (uint32_t ply = begin; status == STATUS_OK && ply <= line->game->ply_count; ply++) {
        const unsigned number = before + ply - begin;
        name_comment(own, number, tag);
        if (export_remark(line, ply, &value)) add_tag(tag, text_get(&value), out);
        for (const ExportGame *other = NULL; (other = export_variation(line, ply, other));) {
            snprintf(tag, sizeof tag, "move_%u_%u_%u", own, number + 1, ++*lines);
            TRY(add_line(other, tag, number, *lines, lines, out, err));
        }
    }
    return status;
}

Status write_dhtmlxq(const ExportGame *given, Text *out, Err *err) {
    static const char *const results[] = {"黑胜", "和棋", "红胜"};
    GameWalk walk;
    uint8_t squares[LIST_MEN];
    unsigned lines = 0;
    TRY(export_walk_begin(given, &walk, err));
    text_add(out, "%s]\n", prefix);
    add_tag("ver", "www_dpxq_com", out);
    AUTO(Text) value = {0};
    for (size_t i = 0; i < sizeof tag_names / sizeof *tag_names; i++) {
        add_tag(tag_names[i].own, export_tag(given, tag_names[i].name, &value), out);
    }
    if (given->game->result != RESULT_NONE) {
        add_tag("result", results[given->game->result + 1], out);
    }
    board_to_list(&walk.position, squares);
    text_add(out, "%s_binit]", prefix);
    for (int i = 0; i < LIST_MEN; i++) add_point(squares[i], out);
    text_add(out, "%s_binit]\n", end_prefix);
    TRY(add_line(given, "movelist", 0, 0, &lines, out, err));
    text_add(out, "%s]\n\n", end_prefix);
    return STATUS_OK;
}
