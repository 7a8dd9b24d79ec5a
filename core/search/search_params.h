// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of the search. They are generated from search_params.def.
#pragma once

#include <stdint.h>

#include "core/base/status.h"

typedef struct SearchParams {
#define SEARCH_PARAM(name, value, min, max, step, meaning) int name;
#include "core/search/search_params.def"
#undef SEARCH_PARAM
} SearchParams;

typedef struct SearchParamRow {
    const char *name;
    size_t offset;             // offset of the parameter (an int) in SearchParams
    int value, min, max, step; // default, smallest and largest value; `step` is the size of the
                               // perturbation in the last iteration of `spsa`
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
// If the node limit `nodes` is at most params->few_nodes, sets each parameter NAME that has a
// variant few_NAME to the value of few_NAME. Does nothing if `nodes` is 0 (no limit).
void search_params_of_nodes(SearchParams *params, uint64_t nodes);
// Refuses a parameter that has no effect in searches with the node limit `nodes` (0: no limit):
// returns STATUS_USAGE, and the message says in which searches the parameter has an effect.
// A search whose node limit is at most params->few_nodes uses few_NAME instead of NAME. Unknown
// names are accepted.
Status search_param_check_acts(const SearchParams *params, const char *name, uint64_t nodes,
                               Err *err);
// Returns the new name of a parameter that was renamed after version 0.1, or NULL if no
// parameter had this old name.
const char *search_param_new_name(const char *name);
// Sets the parameter of this name to the integer that the text `value` contains. The error names
// the range, or the new name of a renamed parameter.
Status search_params_set(SearchParams *params, const char *name, const char *value, Err *err);
