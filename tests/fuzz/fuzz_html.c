// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the extraction of text from HTML pages. A page that is passed in two pieces must give the
// same text as the whole page, and elements must not add line ends, because messages count lines.
#include <string.h>

#include "datasets/formats/html_text.h"
#include "tests/fuzz/fuzz.h"

static size_t line_ends(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += text[i] == '\n';
    return count;
}

FUZZ(html) {
    const char *page = (const char *)data;
    const size_t half = size ? data[0] % size : 0;
    HtmlReader whole = {0}, parts = {0};
    Text text = {0}, joined = {0};
    html_begins(page, size);
    html_read(&whole, page, size, &text);
    html_read(&parts, page, half, &joined);
    html_read(&parts, page + half, size - half, &joined);
    require(text.length == joined.length && strcmp(text_get(&text), text_get(&joined)) == 0);
    require(line_ends(text_get(&text), text.length) <= line_ends(page, size));
    text_clear(&text);
    text_clear(&joined);
}
