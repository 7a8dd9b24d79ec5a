// SPDX-License-Identifier: GPL-3.0-or-later
// The inbox of the protocol server: the reader thread, which obeys urgent commands at once, and the
// queue of the other lines, which the worker (the thread that searches) reads.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/system/clock.h"
#include "core/system/in_file.h"
#include "core/uci/uci_internal.h"

// `quit` normally stops a running search at once. But if `quit` arrives before the search or at
// most SCRIPT_MS milliseconds after its start, a script probably wrote `go` and `quit` together and
// wants the answer. Then a search that has a limit may end by itself, within at most SCRIPT_GRACE_S
// seconds. The end of the input without `quit` gives each search this time. With the UCCI option
// batch, a later `quit` gives it, too, if another search is queued. A perft has unlimited time if
// it is expected to end soon, else none (inbox_set_grace()).
enum { SCRIPT_MS = 50, SCRIPT_GRACE_S = 10 };
#define SCRIPT_GRACE_NS (SCRIPT_GRACE_S * INT64_C(1000000000))

void inbox_init(Inbox *inbox) {
    *inbox = (Inbox){.grace_ns = SCRIPT_GRACE_NS};
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&inbox->lock, NULL);
    pthread_cond_init(&inbox->changed, &clock);
    pthread_condattr_destroy(&clock);
}

void inbox_clear(Inbox *inbox) {
    while (inbox->first) {
        InboxLine *line = inbox->first;
        inbox->first = line->next;
        free(line);
    }
    pthread_cond_destroy(&inbox->changed);
    pthread_mutex_destroy(&inbox->lock);
}

// ---- functions whose callers hold the lock --------------------------------------------------

static void append(Inbox *inbox, const char *text, const ProtocolCommand *command, const char *rest,
                   uint64_t number) {
    const size_t size = strlen(text) + 1;
    InboxLine *line = memory_alloc(1, sizeof *line + size);
    line->number = number;
    line->command = command;
    line->rest = (size_t)(rest - text);
    memcpy(line->text, text, size);
    if (inbox->last) {
        inbox->last->next = line;
    } else {
        inbox->first = line;
    }
    inbox->last = line;
}

// Stops the running search if a line that was read, or the end of the input, requires it. With the
// UCCI option batch, `stop` does not stop a search that has a limit.
static void update_stop(Inbox *inbox) {
    const bool unbounded = inbox->endless || inbox->pondering;
    const bool commanded = inbox->stop_number > inbox->running && (unbounded || !inbox->batch);
    // A queued command, or the end of the program, must not wait for a search that may never end,
    // so stop this search.
    const bool implied = unbounded && (inbox->queue_number > inbox->running || inbox->ended);
    if (inbox->running && (commanded || implied || inbox->out_of_time)) {
        atomic_store(&inbox->stop, true);
    }
}

static void update_clock(Inbox *inbox) {
    if (!inbox->running || !inbox->pondering || inbox->hit_number < inbox->running) return;
    inbox->pondering = false;
    atomic_store(&inbox->clock_start_ns, clock_now_ns());
}

// Executes the part of a command that cannot wait. Returns false if the line must also be queued
// for the worker. Sets *ready if the caller must send `readyok` without the lock: if nobody reads
// our output, sending blocks, and the search must not wait for it.
static bool obey_urgent(Inbox *inbox, const ProtocolCommand *command, const char *rest,
                        uint64_t number, bool *ready) {
    const bool busy = inbox->goes_pending > 0;
    switch (command->urgency) {
    case URGENT_STOP:
        inbox->stop_number = number;
        return busy;
    case URGENT_QUIT:
        inbox->ended = inbox->quit = true;
        if (inbox->running && clock_now_ns() - inbox->begun_ns > SCRIPT_MS * MS_NS &&
            (!inbox->batch || inbox->goes_pending == 1)) {
            inbox->out_of_time = true;
        }
        return false;
    case URGENT_PONDERHIT:
        inbox->hit_number = number;
        inbox->draw_offered = take_word(&rest, "draw");
        return true;
    case URGENT_ISREADY:
        *ready = busy;
        return busy;
    case QUEUED_SEARCH:
        inbox->goes_pending++; // fall through
    case QUEUED:
        inbox->queue_number = number;
        break;
    }
    return false;
}

// Waits until the condition `changed` is signalled, at most until until_ns (clock_now_ns()).
static void wait_until(Inbox *inbox, int64_t until_ns) {
    const struct timespec until = {.tv_sec = until_ns / 1000000000,
                                   .tv_nsec = until_ns % 1000000000};
    pthread_cond_timedwait(&inbox->changed, &inbox->lock, &until);
}

// After the end of the input or `quit`, waits for the end of all searches, and stops those that
// take longer than their grace. An interface that has crashed thus leaves no search.
static void grant_grace(Inbox *inbox) {
    const int64_t ended_ns = clock_now_ns();
    // After `quit`, all searches together have SCRIPT_GRACE_S seconds. Without `quit`, and in batch
    // mode, the input may be a list of positions, so each search has this time.
    while (inbox->goes_pending > 0) {
        const bool each = inbox->batch || !inbox->quit;
        const bool later = each && inbox->running && inbox->begun_ns > ended_ns;
        const bool unlimited = inbox->grace_ns == INT64_MAX;
        const int64_t begun_ns = later ? inbox->begun_ns : ended_ns;
        const int64_t until_ns = unlimited ? INT64_MAX : begun_ns + inbox->grace_ns;
        const bool over = clock_now_ns() >= until_ns;
        if (over && inbox->running) atomic_store(&inbox->stop, true);
        if (over && !each) inbox->out_of_time = true;
        if (over || unlimited) {
            pthread_cond_wait(&inbox->changed, &inbox->lock);
        } else {
            wait_until(inbox, until_ns);
        }
    }
}

// ---- the reader thread ----------------------------------------------------------------------

void *inbox_read(void *context) {
    Server *server = context;
    Inbox *inbox = &server->inbox;
    LineReader reader = {.file = server->in, .name = "the protocol input"};
    bool ended = false;
    while (!ended && line_reader_next(&reader)) {
        const char *text = reader.line, *rest = text;
        server_log(server, '>', text);
        pthread_mutex_lock(&inbox->lock);
        const ProtocolCommand *command = protocol_find(text, &rest);
        const uint64_t number = ++inbox->count;
        bool ready = false;
        if (!command || !obey_urgent(inbox, command, rest, number, &ready)) {
            append(inbox, text, command, rest, number);
        }
        update_stop(inbox);
        update_clock(inbox);
        pthread_cond_broadcast(&inbox->changed);
        ended = inbox->ended;
        pthread_mutex_unlock(&inbox->lock);
        if (ready) server_say(server, "readyok");
    }
    line_reader_close(&reader, NULL);
    pthread_mutex_lock(&inbox->lock);
    inbox->ended = true;
    update_stop(inbox);
    pthread_cond_broadcast(&inbox->changed);
    grant_grace(inbox);
    pthread_mutex_unlock(&inbox->lock);
    return NULL;
}

// ---- functions of the worker ----------------------------------------------------------------

InboxLine *inbox_next(Inbox *inbox) {
    pthread_mutex_lock(&inbox->lock);
    while (!inbox->first && !inbox->ended) pthread_cond_wait(&inbox->changed, &inbox->lock);
    InboxLine *line = inbox->first;
    if (line) {
        inbox->first = line->next;
        if (!inbox->first) inbox->last = NULL;
    }
    pthread_mutex_unlock(&inbox->lock);
    return line;
}

void inbox_search_begin(Inbox *inbox, uint64_t number, bool infinite, bool endless,
                        bool pondering) {
    pthread_mutex_lock(&inbox->lock);
    inbox->running = number;
    inbox->begun_ns = clock_now_ns();
    inbox->infinite = infinite;
    inbox->endless = endless;
    inbox->pondering = pondering;
    inbox->grace_ns = SCRIPT_GRACE_NS;
    atomic_store(&inbox->stop, false);
    atomic_store(&inbox->clock_start_ns, pondering ? 0 : clock_now_ns());
    update_stop(inbox);
    update_clock(inbox);
    pthread_cond_broadcast(&inbox->changed); // grant_grace() computes when this search must end
    pthread_mutex_unlock(&inbox->lock);
}

bool inbox_search_wait(Inbox *inbox) {
    pthread_mutex_lock(&inbox->lock);
    while ((inbox->infinite || inbox->pondering) && !atomic_load(&inbox->stop)) {
        pthread_cond_wait(&inbox->changed, &inbox->lock);
    }
    const bool offered = inbox->hit_number > inbox->running && inbox->draw_offered;
    pthread_mutex_unlock(&inbox->lock);
    return offered;
}

void inbox_search_end(Server *server, const char *answer) {
    Inbox *inbox = &server->inbox;
    // The engine becomes idle before the answer is sent, because a GUI that has read the answer may
    // send a stop for its next search. The answer is sent without the lock, so that the reader
    // thread continues even if nobody reads our output.
    pthread_mutex_lock(&inbox->lock);
    inbox->running = 0;
    inbox->grace_ns = SCRIPT_GRACE_NS;
    inbox->goes_pending--;
    pthread_cond_broadcast(&inbox->changed);
    pthread_mutex_unlock(&inbox->lock);
    server_say(server, "%s", answer);
}

void inbox_set_batch(Inbox *inbox, bool batch) {
    pthread_mutex_lock(&inbox->lock);
    inbox->batch = batch;
    pthread_mutex_unlock(&inbox->lock);
}

void inbox_set_grace(Inbox *inbox, bool unlimited) {
    pthread_mutex_lock(&inbox->lock);
    inbox->grace_ns = unlimited ? INT64_MAX : 0;
    pthread_cond_broadcast(&inbox->changed);
    pthread_mutex_unlock(&inbox->lock);
}
