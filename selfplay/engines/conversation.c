// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/conversation.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/search/search_params.h"
#include "core/system/out_file.h"
#include "selfplay/engines/option_value.h"
#include "selfplay/engines/protocol.h"

int64_t conversation_deadline(int ms) {
    return clock_now_ns() + ms * MS_NS;
}

// ---- sending and receiving lines -------------------------------------------------------------

static void write_log(Conversation *talk, char arrow, const char *line, size_t length) {
    if (!talk->log) return;
    const double seconds = (double)(clock_now_ns() - talk->begun_ns) * 1e-9;
    AUTO(Text) shown = {0};
    text_add_bytes(&shown, line, length);
    text_make_printable(shown.data);
    fprintf(talk->log, "%10.3f %c %s\n", seconds, arrow, shown.data);
    fflush(talk->log);
}

// Called when no further line can be exchanged. Sets talk->last_words to the reason: how the
// process ended or, if it still runs, `why`. Sets talk->unreachable if the process still runs.
static void note_end(Conversation *talk, const char *why) {
    char how[64];
    enum { WAIT_MS = 3000 }; // on a busy machine a program may need this many milliseconds to end
    AUTO(Text) words = {0};
    if (process_ended(talk->process, WAIT_MS, how, sizeof how)) {
        text_add(&words, "it %s", how);
    } else {
        talk->unreachable = true;
        text_add(&words, "%s", why);
    }
    process_last_words(talk->process, &words);
    snprintf(talk->last_words, sizeof talk->last_words, "%s", words.data);
}

bool conversation_say(Conversation *talk, const char *lines) {
    for (const char *at = lines; talk->log && *at;) {
        const size_t line = strcspn(at, "\n");
        write_log(talk, '>', at, line);
        at += line + 1;
    }
    if (!talk->process) return false;
    const int64_t deadline = conversation_deadline(talk->quirks.start_ms);
    if (process_write(talk->process, lines, strlen(lines), deadline)) return true;
    talk->deaf = clock_now_ns() >= deadline;
    note_end(talk, talk->deaf ? "it did not read its standard input in time"
                              : "it closed its standard input");
    return false;
}

ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line) {
    if (!talk->process) return PROCESS_END;
    const ProcessRead got = process_read_line(talk->process, deadline_ns, line);
    if (got == PROCESS_LINE) {
        write_log(talk, '<', *line, strlen(*line));
        *answer = talk->protocol->read(&talk->quirks, *line, info);
    } else if (got == PROCESS_END) {
        note_end(talk, "it closed its standard output");
    }
    return got;
}

// If a line of the engine is a message for people, stores it. A message that begins with
// "evaluation", as Paotai sends it, goes to talk->evaluation. If `wanted` is set, other messages
// are appended to talk->remarks, until about 4 kB are stored.
static void take_saying(Conversation *talk, const char *line, bool wanted) {
    const char *text, *rest;
    if (!talk->protocol->says(line, &text)) return;
    if (answer_begins(text, "evaluation", &rest)) {
        snprintf(talk->evaluation, sizeof talk->evaluation, "%.*s", EVALUATION_SIZE - 1,
                 rest + strspn(rest, " "));
        text_make_printable(talk->evaluation);
    } else if (wanted && talk->remarks.length < 4096) {
        AUTO(Text) shown = {0};
        text_add(&shown, "%.400s", text);
        text_make_printable(shown.data);
        text_add(&talk->remarks, "%s\n", shown.data);
    }
}

static ProcessRead sync(Conversation *talk, int wait_ms, bool remarks) {
    char question[SYNC_TEXT_SIZE], wanted[SYNC_TEXT_SIZE];
    if (talk->quirks.no_sync || !talk->protocol->sync(talk, question, wanted)) return PROCESS_LINE;
    const size_t length = strlen(wanted);
    const int64_t deadline_ns = conversation_deadline(wait_ms);
    if (!conversation_say(talk, question)) return PROCESS_END;
    for (;;) {
        SearchInfo info = {.has_score = false};
        Answer answer;
        const char *line;
        const ProcessRead got = conversation_listen(talk, deadline_ns, &info, &answer, &line);
        if (got != PROCESS_LINE) return got;
        if (strncmp(line, wanted, length) == 0 && !line[length + strspn(line + length, " \t")]) {
            return got;
        }
        take_saying(talk, line, remarks);
    }
}

ProcessRead conversation_sync(Conversation *talk, int wait_ms) {
    return sync(talk, wait_ms, false);
}

// ---- starting an engine ----------------------------------------------------------------------

// Number of bytes that a program may print before it is ready for the first game.
enum { HANDSHAKE_BYTES_MAX = 1 << 20 };

const ProtocolOps *const protocols[] = {
    [PROTOCOL_UCI] = &protocol_uci,
    [PROTOCOL_UCCI] = &protocol_ucci,
    [PROTOCOL_CECP] = &protocol_cecp,
};

static Status start(Conversation *talk, const PlayerSpec *spec, Err *err) {
    *talk = (Conversation){.spec = spec,
                           .protocol = protocols[spec->profile->protocol],
                           .quirks = spec->quirks,
                           .begun_ns = clock_now_ns()};
    if (!talk->quirks.start_ms) talk->quirks.start_ms = 10000;
    if (!talk->quirks.silence_ms)
        talk->quirks.silence_ms = 2000; // XBoard also waits two seconds for `feature` lines
    if (!talk->quirks.stop_ms) talk->quirks.stop_ms = 1000;
    if (spec->log) TRY(out_file_append(spec->log, &talk->log, err));
    return process_start(spec->command, spec->dir, spec->log, &talk->process, err);
}

void conversation_close(Conversation *talk, bool polite) {
    if (talk->process && polite) conversation_say(talk, "quit\n");
    process_stop(talk->process, polite ? talk->quirks.stop_ms : 0);
    text_clear(&talk->options);
    text_clear(&talk->remarks);
    if (talk->log) fclose(talk->log);
    *talk = (Conversation){0};
}

void conversation_take_name(Conversation *talk, const char *name, size_t length) {
    snprintf(talk->engine_name, sizeof talk->engine_name, "%.*s",
             (int)(length < 100 ? length : 100), name);
    text_make_printable(talk->engine_name);
}

// Reads lines until the handshake is complete. Returns PROCESS_LINE on success. If the protocol has
// patient_hello, the handshake also counts as complete Quirks.silence_ms milliseconds after its
// start, unless the engine has requested more time (ANSWER_BUSY).
static ProcessRead await_hello(Conversation *talk) {
    const bool patient = talk->protocol->patient_hello;
    const int64_t last = conversation_deadline(talk->quirks.start_ms);
    const bool silent = patient && talk->quirks.start_ms > talk->quirks.silence_ms;
    int64_t deadline = silent ? conversation_deadline(talk->quirks.silence_ms) : last;
    for (;;) {
        SearchInfo info = {0};
        Answer answer;
        const char *line;
        const ProcessRead got = conversation_listen(talk, deadline, &info, &answer, &line);
        // An engine that speaks version 1 of XBoard's protocol never sends feature done=1, so its
        // handshake counts as complete now.
        if (got == PROCESS_TIMEOUT && patient && deadline != last) return PROCESS_LINE;
        if (got != PROCESS_LINE) return got;
        if (answer.kind == ANSWER_ABOUT || answer.kind == ANSWER_BUSY ||
            (patient && answer.kind == ANSWER_HELLO)) {
            talk->protocol->take_about(talk, line);
        }
        take_saying(talk, line, false);
        if (answer.kind == ANSWER_BUSY) deadline = last;
        if (answer.kind == ANSWER_HELLO) return PROCESS_LINE;
    }
}

static Status not_ready(const Conversation *talk, ProcessRead got, const char *when, Err *err) {
    const char *command = talk->spec->command, *profile = talk->spec->profile->name;
    switch (got) {
    case PROCESS_LINE:
        return STATUS_OK;
    case PROCESS_TIMEOUT:
        return err_set(err, STATUS_ENGINE,
                       "'%s' did not answer %s within %d ms (profile %s): check proto=; "
                       "'paotai engine-check' tests a program",
                       command, when, talk->quirks.start_ms, profile);
    case PROCESS_FLOOD:
        return err_set(err, STATUS_ENGINE, "'%s' printed more than %d kB %s", command,
                       HANDSHAKE_BYTES_MAX / 1024, when);
    default:
        return err_set(err, STATUS_ENGINE, "'%s' failed %s: %s (profile %s)", command, when,
                       talk->last_words, profile);
    }
}

const char *protocol_find_option(const Conversation *talk, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = text_get(&talk->options); *at; at += strcspn(at, "\n") + 1) {
        if (strcspn(at, "\t") == length && strncasecmp(at, name, length) == 0) {
            return at + length + 1;
        }
    }
    return NULL;
}

void protocol_add_option(const Conversation *talk, const char *name, const char *value, Text *out) {
    const char *const *words = talk->protocol->option;
    text_add(out, "%s%s%s%s\n", words[0], name, words[1], value);
}

Status protocol_set_option(const Conversation *talk, const char *name, const char *value, Text *out,
                           Err *err) {
    const PlayerOption option = {(char *)name, (char *)value};
    const char *declared = protocol_find_option(talk, name);
    if (declared && option_value_check(&option, declared, err) != STATUS_OK) {
        return err_prefix(err, "'%s'", talk->spec->command);
    }
    protocol_add_option(talk, name, value, out);
    return STATUS_OK;
}

// Returns true if the player sets an option itself, by option.NAME or by a line of the quirk init.
static bool sets_itself(const Conversation *talk, const char *name) {
    const PlayerSpec *spec = talk->spec;
    for (int i = 0; i < spec->option_count; i++) {
        if (strcasecmp(spec->options[i].name, name) == 0) return true;
    }
    return strcasestr(talk->quirks.init, name) != NULL;
}

// Appends the command of XBoard's protocol that sets the hash size or the number of threads.
// Returns STATUS_USAGE if the player requests the value but the engine does not accept it.
static Status add_size_command(const Conversation *talk, bool threads, bool requested, long value,
                               Text *out, Err *err) {
    if (talk->features[threads ? FEATURE_SMP : FEATURE_MEMORY]) {
        text_add(out, "%s %ld\n", threads ? "cores" : "memory", value);
        return STATUS_OK;
    }
    if (!requested) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "'%s' does not accept %s=, because it does not declare the feature %s "
                   "(profile %s)",
                   talk->spec->command, threads ? "threads" : "hash", threads ? "smp" : "memory",
                   talk->spec->profile->name);
}

// Appends the command that sets the hash size in MiB or the number of threads. If the player does
// not set it (`number` is 0), the default is sent if the engine has such an option: a program's own
// default may be to use all processors.
static Status add_size(const Conversation *talk, bool threads, double number, Text *out, Err *err) {
    const bool requested = number > 0.0;
    long size = threads ? PLAYER_THREADS : PLAYER_HASH_MB;
    if (requested) size = lrint(fmax(1.0, number));
    if (!talk->protocol->size_option) {
        return add_size_command(talk, threads, requested, size, out, err);
    }
    char value[24];
    const char *name = talk->protocol->size_option(talk, threads);
    const char *declared = protocol_find_option(talk, name);
    if (!requested && (!declared || sets_itself(talk, name))) return STATUS_OK;
    if (!requested) size = (long)option_value_nearest(declared, size);
    snprintf(value, sizeof value, "%ld", size);
    return protocol_set_option(talk, name, value, out, err);
}

// Appends the command that allows or forbids pondering, if the engine has such an option.
static void add_ponder(const Conversation *talk, Text *out) {
    const PlayerSpec *spec = talk->spec;
    if (!protocol_find_option(talk, "Ponder")) return;
    if (!spec->ponder && sets_itself(talk, "Ponder")) return;
    protocol_add_option(talk, "Ponder", spec->ponder ? "true" : "false", out);
}

// Returns STATUS_USAGE if an option of the player is a parameter of Paotai's search that has no
// effect under the limits of the player.
static Status check_parameters(const PlayerSpec *spec, Err *err) {
    SearchParams params = search_params_default();
    // Set all parameters before checking them: one of them may be few_nodes, which decides whether
    // others have an effect.
    for (int i = 0; i < spec->option_count; i++) {
        search_params_set(&params, spec->options[i].name, spec->options[i].value, NULL);
    }
    for (int i = 0; i < spec->option_count; i++) {
        TRY(search_param_check_acts(&params, spec->options[i].name, spec->limits.nodes, err));
    }
    return STATUS_OK;
}

// Returns STATUS_USAGE if one of the program's messages contains one of these texts. Messages of
// programs that are not recognised have no fixed form, so they are only stored.
static Status check_refusals(const Conversation *talk, const char *const texts[2], Err *err) {
    for (const char *line = text_get(&talk->remarks); *line; line += strcspn(line, "\n") + 1) {
        const int length = (int)strcspn(line, "\n");
        for (int i = 0; i < 2 && texts[i]; i++) {
            if (!memmem(line, (size_t)length, texts[i], strlen(texts[i]))) continue;
            return err_set(err, STATUS_USAGE, "'%s' refuses an option: %.*s", talk->spec->command,
                           length, line);
        }
    }
    return STATUS_OK;
}

// Returns STATUS_USAGE if the program would not find the file under this name.
static Status check_network_name(const char *command, const NetworkFile *network, const char *file,
                                 Err *err) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (strchr(file, ':')) {
        return err_set(err, STATUS_USAGE,
                       "'%s' cuts option.%s=%s at the colon: give a path without a colon", command,
                       network->option, file);
    }
    if (strncmp(name, network->prefix, strlen(network->prefix)) == 0) return STATUS_OK;
    return err_set(err, STATUS_USAGE,
                   "'%s' ignores option.%s=%s, because the name of the file does not begin with "
                   "'%s': rename the file to %s-%s",
                   command, network->option, file, network->prefix, network->prefix, name);
}

// Searches one node. Returns STATUS_USAGE unless the program says that it uses this file. A program
// that is recognised by what it says, but whose row of the table of engines is not used because its
// file has another name, may lack the settings of this row.
static Status search_with_network(Conversation *talk, const Profile *known, const char *file,
                                  Err *err) {
    const NetworkFile *network = &known->network;
    AUTO(Text) out = {0}, said = {0};
    SearchInfo info = {0};
    Answer answer = {0};
    const char *line, *text;
    bool uses = false;
    text_add(&out, "position fen %s\ngo nodes 1\n", START_FEN);
    const int64_t deadline = conversation_deadline(talk->quirks.start_ms);
    ProcessRead got = conversation_say(talk, out.data) ? PROCESS_LINE : PROCESS_END;
    while (got == PROCESS_LINE && answer.kind < ANSWER_MOVE) {
        got = conversation_listen(talk, deadline, &info, &answer, &line);
        if (got != PROCESS_LINE || !talk->protocol->says(line, &text)) continue;
        uses = uses ||
               (strncmp(text, network->says, strlen(network->says)) == 0 && strstr(text, file));
        text_add(&said, "%s%.200s", said.length ? "; " : "", text);
    }
    if (got == PROCESS_LINE && uses) return STATUS_OK;
    if (said.length) text_make_printable(said.data);
    if (got == PROCESS_END) {
        return err_set(err, STATUS_USAGE,
                       "'%s' refuses the network option.%s=%s and ends at the first search: %s",
                       talk->spec->command, network->option, file,
                       said.length ? said.data : talk->last_words);
    }
    return err_set(err, STATUS_USAGE,
                   "'%s' does not play with the network option.%s=%s: %s; add '%s%s'",
                   talk->spec->command, network->option, file,
                   said.length ? said.data : "it does not say which evaluation it uses",
                   talk->spec->profile == known ? "option.Use NNUE=true" : "profile=",
                   talk->spec->profile == known ? "" : known->name);
}

// Returns STATUS_USAGE if the player sets the option of the network file, unless the program plays
// with this file.
static Status prove_network(Conversation *talk, const Profile *known, Err *err) {
    const PlayerSpec *spec = talk->spec;
    const NetworkFile *network = &known->network;
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        if (strcasecmp(option->name, network->option) != 0 || !*option->value ||
            strcmp(option->value, "<empty>") == 0) {
            continue;
        }
        TRY(check_network_name(spec->command, network, option->value, err));
        TRY(search_with_network(talk, known, option->value, err));
    }
    return STATUS_OK;
}

// Makes the checks of the program's row in the table of engines, if its name is recognised.
static Status check_known(Conversation *talk, Err *err) {
    const Profile *known = profile_for_id(talk->engine_name);
    if (!known) return STATUS_OK;
    TRY(check_refusals(talk, known->refusals, err));
    if (known->network.option && talk->protocol->limits_nodes) {
        TRY(prove_network(talk, known, err));
    }
    return known->has_search_parameters ? check_parameters(talk->spec, err) : STATUS_OK;
}

static Status shake_hands(Conversation *talk, Err *err) {
    const PlayerSpec *spec = talk->spec;
    const ProtocolOps *protocol = talk->protocol;
    AUTO(Text) out = {0};
    process_set_budget(talk->process, HANDSHAKE_BYTES_MAX);
    bool said = conversation_say(talk, protocol->hello);
    TRY(not_ready(talk, said ? await_hello(talk) : PROCESS_END, "in the handshake", err));
    talk->milliseconds = talk->quirks.milliseconds;
    if (protocol->agree) protocol->agree(talk, &out);
    text_add(&out, "%s", talk->quirks.init);
    add_ponder(talk, &out);
    TRY(add_size(talk, false, spec->hash_mb, &out, err));
    TRY(add_size(talk, true, spec->threads, &out, err));
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        if (talk->options.length && !protocol_find_option(talk, option->name)) {
            return err_set(err, STATUS_USAGE, "'%s' has no option '%s'", spec->command,
                           option->name);
        }
        TRY(protocol_set_option(talk, option->name, option->value, &out, err));
    }
    said = conversation_say(talk, text_get(&out));
    const ProcessRead got =
        said ? sync(talk, talk->quirks.start_ms, spec->option_count > 0) : PROCESS_END;
    TRY(not_ready(talk, got, "after its options were set", err));
    return check_known(talk, err);
}

Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err) {
    Status status = start(talk, spec, err);
    if (status == STATUS_OK) status = shake_hands(talk, err);
    if (status != STATUS_OK) conversation_close(talk, false);
    return status;
}
