// SPDX-License-Identifier: GPL-3.0-or-later
// The format CBL: libraries of the program CCBridge.
//
// From version 3, a library begins with "CCBridgeLibrary". At offset 66624 is an index with an
// entry of 276 bytes per record. The first byte of an entry is 5 if the record is deleted. The
// records are in the form of .cbr files, in blocks of 4096 bytes.
//
// Before version 3, a library begins with "CCBridge". Version 2.1 is known from a description by
// its author and from a public reader. Three numbers of 4 bytes follow: version, kind of packing
// (0: not packed), size of the body. Then comes the body, packed by zlib. A text in the body is
// stored as its length and its bytes in GBK.
//   The body begins with five texts, two dates of 19 bytes, the number of games, and a text.
//   Then each game has these fields: the size of the game; the points of 32 pieces in the order of
//   XQF (4 bits column and 4 bits row from the top, both from 1; 0 for a captured piece); the kind
//   of the game; the text Event; the number of the first move; seven more texts; the result; five
//   more texts; the side that begins (1 byte, 2 for Black); two dates; the number of moves; the
//   moves; a comment for each move, each with a line end.
//   A move has 6 bytes: the number of its ply in the game (2 bytes), origin and target (1 byte
//   each, from 0), and 2 bytes that are not read. The moves are a tree: each move is followed by
//   its continuation, and then by the variations that replace it. A move begins a variation if its
//   number is not larger than that of the move before it. It replaces the last earlier move with
//   the same number.
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "datasets/formats/board_list.h"

// ---- from version 3 -----------------------------------------------------------------------------

// Moves the bytes before the next record from reader->pending to *text. Searches for the record
// from offset `from` of reader->pending on. Returns false if no further record exists; all bytes
// are then moved.
static bool take_to_record(SourceReader *reader, size_t from, Text *text) {
    Text *bytes = &reader->pending;
    for (;;) {
        const char *found = bytes->length > from ? memmem(bytes->data + from, bytes->length - from,
                                                          cbr_magic, CBR_MAGIC_SIZE)
                                                 : NULL;
        // The last bytes may be the beginning of a record, so they stay in `pending`.
        const size_t tail = CBR_MAGIC_SIZE - 1;
        const size_t sure = found                  ? (size_t)(found - bytes->data)
                            : bytes->length > tail ? bytes->length - tail
                                                   : 0;
        if (text->length + sure > source_record_max(&reader->settings)) reader->cut_off = true;
        if (!reader->cut_off && sure) text_add_bytes(text, bytes->data, sure);
        reader->offset += sure;
        bytes->length -= sure;
        if (sure) memmove(bytes->data, bytes->data + sure, bytes->length);
        if (found) return true;
        from = from > sure ? from - sure : 0;
        if (!source_reader_take_bytes(reader, bytes)) break;
    }
    if (bytes->length && !reader->cut_off) text_add_bytes(text, bytes->data, bytes->length);
    text_reset(bytes);
    return false;
}

// Returns true if the index marks a record as deleted. `head` has the bytes before the first
// record.
static bool is_deleted(const Text *head, size_t record) {
    enum { INDEX_AT = 66624, ENTRY_SIZE = 276, DELETED = 5 };
    const size_t at = INDEX_AT + record * ENTRY_SIZE;
    return at + ENTRY_SIZE <= head->length && head->data[at] == DELETED;
}

// Extracts the next record from the file. A long record takes several blocks of 4096 bytes, so a
// record ends only where the next one begins, or at the end of the file. If the file is not a
// library and has no record, the whole file becomes one record, which read_cbl() refuses.
static bool cut_new(SourceReader *reader) {
    static const char library_magic[16] = "CCBridgeLibrary";
    Text *bytes = &reader->pending;
    if (reader->record_count == 0) {
        while (bytes->length < sizeof library_magic && source_reader_take_bytes(reader, bytes)) {
        }
        const bool library = bytes->length >= sizeof library_magic &&
                             memcmp(bytes->data, library_magic, sizeof library_magic) == 0;
        const bool found = take_to_record(reader, 0, &reader->head);
        if (!library && !found && reader->games == 0) {
            text_add_bytes(&reader->text, text_get(&reader->head), reader->head.length);
            return true;
        }
        reader->cut_off = false;
    }
    do {
        if (bytes->length == 0) return false;
        text_reset(&reader->text);
        reader->record_offset = reader->offset;
        take_to_record(reader, CBR_MAGIC_SIZE, &reader->text);
    } while (is_deleted(&reader->head, reader->record_count++));
    return true;
}

// ---- before version 3 ---------------------------------------------------------------------------

enum { OLD_HEAD = 20, OLD_DATE = 19, OLD_MOVE = 6, OLD_BLACK = 2 };

static bool is_old(const char *data, size_t length) {
    return length >= OLD_HEAD && memcmp(data, cbr_magic, 8) == 0 && (unsigned char)data[8] < ' ';
}

// State of reading values from the bytes of a library or a record. After the last byte, take()
// returns NULL and take_number() returns 0.
typedef struct OldBytes {
    const uint8_t *at, *end;
    bool cut;  // set if the bytes ended before or inside a value
    Text *all; // collects all texts so that their encoding can be detected; NULL if the encoding is
               // known
    TextEncoding encoding;
} OldBytes;

// Returns a pointer to the next `size` bytes, or NULL if fewer remain.
static const uint8_t *take(OldBytes *bytes, size_t size) {
    const uint8_t *at = bytes->at;
    if ((size_t)(bytes->end - at) < size) {
        bytes->cut = true;
        return NULL;
    }
    bytes->at += size;
    return at;
}

static uint32_t take_number(OldBytes *bytes) {
    const uint8_t *number = take(bytes, 4);
    return number ? read_u32_little(number) : 0;
}

// Reads a text and stores it as the tag `name`, or as the remark at the start if `name` is
// TAG_REMARK. If `name` is NULL, the text is not stored. If bytes->all is not NULL, appends the
// text to *bytes->all instead of storing it.
static void take_text(OldBytes *bytes, SourceGame *source, const char *name) {
    const uint32_t length = take_number(bytes);
    const char *text = (const char *)take(bytes, length);
    AUTO(Text) utf8 = {0};
    if (!text || !name) return;
    if (bytes->all) {
        text_add_bytes(bytes->all, text, length);
    } else if (text_decode(bytes->encoding, text, length, &utf8, NULL) != STATUS_OK) {
        return;
    } else if (strcmp(name, TAG_REMARK) == 0) {
        source_game_remark(source, 0, text_get(&utf8), remark_split(utf8.data));
    } else {
        source_game_tag(source, name, text_get(&utf8), utf8.length);
    }
}

// Unpacks all bytes after the header of the file. Returns false if they are not a complete zlib
// stream, or if UNPACKED_MOST bytes are unpacked before the stream ends.
static bool unpack(const Text *file, Text *out) {
    z_stream stream = {.next_in = (Bytef *)file->data + OLD_HEAD,
                       .avail_in = (uInt)(file->length - OLD_HEAD)};
    int status = inflateInit(&stream);
    while (status == Z_OK && out->length < UNPACKED_MOST) {
        char block[16384];
        stream.next_out = (Bytef *)block;
        stream.avail_out = sizeof block;
        status = inflate(&stream, Z_NO_FLUSH);
        text_add_bytes(out, block, sizeof block - stream.avail_out);
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

// Reads and unpacks the file into reader->pending. Stores the header of the library and the number
// of its games in reader->head, and the offset of the first game in reader->offset. Returns false
// if the file is damaged.
static bool open_old(SourceReader *reader) {
    Text *file = &reader->pending, rest = {0};
    while (file->length < UNPACKED_MOST && source_reader_take_bytes(reader, file)) {
    }
    text_add_bytes(&reader->head, file->data, OLD_HEAD);
    bool good = true;
    if (file->data[12] == 0) {
        text_add_bytes(&rest, file->data + OLD_HEAD, file->length - OLD_HEAD);
    } else {
        good = unpack(file, &rest);
    }
    text_clear(file);
    *file = MOVE(rest);
    const uint8_t *begin = (const uint8_t *)text_get(file);
    OldBytes bytes = {.at = begin, .end = begin + file->length};
    for (int i = 0; i < 5; i++) take_text(&bytes, NULL, NULL);
    take(&bytes, 2 * OLD_DATE);
    const uint8_t *games = take(&bytes, 4);
    if (games) text_add_bytes(&reader->head, games, 4);
    take_text(&bytes, NULL, NULL);
    reader->offset = (size_t)(bytes.at - begin);
    return good && !bytes.cut;
}

// Extracts the next record from the file and puts the header of the library in front of it. If a
// record is incomplete or games are missing, the last record consists of the header alone;
// read_cbl() refuses such a record.
static bool cut_old(SourceReader *reader) {
    const bool good = reader->record_count > 0 || open_old(reader);
    const Text *bytes = &reader->pending;
    const size_t left = good ? bytes->length - reader->offset : 0;
    const size_t games = good ? read_u32_little((const uint8_t *)reader->head.data + OLD_HEAD) : 1;
    if (reader->record_count >= games) return false;
    const uint8_t *record = left ? (const uint8_t *)bytes->data + reader->offset : NULL;
    const size_t size = left >= 4 ? read_u32_little(record) : 0;
    const bool whole = size >= 4 && size <= left;
    reader->record_count = whole ? reader->record_count + 1 : SIZE_MAX;
    reader->record_offset = reader->offset;
    reader->cut_off = whole && size > source_record_max(&reader->settings);
    text_add_bytes(&reader->text, reader->head.data, OLD_HEAD);
    if (whole && !reader->cut_off) text_add_bytes(&reader->text, record, size);
    reader->offset += whole ? size : 0;
    return true;
}

bool cut_cbl(SourceReader *reader) {
    Text *bytes = &reader->pending;
    while (reader->record_count == 0 && bytes->length < OLD_HEAD &&
           source_reader_take_bytes(reader, bytes)) {
    }
    const Text *head = reader->record_count ? &reader->head : bytes;
    return is_old(head->data, head->length) ? cut_old(reader) : cut_new(reader);
}

typedef struct OldMoves {
    const uint8_t *moves;
    size_t count, next; // number of moves; number of the next entry to read: 0 is the start of the
                        // game, N is move N
    bool *varied;       // varied[i] is set if a variation replaces move i, counted from 0
    OldBytes remarks;
    Text remark; // remark after the last move that was read
} OldMoves;

static unsigned number_of(const OldMoves *old, size_t i) {
    const uint8_t *move = old->moves + i * OLD_MOVE;
    return move[0] | (unsigned)move[1] << 8;
}

// Sets old->varied[i] for each move i that a variation replaces. Each stored move has the number of
// its ply in the game. A later move j with the ply number of move i begins a variation that
// replaces move i, unless a move between i and j has a smaller ply number.
static void find_varied(OldMoves *old) {
    AUTO_FREE unsigned *open = memory_alloc(old->count + 1, sizeof *open);
    size_t count = 0;
    old->varied = memory_alloc(old->count + 1, sizeof *old->varied);
    for (size_t i = old->count; i-- > 0;) {
        const unsigned number = number_of(old, i);
        while (count > 0 && open[count - 1] > number) count--;
        old->varied[i] = count > 0 && open[count - 1] == number;
        if (!old->varied[i]) open[count++] = number;
    }
}

// Decodes the remark of the next move, which ends at a line end, and stores it in *move.
static void take_old_remark(OldMoves *old, TreeMove *move) {
    OldBytes *bytes = &old->remarks;
    const char *text = (const char *)bytes->at;
    const size_t left = (size_t)(bytes->end - bytes->at);
    const char *end = memmem(text, left, "\r\n", 2);
    const size_t length = end ? (size_t)(end - text) : left;
    take(bytes, end ? length + 2 : left);
    text_reset(&old->remark);
    if (text_decode(bytes->encoding, text, length, &old->remark, NULL) != STATUS_OK) return;
    move->remark = text_get(&old->remark);
    move->remark_length = remark_split(old->remark.data);
}

static bool read_old_move(void *file, TreeMove *move) {
    OldMoves *old = file;
    const size_t i = old->next++;
    if (i > old->count) return false;
    *move = (TreeMove){.last = i == old->count};
    if (i == 0) return true;
    const uint8_t *bytes = old->moves + (i - 1) * OLD_MOVE;
    move->from = square_from_top(bytes[2] >> 4, bytes[2] & 15);
    move->to = square_from_top(bytes[3] >> 4, bytes[3] & 15);
    move->last = move->last || number_of(old, i) <= number_of(old, i - 1);
    move->varied = old->varied[i - 1];
    take_old_remark(old, move);
    return true;
}

// Reads the header of a game, except the number of moves at its end. Sets men[i] to the square of
// piece i in the order of board_list.h. Returns the side that begins.
static Side take_old_head(OldBytes *bytes, SourceGame *source, uint8_t men[LIST_MEN]) {
    static const char *const before[] = {"Event", NULL,   "Title", NULL,   NULL,
                                         "Site",  "Date", "Red",   "Black"},
                             *const after[] = {"Annotator", NULL, "Author", NULL, TAG_REMARK};
    take_number(bytes); // skip the size of the game in bytes
    const uint8_t *points = take(bytes, LIST_MEN);
    for (int i = 0; points && i < LIST_MEN; i++) {
        men[i] = (uint8_t)square_from_top((points[i] >> 4) - 1, (points[i] & 15) - 1);
    }
    take_number(bytes); // skip the kind of the game
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (i == 1) {
            take_number(bytes); // skip the number of the first move
        } else {
            take_text(bytes, source, before[i]);
        }
    }
    source_game_set_result(source, (uint8_t)take_number(bytes));
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) take_text(bytes, source, after[i]);
    const uint8_t *side = take(bytes, 1);
    take(bytes, 2 * OLD_DATE);
    return side && *side == OLD_BLACK ? BLACK : RED;
}

ImportRefusal read_cbl(const SourceText *text, const ReadSettings *settings, SourceGame *source,
                       Err *err) {
    if (!is_old(text->data, text->length)) return read_cbr(text, settings, source, err);
    const uint8_t *data = (const uint8_t *)text->data;
    AUTO(Text) all = {0};
    OldBytes bytes = {.at = data + OLD_HEAD, .end = data + text->length, .all = &all};
    uint8_t men[LIST_MEN];
    Piece board[SQUARE_COUNT];
    if (text->length == OLD_HEAD) {
        return import_refuse(err, IMPORT_FIELDS,
                             "the library cannot be unpacked, or it is incomplete");
    }
    take_old_head(&bytes, source, men);
    OldMoves old = {.count = take_number(&bytes)};
    old.moves = take(&bytes, old.count * OLD_MOVE);
    text_add_bytes(&all, (const char *)bytes.at, (size_t)(bytes.end - bytes.at));
    bytes.encoding = text_encoding_chinese(text_get(&all), all.length);
    old.remarks = (OldBytes){.at = bytes.at, .end = bytes.end, .encoding = bytes.encoding};
    bytes.at = data + OLD_HEAD;
    bytes.all = NULL;
    const Side stm = take_old_head(&bytes, source, men);
    if (bytes.cut)
        return import_refuse(err, IMPORT_FIELDS,
                             "the record ends in the middle of its header or of its moves");
    if (board_from_list(men, board, err) != STATUS_OK) return IMPORT_START;
    find_varied(&old);
    const ImportRefusal refusal =
        source_game_read_tree(source, settings, board, stm, 1, read_old_move, &old, err);
    free(old.varied);
    text_clear(&old.remark);
    return refusal;
}
