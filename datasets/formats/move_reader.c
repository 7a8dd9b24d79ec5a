// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/move_reader.h"

#include <string.h>
#include <strings.h>

void move_reader_init(MoveReader *reader, int system) {
    *reader = (MoveReader){.system = system, .fixed = system != MOVES_DETECTED};
}

bool move_system_from_tag(const char *text, NotationSystem *system) {
    // The names that the .wxf format gives to systems, and those of xqbase and XBoard.
    static const struct {
        const char *text;
        NotationSystem system;
    } others[] = {
        {"axf", NOTATION_WXF},
        {"salg", NOTATION_SAN},
        {"ucci", NOTATION_UCI},
        {"pgn", NOTATION_SAN},
        {"chinese chess", NOTATION_CHINESE},
        {"中文", NOTATION_CHINESE},
    };
    for (int i = 0; i < NOTATION_SYSTEM_COUNT; i++) {
        if (strcasecmp(text, notation_name((NotationSystem)i)) != 0) continue;
        *system = (NotationSystem)i;
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcasecmp(text, others[i].text) != 0) continue;
        *system = others[i].system;
        return true;
    }
    return false;
}

static Status read_by(NotationSystem system, const Position *position, const char *text,
                      size_t length, Move *move, Err *err) {
    // Coordinates are most of what there is, and this way is the quick one.
    if (system == NOTATION_UCI &&
        move_parse_legal(position, text, length, move, NULL) == STATUS_OK) {
        return STATUS_OK;
    }
    return notation_read(system, NULL, position, text, length, move, err);
}

// Points are named by all of these, in uci1 with other ranks: a wrong move of one may be a legal
// move of the other.
static bool rivals(int a, int b) {
    const bool names_a = a == NOTATION_UCI || a == NOTATION_LALG;
    const bool names_b = b == NOTATION_UCI || b == NOTATION_LALG;
    return (a == NOTATION_UCI1 && names_b) || (b == NOTATION_UCI1 && names_a);
}

Status move_reader_read(MoveReader *reader, const Position *position, const char *text,
                        size_t length, Move *move, Err *err) {
    static const NotationSystem tried[] = {NOTATION_UCI, NOTATION_WXF,  NOTATION_CHINESE,
                                           NOTATION_SAN, NOTATION_UCI1, NOTATION_LALG};
    const bool known = reader->system != MOVES_DETECTED;
    Status status = STATUS_BAD_INPUT;
    if (known) {
        status = read_by((NotationSystem)reader->system, position, text, length, move, err);
    }
    if (status == STATUS_OK || reader->fixed) return status;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        if ((int)tried[i] == reader->system || rivals(reader->system, (int)tried[i])) continue;
        if (read_by(tried[i], position, text, length, move, NULL) != STATUS_OK) continue;
        reader->system = (int)tried[i];
        return STATUS_OK;
    }
    if (known) return status;
    char shown[PRINTABLE_SIZE];
    notation_printable(text, length, shown);
    return err_set(err, STATUS_BAD_INPUT,
                   "'%s' is no legal move in uci, iccs, wxf, chinese, san, uci1 or lalg", shown);
}
