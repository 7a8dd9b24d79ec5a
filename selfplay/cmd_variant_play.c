// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant play: a person plays a game other than xiangqi in the terminal.
#include "core/system/in_file.h"
#include "core/system/interrupt.h"
#include "selfplay/variants/variant_command.h"

static const OptionRow play_rows[] = {
    OPT_TEXT("seat", VariantSettings, seat, NULL, "SEAT",
             "your seat; in supply chess: board and colour, 1r (default), 1b, 2r or 2b; in banqi: "
             "1 (default; has the first turn) or 2"),
    VARIANT_WEIGHTS_ROW,
    VARIANT_PLAY_ROWS,
    ROW_MOVETIME(VariantSettings, player.limits.movetime_ms),
    VARIANT_PIECES_ROW,
    OPTION_END,
};

typedef struct Table {
    FILE *out;
    bool letters; // draw pieces as letters
    VariantPlayer player;
    VariantSearch *search;
    VariantGame game;
} Table;

static const char help[] =
    "Type a turn, 'moves' (lists your legal turns), 'hint', 'rules' or 'quit'.\n";

static void show_board(const Table *table) {
    const Variant *variant = table->game.plan->game;
    AUTO(Text) text = {0};
    variant->draw(&table->game.state, table->letters, &text);
    variant->write(&table->game.state, &text);
    fprintf(table->out, "\n%s\n", text.data);
}

// Plays a turn. Prints the turn and the piece that the turn uncovers, if any.
static void play_turn(Table *table, Move move) {
    const size_t before = table->game.moves.length;
    const char *seat = table->game.plan->game->seats[table->game.state.seat];
    variant_game_turn(&table->game, move, NULL);
    fprintf(table->out, "%s plays %s\n", seat, table->game.moves.data + before + (before > 0));
}

// Executes an input line other than "quit".
static void obey(Table *table, const char *word) {
    const Variant *variant = table->game.plan->game;
    VariantTurns turns;
    Move move;
    Piece piece;
    Err err = {0};
    char turn[VARIANT_TURN_SIZE];
    AUTO(Text) rules = {0};
    if (!*word) {
        fputs(help, table->out);
    } else if (strcmp(word, "rules") == 0) {
        text_add_wrapped(&rules, variant->rules);
        fputs(rules.data, table->out);
    } else if (strcmp(word, "moves") == 0) {
        variant->list(&table->game.state, false, &turns);
        for (int i = 0; i < turns.count; i++) {
            variant_write_turn(variant, turns.turns[i].move, PIECE_NONE, turn);
            fprintf(table->out, "%s%c", turn, i + 1 < turns.count ? ' ' : '\n');
        }
    } else if (strcmp(word, "hint") == 0) {
        const VariantReply reply = variant_game_ask(&table->game, &table->player, table->search);
        variant_write_turn(variant, reply.move, PIECE_NONE, turn);
        fprintf(table->out, "hint %s, score %d for your side\n", turn, reply.score);
    } else if (variant_read_turn(variant, &table->game.state, word, &move, &piece, &err)) {
        fprintf(table->out, "%s. %s", err.text, help);
    } else {
        play_turn(table, move);
    }
}

// Plays the other seats with the engine, and reads the turns of `seat` from the input.
static Status converse(Table *table, int seat, Err *err) {
    static const char *const results[] = {"you lose", "a draw", "you win"};
    VariantGame *game = &table->game;
    const Variant *variant = game->plan->game;
    LineReader reader;
    size_t shown = SIZE_MAX; // ply at which the board was last shown
    TRY(line_reader_open(&reader, NULL, err));
    while (!game->reason && !interrupt_requested()) {
        if (game->state.seat != seat) {
            const VariantReply reply = variant_game_ask(game, &table->player, table->search);
            if (!interrupt_requested()) play_turn(table, reply.move);
            continue;
        }
        if (shown != game->plies) {
            show_board(table);
            fprintf(table->out, "%s to move\n", variant->seats[seat]);
        }
        shown = game->plies;
        fflush(table->out);
        if (!line_reader_next(&reader) || strcmp(text_trim(reader.line), "quit") == 0) break;
        obey(table, text_trim(reader.line));
    }
    if (game->reason) {
        const bool first = variant->sides[seat] == variant->sides[game->plan->state.seat];
        const int points = first ? game->points : 2 - game->points;
        show_board(table);
        fprintf(table->out, "game over: %s (%s)\n", results[points], game->reason);
    } else {
        fprintf(table->out, "the game was not finished\n");
    }
    return line_reader_close(&reader, err);
}

static Status run_play(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    Table table = {.out = call->out, .letters = settings->pieces == 1};
    AUTO(Text) seats = {0};
    VariantPlan plan;
    int seat = -1;
    TRY(variant_command_plan(call, &plan, err));
    plan.opening_plies = 0;
    const char *wanted = settings->seat ? settings->seat : plan.game->seats[0];
    for (int i = 0; plan.game->seats[i]; i++) {
        if (plan.game->has_player && !plan.game->has_player(&plan.state, i)) continue;
        text_add(&seats, " %s", plan.game->seats[i]);
        if (strcmp(plan.game->seats[i], wanted) == 0) seat = i;
    }
    if (seat < 0) {
        return err_set(err, STATUS_USAGE,
                       "--seat: '%.40s' is no seat of %s in this game; its seats are%s", wanted,
                       plan.game->name, seats.data);
    }
    TRY(variant_command_player(call, &plan, settings->weights, &table.player, err));
    table.player.limits.stop = interrupt_flag();
    TRY(variant_game_begin(&table.game, &plan, plan.seed, err));
    table.search = variant_search_new(plan.game, &table.player.weights, table.player.hash_mb);
    fprintf(call->out, "You have seat %s. The order of turns is%s. ", wanted, seats.data);
    fprintf(call->out, "The engine plays the other seats. %s", help);
    const Status status = converse(&table, seat, err);
    variant_search_free(table.search);
    variant_game_clear(&table.game);
    return status;
}

const Command command_variant_play = {
    VARIANT_COMMAND,
    .name = "variant play",
    .summary = "play another game against the engine in the terminal",
    .details = VARIANT_GAMES
    "An input line is a turn (h2e2, R@e3 drops a chariot, a1 uncovers a piece), 'moves', 'hint', "
    "'rules' or 'quit'. In supply chess the engine plays the other three seats, also your "
    "partner's. --seed selects the shuffled board of banqi. " VARIANT_LIMITS "\n\n"
    "paotai variant play banqi --rules taiwan --seed 7\n"
    "paotai variant play supply --seat 2b --nodes 5000",
    .rows = play_rows,
    .reads_weights = true,
    .run = run_play,
};
