// SPDX-License-Identifier: GPL-3.0-or-later
// The format plain: training data of variant-nnue-tools as text. An entry has these lines:
//     fen rnbakabnr/... w - - 0 1
//     move h3e3          ranks from 1, as in Fairy-Stockfish
//     score 35           of the side to move; 32000 - N is a mate in N plies; missing or 32002 if
//                        unknown
//     ply 0              number of plies before the position
//     result 1           of the side to move: 1, 0, -1
//     e                  end of the entry
#include <string.h>

#include "datasets/formats/position_lines.h"

enum { PLAIN_MATE = FAIRY_MATE };

static const EntryName keys[] = {
    {"fen", ENTRY_FEN, false},      {"move", ENTRY_MOVE, false}, {"score", ENTRY_SCORE, true},
    {"result", ENTRY_RESULT, true}, {"ply", ENTRY_PLY, false},
};

static bool read_plain_line(EntryReader *reader, const char *line) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = line + strlen(keys[i].name);
        if (strncmp(line, keys[i].name, (size_t)(value - line)) != 0 || *value != ' ') continue;
        reader->from = keys[i].name;
        return entry_take(reader, keys[i].field, keys[i].stm, value + strspn(value, " "));
    }
    char shown[PRINTABLE_SIZE];
    notation_printable(line, strlen(line), shown);
    err_set(reader->err, STATUS_BAD_INPUT,
            "the line '%s' is neither 'e' nor one of the words fen, move, score, ply and result "
            "with a space and a value",
            shown);
    reader->refusal = IMPORT_FIELDS;
    return false;
}

bool plain_ends_entry(const char *line) {
    return line[0] == 'e' && line[1 + strspn(line + 1, " \t")] == '\0';
}

bool read_plain_entry(EntryReader *reader, char **text) {
    reader->mate_value = PLAIN_MATE;
    for (char *line; (line = entry_line(reader, text));) {
        if (plain_ends_entry(line)) return true;
        if (*line && !read_plain_line(reader, line)) return false;
    }
    err_set(reader->err, STATUS_BAD_INPUT, "the last line of the entry is missing: it must be 'e'");
    reader->refusal = IMPORT_FIELDS;
    return false;
}

void write_plain(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                 const char *fen, const char *move, Text *out) {
    const Position *position = &walk->position;
    const char *dash = given->system == NOTATION_UCI1 ? strchr(move, '-') : NULL;
    const int length = (int)(dash ? dash - move : (long)strlen(move));
    text_add(out, "fen %s\nmove %.*s%s\n", fen, length, move, dash ? dash + 1 : "");
    const int mate = value_of_stm(position, ply->mate_red);
    if (mate != 0) {
        text_add(out, "score %d\n", mate > 0 ? PLAIN_MATE - mate : -PLAIN_MATE - mate);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(out, "score %d\n", value_of_stm(position, ply->score_red));
    }
    text_add(out, "ply %u\nresult %d\ne\n", entry_ply(given, walk),
             value_of_stm(position, given->game->result));
}
