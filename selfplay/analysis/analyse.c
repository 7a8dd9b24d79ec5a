// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/analysis/analyse.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "core/rules/tactics.h"
#include "core/system/in_file.h"
#include "datasets/formats/epd_text.h"
#include "selfplay/engines/protocol.h"

// ---- reading records --------------------------------------------------------------

// Moves in the operations bm (best moves) and am (moves to avoid) of an EPD record.
typedef struct EpdMoves {
    MoveList best, avoid;
} EpdMoves;

static Status read_epd_moves(NotationSystem system, const Position *position,
                             const char *operations, const char *opcode, MoveList *moves,
                             Err *err) {
    EpdOperation operation;
    const char *word;
    size_t length;
    moves->count = 0;
    if (!epd_find(operations, opcode, &operation)) return STATUS_OK;
    AUTO_FREE char *copy = memory_alloc(operation.length + 1, 1);
    memcpy(copy, operation.operand, operation.length);
    for (char *comma = copy; (comma = strchr(comma, ',')) != NULL;) *comma = ' ';
    const char *cursor = copy;
    while (moves->count < MAX_MOVES && text_next_word(&cursor, &word, &length)) {
        Move *move = &moves->moves[moves->count++];
        if (notation_read(system, NULL, position, word, length, move, err) != STATUS_OK) {
            return err_prefix(err, "%s", opcode);
        }
    }
    return moves->count
               ? STATUS_OK
               : err_set(err, STATUS_BAD_INPUT, "the EPD operation %s contains no move", opcode);
}

// Returns the operand of the EPD operation `id` without its quotes, or NULL if there is none. The
// caller frees it.
static char *read_id(const char *operations) {
    EpdOperation operation;
    if (!epd_find(operations, "id", &operation)) return NULL;
    const char *operand = operation.operand;
    size_t size = operation.length;
    if (size >= 2 && operand[0] == '"' && operand[size - 1] == '"') {
        operand++;
        size -= 2;
    }
    char *id = memory_alloc(size + 1, 1);
    memcpy(id, operand, size);
    return id;
}

// Parses the text of a record. Stores its position and moves in *game, which must be initialised,
// the moves of its operations bm and am in *test, and its operation `id` in analysis->id.
static Status read_record(const AnalyseSpec *spec, Analysis *analysis, Game *game, EpdMoves *test) {
    char *text = analysis->text, *cursor = text, *moves = NULL;
    Err *err = &analysis->err;
    const char *fen = text, *operations = "";
    Position start;
    if (strchr(text, ';') || strstr(text, " bm ") || strstr(text, " am ")) {
        FenFields fields;
        TRY(epd_read_position(text, FEN_SIDE_FREE, &start, &fields, &operations, err));
        analysis->no_side = !fields.side;
        analysis->id = read_id(operations);
    } else {
        if (!fen_split_moves(text, &fen, &moves)) {
            fen = text_next_field(&cursor, '\t');
            moves = cursor;
        }
        TRY(position_from_fen(&start, fen, err));
        analysis->no_side = !fen_fields(fen).side;
    }
    game_reset(game, &start);
    if (moves) TRY(game_push_text(game, moves, 0, err));
    TRY(read_epd_moves(spec->notation, &game->now, operations, "bm", &test->best, err));
    return read_epd_moves(spec->notation, &game->now, operations, "am", &test->avoid, err);
}

// ---- analysing a record ----------------------------------------------------------------------

typedef struct AnalyseThread {
    Search *search;
    Player *program; // program that searches for this thread; NULL until the thread needs it
    OddsGame og;     // the position and its moves; the game has no handicap
    EpdMoves test;
    Analysis *analysis; // receives the result of the running search
} AnalyseThread;

// Checks after an iteration whether its best move solves the test. If it does and the best move of
// the previous iteration did not, records depth, time and nodes.
static void check_answer(Analysis *analysis, const EpdMoves *test, const SearchLine *line,
                         uint64_t nodes, int64_t time_ns) {
    const Move move = line->moves[0];
    const bool right = (test->best.count == 0 || move_list_has(&test->best, move)) &&
                       !move_list_has(&test->avoid, move);
    if (right && !analysis->solved) {
        analysis->solved_depth = line->depth;
        analysis->solved_time_ns = time_ns;
        analysis->solved_nodes = nodes;
    }
    analysis->solved = right;
}

static void take_line(void *context, const Search *search, const SearchLine *line, int index,
                      uint64_t nodes, int64_t time_ns) {
    const AnalyseThread *thread = context;
    Analysis *analysis = thread->analysis;
    (void)search;
    analysis->lines[index] = *line;
    if (index >= analysis->count) analysis->count = index + 1;
    if (index == 0) check_answer(analysis, &thread->test, line, nodes, time_ns);
}

// Puts *best, the line of the final best move, in front of analysis->lines. It replaces the older
// line of this move. If this move has no older line, and `most` lines are stored, the last line is
// removed. The best move is not in front yet if an unfinished iteration found it.
static void move_to_front(Analysis *analysis, const SearchLine *best, int most) {
    int at = 0;
    while (at < analysis->count && analysis->lines[at].moves[0] != best->moves[0]) at++;
    if (at == analysis->count && analysis->count < most) analysis->count++;
    if (at >= analysis->count) at = analysis->count - 1;
    memmove(analysis->lines + 1, analysis->lines, (size_t)at * sizeof *analysis->lines);
    analysis->lines[0] = *best;
}

static void search_record(const AnalyseSpec *spec, AnalyseThread *thread, Analysis *analysis) {
    const int most = spec->multi_pv > 1 ? spec->multi_pv : 1;
    const PlayLimits *wanted = &spec->player->spec.limits;
    const SearchLimits limits = {.nodes = wanted->nodes,
                                 .depth = wanted->depth,
                                 .hard_ms = wanted->control.move_ns / MS_NS,
                                 .multi_pv = spec->multi_pv};
    SearchResult result;
    analysis->lines = memory_alloc((size_t)most, sizeof *analysis->lines);
    thread->analysis = analysis;
    search_clear(thread->search);
    search_run(thread->search, &thread->og.game, &limits, &result);
    analysis->nodes = result.nodes;
    analysis->time_ns = result.time_ns;
    if (result.best == MOVE_NONE) return;
    move_to_front(analysis, &result.line, most);
    check_answer(analysis, &thread->test, &result.line, result.nodes, result.time_ns);
}

// Lets the program search the position, and stores its principal variation as the only line.
static Status ask_program(const AnalyseSpec *spec, AnalyseThread *thread, Analysis *analysis) {
    PlayerReply reply;
    TRY(player_score(spec->player, &spec->rules, &thread->og, &thread->program, &reply,
                     &analysis->err));
    // the longest mate, in plies, that a score can express
    const int most = SCORE_MATE - SCORE_MATE_BOUND;
    const int mate = answer_clamp(reply.info.mate, -most, most);
    SearchLine *line = analysis->lines = memory_alloc(1, sizeof *analysis->lines);
    line->score = mate > 0   ? SCORE_MATE - mate
                  : mate < 0 ? -SCORE_MATE - mate
                             : reply.info.score_cp;
    line->depth = reply.info.depth;
    line->count = reply.expected_count;
    memcpy(line->moves, reply.expected, sizeof reply.expected);
    analysis->count = 1;
    analysis->nodes = reply.info.nodes;
    analysis->time_ns = reply.time_ns;
    check_answer(analysis, &thread->test, line, reply.found_nodes, reply.found_ns);
    if (analysis->solved) analysis->solved_depth = reply.found_depth;
    return STATUS_OK;
}

// Appends the tactics of a move as in "played 12 h2e2 fork, discovered attack". Appends nothing if
// the move has no tactics.
static void explain_move(const Position *before, Move move, const char *word, size_t number,
                         Text *text) {
    const unsigned found = tactics_of_move(before, move);
    if (!found) return;
    char uci[5];
    move_to_uci(move, uci);
    text_add(text, "%s %zu %s", word, number, uci);
    for (int tactic = 0; tactic < TACTIC_COUNT; tactic++) {
        const bool first = !(found & ((1u << tactic) - 1));
        if (found & 1u << tactic)
            text_add(text, "%s%s", first ? " " : ", ", tactic_name((Tactic)tactic));
    }
    text_add(text, "\n");
}

static void explain(const Game *game, Analysis *analysis) {
    for (size_t i = 0; i < game->count; i++) {
        explain_move(&game->plies[i].before, game->plies[i].move, "played", i + 1,
                     &analysis->tactics);
    }
    Position position = game->now, after;
    for (int i = 0; analysis->count && i < analysis->lines[0].count; i++) {
        const Move move = analysis->lines[0].moves[i];
        if (!position_is_pseudo_legal(&position, move) || !position_is_legal(&position, move))
            break;
        explain_move(&position, move, "line ply", (size_t)i + 1, &analysis->tactics);
        position_do_move(&position, move, &after);
        position = after;
    }
}

static void analyse_record(const AnalyseSpec *spec, AnalyseThread *thread, Analysis *analysis) {
    analysis->status = read_record(spec, analysis, &thread->og.game, &thread->test);
    if (analysis->status != STATUS_OK) return;
    const Position *now = &thread->og.game.now;
    const bool program = spec->player->spec.program, over = position_no_legal_move(now);
    analysis->stm = (Side)now->stm;
    analysis->is_test = !spec->static_only && (thread->test.best.count || thread->test.avoid.count);
    if (!spec->static_only && !program) {
        search_record(spec, thread, analysis);
    } else if (!spec->static_only && !over) {
        analysis->status = ask_program(spec, thread, analysis);
    } else if (!over) {
        analysis->lines = memory_alloc(1, sizeof *analysis->lines);
        const PlayerSetup *engine = spec->player;
        analysis->parts = evaluate_parts(now, engine->weights, engine->network);
        analysis->has_parts = engine->network;
        analysis->lines[0].score = analysis->parts.linear + analysis->parts.network;
        analysis->count = 1;
    }
    if (spec->explain) explain(&thread->og.game, analysis);
}

static void thread_init(AnalyseThread *thread, const AnalyseSpec *spec) {
    const PlayerSetup *engine = spec->player;
    const bool searches = !spec->static_only && !spec->player->spec.program;
    thread->search = search_new(engine->weights, searches ? engine->hash_mb : 0, NULL);
    search_set_network(thread->search, engine->network);
    search_set_params(thread->search, &engine->params);
    search_set_rules(thread->search, &spec->rules);
    search_set_report(thread->search, take_line, thread);
    odds_game_init(&thread->og);
}

static bool next_record(LineReader *reader, Analysis *record) {
    if (!line_reader_next_record(reader)) return false;
    *record = (Analysis){.line = reader->number, .text = memory_copy_text(reader->line)};
    // A FEN contains no zero byte. Refuse the line, even if the text before the zero byte is a FEN.
    if (strlen(reader->line) != reader->length) record->text[0] = '\0';
    return true;
}

static void analysis_clear(Analysis *analysis) {
    free(analysis->text);
    free(analysis->id);
    free(analysis->lines);
    text_clear(&analysis->tactics);
    *analysis = (Analysis){0};
}

void analyse_lines(const AnalyseSpec *spec, LineReader *reader, AnalyseSink *sink, void *context) {
    const int size = spec->threads == 1 ? 1 : spec->threads * (spec->static_only ? 512 : 16);
    AUTO_FREE Analysis *records = memory_alloc((size_t)size, sizeof *records);
    AUTO_FREE AnalyseThread *threads = memory_alloc((size_t)spec->threads, sizeof *threads);
    for (int i = 0; i < spec->threads; i++) thread_init(&threads[i], spec);
    bool more = true;
    for (int count = size; count == size && more;) {
        for (count = 0; count < size && next_record(reader, &records[count]);) count++;
        const int used = spec->threads < count ? spec->threads : count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(used) if (used > 1)
        for (int i = 0; i < count; i++) {
            analyse_record(spec, &threads[omp_get_thread_num()], &records[i]);
        }
        for (int i = 0; i < count; i++) {
            more = more && sink(context, &records[i]);
            analysis_clear(&records[i]);
        }
    }
    for (int i = 0; i < spec->threads; i++) {
        search_free(threads[i].search);
        player_close(threads[i].program);
        odds_game_clear(&threads[i].og);
    }
}
