// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that write HTML pages. A page is a single file that loads no other files. Two walls
// keep names and other texts from outside (players, files, options, PGN tags) from becoming markup
// or script:
//
// 1. The markup of a page has a type of its own, Html. Only the functions of this header append to
//    it, and all of them escape texts. Markup is the literal format of page_add().
// 2. A Content-Security-Policy in the head of each page allows only the style sheets and the script
//    that the program embeds, by their hashes, which are computed when the program is built. Pages
//    therefore have no attributes `style` and no event handlers such as `onclick`. A width that
//    depends on data is an attribute of SVG (page_add_meter()). Data for a script are JSON in an
//    element <script type="application/json">.
#pragma once

#include "core/base/bits.h"
#include "core/base/text.h"

// Markup of a page or of a part of it. Initialise with zeros.
typedef struct Html {
    Text markup; // only the functions of this header may change it
} Html;
void html_clear(Html *html);
AUTO_VALUE(Html, html_clear)

// A style sheet or script of a page. The Makefile lists its file in PAGE_PARTS.
typedef struct PagePart {
    const char *path; // path of the file in the repository
    const char *text; // its content, from EMBED_TEXT()
} PagePart;

// Appends the head of a page: title, style sheet of all pages (page.css), and the policy that
// allows this style sheet, `style` and `script`, which may be NULL. `style` follows page.css.
void page_add_head(Html *html, const char *title, const PagePart *style, const PagePart *script);
// Append the beginning and the end of an HTML page, which is also well-formed XML. The beginning
// contains the style sheet, and `title` as heading. page_end() appends `script`. Both get the same
// script, or NULL.
void page_begin(Html *html, const char *title, const PagePart *script);
void page_end(Html *html, const PagePart *script);
// Append the beginning and the end of a section with a heading. On a narrow screen the section is
// folded behind a checkbox, unless the address leads into it. `layout` is a class of its content
// (page.css) or "".
void page_section_begin(Html *html, const char *id, const char *heading, const char *layout);
void page_section_end(Html *html);
// Writes the page to a file (text_write_file()).
Status page_write(const Html *html, const char *path, Err *err);
// Writes a part of a page to a stream, and empties it. The caller checks the stream.
void page_flush(Html *html, FILE *out);

// Appends markup. The format must be a string literal. Arguments of %s and %c are texts and are
// escaped by page_add_text(). Other conversions: d u x X f g with flags, width, precision, and the
// sizes l, ll and z.
#define page_add(html, ...) page_add_format(html, "" __VA_ARGS__)
void page_add_format(Html *html, const char *format, ...) PRINTF_LIKE(2, 3);
// Appends a piece of markup.
void page_add_html(Html *html, const Html *piece);

// Appends text. Escapes & < > and quotes, so that the text may also be the value of an attribute in
// quotes. Writes '?' in place of U+FFFE, U+FFFF, bytes that are not UTF-8, and characters below
// U+0020 except tab and newline.
void page_add_text(Html *html, const char *text);
// Appends a sentence, escaped as by page_add_text(). At the beginning of a word, '-' before a digit
// becomes a minus sign, and "+-" before a digit or blank becomes a plus-minus sign. A line never
// breaks in three places: between a number and the word or % after it, beside a plus-minus sign,
// and inside the name of an option such as --page.
void page_add_prose(Html *html, const char *text);
// Appends a command line. A line never breaks inside a word of at most 24 bytes that begins with
// '-', such as --page.
void page_add_command(Html *html, const char *command);
// Appends a FEN. A line never breaks inside the fields that follow the board.
void page_add_fen(Html *html, const char *fen);
// Appends a path as part of a URL: encodes all but letters, digits and "-._/".
void page_add_url(Html *html, const char *path);
// Appends a number with a typographic minus sign. If `plus` is set, positive numbers have a plus
// sign. A number that rounds to 0 has no sign. Appends a dash if the value is not finite.
// text_add_number() appends it to a text.
void page_add_number(Html *html, double value, int decimals, bool plus);
void text_add_number(Text *text, double value, int decimals, bool plus);
// Appends a whole number with its digits in groups of three: "1,320,240".
void text_add_count(Text *text, double count);
// Appends a bar across the available width. It is filled from `from` to `to`, in percent.
void page_add_meter(Html *html, double from, double to);
