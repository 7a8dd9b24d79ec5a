// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_trials.h"

#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/system/in_file.h"
#include "core/system/out_file.h"

Status term_trials_add(const char *dir, const char *term, const char *games, int *count, Err *err) {
    AUTO(Text) path = {0}, line = {0}, all = {0};
    AUTO_FREE char *old = NULL;
    bool known = false;
    size_t length = 0;
    text_add(&path, "%s/trials.txt", dir);
    text_add(&line, "%s %s", games, term);
    *count = 1;
    if (access(path.data, F_OK) == 0) TRY(text_read_file(path.data, &old, &length, err));
    for (const char *at = old ? old : ""; *at;) {
        const size_t size = strcspn(at, "\n");
        const bool same = size == line.length && strncmp(at, line.data, size) == 0;
        known = known || same;
        *count += !same && strncmp(at, line.data, strlen(games) + 1) == 0;
        at += size + (at[size] == '\n');
    }
    if (known) return STATUS_OK;
    text_add(&all, "%s%s\n", old ? old : "", line.data);
    return text_write_file(path.data, all.data, all.length, err);
}
