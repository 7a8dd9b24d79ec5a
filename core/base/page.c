// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/page.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

EMBED_TEXT(page_css, "core/base/page.css");

const char *page_style(void) {
    return page_css;
}

void page_begin(Text *html, const char *title) {
    text_add(html, "<!DOCTYPE html>\n<html lang='en' xmlns='http://www.w3.org/1999/xhtml'>"
                   "<head><meta charset='utf-8'/>\n<meta name='viewport' "
                   "content='width=device-width, initial-scale=1'/>\n<title>");
    page_add_escaped(html, title);
    text_add(html, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", page_css);
    page_add_escaped(html, title);
    text_add(html, "</h1>\n");
}

void page_end(Text *html) {
    text_add(html, "</main></body></html>\n");
}

void page_add_escaped(Text *html, const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        const char *from = text;
        const int32_t c = text_next_utf8(&text, end);
        if (c == '&') {
            text_add(html, "&amp;");
        } else if (c == '<') {
            text_add(html, "&lt;");
        } else if (c == '>') {
            text_add(html, "&gt;");
        } else if (c == '\'' || c == '"') {
            text_add(html, "&#%d;", (int)c);
        } else if (c < 0 || (c < ' ' && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff) {
            text_add(html, "?");
        } else {
            text_add_bytes(html, from, (size_t)(text - from));
        }
    }
}

// Returns true if no line may break at the blank that `at` points to, inside `text`.
static bool is_joint(const char *text, const char *at) {
    const bool number = at > text && isdigit((unsigned char)at[-1]);
    return (number && (at[1] == '%' || isalpha((unsigned char)at[1]))) ||
           strncmp(at + 1, "\xc2\xb1", 2) == 0 || strncmp(at + 1, "+-", 2) == 0 ||
           (at >= text + 2 &&
            (strncmp(at - 2, "\xc2\xb1", 2) == 0 || strncmp(at - 2, "+-", 2) == 0));
}

// Appends `size` bytes of text as a piece inside which a line never breaks.
static void add_word(Text *html, const char *text, size_t size) {
    AUTO(Text) word = {0};
    text_add_bytes(&word, text, size);
    text_add(html, "<span class='word'>");
    page_add_escaped(html, text_get(&word));
    text_add(html, "</span>");
}

void page_add_command(Text *html, const char *command) {
    // A line never breaks inside an option name of at most this many bytes. A longer name could be
    // wider than the screen of a phone.
    enum { WORD_MOST = 24 };
    while (*command) {
        const size_t size = strcspn(command, " ");
        if (*command == '-' && size <= WORD_MOST) {
            add_word(html, command, size);
        } else {
            AUTO(Text) word = {0};
            text_add_bytes(&word, command, size);
            page_add_escaped(html, text_get(&word));
        }
        command += size;
        if (*command == ' ') {
            text_add(html, " ");
            command++;
        }
    }
}

void page_add_fen(Text *html, const char *fen) {
    const char *rest = strchr(fen, ' ');
    AUTO(Text) board = {0};
    text_add_bytes(&board, fen, rest ? (size_t)(rest - fen) : strlen(fen));
    page_add_escaped(html, text_get(&board));
    if (!rest) return;
    text_add(html, " ");
    add_word(html, rest + 1, strlen(rest + 1));
}

// Returns the length of the option name "--name" at the beginning of a text, or 0.
static size_t option_length(const char *text) {
    const size_t name = strspn(text, "-abcdefghijklmnopqrstuvwxyz0123456789");
    return strncmp(text, "--", 2) == 0 && name > 2 ? name : 0;
}

void page_add_prose(Text *html, const char *text) {
    AUTO(Text) prose = {0};
    for (const char *c = text; *c; c++) {
        const bool begins = c == text || strchr(" ('", c[-1]);
        const size_t option = begins ? option_length(c) : 0;
        if (option > 0) {
            page_add_escaped(html, text_get(&prose));
            text_reset(&prose);
            add_word(html, c, option);
            c += option - 1;
            continue;
        }
        if (*c == '-' && begins && isdigit((unsigned char)c[1])) {
            text_add(&prose, "\xe2\x88\x92");
        } else if (*c == '+' && begins && c[1] == '-' && strchr(" 0123456789", c[2])) {
            text_add(&prose, "\xc2\xb1");
            c++;
        } else if (*c == ' ' && is_joint(text, c)) {
            text_add(&prose, "\xc2\xa0");
        } else {
            text_add_bytes(&prose, c, 1);
        }
    }
    page_add_escaped(html, text_get(&prose));
}

void page_add_url(Text *html, const char *path) {
    for (const char *c = path; *c; c++) {
        const bool plain = isalnum((unsigned char)*c) || strchr("-._/", *c);
        text_add(html, plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
}

void page_add_number(Text *html, double value, int decimals, bool plus) {
    char digits[64];
    if (!isfinite(value)) {
        text_add(html, "\xe2\x80\x93"); // an en dash in UTF-8
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool zero = strspn(digits, "0.") == strlen(digits);
    text_add(html, "%s%s", zero ? "" : value < 0 ? "\xe2\x88\x92" : plus ? "+" : "", digits);
}

void page_add_count(Text *html, double count) {
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length; i++) {
        text_add(html, i && (length - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
    }
}
