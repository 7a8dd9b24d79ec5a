// SPDX-License-Identifier: GPL-3.0-or-later
// Words, numbers and moves in what engines say.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/engines/protocol.h"

enum { MATE_MOVES_MAX = 10000 }; // more is no mate

bool answer_begins(const char *line, const char *head, const char **rest) {
    const size_t length = strlen(head);
    line += strspn(line, " \t");
    *rest = line + length;
    return strncmp(line, head, length) == 0 && !isalnum((unsigned char)line[length]);
}

bool answer_next_number(const char **cursor, bool loose, long long *value) {
    char buffer[24], *end;
    const char *word;
    size_t length;
    if (!text_next_word(cursor, &word, &length) || length >= sizeof buffer) return false;
    snprintf(buffer, sizeof buffer, "%.*s", (int)length, word);
    *value = strtoll(buffer, &end, 10);
    if (end == buffer) return false;
    if (loose && *end && ispunct((unsigned char)*end)) end++;
    return *end == '\0';
}

int answer_clamp(long long value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

int answer_mate_plies(long long moves) {
    if (moves > MATE_MOVES_MAX || moves < -MATE_MOVES_MAX) return 0;
    return (int)(moves > 0 ? 2 * moves - 1 : 2 * moves);
}

bool answer_next_move(const char **cursor, char move[MOVE_TEXT_SIZE]) {
    const char *word;
    size_t length;
    if (!text_next_word(cursor, &word, &length)) return false;
    snprintf(move, MOVE_TEXT_SIZE, "%.*s", length < MOVE_TEXT_SIZE ? (int)length : 0, word);
    return true;
}

void answer_copy_line(const char *from, SearchInfo *info) {
    from += strspn(from, " \t");
    if (snprintf(info->line, SEARCH_LINE_SIZE, "%s", from) < SEARCH_LINE_SIZE) return;
    char *blank = strrchr(info->line, ' ');
    if (blank) *blank = '\0';
}

bool answer_is_legal(const Position *position, Move move) {
    return move != MOVE_NONE && position_is_pseudo_legal(position, move) &&
           position_is_legal(position, move);
}

void protocol_add_move(const Conversation *talk, Move move, Text *out) {
    char text[MOVE_TEXT_SIZE];
    text_add_bytes(out, text, move_write(move, talk->quirks.ranks, text));
}
