// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/options.h"

#include <string.h>

#include "core/base/terminal.h"

// Columns of a text: a character of East Asia takes two.
static int columns_of(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xc0) != 0x80) columns += byte >= 0xe3 && byte < 0xf0 ? 2 : 1;
    }
    return columns;
}

// The end of a text that words are added to.
typedef struct Fill {
    FILE *out;
    int width;
    int column;            // where the next character goes
    int indent;            // of the lines that follow
    const char *line_ends; // what stands at the end of a broken line
    bool fresh;            // nothing stands on this line yet
} Fill;

static void fill_piece(Fill *fill, const char *piece, size_t length, bool blank) {
    const int columns = columns_of(piece, length), end = (int)strlen(fill->line_ends);
    if (!fill->fresh && fill->column + blank + columns + end > fill->width) {
        const int most = fill->width > columns ? fill->width - columns : 0;
        fill->column = fill->indent < most ? fill->indent : most;
        fprintf(fill->out, "%s\n%*s", fill->line_ends, fill->column, "");
    } else if (blank && !fill->fresh) {
        fputc(' ', fill->out);
        fill->column++;
    }
    fprintf(fill->out, "%.*s", (int)length, piece);
    fill->column += columns;
    fill->fresh = false;
}

// A list of choices that is too long for a line may be broken behind each bar.
static void fill_word(Fill *fill, const char *word, size_t length) {
    const bool whole = columns_of(word, length) + fill->indent <= fill->width;
    for (size_t at = 0; at < length;) {
        const char *bar = whole ? NULL : memchr(word + at, '|', length - at);
        const size_t size = bar ? (size_t)(bar - word) + 1 - at : length - at;
        fill_piece(fill, word + at, size, at == 0);
        at += size;
    }
}

static void fill_words(Fill *fill, const char *text, size_t length) {
    const char *const end = text + length;
    while (text < end) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        const size_t size = (size_t)((blank ? blank : end) - text);
        if (size > 0) fill_word(fill, text, size);
        text += size + (blank != NULL);
    }
}

void help_entry(FILE *out, const char *left, const char *text, int column) {
    Fill fill = {.out = out,
                 .width = terminal_width(out),
                 .column = 2,
                 .indent = 6,
                 .line_ends = "",
                 .fresh = true};
    fprintf(out, "  ");
    fill_words(&fill, left, strlen(left));
    if (columns_of(left, strlen(left)) + 2 >= column) {
        fprintf(out, "\n%*s", column, "");
    } else {
        fprintf(out, "%*s", column - fill.column, "");
    }
    fill.column = fill.indent = column;
    fill.fresh = true;
    fill_words(&fill, text, strlen(text));
    fputc('\n', out);
}

static bool is_example(const char *line) {
    return strncmp(line, "paotai ", 7) == 0 || strncmp(line, "printf ", 7) == 0;
}

// The start of the second column of a line of a table; 0: it has one column.
static size_t second_column(const char *line, size_t length) {
    const size_t begin = strspn(line, " ");
    const char *gap = begin < length ? memmem(line + begin, length - begin, "  ", 2) : NULL;
    return gap ? (size_t)(gap - line) + strspn(gap, " ") : 0;
}

static bool is_prose(const char *line, size_t length) {
    return length > 0 && *line != ' ' && !is_example(line) && second_column(line, length) == 0;
}

// A line that stands alone: a command, which is broken as a shell reads it, or one of a table.
static void print_line(FILE *out, const char *line, size_t length) {
    const bool example = is_example(line);
    size_t kept = second_column(line, length);
    const size_t begin = strspn(line, " ");
    if (kept == 0 || example) kept = begin;
    Fill fill = {.out = out,
                 .width = terminal_width(out),
                 .column = columns_of(line, kept),
                 .indent = example        ? 4
                           : kept > begin ? columns_of(line, kept)
                                          : (int)begin + 2,
                 .line_ends = example ? " \\" : "",
                 .fresh = true};
    if (columns_of(line, length) <= fill.width) {
        fprintf(out, "%.*s", (int)length, line);
        return;
    }
    if (fill.indent > fill.width / 2) fill.indent = (int)begin + 2;
    fprintf(out, "%.*s", (int)kept, line);
    fill_words(&fill, line + kept, length - kept);
}

static void print_details(FILE *out, const char *text) {
    Fill fill = {.out = out, .width = terminal_width(out), .line_ends = "", .fresh = true};
    bool prose = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool more = is_prose(text, length);
        if (prose && !more) fputc('\n', out);
        if (more) {
            if (!prose) {
                fill.column = 0;
                fill.fresh = true;
            }
            fill_words(&fill, text, length);
        } else {
            print_line(out, text, length);
            fputc('\n', out);
        }
        prose = more;
        text += length + (text[length] != '\0');
    }
    if (prose) fputc('\n', out);
}

void command_help(const Command *command, FILE *out) {
    const bool options = command->rows && command->rows[0].name;
    enum { COLUMN = 27 };
    fprintf(out, "usage: paotai %s%s%s%s\n\n", command->name, options ? " [options]" : "",
            command->usage[0] ? " " : "", command->usage);
    print_details(out, command->summary);
    if (options) fprintf(out, "\noptions:\n");
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        AUTO(Text) left = {0};
        AUTO(Text) text = {0};
        text_add(&left, "--%s", row->name);
        if (row->type != OPTION_FLAG) text_add(&left, " %s", row->unit);
        text_add(&text, "%s%s", row->help, row->flags & OPTION_REQUIRED ? " (required)" : "");
        if (row->type != OPTION_FLAG && row->default_value) {
            text_add(&text, " (default %s)", row->default_value);
        }
        help_entry(out, left.data, text.data, COLUMN);
    }
    if (options) {
        help_entry(out, "--options FILE", "options from a file, one a line: NAME VALUE", COLUMN);
    }
    if (command->details) {
        fputc('\n', out);
        print_details(out, command->details);
    }
}
