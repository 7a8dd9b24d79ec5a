// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/rows/row_notes.h"

static void note_count(uint64_t count, const char *text, FILE *out) {
    if (count) fprintf(out, "%llu games are left out, %s\n", (unsigned long long)count, text);
}

// Says that the positions count as independent, if the imported file does not state the games and
// most records are alone in their game.
static void note_independent(const RowSet *rows, FILE *out) {
    if (2 * rows->guessed <= rows->records || 2 * rows->game_count <= rows->records) return;
    fprintf(out,
            "%zu positions were taken as %zu independent games, because the imported file has no "
            "numbers of games and its rows are not in the order of games. If several positions "
            "come from one game, the standard errors are too small and the verdict can be wrong: "
            "give each row the number of its game (csv: column game; epd: id \"GAME.PLY\") and "
            "import it again\n",
            rows->count, rows->game_count);
}

void rows_note(const RowSet *rows, bool quiet, FILE *out) {
    sense_print(&rows->sense, out);
    if (quiet) return;
    note_count(rows->faults,
               "because they ended by a fault, such as a time forfeit or a crash; --with-faults "
               "keeps them",
               out);
    note_count(rows->copies, "because an earlier game has the same start and moves", out);
    if (rows->near_copies) {
        fprintf(
            out,
            "%llu games are left out as near copies: an earlier game begins with the same moves, "
            "and these are at least about three quarters of both games\n",
            (unsigned long long)rows->near_copies);
    }
    note_count(rows->empty, "because they have no sampled positions", out);
    note_independent(rows, out);
}
