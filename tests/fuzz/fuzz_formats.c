// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of game files with arbitrary bytes. If a game is accepted, all its moves must
// be legal, it must pass the verification of stored games, and it must be unchanged after it was
// written and read back. If it is refused, there must be a message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "datasets/exchange/import.h"
#include "datasets/formats/position_lines.h"
#include "datasets/store/verify.h"
#include "tests/core/positions.h"
#include "tests/fuzz/fuzz.h"

// Checks that PGN keeps more than the moves: search results, the number of opening moves, and tags
// that have a value.
static void check_pgn_kept(const SourceGame *source, const SourceGame *again) {
    require(again->record.opening_plies == source->record.opening_plies);
    for (uint32_t i = 0; i < source->record.extra_plies + source->game.count; i++) {
        const PlyRecord *a = &source->plies[i], *b = &again->plies[i];
        require(a->move == b->move && a->score_red == b->score_red && a->mate_red == b->mate_red);
        const bool scored = a->score_red != SCORE_UNKNOWN; // PGN stores a depth only with a score
        require((a->depth == b->depth || !scored) && a->nodes == b->nodes && a->best == b->best);
    }
    char name[TAG_NAME_SIZE];
    Text value = {0}, other = {0};
    for (size_t at = 0; tag_next(source->tags.list, source->tags.count, &at, name, &value);) {
        // Remarks may change in PGN: braces become brackets, and NAGs move to the beginning.
        if (tag_is_remark(name)) continue;
        const bool found = tag_value(again->tags.list, again->tags.count, name, &other);
        const bool unknown = strspn(text_get(&value), "?. ") == value.length;
        require(unknown || (found && strcmp(text_get(&value), text_get(&other)) == 0));
    }
    text_clear(&value);
    text_clear(&other);
}

// Opens bytes as a file whose name has no ending, so it does not show the format.
static void open_bytes(SourceReader *reader, const void *bytes, size_t length,
                       const GameFormat *format, const ReadSettings *settings) {
    static char path[32];
    Err err = {0};
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    require(source_reader_open(reader, path, format, settings, &err) == STATUS_OK);
    close(fd);
}

// Writes the game, reads it back and compares the result and the moves. The format must be detected
// by the content.
static void check_written(const SourceGame *source, FormatId id, NotationSystem system) {
    const GameFormat *format = game_format(id);
    const ReadSettings settings = {.system = id == FORMAT_PGN ? MOVES_DETECTED : (int)system};
    GameRecord record = source->record;
    record.ply_count = record.extra_plies + (uint32_t)source->game.count;
    const ExportGame given = {.format = format,
                              .game = &record,
                              .plies = source->plies,
                              .tags = source->tags.list,
                              .system = (int)system,
                              .all_positions = true};
    Text text = {0};
    Err err = {0};
    SourceGame again;
    SourceReader reader;
    SourceText cut;
    source_game_init(&again);
    if (*format->header) text_add(&text, "%s\n", format->header);
    require(format->write(&given, &text, &err) == STATUS_OK);
    open_bytes(&reader, text.data, text.length, NULL, &settings);
    require(source_reader_next(&reader, &cut, &err) && cut.format == format);
    require(source_text_read(&cut, &settings, &again, &err) == IMPORT_KEPT);
    free(cut.data);
    require(!source_reader_next(&reader, &cut, &err));
    require(again.game.count == source->game.count && again.record.result == record.result);
    for (size_t i = 0; i < source->game.count; i++) {
        require(again.game.plies[i].move == source->game.plies[i].move);
    }
    if (id == FORMAT_PGN) check_pgn_kept(source, &again);
    source_reader_close(&reader);
    source_game_clear(&again);
    text_clear(&text);
}

// Checks that a variation does not begin after the last ply of the line from which it branches, and
// that its moves are legal.
static void check_line(const SourceGame *source, const SourceLine *line) {
    Position now = line->start, after;
    require(line->parent <= source->line_count &&
            line->ply <= source_game_plies(source, line->parent));
    for (size_t i = 0; i < line->count; i++) {
        require(position_is_pseudo_legal(&now, line->plies[i].move));
        require(position_is_legal(&now, line->plies[i].move));
        position_do_move(&now, line->plies[i].move, &after);
        now = after;
    }
    require(now.key == line->now.key && now.stm == line->now.stm);
}

static void check_game(const SourceGame *source) {
    const Game *game = &source->game;
    for (size_t i = 0; i < game->count; i++) {
        require(position_is_pseudo_legal(&game->plies[i].before, game->plies[i].move));
        require(position_is_legal(&game->plies[i].before, game->plies[i].move));
        require(source->plies[source->record.extra_plies + i].move == game->plies[i].move);
    }
    require(position_is_consistent(&game->now));
    for (size_t i = 0; i < source->line_count; i++) check_line(source, &source->lines[i]);
    if (game->count == 0) return;
    check_written(source, FORMAT_PGN, NOTATION_CHINESE);
    check_written(source, FORMAT_MOVES, NOTATION_WXF);
    check_written(source, FORMAT_XQF, NOTATION_UCI);
    check_written(source, FORMAT_CBR, NOTATION_UCI);
    check_written(source, FORMAT_DHTMLXQ, NOTATION_UCI);
    // Games with extra moves of a handicap (odds) are not checked in the position formats below.
    if (source->record.extra_plies > 0) return;
    check_written(source, FORMAT_EPD, NOTATION_UCI);
    check_written(source, FORMAT_CSV, NOTATION_UCI);
    check_written(source, FORMAT_PLAIN, NOTATION_UCI1);
}

// Checks that an accepted game can be added to a store and passes verification.
static void check_stored(const SourceGame *source) {
    const Rules rules = rules_default(RULES_AXF);
    GameBatch batch = {0};
    Text faults = {0};
    Err err = {0};
    Game game;
    game_init(&game, &source->record.start);
    game_batch_append(&batch, &source->record, source->plies, source->tags.list);
    require(game_batch_derive(&batch, &err) == STATUS_OK);
    verify_game(&rules, &batch, &batch.games[0], &game, &faults);
    require(faults.length == 0);
    text_clear(&faults);
    game_batch_clear(&batch);
    game_clear(&game);
}

// Surveys a whole file, and decides as far as possible.
static void survey_bytes(const uint8_t *data, size_t size, const GameFormat *format,
                         const ReadSettings *settings, Survey *survey) {
    SourceReader reader;
    Status status = STATUS_OK;
    Err err = {0};
    open_bytes(&reader, data, size, format, settings);
    reader.brief = true;
    while (status != STATUS_NOT_FOUND) {
        status = source_reader_next_file(&reader, &err);
        if (status == STATUS_OK) survey_file(&reader, survey);
    }
    source_reader_close(&reader);
    require(survey_decide(survey, settings, &err) == STATUS_OK || err.text[0] != '\0');
}

// Checks that an accepted record has no field twice: in plain no key in an entry, in csv no name in
// the line with the names.
static void check_once(FormatId format, char *text) {
    static const char *const names[] = {"fen", "move", "score", "ply", "result"};
    enum { NAMES = sizeof names / sizeof *names };
    bool seen[NAMES] = {false};
    for (char *line; (format == FORMAT_PLAIN || format == FORMAT_CSV) &&
                     (line = text_next_field(&text, '\n'));) {
        if (*line == '#') continue;
        if (format == FORMAT_PLAIN && plain_ends_entry(line)) memset(seen, 0, sizeof seen);
        while (line && *line) {
            char *word = line + strspn(line, " \"");
            line = word + strcspn(word, " \",;\t|");
            for (int i = 0; i < NAMES; i++) {
                if (!text_word_is(word, (size_t)(line - word), names[i])) continue;
                require(!seen[i]);
                seen[i] = true;
            }
            line = format == FORMAT_CSV && *line ? line + 1 : NULL;
        }
        if (format == FORMAT_CSV) return;
    }
}

// Reads a whole file. If `format` is NULL, the format is detected by the content.
static void fuzz_file(const uint8_t *data, size_t size, const GameFormat *format) {
    Survey survey = {0};
    ImportSpec spec = {.read = {.system = MOVES_DETECTED, .variations = true},
                       .rules = rules_default(RULES_AXF),
                       .sample = IMPORT_SAMPLE_ALL};
    SourceReader reader;
    SourceText text;
    Err err = {0};
    survey_bytes(data, size, format, &spec.read, &survey);
    spec.read.survey = &survey;
    open_bytes(&reader, data, size, format, &spec.read);
    while (source_reader_next(&reader, &text, &err)) {
        if (text.broken) { // the file cannot be read, has no known format, or has no game
            require(err.text[0] != '\0');
            free(text.data);
            continue;
        }
        SourceGame source;
        source_game_init(&source);
        err = (Err){0};
        char *copy = memory_alloc(text.length + 1, 1);
        memcpy(copy, text.data, text.length);
        const ImportRefusal refusal = import_read(&spec, &text, &source, &err);
        require(refusal == IMPORT_KEPT || err.text[0] != '\0');
        if (refusal == IMPORT_KEPT) {
            check_game(&source);
            check_stored(&source);
            check_once(text.format->id, copy);
        }
        free(copy);
        source_game_clear(&source);
        free(text.data);
    }
    source_reader_close(&reader);
    survey_clear(&survey);
}

FUZZ(pgn) {
    fuzz_file(data, size, game_format(FORMAT_PGN));
}
FUZZ(bin) {
    fuzz_file(data, size, game_format(FORMAT_BIN));
}
FUZZ(xqf) {
    fuzz_file(data, size, game_format(FORMAT_XQF));
}
FUZZ(mxq) {
    fuzz_file(data, size, game_format(FORMAT_MXQ));
}
FUZZ(dhtmlxq) {
    fuzz_file(data, size, game_format(FORMAT_DHTMLXQ));
}
FUZZ(moves) {
    fuzz_file(data, size, game_format(FORMAT_MOVES));
}

// Makes a library from an input: 'L', a number of records, a byte for each of them, which its entry
// of the index begins with, and the records. The index has its fixed place behind the head, so that
// an input need not have the 67,000 bytes before the first record.
static void fuzz_library(const uint8_t *data, size_t size) {
    enum { INDEX_AT = 66624, ENTRY_SIZE = 276 };
    const size_t records = data[0] % 8;
    if (size < 1 + records) return;
    const size_t head = INDEX_AT + records * ENTRY_SIZE, rest = size - 1 - records;
    uint8_t *file = memory_alloc(head + rest, 1);
    memcpy(file, "CCBridgeLibrary", 16);
    for (size_t i = 0; i < records; i++) file[INDEX_AT + i * ENTRY_SIZE] = data[1 + i];
    memcpy(file + head, data + 1 + records, rest);
    fuzz_file(file, head + rest, game_format(FORMAT_CBL));
    free(file);
}

// An input that begins like a CBL library is read in that format.
FUZZ(cbr) {
    const bool library = size >= 9 && memcmp(data, "CCBridge", 8) == 0 && data[8] != ' ';
    if (size >= 2 && data[0] == 'L') {
        fuzz_library(data + 1, size - 1);
    } else {
        fuzz_file(data, size, game_format(library ? FORMAT_CBL : FORMAT_CBR));
    }
}
// Lets the format be detected by the content, which tests the readers of all text formats (moves,
// epd, csv, plain ...).
FUZZ(positions) {
    fuzz_file(data, size, NULL);
}
