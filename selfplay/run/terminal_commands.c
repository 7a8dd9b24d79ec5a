// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that a person can type in a terminal game.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/eval/eval.h"
#include "core/system/out_file.h"
#include "selfplay/run/terminal_table.h"

// Node limit, and transposition table in megabytes, of the search that finds hints and answers draw
// offers.
enum { ADVICE_NODES = 20000, ADVICE_MB = 4 };

static void show_fen(Table *table) {
    char fen[FEN_SIZE];
    position_to_fen(&table->og.game.now, FEN_UCI, fen);
    table_say(table, "fen %s", fen);
}

static void show_eval(Table *table) {
    AUTO(Text) text = {0};
    const PlayerSetup *engine = table->setup.player;
    eval_text(&table->og.game.now, engine->weights, engine->network, &text);
    fputs(text_get(&text), table->out);
}

static void on_undo(Table *table) {
    if (odds_game_plies(&table->og) == 0) {
        table_say(table, "there is no move to take back");
    } else {
        table_take_back(table, 1);
    }
}

// Takes back two plies if a player has answered the person's move, otherwise one ply.
static void on_back(Table *table) {
    const bool answered = table->setup.human[table_to_move(table)] &&
                          !table->setup.human[side_other(table_to_move(table))];
    if (answered && odds_game_plies(&table->og) > 1) {
        table_take_back(table, 2);
    } else {
        on_undo(table);
    }
}

static void on_go(Table *table) {
    table_let_player_move(table);
    if (!table_players_turn(table)) table_show_turn(table);
}

// Searches the current position with our engine.
static void ask_advice(Table *table, SearchResult *result) {
    const SearchLimits limits = {.nodes = ADVICE_NODES, .odds = odds_game_state(&table->og)};
    if (!table->advice) {
        const PlayerSetup *engine = table->setup.player;
        table->advice = search_new(engine->weights, ADVICE_MB, NULL);
        search_set_network(table->advice, engine->network);
    }
    search_set_rules(table->advice, &table->setup.rules);
    search_clear(table->advice);
    search_run(table->advice, &table->og.game, &limits, result);
}

static void on_hint(Table *table) {
    SearchResult result;
    AUTO(Text) text = {0};
    ask_advice(table, &result);
    table_add_move(&table->og.game.now, result.best, &text);
    const int score = result.line.score, mate = score_mate_plies(score);
    if (mate) {
        table_say(table, "hint %s, %s in %d plies", text.data, mate > 0 ? "mate" : "mated",
                  abs(mate));
    } else {
        table_say(table, "hint %s, %+.2f points for the side to move", text.data, score / 100.0);
    }
}

// Offers a draw. If two people play, the draw is always agreed. Otherwise our engine decides by a
// search, also for a program. It agrees if the person is ahead by at least BEHIND units. From ply
// LONG_GAME on it agrees unless the person is behind.
static void on_draw(Table *table) {
    enum { LONG_GAME = 60, BEHIND = 150 };
    SearchResult result;
    const bool alone = table->setup.human[RED] && table->setup.human[BLACK];
    ask_advice(table, &result);
    const bool my_turn = table_speaker(table) == table_to_move(table);
    const int my_score = my_turn ? result.line.score : -result.line.score;
    const int least = odds_game_plies(&table->og) < LONG_GAME ? BEHIND : 0;
    if (alone || my_score >= least) {
        table_end_game(table, END_AGREED_DRAW, 0);
    } else {
        table_say(table, "the player declines the draw");
    }
}

static void on_resign(Table *table) {
    table_lose(table, table_speaker(table), END_RESIGNATION);
}

static void on_blindfold(Table *table) {
    table->setup.blindfold = !table->setup.blindfold;
    table_say(table, "%s",
              table->setup.blindfold ? "blindfold on; 'board' shows the board once"
                                     : "blindfold off");
}

static void on_flip(Table *table) {
    table->setup.style.black_below = !table->setup.style.black_below;
    table_show_board(table);
}

static void on_new(Table *table) {
    Err err = {0};
    if (table_begin(table, table->setup.odds, &table->setup.start, &err) != STATUS_OK) {
        table_say(table, "%s", err.text);
    }
    if (!table_players_turn(table)) table_show_turn(table);
}

Status table_save(Table *table, const char *path, Err *err) {
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
    const char *player = setup->player->spec.name;
    const ExportGame given = {.game = &record,
                              .plies = table->plies,
                              .event = "paotai play",
                              .date = date,
                              .red = setup->human[RED] ? "a person" : player,
                              .black = setup->human[BLACK] ? "a person" : player,
                              .system = NOTATION_ICCS,
                              .open = table->reason == END_NONE};
    AUTO(Text) text = {0};
    TRY(write_pgn(&given, &text, err));
    TRY(text_write_file(path, text.data, text.length, err));
    table_say(table, "saved the game in %s", path);
    return STATUS_OK;
}

// Saves the game. If that fails, prints the error, and the game continues.
static void on_save(Table *table) {
    Err err = {0};
    const char *path = *table->rest ? table->rest : table->setup.save;
    if (!path) {
        table_say(table, "the name of the file is missing: save FILE");
    } else if (table_save(table, path, &err) != STATUS_OK) {
        table_say(table, "%s", err.text);
    }
}

// Continues a game that was read from a file, at its last position.
static Status continue_game(Table *table, const SourceGame *source, Err *err) {
    Odds odds;
    const bool handicap = source->record.odds[0] != '\0';
    if (handicap) TRY(odds_by_name(source->record.odds, &odds, err));
    TRY(table_begin(table, handicap ? &odds : NULL, &source->record.start, err));
    const size_t count = source->record.extra_plies + source->game.count;
    for (size_t i = 0; i < count; i++) {
        if (!odds_game_allows(&table->og, source->plies[i].move)) {
            return err_set(err, STATUS_BAD_INPUT, "ply %zu breaks the rules of the handicap",
                           i + 1);
        }
        *table_play(table, source->plies[i].move) = source->plies[i];
    }
    table_say(table, "%zu plies loaded", count);
    table_judge(table);
    return STATUS_OK;
}

Status table_load(Table *table, const char *path, Err *err) {
    static const ReadSettings settings = {.system = MOVES_DETECTED};
    SourceReader reader;
    SourceText text;
    TRY(source_reader_open(&reader, path, NULL, &settings, err));
    AUTO(SourceGame) source;
    source_game_init(&source);
    Status status;
    if (!source_reader_next(&reader, &text, err)) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: the file contains no game", path);
    } else {
        const bool read =
            !text.broken && source_text_read(&text, &settings, &source, err) == IMPORT_KEPT;
        status = read ? continue_game(table, &source, err) : STATUS_BAD_INPUT;
        if (status != STATUS_OK) err_prefix(err, "%s", path);
        free(text.data);
    }
    source_reader_close(&reader);
    return status;
}

static void on_load(Table *table) {
    Err err = {0};
    if (!*table->rest) {
        table_say(table, "the name of the file is missing: load FILE");
    } else if (table_load(table, table->rest, &err) != STATUS_OK) {
        table_say(table, "%s", err.text);
    } else {
        table->waits = !table->setup.human[table_to_move(table)];
        table_show_turn(table);
    }
}

static void on_quit(Table *table) {
    table->quit = true;
}

static void on_help(Table *table);
static const struct {
    const char *name;
    void (*run)(Table *table);
    const char *help;
    bool running; // true if the command is refused after the end of the game
} table_commands[] = {
    {"board", table_show_board, "draw the board", false},
    {"flip", on_flip, "turn the board and draw it", false},
    {"blindfold", on_blindfold, "stop or resume drawing the board after each move", false},
    {"hint", on_hint, "show the move that a short search of our engine prefers", true},
    {"eval", show_eval, "show the static evaluation by term", false},
    {"undo", on_undo, "take back the last ply", false},
    {"back", on_back, "take back your last move and the answer to it", false},
    {"go", on_go, "let the player make the next move", true},
    {"clock", table_show_clock, "show the remaining time", false},
    {"draw", on_draw, "offer a draw to the other side", true},
    {"resign", on_resign, "resign the game", true},
    {"rules", table_show_reasons, "show how the referee judges the position", false},
    {"fen", show_fen, "show the position as a FEN", false},
    {"save", on_save, "FILE: write the game as PGN to this file", false},
    {"load", on_load,
     "FILE: continue the first game of a file in any format that 'data import' reads", false},
    {"new", on_new, "begin a new game", false},
    {"help", on_help, "show this list", false},
    {"quit", on_quit, "end the program, like exit, Ctrl-C and the end of the input", false},
    {"exit", on_quit, NULL, false},
};
enum { TABLE_COMMAND_COUNT = sizeof table_commands / sizeof *table_commands };

static void on_help(Table *table) {
    table_say(table, "type a move in any notation: h2e2, H2-E2, C2.5, 炮二平五, Che2 ...");
    for (int i = 0; i < TABLE_COMMAND_COUNT; i++) {
        if (!table_commands[i].help) continue;
        table_say(table, "%-10s %s", table_commands[i].name, table_commands[i].help);
    }
}

void table_obey(Table *table, char *line) {
    const char *cursor = line, *word;
    size_t length;
    if (!text_next_word(&cursor, &word, &length) || *word == '#') return;
    for (int i = 0; i < TABLE_COMMAND_COUNT; i++) {
        const char *name = table_commands[i].name;
        if (strlen(name) != length || strncasecmp(word, name, length) != 0) continue;
        table->rest = cursor + strspn(cursor, " \t");
        if (table_commands[i].running && table->reason != END_NONE) {
            table_say(table, "the game is over");
        } else {
            table_commands[i].run(table);
        }
        return;
    }
    line[word + length - line] = '\0';
    table_read_move(table, word);
}
