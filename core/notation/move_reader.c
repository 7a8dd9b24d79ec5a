// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notation/move_reader.h"

#include <string.h>

#include "core/notation/notation_parts.h"

void move_reader_init(MoveReader *reader, int system) {
    enum { DEFAULT_SYSTEMS = 6 };
    *reader = (MoveReader){.system = system,
                           .fixed = system != MOVES_DETECTED,
                           .exact = true,
                           .tried = DEFAULT_SYSTEMS};
}

const uint8_t tried_systems[TRIED_SYSTEMS] = {
    NOTATION_UCI,        NOTATION_WXF,     NOTATION_CHINESE, NOTATION_SAN,  NOTATION_UCI1,
    NOTATION_LALG,       NOTATION_LAU,     NOTATION_SYSTEM1, NOTATION_DPXQ, NOTATION_PRITCHARD,
    NOTATION_GLOBALSTAR, NOTATION_FSF_SAN, NOTATION_FSF_LAN};

// Returns true if the system writes this move with exactly this text. For uci, the spelling of iccs
// is also accepted. Wxf and Chinese notation are not compared, because their texts are not confused
// with other systems: for them the function returns true.
static bool is_exact(NotationSystem system, const Position *position, const char *text,
                     size_t length, Move move) {
    char written[NOTATION_SIZE];
    if (system == NOTATION_WXF || system == NOTATION_CHINESE) return true;
    notation_write(system, NULL, position, move, written);
    if (strlen(written) == length && memcmp(written, text, length) == 0) return true;
    return system == NOTATION_UCI && is_exact(NOTATION_ICCS, position, text, length, move);
}

// Reads a move in the given system, and updates reader->exact.
static Status read_by(MoveReader *reader, NotationSystem system, const Position *position,
                      const char *text, size_t length, Move *move, Err *err) {
    // Try the fastest parser first: most moves are written as coordinates.
    Status status = STATUS_BAD_INPUT;
    if (system == NOTATION_UCI) status = move_parse_legal(position, text, length, 0, move, NULL);
    if (status != STATUS_OK) {
        TRY(notation_read(system, NULL, position, text, length, move, err));
    }
    if (reader->exact) reader->exact = is_exact(system, position, text, length, *move);
    return STATUS_OK;
}

// Returns true if one of the two systems is uci1 and the other uci or lalg. All three systems write
// points, but uci1 counts ranks from 1, the others from 0. A text that is illegal in uci may be a
// legal move in uci1, and vice versa. Therefore the reader must not change between these systems
// within a game.
static bool differ_in_ranks(int a, int b) {
    const bool names_a = a == NOTATION_UCI || a == NOTATION_LALG;
    const bool names_b = b == NOTATION_UCI || b == NOTATION_LALG;
    return (a == NOTATION_UCI1 && names_b) || (b == NOTATION_UCI1 && names_a);
}

// Fills *err for a text that is a legal move in none of the systems that were tried.
static Status fail_in_all(const MoveReader *reader, const char *text, size_t length, Err *err) {
    const bool known = reader->system != MOVES_DETECTED;
    const char *const names = differ_in_ranks(reader->system, NOTATION_UCI)
                                  ? "wxf, chinese, san or uci1"
                              : differ_in_ranks(reader->system, NOTATION_UCI1)
                                  ? "uci, iccs, wxf, chinese, san or lalg"
                                  : "uci, iccs, wxf, chinese, san, uci1 or lalg";
    char shown[PRINTABLE_SIZE];
    notation_printable(text, length, shown);
    err_set(err, STATUS_BAD_INPUT, "'%s' is not a legal move in %s", shown, names);
    if (!known) return STATUS_BAD_INPUT;
    return err_remedy(err, "the last move read was written in %s, in which moves look like %s",
                      notation_rows[reader->system].name, notation_rows[reader->system].example);
}

Status move_reader_read(MoveReader *reader, const Position *position, const char *text,
                        size_t length, Move *move, Err *err) {
    const bool known = reader->system != MOVES_DETECTED;
    Status status = STATUS_BAD_INPUT;
    if (known) {
        status = read_by(reader, (NotationSystem)reader->system, position, text, length, move, err);
    }
    if (status == STATUS_OK || reader->fixed) return status;
    Err ambiguous = {0};
    // For a single move, all systems are tried, and a system that writes exactly this text is
    // preferred. If there is none, and for the moves of a game, take the first system in which the
    // text is a legal move.
    for (int strict = reader->tried == TRIED_SYSTEMS; strict >= 0; strict--) {
        for (int i = 0; i < reader->tried; i++) {
            const int other = tried_systems[i];
            if (other == reader->system || differ_in_ranks(reader->system, other)) continue;
            const NotationSystem system = (NotationSystem)other;
            status = read_by(reader, system, position, text, length, move, NULL);
            if (status == STATUS_AMBIGUOUS && ambiguous.status == STATUS_OK) {
                read_by(reader, system, position, text, length, move, &ambiguous);
            }
            if (status != STATUS_OK) continue;
            if (strict && !is_exact(system, position, text, length, *move)) continue;
            reader->system = other;
            return STATUS_OK;
        }
    }
    if (known && notation_has_form((NotationSystem)reader->system, position, text, length)) {
        return STATUS_BAD_INPUT;
    }
    // If the text is ambiguous in a notation system, report this error: it helps the user more than
    // the message that the text is not a legal move.
    if (ambiguous.status != STATUS_OK) {
        if (err) *err = ambiguous;
        return STATUS_AMBIGUOUS;
    }
    return fail_in_all(reader, text, length, err);
}

Status move_reader_convert_game(NotationSystem to, const NotationStyle *style, Position *position,
                                const char *moves, Text *out, Err *err) {
    const Position start = *position;
    size_t furthest = 0;
    for (int i = 0; i < TRIED_SYSTEMS; i++) {
        AUTO(Text) text = {0};
        Err why = {0};
        *position = start;
        const NotationSystem from = (NotationSystem)tried_systems[i];
        if (notation_convert_game(from, to, style, position, moves, &text, &why) == STATUS_OK) {
            text_add(out, "%s", text_get(&text));
            return STATUS_OK;
        }
        const bool tells_more = err && err->status != STATUS_AMBIGUOUS &&
                                why.status == STATUS_AMBIGUOUS && text.length == furthest;
        if (err && (i == 0 || text.length > furthest || tells_more)) {
            furthest = text.length;
            *err = why;
        }
    }
    return STATUS_BAD_INPUT;
}
