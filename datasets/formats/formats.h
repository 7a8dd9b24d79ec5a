// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of games and positions of other programs: one row each in formats.def. Reading has two
// steps. A file is first cut into records, in order. Each record is then read, on any thread.
#pragma once

#include "core/notation/move_reader.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/html_text.h"
#include "datasets/formats/packed.h"
#include "datasets/store/tags.h"

// Finds the notation system of a name that files use: "iccs", "WXF", "Chinese" ... False if the
// name is not known.
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

// What has been said behind the last ply of a line, until something is said behind another.
typedef struct RemarkText {
    Text text;
    size_t ply;
    bool open; // there is one, and it is not yet among the line's remarks
} RemarkText;

// A line of a game's tree besides the main one.
typedef struct SourceLine {
    size_t of;            // number of the line that it leaves, from 1; 0 is the main line
    uint32_t ply;         // plies of the game before its first move, extra plies of odds included
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
    bool judged;      // the referee decided the result
    bool named;       // the name of the file says the result
    bool exact;       // the notation of the moves is certain
    int system;       // NotationSystem of the moves
    Game game;        // without the extra plies of odds
    PlyRecord *plies; // record.extra_plies + game.count of them
    size_t capacity;
    size_t line;     // lines of the record before the place of a refusal
    TagList tags;    // tags of the game
    TagList remarks; // remarks about moves of the main line
    RemarkText said;
    size_t remarks_cut;    // remarks, of all lines, that were shortened or left out
    size_t variations_cut; // variations left out: too deep, too many, or before the first move
    size_t tags_cut;       // tags shortened or left out: too many, too long, or an invalid name
    SourceLine *lines;     // where variations are wanted
    size_t line_count, line_capacity;
} SourceGame;

void source_game_init(SourceGame *source);
void source_game_clear(SourceGame *source);
AUTO_VALUE(SourceGame, source_game_clear)
// Empties the game. Its start becomes the initial position.
void source_game_reset(SourceGame *source);
void source_game_start(SourceGame *source, const Position *start);
// Starts a game of odds: `extra` lists legal moves of one side from `start`, before the game
// proper. On STATUS_BAD_INPUT the game is unchanged.
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
// Begins a variation that leaves line `of` after `ply` plies of the game. A variation that replaces
// the first move of another one leaves that one's parent. Returns its number, or 0 if there are too
// many.
size_t source_game_vary(SourceGame *source, size_t of, const Position *start, uint32_t ply);
void source_game_play(SourceGame *source, size_t line, Move move);
void source_game_break(SourceGame *source, size_t line, const Err *fault);
uint32_t source_game_plies(const SourceGame *source, size_t line);

// Adds a tag without the blanks around its value. An empty value is ignored.
void source_game_tag(SourceGame *source, const char *name, const char *value, size_t length);

// "1-0", "1/2-1/2", "0-1".
const char *result_to_text(int result);
// Reads a result as result_to_text() or people write it ("1/2", 紅勝, 和棋 ...). False if it is
// none.
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
    char *data; // owned by whoever holds the text; a zero byte follows the last
    size_t length;
    size_t line;      // of its beginning, from 1; 0 in files that have no lines
    size_t offset;    // of its first byte in files that have no lines
    size_t number;    // of the game in its file, from 1
    bool cut_off;     // at SOURCE_TEXT_MAX
    bool broken;      // no record: the file cannot be read from here on
    const char *file; // where it is from, "games.zip:sub/a.pgn"; stands behind data
    const struct GameFormat *format;
} SourceText;

enum { SOURCE_TEXT_MAX = 32 << 20 };

// Whose view scores and results have where a file does not say it.
typedef enum PointOfView { POV_AUTO, POV_RED, POV_STM } PointOfView;

typedef struct ReadSettings {
    int system;         // notation of the moves, or MOVES_DETECTED
    bool fill_moves;    // a position without a move takes the first legal one
    bool positions;     // a record without moves is a position, for openings; else it is refused
    bool variations;    // the lines of a game's tree are wanted
    PointOfView pov;    // columns alone; POV_AUTO: Red's
    bool format_option; // the command has an option --format
} ReadSettings;

struct SourceReader;
struct ExportGame;

// Cuts the next record into reader->text. Returns false at the end of the file.
typedef bool CutRecord(struct SourceReader *reader);
// Reads a record. If it is refused, *err says why and source->line where.
typedef ImportRefusal ReadRecord(const SourceText *text, const ReadSettings *settings,
                                 SourceGame *source, Err *err);
// Appends a game. Returns STATUS_CORRUPT with the ply in *err if a move cannot be played.
typedef Status WriteGame(const struct ExportGame *game, Text *out, Err *err);
// Appends a position, its FEN and its move as text.
typedef void WriteEntry(const struct ExportGame *game, const GameWalk *walk, const PlyRecord *ply,
                        const char *fen, const char *move, Text *out);

// What a format may be unable to hold of a game: EXPORT_LOSS(name, what becomes of it).
#define EXPORT_LOSSES(LOSS)                                                                        \
    LOSS(moves, "left out: %s has none")                                                           \
    LOSS(scores, "left out: %s has none")                                                          \
    LOSS(mates, "left out or written as scores: %s has none")                                      \
    LOSS(high_scores, "cut: the highest of %s is 10000 units")                                     \
    LOSS(searches, "left out: %s has no place for depth, nodes and preferred move")                \
    LOSS(times, "left out: %s has none")                                                           \
    LOSS(unscored, "written as 0: in %s a position has a score")                                   \
    LOSS(counters, "cut to 127 plies without a capture: %s has room for 7 bits")                   \
    LOSS(odds, "left out: %s has none, and begins behind the extra moves")                         \
    LOSS(tags, "left out: %s has no room for them")                                                \
    LOSS(remarks, "left out: %s has none")

typedef enum ExportLoss {
#define EXPORT_LOSS(name, text) LOST_##name,
    EXPORT_LOSSES(EXPORT_LOSS)
#undef EXPORT_LOSS
        EXPORT_LOSS_COUNT
} ExportLoss;

typedef struct GameFormat {
    FormatId id;
    const char *name, *extension, *summary;
    bool positions; // a record is made of positions with their outcomes
    bool scored;    // of which other programs want a score
    bool bytes;     // the file has no lines
    bool single;    // a written file holds one game
    bool trees;     // a record holds remarks and variations
    CutRecord *cut; // NULL, like read: the format is only written
    ReadRecord *read;
    WriteGame *write;      // NULL: the format is only read
    WriteEntry *entry;     // of positions, for write_entries()
    NotationSystem system; // of the moves that are written, unless another is asked for
    const char *header;    // first line of a file, without its end; "" for none
    unsigned lacks;        // bits of ExportLoss
} GameFormat;

const GameFormat *game_format(FormatId id);
// Returns the format of a file by the extension of its name, which may also be the name of a
// format; NULL if there is none.
const GameFormat *game_format_of_name(const char *path);
// Returns the format whose mark begins the content (XQF, CBR, CBL, PGN, DhtmlXQ); NULL if none
// does.
const GameFormat *game_format_of_mark(const char *head, size_t length);
// Returns true if a text holds a tag of PGN: [Name "value".
bool text_has_pgn_tag(const char *text, size_t length);
// Returns the format by the beginning of the content; NULL if no format fits.
const GameFormat *game_format_of_content(const char *head, size_t length);

// Files of folders and archives that were not read, by the endings of their names; and the
// encodings of the text files that were.
typedef struct PassedOver {
    size_t encodings[ENCODING_COUNT];
    size_t count;
    size_t endings; // of these
    struct {
        char ending[12]; // "" for none
        char name[200];  // of the first one
        size_t count;
    } by[24]; // rarer ones are in `count` alone
} PassedOver;

// Returns true if all lines are blank or begin with '#'.
bool content_is_blank(const char *head, size_t length);

typedef struct SourceReader {
    const GameFormat *given; // NULL: each file tells by its content
    const GameFormat *format;
    ReadSettings settings;
    PassedOver *passed; // where files of archives are counted that are not wanted; may be NULL
    PackedFile *packed;
    LineReader lines; // of the present file; its stream is read from `packed`
    bool open;
    size_t games; // records cut so far of this file
    Text ahead;   // bytes that the stream gives next: the first of the file, or decoded text
    size_t ahead_at;
    Text raw;              // not yet decoded: less than a character
    TextEncoding encoding; // of the file
    bool is_html;          // the file is a page: `lines` are of its text
    HtmlReader html;
    Text page_text; // decoded from the page and not yet given
    size_t page_text_at;
    size_t line_bytes; // since the last end of a line
    Err failure;       // why the file cannot be read to its end
    bool failed;       // the stream has given all that stood before that
    Text text;         // of the record that is being cut
    size_t line;
    bool cut_off;
    const GameFormat *record_format; // of this record if it is another than that of the file
    Text head;                       // what every record of the file begins with (names of columns)
    Text pending; // what has been taken already of the next record, from this line on
    size_t pending_line;
    size_t piece_at;              // PGN: where the next piece of lines.line begins
    bool piece_open;              // there is one
    bool piece_utf8;              // the line is in UTF-8
    bool tags_only;               // PGN in a page: what stands between the games is left out
    size_t record_offset, offset; // of files without lines: the record, and the next
    size_t record_count;          // of a library so far, deleted ones too
} SourceReader;

// Returns true if a file of a folder or archive is to be read by its name: the ending, after that
// of packing, belongs to `format`, or to any format if that is NULL. Other files are counted in
// *passed, which may be NULL.
bool source_name_is_wanted(const char *name, const GameFormat *format, PassedOver *passed);

// Opens a file or an archive. format NULL: each file's content tells the format. path NULL or "-":
// standard input. The files of an archive are chosen by source_name_is_wanted().
Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err);
// Opens the next file. Sets reader->format, and reader->lines to its lines. Returns
// STATUS_NOT_FOUND if there is none, else the status of packed_next().
Status source_reader_next_file(SourceReader *reader, Err *err);
// Cuts the next record of this file. The caller owns text->data. Returns false at the end.
bool source_reader_cut(SourceReader *reader, SourceText *text);
// Returns true if a read error ended the file; reader->failure says why.
bool source_reader_failed(SourceReader *reader);
// Cuts the next record, of this file or the next one. If text->broken, *err says why, without the
// file's name. Returns false after the last file, and after Ctrl-C.
bool source_reader_next(SourceReader *reader, SourceText *text, Err *err);
void source_reader_close(SourceReader *reader);

// Reads one record by its format. Also makes the refusals that all formats share.
ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err);

void source_game_take_system(SourceGame *source, const MoveReader *moves);

// Returns true if a line that begins with a FEN goes on with moves: "FEN moves h2e2", "FEN h2e2".
// It is a game of the format moves, also among lines of epd. system: as ReadSettings.system.
bool line_has_game(const char *line, int system);

// Appends the reader's current line to the record.
void source_reader_take_line(SourceReader *reader);
// Appends a part of that line, and the end of the line if the part reaches it.
void source_reader_take_part(SourceReader *reader, const char *part, size_t length);
// Appends more bytes of a file without lines. Returns false at its end.
bool source_reader_take_bytes(SourceReader *reader, Text *bytes);

// ---- writing -----------------------------------------------------------------------------------

typedef struct ExportGame {
    const GameFormat *format; // of positions
    const GameRecord *game;
    const PlyRecord *plies;
    const TagRecord *tags;    // game->tag_count of them; NULL: none
    const char *event, *date; // where no tag tells them; may be NULL
    const char *red, *black;  // and the players
    int system;               // NotationSystem of the moves
    bool open;                // PGN: the game goes on
    bool all_positions;       // formats of positions: not only the sampled ones
    bool only_scored;         // and none without a score
    bool apart;               // it begins where the game before it ended: plies count from 0
    // Formats of trees: the first variation that leaves this line; of a variation, the next one
    // that leaves the same line, and after how many plies of that it does.
    struct ExportGame *variations, *next;
    uint32_t leaves;
    size_t *told; // counts the tags that the format takes whole; may be NULL
} ExportGame;

// Returns true if a format of positions writes this ply. Extra moves of odds are never written: the
// same side moves again, so they would be read back as games of one move.
bool export_wants_ply(const ExportGame *game, const PlyRecord *ply);

// ---- the readers and writers of the table ------------------------------------------------------

CutRecord cut_line, cut_pgn, cut_entries, cut_file, cut_cbl, cut_dhtmlxq;
ReadRecord read_moves, read_pgn, read_entries, read_xqf, read_cbr, read_cbl, read_dhtmlxq, read_mxq;
WriteGame write_moves, write_pgn, write_entries, write_xqf, write_cbr, write_dhtmlxq;
WriteEntry write_epd, write_texel, write_bullet, write_csv, write_plain, write_bin;

// ---- tags of PGN --------------------------------------------------------------------------------

// The tags that every game has, in their order, without Result; the last entry is NULL.
extern const char *const pgn_roster[];

// ---- comments of PGN ----------------------------------------------------------------------------

// A comment describes the search of a move: {+0.35/12 0.100s, n=5000, best=h2e2}, {-M7/9} or
// {book}. It has the score in points (100 units) from the side that moved, or M and the plies to
// mate; the depth, the time, the nodes, and the preferred move. XBoard, cutechess and fastchess
// write the same without the preferred move.

// Appends "{...}", or nothing if nothing is known.
void pgn_comment_write(const PlyRecord *ply, Side side, bool book, Text *out);

// Reads a comment without its braces. Returns true if the move comes from a book.
bool pgn_comment_read(const char *text, size_t length, Side side, PlyRecord *ply);
// Returns true if a remark would be read as a score, or begins with ": ". Such a remark is written
// after ": ".
bool pgn_comment_scores(const char *text, size_t length);
