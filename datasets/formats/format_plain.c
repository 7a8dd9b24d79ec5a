// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of the training data of variant-nnue-tools: entries of a few lines,
//     fen rnbakabnr/... w - - 0 1
//     move h3e3          (ranks from 1, as Fairy-Stockfish has them)
//     score 35           of the side to move; 32000 less the plies is a mate
//     ply 0
//     result 1           of the side to move: 1, 0, -1
//     e
// A position whose score is not known has no line for it.
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"

enum { PLAIN_MATE = 32000 };

// The value behind a key and a blank; NULL when the line has another key.
static const char *value_of(const char *line, const char *key) {
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ' ') return NULL;
    return line + length + 1 + strspn(line + length + 1, " ");
}

static bool read_plain_line(EntryReader *reader, const char *line) {
    const char *value;
    if ((value = value_of(line, "fen"))) return entry_fen(reader, value);
    if ((value = value_of(line, "move"))) return entry_move(reader, value, &reader->entry.move);
    if ((value = value_of(line, "score"))) return entry_score(reader, value, PLAIN_MATE, true);
    if ((value = value_of(line, "result"))) return entry_result(reader, value, true);
    if (value_of(line, "ply")) return true;
    char shown[PRINTABLE_SIZE];
    notation_printable(line, strlen(line), shown);
    err_set(reader->err, STATUS_BAD_INPUT, "'%s' is none of fen, move, score, ply, result, e",
            shown);
    reader->refusal = IMPORT_FIELDS;
    return false;
}

static bool ends_entry(const char *line) {
    return line[0] == 'e' && line[1 + strspn(line + 1, " \t")] == '\0';
}

static bool read_plain_entry(EntryReader *reader, char **text) {
    for (char *line; (line = entry_line(reader, text));) {
        if (ends_entry(line)) return true;
        if (*line && !read_plain_line(reader, line)) return false;
    }
    err_set(reader->err, STATUS_BAD_INPUT, "the entry has no end, which is a line 'e'");
    reader->refusal = IMPORT_FIELDS;
    return false;
}

// Takes lines up to the end of an entry; false when there are none.
static bool take_entry_lines(SourceReader *reader) {
    bool taken = false;
    while (line_reader_next_record(&reader->lines)) {
        source_reader_take_line(reader);
        taken = true;
        if (ends_entry(reader->lines.line)) break;
    }
    return taken;
}

// Reads the entry that was taken last, from `begin` of the text on.
static bool read_taken(SourceReader *reader, EntryReader *entries, size_t begin) {
    char *copy = memory_copy_text(text_get(&reader->text) + begin), *at = copy;
    entry_begin(entries);
    const bool good = read_plain_entry(entries, &at);
    free(copy);
    return good;
}

// Is the next line the FEN that is expected?
static bool next_fen_is(SourceReader *reader, const Position *expected) {
    if (!line_reader_next_record(&reader->lines)) return false;
    line_reader_unread(&reader->lines);
    const char *fen = value_of(reader->lines.line, "fen");
    Position next;
    return fen && position_from_fen(&next, fen, NULL) == STATUS_OK && next.key == expected->key;
}

// The first line of an entry is its FEN. An entry that has the right one and then turns out not to
// follow is kept for the next record.
bool cut_plain(SourceReader *reader) {
    EntryReader entries;
    PositionEntry expected = {0};
    entry_reader_init(&entries, &reader->settings, reader->format->writer->system, NULL);
    size_t begin = 0, line = reader->pending_line;
    if (reader->pending.length) {
        reader->line = line;
        text_add_bytes(&reader->text, reader->pending.data, reader->pending.length);
        text_reset(&reader->pending);
    } else if (!take_entry_lines(reader)) {
        return false;
    }
    bool first = true;
    while (!reader->cut_off) {
        const bool good = read_taken(reader, &entries, begin);
        if (!(good && entry_follows(&entries.entry, first, &expected)) && !first) {
            text_add(&reader->pending, "%s", reader->text.data + begin);
            reader->pending_line = line;
            reader->text.length = begin;
        }
        if (reader->pending.length || !good || !expected.positioned ||
            !next_fen_is(reader, &expected.position)) {
            break;
        }
        first = false;
        begin = reader->text.length;
        line = reader->lines.number;
        take_entry_lines(reader);
    }
    return true;
}

ImportRefusal read_plain(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                         Err *err) {
    EntryReader entries;
    entry_reader_init(&entries, settings, game_format(FORMAT_PLAIN)->writer->system, err);
    return read_entries(text, text->data, settings, &entries, read_plain_entry, source);
}

static void write_entry(const ExportGame *given, const GameWalk *walk, const PlyRecord *ply,
                        Text *out) {
    const Position *position = &walk->position;
    char fen[FEN_SIZE], move[NOTATION_SIZE];
    position_to_fen(position, FEN_UCI, fen);
    notation_write((NotationSystem)given->system, NULL, position, ply->move, move);
    char *dash = given->system == NOTATION_UCI1 ? strchr(move, '-') : NULL;
    if (dash) memmove(dash, dash + 1, strlen(dash));
    text_add(out, "fen %s\nmove %s\n", fen, move);
    const int mate = value_of_mover(position, ply->mate_red);
    if (mate != 0) {
        text_add(out, "score %d\n", mate > 0 ? PLAIN_MATE - mate : -PLAIN_MATE - mate);
    } else if (ply->score_red != SCORE_UNKNOWN) {
        text_add(out, "score %d\n", value_of_mover(position, ply->score_red));
    }
    text_add(out, "ply %u\nresult %d\ne\n", walk->ply,
             value_of_mover(position, given->game->result));
}

Status write_plain(const ExportGame *given, Text *out, Err *err) {
    return write_entries(given, write_entry, out, err);
}
