// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/quirks.h"

#include "selfplay/engines/process.h"

static const Profile rows[] = {
    {"uci", PROTOCOL_UCI, NULL, {0}},
    {"uci1", PROTOCOL_UCI, NULL, {.ranks = 1}},
    // Chinese user interfaces speak it, too.
    {"cyclone", PROTOCOL_UCI, NULL, {.cyclone = true}},
    {"ucci", PROTOCOL_UCCI, NULL, {0}},
    {"cecp", PROTOCOL_CECP, NULL, {0}},
    {"xboard", PROTOCOL_CECP, NULL, {0}},
    // Ours as another program: another revision, another machine's build.
    {"paotai", PROTOCOL_UCI, "paotai", {0}},
    // With ranks from 0 it silently searches the wrong position.
    {"fairy-stockfish",
     PROTOCOL_UCI,
     "fairy-stockfish",
     {.ranks = 1, .init = "setoption name UCI_Variant value xiangqi\n"}},
    // Over UCCI its ranks begin at 0.
    {"fairy-stockfish-ucci",
     PROTOCOL_UCCI,
     "fairy-stockfish",
     {.milliseconds = true, .uci_words = true}},
    // Opening moves are random unless switched off; so are claims and resignations.
    {"sjaakii",
     PROTOCOL_CECP,
     "sjaakii",
     {.new_game = "option Random amplitude (0 to disable)=0\n"
                  "option Claim repetitions=0\n"
                  "option Moves before resigning (0 to disable)=0\n"}},
    // It exits on commands it does not know, on fractions, and on an illegal move. Its `st` is
    // whole seconds. After `?` it takes three seconds or goes on.
    {"hoixiangqi",
     PROTOCOL_CECP,
     "hoixiangqi",
     {.no_variant = true, .whole_seconds = true, .move_clock = 40, .no_stop = true}},
    // Of `st 0.1` it reads the 0 and plays at once. It uses a fortieth of its clock on most moves
    // and a tenth on a hard one.
    {"maxqi", PROTOCOL_CECP, "maxqi", {.no_variant = true, .move_clock = 20}},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, NUMBER_MAX = 3600000 };

const Profile *profile_row(int i) {
    return i >= 0 && i < ROW_COUNT ? &rows[i] : NULL;
}

const Profile *profile_find(const char *name, bool protocols) {
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0 && (!protocols || !rows[i].command)) return &rows[i];
    }
    return NULL;
}

void profile_names(bool protocols, Text *text) {
    for (int i = 0; i < ROW_COUNT; i++) {
        if (protocols && rows[i].command) continue;
        text_add(text, "%s%s", i ? ", " : "", rows[i].name);
    }
}

const Profile *profile_for_program(const char *command, const Profile *protocol) {
    char wanted[64];
    process_program_name(command, wanted, sizeof wanted);
    if (protocol && (protocol->quirks.ranks || protocol->quirks.cyclone)) return NULL;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (!rows[i].command || strcmp(rows[i].command, wanted) != 0) continue;
        if (!protocol || protocol->protocol == rows[i].protocol) return &rows[i];
    }
    return NULL;
}

// ---- columns ------------------------------------------------------------------------------------

typedef enum QuirkKind { KIND_FLAG, KIND_NUMBER, KIND_TEXT } QuirkKind;

static const struct {
    const char *name;
    QuirkKind kind;
    size_t offset;
} columns[] = {
#define QUIRK(id, kind, meaning) {#id, KIND_##kind, offsetof(Quirks, id)},
#include "selfplay/engines/quirks.def"
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static Status no_quirk(const char *name, size_t length, Err *err) {
    AUTO(Text) known = {0};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        text_add(&known, "%s%s", i ? ", " : "", columns[i].name);
    }
    return err_set(err, STATUS_USAGE, "quirk: no '%.*s'; known: %s", (int)length, name, known.data);
}

Status quirk_set(Quirks *quirks, const char *text, Err *err) {
    const size_t length = strcspn(text, ":");
    const char *value = text[length] ? text + length + 1 : "";
    int i = 0;
    while (i < COLUMN_COUNT && !text_word_is(text, length, columns[i].name)) i++;
    if (i == COLUMN_COUNT) return no_quirk(text, length < 40 ? length : 40, err);
    void *member = (char *)quirks + columns[i].offset;
    if (columns[i].kind == KIND_FLAG) {
        if (*value) return err_set(err, STATUS_USAGE, "quirk %s takes no value", columns[i].name);
        *(bool *)member = true;
    } else if (columns[i].kind == KIND_NUMBER) {
        const bool rank = member == &quirks->ranks;
        long long number;
        if (parse_int(value, 0, rank ? 1 : NUMBER_MAX, &number, columns[i].name, err)) {
            return err_usage(err, NULL);
        }
        *(int *)member = (int)number;
    } else {
        const size_t used = strlen(member);
        if (!*value || strchr(value, '\n') || used + strlen(value) + 2 > QUIRK_TEXT_SIZE) {
            return err_set(err, STATUS_USAGE, "quirk %s: '%.60s' is empty or too long",
                           columns[i].name, value);
        }
        snprintf((char *)member + used, QUIRK_TEXT_SIZE - used, "%s\n", value);
    }
    return STATUS_OK;
}

void quirks_write(const Quirks *quirks, Text *text) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const void *member = (const char *)quirks + columns[i].offset;
        if (columns[i].kind == KIND_FLAG) {
            if (*(const bool *)member) text_add(text, " %s", columns[i].name);
        } else if (columns[i].kind == KIND_NUMBER) {
            const int number = *(const int *)member;
            if (number) text_add(text, " %s:%d", columns[i].name, number);
        } else if (*(const char *)member) {
            text_add(text, " %s:", columns[i].name);
            for (const char *at = member; at[1]; at++)
                text_add(text, "%c", *at == '\n' ? '|' : *at);
        }
    }
}
