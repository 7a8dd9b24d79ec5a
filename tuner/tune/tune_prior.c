// SPDX-License-Identifier: GPL-3.0-or-later
// paotai tune: checks which options of the prior have an effect, and chooses the strength of the
// prior by cross-validation (--cv).
#include <math.h>

#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/eval/weights.h"
#include "tuner/fit/cv.h"
#include "tuner/fit/prior_size.h"
#include "tuner/fit/prior_terms.h"
#include "tuner/tune/tune.h"

// ---- which options act --------------------------------------------------------------------------

// How many weights each option of the prior affects. Only weights that are fitted and occur in the
// games are counted.
typedef struct PriorReach {
    // Number of fitted weights that occur in the games, and number of those that have a standard
    // error in --weights.
    int all, with_errors;
    // Numbers of weights; index 1: material terms, 0: other terms. The prior of the weights in
    // by_sd is set by --material-sd or --prior-sd. The prior of those in by_error comes from their
    // standard error in --weights.
    int by_sd[2], by_error[2];
    int smooth; // number of weights in terms with several entries
} PriorReach;

static PriorReach prior_reach(const TuneFit *tune) {
    const Fit *fit = &tune->fit;
    PriorReach reach = {0};
    for (int i = 0; i < fit->n; i++) {
        const WeightTerm *term = weight_term_of(i / 2);
        if (fit->frozen[i] || !(row_occurrences(&tune->rows, i) > 0)) continue;
        reach.all++;
        reach.with_errors += tune->start_se[i] > 0;
        reach.smooth += term->count > 1;
        const bool by_error = prior_from_errors(&fit->setup.prior, i);
        (by_error ? reach.by_error : reach.by_sd)[term->part == TERM_MATERIAL]++;
    }
    return reach;
}

// Returns true if the standard errors of the start weights set the prior of most weights.
static bool from_errors(const TuneFit *tune, const PriorReach *reach) {
    return tune->settings.setup.prior.se_times > 0 && 2 * reach->with_errors > reach->all;
}

// Checks --prior-sd or --material-sd. Each sets the prior of weights of one kind, except those
// whose prior comes from a standard error in --weights. Returns an error if the option is given but
// affects no weight.
static Status check_sd(const TuneFit *tune, const char *name, const char *kind,
                       const PriorReach *reach, bool material, Err *err) {
    const TuneSettings *settings = &tune->settings;
    const int count = reach->by_sd[material];
    const bool errors = reach->by_error[material] > 0;
    if (!command_given(tune->call, name)) return STATUS_OK;
    if (count == 0) {
        return err_set(err, STATUS_USAGE,
                       errors ? "--%s has no effect: all fitted weights of %s that occur in the "
                                "games have a standard error in --weights %s, and their priors use "
                                "it; --prior-errors 0 ignores these errors"
                              : "--%s has no effect: no fitted weight of %s occurs in the games",
                       name, kind, settings->weights);
    }
    if (errors && !settings->quiet) {
        fprintf(tune->call->err,
                "--%s affects only %d weights of %s: the priors of the others use their standard "
                "errors in --weights %s; --prior-errors 0 ignores these errors\n",
                name, count, kind, settings->weights);
    }
    return STATUS_OK;
}

// Checks --cv. Returns an error if it has no effect, or if an option whose value it would choose is
// also given.
static Status check_cv(const TuneFit *tune, const PriorReach *reach, Err *err) {
    const TuneSettings *settings = &tune->settings;
    const bool errors = !tune->terms && from_errors(tune, reach);
    if (settings->cv < 2) return STATUS_OK;
    TRY(command_refuse(tune->call,
                       errors        ? "smooth-sd prior-errors"
                       : tune->terms ? "smooth-sd prior-sd prior-times"
                                     : "smooth-sd prior-sd",
                       "--cv chooses the value of this option; give only one of the two", err));
    if (tune->terms || errors || reach->by_sd[0] > 0 || reach->smooth > 0) return STATUS_OK;
    return err_set(
        err, STATUS_USAGE,
        "--cv has no effect: it chooses values of --prior-sd and --smooth-sd, but no fitted weight "
        "has a prior that depends on these options");
}

void tune_say_prior(const TuneFit *tune) {
    const PriorSetup *prior = &tune->settings.setup.prior;
    FILE *err = tune->call->err;
    if (!prior->terms) {
        fprintf(err,
                "the prior has a standard deviation of %.4g units around %s for each weight%s; "
                "change it with --prior-sd\n",
                prior->sd, tune->terms->start ? "the start weights" : "0",
                tune->open_prior && tune->settings.cv < 2 ? ", which the games suggest" : "");
        return;
    }
    const TermScales scales = term_scales(prior->terms, prior->times);
    fprintf(
        err,
        "the prior's scales come from %s; standard deviations: tables value %.3g, rank %.3g, "
        "file %.3g, square %.3g; other terms %.3g of their start value, at least %.3g; "
        "neighbours on a curve %.3g of this\n",
        tune->settings.cv > 1
            ? "the start values and --cv"
            : "the start values (--cv and --prior-times change them; --prior-sd sets one for all)",
        scales.value, scales.rank, scales.file, scales.square, scales.share, scales.least,
        scales.step);
}

void tune_print_prior(const TuneFit *tune) {
    const PriorSetup *prior = &tune->settings.setup.prior;
    FILE *out = tune->call->out;
    const bool json = tune->settings.json;
    if (!prior->terms) {
        record_print(out, json, "prior_sd %.3f", prior->sd);
        return;
    }
    const TermScales scales = term_scales(prior->terms, prior->times);
    record_print(out, json,
                 "prior_from %s prior_times %g prior_value_sd %.4g prior_rank_sd %.4g "
                 "prior_file_sd %.4g prior_square_sd %.4g prior_term_share %.4g "
                 "prior_term_least %.4g",
                 tune->settings.cv > 1 ? "cv" : "start", prior->times, scales.value, scales.rank,
                 scales.file, scales.square, scales.share, scales.least);
}

Status tune_check_prior(const TuneFit *tune, Err *err) {
    const TuneSettings *settings = &tune->settings;
    if (!settings->setup.prior.terms) {
        TRY(command_refuse(tune->call, "prior-times",
                           "it changes scales that come from the start values of another program's "
                           "terms; here --prior-sd sets the scale",
                           err));
    }
    if (tune->terms) return check_cv(tune, NULL, err);
    const PriorReach reach = prior_reach(tune);
    TRY(check_sd(tune, "prior-sd", "terms other than material", &reach, false, err));
    TRY(check_sd(tune, "material-sd", "material terms", &reach, true, err));
    if (settings->setup.prior.se_times > 0 && reach.with_errors == 0) {
        TRY(command_refuse(
            tune->call, "prior-errors",
            "no fitted weight has a standard error in --weights; 'default' and files that "
            "'paotai tune' wrote have standard errors",
            err));
    }
    if (settings->setup.prior.smooth_sd > 0 && reach.smooth == 0) {
        TRY(command_refuse(tune->call, "smooth-sd",
                           "no fitted term has several entries, such as one for each square, so "
                           "there are no neighbours to smooth",
                           err));
    }
    return check_cv(tune, &reach, err);
}

// ---- cross-validation ---------------------------------------------------------------------------

// Values that --cv tries: `widths` for --prior-sd, `times` for --prior-errors, and `smooths` for
// --smooth-sd. For each value in `smooths`, all values in `widths` or `times` are tried in the
// order of the array. Each fit to a fold starts from the solution for the previous setting, because
// the new solution is usually near it.
static const double widths[] = {20, 40, 80, 160}, times[] = {1, 2, 4, 8};
static const double smooths[] = {0, 40, 20, 10};
// Values of --prior-sd that --cv tries for terms of another program without start weights. The
// fitted weights lie around 0, and may be as large as piece values.
static const double wide[] = {20, 80, 320, 1280, PRIOR_SIZE_MAX};
// Factors of the prior's scales that --cv tries if these come from start values and names of
// another program's terms.
static const double factors[] = {0.125, 0.25, 0.5, 1, 2, 4};
enum {
    WIDTHS = sizeof widths / sizeof *widths,
    SMOOTHS = sizeof smooths / sizeof *smooths,
    WIDE = sizeof wide / sizeof *wide,
    FACTORS = sizeof factors / sizeof *factors,
    TRIED = WIDTHS * SMOOTHS
};

// The settings of the prior that cross-validation tries. If the fit smooths neighbouring entries of
// a term, every value of `widths` is combined with every value of smooths[].
typedef struct CvPlan {
    bool errors; // true: `widths` are values of --prior-errors; false: of --prior-sd
    const double *widths;
    int places; // number of values in `widths`; 1 if `widths` is not used, because neither
                // --prior-sd nor --prior-errors has an effect
    int count;  // number of settings in `tried`
    CvSetting tried[TRIED];
} CvPlan;

static void plan_cv(const TuneFit *tune, CvPlan *plan) {
    const PriorSetup *prior = &tune->settings.setup.prior;
    const PriorReach reach = tune->terms ? (PriorReach){.by_sd = {1}} : prior_reach(tune);
    const bool unknown = tune->open_prior;
    plan->errors = !tune->terms && from_errors(tune, &reach);
    plan->widths = plan->errors ? times : prior->terms ? factors : unknown ? wide : widths;
    plan->places = prior->terms                         ? FACTORS
                   : unknown                            ? WIDE
                   : plan->errors || reach.by_sd[0] > 0 ? WIDTHS
                                                        : 1;
    plan->count = plan->places * (reach.smooth > 0 ? SMOOTHS : 1);
    for (int i = 0; i < plan->count; i++) {
        const double width = plan->widths[i % plan->places];
        PriorSetup *one = &plan->tried[i].prior;
        *one = *prior;
        if (plan->errors) one->se_times = width;
        if (prior->terms) {
            one->times = width;
        } else if (!plan->errors && reach.by_sd[0] > 0) {
            one->sd = width;
        }
        if (reach.smooth > 0) one->smooth_sd = smooths[i / plan->places];
    }
}

static void print_cv(const TuneFit *tune, const CvPlan *plan, int best) {
    const bool json = tune->settings.json;
    const bool prior_terms = tune->settings.setup.prior.terms != NULL;
    FILE *out = tune->call->out;
    if (!json) {
        fprintf(out, "%12s %9s %13s %11s %11s   (%d folds)\n",
                plan->errors  ? "prior-errors"
                : prior_terms ? "prior-times"
                              : "prior-sd",
                "smooth-sd", "held-out loss", "difference", "95 %", tune->settings.cv);
    }
    for (int i = 0; i < plan->count; i++) {
        const CvSetting *tried = &plan->tried[i];
        record_row(out, json,
                   plan->errors  ? "{prior_errors}%12g {smooth_sd}%9g {held_out_loss}%13.7f "
                                   "{difference}%11.7f {difference_error95}%11.7f%s\n"
                   : prior_terms ? "{prior_times}%12g {smooth_sd}%9g {held_out_loss}%13.7f "
                                   "{difference}%11.7f {difference_error95}%11.7f%s\n"
                                 : "{prior_sd}%12g {smooth_sd}%9g {held_out_loss}%13.7f "
                                   "{difference}%11.7f {difference_error95}%11.7f%s\n",
                   plan->errors  ? tried->prior.se_times
                   : prior_terms ? tried->prior.times
                                 : tried->prior.sd,
                   tried->prior.smooth_sd, tried->loss, tried->difference.value,
                   Z95 * tried->difference.error, i == best ? "  <- best" : "");
    }
    const int width = best % plan->places, smooth = best / plan->places;
    const bool end = plan->places > 1 && (width == 0 || width == plan->places - 1);
    if (end || (plan->count > plan->places && smooth == SMOOTHS - 1)) {
        record_print(
            out, json, "cv_note %s",
            "the best value is at an end of the values that were tried; try values beyond it "
            "without --cv");
    }
}

Status tune_cross_validate(TuneFit *tune, Err *err) {
    const TuneSettings *settings = &tune->settings;
    PriorSetup *prior = &tune->settings.setup.prior;
    AUTO_FREE CvPlan *plan = memory_alloc(1, sizeof *plan);
    Progress progress;
    int best = 0;
    plan_cv(tune, plan);
    const uint64_t fits = (uint64_t)settings->cv * (uint64_t)plan->count;
    progress_init(&progress, tune->call->err, settings->quiet, "fits", fits);
    const Status status =
        cv_run(&tune->fit, settings->cv, plan->tried, plan->count, &progress, &best, err);
    progress_finish(&progress, fits, "cross-validation");
    if (status != STATUS_OK) return status;
    print_cv(tune, plan, best);
    *prior = plan->tried[best].prior;
    if (tune->terms) prior->material_sd = prior->sd;
    fit_set_prior(&tune->fit, prior);
    return STATUS_OK;
}
