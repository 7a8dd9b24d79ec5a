// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a game in PGN, in any notation and encoding. Accepts what real files contain: tags,
// comments in braces (which may nest) and after semicolons, variations, move numbers, marks such as
// "!", and results. Reads search scores from comments. Skips variations unless the settings request
// them.
#include <stdio.h>

#include "datasets/formats/pgn_text.h"
#include "datasets/formats/result_word.h"

// Words that enclose the moves in a .wxf file.
static const char wxf_begin[] = "START{", wxf_end[] = "}END";

// Sets source->line to the number of lines before `place`, and returns `refusal`.
static ImportRefusal refuse(Pgn *pgn, const char *place, ImportRefusal refusal) {
    for (const char *at = pgn->begin; at < place; at++) pgn->source->line += *at == '\n';
    return refusal;
}

// Starts a game with the handicap of the tag Odds. Plays the extra moves of the handicap
// (OddsMoves) from the position before them (OddsStart). Returns false if Odds or OddsStart is
// missing or invalid, or if the moves do not lead to the position of the tag FEN (default: the
// initial position).
static bool start_with_odds(Pgn *pgn) {
    Position start, after = pgn->source->game.now;
    Odds odds;
    if (odds_by_name(pgn_tag(pgn, "Odds"), &odds, NULL) != STATUS_OK ||
        position_from_fen(&start, pgn_tag(pgn, "OddsStart"), NULL) != STATUS_OK) {
        return false;
    }
    return source_game_start_odds(pgn->source, &start, odds.name, pgn_tag(pgn, "OddsMoves")) &&
           pgn->source->game.now.key == after.key;
}

// Reads the increment of a time control such as "300+5" or "300", in seconds.
static void take_time_control(Pgn *pgn) {
    const char *text = pgn_tag(pgn, "TimeControl");
    unsigned base, increment = 0;
    int length = 0;
    if (sscanf(text, "%7u%n", &base, &length) == 1 && text[length] == '+') {
        sscanf(text, "%7u+%7u%n", &base, &increment, &length);
    }
    pgn->clocks.known = length > 0 && text[length] == '\0';
    pgn->clocks.increment_ms = 1000 * increment;
}

static ImportRefusal start_game(Pgn *pgn) {
    Position start = pgn->source->record.start;
    if (pgn->twice) {
        err_set(pgn->err, STATUS_BAD_INPUT, "the tag %s comes twice, with different values",
                pgn->twice);
        return refuse(pgn, pgn->at, IMPORT_FIELDS);
    }
    const char *fen = pgn_tag(pgn, "FEN");
    if (*fen &&
        source_read_fen(pgn->side, fen, &start, &pgn->source->sided, pgn->err) != STATUS_OK) {
        return refuse(pgn, pgn->begin, IMPORT_START);
    }
    source_game_start(pgn->source, &start);
    pgn->source->placed = *fen != '\0';
    Odds odds;
    if (!start_with_odds(pgn)) {
        source_game_start(pgn->source, &start);
        if (odds_by_name(pgn_tag(pgn, "Odds"), &odds, NULL) == STATUS_OK) {
            snprintf(pgn->source->record.odds, ODDS_NAME_SIZE, "%s", odds.name);
        }
    }
    NotationSystem system;
    if (!pgn->moves.fixed && move_system_from_tag(pgn_tag(pgn, "Format"), &system)) {
        pgn->moves.system = (int)system;
        pgn->system_tag = true;
    }
    pgn->begun = true;
    take_time_control(pgn);
    return IMPORT_KEPT;
}

// ---- between the moves --------------------------------------------------------------------------

// Returns the closing brace of the comment whose opening brace is at `at`, or NULL. Comments may
// nest. If a closing brace is missing, the rest of the game is read without nesting: a comment then
// ends at the next closing brace.
static const char *comment_end(Pgn *pgn, const char *at) {
    int depth = 0;
    for (const char *c = at; c < pgn->end && !pgn->flat; c++) {
        if (*c == '{') depth++;
        if (*c == '}' && --depth == 0) return c;
    }
    pgn->flat = true;
    return memchr(at, '}', (size_t)(pgn->end - at));
}

// Returns the closing bracket of the variation whose opening bracket is at `at`, or NULL. Sets
// *count to 1 plus the number of variations nested inside this variation.
static const char *variation_end(Pgn *pgn, const char *at, size_t *count) {
    int depth = 0;
    *count = 0;
    for (; at < pgn->end; at++) {
        if (*at == '{') {
            at = comment_end(pgn, at);
            if (!at) return NULL;
        } else if (*at == '(') {
            depth++;
            ++*count;
        } else if (*at == ')' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

// Returns the number of the variation to which the next move belongs, or 0 for the main line.
static size_t current_line(const Pgn *pgn) {
    return pgn->depth ? pgn->open[pgn->depth - 1].line : 0;
}

// Begins a variation whose closing bracket is at `end`. `count` is 1 plus the number of variations
// nested inside it. Returns false if this variation and those inside it must be skipped.
static bool open_variation(Pgn *pgn, const char *end, size_t count) {
    SourceGame *source = pgn->source;
    const size_t of = current_line(pgn);
    const Position *before = source_game_before(source, of);
    source->varied = source->varied || (!pgn->variations && before);
    if (!pgn->variations) return false;
    if (pgn->depth == LINES_DEEPEST || !before) {
        source->variations_cut += count;
        return false;
    }
    const Position start = *before;
    const size_t line =
        source_game_add_variation(source, of, &start, source_game_plies(source, of) - 1);
    if (line == 0) {
        source->variations_cut += count - 1;
        return false;
    }
    pgn->open[pgn->depth++] = (PgnLine){line, end};
    return true;
}

static void take_remark(Pgn *pgn, const char *text, size_t length) {
    const bool quoted = length > 2 && memcmp(text, ": ", 2) == 0;
    // Our own writer puts ": " before a remark that looks like a search comment.
    if (quoted && pgn_comment_scores(text, length)) text += 2, length -= 2;
    source_game_remark(pgn->source, current_line(pgn), text, length);
}

static void take_comment(Pgn *pgn, const char *text, size_t length) {
    const size_t line = current_line(pgn);
    PlyRecord *last = source_game_last(pgn->source, line);
    if (!last) {
        take_remark(pgn, text, length);
        return;
    }
    const Position *before = source_game_before(pgn->source, line);
    AUTO(PgnComment)
    comment = {.ply = *last,
               .side = (Side)before->stm,
               .number = source_game_plies(pgn->source, line),
               .clocks = line ? NULL : &pgn->clocks};
    const Move *best = &comment.ply.best;
    const bool quoted = length > 2 && memcmp(text, ": ", 2) == 0;
    if (quoted || !pgn_comment_read(text, length, &comment)) {
        take_remark(pgn, text, length);
        return;
    }
    if (*best != MOVE_NONE &&
        (*best == comment.ply.move || !position_is_pseudo_legal(before, *best) ||
         !position_is_legal(before, *best))) {
        comment.ply.best = MOVE_NONE;
    }
    *last = comment.ply;
    if (comment.rest.length) take_remark(pgn, comment.rest.data, comment.rest.length);
    if (comment.book && !line && pgn->book == pgn->source->game.count - 1) pgn->book++;
}

// Reads what may stand between moves at the current place: a comment, a bracket of a variation, a
// NAG such as $1, a closing brace, or a line that begins with %. Sets *skipped to false if none of
// these is there.
static ImportRefusal skip_between(Pgn *pgn, bool *skipped) {
    const char *const at = pgn->at, *const end = pgn->end, *stop = NULL;
    const bool line_begins = at == pgn->begin || pgn_is_line_end(at[-1]);
    size_t count;
    *skipped = true;
    switch (*at) {
    case '{':
        stop = comment_end(pgn, at);
        if (!stop) break;
        take_comment(pgn, at + 1, (size_t)(stop - at - 1));
        if (!pgn->depth) {
            pgn->note = at + 1;
            pgn->note_length = (size_t)(stop - at - 1);
        }
        pgn->at = stop + 1;
        return IMPORT_KEPT;
    case '(':
        stop = variation_end(pgn, at, &count);
        if (!stop) break;
        pgn->at = open_variation(pgn, stop, count) ? at + 1 : stop + 1;
        return IMPORT_KEPT;
    case ';':
        pgn->at = pgn_line_end(at, end);
        take_remark(pgn, at + 1, (size_t)(pgn->at - at - 1));
        return IMPORT_KEPT;
    case '$':
        do pgn->at++;
        while (pgn->at < end && isdigit((unsigned char)*pgn->at));
        take_remark(pgn, at, (size_t)(pgn->at - at));
        return IMPORT_KEPT;
    case ')':
        if (pgn->depth && pgn->open[pgn->depth - 1].end == at) pgn->depth--;
        pgn->at++;
        return IMPORT_KEPT;
    case '}':
        pgn->ended = pgn_begins(pgn, at, wxf_end);
        pgn->end_open = pgn->ended;
        pgn->at++;
        return IMPORT_KEPT;
    default:
        *skipped = *at == '%' && line_begins;
        if (*skipped) pgn->at = pgn_line_end(at, end);
        return IMPORT_KEPT;
    }
    err_set(pgn->err, STATUS_BAD_INPUT, "the %s that begins after ply %u is not closed",
            *at == '{' ? "comment" : "variation", source_game_plies(pgn->source, 0));
    return refuse(pgn, at, IMPORT_FIELDS);
}

// ---- words -------------------------------------------------------------------------------------

// Returns the length in bytes of a dot after a move number, in one of its usual forms, or 0 if
// there is none.
static size_t dot_length(const char *at, size_t left) {
    static const char *const dots[] = {".", "…", "．", "。", "、", "·"};
    for (size_t i = 0; i < sizeof dots / sizeof *dots; i++) {
        const size_t length = strlen(dots[i]);
        if (left >= length && memcmp(at, dots[i], length) == 0) return length;
    }
    return 0;
}

// Returns the length in bytes of an ASCII or full-width digit, or 0 if the text begins with
// something else.
static size_t digit_length(const char *at, size_t left) {
    if (left >= 1 && isdigit((unsigned char)*at)) return 1;
    const bool wide = left >= 3 && memcmp(at, "\xef\xbc", 2) == 0 && (unsigned char)at[2] >= 0x90 &&
                      (unsigned char)at[2] <= 0x99;
    return wide ? 3 : 0;
}

size_t pgn_number_length(const char *word, size_t length, bool digits_are_moves) {
    size_t at = 0, step;
    while ((step = digit_length(word + at, length - at))) at += step;
    const size_t digits = at;
    while ((step = dot_length(word + at, length - at))) at += step;
    if (at == digits) return digits == length && !digits_are_moves ? length : 0;
    const bool wxf = digits == 2 && length - at == 1 && isdigit((unsigned char)word[at]);
    return wxf ? 0 : at;
}

// Returns true for a word like "-----" or "=====", which some web sites print as a line below a
// game.
static bool is_decoration(const char *word, size_t length) {
    size_t same = 0;
    while (same < length && word[same] == word[0]) same++;
    return same == length && length >= 2 && strchr("=-_*~", word[0]);
}

bool pgn_both_lost(const char *text) {
    return strcmp(text, "0-0") == 0 || strcmp(text, "0:0") == 0;
}

bool pgn_result(const char *text, int8_t *result) {
    const ResultKind kind = result_kind(text, result);
    return kind == RESULT_NAMED || kind == RESULT_DRAWN || kind == RESULT_FRACTION;
}

// Reads a result. In the main line it ends the game. In a variation it is stored as the result of
// the variation. Returns false if the word is not a result.
static bool take_result_word(Pgn *pgn, const char *word, size_t length) {
    char text[40] = "";
    int8_t result = 0;
    if (length >= sizeof text) return false;
    memcpy(text, word, length);
    const bool open = strcmp(text, "*") == 0, lost = pgn_both_lost(text);
    const bool last = word + length + strspn(word + length, " \t\r\n\v") == pgn->end;
    if (!open && !lost && !result_from_text(text, &result) &&
        !(last && pgn_result(text, &result))) {
        return false;
    }
    pgn->both_lost = pgn->both_lost || (lost && !pgn->depth);
    if (pgn->depth) {
        SourceLine *line = &pgn->source->lines[current_line(pgn) - 1];
        line->has_result = !open && !lost;
        line->result = result;
    } else {
        pgn->ended = true;
        pgn->end_open = open || lost;
        pgn->end_result = result;
    }
    return true;
}

// Handles a word that cannot be read as a move; `fault` says why. In a variation, the moves before
// the word are kept and the rest is skipped. In the main line, the game is refused.
static ImportRefusal end_line(Pgn *pgn, const char *word, const Err *fault) {
    if (pgn->depth == 0) {
        if (pgn->err) *pgn->err = *fault;
        return refuse(pgn, word, IMPORT_MOVE);
    }
    source_game_set_fault(pgn->source, current_line(pgn), fault);
    pgn->at = pgn->open[pgn->depth - 1].end;
    return IMPORT_KEPT;
}

bool pgn_read_glued(MoveReader *moves, const Position *position, const char *word, size_t length,
                    Move *move, const char **behind) {
    const char *at = word, *const end = word + length;
    for (int characters = 1; characters <= 5 && at < end; characters++) {
        text_next_utf8(&at, end);
        if (characters < 4 || at == end) continue;
        *behind = at;
        if (move_reader_read(moves, position, word, (size_t)(at - word), move, NULL) == STATUS_OK) {
            return true;
        }
    }
    return false;
}

// Stores a mark after a move, such as "!" or "??", as the remark $N, the NAG with that meaning.
static void take_marks(Pgn *pgn, const char *word, size_t length) {
    static const char *const marks[] = {"!", "?", "!!", "??", "!?", "?!"};
    char nag[8];
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (strlen(marks[i]) != length || memcmp(marks[i], word, length) != 0) continue;
        snprintf(nag, sizeof nag, "$%zu", i + 1);
        take_remark(pgn, nag, 2);
    }
}

static ImportRefusal take_word(Pgn *pgn, const char *word, size_t length) {
    if (take_result_word(pgn, word, length)) return IMPORT_KEPT;
    // The mark of the previous move may be joined with the next move number: "!!12."
    size_t marks = 0;
    while (marks < length && strchr("!?", word[marks])) marks++;
    take_marks(pgn, word, marks);
    word += marks;
    length -= marks;
    const size_t number = pgn_number_length(word, length, pgn->moves.system == NOTATION_DPXQ);
    word += number;
    length -= number;
    if (length == 0 || is_decoration(word, length) || take_result_word(pgn, word, length)) {
        return IMPORT_KEPT;
    }
    const size_t line = current_line(pgn);
    Move move;
    Err fault = {0};
    if (source_game_plies(pgn->source, line) == PLIES_MOST) {
        err_set(&fault, STATUS_BAD_INPUT, PLIES_TOO_MANY, PLIES_MOST);
        const ImportRefusal refusal = end_line(pgn, word, &fault);
        return refusal == IMPORT_KEPT ? refusal : IMPORT_LENGTH;
    }
    if (move_reader_read(&pgn->moves, source_game_now(pgn->source, line), word, length, &move,
                         &fault) != STATUS_OK &&
        !pgn_read_glued(&pgn->moves, source_game_now(pgn->source, line), word, length, &move,
                        &pgn->at)) {
        err_prefix(&fault, "ply %u", source_game_plies(pgn->source, line) + 1);
        return end_line(pgn, word, &fault);
    }
    source_game_play(pgn->source, line, move);
    if (!line) pgn->note = NULL;
    if (pgn->at != word + length) return IMPORT_KEPT; // another move follows in the same word
    for (marks = 0; marks < length && strchr("!?", word[length - marks - 1]);) marks++;
    take_marks(pgn, word + length - marks, marks);
    return IMPORT_KEPT;
}

// Returns the length of the word at pgn->at. A round bracket ends the word, except in notations
// that use round brackets in moves.
static size_t word_length(const Pgn *pgn) {
    const bool brackets =
        pgn->moves.system == NOTATION_PRITCHARD || pgn->moves.system == NOTATION_SYSTEM1;
    const char *at = pgn->at;
    while (at < pgn->end && !pgn_is_space(*at) && !strchr("{};$", *at) &&
           (brackets || !strchr("()", *at)) && !pgn_begins(pgn, at, PGN_WIDE_SPACE) &&
           !html_element_length(at, pgn->end)) {
        at++;
    }
    return (size_t)(at - pgn->at);
}

static ImportRefusal read_text(Pgn *pgn) {
    ImportRefusal refusal = IMPORT_KEPT;
    while (refusal == IMPORT_KEPT && !pgn->ended) {
        while (pgn->depth && pgn->at > pgn->open[pgn->depth - 1].end) pgn->depth--;
        while (pgn->at < pgn->end && pgn_is_space(*pgn->at)) pgn->at++;
        if (pgn->at == pgn->end) break;
        if (pgn_begins(pgn, pgn->at, PGN_WIDE_SPACE)) {
            pgn->at += strlen(PGN_WIDE_SPACE);
            continue;
        }
        if (*pgn->at == '[' && !pgn->begun) {
            pgn_read_tag(pgn);
            continue;
        }
        if (!pgn->begun && pgn_begins(pgn, pgn->at, wxf_begin)) {
            pgn->at += strlen(wxf_begin);
            refusal = start_game(pgn);
            continue;
        }
        const size_t element = html_element_length(pgn->at, pgn->end);
        if (element) {
            pgn->at += element;
            continue;
        }
        bool skipped = false;
        refusal = skip_between(pgn, &skipped);
        if (skipped || refusal != IMPORT_KEPT) continue;
        if (!pgn->begun && pgn_take_label(pgn)) continue;
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

// Returns true if a text that is no result of PGN states one in another form, such as "win" or "2".
static bool is_foreign_result(const char *text) {
    int8_t result;
    return result_kind(text, &result) == RESULT_SIDED || strpbrk(text, "0123456789");
}

// Determines the result of the game from the tag Result or, if the tag states none, from the result
// after the moves. Refuses the game if they contradict each other.
static ImportRefusal take_result(Pgn *pgn) {
    SourceGame *source = pgn->source;
    const char *tag = pgn_tag(pgn, "Result");
    int8_t result = 0;
    if (pgn_both_lost(tag) || pgn->both_lost) {
        err_set(pgn->err, STATUS_BAD_INPUT,
                "the result is 0-0: both sides lost, but a stored game has a winner or is a draw");
        return refuse(pgn, pgn->at, IMPORT_RESULT);
    }
    const bool by_tag = pgn_result(tag, &result), by_end = pgn->ended && !pgn->end_open;
    if (by_tag && by_end && result != pgn->end_result) {
        err_set(pgn->err, STATUS_BAD_INPUT, "the tag Result says %s, but the moves end with %s",
                result_to_text(result), result_to_text(pgn->end_result));
        return refuse(pgn, pgn->at, IMPORT_RESULT);
    }
    if (!by_tag && !by_end && is_foreign_result(tag)) {
        err_set(pgn->err, STATUS_BAD_INPUT,
                "the tag Result is '%.40s', which names no winner: write 1-0, 0-1, 1/2-1/2 or *",
                tag);
        return refuse(pgn, pgn->at, IMPORT_RESULT);
    }
    const char *told = pgn_tag(pgn, "Termination");
    source->fault = end_fault_from_text(told, strlen(told), false);
    if (!*told && pgn->note) source->fault = end_fault_from_text(pgn->note, pgn->note_length, true);
    source->has_result = by_tag || by_end;
    source->record.result = by_tag ? result : by_end ? pgn->end_result : 0;
    return IMPORT_KEPT;
}

ImportRefusal read_pgn(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    AUTO(Text) utf8 = {0};
    if (text_decode_any(text->data, text->length, &utf8, err) != STATUS_OK) {
        return IMPORT_FIELDS;
    }
    text_add_bytes(&utf8, "", 0);
    Pgn pgn = {.begin = utf8.data, .at = utf8.data, .source = source, .err = err};
    pgn.end = pgn.begin + utf8.length;
    pgn.variations = settings->variations;
    pgn.side = settings->side;
    pgn.wxf = strstr(pgn.begin, wxf_begin);
    move_reader_init(&pgn.moves, settings->system);
    ImportRefusal refusal = read_text(&pgn);
    if (refusal == IMPORT_KEPT) refusal = take_result(&pgn);
    source->record.opening_plies = pgn.book ? pgn.book + source->record.extra_plies : 0;
    source_game_take_system(source, &pgn.moves);
    source->exact = source->exact || pgn.system_tag;
    pgn_keep_tags(source);
    text_clear(&pgn.value);
    return refusal;
}
