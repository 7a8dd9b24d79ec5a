// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/verify.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/store/run.h"
#include "datasets/store/store.h"
#include "datasets/store/tags.h"

// ---- one game ----------------------------------------------------------------------------------

// Collects the faults of one game as text, with one fault per line.
typedef struct GameFaults {
    const GameRecord *game;
    Text *lines;
} GameFaults;

static void add_fault(GameFaults *faults, long ply, const char *format, ...) PRINTF_LIKE(3, 4);

// Adds a fault at ply number `ply`, counted from 1. If `ply` is 0, the fault concerns the whole
// game.
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

// Compares a stored position with the replayed one, and reports every column that differs.
static void compare_position(GameFaults *faults, const PositionRecord *stored,
                             const PositionRecord *replayed, long ply) {
    const ColumnGroup *table = column_group(GROUP_POSITIONS);
    for (size_t i = 0; i < table->column_count; i++) {
        const Column *column = &table->columns[i];
        const char *a = (const char *)stored + column->offset;
        const char *b = (const char *)replayed + column->offset;
        if (memcmp(a, b, column->size) == 0) continue;
        add_fault(faults, ply, "the value in positions/%s differs from that of the replayed game",
                  column->name);
    }
}

static bool is_legal(const GameWalk *walk, Move move) {
    return position_is_pseudo_legal(&walk->position, move) &&
           position_is_legal(&walk->position, move);
}

static void check_ply(GameFaults *faults, const PlyRecord *ply, const GameWalk *walk) {
    const long number = (long)walk->ply + 1;
    if (ply->side != walk->position.stm)
        add_fault(faults, number, "the column 'side' does not name the side to move");
    if (ply->sampled > 1)
        add_fault(faults, number, "the column 'sampled' is %d, but must be 0 or 1", ply->sampled);
    if (ply->mate_red != 0 && ply->score_red != 0) {
        add_fault(faults, number,
                  "the ply has a mate (mate_red %d), so score_red must be 0, but it is %d",
                  ply->mate_red, ply->score_red);
    }
    if (ply->best != MOVE_NONE && (ply->best == ply->move || !is_legal(walk, ply->best))) {
        add_fault(
            faults, number,
            "the preferred move in the column 'best' (%d) is illegal, or equal to the played move",
            ply->best);
    }
}

// State of the handicap (odds) while its game is replayed.
typedef struct OddsWatch {
    bool on; // the moves of the game are checked against the handicap
    OddsState state;
} OddsWatch;

// Starts to check the handicap that a game record names. An imported record may begin in the middle
// of a game. If it does not have the start position of the handicap, the handicap is not checked.
static OddsWatch watch_odds(GameFaults *faults, const GameRecord *record) {
    OddsWatch watch = {.on = false};
    Odds odds;
    if (record->odds[0] == '\0') return watch;
    if (odds_by_name(record->odds, &odds, NULL) != STATUS_OK) {
        add_fault(faults, 0, "there is no handicap '%s'", record->odds);
        return watch;
    }
    watch.on = record->start.key == odds.start.key &&
               record->extra_plies == (uint32_t)odds_extra_plies(&odds);
    if (watch.on) {
        odds_begin(&odds, &watch.state);
    } else if (!game_result_is_given(record)) {
        add_fault(faults, 0,
                  "the start position or the number of extra moves does not fit the odds %s",
                  record->odds);
    }
    return watch;
}

// Plays a legal move in the state of the handicap. If the handicap forbids the move, reports a
// fault and no longer checks the moves of this game against the handicap.
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

// Replays a game, checks its plies and compares its sampled positions with the replay. *judged
// becomes the game without the extra moves of a handicap (odds), so that the rules can be applied
// to it. Returns false if a move is illegal.
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
        add_fault(faults, 0, "%zu plies are sampled, but /positions has %zu rows of the game",
                  sampled, record->position_count);
    }
    return true;
}

// Checks the result of a game that the rules did not end. It ended by adjudication, resignation or
// loss on time, for example. `to_move` is the side to move at the end.
static void check_other_end(GameFaults *faults, const GameRecord *game, Side to_move) {
    const char *reason = end_reason_name((EndReason)game->reason);
    const int loss = to_move == RED ? -1 : 1;
    switch ((EndReason)game->reason) {
    case END_RESIGN_ADJUDICATION:
    case END_CRASH:
        if (game->result == 0)
            add_fault(faults, 0, "the result is a draw, but the end reason %s needs a winner",
                      reason);
        break;
    case END_DRAW_ADJUDICATION:
    case END_MAX_PLIES:
    case END_AGREED_DRAW:
        if (game->result != 0)
            add_fault(faults, 0, "the end reason %s needs a draw, but the result is %d", reason,
                      game->result);
        break;
    case END_TIME_FORFEIT:
    case END_ILLEGAL_MOVE:
    case END_RESIGNATION:
    case END_PROTOCOL_FAULT:
        if (game->result != loss) {
            add_fault(faults, 0,
                      "the end reason is %s, so the side to move loses, but the result is %d",
                      reason, game->result);
        }
        break;
    default:
        add_fault(faults, 0, "the end reason is %s, but by the rules the game has not ended",
                  reason);
    }
}

static void check_end(GameFaults *faults, const Rules *rules, const GameRecord *game,
                      const OddsWatch *watch, const Game *judged) {
    size_t ply = 0;
    Judgement end = {VERDICT_NONE, END_NONE};
    bool ended = rules_first_end(rules, judged, &ply, &end);
    // A handicap can protect pieces from capture and restrict Red's first moves. The side to move
    // loses if this leaves it no legal move.
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
    if (game_result_is_given(game)) {
        if (game->end_ply == end_ply && game->end_reason == end.reason) return;
        add_fault(faults, 0,
                  "the columns end_ply %u and end_reason %s are wrong: the referee finds %u and %s",
                  game->end_ply, end_reason_name((EndReason)game->end_reason), end_ply, name);
        return;
    }
    if (game->end_ply != game->ply_count || game->end_reason != game->reason) {
        add_fault(faults, 0,
                  "the columns end_ply and end_reason must equal ply_count and reason, because the "
                  "game was not imported");
    }
    if (ended && end_ply < game->ply_count) {
        add_fault(faults, (long)end_ply, "the game continues after it ended by the rules (%s)",
                  name);
    } else if (!ended) {
        check_other_end(faults, game, (Side)judged->now.stm);
    } else if (game->reason != end.reason) {
        add_fault(faults, 0, "the end reason is %s, but the referee finds %s",
                  end_reason_name((EndReason)game->reason), name);
    } else if (game->result != verdict_result(end.verdict)) {
        add_fault(faults, 0, "the result is %d, but the referee finds %d (%s)", game->result,
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
                  "extra_plies, opening_plies, adjudicated_ply or end_ply exceeds the %u plies of "
                  "the game",
                  game->ply_count);
        return;
    }
    if (game->adjudicated_result < -1 || game->adjudicated_result > 1) {
        add_fault(faults, 0, "the column 'adjudicated_result' is %d, but must be -1, 0 or 1",
                  game->adjudicated_result);
    }
    const char *fault = tags_fault(game_batch_tags(batch, game), game->tag_count);
    if (*fault) add_fault(faults, 0, "%s", fault);
    OddsWatch watch = watch_odds(faults, game);
    if (replay(faults, batch, game, &watch, judged)) {
        check_end(faults, rules, game, &watch, judged);
    }
}

// ---- one file ----------------------------------------------------------------------------------

// State of a verification: the results so far, and the current file.
typedef struct Verify {
    int threads;
    Progress *progress; // progress line, or NULL
    VerifyFault *fault;
    void *fault_context;
    VerifyReport *report;
    Sha256 hash;
    uint64_t next_game; // end of the previous shard's range of game indices; the range of the next
                        // shard must not begin below it
    // The following members describe the current file.
    const char *path;
    Rules rules;
    OptionRange range;
    Sha256 file_hash;
    char content_hash[SHA256_HEX_SIZE]; // content hash that the file states
} Verify;

static void report_fault(Verify *verify, const char *what) {
    verify->report->faults++;
    if (verify->fault) verify->fault(verify->fault_context, verify->path, what);
}

static Status verify_opened(void *context, const char *path, ShardReader *reader, Err *err) {
    (void)err;
    Verify *verify = context;
    AUTO(ProvenanceTexts) made = {{NULL}};
    Err why = {0};
    verify->range = shard_reader_head(reader)->range;
    memcpy(verify->content_hash, shard_reader_head(reader)->content_hash, SHA256_HEX_SIZE);
    verify->report->shards++;
    if (verify->range.first < verify->next_game) {
        char what[160];
        snprintf(
            what, sizeof what,
            "the shard overlaps the previous one: it begins at game %llu, but the previous shard "
            "ends before game %llu",
            (unsigned long long)verify->range.first, (unsigned long long)verify->next_game);
        report_fault(verify, what);
    }
    verify->next_game = verify->range.end;
    if (shard_read_provenance(path, &made, &why) != STATUS_OK ||
        rules_from_text(made.rules, &verify->rules, &why) != STATUS_OK) {
        report_fault(verify, why.text);
        verify->rules = rules_default(RULES_AXF);
    }
    return STATUS_OK;
}

static void check_index(Text *lines, OptionRange range, const GameRecord *games, size_t i) {
    GameFaults faults = {&games[i], lines};
    const uint64_t index = games[i].index;
    if (index < range.first || index >= range.end) {
        add_fault(&faults, 0, "the game's index is not in the range %llu:%llu of its shard",
                  (unsigned long long)range.first, (unsigned long long)range.end);
    }
    if (i > 0 && index <= games[i - 1].index)
        add_fault(&faults, 0, "the game's index is not larger than that of the previous game");
}

static Status verify_block(void *context, const char *path, GameBatch *batch, Err *err) {
    (void)path, (void)err;
    Verify *verify = context;
    const size_t count = batch->count;
    AUTO_FREE Text *faults = memory_alloc(count, sizeof *faults);
    AUTO_FREE uint8_t(*digests)[SHA256_BYTES] = memory_alloc(count, sizeof *digests);
#pragma omp parallel num_threads(verify->threads)
    {
        Game judged;
        Position start;
        position_init_start(&start);
        game_init(&judged, &start);
#pragma omp for schedule(dynamic, 8)
        for (size_t i = 0; i < count; i++) {
            check_index(&faults[i], verify->range, batch->games, i);
            verify_game(&verify->rules, batch, &batch->games[i], &judged, &faults[i]);
            content_digest(batch, &batch->games[i], digests[i]);
        }
        game_clear(&judged);
    }
    for (size_t i = 0; i < count; i++) {
        char *lines = faults[i].data;
        for (char *line; lines && (line = text_next_field(&lines, '\n'));) {
            if (*line) report_fault(verify, line);
        }
        text_clear(&faults[i]);
    }
    sha256_add(&verify->hash, digests, count * sizeof *digests);
    sha256_add(&verify->file_hash, digests, count * sizeof *digests);
    verify->report->games += count;
    verify->report->plies += batch->ply_count;
    verify->report->positions += batch->position_count;
    if (verify->progress) progress_update(verify->progress, verify->report->games, NULL);
    return STATUS_OK;
}

static Status verify_file(Verify *verify, Err *err) {
    const ScanHooks hooks = {.opened = verify_opened, .block = verify_block, .context = verify};
    AUTO(PathList) list = {0};
    char hex[SHA256_HEX_SIZE];
    path_list_add(&list, verify->path);
    sha256_init(&verify->file_hash);
    const Status status = store_scan_files(&list, &hooks, NULL, err);
    // A file that cannot be opened, for example without permission, is not faulty.
    if (status == STATUS_INTERRUPTED || status == STATUS_IO) return status;
    sha256_finish_hex(&verify->file_hash, hex);
    if (status != STATUS_OK) {
        report_fault(verify, err->text);
    } else if (strcmp(hex, verify->content_hash) != 0) {
        report_fault(verify, "the games do not match the content_hash of the file");
    }
    return STATUS_OK;
}

Status store_verify(const char *path, int threads, Progress *progress, VerifyFault *fault,
                    void *context, VerifyReport *report, Err *err) {
    *report = (VerifyReport){0};
    AUTO(PathList) files = {0};
    Verify verify = {.threads = threads,
                     .progress = progress,
                     .fault = fault,
                     .fault_context = context,
                     .report = report};
    sha256_init(&verify.hash);
    TRY(store_list_all(&path, 1, true, &files, err));
    if (progress && progress->out) progress->total = store_count_games(&files);
    for (size_t i = 0; i < files.count; i++) {
        verify.path = files.paths[i];
        TRY(verify_file(&verify, err));
    }
    Err part;
    verify.path = path;
    if (run_must_be_whole(path, &part) != STATUS_OK) report_fault(&verify, part.text);
    sha256_finish_hex(&verify.hash, report->content_hash);
    return STATUS_OK;
}
