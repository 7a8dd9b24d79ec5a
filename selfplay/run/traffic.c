// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule on several ranks. The others ask rank 0 for work, a little before they have none. They
// get games, which come back as they end, or whole blocks, which they store themselves and report.
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/ranks.h"
#include "selfplay/run/playing.h"

typedef enum Kind {
    SAY_ASK,      // -> 0: an Ask
    SAY_GAMES,    // 0 ->: games to play; -> 0: games that were played
    SAY_BLOCK,    // 0 ->: an OptionRange
    SAY_CLOSE,    // 0 ->: no more work; a bool: and none that has not begun
    SAY_SHARD,    // -> 0: a ShardSafe
    SAY_COUNTERS, // -> 0: what to add to them
    SAY_LEFT,     // -> 0: that was all
} Kind;

typedef struct Ask {
    uint64_t threads, games; // of the rank; that it wants
} Ask;

typedef struct ShardSafe {
    OptionRange range;
    char name[SHARD_NAME_SIZE];
} ShardSafe;

enum { COUNTERS_EVERY_MS = 500, ASK_EVERY_MS = 250, SIGHT_MS = 10000 };

// ---- games as bytes -----------------------------------------------------------------------------

// What stands before a game's bytes: of the PlayedGame so many, and which lists follow.
typedef struct GameHead {
    uint64_t index;
    uint32_t size;
    bool plies, times, tags;
} GameHead;

// A game before or after it is played. The ranks are one program: its structs are the same. Faults
// and claims are rare, and plies that nobody will read stay where they are.
static void put_game(Text *out, const GameSource *source, uint64_t index,
                     const PlayedGame *played) {
    const size_t plies = played->record.ply_count;
    const bool told = played->fault != PLAYER_NONE || played->note[0] || played->claims[RED] ||
                      played->claims[BLACK];
    const GameHead head = {
        .index = index,
        .size = told ? sizeof *played : offsetof(PlayedGame, note),
        .plies = plies > 0 && !source->records_only,
        .times = plies > 0 && !source->records_only && played->times_ms,
        .tags = played->tags != NULL,
    };
    text_add_bytes(out, &head, sizeof head);
    text_add_bytes(out, played, head.size);
    if (head.plies) text_add_bytes(out, played->plies, plies * sizeof *played->plies);
    if (head.times) text_add_bytes(out, played->times_ms, plies * sizeof *played->times_ms);
    if (head.tags) {
        text_add_bytes(out, played->tags, played->record.tag_count * sizeof *played->tags);
    }
}

// Reads a list of a game, where there is one.
static void *get_list(const unsigned char **at, bool there, size_t count, size_t size) {
    void *list = there ? memory_alloc(count, size) : NULL;
    if (there) *at = bytes_take(*at, list, count * size);
    return list;
}

// Fills *played, which is empty; returns what is behind it.
static const unsigned char *get_game(const unsigned char *at, const GameHead *head,
                                     PlayedGame *played) {
    at = bytes_take(at, played, head->size);
    const size_t plies = played->record.ply_count;
    played->capacity = head->plies ? plies : 0;
    played->plies = get_list(&at, head->plies, plies, sizeof *played->plies);
    played->times_ms = get_list(&at, head->times, plies, sizeof *played->times_ms);
    played->tags = get_list(&at, head->tags, played->record.tag_count, sizeof *played->tags);
    return at;
}

// Other machines may see what is in a shared directory some seconds later.
static bool comes_in_sight(const char *path) {
    for (int ms = 0; access(path, R_OK) != 0; ms += 100) {
        if (ms >= SIGHT_MS) return false;
        nanosleep(&(struct timespec){.tv_nsec = 100 * MS_NS}, NULL);
    }
    return true;
}

// ---- rank 0 -------------------------------------------------------------------------------------

uint64_t traffic_share(uint64_t left, uint64_t threads) {
    if (rank_count() == 1) return left;
    const uint64_t share = left / (2 * (uint64_t)rank_count());
    return share > 4 * threads ? share : 4 * threads;
}

static void close_rank(const Playing *run, int rank) {
    const bool stop = playing_is_over(run);
    rank_send(rank, SAY_CLOSE, &stop, sizeof stop);
}

// Games that no rank has.
static uint64_t unhanded(const Playing *run) {
    uint64_t left = run->uncut;
    if (run->hand_block < run->block_count) {
        left += block_size(run->blocks[run->hand_block]) - run->hand_slot;
    }
    return left;
}

static void hand_games(Playing *run, int rank, const Ask *ask) {
    uint64_t most = unhanded(run) / (2 * (uint64_t)rank_count());
    if (most > ask->games) most = ask->games;
    Text games = {0};
    Slot *slot;
    do {
        if (playing_hand_out(run, &slot) != HAND_GAME) break;
        put_game(&games, run->source, slot->index, &slot->played);
    } while (most-- > 1);
    if (games.length) {
        rank_send(rank, SAY_GAMES, games.data, games.length);
    } else {
        close_rank(run, rank);
    }
    text_clear(&games);
}

static void hand_work(Playing *run, int rank, const Ask *ask) {
    OptionRange range;
    if (run->traffic.by_games) {
        hand_games(run, rank, ask);
    } else if (!playing_is_over(run) &&
               playing_cut(run, traffic_share(run->uncut, ask->threads), &range)) {
        rank_send(rank, SAY_BLOCK, &range, sizeof range);
    } else {
        close_rank(run, rank);
    }
}

static void take_games(Playing *run, const RankMessage *message) {
    const unsigned char *at = message->bytes, *end = at + message->size;
    while (at < end) {
        GameHead head;
        at = bytes_take(at, &head, sizeof head);
        Slot *slot = playing_find(run, head.index);
        played_game_clear(&slot->played);
        at = get_game(at, &head, &slot->played);
        playing_take_back(run, slot);
    }
}

static void take_shard(Playing *run, int rank, const ShardSafe *shard) {
    const Schedule *schedule = run->schedule;
    Text path = {0};
    text_add(&path, "%s/%s", schedule->run.dir, shard->name);
    if (run->status == STATUS_OK && !comes_in_sight(path.data)) {
        Err err;
        playing_fail(run,
                     err_set(&err, STATUS_IO,
                             "%s has written %s, but rank 0 does not see it: its directory is "
                             "another, and not shared; --gather sends the games here",
                             rank_name(rank), path.data),
                     &err);
    } else if (run->status == STATUS_OK && schedule->lines) {
        shard_line_print(schedule->lines, shard->name, shard->range);
    }
    text_clear(&path);
}

static void add_counters(Playing *run, const RankMessage *message) {
    const GameSource *source = run->source;
    for (size_t i = 0; i < source->counter_count; i++) {
        uint64_t more;
        memcpy(&more, message->bytes + i * sizeof more, sizeof more);
#pragma omp atomic
        source->counters[i] += more;
    }
    if (source->show) source->show(source->context);
}

static void answer(Playing *run, const RankMessage *message) {
    const int from = message->from;
    const void *bytes = message->bytes;
    switch ((Kind)message->kind) {
    case SAY_ASK:
        hand_work(run, from, bytes);
        break;
    case SAY_GAMES:
        take_games(run, message);
        break;
    case SAY_SHARD:
        take_shard(run, from, bytes);
        break;
    case SAY_COUNTERS:
        add_counters(run, message);
        break;
    case SAY_LEFT:
        run->traffic.left[from] = true;
        break;
    default:
        break;
    }
}

static void stop_others(Playing *run) {
    if (run->traffic.stopped || !playing_is_over(run)) return;
    run->traffic.stopped = true;
    for (int rank = 1; rank < rank_count(); rank++) close_rank(run, rank);
}

bool traffic_is_over(const Playing *run) {
    for (int rank = 1; rank_self() == 0 && rank < rank_count(); rank++) {
        if (!run->traffic.left[rank]) return false;
    }
    return true;
}

// Takes a message; false when there is none.
static bool serve_others(Playing *run) {
    RankMessage *message;
    Err err = {0};
    int from = 0;
    const Status status = rank_receive(RANK_ANY, false, &message, &from, &err);
    if (status != STATUS_OK) {
        if (!run->traffic.left[from] && status != STATUS_INTERRUPTED) {
            playing_fail(run, status, &err);
        }
        run->traffic.left[from] = true;
    } else if (message) {
        answer(run, message);
    }
    stop_others(run);
    const bool any = status != STATUS_OK || message;
    rank_message_clear(message);
    return any;
}

// ---- another rank -------------------------------------------------------------------------------

// Games that go back lie in blocks of their own, as they came.
static void add_games(Playing *run, const RankMessage *message) {
    const unsigned char *at = message->bytes, *end = at + message->size;
    Block *block = playing_add_block(run, (OptionRange){0, 0});
    size_t capacity = 0;
    for (; at < end; block->range.end++) {
        const size_t count = (size_t)block->range.end;
        block->slots = memory_room(block->slots, &capacity, count + 1, sizeof *block->slots);
        GameHead head;
        at = bytes_take(at, &head, sizeof head);
        block->slots[count] = (Slot){.index = head.index};
        at = get_game(at, &head, &block->slots[count].played);
    }
    run->traffic.waiting += block->range.end;
}

static void add_block(Playing *run, const RankMessage *message) {
    const char *dir = run->schedule->run.dir;
    OptionRange range;
    Err err;
    if (run->block_count == 0 && dir && !comes_in_sight(dir)) {
        playing_fail(run,
                     err_set(&err, STATUS_IO,
                             "there is no %s here: the directory must be shared, or --gather sends "
                             "the games to rank 0",
                             dir),
                     &err);
        return;
    }
    memcpy(&range, message->bytes, sizeof range);
    run->traffic.waiting += range.end - range.first;
    playing_add_block(run, range);
}

static void stop(Playing *run) {
    run->traffic.closed = run->traffic.halted = true;
}

static void obey(Playing *run, const RankMessage *message) {
    run->traffic.asked = false;
    if (message->kind == SAY_GAMES) {
        add_games(run, message);
    } else if (message->kind == SAY_BLOCK) {
        add_block(run, message);
    } else {
        run->traffic.closed = true;
        if (message->bytes[0]) stop(run);
    }
}

// Before the last games have begun; for so many that rank 0 hears of it a few times a second.
static void ask(Playing *run) {
    Traffic *traffic = &run->traffic;
    const uint64_t threads = (uint64_t)traffic->threads;
    if (traffic->closed || traffic->asked || playing_is_over(run) || traffic->waiting > threads)
        return;
    const double s = (double)(clock_now_ns() - traffic->begun_ns) * 1e-9;
    const double games = s > 0 ? (double)traffic->played / s * ASK_EVERY_MS * 1e-3 : 0;
    const Ask wish = {threads, games > (double)threads ? (uint64_t)games : threads};
    rank_send(0, SAY_ASK, &wish, sizeof wish);
    traffic->asked = true;
}

static void send_games(Playing *run) {
    Text *outbox = &run->traffic.outbox;
    if (!outbox->length) return;
    rank_send(0, SAY_GAMES, outbox->data, outbox->length);
    text_reset(outbox);
}

static void send_counters(Playing *run) {
    const GameSource *source = run->source;
    Traffic *traffic = &run->traffic;
    uint64_t *more = memory_alloc(source->counter_count + 1, sizeof *more);
    for (size_t i = 0; i < source->counter_count; i++) {
        uint64_t now;
#pragma omp atomic read
        now = source->counters[i];
        more[i] = now - traffic->told[i];
        traffic->told[i] = now;
    }
    rank_send(0, SAY_COUNTERS, more, source->counter_count * sizeof *more);
    free(more);
    traffic->told_ns = clock_now_ns();
}

static bool serve_first(Playing *run) {
    RankMessage *message;
    const Status status = rank_receive(0, false, &message, NULL, NULL);
    if (status == STATUS_ENDED) stop(run);
    if (message) obey(run, message);
    ask(run);
    send_games(run);
    if (clock_now_ns() - run->traffic.told_ns > COUNTERS_EVERY_MS * MS_NS) send_counters(run);
    const bool any = message != NULL;
    rank_message_clear(message);
    return any;
}

void traffic_post_game(Playing *run, const Slot *slot) {
    put_game(&run->traffic.outbox, run->source, slot->index, &slot->played);
}

void traffic_post_shard(const char *name, OptionRange range) {
    ShardSafe shard = {.range = range};
    snprintf(shard.name, sizeof shard.name, "%s", name);
    rank_send(0, SAY_SHARD, &shard, sizeof shard);
}

Status traffic_leave(Playing *run, Err *err) {
    send_games(run);
    send_counters(run);
    if (run->status != STATUS_OK) return run->status;
    rank_send(0, SAY_LEFT, NULL, 0);
    return err_set(err, STATUS_ENDED, "%s", "");
}

// ---- both ---------------------------------------------------------------------------------------

void traffic_init(Playing *run) {
    const GameSource *source = run->source;
    if (rank_count() == 1) return;
    run->traffic = (Traffic){.by_games = run->schedule->gather || source->counter_count == 0,
                             .threads = run->schedule->threads,
                             .begun_ns = clock_now_ns(),
                             .told_ns = clock_now_ns(),
                             .told = memory_alloc(source->counter_count + 1, sizeof(uint64_t)),
                             .left = memory_alloc((size_t)rank_count(), sizeof(bool))};
    memcpy(run->traffic.told, source->counters, source->counter_count * sizeof(uint64_t));
}

void traffic_clear(Playing *run) {
    free(run->traffic.told);
    free(run->traffic.left);
    text_clear(&run->traffic.outbox);
}

void traffic_serve(Playing *run, int threads) {
    RankNap nap = {0};
    for (bool done = false; !done;) {
        bool any;
        Block *block = NULL;
#pragma omp critical(schedule)
        {
            any = rank_self() == 0 ? serve_others(run) : serve_first(run);
            done = run->resting == threads;
            // Where so many wait that memory may fill, those who send more wait, too.
            if (run->take_block - run->store_block > (size_t)threads) block = playing_complete(run);
        }
        if (block) playing_store(run, block);
        if (!done) rank_nap(&nap, any || block);
    }
}
