// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of games and positions of other programs. formats.def has one row per format. Reading has
// two steps: a file is first cut into records, in order; each record is then read, on any thread.
#pragma once

#include "core/notation/move_reader.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/html_text.h"
#include "datasets/formats/packed.h"
#include "datasets/store/tags.h"

// Finds the notation system for a name that files use, such as "iccs", "WXF" or "Chinese". Returns
// false if the name is not known.
bool move_system_from_tag(const char *text, NotationSystem *system);

// Reasons for refusing a record: IMPORT_REFUSAL(id, name).
#define IMPORT_REFUSALS(REFUSAL)                                                                   \
    REFUSAL(FIELDS, "fields")                                                                      \
    REFUSAL(RESULT, "result")                                                                      \
    REFUSAL(START, "start")                                                                        \
    REFUSAL(MOVE, "move")                                                                          \
    REFUSAL(LENGTH, "length")

typedef enum ImportRefusal {
    IMPORT_KEPT,
#define IMPORT_REFUSAL(id, name) IMPORT_##id,
    IMPORT_REFUSALS(IMPORT_REFUSAL)
#undef IMPORT_REFUSAL
        IMPORT_REFUSAL_COUNT
} ImportRefusal;

const char *import_refusal_name(ImportRefusal refusal);
// Fills *err and returns the refusal.
ImportRefusal import_refuse(Err *err, ImportRefusal refusal, const char *format, ...)
    PRINTF_LIKE(3, 4);

// Text about the last ply of a line. It collects all remarks until the next move.
typedef struct RemarkText {
    Text text;
    size_t ply;
    bool open; // text is not empty and not yet stored in the line's remarks
} RemarkText;

// A variation: a line of the game's tree other than the main line.
typedef struct SourceLine {
    size_t parent;        // number of the line that this one leaves, from 1; 0 is the main line
    uint32_t ply;         // plies of the game before the first move, including extra plies of odds
    Position start;       // position before its first move
    Position before, now; // positions before and after its last move
    PlyRecord *plies;
    size_t count, capacity;
    TagList remarks;
    RemarkText said;
    Err *fault;      // why the line cannot be read; NULL if it was read
    bool has_result; // the line has a result of its own
    int8_t result;   // result of the line, if has_result
} SourceLine;

enum { SOURCE_LINES_MOST = 100000 };

typedef struct SourceGame {
    GameRecord record; // start, odds, extra_plies, opening_plies and, when has_result, result
    bool has_result;
    bool varied;      // variations were left out, because ReadSettings.variations is not set
    bool judged;      // the result comes from the referee
    bool named;       // the result comes from the name of the file
    bool exact;       // the notation of the moves is certain
    int system;       // NotationSystem of the moves
    Game game;        // the game proper, without the extra plies of odds
    PlyRecord *plies; // record.extra_plies + game.count plies
    size_t capacity;
    size_t line;     // lines of the record before the fault
    TagList tags;    // tags of the game
    TagList remarks; // remarks about moves of the main line
    RemarkText said;
    size_t remarks_cut;    // remarks, of all lines, that were shortened or left out
    size_t variations_cut; // variations left out: too deep, too many, or before the first move
    size_t tags_cut;       // tags shortened or left out: too many, too long, or an invalid name
    SourceLine *lines;     // variations, only if ReadSettings.variations is set
    size_t line_count, line_capacity;
} SourceGame;

// The functions source_game_* and result_* are in source_game.c.

void source_game_init(SourceGame *source);
void source_game_clear(SourceGame *source);
AUTO_VALUE(SourceGame, source_game_clear)
// Empties the game. Its start becomes the initial position.
void source_game_reset(SourceGame *source);
void source_game_start(SourceGame *source, const Position *start);
// Starts a game with odds. `extra` lists the legal moves that one side plays from `start` before
// the game proper. On STATUS_BAD_INPUT the game is unchanged.
Status source_game_start_odds(SourceGame *source, const Position *start, const char *odds,
                              const char *extra, Err *err);
// Adds a remark (UTF-8) about the last ply of a line; line 0 is the main line. Several remarks
// about one ply are joined. source_game_end() stores them.
void source_game_remark(SourceGame *source, size_t line, const char *text, size_t length);
// Ends the reading of a record: stores the remarks that are still open.
void source_game_end(SourceGame *source);
// Plays a legal move. Its score is unknown; the other fields are zero.
PlyRecord *source_game_push(SourceGame *source, Move move);
// Returns the last ply of a line, or NULL if the line (or the game proper) has no ply.
PlyRecord *source_game_last(SourceGame *source, size_t line);

// Return the current position of a line, and the position before its last move or NULL. Line 0 is
// the main line.
const Position *source_game_now(const SourceGame *source, size_t line);
const Position *source_game_before(const SourceGame *source, size_t line);
// Begins a variation that leaves line `parent` after `ply` plies of the game. A variation that
// replaces the first move of another one leaves that one's parent. Returns its number, or 0 if
// there are too many.
size_t source_game_add_variation(SourceGame *source, size_t parent, const Position *start,
                                 uint32_t ply);
void source_game_play(SourceGame *source, size_t line, Move move);
void source_game_set_fault(SourceGame *source, size_t line, const Err *fault);
uint32_t source_game_plies(const SourceGame *source, size_t line);

// Adds a tag without the blanks around its value. An empty value is ignored.
void source_game_tag(SourceGame *source, const char *name, const char *value, size_t length);

// "1-0", "1/2-1/2", "0-1".
const char *result_to_text(int result);
// Reads a result as result_to_text() writes it, or in the words that people use ("1/2", 紅勝,
// 和棋 ...). Returns false if the text is not a result.
bool result_from_text(const char *text, int8_t *result);
// Returns true if the text says that the result is unknown: "*", "未知" or nothing.
bool result_is_open(const char *text);

typedef enum FormatId {
#define FORMAT(id, ...) FORMAT_##id,
#include "datasets/formats/formats.def"
    FORMAT_COUNT
} FormatId;

// The names of the formats that are read, and written, as OPTION_CHOICE wants them.
extern const char FORMAT_READ_CHOICES[];
extern const char FORMAT_WRITE_CHOICES[];

// ---- reading -----------------------------------------------------------------------------------

typedef struct SourceText {
    char *data; // zero-terminated; owned by the holder of the SourceText
    size_t length;
    size_t line;      // number of the first line, from 1; 0 in files without lines
    size_t offset;    // offset of the first byte, in files without lines
    size_t number;    // number of the game in its file, from 1
    bool cut_off;     // the record is longer than SOURCE_TEXT_MAX
    bool broken;      // no record; the file cannot be read beyond this place
    const char *file; // name of the file, "games.zip:sub/a.pgn"; stored after data
    const struct GameFormat *format;
} SourceText;

enum { SOURCE_TEXT_MAX = 32 << 20 };

// Point of view of scores and results in a file that does not say it.
typedef enum PointOfView { POV_AUTO, POV_RED, POV_STM } PointOfView;

typedef struct ReadSettings {
    int system;         // notation of the moves, or MOVES_DETECTED
    bool fill_moves;    // play the first legal move in a position without a move
    bool positions;     // accept positions without moves, for openings
    bool variations;    // read the variations
    PointOfView pov;    // csv: view of columns whose names do not say it; POV_AUTO: Red's
    bool format_option; // the command has an option --format; error messages refer to it
} ReadSettings;

struct SourceReader;
struct ExportGame;

// Cuts the next record into reader->text. Returns false at the end of the file.
typedef bool CutRecord(struct SourceReader *reader);
// Reads a record. If the record is refused, *err holds the reason and source->line the place.
typedef ImportRefusal ReadRecord(const SourceText *text, const ReadSettings *settings,
                                 SourceGame *source, Err *err);
// Appends a game. Returns STATUS_CORRUPT with the ply in *err if a move cannot be played.
typedef Status WriteGame(const struct ExportGame *game, Text *out, Err *err);
// Appends one position. `fen` and `move` are the position and the move as text.
typedef void WriteEntry(const struct ExportGame *game, const GameWalk *walk, const PlyRecord *ply,
                        const char *fen, const char *move, Text *out);

// Data of a game that a format may lack: EXPORT_LOSS(name, message after the count).
#define EXPORT_LOSSES(LOSS)                                                                        \
    LOSS(moves, "omitted: the format %s cannot hold them")                                         \
    LOSS(scores, "omitted: the format %s cannot hold them")                                        \
    LOSS(mates, "omitted or written as scores: the format %s cannot hold them")                    \
    LOSS(high_scores, "cut: the largest score of the format %s is 10000 units")                    \
    LOSS(searches, "omitted: the format %s cannot hold depth, nodes and preferred move")           \
    LOSS(times, "omitted: the format %s cannot hold them")                                         \
    LOSS(unscored, "written with the score 0: in the format %s each position has a score")         \
    LOSS(counters, "cut to 127 plies without a capture: the format %s has 7 bits for them")        \
    LOSS(odds, "omitted: in the format %s the games begin after the extra moves")                  \
    LOSS(tags, "omitted: the format %s cannot hold them")                                          \
    LOSS(remarks, "omitted: the format %s cannot hold them")

typedef enum ExportLoss {
#define EXPORT_LOSS(name, text) LOST_##name,
    EXPORT_LOSSES(EXPORT_LOSS)
#undef EXPORT_LOSS
        EXPORT_LOSS_COUNT
} ExportLoss;

typedef struct GameFormat {
    FormatId id;
    const char *name, *extension, *summary;
    bool positions; // its records are positions with their outcomes
    bool scored;    // its positions should have scores, because other programs need them
    bool bytes;     // its files are binary and have no lines
    bool single;    // each file that is written holds one game
    bool trees;     // its records can hold remarks and variations
    CutRecord *cut; // NULL, like read, if the format can only be written
    ReadRecord *read;
    WriteGame *write;      // NULL if the format can only be read
    WriteEntry *entry;     // writes one position, for write_entries()
    NotationSystem system; // default notation of the moves that are written
    const char *header;    // first line of a file, without line end, or ""
    unsigned lacks;        // bits of ExportLoss
} GameFormat;

const GameFormat *game_format(FormatId id);
// Finds the format of a file by the extension of its name. The extension may also be the name of a
// format. Returns NULL if no format fits.
const GameFormat *game_format_of_name(const char *path);
// Finds the format by the magic bytes or the first tag of the content (XQF, CBR, CBL, PGN,
// DhtmlXQ). Returns NULL if no format fits.
const GameFormat *game_format_of_mark(const char *head, size_t length);
// Returns true if a text contains a PGN tag: [Name "value".
bool text_has_pgn_tag(const char *text, size_t length);
// Finds the format by the beginning of the content. Returns NULL if no format fits.
const GameFormat *game_format_of_content(const char *head, size_t length);

// Counts of files: those in folders and archives that were not read, by the endings of their names,
// and the text files that were read, by encoding.
typedef struct PassedOver {
    size_t encodings[ENCODING_COUNT];
    size_t count;
    size_t endings; // number of elements of `by`
    struct {
        char ending[12]; // "" for names without an ending
        char name[200];  // name of the first such file
        size_t count;
    } by[24]; // further endings are only counted in `count`
} PassedOver;

// Returns true if all lines are blank or begin with '#'.
bool content_is_blank(const char *head, size_t length);

// Cuts files into records. In source_reader.c.
typedef struct SourceReader {
    const GameFormat *given; // format of all files, or NULL: detect it by the content
    const GameFormat *format;
    ReadSettings settings;
    PassedOver *passed; // counts files of archives that are not read; may be NULL
    PackedFile *packed;
    LineReader lines; // lines of the current file; its stream reads from `packed`
    bool open;
    size_t games; // number of records cut from the current file
    Text ahead;   // bytes that the stream returns next: the head of the file, or decoded text
    size_t ahead_at;
    Text raw;              // bytes that are not yet decoded: an incomplete character
    TextEncoding encoding; // encoding of the current file
    bool is_html;          // the file is an HTML page, and `lines` has the lines of its text
    HtmlReader html;
    Text page_text; // text of the page that the stream has not returned yet
    size_t page_text_at;
    size_t line_bytes;               // bytes since the last line end
    Err failure;                     // reason why the file cannot be read to its end
    bool failed;                     // the stream has returned all bytes before the failure
    Text text;                       // record that is being cut
    size_t line;                     // number of its first line; 0: it has no line yet
    bool cut_off;                    // it is longer than SOURCE_TEXT_MAX
    const GameFormat *record_format; // format of this record, or NULL: the format of the file
    Text head;                       // text that precedes each record, such as column names
    Text pending;                    // first bytes of the next record, already read
    size_t pending_line;             // number of its first line
    size_t piece_at;                 // PGN: offset of the next piece in lines.line
    bool piece_open;                 // PGN: the line has a further piece
    bool piece_utf8;                 // PGN: the line is valid UTF-8
    bool tags_only;                  // PGN in HTML: ignore text between a result and the next tag
    size_t record_offset, offset;    // binary files: offsets of the record and of the next one
    size_t record_count;             // libraries: records cut so far, including deleted ones
} SourceReader;

// Returns true if a file of a folder or archive shall be read, judged by its name: its ending,
// after that of compression is removed, belongs to `format`, or to any format if `format` is NULL.
// Counts other files in *passed, which may be NULL.
bool source_name_is_wanted(const char *name, const GameFormat *format, PassedOver *passed);

// Opens a file or an archive. If `format` is NULL, the content of each file decides. If `path` is
// NULL or "-", reads standard input. source_name_is_wanted() chooses the files of an archive.
Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err);
// Opens the next file. Sets reader->format, and reader->lines to its lines. Returns
// STATUS_NOT_FOUND if there is none, else the status of packed_next().
Status source_reader_next_file(SourceReader *reader, Err *err);
// Cuts the next record of this file. The caller owns text->data. Returns false at the end.
bool source_reader_cut(SourceReader *reader, SourceText *text);
// Returns true if a read error ended the file; reader->failure says why.
bool source_reader_failed(SourceReader *reader);
// Cuts the next record of this file or the next one. If text->broken is set, *err holds the reason,
// without the file's name. Returns false after the last file, and after Ctrl-C.
bool source_reader_next(SourceReader *reader, SourceText *text, Err *err);
void source_reader_close(SourceReader *reader);

// Reads one record with the reader of its format, and refuses games without moves or with too many.
// Tries other notations if the detected one fails. In formats.c.
ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err);

// Copies the notation of the moves, and whether it is certain, from a move reader. In formats.c.
void source_game_take_system(SourceGame *source, const MoveReader *moves);

// Returns true if a line holds a FEN and moves: "FEN moves h2e2", "FEN h2e2". Such a line has the
// format moves, even in a file of epd. `system` is like ReadSettings.system. In format_moves.c.
bool line_has_game(const char *line, int system);

// Appends the reader's current line to the record.
void source_reader_take_line(SourceReader *reader);
// Appends a part of the current line. Adds the line end if the part reaches it.
void source_reader_take_part(SourceReader *reader, const char *part, size_t length);
// Reads more bytes of a binary file and appends them. Returns false at its end.
bool source_reader_take_bytes(SourceReader *reader, Text *bytes);

// ---- writing -----------------------------------------------------------------------------------

// A game to write. It may be part of a tree of games: the main line and its variations.
typedef struct ExportGame {
    const GameFormat *format;
    const GameRecord *game;
    const PlyRecord *plies;
    const TagRecord *tags; // game->tag_count tags, or NULL
    // Event, date and players that the run knows; used if the game has no such tag. May be NULL.
    const char *event, *date;
    const char *red, *black;
    int system;         // NotationSystem of the moves
    bool open;          // PGN: the game has not ended
    bool all_positions; // formats of positions: write all, not only the sampled positions
    bool only_scored;   // formats of positions: write only positions with a score
    bool continues;     // the game begins where the previous one ended: plies count from 0
    struct ExportGame *variations; // first variation that leaves this line, or NULL
    struct ExportGame *next;       // next variation that leaves the same line, or NULL
    uint32_t branch_ply;           // variation: plies of the other line before the first move
    size_t *tags_written;          // counts the tags that were written unshortened; may be NULL
} ExportGame;

// Returns true if a format of positions writes this ply. Extra moves of odds are never written: one
// side plays several in a row, and readers would take each for a game of its own.
bool export_wants_ply(const ExportGame *game, const PlyRecord *ply);

// ---- the readers and writers of the table ------------------------------------------------------

// Each function is in the file of its format: format_NAME.c, pgn_cut.c, pgn_read.c, pgn_write.c,
// position_lines.c (cut_entries, read_entries, write_entries), source_reader.c (cut_line,
// cut_file).
CutRecord cut_line, cut_pgn, cut_entries, cut_file, cut_cbl, cut_dhtmlxq;
ReadRecord read_moves, read_pgn, read_entries, read_xqf, read_cbr, read_cbl, read_dhtmlxq, read_mxq;
WriteGame write_moves, write_pgn, write_entries, write_xqf, write_cbr, write_dhtmlxq;
WriteEntry write_epd, write_texel, write_bullet, write_csv, write_plain, write_bin;

// ---- PGN: in pgn_write.c
// -------------------------------------------------------------------------

// Names of the tags that every game has, except Result, in their order; the last element is NULL.
extern const char *const pgn_roster[];

// A comment describes the search of a move: {+0.35/12 0.100s, n=5000, best=h2e2}, {-M7/9} or
// {book}. It holds the score in points (100 units) from the side that moved, or M and the plies to
// mate; then the depth, the time, the nodes, and the preferred move. XBoard, cutechess and
// fastchess write such comments without the preferred move.

// Appends "{...}", or nothing if the ply has no search data.
void pgn_comment_write(const PlyRecord *ply, Side side, bool book, Text *out);

// Reads a comment without its braces. Returns true if the move comes from an opening book.
bool pgn_comment_read(const char *text, size_t length, Side side, PlyRecord *ply);
// Returns true if a remark would be read as a score, or begins with ": ". The writer puts ": "
// before such a remark.
bool pgn_comment_scores(const char *text, size_t length);
