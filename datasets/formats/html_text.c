// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/html_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool html_begins(const char *head, size_t length) {
    enum { LOOKED_AT = 1 << 16 };
    if (length > LOOKED_AT) length = LOOKED_AT;
    const char *at = head, *const end = head + length;
    if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (at < end && isspace((unsigned char)*at)) at++;
    if (end - at >= 2 && *at == '<') {
        return isalpha((unsigned char)at[1]) || at[1] == '!' || html_element_length(at, end);
    }
    if (end - at >= 3 && memcmp(at, "-->", 3) == 0) return true;
    static const char *const signs[] = {"&quot;]", "&#34;]", "&rdquo;]", "&#8221;]",
                                        "\"]<br",  "\"]</",  "\"] <br",  "\"]<p"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (memmem(head, length, signs[i], strlen(signs[i]))) return true;
    }
    return false;
}

size_t html_element_length(const char *at, const char *end) {
    enum { LONGEST = 1024 };
    const size_t length = (size_t)(end - at);
    if (length < 3 || *at != '<') return 0;
    const char *name = at + 1 + (at[1] == '/');
    if (!isalpha((unsigned char)*name)) return 0;
    const char *close = memchr(name, '>', length < LONGEST ? length - 2 : LONGEST - 2);
    return close ? (size_t)(close + 1 - at) : 0;
}

// ---- entities ----------------------------------------------------------------------------------

// HTML entities, by name and by Unicode number, and the ASCII text that replaces them. PGN in web
// pages may contain typographic quotes and dashes; these become ASCII too.
static const struct {
    const char *name, *text;
    unsigned code;
} entities[] = {
    {"quot", "\"", 34},   {"amp", "&", 38},        {"lt", "<", 60},        {"gt", ">", 62},
    {"apos", "'", 39},    {"nbsp", " ", 160},      {"ldquo", "\"", 8220},  {"rdquo", "\"", 8221},
    {"lsquo", "'", 8216}, {"rsquo", "'", 8217},    {"ndash", "-", 8211},   {"mdash", "-", 8212},
    {"minus", "-", 8722}, {"hellip", "...", 8230}, {"frac12", "1/2", 189}, {"lbrack", "[", 91},
    {"rbrack", "]", 93},  {"lsqb", "[", 91},       {"rsqb", "]", 93},      {"lcub", "{", 123},
    {"rcub", "}", 125},   {"num", "#", 35},        {"period", ".", 46},    {"sol", "/", 47},
};

static void add_code(unsigned long code, Text *out) {
    const unsigned low = (unsigned)(code & 63);
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = '?';
    // Only the line ends of the file may become line ends, because messages give line numbers.
    if (code == '\n' || code == '\r') code = HTML_BREAK;
    if (code < 0x80) {
        text_add(out, "%c", (char)code);
    } else if (code < 0x800) {
        text_add(out, "%c%c", (char)(0xc0 | code >> 6), (char)(0x80 | low));
    } else if (code < 0x10000) {
        text_add(out, "%c%c%c", (char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                 (char)(0x80 | low));
    } else {
        text_add(out, "%c%c%c%c", (char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 63)),
                 (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | low));
    }
}

// Appends the text for which the HTML entity `name` stands. `name` excludes & and the semicolon.
// Returns false if the entity is unknown.
static bool add_entity(const char *name, Text *out) {
    unsigned long code = 0;
    char *end = NULL;
    if (*name == '#') {
        const bool hex = name[1] == 'x' || name[1] == 'X';
        const char *digits = name + 1 + hex;
        if (!isxdigit((unsigned char)*digits)) return false;
        code = strtoul(digits, &end, hex ? 16 : 10);
        if (*end) return false;
    }
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (end ? code != entities[i].code : strcmp(name, entities[i].name) != 0) continue;
        text_add(out, "%s", entities[i].text);
        return true;
    }
    if (end) add_code(code, out);
    return end;
}

// ---- elements ----------------------------------------------------------------------------------

// Returns true if an HTML element such as <b> can be inside a line. All other elements end the
// line.
static bool is_inline(const char *name) {
    static const char *const names[] = {
        "a",   "b",   "i",   "u",      "em",   "font", "span",  "small", "code", "sub", "sup", "tt",
        "img", "wbr", "big", "strong", "mark", "abbr", "label", "s",     "del",  "ins", "q"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

static void end_tag(HtmlReader *html, Text *out) {
    html->word[html->length] = '\0';
    const char *name = html->word + (html->word[0] == '/');
    text_add(out, "%c", is_inline(name) ? ' ' : HTML_BREAK);
    const bool skipped = strcmp(html->word, "script") == 0 || strcmp(html->word, "style") == 0;
    html->state = skipped ? HTML_SKIPPED : HTML_TEXT;
    html->matched = 0;
    if (skipped) strcpy(html->skipped, html->word);
}

static void read_tag(HtmlReader *html, char c, Text *out) {
    if (html->quote) {
        if (c == html->quote) html->quote = 0;
    } else if (c == '>') {
        end_tag(html, out);
    } else if (html->named && (c == '"' || c == '\'')) {
        html->quote = c;
    } else if (isspace((unsigned char)c) || (c == '/' && html->length > 0)) {
        html->named = true;
    } else if (!html->named && html->length + 1 < sizeof html->word) {
        html->word[html->length++] = (char)tolower((unsigned char)c);
        if (html->length == 3 && memcmp(html->word, "!--", 3) == 0) {
            html->state = HTML_COMMENT;
            html->matched = 0;
        }
    }
}

// Skips one character of a comment, or of an element whose content is dropped (script, style).
// Detects the end of the comment or element.
static void read_skipped(HtmlReader *html, char c) {
    const bool comment = html->state == HTML_COMMENT;
    char end[16] = "--";
    if (!comment) {
        strcpy(end, "</");
        strcat(end, html->skipped);
    }
    const size_t length = strlen(end);
    if (html->matched == length && c == '>') {
        html->state = HTML_TEXT;
    } else if (html->matched == length) {
        if (comment && c != '-') html->matched = 0;
    } else if (tolower((unsigned char)c) == end[html->matched]) {
        html->matched++;
    } else {
        html->matched = c == end[0];
    }
}

static void begin_word(HtmlReader *html, char first) {
    html->state = first == '<' ? HTML_TAG : HTML_ENTITY;
    html->length = 0;
    html->named = false;
    html->quote = 0;
}

// Appends text that looked like the beginning of an element or entity, but is not one. `first` is
// its first character, < or &.
static void give_back(HtmlReader *html, char first, Text *out) {
    text_add(out, "%c%.*s", first, (int)html->length, html->word);
    html->state = HTML_TEXT;
}

static void read_entity(HtmlReader *html, char c, Text *out) {
    if (c == ';') {
        html->word[html->length] = '\0';
        html->state = HTML_TEXT;
        if (!add_entity(html->word, out)) text_add(out, "&%s;", html->word);
    } else if ((isalnum((unsigned char)c) || c == '#') && html->length + 1 < sizeof html->word) {
        html->word[html->length++] = c;
    } else {
        give_back(html, '&', out);
        html_read(html, &c, 1, out);
    }
}

void html_read(HtmlReader *html, const char *bytes, size_t length, Text *out) {
    for (size_t i = 0; i < length; i++) {
        const char c = bytes[i];
        const bool begins = html->state == HTML_TAG && html->length == 0 && !html->named;
        if (begins && !isalpha((unsigned char)c) && c != '/' && c != '!') give_back(html, '<', out);
        if (c == '\n' && html->state != HTML_TEXT && html->state != HTML_ENTITY) {
            text_add_bytes(out, "\n", 1);
        }
        switch (html->state) {
        case HTML_TEXT: {
            const size_t first = i;
            while (i < length && bytes[i] != '<' && bytes[i] != '&') i++;
            text_add_bytes(out, bytes + first, i - first);
            if (i < length) begin_word(html, bytes[i]);
            break;
        }
        case HTML_TAG:
            read_tag(html, c, out);
            break;
        case HTML_ENTITY:
            read_entity(html, c, out);
            break;
        default:
            read_skipped(html, c);
        }
    }
}
