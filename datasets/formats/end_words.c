// SPDX-License-Identifier: GPL-3.0-or-later
// Words with which other programs say that a game ended by a fault, not by its position.
#include <ctype.h>
#include <string.h>

#include "core/base/text.h"
#include "datasets/formats/formats.h"

// Parts of texts, in lower case and with blanks for '_' and '-'. The tag Termination has few
// values, but a comment may contain anything, so only the phrases that programs write are searched
// for there. They are written by XBoard, cutechess, fastchess, c-chess-cli, PyChess, lichess,
// chess.com and Chinese servers.
static const struct {
    const char *words;
    EndReason reason;
    bool comment; // the words also count in a comment
} phrases[] = {
    {"time forfeit", END_TIME_FORFEIT, false},
    {"loses on time", END_TIME_FORFEIT, true},
    {"wins on time", END_TIME_FORFEIT, true},
    {"forfeits on time", END_TIME_FORFEIT, true},
    {"draw by timeout", END_TIME_FORFEIT, true},
    {"on time", END_TIME_FORFEIT, false},
    {"timeout", END_TIME_FORFEIT, false},
    {"超时", END_TIME_FORFEIT, false},
    {"超時", END_TIME_FORFEIT, false},
    {"makes an illegal move", END_ILLEGAL_MOVE, true},
    {"forfeit due to illegal move", END_ILLEGAL_MOVE, true},
    {"forfeit due to invalid move", END_ILLEGAL_MOVE, true},
    {"illegal move", END_ILLEGAL_MOVE, false},
    {"infraction", END_RULES_INFRACTION, false},
    {"'s connection stalls", END_STALLED_CONNECTION, true},
    {"draw by stalled connection", END_STALLED_CONNECTION, true},
    {"stall", END_STALLED_CONNECTION, false},
    {"exited unexpectedly", END_CRASH, true},
    {"crash", END_CRASH, false},
    {"protocol fault", END_PROTOCOL_FAULT, false},
    {"white disconnects", END_ABANDONED, true},
    {"black disconnects", END_ABANDONED, true},
    {"draw by disconnection", END_ABANDONED, true},
    {"disconnect", END_ABANDONED, false},
    {"abandon", END_ABANDONED, false},
    {"death", END_ABANDONED, false},
    {"emergency", END_ABANDONED, false},
    {"断线", END_ABANDONED, false},
    {"斷線", END_ABANDONED, false},
    {"逃跑", END_ABANDONED, false},
    {"unterminated", END_UNTERMINATED, false},
};

EndReason end_fault_from_text(const char *text, size_t length, bool comment) {
    AUTO(Text) plain = {0};
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const bool blank = c == '_' || c == '-' || isspace((unsigned char)c);
        text_add(&plain, "%c", blank ? ' ' : tolower((unsigned char)c));
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        if (comment && !phrases[i].comment) continue;
        if (strstr(text_get(&plain), phrases[i].words)) return phrases[i].reason;
    }
    return END_NONE;
}
