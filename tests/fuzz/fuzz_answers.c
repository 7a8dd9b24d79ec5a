// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the parsers of the lines that engines send. Each protocol parses each line: values must be
// within their ranges. Writing a parsed move and parsing it again must give the same move. Each
// line is also parsed as a PLAYER text, which must be accepted, or refused with a message.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/engines/protocol.h"
#include "tests/fuzz/fuzz.h"

static void read_line(const ProtocolOps *protocol, const char *line, SearchInfo *info) {
    // Half of the lines are read with the quirk score_unit.
    const Quirks quirks = {.score_unit = strlen(line) % 2 ? 100 : 0};
    const Answer answer = protocol->read(&quirks, line, info);
    require(info->depth >= 0 && info->depth <= 255);
    require(info->score_cp >= -1000000 && info->score_cp <= 1000000);
    require(memchr(answer.move, '\0', sizeof answer.move) != NULL);
    for (int first_rank = 0; first_rank < 2; first_rank++) {
        const Move move = move_scan(answer.move, strlen(answer.move), first_rank);
        if (move == MOVE_NONE) continue;
        char text[MOVE_TEXT_SIZE];
        require(move_from(move) < SQUARE_COUNT && move_to(move) < SQUARE_COUNT);
        move_write(move, first_rank, text);
        require(move_scan(text, strlen(text), first_rank) == move);
    }
    Conversation talk = {.protocol = protocol};
    protocol->take_about(&talk, line);
    require(talk.options.length <= 2 * strlen(line));
    text_clear(&talk.options);
}

static void read_player(const char *line) {
    PlayerSpec spec;
    Err err = {0};
    const Status status = player_spec_parse(line, "input", &spec, &err);
    require(status == STATUS_OK || err.text[0] != '\0');
    if (status == STATUS_OK) player_spec_clear(&spec);
}

FUZZ(answers) {
    char *text = memory_alloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    SearchInfo info[3] = {0};
    char *cursor = text;
    for (const char *line; (line = text_next_field(&cursor, '\n')) != NULL;) {
        for (int i = 0; i < 3; i++) read_line(protocols[i], line, &info[i]);
        read_player(line);
    }
    free(text);
}
