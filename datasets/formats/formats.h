// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of games and positions; formats.def has one line per format. A file is read in two steps.
// First it is divided into records, in order. Then each record is read, on any thread.
#pragma once

#include "core/notation/move_reader.h"
#include "core/system/in_file.h"
#include "datasets/formats/encoding.h"
#include "datasets/formats/html_text.h"
#include "datasets/formats/limits.h"
#include "datasets/formats/packed.h"
#include "datasets/store/game_key.h"
#include "datasets/store/tags.h"

// Finds the notation system with a name that files use, such as "iccs", "WXF" or "Chinese",
// ignoring case. Returns false if the name is unknown.
bool move_system_from_tag(const char *text, NotationSystem *system);

// Reasons why an import refuses a record: REFUSAL(id, name). They say which part of the record is
// at fault: its form, the result, the start position, a move, or the length of the game or record.
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
// Fills *err with STATUS_BAD_INPUT and a message, and returns `refusal`.
ImportRefusal import_refuse(Err *err, ImportRefusal refusal, const char *format, ...)
    PRINTF_LIKE(3, 4);

// Treatment of a FEN without a side to move. FEN_SIDE_FREE: Red moves, as in all commands that
// do not import; FEN_SIDE_NEEDED: it is refused; FEN_SIDE_RED, FEN_SIDE_BLACK: this side moves.
typedef enum FenSide { FEN_SIDE_FREE, FEN_SIDE_NEEDED, FEN_SIDE_RED, FEN_SIDE_BLACK } FenSide;

// Remarks about one ply of a line. They are collected until a remark about a later ply is added or
// the record ends, and then stored as one tag.
typedef struct RemarkText {
    Text text;
    size_t ply; // number of plies of the line before the remark; in a variation, plies are counted
                // from its first move
    bool open;  // set if `text` is not yet stored in the remarks of the line
} RemarkText;

// A variation that was read from a file.
typedef struct SourceLine {
    size_t parent;  // number of the line from which this variation branches: 0 is the main line, N
                    // is lines[N - 1]
    uint32_t ply;   // number of plies of the game before the first move of the variation, including
                    // extra plies of odds
    Position start; // position before the first move of the variation
    Position before, now; // the position before the last move that was read, and the position after
                          // it
    PlyRecord *plies;
    size_t count, capacity;
    Position *marks; // marks[i]: the position after LINE_MARK * (i + 1) plies of the variation
    size_t mark_count, mark_capacity;
    TagList remarks;
    RemarkText said;
    Err *fault;      // why the variation cannot be read to its end; NULL if it was read completely
    bool has_result; // the file states a result for this variation
    int8_t result;   // result in the file, if has_result is set
} SourceLine;

enum { LINE_MARK = 32 };

typedef struct SourceGame {
    GameRecord record; // a reader sets only start, odds, extra_plies, opening_plies and, if
                       // has_result is set, result; the import sets the other members
    bool has_result;   // the file states a result
    bool varied; // the record has variations, which were not read because ReadSettings.variations
                 // is not set
    EndReason fault; // the fault by which the file says the game ended, or END_NONE
    size_t sided;    // number of positions whose side to move was given by ReadSettings.side
    bool placed;     // format pgn: the record states a start position
    bool filled;     // the record is a position; its move was chosen by --fill-moves
    bool judged;     // the result was determined by the rules, not by the file
    bool named; // the result was found in the name of the file, of its folder or of its archive
    bool exact; // formats moves, pgn and wxf: true if the notation of the moves is certain
    int system; // formats moves, pgn and wxf: NotationSystem of the moves in the file
    Game game;  // main line, without the extra first moves of a handicap (odds)
    PlyRecord *plies; // array of the record.extra_plies + game.count plies of the main line
    size_t capacity;
    bool illegal;    // a move was not played because it is illegal
    PlyRecord spare; // the ply of such a move, which is not used
    size_t line;     // after a refusal: index of the faulty line in the record, counted from 0
    TagList tags;    // tags that the file has for the game
    TagList remarks; // remarks about moves of the main line, as tags
    RemarkText said;
    size_t remarks_cut;    // number of remarks that were shortened or omitted, in the main line and
                           // all variations
    size_t variations_cut; // number of variations omitted because they are too deep, too many,
                           // before the first move, or not attached to an existing ply
    size_t tags_cut;   // number of tags shortened or omitted because they are too many, too long,
                       // repeated with another value, or have an invalid name
    SourceLine *lines; // variations; only filled if ReadSettings.variations is set
    size_t line_count, line_capacity;
} SourceGame;

// The functions from here to result_is_open() are defined in source_game.c.

void source_game_init(SourceGame *source);
void source_game_clear(SourceGame *source);
AUTO_VALUE(SourceGame, source_game_clear)
// Removes the data of the previous record. The game then begins at the initial position.
void source_game_reset(SourceGame *source);
void source_game_start(SourceGame *source, const Position *start);
// Reads a FEN like position_from_fen(). If it does not state the side to move, `side` decides; if
// this is FEN_SIDE_RED or FEN_SIDE_BLACK, adds 1 to *sided.
Status source_read_fen(FenSide side, const char *fen, Position *position, size_t *sided, Err *err);
// Starts a game with the handicap `odds`; call it before the first move. `extra` lists the extra
// moves (such as "h2e2 h0g2") that one side plays from `start` before the game. Returns false, and
// does not change the position, if such a move is illegal or gives check, or if there are more than
// MAX_ODDS_MOVES.
bool source_game_start_odds(SourceGame *source, const Position *start, const char *odds,
                            const char *extra);
// Adds a remark, in UTF-8, about the last ply of a line (0 is the main line). Several remarks about
// one ply are joined with blanks. They are stored when a remark about a later ply is added, or by
// source_game_end().
void source_game_remark(SourceGame *source, size_t line, const char *text, size_t length);
// Ends the reading of a record: stores the remarks about the last plies.
void source_game_end(SourceGame *source);
// Plays a legal move in the main line and returns the new PlyRecord of the move. Its score_red is
// SCORE_UNKNOWN, and its other fields except `move` are zero. Readers check the moves of a file,
// and report the line of a move that is illegal. If they let one pass, it is not played, and
// source_text_read() refuses the record.
PlyRecord *source_game_push(SourceGame *source, Move move);
// Returns the last ply of a line (0: the main line), or NULL if the line has no ply. The extra
// moves that a handicap gives one side before the game do not count.
PlyRecord *source_game_last(SourceGame *source, size_t line);

// Return the current position of a line, and the position before its last move (NULL if there is no
// move). Line 0 is the main line.
const Position *source_game_now(const SourceGame *source, size_t line);
const Position *source_game_before(const SourceGame *source, size_t line);
// Begins a variation that branches from line `parent` after `ply` plies of the game; `start` is the
// position there. A variation that replaces the first move of another variation has the same parent
// as that one. Returns the number of the new line, or 0 if there are too many.
size_t source_game_add_variation(SourceGame *source, size_t parent, const Position *start,
                                 uint32_t ply);
// Message for a game with more than PLIES_MOST plies. A reader stops there, because the positions
// of a longer game would take much memory. The number is an argument.
#define PLIES_TOO_MANY "the game has more than %d plies, the limit of a stored game"

// Plays a legal move in a line (0: the main line).
void source_game_play(SourceGame *source, size_t line, Move move);
// Computes the position of a variation before its ply number `ply`, counted from 0.
void source_line_position(const SourceLine *line, size_t ply, Position *position);
// Stores why variation number `line` cannot be read further.
void source_game_set_fault(SourceGame *source, size_t line, const Err *fault);
// Returns the number of plies of the game up to the current position of a line, including the extra
// moves of a handicap.
uint32_t source_game_plies(const SourceGame *source, size_t line);

// Adds a tag as tag_list_add() does. Removes blanks at both ends of its value. Ignores a tag with
// an empty value, and a tag with the name RemarkN, which is reserved for remarks.
void source_game_tag(SourceGame *source, const char *name, const char *value, size_t length);

// Returns "1-0", "1/2-1/2", "0-1", or "*" for RESULT_NONE.
const char *result_to_text(int result);
// Reads a result as result_to_text() writes it (except "*"), or in other usual forms such as "1/2",
// 紅勝 and 和棋. Returns false if the text is not a result.
bool result_from_text(const char *text, int8_t *result);
// Returns true if the text states that the result is unknown, such as "*", "?", "未知", or an empty
// text.
bool result_is_open(const char *text);

// Returns the fault by which a game ended, such as END_TIME_FORFEIT for "White loses on time", or
// END_NONE. `comment` is true for the last comment of a game, and false for a value of the tag
// Termination.
EndReason end_fault_from_text(const char *text, size_t length, bool comment);

typedef enum FormatId {
#define FORMAT(id, ...) FORMAT_##id,
#include "datasets/formats/formats.def"
    FORMAT_COUNT
} FormatId;

// Choices of an option (OPTION_CHOICE): "auto", followed by the names of the formats that can be
// read, or of those that can be written.
extern const char FORMAT_READ_CHOICES[];
extern const char FORMAT_WRITE_CHOICES[];

// ---- reading -----------------------------------------------------------------------------------

typedef struct SourceText {
    char *data; // content of the record, followed by a zero byte; the owner of the SourceText frees
                // it
    size_t length;
    size_t line;   // line number of the record's first line, counted from 1; 0 if the file has no
                   // lines
    size_t offset; // offset of the record's first byte, if the file has no lines (in a packed file,
                   // of the unpacked bytes)
    size_t number; // number of the record in its file, from 1; 0 if `broken` is set
    uint64_t group; // value of the column /games/group; 0 except in formats of positions
    bool cut_off;   // the record is longer than source_record_max() and was cut
    bool broken; // set if there is no record: the file is refused, cannot be read further, or has
                 // no game
    const char *file; // name of the file, such as "games.zip:sub/a.pgn"; it is stored in `data`,
                      // behind the text
    const struct GameFormat *format;
} SourceText;

// Point of view of scores and results, for files that do not state it.
typedef enum PointOfView { POV_AUTO, POV_RED, POV_STM } PointOfView;

typedef struct ReadSettings {
    int system;      // NotationSystem of the moves, or MOVES_DETECTED to detect it
    bool fill_moves; // if a position has no played move, store the best move that the file states,
                     // or else the first legal move
    bool positions;  // accept positions without moves; used for opening books
    bool variations; // read variations; otherwise only the main line is read
    FenSide side;    // treatment of a FEN without a side to move
    // Point of view of values in csv, texel and bullet if no column name states it. POV_AUTO means
    // Red's view, except for results in points and W D L, which are refused. Also, if
    // a csv file has a column with the suffix "_stm", the point of view is unclear, and scores,
    // mates and results in columns without a suffix are refused.
    PointOfView pov;
    int score_unit;   // ScoreUnit that --score-unit gives
    int result_scale; // ResultScale that --result-scale gives; SCALE_OPEN: the survey decides
    const struct Survey *survey; // decisions of the first pass; NULL: there was none
    int record_mb;               // longest line and record, in megabytes; 0: RECORD_MB
    bool format_option; // the command has an option --format, so error messages may refer to it
} ReadSettings;

// Returns the largest size of a record, and of a line, in bytes.
ALWAYS_INLINE size_t source_record_max(const ReadSettings *settings) {
    return (size_t)(settings->record_mb ? settings->record_mb : RECORD_MB) << 20;
}

struct SourceReader;
struct ExportGame;

// Extracts the next record of the file to reader->text. Returns false if there is none. After a
// read error, the record may be incomplete.
typedef bool CutRecord(struct SourceReader *reader);
// Reads a game from a record. If it refuses the record, *err has the reason and source->line the
// place.
typedef ImportRefusal ReadRecord(const SourceText *text, const ReadSettings *settings,
                                 SourceGame *source, Err *err);
// Appends a game to `out`. Returns STATUS_CORRUPT, with the ply in *err, if a move cannot be
// played.
typedef Status WriteGame(const struct ExportGame *game, Text *out, Err *err);
// Appends one position to `out`. `fen` and `move` are the position and the played move as text.
typedef void WriteEntry(const struct ExportGame *game, const GameWalk *walk, const PlyRecord *ply,
                        const char *fen, const char *move, Text *out);

// LOSS(name, text): kinds of data that a format may not be able to hold. For each kind that was
// lost, an export prints the number of lost items, the name (with blanks for '_') and the text, in
// which %s becomes the name of the format.
#define EXPORT_LOSSES(LOSS)                                                                        \
    LOSS(moves, "were omitted: the format %s cannot hold them")                                    \
    LOSS(scores, "were omitted: the format %s cannot hold them")                                   \
    LOSS(mates, "were omitted, or written as ordinary scores: the format %s cannot mark mates")    \
    LOSS(high_scores, "were cut: the largest score of the format %s is 10000 units")               \
    LOSS(searches, "were omitted: the format %s cannot hold depth, nodes and preferred move")      \
    LOSS(times, "were omitted: the format %s cannot hold them")                                    \
    LOSS(unscored,                                                                                 \
         "positions were written with the score 0: in the format %s every position has a score")   \
    LOSS(counters, "were cut to 127 plies without a capture: the format %s stores only 7 bits")    \
    LOSS(odds,                                                                                     \
         "(games with extra moves) lost these moves: in the format %s a game begins after them")   \
    LOSS(tags, "were omitted or cut: the format %s cannot hold them in full")                      \
    LOSS(remarks, "were omitted: the format %s cannot hold them")                                  \
    LOSS(                                                                                          \
        long_remarks,                                                                              \
        "were cut: the format %s stores at most 64 KB (xqf) or 64 K characters (cbr) of a remark")

typedef enum ExportLoss {
#define EXPORT_LOSS(name, text) LOST_##name,
    EXPORT_LOSSES(EXPORT_LOSS)
#undef EXPORT_LOSS
        EXPORT_LOSS_COUNT
} ExportLoss;

typedef struct GameFormat {
    FormatId id;
    const char *name, *extension, *summary;
    bool positions; // files of this format hold positions with the results of their games; a record
                    // holds the positions of one game
    bool scored;    // the format is for programs that need a score with each position, so positions
                    // without a score are omitted by default
    bool bytes;     // files of this format are binary, without lines
    bool single;    // the writer writes each game to a file of its own
    bool trees;     // the writer writes remarks and variations
    CutRecord *cut; // `cut` and `read` are NULL if the format cannot be read
    ReadRecord *read;
    WriteGame *write;      // NULL if the format cannot be written
    WriteEntry *entry;     // writes one position; NULL except in formats of positions
    NotationSystem system; // default notation for writing moves
    const char *header; // line that stands before the games or positions of a written file, without
                        // its line end; "" if there is none
    unsigned lacks;     // bit i is set if the format cannot hold data of kind i (ExportLoss)
} GameFormat;

const GameFormat *game_format(FormatId id);
// Finds the format to which the ending of a file name belongs: the extension of the format, or a
// dot and its name. Ignores case. Returns NULL if no format fits.
const GameFormat *game_format_of_name(const char *path);
// Finds the format if the content begins with magic bytes (XQF, CBR, CBL) or with a tag (PGN,
// DhtmlXQ). Blank lines and lines that begin with '#' may precede the tag. Returns NULL if the
// content begins with neither.
const GameFormat *game_format_of_mark(const char *head, size_t length);
// Returns true if the text contains the first characters of a PGN tag: a bracket, a name, blanks
// and a quotation mark, as in [Event ".
bool text_has_pgn_tag(const char *text, size_t length);
// Detects the format by the first bytes of the content, decoded to UTF-8. Returns NULL if no format
// fits.
const GameFormat *game_format_of_content(const char *head, size_t length);

// Statistics of an import: the files in folders and archives that were not read, by the ending of
// their names, and the files that were opened as text, by encoding.
typedef struct PassedOver {
    size_t encodings[ENCODING_COUNT];
    size_t count;
    size_t endings; // number of elements used in `by`
    struct {
        char ending[12]; // ending of the names, such as ".txt"; "" for names without an ending or
                         // with an ending of more than 11 bytes
        char name[200];  // name of the first file with this ending
        size_t count;
    } by[24]; // skipped files for each of the first 24 name endings; files with further endings
              // are counted only in the sum PassedOver.count
} PassedOver;

// Returns true if every line is blank or begins with '#'.
bool content_is_blank(const char *head, size_t length);

// State while the rows of a file of positions are assigned to games (row_group_of()). Initialise
// with zeros; row_groups_clear() frees the memory.
typedef struct RowGroups {
    KeyMap numbers; // for each number of a game that the file states: the key of its group
    bool open;      // the next members describe the last row
    Position position;
    int64_t ply; // number of plies before the position; negative if the file does not state it
    bool has_result;
    int8_t result;
    uint64_t key; // group of the last row
} RowGroups;
void row_groups_clear(RowGroups *groups); // defined in position_group.c

// Reads the files of a path (one file, or the files of an archive) and divides them into records.
// Most of the source_reader_*() functions are in source_reader.c. GameFormat.cut extracts the
// records of a format.
typedef struct SourceReader {
    const GameFormat *given;  // format of all files; NULL: the format of each file is detected by
                              // its content or, if that fails, by its name
    const GameFormat *format; // format of the current file
    ReadSettings settings;
    PassedOver *passed; // counts the skipped files of archives, and the files opened as text; may
                        // be NULL
    PackedFile *packed;
    LineReader lines; // reads the current file; the content of a text file is converted to UTF-8
    bool open;        // `lines` reads the current file
    bool brief;       // only the first 64 KB of a file are read before its first record
    size_t games;     // number of records extracted from the current file so far
    Text ahead;       // buffered input of `lines`: the beginning of the file, or converted text
    size_t ahead_at;  // number of bytes of `ahead` that `lines` has read
    Text raw;         // bytes that are not yet converted, such as a part of a character
    TextEncoding encoding; // encoding of the current file
    bool is_html;          // the file is an HTML page, and `lines` reads the text of that page
    HtmlReader html;
    Text page_text;      // text that was extracted from the page
    size_t page_text_at; // number of bytes of `page_text` that `lines` has read
    size_t line_bytes;   // number of bytes since the last line end
    Err failure;         // reason why the file cannot be read to its end
    bool failed;         // no more records are extracted from the file, because of `failure`
    Text text;           // text of the record that is being extracted
    size_t line;         // number of the first line in `text`; 0: there is no line yet
    bool cut_off;        // the record in `text` is longer than source_record_max() and was cut
    const GameFormat *record_format; // format of the record in `text` if it differs from the format
                                     // of the file; otherwise NULL
    Text head;    // the part of the beginning of the file that is needed to read each record, such
                  // as the names of columns
    Text pending; // bytes that were read but belong to no record yet, such as the beginning of the
                  // next record
    size_t pending_line; // number of the first line in `pending`
    size_t piece_at;  // PGN: offset in the current line at which its next part begins; a line can
                      // have several games
    bool piece_open;  // PGN: the current line has a part that was not yet read
    bool piece_utf8;  // PGN: the current line is valid UTF-8
    bool tags_only;   // the file is an HTML page with PGN tags: text between a result and the next
                      // PGN tag is ignored
    RowGroups groups; // formats of positions: games to which the rows belong
    uint64_t group;   // SourceText.group of the record in `text`
    size_t record_offset, offset; // binary files: offsets of the current and of the next record
    size_t record_count;          // cbl: number of records so far, including deleted ones
} SourceReader;

// Returns true if a file of a folder or archive shall be read: the ending of its name is that of an
// archive or of `format` (NULL: of any readable format). An ending of compression such as .gz is
// ignored. If the function returns false, it counts the file in *passed, which may be NULL.
bool source_name_is_wanted(const char *name, const GameFormat *format, PassedOver *passed);

// Opens a file or an archive. If `path` is NULL or "-", reads standard input. If `format` is NULL,
// the format of each file is detected by its content or, if that fails, by its name. In an archive,
// only the files are read that source_name_is_wanted() accepts.
Status source_reader_open(SourceReader *reader, const char *path, const GameFormat *format,
                          const ReadSettings *settings, Err *err);
// Like source_reader_open(), but if `copy` is not NULL, reads this stream from its beginning
// instead of the path. The stream is a copy of a path that can be read only once, such as a pipe.
Status source_reader_open_copy(SourceReader *reader, const char *path, FILE *copy,
                               const GameFormat *format, const ReadSettings *settings, Err *err);
// Opens the next file. Sets reader->format, and prepares reader->lines to read from the file.
// Returns STATUS_NOT_FOUND if there is no further file, and STATUS_INTERRUPTED after Ctrl-C. Any
// other error means that this file cannot be read, that its format is unknown, or that --pov does
// not apply to it. *err then has the reason without the file's name.
Status source_reader_next_file(SourceReader *reader, Err *err);
// Extracts the next record of the current file to *text. The caller frees text->data. Returns false
// at the end of the file, if no file is open, and if the file cannot be read further.
bool source_reader_cut(SourceReader *reader, SourceText *text);
// Returns true if the rest of the current file cannot be read because of an error.
// reader->failure has the reason.
bool source_reader_failed(SourceReader *reader);
// Extracts the next record of the current file, or the first record of the next file, to *text. The
// caller frees text->data. If a file cannot be read or has no record, sets text->broken, stores the
// reason (without the file's name) in *err, and returns true. Returns false after the last file,
// and after Ctrl-C.
bool source_reader_next(SourceReader *reader, SourceText *text, Err *err);
void source_reader_close(SourceReader *reader);

// Reads a game from a record with the function `read` of its format. Refuses a game that has too
// many moves. Refuses a game without moves unless settings->positions is set. In the formats pgn
// and moves, tries the other notations if some moves cannot be read in the detected notation, or if
// this notation is not certain (SourceGame.exact). Defined in formats.c.
ImportRefusal source_text_read(const SourceText *text, const ReadSettings *settings,
                               SourceGame *source, Err *err);

// Stores in source->system the notation that a move reader detected, and in source->exact whether
// that notation is certain. Defined in formats.c.
void source_game_take_system(SourceGame *source, const MoveReader *moves);

// Returns true if a line has a FEN followed by moves, such as "FEN moves h2e2", or by a legal move,
// such as "FEN h2e2". Such a line is read as the format moves, even in an EPD file. `system` has
// the meaning of ReadSettings.system. Defined in format_moves.c.
bool line_has_game(const char *line, int system);

// Appends the current line of the file to the record that is being extracted. If the record would
// become longer than source_record_max(), sets reader->cut_off instead.
void source_reader_take_line(SourceReader *reader);
// Like source_reader_take_line(), but appends a part of the current line, with the line end if the
// part reaches it.
void source_reader_take_part(SourceReader *reader, const char *part, size_t length);
// Reads more bytes of a binary file and appends them to *bytes. Returns false at the end of the
// file and after a read error.
bool source_reader_take_bytes(SourceReader *reader, Text *bytes);

// ---- writing -----------------------------------------------------------------------------------

// A game to write. It can be a single line in a tree of a main line and its variations.
typedef struct ExportGame {
    const GameFormat *format;
    const GameRecord *game;
    const PlyRecord *plies;
    const TagRecord *tags; // tags of the game, game->tag_count in number; may be NULL
    // Event, date and players according to the provenance of the run. They replace missing tags,
    // unless the game was imported. May be NULL.
    const char *event, *date;
    const char *red, *black;
    int system;         // NotationSystem in which the moves are written
    bool open;          // the result is unknown; PGN writes it as "*"
    bool all_positions; // formats of positions: write every position (except in the extra moves of
                        // a handicap), not only the sampled ones
    bool only_scored;   // write only positions with a score; used by formats of positions
    bool continues;     // formats bin and plain: the game begins with the final position of the
                        // previous game. The plies of the game are then numbered from 0, not by the
                        // move number in the FEN
    struct ExportGame *variations; // first variation that branches from this line, or NULL
    struct ExportGame *next; // next variation that branches from the same line as this one, or NULL
    uint32_t branch_ply;     // number of plies of the parent line before this variation; 0 if this
                             // is the main line
    size_t *tags_written;    // counter to which the writer adds the number of tags written in full;
                             // used only for formats that cannot hold all tags (LOST_tags); may be
                             // NULL
    size_t *remarks_cut; // counter to which the writer adds the number of shortened remarks; may
                         // be NULL
} ExportGame;

// Returns true if a format of positions writes the position before this ply. Positions in the extra
// moves of odds are never written: one side moves several times in a row there, and programs that
// read the file would take each position for a new game. Defined in position_lines.c.
bool export_wants_ply(const ExportGame *game, const PlyRecord *ply);

// ---- the readers and writers of the table ------------------------------------------------------

// The functions listed in formats.def. They are defined in the file of their format: format_NAME.c,
// pgn_cut.c, pgn_read.c, pgn_write.c, position_lines.c (cut_entries, read_entries, write_entries),
// and source_reader.c (cut_line, cut_file). write_texel and write_bullet are in format_epd.c.
CutRecord cut_line, cut_pgn, cut_entries, cut_file, cut_cbl, cut_dhtmlxq;
ReadRecord read_moves, read_pgn, read_entries, read_xqf, read_cbr, read_cbl, read_dhtmlxq, read_mxq;
WriteGame write_moves, write_pgn, write_entries, write_xqf, write_cbr, write_dhtmlxq;
WriteEntry write_epd, write_texel, write_bullet, write_csv, write_plain, write_bin;

// ---- PGN: in pgn_write.c ------------------------------------------------------------------------

// Names of the tags that every written PGN game has (except Result), in their order. The last
// element is NULL.
extern const char *const pgn_roster[];

// A search comment is a PGN comment that describes the search for a move, such as {+0.35/12 0.100s,
// n=5000, best=h2e2} or {-M7/9}. It begins with the score and the depth, if they are known. The
// score is in points (of 100 units) from the view of the side that moved, or M and the number of
// plies to mate. Time, nodes and the preferred move follow. The word "book" after the score marks a
// move of the opening. XBoard, cutechess and fastchess write similar comments without the preferred
// move.

// Appends a search comment with its braces. `side` made the move. If `book` is set, marks the move
// as a book move. Appends nothing if `book` is not set and the ply has no search data.
void pgn_comment_write(const PlyRecord *ply, Side side, bool book, Text *out);

// Returns true if pgn_comment_read() would take a remark for a search comment. The characters ": "
// at its beginning are ignored: the writer puts ": " in front of such a remark, and the reader
// removes this prefix.
bool pgn_comment_scores(const char *text, size_t length);
