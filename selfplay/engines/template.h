// SPDX-License-Identifier: GPL-3.0-or-later
// Lines for engines, written as templates in profiles:
//   go[ nodes {nodes}][ depth {depth}][ movetime {movetime_ms}]
// {NAME} stands for a value (placeholders.def). [A] is left out when a value in it is not there,
// [A|B] is then B. A backslash takes the next character as it is. Lines that come out empty are
// dropped.
#pragma once

#include "core/base/text.h"

typedef enum Placeholder {
#define PLACEHOLDER(id, name, kind, meaning) PLACE_##id,
#include "selfplay/engines/placeholders.def"
#undef PLACEHOLDER
    PLACE_COUNT
} Placeholder;

// TIME_AUTO: UCCI settles whether it is seconds or milliseconds (profiles only).
typedef enum TimeUnit { TIME_MS, TIME_CS, TIME_S, TIME_AUTO } TimeUnit;

// The values of one expansion. Zero-initialise: nothing has a value.
typedef struct PlaceValues {
    bool has[PLACE_COUNT];
    const char *text[PLACE_COUNT]; // borrowed
    int64_t number[PLACE_COUNT];   // numbers; times in ns
    TimeUnit unit;                 // of times without a unit
} PlaceValues;

void place_set_text(PlaceValues *values, Placeholder place, const char *text);
void place_set_number(PlaceValues *values, Placeholder place, int64_t number);

// Is the template well formed, with placeholders that exist? The error names the place.
Status template_check(const char *text, Err *err);
// Does it have this placeholder?
bool template_uses(const char *text, Placeholder place);
// Appends the lines, each with its end. A line that needs a value outside of brackets which is not
// there is dropped. The template must be well formed.
void template_expand(const char *text, const PlaceValues *values, Text *out);
