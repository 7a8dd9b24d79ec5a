// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in the encodings of xiangqi files: UTF-8, and the older encodings of China (GBK, GB18030)
// and Taiwan (Big5).
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

// Appends the text as UTF-8. Each byte that cannot be converted becomes U+FFFD; in UTF-16, each two
// bytes. Returns STATUS_IO if the C library lacks the encoding.
Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err);
// Like text_decode() for the first part of a longer text. Removes the complete characters from
// *raw.
Status text_decode_begin(TextEncoding encoding, Text *raw, Text *out, Err *err);
// Returns an encoding of UTF-16 if the text begins with its byte order mark, else ENCODING_UTF8.
TextEncoding text_encoding_mark(const char *bytes, size_t length);

// Converts UTF-8 to the encoding and appends as many whole characters as `size` bytes hold.
// Characters that the encoding lacks become '?'. Returns false if the text did not fit.
bool text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out);

// Detects the encoding: UTF-16 by its byte order mark, UTF-8 if the text is valid UTF-8, else the
// encoding in which the text has the most characters of xiangqi notation.
TextEncoding text_encoding_of(const char *bytes, size_t length);
// Like text_encoding_of(), for all texts of one file of an old Chinese program. Short texts in GBK
// can be valid UTF-8 by chance. They then contain Greek, Cyrillic or Arabic letters; the function
// returns ENCODING_GB18030 for such texts.
TextEncoding text_encoding_chinese(const char *bytes, size_t length);
// Appends the text as UTF-8. text_encoding_of() detects its encoding.
Status text_decode_any(const char *bytes, size_t length, Text *out, Err *err);
const char *text_encoding_name(TextEncoding encoding);
