// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/game_key.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/board/attacks.h"
#include "datasets/store/tags.h"

static uint64_t placement_key(const Position *position) {
    uint8_t squares[SLOT_COUNT];
    squares_from_position(position, squares);
    return squares_key(squares, position->stm);
}

uint64_t game_content_key(const GameRecord *game, const PlyRecord *plies, bool mirrored) {
    Position mirror;
    position_mirror(&game->start, &mirror);
    uint64_t key = placement_key(&game->start), other = placement_key(&mirror);
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const Move move = plies[i].move;
        key = random_mix(key ^ move);
        other = random_mix(other ^
                           move_make(square_mirror(move_from(move)), square_mirror(move_to(move))));
    }
    return mirrored && other < key ? other : key;
}

// Returns the Zobrist key of a transformed position. `mirrored` swaps left and right. `exchanged`
// swaps the colours, and also front and back.
static uint64_t image_key(const Position *position, bool mirrored, bool exchanged) {
    const bool black = (position->stm == BLACK) != exchanged;
    uint64_t key = black ? attack_tables.zobrist_black_to_move : 0;
    for (Bitboard pieces = position_occupied(position); pieces;) {
        int square = bb_pop(&pieces);
        Piece piece = position->board[square];
        if (exchanged) {
            piece = piece_make(side_other(piece_side(piece)), piece_type(piece));
            square = square_flip(square);
        }
        key ^= attack_tables.zobrist[piece][mirrored ? square_mirror(square) : square];
    }
    return key;
}

uint64_t position_content_key(const Position *position, bool mirrored) {
    const uint64_t other = mirrored ? image_key(position, true, false) : position->key;
    return position->key < other ? position->key : other;
}

// Computes hashes of the first moves of a game, to find near copies. The shortest prefix has
// NEAR_MIN_PLIES plies, and each further prefix is a seventh longer than the previous one. Prefixes
// that are not longer than the opening are omitted. Only the hashes of the two longest prefixes are
// kept. If two games begin with the same moves and have similar lengths, they share at least one of
// these hashes. Each hash is the smallest of four: of the game itself, mirrored left to right, with
// exchanged colours, and with both changes (image_key()).
static void prefix_keys(const GameRecord *game, const PlyRecord *plies,
                        uint64_t near_keys[NEAR_KEYS]) {
    uint64_t image[4];
    for (int k = 0; k < 4; k++) image[k] = image_key(&game->start, k & 1, k & 2);
    uint32_t length = NEAR_MIN_PLIES;
    while (length <= game->opening_plies) length += length / 7;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        uint64_t smallest = UINT64_MAX;
        for (int k = 0; k < 4; k++) {
            int from = move_from(plies[i].move), to = move_to(plies[i].move);
            if (k & 1) from = square_mirror(from), to = square_mirror(to);
            if (k & 2) from = square_flip(from), to = square_flip(to);
            image[k] = random_mix(image[k] ^ move_make(from, to));
            if (image[k] < smallest) smallest = image[k];
        }
        if (i + 1 != length) continue;
        near_keys[0] = near_keys[1];
        near_keys[1] = smallest;
        length += length / 7;
    }
}

bool game_is_variation(const GameRecord *game, const TagRecord *tags) {
    return tag_number(tags, game->tag_count, TAG_VARIATION, -1) >= 0;
}

int game_opening(const GameRecord *game, const PlyRecord *plies) {
    Position start;
    Move first[OPENING_NAME_PLIES];
    size_t count = 0;
    position_init_start(&start);
    if (game->start.key != start.key || game->extra_plies) return -1;
    while (count < game->ply_count && count < OPENING_NAME_PLIES) {
        first[count] = plies[count].move;
        count++;
    }
    return opening_of_moves(first, count);
}

// Returns the slot of a key, or the empty slot where it belongs. The set must have slots. A key is
// not 0, which marks an empty slot.
static size_t slot_of(const KeySet *set, uint64_t key) {
    size_t at = (size_t)random_mix(key) & (set->capacity - 1);
    while (set->slots[at] && set->slots[at] != key) at = (at + 1) & (set->capacity - 1);
    return at;
}

bool key_set_has(const KeySet *set, uint64_t key) {
    if (key == 0) key = 1;
    return set->capacity && set->slots[slot_of(set, key)];
}

bool key_set_add(KeySet *set, uint64_t key) {
    if (key == 0) key = 1;
    if (2 * (set->count + 1) > set->capacity) {
        KeySet larger = {.capacity = set->capacity ? 2 * set->capacity : 1024};
        larger.slots = memory_alloc(larger.capacity, sizeof *larger.slots);
        for (size_t i = 0; i < set->capacity; i++) {
            if (set->slots[i]) key_set_add(&larger, set->slots[i]);
        }
        free(set->slots);
        *set = MOVE(larger);
    }
    const size_t at = slot_of(set, key);
    if (set->slots[at]) return false;
    set->slots[at] = key;
    set->count++;
    return true;
}

void key_set_clear(KeySet *set) {
    free(set->slots);
    *set = (KeySet){0};
}

static uint64_t (*map_slot(const KeyMap *map, uint64_t key))[2] {
    size_t at = (size_t)random_mix(key) & (map->capacity - 1);
    while (map->slots[at][0] && map->slots[at][0] != key) at = (at + 1) & (map->capacity - 1);
    return &map->slots[at];
}

uint64_t *key_map_at(KeyMap *map, uint64_t key) {
    if (key == 0) key = 1;
    if (2 * (map->count + 1) > map->capacity) {
        KeyMap larger = {.capacity = map->capacity ? 2 * map->capacity : 1024, .count = map->count};
        larger.slots = memory_alloc(larger.capacity, sizeof *larger.slots);
        for (size_t i = 0; i < map->capacity; i++) {
            if (map->slots[i][0]) memcpy(map_slot(&larger, map->slots[i][0]), map->slots[i], 16);
        }
        free(map->slots);
        *map = MOVE(larger);
    }
    uint64_t *slot = *map_slot(map, key);
    map->count += slot[0] == 0;
    slot[0] = key;
    return &slot[1];
}

void key_map_clear(KeyMap *map) {
    free(map->slots);
    *map = (KeyMap){0};
}

uint64_t game_split(const GameRecord *game, uint64_t key) {
    return (game->group ? random_mix(game->group >> 1) : key) >> 1;
}

// Adds the variation `game` to `lines`, the set of the content keys of the main line and of its
// variations read so far. Returns false if the set lacks the parent of `game`, the line from which
// it branches. In that case empties the set before it adds the parent and `game`.
static bool is_line_of(const GameBatch *games, const GameRecord *main, const GameRecord *game,
                       KeySet *lines) {
    AUTO(Text) named = {0};
    bool known = true;
    if (lines->count == 0) {
        key_set_add(lines, game_content_key(main, games->plies + main->first_ply, false));
    }
    if (tag_value(game_batch_tags(games, game), game->tag_count, TAG_VARIATION_OF, &named)) {
        const uint64_t key = strtoull(text_get(&named), NULL, 16);
        known = !key_set_add(lines, key);
        if (!known) {
            key_set_clear(lines);
            key_set_add(lines, key);
        }
    }
    key_set_add(lines, game_content_key(game, games->plies + game->first_ply, false));
    return known;
}

void game_keys_of(const GameBatch *games, GameKeys *keys) {
    const GameRecord *main = NULL;
    KeySet lines = {0};
    *keys = (GameKeys){.list = memory_alloc(games->count, sizeof *keys->list),
                       .count = games->count,
                       .before = {.game = TREE_BEFORE}};
    GameTree tree = keys->before;
    for (size_t i = 0; i < games->count; i++) {
        const GameRecord *game = &games->games[i];
        const PlyRecord *plies = game->ply_count ? games->plies + game->first_ply : NULL;
        const uint64_t key = game_content_key(game, plies, true);
        const bool variation = game_is_variation(game, game_batch_tags(games, game));
        if (!variation) {
            if (lines.count) key_set_clear(&lines);
            main = game;
        }
        // If a filter dropped a main line but kept its variations, the variations form a tree of
        // their own.
        if (!variation || (main && !is_line_of(games, main, game, &lines))) {
            tree = (GameTree){.game = game->index, .split = game_split(game, key)};
        }
        const bool part = game->group != 0 && game->ply_count < NEAR_MIN_PLIES;
        const uint64_t counters = (uint64_t)game->start.halfmove << 16 | game->start.fullmove;
        keys->list[i] =
            (GameKey){.game = game->index,
                      .tree = tree.game,
                      .split = tree.split,
                      .key = game->ply_count == 0 ? 0
                             : part ? random_mix(key ^ random_mix(game->group ^ counters))
                                    : key,
                      .positions = game->position_count,
                      .group = game->group,
                      .guessed = game->group ? game->group % 2 == 0
                                             : game->reason == END_IMPORTED && game->ply_count == 1,
                      .fault = end_reason_is_fault((EndReason)game->reason)};
        if (!variation) prefix_keys(game, plies, keys->list[i].near);
        keys->list[i].spikes = (uint32_t)plies_spikes(plies, game->ply_count);
        content_digest(games, game, keys->list[i].digest);
    }
    key_set_clear(&lines);
}

void game_keys_clear(GameKeys *keys) {
    free(keys->list);
    *keys = (GameKeys){0};
}

void game_links_clear(GameLinks *links) {
    key_set_clear(&links->seen);
    key_map_clear(&links->groups);
    free(links->trees);
    *links = (GameLinks){0};
}

// Sets tree and source of a record of a group to those of the first record of the group.
static void link_group(GameKey *key, uint32_t source, GameLinks *links) {
    uint64_t *place = key_map_at(&links->groups, key->group);
    if (*place == 0) {
        links->trees = memory_room(links->trees, &links->tree_capacity, links->tree_count + 1,
                                   sizeof *links->trees);
        links->trees[links->tree_count++] =
            (GameTree){.game = key->game, .source = source, .split = key->split};
        *place = links->tree_count;
    }
    const GameTree *tree = &links->trees[*place - 1];
    links->scattered = links->scattered || *place < links->tree_count;
    key->tree = tree->game;
    key->source = tree->source;
}

void game_keys_link(GameKeys *keys, uint32_t source, GameLinks *links) {
    keys->before = links->last;
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->list[i].group) link_group(&keys->list[i], source, links);
    }
    if (keys->count) links->last = game_keys_tree(keys, keys->count - 1, source);
    for (size_t i = 0; i < keys->count; i++) {
        GameKey *key = &keys->list[i];
        if (key->key == 0 || key->positions == 0) continue;
        const bool copy = !key_set_add(&links->seen, key->key);
        bool near = false;
        for (int k = 0; k < NEAR_KEYS; k++) {
            near = (key->near[k] && !key_set_add(&links->seen, key->near[k])) || near;
        }
        if (!copy && !near) continue;
        key->tree = TREE_NONE;
        keys->copies += copy;
        keys->near_copies += !copy;
    }
}

GameTree game_keys_tree(const GameKeys *keys, size_t at, uint32_t source) {
    const GameKey *key = &keys->list[at];
    return key->tree == TREE_BEFORE ? keys->before
                                    : (GameTree){.game = key->tree,
                                                 .source = key->group ? key->source : source,
                                                 .split = key->split};
}

bool game_keys_find(const GameKeys *keys, uint64_t game, size_t *at) {
    while (*at < keys->count && keys->list[*at].game < game) ++*at;
    return *at < keys->count && keys->list[*at].game == game && keys->list[*at].tree != TREE_NONE;
}
