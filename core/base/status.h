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

// The caller of a library function provides this struct to receive notes (information, not errors)
// and to accept unknown terms.
typedef struct ErrNotes {
    void (*say)(struct ErrNotes *notes, const char *text); // receives one note: a line without its
                                                           // newline
    bool drop_unknown; // accept weight sets with unknown terms, and drop these terms (weights.h)
} ErrNotes;

// The error of a failed call. Initialise with zeros. `text` is empty while status is STATUS_OK. An
// Err can be used again after a failure.
typedef struct Err {
    Status status;
    char text[ERR_SIZE]; // the error message: one line, in which unprintable characters are '?'
    ErrNotes *notes;     // receiver of notes, borrowed; may be NULL
} Err;

// Passes a note (information, not an error) to err->notes at once. Does nothing if `err` or
// err->notes is NULL.
void err_note(const Err *err, const char *format, ...) PRINTF_LIKE(2, 3);
// Returns err->notes->drop_unknown, or false if `err` or err->notes is NULL.
bool err_drops_unknown(const Err *err);

// Fills *err, which may be NULL, and returns `status`.
Status err_set(Err *err, Status status, const char *format, ...) PRINTF_LIKE(3, 4);

// Inserts the formatted text and ": " before the error message. Returns the status of the error, or
// STATUS_BAD_INPUT if `err` is NULL.
Status err_prefix(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Changes the status of an error to STATUS_USAGE (wrong usage) and returns it. If `option` is not
// NULL, inserts "--OPTION: " before the message.
Status err_usage(Err *err, const char *option);

// Appends "; " and a sentence that says what to do. If both texts do not fit into Err.text,
// shortens the error message. Returns like err_prefix().
Status err_remedy(Err *err, const char *format, ...) PRINTF_LIKE(2, 3);

// Returns the text of a status from status.def.
const char *status_text(Status status);

// If the call fails, returns its status from the function that contains TRY().
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const Status try_status = (call);                                                          \
        if (try_status != STATUS_OK) return try_status;                                            \
    } while (0)

// These macros declare variables that are released at the end of their block, also if a `return`
// leaves the block. AUTO is for values, AUTO_POINTER for handles, AUTO_FREE for memory that free()
// releases:
//     AUTO(Text) line = {0};
//     AUTO_POINTER(Network) network = NULL;
//     AUTO_FREE double *sums = memory_alloc(count, sizeof *sums);
//
// AUTO_VALUE(Text, text_clear), written beside the type, names the function that releases a
// variable declared with AUTO(Text).
// AUTO_HANDLE(Network, network_free) does the same for AUTO_POINTER(Network). TAKE(pointer)
// transfers ownership out of a variable with AUTO_POINTER or AUTO_FREE: it returns the pointer and
// sets the variable to NULL.
//
// A struct that owns memory is never copied by value, because two copies would free the same
// memory, or one would keep a pointer to memory that the other has freed. Functions take a pointer
// to it. `make copies` refuses every other copy (tests/copies.py) except these two:
// MOVE(variable) transfers the memory of such a struct. It returns its content and sets the
// variable to zeros, so that its release does nothing.
// BORROW(variable) returns a copy that shares the memory of the variable, which must live longer.
// It is for a copy whose plain members shall differ. The copy must neither add to the shared memory
// nor release it.
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
#define MOVE(variable)                                                                             \
    __extension__({                                                                                \
        __typeof__(variable) moved = (variable);                                                   \
        memset(&(variable), 0, sizeof moved);                                                      \
        moved;                                                                                     \
    })
#define BORROW(variable)                                                                           \
    __extension__({                                                                                \
        __typeof__(variable) borrowed = (variable);                                                \
        borrowed;                                                                                  \
    })
static inline void auto_free(void *block) {
    void *memory;
    memcpy(&memory, block, sizeof memory);
    free(memory);
}
