// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes what the report reads of a weight file's comments: whatever stands there, the page is
// made, and nothing of it becomes markup.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tuner/report/report.h"

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

// In a page of ours '<' begins one of its tags, '&' an entity, and every byte is a character.
static void check_page(const Text *html) {
    static const char *const tags[] = {"/",
                                       "text ",
                                       "circle ",
                                       "g>",
                                       "td",
                                       "th ",
                                       "tr>",
                                       "g ",
                                       "line ",
                                       "tspan ",
                                       "title",
                                       "path ",
                                       "!DOCTYPE html>",
                                       "html ",
                                       "head>",
                                       "meta ",
                                       "style>",
                                       "body>",
                                       "main>",
                                       "h1>",
                                       "h2>",
                                       "h3>",
                                       "h4>",
                                       "p>",
                                       "p ",
                                       "nav ",
                                       "a ",
                                       "section ",
                                       "div",
                                       "figure ",
                                       "svg ",
                                       "desc ",
                                       "rect ",
                                       "details",
                                       "summary>",
                                       "table",
                                       "thead>",
                                       "tbody>",
                                       "figcaption>",
                                       "dl ",
                                       "dt>",
                                       "dd>",
                                       "code>",
                                       "small>"};
    const char *end = html->data + html->length, *at = html->data;
    require(!memchr(html->data, 0, html->length));
    for (const char *next = at; at < end; at = next) {
        const int32_t c = text_next_utf8(&next, end);
        require(c >= ' ' || c == '\n' || c == '\t');
        require(c != '&' || starts(at, "&amp;") || starts(at, "&lt;") || starts(at, "&gt;") ||
                starts(at, "&#"));
        bool known = c != '<';
        for (size_t i = 0; !known && i < sizeof tags / sizeof *tags; i++) {
            known = at[1] == *tags[i] && starts(at + 1, tags[i]);
        }
        require(known);
    }
}

FUZZ(report) {
    Text file = {0}, html = {0};
    Weights weights;
    Err err = {0};
    text_add_bytes(&file, data, size);
    weights_classic(&weights);
    const ReportSource source = {.name = text_get(&file),
                                 .text = text_get(&file),
                                 .command = text_get(&file),
                                 .weights = &weights,
                                 .setup = {.threads = 1}};
    require(report_format(&source, &html, &err) == STATUS_OK);
    check_page(&html);
    text_clear(&file);
    text_clear(&html);
}
