// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/summary.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/memory.h"
#include "core/notation/notation.h"
#include "datasets/store/game_key.h"
#include "datasets/store/run.h"
#include "datasets/store/tags.h"

// Keys of positions, to count how many are different.
typedef struct Keys {
    uint64_t *keys;
    size_t count, capacity;
} Keys;

static uint64_t *keys_extend(Keys *list, size_t more) {
    list->keys = memory_room(list->keys, &list->capacity, list->count + more, sizeof *list->keys);
    list->count += more;
    return list->keys + list->count - more;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Sorts; counts the different ones, and how often each occurs.
static size_t keys_distinct(Keys *list, uint64_t repeats[REPEAT_BINS], uint64_t *most) {
    static const uint64_t limits[REPEAT_BINS - 1] = {1, 2, 4, 9, 99};
    size_t distinct = 0;
    if (list->count) qsort(list->keys, list->count, sizeof *list->keys, compare_keys);
    for (size_t i = 0; i < list->count; distinct++) {
        size_t end = i + 1;
        while (end < list->count && list->keys[end] == list->keys[i]) end++;
        int bin = 0;
        while (bin < REPEAT_BINS - 1 && end - i > limits[bin]) bin++;
        if (repeats) repeats[bin]++;
        if (most && end - i > *most) *most = end - i;
        i = end;
    }
    return distinct;
}

// The beginning of a game: its first moves as they are stored, in one number, and its result.
typedef struct Beginning {
    uint64_t moves;
    int8_t result;
} Beginning;

typedef struct Beginnings {
    Beginning *list;
    size_t count, capacity;
} Beginnings;

// A player of a game, by the number of the name in Summing.names.
typedef struct Entry {
    size_t name; // where it begins
    int8_t result;
} Entry;

typedef struct Entries {
    Entry *list;
    size_t count, capacity;
    Text names; // each with its end
} Entries;

typedef struct Summing {
    int threads;
    StoreSummary *summary;
    Sha256 hash;
    Keys openings, positions, games;
    Beginnings beginnings; // of games from the usual start
    Entries players;       // two of each game that names them
    uint8_t usual[SLOT_COUNT];
    uint64_t next_game;
    OptionRange asked;
} Summing;

// ---- counting ----------------------------------------------------------------------------------

// The phase as eval_phase() has it, from the slots: horses, chariots and cannons of both sides.
static int phase_of(const uint8_t squares[SLOT_COUNT]) {
    static const uint8_t weights[SLOT_COUNT / 2] = {0, 0, 0, 0, 0, 3, 3, 6, 6, 3, 3};
    int phase = 0;
    for (int i = 0; i < SLOT_COUNT; i++) {
        phase += squares[i] != SLOT_EMPTY ? weights[i % (SLOT_COUNT / 2)] : 0;
    }
    return phase;
}

static void count_position(StoreSummary *summary, const PositionRecord *position) {
    int pieces = 0;
    for (int i = 0; i < SLOT_COUNT; i++) pieces += position->squares[i] != SLOT_EMPTY;
    summary->pieces[pieces]++;
    summary->phases[phase_of(position->squares) / PHASE_BIN]++;
    if (position->score_red == SCORE_UNKNOWN || position->mate_red) return;
    // The middle bin holds -50..49.
    int bin = (position->score_red + SCORE_BIN / 2 + SCORE_BIN * (SCORE_BINS / 2)) / SCORE_BIN;
    if (position->score_red < -SCORE_BIN * (SCORE_BINS / 2)) bin = 0;
    summary->scores[bin < SCORE_BINS ? bin : SCORE_BINS - 1]++;
}

static void count_result(ResultCount *count, int result) {
    count->games++;
    count->red_wins += result > 0;
    count->draws += result == 0;
    count->black_wins += result < 0;
}

// ---- beginnings --------------------------------------------------------------------------------

static void add_beginning(Summing *sum, const GameRecord *game, const PlyRecord *plies) {
    Beginnings *all = &sum->beginnings;
    if (game->ply_count < OPENING_PLIES || game->start_stm != RED || game->extra_plies ||
        memcmp(game->start_squares, sum->usual, SLOT_COUNT) != 0) {
        return;
    }
    all->list = memory_room(all->list, &all->capacity, all->count + 1, sizeof *all->list);
    Beginning *beginning = &all->list[all->count++];
    *beginning = (Beginning){.result = game->result};
    const int opening = game_opening(game, plies);
    count_result(&sum->summary->named[opening < 0 ? OPENING_NAME_COUNT : opening], game->result);
    for (int i = 0; i < OPENING_PLIES; i++) {
        beginning->moves = beginning->moves << 16 | move_to_stored(plies[i].move);
    }
}

static int compare_beginnings(const void *a, const void *b) {
    const uint64_t x = ((const Beginning *)a)->moves, y = ((const Beginning *)b)->moves;
    return (x > y) - (x < y);
}

static void write_beginning(uint64_t moves, char *text, size_t size) {
    Position position, after;
    size_t length = 0;
    position_init_start(&position);
    for (int i = OPENING_PLIES - 1; i >= 0; i--) {
        const Move move = move_from_stored((uint16_t)(moves >> (16 * i)));
        char word[NOTATION_SIZE];
        if (move == MOVE_NONE || !position_is_pseudo_legal(&position, move)) break;
        notation_write(NOTATION_WXF, NULL, &position, move, word);
        length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "", word);
        position_do_move(&position, move, &after);
        position = after;
    }
}

// Puts an opening among the most frequent ones, in their order.
static void rank_opening(StoreSummary *summary, const OpeningCount *opening) {
    int at = summary->frequent_count;
    while (at > 0 && summary->frequent[at - 1].count.games < opening->count.games) at--;
    if (at == OPENINGS_MOST) return;
    const int last =
        summary->frequent_count < OPENINGS_MOST ? summary->frequent_count++ : OPENINGS_MOST - 1;
    memmove(summary->frequent + at + 1, summary->frequent + at,
            (size_t)(last - at) * sizeof *opening);
    summary->frequent[at] = *opening;
}

static void rank_beginnings(Summing *sum) {
    const Beginnings *all = &sum->beginnings;
    if (all->count) qsort(all->list, all->count, sizeof *all->list, compare_beginnings);
    for (size_t i = 0; i < all->count;) {
        OpeningCount opening = {.count = {0}};
        const uint64_t moves = all->list[i].moves;
        for (; i < all->count && all->list[i].moves == moves; i++) {
            count_result(&opening.count, all->list[i].result);
        }
        if (opening.count.games < 2) continue;
        write_beginning(moves, opening.moves, sizeof opening.moves);
        rank_opening(sum->summary, &opening);
    }
    free(all->list);
}

// ---- players -----------------------------------------------------------------------------------

static void add_player(Entries *players, const char *name, int result) {
    players->list =
        memory_room(players->list, &players->capacity, players->count + 1, sizeof *players->list);
    players->list[players->count++] = (Entry){players->names.length, (int8_t)result};
    text_add_bytes(&players->names, name, strnlen(name, COLUMN_VALUE_SIZE - 1));
    text_add_bytes(&players->names, "", 1);
}

static void add_players(Summing *sum, const GameBatch *batch, const GameRecord *game) {
    const TagRecord *tags = game_batch_tags(batch, game);
    Text name = {0};
    sum->summary->tagged += game->tag_count > 0;
    for (int side = RED; side <= BLACK; side++) {
        if (!tag_value(tags, game->tag_count, side == RED ? "Red" : "Black", &name)) continue;
        if (name.length)
            add_player(&sum->players, name.data, side == RED ? game->result : -game->result);
    }
    text_clear(&name);
}

static int compare_entries(const void *a, const void *b, void *names) {
    return strcmp((const char *)names + ((const Entry *)a)->name,
                  (const char *)names + ((const Entry *)b)->name);
}

// Puts a player among the busiest, in their order.
static void rank_player(StoreSummary *summary, const PlayerCount *player) {
    int at = summary->busiest_count;
    while (at > 0 && summary->busiest[at - 1].count.games < player->count.games) at--;
    if (at == OPENINGS_MOST) return;
    const int last =
        summary->busiest_count < OPENINGS_MOST ? summary->busiest_count++ : OPENINGS_MOST - 1;
    memmove(summary->busiest + at + 1, summary->busiest + at, (size_t)(last - at) * sizeof *player);
    summary->busiest[at] = *player;
}

static void rank_players(Summing *sum) {
    const Entries *all = &sum->players;
    char *names = all->names.data;
    if (all->count) qsort_r(all->list, all->count, sizeof *all->list, compare_entries, names);
    for (size_t i = 0; i < all->count; sum->summary->players++) {
        PlayerCount player = {.count = {0}};
        const char *name = names + all->list[i].name;
        snprintf(player.name, sizeof player.name, "%s", name);
        for (; i < all->count && strcmp(names + all->list[i].name, name) == 0; i++) {
            count_result(&player.count, all->list[i].result);
        }
        rank_player(sum->summary, &player);
    }
    free(all->list);
    text_clear(&sum->players.names);
}

// ---- games -------------------------------------------------------------------------------------

static void count_game(StoreSummary *summary, const GameBatch *batch, const GameRecord *game) {
    if (game->result >= -1 && game->result <= 1) summary->results[game->result + 1]++;
    if (game->reason < END_REASON_COUNT) summary->reasons[game->reason]++;
    if (game->reason == END_IMPORTED && game->end_reason < END_REASON_COUNT) {
        summary->end_reasons[game->end_reason]++;
    }
    const size_t bin = game->ply_count / LENGTH_BIN_PLIES;
    summary->lengths[bin < LENGTH_BINS ? bin : LENGTH_BINS - 1]++;
    if (summary->games == 0 || game->ply_count < summary->shortest) {
        summary->shortest = game->ply_count;
    }
    if (game->ply_count > summary->longest) summary->longest = game->ply_count;
    summary->games++;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        summary->scored += batch->plies[game->first_ply + i].score_red != SCORE_UNKNOWN;
    }
    for (size_t i = 0; i < game->position_count; i++) {
        count_position(summary, &batch->positions[game->first_position + i]);
    }
}

// The position behind the opening; where nothing is said of one, behind the first eight plies.
static uint64_t opening_key(GameRecord *game, const PlyRecord *plies) {
    enum { UNKNOWN_OPENING_PLIES = 8 };
    GameWalk walk;
    uint8_t squares[SLOT_COUNT];
    if (game_record_check(game, NULL) != STATUS_OK) return 0;
    uint32_t end = game->opening_plies ? game->opening_plies : UNKNOWN_OPENING_PLIES;
    if (end > game->ply_count) end = game->ply_count;
    game_walk_init(&walk, game);
    while (walk.ply < end && game_walk_step(&walk, game, plies[walk.ply].move)) {
    }
    squares_from_position(&walk.position, squares);
    return squares_key(squares, walk.position.stm);
}

static Status add_asked(Summing *sum, ShardReader *reader, Err *err) {
    const ProvenanceTexts *made;
    const Status status = shard_reader_provenance(reader, &made, err);
    if (status != STATUS_OK) return status;
    add_asked_games(made, &sum->asked);
    sum->summary->asked = sum->asked.end - sum->asked.first;
    return STATUS_OK;
}

static Status sum_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    Summing *sum = context;
    StoreSummary *summary = sum->summary;
    const OptionRange range = shard_reader_head(reader)->range;
    struct stat info;
    if (stat(path, &info) != 0) {
        return err_set(err, STATUS_IO, "cannot see the size of %s: %s", path, strerror(errno));
    }
    summary->bytes += (uint64_t)info.st_size;
    if (summary->shards++ == 0) {
        summary->first_game = range.first;
    } else if (range.first < sum->next_game) {
        return err_set(err, STATUS_MISMATCH, "%s holds games that another shard holds, too", path);
    } else {
        summary->missing += range.first - sum->next_game;
    }
    sum->next_game = summary->end_game = range.end;
    return add_asked(sum, reader, err);
}

static Status sum_block(void *context, const ScanBlock *block, Err *err) {
    (void)err;
    Summing *sum = context;
    const GameBatch *batch = block->games;
    const size_t count = batch->count;
    uint8_t(*digests)[SHA256_BYTES] = memory_alloc(count, sizeof *digests);
    uint64_t *openings = keys_extend(&sum->openings, count);
    uint64_t *games = keys_extend(&sum->games, count);
    uint64_t *positions = keys_extend(&sum->positions, batch->position_count);
#pragma omp parallel for schedule(dynamic, 8) num_threads(sum->threads)
    for (size_t i = 0; i < count; i++) {
        GameRecord *game = &batch->games[i];
        content_digest(batch, game, digests[i]);
        openings[i] = opening_key(game, batch->plies + game->first_ply);
        games[i] = game_content_key(game, batch->plies + game->first_ply, true);
    }
    for (size_t i = 0; i < count; i++) {
        sha256_add(&sum->hash, digests[i], SHA256_BYTES);
        const GameRecord *game = &batch->games[i];
        count_game(sum->summary, batch, game);
        add_beginning(sum, game, batch->plies + game->first_ply);
        add_players(sum, batch, game);
    }
    for (size_t i = 0; i < batch->position_count; i++) {
        positions[i] = squares_key(batch->positions[i].squares, batch->positions[i].stm);
    }
    sum->summary->plies += batch->ply_count;
    sum->summary->positions += batch->position_count;
    free(digests);
    return STATUS_OK;
}

Status store_summarise(const char *path, int threads, Progress *progress, StoreSummary *summary,
                       Err *err) {
    *summary = (StoreSummary){0};
    Summing sum = {.threads = threads, .summary = summary};
    Position start;
    position_init_start(&start);
    squares_from_position(&start, sum.usual);
    sha256_init(&sum.hash);
    const ScanHooks hooks = {
        .opened = sum_opened, .block = sum_block, .context = &sum, .parts = true};
    const Status status = store_scan(path, &hooks, progress, err);
    sha256_finish_hex(&sum.hash, summary->content_hash);
    summary->openings = keys_distinct(&sum.openings, NULL, NULL);
    summary->different_games = keys_distinct(&sum.games, NULL, NULL);
    summary->distinct = keys_distinct(&sum.positions, summary->repeats, &summary->most_repeated);
    rank_beginnings(&sum);
    rank_players(&sum);
    free(sum.openings.keys);
    free(sum.games.keys);
    free(sum.positions.keys);
    return status;
}
