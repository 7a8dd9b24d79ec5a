// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/verify.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "core/base/ranks.h"
#include "datasets/store/run.h"
#include "datasets/store/store.h"
#include "datasets/store/tags.h"

// ---- one game ----------------------------------------------------------------------------------

// The faults of one game, one a line.
typedef struct GameFaults {
    const GameRecord *game;
    Text *lines;
} GameFaults;

static void add_fault(GameFaults *faults, long ply, const char *format, ...) PRINTF_LIKE(3, 4);

// ply: number of the ply at fault from 1; 0: the game as a whole.
static void add_fault(GameFaults *faults, long ply, const char *format, ...) {
    char what[ERR_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    text_add(faults->lines, "game %llu", (unsigned long long)faults->game->index);
    if (ply > 0) text_add(faults->lines, ", ply %ld", ply);
    text_add(faults->lines, ": %s\n", what);
}

// Names every column in which a stored position is not the one of the replay.
static void compare_position(GameFaults *faults, const PositionRecord *stored,
                             const PositionRecord *replayed, long ply) {
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        const char *a = (const char *)stored + column->offset;
        const char *b = (const char *)replayed + column->offset;
        if (memcmp(a, b, column->size) == 0) continue;
        add_fault(faults, ply, "positions/%s is not that of the replayed game", column->name);
    }
}

static bool is_legal(const GameWalk *walk, Move move) {
    return position_is_pseudo_legal(&walk->position, move) &&
           position_is_legal(&walk->position, move);
}

static void check_ply(GameFaults *faults, const PlyRecord *ply, const GameWalk *walk) {
    const long number = (long)walk->ply + 1;
    if (ply->side != walk->position.stm) add_fault(faults, number, "the side is wrong");
    if (ply->sampled > 1) add_fault(faults, number, "sampled is %d", ply->sampled);
    if (ply->mate_red != 0 && ply->score_red != 0) {
        add_fault(faults, number, "a mate in %d with the score %d, not 0", ply->mate_red,
                  ply->score_red);
    }
    if (ply->best != MOVE_NONE && (ply->best == ply->move || !is_legal(walk, ply->best))) {
        add_fault(faults, number, "best (%d) is no other legal move", ply->best);
    }
}

// A handicap while a game is replayed: what it still forbids.
typedef struct OddsWatch {
    bool on;
    OddsState state;
} OddsWatch;

// Follows the handicap that the record names. An imported record may begin behind its start, where
// nobody knows what has moved: it is taken as an even game.
static OddsWatch watch_odds(GameFaults *faults, const GameRecord *record) {
    OddsWatch watch = {.on = false};
    Odds odds;
    if (record->odds[0] == '\0') return watch;
    if (odds_by_name(record->odds, &odds, NULL) != STATUS_OK) {
        add_fault(faults, 0, "there are no odds '%s'", record->odds);
        return watch;
    }
    watch.on = record->start.key == odds.start.key &&
               record->extra_plies == (uint32_t)odds_extra_plies(&odds);
    if (watch.on) {
        odds_begin(&odds, &watch.state);
    } else if (record->reason != END_IMPORTED) {
        add_fault(faults, 0, "it does not begin as the odds %s do", record->odds);
    }
    return watch;
}

// A legal move under the handicap.
static void watch_move(GameFaults *faults, OddsWatch *watch, const GameWalk *walk, Move move) {
    if (!watch->on) return;
    Position after;
    char text[5];
    if (!odds_move_allowed(&watch->state, &walk->position, move)) {
        move_to_uci(move, text);
        add_fault(faults, (long)walk->ply + 1, "the odds %s forbid the move %s", faults->game->odds,
                  text);
        watch->on = false;
        return;
    }
    odds_apply(&watch->state, &walk->position, move, &after);
}

// Replays the game into `judged` (from behind the extra plies of odds) and compares the positions
// on the way. False when a move cannot be played.
static bool replay(GameFaults *faults, const GameBatch *batch, const GameRecord *record,
                   OddsWatch *watch, Game *judged) {
    const PlyRecord *plies = batch->plies + record->first_ply;
    const PositionRecord *positions = batch->positions + record->first_position;
    GameWalk walk;
    size_t position = 0;
    game_walk_init(&walk, record);
    game_reset(judged, &walk.position);
    for (uint32_t i = 0; i < record->ply_count; i++) {
        const PlyRecord *ply = &plies[i];
        const Move move = ply->move;
        check_ply(faults, ply, &walk);
        if (ply->sampled && position < record->position_count) {
            const PositionRecord replayed = position_record_make(record, ply, &walk);
            compare_position(faults, &positions[position++], &replayed, (long)i + 1);
        }
        if (move == MOVE_NONE || !is_legal(&walk, move)) {
            char fen[FEN_SIZE], text[5] = "-";
            if (move != MOVE_NONE) move_to_uci(move, text);
            position_to_fen(&walk.position, FEN_UCI, fen);
            add_fault(faults, (long)i + 1, "the move %s (%d) is not legal in %s", text, ply->move,
                      fen);
            return false;
        }
        watch_move(faults, watch, &walk, move);
        game_walk_step(&walk, record, move);
        if (i < record->extra_plies) {
            game_reset(judged, &walk.position);
        } else {
            game_push(judged, move);
        }
    }
    size_t sampled = 0;
    for (uint32_t i = 0; i < record->ply_count; i++) sampled += plies[i].sampled != 0;
    if (sampled != record->position_count) {
        add_fault(faults, 0, "%zu plies are sampled, /positions has %zu rows of it", sampled,
                  record->position_count);
    }
    return true;
}

// Results of ends that the referee does not know: adjudication and forfeits.
static void check_other_end(GameFaults *faults, const GameRecord *game, Side to_move) {
    const char *reason = end_reason_name((EndReason)game->reason);
    const int loss = to_move == RED ? -1 : 1;
    switch ((EndReason)game->reason) {
    case END_RESIGN_ADJUDICATION:
    case END_CRASH:
        if (game->result == 0) add_fault(faults, 0, "%s cannot be a draw", reason);
        break;
    case END_DRAW_ADJUDICATION:
    case END_MAX_PLIES:
    case END_AGREED_DRAW:
        if (game->result != 0)
            add_fault(faults, 0, "%s must be a draw, not %d", reason, game->result);
        break;
    case END_TIME_FORFEIT:
    case END_ILLEGAL_MOVE:
    case END_RESIGNATION:
    case END_PROTOCOL_FAULT:
        if (game->result != loss) {
            add_fault(faults, 0, "%s: the side to move loses, but the result is %d", reason,
                      game->result);
        }
        break;
    default:
        add_fault(faults, 0, "the reason is %s, but the referee lets it go on", reason);
    }
}

static void check_end(GameFaults *faults, const Rules *rules, const GameRecord *game,
                      const OddsWatch *watch, const Game *judged) {
    size_t ply = 0;
    Judgement end = {VERDICT_NONE, END_NONE};
    bool ended = rules_first_end(rules, judged, &ply, &end);
    // A handicap may leave the side to move without a move: it has lost.
    const Position *now = &judged->now;
    if (!ended && watch->on && odds_active(&watch->state) &&
        odds_no_legal_move(&watch->state, now)) {
        end = (Judgement){now->stm == RED ? VERDICT_RED_LOSES : VERDICT_BLACK_LOSES,
                          position_in_check(now) ? END_CHECKMATE : END_STALEMATE};
        ply = judged->count;
        ended = true;
    }
    const uint32_t end_ply = ended ? (uint32_t)ply + game->extra_plies : game->ply_count;
    const char *name = end_reason_name(end.reason);
    if (game->reason == END_IMPORTED) {
        if (game->end_ply == end_ply && game->end_reason == end.reason) return;
        add_fault(faults, 0, "end_ply %u, end_reason %s; the referee says %u, %s", game->end_ply,
                  end_reason_name((EndReason)game->end_reason), end_ply, name);
        return;
    }
    if (game->end_ply != game->ply_count || game->end_reason != game->reason) {
        add_fault(faults, 0, "end_ply and end_reason are not ply_count and reason");
    }
    if (ended && end_ply < game->ply_count) {
        add_fault(faults, (long)end_ply, "the game runs on past its end (%s)", name);
    } else if (!ended) {
        check_other_end(faults, game, (Side)judged->now.stm);
    } else if (game->reason != end.reason) {
        add_fault(faults, 0, "the reason is %s, the referee says %s",
                  end_reason_name((EndReason)game->reason), name);
    } else if (game->result != verdict_result(end.verdict)) {
        add_fault(faults, 0, "the result is %d, the referee says %d (%s)", game->result,
                  verdict_result(end.verdict), name);
    }
}

void verify_game(const Rules *rules, const GameBatch *batch, GameRecord *game, Game *judged,
                 Text *lines) {
    GameFaults found = {game, lines}, *faults = &found;
    Err err = {0};
    if (game_record_check(game, &err) != STATUS_OK) {
        text_add(lines, "%s\n", err.text);
        return;
    }
    if (game->extra_plies > game->ply_count || game->opening_plies > game->ply_count ||
        game->adjudicated_ply > game->ply_count || game->end_ply > game->ply_count) {
        add_fault(faults, 0,
                  "extra, opening, adjudicated or end plies are more than the %u of the game",
                  game->ply_count);
        return;
    }
    if (game->adjudicated_result < -1 || game->adjudicated_result > 1) {
        add_fault(faults, 0, "adjudicated_result is %d", game->adjudicated_result);
    }
    const char *fault = tags_fault(game_batch_tags(batch, game), game->tag_count);
    if (*fault) add_fault(faults, 0, "%s", fault);
    OddsWatch watch = watch_odds(faults, game);
    if (replay(faults, batch, game, &watch, judged)) {
        check_end(faults, rules, game, &watch, judged);
    }
}

// ---- one file ----------------------------------------------------------------------------------

// The result of a file, which another MPI rank may have verified; behind it follow the faults, a
// line each, and the games' digests.
typedef struct FileVerdict {
    uint64_t shards, games, plies, positions; // shards: 0 where the file cannot be opened
    OptionRange range;
    size_t fault_size;
} FileVerdict;

typedef struct FileVerify {
    int threads;
    Progress *progress; // NULL: silent
    uint64_t before;    // games of other files
    Rules rules;
    FileVerdict verdict;
    char content_hash[SHA256_HEX_SIZE]; // as the file has it
    Text faults, digests;
} FileVerify;

static Status verify_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)err;
    FileVerify *file = context;
    AUTO(ProvenanceTexts) made = {{NULL}};
    Err why = {0};
    file->verdict.range = shard_reader_head(reader)->range;
    memcpy(file->content_hash, shard_reader_head(reader)->content_hash, SHA256_HEX_SIZE);
    file->verdict.shards = 1;
    if (shard_read_provenance(path, &made, &why) != STATUS_OK ||
        rules_from_text(made.rules, &file->rules, &why) != STATUS_OK) {
        text_add(&file->faults, "%s\n", why.text);
        file->rules = rules_default(RULES_AXF);
    }
    return STATUS_OK;
}

static void check_index(Text *lines, OptionRange range, const GameRecord *games, size_t i) {
    GameFaults faults = {&games[i], lines};
    const uint64_t index = games[i].index;
    if (index < range.first || index >= range.end) {
        add_fault(&faults, 0, "not of the shard's range %llu:%llu", (unsigned long long)range.first,
                  (unsigned long long)range.end);
    }
    if (i > 0 && index <= games[i - 1].index) add_fault(&faults, 0, "out of order");
}

static Status verify_block(void *context, const char *path, GameBatch *batch, Err *err) {
    (void)path, (void)err;
    FileVerify *file = context;
    const size_t count = batch->count;
    AUTO_FREE Text *faults = memory_alloc(count, sizeof *faults);
    AUTO_FREE uint8_t(*digests)[SHA256_BYTES] = memory_alloc(count, sizeof *digests);
#pragma omp parallel num_threads(file->threads)
    {
        Game judged;
        Position start;
        position_init_start(&start);
        game_init(&judged, &start);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < count; i++) {
            check_index(&faults[i], file->verdict.range, batch->games, i);
            verify_game(&file->rules, batch, &batch->games[i], &judged, &faults[i]);
            content_digest(batch, &batch->games[i], digests[i]);
        }
        game_clear(&judged);
    }
    for (size_t i = 0; i < count; i++) {
        text_add(&file->faults, "%s", text_get(&faults[i]));
        text_clear(&faults[i]);
    }
    text_add_bytes(&file->digests, digests, count * sizeof *digests);
    file->verdict.games += count;
    file->verdict.plies += batch->ply_count;
    file->verdict.positions += batch->position_count;
    if (file->progress) progress_update(file->progress, file->before + file->verdict.games, NULL);
    return STATUS_OK;
}

static Status verify_file(const char *path, FileVerify *file, Text *result, Err *err) {
    const ScanHooks hooks = {.opened = verify_opened, .block = verify_block, .context = file};
    AUTO(PathList) list = {0};
    path_list_add(&list, path);
    const Status status = store_scan_files(&list, &hooks, NULL, err);
    if (status == STATUS_INTERRUPTED) return status;
    Sha256 hash;
    char hex[SHA256_HEX_SIZE];
    sha256_init(&hash);
    sha256_add(&hash, text_get(&file->digests), file->digests.length);
    sha256_finish_hex(&hash, hex);
    if (status != STATUS_OK) {
        text_add(&file->faults, "%s\n", err->text);
    } else if (strcmp(hex, file->content_hash) != 0) {
        text_add(&file->faults, "content_hash is not that of the content\n");
    }
    file->verdict.fault_size = file->faults.length;
    text_add_bytes(result, &file->verdict, sizeof file->verdict);
    text_add_bytes(result, text_get(&file->faults), file->faults.length);
    text_add_bytes(result, text_get(&file->digests), file->digests.length);
    return STATUS_OK;
}

// ---- the store ---------------------------------------------------------------------------------

// The results of all files, at rank 0.
typedef struct Verify {
    PathList files;
    size_t first; // of the files that the ranks verify together, one each
    int threads;
    Progress *progress; // NULL: silent
    VerifyFault *fault;
    void *fault_context;
    VerifyReport *report;
    Sha256 hash;
    uint64_t next_game; // games before this one belong to shards that were seen
} Verify;

static void report_fault(Verify *verify, const char *path, const char *what) {
    verify->report->faults++;
    if (verify->fault) verify->fault(verify->fault_context, path, what);
}

static Status take_file(void *context, int rank, const void *result, size_t size, Err *err) {
    Verify *verify = context;
    FileVerdict verdict;
    (void)err;
    if (size == 0) return STATUS_OK; // fewer files than ranks are left
    const unsigned char *at = bytes_take(result, &verdict, sizeof verdict);
    const char *path = verify->files.paths[verify->first + (size_t)rank];
    if (verdict.shards && verdict.range.first < verify->next_game) {
        char what[160];
        snprintf(what, sizeof what,
                 "holds games from %llu on, which another shard holds up to %llu",
                 (unsigned long long)verdict.range.first, (unsigned long long)verify->next_game);
        report_fault(verify, path, what);
    }
    if (verdict.shards) verify->next_game = verdict.range.end;
    AUTO(Text) faults = {0};
    text_add_bytes(&faults, at, verdict.fault_size);
    char *lines = faults.data;
    for (char *line; lines && (line = text_next_field(&lines, '\n'));) {
        if (*line) report_fault(verify, path, line);
    }
    sha256_add(&verify->hash, at + verdict.fault_size, size - sizeof verdict - verdict.fault_size);
    verify->report->shards += verdict.shards;
    verify->report->games += verdict.games;
    verify->report->plies += verdict.plies;
    verify->report->positions += verdict.positions;
    if (verify->progress) progress_update(verify->progress, verify->report->games, NULL);
    return STATUS_OK;
}

// Each rank verifies one file of each round, whose results come in their order.
static Status verify_rounds(Verify *verify, Err *err) {
    AUTO(Text) list = {0};
    for (size_t i = 0; i < verify->files.count; i++) {
        text_add_bytes(&list, verify->files.paths[i], strlen(verify->files.paths[i]) + 1);
    }
    TRY(ranks_share_text(&list, err));
    for (const char *at = list.data; rank_self() > 0 && at < list.data + list.length;
         at += strlen(at) + 1) {
        path_list_add(&verify->files, at);
    }
    for (; verify->first < verify->files.count; verify->first += (size_t)rank_count()) {
        const size_t own = verify->first + (size_t)rank_self();
        FileVerify file = {.threads = verify->threads,
                           .progress = rank_count() > 1 ? NULL : verify->progress,
                           .before = verify->report->games};
        AUTO(Text) result = {0};
        if (own < verify->files.count) {
            const Status status = verify_file(verify->files.paths[own], &file, &result, err);
            text_clear(&file.faults);
            text_clear(&file.digests);
            TRY(status);
        }
        TRY(ranks_collect(result.data, result.length, take_file, verify, err));
    }
    return rank_self() > 0 ? err_set(err, STATUS_ENDED, "%s", "") : STATUS_OK;
}

Status store_verify(const char *path, int threads, Progress *progress, VerifyFault *fault,
                    void *context, VerifyReport *report, Err *err) {
    *report = (VerifyReport){0};
    Verify verify = {.threads = threads,
                     .progress = progress,
                     .fault = fault,
                     .fault_context = context,
                     .report = report};
    sha256_init(&verify.hash);
    Status status =
        rank_self() > 0 ? STATUS_OK : store_list_all(&path, 1, true, &verify.files, err);
    if (progress && progress->out) progress->total = store_count_games(&verify.files);
    if (status == STATUS_OK) status = verify_rounds(&verify, err);
    Err part;
    if (status == STATUS_OK && run_must_be_whole(path, &part) != STATUS_OK) {
        report_fault(&verify, path, part.text);
    }
    path_list_clear(&verify.files);
    sha256_finish_hex(&verify.hash, report->content_hash);
    return status;
}
