// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/conversation.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

// XBoard waits so long for an engine of protocol version 1, which never says feature done.
enum { LINES_WITHOUT_HELLO_MAX = 100000 };

int64_t conversation_deadline(int ms) {
    return clock_now_ns() + ms * MS_NS;
}

// ---- saying and hearing ----------------------------------------------------------------------

static void write_log(Conversation *talk, char arrow, const char *line, size_t length) {
    if (!talk->log) return;
    const double seconds = (double)(clock_now_ns() - talk->begun_ns) * 1e-9;
    Text shown = {0};
    text_add_bytes(&shown, line, length);
    text_make_printable(shown.data);
    fprintf(talk->log, "%10.3f %c %s\n", seconds, arrow, shown.data);
    fflush(talk->log);
    text_clear(&shown);
}

static void note_end(Conversation *talk) {
    char how[64];
    enum { WAIT_MS = 3000 }; // a busy machine takes its time to end a program
    if (process_ended(talk->process, WAIT_MS, how, sizeof how)) {
        snprintf(talk->last_words, sizeof talk->last_words, "it ended with %s", how);
    } else {
        snprintf(talk->last_words, sizeof talk->last_words, "it closed its streams");
    }
}

bool conversation_say_text(Conversation *talk, const char *lines, size_t length) {
    for (const char *at = lines; talk->log && at < lines + length;) {
        const size_t line = strcspn(at, "\n");
        write_log(talk, '>', at, line);
        at += line + 1;
    }
    if (!talk->process) return false;
    if (process_write(talk->process, lines, length,
                      conversation_deadline(talk->profile.start_ms))) {
        return true;
    }
    note_end(talk);
    return false;
}

bool conversation_say(Conversation *talk, ProfileField field, const PlaceValues *values) {
    static const PlaceValues none;
    text_reset(&talk->out);
    template_expand(talk->profile.field[field], values ? values : &none, &talk->out);
    return conversation_say_text(talk, text_get(&talk->out), talk->out.length);
}

ProcessRead conversation_listen(Conversation *talk, int64_t deadline_ns, SearchInfo *info,
                                Answer *answer, const char **line) {
    if (!talk->process) return PROCESS_END;
    const ProcessRead got = process_read_line(talk->process, deadline_ns, line);
    if (got == PROCESS_LINE) {
        if (talk->log) write_log(talk, '<', *line, strlen(*line));
        *answer = answer_read(talk->profile.protocol, *line, info);
    } else if (got == PROCESS_END) {
        note_end(talk);
    }
    return got;
}

// Are two lines the same but for what is behind their end?
static bool same_line(const char *line, const char *wanted) {
    const size_t length = strcspn(wanted, "\n");
    return strncmp(line, wanted, length) == 0 &&
           strspn(line + length, " \t") == strlen(line + length);
}

ProcessRead conversation_sync(Conversation *talk, int64_t deadline_ns) {
    if (!talk->profile.field[PROFILE_SYNC][0]) return PROCESS_LINE;
    PlaceValues values = {0};
    place_set_number(&values, PLACE_SERIAL, (int64_t)++talk->serial);
    Text wanted = {0};
    template_expand(talk->profile.field[PROFILE_SYNC_ANSWER], &values, &wanted);
    ProcessRead got = PROCESS_END;
    if (conversation_say(talk, PROFILE_SYNC, &values)) {
        SearchInfo info;
        Answer answer;
        const char *line;
        do {
            got = conversation_listen(talk, deadline_ns, &info, &answer, &line);
        } while (got == PROCESS_LINE && !same_line(line, text_get(&wanted)));
    }
    text_clear(&wanted);
    return got;
}

// ---- starting --------------------------------------------------------------------------------

static Status start(Conversation *talk, const PlayerSpec *spec, Err *err) {
    *talk = (Conversation){.begun_ns = clock_now_ns()};
    profile_copy(&talk->profile, &spec->profile);
    if (spec->log) {
        talk->log = fopen(spec->log, "ae");
        if (!talk->log) {
            err_set(err, STATUS_IO, "cannot write the log %s: %s", spec->log, strerror(errno));
            conversation_close(talk, false);
            return STATUS_IO;
        }
    }
    const ProcessPlace place = {spec->log, spec->dir, &spec->processors};
    const Status status =
        process_start(talk->profile.field[PROFILE_COMMAND], &place, &talk->process, err);
    if (status != STATUS_OK) conversation_close(talk, false);
    return status;
}

void conversation_close(Conversation *talk, bool polite) {
    if (talk->process && polite) conversation_say(talk, PROFILE_QUIT, NULL);
    process_stop(talk->process, polite ? talk->profile.stop_ms : 0);
    profile_clear(&talk->profile);
    text_clear(&talk->options);
    text_clear(&talk->about);
    text_clear(&talk->out);
    if (talk->log) fclose(talk->log);
    *talk = (Conversation){0};
}

static void take_name(Conversation *talk, const char *name, size_t length) {
    snprintf(talk->engine_name, sizeof talk->engine_name, "%.*s",
             (int)(length < 100 ? length : 100), name);
    text_make_printable(talk->engine_name);
}

static void take_option(Conversation *talk, const char *line) {
    const char *name;
    size_t length;
    if (!answer_option_name(talk->profile.protocol, line, &name, &length)) return;
    text_add_bytes(&talk->options, name, length);
    text_add_bytes(&talk->options, "\n", 1);
}

// What an engine of XBoard's protocol tells about itself settles how it is spoken to: where the
// feature is `on`, a field takes the text of another one.
static const struct {
    const char *name;
    bool on;
    ProfileField field, other; // PROFILE_FIELD_COUNT: none, it has no words for that
} features[] = {
    {"setboard", false, PROFILE_POSITION, PROFILE_POSITION_EDIT},
    {"usermove", true, PROFILE_MOVE, PROFILE_MOVE_USERMOVE},
    {"ping", false, PROFILE_SYNC, PROFILE_FIELD_COUNT},
    {"memory", false, PROFILE_SET_HASH, PROFILE_FIELD_COUNT},
    {"smp", false, PROFILE_SET_THREADS, PROFILE_FIELD_COUNT},
};
enum { FEATURE_COUNT = sizeof features / sizeof *features };

static void take_features(Conversation *talk, const char *line, bool on[FEATURE_COUNT]) {
    const char *cursor = line + strcspn(line, "f") + strlen("feature"), *name, *value;
    size_t name_length, length;
    while (answer_next_feature(&cursor, &name, &name_length, &value, &length)) {
        const bool yes = length == 1 && *value == '1';
        for (int i = 0; i < FEATURE_COUNT; i++) {
            if (text_word_is(name, name_length, features[i].name)) on[i] = yes;
        }
        if (text_word_is(name, name_length, "reuse") && !yes) talk->profile.reuse = false;
        if (text_word_is(name, name_length, "myname")) take_name(talk, value, length);
        if (text_word_is(name, name_length, "option")) {
            Text option = {0};
            text_add_bytes(&option, value, length);
            take_option(talk, text_get(&option));
            text_clear(&option);
        }
    }
}

static void settle_features(Profile *profile, const bool on[FEATURE_COUNT]) {
    for (int i = 0; i < FEATURE_COUNT; i++) {
        const ProfileField other = features[i].other;
        if (on[i] != features[i].on) continue;
        profile_set(profile, features[i].field,
                    other == PROFILE_FIELD_COUNT ? "" : profile->field[other]);
    }
}

static void take_about(Conversation *talk, const char *line) {
    static const char id[] = "id name ";
    if (strncmp(line, id, sizeof id - 1) == 0) {
        take_name(talk, line + sizeof id - 1, strlen(line + sizeof id - 1));
    }
    take_option(talk, line);
}

// Listens until the handshake is over. on[] is what cecp said of its features.
static ProcessRead await_hello(Conversation *talk, bool on[FEATURE_COUNT]) {
    const bool cecp = talk->profile.protocol == PROTOCOL_CECP;
    const int64_t last = conversation_deadline(talk->profile.start_ms);
    int64_t deadline = last;
    if (cecp && talk->profile.start_ms > talk->profile.silence_ms) {
        deadline = conversation_deadline(talk->profile.silence_ms);
    }
    for (int lines = 0; lines < LINES_WITHOUT_HELLO_MAX; lines++) {
        SearchInfo info = {0};
        Answer answer;
        const char *line;
        const ProcessRead got = conversation_listen(talk, deadline, &info, &answer, &line);
        // An engine of version 1 says nothing of the kind, and that is all right.
        if (got == PROCESS_TIMEOUT && cecp && deadline != last) return PROCESS_LINE;
        if (got != PROCESS_LINE) return got;
        const bool about = answer.kind == ANSWER_ABOUT || answer.kind == ANSWER_BUSY ||
                           (cecp && answer.kind == ANSWER_HELLO);
        if (about) text_add(&talk->about, "%s\n", line);
        if (about && cecp) take_features(talk, line, on);
        if (about && !cecp) take_about(talk, line);
        if (answer.kind == ANSWER_BUSY) deadline = last;
        if (answer.kind == ANSWER_HELLO) return PROCESS_LINE;
    }
    return PROCESS_FLOOD;
}

static Status not_ready(const Conversation *talk, ProcessRead got, const char *when, Err *err) {
    const char *command = talk->profile.field[PROFILE_COMMAND];
    switch (got) {
    case PROCESS_TIMEOUT:
        return err_set(err, STATUS_ENGINE,
                       "'%s' did not answer %s within %d ms (profile %s): is proto= right? 'paotai "
                       "engine-check' tries it",
                       command, when, talk->profile.start_ms, talk->profile.name);
    case PROCESS_FLOOD:
        return err_set(err, STATUS_ENGINE, "'%s' prints without end %s", command, when);
    default:
        return err_set(err, STATUS_ENGINE, "'%s' does not run %s: %s (profile %s)", command, when,
                       talk->last_words, talk->profile.name);
    }
}

// Does it declare an option of this name (upper and lower case are the same)?
static bool has_option(const Conversation *talk, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = text_get(&talk->options); *at; at += strcspn(at, "\n") + 1) {
        if (strcspn(at, "\n") == length && strncasecmp(at, name, length) == 0) return true;
    }
    return false;
}

// ---- options ---------------------------------------------------------------------------------

static void set_option(Conversation *talk, const char *name, const char *value) {
    PlaceValues values = {0};
    place_set_text(&values, PLACE_NAME, name);
    place_set_text(&values, PLACE_VALUE, value);
    conversation_say(talk, PROFILE_SET_OPTION, &values);
}

static Status shake_hands(Conversation *talk, Err *err) {
    bool on[FEATURE_COUNT] = {false};
    process_set_budget(talk->process, 16 << 20);
    ProcessRead got = PROCESS_END;
    if (conversation_say(talk, PROFILE_HANDSHAKE, NULL)) got = await_hello(talk, on);
    if (got != PROCESS_LINE) return not_ready(talk, got, "in the handshake", err);
    talk->hello_ns = clock_now_ns() - talk->begun_ns;
    if (talk->profile.protocol == PROTOCOL_CECP) settle_features(&talk->profile, on);
    talk->unit = talk->profile.time_unit == TIME_AUTO ? TIME_S : talk->profile.time_unit;
    if (talk->profile.time_unit == TIME_AUTO && has_option(talk, "usemillisec")) {
        talk->unit = TIME_MS;
        set_option(talk, "usemillisec", "true");
    }
    return STATUS_OK;
}

// hash= and threads=, which need a field of the profile to go through.
static Status set_value(Conversation *talk, ProfileField field, const char *key, double number,
                        Err *err) {
    if (number <= 0.0) return STATUS_OK;
    if (!talk->profile.field[field][0]) {
        return err_set(err, STATUS_USAGE, "%s= cannot be set for '%s' (profile %s)", key,
                       talk->profile.field[PROFILE_COMMAND], talk->profile.name);
    }
    char value[32];
    snprintf(value, sizeof value, "%.0f", fmax(1.0, number));
    PlaceValues values = {0};
    place_set_text(&values, PLACE_VALUE, value);
    conversation_say(talk, field, &values);
    return STATUS_OK;
}

static Status set_options(Conversation *talk, const PlayerSpec *spec, Err *err) {
    conversation_say(talk, PROFILE_INIT, NULL);
    if (spec->ponder && has_option(talk, "Ponder")) set_option(talk, "Ponder", "true");
    Status status = set_value(talk, PROFILE_SET_HASH, "hash", spec->hash_mb, err);
    if (status == STATUS_OK) {
        status = set_value(talk, PROFILE_SET_THREADS, "threads", spec->threads, err);
    }
    for (int i = 0; i < spec->option_count && status == STATUS_OK; i++) {
        const PlayerOption *option = &spec->options[i];
        if (talk->options.length && !has_option(talk, option->name)) {
            return err_set(err, STATUS_USAGE, "'%s' has no option '%s'",
                           talk->profile.field[PROFILE_COMMAND], option->name);
        }
        set_option(talk, option->name, option->value);
    }
    if (status != STATUS_OK) return status;
    const ProcessRead got = conversation_sync(talk, conversation_deadline(talk->profile.start_ms));
    return got == PROCESS_LINE ? STATUS_OK
                               : not_ready(talk, got, "after its options were set", err);
}

Status conversation_open(Conversation *talk, const PlayerSpec *spec, Err *err) {
    Status status = start(talk, spec, err);
    if (status != STATUS_OK) return status;
    status = shake_hands(talk, err);
    if (status == STATUS_OK) status = set_options(talk, spec, err);
    if (status != STATUS_OK) conversation_close(talk, false);
    return status;
}
