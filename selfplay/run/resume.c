// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/run/resume.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/options.h"

// The value behind "name=" at the start of a line; NULL when there is none.
static const char *find_line(const char *text, const char *name, size_t name_length) {
    for (const char *at = text; *at;) {
        if (strncmp(at, name, name_length) == 0 && at[name_length] == '=')
            return at + name_length + 1;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return NULL;
}

// The value of an option in a provenance, whose last line begins the list of options; else that of
// the provenance's own line of this name.
static const char *find_value(const char *provenance, const char *name, size_t name_length) {
    static const char list[] = "\noptions=";
    const char *options = strstr(provenance, list);
    const char *value = options ? find_line(options + sizeof list - 1, name, name_length) : NULL;
    return value ? value : find_line(provenance, name, name_length);
}

static Status compare(const char *shard, const char *provenance, const char *identity, Err *err) {
    for (const char *line = identity; *line;) {
        const size_t length = strcspn(line, "\n"), name_length = strcspn(line, "=");
        if (name_length >= length) { // the rest of a value with a newline in it
            line += length + (line[length] == '\n');
            continue;
        }
        const char *now = line + name_length + 1;
        const size_t now_length = length - name_length - 1;
        const char *then = find_value(provenance, line, name_length);
        const size_t then_length = then ? strcspn(then, "\n") : 0;
        if (then_length != now_length || memcmp(now, then ? then : "", now_length) != 0) {
            return err_set(
                err, STATUS_MISMATCH,
                "%s was made with --%.*s %.*s, not %.*s: use the same options, or another "
                "--out",
                shard, (int)name_length, line, (int)then_length, then ? then : "", (int)now_length,
                now);
        }
        line += length + (line[length] == '\n');
    }
    return STATUS_OK;
}

bool run_has_shards(const char *dir) {
    DIR *directory = opendir(dir);
    if (!directory) return false; // the run will create it, or say why not
    bool found = false;
    for (const struct dirent *entry; !found && (entry = readdir(directory)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        found = length > 3 && strcmp(entry->d_name + length - 3, ".h5") == 0;
    }
    closedir(directory);
    return found;
}

static Status check_shards(const char *dir, const char *identity, const char *weights, Err *err) {
    Store *store = NULL;
    Status status = store_open(dir, &store, err);
    if (status != STATUS_OK) return status;
    for (size_t i = 0; status == STATUS_OK && i < store_shard_count(store); i++) {
        char *provenance = NULL;
        const char *shard = store_shard_path(store, i);
        status = store_provenance(store, i, &provenance, err);
        if (status == STATUS_OK) status = compare(shard, provenance, identity, err);
        if (status == STATUS_OK && !strstr(provenance, weights)) {
            status =
                err_set(err, STATUS_MISMATCH,
                        "%s was made with other weights: use the same, or another --out", shard);
        }
        free(provenance);
    }
    store_close(store);
    return status;
}

Status run_check_resume(const char *dir, OptionRange wanted, bool resume, const char *identity,
                        const char *weights, Err *err) {
    if (!run_has_shards(dir)) return STATUS_OK;
    OptionRange *missing = NULL;
    size_t count = 0;
    uint64_t absent = 0;
    const Status status = run_missing_ranges(dir, wanted, &missing, &count, err);
    if (status != STATUS_OK) return status;
    for (size_t i = 0; i < count; i++) absent += missing[i].end - missing[i].first;
    free(missing);
    if (!resume && absent != wanted.end - wanted.first) {
        return err_set(err, STATUS_USAGE,
                       "%s holds some of these games already: --resume plays what is missing; or "
                       "choose another --out",
                       dir);
    }
    return check_shards(dir, identity, weights, err);
}

Status run_claim(const char *dir, OptionRange wanted, bool resume, const char *identity,
                 const char *weights, RunLock **lock, Err *err) {
    *lock = NULL;
    Status status = run_directory_prepare(dir, err);
    if (status == STATUS_OK) status = run_directory_lock(dir, lock, err);
    if (status == STATUS_OK) {
        status = run_check_resume(dir, wanted, resume, identity, weights, err);
    }
    return status;
}
