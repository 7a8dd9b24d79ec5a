// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/system/ranks.h"

enum { MIN_WIDTH = 20, DEFAULT_WIDTH = 80, MAX_WIDTH = 1000 };

int terminal_width(FILE *out) {
    const char *given = getenv("COLUMNS");
    const long columns = given ? strtol(given, NULL, 10) : 0;
    if (columns >= MIN_WIDTH && columns <= MAX_WIDTH) return (int)columns;
    struct winsize size = {0};
    const bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
    return known && size.ws_col >= MIN_WIDTH ? size.ws_col : DEFAULT_WIDTH;
}

bool terminal_is(FILE *out) {
    return !ranks_launched() && isatty(fileno(out));
}

void terminal_begin_line(FILE *out) {
    if (terminal_is(out)) fputs("\r\033[K", out);
}

bool terminal_colour(FILE *out) {
    const char *refused = getenv("NO_COLOR");
    return (!refused || !*refused) && terminal_is(out);
}
