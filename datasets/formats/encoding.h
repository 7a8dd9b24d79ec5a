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

// Appends a text to *out as UTF-8. Each byte that cannot be converted becomes U+FFFD; in UTF-16,
// each pair of bytes. Returns STATUS_IO if the C library does not know the encoding.
Status text_decode(TextEncoding encoding, const char *bytes, size_t length, Text *out, Err *err);
// Like text_decode(), for a text that is read in pieces: decodes the complete characters and
// removes them from *raw. An incomplete last character stays in *raw.
Status text_decode_begin(TextEncoding encoding, Text *raw, Text *out, Err *err);
// Returns ENCODING_UTF16 or ENCODING_UTF16_BIG if the text begins with the byte order mark of that
// encoding, otherwise ENCODING_UTF8.
TextEncoding text_encoding_mark(const char *bytes, size_t length);

// Converts a text from UTF-8 and appends at most `size` bytes to *out, in whole characters. A
// character that the encoding lacks becomes '?'. Returns false if the text did not fit, or if the C
// library does not know the encoding.
bool text_encode(TextEncoding encoding, const char *utf8, size_t size, Text *out);

// Detects the encoding of a text. A byte order mark means UTF-16, and valid UTF-8 is taken as
// UTF-8. For any other text, GB18030, Big5 and damaged UTF-8 are compared. Each character that
// occurs in xiangqi notation adds 1. Each character that cannot be converted, or is in the private
// use area, subtracts 1. The encoding with the highest sum is chosen.
TextEncoding text_encoding_of(const char *bytes, size_t length);
// Like text_encoding_of(), but applies to texts of an old Chinese program, which uses GBK. A short
// text in GBK can be valid UTF-8 by chance. It then seems to contain letters between U+0080 and
// U+07FF (Greek, Cyrillic, Arabic ...), and the function returns ENCODING_GB18030.
TextEncoding text_encoding_chinese(const char *bytes, size_t length);
// Detects the encoding of a text by text_encoding_of(), and appends the text to *out as UTF-8,
// without a byte order mark of UTF-16. Fails like text_decode().
Status text_decode_any(const char *bytes, size_t length, Text *out, Err *err);
const char *text_encoding_name(TextEncoding encoding);
