// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/page.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/system/out_file.h"

EMBED_TEXT(page_css, "core/command/page.css");
static const PagePart page_style = {"core/command/page.css", page_css};

void html_clear(Html *html) {
    text_clear(&html->markup);
}

// ---- head, policy, beginning and end ------------------------------------------------------------

// Returns the hash of an embedded file as the policy has it. A file without a hash is a bug: the
// Makefile must list it in PAGE_PARTS.
static const char *part_hash(const PagePart *part) {
    static const struct {
        const char *path, *hash;
    } hashes[] = {
#define PAGE_PART(path, hash) {path, hash},
#include "page_hashes.inc"
    };
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        if (strcmp(hashes[i].path, part->path) == 0) return hashes[i].hash;
    }
    assert(false);
    return "'none'";
}

static void add_embedded(Html *html, const PagePart *part) {
    text_add(&html->markup, "%s", part->text);
}

void page_add_head(Html *html, const char *title, const PagePart *style, const PagePart *script) {
    text_add(&html->markup,
             "<!DOCTYPE html>\n<html lang='en' xmlns='http://www.w3.org/1999/xhtml'>"
             "<head><meta charset='utf-8'/>\n<meta http-equiv='Content-Security-Policy' "
             "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src %s%s%s",
             part_hash(&page_style), style ? " " : "", style ? part_hash(style) : "");
    if (script) text_add(&html->markup, "; script-src %s", part_hash(script));
    page_add(html,
             "\"/>\n<meta name='viewport' content='width=device-width, initial-scale=1'/>\n"
             "<title>%s</title>\n<style>",
             title);
    add_embedded(html, &page_style);
    page_add(html, "</style>\n");
    if (style) {
        page_add(html, "<style>");
        add_embedded(html, style);
        page_add(html, "</style>\n");
    }
    page_add(html, "</head>\n");
}

void page_begin(Html *html, const char *title, const PagePart *script) {
    page_add_head(html, title, NULL, script);
    page_add(html, "<body><main>\n<h1>%s</h1>\n", title);
}

void page_end(Html *html, const PagePart *script) {
    if (script) {
        page_add(html, "<script>");
        add_embedded(html, script);
        page_add(html, "</script>\n");
    }
    page_add(html, "</main></body></html>\n");
}

void page_section_begin(Html *html, const char *id, const char *heading, const char *layout) {
    // The style sheet shows the checkbox on narrow screens only.
    page_add(html,
             "<section id='%s'><h2>%s</h2>\n<div class='%s fold'>\n<label class='unfold'>"
             "<input type='checkbox'/> Show this section</label>\n",
             id, heading, layout);
}

void page_section_end(Html *html) {
    page_add(html, "</div></section>\n");
}

Status page_write(const Html *html, const char *path, Err *err) {
    return text_write_file(path, text_get(&html->markup), html->markup.length, err);
}

void page_flush(Html *html, FILE *out) {
    fputs(text_get(&html->markup), out);
    text_reset(&html->markup);
}

// ---- markup and text ----------------------------------------------------------------------------

void page_add_text(Html *html, const char *text) {
    Text *out = &html->markup;
    const char *end = text + strlen(text);
    while (text < end) {
        const char *from = text;
        const int32_t c = text_next_utf8(&text, end);
        if (c == '&') {
            text_add(out, "&amp;");
        } else if (c == '<') {
            text_add(out, "&lt;");
        } else if (c == '>') {
            text_add(out, "&gt;");
        } else if (c == '\'' || c == '"') {
            text_add(out, "&#%d;", (int)c);
        } else if (c < 0 || (c < ' ' && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff) {
            text_add(out, "?");
        } else {
            text_add_bytes(out, from, (size_t)(text - from));
        }
    }
}

// Appends the next argument to *text. `spec` is its conversion, such as "%.1f".
static void add_argument(Text *text, const char *spec, va_list *args) {
    const char kind = spec[strlen(spec) - 1];
    const bool wide = strchr(spec, 'l') != NULL, size = strchr(spec, 'z') != NULL;
    const bool widest = strstr(spec, "ll") != NULL;
    if (kind == 's') {
        text_add(text, spec, va_arg(*args, const char *));
    } else if (kind == 'f' || kind == 'g') {
        text_add(text, spec, va_arg(*args, double));
    } else if (widest) {
        text_add(text, spec, va_arg(*args, unsigned long long));
    } else if (wide) {
        text_add(text, spec, va_arg(*args, unsigned long));
    } else if (size) {
        text_add(text, spec, va_arg(*args, size_t));
    } else {
        assert(strchr("cduxX", kind));
        text_add(text, spec, va_arg(*args, unsigned));
    }
}

void page_add_format(Html *html, const char *format, ...) {
    va_list args;
    va_start(args, format);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        text_add_bytes(&html->markup, format, plain);
        format += plain;
        if (*format == '%' && format[1] == '%') {
            text_add_bytes(&html->markup, "%", 1);
            format += 2;
        } else if (*format == '%') {
            char spec[16];
            AUTO(Text) value = {0};
            const size_t length = strspn(format, "%-+ #0123456789.lz") + 1;
            assert(length < sizeof spec);
            memcpy(spec, format, length);
            spec[length] = '\0';
            add_argument(&value, spec, &args);
            page_add_text(html, text_get(&value));
            format += length;
        }
    }
    va_end(args);
}

void page_add_html(Html *html, const Html *piece) {
    text_add_bytes(&html->markup, text_get(&piece->markup), piece->markup.length);
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
static void add_word(Html *html, const char *text, size_t size) {
    AUTO(Text) word = {0};
    text_add_bytes(&word, text, size);
    page_add(html, "<span class='word'>%s</span>", text_get(&word));
}

void page_add_command(Html *html, const char *command) {
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
            page_add_text(html, text_get(&word));
        }
        command += size;
        if (*command == ' ') {
            page_add(html, " ");
            command++;
        }
    }
}

void page_add_fen(Html *html, const char *fen) {
    const char *rest = strchr(fen, ' ');
    AUTO(Text) board = {0};
    text_add_bytes(&board, fen, rest ? (size_t)(rest - fen) : strlen(fen));
    page_add_text(html, text_get(&board));
    if (!rest) return;
    page_add(html, " ");
    add_word(html, rest + 1, strlen(rest + 1));
}

// Returns the length of the option name "--name" at the beginning of a text, or 0.
static size_t option_length(const char *text) {
    const size_t name = strspn(text, "-abcdefghijklmnopqrstuvwxyz0123456789");
    return strncmp(text, "--", 2) == 0 && name > 2 ? name : 0;
}

void page_add_prose(Html *html, const char *text) {
    AUTO(Text) prose = {0};
    for (const char *c = text; *c; c++) {
        const bool begins = c == text || strchr(" ('", c[-1]);
        const size_t option = begins ? option_length(c) : 0;
        if (option > 0) {
            page_add_text(html, text_get(&prose));
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
    page_add_text(html, text_get(&prose));
}

void page_add_url(Html *html, const char *path) {
    for (const char *c = path; *c; c++) {
        if (isalnum((unsigned char)*c) || strchr("-._/", *c)) {
            page_add(html, "%c", *c);
        } else {
            page_add(html, "%%%02X", (unsigned char)*c);
        }
    }
}

// ---- numbers ------------------------------------------------------------------------------------

void text_add_number(Text *text, double value, int decimals, bool plus) {
    char digits[64];
    if (!isfinite(value)) {
        text_add(text, "\xe2\x80\x93"); // an en dash in UTF-8
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool zero = strspn(digits, "0.") == strlen(digits);
    text_add(text, "%s%s", zero ? "" : value < 0 ? "\xe2\x88\x92" : plus ? "+" : "", digits);
}

void page_add_number(Html *html, double value, int decimals, bool plus) {
    text_add_number(&html->markup, value, decimals, plus);
}

void text_add_count(Text *text, double count) {
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length; i++) {
        text_add(text, i && (length - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
    }
}

void page_add_meter(Html *html, double from, double to) {
    page_add(html,
             "<svg class='meter' xmlns='http://www.w3.org/2000/svg' aria-hidden='true'>"
             "<rect x='%.1f%%' width='%.1f%%' height='100%%'/></svg>",
             from, to - from);
}
