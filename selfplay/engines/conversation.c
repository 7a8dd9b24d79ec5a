// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/conversation.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/search/search_params.h"
#include "selfplay/engines/option_value.h"
#include "selfplay/engines/protocol.h"

int64_t conversation_deadline(int ms) {
    return clock_now_ns() + ms * MS_NS;
}

// ---- saying and hearing ----------------------------------------------------------------------

static void write_log(Conversation *talk, char arrow, const char *line, size_t length) {
    if (!talk->log) return;
    const double seconds = (double)(clock_now_ns() - talk->begun_ns) * 1e-9;
    AUTO(Text) shown = {0};
    text_add_bytes(&shown, line, length);
    text_make_printable(shown.data);
    fprintf(talk->log, "%10.3f %c %s\n", seconds, arrow, shown.data);
    fflush(talk->log);
}

static void note_end(Conversation *talk) {
    char how[64];
    enum { WAIT_MS = 3000 }; // on a busy machine a program may need this long to end
    AUTO(Text) words = {0};
    if (process_ended(talk->process, WAIT_MS, how, sizeof how)) {
        text_add(&words, "it ended with %s", how);
    } else {
        talk->lives = true;
        text_add(&words, "it closed its streams");
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
    note_end(talk);
    return false;
}

ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line) {
    if (!talk->process) return PROCESS_END;
    const ProcessRead got = process_read_line(talk->process, deadline_ns, line);
    if (got == PROCESS_LINE) {
        write_log(talk, '<', *line, strlen(*line));
        *answer = talk->protocol->read(*line, info);
    } else if (got == PROCESS_END) {
        note_end(talk);
    }
    return got;
}

// Stores a message for people: the description of the evaluation, and remarks if `wanted`. At most
// about 4 kB of remarks are kept.
static void take_saying(Conversation *talk, const char *line, bool wanted) {
    const char *text, *rest;
    const bool error = talk->protocol == &protocol_cecp && answer_begins(line, "Error", &rest);
    if (!error && !uci_says(line, &text)) return;
    if (error) text = line;
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

static ProcessRead sync(Conversation *talk, int wait_ms, bool remarks);

ProcessRead conversation_sync(Conversation *talk, int wait_ms) {
    return sync(talk, wait_ms, false);
}

static ProcessRead sync(Conversation *talk, int wait_ms, bool remarks) {
    const bool cecp = talk->protocol == &protocol_cecp;
    char question[32] = "isready\n", wanted[32] = "readyok";
    if (talk->quirks.no_sync || (cecp && !talk->features[FEATURE_PING])) return PROCESS_LINE;
    if (cecp) {
        const unsigned long long serial = ++talk->serial;
        snprintf(question, sizeof question, "ping %llu\n", serial);
        snprintf(wanted, sizeof wanted, "pong %llu", serial);
    }
    const size_t length = strlen(wanted);
    const int64_t deadline_ns = conversation_deadline(wait_ms);
    if (!conversation_say(talk, question)) return PROCESS_END;
    for (;;) {
        SearchInfo info;
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

// ---- starting --------------------------------------------------------------------------------

static Status start(Conversation *talk, const PlayerSpec *spec, Err *err) {
    static const ProtocolOps *const protocols[] = {
        [PROTOCOL_UCI] = &protocol_uci,
        [PROTOCOL_UCCI] = &protocol_ucci,
        [PROTOCOL_CECP] = &protocol_cecp,
    };
    *talk = (Conversation){.spec = spec,
                           .protocol = protocols[spec->profile->protocol],
                           .quirks = spec->quirks,
                           .begun_ns = clock_now_ns()};
    if (!talk->quirks.start_ms) talk->quirks.start_ms = 10000;
    if (!talk->quirks.silence_ms) talk->quirks.silence_ms = 2000; // XBoard also waits two seconds
    if (!talk->quirks.stop_ms) talk->quirks.stop_ms = 1000;
    if (spec->log) {
        talk->log = fopen(spec->log, "ae");
        if (!talk->log) {
            return err_set(err, STATUS_IO, "cannot write the log %s: %s", spec->log,
                           strerror(errno));
        }
    }
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

// Reads lines until the handshake is complete. Returns PROCESS_LINE on success. In XBoard's
// protocol the handshake is also complete if the engine sends neither done=0 nor done=1 within
// silence_ms.
static ProcessRead await_hello(Conversation *talk) {
    const bool cecp = talk->protocol == &protocol_cecp;
    const int64_t last = conversation_deadline(talk->quirks.start_ms);
    const bool silent = cecp && talk->quirks.start_ms > talk->quirks.silence_ms;
    int64_t deadline = silent ? conversation_deadline(talk->quirks.silence_ms) : last;
    for (;;) {
        SearchInfo info = {0};
        Answer answer;
        const char *line;
        const ProcessRead got = conversation_listen(talk, deadline, &info, &answer, &line);
        // An engine of version 1 of XBoard's protocol never sends feature done=1.
        if (got == PROCESS_TIMEOUT && cecp && deadline != last) return PROCESS_LINE;
        if (got != PROCESS_LINE) return got;
        if (answer.kind == ANSWER_ABOUT || answer.kind == ANSWER_BUSY ||
            (cecp && answer.kind == ANSWER_HELLO)) {
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
                       "'%s' did not answer %s within %d ms (profile %s): is proto= right? 'paotai "
                       "engine-check' tries it",
                       command, when, talk->quirks.start_ms, profile);
    case PROCESS_FLOOD:
        return err_set(err, STATUS_ENGINE, "'%s' prints without end %s", command, when);
    default:
        return err_set(err, STATUS_ENGINE, "'%s' does not run %s: %s (profile %s)", command, when,
                       talk->last_words, profile);
    }
}

// Returns the declaration of an option: type and range, up to the end of the line. Ignores the case
// of the name. Returns NULL if the program declares no such option.
static const char *find_option(const Conversation *talk, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = text_get(&talk->options); *at; at += strcspn(at, "\n") + 1) {
        if (strcspn(at, "\t") == length && strncasecmp(at, name, length) == 0) {
            return at + length + 1;
        }
    }
    return NULL;
}

static bool has_option(const Conversation *talk, const char *name) {
    return find_option(talk, name) != NULL;
}

static void add_option(const Conversation *talk, const char *name, const char *value, Text *out) {
    const char *const *words = talk->protocol->option;
    text_add(out, "%s%s%s%s\n", words[0], name, words[1], value);
}

// Appends the setting of hash= or threads=: options in UCI and UCCI, commands in XBoard's protocol.
static Status add_size(const Conversation *talk, bool threads, double number, Text *out, Err *err) {
    char value[24];
    if (number <= 0.0) return STATUS_OK;
    snprintf(value, sizeof value, "%ld", lrint(fmax(1.0, number)));
    if (talk->protocol != &protocol_cecp) {
        const bool small = talk->protocol == &protocol_ucci && !talk->quirks.uci_words;
        const char *const names[] = {small ? "hashsize" : "Hash", small ? "threads" : "Threads"};
        const PlayerOption option = {(char *)names[threads], value};
        const char *declared = find_option(talk, option.name);
        if (declared && option_value_check(&option, declared, err) != STATUS_OK) {
            return err_prefix(err, "'%s'", talk->spec->command);
        }
        add_option(talk, option.name, value, out);
        return STATUS_OK;
    }
    if (talk->features[threads ? FEATURE_SMP : FEATURE_MEMORY]) {
        text_add(out, "%s %s\n", threads ? "cores" : "memory", value);
        return STATUS_OK;
    }
    return err_set(err, STATUS_USAGE, "%s= cannot be set for '%s' (profile %s)",
                   threads ? "threads" : "hash", talk->spec->command, talk->spec->profile->name);
}

// Fails if a search parameter of Paotai as a program has no effect under the limits of the player.
static Status own_parameters_act(const Conversation *talk, Err *err) {
    const PlayerSpec *spec = talk->spec;
    if (strncmp(talk->engine_name, "Paotai", 6) != 0) return STATUS_OK;
    SearchParams params = search_params_default();
    // The options may set few_nodes, on which the check of other parameters depends.
    for (int i = 0; i < spec->option_count; i++) {
        search_params_set(&params, spec->options[i].name, spec->options[i].value, NULL);
    }
    for (int i = 0; i < spec->option_count; i++) {
        TRY(search_param_check_acts(&params, spec->options[i].name, spec->nodes, err));
    }
    return STATUS_OK;
}

// Fails if Paotai as a program rejected an option. Its message then contains "stays as it was" or
// begins with "no option". Remarks of other programs are only kept.
static Status own_refusal(const Conversation *talk, Err *err) {
    if (strncmp(talk->engine_name, "Paotai", 6) != 0) return STATUS_OK;
    for (const char *line = text_get(&talk->remarks); *line; line += strcspn(line, "\n") + 1) {
        const int length = (int)strcspn(line, "\n");
        if (memmem(line, (size_t)length, "stays as it was", 15) == NULL &&
            strncmp(line, "no option", 9) != 0) {
            continue;
        }
        return err_set(err, STATUS_USAGE, "'%s' refuses an option: %.*s", talk->spec->command,
                       length, line);
    }
    return STATUS_OK;
}

static Status shake_hands(Conversation *talk, Err *err) {
    const PlayerSpec *spec = talk->spec;
    const ProtocolOps *protocol = talk->protocol;
    AUTO(Text) out = {0};
    process_set_budget(talk->process, 1 << 20);
    bool said = conversation_say(talk, protocol->hello);
    TRY(not_ready(talk, said ? await_hello(talk) : PROCESS_END, "in the handshake", err));
    talk->milliseconds = talk->quirks.milliseconds;
    if (protocol == &protocol_ucci && !talk->milliseconds && has_option(talk, "usemillisec")) {
        talk->milliseconds = true;
        add_option(talk, "usemillisec", "true", &out);
    }
    text_add(&out, "%s", talk->quirks.init);
    if (spec->ponder && has_option(talk, "Ponder")) add_option(talk, "Ponder", "true", &out);
    TRY(add_size(talk, false, spec->hash_mb, &out, err));
    TRY(add_size(talk, true, spec->threads, &out, err));
    for (int i = 0; i < spec->option_count; i++) {
        const PlayerOption *option = &spec->options[i];
        const char *declared = find_option(talk, option->name);
        if (talk->options.length && !declared) {
            return err_set(err, STATUS_USAGE, "'%s' has no option '%s'", spec->command,
                           option->name);
        }
        if (declared && option_value_check(option, declared, err) != STATUS_OK) {
            return err_prefix(err, "'%s'", spec->command);
        }
        add_option(talk, option->name, option->value, &out);
    }
    said = conversation_say(talk, text_get(&out));
    const ProcessRead got =
        said ? sync(talk, talk->quirks.start_ms, spec->option_count > 0) : PROCESS_END;
    TRY(not_ready(talk, got, "after its options were set", err));
    TRY(own_refusal(talk, err));
    return own_parameters_act(talk, err);
}

Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err) {
    Status status = start(talk, spec, err);
    if (status == STATUS_OK) status = shake_hands(talk, err);
    if (status != STATUS_OK) conversation_close(talk, false);
    return status;
}
