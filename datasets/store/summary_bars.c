// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/summary_bars.h"

enum { BAR_LABEL_SIZE = 48 };

// A bar for each count between the first and the last that is not 0, as comment lines.
static void print_bars(FILE *out, const char *title, const uint64_t *counts, int bins,
                       void (*label)(int bin, char text[BAR_LABEL_SIZE])) {
    enum { BAR = 50 };
    uint64_t most = 1;
    int first = bins, last = -1;
    for (int i = 0; i < bins; i++) {
        if (counts[i] > most) most = counts[i];
        if (counts[i]) last = i;
        if (counts[i] && first == bins) first = i;
    }
    if (last >= 0) fprintf(out, "# %s\n", title);
    for (int i = first; i <= last; i++) {
        char text[BAR_LABEL_SIZE];
        label(i, text);
        const int length = (int)(counts[i] * BAR / most);
        fprintf(out, "# %14s %9llu %.*s\n", text, (unsigned long long)counts[i], length,
                "##################################################");
    }
}

static void label_length(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d%s", bin * LENGTH_BIN_PLIES,
             bin == LENGTH_BINS - 1 ? "+" : "");
}
static void label_pieces(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d", bin);
}
static void label_phase(int bin, char text[BAR_LABEL_SIZE]) {
    snprintf(text, BAR_LABEL_SIZE, "%d", bin * PHASE_BIN);
}
static void label_score(int bin, char text[BAR_LABEL_SIZE]) {
    const char *beyond = bin == 0 ? " or less" : bin == SCORE_BINS - 1 ? " or more" : "";
    snprintf(text, BAR_LABEL_SIZE, "%+d%s", (bin - SCORE_BINS / 2) * SCORE_BIN, beyond);
}
static void label_result(int bin, char text[BAR_LABEL_SIZE]) {
    static const char *const names[] = {"Black wins", "draws", "Red wins"};
    snprintf(text, BAR_LABEL_SIZE, "%s", names[bin]);
}
static void label_repeats(int bin, char text[BAR_LABEL_SIZE]) {
    static const char *const names[REPEAT_BINS] = {"once",      "twice",       "3-4 times",
                                                   "5-9 times", "10-99 times", "100+ times"};
    snprintf(text, BAR_LABEL_SIZE, "%s", names[bin]);
}

void summary_print_bars(FILE *out, const StoreSummary *summary) {
    print_bars(out, "games by result", summary->results, 3, label_result);
    print_bars(out, "games by plies", summary->lengths, LENGTH_BINS, label_length);
    print_bars(out, "positions by pieces on the board", summary->pieces, PIECE_BINS, label_pieces);
    print_bars(out, "positions by phase, 48 with all pieces", summary->phases, PHASE_BINS,
               label_phase);
    print_bars(out, "positions by score from Red's side, units", summary->scores, SCORE_BINS,
               label_score);
    print_bars(out, "different positions by how often they occur", summary->repeats, REPEAT_BINS,
               label_repeats);
}
