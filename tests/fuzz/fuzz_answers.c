// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes what engines may say: each line, read by each protocol, gives values within their ranges;
// a move that is read writes back as itself.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/engines/conversation.h"
#include "tests/fuzz/fuzz.h"

static void read_line(Protocol protocol, const char *line, SearchInfo *info) {
    const Answer answer = answer_read(protocol, line, info);
    require(info->depth >= 0 && info->depth <= 255);
    require(info->score_cp >= -1000000 && info->score_cp <= 1000000);
    require(memchr(answer.move, '\0', sizeof answer.move) != NULL);
    for (int first_rank = 0; first_rank < 2; first_rank++) {
        const Move move = answer_move(answer.move, first_rank);
        if (move == MOVE_NONE) continue;
        char text[ANSWER_MOVE_SIZE];
        require(move_from(move) < SQUARE_COUNT && move_to(move) < SQUARE_COUNT);
        answer_write_move(move, first_rank, text);
        require(answer_move(text, first_rank) == move);
    }
    const char *cursor = line, *name, *value, *before = line;
    size_t name_length, value_length;
    while (answer_next_feature(&cursor, &name, &name_length, &value, &value_length)) {
        require(cursor > before && cursor <= line + strlen(line));
        require(value + value_length <= line + strlen(line));
        before = cursor;
    }
    if (answer_option_name(protocol, line, &name, &name_length)) {
        require(name >= line && name + name_length <= line + strlen(line) && name_length > 0);
    }
}

FUZZ(answers) {
    char *text = memory_alloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    SearchInfo info[3] = {0};
    char *cursor = text;
    for (const char *line; (line = text_next_field(&cursor, '\n')) != NULL;) {
        for (Protocol protocol = PROTOCOL_UCI; protocol <= PROTOCOL_CECP; protocol++) {
            read_line(protocol, line, &info[protocol]);
        }
    }
    free(text);
}
