// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <limits.h>
#include <string.h>

// The encoding of a text without byte order mark that is not valid UTF-8 is detected from at most
// this number of bytes, beginning with the first byte that is not ASCII.
enum { WEIGHED_MOST = 1 << 20 };

static const char *const names[ENCODING_COUNT] = {"UTF-8", "GB18030", "BIG5-HKSCS", "UTF-16LE",
                                                  "UTF-16BE"};

const char *text_encoding_name(TextEncoding encoding) {
    return names[encoding];
}

bool text_is_utf8(const char *bytes, size_t length) {
    const char *at = bytes, *const end = bytes + length;
    while (at < end) {
        if (text_next_utf8(&at, end) < 0) return false;
    }
    return true;
}

// Decodes all complete characters and moves *bytes and *length past them. An incomplete character
// at the end stays in the input, unless `last` is set.
static Status decode(TextEncoding encoding, const char **bytes, size_t *length, bool last,
                     Text *out, Err *err) {
    const iconv_t converter = iconv_open("UTF-8", names[encoding]);
    if (converter == (iconv_t)-1) {
        return err_set(err, STATUS_IO, "the C library does not know the encoding %s: %s",
                       names[encoding], strerror(errno));
    }
    const bool wide = encoding == ENCODING_UTF16 || encoding == ENCODING_UTF16_BIG;
    char *in = (char *)(uintptr_t)*bytes; // the cast is safe: iconv() does not write to its input
    size_t left = *length;
    while (left > 0) {
        char block[4096], *to = block;
        size_t free_bytes = sizeof block;
        const size_t done = iconv(converter, &in, &left, &to, &free_bytes);
        const int why = errno;
        text_add_bytes(out, block, sizeof block - free_bytes);
        if (done != (size_t)-1 || why == E2BIG) continue;
        if (why == EINVAL && !last) break;
        const size_t unit = wide && left >= 2 ? 2 : 1;
        text_add(out, "\uFFFD");
        in += unit;
        left -= unit;
        iconv(converter, NULL, NULL, NULL, NULL);
    }
    iconv_close(converter);
    text_add_bytes(out, "", 0);
    *bytes = in;
    *length = left;
    return STATUS_OK;
}

Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err) {
    return decode(encoding, &bytes, &length, true, out, err);
}

Status text_decode_begin(TextEncoding encoding, Text *raw, Text *out, Err *err) {
    const char *rest = text_get(raw);
    TRY(decode(encoding, &rest, &raw->length, false, out, err));
    memmove(raw->data, rest, raw->length);
    return STATUS_OK;
}

TextEncoding text_encoding_mark(const char *bytes, size_t length) {
    if (length < 2) return ENCODING_UTF8;
    return memcmp(bytes, "\xff\xfe", 2) == 0   ? ENCODING_UTF16
           : memcmp(bytes, "\xfe\xff", 2) == 0 ? ENCODING_UTF16_BIG
                                               : ENCODING_UTF8;
}

bool text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out) {
    const iconv_t converter = iconv_open(names[encoding], "UTF-8");
    const char *at = utf8, *const end = utf8 + strlen(utf8);
    const size_t full = out->length + size;
    while (converter != (iconv_t)-1 && at < end) {
        char unknown[] = "?", block[8], *to = block, *in = (char *)(uintptr_t)at;
        size_t free_bytes = sizeof block;
        text_next_utf8(&at, end);
        size_t left = (size_t)(at - in);
        if (iconv(converter, &in, &left, &to, &free_bytes) == (size_t)-1) {
            in = unknown;
            left = 1;
            to = block;
            free_bytes = sizeof block;
            iconv(converter, NULL, NULL, NULL, NULL);
            iconv(converter, &in, &left, &to, &free_bytes);
        }
        if (out->length + sizeof block - free_bytes > full) {
            at = NULL;
            break;
        }
        text_add_bytes(out, block, sizeof block - free_bytes);
    }
    if (converter != (iconv_t)-1) iconv_close(converter);
    return at == end;
}

// Returns the number of characters that occur in xiangqi notation, minus the number of characters
// that could not be converted. The larger this weight, the more likely is the encoding from which
// the text was converted.
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
        // U+FFFD and the characters of Unicode's private use area count as not converted.
        const bool nobodys = code == 0xfffd || (code >= 0xe000 && code < 0xf900);
        weight += nobodys ? -1 : strstr(known, character) != NULL;
    }
    return weight;
}

TextEncoding text_encoding_of(const char *bytes, size_t length) {
    // If two encodings have equal weights, the first one in this list is chosen.
    static const TextEncoding tried[] = {ENCODING_GB18030, ENCODING_BIG5, ENCODING_UTF8};
    TextEncoding best = text_encoding_mark(bytes, length);
    if (best != ENCODING_UTF8 || text_is_utf8(bytes, length)) return best;
    while (!((unsigned char)*bytes & 0x80)) bytes++, length--;
    if (length > WEIGHED_MOST) length = WEIGHED_MOST;
    long best_weight = LONG_MIN;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        AUTO(Text) text = {0};
        if (text_decode(tried[i], bytes, length, &text, NULL) != STATUS_OK) continue;
        const long weight = notation_weight(text_get(&text), text.length);
        if (weight <= best_weight) continue;
        best_weight = weight;
        best = tried[i];
    }
    return best;
}

TextEncoding text_encoding_chinese(const char *bytes, size_t length) {
    const TextEncoding encoding = text_encoding_of(bytes, length);
    if (encoding != ENCODING_UTF8) return encoding;
    for (const char *at = bytes, *const end = bytes + length; at < end;) {
        const int32_t code = text_next_utf8(&at, end);
        if (code >= 0x80 && code < 0x800) return ENCODING_GB18030;
    }
    return encoding;
}

Status text_decode_any(const char *bytes, size_t length, Text *out, Err *err) {
    const TextEncoding encoding = text_encoding_of(bytes, length);
    const size_t mark = text_encoding_mark(bytes, length) == ENCODING_UTF8 ? 0 : 2;
    return text_decode(encoding, bytes + mark, length - mark, out, err);
}
