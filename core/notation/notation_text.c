// SPDX-License-Identifier: GPL-3.0-or-later
// Splits the UTF-8 text of a move into symbols. Different forms of a character, such as traditional
// and simplified ones, become the same symbol.
#include <string.h>
#include <uchar.h>

#include "core/notation/notation_parts.h"

typedef struct GlyphRow {
    SymbolType type;
    int value;
    char32_t codes[8]; // at most seven characters and the terminating zero
} GlyphRow;

// Traditional, simplified and variant characters of both sides. Some sets of pieces have 包 and 伡.
// U+F902 is a compatibility form of 車.
static const GlyphRow glyph_rows[] = {
    {SYMBOL_PIECE, GENERAL, U"帥帅將将"},
    {SYMBOL_PIECE, ADVISOR, U"仕士"},
    {SYMBOL_PIECE, ELEPHANT, U"相象"},
    {SYMBOL_PIECE, HORSE, U"馬马傌㐷"},
    {SYMBOL_PIECE, CHARIOT, U"車车俥伡硨\uf902"},
    {SYMBOL_PIECE, CANNON, U"炮砲包"},
    {SYMBOL_PIECE, SOLDIER, U"兵卒"},
    {SYMBOL_DIRECTION, '+', U"進进"},
    {SYMBOL_DIRECTION, '-', U"退"},
    {SYMBOL_DIRECTION, '.', U"平"},
    {SYMBOL_PLACE, PLACE_FRONT, U"前"},
    {SYMBOL_PLACE, PLACE_MIDDLE, U"中"},
    {SYMBOL_PLACE, PLACE_REAR, U"後后"},
    // Dashes and dots that word processors substitute for - and . in moves.
    {SYMBOL_ASCII, '-', U"‐‑‒–—―−"},
    {SYMBOL_ASCII, '.', U"·•。・"},
    {SYMBOL_ASCII, 'x', U"×"},
};
static const char32_t numerals[] = U"一二三四五六七八九十";

// Returns the index of a character in a zero-terminated text, or -1.
static int index_of(const char32_t *text, int32_t code) {
    for (int i = 0; text[i]; i++) {
        if (text[i] == (char32_t)code) return i;
    }
    return -1;
}

static bool symbol_from_code(int32_t code, Symbol *symbol) {
    if (code >= 0xff01 && code <= 0xff5e) code += '!' - 0xff01; // map full-width forms to ASCII
    if (code > ' ' && code < 0x7f) {
        *symbol = (Symbol){SYMBOL_ASCII, code};
        return true;
    }
    // The xiangqi symbols of Unicode: general to soldier, first Red's, then Black's.
    if (code >= 0x1fa60 && code <= 0x1fa6d) {
        *symbol = (Symbol){SYMBOL_PIECE, GENERAL + (code - 0x1fa60) % 7};
        return true;
    }
    *symbol = (Symbol){SYMBOL_NUMERAL, index_of(numerals, code) + 1};
    if (symbol->value) return true;
    for (size_t i = 0; i < sizeof glyph_rows / sizeof *glyph_rows; i++) {
        const GlyphRow *row = &glyph_rows[i];
        *symbol = (Symbol){row->type, row->value};
        if (index_of(row->codes, code) >= 0) return true;
    }
    return false;
}

Status notation_symbols(const char *text, size_t length, Symbol symbols[MAX_SYMBOLS], int *count,
                        Err *err) {
    const char *at = text, *const end = text + length;
    *count = 0;
    while (at < end) {
        const char *const start = at;
        const int32_t code = text_next_utf8(&at, end);
        if (code < 0) {
            return err_set(err, STATUS_BAD_INPUT, "is not UTF-8 (byte %zu)",
                           (size_t)(start - text) + 1);
        }
        if (code == ' ' || code == '\t' || code == 0xa0 || code == 0x3000) continue;
        if (*count == MAX_SYMBOLS) {
            return err_set(err, STATUS_BAD_INPUT, "is too long for a move");
        }
        if (!symbol_from_code(code, &symbols[*count])) {
            char shown[PRINTABLE_SIZE];
            notation_printable(start, (size_t)(at - start), shown);
            return err_set(err, STATUS_BAD_INPUT,
                           "has a character that no notation uses, %s (U+%04X)", shown,
                           (unsigned)code);
        }
        *count += 1;
    }
    while (*count > 0 && symbols[*count - 1].type == SYMBOL_ASCII &&
           (symbols[*count - 1].value == '!' || symbols[*count - 1].value == '?')) {
        *count -= 1;
    }
    return STATUS_OK;
}

void notation_printable(const char *text, size_t length, char printable[PRINTABLE_SIZE]) {
    enum { ROOM = PRINTABLE_SIZE - 8 };
    const char *at = text, *const end = text + length;
    size_t used = 0;
    while (at < end) {
        const char *const start = at;
        const int32_t code = text_next_utf8(&at, end);
        const bool good = code >= ' ' && code != 0x7f && !(code >= 0x80 && code < 0xa0);
        const size_t size = good ? (size_t)(at - start) : 1;
        if (used + size > ROOM) {
            memcpy(printable + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(printable + used, good ? start : "?", size);
        used += size;
    }
    printable[used] = '\0';
}

const char *piece_character(Piece piece, bool simplified) {
    static const char *const characters[2][PIECE_COUNT] = {
        {"", "帥", "仕", "相", "馬", "車", "炮", "兵", "", "將", "士", "象", "馬", "車", "炮",
         "卒"},
        {"", "帅", "仕", "相", "马", "车", "炮", "兵", "", "将", "士", "象", "马", "车", "炮",
         "卒"},
    };
    return characters[simplified][piece & 15];
}

const char *piece_face(Piece piece) {
    static const char *const faces[PIECE_COUNT] = {
        "", "帥", "仕", "相", "傌", "俥", "炮", "兵", "", "將", "士", "象", "馬", "車", "砲", "卒",
    };
    return faces[piece & 15];
}
