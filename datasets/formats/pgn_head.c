// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the lines before the moves of a game: PGN tags, and the labels in .wxf files and in texts
// copied from XQStudio and dpxq.com.
#include <stdio.h>
#include <strings.h>

#include "datasets/formats/pgn_text.h"
#include "datasets/store/game_key.h"

// ---- tags --------------------------------------------------------------------------------------

// Tags that are not stored with the game. The reader interprets Result, FEN, Format, Odds,
// OddsStart and OddsMoves. Game, SetUp and Variant carry no further information.
static const char *const own_tags[] = {"Game",    "Result", "FEN",       "SetUp",    "Format",
                                       "Variant", "Odds",   "OddsStart", "OddsMoves"};
enum { OWN_TAGS = sizeof own_tags / sizeof *own_tags };

// Tags whose value decides how the game is read.
static const char *const read_tags[] = {"Result", "FEN",       "Format",
                                        "Odds",   "OddsStart", "OddsMoves"};

// Sets pgn->twice if the game already has a tag with this name and another value, and the tag
// decides how the game is read.
static void check_twice(Pgn *pgn, const char *name, const char *value, size_t size) {
    const TagList *tags = &pgn->source->tags;
    for (size_t i = 0; i < sizeof read_tags / sizeof *read_tags; i++) {
        if (strcasecmp(name, read_tags[i]) != 0) continue;
        if (!tag_value(tags->list, tags->count, name, &pgn->value)) return;
        const char *first = text_get(&pgn->value);
        const bool same = strlen(first) == size && memcmp(first, value, size) == 0;
        if (!same && !pgn->twice) pgn->twice = read_tags[i];
    }
}

// Stores a tag. "White" at the beginning of a name becomes "Red", because some programs treat
// xiangqi as a chess variant.
static void take_tag(Pgn *pgn, const char *name, size_t length, const char *value, size_t size) {
    char own[TAG_NAME_SIZE] = "";
    const bool white = length >= 5 && strncasecmp(name, "White", 5) == 0;
    SourceGame *source = pgn->source;
    if (length >= sizeof own) {
        source->tags_cut++;
        return;
    }
    // A tag with the name of a remark (RemarkN) gets the prefix "Tag", so that it is not read as a
    // remark.
    const char *before = white ? "Red" : tag_is_remark(name) ? "Tag" : "";
    snprintf(own, sizeof own, "%s%.*s", before, (int)(white ? length - 5 : length),
             white ? name + 5 : name);
    check_twice(pgn, own, value, size);
    bool counts = true;
    for (int i = 0; i < OWN_TAGS; i++) counts = counts && strcasecmp(own, own_tags[i]) != 0;
    const bool full = counts && pgn->tags == TAGS_MOST;
    const bool taken = !full && tag_list_add(&source->tags, own, value, size);
    pgn->tags += counts && taken;
    // If a tag is repeated with the same value, nothing is lost, so the tag is not counted in
    // tags_cut.
    const char *other = taken ? "" : pgn_tag(pgn, own);
    const bool same = strlen(other) == size && memcmp(other, value, size) == 0;
    source->tags_cut += taken ? size > TAG_VALUE_MAX : !same && size > 0;
}

// Returns true if a tag begins somewhere between `at` and `end`.
static bool holds_tag(const char *at, const char *end) {
    for (; (at = memchr(at, '[', (size_t)(end - at))); at++) {
        const char *name = at + 1;
        while (name < end && (isalnum((unsigned char)*name) || *name == '_')) name++;
        const char *quote = name;
        while (quote < end && (*quote == ' ' || *quote == '\t')) quote++;
        if (name > at + 1 && quote > name && quote < end && *quote == '"') return true;
    }
    return false;
}

// Returns the end of a quoted tag value that begins at `at`. Many programs do not escape quotes
// inside a value. The value therefore ends at the first of these places that exists:
// 1. the last "] before the next tag on the line, or before the line end
// 2. the last escaped quote before a bracket ]
// 3. the first quote
// 4. the line end
static const char *value_end(const char *at, const char *end) {
    const char *quote = NULL, *first = NULL, *escaped = NULL;
    for (; at < end && !pgn_is_line_end(*at); at++) {
        if (*at == '\\' && at + 1 < end && (at[1] == '"' || at[1] == '\\')) {
            at++;
            if (*at == '"' && at + 1 < end && at[1] == ']') escaped = at;
            continue;
        }
        if (*at != '"') continue;
        if (!first) first = at;
        const char *next = at + 1;
        while (next < end && (*next == ' ' || *next == '\t')) next++;
        if (next == end || *next != ']') continue;
        if (quote && holds_tag(quote, at)) break;
        quote = at;
        next++;
        while (next < end && (*next == ' ' || *next == '\t')) next++;
        if (next < end && *next == '[') break;
    }
    return quote ? quote : escaped ? escaped : first ? first : at;
}

// Pointers to the name and the value in the text of a tag.
typedef struct TagText {
    const char *name, *value, *value_end, *end;
    size_t name_length;
    bool quoted;
} TagText;

// Splits the tag whose opening bracket is at `at` into name and value. A tag without quotes ends at
// its closing bracket, or at the line end if that bracket is missing.
static TagText split_tag(const char *at, const char *end) {
    TagText tag = {0};
    at++;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    tag.name = at;
    while (at < end && !pgn_is_space(*at) && !strchr("\"]", *at)) at++;
    tag.name_length = (size_t)(at - tag.name);
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    tag.quoted = at < end && *at == '"';
    tag.value = at += tag.quoted;
    if (tag.quoted) {
        at = value_end(at, end);
    } else {
        while (at < end && !pgn_is_line_end(*at) && *at != ']') at++;
    }
    tag.value_end = at;
    while (at < end && !pgn_is_line_end(*at) && *at != ']') at++;
    tag.end = at < end ? at + 1 : at;
    return tag;
}

const char *pgn_tag_end(const char *at, const char *end) {
    return split_tag(at, end).end;
}

bool pgn_tag_is_open(const char *at, const char *end) {
    const TagText tag = split_tag(at, end);
    return tag.quoted && tag.value_end == end;
}

void pgn_read_tag(Pgn *pgn) {
    // The buffer has one byte more than a stored value may have, so that a longer value is noticed.
    char value[TAG_VALUE_MAX + 1];
    size_t length = 0;
    const TagText tag = split_tag(pgn->at, pgn->end);
    for (const char *at = tag.value; at < tag.value_end; at++) {
        const bool escape = tag.quoted && *at == '\\' && at + 1 < tag.value_end;
        if (escape && (at[1] == '"' || at[1] == '\\')) at++;
        if (length < sizeof value) value[length++] = *at;
    }
    pgn->at = tag.end;
    pgn->tagged = pgn->tagged || tag.quoted;
    take_tag(pgn, tag.name, tag.name_length, value, length);
}

const char *pgn_tag(Pgn *pgn, const char *name) {
    tag_value(pgn->source->tags.list, pgn->source->tags.count, name, &pgn->value);
    return text_get(&pgn->value);
}

void pgn_keep_tags(SourceGame *source) {
    for (int i = 0; i < OWN_TAGS; i++) tag_list_remove(&source->tags, own_tags[i]);
    for (int i = 0; pgn_roster[i]; i++) {
        AUTO(Text) value = {0};
        tag_value(source->tags.list, source->tags.count, pgn_roster[i], &value);
        if (strspn(text_get(&value), "?.") == value.length) {
            tag_list_remove(&source->tags, pgn_roster[i]);
        }
    }
    // Removes the tag Opening if it has the name that our own writer adds to games without this
    // tag.
    GameRecord game = source->record;
    AUTO(Text) opening = {0};
    game.ply_count = game.extra_plies + (uint32_t)source->game.count;
    const int own_name = game_opening(&game, source->plies);
    tag_value(source->tags.list, source->tags.count, "Opening", &opening);
    if (own_name >= 0 && strcmp(text_get(&opening), opening_name(own_name)) == 0) {
        tag_list_remove(&source->tags, "Opening");
    }
}

// ---- labels -------------------------------------------------------------------------------------

// Labels before the moves, and the tags with the same meaning. They occur in .wxf files and in
// texts that were copied from XQStudio and dpxq.com.
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

// Returns the length of the colon after a label, with the blanks before it. If `wxf` is set, blanks
// alone are enough. Returns 0 if there is no colon.
static size_t colon_length(const char *at, bool wxf) {
    const size_t blank = strspn(at, " \t");
    if (at[blank] == ':') return blank + 1;
    if (strncmp(at + blank, "：", strlen("：")) == 0) return blank + strlen("：");
    return wxf ? blank : 0;
}

// If a known label is at pgn->at, stores its value as a tag and moves pgn->at to `end`, the line
// end. After a Latin label, as in .wxf files, the value ends at a semicolon. Returns false if there
// is no known label.
static bool take_known_label(Pgn *pgn, const char *end) {
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        const size_t length = strlen(labels[i].label);
        const bool latin = isupper((unsigned char)*labels[i].label);
        if (!pgn_begins(pgn, pgn->at, labels[i].label)) continue;
        const char *value = pgn->at + length;
        const size_t colon = colon_length(value, pgn->wxf && latin);
        if (colon == 0) continue;
        value += colon;
        size_t size = (size_t)(end - value);
        const char *semicolon = latin ? memchr(value, ';', size) : NULL;
        if (semicolon) size = (size_t)(semicolon - value);
        while (size > 0 && pgn_is_space(*value)) value++, size--;
        while (size > 0 && pgn_is_space(value[size - 1])) size--;
        check_twice(pgn, labels[i].name, value, size);
        source_game_tag(pgn->source, labels[i].name, value, size);
        pgn->at = end;
        return true;
    }
    return false;
}

// Returns true if the text contains a move that is legal in the start position of this game.
static bool holds_move(Pgn *pgn, const char *at, const char *end) {
    Position start;
    Move move;
    const char *fen = pgn_tag(pgn, "FEN");
    bool found = false;
    if (!*fen || position_from_fen(&start, fen, NULL) != STATUS_OK) position_init_start(&start);
    while (at < end && !found) {
        const char *word = at;
        while (at < end && !pgn_is_space(*at) && *at != ':' && !pgn_begins(pgn, at, "：")) at++;
        const size_t number = pgn_number_length(word, (size_t)(at - word), false);
        const size_t length = (size_t)(at - word) - number;
        MoveReader trial = pgn->moves; // a reader that fits its notation to the word it reads
        found = length > 0 && (move_reader_read(&trial, &start, word + number, length, &move,
                                                NULL) == STATUS_OK ||
                               pgn_read_glued(&trial, &start, word + number, length, &move, &word));
        if (at < end) at += *at == (char)0xef ? strlen("：") : 1;
    }
    return found;
}

bool pgn_take_label(Pgn *pgn) {
    const char *const end = pgn_line_end(pgn->at, pgn->end);
    if (pgn->tagged || (!pgn->wxf && isdigit((unsigned char)*pgn->at))) return false;
    if (take_known_label(pgn, end)) return true;
    const char *stop = pgn->at;
    while (stop < end && !strchr(":{}()", *stop) && !pgn_begins(pgn, stop, "：")) stop++;
    const bool colon = stop < end && !strchr("{}()", *stop);
    if (!pgn->wxf && (!colon || holds_move(pgn, pgn->at, stop))) return false;
    const size_t wide = colon && *stop != ':' ? strlen("：") : 1;
    pgn->at = !pgn->wxf && holds_move(pgn, stop, end) ? stop + wide : end;
    return true;
}
