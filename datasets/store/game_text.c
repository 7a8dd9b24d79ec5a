// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/game_text.h"

#include <stdlib.h>

#include "core/base/text.h"
#include "core/notation/notation.h"

// " +0.35/6", " +M7/12" or nothing.
static void add_score(const PlyRecord *ply, Text *text) {
    if (ply->mate_red) {
        text_add(text, " %cM%d", ply->mate_red > 0 ? '+' : '-', abs(ply->mate_red));
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(text, " %+.2f", ply->score_red / 100.0);
    } else {
        return;
    }
    if (ply->depth) text_add(text, "/%d", ply->depth);
}

// One ply: the move in both systems, its score from Red's side with the depth, and the move that
// the search preferred to it.
static void add_ply(const Position *position, const PlyRecord *ply, Text *text) {
    char wxf[NOTATION_SIZE], chinese[NOTATION_SIZE];
    notation_write(NOTATION_WXF, NULL, position, ply->move, wxf);
    notation_write(NOTATION_CHINESE, NULL, position, ply->move, chinese);
    text_add(text, "%s %s", wxf, chinese);
    add_score(ply, text);
    if (ply->best == MOVE_NONE) return;
    notation_write(NOTATION_WXF, NULL, position, ply->best, wxf);
    text_add(text, " (%s)", wxf);
}

void game_print_moves(FILE *out, const GameRecord *game, const PlyRecord *plies) {
    GameWalk walk;
    Text line = {0};
    game_walk_init(&walk, game);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        if (!position_is_pseudo_legal(&walk.position, plies[i].move)) break;
        text_reset(&line);
        add_ply(&walk.position, &plies[i], &line);
        fprintf(out, "%4u %-5s %s%s\n", i + 1, side_name((Side)walk.position.stm), text_get(&line),
                i < game->opening_plies ? "  opening" : "");
        game_walk_step(&walk, game, plies[i].move);
    }
    text_clear(&line);
}
