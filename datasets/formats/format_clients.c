// SPDX-License-Identifier: GPL-3.0-or-later
// Files of Chinese clients from before 2010: moves from the initial position, points by column and
// row, and little else. As eleeye's converters and vschess read them.
//
// CCM (ourgame's rival): 7 bytes a move, of which the last four are the columns of origin and
// target and their rows. CHN (ourgame): a head of 188 bytes, then 32 bytes a move; its words 2 to 5
// are column and row of origin and target. Both count from the top left as the player saw the
// board: where Red's first move begins in the upper half, it is upside down. CHE (QQ): numbers in
// text; 1, the number of moves, then ten for each: man, 32, side, row and column of origin, of
// target, 0, its number, 0. Rows count from Red, columns from Red's right. MXQ: texts behind a byte
// that counts: site, date, "Red-胜-Black", the ratings, seven more, then moves like 7C-4C (column,
// row from Red as a letter) up to "Ends".
#include <stdlib.h>
#include <string.h>

#include "datasets/formats/board_list.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/formats.h"

// A point by its column and its row from the top; SQUARE_NONE where there is none.
static int square_at(unsigned column, unsigned row) {
    return column < FILE_COUNT && row < RANK_COUNT
               ? square_make((int)column, RANK_COUNT - 1 - (int)row)
               : SQUARE_NONE;
}

// Reads moves of `size` bytes each from `at` on; `point` gives the columns and rows of one.
static ImportRefusal read_moves_of(const SourceText *text, size_t at, size_t size,
                                   void point(const uint8_t *bytes, unsigned points[4]),
                                   SourceGame *source, Err *err) {
    bool turned = false;
    if (text->length < at || (text->length - at) % size != 0) {
        err_set(err, STATUS_BAD_INPUT, "%zu bytes are no moves of %zu bytes each", text->length,
                size);
        return IMPORT_FIELDS;
    }
    for (const char *move = text->data + at; move < text->data + text->length; move += size) {
        unsigned points[4];
        point((const uint8_t *)move, points);
        if (source->game.count == 0) turned = points[1] < RANK_COUNT / 2;
        for (int i = 0; i < 4 && turned; i++) points[i] = (i % 2 ? 9u : 8u) - points[i];
        if (source_game_push_points(source, 0, square_at(points[0], points[1]),
                                    square_at(points[2], points[3]), err) != STATUS_OK) {
            return IMPORT_MOVE;
        }
    }
    return IMPORT_KEPT;
}

static void point_ccm(const uint8_t *bytes, unsigned points[4]) {
    points[0] = bytes[3];
    points[1] = bytes[5];
    points[2] = bytes[4];
    points[3] = bytes[6];
}

static void point_chn(const uint8_t *bytes, unsigned points[4]) {
    for (int i = 0; i < 4; i++) points[i] = bytes[4 + 2 * i] | (unsigned)bytes[5 + 2 * i] << 8;
}

ImportRefusal read_ccm(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    (void)settings;
    return read_moves_of(text, 0, 7, point_ccm, source, err);
}

ImportRefusal read_chn(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    (void)settings;
    return read_moves_of(text, 188, 32, point_chn, source, err);
}

ImportRefusal read_che(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    (void)settings;
    enum { HEAD = 2, EACH = 10 };
    unsigned numbers[EACH] = {0}, moves = 0, count = 0;
    for (const char *at = text->data; *at;) {
        char *end;
        if (*at < '0' || *at > '9') {
            at++;
            continue;
        }
        const unsigned long number = strtoul(at, &end, 10);
        at = end;
        if (count == 1) moves = (unsigned)number;
        if (count >= HEAD) numbers[(count - HEAD) % EACH] = number < 90 ? (unsigned)number : 90;
        if (count++ < HEAD || (count - HEAD) % EACH != 0) continue;
        const int from = square_at(8 - numbers[4], 9 - numbers[3]),
                  to = square_at(8 - numbers[6], 9 - numbers[5]);
        if (source_game_push_points(source, 0, from, to, err) != STATUS_OK) return IMPORT_MOVE;
    }
    if (count >= HEAD && source->game.count == moves) return IMPORT_KEPT;
    err_set(err, STATUS_BAD_INPUT, "it tells of %u moves, and has %zu", moves, source->game.count);
    return IMPORT_FIELDS;
}

// ---- MXQ ---------------------------------------------------------------------------------------

// The next text, as UTF-8; false at the end.
static bool next_text(const SourceText *file, size_t *at, Text *text) {
    text_reset(text);
    const size_t length = *at < file->length ? (uint8_t)file->data[*at] : file->length;
    if (*at + 1 + length > file->length) return false;
    const Status status = text_decode_any(file->data + *at + 1, length, text, NULL, NULL);
    *at += 1 + length;
    return status == STATUS_OK;
}

// "Red-胜-Black" says the players and the result.
static void take_players(const char *text, SourceGame *source) {
    static const struct {
        const char *mark;
        int8_t result;
    } marks[] = {{"-胜-", 1}, {"-勝-", 1}, {"-和-", 0}, {"-负-", -1}, {"-負-", -1}};
    source_game_tag(source, "Event", text, strlen(text));
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(text, marks[i].mark);
        if (!found) continue;
        const char *black = found + strlen(marks[i].mark);
        source_game_tag(source, "Red", text, (size_t)(found - text));
        source_game_tag(source, "Black", black, strlen(black));
        source->has_result = true;
        source->record.result = marks[i].result;
    }
}

ImportRefusal read_mxq(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    (void)settings;
    static const char *const tags[] = {"Site", "Date", NULL, "RedElo", "BlackElo"};
    enum { TEXTS = 12 };
    Text value = {0};
    size_t at = 0;
    bool good = true;
    for (size_t i = 0; i < TEXTS && good; i++) {
        good = next_text(text, &at, &value);
        if (i == 2) take_players(text_get(&value), source);
        if (i < sizeof tags / sizeof *tags && tags[i]) {
            source_game_tag(source, tags[i], text_get(&value), value.length);
        }
    }
    ImportRefusal refusal = IMPORT_KEPT;
    while (refusal == IMPORT_KEPT && good && (good = next_text(text, &at, &value)) &&
           strcmp(text_get(&value), "Ends") != 0) {
        const char *move = text_get(&value);
        const bool whole = value.length >= 5;
        const int from = whole ? square_at((unsigned)move[0] - '0', 'J' - (unsigned)move[1]) : 0,
                  to = whole ? square_at((unsigned)move[3] - '0', 'J' - (unsigned)move[4]) : 0;
        if (source_game_push_points(source, 0, from, to, err) != STATUS_OK) refusal = IMPORT_MOVE;
    }
    text_clear(&value);
    if (good || refusal != IMPORT_KEPT) return refusal;
    err_set(err, STATUS_BAD_INPUT, "it ends behind ply %zu without 'Ends'", source->game.count);
    return IMPORT_FIELDS;
}
