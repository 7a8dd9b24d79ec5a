// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/base/text.h"

const char *import_refusal_name(ImportRefusal refusal) {
    static const char *const names[IMPORT_REFUSAL_COUNT] = {"kept",
#define IMPORT_REFUSAL(id, name) name,
                                                            IMPORT_REFUSALS(IMPORT_REFUSAL)
#undef IMPORT_REFUSAL
    };
    return names[refusal];
}

ImportRefusal import_refuse(Err *err, ImportRefusal refusal, const char *format, ...) {
    char text[ERR_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(err, STATUS_BAD_INPUT, "%s", text);
    return refusal;
}

void source_game_init(SourceGame *source) {
    *source = (SourceGame){0};
    position_init_start(&source->record.start);
    game_init(&source->game, &source->record.start);
}

static void forget_lines(SourceGame *source) {
    for (size_t i = 0; i < source->line_count; i++) {
        free(source->lines[i].plies);
        free(source->lines[i].marks);
        tag_list_clear(&source->lines[i].remarks);
        text_clear(&source->lines[i].said.text);
        free(source->lines[i].fault);
    }
    source->line_count = 0;
}

void source_game_clear(SourceGame *source) {
    game_clear(&source->game);
    free(source->plies);
    tag_list_clear(&source->tags);
    tag_list_clear(&source->remarks);
    text_clear(&source->said.text);
    forget_lines(source);
    free(source->lines);
    *source = (SourceGame){0};
}

void source_game_start(SourceGame *source, const Position *start) {
    source->record.start = *start;
    source->record.extra_plies = 0;
    game_reset(&source->game, start);
}

Status source_read_fen(FenSide side, const char *fen, Position *position, size_t *sided, Err *err) {
    const size_t board = fen_board_length(fen, strlen(fen));
    if (side == FEN_SIDE_FREE || board == 0 || fen_fields(fen).side) {
        return position_from_fen(position, fen, err);
    }
    if (side == FEN_SIDE_NEEDED) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the FEN '%.60s' does not state the side to move; --side red or --side "
                       "black says whose move it is in all such positions",
                       fen);
    }
    AUTO(Text) text = {0};
    text_add(&text, "%s %c", fen, side == FEN_SIDE_RED ? 'w' : 'b');
    ++*sided;
    return position_from_fen(position, text.data, err);
}

void source_game_reset(SourceGame *source) {
    Position start;
    position_init_start(&start);
    source->record = (GameRecord){0};
    source->varied = source->has_result = source->judged = source->named = source->exact = false;
    source->fault = END_NONE;
    source->placed = source->filled = false;
    source->illegal = false;
    source->sided = 0;
    source->line = source->remarks_cut = source->variations_cut = source->tags_cut = 0;
    source->said.open = false;
    source->tags.count = source->remarks.count = 0;
    forget_lines(source);
    source_game_start(source, &start);
}

static PlyRecord *add_ply(PlyRecord **plies, size_t *capacity, size_t at, Move move) {
    *plies = memory_room(*plies, capacity, at + 1, sizeof **plies);
    (*plies)[at] = (PlyRecord){.move = move, .score_red = SCORE_UNKNOWN};
    return &(*plies)[at];
}

// Returns true if a move can be played. Otherwise marks the game as one with an illegal move.
static bool can_play(SourceGame *source, const Position *now, Move move) {
    const bool legal = position_is_pseudo_legal(now, move) && position_is_legal(now, move);
    source->illegal = source->illegal || !legal;
    return legal;
}

PlyRecord *source_game_push(SourceGame *source, Move move) {
    if (!can_play(source, &source->game.now, move)) return &source->spare;
    const size_t at = source->record.extra_plies + source->game.count;
    game_push(&source->game, move);
    return add_ply(&source->plies, &source->capacity, at, move);
}

PlyRecord *source_game_last(SourceGame *source, size_t number) {
    const SourceLine *line = number ? &source->lines[number - 1] : NULL;
    if (line) return line->count ? &line->plies[line->count - 1] : NULL;
    const size_t count = source->game.count;
    return count ? &source->plies[source->record.extra_plies + count - 1] : NULL;
}

bool source_game_start_odds(SourceGame *source, const Position *start, const char *odds,
                            const char *extra) {
    GameRecord record = {.start = *start, .extra_plies = MAX_ODDS_MOVES};
    GameWalk walk;
    game_walk_init(&walk, &record);
    const char *word;
    size_t length;
    while (text_next_word(&extra, &word, &length)) {
        Move move;
        if (walk.ply == MAX_ODDS_MOVES ||
            move_parse_legal(&walk.position, word, length, 0, &move, NULL) != STATUS_OK) {
            return false;
        }
        add_ply(&source->plies, &source->capacity, walk.ply, move);
        game_walk_step(&walk, &record, move);
        // After an extra move the same side moves again. If the extra move gave check, this side
        // could capture the general.
        if (position_general_attacked(&walk.position, side_other((Side)walk.position.stm))) {
            return false;
        }
    }
    source_game_start(source, start);
    source->record.extra_plies = walk.ply;
    snprintf(source->record.odds, sizeof source->record.odds, "%s", odds);
    game_reset(&source->game, &walk.position);
    return true;
}

// ---- variations --------------------------------------------------------------------------------

const Position *source_game_now(const SourceGame *source, size_t line) {
    return line ? &source->lines[line - 1].now : &source->game.now;
}

const Position *source_game_before(const SourceGame *source, size_t line) {
    if (line) return source->lines[line - 1].count ? &source->lines[line - 1].before : NULL;
    return source->game.count ? game_position(&source->game, source->game.count - 1) : NULL;
}

uint32_t source_game_plies(const SourceGame *source, size_t line) {
    if (line) return source->lines[line - 1].ply + (uint32_t)source->lines[line - 1].count;
    return source->record.extra_plies + (uint32_t)source->game.count;
}

size_t source_game_add_variation(SourceGame *source, size_t parent, const Position *start,
                                 uint32_t ply) {
    if (source->line_count == SOURCE_LINES_MOST) {
        source->variations_cut++;
        return 0;
    }
    while (parent && source->lines[parent - 1].ply == ply)
        parent = source->lines[parent - 1].parent;
    source->lines = memory_room(source->lines, &source->line_capacity, source->line_count + 1,
                                sizeof *source->lines);
    source->lines[source->line_count++] =
        (SourceLine){.parent = parent, .ply = ply, .start = *start, .now = *start};
    return source->line_count;
}

void source_game_set_fault(SourceGame *source, size_t line, const Err *fault) {
    Err *kept = source->lines[line - 1].fault = memory_alloc(1, sizeof *kept);
    *kept = *fault;
}

void source_game_play(SourceGame *source, size_t number, Move move) {
    if (number == 0) {
        source_game_push(source, move);
        return;
    }
    SourceLine *line = &source->lines[number - 1];
    if (!can_play(source, &line->now, move)) return;
    add_ply(&line->plies, &line->capacity, line->count++, move);
    line->before = line->now;
    game_do_move(&line->before, move, &line->now);
    if (line->count % LINE_MARK) return;
    line->marks =
        memory_room(line->marks, &line->mark_capacity, line->mark_count + 1, sizeof *line->marks);
    line->marks[line->mark_count++] = line->now;
}

void source_line_position(const SourceLine *line, size_t ply, Position *position) {
    const size_t mark = ply / LINE_MARK;
    *position = mark ? line->marks[mark - 1] : line->start;
    for (size_t i = mark * LINE_MARK; i < ply; i++) {
        const Position before = *position;
        game_do_move(&before, line->plies[i].move, position);
    }
}

void source_game_tag(SourceGame *source, const char *name, const char *value, size_t length) {
    while (length > 0 && isspace((unsigned char)*value)) {
        value++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)value[length - 1])) length--;
    if (tag_is_remark(name)) return;
    source->tags_cut += length > TAG_VALUE_MAX;
    if (length > 0) tag_list_add(&source->tags, name, value, length);
}

// Stores the collected text as the remark of its ply: a tag with the number of the ply in its name.
// The remarks of a line are stored in the order of their plies. No tag name occurs twice, so the
// tag is appended without a search.
static void end_remark(SourceGame *source, TagList *remarks, RemarkText *said) {
    // The main line and each variation can have this number of tags with remarks. Further remarks
    // are omitted.
    char name[32];
    TagList one = {0};
    if (!said->open) return;
    said->open = false;
    source->remarks_cut += remarks->count >= REMARK_ROWS_MOST || said->text.length > TAG_REMARK_MAX;
    if (remarks->count >= REMARK_ROWS_MOST) return;
    snprintf(name, sizeof name, TAG_REMARK "%zu", said->ply);
    tag_list_add(&one, name, said->text.data, said->text.length);
    tag_list_append(remarks, one.list, one.count);
    tag_list_clear(&one);
}

void source_game_remark(SourceGame *source, size_t number, const char *text, size_t length) {
    SourceLine *line = number ? &source->lines[number - 1] : NULL;
    RemarkText *said = line ? &line->said : &source->said;
    const size_t ply = line ? line->count : source->record.extra_plies + source->game.count;
    while (length > 0 && isspace((unsigned char)*text)) text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
    if (length == 0) return;
    if (said->ply != ply) end_remark(source, line ? &line->remarks : &source->remarks, said);
    if (!said->open) text_reset(&said->text);
    if (said->open) text_add(&said->text, " ");
    said->open = true;
    said->ply = ply;
    if (said->text.length <= TAG_REMARK_MAX) text_add_bytes(&said->text, text, length);
}

void source_game_end(SourceGame *source) {
    end_remark(source, &source->remarks, &source->said);
    for (size_t i = 0; i < source->line_count; i++) {
        end_remark(source, &source->lines[i].remarks, &source->lines[i].said);
    }
}

static const struct {
    const char *text;
    int8_t result;
} results[] = {
    {"1/2-1/2", 0}, {"1-0", 1},     {"0-1", -1},    {"1/2", 0},    {"½-½", 0},     {"0.5-0.5", 0},
    {"红胜", 1},    {"紅勝", 1},    {"红先胜", 1},  {"紅先勝", 1}, {"红方胜", 1},  {"紅方勝", 1},
    {"先胜", 1},    {"先勝", 1},    {"黑胜", -1},   {"黑勝", -1},  {"黑方胜", -1}, {"黑方勝", -1},
    {"红负", -1},   {"紅負", -1},   {"先负", -1},   {"先負", -1},  {"红先负", -1}, {"紅先負", -1},
    {"和棋", 0},    {"和局", 0},    {"和", 0},      {"先和", 0},   {"红先和", 0},  {"紅先和", 0},
    {"双方和", 0},  {"红方负", -1}, {"紅方負", -1}, {"黑负", 1},   {"黑負", 1},    {"1:0", 1},
    {"0:1", -1},    {"1/2:1/2", 0}, {"0.5:0.5", 0},
};

const char *result_to_text(int result) {
    if (result == RESULT_NONE) return "*";
    return results[result == 0 ? 0 : result > 0 ? 1 : 2].text;
}

bool result_from_text(const char *text, int8_t *result) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(text, results[i].text) != 0) continue;
        *result = results[i].result;
        return true;
    }
    return false;
}

bool result_is_open(const char *text) {
    return *text == '\0' || strcmp(text, "*") == 0 || strcmp(text, "?") == 0 ||
           strcmp(text, "未知") == 0 || strcmp(text, "未完") == 0;
}

bool move_system_from_tag(const char *text, NotationSystem *system) {
    // Names of notations that .wxf files, xqbase and XBoard use.
    static const struct {
        const char *text;
        NotationSystem system;
    } others[] = {
        {"axf", NOTATION_WXF},
        {"salg", NOTATION_SAN},
        {"ucci", NOTATION_UCI},
        {"pgn", NOTATION_SAN},
        {"chinese chess", NOTATION_CHINESE},
        {"中文", NOTATION_CHINESE},
    };
    for (int i = 0; i < NOTATION_SYSTEM_COUNT; i++) {
        if (strcasecmp(text, notation_name((NotationSystem)i)) != 0) continue;
        *system = (NotationSystem)i;
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcasecmp(text, others[i].text) != 0) continue;
        *system = others[i].system;
        return true;
    }
    return false;
}
