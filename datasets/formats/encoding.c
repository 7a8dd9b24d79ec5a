// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

static const char *const names[] = {"UTF-8", "GB18030", "BIG5-HKSCS", "UTF-16LE"};

bool text_is_utf8(const char *bytes, size_t length) {
    const char *at = bytes, *const end = bytes + length;
    while (at < end) {
        if (text_next_utf8(&at, end) < 0) return false;
    }
    return true;
}

Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err) {
    const iconv_t converter = iconv_open("UTF-8", names[encoding]);
    if (converter == (iconv_t)-1) {
        return err_set(err, STATUS_IO, "the C library does not know the encoding %s: %s",
                       names[encoding], strerror(errno));
    }
    char *in = (char *)(uintptr_t)bytes; // iconv() does not write there
    size_t left = length;
    char block[4096];
    while (left > 0) {
        char *to = block;
        size_t room = sizeof block;
        const size_t done = iconv(converter, &in, &left, &to, &room);
        const int why = errno;
        text_add_bytes(out, block, sizeof block - room);
        if (done != (size_t)-1 || why == E2BIG) continue;
        text_add(out, "\uFFFD");
        in++;
        left--;
        iconv(converter, NULL, NULL, NULL, NULL);
    }
    iconv_close(converter);
    text_add_bytes(out, "", 0);
    return STATUS_OK;
}

void text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out) {
    const iconv_t converter = iconv_open(names[encoding], "UTF-8");
    const char *at = utf8, *const end = utf8 + strlen(utf8);
    const size_t full = out->length + size;
    while (converter != (iconv_t)-1 && at < end) {
        char unknown[] = "?", block[8], *to = block, *in = (char *)(uintptr_t)at;
        size_t room = sizeof block;
        text_next_utf8(&at, end);
        size_t left = (size_t)(at - in);
        if (iconv(converter, &in, &left, &to, &room) == (size_t)-1) {
            in = unknown;
            left = 1;
            to = block;
            room = sizeof block;
            iconv(converter, NULL, NULL, NULL, NULL);
            iconv(converter, &in, &left, &to, &room);
        }
        if (out->length + sizeof block - room > full) break;
        text_add_bytes(out, block, sizeof block - room);
    }
    if (converter != (iconv_t)-1) iconv_close(converter);
}

static void add_code(uint32_t code, Text *out) {
    char bytes[4] = {(char)code};
    size_t count = 1;
    if (code >= 0x80) {
        count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = count - 1; i > 0; i--, code >>= 6) bytes[i] = (char)(0x80 | (code & 0x3f));
        bytes[0] = (char)(0xf00 >> count | code);
    }
    text_add_bytes(out, bytes, count);
}

static uint32_t utf16_unit(bool big_endian, const uint8_t *at) {
    return big_endian ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

size_t text_decode_utf16(bool big_endian, const char *bytes, size_t length, bool last, Text *out) {
    const uint8_t *at = (const uint8_t *)bytes;
    size_t left = length;
    while (left >= 2) {
        const uint32_t unit = utf16_unit(big_endian, at);
        const bool high = unit >= 0xd800 && unit < 0xdc00;
        if (high && left < 4 && !last) break;
        const uint32_t next = high && left >= 4 ? utf16_unit(big_endian, at + 2) : 0;
        const bool pair = next >= 0xdc00 && next < 0xe000;
        const bool alone = unit >= 0xd800 && unit < 0xe000 && !pair;
        add_code(pair    ? 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00)
                 : alone ? 0xfffd
                         : unit,
                 out);
        at += pair ? 4 : 2;
        left -= pair ? 4 : 2;
    }
    if (last && left > 0) add_code(0xfffd, out);
    return last ? length : length - left;
}

// How many characters of moves and results there are, less what could not be converted.
static long notation_weight(const char *utf8, size_t length) {
    static const char known[] = "車车馬马炮砲兵卒士仕象相將将帥帅進进退平前後后中一二三四五六七八九"
                                "紅红黑勝胜和";
    const char *at = utf8, *const end = utf8 + length;
    long weight = 0;
    while (at < end) {
        const char *const start = at;
        const int32_t code = text_next_utf8(&at, end);
        if (code < 0x80) continue;
        char character[8] = "";
        memcpy(character, start, (size_t)(at - start));
        weight += code == 0xfffd ? -1 : strstr(known, character) != NULL;
    }
    return weight;
}

Status text_decode_any(const char *bytes, size_t length, Text *out, TextEncoding *encoding,
                       Err *err) {
    TextEncoding best = ENCODING_UTF8;
    Status status = STATUS_OK;
    const bool marked = length >= 2 && (unsigned char)(bytes[0] ^ bytes[1]) == 1 &&
                        ((unsigned char)bytes[0] & 0xfe) == 0xfe;
    if (marked) {
        best = ENCODING_UTF16;
        text_decode_utf16(*bytes == (char)0xfe, bytes + 2, length - 2, true, out);
    } else if (text_is_utf8(bytes, length)) {
        text_add_bytes(out, bytes, length);
    } else {
        // Of equals the Chinese one is taken: names in Latin letters lose no more by it.
        static const TextEncoding tried[] = {ENCODING_GB18030, ENCODING_BIG5, ENCODING_UTF8};
        Text texts[sizeof tried / sizeof *tried] = {{0}};
        long best_weight = 0;
        size_t chosen = 0;
        for (size_t i = 0; i < sizeof tried / sizeof *tried && status == STATUS_OK; i++) {
            status = text_decode(tried[i], bytes, length, &texts[i], err);
            if (status != STATUS_OK) break;
            const long weight = notation_weight(text_get(&texts[i]), texts[i].length);
            if (i > 0 && weight <= best_weight) continue;
            best_weight = weight;
            chosen = i;
        }
        best = tried[chosen];
        if (status == STATUS_OK)
            text_add_bytes(out, text_get(&texts[chosen]), texts[chosen].length);
        for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) text_clear(&texts[i]);
    }
    if (encoding) *encoding = best;
    return status;
}
