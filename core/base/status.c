// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/status.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

Status err_set(Err *err, Status status, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        text_make_printable(err->text);
    }
    return status;
}

Status err_prefix(Err *err, const char *format, ...) {
    if (!err) return STATUS_BAD_INPUT;
    assert(err->status != STATUS_OK); // *err must already hold an error; its status is returned
    char old[ERR_SIZE];
    memcpy(old, err->text, sizeof old);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length < 0) length = 0;
    if ((size_t)length < sizeof err->text) {
        snprintf(err->text + length, sizeof err->text - (size_t)length, ": %.*s",
                 (int)(sizeof err->text - (size_t)length), old);
    }
    text_make_printable(err->text);
    return err->status;
}

Status err_usage(Err *err, const char *option) {
    if (option) err_prefix(err, "--%s", option);
    if (err) err->status = STATUS_USAGE;
    return STATUS_USAGE;
}

Status err_remedy(Err *err, const char *format, ...) {
    if (!err) return STATUS_BAD_INPUT;
    char remedy[ERR_SIZE / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(remedy, sizeof remedy, format, args);
    va_end(args);
    const size_t room = sizeof err->text - strlen(remedy) - sizeof "; ";
    const size_t length = strnlen(err->text, room);
    snprintf(err->text + length, sizeof err->text - length, "; %s", remedy);
    text_make_printable(err->text);
    return err->status;
}

void err_note(const Err *err, const char *format, ...) {
    if (!err || !err->notes) return;
    AUTO(Text) text = {0};
    va_list args;
    va_start(args, format);
    text_add_args(&text, format, args);
    va_end(args);
    text_make_printable(text.data);
    err->notes->say(err->notes, text.data);
}

bool err_drops_unknown(const Err *err) {
    return err && err->notes && err->notes->drop_unknown;
}

const char *status_text(Status status) {
    static const char *const texts[] = {
#define STATUS(id, text) [STATUS_##id] = text,
#include "core/base/status.def"
    };
    return texts[status];
}
