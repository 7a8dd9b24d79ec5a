// SPDX-License-Identifier: GPL-3.0-or-later
// The page that charts and boards stand on.
#include "tuner/report/chart.h"

EMBED_TEXT(page_css, "tuner/report/page.css");

const char *chart_page_style(void) {
    return page_css;
}

void chart_page_begin(Text *html, const char *title) {
    text_add(html, "<!DOCTYPE html>\n<html lang='en' xmlns='http://www.w3.org/1999/xhtml'>"
                   "<head><meta charset='utf-8'/>\n<meta name='viewport' "
                   "content='width=device-width, initial-scale=1'/>\n<title>");
    svg_add_escaped(html, title);
    text_add(html, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", page_css);
    svg_add_escaped(html, title);
    text_add(html, "</h1>\n");
}

void chart_page_end(Text *html) {
    text_add(html, "</main></body></html>\n");
}
