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
    enum { HTML_TEXT, HTML_TAG, HTML_COMMENT, HTML_ENTITY, HTML_SKIPPED } state;
    char word[12];   // name of the element or entity, as far as it was read
    size_t length;   // length of word
    bool named;      // HTML_TAG: the name is complete
    char quote;      // HTML_TAG: quote around the current attribute value, or 0
    char skipped[8]; // HTML_SKIPPED: name of the element whose content is dropped
    size_t matched;  // HTML_COMMENT, HTML_SKIPPED: number of characters of the end that were read
} HtmlReader;

// Returns true if a text is HTML that may contain PGN: it begins with an element, or its first 64
// KB contain a PGN tag with entities for its quotes, or with an element after it.
bool html_begins(const char *head, size_t length);

// Appends the text of the next bytes of a page to *out.
void html_read(HtmlReader *html, const char *bytes, size_t length, Text *out);
