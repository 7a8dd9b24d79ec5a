// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command/help.h"

#include <string.h>

#include "core/command/foreign.h"
#include "core/system/terminal.h"

// Returns the number of terminal columns of a UTF-8 text. Counts two columns for each character
// from U+3000 to U+FFFF, such as Chinese characters, and one column for each other character.
static int columns_of(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xc0) != 0x80) columns += byte >= 0xe3 && byte < 0xf0 ? 2 : 1;
    }
    return columns;
}

// A text that is being wrapped to the terminal width.
typedef struct Fill {
    FILE *out;
    int width;
    int column;            // column where the next character is printed
    int indent;            // number of blanks before the lines that follow a line break; fewer
                           // before a word that would not fit
    const char *line_ends; // text printed before each line break, such as " \"
    bool fresh; // true until the first word is written; no blank or line break comes before that
                // word
} Fill;

static void fill_piece(Fill *fill, const char *piece, size_t length, bool blank) {
    const int columns = columns_of(piece, length), end = (int)strlen(fill->line_ends);
    if (!fill->fresh && fill->column + blank + columns + end > fill->width) {
        const int max_indent = fill->width > columns ? fill->width - columns : 0;
        fill->column = fill->indent < max_indent ? fill->indent : max_indent;
        fprintf(fill->out, "%s\n%*s", fill->line_ends, fill->column, "");
    } else if (blank && !fill->fresh) {
        fputc(' ', fill->out);
        fill->column++;
    }
    fprintf(fill->out, "%.*s", (int)length, piece);
    fill->column += columns;
    fill->fresh = false;
}

// Writes a word of wrapped text. A word that is longer than a line, such as a list of choices, may
// be broken after each '|'.
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

// Returns the offset of the second column in a line of a help table, or 0 if the line has only one
// column.
static size_t second_column(const char *line, size_t length) {
    size_t gap = strspn(line, " ");
    while (gap + 1 < length && (line[gap] != ' ' || line[gap + 1] != ' ')) gap++;
    return gap + 1 < length ? gap + strspn(line + gap, " ") : 0;
}

static bool is_prose(const char *line, size_t length) {
    return length > 0 && *line != ' ' && !is_example(line) && second_column(line, length) == 0;
}

// Prints a line of help that is not joined with its neighbours: an example command, a line of a
// table, an indented line or an empty line. A line of an example ends with a backslash if the
// example continues on the next line.
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

// Returns the length of the text "- " or "2. " (any number) at the start of a list item, or 0 if
// the line is not a list item.
static int item_mark(const char *line) {
    const size_t digits = strspn(line, "0123456789");
    if (digits > 0 && strncmp(line + digits, ". ", 2) == 0) return (int)digits + 2;
    return strncmp(line, "- ", 2) == 0 ? 2 : 0;
}

// Prints a text. Adjacent lines of prose are joined to a paragraph and wrapped; each list item
// begins on a line of its own.
static void print_details(FILE *out, const char *text) {
    Fill fill = {.out = out, .width = terminal_width(out), .line_ends = "", .fresh = true};
    bool prose = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool more = is_prose(text, length);
        const int mark = item_mark(text);
        if (prose && (!more || mark > 0)) fputc('\n', out);
        if (more) {
            if (!prose || mark > 0) {
                fill.column = 0;
                fill.indent = mark;
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

// ---- help of one command ------------------------------------------------------------------------

enum { EXAMPLES_FIRST = 2 }; // largest number of examples that --help prints before the options

// Splits the details of a command (Command.details) into its first EXAMPLES_FIRST examples and the
// remaining text. An example that follows a line with a colon at its end always stays in the text.
static void split_details(const char *details, Text *examples, Text *rest) {
    int count = 0;
    bool introduced = false, blank = true;
    for (const char *line = details; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool moves = is_example(line) && !introduced && count < EXAMPLES_FIRST;
        count += moves;
        if (length || !blank || moves) {
            text_add(moves ? examples : rest, "%.*s\n", (int)length, line);
        }
        if (!moves) blank = length == 0;
        if (length) introduced = line[length - 1] == ':';
        line += length + (line[length] != '\0');
    }
    while (rest->length > 1 && rest->data[rest->length - 2] == '\n') rest->length--;
    if (rest->length) rest->data[rest->length] = '\0';
}

static void print_option(const OptionRow *row, FILE *out, int column) {
    AUTO(Text) left = {0};
    AUTO(Text) text = {0};
    text_add(&left, "--%s", row->name);
    if (row->type != OPTION_FLAG) text_add(&left, " %s", row->unit);
    text_add(&text, "%s", row->help);
    const char *before = " (", *const first = before;
    if (row->flags & OPTION_REQUIRED) {
        text_add(&text, "%srequired", before);
        before = ", ";
    }
    if (row->max > row->min) { // the option is a number with a range
        text_add(&text, "%s%.10g..%.10g", before, row->min, row->max);
        before = ", ";
    }
    if (row->type != OPTION_FLAG && row->default_value) {
        text_add(&text, "%sdefault %s", before, row->default_value);
        before = ", ";
    }
    if (before != first) text_add(&text, ")");
    help_entry(out, left.data, text.data, column);
}

void command_help(const Command *command, FILE *out) {
    const bool options = command->rows && command->rows[0].name;
    enum { COLUMN = 27 };
    AUTO(Text) examples = {0};
    AUTO(Text) rest = {0};
    split_details(command->details ? command->details : "", &examples, &rest);
    fprintf(out, "usage: paotai %s%s%s%s\n\n", command->name, options ? " [options]" : "",
            command->usage[0] ? " " : "", command->usage);
    print_details(out, command->summary);
    if (examples.length) fputc('\n', out);
    print_details(out, text_get(&examples));
    if (options) fprintf(out, "\noptions:\n");
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        print_option(row, out, COLUMN);
    }
    if (command->reads_weights) {
        help_entry(out, "--" DROP_UNKNOWN_NAME, DROP_UNKNOWN_HELP, COLUMN);
    }
    if (options) {
        help_entry(out, "--options FILE", "read options from a file, one per line: NAME VALUE",
                   COLUMN);
    }
    if (rest.length) fputc('\n', out);
    print_details(out, text_get(&rest));
}

// ---- lists of commands --------------------------------------------------------------------------

// Returns the command number `place` (0 is the first) in the order of groups.
static const CommandEntry *entry_at(const CommandTable *table, size_t place) {
    for (int group = 0; group < COMMANDS_COUNT; group++) {
        for (size_t i = 0; i < table->count; i++) {
            if ((int)table->entries[i].group == group && place-- == 0) return &table->entries[i];
        }
    }
    return NULL;
}

// Returns true if the name of the command has two words and the first one is `family`.
static bool in_family(const Command *command, const char *family) {
    const size_t length = strlen(family);
    return strncmp(command->name, family, length) == 0 && command->name[length] == ' ';
}

static bool is_family(const CommandTable *table, const char *name) {
    for (size_t i = 0; i < table->count; i++) {
        if (in_family(entry_at(table, i)->command, name)) return true;
    }
    return false;
}

// Lists the commands of a family, or all commands below the headings of their groups if `family` is
// NULL.
static void print_commands(const CommandTable *table, const char *family, FILE *out) {
    static const char *const headings[] = {
#define COMMAND_GROUP(id, heading) heading,
#include "core/command/command_groups.def"
    };
    enum { COLUMN = 20 };
    for (size_t i = 0; i < table->count; i++) {
        const Command *command = entry_at(table, i)->command;
        const CommandGroup group = entry_at(table, i)->group;
        if (!family && (i == 0 || entry_at(table, i - 1)->group != group)) {
            fprintf(out, "\n%s:\n", headings[group]);
        }
        if (!family || in_family(command, family)) {
            help_entry(out, command->name, command->summary, COLUMN);
        }
    }
}

const Command *command_named(const CommandTable *table, const char *name) {
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(entry_at(table, i)->command->name, name) == 0)
            return entry_at(table, i)->command;
    }
    return NULL;
}

const Command *command_find(const CommandTable *table, int count, char *const *words, int *used) {
    for (*used = count < 2 ? count : 2; *used >= 1; --*used) {
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", words[0], *used == 2 ? " " : "",
                 *used == 2 ? words[1] : "");
        const Command *command = command_named(table, name);
        if (command) return command;
    }
    return NULL;
}

// Returns the command whose second word is `word`, such as "data import" for import, or NULL.
static const char *with_second_word(const CommandTable *table, const char *word) {
    for (size_t i = 0; i < table->count; i++) {
        const char *name = entry_at(table, i)->command->name, *second = strchr(name, ' ');
        if (second && strcmp(second + 1, word) == 0) return name;
    }
    return NULL;
}

// Reports a command name of another program, or the second word of a command, with the line to
// type. Returns false for other words.
static bool propose_command(const CommandTable *table, int count, char *const *words, FILE *err) {
    const char *ours = foreign_command(words[0]);
    if (!ours) ours = with_second_word(table, words[0]);
    if (!ours) return false;
    AUTO(Text) line = {0};
    text_add(&line, "paotai %s", ours);
    for (int i = 1; i < count; i++) {
        text_add(&line, " ");
        text_add_word(&line, words[i]);
    }
    text_make_printable(line.data);
    fprintf(err, "paotai: no command '%s'. Write instead:\n  %s\n", words[0], line.data);
    return true;
}

// Reports that no command has this name (one or two words), and suggests a similar name if there is
// one. Returns exit status 2.
static int unknown_command(const CommandTable *table, const char *name, FILE *err) {
    Nearest nearest = {.word = name, .length = strlen(name)};
    AUTO(Text) text = {0};
    for (size_t i = 0; i < table->count; i++) {
        const char *known = entry_at(table, i)->command->name;
        nearest_try(&nearest, known, strchr(name, ' ') ? strlen(known) : strcspn(known, " "));
    }
    text_add(&text, "no command '%s'%s%.*s%s; 'paotai --help' lists all commands", name,
             nearest.name ? " (did you mean '" : "", (int)nearest.name_length,
             nearest.name ? nearest.name : "", nearest.name ? "'?)" : "");
    text_make_printable(text.data);
    fprintf(err, "paotai: %s\n", text.data);
    return 2;
}

int help_no_command(const CommandTable *table, int count, char *const *words, FILE *out,
                    FILE *err) {
    if (!is_family(table, words[0])) {
        if (propose_command(table, count, words, err)) return 2;
        return unknown_command(table, words[0], err);
    }
    if (count > 1 && strcmp(words[1], "--help") == 0) {
        print_commands(table, words[0], out);
        return 0;
    }
    if (count > 1 && words[1][0] != '-') {
        char name[80];
        snprintf(name, sizeof name, "%.30s %.40s", words[0], words[1]);
        return unknown_command(table, name, err);
    }
    fprintf(err, "paotai: '%s' is only the first word of these commands:\n", words[0]);
    print_commands(table, words[0], err);
    return 2;
}

// ---- completion of command lines ----------------------------------------------------------------

// Prints the name and the options of every command, one command per line.
static void print_options(const CommandTable *table, FILE *out) {
    for (size_t i = 0; i < table->count; i++) {
        const Command *command = entry_at(table, i)->command;
        fprintf(out, "%s:", command->name);
        for (const OptionRow *row = command->rows; row && row->name; row++) {
            fprintf(out, " --%s", row->name);
        }
        if (command->reads_weights) fputs(" --" DROP_UNKNOWN_NAME, out);
        fputs(command->rows && command->rows->name ? " --options\n" : "\n", out);
    }
}

// Prints the completion `dashes` + `word` if it begins with `begun`, the text that the user has
// typed.
static void offer(const char *dashes, const char *word, size_t length, const char *begun,
                  FILE *out) {
    char line[128];
    snprintf(line, sizeof line, "%s%.*s", dashes, (int)length, word);
    if (strncmp(line, begun, strlen(begun)) == 0) fprintf(out, "%s\n", line);
}

// Prints the second words of the commands of a family, or the first words of all commands if
// `family` is NULL, but only words that begin with `begun`.
static void offer_commands(const CommandTable *table, const char *family, const char *begun,
                           FILE *out) {
    const char *last = "";
    for (size_t i = 0; i < table->count; i++) {
        const char *name = entry_at(table, i)->command->name, *blank = strchr(name, ' ');
        const size_t length = blank ? (size_t)(blank - name) : strlen(name);
        if (!family && (strlen(last) < length || strncmp(name, last, length) != 0)) {
            offer("", name, length, begun, out);
        } else if (family && blank && strlen(family) == length && !strncmp(name, family, length)) {
            offer("", blank + 1, strlen(blank + 1), begun, out);
        }
        last = name;
    }
}

// Returns true if the option takes a value, which is the next word.
static bool takes_value(const Command *command, const char *name) {
    for (const OptionRow *row = command->rows; row && row->name; row++) {
        if (strcmp(row->name, name) == 0) return row->type != OPTION_FLAG;
    }
    return false;
}

// Prints the possible completions of the last word of a command line, one per line, for the shells.
// The shells complete file names if nothing is printed, or if the last line is "@files".
static void print_completion(const CommandTable *table, int count, char *const *words, FILE *out) {
    const char *begun = words[count - 1], *before = count > 1 ? words[count - 2] : "", *choice;
    int used = 0;
    const Command *command = command_find(table, count, words, &used);
    const OptionRow *row = command ? command->rows : NULL;
    if (count <= 2) offer_commands(table, count == 2 ? words[0] : NULL, begun, out);
    for (; row && row->name; row++) {
        const char *choices = row->unit;
        size_t length;
        if (begun[0] == '-') {
            offer("--", row->name, strlen(row->name), begun, out);
        } else if (row->type == OPTION_CHOICE && strncmp(before, "--", 2) == 0 &&
                   strcmp(before + 2, row->name) == 0) {
            while (option_next_choice(&choices, &choice, &length)) {
                offer("", choice, length, begun, out);
            }
        } else if (table->offer_values && row->unit && strncmp(before, "--", 2) == 0 &&
                   strcmp(before + 2, row->name) == 0) {
            table->offer_values(row->unit, begun, out);
        }
    }
    const bool value = strncmp(before, "--", 2) == 0 && !strchr(before, '=') && command &&
                       takes_value(command, before + 2);
    if (command && count > used && begun[0] != '-' && !value && table->offer_values) {
        table->offer_values(command->usage, begun, out);
    }
    if (begun[0] == '-') offer("--", "help", 4, begun, out);
    if (begun[0] == '-' && command && command->reads_weights) {
        offer("--", DROP_UNKNOWN_NAME, strlen(DROP_UNKNOWN_NAME), begun, out);
    }
    if (begun[0] == '-') offer("--", command ? "options" : "version", 7, begun, out);
}

// ---- paotai help --------------------------------------------------------------------------------

int help_main(const CommandTable *table, int count, char *const *words, FILE *out, FILE *err) {
    int used;
    if (count == 0) {
        fprintf(out,
                "Paotai: a laboratory for xiangqi evaluation.\n\n"
                "usage: paotai                      serve UCI/UCCI on standard input\n"
                "       paotai COMMAND [options]    'paotai COMMAND --help' explains a command\n"
                "       paotai --version\n\n"
                "A first day:\n"
                "  paotai play --level 3\n"
                "  paotai loop --generations 2 --games 300 --nodes 100 --out "
                "build/loop\n"
                "  paotai match --a weights=build/loop/champion.txt --b weights=classic\n");
        print_commands(table, NULL, out);
        return 0;
    }
    if (strcmp(words[0], "--completion") == 0) {
        if (count > 1) print_completion(table, count - 1, words + 1, out);
        if (count == 1) print_options(table, out);
        return 0;
    }
    const Command *command = command_find(table, count, words, &used);
    if (!command && (!is_family(table, words[0]) || count > 1)) {
        return help_no_command(table, count, words, out, err);
    }
    if (command && count > used) {
        AUTO(Text) text = {0};
        text_add(&text, "too many arguments: '%s' after 'help %s'", words[used], command->name);
        text_make_printable(text.data);
        fprintf(err, "paotai: %s; use 'paotai help %s'\n", text.data, command->name);
        return 2;
    }
    if (command) {
        command_help(command, out);
    } else {
        print_commands(table, words[0], out);
    }
    return 0;
}
