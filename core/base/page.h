// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that write HTML pages: beginning, end, and escaped text. All HTML pages of Paotai use
// the style sheet page.css, which defines their colours. A page is a single file that loads no
// other files.
#pragma once

#include "core/base/text.h"

// Embeds a file of the repository as the text `name`. The Makefile must list the file as a
// prerequisite of the object file.
#define EMBED_TEXT(name, path)                                                                     \
    extern const char name[] __attribute__((visibility("hidden")));                                \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection")

// Returns the style sheet of all pages.
const char *page_style(void);
// Append the beginning and the end of an HTML page, which is also well-formed XML. The beginning
// contains the style sheet, and `title` as heading.
void page_begin(Text *html, const char *title);
void page_end(Text *html);

// Appends text as XML. Escapes & < > and quotes. Writes '?' in place of U+FFFE, U+FFFF, bytes that
// are not UTF-8, and characters below U+0020 except tab and newline.
void page_add_escaped(Text *html, const char *text);
// Appends a sentence, escaped as by page_add_escaped(). At the beginning of a word, '-' before a
// digit becomes a minus sign, and "+-" before a digit or blank becomes a plus-minus sign. A line
// never breaks in three places: between a number and the word or % after it, beside a plus-minus
// sign, and inside the name of an option such as --page.
void page_add_prose(Text *html, const char *text);
// Appends a command line. A line never breaks inside a word of at most 24 bytes that begins with
// '-', such as --page.
void page_add_command(Text *html, const char *command);
// Appends a FEN. A line never breaks inside the fields that follow the board.
void page_add_fen(Text *html, const char *fen);
// Appends a path as part of a URL: encodes all but letters, digits and "-._/".
void page_add_url(Text *html, const char *path);
// Appends a whole number with its digits in groups of three: "1,320,240".
void page_add_count(Text *html, double count);
// Appends a number with a typographic minus sign. If `plus` is set, positive numbers have a plus
// sign. A number that rounds to 0 has no sign. Appends a dash if the value is not finite.
void page_add_number(Text *html, double value, int decimals, bool plus);
