// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/epd_text.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

// ---- operations --------------------------------------------------------------------------------

// Returns the end of the operation that begins at `text`: its semicolon, or the end of the text.
static const char *operation_end(const char *text) {
    const char *at = text;
    bool quoted = false;
    for (; *at && (quoted || *at != ';'); at++) quoted = quoted != (*at == '"');
    return quoted ? text + strcspn(text, ";") : at;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool epd_next(const char **at, EpdOperation *operation) {
    while (*at && (**at == ';' || is_blank(**at))) (*at)++;
    if (!*at || !**at) return false;
    const char *begin = *at, *end = operation_end(begin), *stop = end, *opcode_end = begin;
    *at = *end ? end + 1 : end;
    while (is_blank(stop[-1])) stop--;
    while (opcode_end < stop && !is_blank(*opcode_end)) opcode_end++;
    const char *operand = opcode_end;
    while (operand < stop && is_blank(*operand)) operand++;
    *operation = (EpdOperation){.opcode = begin,
                                .opcode_length = (size_t)(opcode_end - begin),
                                .operand = operand,
                                .length = (size_t)(stop - operand),
                                .ended = *end == ';'};
    return true;
}

bool epd_find(const char *operations, const char *opcode, EpdOperation *operation) {
    while (epd_next(&operations, operation)) {
        if (text_word_is(operation->opcode, operation->opcode_length, opcode)) return true;
    }
    return false;
}

// The opcodes that imports or `analyse` read.
static const char *const opcodes[] = {"hmvc", "fmvn", "sm",  "pm", "pv", "bm", "am", "ce",
                                      "dm",   "acd",  "acn", "id", "c0", "c1", "c2", "c3",
                                      "c4",   "c5",   "c6",  "c7", "c8", "c9"};
enum { OPCODE_COUNT = sizeof opcodes / sizeof *opcodes };

// Returns the index of an opcode in `opcodes`, or OPCODE_COUNT.
static int opcode_index(const char *word, size_t length) {
    int i = 0;
    while (i < OPCODE_COUNT && !text_word_is(word, length, opcodes[i])) i++;
    return i;
}

static Status refuse_twice(const char *operations, Err *err) {
    unsigned seen = 0;
    EpdOperation operation;
    while (epd_next(&operations, &operation)) {
        const int i = opcode_index(operation.opcode, operation.opcode_length);
        if (i == OPCODE_COUNT) continue;
        if (seen >> i & 1) {
            return err_set(err, STATUS_BAD_INPUT, "the EPD operation %s comes twice", opcodes[i]);
        }
        seen |= 1u << i;
    }
    return STATUS_OK;
}

// ---- the position ------------------------------------------------------------------------------

// Reads the operation `opcode`, which counts moves, to *value. Does nothing if there is none.
// `given` is set if *value is the same counter of the FEN; the two must then be equal.
static Status read_counter(const char *operations, const char *opcode, bool given, uint16_t *value,
                           Err *err) {
    EpdOperation operation;
    char text[8];
    long long number = 0;
    if (!epd_find(operations, opcode, &operation)) return STATUS_OK;
    snprintf(text, sizeof text, "%.*s", (int)operation.length, operation.operand);
    TRY(parse_int(text, 0, UINT16_MAX, &number, opcode, err));
    if (given && number != *value) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the operation %s says %lld, but the same counter of the FEN is %u", opcode,
                       number, *value);
    }
    *value = (uint16_t)number;
    return STATUS_OK;
}

// Returns the length of the FEN at the beginning of a line. If an opcode follows the board, the FEN
// has no side.
static size_t line_fen_length(const char *line) {
    const size_t board = fen_board_length(line, strlen(line));
    const char *at = line + board, *word;
    size_t length;
    if (board && text_next_word(&at, &word, &length) && opcode_index(word, length) < OPCODE_COUNT) {
        return board;
    }
    return fen_length(line, strlen(line));
}

Status epd_read_position(const char *line, FenSide side, Position *position, FenFields *fields,
                         const char **operations, Err *err) {
    char fen[2 * FEN_SIZE];
    size_t sided = 0;
    line += strspn(line, " \t");
    const size_t length = line_fen_length(line);
    *operations = line + length;
    *fields = (FenFields){0};
    if (length >= sizeof fen) {
        return err_set(err, STATUS_BAD_INPUT, "FEN: it has more than %zu characters",
                       sizeof fen - 1);
    }
    memcpy(fen, line, length);
    fen[length] = '\0';
    *fields = fen_fields(fen);
    TRY(source_read_fen(side, fen, position, &sided, err));
    TRY(refuse_twice(*operations, err));
    TRY(read_counter(*operations, "hmvc", fields->halfmove, &position->halfmove, err));
    return read_counter(*operations, "fmvn", fields->fullmove, &position->fullmove, err);
}
