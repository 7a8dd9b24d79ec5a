// SPDX-License-Identifier: GPL-3.0-or-later
// PGN as it is found: tags, comments in braces (that may nest) and behind semicolons, variations,
// move numbers, marks, results, in any notation and encoding. Comments are read for scores;
// variations are skipped unless they are wanted.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets/formats/encoding.h"
#include "datasets/formats/formats.h"

// The moves of a .wxf file stand between these.
static const char wxf_begin[] = "START{", wxf_end[] = "}END";

// ---- tags --------------------------------------------------------------------------------------

enum { DEEPEST = 64 }; // variations in variations; deeper ones are skipped

// A variation that is being read.
typedef struct PgnLine {
    size_t line;     // it
    const char *end; // its bracket
} PgnLine;

typedef struct Pgn {
    const char *begin, *at, *end; // UTF-8; *end is 0
    SourceGame *source;
    MoveReader moves;
    bool told_system;  // a tag says the notation of the moves
    bool tagged;       // there is a tag: then no line is a label
    bool wxf;          // the moves stand in START{ }END, ahead of them all lines are labels
    bool begun;        // the start is known, moves may come
    bool ended;        // the result has been read among the moves
    int8_t end_result; // it
    bool flat;         // braces do not nest in this game
    bool end_open;     // it is *
    bool variations;   // are wanted
    PgnLine open[DEEPEST];
    int depth;     // of these
    uint32_t book; // moves that comments say are of a book, without a gap from the first on
    Text value;    // of a tag
    Err *err;
} Pgn;

static ImportRefusal refuse(Pgn *pgn, const char *place, ImportRefusal refusal) {
    for (const char *at = pgn->begin; at < place; at++) pgn->source->line += *at == '\n';
    return refusal;
}

static bool is_space(char c) {
    return isspace((unsigned char)c) || c == '\0';
}

// The blank of the full-width forms.
static const char wide_space[] = "\u3000";

static bool begins(const Pgn *pgn, const char *at, const char *what) {
    const size_t length = strlen(what);
    return (size_t)(pgn->end - at) >= length && memcmp(at, what, length) == 0;
}

// Red is White where the game counts as one of the variants of chess.
static void take_tag(Pgn *pgn, const char *name, size_t length, const char *value, size_t size) {
    char own[COLUMN_NAME_SIZE] = "";
    const bool white = length >= 5 && strncasecmp(name, "White", 5) == 0;
    if (length >= sizeof own) return;
    snprintf(own, sizeof own, "%s%.*s", white ? "Red" : "", (int)(white ? length - 5 : length),
             white ? name + 5 : name);
    tag_list_add(&pgn->source->tags, own, value, size);
}

// Reads [Name "value"]; what lacks its quotes or its bracket ends at the bracket or with the line.
static void read_tag(Pgn *pgn) {
    enum { VALUE_SIZE = 4096 };
    const char *at = pgn->at + 1;
    while (at < pgn->end && (*at == ' ' || *at == '\t')) at++;
    const char *name = at;
    while (at < pgn->end && !is_space(*at) && !strchr("\"]", *at)) at++;
    const size_t name_length = (size_t)(at - name);
    while (at < pgn->end && (*at == ' ' || *at == '\t')) at++;
    const bool quoted = at < pgn->end && *at == '"';
    if (quoted) at++;
    char value[VALUE_SIZE];
    size_t length = 0;
    for (; at < pgn->end && *at != '\n' && *at != (quoted ? '"' : ']'); at++) {
        if (quoted && *at == '\\' && at + 1 < pgn->end && (at[1] == '"' || at[1] == '\\')) at++;
        if (length < sizeof value) value[length++] = *at;
    }
    while (length > 0 && is_space(value[length - 1])) length--;
    while (at < pgn->end && *at != '\n' && *at != ']') at++;
    pgn->at = at < pgn->end ? at + 1 : at;
    pgn->tagged = pgn->tagged || quoted;
    take_tag(pgn, name, name_length, value, length);
}

// The value of a tag, "" where there is none; until the next call.
static const char *tag_of(Pgn *pgn, const char *name) {
    tag_value(pgn->source->tags.list, pgn->source->tags.count, name, &pgn->value);
    return text_get(&pgn->value);
}

// Takes those tags away that follow from the record, or say nothing.
static void keep_tags(SourceGame *source) {
    static const char *const own[] = {"Game",    "Result", "FEN",       "SetUp",    "Format",
                                      "Variant", "Odds",   "OddsStart", "OddsMoves"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) tag_list_remove(&source->tags, own[i]);
    for (int i = 0; pgn_roster[i].name; i++) {
        Text value = {0};
        tag_value(source->tags.list, source->tags.count, pgn_roster[i].name, &value);
        if (strspn(text_get(&value), "?.") == value.length) {
            tag_list_remove(&source->tags, pgn_roster[i].name);
        }
        text_clear(&value);
    }
}

// The game begins before the extra moves of odds where our own tags tell them, else with the FEN.
static bool start_with_odds(Pgn *pgn) {
    Position start, after = pgn->source->game.now;
    Odds odds;
    if (odds_by_name(tag_of(pgn, "Odds"), &odds, NULL) != STATUS_OK ||
        position_from_fen(&start, tag_of(pgn, "OddsStart"), NULL) != STATUS_OK) {
        return false;
    }
    return source_game_start_odds(pgn->source, &start, odds.name, tag_of(pgn, "OddsMoves"), NULL) ==
               STATUS_OK &&
           pgn->source->game.now.key == after.key;
}

static ImportRefusal start_game(Pgn *pgn) {
    Position start = pgn->source->record.start;
    const char *fen = tag_of(pgn, "FEN");
    if (*fen && position_from_fen(&start, fen, pgn->err) != STATUS_OK) {
        return refuse(pgn, pgn->begin, IMPORT_START);
    }
    source_game_start(pgn->source, &start);
    Odds odds;
    if (!start_with_odds(pgn)) {
        source_game_start(pgn->source, &start);
        if (odds_by_name(tag_of(pgn, "Odds"), &odds, NULL) == STATUS_OK) {
            snprintf(pgn->source->record.odds, ODDS_NAME_SIZE, "%s", odds.name);
        }
    }
    NotationSystem system;
    if (!pgn->moves.fixed && move_system_from_tag(tag_of(pgn, "Format"), &system)) {
        pgn->moves.system = (int)system;
        pgn->told_system = true;
    }
    pgn->begun = true;
    return IMPORT_KEPT;
}

// ---- what is between the moves -----------------------------------------------------------------

// The end of the comment whose brace is at `at`: its own closing brace; the next one in a game
// where that was once not to be found. NULL: there is none.
static const char *comment_end(Pgn *pgn, const char *at) {
    int depth = 0;
    for (const char *c = at; c < pgn->end && !pgn->flat; c++) {
        if (*c == '{') depth++;
        if (*c == '}' && --depth == 0) return c;
    }
    pgn->flat = true;
    return memchr(at, '}', (size_t)(pgn->end - at));
}

static const char *line_end(const char *at, const char *end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop : end;
}

// The end of the variation whose bracket is at `at`, comments in it and variations in them. NULL:
// there is none.
static const char *variation_end(Pgn *pgn, const char *at) {
    int depth = 0;
    for (; at < pgn->end; at++) {
        if (*at == '{') {
            at = comment_end(pgn, at);
            if (!at) return NULL;
        } else if (*at == '(') {
            depth++;
        } else if (*at == ')' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

// The line that is read, 0 for the main one.
static size_t present_line(const Pgn *pgn) {
    return pgn->depth ? pgn->open[pgn->depth - 1].line : 0;
}

// Goes into the variation whose bracket is at `at`; false when it is to be skipped.
static bool open_variation(Pgn *pgn, const char *end) {
    SourceGame *source = pgn->source;
    const size_t of = present_line(pgn);
    const Position *before = source_game_before(source, of);
    if (!pgn->variations || pgn->depth == DEEPEST || !before) return false;
    const Position start = *before;
    const size_t line = source_game_vary(source, of, &start, source_game_plies(source, of) - 1);
    if (line == 0) return false;
    pgn->open[pgn->depth++] = (PgnLine){line, end};
    return true;
}

static void take_comment(Pgn *pgn, const char *text, size_t length) {
    PlyRecord *last = source_game_last(pgn->source);
    if (!last || pgn->depth) return;
    const Game *game = &pgn->source->game;
    const Position *before = game_position(game, game->count - 1);
    PlyRecord told = *last;
    const bool book = pgn_comment_read(text, length, (Side)before->stm, &told);
    if (told.best != MOVE_NONE &&
        (told.best == told.move || !position_is_pseudo_legal(before, told.best) ||
         !position_is_legal(before, told.best))) {
        told.best = MOVE_NONE;
    }
    *last = told;
    if (book && pgn->book == game->count - 1) pgn->book++;
}

// Skips a comment, a variation, a mark. *skipped: there was one.
static ImportRefusal skip_aside(Pgn *pgn, bool *skipped) {
    const char *const at = pgn->at, *const end = pgn->end, *stop = NULL;
    const bool line_begins = at == pgn->begin || at[-1] == '\n';
    *skipped = true;
    switch (*at) {
    case '{':
        stop = comment_end(pgn, at);
        if (!stop) break;
        take_comment(pgn, at + 1, (size_t)(stop - at - 1));
        pgn->at = stop + 1;
        return IMPORT_KEPT;
    case '(':
        stop = variation_end(pgn, at);
        if (!stop) break;
        pgn->at = open_variation(pgn, stop) ? at + 1 : stop + 1;
        return IMPORT_KEPT;
    case ';':
        pgn->at = line_end(at, end);
        return IMPORT_KEPT;
    case '$':
        do pgn->at++;
        while (pgn->at < end && isdigit((unsigned char)*pgn->at));
        return IMPORT_KEPT;
    case ')':
        if (pgn->depth && pgn->open[pgn->depth - 1].end == at) pgn->depth--;
        pgn->at++;
        return IMPORT_KEPT;
    case '}':
        pgn->ended = begins(pgn, at, wxf_end);
        pgn->end_open = pgn->ended;
        pgn->at++;
        return IMPORT_KEPT;
    default:
        *skipped = *at == '%' && line_begins;
        if (*skipped) pgn->at = line_end(at, end);
        return IMPORT_KEPT;
    }
    err_set(pgn->err, STATUS_BAD_INPUT, "the %s that begins behind ply %zu has no end",
            *at == '{' ? "comment" : "variation", pgn->source->game.count);
    return refuse(pgn, at, IMPORT_FIELDS);
}

// ---- words -------------------------------------------------------------------------------------

// The dots behind a move number in all their forms; 0: none there.
static size_t dot_length(const char *at, size_t left) {
    static const char *const dots[] = {".", "…", "．", "。", "、", "·"};
    for (size_t i = 0; i < sizeof dots / sizeof *dots; i++) {
        const size_t length = strlen(dots[i]);
        if (left >= length && memcmp(at, dots[i], length) == 0) return length;
    }
    return 0;
}

// A digit, half or full width; 0: none there.
static size_t digit_length(const char *at, size_t left) {
    if (left >= 1 && isdigit((unsigned char)*at)) return 1;
    const bool wide = left >= 3 && memcmp(at, "\xef\xbc", 2) == 0 && (unsigned char)at[2] >= 0x90 &&
                      (unsigned char)at[2] <= 0x99;
    return wide ? 3 : 0;
}

// How much of a word is a move number: "12." "12..." or "12" alone. "66.5" is a move of wxf.
static size_t number_length(const char *word, size_t length, bool digits_are_moves) {
    size_t at = 0, step;
    while ((step = digit_length(word + at, length - at))) at += step;
    const size_t digits = at;
    while ((step = dot_length(word + at, length - at))) at += step;
    if (at == digits) return digits == length && !digits_are_moves ? length : 0;
    const bool wxf = digits == 2 && length - at == 1 && isdigit((unsigned char)word[at]);
    return wxf ? 0 : at;
}

// A line of = or - that some sites draw below a game.
static bool is_decoration(const char *word, size_t length) {
    size_t same = 0;
    while (same < length && word[same] == word[0]) same++;
    return same == length && length >= 2 && strchr("=-_*~", word[0]);
}

static bool is_result(Pgn *pgn, const char *word, size_t length) {
    char text[40] = "";
    if (length >= sizeof text) return false;
    memcpy(text, word, length);
    pgn->end_open = strcmp(text, "*") == 0;
    return pgn->end_open || result_from_text(text, &pgn->end_result);
}

// Ends the main line where it says how the game ended; a variation may say so, too.
static bool take_result_word(Pgn *pgn, const char *word, size_t length) {
    const bool open = pgn->end_open;
    const int8_t result = pgn->end_result;
    if (!is_result(pgn, word, length)) return false;
    if (pgn->depth) {
        SourceLine *line = &pgn->source->lines[present_line(pgn) - 1];
        line->has_result = !pgn->end_open;
        line->result = pgn->end_result;
        pgn->end_open = open;
        pgn->end_result = result;
    } else {
        pgn->ended = true;
    }
    return true;
}

// What is no move ends a variation, but refuses the game in its main line.
static ImportRefusal end_line(Pgn *pgn, const char *word, const Err *fault) {
    if (pgn->depth == 0) {
        if (pgn->err) *pgn->err = *fault;
        return refuse(pgn, word, IMPORT_MOVE);
    }
    source_game_break(pgn->source, present_line(pgn), fault);
    pgn->at = pgn->open[pgn->depth - 1].end;
    return IMPORT_KEPT;
}

// Reads the move that a word of several, without blanks between, begins with: 兵七进一炮2平32. ...
// The rest is read as the next word.
static bool read_glued(Pgn *pgn, const Position *position, const char *word, size_t length,
                       Move *move) {
    const char *at = word, *const end = word + length;
    for (int characters = 1; characters <= 5 && at < end; characters++) {
        text_next_utf8(&at, end);
        if (characters < 4 || at == end) continue;
        if (move_reader_read(&pgn->moves, position, word, (size_t)(at - word), move, NULL) ==
            STATUS_OK) {
            pgn->at = at;
            return true;
        }
    }
    return false;
}

static ImportRefusal take_word(Pgn *pgn, const char *word, size_t length) {
    if (take_result_word(pgn, word, length)) return IMPORT_KEPT;
    const size_t number = number_length(word, length, pgn->moves.system == NOTATION_DPXQ);
    word += number;
    length -= number;
    if (length == 0 || is_decoration(word, length) || take_result_word(pgn, word, length)) {
        return IMPORT_KEPT;
    }
    const size_t line = present_line(pgn);
    Move move;
    Err fault = {0};
    if (move_reader_read(&pgn->moves, source_game_now(pgn->source, line), word, length, &move,
                         &fault) != STATUS_OK &&
        !read_glued(pgn, source_game_now(pgn->source, line), word, length, &move)) {
        err_prefix(&fault, "ply %u", source_game_plies(pgn->source, line) + 1);
        return end_line(pgn, word, &fault);
    }
    source_game_play(pgn->source, line, move);
    return IMPORT_KEPT;
}

// The length of the word at `at`. Brackets belong to it in the systems that write them.
static size_t word_length(const Pgn *pgn) {
    const bool brackets =
        pgn->moves.system == NOTATION_PRITCHARD || pgn->moves.system == NOTATION_SYSTEM1;
    const char *at = pgn->at;
    while (at < pgn->end && !is_space(*at) && !strchr("{};$", *at) &&
           (brackets || !strchr("()", *at)) && !begins(pgn, at, wide_space)) {
        at++;
    }
    return (size_t)(at - pgn->at);
}

// ---- labels -------------------------------------------------------------------------------------

// What lines before the moves begin with, in .wxf files and in texts that are copied out of
// XQStudio and dpxq.com, and the tags that they are.
static const struct {
    const char *label, *name;
} labels[] = {
    {"FORMAT", "Format"},   {"GAME", "Event"},     {"EVENT", "Event"},   {"SITE", "Site"},
    {"PLACE", "Site"},      {"DATE", "Date"},      {"ROUND", "Round"},   {"RED", "Red"},
    {"BLACK", "Black"},     {"RESULT", "Result"},  {"ECCO", "ECCO"},     {"OPENING", "Opening"},
    {"标题", "Title"},      {"標題", "Title"},     {"赛事", "Event"},    {"賽事", "Event"},
    {"比赛名称", "Event"},  {"日期", "Date"},      {"比赛日期", "Date"}, {"比赛时间", "Date"},
    {"地点", "Site"},       {"地點", "Site"},      {"比赛地点", "Site"}, {"轮次", "Round"},
    {"輪次", "Round"},      {"红方", "Red"},       {"紅方", "Red"},      {"红方姓名", "Red"},
    {"黑方", "Black"},      {"黑方姓名", "Black"}, {"结果", "Result"},   {"結果", "Result"},
    {"比赛结果", "Result"}, {"布局", "Opening"},   {"开局", "Opening"},  {"開局", "Opening"},
    {"局面", "FEN"},        {"作者", "Author"},    {"评注", "Annotator"}};

// How long the colon, or in .wxf files the blank, behind a label is; 0: none is there.
static size_t colon_length(const char *at, bool wxf) {
    const size_t blank = strspn(at, " \t");
    if (at[blank] == ':') return blank + 1;
    if (strncmp(at + blank, "：", strlen("：")) == 0) return blank + strlen("：");
    return wxf ? blank : 0;
}

// Takes a line that tells something of the game; a value of .wxf goes up to a semicolon.
static bool take_known_label(Pgn *pgn, const char *end) {
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const size_t length = strlen(labels[i].label);
        const bool latin = isupper((unsigned char)*labels[i].label);
        if (!begins(pgn, pgn->at, labels[i].label)) continue;
        const char *value = pgn->at + length;
        const size_t colon = colon_length(value, pgn->wxf && latin);
        if (colon == 0) continue;
        value += colon;
        size_t size = (size_t)(end - value);
        const char *semicolon = latin ? memchr(value, ';', size) : NULL;
        if (semicolon) size = (size_t)(semicolon - value);
        source_game_tag(pgn->source, labels[i].name, value, size);
        pgn->at = end;
        return true;
    }
    return false;
}

// Is there a move between, played at the start of the game?
static bool holds_move(const Pgn *pgn, const char *at, const char *end) {
    Pgn trial = *pgn;
    Position start;
    Move move;
    const char *fen = tag_of(&trial, "FEN");
    bool found = false;
    if (!*fen || position_from_fen(&start, fen, NULL) != STATUS_OK) position_init_start(&start);
    while (at < end && !found) {
        const char *word = at;
        while (at < end && !is_space(*at) && *at != ':' && !begins(pgn, at, "：")) at++;
        const size_t number = number_length(word, (size_t)(at - word), false);
        const size_t length = (size_t)(at - word) - number;
        found = length > 0 && (move_reader_read(&trial.moves, &start, word + number, length, &move,
                                                NULL) == STATUS_OK ||
                               read_glued(&trial, &start, word + number, length, &move));
        trial.moves = pgn->moves;
        if (at < end) at += *at == (char)0xef ? strlen("：") : 1;
    }
    text_clear(&trial.value);
    return found;
}

// Takes a label of the lines ahead of the moves. One that is not known is skipped with its line;
// where moves follow it, up to its colon. False when there is none.
static bool take_label(Pgn *pgn) {
    const char *const end = line_end(pgn->at, pgn->end);
    if (pgn->tagged || (!pgn->wxf && isdigit((unsigned char)*pgn->at))) return false;
    if (take_known_label(pgn, end)) return true;
    const char *stop = pgn->at;
    while (stop < end && !strchr(":{}()", *stop) && !begins(pgn, stop, "：")) stop++;
    const bool colon = stop < end && !strchr("{}()", *stop);
    if (!pgn->wxf && (!colon || holds_move(pgn, pgn->at, stop))) return false;
    const size_t wide = colon && *stop != ':' ? strlen("：") : 1;
    pgn->at = !pgn->wxf && holds_move(pgn, stop, end) ? stop + wide : end;
    return true;
}

static ImportRefusal read_text(Pgn *pgn) {
    ImportRefusal refusal = IMPORT_KEPT;
    while (refusal == IMPORT_KEPT && !pgn->ended) {
        while (pgn->depth && pgn->at > pgn->open[pgn->depth - 1].end) pgn->depth--;
        while (pgn->at < pgn->end && is_space(*pgn->at)) pgn->at++;
        if (pgn->at == pgn->end) break;
        if (begins(pgn, pgn->at, wide_space)) {
            pgn->at += strlen(wide_space);
            continue;
        }
        if (*pgn->at == '[' && !pgn->begun) {
            read_tag(pgn);
            continue;
        }
        if (!pgn->begun && begins(pgn, pgn->at, wxf_begin)) {
            pgn->at += strlen(wxf_begin);
            refusal = start_game(pgn);
            continue;
        }
        bool skipped = false;
        refusal = skip_aside(pgn, &skipped);
        if (skipped || refusal != IMPORT_KEPT) continue;
        if (!pgn->begun && take_label(pgn)) continue;
        if (!pgn->begun) refusal = start_game(pgn);
        if (refusal != IMPORT_KEPT) break;
        const char *word = pgn->at;
        const size_t length = word_length(pgn);
        pgn->at += length;
        refusal = take_word(pgn, word, length);
    }
    if (refusal == IMPORT_KEPT && !pgn->begun) refusal = start_game(pgn);
    return refusal;
}

// ---- a game ------------------------------------------------------------------------------------

// The tag and the end of the moves may each be silent, but not contradict each other.
static ImportRefusal take_result(Pgn *pgn) {
    SourceGame *source = pgn->source;
    const char *tag = tag_of(pgn, "Result");
    int8_t result = 0;
    const bool by_tag = result_from_text(tag, &result), by_end = pgn->ended && !pgn->end_open;
    if (by_tag && by_end && result != pgn->end_result) {
        err_set(pgn->err, STATUS_BAD_INPUT, "the tag says %s, the moves end with %s",
                result_to_text(result), result_to_text(pgn->end_result));
        return refuse(pgn, pgn->at, IMPORT_RESULT);
    }
    source->has_result = by_tag || by_end;
    source->record.result = by_tag ? result : by_end ? pgn->end_result : 0;
    return IMPORT_KEPT;
}

ImportRefusal read_pgn(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    Text utf8 = {0};
    if (text_decode_any(text->data, text->length, &utf8, NULL, err) != STATUS_OK) {
        text_clear(&utf8);
        return IMPORT_FIELDS;
    }
    text_add_bytes(&utf8, "", 0);
    Pgn pgn = {.begin = utf8.data, .at = utf8.data, .source = source, .err = err};
    pgn.end = pgn.begin + utf8.length;
    pgn.variations = settings->variations;
    pgn.wxf = strstr(pgn.begin, wxf_begin);
    move_reader_init(&pgn.moves, settings->system);
    ImportRefusal refusal = read_text(&pgn);
    if (refusal == IMPORT_KEPT) refusal = take_result(&pgn);
    source->record.opening_plies = pgn.book;
    source_game_take_system(source, &pgn.moves);
    source->exact = source->exact || pgn.told_system;
    keep_tags(source);
    text_clear(&pgn.value);
    text_clear(&utf8);
    return refusal;
}
