// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/quirks.h"

#include "core/command/options.h"
#include "selfplay/engines/process.h"

const Profile profiles[] = {
    {.name = "uci", .protocol = PROTOCOL_UCI},
    {.name = "uci1", .protocol = PROTOCOL_UCI, .quirks = {.ranks = 1}},
    // Cyclone, a dialect of UCI that several Chinese user interfaces use.
    {.name = "cyclone", .protocol = PROTOCOL_UCI, .quirks = {.cyclone = true}},
    {.name = "ucci", .protocol = PROTOCOL_UCCI},
    {.name = "cecp", .protocol = PROTOCOL_CECP},
    {.name = "xboard", .protocol = PROTOCOL_CECP},
    // Paotai as a separate program, for example to play against another revision of itself.
    {.name = "paotai",
     .protocol = PROTOCOL_UCI,
     .command = "paotai",
     .id = "Paotai",
     .refusals = {"stays as it was", "no option"},
     .has_search_parameters = true},
    // Fairy-Stockfish counts ranks from 1 under UCI. If it gets ranks counted from 0, it searches a
    // wrong position without an error.
    {.name = "fairy-stockfish",
     .protocol = PROTOCOL_UCI,
     .command = "fairy-stockfish",
     .quirks = {.ranks = 1, .init = "setoption name UCI_Variant value xiangqi\n"},
     .id = "Fairy-Stockfish",
     .network = {"EvalFile", "xiangqi", "NNUE evaluation using "}},
    // Fairy-Stockfish counts ranks from 0 under UCCI.
    {.name = "fairy-stockfish-ucci",
     .protocol = PROTOCOL_UCCI,
     .command = "fairy-stockfish",
     .quirks = {.milliseconds = true, .uci_words = true}},
    // ElephantEye answers `nobestmove` after 100 plies without a capture.
    {.name = "eleeye",
     .protocol = PROTOCOL_UCCI,
     .command = "eleeye",
     .quirks = {.no_capture = 100}},
    // `new_game` switches off the engine's random opening moves, its claims of a repetition and its
    // resignations.
    {.name = "sjaakii",
     .protocol = PROTOCOL_CECP,
     .command = "sjaakii",
     .quirks = {.new_game = "option Random amplitude (0 to disable)=0\n"
                            "option Claim repetitions=0\n"
                            "option Moves before resigning (0 to disable)=0\n"}},
    // HoiXiangqi exits after an unknown command, a fraction or an illegal move, and its `st`
    // accepts only whole seconds. It needs three seconds to react to `?`, or does not react.
    {.name = "hoixiangqi",
     .protocol = PROTOCOL_CECP,
     .command = "hoixiangqi",
     .quirks = {.no_variant = true, .whole_seconds = true, .move_clock = 40, .no_stop = true}},
    // MaxQi reads `st 0.1` as 0 and moves at once. With a clock, it uses 1/40 of the time for most
    // moves and 1/10 for a hard one.
    {.name = "maxqi",
     .protocol = PROTOCOL_CECP,
     .command = "maxqi",
     .quirks = {.no_variant = true, .move_clock = 20}},
    {.name = NULL},
};

Status profile_find(const char *name, bool protocols, const Profile **profile, Err *err) {
    AUTO(Text) names = {0};
    for (*profile = profiles; (*profile)->name; ++*profile) {
        if (protocols && (*profile)->command) continue;
        if (strcmp((*profile)->name, name) == 0) return STATUS_OK;
        text_add(&names, "%s%s", names.length ? ", " : "", (*profile)->name);
    }
    *profile = NULL;
    return err_set(err, STATUS_USAGE,
                   protocols ? "proto: '%.40s' is not one of %s"
                             : "profile: '%.40s' is not one of %s",
                   name, names.data);
}

const Profile *profile_for_program(const char *command, const Profile *protocol) {
    char wanted[64];
    process_program_name(command, wanted, sizeof wanted);
    if (protocol && (protocol->quirks.ranks || protocol->quirks.cyclone)) return NULL;
    for (const Profile *row = profiles; row->name; row++) {
        if (!row->command || strcmp(row->command, wanted) != 0) continue;
        if (!protocol || protocol->protocol == row->protocol) return row;
    }
    return NULL;
}

const Profile *profile_for_id(const char *id) {
    for (const Profile *row = profiles; row->name; row++) {
        if (row->id && strncmp(id, row->id, strlen(row->id)) == 0) return row;
    }
    return NULL;
}

#define FLAG   .type = OPTION_FLAG
#define NUMBER .type = OPTION_INT, .max = 3600000
#define TEXT   .type = OPTION_TEXT
static const OptionRow columns[] = {
#define QUIRK(id, kind, meaning) {.name = #id, .offset = offsetof(Quirks, id), kind},
#include "selfplay/engines/quirks.def"
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

Status quirk_set(Quirks *quirks, const char *text, Err *err) {
    const size_t length = strcspn(text, ":");
    const char *value = text[length] ? text + length + 1 : "";
    int i = 0;
    while (i < COLUMN_COUNT && !text_word_is(text, length, columns[i].name)) i++;
    if (i == COLUMN_COUNT) {
        AUTO(Text) known = {0};
        for (i = 0; i < COLUMN_COUNT; i++) text_add(&known, "%s%s", i ? ", " : "", columns[i].name);
        return err_set(err, STATUS_USAGE, "quirk: '%.*s' is not one of %s",
                       (int)(length < 40 ? length : 40), text, known.data);
    }
    void *member = (char *)quirks + columns[i].offset;
    if (columns[i].type == OPTION_FLAG) {
        if (*value) {
            return err_set(err, STATUS_USAGE, "quirk=%s takes no value: omit ':%.40s'",
                           columns[i].name, value);
        }
        *(bool *)member = true;
    } else if (columns[i].type == OPTION_INT) {
        TRY(option_read(&columns[i], columns[i].name, value, quirks, err));
        if (quirks->ranks > 1)
            return err_set(err, STATUS_USAGE, "quirk=ranks: the value must be 0 or 1, not %d",
                           quirks->ranks);
    } else {
        const size_t used = strlen(member);
        if (!*value || strchr(value, '\n') || used + strlen(value) + 2 > QUIRK_TEXT_SIZE) {
            return err_set(err, STATUS_USAGE,
                           "quirk=%s: '%.60s' is empty, contains a line end, or makes the lines to "
                           "send longer than %d bytes",
                           columns[i].name, value, QUIRK_TEXT_SIZE - 1);
        }
        snprintf((char *)member + used, QUIRK_TEXT_SIZE - used, "%s\n", value);
    }
    return STATUS_OK;
}

void quirks_write(const Quirks *quirks, Text *text) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const void *member = (const char *)quirks + columns[i].offset;
        if (columns[i].type == OPTION_FLAG) {
            if (*(const bool *)member) text_add(text, " %s", columns[i].name);
        } else if (columns[i].type == OPTION_INT) {
            const int number = *(const int *)member;
            if (number) text_add(text, " %s:%d", columns[i].name, number);
        } else if (*(const char *)member) {
            text_add(text, " %s:", columns[i].name);
            for (const char *at = member; at[1]; at++)
                text_add(text, "%c", *at == '\n' ? '|' : *at);
        }
    }
}
