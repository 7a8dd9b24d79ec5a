// SPDX-License-Identifier: GPL-3.0-or-later
// paotai judge: the referee's verdict on games.
#include "core/base/text.h"
#include "core/commands.h"
#include "core/rules_explain.h"
#include "core/rules_options.h"

typedef struct JudgeSettings {
    int rules, material, max_checks;
    bool first, explain;
} JudgeSettings;

static const OptionRow judge_rows[] = {
    RULES_OPTION(JudgeSettings, rules),
    MATERIAL_OPTION(JudgeSettings, material),
    MAX_CHECKS_OPTION(JudgeSettings, max_checks),
    {"first", OPTION_FLAG, offsetof(JudgeSettings, first), 0, 0, NULL, NULL,
     "add the ply of the first end on the way, - when there is none"},
    {"explain", OPTION_FLAG, offsetof(JudgeSettings, explain), 0, 0, NULL, NULL,
     "add the reasons, in lines that begin with '#'"},
    OPTION_END,
};

static void print_verdict(const CommandCall *call, const Rules *rules, const Game *game,
                          Text *text) {
    const JudgeSettings *settings = call->settings;
    const Judgement judged = rules_judge(rules, game);
    fprintf(call->out, "%s\t%s", verdict_name(judged.verdict), end_reason_name(judged.reason));
    size_t ply = 0;
    Judgement first = {VERDICT_NONE, END_NONE};
    const bool ended = settings->first && rules_first_end(rules, game, &ply, &first);
    if (ended) {
        fprintf(call->out, "\t%zu", ply);
    } else if (settings->first) {
        fprintf(call->out, "\t-");
    }
    fputc('\n', call->out);
    if (!settings->explain) return;
    text_reset(text);
    rules_explain(rules, game, game->count, text);
    if (ended && ply < game->count) {
        text_add(text, "# first end, after ply %zu: %s, %s\n", ply, verdict_name(first.verdict),
                 end_reason_name(first.reason));
        rules_explain(rules, game, ply, text);
    }
    fputs(text_get(text), call->out);
}

static int run_judge(const CommandCall *call) {
    const JudgeSettings *settings = call->settings;
    Rules rules = rules_default((RuleSet)settings->rules);
    rules.material = (MaterialRule)settings->material;
    rules.max_checks = settings->max_checks;
    Err err = {0};
    if (command_given(call, "max-checks") && !(rule_set_traits(rules.set) & RULE_LIMIT)) {
        err_set(&err, STATUS_USAGE, "--max-checks belongs to --rules literal, not to %s",
                rule_set_name(rules.set));
        return command_fail(call, &err);
    }
    LineReader reader;
    if (line_reader_open(&reader, call->arg_count ? call->args[0] : NULL, &err) != STATUS_OK) {
        return command_fail(call, &err);
    }
    Game game = {0};
    Text text = {0};
    bool failed = false;
    while (line_reader_next_record(&reader)) {
        if (game_read_record(&game, reader.line, reader.length, &err) == STATUS_OK) {
            print_verdict(call, &rules, &game, &text);
        } else {
            fprintf(call->out, "error\tline %zu: %s\n", reader.number, err.text);
            failed = true;
        }
    }
    game_clear(&game);
    text_clear(&text);
    if (line_reader_close(&reader, &err) != STATUS_OK) return command_fail(call, &err);
    return failed ? 1 : 0;
}

const Command command_judge = {
    .name = "judge",
    .summary = "the referee's verdict on games, with reasons",
    .usage = "[FILE]",
    .details =
        "Each line of FILE (or standard input) is a FEN, a tab, and the moves (h2e2 h9g7 ...); "
        "the\n"
        "answer is a verdict (none, draw, red_loses, black_loses), a tab, and the reason.\n\n"
        "Rule sets for loops (a position that occurs for the third time since the last capture):\n"
#define RULE_SET(id, name, traits, summary) "  " name ": " summary "\n"
#include "core/rules.def"
#undef RULE_SET
        "cxa sees a check, a mate threat by up to three checks, or a new chase in the sense of "
        "axf, of\n"
        "any piece, in every move of a side; it does not value exchanges or longer threats.\n"
        "\n"
        "paotai judge games.tsv\n"
        "paotai judge --rules literal --explain games.tsv",
    .rows = judge_rows,
    .settings_size = sizeof(JudgeSettings),
    .min_args = 0,
    .max_args = 1,
    .run = run_judge,
};
