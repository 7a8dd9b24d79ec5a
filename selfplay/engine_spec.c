// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engine_spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

static Status set_weights(EngineSpec *spec, const char *value, Err *err) {
    if (strlen(value) >= sizeof spec->weights_name) {
        return err_set(err, STATUS_USAGE, "weights: the path is too long");
    }
    strcpy(spec->weights_name, value);
    return weights_load(value, &spec->weights, err);
}

static Status set_name(EngineSpec *spec, const char *value, Err *err) {
    if (strlen(value) >= sizeof spec->name) {
        return err_set(err, STATUS_USAGE, "name: '%.70s' is too long", value);
    }
    strcpy(spec->name, value);
    return STATUS_OK;
}

static Status set_nodes(EngineSpec *spec, const char *value, Err *err) {
    return parse_u64(value, &spec->limits.nodes, "nodes", err);
}

static Status set_depth(EngineSpec *spec, const char *value, Err *err) {
    long long depth = 0;
    const Status status = parse_int(value, 1, MAX_PLY - 8, &depth, "depth", err);
    spec->limits.depth = (int)depth;
    return status;
}

static Status set_hash(EngineSpec *spec, const char *value, Err *err) {
    return parse_real(value, 0.001, 65536, &spec->hash_mb, "hash", err);
}

static const struct {
    const char *key;
    Status (*set)(EngineSpec *spec, const char *value, Err *err);
} keys[] = {
    {"weights", set_weights}, {"name", set_name}, {"nodes", set_nodes},
    {"depth", set_depth},     {"hash", set_hash},
};

static Status set_key(EngineSpec *spec, const char *key, const char *value, Err *err) {
    static const char option[] = "option.";
    if (strncmp(key, option, sizeof option - 1) == 0) {
        return search_params_set(&spec->params, key + sizeof option - 1, value, err);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, key) == 0) return keys[i].set(spec, value, err);
    }
    return err_set(err, STATUS_USAGE,
                   "no key '%.40s'; known: weights, name, nodes, depth, hash, option.NAME", key);
}

Status engine_spec_parse(const char *text, const char *what, EngineSpec *spec, Err *err) {
    memset(spec, 0, sizeof *spec);
    spec->params = search_params_default();
    strcpy(spec->weights_name, "default");
    weights_default(&spec->weights);
    Text copy = {0};
    text_add(&copy, "%s", text);
    char *cursor = copy.data, *field;
    Status status = STATUS_OK;
    while (status == STATUS_OK && (field = text_next_field(&cursor, ',')) != NULL) {
        char *value = strchr(field, '=');
        if (!value) {
            status = err_set(err, STATUS_USAGE, "'%.60s' is not key=value", field);
            break;
        }
        *value++ = '\0';
        status = set_key(spec, field, value, err);
    }
    if (status == STATUS_OK && !spec->name[0]) {
        snprintf(spec->name, sizeof spec->name, "%.*s", PLAYER_NAME_SIZE - 1, spec->weights_name);
    }
    if (status != STATUS_OK) err_prefix(err, "%s", what);
    // A number out of range is wrong usage; a weight file that cannot be read is not.
    if (status == STATUS_BAD_INPUT || status == STATUS_NOT_FOUND) status = STATUS_USAGE;
    if (err && status != STATUS_OK) err->status = status;
    text_clear(&copy);
    return status;
}
