// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries report failures by a Status and an Err, which says what was being done, where, with
// which value, and what to do next. Bugs are asserts and never come this way.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"

typedef enum Status {
#define STATUS(id, text) STATUS_##id,
#include "core/base/status.def"
} Status;

enum { ERR_SIZE = 512 };

// What the caller of a library wants beside errors: it hears notes, and allows what would else be
// an error.
typedef struct ErrNotes {
    void (*say)(struct ErrNotes *notes, const char *text); // one line, without its end
    bool drop_unknown; // terms that the program lacks are left out of a weight set (weights.h)
} ErrNotes;

// Zero-initialise; the text is empty while status is STATUS_OK. May be reused after a failure.
typedef struct Err {
    Status status;
    char text[ERR_SIZE]; // one line; what is not printable in values is '?'
    ErrNotes *notes;     // borrowed; NULL: nobody hears notes
} Err;

// Tells the caller something that is no failure, at once. Does nothing if nobody hears it.
void err_note(const Err *err, const char *format, ...) PRINTF_LIKE(2, 3);
// Returns true if the caller allows that unknown terms are left out of a weight set.
bool err_drops_unknown(const Err *err);

// Fills *err (which may be NULL) and returns status, so that `return err_set(err, ...)` reads well.
Status err_set(Err *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

// Puts "context: " before the text that is there, for callers that know where they are.
Status err_prefix(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Calls a failure wrong usage, of an option where one is named: "--OPTION: " before the text.
Status err_usage(Err *err, const char *option);

// Adds "; " and what to do to the message, which is shortened where both are too long.
Status err_remedy(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

const char *status_text(Status status);

// Returns from the function with the status of a call that failed.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const Status try_status = (call);                                                          \
        if (try_status != STATUS_OK) return try_status;                                            \
    } while (0)

// Variables that are released where their block ends, by whichever way it is left:
//     AUTO(Text) line = {0};                  a value: AUTO_VALUE(Text, text_clear) at its type
//     AUTO_POINTER(LineReader) reader = NULL; a handle: AUTO_HANDLE(LineReader, ...) at its type
//     AUTO_FREE double *sums = memory_alloc(count, sizeof *sums);
// TAKE(pointer) hands such a pointer on: its value, and NULL stays.
#define AUTO(type)         __attribute__((cleanup(auto_value_##type))) type
#define AUTO_POINTER(type) __attribute__((cleanup(auto_handle_##type))) type *
#define AUTO_FREE          __attribute__((cleanup(auto_free)))
#define AUTO_VALUE(type, clear)                                                                    \
    static inline void auto_value_##type(type *value) {                                            \
        clear(value);                                                                              \
    }
#define AUTO_HANDLE(type, release)                                                                 \
    static inline void auto_handle_##type(type **handle) {                                         \
        release(*handle);                                                                          \
    }
#define TAKE(pointer)                                                                              \
    __extension__({                                                                                \
        __typeof__(pointer) taken = (pointer);                                                     \
        (pointer) = NULL;                                                                          \
        taken;                                                                                     \
    })
static inline void auto_free(void *block) {
    void *memory;
    memcpy(&memory, block, sizeof memory);
    free(memory);
}
