// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_store.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "datasets/sparse/sparse_file.h"

static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};

// Compares the head of a stored run with that of this one; *at is set behind it.
static Status check_head(const char *path, char *data, const char *head, char **at, Err *err) {
    const size_t length = strlen(head);
    size_t same = 0, line = 0;
    for (; same < length && data[same] == head[same]; same++) {
        if (head[same] == '\n') line = same + 1;
    }
    // A kill may have cut off the head: such a file is begun anew.
    *at = same == length ? data + same : data;
    if (same == length || data[same] == '\0') return STATUS_OK;
    const int stored = (int)strcspn(data + line, "\n"), wanted = (int)strcspn(head + line, "\n");
    return err_set(err, STATUS_MISMATCH, "%s was made with '%.*s', not '%.*s'; take another --out",
                   path, stored < 60 ? stored : 60, data + line, wanted < 60 ? wanted : 60,
                   head + line);
}

// Finds how many games follow on each other, and cuts off a line without an end.
static Status resume(VariantStore *store, const char *head, Err *err) {
    const char *path = text_get(&store->path);
    AUTO_FREE char *data = NULL;
    char *at, *end;
    size_t length;
    TRY(text_read_file(path, &data, &length, err));
    TRY(check_head(path, data, head, &at, err));
    for (; at > data && (end = strchr(at, '\n')); at = end + 1) {
        if (strtoull(at, NULL, 10) != store->next) {
            return err_set(err, STATUS_BAD_INPUT, "%s: game %llu is missing", path,
                           (unsigned long long)store->next);
        }
        store->next++;
    }
    if (truncate(path, at - data) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
}

Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resumed,
                          uint64_t first, Err *err) {
    *store = (VariantStore){.next = first};
    text_add(&store->path, "%s/games.txt", dir);
    const char *path = text_get(&store->path);
    const bool there = access(path, F_OK) == 0;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
        return err_set(err, STATUS_IO, "%s: %s", dir, strerror(errno));
    }
    if (there && !resumed) {
        return err_set(err, STATUS_USAGE, "%s exists; --resume plays its missing games", path);
    }
    if (there) TRY(resume(store, head, err));
    store->file = fopen(path, "a");
    if (!store->file) return err_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
    if (fseek(store->file, 0, SEEK_END) == 0 && ftell(store->file) > 0) return STATUS_OK;
    if (fputs(head, store->file) >= 0 && fflush(store->file) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
}

Status variant_store_add(VariantStore *store, const char *line, Err *err) {
    store->next++;
    if (fputs(line, store->file) >= 0 && fflush(store->file) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "%s: %s", text_get(&store->path), strerror(errno));
}

Status variant_store_close(VariantStore *store, Err *err) {
    const bool good = !store->file || (fflush(store->file) == 0 && fsync(fileno(store->file)) == 0);
    if (store->file && fclose(store->file) == 0 && good) return STATUS_OK;
    return err_set(err, STATUS_IO, "%s: %s", text_get(&store->path), strerror(errno));
}

void variant_store_line(const VariantGame *game, uint64_t index, Text *text) {
    text_add(text, "%llu\t%s\t%s\t%s\t%s\n", (unsigned long long)index, game->plan->start,
             text_get(&game->moves), results[game->points], game->reason);
}

// ---- rows ---------------------------------------------------------------------------------------

enum { BLOCK_ROWS = 16384, EVERY = 3 }; // one in EVERY quiet positions becomes a row

typedef struct RowMaker {
    SparseBlock block;
    uint64_t game;
    int points; // half points of the first player
} RowMaker;

// Adds a row: a position in which no capture was played, of a game whose teams have their colours.
static void add_row(void *context, const VariantGame *game, Move move, const int *score) {
    RowMaker *maker = context;
    SparseBlock *block = &maker->block;
    const VariantState *state = &game->state;
    const Variant *variant = game->plan->game;
    VariantTurns turns;
    int16_t counts[VARIANT_MAX_TERMS] = {0};
    if (!score || random_mix(maker->game * 65536 + game->plies) % EVERY) return;
    if (variant->list(state, true, &turns)) return;
    for (int i = 0; i < turns.count; i++) {
        if (turns.turns[i].move == move) return;
    }
    variant->trace(state, counts);
    for (int i = 0; i < variant->term_count; i++) {
        if (!counts[i]) continue;
        sparse_add_int(&block->index, i);
        sparse_add_real(&block->coefficient, counts[i]);
    }
    if (block->rows++ == 0) sparse_add_int(&block->indptr, 0);
    const int mine = game->player == 0 ? maker->points : 2 - maker->points;
    const bool win = *score > VARIANT_WIN_LEAST, loss = *score < -VARIANT_WIN_LEAST;
    const int known = win ? 32000 : loss ? -32000 : *score;
    sparse_add_int(&block->indptr, (int64_t)block->index.count);
    sparse_add_real(&block->result, (state->team ? 2 - mine : mine) / 2.0);
    sparse_add_int(&block->score, state->team ? -known : known);
    sparse_add_int(&block->game, (int64_t)maker->game);
}

// Replays the game of a line.
static Status read_game(char *line, const VariantPlan *plan, VariantGame *game, RowMaker *maker,
                        VariantSums *sums, Err *err) {
    char *fields[5] = {NULL};
    for (int i = 0; i < 5; i++) fields[i] = text_next_field(&line, '\t');
    if (!fields[4]) return err_set(err, STATUS_BAD_INPUT, "is no line of a game");
    VariantPlan from = *plan;
    from.start = fields[1];
    maker->game = strtoull(fields[0], NULL, 10);
    maker->points = fields[3][0] == '0' ? 0 : fields[3][1] == '/' ? 1 : 2;
    TRY(variant_game_replay(game, &from, fields[2], add_row, maker, err));
    if (!game->reason || strcmp(game->reason, fields[4]) != 0 || game->points != maker->points) {
        return err_set(err, STATUS_BAD_INPUT, "game %s ended otherwise: %s by %s", fields[0],
                       fields[3], fields[4]);
    }
    sums->games++;
    sums->points += (uint64_t)game->points;
    sums->draws += game->points == 1;
    sums->plies += game->plies;
    return STATUS_OK;
}

static Status read_games(LineReader *reader, const VariantPlan *plan, SparseWriter *writer,
                         VariantSums *sums, Err *err) {
    AUTO(VariantGame) game = {.plan = NULL};
    RowMaker maker = {.game = 0};
    Status status = STATUS_OK;
    bool more = true;
    while (more && status == STATUS_OK) {
        more = line_reader_next_record(reader);
        if (more) status = read_game(reader->line, plan, &game, &maker, sums, err);
        if (status != STATUS_OK) err_prefix(err, "%s:%zu", reader->name, reader->number);
        if (status != STATUS_OK || (more && maker.block.rows < BLOCK_ROWS)) continue;
        sums->rows += maker.block.rows;
        if (maker.block.rows) status = sparse_writer_add(writer, &maker.block, err);
        sparse_block_reset(&maker.block);
    }
    sparse_block_clear(&maker.block);
    return status;
}

Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err) {
    AUTO_POINTER(SparseWriter) writer = NULL;
    AUTO(SparseTerms) terms = {.terms = (size_t)plan->game->term_count, .phase_max = 1};
    LineReader reader;
    *sums = (VariantSums){0};
    terms.names = memory_alloc(terms.terms, sizeof *terms.names);
    for (size_t i = 0; i < terms.terms; i++) {
        snprintf(terms.names[i], sizeof terms.names[i], "%s", plan->game->terms[i].name);
    }
    TRY(line_reader_open(&reader, text_get(&store->path), err));
    Status status = sparse_writer_open(path, &writer, err);
    if (status == STATUS_OK) status = read_games(&reader, plan, writer, sums, err);
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    if (status == STATUS_OK) status = closed;
    if (status == STATUS_OK) status = sparse_writer_finish(TAKE(writer), &terms, provenance, err);
    return status;
}
