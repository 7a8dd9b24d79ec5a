// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes profile files: what is accepted writes itself as a file that reads back the same, and its
// templates expand; a player's comma list (the same bytes) is read or refused with a word.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "selfplay/engines/player_spec.h"
#include "tests/fuzz/fuzz.h"

static void check_profile(const char *text) {
    Profile profile, again;
    Err err = {0};
    if (profile_parse(text, "input", &profile, &err) != STATUS_OK) {
        require(err.text[0] != '\0');
        return;
    }
    Text once = {0}, twice = {0}, out = {0};
    profile_write(&profile, &once);
    const Status status = profile_parse(text_get(&once), "itself", &again, &err);
    // What a file cannot say: a profile whose base gave a field that it then emptied.
    if (status == STATUS_OK) {
        profile_write(&again, &twice);
        require(strcmp(text_get(&once), text_get(&twice)) == 0);
        profile_clear(&again);
    }
    PlaceValues values = {.unit = TIME_CS};
    for (int i = 0; i < PLACE_COUNT; i++) {
        place_set_text(&values, (Placeholder)i, "x");
        place_set_number(&values, (Placeholder)i, 1234567890123);
    }
    for (int i = 0; i < PROFILE_FIELD_COUNT; i++) {
        if (template_check(profile.field[i], NULL) == STATUS_OK) {
            template_expand(profile.field[i], &values, &out);
        }
    }
    text_clear(&once);
    text_clear(&twice);
    text_clear(&out);
    profile_clear(&profile);
}

FUZZ(profile) {
    char *text = memory_alloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    check_profile(text);
    // A profile= could name any file of this machine.
    if (!strstr(text, "profile")) {
        PlayerSpec spec;
        Err err = {0};
        if (player_spec_parse(text, "input", &spec, &err) == STATUS_OK) {
            player_spec_clear(&spec);
        } else {
            require(err.text[0] != '\0');
        }
    }
    free(text);
}
