// SPDX-License-Identifier: GPL-3.0-or-later
// Extracts the text of an HTML page, to read PGN games from it. Elements become blanks or line
// breaks, and entities become characters. The contents of scripts, style sheets and comments are
// dropped.
#pragma once

#include "core/base/text.h"

// Character that replaces an element which ends a line (<br>, <p>, <div> ...). It differs from
// '\n', the line end of the file, so that messages can give correct line numbers.
enum { HTML_BREAK = '\v' };

// State of the extraction of text from an HTML page, which can be passed in pieces. Initialise with
// zeros.
typedef struct HtmlReader {
    enum { HTML_TEXT, HTML_TAG, HTML_COMMENT, HTML_ENTITY, HTML_SKIPPED } state;
    char word[12];   // name of the current element or entity, as far as it was read
    size_t length;   // number of characters in `word`
    bool named;      // state HTML_TAG: the name of the element is complete
    char quote;      // state HTML_TAG: quote character around the current attribute value, or 0
    char skipped[8]; // state HTML_SKIPPED: name of the element whose content is dropped
    size_t matched;  // states HTML_COMMENT and HTML_SKIPPED: number of characters read that match
                     // the end mark
} HtmlReader;

// Returns true if a text may be an HTML page that contains PGN. This is the case if the text, after
// blanks, begins with an element, a closing tag, <!DOCTYPE> or the beginning or end of a comment.
// It is also the case if the first 64 KB have the end of a PGN tag in HTML: quote and bracket
// followed by an element, or a bracket after a quote that is written as an entity.
bool html_begins(const char *head, size_t length);

// Returns the length of the HTML element at `at`, such as <b> or </p>, or 0 if there is none.
size_t html_element_length(const char *at, const char *end);

// Extracts the text from the next bytes of a page and appends it to *out.
void html_read(HtmlReader *html, const char *bytes, size_t length, Text *out);
