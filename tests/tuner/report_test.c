// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the comments that a fit writes into its weight file, and the residuals of the report.
#include <math.h>

#include "tests/tuner/tuner_data.h"
#include "tuner/fit/fit_record.h"
#include "tuner/fit/measure.h"
#include "tuner/loop/generations.h"

// Fits of some weights keep the errors of the others. Their text says what these errors contain,
// also if the start is such a fit.
static void check_partial(TestContext *t, const FitRecord *old) {
    const bool frozen[N] = {[0] = true}, none[N] = {false};
    AUTO(Text) text = {0}, again = {0}, whole = {0};
    AUTO(FitRecord) next = {.has_errors = true, .error = {[0] = 1}}, classic = {0};
    fit_contain_describe(frozen, old, true, &text);
    CHECK_MSG(strncmp(text.data, ERRORS_OF_FIT, strlen(ERRORS_OF_FIT)) == 0 &&
                  strstr(text.data, old->contain) && strstr(text.data, ERRORS_EXACT),
              "%s", text.data);
    snprintf(next.contain, sizeof next.contain, "%s", text.data);
    fit_contain_describe(frozen, &next, true, &again);
    CHECK_MSG(strcmp(again.data, text.data) == 0, "%s", again.data);
    fit_contain_describe(none, old, true, &whole);
    CHECK_MSG(strcmp(whole.data, ERRORS_OF_FIT) == 0, "%s", whole.data);
    text_reset(&whole);
    fit_contain_describe(frozen, &classic, false, &whole);
    CHECK_MSG(strcmp(whole.data, ERRORS_OF_FIT) == 0, "%s", whole.data);
}

// A file of an earlier version has no lines se_data, and a still older one has no line
// errors_contain: their errors are without the prior's pull, which their reports say.
static void check_old_record(TestContext *t, const char *file) {
    for (int older = 0; older < 2; older++) {
        AUTO(Text) old = {0};
        AUTO(FitRecord) record = {0};
        for (const char *at = file; *at; at += strcspn(at, "\n") + 1) {
            const bool drop = strncmp(at, "# se_data", 9) == 0 ||
                              (older && strncmp(at, "# errors_contain", 16) == 0);
            if (!drop) text_add_bytes(&old, at, strcspn(at, "\n") + 1);
        }
        fit_record_parse(text_get(&old), &record);
        CHECK(!record.has_pull &&
              memcmp(record.error, record.error_data, sizeof record.error) == 0);
        CHECK_MSG(strstr(record.contain, ERRORS_WITHOUT_PULL), "%s", record.contain);
        CHECK_MSG(!strstr(record.contain, ERRORS_OF_OLD_FIT) == !older, "%s", record.contain);
        check_partial(t, &record);
    }
}

// The results that a fit records in its weight file must be read back as they were written.
// FitErrors.decided says how much the games, and not the prior, determine a weight (0 to 1). It is
// 0 for a weight that is not fitted. For the value of the cannon it is above 0.9 with a weak prior
// and below 0.1 with a strong one.
void test_fit_record(TestContext *t) {
    Weights start;
    AUTO(RowSet) rows = {0};
    double flat[N];
    Err err = {0};
    if (!random_rows(t, 60, 0.004, &start, flat, &rows)) return;
    FitSetup setup = fit_setup(1);
    const int cannon = 2 * WEIGHT_INDEX(material_cannon), horse = 2 * WEIGHT_INDEX(material_horse);
    double share[2];
    for (int strong = 0; strong < 2; strong++) {
        setup.prior = (PriorSetup){.sd = strong ? 0.5 : 40, .material_sd = strong ? 0.5 : 1e4};
        AUTO(Fit) fit;
        AUTO(FitErrors) errors = {0};
        AUTO(Text) text = {0};
        AUTO(Text) file = {0};
        FitRecord record;
        AUTO(FitRecord) before = {0};
        fit_record_parse("", &before);
        before.error[horse] = 7.5, before.error_data[horse] = 2.25, before.decided[horse] = 0.625;
        fit_init(&fit, &rows, &setup, flat);
        fit.frozen[horse] = fit.frozen[horse + 1] = true;
        Status status = fit_run(&fit, &err);
        if (status == STATUS_OK) status = errors_of_fit(&fit, true, &errors, &err);
        if (!CHECK_OK(status, err)) return;
        share[strong] = errors.decided[cannon];
        CHECK(errors.decided[horse] == 0.0);
        errors.pieces.value[1][STAGE_ENDGAME] = 4.25;
        errors.pieces.se[1][STAGE_OPENING] = 0.125;
        errors.pieces.positions[1] = errors.pieces.positions[PIECE_LINES - 1] = 99;
        errors.pieces.value[PIECE_LINES - 1][STAGE_ALL] = -1.5;
        text_add(&text, "lambda=0.25\n");
        fit_record_format(&fit, &errors, &before, &text);
        weights_format(&start, text_get(&text), &file);
        fit_record_parse(text_get(&file), &record);
        CHECK(record.has_errors && record.has_pieces);
        // A frozen weight keeps its error and share. If these are unknown, they are not 0.
        CHECK(record.decided[horse] == 0.625 && isnan(record.decided[horse + 1]));
        CHECK(record.error[horse] == 7.5 && record.error_data[horse] == 2.25);
        CHECK(isnan(record.error[horse + 1]) && isnan(record.error_data[horse + 1]));
        for (int i = 0; i < N; i++) {
            const bool kept = i / 2 == horse / 2;
            CHECK(kept || fabs(record.error[i] - errors.weight[i]) <= 0.0051);
            // The file has two decimals, so smaller errors are unknown.
            CHECK(kept || fabs(fmax(0, record.error_data[i]) - errors.data[i]) <= 0.0051);
            CHECK(kept || fabs(record.decided[i] - errors.decided[i]) <= 0.00051);
        }
        CHECK(record.pieces.value[1][STAGE_ENDGAME] == 4.25 &&
              isnan(record.pieces.value[1][STAGE_ALL]));
        CHECK(record.pieces.se[1][STAGE_OPENING] == 0.125 && record.pieces.positions[1] == 99);
        CHECK(record.pieces.value[PIECE_LINES - 1][STAGE_ALL] == -1.5 &&
              record.pieces.positions[0] == 0);
        CHECK_NEAR(fit_record_number(&record, "lambda", 9), 0.25, 0);
        CHECK_NEAR(fit_record_number(&record, "absent", 9), 9, 0);
        CHECK(record.has_pull && !strstr(record.contain, ERRORS_WITHOUT_PULL));
        fit_record_clear(&record);
        check_old_record(t, text_get(&file));
    }
    CHECK_MSG(share[0] > 0.9, "the games decided only %.3f of the cannon's value", share[0]);
    CHECK_MSG(share[1] < 0.1, "with a strong prior the games decided %.3f of the cannon's value",
              share[1]);
}

// Residuals are 0, up to chance, for the weights from which the results were drawn. If the value of
// a kind of piece is lowered, the residuals of this kind are positive.
void test_residuals(TestContext *t) {
    Weights truth;
    AUTO(RowSet) rows = {0};
    double flat[N];
    Residuals residuals;
    const double k = 0.004;
    if (!random_rows(t, 150, k, &truth, flat, &rows)) return;
    draw_results(&rows, flat, k, false, 3);
    const LossSetup setup = {.kind = LOSS_CROSS_ENTROPY, .k = k, .lambda = 1, .threads = 1};
    measure_residuals(&rows, &setup, flat, &residuals);
    uint64_t by_phase = 0, by_lead = 0;
    int off = 0, bins = 0;
    for (int i = 0; i < RESIDUAL_PHASES; i++) {
        const Estimate e = residuals.phase_red[i].residual;
        by_phase += residuals.phase_red[i].rows;
        if (residuals.phase_red[i].rows < 200) continue;
        bins++;
        off += fabs(e.value) > 3 * e.error;
    }
    for (int i = 0; i < RESIDUAL_LEADS; i++) by_lead += residuals.lead[i].rows;
    CHECK_INT(by_phase, rows.count);
    CHECK_INT(by_lead, rows.count);
    CHECK(bins > 2);
    CHECK_INT(off, 0);
    const Estimate fair = residuals.kind[GROUP_CHARIOT].residual;
    CHECK_MSG(fabs(fair.value) < 4 * fair.error, "the residual of chariots is %.4f +- %.4f",
              fair.value, fair.error);
    flat[2 * WEIGHT_INDEX(material_chariot)] -= 500;
    flat[2 * WEIGHT_INDEX(material_chariot) + 1] -= 500;
    measure_residuals(&rows, &setup, flat, &residuals);
    const Estimate cheap = residuals.kind[GROUP_CHARIOT].residual;
    CHECK_MSG(cheap.value > 4 * cheap.error, "the residual of undervalued chariots is %.4f +- %.4f",
              cheap.value, cheap.error);
}

// Numbers that are rounded to 0 have no minus sign.
void test_loop_numbers(TestContext *t) {
    CHECK_TEXT(shown(-0.4, 0, false).text, "0");
    CHECK_TEXT(shown(-0.6, 0, false).text, "-1");
    CHECK_TEXT(shown(-0.04, 1, false).text, "0.0");
    CHECK_TEXT(shown(NAN, 0, false).text, "-");
}
