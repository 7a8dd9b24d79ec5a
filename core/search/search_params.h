// SPDX-License-Identifier: GPL-3.0-or-later
// The margins of the search, from search_params.def.
#pragma once

#include "core/base/status.h"

typedef struct SearchParams {
#define SEARCH_PARAM(name, value, min, max, step, meaning) int name;
#include "core/search/search_params.def"
#undef SEARCH_PARAM
} SearchParams;

typedef struct SearchParamRow {
    const char *name;
    size_t offset; // of the int in SearchParams
    int value, min, max, step;
    const char *meaning;
} SearchParamRow;

enum {
    SEARCH_PARAM_COUNT = 0
#define SEARCH_PARAM(name, value, min, max, step, meaning) +1
#include "core/search/search_params.def"
#undef SEARCH_PARAM
};
extern const SearchParamRow search_param_rows[SEARCH_PARAM_COUNT];

SearchParams search_params_default(void);
// Sets one by name from text; the error names the range.
Status search_params_set(SearchParams *params, const char *name, const char *value, Err *err);
