// SPDX-License-Identifier: GPL-3.0-or-later
// Extracts the text of an HTML page, for games of PGN in such pages. Elements become blanks or line
// ends, entities become characters; scripts, style sheets and comments are dropped.
#pragma once

#include "core/base/text.h"

// Marks the end of an element that ends a line (<br>, <p>, <div> ...). Line ends of the file stay
// '\n', so that line numbers in messages are correct.
enum { HTML_BREAK = '\v' };

// State while a page is read piece by piece. Zero-initialise.
typedef struct HtmlReader {
    enum {
        HTML_TEXT,
        HTML_TAG,
        HTML_COMMENT,
        HTML_ENTITY,
        HTML_SKIPPED
    } state;         // name of the element or entity, as far as it was read
    char word[12];   // length of word
    size_t length;   // HTML_TAG: the name is complete
    bool named;      // HTML_TAG: quote around the current attribute value, or 0
    char quote;      // HTML_SKIPPED: element whose content is dropped
    char skipped[8]; // HTML_COMMENT, HTML_SKIPPED: number of characters of the end that were read
    size_t matched;  // HTML_COMMENT, HTML_SKIPPED: characters of the end that have been read
} HtmlReader;
// Returns true if a text is HTML that may contain PGN: it begins with an element, or its first 64
// KB contain a PGN tag with entities for its quotes, or with an element after it. PGN with entities
// for its quotes or an element behind it.
bool html_begins(const char *head, size_t length);

// Appends the text of the next bytes of a page to *out.
void html_read(HtmlReader *html, const char *bytes, size_t length, Text *out);
