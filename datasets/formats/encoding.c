// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

static const char *const names[ENCODING_COUNT] = {
#define TEXT_ENCODING(id, name) name,
#include "datasets/formats/encodings.def"
#undef TEXT_ENCODING
};

const char *encoding_name(TextEncoding encoding) {
    return names[encoding];
}

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
    const size_t unit = encoding == ENCODING_UTF16LE || encoding == ENCODING_UTF16BE ? 2 : 1;
    char block[4096];
    while (left > 0) {
        char *to = block;
        size_t room = sizeof block;
        const size_t done = iconv(converter, &in, &left, &to, &room);
        const int why = errno;
        text_add_bytes(out, block, sizeof block - room);
        if (done != (size_t)-1 || why == E2BIG) continue;
        text_add(out, "\uFFFD");
        const size_t skipped = left < unit ? left : unit;
        in += skipped;
        left -= skipped;
        iconv(converter, NULL, NULL, NULL, NULL);
    }
    iconv_close(converter);
    text_add_bytes(out, "", 0);
    return STATUS_OK;
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
    if (text_is_utf8(bytes, length)) {
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
