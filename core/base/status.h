// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries report failures by a Status and an Err. The message says what was being done, where,
// with which value, and what to do next. Bugs are assertions, not failures.
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

// A caller of a library that receives notes, and accepts what would otherwise be an error.
typedef struct ErrNotes {
    void (*say)(struct ErrNotes *notes, const char *text); // receives one line, without its end
    bool drop_unknown; // drop terms of weight sets that the program does not have (weights.h)
} ErrNotes;

// Initialise with zeros; the text is empty while status is STATUS_OK. It can be reused after a
// failure.
typedef struct Err {
    Status status;
    char text[ERR_SIZE]; // one line, in which unprintable characters are '?'
    ErrNotes *notes;     // borrowed, or NULL
} Err;

// Passes a note, which is no failure, to the caller at once. Does nothing without a receiver.
void err_note(const Err *err, const char *format, ...) PRINTF_LIKE(2, 3);
// Returns true if the caller accepts weight sets with unknown terms, which are dropped.
bool err_drops_unknown(const Err *err);

// Fills *err, which may be NULL, and returns `status`.
Status err_set(Err *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

// Inserts "context: " before the message.
Status err_prefix(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Makes a failure wrong usage. If `option` is not NULL, inserts "--OPTION: " before the message.
Status err_usage(Err *err, const char *option);

// Appends "; " and what to do. The message is shortened if both are too long.
Status err_remedy(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Returns the text of a status in status.def.
const char *status_text(Status status);

// Returns from the calling function if a call fails, with the status of the call.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const Status try_status = (call);                                                          \
        if (try_status != STATUS_OK) return try_status;                                            \
    } while (0)

// Variables that are released at the end of their block, however it is left:
//     AUTO(Text) line = {0};                  a value; needs AUTO_VALUE(Text, text_clear) at the
//     type AUTO_POINTER(LineReader) reader = NULL; a handle; needs AUTO_HANDLE(LineReader, ...) at
//     the type AUTO_FREE double *sums = memory_alloc(count, sizeof *sums);
// TAKE(pointer) transfers ownership out of such a variable: it returns the pointer and sets it to
// NULL.
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
