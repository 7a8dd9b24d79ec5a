// SPDX-License-Identifier: GPL-3.0-or-later
// paotai engine-check: a conversation with an engine, and what it does wrong.
#include "core/base/common_rows.h"
#include "core/base/json.h"
#include "selfplay/commands.h"
#include "selfplay/engines/engine_check.h"

typedef struct EngineCheckSettings {
    bool profiles, json;
} EngineCheckSettings;

static const OptionRow engine_check_rows[] = {
    OPT_FLAG("profiles", EngineCheckSettings, profiles,
             "list the built-in profiles, or show the fields of PLAYER's"),
    ROW_JSON(EngineCheckSettings),
    OPTION_END,
};

static void show_finding(const void *context, const CheckFinding *finding) {
    const CommandCall *call = context;
    const EngineCheckSettings *settings = call->settings;
    if (settings->json) {
        record_print(call->out, true, "check %s verdict %s text %s", finding->check,
                     check_verdict_name(finding->verdict), finding->text);
        return;
    }
    fprintf(call->out, "%s\t%s\t%s\n", check_verdict_name(finding->verdict), finding->check,
            finding->text);
    if (finding->verdict == CHECK_BAD) fprintf(call->out, "\t\twanted: %s\n", finding->meaning);
    fflush(call->out);
}

static Status run_engine_check(const CommandCall *call, Err *err) {
    const EngineCheckSettings *settings = call->settings;
    PlayerSpec spec;
    if (call->arg_count == 0) {
        const char *name;
        for (int i = 0; settings->profiles && (name = profile_builtin_name(i)) != NULL; i++) {
            fprintf(call->out, "%s\n", name);
        }
        if (settings->profiles) return STATUS_OK;
        return err_set(err, STATUS_USAGE, "arguments are missing: paotai engine-check PLAYER");
    }
    if (player_spec_parse(call->args[0], "PLAYER", &spec, err) != STATUS_OK) {
        return err->status;
    }
    int bad = 0;
    if (settings->profiles) {
        Text text = {0};
        profile_write(&spec.profile, &text);
        fputs(text_get(&text), call->out);
        text_clear(&text);
    } else if (engine_check(&spec, show_finding, call, &bad, err) != STATUS_OK) {
        player_spec_clear(&spec);
        return err->status;
    }
    player_spec_clear(&spec);
    return bad ? STATUS_TOLD : STATUS_OK;
}

const Command command_engine_check = {
    .name = "engine-check",
    .summary = "hold a conversation with an engine and say what it does wrong",
    .usage = "[PLAYER]",
    .details =
        "Each line: good, note (matches can live with it), skipped or bad; the check; what "
        "was found.\n"
        "Exit status 1 when something is bad. A PLAYER is a comma list (a backslash takes "
        "the next\n"
        "character as it is):\n"
#define PLAYER_KEY(id, name, who, meaning) "  " name "=  " meaning "\n"
#include "selfplay/engines/player_keys.def"
        "  option.NAME=  an option of the program, or a search parameter of our engine\n\n"
        "A profile says how a program is spoken to. Write your own in a file, from the "
        "built-in one that\n"
        "comes nearest; {names} and [parts] are explained in selfplay/engines/placeholders.def and "
        "profile.h:\n\n"
        "  profile mine\n"
        "  base uci\n"
        "  command ./my-engine --quiet\n"
        "  init setoption name UCI_Variant value xiangqi\n\n"
        "(base uci1 for an engine that counts ranks from 1.)\n\n"
        "Its fields:\n"
#define PROFILE_FIELD(id, name, kind, default_value, meaning) "  " name "  " meaning "\n"
#include "selfplay/engines/profile_fields.def"
        "\npaotai engine-check profile=fairy-stockfish\n"
        "paotai engine-check cmd=./my-engine,profile=mine.profile,log=talk.txt\n"
        "paotai engine-check --profiles profile=hoixiangqi",
    .rows = engine_check_rows,
    .settings_size = sizeof(EngineCheckSettings),
    .max_args = 1,
    .run = run_engine_check,
};
