// SPDX-License-Identifier: GPL-3.0-or-later
// How libraries report what the world did to them: a Status and an Err that says what was being
// done, where, with which value, and what to do next. Bugs are asserts and never come this way.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "core/base/bits.h"

typedef enum Status {
#define STATUS(id, text) STATUS_##id,
#include "core/base/status.def"
} Status;

enum { ERR_SIZE = 512 };

// Zero-initialise; the text is empty while status is STATUS_OK. May be reused after a failure.
typedef struct Err {
    Status status;
    char text[ERR_SIZE]; // one line; what is not printable in values is '?'
} Err;

// Fills *err (which may be NULL) and returns status, so that `return err_set(err, ...)` reads well.
Status err_set(Err *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

// Puts "context: " before the text that is there, for callers that know where they are.
Status err_prefix(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Calls a failure wrong usage, of an option where one is named: "--OPTION: " before the text.
Status err_usage(Err *err, const char *option);

// Adds "; " and what to do to the message, which is shortened where both are too long.
Status err_remedy(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

const char *status_text(Status status);
