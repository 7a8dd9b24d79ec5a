// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in the encodings that files of this game have: UTF-8, and what came before it in China
// (GBK, GB18030) and Taiwan (Big5).
#pragma once

#include "core/base/text.h"

typedef enum TextEncoding {
    ENCODING_UTF8,
    ENCODING_GB18030,
    ENCODING_BIG5,
    ENCODING_UTF16, // little-endian
    ENCODING_UTF16_BIG,
    ENCODING_COUNT
} TextEncoding;

bool text_is_utf8(const char *bytes, size_t length);

// Appends the text as UTF-8. What cannot be converted becomes U+FFFD, a sign of its own for each
// byte, of UTF-16 for each two. STATUS_IO when the C library lacks the encoding.
Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err);
// The same for the beginning of a longer text: takes the whole characters out of *raw.
Status text_decode_begin(TextEncoding encoding, Text *raw, Text *out, Err *err);
// One of UTF-16 where the text begins with its mark, of two bytes; else UTF-8.
TextEncoding text_encoding_mark(const char *bytes, size_t length);

// The inverse: as many whole characters as `size` bytes hold, '?' for those the encoding lacks.
// False: not all of it.
bool text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out);

// UTF-16 where the text begins with its mark, UTF-8 where it is valid, else the one of the others
// in which most characters of the game's notation come out.
TextEncoding text_encoding_of(const char *bytes, size_t length);
// The same of a file of an old Chinese program, all its texts together. Short texts in GBK may be
// valid UTF-8 by chance, but then they have letters of Greek, Russian or Arabic: that is GB18030.
TextEncoding text_encoding_chinese(const char *bytes, size_t length);
// Appends the text as UTF-8, in whatever text_encoding_of() says that it is.
Status text_decode_any(const char *bytes, size_t length, Text *out, Err *err);
const char *text_encoding_name(TextEncoding encoding);
