// SPDX-License-Identifier: GPL-3.0-or-later
// paotai engine-check: tests how an engine speaks its protocol and prints what is wrong.
#include "core/command/common_rows.h"
#include "selfplay/engines/engine_check.h"
#include "selfplay/engines/protocol.h"

typedef struct EngineCheckSettings {
    bool profiles, json;
} EngineCheckSettings;

static const OptionRow engine_check_rows[] = {
    OPT_FLAG("profiles", EngineCheckSettings, profiles,
             "list the known engines and protocols with their quirks, and check nothing"),
    ROW_JSON(EngineCheckSettings),
    OPTION_END,
};

// Checks a player. With --profiles, prints lines NAME<TAB>PROTOCOL<TAB>COMMAND<TAB>QUIRKS instead.
static Status run_engine_check(const CommandCall *call, Err *err) {
    const EngineCheckSettings *settings = call->settings;
    for (const Profile *row = profiles; settings->profiles && row->name; row++) {
        AUTO(Text) quirks = {0};
        quirks_write(&row->quirks, &quirks);
        fprintf(call->out, "%s\t%s\t%s\t%s\n", row->name, protocols[row->protocol]->name,
                row->command ? row->command : "-", quirks.length ? quirks.data + 1 : "-");
    }
    if (settings->profiles) return STATUS_OK;
    if (call->arg_count == 0) {
        return err_set(
            err, STATUS_USAGE,
            "PLAYER, the program to check, is missing; see 'paotai engine-check --help'");
    }
    AUTO(PlayerSpec) spec;
    int bad = 0;
    TRY(player_spec_parse(call->args[0], "PLAYER", &spec, err));
    TRY(engine_check(&spec, settings->json, call->out, &bad, err));
    return bad ? STATUS_REPORTED : STATUS_OK;
}

const Command command_engine_check = {
    .name = "engine-check",
    .summary = "test whether a program follows its protocol",
    .usage = "[PLAYER]",
    .details =
        "Each line has a verdict, the name of a check and its findings. Verdicts are good, "
        "note (a deviation with which matches can still be played) and bad (a fault that "
        "loses games or distorts them). The exit status is 1 if a verdict is bad.\n\n"
#include "selfplay/engines/player_help.def"
        "\nA profile is a row in a table of engines and protocols (--profiles). It sets the "
        "command, the protocol and the quirks, which are deviations from the protocol. A program "
        "in cmd= whose file name is in the table gets its profile, unless profile= or proto= names "
        "another one. For another program give proto= "
        "and its quirks:\n"
#define QUIRK(id, kind, meaning) "  " #id "  " meaning "\n"
#include "selfplay/engines/quirks.def"
        "\npaotai engine-check profile=fairy-stockfish\n"
        "paotai engine-check cmd=./my-engine,proto=uci,quirk=ranks:1,log=talk.txt\n"
        "paotai engine-check cmd=./other,proto=xboard,quirk=no_stop,quirk=new_game:option Book=0",
    .rows = engine_check_rows,
    .settings_size = sizeof(EngineCheckSettings),
    .max_args = 1,
    .run = run_engine_check,
};
