// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the FEN reader: what it accepts is a position whose FEN reads back as itself, in every
// dialect, and whose legal moves lead to consistent positions.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/board/attacks.h"
#include "core/board/position.h"
#include "tests/fuzz/fuzz.h"

// A bug, in any variant of the build.
static void require(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    core_init();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *fen = memory_alloc(size + 1, 1);
    if (size) memcpy(fen, data, size);
    Position position;
    Err err = {0};
    const Status status = position_from_fen(&position, fen, &err);
    free(fen);
    if (status != STATUS_OK) {
        require(err.text[0] != '\0');
        return 0;
    }
    require(position_is_consistent(&position));
    for (FenDialect dialect = FEN_UCI; dialect <= FEN_QH; dialect++) {
        char once[FEN_SIZE], twice[FEN_SIZE];
        Position again;
        position_to_fen(&position, dialect, once);
        require(position_from_fen(&again, once, &err) == STATUS_OK);
        position_to_fen(&again, dialect, twice);
        require(strcmp(once, twice) == 0);
    }
    MoveList list;
    position_legal_moves(&position, &list);
    for (int i = 0; i < list.count; i++) {
        Position after;
        position_do_move(&position, list.moves[i], &after);
        require(position_is_consistent(&after));
    }
    return 0;
}
