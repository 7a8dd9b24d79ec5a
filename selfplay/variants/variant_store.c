// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/variants/variant_store.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "datasets/sparse/sparse_file.h"
#include "datasets/store/run.h"

// Results of the first player, indexed by VariantGame.points.
static const char *const results[] = {"0-1", "1/2-1/2", "1-0"};

static Status file_error(const VariantStore *store, Err *err) {
    return err_set(err, STATUS_IO, "%s: %s", text_get(&store->path), strerror(errno));
}

// Compares the header of games.txt with `head`, counts the games of the file, and cuts off an
// incomplete last line.
static Status resume_games(VariantStore *store, const char *head, Err *err) {
    const char *path = text_get(&store->path);
    AUTO_FREE char *line = NULL;
    AUTO(Text) then = {0};
    size_t capacity = 0;
    ssize_t length;
    off_t end = 0;
    while ((length = getline(&line, &capacity, store->file)) > 0 && line[length - 1] == '\n') {
        end += length;
        if (*line == '#') {
            text_add_bytes(&then, line, (size_t)length);
        } else if (strtoull(line, NULL, 10) != store->next++) {
            return err_set(err, STATUS_BAD_INPUT, "%s: game %llu is missing", path,
                           (unsigned long long)store->next - 1);
        }
    }
    if (ferror(store->file)) return file_error(store, err);
    TRY(run_identity_check(path, text_get(&then), head, NULL, err));
    return ftruncate(fileno(store->file), end) == 0 ? STATUS_OK : file_error(store, err);
}

Status variant_store_open(VariantStore *store, const char *dir, const char *head, bool resume,
                          uint64_t first, FILE *tell, Err *err) {
    static const char *const files[] = {"games.txt", "rows.h5", NULL};
    bool begun;
    store->next = first;
    text_add(&store->path, "%s/games.txt", dir);
    TRY(run_directory_prepare(dir, err));
    TRY(run_directory_lock(dir, &store->lock, err));
    TRY(run_directory_claim(dir, files, resume, tell, &begun, err));
    if (!begun) TRY(text_write_file(text_get(&store->path), head, strlen(head), err));
    const int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    const int fd = open(text_get(&store->path), flags, 0666);
    store->file = fd >= 0 ? fdopen(fd, "a+") : NULL;
    return store->file ? resume_games(store, head, err) : file_error(store, err);
}

Status variant_store_add(void *context, const VariantGame *game, Err *err) {
    VariantStore *store = context;
    const int written =
        fprintf(store->file, "%llu\t%s\t%s\t%s\t%s\n", (unsigned long long)store->next++,
                game->plan->start, text_get(&game->moves), results[game->points], game->reason);
    return written > 0 && fflush(store->file) == 0 ? STATUS_OK : file_error(store, err);
}

void variant_store_close(VariantStore *store) {
    if (store->file) fclose(store->file);
    run_directory_unlock(store->lock);
    text_clear(&store->path);
}

// ---- rows ---------------------------------------------------------------------------------------

// A row of rows.h5 is a position. Each quiet position that was searched becomes a row with
// probability 1 / EVERY.
// Rows are written in blocks of BLOCK_ROWS.
enum { BLOCK_ROWS = 16384, EVERY = 3 };

// Returns true if the current position becomes a row of rows.h5. It does under three conditions:
// it is selected at random, the player to move is not in check, and `move`, the next turn, is not a
// capture. `number` is the number of the game.
static bool is_sampled(const VariantGame *game, uint64_t number, Move move) {
    VariantTurns turns;
    if (random_mix(number * 65536 + game->plies) % EVERY) return false;
    if (game->plan->game->list(&game->state, true, &turns)) return false;
    for (int i = 0; i < turns.count; i++) {
        if (turns.turns[i].move == move) return false;
    }
    return true;
}

// Adds the current position as a row, from the point of view of team 0. `points` are those of the
// player who moved first: 2 for a win, 1 for a draw. `score` is from the point of view of the
// player to move.
static void add_row(SparseBlock *block, const VariantGame *game, uint64_t number, int points,
                    int score) {
    const bool win = score > VARIANT_WIN_LEAST, loss = score < -VARIANT_WIN_LEAST;
    const int known = win ? 32000 : loss ? -32000 : score, team = game->state.team;
    const bool first_is_team_0 = game->player == team;
    int counts[VARIANT_MAX_TERMS];
    variant_counts(game->plan->game, &game->state, counts);
    for (int i = 0; i < game->plan->game->term_count; i++) {
        if (!counts[i]) continue;
        sparse_add_int(&block->index, i);
        sparse_add_real(&block->coefficient, counts[i]);
    }
    if (block->rows++ == 0) sparse_add_int(&block->indptr, 0);
    sparse_add_int(&block->indptr, (int64_t)block->index.count);
    sparse_add_real(&block->result, (first_is_team_0 ? points : 2 - points) / 2.0);
    sparse_add_int(&block->score, team ? -known : known);
    sparse_add_int(&block->game, (int64_t)number);
}

// Replays the game in a line of games.txt. Adds a random sample of its quiet positions as rows, but
// no positions that were not searched (they have no score).
static Status read_game(char *line, const VariantPlan *plan, VariantGame *game, SparseBlock *block,
                        VariantSums *sums, Err *err) {
    char *fields[5] = {NULL}, *word;
    for (int i = 0; i < 5; i++) fields[i] = text_next_field(&line, '\t');
    if (!fields[4]) return err_set(err, STATUS_BAD_INPUT, "the line has fewer than five fields");
    const uint64_t number = strtoull(fields[0], NULL, 10);
    const int points = option_choice_index("0-1|1/2-1/2|1-0", fields[3]);
    variant_game_reset(game, plan);
    while ((word = text_next_field(&fields[2], ' ')) && *word) {
        // `word` becomes the score after the '/', or NULL if the turn has no score.
        const char *turn = text_next_field(&word, '/');
        Move move;
        Piece piece;
        long long score = 0;
        if (word) TRY(parse_int(word, -VARIANT_WIN, VARIANT_WIN, &score, "score", err));
        TRY(variant_read_turn(plan->game, &game->state, turn, &move, &piece, err));
        if (move_from(move) == VARIANT_UNCOVER && !piece) {
            return err_set(err, STATUS_BAD_INPUT, "'%.20s' lacks the uncovered piece", turn);
        }
        game->deal[move_to(move)] = piece;
        if (word && is_sampled(game, number, move)) {
            add_row(block, game, number, points, (int)score);
        }
        variant_game_turn(game, move, NULL);
    }
    if (!game->reason || strcmp(game->reason, fields[4]) != 0 || game->points != points) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the recorded turns (moves) do not lead to the recorded result %s (%s)",
                       fields[3], fields[4]);
    }
    sums->games++;
    sums->points += (uint64_t)points;
    sums->draws += points == 1;
    sums->plies += game->plies;
    return STATUS_OK;
}

static Status read_games(LineReader *reader, const VariantPlan *plan, SparseWriter *writer,
                         VariantSums *sums, Err *err) {
    AUTO(VariantGame) game = {.plan = NULL};
    AUTO(SparseBlock) block = {.rows = 0};
    for (bool more = true; more;) {
        more = line_reader_next_record(reader);
        if (more && read_game(reader->line, plan, &game, &block, sums, err) != STATUS_OK) {
            return err_prefix(err, "%s:%zu", reader->name, reader->number);
        }
        if (more && block.rows < BLOCK_ROWS) continue;
        sums->rows += block.rows;
        if (block.rows) TRY(sparse_writer_add(writer, &block, err));
        sparse_block_reset(&block);
    }
    return STATUS_OK;
}

Status variant_store_rows(const VariantStore *store, const VariantPlan *plan, const char *path,
                          const char *provenance, VariantSums *sums, Err *err) {
    AUTO_POINTER(SparseWriter) writer = NULL;
    AUTO(SparseTerms) terms = {.terms = (size_t)plan->game->term_count, .phase_max = 1};
    LineReader reader;
    *sums = (VariantSums){0};
    terms.names = memory_alloc(terms.terms, sizeof *terms.names);
    for (size_t i = 0; i < terms.terms; i++) strcpy(terms.names[i], plan->game->terms[i].name);
    if (fsync(fileno(store->file)) != 0) return file_error(store, err);
    TRY(sparse_writer_open(path, &writer, err));
    TRY(line_reader_open(&reader, text_get(&store->path), err));
    const Status status = read_games(&reader, plan, writer, sums, err);
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    if (status != STATUS_OK || closed != STATUS_OK) return status != STATUS_OK ? status : closed;
    return sparse_writer_finish(TAKE(writer), &terms, provenance, err);
}
