// SPDX-License-Identifier: GPL-3.0-or-later
// The format MXQ: binary files of an old Chinese client. Each text has a byte with its length in
// front of it. The texts are: site, date, "Red-胜-Black", the ratings of Red and Black, seven more
// texts, then moves such as 7C-4C up to "Ends". A point is its column (0 at the left) and its row
// (A is Red's back rank). All games begin at the initial position.
#include <string.h>

#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"

// Reads the next text and converts it to UTF-8. Returns false if the file ends before or inside the
// text.
static bool next_text(const SourceText *file, size_t *at, Text *text) {
    text_reset(text);
    const size_t length = *at < file->length ? (uint8_t)file->data[*at] : file->length;
    if (*at + 1 + length > file->length) return false;
    const Status status = text_decode(text_encoding_chinese(file->data + *at + 1, length),
                                      file->data + *at + 1, length, text, NULL);
    *at += 1 + length;
    return status == STATUS_OK;
}

// Reads the players and the result from a text like "Red-胜-Black". Stores the whole text as the
// tag Event.
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
    AUTO(Text) value = {0};
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
        const int from = whole ? square_from_top(move[0] - '0', 'J' - move[1]) : 0,
                  to = whole ? square_from_top(move[3] - '0', 'J' - move[4]) : 0;
        if (source_game_push_points(source, 0, from, to, err) != STATUS_OK) refusal = IMPORT_MOVE;
    }
    if (good || refusal != IMPORT_KEPT) return refusal;
    return import_refuse(err, IMPORT_FIELDS,
                         "the file ends after ply %zu without 'Ends'; it may be incomplete",
                         source->game.count);
}
