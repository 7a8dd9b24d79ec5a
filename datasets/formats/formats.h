// SPDX-License-Identifier: GPL-3.0-or-later
// The formats that games of other programs come in and go out by: one row each in formats.def.
// Reading is done in two steps: a file is cut into the bytes of one game after the other, in order;
// each is then read by itself, on any thread.
#pragma once

#include "core/base/text.h"
#include "datasets/formats/move_reader.h"
#include "datasets/formats/packed.h"
#include "datasets/formats/source_game.h"

typedef enum FormatId {
#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary) FORMAT_##id,
#define FORMAT_READ(id, name, extension, content, cut, read, summary)                   FORMAT_##id,
#include "datasets/formats/formats.def"
    FORMAT_COUNT
} FormatId;

// The names as OPTION_CHOICE wants them, "auto" before each: of all formats, of the formats that
// are written, and of all notations.
extern const char FORMAT_READ_CHOICES[];
extern const char FORMAT_WRITE_CHOICES[];
extern const char MOVES_CHOICES[];

// ---- reading -----------------------------------------------------------------------------------

// The bytes of one game, as they are in the file.
typedef struct SourceText {
    char *data; // owned by whoever holds the text; a zero byte follows the last
    size_t length;
    size_t line;      // of its beginning, from 1; 0 in files that have no lines
    size_t offset;    // of its first byte in files that have no lines
    size_t number;    // of the game in its file, from 1
    bool cut_off;     // it is longer than SOURCE_TEXT_MAX, what is too much is left out
    bool broken;      // no record: the file cannot be read from here on
    const char *file; // where it is from, "games.zip:sub/a.pgn"; lives as long as data
    const struct GameFormat *format;
} SourceText;

enum { SOURCE_TEXT_MAX = 32 << 20 };

// How records are read where they leave a choice.
typedef struct ReadSettings {
    int system;      // notation of the moves, or MOVES_DETECTED
    bool fill_moves; // a position without a move takes the first legal one
} ReadSettings;

struct SourceReader;

typedef struct GameFormat {
    FormatId id;
    const char *name, *extension, *summary;
    bool positions; // a record is made of positions with their outcomes
    bool bytes;     // the file has no lines
    // Cuts the next record into reader->text; false at the end.
    bool (*cut)(struct SourceReader *reader);
    // Reads a record. When it is refused, *err says why and source->line where.
    ImportRefusal (*read)(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                          Err *err);
    const struct ExportFormat *writer; // NULL: it is not written
} GameFormat;

const GameFormat *game_format(FormatId id);
// By the extension of a file's name; NULL when there is none.
const GameFormat *game_format_of_name(const char *path);
// By how the content begins; NULL when no format fits.
const GameFormat *game_format_of_content(const char *head, size_t length);

// Files of folders and archives that were not read, by the endings of their names.
typedef struct PassedOver {
    size_t count;
    size_t endings; // of these
    struct {
        char ending[12]; // "" for none
        size_t count;
    } by[24]; // rarer ones are in `count` alone
} PassedOver;

// Is there nothing but blank lines and lines that begin with '#'?
bool content_is_blank(const char *head, size_t length);

// A file, or an archive of files, that is cut into records.
typedef struct SourceReader {
    const GameFormat *given; // NULL: each file tells by its content
    const GameFormat *format;
    ReadSettings settings;
    PassedOver *passed; // where files of archives are counted that are not wanted; may be NULL
    PackedFile *packed;
    LineReader lines; // of the present file; its stream is read from `packed`
    bool open;
    size_t games; // records cut so far of this file
    // Bytes of the file that the stream gives next: the first, that tell the format, or decoded
    // text.
    Text ahead;
    size_t ahead_at;
    Text raw;  // of UTF-16, less than a character
    int utf16; // the second byte of its mark, 0xfe or 0xff; 0: the file is in something else
    size_t line_bytes; // since the last end of a line
    Err failure;       // why the file cannot be read to its end
    bool failed;       // the stream has given all that stood before that
    // The record that is being cut.
    Text text;
    size_t line;
    bool cut_off;
    Text head;    // what every record of the file begins with (names of columns)
    Text pending; // what has been taken already of the next record, from this line on
    size_t pending_line;
    // Files without lines: where the record begins, and where the next is looked for; the records
    // of a library so far, deleted ones too.
    size_t record_offset, offset, record_count;
} SourceReader;

// Does a folder or an archive hold games of a format (NULL: of any) in a file of this name? Packed
// files say so by the name without the ending that packing gave them; archives always. Others are
// counted in *passed, which may be NULL.
bool source_name_is_wanted(const char *name, const GameFormat *format, PassedOver *passed);

// format NULL: by the content. path NULL or "-": standard input. A file may be packed; of an
// archive the files are read that a folder would give. Text in UTF-16 with its mark is read as
// UTF-8.
Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err);
// The same for a file in memory, which stays the caller's.
void source_reader_open_bytes(SourceReader *reader, const char *bytes, size_t length,
                              const GameFormat *format, const ReadSettings *settings);
// Goes on to the next file of an archive, or to the one there is: its format is reader->format, its
// lines can be read from reader->lines. STATUS_NOT_FOUND when there is none; else as packed_next().
Status source_reader_next_file(SourceReader *reader, Err *err);
// The next record of this file; the caller owns text->data. False at its end.
bool source_reader_cut(SourceReader *reader, SourceText *text);
// The next record, of this file or the next. Where it is broken, *err says why, without the name of
// the file. False at the end, or after Ctrl-C.
bool source_reader_next(SourceReader *reader, SourceText *text, Err *err);
void source_reader_close(SourceReader *reader);

// Reads the bytes of one record into an initialised source. The refusals that hold for all formats
// are made here too.
ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err);

// For the readers: the game's moves are all read.
void source_game_take_system(SourceGame *source, const MoveReader *moves);

// For the cutters: appends the reader's present line to the record.
void source_reader_take_line(SourceReader *reader);

// ---- writing -----------------------------------------------------------------------------------

// What a writer gets of a game.
typedef struct ExportGame {
    const GameRecord *game;
    const PlyRecord *plies;
    const int32_t *times_ms;  // of each ply, < 0 unknown; NULL: none is known
    const char *event, *date; // may be NULL
    const char *red, *black;  // the players; may be NULL
    const char *note;         // on the game as a whole; may be NULL
    int system;               // NotationSystem of the moves
    bool all_positions;       // formats of positions: not only the sampled ones
    bool only_scored;         // and none without a score
} ExportGame;

// Is the position of this ply, one of given->plies, wanted? Those of the extra moves of odds never
// are: there the same side moves again, and they would come back as games of one move.
bool export_wants_ply(const ExportGame *game, const PlyRecord *ply);

typedef struct ExportFormat {
    // Appends a game. STATUS_CORRUPT with the ply when a move cannot be played.
    Status (*write)(const ExportGame *game, Text *out, Err *err);
    NotationSystem system; // of the moves, unless another is asked for
    const char *header;    // first line of a file, without its end; "" for none
    bool scored;           // positions, of which a score is expected
} ExportFormat;

// ---- the readers and writers of the table ------------------------------------------------------

#define FORMAT(id, name, extension, content, cut, read, write, system, header, summary)            \
    bool cut(SourceReader *reader);                                                                \
    ImportRefusal read(const SourceText *text, const ReadSettings *settings, SourceGame *source,   \
                       Err *err);                                                                  \
    Status write(const ExportGame *game, Text *out, Err *err);
#define FORMAT_READ(id, name, extension, content, cut, read, summary)                              \
    bool cut(SourceReader *reader);                                                                \
    ImportRefusal read(const SourceText *text, const ReadSettings *settings, SourceGame *source,   \
                       Err *err);
#include "datasets/formats/formats.def"
