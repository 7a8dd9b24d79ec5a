// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the report. The input is the name, the text and the command line of the reported weights.
// For any input, a page must be written, and no part of the input may become HTML markup.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tuner/report/report.h"

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

// Beginnings of the HTML tags that the report itself writes, each after a line feed. Most of them
// end with a blank or '>'.
static const char tags[] =
    "\n/\ntext \ncircle \ng>\ntd\nth \ntr>\ng \nline \ntitle\npath \n!DOCTYPE html>\nhtml "
    "\nhead>\nmeta \nstyle>\nbody>\nmain>\nh1>\nh2>\nh3>\nh4>\np>\np \nnav \na \nsection \ndiv"
    "\nfigure \nsvg \ndesc \nrect \ndetails\nsummary>\ntable\nthead>\ntbody>\nfigcaption>\ndl \ndt>"
    "\ndd>\ncode>\npre>\nsmall>\nspan \nlabel \ninput \n";

// Returns true if the text begins with one of the HTML tags that a report has.
static bool is_tag(const char *text) {
    for (const char *tag = tags + 1; *tag; tag += strcspn(tag, "\n") + 1) {
        if (strncmp(text, tag, strcspn(tag, "\n")) == 0) return true;
    }
    return false;
}

// Checks a page: each '<' must begin one of the report's tags, each '&' an entity, and every byte
// must belong to a valid UTF-8 character.
static void check_page(const Text *html) {
    const char *end = html->data + html->length, *at = html->data;
    require(!memchr(html->data, 0, html->length));
    for (const char *next = at; at < end; at = next) {
        const int32_t c = text_next_utf8(&next, end);
        require(c >= ' ' || c == '\n' || c == '\t');
        require(c != '&' || starts(at, "&amp;") || starts(at, "&lt;") || starts(at, "&gt;") ||
                starts(at, "&#"));
        require(c != '<' || is_tag(at + 1));
    }
}

FUZZ(report) {
    Text file = {0};
    Html html = {0};
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
    check_page(&html.markup);
    text_clear(&file);
    html_clear(&html);
}
