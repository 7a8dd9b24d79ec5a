// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol server: the table of commands and the main loop.
#include "core/uci/uci.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/random.h"
#include "core/system/clock.h"
#include "core/system/version.h"
#include "core/uci/uci_internal.h"

// ---- the table of commands ----------------------------------------------------------------------

static const ProtocolCommand protocol_commands[] = {
#define PROTOCOL_COMMAND(name, dialects, urgency, handler, help)                                   \
    {name, dialects, urgency, handler, help},
#include "core/uci/uci_commands.def"
};
enum { PROTOCOL_COMMAND_COUNT = sizeof protocol_commands / sizeof *protocol_commands };

const ProtocolCommand *protocol_find(const char *line, const char **rest) {
    for (int i = 0; i < PROTOCOL_COMMAND_COUNT; i++) {
        const ProtocolCommand *command = &protocol_commands[i];
        *rest = line;
        if (take_word(rest, command->name)) return command;
    }
    return NULL;
}

bool uci_knows(const char *line) {
    const char *rest;
    return protocol_find(line, &rest) != NULL;
}

// ---- commands without a search ------------------------------------------------------------------

void on_uci(Server *server, const char *rest) {
    const bool ucci = server->dialect == DIALECT_UCCI;
    (void)rest;
    server_say(server, "id name Paotai%s", ucci ? "" : " " PAOTAI_VERSION);
    if (ucci) server_say(server, "id version %s", PAOTAI_VERSION);
    if (ucci) server_say(server, "id copyright GPL-3.0-or-later");
    server_say(server, "id author the authors of Paotai");
    if (!ucci) server_tell_evaluation(server); // UCCI allows only ids and options before ucciok
    server_options_list(server);
    server_say(server, ucci ? "ucciok" : "uciok");
}

void on_isready(Server *server, const char *rest) {
    (void)rest;
    server_tell_evaluation(server);
    server_engine(server);
    server_say(server, "readyok");
}

// Runs only if no search was pending when `stop` arrived. Otherwise the reader thread handles
// `stop` (uci_inbox.c).
void on_stop(Server *server, const char *rest) {
    (void)rest;
    if (server->dialect == DIALECT_UCCI) server_say(server, "nobestmove");
}

// Handles commands without an effect. The table also names it for `ponderhit`, which the reader
// thread executes and never queues.
void on_nothing(Server *server, const char *rest) {
    (void)server;
    (void)rest;
}

void on_quit(Server *server, const char *rest) {
    (void)rest;
    if (server->dialect == DIALECT_UCCI) server_say(server, "bye");
    server->quit = true;
}

void on_help(Server *server, const char *rest) {
    if (take_word(&rest, "options")) {
        server_options_explain(server);
        return;
    }
    for (int i = 0; i < PROTOCOL_COMMAND_COUNT; i++) {
        const ProtocolCommand *command = &protocol_commands[i];
        if (!(command->dialects & server->dialect)) continue;
        server_tell(server, "%-12s %s", command->name, command->help);
    }
}

// ---- the main loop ------------------------------------------------------------------------------

static void obey(Server *server, const InboxLine *line) {
    const char *text = line->text, *rest = text, *word;
    size_t length;
    if (!text_next_word(&rest, &word, &length)) return;
    // A first command other than `uci` or `ucci` selects UCI, because some GUIs send isready first.
    // A later `ucci` still changes to UCCI.
    const bool ucci = text_word_is(word, length, "ucci");
    if (ucci || !server->dialect) server->dialect = ucci ? DIALECT_UCCI : DIALECT_UCI;
    if (line->command && (line->command->dialects & server->dialect)) {
        line->command->handler(server, text + line->rest);
    } else if (!server->setup->run_command ||
               !server->setup->run_command(text, server->out, server->err)) {
        server_tell(server, "unknown command '%.*s'; 'help' lists the commands",
                    (int)(length < 40 ? length : 40), word);
    }
}

static void server_clear(Server *server) {
    smp_free(server->smp);
    network_free(server->network);
    text_clear(&server->evaluation);
    text_clear(&server->notes);
    game_clear(&server->game);
    inbox_clear(&server->inbox);
    server_log_to(server, "", NULL);
    pthread_mutex_destroy(&server->log_lock);
}

int uci_main(FILE *in, FILE *out, FILE *err, const UciSetup *setup) {
    static const UciSetup no_setup;
    Server server = {.in = in, .out = out, .err = err, .setup = setup ? setup : &no_setup};
    if (isatty(fileno(in))) {
        fprintf(err,
                "Paotai speaks UCI and UCCI here: try 'position startpos', 'go movetime 1000',\n"
                "'d', 'help', 'quit'. 'paotai play' is a game in the terminal;\n"
                "'paotai --help' lists all commands.\n");
    }
    Position start;
    position_init_start(&start);
    game_init(&server.game, &start);
    inbox_init(&server.inbox);
    pthread_mutex_init(&server.log_lock, NULL);
    server.chance = random_mix((uint64_t)time(NULL)) ^ random_mix((uint64_t)clock_now_ns()) ^
                    random_mix((uint64_t)getpid());
    Err failure = {0};
    if (server_options_init(&server, &failure) != STATUS_OK) {
        fprintf(err, "paotai: the compiled weights cannot be loaded: %s\n", failure.text);
        server_clear(&server);
        return 1;
    }
    pthread_t reader;
    if (pthread_create(&reader, NULL, inbox_read, &server) != 0) {
        fprintf(err, "paotai: cannot start a thread for the input\n");
        server_clear(&server);
        return 1;
    }
    InboxLine *line;
    while (!server.quit && (line = inbox_next(&server.inbox)) != NULL) {
        server.line_number = line->number;
        obey(&server, line);
        free(line);
    }
    pthread_join(reader, NULL);
    server_clear(&server);
    return 0;
}
