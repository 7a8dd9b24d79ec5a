// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/terminal_game.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/eval/eval.h"
#include "datasets/formats/formats.h"

const PlayLevel play_levels[PLAY_LEVEL_COUNT] = {
#define LEVEL(number, nodes, elo, error) {nodes, elo, error},
#include "selfplay/run/levels.def"
#undef LEVEL
};

// What hints and answers to offers of a draw are searched with.
enum { ADVICE_NODES = 20000, ADVICE_MB = 4 };
// What a program may use beyond its clock, for its way through pipes, and without a clock.
enum { MARGIN_MS = 100, PATIENCE_S = 3600 };

typedef struct Table {
    TerminalSetup setup;
    FILE *out;
    LineReader input;
    bool prompts; // the input is a terminal
    OddsGame og;
    Odds odds;        // of the game on the table, where it has any
    PlyRecord *plies; // of og
    size_t capacity;
    Clock clocks[SIDE_COUNT];
    int64_t turn_ns; // when the side to move began to think
    MoveReader moves;
    Player *player;
    Search *advice;
    EndReason reason; // END_NONE: the game goes on
    int result;       // from Red's side
    bool waits;       // after undo: the player moves when it is told to
    bool quit;
} Table;

static void say(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);
static void say(Table *table, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(table->out, format, args);
    va_end(args);
    fputc('\n', table->out);
}

static Side to_move(const Table *table) {
    return (Side)table->og.game.now.stm;
}

static bool players_turn(const Table *table) {
    return table->reason == END_NONE && !table->waits && !table->setup.human[to_move(table)];
}

// ---- what is shown
// -------------------------------------------------------------------------------

// "C2.5 h2e2 炮二平五"
static void add_move(const Position *position, Move move, Text *text) {
    static const NotationSystem systems[] = {NOTATION_WXF, NOTATION_UCI, NOTATION_CHINESE};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        char word[NOTATION_SIZE];
        notation_write(systems[i], NULL, position, move, word);
        text_add(text, "%s%s", i ? " " : "", word);
    }
}

static void show_board(Table *table, const char *rest) {
    (void)rest;
    const size_t count = odds_game_plies(&table->og);
    BoardStyle style = table->setup.style;
    style.last = count ? odds_game_move(&table->og, count - 1) : MOVE_NONE;
    Text board = {0};
    board_draw(&table->og.game.now, &style, &board);
    fputs(text_get(&board), table->out);
    text_clear(&board);
}

static void show_fen(Table *table, const char *rest) {
    (void)rest;
    char fen[FEN_SIZE];
    position_to_fen(&table->og.game.now, FEN_UCI, fen);
    say(table, "fen %s", fen);
}

static void show_clock(Table *table, const char *rest) {
    (void)rest;
    for (int side = RED; side <= BLACK; side++) {
        const Clock *clock = &table->clocks[side];
        const bool runs = table->reason == END_NONE && side == (int)to_move(table);
        const int64_t left = clock->left_ns - (runs ? clock_now_ns() - table->turn_ns : 0);
        const long long seconds = left > 0 ? left / (1000 * MS_NS) : 0;
        if (!clock_is_used(clock)) {
            say(table, "%s has no clock", side_name((Side)side));
        } else {
            say(table, "%s has %lld:%02lld", side_name((Side)side), seconds / 60, seconds % 60);
        }
    }
}

static void show_eval(Table *table, const char *rest) {
    (void)rest;
    Text text = {0};
    eval_text(&table->og.game.now, &table->setup.searcher->engine.weights, &text);
    fputs(text_get(&text), table->out);
    text_clear(&text);
}

// The referee's reasons, without the mark of a comment.
static void show_reasons(Table *table, const char *rest) {
    (void)rest;
    Text text = {0};
    rules_explain(&table->setup.rules, &table->og.game, table->og.game.count, &text);
    char *cursor = text.data, *line;
    while ((line = text_next_field(&cursor, '\n'))) {
        if (*line) say(table, "  %s", line + strspn(line, "# "));
    }
    text_clear(&text);
}

static void show_turn(Table *table) {
    if (!table->setup.blindfold) show_board(table, "");
    if (table->reason != END_NONE) return;
    const Position *now = &table->og.game.now;
    if (clock_is_used(&table->clocks[now->stm])) show_clock(table, "");
    say(table, "%s to move%s", side_name(to_move(table)),
        position_in_check(now) ? ", in check" : "");
}

// ---- the course of the game
// ----------------------------------------------------------------------

static void end_game(Table *table, EndReason reason, int result) {
    table->reason = reason;
    table->result = result;
    say(table, "game over: %s%s: %s, %s", result ? side_name(result > 0 ? RED : BLACK) : "a draw",
        result ? " wins" : "", end_reason_name(reason), end_reason_meaning(reason));
}

static void lose(Table *table, Side loser, EndReason reason) {
    end_game(table, reason, loser == RED ? -1 : 1);
}

// What the referee says of the position on the board.
static void judge(Table *table) {
    const Rules *rules = &table->setup.rules;
    const Judgement end = odds_game_judge(rules, &table->og);
    if (end.verdict == VERDICT_DRAW) {
        end_game(table, end.reason, 0);
    } else if (end.verdict != VERDICT_NONE) {
        lose(table, end.verdict == VERDICT_RED_LOSES ? RED : BLACK, end.reason);
    }
    if (end.verdict != VERDICT_NONE) {
        if (!odds_game_state(&table->og)) show_reasons(table, "");
    } else if (rules_cycle_window(rules, &table->og.game, table->og.game.count).count == 2) {
        say(table, "the position stands for the second time: at the third the referee decides; "
                   "who checks\nor chases all the time loses, else it is a draw");
    }
}

static PlyRecord *play(Table *table, Move move) {
    const size_t ply = odds_game_plies(&table->og);
    table->plies = memory_room(table->plies, &table->capacity, ply + 1, sizeof *table->plies);
    table->plies[ply] = (PlyRecord){.move = move, .score_red = SCORE_UNKNOWN};
    odds_game_push(&table->og, move);
    return &table->plies[ply];
}

// Plays a move of the side to move, tells of it, and looks whether the game is over.
static PlyRecord *make_move(Table *table, Move move) {
    const Position before = table->og.game.now;
    Text text = {0};
    add_move(&before, move, &text);
    say(table, "%s plays %s", side_name((Side)before.stm), text.data);
    text_clear(&text);
    table->waits = false;
    PlyRecord *ply = play(table, move);
    judge(table);
    table->turn_ns = clock_now_ns();
    return ply;
}

static void place(Table *table, const Odds *odds, const Position *start) {
    const Position from = *start;
    table->odds = odds ? *odds : (Odds){0};
    odds_game_reset(&table->og, &from, odds ? &table->odds : NULL);
    table->reason = END_NONE;
    table->waits = false;
    table->turn_ns = clock_now_ns();
}

// A new game.
static Status begin(Table *table, const Odds *odds, const Position *start, Err *err) {
    place(table, odds, start);
    move_reader_init(&table->moves, MOVES_DETECTED);
    table->moves.tried = TRIED_SYSTEMS;
    for (int side = RED; side <= BLACK; side++) {
        const bool human = table->setup.human[side];
        clock_start(&table->clocks[side],
                    human ? &table->setup.control : &table->setup.searcher->control);
    }
    judge(table);
    return searcher_ready(table->setup.searcher, &table->setup.rules, &table->player, err);
}

static void let_player_move(Table *table) {
    const Side stm = to_move(table);
    Clock *clock = &table->clocks[stm];
    const PlayerTurn turn = {.game = &table->og.game,
                             .clocks = {table->clocks[RED], table->clocks[BLACK]},
                             .patience_ns = PATIENCE_S * 1000 * MS_NS,
                             .odds = odds_game_state(&table->og)};
    PlayerReply reply;
    player_go(table->player, &turn, &reply);
    if (reply.resigns) {
        lose(table, stm, END_RESIGNATION);
    } else if (reply.fault != PLAYER_NONE || !odds_game_allows(&table->og, reply.move)) {
        say(table, "the player fails: %s", reply.note);
        lose(table, stm, reply.fault == PLAYER_NONE ? END_ILLEGAL_MOVE : END_CRASH);
    } else if (!clock_move(clock, reply.time_ns, MARGIN_MS * MS_NS)) {
        lose(table, stm, END_TIME_FORFEIT);
    } else {
        ply_take_reply(make_move(table, reply.move), &reply, stm);
    }
}

static void read_move(Table *table, const char *text) {
    Move move;
    Err err = {0};
    const Side stm = to_move(table);
    if (table->reason != END_NONE) {
        say(table, "the game is over: 'new', 'undo', 'save FILE' or 'quit'");
    } else if (move_reader_read(&table->moves, &table->og.game.now, text, strlen(text), &move,
                                &err) != STATUS_OK) {
        say(table, "%s; 'help' lists the commands", err.text);
    } else if (!odds_game_allows(&table->og, move)) {
        say(table, "the odds %s do not allow that: %s", table->odds.name, table->odds.summary);
    } else if (!clock_move(&table->clocks[stm], clock_now_ns() - table->turn_ns, 0)) {
        lose(table, stm, END_TIME_FORFEIT);
    } else {
        make_move(table, move);
        if (!players_turn(table)) show_turn(table);
    }
}

// Takes the last plies back.
static void take_back(Table *table, size_t plies) {
    const size_t kept = odds_game_plies(&table->og) - plies;
    const Odds odds = table->odds;
    place(table, table->og.odds ? &odds : NULL, &table->og.start);
    for (size_t i = 0; i < kept; i++) odds_game_push(&table->og, table->plies[i].move);
    table->waits = !table->setup.human[to_move(table)];
    show_turn(table);
    if (table->waits) say(table, "'go' lets the player move; or make its move");
}

// ---- commands
// ------------------------------------------------------------------------------------

static void on_undo(Table *table, const char *rest) {
    (void)rest;
    if (odds_game_plies(&table->og) == 0) {
        say(table, "nothing is played");
    } else {
        take_back(table, 1);
    }
}

// To the last turn of a person.
static void on_back(Table *table, const char *rest) {
    const bool answered =
        table->setup.human[to_move(table)] && !table->setup.human[side_other(to_move(table))];
    if (answered && odds_game_plies(&table->og) > 1) {
        take_back(table, 2);
    } else {
        on_undo(table, rest);
    }
}

static void on_go(Table *table, const char *rest) {
    (void)rest;
    if (table->reason != END_NONE) {
        say(table, "the game is over");
        return;
    }
    let_player_move(table);
    if (!players_turn(table)) show_turn(table);
}

// A search of our engine for the side to move.
static void ask_advice(Table *table, SearchResult *result) {
    const SearchLimits limits = {.nodes = ADVICE_NODES, .odds = odds_game_state(&table->og)};
    if (!table->advice) {
        table->advice = search_new(&table->setup.searcher->engine.weights, ADVICE_MB, NULL);
    }
    search_set_rules(table->advice, &table->setup.rules);
    search_clear(table->advice);
    search_run(table->advice, &table->og.game, &limits, result);
}

static void on_hint(Table *table, const char *rest) {
    (void)rest;
    if (table->reason != END_NONE) {
        say(table, "the game is over");
        return;
    }
    SearchResult result;
    Text text = {0};
    ask_advice(table, &result);
    add_move(&table->og.game.now, result.best, &text);
    const int score = result.line.score, mate = score_mate_plies(score);
    if (mate) {
        say(table, "hint %s, %s in %d plies", text.data, mate > 0 ? "mate" : "mated", abs(mate));
    } else {
        say(table, "hint %s, %+.2f points for the side to move", text.data, score / 100.0);
    }
    text_clear(&text);
}

// The player takes a draw where it is behind, or not ahead after a long game.
static void on_draw(Table *table, const char *rest) {
    (void)rest;
    enum { LONG_GAME = 60, BEHIND = 150 };
    SearchResult result;
    const bool alone = table->setup.human[RED] && table->setup.human[BLACK];
    if (table->reason != END_NONE) {
        say(table, "the game is over");
        return;
    }
    ask_advice(table, &result);
    const int least = odds_game_plies(&table->og) < LONG_GAME ? BEHIND : 0;
    if (alone || result.line.score >= least) {
        end_game(table, END_AGREED_DRAW, 0);
    } else {
        say(table, "the player declines the draw");
    }
}

static void on_resign(Table *table, const char *rest) {
    (void)rest;
    if (table->reason == END_NONE) {
        lose(table, to_move(table), END_RESIGNATION);
    } else {
        say(table, "the game is over");
    }
}

static void on_level(Table *table, const char *rest) {
    Err err = {0};
    long long level = 0;
    Searcher *searcher = table->setup.searcher;
    if (*rest && searcher->player.program) {
        say(table, "levels are for our engine, not for %s", searcher->player.name);
    } else if (*rest && parse_int(rest, 1, PLAY_LEVEL_COUNT, &level, "level", &err) != STATUS_OK) {
        say(table, "%s", err.text);
    } else if (*rest) {
        searcher->engine.nodes = play_levels[level - 1].nodes;
        searcher->engine.depth = 0;
        player_close(table->player);
        table->player = NULL;
        if (searcher_ready(searcher, &table->setup.rules, &table->player, &err) != STATUS_OK) {
            say(table, "%s", err.text);
        }
    }
    for (int i = 0; i < PLAY_LEVEL_COUNT; i++) {
        const PlayLevel *row = &play_levels[i];
        const bool now = !searcher->player.program && row->nodes == searcher->engine.nodes;
        say(table, "%c level %2d %6llu nodes, %4d +- %3d Elo above level 1", now ? '*' : ' ', i + 1,
            (unsigned long long)row->nodes, row->elo, row->error95);
    }
}

static void on_blindfold(Table *table, const char *rest) {
    (void)rest;
    table->setup.blindfold = !table->setup.blindfold;
    say(table, "blindfold %s", table->setup.blindfold ? "on: 'board' peeks" : "off");
}

static void on_flip(Table *table, const char *rest) {
    table->setup.style.black_below = !table->setup.style.black_below;
    show_board(table, rest);
}

static void on_new(Table *table, const char *rest) {
    (void)rest;
    Err err = {0};
    if (begin(table, table->setup.odds, &table->setup.start, &err) != STATUS_OK) {
        say(table, "%s", err.text);
    }
    if (!players_turn(table)) show_turn(table);
}

static Status save(Table *table, const char *path, Err *err) {
    const TerminalSetup *setup = &table->setup;
    const OddsGame *og = &table->og;
    GameRecord record = {.start = og->start,
                         .ply_count = (uint32_t)odds_game_plies(og),
                         .extra_plies = (uint32_t)og->extra_count,
                         .reason = (uint8_t)table->reason,
                         .result = (int8_t)table->result};
    if (og->odds) memcpy(record.odds, og->odds->name, sizeof record.odds);
    char date[16] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y.%m.%d", &utc);
    const char *player = setup->searcher->player.name;
    const ExportGame given = {.game = &record,
                              .plies = table->plies,
                              .event = "paotai play",
                              .date = date,
                              .red = setup->human[RED] ? "a person" : player,
                              .black = setup->human[BLACK] ? "a person" : player,
                              .system = NOTATION_ICCS,
                              .open = table->reason == END_NONE};
    Text text = {0};
    Status status = game_format(FORMAT_PGN)->writer->write(&given, &text, err);
    if (status == STATUS_OK) status = text_write_file(path, text.data, text.length, err);
    if (status == STATUS_OK) say(table, "saved in %s", path);
    text_clear(&text);
    return status;
}

// A failed save during a game is no reason to end it.
static void on_save(Table *table, const char *rest) {
    Err err = {0};
    const char *path = *rest ? rest : table->setup.save;
    if (!path) {
        say(table, "save FILE: where to?");
    } else if (save(table, path, &err) != STATUS_OK) {
        say(table, "%s", err.text);
    }
}

// Goes on with a game that was read.
static Status take_over(Table *table, const SourceGame *source, Err *err) {
    Odds odds;
    const bool handicap = source->record.odds[0] != '\0';
    Status status = handicap ? odds_by_name(source->record.odds, &odds, err) : STATUS_OK;
    if (status == STATUS_OK) {
        status = begin(table, handicap ? &odds : NULL, &source->record.start, err);
    }
    if (status != STATUS_OK) return status;
    const size_t count = source->record.extra_plies + source->game.count;
    for (size_t i = 0; i < count; i++) {
        if (!odds_game_allows(&table->og, source->plies[i].move)) {
            return err_set(err, STATUS_BAD_INPUT, "ply %zu is not allowed", i + 1);
        }
        *play(table, source->plies[i].move) = source->plies[i];
    }
    say(table, "%zu plies loaded", count);
    judge(table);
    return STATUS_OK;
}

// The first game of a file of any format that is imported.
static Status load(Table *table, const char *path, Err *err) {
    static const ReadSettings settings = {.system = MOVES_DETECTED};
    SourceReader reader;
    SourceText text;
    Status status = source_reader_open(&reader, path, NULL, &settings, err);
    if (status != STATUS_OK) return status;
    SourceGame source;
    source_game_init(&source);
    if (!source_reader_next(&reader, &text, err)) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: there is no game in it", path);
    } else {
        const ImportRefusal refusal = source_text_read(&text, &settings, &source, err);
        status = refusal == IMPORT_KEPT ? take_over(table, &source, err) : STATUS_BAD_INPUT;
        if (status != STATUS_OK) err_prefix(err, "%s", path);
        free(text.data);
    }
    source_game_clear(&source);
    source_reader_close(&reader);
    return status;
}

static void on_load(Table *table, const char *rest) {
    Err err = {0};
    if (!*rest) {
        say(table, "load FILE: which?");
    } else if (load(table, rest, &err) != STATUS_OK) {
        say(table, "%s", err.text);
    } else {
        table->waits = !table->setup.human[to_move(table)];
        show_turn(table);
    }
}

static void on_quit(Table *table, const char *rest) {
    (void)rest;
    table->quit = true;
}

static void on_help(Table *table, const char *rest);
static const struct {
    const char *name;
    void (*run)(Table *table, const char *rest);
    const char *help;
} table_commands[] = {
    {"board", show_board, "draw the board"},
    {"flip", on_flip, "... from the other side"},
    {"blindfold", on_blindfold, "draw no board after moves, or again"},
    {"hint", on_hint, "the move that our engine would play"},
    {"eval", show_eval, "the evaluation, term by term"},
    {"undo", on_undo, "take the last ply back"},
    {"back", on_back, "take your last move back, with the answer to it"},
    {"go", on_go, "let the player make the next move"},
    {"clock", show_clock, "the time that is left"},
    {"level", on_level, "[N]: the levels; play on with another"},
    {"draw", on_draw, "offer a draw"},
    {"resign", on_resign, "give up"},
    {"rules", show_reasons, "what the referee says of the position"},
    {"fen", show_fen, "the position as a FEN"},
    {"save", on_save, "FILE: write the game as PGN"},
    {"load", on_load, "FILE: go on with a game, of any format that 'data import' reads"},
    {"new", on_new, "begin again"},
    {"help", on_help, "this list"},
    {"quit", on_quit, "end; so do exit, Ctrl-C, and the end of the input"},
    {"exit", on_quit, NULL},
};
enum { TABLE_COMMAND_COUNT = sizeof table_commands / sizeof *table_commands };

static void on_help(Table *table, const char *rest) {
    (void)rest;
    say(table, "a move in any notation: h2e2, H2-E2, C2.5, 炮二平五, Che2 ...");
    for (int i = 0; i < TABLE_COMMAND_COUNT; i++) {
        if (!table_commands[i].help) continue;
        say(table, "%-10s %s", table_commands[i].name, table_commands[i].help);
    }
}

static void obey(Table *table, char *line) {
    const char *cursor = line, *word;
    size_t length;
    if (!text_next_word(&cursor, &word, &length) || *word == '#') return;
    for (int i = 0; i < TABLE_COMMAND_COUNT; i++) {
        const char *name = table_commands[i].name;
        if (strlen(name) != length || strncasecmp(word, name, length) != 0) continue;
        table_commands[i].run(table, cursor + strspn(cursor, " \t"));
        return;
    }
    line[word + length - line] = '\0';
    read_move(table, word);
}

// ---- the input
// -----------------------------------------------------------------------------------

// The next line; false at the end of the input and after Ctrl-C.
static bool next_line(Table *table) {
    if (table->prompts) fprintf(table->out, "%s> ", side_name(to_move(table)));
    fflush(table->out);
    struct pollfd wait = {.fd = fileno(table->input.file), .events = POLLIN};
    while (table->input.rest == 0 && !interrupt_requested() && poll(&wait, 1, 200) <= 0) continue;
    return !interrupt_requested() && line_reader_next(&table->input);
}

static void converse(Table *table) {
    if (!players_turn(table)) show_turn(table);
    while (!table->quit && !interrupt_requested()) {
        if (players_turn(table)) {
            let_player_move(table);
            if (!players_turn(table)) show_turn(table);
            continue;
        }
        if (!next_line(table)) break;
        obey(table, table->input.line);
    }
    if (table->prompts && !table->quit) fputc('\n', table->out);
}

Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err) {
    Table table = {.setup = *setup,
                   .out = out,
                   .input = {.file = in, .name = "standard input"},
                   .prompts = isatty(fileno(in)) && isatty(fileno(out))};
    // What poll() says is then all that there is to read.
    setvbuf(in, NULL, _IONBF, 0);
    odds_game_init(&table.og);
    Status status = setup->load ? load(&table, setup->load, err)
                                : begin(&table, setup->odds, &setup->start, err);
    if (status == STATUS_OK) {
        converse(&table);
        if (setup->save) status = save(&table, setup->save, err);
    }
    const Status end = line_reader_close(&table.input, status == STATUS_OK ? err : NULL);
    player_close(table.player);
    search_free(table.advice);
    odds_game_clear(&table.og);
    free(table.plies);
    return status == STATUS_OK ? end : status;
}
