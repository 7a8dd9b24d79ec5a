// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search_params.h"

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
    return err_set(err, STATUS_NOT_FOUND, "no search parameter '%s'", name);
}
