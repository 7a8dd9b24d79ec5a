// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: the table of the options, and functions that apply their values.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/memory.h"
#include "core/command/common_rows.h"
#include "core/command/options.h"
#include "core/rules/rules_options.h"
#include "core/uci/uci_internal.h"

// A function that makes a new value of an option take effect. If it fails, the caller restores the
// old settings.
typedef Status ApplyOption(Server *server, Err *err);
static ApplyOption apply_hash, apply_threads, apply_rules, apply_weights, apply_params, apply_clear,
    apply_batch, apply_log;

// An option of the protocol. An option of type OPTION_FLAG without a default value is a button.
typedef struct ServerOption {
    OptionRow row;      // type, range and help of the option. The name of the row is the name in
                        // UCI; NULL if UCI does not have the option
    const char *ucci;   // name in UCCI, a single word; NULL if UCCI does not have the option
    ApplyOption *apply; // applies a new value; NULL: storing the value is enough
} ServerOption;

#define SPIN(name, member, min, max, value, unit, help)                                            \
    OPT_INT(name, ServerSettings, member, min, max, value, unit, help)
#define CHECK(name, member, help)                                                                  \
    OPT_ROW(name, OPTION_FLAG, ServerSettings, member, 0, 0, "false", NULL, help)
#define COMBO(name, member, value, words, help)                                                    \
    OPT_CHOICE(name, ServerSettings, member, value, words, help)
#define STRING(name, value, unit, help) OPT_TEXT(name, ServerSettings, text, value, unit, help)

static const ServerOption server_options[] = {
    {COMBO("UCI_Variant", variant, "xiangqi", "xiangqi",
           "name of the game; only xiangqi is possible"),
     NULL, NULL},
    {SPIN("Hash", hash_mb, 1, 65536, "16", "MB", "size of the transposition table in megabytes"),
     "hashsize", apply_hash},
    {SPIN("Threads", threads, 1, SMP_THREADS_MAX, "1", "N", "number of search threads"), "threads",
     apply_threads},
    {SPIN("MultiPV", multi_pv, 1, MAX_MULTI_PV, "1", "N",
          "number of principal variations to search and show"),
     "multipv", NULL},
    {CHECK("Ponder", ponder, "accepted without an effect: the GUI decides when the engine ponders"),
     "ponder", NULL},
    {CHECK("UCI_ShowWDL", show_wdl,
           "send the chances of win, draw and loss in permille with each score"),
     NULL, NULL},
    {CHECK("UCI_LimitStrength", limit_strength, "play with the strength of UCI_Elo"),
     "limitstrength", NULL},
    {SPIN("UCI_Elo", elo, STRENGTH_ELO_MIN, STRENGTH_ELO_MAX, "2000", "ELO",
          "playing strength in Elo if UCI_LimitStrength is set"),
     "elo", NULL},
    {SPIN("Seed", seed, 0, 2147483647, "0", "N",
          "seed of the random moves under UCI_LimitStrength; 0: a new seed at each start"),
     "seed", NULL},
    {STRING("Debug Log File", "<empty>", "FILE",
            "file that receives a log of all lines read and written"),
     "debuglogfile", apply_log},
    {SPIN(
         "Move Overhead", move_overhead_ms, 0, 5000, "20", "ms",
         "milliseconds that each move leaves unused on a game clock, for delays; without effect on "
         "go movetime"),
     "moveoverhead", NULL},
    {COMBO("Rules", rule_set, "axf", &rule_set_choices[1], "rule set for repetition"), "rules",
     apply_rules},
    {COMBO("Material", material, "axf", &material_rule_choices[1],
           "rule for draws by insufficient material"),
     "material", apply_rules},
    {SPIN("Max Checks", max_checks, 3, 1000, "3", "N",
          "for the rule set literal: perpetual check loses at the Nth occurrence of a position"),
     "maxchecks", apply_rules},
    {COMBO("Ranks", first_rank, "0-9", "0-9|1-10",
           "numbers of the ranks in moves: 0-9, or 1-10 as in Fairy-Stockfish"),
     "ranks", NULL},
    {STRING("Weights", "best", "NAME|FILE", WEIGHTS_HELP), "weights", apply_weights},
    {STRING("EvalFile", "best", "NAME|FILE", "another name of the option Weights"), NULL,
     apply_weights},
    {OPT_FLAG("Clear Hash", ServerSettings, clear,
              "clear the transposition table and the histories of earlier searches"),
     "newgame", apply_clear},
    {CHECK(NULL, milliseconds, "times in go commands are in milliseconds, not in seconds"),
     "usemillisec", NULL},
    {CHECK(NULL, batch, "the command stop does not end a search that has a limit"), "batch",
     apply_batch},
#define SEARCH_PARAM(name, value, min, max, step, meaning)                                         \
    {SPIN(#name, params.name, min, max, #value, "N", meaning), #name, apply_params},
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
    smp_set_network(server->smp, server->network);
    smp_set_params(server->smp, &settings->params);
    smp_set_rules(server->smp, &rules);
    smp_set_report(server->smp, server_report, server);
    smp_set_stop(server->smp, &server->inbox.stop);
    return server->smp;
}

// Frees the transposition table and the search threads. server_engine() creates them again when
// they are needed, so that several changed options cost only one allocation.
static void drop_engine(Server *server) {
    smp_free(server->smp);
    server->smp = NULL;
}

// ---- applying --------------------------------------------------------------------------------

// Refuses a value above `cap`; 0: no limit.
static Status check_cap(int wanted, int cap, const char *unit, Err *err) {
    if (!cap || wanted <= cap) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "%d %s are not allowed: at most %d", wanted, unit, cap);
}

static Status apply_hash(Server *server, Err *err) {
    TRY(check_cap(server->settings.hash_mb, server->setup->hash_cap_mb, "MB", err));
    drop_engine(server);
    return memory_check(server->settings.hash_mb, err);
}

static Status apply_threads(Server *server, Err *err) {
    TRY(check_cap(server->settings.threads, server->setup->threads_cap, "threads", err));
    drop_engine(server);
    return STATUS_OK;
}

static Status apply_rules(Server *server, Err *err) {
    const Rules rules = server_rules(server);
    if (server->smp) smp_set_rules(server->smp, &rules);
    // Clear the transposition table: its scores were computed with the old rules.
    return apply_clear(server, err);
}

static Status apply_params(Server *server, Err *err) {
    (void)err;
    if (server->smp) smp_set_params(server->smp, &server->settings.params);
    return STATUS_OK;
}

static Status apply_weights(Server *server, Err *err) {
    Weights weights;
    Network *network;
    char hash[SHA256_HEX_SIZE];
    KeptNotes notes = {.notes.say = keep_note};
    if (err) err->notes = &notes.notes;
    const Status status = evaluation_load(server->settings.text, &weights, &network, hash, err);
    if (err) err->notes = NULL;
    if (status != STATUS_OK) {
        text_clear(&notes.lines);
        return status;
    }
    AUTO(Text) before = MOVE(server->evaluation);
    network_describe(server->settings.text, network, hash, &server->evaluation);
    server->evaluation_told =
        server->evaluation_told && strcmp(before.data, server->evaluation.data) == 0;
    text_clear(&server->notes);
    server->notes = MOVE(notes.lines);
    server->weights = weights;
    if (server->smp) {
        smp_set_weights(server->smp, &weights);
        smp_set_network(server->smp, network);
    }
    network_free(server->network);
    server->network = network;
    return STATUS_OK;
}

static Status apply_clear(Server *server, Err *err) {
    (void)err;
    if (server->smp) smp_clear(server->smp);
    return STATUS_OK;
}

static Status apply_batch(Server *server, Err *err) {
    (void)err;
    inbox_set_batch(&server->inbox, server->settings.batch);
    return STATUS_OK;
}

static Status apply_log(Server *server, Err *err) {
    return server_log_to(server, server->settings.text, err);
}

static Status set_option(Server *server, const ServerOption *option, const char *value, Err *err) {
    const ServerSettings old = server->settings;
    Status status = STATUS_OK;
    if (option->row.default_value) {
        status = option_read(&option->row, "value", value, &server->settings, err);
    }
    if (status == STATUS_OK && option->apply) status = option->apply(server, err);
    if (status != STATUS_OK) server->settings = old;
    server->settings.text = NULL;
    return status;
}

void server_tell_evaluation(Server *server) {
    if (server->evaluation_told) return;
    server->evaluation_told = true;
    server_tell(server, "%s", server->evaluation.data);
    char *cursor = server->notes.data, *line;
    while (server->notes.length && (line = text_next_field(&cursor, '\n')) != NULL) {
        if (*line) server_tell(server, "%s", line);
    }
    text_reset(&server->notes);
}

Status server_options_init(Server *server, Err *err) {
    server->settings.text = "best";
    TRY(apply_weights(server, err));
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const OptionRow *row = &server_options[i].row;
        if (row->default_value) option_read(row, "", row->default_value, &server->settings, NULL);
    }
    const int cap = server->setup->hash_cap_mb;
    if (cap && server->settings.hash_mb > cap) server->settings.hash_mb = cap;
    return STATUS_OK;
}

// ---- the protocol ----------------------------------------------------------------------------

static const char *option_name(const Server *server, const ServerOption *option) {
    return server->dialect == DIALECT_UCCI ? option->ucci : option->row.name;
}

// Returns true if the value 0 stands for the default of the option. In UCCI this holds for the
// table size and the number of threads.
static bool has_automatic(const Server *server, const ServerOption *option) {
    return server->dialect == DIALECT_UCCI &&
           (option->apply == apply_hash || option->apply == apply_threads);
}

void server_options_list(Server *server) {
    static const char *const kinds[] = {[OPTION_FLAG] = "check",
                                        [OPTION_INT] = "spin",
                                        [OPTION_CHOICE] = "combo",
                                        [OPTION_TEXT] = "string"};
    const bool ucci = server->dialect == DIALECT_UCCI;
    AUTO(Text) text = {0};
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const ServerOption *option = &server_options[i];
        const OptionRow *row = &option->row;
        const char *name = option_name(server, option);
        if (!name) continue;
        text_reset(&text);
        text_add(&text, "option %s%s type ", ucci ? "" : "name ", name);
        if (row->default_value) {
            text_add(&text, "%s default %s", kinds[row->type], row->default_value);
        } else {
            text_add(&text, "button");
        }
        if (row->type == OPTION_INT) {
            text_add(&text, " min %.0f max %.0f", has_automatic(server, option) ? 0 : row->min,
                     row->max);
        }
        const char *words = row->type == OPTION_CHOICE ? row->unit : NULL, *word;
        size_t length;
        while (option_next_choice(&words, &word, &length)) {
            text_add(&text, " var %.*s", (int)length, word);
        }
        server_say(server, "%s", text.data);
    }
}

void server_options_explain(Server *server) {
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const char *name = option_name(server, &server_options[i]);
        if (name) server_tell(server, "%-24s %s", name, server_options[i].row.help);
    }
}

static void tell_no_option(Server *server, const char *name) {
    Nearest nearest = {.word = name, .length = strlen(name)};
    for (int i = 0; i < SERVER_OPTION_COUNT; i++) {
        const char *known = option_name(server, &server_options[i]);
        if (known) nearest_try(&nearest, known, strlen(known));
    }
    server_tell(server, "no option '%.60s'%s%s%s; 'help options' lists the options", name,
                nearest.name ? " (did you mean '" : "", nearest.name ? nearest.name : "",
                nearest.name ? "'?)" : "");
}

void on_setoption(Server *server, const char *rest) {
    const bool ucci = server->dialect == DIALECT_UCCI;
    const bool named = take_word(&rest, "name"); // UCCI omits the word `name`, but some GUIs send
                                                 // it
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
        // GUIs set the `silent` options although we do not offer them, so no message is sent. UCCI
        // GUIs set all options of the standard, so in UCCI only the old name of a search parameter
        // causes a message.
        static const char silent[] = "UCI_AnalyseMode|UCI_Opponent|Repetition Rule";
        const char *new_name = search_param_new_name(name);
        if (new_name) {
            server_tell(server, "no option '%.60s': its new name is %s", name, new_name);
        } else if (!ucci && option_choice_index(silent, name) < 0) {
            tell_no_option(server, name);
        }
    } else if (set_option(server, found, automatic ? found->row.default_value : value, &err) !=
               STATUS_OK) {
        server_tell(server, "%s stays as it was: %s", option_name(server, found), err.text);
    }
    free(name);
    free(value);
}

void on_newgame(Server *server, const char *rest) {
    (void)rest;
    server->games++;
    apply_clear(server, NULL);
}
