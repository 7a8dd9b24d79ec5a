// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/terminal_table.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/command/help.h"
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "core/system/out_file.h"
#include "core/system/terminal.h"
#include "selfplay/run/play_game.h"

enum {
    MARGIN_MS = 100,   // milliseconds by which our engine or a program may overstep its clock,
                       // because pipes delay the moves of a program
    PATIENCE_S = 3600, // seconds per move after which a program is stopped, with or without a clock
};

static const char next_commands[] = "'new', 'back', 'save FILE' or 'quit'";

void table_say(Table *table, const char *format, ...) {
    AUTO(Text) line = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&line, format, args);
    va_end(args);
    text_make_printable(line.data);
    fprintf(table->out, "%s\n", line.data);
}

Side table_to_move(const Table *table) {
    return (Side)table->og.game.now.stm;
}

Side table_speaker(const Table *table) {
    const Side stm = table_to_move(table);
    return table->setup.human[stm] ? stm : side_other(stm);
}

bool table_players_turn(const Table *table) {
    return table->reason == END_NONE && !table->waits && !table->setup.human[table_to_move(table)];
}

// ---- printing ---

void table_add_move(const Position *position, Move move, Text *text) {
    static const NotationSystem systems[] = {NOTATION_WXF, NOTATION_UCI, NOTATION_CHINESE};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        char word[NOTATION_SIZE];
        notation_write(systems[i], NULL, position, move, word);
        text_add(text, "%s%s", i ? " " : "", word);
    }
}

void table_show_board(Table *table) {
    const size_t count = odds_game_plies(&table->og);
    BoardStyle style = table->setup.style;
    style.last = count ? odds_game_move(&table->og, count - 1) : MOVE_NONE;
    AUTO(Text) board = {0};
    board_draw(&table->og.game.now, &style, &board);
    fputs(text_get(&board), table->out);
}

void table_show_clock(Table *table) {
    for (int side = RED; side <= BLACK; side++) {
        const Clock *clock = &table->clocks[side];
        const bool runs =
            table->reason == END_NONE && side == (int)table_to_move(table) && !table->waits;
        const int64_t left = clock->left_ns - (runs ? clock_now_ns() - table->turn_ns : 0);
        const long long seconds = left > 0 ? left / (1000 * MS_NS) : 0;
        if (!clock_is_used(clock)) {
            table_say(table, "%s has no clock", side_name((Side)side));
        } else {
            table_say(table, "%s has %lld:%02lld", side_name((Side)side), seconds / 60,
                      seconds % 60);
        }
    }
}

// Prints the referee's explanation without the '#' at the beginning of its lines.
void table_show_reasons(Table *table) {
    AUTO(Text) text = {0};
    rules_explain(&table->setup.rules, &table->og.game, table->og.game.count, &text);
    char *cursor = text.data, *line;
    while ((line = text_next_field(&cursor, '\n'))) {
        if (*line) help_entry(table->out, "", line + strspn(line, "# "), 3);
    }
}

void table_show_turn(Table *table) {
    if (!table->setup.blindfold) table_show_board(table);
    if (table->reason != END_NONE) return;
    const Position *now = &table->og.game.now;
    if (clock_is_used(&table->clocks[now->stm])) table_show_clock(table);
    table_say(table, "%s to move%s", side_name(table_to_move(table)),
              position_in_check(now) ? ", in check" : "");
}

// ---- playing ----

void table_end_game(Table *table, EndReason reason, int result) {
    table->reason = reason;
    table->result = result;
    table_say(table, "game over: %s%s: %s, %s",
              result ? side_name(result > 0 ? RED : BLACK) : "a draw", result ? " wins" : "",
              end_reason_name(reason), end_reason_meaning(reason));
}

void table_lose(Table *table, Side loser, EndReason reason) {
    table_end_game(table, reason, loser == RED ? -1 : 1);
}

void table_judge(Table *table) {
    const Rules *rules = &table->setup.rules;
    const Judgement end = odds_game_judge(rules, &table->og);
    if (end.verdict == VERDICT_DRAW) {
        table_end_game(table, end.reason, 0);
    } else if (end.verdict != VERDICT_NONE) {
        table_lose(table, end.verdict == VERDICT_RED_LOSES ? RED : BLACK, end.reason);
    }
    if (end.verdict != VERDICT_NONE) {
        if (!odds_game_state(&table->og)) table_show_reasons(table);
    } else if (rules_cycle_window(rules, &table->og.game, table->og.game.count).count == 2) {
        table_say(table, "the position occurs for the second time; at the third occurrence the "
                         "repetition rules decide the game");
        table_say(table, "the result depends on --rules: by most rule sets, a side that "
                         "always gives check loses");
    }
}

PlyRecord *table_play(Table *table, Move move) {
    const size_t ply = odds_game_plies(&table->og);
    table->plies = memory_room(table->plies, &table->capacity, ply + 1, sizeof *table->plies);
    table->plies[ply] = (PlyRecord){.move = move, .score_red = SCORE_UNKNOWN};
    odds_game_push(&table->og, move);
    return &table->plies[ply];
}

// Plays a move of the side to move, prints it, and ends the game if the rules end it.
static PlyRecord *make_move(Table *table, Move move) {
    const Position before = table->og.game.now;
    AUTO(Text) text = {0};
    table_add_move(&before, move, &text);
    table_say(table, "%s plays %s", side_name((Side)before.stm), text.data);
    table->waits = false;
    PlyRecord *ply = table_play(table, move);
    table_judge(table);
    table->turn_ns = clock_now_ns();
    return ply;
}

// Sets up the start position of a game. If `odds` is not NULL, the game has this handicap.
static void set_up(Table *table, const Odds *odds, const Position *start) {
    const Position from = *start;
    table->odds = odds ? *odds : (Odds){0};
    odds_game_reset(&table->og, &from, odds ? &table->odds : NULL);
    table->reason = END_NONE;
    table->waits = false;
    table->turn_ns = clock_now_ns();
}

Status table_begin(Table *table, const Odds *odds, const Position *start, Err *err) {
    set_up(table, odds, start);
    move_reader_init(&table->moves, MOVES_DETECTED);
    table->moves.tried = TRIED_SYSTEMS;
    for (int side = RED; side <= BLACK; side++) {
        const bool human = table->setup.human[side];
        clock_start(&table->clocks[side],
                    human ? &table->setup.control : &table->setup.player->spec.limits.control);
    }
    table_judge(table);
    return player_ready(table->setup.player, &table->setup.rules, &table->player, err);
}

// Returns the move to play: `wanted` or, on a weak level, sometimes a random legal move.
static Move slip(const Table *table, Move wanted) {
    MoveList moves;
    if (!table->setup.level) return wanted;
    odds_legal_moves(odds_game_state(&table->og), &table->og.game.now, &moves);
    const Move move = strength_slip(table->setup.level, &moves, (uint64_t)table->turn_ns, 0);
    return move == MOVE_NONE ? wanted : move;
}

void table_let_player_move(Table *table) {
    const Side stm = table_to_move(table);
    Clock *clock = &table->clocks[stm];
    const PlayerTurn turn = {.game = &table->og.game,
                             .clocks = {table->clocks[RED], table->clocks[BLACK]},
                             .patience_ns = PATIENCE_S * 1000 * MS_NS,
                             .odds = odds_game_state(&table->og)};
    PlayerReply reply;
    const unsigned stops = interrupt_stops();
    fflush(table->out);
    player_go(table->player, &turn, &reply);
    // After Ctrl-Z and fg the time of the move contains the pause.
    if (interrupt_stops() != stops && clock_is_used(clock)) {
        table_say(table, "this move costs no time, because the game was stopped meanwhile");
        reply.time_ns = 0;
    }
    if (reply.interrupted) return; // after Ctrl-C the game ends without a result
    const PlayerFault fault = play_reply_fault(&table->og, &reply, reply.note);
    if (fault != PLAYER_NONE) {
        table_say(table, "the player loses by a fault: %s", reply.note);
        table_lose(table, stm, play_fault_end(fault));
    } else if (reply.resigns) {
        table_lose(table, stm, END_RESIGNATION);
    } else if (!clock_move(clock, reply.time_ns, MARGIN_MS * MS_NS)) {
        table_lose(table, stm, END_TIME_FORFEIT);
    } else {
        ply_take_reply(make_move(table, slip(table, reply.move)), &reply, stm);
    }
}

void table_read_move(Table *table, const char *text) {
    Move move;
    Err err = {0};
    const Side stm = table_to_move(table);
    if (table->reason != END_NONE) {
        table_say(table, "the game is over: %s", next_commands);
    } else if (move_reader_read(&table->moves, &table->og.game.now, text, strlen(text), &move,
                                &err) != STATUS_OK) {
        table_say(table, "%s; 'help' lists the commands", err.text);
    } else if (!odds_game_allows(&table->og, move)) {
        table_say(table, "the handicap %s does not allow this move: %s", table->odds.name,
                  table->odds.summary);
    } else if (!table->waits &&
               !clock_move(&table->clocks[stm], clock_now_ns() - table->turn_ns, 0)) {
        table_lose(table, stm, END_TIME_FORFEIT);
    } else {
        make_move(table, move);
        if (!table_players_turn(table)) table_show_turn(table);
    }
}

void table_take_back(Table *table, size_t plies) {
    const size_t kept = odds_game_plies(&table->og) - plies;
    const Odds odds = table->odds;
    set_up(table, table->og.odds ? &odds : NULL, &table->og.start);
    for (size_t i = 0; i < kept; i++) odds_game_push(&table->og, table->plies[i].move);
    table->waits = !table->setup.human[table_to_move(table)];
    table_show_turn(table);
    if (table->waits) {
        table_say(
            table,
            "it is the opponent's turn: type 'go' to let the opponent move, or type a move for it");
    }
}

// ---- reading lines ---

// Reads the next line. Returns false at the end of the input and after Ctrl-C.
static bool next_line(Table *table) {
    if (table->prompts && table->reason != END_NONE) {
        fprintf(table->out, "%s> ", next_commands);
    } else if (table->prompts) {
        fprintf(table->out, "%s> ", side_name(table_to_move(table)));
    }
    fflush(table->out);
    struct pollfd wait = {.fd = fileno(table->input.file), .events = POLLIN};
    while (table->input.rest == 0 && !interrupt_requested() && poll(&wait, 1, 200) <= 0) continue;
    return !interrupt_requested() && line_reader_next(&table->input);
}

// Appends the limits of a player's moves, as in ", nodes 200, depth 5".
static void add_limits(const PlayerSpec *player, Text *text) {
    if (player->limits.nodes)
        text_add(text, ", nodes %llu", (unsigned long long)player->limits.nodes);
    if (player->limits.depth) text_add(text, ", depth %d", player->limits.depth);
    if (player->limits.control.move_ns) {
        text_add(text, ", %lld ms a move", (long long)(player->limits.control.move_ns / MS_NS));
    }
}

// Appends a description of our engine: "level 3, nodes 50, 12 % of the moves at random, weights
// best".
static void add_engine(const TerminalSetup *setup, Text *text) {
    const PlayerSpec *player = &setup->player->spec;
    const Strength *level = setup->level;
    const bool replaced = player->limits.nodes != level->nodes;
    const bool shown = !replaced || setup->shows_level;
    if (shown) text_add(text, "level %td", level - strength_levels + 1);
    if (!shown) text_add(text, "our engine");
    add_limits(player, text);
    if (shown && replaced) {
        text_add(text, " instead of the %llu nodes of the level", (unsigned long long)level->nodes);
    }
    if (level->slips) text_add(text, ", %d %% of the moves at random", level->slips);
    text_add(text, ", weights %s", setup->player->weights_name);
}

static void print_player(Table *table) {
    const TerminalSetup *setup = &table->setup;
    AUTO(Text) text = {0};
    if (setup->level) {
        add_engine(setup, &text);
    } else {
        text_add(&text, "%s", setup->player->spec.name);
        add_limits(&setup->player->spec, &text);
    }
    if (setup->clock) text_add(&text, ", clock %s", setup->clock);
    table_say(table, "the player: %s", text.data);
}

static void converse(Table *table) {
    if (!table_players_turn(table)) table_show_turn(table);
    while (!table->quit && !interrupt_requested()) {
        if (table_players_turn(table)) {
            table_let_player_move(table);
            if (!table_players_turn(table)) table_show_turn(table);
            continue;
        }
        if (!next_line(table)) break;
        table_obey(table, table->input.line);
    }
    if (table->prompts && !table->quit) fputc('\n', table->out);
}

Status terminal_game(const TerminalSetup *setup, FILE *in, FILE *out, Err *err) {
    Table table = {.setup = *setup,
                   .out = out,
                   .input = {.file = in, .name = "standard input"},
                   .prompts = isatty(fileno(in)) && isatty(fileno(out))};
    TRY(text_check_writable(setup->save, err));
    setup->player->stop = interrupt_flag();
    table.setup.style.colour = terminal_colour(out);
    table.setup.style.black_below = !setup->human[RED];
    // poll() does not see input that stdio has already read into its buffer, so stdin must be
    // unbuffered.
    setvbuf(in, NULL, _IONBF, 0);
    odds_game_init(&table.og);
    print_player(&table);
    Status status = setup->load ? table_load(&table, setup->load, err)
                                : table_begin(&table, setup->odds, &setup->start, err);
    if (status == STATUS_OK) {
        converse(&table);
        if (setup->save) status = table_save(&table, setup->save, err);
    }
    const Status end = line_reader_close(&table.input, status == STATUS_OK ? err : NULL);
    player_close(table.player);
    search_free(table.advice);
    odds_game_clear(&table.og);
    free(table.plies);
    return status == STATUS_OK ? end : status;
}
