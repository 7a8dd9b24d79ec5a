// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: its options, one row each.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/rules/rules_options.h"
#include "core/uci/uci_internal.h"

typedef enum OptionKind {
    KIND_CHECK,  // a bool
    KIND_SPIN,   // an int in min..max
    KIND_COMBO,  // an int: the index of one of the words
    KIND_STRING, // not stored: apply() takes it
    KIND_BUTTON,
} OptionKind;

// Puts a change into effect. On a failure, which the error explains, the setting stays as it was.
typedef Status ApplyOption(Server *server, const char *value, Err *err);
static ApplyOption apply_hash, apply_threads, apply_rules, apply_weights, apply_params, apply_clear,
    apply_batch, apply_log;

typedef struct ServerOption {
    const char *name;      // in UCI; NULL: not offered there
    const char *ucci_name; // in UCCI, where names are one word; NULL: not offered there
    OptionKind kind;
    size_t offset; // in ServerSettings
    int min, max;
    const char *default_value; // NULL: a button
    const char *words;         // of a combo, separated by '|'
    ApplyOption *apply;        // NULL: it is enough to store the value
} ServerOption;

#define SETTING(member) offsetof(ServerSettings, member)

static const ServerOption server_options[] = {
    {"UCI_Variant", NULL, KIND_COMBO, SETTING(variant), 0, 0, "xiangqi", "xiangqi", NULL},
    {"Hash", "hashsize", KIND_SPIN, SETTING(hash_mb), 1, 65536, "16", NULL, apply_hash},
    {"Threads", "threads", KIND_SPIN, SETTING(threads), 1, SMP_THREADS_MAX, "1", NULL,
     apply_threads},
    {"MultiPV", "multipv", KIND_SPIN, SETTING(multi_pv), 1, MAX_MULTI_PV, "1", NULL, NULL},
    {"Ponder", "ponder", KIND_CHECK, SETTING(ponder), 0, 0, "false", NULL, NULL},
    {"UCI_ShowWDL", NULL, KIND_CHECK, SETTING(show_wdl), 0, 0, "false", NULL, NULL},
    {"UCI_LimitStrength", "limitstrength", KIND_CHECK, SETTING(limit_strength), 0, 0, "false", NULL,
     NULL},
    {"UCI_Elo", "elo", KIND_SPIN, SETTING(elo), STRENGTH_ELO_MIN, STRENGTH_ELO_MAX, "2000", NULL,
     NULL},
    {"Seed", "seed", KIND_SPIN, SETTING(seed), 0, 2147483647, "0", NULL, NULL},
    {"Debug Log File", "debuglogfile", KIND_STRING, 0, 0, 0, "<empty>", NULL, apply_log},
    {"Move Overhead", "moveoverhead", KIND_SPIN, SETTING(move_overhead_ms), 0, 5000, "20", NULL,
     NULL},
    {"Rules", "rules", KIND_COMBO, SETTING(rule_set), 0, 0, "axf", &rule_set_choices[1],
     apply_rules},
    {"Material", "material", KIND_COMBO, SETTING(material), 0, 0, "axf", &material_rule_choices[1],
     apply_rules},
    {"Max Checks", "maxchecks", KIND_SPIN, SETTING(max_checks), 3, 1000, "3", NULL, apply_rules},
    {"Ranks", "ranks", KIND_COMBO, SETTING(ranks), 0, 0, "0-9", "0-9|1-10", NULL},
    {"Weights", "weights", KIND_STRING, 0, 0, 0, "default", NULL, apply_weights},
    {"Clear Hash", "newgame", KIND_BUTTON, 0, 0, 0, NULL, NULL, apply_clear},
    {NULL, "usemillisec", KIND_CHECK, SETTING(milliseconds), 0, 0, "false", NULL, NULL},
    {NULL, "batch", KIND_CHECK, SETTING(batch), 0, 0, "false", NULL, apply_batch},
#define SEARCH_PARAM(name, value, min, max, step, meaning)                                         \
    {#name, #name, KIND_SPIN, SETTING(params.name), min, max, #value, NULL, apply_params},
#include "core/search/search_params.def"
#undef SEARCH_PARAM
};
enum { SERVER_OPTION_COUNT = sizeof server_options / sizeof *server_options };

// ---- the engine behind the options -----------------------------------------------------------

Rules server_rules(const Server *server) {
    const ServerSettings *settings = &server->settings;
    Rules rules = rules_default((RuleSet)settings->rule_set);
    rules.material = (MaterialRule)settings->material;
    rules.max_checks = settings->max_checks;
    return rules;
}

Smp *server_engine(Server *server) {
    if (server->smp) return server->smp;
    const ServerSettings *settings = &server->settings;
    const Rules rules = server_rules(server);
    server->smp = smp_new(&server->weights, settings->hash_mb, settings->threads);
    smp_set_params(server->smp, &settings->params);
    smp_set_rules(server->smp, &rules);
    smp_set_report(server->smp, server_report, server);
    smp_set_stop(server->smp, &server->inbox.stop);
    return server->smp;
}

// The table and the threads are made anew when they are next needed: several settings, one table.
static void drop_engine(Server *server) {
    smp_free(server->smp);
    server->smp = NULL;
}

// ---- applying --------------------------------------------------------------------------------

static Status apply_hash(Server *server, const char *value, Err *err) {
    const int cap = server->setup->hash_cap_mb;
    if (cap && server->settings.hash_mb > cap) {
        return err_set(err, STATUS_BAD_INPUT, "%s MB are not allowed, only %d", value, cap);
    }
    drop_engine(server);
    return memory_check(server->settings.hash_mb, err);
}

static Status apply_threads(Server *server, const char *value, Err *err) {
    const int cap = server->setup->threads_cap;
    if (cap && server->settings.threads > cap) {
        return err_set(err, STATUS_BAD_INPUT, "%s threads are not allowed, only %d", value, cap);
    }
    drop_engine(server);
    return STATUS_OK;
}

static Status apply_rules(Server *server, const char *value, Err *err) {
    (void)value;
    (void)err;
    const Rules rules = server_rules(server);
    if (server->smp) smp_set_rules(server->smp, &rules);
    return apply_clear(server, value, err); // scores of loops are stored in the table
}

static Status apply_params(Server *server, const char *value, Err *err) {
    (void)value;
    (void)err;
    if (server->smp) smp_set_params(server->smp, &server->settings.params);
    return STATUS_OK;
}

static Status apply_weights(Server *server, const char *value, Err *err) {
    Weights weights;
    const Status status = weights_load(value, &weights, err);
    if (status != STATUS_OK) return status;
    server->weights = weights;
    if (server->smp) smp_set_weights(server->smp, &weights);
    return STATUS_OK;
}

static Status apply_clear(Server *server, const char *value, Err *err) {
    (void)value;
    (void)err;
    if (server->smp) smp_clear(server->smp);
    return STATUS_OK;
}

static Status apply_batch(Server *server, const char *value, Err *err) {
    (void)value;
    (void)err;
    inbox_set(&server->inbox, &server->inbox.batch, server->settings.batch);
    return STATUS_OK;
}

static Status apply_log(Server *server, const char *value, Err *err) {
    return server_log_to(server, value, err);
}

// ---- values ----------------------------------------------------------------------------------

// Index of a word in "a|b|c", whatever its case; -1: not there.
static int find_choice(const char *words, const char *value) {
    const size_t length = strlen(value);
    for (int i = 0;; i++) {
        const char *end = strchr(words, '|');
        const size_t size = end ? (size_t)(end - words) : strlen(words);
        if (size == length && length > 0 && strncasecmp(words, value, length) == 0) return i;
        if (!end) return -1;
        words = end + 1;
    }
}

static Status parse_value(const ServerOption *option, const char *value, int *parsed, Err *err) {
    long long number = 0;
    Status status = STATUS_OK;
    switch (option->kind) {
    case KIND_CHECK:
        *parsed = find_choice("false|true|off|on", value); // older UCCI has the latter
        if (*parsed < 0)
            return err_set(err, STATUS_BAD_INPUT, "'%.60s' is not true or false", value);
        *parsed %= 2;
        break;
    case KIND_COMBO:
        *parsed = find_choice(option->words, value);
        if (*parsed < 0) {
            return err_set(err, STATUS_BAD_INPUT, "'%.60s' is not one of %s", value, option->words);
        }
        break;
    case KIND_SPIN:
        status = parse_int(value, option->min, option->max, &number, "value", err);
        *parsed = (int)number;
        break;
    case KIND_STRING:
    case KIND_BUTTON:
        *parsed = 0;
        break;
    }
    return status;
}

static void store_value(const ServerOption *option, ServerSettings *settings, int value) {
    char *member = (char *)settings + option->offset;
    if (option->kind == KIND_CHECK) {
        const bool flag = value != 0;
        memcpy(member, &flag, sizeof flag);
    } else if (option->kind == KIND_SPIN || option->kind == KIND_COMBO) {
        memcpy(member, &value, sizeof value);
    }
}

static Status set_option(Server *server, const ServerOption *option, const char *value, Err *err) {
    int parsed = 0;
    Status status = parse_value(option, value, &parsed, err);
    if (status != STATUS_OK) return status;
    const ServerSettings old = server->settings;
    store_value(option, &server->settings, parsed);
    status = option->apply ? option->apply(server, value, err) : STATUS_OK;
    if (status != STATUS_OK) server->settings = old;
    return status;
}

void server_options_init(Server *server) {
    weights_default(&server->weights);
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        int value = 0;
        const ServerOption *option = &server_options[i];
        if (!option->default_value) continue;
        parse_value(option, option->default_value, &value, NULL);
        store_value(option, &server->settings, value);
    }
    const int cap = server->setup->hash_cap_mb;
    if (cap && server->settings.hash_mb > cap) server->settings.hash_mb = cap;
}

// ---- the protocol ----------------------------------------------------------------------------

static const char *option_name(const Server *server, const ServerOption *option) {
    return server->dialect == DIALECT_UCCI ? option->ucci_name : option->name;
}

// UCCI: 0 leaves the size of the table and the number of threads to the engine, which has defaults.
static bool has_automatic(const Server *server, const ServerOption *option) {
    return server->dialect == DIALECT_UCCI &&
           (option->apply == apply_hash || option->apply == apply_threads);
}

void server_options_list(Server *server) {
    static const char *const kinds[] = {"check", "spin", "combo", "string", "button"};
    Text text = {0};
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const ServerOption *option = &server_options[i];
        const char *name = option_name(server, option);
        if (!name) continue;
        text_reset(&text);
        text_add(&text, "option %s%s type %s", server->dialect == DIALECT_UCCI ? "" : "name ", name,
                 kinds[option->kind]);
        if (option->default_value) text_add(&text, " default %s", option->default_value);
        if (option->kind == KIND_SPIN) {
            text_add(&text, " min %d max %d", has_automatic(server, option) ? 0 : option->min,
                     option->max);
        } else if (option->kind == KIND_COMBO) {
            for (const char *word = option->words; word; word = strchr(word, '|')) {
                word += *word == '|';
                text_add(&text, " var %.*s", (int)strcspn(word, "|"), word);
            }
        }
        server_say(server, "%s", text.data);
    }
    text_clear(&text);
}

// Joins the words from *cursor up to the word `until` (NULL: all, and no more than `most` words) by
// single blanks; the caller frees.
static char *join_words(const char **cursor, const char *until, int most) {
    Text text = {0};
    const char *word;
    size_t length;
    text_add(&text, "%s", "");
    while (most-- > 0 && !(until && take_word(cursor, until)) &&
           text_next_word(cursor, &word, &length)) {
        if (text.length) text_add_bytes(&text, " ", 1);
        text_add_bytes(&text, word, length);
    }
    return text.data;
}

void on_setoption(Server *server, const char *rest) {
    const bool ucci = server->dialect == DIALECT_UCCI;
    const bool named = take_word(&rest, "name"); // not in UCCI, but some write it there too
    char *name = join_words(&rest, "value", ucci && !named ? 1 : 100);
    char *value = join_words(&rest, NULL, 100);
    const ServerOption *found = NULL;
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const char *known = option_name(server, &server_options[i]);
        if (known && strcasecmp(known, name) == 0) found = &server_options[i];
    }
    const bool automatic = found && has_automatic(server, found) && strcmp(value, "0") == 0;
    Err err = {0};
    if (!found) {
        // UCCI interfaces set blindly what the standard lists.
        if (!ucci) server_tell(server, "no option '%.60s'", name);
    } else if (set_option(server, found, automatic ? found->default_value : value, &err) !=
               STATUS_OK) {
        server_tell(server, "%s stays as it was: %s", option_name(server, found), err.text);
    }
    free(name);
    free(value);
}

void on_newgame(Server *server, const char *rest) {
    (void)rest;
    server->games++;
    apply_clear(server, NULL, NULL);
}
