// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ranks.h"

#ifdef PAOTAI_MPI

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/version.h"

// Kinds of this module's own.
enum {
    KIND_COMMAND = RANK_KIND_MAX, // 0 -> all: the words, each with its zero byte
    KIND_END,                     // 0 -> all: the command is over
    KIND_QUIT,                    // 0 -> all: so is the program
    KIND_LEFT,                    // -> 0: out of the command
    KIND_FAILED,                  // -> 0: a FailedHead and the text
    KIND_INTERRUPT,               // to all: an int, the signal's number
    KIND_SHARE,                   // 0 -> all
    KIND_COLLECT,                 // -> 0
};

// What a rank tells of itself at the start.
typedef struct Hello {
    char name[80], build[120];
} Hello;

// A message on its way: MPI wants its bytes until it has gone.
typedef struct Sending {
    MPI_Request request;
    void *bytes;
    struct Sending *next;
} Sending;

// A message that comes, or has come.
typedef struct Receiving {
    RankMessage message; // first: it is what is given away
    MPI_Request request; // MPI_REQUEST_NULL: it is there
    struct Receiving *next;
} Receiving;

// MPI is one for the whole process, and so is this.
static struct {
    pthread_mutex_t lock; // of all below, and of every call of MPI
    int count, self;
    Hello *hellos;                 // [count] at rank 0, else [1]: its own
    Receiving *inbox, **inbox_end; // in the order they were sent, of each rank
    Sending *sending;
    bool joint; // all ranks run the command
    bool ended; // rank 0 has left the command
    bool told;  // an interrupt, to the others
} ranks = {.lock = PTHREAD_MUTEX_INITIALIZER, .count = 1, .inbox_end = &ranks.inbox};

static void lock(void) {
    pthread_mutex_lock(&ranks.lock);
}

static void unlock(void) {
    pthread_mutex_unlock(&ranks.lock);
}

bool ranks_launched(void) {
    int started = 0;
    return MPI_Initialized(&started) == MPI_SUCCESS && started;
}

int rank_count(void) {
    return ranks.joint ? ranks.count : 1;
}

int rank_self(void) {
    return ranks.self;
}

const char *rank_name(int rank) {
    return ranks.count == 1 ? "" : ranks.hellos[ranks.self == 0 ? rank : 0].name;
}

// ---- start and end ------------------------------------------------------------------------------

// What launchers set for the processes they start; a program that a rank starts must not take
// itself for that rank.
static const char *const launcher_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
enum { LAUNCHER_VARIABLES = sizeof launcher_variables / sizeof *launcher_variables };

static void quit(const char *why, const char *what) {
    fprintf(stderr, "paotai: %s%s\n", why, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void exchange_hellos(void) {
    Hello self = {.name = ""};
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(self.name, sizeof self.name, "%.63s:%d", host, ranks.self);
    snprintf(self.build, sizeof self.build, "%s", version_revision());
    ranks.hellos = memory_alloc(ranks.self == 0 ? (size_t)ranks.count : 1, sizeof self);
    ranks.hellos[0] = self;
    MPI_Gather(&self, (int)sizeof self, MPI_BYTE, ranks.hellos, (int)sizeof self, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    for (int i = 1; ranks.self == 0 && i < ranks.count; i++) {
        if (strcmp(ranks.hellos[i].build, self.build) == 0) continue;
        quit("another revision of the program runs as ", ranks.hellos[i].name);
    }
}

void ranks_start(void) {
    bool launched = false;
    for (int i = 0; i < LAUNCHER_VARIABLES; i++) launched |= getenv(launcher_variables[i]) != NULL;
    if (!launched) return;
    const pid_t parent = getppid();
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) quit("this MPI serves one thread only", "");
    for (int i = 0; i < LAUNCHER_VARIABLES; i++) unsetenv(launcher_variables[i]);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.self);
    // A launcher that was killed takes its ranks along.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);
    exchange_hellos();
}

// ---- messages -----------------------------------------------------------------------------------

void rank_message_clear(RankMessage *message) {
    if (!message) return;
    free(message->bytes);
    free(message);
}

void rank_nap(RankNap *nap, bool busy) {
    enum { SHORTEST_NS = 50000, LONGEST_NS = 4000000 };
    nap->ns = busy || !nap->ns ? SHORTEST_NS : nap->ns < LONGEST_NS ? 2 * nap->ns : LONGEST_NS;
    if (!busy) nanosleep(&(struct timespec){.tv_nsec = nap->ns}, NULL);
}

static void forget_sent(void) {
    for (Sending **at = &ranks.sending; *at;) {
        Sending *sending = *at;
        int done = 0;
        MPI_Test(&sending->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &sending->next;
            continue;
        }
        *at = sending->next;
        free(sending->bytes);
        free(sending);
    }
}

static void send_locked(int to, int kind, const void *bytes, size_t size) {
    assert(to != ranks.self);
    if (size > INT_MAX) quit("a message is too long for MPI", "");
    Sending *sending = memory_alloc(1, sizeof *sending);
    sending->bytes = memory_alloc(size + 1, 1);
    if (size) memcpy(sending->bytes, bytes, size);
    MPI_Isend(sending->bytes, (int)size, MPI_BYTE, to, kind, MPI_COMM_WORLD, &sending->request);
    sending->next = ranks.sending;
    ranks.sending = sending;
    forget_sent();
}

static void send_all_locked(int kind, const void *bytes, size_t size) {
    for (int to = 0; to < ranks.count; to++) {
        if (to != ranks.self) send_locked(to, kind, bytes, size);
    }
}

void rank_send(int to, int kind, const void *bytes, size_t size) {
    lock();
    send_locked(to, kind, bytes, size);
    unlock();
}

void rank_send_all(int kind, const void *bytes, size_t size) {
    lock();
    send_all_locked(kind, bytes, size);
    unlock();
}

// Begins to receive what has been sent. Large messages take some rounds: nobody waits for them.
static void begin_receiving(void) {
    for (int there = 1; there;) {
        MPI_Status envelope;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &envelope);
        if (!there) break;
        int size = 0;
        MPI_Get_count(&envelope, MPI_BYTE, &size);
        Receiving *receiving = memory_alloc(1, sizeof *receiving);
        RankMessage *message = &receiving->message;
        message->from = envelope.MPI_SOURCE;
        message->kind = envelope.MPI_TAG;
        message->size = (size_t)size;
        message->bytes = memory_alloc((size_t)size + 1, 1);
        MPI_Irecv(message->bytes, size, MPI_BYTE, message->from, message->kind, MPI_COMM_WORLD,
                  &receiving->request);
        *ranks.inbox_end = receiving;
        ranks.inbox_end = &receiving->next;
    }
}

static bool has_come(Receiving *receiving) {
    int done = 1;
    if (receiving->request != MPI_REQUEST_NULL) {
        MPI_Test(&receiving->request, &done, MPI_STATUS_IGNORE);
    }
    return done;
}

// An earlier message of the same rank is still on its way.
static bool comes_behind(const Receiving *receiving) {
    for (const Receiving *at = ranks.inbox; at != receiving; at = at->next) {
        if (at->message.from == receiving->message.from && at->request != MPI_REQUEST_NULL) {
            return true;
        }
    }
    return false;
}

static RankMessage *take_at(Receiving **at) {
    Receiving *receiving = *at;
    *at = receiving->next;
    if (!*at) ranks.inbox_end = at;
    return &receiving->message;
}

// The first message of this rank, or the first of all; a failure is everybody's.
static RankMessage *take(int from) {
    for (Receiving **at = &ranks.inbox; *at; at = &(*at)->next) {
        const RankMessage *message = &(*at)->message;
        const bool wanted =
            from == RANK_ANY || message->from == from || message->kind == KIND_FAILED;
        if (wanted && has_come(*at) && !comes_behind(*at)) return take_at(at);
    }
    return NULL;
}

// An interrupt goes round: whoever hears of one tells the others.
static void pass_interrupt_on(void) {
    for (Receiving **at = &ranks.inbox; *at;) {
        if ((*at)->message.kind != KIND_INTERRUPT || !has_come(*at)) {
            at = &(*at)->next;
            continue;
        }
        RankMessage *message = take_at(at);
        int number;
        memcpy(&number, message->bytes, sizeof number);
        interrupt_relay(number);
        rank_message_clear(message);
    }
    if (!interrupt_requested() || ranks.told) return;
    ranks.told = true;
    const int number = interrupt_exit_status() - 128;
    send_all_locked(KIND_INTERRUPT, &number, sizeof number);
}

static void pump(void) {
    forget_sent();
    begin_receiving();
    pass_interrupt_on();
}

static RankMessage *next_message(int from, bool wait) {
    for (RankNap nap = {0};; rank_nap(&nap, false)) {
        lock();
        pump();
        RankMessage *message = take(from);
        unlock();
        if (message || !wait) return message;
    }
}

typedef struct FailedHead {
    Status status;
} FailedHead;

static Status other_failed(const RankMessage *message, int *err_from, Err *err) {
    FailedHead head;
    memcpy(&head, message->bytes, sizeof head);
    if (err_from) *err_from = message->from;
    return err_set(err, head.status, "%s: %.*s", rank_name(message->from),
                   (int)(message->size - sizeof head), (const char *)message->bytes + sizeof head);
}

Status rank_receive(int from, bool wait, RankMessage **message, int *err_from, Err *err) {
    Status status = STATUS_OK;
    *message = NULL;
    if (rank_count() == 1) return STATUS_OK;
    lock();
    const bool ended = ranks.ended;
    unlock();
    if (!ended) *message = next_message(from, wait);
    if (ended || (*message && (*message)->kind == KIND_END)) {
        lock();
        ranks.ended = true;
        unlock();
        status = err_set(err, STATUS_ENDED, "%s", "");
    } else if (*message && (*message)->kind == KIND_FAILED) {
        status = other_failed(*message, err_from, err);
    }
    if (status != STATUS_OK) {
        rank_message_clear(*message);
        *message = NULL;
    }
    return status;
}

Status ranks_share(void *bytes, size_t size, Err *err) {
    if (rank_count() == 1) return STATUS_OK;
    if (ranks.self == 0) {
        rank_send_all(KIND_SHARE, bytes, size);
        return STATUS_OK;
    }
    RankMessage *message;
    const Status status = rank_receive(0, true, &message, NULL, err);
    if (status != STATUS_OK) return status;
    assert(message->kind == KIND_SHARE && message->size == size);
    if (size) memcpy(bytes, message->bytes, size);
    rank_message_clear(message);
    return STATUS_OK;
}

Status ranks_collect(const void *bytes, size_t size, RankTake *take_bytes, void *context,
                     Err *err) {
    if (ranks.self != 0) {
        rank_send(0, KIND_COLLECT, bytes, size);
        return STATUS_OK;
    }
    Status status = take_bytes(context, 0, bytes, size, err);
    for (int rank = 1; rank < rank_count() && status == STATUS_OK; rank++) {
        RankMessage *message;
        status = rank_receive(rank, true, &message, NULL, err);
        if (status != STATUS_OK) break;
        assert(message->kind == KIND_COLLECT);
        status = take_bytes(context, rank, message->bytes, message->size, err);
        rank_message_clear(message);
    }
    return status;
}

// ---- commands -----------------------------------------------------------------------------------

void ranks_command_begin(const char *name, int argc, char **argv) {
    if (ranks.count == 1 || ranks.self != 0) return;
    Text words = {0};
    text_add_bytes(&words, name, strlen(name) + 1);
    for (int i = 0; i < argc; i++) text_add_bytes(&words, argv[i], strlen(argv[i]) + 1);
    rank_send_all(KIND_COMMAND, words.data, words.length);
    text_clear(&words);
    ranks.joint = true;
}

void ranks_command_end(void) {
    if (ranks.count == 1 || ranks.self != 0) return;
    rank_send_all(KIND_END, NULL, 0);
    for (int left = 1; left < ranks.count;) {
        RankMessage *message = next_message(RANK_ANY, true);
        left += message->kind == KIND_LEFT;
        rank_message_clear(message);
    }
    ranks.joint = false;
}

// The last line of what a command has said, for rank 0 to tell.
static void tell_failure(const char *name, int exit_status, char *said) {
    char *line = said ? said : "", prefix[80];
    const FailedHead head = {interrupt_requested() ? STATUS_INTERRUPTED
                             : exit_status == 2    ? STATUS_USAGE
                                                   : STATUS_BAD_INPUT};
    size_t length = strlen(line);
    while (length && line[length - 1] == '\n') line[--length] = '\0';
    if (strrchr(line, '\n')) line = strrchr(line, '\n') + 1;
    // Rank 0 says this itself.
    snprintf(prefix, sizeof prefix, "paotai %s: ", name);
    if (strncmp(line, prefix, strlen(prefix)) == 0) line += strlen(prefix);
    Text text = {0};
    text_add_bytes(&text, &head, sizeof head);
    text_add(&text, "%s", line);
    rank_send(0, KIND_FAILED, text.data, text.length);
    text_clear(&text);
}

static void serve_command(const RankMessage *message, RankCommand *run) {
    enum { WORDS_MAX = 4096 };
    char *words[WORDS_MAX + 1] = {NULL}, *said = NULL;
    int count = 0;
    size_t size = 0;
    for (char *at = (char *)message->bytes, *end = at + message->size;
         at < end && count < WORDS_MAX; at += strlen(at) + 1) {
        words[count++] = at;
    }
    FILE *out = fopen("/dev/null", "w"), *err = open_memstream(&said, &size);
    if (!out || !err) quit("cannot open a stream: ", rank_name(ranks.self));
    ranks.joint = true;
    const int status = run(words[0], count - 1, words + 1, out, err);
    ranks.joint = false;
    fclose(out);
    fclose(err);
    if (status != 0) tell_failure(words[0], status, said);
    free(said);
    for (bool ended = ranks.ended; !ended;) {
        RankMessage *late = next_message(RANK_ANY, true);
        ended = late->kind == KIND_END;
        rank_message_clear(late);
    }
    ranks.ended = false;
    rank_send(0, KIND_LEFT, NULL, 0);
}

// Nobody goes before what was sent has arrived.
static void leave(void) {
    for (RankNap nap = {0}; ranks.sending; rank_nap(&nap, false)) forget_sent();
    MPI_Finalize();
}

void ranks_serve(RankCommand *run) {
    for (bool more = true; more;) {
        RankMessage *message = next_message(RANK_ANY, true);
        if (message->kind == KIND_COMMAND) serve_command(message, run);
        more = message->kind != KIND_QUIT;
        rank_message_clear(message);
    }
    leave();
}

int ranks_end(int exit_status) {
    if (!ranks_launched()) return exit_status;
    rank_send_all(KIND_QUIT, NULL, 0);
    leave();
    free(ranks.hellos);
    return exit_status;
}

#endif
