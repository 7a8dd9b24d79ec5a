// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant play: a game in the terminal.
#include "core/base/interrupt.h"
#include "core/base/out_file.h"
#include "selfplay/variants/variant_command.h"
#include "selfplay/variants/variant_store.h"

static const OptionRow play_rows[] = {
    OPT_TEXT(
        "seat", VariantSettings, seat, NULL, "SEAT",
        "your seat: supply 1r, 1b, 2r or 2b (default 1r); banqi 1 or 2, the order of the first "
        "turns"),
    OPT_TEXT("weights", VariantSettings, weights, "default", "NAME|FILE", VARIANT_WEIGHTS_HELP),
    VARIANT_PLAY_ROWS,
    ROW_MOVETIME(VariantSettings, movetime_ms),
    OPT_TEXT("save", VariantSettings, save, NULL, "FILE",
             "write the game as a line of games.txt when it is over"),
    VARIANT_PIECES_ROW,
    OPTION_END,
};

typedef struct Table {
    const CommandCall *call;
    VariantPlan plan;
    VariantPlayer player;
    VariantSearch *search;
    VariantGame game;
    int seat; // seat of the human
} Table;

static const char help[] = "Type a turn, or: moves (the turns that you have), hint, quit.\n";

// Adds the word of a seat.
static void add_seat(const Variant *game, int seat, Text *text) {
    const char *cursor = game->seats, *word;
    size_t length;
    for (int i = 0; option_next_choice(&cursor, &word, &length); i++) {
        if (i == seat) text_add_bytes(text, word, length);
    }
}

static void show_board(const Table *table) {
    const VariantSettings *settings = table->call->settings;
    AUTO(Text) text = {0};
    table->plan.game->draw(&table->game.state, settings->pieces == 1, &text);
    table->plan.game->write(&table->game.state, &text);
    fprintf(table->call->out, "%s\n", text.data);
}

static void show_moves(const Table *table) {
    VariantTurns turns;
    AUTO(Text) text = {0};
    table->plan.game->list(&table->game.state, false, &turns);
    for (int i = 0; i < turns.count; i++) {
        text_add(&text, "%s", i ? " " : "");
        variant_write_move(table->plan.game, turns.turns[i].move, PIECE_NONE, &text);
    }
    fprintf(table->call->out, "%s\n", text_get(&text));
}

// Plays a turn and tells of it, with what it uncovered.
static void play_turn(Table *table, Move move, const int *score) {
    const size_t before = table->game.moves.length;
    AUTO(Text) seat = {0};
    add_seat(table->plan.game, table->game.state.seat, &seat);
    variant_game_turn(&table->game, move, score);
    const char *turn = table->game.moves.data + before;
    turn += *turn == ' ';
    fprintf(table->call->out, "%s plays %.*s\n", seat.data, (int)strcspn(turn, "/"), turn);
}

static void show_hint(Table *table) {
    VariantReply reply;
    AUTO(Text) text = {0};
    variant_game_ask(&table->game, &table->player, table->search, &reply);
    variant_write_move(table->plan.game, reply.move, PIECE_NONE, &text);
    fprintf(table->call->out, "hint %s, score %d\n", text.data, reply.score);
}

// Obeys a line. Returns false if it ends the game.
static bool obey(Table *table, char *line) {
    Move move;
    Piece piece;
    Err err = {0};
    const char *word = text_trim(line);
    if (strcmp(word, "quit") == 0) return false;
    if (strcmp(word, "moves") == 0) {
        show_moves(table);
    } else if (strcmp(word, "hint") == 0) {
        show_hint(table);
    } else if (variant_read_move(table->plan.game, &table->game.state, word, &move, &piece, &err) ==
               STATUS_OK) {
        play_turn(table, move, NULL);
    } else {
        text_make_printable(err.text);
        fprintf(table->call->out, "%s. %s", err.text, help);
    }
    return true;
}

static Status converse(Table *table, Err *err) {
    static const char *const results[] = {"loses", "draws", "wins"};
    FILE *out = table->call->out;
    LineReader reader;
    AUTO(Text) seat = {0};
    bool shown = false, more = true;
    add_seat(table->plan.game, table->seat, &seat);
    TRY(line_reader_open(&reader, NULL, err));
    fprintf(out, "you are %s. %s", seat.data, help);
    while (!table->game.reason && more && !interrupt_requested()) {
        if (table->game.state.seat != table->seat) {
            VariantReply reply;
            variant_game_ask(&table->game, &table->player, table->search, &reply);
            if (!interrupt_requested()) play_turn(table, reply.move, &reply.score);
            shown = false;
            continue;
        }
        if (!shown) show_board(table);
        if (!shown) fprintf(out, "%s to move\n", seat.data);
        shown = true;
        fflush(out);
        const size_t plies = table->game.plies;
        more = line_reader_next(&reader) && obey(table, reader.line);
        if (table->game.plies != plies) shown = false;
    }
    if (table->game.reason) {
        show_board(table);
        fprintf(out, "game over: the first player%s %s: %s\n",
                table->plan.game->no_capture ? "" : "'s team", results[table->game.points],
                table->game.reason);
    } else {
        fprintf(out, "the game was not played to its end\n");
    }
    return line_reader_close(&reader, err);
}

static Status run_play(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    Table table = {.call = call};
    TRY(variant_command_plan(call, &table.plan, err));
    table.plan.opening_plies = 0;
    const Variant *game = table.plan.game;
    table.seat = settings->seat ? option_choice_index(game->seats, settings->seat) : 0;
    if (table.seat < 0) {
        return err_set(err, STATUS_USAGE, "--seat: '%.40s' is none of %s", settings->seat,
                       game->seats);
    }
    TRY(variant_command_weights(call, game, settings->weights, &table.player.weights, err));
    TRY(text_check_writable(settings->save, err));
    const bool other = (settings->depth || settings->movetime_ms) && !command_given(call, "nodes");
    table.player.limits = (VariantLimits){.nodes = other ? 0 : settings->nodes,
                                          .depth = settings->depth,
                                          .movetime_s = settings->movetime_ms / 1000.0,
                                          .stop = interrupt_flag(),
                                          .seed = settings->seed};
    table.search = variant_search_new(game, &table.player.weights, settings->hash_mb);
    Status status = variant_game_begin(&table.game, &table.plan, settings->seed, err);
    if (status == STATUS_OK) status = converse(&table, err);
    if (status == STATUS_OK && settings->save && table.game.reason) {
        AUTO(Text) line = {0};
        variant_store_line(&table.game, 0, &line);
        status = text_write_file(settings->save, line.data, line.length, err);
    }
    variant_search_free(table.search);
    variant_game_clear(&table.game);
    return status;
}

const Command command_variant_play = {
    .name = "variant play",
    .summary = "play another game against the engine in the terminal",
    .usage = "GAME",
    .details = "A line is a turn (h2e2, R@e3 drops a chariot, a1 uncovers a piece) or moves, "
               "hint, quit. In supply chess the engine plays the other three seats, your "
               "partner, too. --seed shuffles the board of banqi.\n\n"
               "paotai variant play banqi --rules taiwan --seed 7\n"
               "paotai variant play supply --seat 2b --nodes 5000",
    .rows = play_rows,
    .settings_size = sizeof(VariantSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_play,
};
