// SPDX-License-Identifier: GPL-3.0-or-later
// paotai book info: prints a summary of an opening book.
#include "core/base/json.h"
#include "core/command/common_rows.h"
#include "core/eval/eval.h"
#include "core/notation/opening_name.h"
#include "selfplay/openings/opening.h"

typedef struct BookInfoSettings {
    bool json;
} BookInfoSettings;

static const OptionRow info_rows[] = {ROW_JSON(BookInfoSettings), OPTION_END};

static Status run_book_info(const CommandCall *call, Err *err) {
    const BookInfoSettings *settings = call->settings;
    AUTO(Book) book = {.lines = NULL};
    TRY(book_load(call->args[0], NULL, BOOK_LINE_PLIES, &book, err));
    long long plies = 0, red = 0, phase = 0;
    AUTO(Game) game = {0};
    Position usual;
    uint64_t named[OPENING_NAME_COUNT] = {0};
    position_init_start(&usual);
    for (size_t i = 0; i < book.count; i++) {
        book_line_play(&book.lines[i], &game);
        plies += book.lines[i].count;
        red += game.now.stm == RED;
        if (book.lines[i].start.key == usual.key) {
            const int opening = opening_of_moves(book.lines[i].moves, (size_t)book.lines[i].count);
            if (opening >= 0) named[opening]++;
        }
        phase += eval_phase(&game.now);
    }
    Record record;
    record_begin(&record, call->out, settings->json);
    record_add(&record,
               "format %s openings %zu unique %zu red_to_move %lld moves_mean %.2f "
               "phase_mean %.2f hash %s",
               book.format, book.count, book_distinct(&book), red,
               (double)plies / (double)book.count, (double)phase / (double)book.count, book.hash);
    for (int i = 0; i < OPENING_NAME_COUNT; i++) {
        if (named[i] == 0) continue;
        char key[32], text[128];
        snprintf(key, sizeof key, "named_opening_%d", i + 1);
        snprintf(text, sizeof text, "%lu openings: %s", named[i], opening_name(i));
        record_add(&record, "%s %s", key, text);
    }
    record_end(&record);
    return STATUS_OK;
}

const Command command_book_info = {
    .name = "book info",
    .summary = "print a summary of an opening book",
    .usage = "FILE",
    .details = "A book is a list of FENs with optional moves after a tab, an EPD file (its "
               "operations are skipped), or a file of games such as PGN in any notation and "
               "encoding. The first 60 plies of each game are its opening.\n\n"
               "paotai book info build/book.epd\n"
               "paotai match --openings games.pgn --book-plies 10 --order sequence --pairs 100",
    .rows = info_rows,
    .settings_size = sizeof(BookInfoSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_book_info,
};
