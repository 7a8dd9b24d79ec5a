// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant list, show, perft: lists the other games, shows a position, counts turns.
#include <math.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "selfplay/variants/variant_command.h"

static const OptionRow list_rows[] = {ROW_JSON(VariantSettings), OPTION_END};

static Status run_list(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    (void)err;
    for (int i = 0; variant_at(i); i++) {
        const Variant *game = variant_at(i);
        record_row(call->out, settings->json, "{game}%-8s {rules}%-16s {summary}%s\n", game->name,
                   game->choices ? game->choices : "-", game->summary);
    }
    return STATUS_OK;
}

const Command command_variant_list = {
    .name = "variant list",
    .summary = "list the other games: supply chess, banqi",
    .usage = "",
    .rows = list_rows,
    .settings_size = sizeof(VariantSettings),
    .run = run_list,
};

// ---- show ---------------------------------------------------------------------------------------

static const OptionRow show_rows[] = {
    VARIANT_START_ROWS,        VARIANT_WEIGHTS_ROW, VARIANT_PIECES_ROW,
    ROW_JSON(VariantSettings), OPTION_END,
};

static Status run_show(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    const bool json = settings->json;
    VariantPlan plan;
    VariantWeights weights;
    VariantState state = {.key = 0};
    int counts[VARIANT_MAX_TERMS];
    AUTO(Text) text = {0};
    TRY(variant_command_plan(call, &plan, err));
    const Variant *game = plan.game;
    TRY(variant_weights_load(game, plan.choice, settings->weights, &weights, err));
    TRY(game->read(plan.start, plan.choice, &state, err));
    variant_counts(game, &state, counts);
    if (!json) {
        text_add_wrapped(&text, game->rules);
        text_add(&text, "\n");
        game->draw(&state, settings->pieces == 1, &text);
        game->write(&state, &text);
        fprintf(call->out, "%s\n%s\n\n%-18s  classic %19.19s  count\n", game->summary, text.data,
                "term", weights.name);
    }
    for (int i = 0; i < game->term_count; i++) {
        record_row(call->out, json,
                   "{term}%-18s {classic}%8.1f {value}%9.1f +- {value_error95}%6.1f {count}%6d  "
                   "{meaning}%s\n",
                   game->terms[i].name, game->terms[i].classic, weights.value[i],
                   weights.se[i] > 0 ? Z95 * weights.se[i] : NAN, counts[i],
                   game->terms[i].meaning);
    }
    const int score = variant_evaluate(game, weights.value, &state);
    record_print(call->out, json, "score_first_team %d", state.team ? -score : score);
    return STATUS_OK;
}

const Command command_variant_show = {
    VARIANT_COMMAND,
    .name = "variant show",
    .summary = "show the rules of a game, a position, and the values of the evaluation terms",
    .details = "paotai variant show banqi --rules taiwan",
    .rows = show_rows,
    .run = run_show,
};

// ---- perft --------------------------------------------------------------------------------------

static const OptionRow perft_rows[] = {
    OPT_INT("depth", VariantSettings, player.limits.depth, 1, 20, "3", "N",
            "depth of the count in plies"),
    VARIANT_START_ROWS,
    OPT_TEXT("suite", VariantSettings, suite, NULL, "FILE",
             "compare the counts with the known counts in this file, which has lines "
             "'fen<TAB>depth<TAB>nodes'"),
    ROW_JSON(VariantSettings),
    OPTION_END,
};

// Counts the turns of a row "fen<TAB>depth<TAB>nodes". *expected becomes the count in the row.
static Status count_row(const VariantPlan *plan, char *line, uint64_t *nodes, uint64_t *expected,
                        Err *err) {
    const char *fen = text_next_field(&line, '\t'), *depth = text_next_field(&line, '\t');
    const char *known = text_next_field(&line, '\t');
    VariantState state = {.key = 0};
    long long plies;
    if (!known) {
        return err_set(err, STATUS_BAD_INPUT,
                       "a row must have fen, depth and nodes, separated by tabs, not '%.40s'", fen);
    }
    TRY(parse_int(depth, 0, 20, &plies, "depth", err));
    TRY(parse_u64(known, expected, "nodes", err));
    TRY(plan->game->read(fen, plan->choice, &state, err));
    *nodes = variant_perft(plan->game, &state, (int)plies);
    return STATUS_OK;
}

static Status check_suite(const CommandCall *call, const VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    LineReader suite;
    int passed = 0, failed = 0;
    TRY(line_reader_open(&suite, settings->suite, err));
    while (line_reader_next_record(&suite)) {
        uint64_t nodes = 0, expected = 0;
        Err bad = {0};
        if (strncmp(suite.line, "fen\t", 4) == 0) continue; // header
        const bool read = count_row(plan, suite.line, &nodes, &expected, &bad) == STATUS_OK;
        *(read && nodes == expected ? &passed : &failed) += 1;
        if (!read) {
            record_bad_line(call->out, settings->json, suite.number, bad.text);
        } else if (nodes != expected) {
            record_row(call->out, settings->json,
                       "FAIL line {line}%zu: {nodes}%llu, expected {expected}%llu: {fen}%s\n",
                       suite.number, (unsigned long long)nodes, (unsigned long long)expected,
                       suite.line);
        }
    }
    TRY(line_reader_close(&suite, err));
    record_row(call->out, settings->json, "{passed}%d passed, {failed}%d failed\n", passed, failed);
    if (passed + failed > 0) return failed ? STATUS_REPORTED : STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%s: the file contains no rows", settings->suite);
}

static Status run_perft(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    const double start = clock_now_s();
    VariantPlan plan;
    VariantState state = {.key = 0};
    TRY(variant_command_plan(call, &plan, err));
    if (settings->suite) {
        TRY(command_refuse(call, "depth fen", "has no effect with --suite", err));
        return check_suite(call, &plan, err);
    }
    TRY(plan.game->read(plan.start, plan.choice, &state, err));
    const uint64_t nodes = variant_perft(plan.game, &state, settings->player.limits.depth);
    const double seconds = clock_now_s() - start;
    record_row(call->out, settings->json, "nodes {nodes}%llu ms {ms}%.0f nps {nps}%.0f\n",
               (unsigned long long)nodes, seconds * 1e3, (double)nodes / (seconds + 1e-9));
    return STATUS_OK;
}

const Command command_variant_perft = {
    VARIANT_COMMAND,
    .name = "variant perft",
    .summary = "count sequences of turns of another game, or check a suite of known counts",
    .details =
        "A turn that uncovers a piece counts once for each kind of piece that may appear.\n\n"
        "paotai variant perft supply --depth 3\n"
        "paotai variant perft banqi --rules taiwan --suite tests/data/banqi_taiwan.tsv",
    .rows = perft_rows,
    .run = run_perft,
};
