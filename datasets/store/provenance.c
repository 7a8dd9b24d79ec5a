// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/provenance.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/hash.h"

// The numbers among the rules, by the names they have in the text.
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    {"no_capture_plies", offsetof(Rules, no_capture_plies)},
    {"check_cap", offsetof(Rules, check_cap)},
    {"max_checks", offsetof(Rules, max_checks)},
};
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };

static int *number_of(Rules *rules, int i) {
    return (int *)(void *)((char *)rules + numbers[i].offset);
}

void rules_to_text(const Rules *rules, Text *text) {
    Rules usual = rules_default(rules->set), given = *rules;
    text_add(text, "%s", rule_set_name(rules->set));
    if (rules->material == MATERIAL_PIKAFISH) text_add(text, " material=pikafish");
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const int value = *number_of(&given, i);
        if (value != *number_of(&usual, i)) text_add(text, " %s=%d", numbers[i].name, value);
    }
}

static Status read_setting(const char *word, Rules *rules, Err *err) {
    if (strcmp(word, "material=pikafish") == 0) {
        rules->material = MATERIAL_PIKAFISH;
        return STATUS_OK;
    }
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const size_t length = strlen(numbers[i].name);
        if (strncmp(word, numbers[i].name, length) != 0 || word[length] != '=') continue;
        long long value = 0;
        const Status status =
            parse_int(word + length + 1, -1, INT_MAX, &value, numbers[i].name, err);
        *number_of(rules, i) = (int)value;
        return status;
    }
    return err_set(err, STATUS_BAD_INPUT, "rules: '%s' is not understood", word);
}

Status rules_from_text(const char *text, Rules *rules, Err *err) {
    const char *word;
    size_t length;
    bool named = false;
    while (text_next_word(&text, &word, &length)) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.*s", (int)(length < 63 ? length : 63), word);
        RuleSet set;
        Status status = STATUS_OK;
        if (named) {
            status = read_setting(copy, rules, err);
        } else if (rule_set_from_name(copy, &set)) {
            *rules = rules_default(set);
            named = true;
        } else {
            status = err_set(err, STATUS_BAD_INPUT, "rules: there is no rule set '%s'", copy);
        }
        if (status != STATUS_OK) return status;
    }
    return named ? STATUS_OK : err_set(err, STATUS_BAD_INPUT, "rules: no rule set is named");
}

Status file_sha256(const char *path, char hex[SHA256_HEX_SIZE], Err *err) {
    FILE *file = fopen(path, "rb");
    if (!file) return err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    Sha256 hash;
    sha256_init(&hash);
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0) sha256_add(&hash, block, got);
    const bool failed = ferror(file) != 0;
    const int why = errno;
    fclose(file);
    if (failed) return err_set(err, STATUS_IO, "cannot read %s: %s", path, strerror(why));
    sha256_finish_hex(&hash, hex);
    return STATUS_OK;
}

Status source_to_text(const char *path, Text *text, Err *err) {
    const char *slash = strrchr(path, '/');
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        // To read a pipe for its hash would leave nothing for the import.
        text_add(text, "%s, which is no regular file", slash ? slash + 1 : path);
        return STATUS_OK;
    }
    char hex[SHA256_HEX_SIZE];
    const Status status = file_sha256(path, hex, err);
    if (status == STATUS_OK) text_add(text, "%s sha256 %s", slash ? slash + 1 : path, hex);
    return status;
}
