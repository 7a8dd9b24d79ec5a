// SPDX-License-Identifier: GPL-3.0-or-later
// CBL, the libraries of CCBridge.
//
// From version 3 on: "CCBridgeLibrary"; from 66624 on an index, 276 bytes for each record, of which
// the first says 7 for a game and 5 for one that was deleted; then records as .cbr has them, in
// steps of 4096 bytes.
//
// Before (2.1, as its author's description and a public reader have it): "CCBridge", three numbers
// of 4 bytes: version, how it is packed (0: not), the size of the rest; the rest, packed by zlib. A
// text is its length and GBK. Of the library: five texts, two dates of 19 bytes, the number of
// games, a text. A game: its size; 32 points (the men as XQF has them; column from 1 and row from
// the top from 1, 4 bits each, 0: off the board), its kind, what is known of it, who begins, the
// number of moves; each has its number in its line, origin and target (from 0), and two bytes of
// text; then a comment for each, with its end of line. The moves are a tree, each before its
// continuation and that before its variations: a number that does not go on begins a variation of
// the last move that had it.
#include <string.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "datasets/formats/board_list.h"

// ---- from version 3 on -------------------------------------------------------------------------

// Moves the bytes before the next record, at `from` or behind it, from `pending` to `text`; false
// when the file ends before one.
static bool take_to_record(SourceReader *reader, size_t from, Text *text) {
    Text *bytes = &reader->pending;
    for (;;) {
        const char *found = bytes->length > from ? memmem(bytes->data + from, bytes->length - from,
                                                          cbr_magic, CBR_MAGIC_SIZE)
                                                 : NULL;
        // The end of what is there may be the beginning of one.
        const size_t tail = CBR_MAGIC_SIZE - 1;
        const size_t sure = found                  ? (size_t)(found - bytes->data)
                            : bytes->length > tail ? bytes->length - tail
                                                   : 0;
        if (text->length + sure > SOURCE_TEXT_MAX) reader->cut_off = true;
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

// The index has an entry for each record, in their order.
static bool is_deleted(const Text *head, size_t record) {
    enum { INDEX_AT = 66624, ENTRY_SIZE = 276, DELETED = 5 };
    const size_t at = INDEX_AT + record * ENTRY_SIZE;
    return at + ENTRY_SIZE <= head->length && head->data[at] == DELETED;
}

// A record goes up to the next, or the end: those longer than 4096 bytes go on where another could
// begin. A file without any is given as it is, to be refused, unless it is an empty library.
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

// ---- before ------------------------------------------------------------------------------------

enum { OLD_HEAD = 20, OLD_DATE = 19, OLD_MOVE = 6, OLD_MOST = 1 << 28 };

static bool is_old(const char *data, size_t length) {
    return length >= OLD_HEAD && memcmp(data, cbr_magic, 8) == 0 && (unsigned char)data[8] < ' ';
}

// Goes through the bytes of a library or a record; behind their end all is 0.
typedef struct OldBytes {
    const uint8_t *at, *end;
    bool cut;  // they ended too early
    Text *all; // gathers the texts, which tell the encoding; NULL: it is known
    TextEncoding encoding;
} OldBytes;

// The next bytes; NULL when there are not so many.
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

// A text, for the tag of this name, or the remark at the start; NULL: it is left out.
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

// Unpacks all behind the head into *out; false when it is no zlib stream.
static bool unpack(const Text *file, Text *out) {
    z_stream stream = {.next_in = (Bytef *)file->data + OLD_HEAD,
                       .avail_in = (uInt)(file->length - OLD_HEAD)};
    int status = inflateInit(&stream);
    while (status == Z_OK && out->length < OLD_MOST) {
        char block[16384];
        stream.next_out = (Bytef *)block;
        stream.avail_out = sizeof block;
        status = inflate(&stream, Z_NO_FLUSH);
        text_add_bytes(out, block, sizeof block - stream.avail_out);
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

// Reads the file into reader->pending, unpacked, its head and the number of its games into
// reader->head; reader->offset is then behind what it tells of itself.
static bool open_old(SourceReader *reader) {
    Text *file = &reader->pending, rest = {0};
    while (file->length < OLD_MOST && source_reader_take_bytes(reader, file)) {
    }
    text_add_bytes(&reader->head, file->data, OLD_HEAD);
    bool good = true;
    if (file->data[12] == 0) {
        text_add_bytes(&rest, file->data + OLD_HEAD, file->length - OLD_HEAD);
    } else {
        good = unpack(file, &rest);
    }
    text_clear(file);
    *file = rest;
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

// A record stands behind the head of its library. Where one lacks its end, or games are missing,
// what is given is the head alone, and the last.
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
    reader->cut_off = whole && size > SOURCE_TEXT_MAX;
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

// The moves of a record, and which of them is varied.
typedef struct OldMoves {
    const uint8_t *moves;
    size_t count, next; // next: 0 is no move, it stands for the start
    bool *varied;
    OldBytes remarks;
    Text remark; // of the last move
} OldMoves;

static unsigned number_of(const OldMoves *old, size_t i) {
    const uint8_t *move = old->moves + i * OLD_MOVE;
    return move[0] | (unsigned)move[1] << 8;
}

// A move is varied when another of its number comes before a smaller one.
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

// Decodes the remark of the next move.
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

// Reads the head of the game, up to its moves; men[i] is the square of man i.
static void take_old_head(OldBytes *bytes, SourceGame *source, uint8_t men[LIST_MEN]) {
    static const char *const before[] = {"Event", NULL,   "Title", NULL,   NULL,
                                         "Site",  "Date", "Red",   "Black"},
                             *const after[] = {"Annotator", NULL, "Author", NULL, TAG_REMARK};
    take_number(bytes); // its size
    const uint8_t *points = take(bytes, LIST_MEN);
    for (int i = 0; points && i < LIST_MEN; i++) {
        men[i] = (uint8_t)square_from_top((points[i] >> 4) - 1, (points[i] & 15) - 1);
    }
    take_number(bytes); // its kind
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (i == 1) {
            take_number(bytes); // of the first move
        } else {
            take_text(bytes, source, before[i]);
        }
    }
    source_game_set_result(source, (uint8_t)take_number(bytes));
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) take_text(bytes, source, after[i]);
    take(bytes, 1 + 2 * OLD_DATE);
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
                             "the library cannot be unpacked, or ends too early");
    }
    take_old_head(&bytes, source, men);
    OldMoves old = {.count = take_number(&bytes)};
    old.moves = take(&bytes, old.count * OLD_MOVE);
    text_add_bytes(&all, (const char *)bytes.at, (size_t)(bytes.end - bytes.at));
    bytes.encoding = text_encoding_chinese(text_get(&all), all.length);
    old.remarks = (OldBytes){.at = bytes.at, .end = bytes.end, .encoding = bytes.encoding};
    bytes.at = data + OLD_HEAD;
    bytes.all = NULL;
    take_old_head(&bytes, source, men);
    if (bytes.cut) return import_refuse(err, IMPORT_FIELDS, "the record ends in its head");
    if (board_from_list(men, board, err) != STATUS_OK) return IMPORT_START;
    find_varied(&old);
    const ImportRefusal refusal =
        source_game_read_tree(source, settings, board, 1, read_old_move, &old, err);
    free(old.varied);
    text_clear(&old.remark);
    return refusal;
}
