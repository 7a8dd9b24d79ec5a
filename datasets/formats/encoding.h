// SPDX-License-Identifier: GPL-3.0-or-later
// Converts texts between UTF-8 and the encodings of xiangqi files: UTF-16, GBK and GB18030 (China),
// and Big5 (Taiwan).
#pragma once

#include "core/base/text.h"

typedef enum TextEncoding {
    ENCODING_UTF8,
    ENCODING_GB18030,
    ENCODING_BIG5,
    ENCODING_UTF16, // UTF-16, little-endian
    ENCODING_UTF16_BIG,
    ENCODING_COUNT
} TextEncoding;

bool text_is_utf8(const char *bytes, size_t length);

// Appends a text as UTF-8. Each byte that cannot be converted becomes U+FFFD; in UTF-16, each pair
// of bytes. Returns STATUS_IO if the C library does not know the encoding.
Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err);
// Like text_decode(), for a text that is read in pieces. Decodes the complete characters and
// removes them from *raw.
Status text_decode_begin(TextEncoding encoding, Text *raw, Text *out, Err *err);
// Returns an encoding of UTF-16 if the text begins with its byte order mark, else ENCODING_UTF8.
TextEncoding text_encoding_mark(const char *bytes, size_t length);

// Converts a text from UTF-8 and appends at most `size` bytes, in whole characters. A character
// that the encoding lacks becomes '?'. Returns false if the text did not fit, or if the C library
// does not know the encoding.
bool text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out);

// Detects the encoding of a text. A byte order mark means UTF-16, and valid UTF-8 is taken as
// UTF-8. Otherwise the encoding is chosen in which the text has the most characters of xiangqi
// notation.
TextEncoding text_encoding_of(const char *bytes, size_t length);
// Like text_encoding_of(), for all texts in a file of an old Chinese program. A short text in
// GBK can be valid UTF-8 by chance. It then seems to contain Greek, Cyrillic or Arabic letters, and
// the function returns ENCODING_GB18030.
TextEncoding text_encoding_chinese(const char *bytes, size_t length);
// Detects the encoding of a text by text_encoding_of(), and appends the text as UTF-8.
Status text_decode_any(const char *bytes, size_t length, Text *out, Err *err);
const char *text_encoding_name(TextEncoding encoding);
