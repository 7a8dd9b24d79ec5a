// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the rules that end games, such as those about repetition. Games in the form that `paotai
// judge` reads are judged and explained under every rule set. The faster form of the rules, which
// the search uses, must agree on whether a game has ended.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/rules/rules_line.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

// Checks that the images of the game (mirrored, colours exchanged, both) get the same reason, and
// the same verdict, in which Red and Black change places if the colours are exchanged.
static void judge_images(const Rules *rules, const Game *game, const Judgement *plain) {
    Game image = {0};
    for (int form = 1; form < 4; form++) {
        positions_game_image(game, form & 1, form & 2, &image);
        const Judgement judged = rules_judge(rules, &image);
        Verdict expected = plain->verdict;
        if ((form & 2) && expected == VERDICT_RED_LOSES) {
            expected = VERDICT_BLACK_LOSES;
        } else if ((form & 2) && expected == VERDICT_BLACK_LOSES) {
            expected = VERDICT_RED_LOSES;
        }
        require(judged.verdict == expected && judged.reason == plain->reason);
    }
    game_clear(&image);
}

static void judge_all(Game *game, Text *text) {
    static RulesLine line;
    for (int set = 0; set < RULE_SET_COUNT; set++) {
        Rules rules = rules_default((RuleSet)set);
        rules.material = set % 2 ? MATERIAL_PIKAFISH : MATERIAL_AXF;
        const Judgement judged = rules_judge(&rules, game);
        size_t ply = 0;
        Judgement first;
        const bool ended = rules_first_end(&rules, game, &ply, &first);
        // If rules_judge() finds an end of the game, rules_first_end() must find one too.
        require(judged.verdict == VERDICT_NONE || ended);
        judge_images(&rules, game, &judged);
        text_reset(text);
        rules_explain(&rules, game, game->count, text);
        require(text->length > 0);
        // The rules as the search applies them (RulesLine) must end the game on the last ply if and
        // only if rules_judge() does. RulesLine does not detect mate and stalemate; the search
        // does.
        const bool mate = judged.reason == END_CHECKMATE || judged.reason == END_STALEMATE;
        if (game->count == 0 || game->count > RULES_LINE_HISTORY || mate) continue;
        const Position last = game->now;
        const Move move = game->plies[game->count - 1].move;
        game_pop(game);
        rules_line_begin(&line, &rules, game);
        rules_line_push(&line, move, &last);
        require((rules_line_end(&line) == LINE_OPEN) == (judged.verdict == VERDICT_NONE));
        game_push(game, move);
    }
}

FUZZ(judge) {
    char *input = memory_alloc(size + 1, 1);
    if (size > 0) memcpy(input, data, size);
    Game game = {0};
    Text text = {0};
    Err err = {0};
    // Only a line feed ends a line, not a zero byte. The program's line reader does the same.
    for (char *at = input, *end = input + size; at < end;) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        *stop = '\0';
        if (game_read_record(&game, at, (size_t)(stop - at), &err) == STATUS_OK) {
            judge_all(&game, &text);
        }
        at = stop + 1;
    }
    game_clear(&game);
    text_clear(&text);
    free(input);
}
