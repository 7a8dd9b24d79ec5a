// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/spsa/spsa.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/search/search_params.h"
#include "core/system/in_file.h"

// An iteration plays spec->pairs pairs of games. all_pairs() returns how many pairs all iterations
// play together. first_pair() returns the index of the first pair of iteration k, counted from 1
// over the whole run.
static double all_pairs(const SpsaSpec *spec) {
    return (double)spec->iterations * spec->pairs;
}

static double first_pair(const SpsaSpec *spec, int k) {
    return (k - 1.0) * spec->pairs + 1;
}

double spsa_c(const SpsaSpec *spec, int param, int k) {
    return spec->params[param].c_end * pow(all_pairs(spec) / first_pair(spec, k), spec->gamma);
}

double spsa_gain(const SpsaSpec *spec, int param, int k) {
    const SpsaParam *p = &spec->params[param];
    const double n = all_pairs(spec), below = spec->a_ratio * n;
    const double a = p->r_end * p->c_end * p->c_end *
                     pow((below + n) / (below + first_pair(spec, k)), spec->alpha);
    return a / spsa_c(spec, param, k);
}

// Draws the sign of each parameter in an iteration. The signs are the first random numbers of the
// iteration, so spsa_update() draws the same signs as spsa_perturb().
static void draw_signs(const SpsaSpec *spec, int k, Random *random, int *sign) {
    random_init(random, random_mix(spec->seed), (uint64_t)k);
    for (int i = 0; i < spec->count; i++) sign[i] = random_next(random) >> 63 ? 1 : -1;
}

static double keep_within(double value, double min, double max) {
    return value < min ? min : value > max ? max : value;
}

void spsa_perturb(const SpsaSpec *spec, const double *theta, int k, long long *plus,
                  long long *minus) {
    int sign[SPSA_PARAMS_MAX];
    Random random;
    draw_signs(spec, k, &random, sign);
    for (int i = 0; i < spec->count; i++) {
        const SpsaParam *p = &spec->params[i];
        const double move = spsa_c(spec, i, k) * sign[i];
        const double up = floor(theta[i] + move + random_real(&random));
        const double down = floor(theta[i] - move + random_real(&random));
        plus[i] = (long long)keep_within(up, p->min, p->max);
        minus[i] = (long long)keep_within(down, p->min, p->max);
    }
}

void spsa_update(const SpsaSpec *spec, double *theta, int k, double result) {
    int sign[SPSA_PARAMS_MAX];
    Random random;
    draw_signs(spec, k, &random, sign);
    for (int i = 0; i < spec->count; i++) {
        const SpsaParam *p = &spec->params[i];
        theta[i] = keep_within(theta[i] + spsa_gain(spec, i, k) * result * sign[i], p->min, p->max);
    }
}

long long spsa_round(double value) {
    return llround(value);
}

// Returns the probability that floor(x + u) is `value`, where u is random in 0..1.
static double floor_share(double x, double value) {
    const double away = fabs(x - value);
    return away < 1 ? 1 - away : 0;
}

void spsa_shares(double c, double *equal, double *reversed) {
    enum { STEPS = 1000 };
    *equal = *reversed = 0;
    for (int step = 0; step < STEPS; step++) {
        const double theta = (step + 0.5) / STEPS, up = theta + c, down = theta - c;
        for (double high = floor(up); high <= floor(up) + 1; high++) {
            for (double low = floor(down); low <= floor(down) + 1; low++) {
                const double share = floor_share(up, high) * floor_share(down, low) / STEPS;
                if (high == low) *equal += share;
                if (high < low) *reversed += share;
            }
        }
    }
}

// ---- parameters from text -----------------------------------------------------------------------

static Status add_row(SpsaSpec *spec, const SpsaParam *param, Err *err) {
    for (int i = 0; i < spec->count; i++) {
        if (strcmp(spec->params[i].name, param->name) != 0) continue;
        return err_set(err, STATUS_USAGE, "--param: %s is given twice", param->name);
    }
    if (spec->count == SPSA_PARAMS_MAX) {
        return err_set(err, STATUS_USAGE,
                       "--param: there are more than %d parameters; tune fewer of them",
                       SPSA_PARAMS_MAX);
    }
    spec->params[spec->count++] = *param;
    return STATUS_OK;
}

static Status add_own(SpsaSpec *spec, const char *name, double r_end, Err *err) {
    const bool all = strcmp(name, "all") == 0;
    bool found = false;
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParamRow *row = &search_param_rows[i];
        if (!all && strcmp(row->name, name) != 0) continue;
        SpsaParam param = {.start = row->value,
                           .min = row->min,
                           .max = row->max,
                           .c_end = row->step,
                           .r_end = r_end,
                           .by_all = all};
        strncpy(param.name, row->name, SPSA_NAME_SIZE - 1);
        TRY(add_row(spec, &param, err));
        found = true;
    }
    if (found) return STATUS_OK;
    if (search_param_new_name(name)) {
        return err_set(err, STATUS_USAGE,
                       "--param: the parameter '%s' is now called %s; use this name", name,
                       search_param_new_name(name));
    }
    return err_set(
        err, STATUS_USAGE,
        "--param: '%.60s' is no search parameter of Paotai ('--param all --iterations 0' lists "
        "them); for another engine give name,start,min,max,c, where c is the perturbation at the "
        "end of the run",
        name);
}

static Status check_param(const SpsaParam *param, Err *err) {
    if (param->min != floor(param->min) || param->max != floor(param->max)) {
        return err_set(
            err, STATUS_USAGE,
            "--param %s: min %g and max %g must be integers, because games use integer values",
            param->name, param->min, param->max);
    }
    if (!(param->min < param->max)) {
        return err_set(err, STATUS_USAGE, "--param %s: min %g is not below max %g", param->name,
                       param->min, param->max);
    }
    if (!(param->start >= param->min && param->start <= param->max)) {
        return err_set(err, STATUS_USAGE, "--param %s: start %g is outside %g to %g", param->name,
                       param->start, param->min, param->max);
    }
    return STATUS_OK;
}

Status spsa_add_param(SpsaSpec *spec, const char *text, double r_end, Err *err) {
    if (!strchr(text, ',')) return add_own(spec, text, r_end, err);
    SpsaParam param = {.r_end = r_end, .start_given = true};
    static const char *const whats[] = {"--param, start", "--param, min", "--param, max",
                                        "--param, c", "--param, r"};
    double *const numbers[] = {&param.start, &param.min, &param.max, &param.c_end, &param.r_end};
    enum { MOST = sizeof numbers / sizeof *numbers };
    AUTO_FREE char *copy = memory_copy_text(text);
    char *cursor = copy, *field;
    const char *name = text_trim(text_next_field(&cursor, ','));
    int count = 0;
    if (*name == '\0' || strlen(name) >= SPSA_NAME_SIZE) {
        return err_set(err, STATUS_USAGE, "--param: the name '%.80s' must have 1 to %d characters",
                       name, SPSA_NAME_SIZE - 1);
    }
    strcpy(param.name, name);
    for (bool first = true; (field = text_next_field(&cursor, ',')); first = false) {
        field = text_trim(field);
        // In OpenBench's format of a parameter, the type "int" follows the name.
        if (first && strcmp(field, "int") == 0) continue;
        if (first && strcmp(field, "float") == 0) {
            return err_set(err, STATUS_USAGE,
                           "--param %s: type float is not supported, because games use integer "
                           "values; use int",
                           name);
        }
        if (count++ >= MOST) continue;
        const double least = count < 4 ? -1e9 : 1e-6;
        if (parse_real(field, least, 1e9, numbers[count - 1], whats[count - 1], err) != STATUS_OK) {
            return err_usage(err, NULL);
        }
    }
    if (count < MOST - 1 || count > MOST) {
        return err_set(
            err, STATUS_USAGE,
            "--param: '%.60s' must have the form name,start,min,max,c or name,start,min,max,c,r",
            text);
    }
    TRY(check_param(&param, err));
    return add_row(spec, &param, err);
}

// Refuses a last line without a line end: a file that was cut off may end inside a number.
static Status refuse_cut_off(Err *err) {
    return err_set(err, STATUS_BAD_INPUT,
                   "the line has no line end, so the file may have been cut off: copy the file "
                   "again, or add the line end if it is complete");
}

Status spsa_read_params(SpsaSpec *spec, const char *path, double r_end, Err *err) {
    LineReader reader;
    Status status = STATUS_OK;
    TRY(line_reader_open(&reader, path, err));
    while (status == STATUS_OK && line_reader_next_record(&reader)) {
        status = reader.unended ? refuse_cut_off(err)
                                : spsa_add_param(spec, text_trim(reader.line), r_end, err);
        if (status != STATUS_OK) err_prefix(err, "%s:%zu", path, reader.number);
    }
    const Status closed = line_reader_close(&reader, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? closed : status;
}

// Appends a number with at most six decimals.
static void add_value(Text *text, double value) {
    text_add(text, "%.6f", value);
    while (text->data[text->length - 1] == '0') text->data[--text->length] = '\0';
    if (text->data[text->length - 1] == '.') text->data[--text->length] = '\0';
}

void spsa_add_lines(const SpsaSpec *spec, SpsaForm form, const double *values, Text *text) {
    for (int i = 0; i < spec->count; i++) {
        const SpsaParam *param = &spec->params[i];
        text_add(text, form == SPSA_OPENBENCH ? "%s, int, " : "%s,", param->name);
        add_value(text, values ? values[i] : param->start);
        text_add(text, form == SPSA_OPENBENCH ? ", %.0f, %.0f, %g, %g\n" : ",%.0f,%.0f,%g,%g\n",
                 param->min, param->max, param->c_end, param->r_end);
    }
}
