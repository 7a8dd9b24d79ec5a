// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: the trace, which shows a tuner how the evaluation depends on its weights
// (tuner/README.md).
#include <math.h>
#include <string.h>

#include "core/eval/eval.h"
#include "core/uci/uci_internal.h"

// Sends the terms with the weights that the engine plays with. A network without linear weights
// has no terms.
static void trace_terms(Server *server) {
    const WeightPair *weights = weights_flat_const(&server->weights);
    const bool linear = !server->network || server->network->linear;
    AUTO(Text) text = {0};
    text_add(&text, "trace phase %d", PHASE_MAX);
    for (int i = 0; i < WEIGHT_COUNT && linear; i++) {
        char name[WEIGHT_NAME_MAX];
        weight_pair_name(i, name, sizeof name);
        text_add(&text, "\ntrace term %s %d %d", name, weights[i].mg, weights[i].eg);
    }
    server_say(server, "%s\ntrace ok %d", text.data, linear ? (int)WEIGHT_COUNT : 0);
}

static void trace_eval(Server *server) {
    const Position *now = &server->game.now;
    EvalTrace trace;
    AUTO(Text) text = {0};
    if (server->refused) {
        server_say(server, "trace error the last position was refused");
        return;
    }
    if (position_in_check(now)) {
        server_say(server, "trace none check");
        return;
    }
    const EvalParts parts = evaluate_parts(now, &server->weights, server->network);
    const int red = now->stm == RED ? 1 : -1;
    evaluate_traced(now, &server->weights, &trace);
    text_add(&text, "trace row value %d phase %d", red * (parts.linear + parts.network),
             trace.phase);
    if (server->network) text_add(&text, " offset %d", red * parts.network);
    text_add(&text, " terms");
    for (int i = 0; i < WEIGHT_COUNT && (!server->network || server->network->linear); i++) {
        const int count = trace.count[RED][i] - trace.count[BLACK][i];
        if (count) text_add(&text, " %d:%d", i, count);
    }
    server_say(server, "%s", text.data);
}

// Reads the next word as an integer within +-limit.
static bool next_integer(const char **cursor, double limit, int *value) {
    char number[32];
    const char *word;
    size_t length;
    double real;
    if (!text_next_word(cursor, &word, &length) || length >= sizeof number) return false;
    snprintf(number, sizeof number, "%.*s", (int)length, word);
    if (parse_real(number, -limit, limit, &real, "", NULL) != STATUS_OK) return false;
    *value = (int)real;
    return real == floor(real);
}

static void trace_set(Server *server, const char *rest) {
    int index, mg, eg;
    if (!next_integer(&rest, WEIGHT_COUNT - 1, &index) || index < 0 ||
        !next_integer(&rest, WEIGHT_LIMIT, &mg) || !next_integer(&rest, WEIGHT_LIMIT, &eg)) {
        server_say(server, "trace error set needs the number of a term and two integers within %d",
                   WEIGHT_LIMIT);
        return;
    }
    weights_flat(&server->weights)[index] = (WeightPair){mg, eg};
    if (server->smp) {
        smp_set_weights(server->smp, &server->weights);
        smp_set_network(server->smp, server->network);
    }
    server_say(server, "trace ok");
}

void on_trace(Server *server, const char *rest) {
    if (take_word(&rest, "terms")) {
        trace_terms(server);
    } else if (take_word(&rest, "eval")) {
        trace_eval(server);
    } else if (take_word(&rest, "set")) {
        trace_set(server, rest);
    } else {
        server_say(server, "trace error 'terms', 'eval' or 'set' must follow the word 'trace'");
    }
}
