// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 text of moves as symbols: every form of a character that people use maps to one symbol.
#include <stdio.h>
#include <string.h>
#include <uchar.h>

#include "core/notation/notation_parts.h"

typedef struct GlyphRow {
    char32_t code;
    SymbolType type;
    int value;
} GlyphRow;

// Traditional, simplified, of either side, and variants; 包 and 伡 are on some sets.
static const GlyphRow glyphs[] = {
    {U'帥', SYMBOL_PIECE, GENERAL},     {U'帅', SYMBOL_PIECE, GENERAL},
    {U'將', SYMBOL_PIECE, GENERAL},     {U'将', SYMBOL_PIECE, GENERAL},
    {U'仕', SYMBOL_PIECE, ADVISOR},     {U'士', SYMBOL_PIECE, ADVISOR},
    {U'相', SYMBOL_PIECE, ELEPHANT},    {U'象', SYMBOL_PIECE, ELEPHANT},
    {U'馬', SYMBOL_PIECE, HORSE},       {U'马', SYMBOL_PIECE, HORSE},
    {U'傌', SYMBOL_PIECE, HORSE},       {U'㐷', SYMBOL_PIECE, HORSE},
    {U'車', SYMBOL_PIECE, CHARIOT},     {U'车', SYMBOL_PIECE, CHARIOT},
    {U'俥', SYMBOL_PIECE, CHARIOT},     {U'伡', SYMBOL_PIECE, CHARIOT},
    {U'硨', SYMBOL_PIECE, CHARIOT},     {U'炮', SYMBOL_PIECE, CANNON},
    {U'砲', SYMBOL_PIECE, CANNON},      {U'包', SYMBOL_PIECE, CANNON},
    {U'兵', SYMBOL_PIECE, SOLDIER},     {U'卒', SYMBOL_PIECE, SOLDIER},
    {0xf902, SYMBOL_PIECE, CHARIOT}, // a compatibility form of 車
    {U'一', SYMBOL_NUMERAL, 1},         {U'二', SYMBOL_NUMERAL, 2},
    {U'三', SYMBOL_NUMERAL, 3},         {U'四', SYMBOL_NUMERAL, 4},
    {U'五', SYMBOL_NUMERAL, 5},         {U'六', SYMBOL_NUMERAL, 6},
    {U'七', SYMBOL_NUMERAL, 7},         {U'八', SYMBOL_NUMERAL, 8},
    {U'九', SYMBOL_NUMERAL, 9},         {U'十', SYMBOL_NUMERAL, 10},
    {U'進', SYMBOL_DIRECTION, '+'},     {U'进', SYMBOL_DIRECTION, '+'},
    {U'退', SYMBOL_DIRECTION, '-'},     {U'平', SYMBOL_DIRECTION, '.'},
    {U'前', SYMBOL_PLACE, PLACE_FRONT}, {U'中', SYMBOL_PLACE, PLACE_MIDDLE},
    {U'後', SYMBOL_PLACE, PLACE_REAR},  {U'后', SYMBOL_PLACE, PLACE_REAR},
};

// Dashes and dots that word processors put for the plain ones.
static int ascii_of(int32_t code) {
    if (code >= 0xff01 && code <= 0xff5e) return code - 0xff01 + '!'; // full-width forms
    switch (code) {
    case U'‐':
    case U'‑':
    case U'‒':
    case U'–':
    case U'—':
    case U'―':
    case U'−':
        return '-';
    case U'·':
    case U'•':
    case U'。':
    case U'・':
        return '.';
    case U'×':
        return 'x';
    default:
        return code > ' ' && code < 0x7f ? code : 0;
    }
}

static bool is_blank(int32_t code) {
    return code == ' ' || code == '\t' || code == 0xa0 || code == 0x3000;
}

static bool symbol_from_code(int32_t code, Symbol *symbol) {
    const int ascii = ascii_of(code);
    if (ascii) {
        *symbol = (Symbol){SYMBOL_ASCII, ascii};
        return true;
    }
    // The chess symbols of Unicode: general to soldier, first Red's, then Black's.
    if (code >= 0x1fa60 && code <= 0x1fa6d) {
        *symbol = (Symbol){SYMBOL_PIECE, GENERAL + (code - 0x1fa60) % 7};
        return true;
    }
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (glyphs[i].code == (char32_t)code) {
            *symbol = (Symbol){glyphs[i].type, glyphs[i].value};
            return true;
        }
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
        if (is_blank(code)) continue;
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

const char *piece_character(Piece piece) {
    static const char *const characters[PIECE_COUNT] = {
        "", "帥", "仕", "相", "馬", "車", "炮", "兵", "", "將", "士", "象", "馬", "車", "炮", "卒",
    };
    return characters[piece & 15];
}

const char *piece_face(Piece piece) {
    static const char *const faces[PIECE_COUNT] = {
        "", "帥", "仕", "相", "傌", "俥", "炮", "兵", "", "將", "士", "象", "馬", "車", "砲", "卒",
    };
    return faces[piece & 15];
}
