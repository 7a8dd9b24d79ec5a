// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a page of HTML, for games of PGN that were put into one. Elements become blanks or
// ends of lines, entities become characters, scripts, style sheets and comments are left out.
#pragma once

#include "core/base/text.h"

// Stands where an element ends a line (<br>, <p>, <div> ...). The ends of lines of the file stay
// '\n', so that numbers of lines stay true.
enum { HTML_BREAK = '\v' };

// A page that is read piece by piece. Zero-initialise.
typedef struct HtmlReader {
    enum { HTML_TEXT, HTML_TAG, HTML_COMMENT, HTML_ENTITY, HTML_SKIPPED } state;
    char word[12];   // name of the element, or entity, as far as it has been read
    size_t length;   // of it
    bool named;      // HTML_TAG: the name has ended
    char quote;      // HTML_TAG: the quote of the attribute's value that is open, or 0
    char skipped[8]; // HTML_SKIPPED: the element whose content is left out
    size_t matched;  // HTML_COMMENT, HTML_SKIPPED: characters of the end that have been read
} HtmlReader;

// Returns true if a text is HTML that may hold PGN: it begins with an element, or soon has a tag of
// PGN with entities for its quotes or an element behind it.
bool html_begins(const char *head, size_t length);

// Appends the text of the next bytes of a page to *out.
void html_read(HtmlReader *html, const char *bytes, size_t length, Text *out);
