// SPDX-License-Identifier: GPL-3.0-or-later
// Adapts the list of SPSA parameters to the player that is tuned: takes start values from its
// options, and removes or refuses parameters without effect.
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/search/search_params.h"
#include "tuner/spsa/spsa.h"

// Returns the value of option.NAME of the player; NULL if the option is not set.
static const char *option_of(const PlayerSpec *spec, const char *name) {
    for (int i = 0; i < spec->option_count; i++) {
        if (strcmp(spec->options[i].name, name) == 0) return spec->options[i].value;
    }
    return NULL;
}

// Sets the start value of a parameter to the value of the player's option with the same name, if
// the player has this option.
static Status take_start(SpsaParam *param, const PlayerSpec *player, FILE *tell, Err *err) {
    const char *value = option_of(player, param->name);
    double start;
    if (!value) return STATUS_OK;
    if (parse_real(value, -1e9, 1e9, &start, param->name, err) != STATUS_OK) {
        return err_usage(err, "player");
    }
    if (start < param->min || start > param->max) {
        return err_set(err, STATUS_USAGE,
                       "--player: option.%s=%s is outside the range %g to %g of its --param",
                       param->name, value, param->min, param->max);
    }
    if (tell && param->start_given && start != param->start) {
        fprintf(tell, "%s starts at %g, the value in --player, instead of %g in --param\n",
                param->name, start, param->start);
    }
    param->start = start;
    return STATUS_OK;
}

// Checks that a parameter and its range are valid for Paotai's search. Sets the parameter of the
// player to its start value.
static Status check_own(const SpsaParam *param, PlayerSetup *player, Err *err) {
    const double values[] = {param->min, param->max, param->start};
    for (int k = 0; k < 3; k++) {
        char value[32];
        snprintf(value, sizeof value, "%lld", spsa_round(values[k]));
        if (search_params_set(&player->params, param->name, value, err) != STATUS_OK) {
            return err_usage(err, "param");
        }
    }
    return STATUS_OK;
}

static bool has_param(const SpsaSpec *spec, const char *name) {
    for (int i = 0; i < spec->count; i++) {
        if (strcmp(spec->params[i].name, name) == 0) return true;
    }
    return false;
}

// Removes parameters that have no effect in the player's searches, if the option `--param all`
// added them. Returns an error if another parameter has no effect.
static Status keep_acting(SpsaSpec *spec, const PlayerSetup *player, FILE *tell, Err *err) {
    AUTO(Text) without = {0};
    int kept = 0;
    for (int i = 0; i < spec->count; i++) {
        const SpsaParam *param = &spec->params[i];
        Err why = {0};
        if (search_param_check_acts(&player->params, param->name, player->spec.limits.nodes,
                                    &why) == STATUS_OK) {
            spec->params[kept++] = *param;
        } else if (param->by_all) {
            text_add(&without, " %s", param->name);
        } else {
            return err_set(err, STATUS_USAGE, "--param: %s", why.text);
        }
    }
    spec->count = kept;
    if (without.length && tell) {
        fprintf(
            tell,
            "these parameters are not tuned, because they have no effect under these limits:%s\n",
            without.data);
    }
    return STATUS_OK;
}

Status spsa_take_player(SpsaSpec *spec, PlayerSetup *player, FILE *tell, Err *err) {
    for (int i = 0; i < spec->count; i++) {
        TRY(take_start(&spec->params[i], &player->spec, tell, err));
        if (!player->spec.program) TRY(check_own(&spec->params[i], player, err));
    }
    // A search uses the parameters few_NAME if its node limit is at most few_nodes, and otherwise
    // the parameters NAME. While few_nodes is tuned, both may have an effect, so all are kept.
    const bool moving = has_param(spec, "few_nodes") && player->spec.limits.nodes > 0;
    return player->spec.program || moving ? STATUS_OK : keep_acting(spec, player, tell, err);
}

// Returns the length of the first key=value in the text of a player. A backslash escapes the next
// character.
static size_t pair_length(const char *text) {
    size_t length = 0;
    while (text[length] && text[length] != ',')
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return length;
}

void spsa_add_player(const SpsaSpec *spec, const char *player, const double *values, Text *text) {
    static const char option[] = "option.";
    for (const char *at = player; *at;) {
        const size_t length = pair_length(at);
        bool tuned = false;
        for (int i = 0; i < spec->count; i++) {
            const char *name = spec->params[i].name;
            const size_t head = sizeof option - 1, size = strlen(name);
            tuned = tuned || (length > head + size && strncmp(at, option, head) == 0 &&
                              strncmp(at + head, name, size) == 0 && at[head + size] == '=');
        }
        if (!tuned && length) text_add(text, "%s%.*s", text->length ? "," : "", (int)length, at);
        at += length + (at[length] == ',');
    }
    for (int i = 0; i < spec->count; i++) {
        text_add(text, "%soption.%s=%lld", text->length ? "," : "", spec->params[i].name,
                 spsa_round(values[i]));
    }
}

bool spsa_is_start(const SpsaSpec *spec, const double *values) {
    for (int i = 0; i < spec->count; i++) {
        if (spsa_round(values[i]) != spsa_round(spec->params[i].start)) return false;
    }
    return true;
}
