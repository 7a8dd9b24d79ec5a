// SPDX-License-Identifier: GPL-3.0-or-later
// paotai judge: prints the referee's verdict on games.
#include "core/base/json.h"
#include "core/board/record_input.h"
#include "core/command/common_rows.h"
#include "core/rules/rules_options.h"
#include "core/system/in_file.h"

typedef struct JudgeSettings {
    int rules, material, max_checks, check_run;
    bool first, explain, json;
} JudgeSettings;

static const OptionRow judge_rows[] = {
    RULES_OPTION(JudgeSettings, rules),
    MATERIAL_OPTION(JudgeSettings, material),
    MAX_CHECKS_OPTION(JudgeSettings, max_checks),
    CHECK_RUN_OPTION(JudgeSettings, check_run),
    OPT_FLAG("first", JudgeSettings, first,
             "also print the number of plies after which the game was first over by the rules, or "
             "'-' if it never was"),
    OPT_FLAG("explain", JudgeSettings, explain,
             "explain each verdict, in lines that begin with '#'"),
    ROW_JSON(JudgeSettings),
    OPTION_END,
};

static void print_verdict(const CommandCall *call, const Rules *rules, const Game *game,
                          size_t line, Text *reasons) {
    const JudgeSettings *settings = call->settings;
    const Judgement now = rules_judge(rules, game);
    const char *verdict = verdict_name(now.verdict), *reason = end_reason_name(now.reason);
    Judgement first;
    size_t ply = 0;
    const bool ended = settings->first && rules_first_end(rules, game, &ply, &first);
    text_reset(reasons);
    if (settings->explain) rules_explain(rules, game, game->count, reasons);
    if (settings->explain && ended && ply < game->count) {
        text_add(reasons, "# first end, after ply %zu: %s, %s\n", ply, verdict_name(first.verdict),
                 end_reason_name(first.reason));
        rules_explain(rules, game, ply, reasons);
    }
    if (!settings->json) {
        fprintf(call->out, "%s\t%s", verdict, reason);
        if (ended) {
            fprintf(call->out, "\t%zu", ply);
        } else if (settings->first) {
            fprintf(call->out, "\t-");
        }
        fprintf(call->out, "\n%s", text_get(reasons));
        return;
    }
    Record record;
    record_begin(&record, call->out, true);
    record_add(&record, "line %zu verdict %s reason %s", line, verdict, reason);
    if (ended) {
        record_add(&record, "first %zu", ply);
    } else if (settings->first) {
        record_unknown(&record, "first");
    }
    if (settings->explain) record_add(&record, "explain %s", text_get(reasons));
    record_end(&record);
}

static Status run_judge(const CommandCall *call, Err *err) {
    const JudgeSettings *settings = call->settings;
    Rules rules = rules_default((RuleSet)settings->rules);
    rules.material = (MaterialRule)settings->material;
    rules.max_checks = settings->max_checks;
    rules.check_run = settings->check_run;
    const bool limit = command_given(call, "max-checks"), run = command_given(call, "check-run");
    if ((limit || run) && !(rule_set_traits(rules.set) & RULE_LIMIT)) {
        return err_set(err, STATUS_USAGE,
                       "--%s has an effect only with --rules literal, not with %s",
                       limit ? "max-checks" : "check-run", rule_set_name(rules.set));
    }
    LineReader reader;
    TRY(record_input_begin(call, "FEN<tab>MOVES", err));
    TRY(line_reader_open(&reader, call->arg_count ? call->args[0] : NULL, err));
    AUTO(Game) game = {0};
    AUTO(Text) text = {0};
    bool failed = false;
    for (bool first = true; line_reader_next_record(&reader); first = false) {
        if (first) {
            TRY(line_reader_refuse_games(
                &reader,
                "to judge the games of a file, use 'paotai data import FILE --out DIR'; then "
                "'paotai data export --format moves DIR' prints their moves",
                err));
        }
        if (game_read_record(&game, reader.line, reader.length, err) == STATUS_OK) {
            print_verdict(call, &rules, &game, reader.number, &text);
        } else {
            record_bad_line(call->out, settings->json, reader.number, err->text);
            failed = true;
        }
    }
    TRY(line_reader_close(&reader, err));
    return failed ? STATUS_REPORTED : STATUS_OK;
}

const Command command_judge = {
    .name = "judge",
    .summary = "judge games by the rules, with reasons",
    .usage = "[FILE]",
    .details =
        "Each line of FILE (or standard input) is a FEN, a tab, and the moves (h2e2 h9g7 "
        "...). For each line the command prints a verdict (none, draw, red_loses, "
        "black_loses), a tab, and the reason.\n\n"
        "A rule set decides games in which a position occurs for the third time. The rule "
        "sets are:\n"
#define RULE_SET(id, name, traits, summary) "  " name ": " summary "\n"
#include "core/rules/rules.def"
        "In all rule sets, a move chases a piece only if the piece was not chased before the "
        "move. In axf and cxa, an attack is an offer to exchange, not a chase, if both pieces "
        "have the same type and each can capture the other. In cxa, a mate threat is a threat to "
        "mate with at most three checks.\n\n"
        "paotai judge games.tsv\n"
        "paotai judge --rules literal --explain games.tsv",
    .rows = judge_rows,
    .settings_size = sizeof(JudgeSettings),
    .max_args = -1, // record_input_begin() checks them
    .run = run_judge,
};
