// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/command/page.h"
#include "core/notation/notation.h"
#include "core/notation/opening_name.h"
#include "core/system/out_file.h"
#include "datasets/store/store.h"
#include "datasets/store/tags.h"

// Results of games from the view of one side or one player.
typedef struct Tally {
    uint64_t wins, draws, losses;
    // Number of games with a score (not a mate) of the position after the move, and the sum of
    // these scores, in points from Red's side. Only set in nodes of the tree.
    uint64_t scored;
    double score_sum;
} Tally;

typedef struct Node {
    Move move;
    uint32_t child, next; // indices of the first child and of the next sibling in Openings.nodes;
                          // 0: there is none
    Tally tally;          // results of the side that plays `move`
} Node;

typedef struct Player {
    char *name;
    Tally tally;
} Player;

typedef struct Openings {
    const OpeningsSpec *spec;
    FILE *out;
    Node *nodes; // nodes of the tree; nodes[0] is the start position, without results
    size_t count, capacity;
    Player *players; // one entry per game and side while games are read; print_players() merges
                     // entries with equal names
    size_t player_count, player_capacity;
    uint64_t games; // for the tree of openings: number of its games; for the table of players:
                    // number of all games
    uint64_t other_starts; // number of games that are not in the tree of openings because they have
                           // another start position or extra moves of odds
    uint64_t open;         // number of games that are not in the tree of openings because they have
                           // no result
    Html *page;            // HTML page that is written, or NULL
    Move path[OPENINGS_MAX_DEPTH]; // moves that lead to the node that is being printed
} Openings;

// ---- counting -----------------------------------------------------------------------------------

static void count_game(Tally *tally, const GameRecord *game, Side side) {
    const int points = side == RED ? game->result : -game->result;
    if (game->result == RESULT_NONE) return;
    tally->wins += points > 0;
    tally->draws += points == 0;
    tally->losses += points < 0;
}

static uint64_t tally_games(const Tally *tally) {
    return tally->wins + tally->draws + tally->losses;
}

// Returns the average points per game, over the games with a result; 0 if there are none.
static double tally_share(const Tally *tally) {
    return ((double)tally->wins + 0.5 * (double)tally->draws) / fmax((double)tally_games(tally), 1);
}

// Converts the mean points s per game to Elo, 400 log10(s / (1 - s)). Sets *error95 to half the
// width of the 95 % confidence interval. Both are NAN if there is no game or s is 0 or 1.
static double tally_elo(const Tally *tally, double *error95) {
    const double games = (double)tally_games(tally);
    const double s = tally_share(tally);
    const double variance = ((double)tally->wins + 0.25 * (double)tally->draws) / games - s * s;
    *error95 = 1.96 * sqrt(variance / games) * 400 / log(10) / (s * (1 - s));
    if (!isfinite(*error95) || s <= 0 || s >= 1) *error95 = NAN;
    return isnan(*error95) ? NAN : 400 * log10(s / (1 - s));
}

// Returns a move or its left-right mirror image, so that a line of moves and its mirror image
// become equal. In a symmetric position, chooses the move whose origin is nearer to file i, or
// whose target is nearer if the origin is on the middle file. *turned stores this choice. In other
// positions the choice in *turned applies.
static Move canonical(const Position *position, Move move, bool *turned) {
    const Move image = move_make(square_mirror(move_from(move)), square_mirror(move_to(move)));
    Position mirrored;
    position_mirror(position, &mirrored);
    if (mirrored.key == position->key) {
        const int from = move_from(move) - move_from(image), to = move_to(move) - move_to(image);
        *turned = from < 0 || (from == 0 && to < 0);
    }
    return *turned ? image : move;
}

static uint32_t child_of(Openings *openings, uint32_t parent, Move move) {
    uint32_t at = openings->nodes[parent].child;
    while (at && openings->nodes[at].move != move) at = openings->nodes[at].next;
    if (at) return at;
    at = (uint32_t)openings->count++;
    openings->nodes =
        memory_room(openings->nodes, &openings->capacity, openings->count, sizeof(Node));
    openings->nodes[at] = (Node){.move = move, .next = openings->nodes[parent].child};
    openings->nodes[parent].child = at;
    return at;
}

static void add_game(Openings *openings, const GameRecord *game, const PlyRecord *plies) {
    const OpeningsSpec *spec = openings->spec;
    Position start;
    GameWalk walk;
    bool turned = false;
    uint32_t at = 0;
    position_init_start(&start);
    game_walk_init(&walk, game);
    if (walk.position.key != start.key || game->extra_plies) {
        openings->other_starts++;
        return;
    }
    if (game->result == RESULT_NONE) {
        openings->open++;
        return;
    }
    openings->games++;
    while (walk.ply < game->ply_count && walk.ply < (uint32_t)spec->depth) {
        const Move move = plies[walk.ply].move;
        const Side side = (Side)walk.position.stm;
        at = child_of(openings, at, canonical(&walk.position, move, &turned));
        Tally *tally = &openings->nodes[at].tally;
        count_game(tally, game, side);
        if (!game_walk_step(&walk, game, move)) return;
        if (walk.ply == game->ply_count) return;
        const PlyRecord *reply = &plies[walk.ply];
        if (reply->score_red == SCORE_UNKNOWN || reply->mate_red) continue;
        tally->scored++;
        tally->score_sum += reply->score_red / 100.0;
    }
}

static void add_players(Openings *openings, const GameRecord *game, const TagRecord *tags) {
    for (int side = RED; side <= BLACK; side++) {
        AUTO(Text) name = {0};
        if (!tag_value(tags, tags ? game->tag_count : 0, side == RED ? "Red" : "Black", &name)) {
            continue;
        }
        openings->players = memory_room(openings->players, &openings->player_capacity,
                                        openings->player_count + 1, sizeof *openings->players);
        Player *player = &openings->players[openings->player_count++];
        *player = (Player){.name = memory_copy_text(text_get(&name))};
        count_game(&player->tally, game, (Side)side);
    }
}

static Status take_block(void *context, const char *path, GameBatch *games, Err *err) {
    Openings *openings = context;
    const OpeningsSpec *spec = openings->spec;
    if (game_batch_check(games, err) != STATUS_OK) return err_prefix(err, "%s", path);
    for (size_t i = 0; i < games->count; i++) {
        const GameRecord *game = &games->games[i];
        if (spec->players) {
            openings->games++;
            add_players(openings, game, game_batch_tags(games, game));
        } else {
            add_game(openings, game, games->plies + game->first_ply);
        }
    }
    return STATUS_OK;
}

// ---- output -------------------------------------------------------------------------------------

static void page_numbers(Html *page, const Tally *tally, const char *label, const char *name) {
    double error95;
    const double elo = tally_elo(tally, &error95), games = (double)tally_games(tally);
    page_add(page, "<b>%s</b> %s <span class='lead'>%.0f game%s, +%llu =%llu -%llu, %.1f %%", label,
             name, games, games == 1 ? "" : "s", (unsigned long long)tally->wins,
             (unsigned long long)tally->draws, (unsigned long long)tally->losses,
             100 * tally_share(tally));
    if (!isnan(elo)) page_add(page, ", Elo %+.0f \xc2\xb1 %.0f", elo, error95);
    if (tally->scored) {
        page_add(page, ", score %+.2f", tally->score_sum / (double)tally->scored);
    }
    page_add(page, "</span>");
}

static void print_tally(const Openings *openings, const Tally *tally, const char *line,
                        const char *label, const char *name) {
    const OpeningsSpec *spec = openings->spec;
    double error95;
    const double elo = tally_elo(tally, &error95);
    record_row(openings->out, spec->json,
               "{games}%8lu {wins}%7lu {draws}%7lu {losses}%7lu {elo}%6.0f +- {elo_error95}%-4.0f "
               "{score_red}%6.2f  {label}%s  {name}%s{!line}%s\n",
               tally_games(tally), tally->wins, tally->draws, tally->losses, elo, error95,
               tally->scored ? tally->score_sum / (double)tally->scored : (double)NAN, label, name,
               line);
}

// Returns the index of the child of the node `parent` that is printed next, or 0 if no child
// remains. The child with the most games is printed first; of children with equally many games, the
// one with the lower index. `below` and `last` are the number of games and the index of the child
// that was printed last; UINT64_MAX and 0 before the first.
static uint32_t most_played(const Openings *openings, uint32_t parent, uint64_t below,
                            uint32_t last) {
    uint32_t best = 0;
    uint64_t most_games = 0;
    for (uint32_t at = openings->nodes[parent].child; at; at = openings->nodes[at].next) {
        const uint64_t games = tally_games(&openings->nodes[at].tally);
        const bool later = games < below || (games == below && at > last);
        if (later && (games > most_games || (games == most_games && at < best))) {
            best = at;
            most_games = games;
        }
    }
    return best;
}

static void print_tree(Openings *openings, uint32_t parent, const Position *position,
                       const char *line) {
    const OpeningsSpec *spec = openings->spec;
    uint64_t below = UINT64_MAX;
    for (uint32_t at = 0; (at = most_played(openings, parent, below, at)) != 0;) {
        const Node *node = &openings->nodes[at];
        char uci[5], chinese[NOTATION_SIZE];
        AUTO(Text) longer = {0}, label = {0};
        Position after;
        below = tally_games(&node->tally);
        if (below < (uint64_t)spec->min_games) return;
        move_to_uci(node->move, uci);
        notation_write(NOTATION_CHINESE, NULL, position, node->move, chinese);
        text_add(&longer, "%s%s%s", line, *line ? " " : "", uci);
        const size_t depth = longer.length / 5; // four characters per move, then a blank
        openings->path[depth] = node->move;
        const int opening = opening_of_moves(openings->path, depth + 1);
        const bool known = opening == opening_of_moves(openings->path, depth);
        const char *name = known ? "" : opening_name(opening);
        if (openings->page) {
            text_add(&label, "%s %s", chinese, uci);
            page_add(openings->page, "<details><summary>");
            page_numbers(openings->page, &node->tally, label.data, name);
            page_add(openings->page, "</summary>\n");
        } else {
            text_add(&label, "%*s%s %s", spec->json ? 0 : 2 * (int)depth, "", uci, chinese);
            print_tally(openings, &node->tally, longer.data, label.data, name);
        }
        position_do_move(position, node->move, &after);
        print_tree(openings, at, &after, longer.data);
        if (openings->page) page_add(openings->page, "</details>\n");
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const Player *)a)->name, ((const Player *)b)->name);
}

// Orders players by points per game. The order by Elo would be the same, but players who won or
// lost all their games have no Elo.
static int by_share(const void *a, const void *b) {
    const Player *x = a, *y = b;
    const double first = tally_share(&x->tally), second = tally_share(&y->tally);
    return first != second ? (first < second) - (first > second) : strcmp(x->name, y->name);
}

static void print_players(Openings *openings) {
    const OpeningsSpec *spec = openings->spec;
    Player *list = openings->players;
    size_t count = 0;
    if (list) qsort(list, openings->player_count, sizeof *list, by_name);
    for (size_t i = 0; i < openings->player_count; i++) {
        if (count && strcmp(list[count - 1].name, list[i].name) == 0) {
            list[count - 1].tally.wins += list[i].tally.wins;
            list[count - 1].tally.draws += list[i].tally.draws;
            list[count - 1].tally.losses += list[i].tally.losses;
            free(list[i].name);
        } else {
            list[count++] = list[i];
        }
    }
    openings->player_count = count;
    if (list) qsort(list, count, sizeof *list, by_share);
    for (size_t i = 0; i < count; i++) {
        if (tally_games(&list[i].tally) < (uint64_t)spec->min_games) continue;
        if (openings->page) {
            page_add(openings->page, "<p>");
            page_numbers(openings->page, &list[i].tally, list[i].name, "");
            page_add(openings->page, "</p>\n");
        } else {
            print_tally(openings, &list[i].tally, "", list[i].name, "");
        }
    }
}

static void print_all(Openings *openings) {
    const OpeningsSpec *spec = openings->spec;
    Position start;
    position_init_start(&start);
    if (openings->page) {
        page_begin(openings->page, spec->players ? "Players" : "Openings", NULL);
        page_add(openings->page,
                 "<p>%llu game%s. Wins, draws, losses and Elo are those of the %s, scores are from "
                 "Red's side. Errors are 95 %% intervals.</p>\n",
                 (unsigned long long)openings->games, openings->games == 1 ? "" : "s",
                 spec->players ? "player" : "side that plays the move");
    } else if (!spec->json) {
        fprintf(openings->out, "%8s %7s %7s %7s %6s    %-4s %6s\n", "games", "wins", "draws",
                "losses", "Elo", "95%", "score");
    }
    const size_t before = openings->page ? openings->page->markup.length : 0;
    if (spec->players) {
        print_players(openings);
    } else {
        print_tree(openings, 0, &start, "");
    }
    if (openings->page && openings->page->markup.length == before) {
        page_add(openings->page, "<p>No %s has %d games or more (--min-games).</p>\n",
                 spec->players ? "player" : "move", (int)spec->min_games);
    }
}

static Status print_result(Openings *openings, Err *err) {
    const OpeningsSpec *spec = openings->spec;
    AUTO(Html) page = {0};
    if (spec->page_path) openings->page = &page;
    print_all(openings);
    if (spec->page_path) {
        page_end(&page, NULL);
        TRY(page_write(&page, spec->page_path, err));
    }
    record_print(openings->out, spec->json, "games %lu other_starts %lu games_open %lu",
                 openings->games, openings->other_starts, openings->open);
    return STATUS_OK;
}

Status openings_print(const OpeningsSpec *spec, const char *const *paths, size_t count, FILE *out,
                      Progress *progress, Err *err) {
    Openings openings = {.spec = spec, .out = out, .count = 1, .capacity = 1};
    const ScanHooks hooks = {.block = take_block, .context = &openings};
    openings.nodes = memory_alloc(1, sizeof *openings.nodes);
    Status status = store_scan_paths(paths, count, &hooks, progress, err);
    progress_finish(progress, openings.games, "");
    if (status == STATUS_OK) status = print_result(&openings, err);
    for (size_t i = 0; i < openings.player_count; i++) free(openings.players[i].name);
    free(openings.players);
    free(openings.nodes);
    return status;
}
