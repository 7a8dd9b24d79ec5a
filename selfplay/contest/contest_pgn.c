// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/contest/contest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/text.h"
#include "datasets/formats/formats.h"
#include "datasets/store/store.h"

enum { DATE_SIZE = 16, NAME_SIZE = 128 };

struct ContestPgn {
    const Contest *contest;
    ContestPgnSpec spec; // its texts belong to the caller
    char date[DATE_SIZE];
    FILE *file;
    Text text;
    uint64_t next; // games below were written
    bool disordered;
};

// ---- one game ----------------------------------------------------------------------------------

// The players' numbers in a record begin with 1. Players of one name are told apart by theirs.
static void name_player(const Contest *contest, int number, char name[NAME_SIZE]) {
    name[0] = '\0';
    if (number < 1 || number > contest->player_count) return;
    const char *own = contest->players[number - 1].spec.name;
    bool alone = true;
    for (int i = 0; i < contest->player_count; i++) {
        alone = alone && (i == number - 1 || strcmp(contest->players[i].spec.name, own) != 0);
    }
    if (alone) {
        snprintf(name, NAME_SIZE, "%s", own);
    } else {
        snprintf(name, NAME_SIZE, "%.*s (%d)", NAME_SIZE - 16, own, number);
    }
}

static Status add_game(ContestPgn *pgn, const GameRecord *game, const PlyRecord *plies,
                       const int32_t *times_ms, const char *note, Err *err) {
    char red[NAME_SIZE], black[NAME_SIZE];
    name_player(pgn->contest, game->red_player, red);
    name_player(pgn->contest, game->black_player, black);
    const ExportGame given = {
        .game = game,
        .plies = plies,
        .times_ms = times_ms,
        .event = pgn->spec.event,
        .date = pgn->date,
        .red = red,
        .black = black,
        .note = note,
        .system = pgn->spec.system,
    };
    const Status status = write_pgn(&given, &pgn->text, err);
    if (status != STATUS_OK) err_prefix(err, "game %llu", (unsigned long long)game->index);
    pgn->disordered = pgn->disordered || game->index < pgn->next;
    pgn->next = game->index + 1;
    return status;
}

static Status flush(ContestPgn *pgn, FILE *file, Err *err) {
    Text *text = &pgn->text;
    const bool good =
        (!text->length || fwrite(text->data, text->length, 1, file) == 1) && fflush(file) == 0;
    const int why = errno;
    text_reset(text);
    return good ? STATUS_OK
                : err_set(err, STATUS_IO, "cannot write %s: %s", pgn->spec.path, strerror(why));
}

Status contest_pgn_add(ContestPgn *pgn, const PlayedGame *played, Err *err) {
    if (!pgn) return STATUS_OK;
    Text note = {0};
    contest_game_note(pgn->contest, played, &note);
    const Status status =
        add_game(pgn, &played->record, played->plies, played->times_ms, note.data, err);
    text_clear(&note);
    return status == STATUS_OK ? flush(pgn, pgn->file, err) : status;
}

// ---- the file of an earlier session ------------------------------------------------------------

// Where a game of it is.
typedef struct OldGame {
    uint64_t index;
    const char *text;
    size_t length;
} OldGame;

typedef struct OldFile {
    char *data; // NULL: there is none
    OldGame *games;
    size_t count, capacity;
} OldFile;

static int compare_games(const void *a, const void *b) {
    const OldGame *x = a, *y = b;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    return x->text < y->text ? -1 : x->text > y->text;
}

// The number in the tag Round, which ours is; false when there is none.
static bool read_round(const char *text, size_t length, uint64_t *index) {
    static const char tag[] = "\n[Round \"";
    const char *found = memmem(text, length, tag, sizeof tag - 1);
    char number[24];
    if (!found) return false;
    found += sizeof tag - 1;
    const size_t digits = strspn(found, "0123456789");
    if (digits == 0 || digits >= sizeof number || found[digits] != '"') return false;
    memcpy(number, found, digits);
    number[digits] = '\0';
    return parse_u64(number, index, "Round", NULL) == STATUS_OK;
}

// Our games begin with this tag, and nothing else in them with a bracket and this word.
static const char first_tag[] = "[Game \"";

static const char *next_game(const char *at) {
    const char *found = strstr(at, first_tag);
    while (found && found > at && found[-1] != '\n') found = strstr(found + 1, first_tag);
    return found;
}

static void add_old_game(OldFile *old, const char *text, size_t length) {
    uint64_t index;
    if (!read_round(text, length, &index)) return;
    old->games = memory_room(old->games, &old->capacity, old->count + 1, sizeof *old->games);
    old->games[old->count++] = (OldGame){index, text, length};
}

static Status read_old_file(const char *path, OldFile *old, Err *err) {
    size_t length = 0;
    *old = (OldFile){0};
    if (access(path, F_OK) != 0) return STATUS_OK;
    const Status status = text_read_file(path, &old->data, &length, err);
    if (status != STATUS_OK) return status;
    const char *const end = old->data + length;
    for (const char *at = next_game(old->data); at;) {
        const char *next = next_game(at + 1);
        add_old_game(old, at, (size_t)((next ? next : end) - at));
        at = next;
    }
    if (old->count) qsort(old->games, old->count, sizeof *old->games, compare_games);
    return STATUS_OK;
}

static void clear_old_file(OldFile *old) {
    free(old->games);
    free(old->data);
}

static const OldGame *find_old_game(const OldFile *old, uint64_t index) {
    const OldGame wanted = {.index = index};
    size_t low = 0, high = old->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (old->games[middle].index < wanted.index) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < old->count && old->games[low].index == index ? &old->games[low] : NULL;
}

// Is the text, whole, the game of the store?
static bool is_same_game(const OldGame *old, const GameRecord *game, const PlyRecord *plies) {
    static const ReadSettings settings = {.system = MOVES_DETECTED};
    SourceText text = {.data = memory_alloc(old->length + 1, 1),
                       .length = old->length,
                       .line = 1,
                       .format = game_format(FORMAT_PGN)};
    memcpy(text.data, old->text, old->length);
    SourceGame source;
    source_game_init(&source);
    bool same = source_text_read(&text, &settings, &source, NULL) == IMPORT_KEPT &&
                source.has_result && source.record.result == game->result &&
                source.record.extra_plies == game->extra_plies &&
                source.record.extra_plies + source.game.count == game->ply_count;
    for (uint32_t i = 0; same && i < game->ply_count; i++) {
        same = source.plies[i].move == plies[i].move;
    }
    source_game_clear(&source);
    free(text.data);
    return same;
}

// ---- agreement with the store ------------------------------------------------------------------

// Writes the games of the store, each as the old file has it where it does.
static Status write_stored(ContestPgn *pgn, const OldFile *old, FILE *file, Err *err) {
    Store *store = NULL;
    pgn->next = 0;
    pgn->disordered = false;
    Status status = store_open(pgn->spec.run, &store, err);
    for (size_t i = 0; status == STATUS_OK && i < store_shard_count(store); i++) {
        GameBatch batch = {0};
        status = store_read_games(store, i, &batch, err);
        for (size_t k = 0; status == STATUS_OK && k < batch.count; k++) {
            const GameRecord *game = &batch.games[k];
            const PlyRecord *plies = batch.plies + game->first_ply;
            const OldGame *known = find_old_game(old, game->index);
            if (known && is_same_game(known, game, plies)) {
                text_add_bytes(&pgn->text, known->text, known->length);
                pgn->next = game->index + 1;
            } else {
                status = add_game(pgn, game, plies, NULL, NULL, err);
            }
            if (status == STATUS_OK) status = flush(pgn, file, err);
        }
        game_batch_clear(&batch);
    }
    store_close(store);
    return status;
}

// Replaces the file by one that holds the games of the store, or leaves it as it is.
static Status agree_with_store(ContestPgn *pgn, Err *err) {
    OldFile old;
    OutFile file;
    Status status = read_old_file(pgn->spec.path, &old, err);
    if (status != STATUS_OK) return status;
    status = out_file_open(&file, pgn->spec.path, err);
    if (status == STATUS_OK) {
        status = out_file_close(&file, write_stored(pgn, &old, file.stream, err), err);
    }
    clear_old_file(&old);
    return status;
}

// ---- the file ----------------------------------------------------------------------------------

static void today(char date[DATE_SIZE]) {
    const time_t now = time(NULL);
    struct tm utc;
    date[0] = '\0';
    if (gmtime_r(&now, &utc)) strftime(date, DATE_SIZE, "%Y.%m.%d", &utc);
}

Status contest_pgn_open(const Contest *contest, const ContestPgnSpec *spec, ContestPgn **opened,
                        Err *err) {
    *opened = NULL;
    const bool again = spec->resume && spec->run;
    if (!again && access(spec->path, F_OK) == 0) {
        return err_set(err, STATUS_USAGE,
                       "--pgn: %s is there already: move it away, name another, or go on with the "
                       "run it belongs to (--resume)",
                       spec->path);
    }
    ContestPgn *pgn = memory_alloc(1, sizeof *pgn);
    pgn->contest = contest;
    pgn->spec = *spec;
    today(pgn->date);
    Status status = again ? agree_with_store(pgn, err) : STATUS_OK;
    if (status == STATUS_OK && !(pgn->file = fopen(spec->path, "ab"))) {
        status = err_set(err, STATUS_IO, "cannot create %s: %s", spec->path, strerror(errno));
    }
    if (status != STATUS_OK) {
        text_clear(&pgn->text);
        free(pgn);
        return status;
    }
    *opened = pgn;
    return STATUS_OK;
}

Status contest_pgn_close(ContestPgn *pgn, Err *err) {
    if (!pgn) return STATUS_OK;
    Status status = STATUS_OK;
    const bool synced = fsync(fileno(pgn->file)) == 0 || errno == EINVAL;
    if (fclose(pgn->file) != 0 || !synced) {
        status = err_set(err, STATUS_IO, "cannot write %s: %s", pgn->spec.path, strerror(errno));
    }
    if (status == STATUS_OK && pgn->disordered && pgn->spec.run) {
        status = agree_with_store(pgn, err);
    }
    text_clear(&pgn->text);
    free(pgn);
    return status;
}
