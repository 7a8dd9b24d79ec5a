// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/timecontrol.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

// Ten days: far above any game, far below what 64 bits hold.
#define SECONDS_MAX 864000.0

// Seconds, or minutes:seconds.
static Status parse_time(const char *text, int64_t *ns, const char *what, Err *err) {
    const char *colon = strchr(text, ':');
    double seconds = 0.0;
    long long minutes = 0;
    Status status = STATUS_OK;
    if (colon) {
        char buffer[16];
        snprintf(buffer, sizeof buffer, "%.*s", (int)(colon - text), text);
        status = parse_int(buffer, 0, 10000, &minutes, what, err);
    }
    if (status == STATUS_OK) {
        status = parse_real(colon ? colon + 1 : text, 0.0, colon ? 59.999999 : SECONDS_MAX,
                            &seconds, what, err);
    }
    *ns = (int64_t)(seconds * 1e9 + 0.5) + minutes * 60 * 1000000000;
    return status;
}

// Whatever is wrong with a time control, it is wrong usage.
static Status as_usage(Status status, Err *err) {
    if (status == STATUS_OK) return status;
    if (err) err->status = STATUS_USAGE;
    return STATUS_USAGE;
}

Status timecontrol_parse(const char *text, TimeControl *control, Err *err) {
    char buffer[64];
    *control = (TimeControl){0};
    if (strlen(text) >= sizeof buffer) {
        return err_set(err, STATUS_USAGE, "tc: '%.40s...' is too long", text);
    }
    strcpy(buffer, text);
    char *time = buffer, *slash = strchr(buffer, '/'), *plus = strchr(buffer, '+');
    long long moves = 0;
    Status status = STATUS_OK;
    if (plus && slash && plus < slash) slash = NULL; // then the increment is no number
    if (plus) *plus++ = '\0';
    if (slash) {
        *slash = '\0';
        time = slash + 1;
        status = parse_int(buffer, 1, 1000, &moves, "tc moves", err);
    }
    if (status == STATUS_OK) status = parse_time(time, &control->base_ns, "tc time", err);
    if (status == STATUS_OK && plus)
        status = parse_time(plus, &control->inc_ns, "tc increment", err);
    if (status == STATUS_OK && control->base_ns <= 0) {
        status =
            err_set(err, STATUS_USAGE, "tc: '%s' has no time: want [MOVES/]TIME[+INCREMENT]", text);
    }
    control->moves = (int)moves;
    return as_usage(status, err);
}

Status timecontrol_parse_move(const char *text, TimeControl *control, Err *err) {
    *control = (TimeControl){0};
    Status status = parse_time(text, &control->move_ns, "st", err);
    if (status == STATUS_OK && control->move_ns <= 0) {
        status = err_set(err, STATUS_USAGE, "st: '%s' is no time", text);
    }
    return as_usage(status, err);
}

bool clock_is_used(const Clock *clock) {
    return clock->control.base_ns > 0 || clock->control.move_ns > 0;
}

void clock_start(Clock *clock, const TimeControl *control) {
    *clock = (Clock){.control = *control,
                     .left_ns = control->move_ns > 0 ? control->move_ns : control->base_ns,
                     .moves_left = control->moves};
}

bool clock_move(Clock *clock, int64_t spent_ns, int64_t margin_ns) {
    if (!clock_is_used(clock)) return true;
    if (spent_ns > clock->left_ns + margin_ns) return false;
    const TimeControl *control = &clock->control;
    if (control->move_ns > 0) return true;
    clock->left_ns -= spent_ns < clock->left_ns ? spent_ns : clock->left_ns;
    clock->left_ns += control->inc_ns;
    if (control->moves > 0 && --clock->moves_left == 0) {
        clock->left_ns += control->base_ns;
        clock->moves_left = control->moves;
    }
    return true;
}
