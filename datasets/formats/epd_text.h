// SPDX-License-Identifier: GPL-3.0-or-later
// EPD: a FEN, with or without counters, followed by operations `opcode operand...;`. Imports,
// opening books and `analyse` read the position of such a line by the same function.
#pragma once

#include "datasets/formats/formats.h"

// One operation. Neither text ends with a zero byte.
typedef struct EpdOperation {
    const char *opcode;
    size_t opcode_length;
    const char *operand; // without blanks at its ends
    size_t length;       // length of the operand
    bool ended;          // a semicolon follows the operation
} EpdOperation;

// Cuts the next operation out of a text and moves *at behind it. Skips empty operations. Returns
// false at the end of the text. A semicolon inside double quotes does not end an operation, unless
// the quotes are never closed.
bool epd_next(const char **at, EpdOperation *operation);

// Finds the first operation with this opcode. Returns false if there is none.
bool epd_find(const char *operations, const char *opcode, EpdOperation *operation);

// Reads the FEN at the beginning of a line, and the counters in its operations hmvc and fmvn.
// `side` is the treatment of a FEN without a side to move. *operations becomes the rest of the
// line after the FEN, and *fields says which fields the FEN has. Returns an error if the FEN or a
// counter is invalid, if an opcode that we read comes twice, or if a counter differs from that of
// the FEN.
Status epd_read_position(const char *line, FenSide side, Position *position, FenFields *fields,
                         const char **operations, Err *err);
