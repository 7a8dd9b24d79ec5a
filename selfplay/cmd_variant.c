// SPDX-License-Identifier: GPL-3.0-or-later
// paotai variant list, show, perft: lists the other games, shows their evaluation, counts turns.
#include "core/base/clock.h"
#include "core/base/json.h"
#include "selfplay/variants/variant_command.h"
#include "selfplay/variants/variant_page.h"

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
    VARIANT_RULES_ROW,
    VARIANT_FEN_ROW,
    OPT_TEXTS("weights", VariantSettings, sets, NULL, "NAME|FILE",
              VARIANT_WEIGHTS_HELP "; once for each GAME"),
    OPT_TEXT("page", VariantSettings, page, NULL, "FILE",
             "file that receives a picture of the values of all GAMEs (HTML)"),
    OPT_TEXT("beside", VariantSettings, beside, NULL, "FILE",
             "file with values of xiangqi's pieces to add to the page, lines "
             "'chariot<TAB>900<TAB>SE'; only with --page"),
    VARIANT_PIECES_ROW,
    ROW_JSON(VariantSettings),
    OPTION_END,
};

// Prints the terms of a game: classic value, fitted value, and coefficient in the position.
static void show_terms(const CommandCall *call, const Variant *game, const VariantState *state,
                       const VariantWeights *weights) {
    const bool json = ((const VariantSettings *)call->settings)->json;
    int16_t counts[VARIANT_MAX_TERMS] = {0};
    game->trace(state, counts);
    if (!json) fprintf(call->out, "%-18s  classic %19.19s   here\n", "term", weights->name);
    for (int i = 0; i < game->term_count; i++) {
        record_row(call->out, json,
                   "{term}%-18s {classic}%8.1f {value}%9.1f +- {value_error95}%6.1f {count}%6d  "
                   "{meaning}%s\n",
                   game->terms[i].name, game->terms[i].classic, weights->value[i],
                   Z95 * weights->se[i], counts[i], game->terms[i].meaning);
    }
    const int score = variant_evaluate(game, weights->value, state);
    record_print(call->out, json, "score_first_team %d", state->team ? -score : score);
}

static Status show_game(const CommandCall *call, const VariantWeights *weights, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantPlan plan;
    VariantState state = {.key = 0};
    AUTO(Text) text = {0};
    TRY(variant_command_plan(call, &plan, err));
    TRY(plan.game->read(plan.start, plan.choice, &state, err));
    if (!settings->json) {
        text_add_wrapped(&text, plan.game->rules);
        text_add(&text, "\n");
        plan.game->draw(&state, settings->pieces == 1, &text);
        plan.game->write(&state, &text);
        fprintf(call->out, "%s\n%s\n\n", plan.game->summary, text.data);
    }
    show_terms(call, plan.game, &state, weights);
    return STATUS_OK;
}

static Status run_show(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantWeights weights[VARIANT_PAGE_GAMES];
    const Variant *games[VARIANT_PAGE_GAMES];
    const int given = settings->sets.count;
    if (given && given != call->arg_count) {
        return err_set(
            err, STATUS_USAGE,
            "--weights is given %d times for %d games; give it once per game, in the same order",
            given, call->arg_count);
    }
    if (!settings->page) TRY(command_refuse(call, "beside", "only with --page", err));
    if (call->arg_count > 1 && !settings->page) {
        return err_set(err, STATUS_USAGE, "several games need --page FILE");
    }
    for (int i = 0; i < call->arg_count; i++) {
        games[i] = variant_by_name(call->args[i], err);
        if (!games[i]) return STATUS_USAGE;
        TRY(variant_command_weights(call, games[i], given ? settings->sets.texts[i] : "default",
                                    &weights[i], err));
    }
    if (!settings->page) return show_game(call, weights, err);
    TRY(command_refuse(call, "fen rules json pieces", "not with --page", err));
    return variant_page_write(settings->page, games, weights, call->arg_count, settings->beside,
                              err);
}

const Command command_variant_show = {
    .name = "variant show",
    .summary = "show the rules of a game, a position, and the values of the evaluation terms",
    .usage = "GAME...",
    .details = "paotai variant show banqi --rules taiwan\n"
               "paotai variant show supply banqi --weights supply.tsv --weights banqi.tsv --page "
               "values.html",
    .rows = show_rows,
    .settings_size = sizeof(VariantSettings),
    .min_args = 1,
    .max_args = VARIANT_PAGE_GAMES,
    .run = run_show,
};

// ---- perft --------------------------------------------------------------------------------------

static const OptionRow perft_rows[] = {
    VARIANT_RULES_ROW,
    OPT_INT("depth", VariantSettings, depth, 1, 20, "3", "N", "number of plies to count"),
    VARIANT_FEN_ROW,
    OPT_TEXT("suite", VariantSettings, suite, NULL, "FILE",
             "check the counts of a file with lines 'fen<TAB>depth<TAB>nodes'"),
    ROW_JSON(VariantSettings),
    OPTION_END,
};

static Status perft_position(const CommandCall *call, const VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantState state = {.key = 0};
    TRY(plan->game->read(plan->start, plan->choice, &state, err));
    const double start = clock_now_s();
    const uint64_t nodes = variant_perft(plan->game, &state, settings->depth);
    const double seconds = clock_now_s() - start;
    record_row(call->out, settings->json, "nodes {nodes}%llu ms {ms}%.0f nps {nps}%.0f\n",
               (unsigned long long)nodes, seconds * 1e3, (double)nodes / (seconds + 1e-9));
    return STATUS_OK;
}

// Counts the position of a row "fen<TAB>depth<TAB>nodes". *expected receives the count in the row.
static Status perft_row(const VariantPlan *plan, char *line, uint64_t *nodes, uint64_t *expected,
                        Err *err) {
    const char *fen = text_next_field(&line, '\t'), *depth = text_next_field(&line, '\t');
    const char *count = text_next_field(&line, '\t');
    VariantState state = {.key = 0};
    long long plies;
    if (!count) return err_set(err, STATUS_BAD_INPUT, "the row is not fen<TAB>depth<TAB>nodes");
    TRY(parse_int(depth, 0, 20, &plies, "depth", err));
    TRY(parse_u64(count, expected, "nodes", err));
    TRY(plan->game->read(fen, plan->choice, &state, err));
    *nodes = variant_perft(plan->game, &state, (int)plies);
    return STATUS_OK;
}

static Status perft_suite(const CommandCall *call, const VariantPlan *plan, Err *err) {
    const VariantSettings *settings = call->settings;
    LineReader suite;
    int passed = 0, failed = 0;
    TRY(line_reader_open(&suite, settings->suite, err));
    while (line_reader_next_record(&suite)) {
        uint64_t nodes = 0, expected = 0;
        Err bad = {0};
        if (strncmp(suite.line, "fen\t", 4) == 0) continue; // header
        if (perft_row(plan, suite.line, &nodes, &expected, &bad) != STATUS_OK) {
            record_bad_line(call->out, settings->json, suite.number, bad.text);
        } else if (nodes != expected) {
            record_row(call->out, settings->json,
                       "FAIL line {line}%zu: {nodes}%llu, expected {expected}%llu: {fen}%s\n",
                       suite.number, (unsigned long long)nodes, (unsigned long long)expected,
                       suite.line);
        }
        *(bad.status == STATUS_OK && nodes == expected ? &passed : &failed) += 1;
    }
    TRY(line_reader_close(&suite, err));
    record_row(call->out, settings->json, "{passed}%d passed, {failed}%d failed\n", passed, failed);
    if (passed + failed == 0) {
        return err_set(err, STATUS_BAD_INPUT, "%s: the file contains no rows", settings->suite);
    }
    return failed ? STATUS_REPORTED : STATUS_OK;
}

static Status run_perft(const CommandCall *call, Err *err) {
    const VariantSettings *settings = call->settings;
    VariantPlan plan;
    TRY(variant_command_plan(call, &plan, err));
    if (!settings->suite) return perft_position(call, &plan, err);
    TRY(command_refuse(call, "depth fen", "not with --suite", err));
    return perft_suite(call, &plan, err);
}

const Command command_variant_perft = {
    .name = "variant perft",
    .summary = "count sequences of turns of another game, or check a suite of known counts",
    .usage = "GAME",
    .details =
        "A turn that uncovers a piece counts once for each kind of piece that may appear.\n\n"
        "paotai variant perft supply --depth 3\n"
        "paotai variant perft banqi --rules taiwan --suite tests/data/banqi_taiwan.tsv",
    .rows = perft_rows,
    .settings_size = sizeof(VariantSettings),
    .min_args = 1,
    .max_args = 1,
    .run = run_perft,
};
