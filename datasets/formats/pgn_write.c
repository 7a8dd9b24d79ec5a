// SPDX-License-Identifier: GPL-3.0-or-later
// Writes games as PGN with the tags of xqbase. If the notation is SAN, writes Red as White and the
// FEN in the dialect of XBoard. Search scores are written as comments.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/formats/board_list.h"
#include "datasets/formats/formats.h"
#include "datasets/store/game_key.h"

enum { LINE_WIDTH = 80 };

// State while a game is written.
typedef struct PgnOutput {
    const ExportGame *given;
    Text *out;
    GameWalk walk;
    size_t line_begin; // offset in `out` at which the current line begins
    bool glued;        // the next word follows without a blank, for example after "("
    Err *err;
} PgnOutput;

static void add_tag(Text *out, const char *name, const char *value) {
    text_add(out, "[%s \"", name);
    for (const char *at = value; *at; at++) {
        if (*at == '"' || *at == '\\') text_add(out, "\\");
        text_add(out, "%c", iscntrl((unsigned char)*at) ? ' ' : *at);
    }
    text_add(out, "\"]\n");
}

static const char *result_of(const ExportGame *given) {
    return given->open ? "*" : result_to_text(given->game->result);
}

const char *const pgn_roster[] = {"Event", "Site", "Date", "Round", "Red", "Black", NULL};

// Adds a tag. If the moves are written in SAN, "Red" at the beginning of its name becomes "White",
// as in XBoard.
static void add_named_tag(const PgnOutput *pgn, const char *name, const char *value) {
    char own[TAG_NAME_SIZE + 8];
    const bool red = strncmp(name, "Red", 3) == 0 && pgn->given->system == NOTATION_SAN;
    snprintf(own, sizeof own, "%s%s", red ? "White" : "", red ? name + 3 : name);
    add_tag(pgn->out, own, value);
}

// Adds the standard PGN tags, the result, and the other tags that are stored with the game.
// Termination, remarks and the notes of our own matches are written elsewhere.
static void add_given_tags(const PgnOutput *pgn) {
    const ExportGame *given = pgn->given;
    const size_t count = given->tags ? given->game->tag_count : 0;
    AUTO(Text) text = {0};
    for (const char *const *tag = pgn_roster; *tag; tag++) {
        const char *value = export_tag(given, *tag, &text);
        char unknown[24] = "?";
        if (strcmp(*tag, "Date") == 0) strcpy(unknown, "????.??.??");
        if (strcmp(*tag, "Round") == 0 && !export_imported(given->game, given->tags)) {
            snprintf(unknown, sizeof unknown, "%llu", (unsigned long long)given->game->index);
        }
        add_named_tag(pgn, *tag, *value ? value : unknown);
    }
    add_tag(pgn->out, "Result", result_of(given));
    char name[TAG_NAME_SIZE];
    for (size_t at = 0; tag_next(given->tags, count, &at, name, &text);) {
        const char *const *tag = pgn_roster;
        while (*tag && strcmp(*tag, name) != 0) tag++;
        if (!*tag && strcmp(name, TAG_NOTE) != 0 && strcmp(name, "Termination") != 0 &&
            !tag_is_remark(name))
            add_named_tag(pgn, name, text_get(&text));
    }
}

// Starts the replay, and plays the extra moves of a handicap (odds). Writes the position before
// these moves as the tag OddsStart and the moves as the tag OddsMoves. The reader restores them
// from these tags and the tag Odds.
static Status add_extra_moves(PgnOutput *pgn) {
    const GameRecord *game = pgn->given->game;
    char fen[FEN_SIZE], uci[5];
    TRY(export_walk_begin(pgn->given, &pgn->walk, pgn->err));
    if (game->extra_plies == 0) return STATUS_OK;
    position_to_fen(&game->start, FEN_UCI, fen);
    add_tag(pgn->out, "OddsStart", fen);
    text_add(pgn->out, "[OddsMoves \"");
    for (uint32_t i = 0; i < pgn->walk.ply; i++) {
        move_to_uci(pgn->given->plies[i].move, uci);
        text_add(pgn->out, "%s%s", i ? " " : "", uci);
    }
    text_add(pgn->out, "\"]\n");
    return STATUS_OK;
}

static Status add_tags(PgnOutput *pgn) {
    const ExportGame *given = pgn->given;
    const GameRecord *game = given->game;
    const NotationSystem system = (NotationSystem)given->system;
    const bool xboard = system == NOTATION_SAN;
    Text *out = pgn->out;
    char fen[FEN_SIZE], format[32];
    add_tag(out, "Game", "Chinese Chess");
    add_given_tags(pgn);
    if (game->odds[0]) add_tag(out, "Odds", game->odds);
    TRY(add_extra_moves(pgn));
    position_to_fen(&pgn->walk.position, FEN_UCI, fen);
    if (strcmp(fen, START_FEN) != 0) {
        position_to_fen(&pgn->walk.position, xboard ? FEN_CECP : FEN_UCI, fen);
        add_tag(out, "SetUp", "1");
        add_tag(out, "FEN", fen);
    }
    const int opening = game_opening(game, given->plies);
    AUTO(Text) own = {0};
    if (opening >= 0 && !*export_tag(given, "Opening", &own)) {
        add_tag(out, "Opening", opening_name(opening));
    }
    add_tag(out, "Variant", "xiangqi");
    snprintf(format, sizeof format, "%s", notation_name(system));
    for (char *c = format; *c; c++) *c = (char)toupper((unsigned char)*c);
    add_tag(out, "Format", format);
    const char *end = export_tag(given, "Termination", &own);
    const bool known = !game_result_is_given(game) && !given->open;
    if (!*end && known) end = end_reason_name((EndReason)game->reason);
    if (*end) add_tag(out, "Termination", end);
    text_add(out, "\n");
    return STATUS_OK;
}

// Appends a word. Begins a new line if the word does not fit.
static void add_word(PgnOutput *pgn, const char *word) {
    Text *out = pgn->out;
    const size_t used = out->length - pgn->line_begin;
    if (used > 0 && used + strlen(word) + 1 > LINE_WIDTH) {
        text_add(out, "\n");
        pgn->line_begin = out->length;
    } else if (used > 0 && !pgn->glued) {
        text_add(out, " ");
    }
    text_add(out, "%s", word);
    pgn->glued = false;
}

// Adds a comment. Braces inside it become round brackets, because PGN comments do not nest.
static void add_note(PgnOutput *pgn, const char *note) {
    AUTO(Text) comment = {0};
    text_add(&comment, "{%s}", note);
    for (size_t i = 1; i + 1 < comment.length; i++) {
        char *c = &comment.data[i];
        if (*c == '{') *c = '(';
        if (*c == '}') *c = ')';
        const bool end =
            *c == '\n' && !strchr("[%;", c[1]); // no line of a comment may begin with [, % or ;
        if ((unsigned char)*c < ' ' && !end) *c = ' ';
    }
    add_word(pgn, comment.data);
}

// Adds the remark after a ply: its NAGs, followed by its text as a comment. Returns false if the
// ply has no remark.
static bool add_remark(PgnOutput *pgn, const ExportGame *line, uint32_t ply) {
    AUTO(Text) remark = {0};
    if (!export_remark(line, ply, &remark)) return false;
    char *at = remark.data;
    while (*at == '$' && isdigit((unsigned char)at[1])) {
        const size_t length = 1 + strspn(at + 1, "0123456789");
        const bool more = at[length] != '\0';
        at[length] = '\0';
        add_word(pgn, at);
        at += length + more;
    }
    AUTO(Text) note = {0};
    text_add(&note, "%s%s", pgn_comment_scores(at, strlen(at)) ? ": " : "", at);
    if (*at) add_note(pgn, note.data);
    return true;
}

static Status add_line(PgnOutput *pgn, const ExportGame *line, GameWalk *walk);

// Adds the variations that branch from `line` after `ply` plies, in brackets. Also adds the result
// of a variation, unless its moves lead to an end by the rules.
static Status add_variations(PgnOutput *pgn, const ExportGame *line, uint32_t ply) {
    for (const ExportGame *other = NULL; (other = export_variation(line, ply, other));) {
        GameWalk walk;
        game_walk_init(&walk, other->game);
        add_word(pgn, "(");
        pgn->glued = true;
        TRY(add_line(pgn, other, &walk));
        if (other->game->result != RESULT_NONE && other->game->end_reason == 0) {
            add_word(pgn, result_to_text(other->game->result));
        }
        pgn->glued = true;
        add_word(pgn, ")");
    }
    return STATUS_OK;
}

static Status add_line(PgnOutput *pgn, const ExportGame *line, GameWalk *walk) {
    const GameRecord *game = line->game;
    bool number_wanted = true;
    add_remark(pgn, line, walk->ply);
    while (walk->ply < game->ply_count) {
        const PlyRecord *ply = &line->plies[walk->ply];
        const Side side = (Side)walk->position.stm;
        char move[NOTATION_SIZE], word[NOTATION_SIZE + 24];
        if (!position_is_pseudo_legal(&walk->position, ply->move)) {
            return err_set(pgn->err, STATUS_CORRUPT, "the move in ply %u is illegal",
                           walk->ply + 1);
        }
        notation_write((NotationSystem)line->system, NULL, &walk->position, ply->move, move);
        const char *dots = side == RED ? "." : "...";
        if (side == RED || number_wanted) {
            snprintf(word, sizeof word, "%u%s %s", walk->position.fullmove, dots, move);
        } else {
            snprintf(word, sizeof word, "%s", move);
        }
        add_word(pgn, word);
        AUTO(Text) comment = {0};
        pgn_comment_write(ply, side, walk->ply < game->opening_plies, &comment);
        if (comment.length) add_word(pgn, comment.data);
        number_wanted = add_remark(pgn, line, walk->ply + 1) || comment.length > 0 ||
                        export_variation(line, walk->ply, NULL);
        TRY(add_variations(pgn, line, walk->ply));
        game_walk_step(walk, game, ply->move);
    }
    return STATUS_OK;
}

static Status add_moves(PgnOutput *pgn) {
    const ExportGame *given = pgn->given;
    const GameRecord *game = given->game;
    TRY(add_line(pgn, given, &pgn->walk));
    AUTO(Text) note = {0};
    if (tag_value(given->tags, given->tags ? game->tag_count : 0, TAG_NOTE, &note)) {
        add_note(pgn, note.data);
    }
    add_word(pgn, result_of(given));
    text_add(pgn->out, "\n\n");
    return STATUS_OK;
}

Status write_pgn(const ExportGame *given, Text *out, Err *err) {
    PgnOutput pgn = {.given = given, .out = out, .err = err};
    TRY(add_tags(&pgn));
    pgn.line_begin = out->length;
    return add_moves(&pgn);
}
