// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/pages/view.h"

#include <errno.h>
#include <string.h>

#include "core/base/json.h"
#include "core/system/out_file.h"
#include "datasets/exchange/games_read.h"
#include "datasets/formats/board_list.h"
#include "datasets/store/game_key.h"

EMBED_TEXT(viewer_html, "selfplay/pages/viewer.html");
EMBED_TEXT(viewer_css, "selfplay/pages/viewer.css");
EMBED_TEXT(viewer_js, "selfplay/pages/viewer.js");
static const PagePart style = {"selfplay/pages/viewer.css", viewer_css};
static const PagePart script = {"selfplay/pages/viewer.js", viewer_js};

// ---- a game in JSON -----------------------------------------------------------------------------

// Appends `value` modulo 90 as one character. None of the 90 characters needs escaping in a JSON
// string or in HTML.
static void add_digit(Text *text, unsigned value) {
    static const char digits[] = "!#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    text_add_bytes(text, &digits[value % SQUARE_COUNT], 1);
}

static void add_move(Text *text, Move move) {
    add_digit(text, move == MOVE_NONE ? 0 : (unsigned)move_from(move));
    add_digit(text, move == MOVE_NONE ? 0 : (unsigned)move_to(move));
}

// Appends a score from Red's side as a number of three digits with base 90: 0 if it is unknown,
// 32769 + score in units, or 132768 + plies to mate (negative if Black mates).
static void add_score(Text *text, const PlyRecord *ply) {
    const bool known = ply->score_red != SCORE_UNKNOWN;
    const unsigned value = ply->mate_red ? (unsigned)(132768 + ply->mate_red)
                           : known       ? (unsigned)(32769 + ply->score_red)
                                         : 0;
    add_digit(text, value / (SQUARE_COUNT * SQUARE_COUNT));
    add_digit(text, value / SQUARE_COUNT);
    add_digit(text, value);
}

// Appends a JSON member with a string. Escapes '<', because the JSON stands in a script element,
// which
// "</script" would end and "<!--" would change.
static void add_string(Text *text, const char *key, const char *value) {
    if (!value || !*value) return;
    AUTO(Text) plain = {0};
    json_add_string(&plain, value);
    text_add(text, ",\"%s\":", key);
    for (const char *c = plain.data; *c; c++) {
        if (*c == '<') {
            text_add(text, "\\u003c");
        } else {
            text_add_bytes(text, c, 1);
        }
    }
}

static void add_column(Text *text, char key, const ExportGame *given,
                       void (*add)(Text *text, const PlyRecord *ply)) {
    text_add(text, ",\"%c\":\"", key);
    for (uint32_t i = 0; i < given->game->ply_count; i++) add(text, &given->plies[i]);
    text_add(text, "\"");
}
static void add_played(Text *text, const PlyRecord *ply) {
    add_move(text, ply->move);
}
static void add_preferred(Text *text, const PlyRecord *ply) {
    add_move(text, ply->best);
}
static void add_depth(Text *text, const PlyRecord *ply) {
    add_digit(text, ply->depth < SQUARE_COUNT ? ply->depth : SQUARE_COUNT - 1);
}

static void add_start(Text *text, const GameRecord *game) {
    char fen[FEN_SIZE];
    position_to_fen(&game->start, FEN_UCI, fen);
    if (strcmp(fen, START_FEN) != 0) add_string(text, "f", fen);
    if (game->opening_plies) text_add(text, ",\"o\":%u", game->opening_plies);
    if (game->extra_plies) text_add(text, ",\"x\":%u", game->extra_plies);
    add_string(text, "h", game->odds);
}

// Appends moves in the requested notation. These are the played moves or, if `preferred` is set,
// the moves that the search preferred to them ("-" if it preferred no other move).
static void add_written(Text *text, const ExportGame *given, bool preferred) {
    const NotationSystem system = (NotationSystem)given->system;
    const GameRecord *game = given->game;
    Position now = game->start;
    AUTO(Text) all = {0};
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const Move move = given->plies[i].move, wanted = preferred ? given->plies[i].best : move;
        char word[NOTATION_SIZE] = "-";
        if (wanted != MOVE_NONE) notation_write(system, NULL, &now, wanted, word);
        text_add(&all, "%s%s", i ? " " : "", word);
        Position after;
        position_do_move(&now, move, &after);
        now = after;
        // After an extra move of the handicap the same side moves again.
        if (i < game->extra_plies) position_do_null(&after, &now);
    }
    add_string(text, preferred ? "k" : "l", text_get(&all));
}

// Appends the start, remarks, moves, searches and variations of a game or of a variation.
static void add_line(const ExportGame *given, Text *text) {
    const GameRecord *game = given->game;
    bool scored = false, deep = false, preferred = false;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const PlyRecord *ply = &given->plies[i];
        scored = scored || ply->mate_red || ply->score_red != SCORE_UNKNOWN;
        deep = deep || ply->depth;
        preferred = preferred || ply->best != MOVE_NONE;
    }
    add_start(text, game);
    AUTO(Text) value = {0};
    for (uint32_t ply = 0; game->tag_count && ply <= game->ply_count; ply++) {
        char key[16];
        snprintf(key, sizeof key, "x%u", ply);
        if (export_remark(given, ply, &value)) add_string(text, key, text_get(&value));
    }
    add_column(text, 'm', given, add_played);
    if (scored) add_column(text, 's', given, add_score);
    if (deep) add_column(text, 'd', given, add_depth);
    if (preferred) add_column(text, 'p', given, add_preferred);
    if (given->system != MOVES_DETECTED) add_written(text, given, false);
    if (given->system != MOVES_DETECTED && preferred) add_written(text, given, true);
    for (const ExportGame *other = given->variations; other; other = other->next) {
        text_add(text, "%s{\"a\":%u", other == given->variations ? ",\"y\":[" : ",",
                 other->branch_ply);
        add_line(other, text);
        text_add(text, other->next ? "}" : "}]");
    }
}

void view_add_game(const ExportGame *given, const char *more, Text *text) {
    const GameRecord *game = given->game;
    text_add(text, "{\"n\":%llu", (unsigned long long)game->index);
    if (!given->open && game->result != RESULT_NONE) text_add(text, ",\"r\":%d", game->result);
    AUTO(Text) value = {0};
    add_string(text, "w", export_tag(given, "Red", &value));
    add_string(text, "b", export_tag(given, "Black", &value));
    add_string(text, "v", export_tag(given, "Event", &value));
    add_string(text, "t", export_tag(given, "Date", &value));
    if (game->reason) add_string(text, "e", end_reason_name((EndReason)game->reason));
    if (game_result_is_given(game) && game->end_reason) {
        text_add(text, ",\"z\":[%u,\"%s\"]", game->end_ply,
                 end_reason_name((EndReason)game->end_reason));
    }
    const int opening = game_opening(game, given->plies);
    if (opening >= 0) add_string(text, "q", opening_name(opening));
    add_line(given, text);
    text_add(text, "%s}", more);
}

// ---- the page -----------------------------------------------------------------------------------

typedef struct PageView {
    const ViewSpec *spec;
    FILE *out;
    Text text;
    ViewCounts *counts;
    int write_errno; // errno of a failed write to the page; 0: none failed
} PageView;

static Status cannot_write(const PageView *view, Err *err) {
    return err_set(err, STATUS_IO, "cannot write %s: %s", view->spec->out,
                   strerror(view->write_errno));
}

static Status write_game(void *context, const ExportGame *game, Err *err) {
    PageView *view = context;
    text_reset(&view->text);
    text_add(&view->text, view->counts->games ? "\n,\n" : "\n");
    view_add_game(game, "", &view->text);
    if (fwrite(view->text.data, 1, view->text.length, view->out) != view->text.length) {
        view->write_errno = errno;
        return cannot_write(view, err);
    }
    view->counts->games++;
    return STATUS_OK;
}

static void refuse_record(void *context, const ImportPlace *place, const char *why) {
    const PageView *view = context;
    view->counts->refused++;
    if (view->spec->refused) view->spec->refused(view->spec->context, place->path, why);
}

static Status add_games(PageView *view, Progress *progress, Err *err) {
    const ViewSpec *spec = view->spec;
    if (spec->games) {
        fputs(spec->games, view->out);
        return STATUS_OK;
    }
    const GamesReading reading = {
        .path = spec->path,
        .format = spec->format,
        .read = spec->read,
        .system = spec->notation,
        .game = write_game,
        .hooks = {.refused = refuse_record, .context = view},
        .context = view,
    };
    const Status status = games_read(&reading, progress, err);
    // games_read() adds the name of the input file to an error. If the page cannot be written, that
    // name would be misleading.
    return view->write_errno ? cannot_write(view, err) : status;
}

// Appends the title of the page: "Games: NAME" or "Review: NAME", where NAME is the last component
// of the path.
static void add_title(Text *title, const ViewSpec *spec) {
    const char *path = spec->path;
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    text_add(title, "%s: %.*s", spec->note ? "Review" : "Games", (int)(end - begin), path + begin);
}

// Appends the text that replaces a placeholder of the template, such as {{title}}.
static void add_part(const ViewSpec *spec, const char *mark, const char *title, Html *html) {
    if (strncmp(mark, "{{title", 7) == 0) page_add_text(html, title);
    if (strncmp(mark, "{{note}", 7) == 0 && spec->note) {
        page_add(
            html,
            "<details class='note'><summary>How this was computed</summary><p>%s</p></details>",
            spec->note);
    }
    if (strncmp(mark, "{{match", 7) == 0 && spec->section) page_add_html(html, spec->section);
    if (strncmp(mark, "{{notation", 10) == 0 && spec->notation != MOVES_DETECTED) {
        page_add(html, "<option value=\"written\" selected>%s</option>",
                 notation_name((NotationSystem)spec->notation));
    }
}

// Writes the page. Errors of the stream are found when the file is closed.
static Status write_page(PageView *view, Progress *progress, Err *err) {
    AUTO(Html) html = {0};
    AUTO(Text) title = {0};
    add_title(&title, view->spec);
    page_add_head(&html, title.data, &style, &script);
    for (const char *at = viewer_html; *at;) {
        const char *mark = strstr(at, "{{"), *end = mark ? mark : at + strlen(at);
        page_flush(&html, view->out);
        fwrite(at, 1, (size_t)(end - at), view->out);
        if (!mark) break;
        at = strstr(mark, "}}") + 2;
        if (strncmp(mark, "{{games", 7) == 0) TRY(add_games(view, progress, err));
        add_part(view->spec, mark, title.data, &html);
    }
    page_end(&html, &script);
    page_flush(&html, view->out);
    return STATUS_OK;
}

Status view_write(const ViewSpec *spec, Progress *progress, ViewCounts *counts, Err *err) {
    OutFile file;
    TRY(out_file_open(&file, spec->out, err));
    PageView view = {.spec = spec, .out = file.stream, .counts = counts};
    Status status = write_page(&view, progress, err);
    if (status == STATUS_OK && counts->games == 0) {
        status = err_set(err, STATUS_BAD_INPUT, "%s: the file contains no game", spec->path);
    }
    text_clear(&view.text);
    return out_file_close(&file, status, err);
}
