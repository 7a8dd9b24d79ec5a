// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search_params.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

const SearchParamRow search_param_rows[SEARCH_PARAM_COUNT] = {
#define SEARCH_PARAM(name, value, min, max, step, meaning)                                         \
    {#name, offsetof(SearchParams, name), value, min, max, step, meaning},
#include "core/search/search_params.def"
#undef SEARCH_PARAM
};

SearchParams search_params_default(void) {
    return (SearchParams){
#define SEARCH_PARAM(name, value, min, max, step, meaning) .name = value,
#include "core/search/search_params.def"
#undef SEARCH_PARAM
    };
}

const char *search_param_new_name(const char *name) {
#define SEARCH_PARAM(...)
#define SEARCH_FEW(...)
#define SEARCH_RENAMED(old, new)                                                                   \
    if (strcmp(name, #old) == 0) return #new;
#include "core/search/search_params.def"
#undef SEARCH_PARAM
    return NULL;
}

Status search_params_set(SearchParams *params, const char *name, const char *value, Err *err) {
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParamRow *row = &search_param_rows[i];
        if (strcmp(row->name, name) != 0) continue;
        long long parsed = 0;
        const Status status = parse_int(value, row->min, row->max, &parsed, name, err);
        const int narrow = (int)parsed;
        if (status == STATUS_OK) memcpy((char *)params + row->offset, &narrow, sizeof narrow);
        return status;
    }
    const char *new_name = search_param_new_name(name);
    if (new_name) {
        return err_set(err, STATUS_NOT_FOUND, "the search parameter '%s' is called %s now", name,
                       new_name);
    }
    return err_set(err, STATUS_NOT_FOUND,
                   "no search parameter '%s'; 'paotai spsa --param all --iterations 0' lists them",
                   name);
}

void search_params_of_nodes(SearchParams *params, uint64_t nodes) {
    if (nodes == 0 || nodes > (uint64_t)params->few_nodes) return;
#define SEARCH_PARAM(...)
#define SEARCH_FEW(twin, ...) params->twin = params->few_##twin;
#include "core/search/search_params.def"
#undef SEARCH_PARAM
}

// Writes "searches of N nodes", or for nodes = 0 "searches without a node limit", for messages.
static void describe_limits(uint64_t nodes, char text[64]) {
    snprintf(text, 64, nodes ? "searches of %llu nodes" : "searches without a node limit",
             (unsigned long long)nodes);
}

// Refuses the parameter `name` if it has no effect in searches with this node limit. `twin` is the
// name of a parameter that has a variant for short searches, few_TWIN. `name` is TWIN or few_TWIN.
static Status check_twin(const char *name, const char *twin, int few_nodes, uint64_t nodes,
                         Err *err) {
    const bool few_given = strcmp(name, twin) != 0;
    const bool few_acts = nodes > 0 && nodes <= (uint64_t)few_nodes;
    char limits[64];
    if (few_given == few_acts) return STATUS_OK;
    describe_limits(nodes, limits);
    return err_set(err, STATUS_USAGE,
                   few_given
                       ? "%s has no effect in %s: it acts only with a node limit of at most "
                         "few_nodes = %d; set %s, or set such a limit"
                       : "%s has no effect in %s: it acts only with a node limit above few_nodes = "
                         "%d, or without a node limit; set few_%s, or change the limit",
                   name, limits, few_nodes, twin);
}

Status search_param_check_acts(const SearchParams *params, const char *name, uint64_t nodes,
                               Err *err) {
    if (strcmp(name, "few_nodes") == 0 && nodes == 0) {
        return err_set(
            err, STATUS_USAGE,
            "few_nodes has no effect in searches without a node limit; set a node limit");
    }
#define SEARCH_PARAM(...)
#define SEARCH_FEW(twin, ...)                                                                      \
    if (strcmp(name, #twin) == 0 || strcmp(name, "few_" #twin) == 0) {                             \
        return check_twin(name, #twin, params->few_nodes, nodes, err);                             \
    }
#include "core/search/search_params.def"
#undef SEARCH_PARAM
    return STATUS_OK;
}
