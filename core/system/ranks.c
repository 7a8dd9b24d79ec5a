// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system/ranks.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/system/clock.h"
#include "core/system/interrupt.h"
#include "core/system/version.h"

// Kinds of messages between MPI ranks (processes) that this module sends.
enum {
    // Message from MPI rank 0 to all others: the words of the command to run, each followed by a
    // zero byte. A message without words tells the receiving process to end.
    KIND_COMMAND = RANK_KIND_MAX,
    KIND_END,     // message from MPI rank 0 to all others: the command has ended
    KIND_LEFT,    // message from any MPI rank to rank 0: the sender has ended the command
    KIND_FAILED,  // message from any MPI rank to rank 0: the command failed at the sender. Its
                  // bytes are a Status and an error text
    KIND_SHARE,   // message from MPI rank 0 to all others: the bytes that it passed to
                  // ranks_share()
    KIND_COLLECT, // message from any MPI rank to rank 0: bytes of the sender, see ranks_collect()
    // The following kinds are messages of one int that the receiver's signal thread handles.
    KIND_INTERRUPT, // message from any MPI rank to all others: the number of a Unix signal that
                    // this or another rank received
    KIND_STOP,      // message from MPI rank 0 to all others: rank 0 called ranks_stop()
};

// Data of one MPI rank. Each rank keeps these data about all ranks, including itself. The ranks
// exchange names and build ids at the start.
typedef struct Peer {
    char name[80], build[120]; // the name "HOST:RANK", and the build id (version_build()) of the
                               // rank's program
} Peer;

// State of this module. It is global because MPI is global to the process.
static struct {
    int count, self;
    Peer *peers; // array of `count` entries, one for each MPI rank
    bool launched;
    bool joint; // true while all MPI ranks work together on the current command
    bool ended; // true if rank 0 has ended the current command
    bool told;  // rank 0 has said what to do when a rank dies
    atomic_bool stopped, closing;
    pthread_t signal_thread;
} ranks = {.count = 1};

// ---- OpenMP -------------------------------------------------------------------------------------

// Smallest allowed stack of a thread in KB. Searches and fits need about 100 KB.
enum { STACK_LEAST_KB = 1024 };

// Reads a size in the format of OMP_STACKSIZE: a number and a unit B, K, M or G; without a unit it
// is in K. Returns kilobytes, or -1 if the format is wrong, in which case OpenMP ignores the
// variable.
static double stack_kb(const char *text) {
    static const char units[] = "BKMG";
    char *end;
    double kb = strtod(text, &end);
    end += strspn(end, " \t");
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : units + 1;
    if (end == text || !unit || (*end && end[1 + strspn(end + 1, " \t")])) return -1;
    if (unit == units) return kb / 1024;
    for (const char *at = units + 1; at < unit; at++) kb *= 1024;
    return kb;
}

// Sets the environment variable `name`, a stack size of OpenMP's threads, to STACK_LEAST_KB if its
// value is smaller. Returns true if the variable changed.
static bool raise_stack(const char *name) {
    const char *text = getenv(name);
    const double kb = text ? stack_kb(text) : -1;
    if (kb < 0 || kb >= STACK_LEAST_KB) return false;
    char least[24];
    snprintf(least, sizeof least, "%dK", STACK_LEAST_KB);
    return setenv(name, least, 1) == 0;
}

// Sets OMP_WAIT_POLICY to passive if the command line has --threads or --options and the user has
// not set a policy. On a busy machine, threads that spin while they wait cost a third of the
// processor time of `tune --threads 2`.
static bool wait_passively(int argc, char **argv) {
    bool threads = false;
    for (int i = 1; i < argc; i++) {
        // The file of --options may contain the option --threads.
        threads = threads || strncmp(argv[i], "--threads", 9) == 0 ||
                  strncmp(argv[i], "--options", 9) == 0;
    }
    if (!threads || getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return false;
    return setenv("OMP_WAIT_POLICY", "passive", 1) == 0;
}

void openmp_prepare(int argc, char **argv) {
    char path[4096];
    bool changed = wait_passively(argc, argv);
    changed |= raise_stack("OMP_STACKSIZE");
    changed |= raise_stack("GOMP_STACKSIZE");
    if (!changed) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = '\0';
    execv(path, argv);
}

// ---- MPI ----------------------------------------------------------------------------------------

#ifdef PAOTAI_MPI

#include <mpi.h>

// Communicator of the signal threads. All other messages use MPI_COMM_WORLD.
static MPI_Comm signals_comm;

static void quit(const char *why, const char *what) {
    fprintf(stderr, "paotai: %s%s\n", why, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

// Sleeps between two checks for a message, longer each time, up to a limit. MPI's own waiting
// functions would keep a processor busy.
static void sleep_longer(long *ns) {
    enum { SHORTEST_NS = 20000, LONGEST_NS = 500000 };
    *ns = *ns < SHORTEST_NS ? SHORTEST_NS : *ns < LONGEST_NS ? 2 * *ns : LONGEST_NS;
    nanosleep(&(struct timespec){.tv_nsec = *ns}, NULL);
}

static void finish(MPI_Request *request) {
    for (long ns = 0;; sleep_longer(&ns)) {
        int done;
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) return;
    }
}

void rank_send(int to, int kind, const void *bytes, size_t size) {
    MPI_Request request;
    if (size > INT_MAX) quit("a message is too long for MPI", "");
    MPI_Isend(bytes, (int)size, MPI_BYTE, to, kind, MPI_COMM_WORLD, &request);
    finish(&request);
}

// Receives a message of kind `kind` (or MPI_ANY_TAG) from rank `from` (or MPI_ANY_SOURCE). Returns
// NULL if no such message has arrived.
static RankMessage *take_message(int from, int kind) {
    MPI_Message coming;
    MPI_Status envelope;
    MPI_Request request;
    int pending, size;
    MPI_Improbe(from, kind, MPI_COMM_WORLD, &pending, &coming, &envelope);
    if (!pending) return NULL;
    MPI_Get_count(&envelope, MPI_BYTE, &size);
    RankMessage *message = memory_alloc(1, sizeof *message);
    *message = (RankMessage){envelope.MPI_SOURCE, envelope.MPI_TAG,
                             memory_alloc((size_t)size + 1, 1), (size_t)size};
    MPI_Imrecv(message->bytes, size, MPI_BYTE, &coming, &request);
    finish(&request);
    return message;
}

// Waits for the next message of rank `from` or, with RANK_ANY, of any rank. A message KIND_FAILED
// of any other rank is returned, too.
static RankMessage *next_message(int from) {
    for (long ns = 0;; sleep_longer(&ns)) {
        RankMessage *message = take_message(from == RANK_ANY ? MPI_ANY_SOURCE : from, MPI_ANY_TAG);
        if (!message) message = take_message(MPI_ANY_SOURCE, KIND_FAILED);
        if (message) return message;
    }
}

static void signal_all(int kind, int number) {
    for (int to = 0; to < ranks.count; to++) {
        if (to != ranks.self) MPI_Send(&number, 1, MPI_INT, to, kind, signals_comm);
    }
}

static void receive_signals(void) {
    for (int pending = 1; pending;) {
        MPI_Status envelope;
        int number;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, signals_comm, &pending, &envelope);
        if (!pending) return;
        const int kind = envelope.MPI_TAG;
        MPI_Recv(&number, 1, MPI_INT, envelope.MPI_SOURCE, kind, signals_comm, MPI_STATUS_IGNORE);
        if (kind == KIND_STOP) atomic_store(&ranks.stopped, true);
        if (kind == KIND_INTERRUPT) interrupt_relay(number);
    }
}

static void *run_signal_thread(void *unused) {
    const struct timespec beat = {.tv_nsec = 5 * MS_NS};
    for (bool passed = false; !atomic_load(&ranks.closing); nanosleep(&beat, NULL)) {
        receive_signals();
        if (!interrupt_requested() || passed) continue;
        signal_all(KIND_INTERRUPT, interrupt_exit_status() - 128);
        passed = true;
    }
    return unused;
}

static void meet(void) {
    Peer self = {.name = ""};
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(self.name, sizeof self.name, "%.63s:%d", host, ranks.self);
    snprintf(self.build, sizeof self.build, "%s", version_build());
    ranks.peers = memory_alloc((size_t)ranks.count, sizeof self);
    MPI_Allgather(&self, (int)sizeof self, MPI_BYTE, ranks.peers, (int)sizeof self, MPI_BYTE,
                  MPI_COMM_WORLD);
    for (int i = 0; i < ranks.count; i++) {
        if (strcmp(ranks.peers[i].build, self.build) == 0) continue;
        quit("all ranks must run the same build of the program; another build runs as ",
             ranks.peers[i].name);
    }
}

void ranks_start(void) {
    // MPI launchers set these environment variables for the processes (ranks) that they start. They
    // are unset below, because otherwise a program that a rank starts would take itself for a rank.
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    enum { VARIABLES = sizeof variables / sizeof *variables };
    bool launched = false;
    for (int i = 0; i < VARIABLES; i++) launched |= getenv(variables[i]) != NULL;
    if (!launched) return;
    ranks.launched = true;
    const pid_t parent = getppid();
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) quit("this MPI does not support MPI_THREAD_MULTIPLE", "");
    for (int i = 0; i < VARIABLES; i++) unsetenv(variables[i]);
    MPI_Comm_dup(MPI_COMM_WORLD, &signals_comm);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.self);
    // The kernel kills this process when the launcher dies.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);
    meet();
    if (pthread_create(&ranks.signal_thread, NULL, run_signal_thread, NULL) != 0) {
        quit("cannot start the signal thread", "");
    }
}

static void leave(void) {
    atomic_store(&ranks.closing, true);
    pthread_join(ranks.signal_thread, NULL);
    MPI_Finalize();
    free(ranks.peers);
}

#else

void rank_send(int to, int kind, const void *bytes, size_t size) {
    (void)to, (void)kind, (void)bytes, (void)size;
}
static RankMessage *next_message(int from) {
    (void)from;
    return NULL;
}
static void signal_all(int kind, int number) {
    (void)kind, (void)number;
}
void ranks_start(void) {}
static void leave(void) {}

#endif

bool ranks_launched(void) {
    return ranks.launched;
}

void ranks_warn_separate(void) {
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *self = getenv("SLURM_PROCID");
    if (ranks.launched || !tasks || atoi(tasks) < 2 || !self || strcmp(self, "0") != 0) return;
    fprintf(stderr,
            "paotai: each of the %s tasks repeats the whole work. To share the work, "
            "build with 'make MPI=1 all' and start 'srun --mpi=pmix build/mpi/paotai'\n",
            tasks);
}

int mpi_size(void) {
    return ranks.joint ? ranks.count : 1;
}

int mpi_rank(void) {
    return ranks.self;
}

void ranks_alone(bool alone) {
    ranks.joint = ranks.count > 1 && !alone;
}

// ---- messages between ranks ---------------------------------------------------------------------

void rank_message_clear(RankMessage *message) {
    if (!message) return;
    free(message->bytes);
    free(message);
}

static void send_all(int kind, const void *bytes, size_t size) {
    for (int to = 1; to < ranks.count; to++) rank_send(to, kind, bytes, size);
}

Status rank_receive(int from, RankMessage **message, Err *err) {
    *message = ranks.ended ? NULL : next_message(from);
    ranks.ended = !*message || (*message)->kind == KIND_END;
    if (ranks.ended) return err_set(err, STATUS_ENDED, "%s", "");
    if ((*message)->kind != KIND_FAILED) return STATUS_OK;
    Status status;
    memcpy(&status, (*message)->bytes, sizeof status);
    return err_set(err, status, "%s: %s", ranks.peers[(*message)->from].name,
                   (char *)(*message)->bytes + sizeof status);
}

Status ranks_share_text(Text *text, Err *err) {
    if (ranks.self == 0) {
        if (mpi_size() > 1) send_all(KIND_SHARE, text->data, text->length);
        return STATUS_OK;
    }
    AUTO_POINTER(RankMessage) message = NULL;
    TRY(rank_receive(0, &message, err));
    assert(message->kind == KIND_SHARE);
    text_reset(text);
    text_add_bytes(text, message->bytes, message->size);
    return STATUS_OK;
}

Status ranks_share(void *bytes, size_t size, Err *err) {
    AUTO(Text) text = {0};
    text_add_bytes(&text, bytes, size);
    TRY(ranks_share_text(&text, err));
    assert(text.length == size);
    if (size) memcpy(bytes, text.data, size);
    return STATUS_OK;
}

Status ranks_collect(const void *bytes, size_t size, RankTake *take, void *context, Err *err) {
    if (ranks.self != 0) {
        rank_send(0, KIND_COLLECT, bytes, size);
        return STATUS_OK;
    }
    if (take) TRY(take(context, 0, bytes, size, err));
    for (int from = 1; from < mpi_size(); from++) {
        AUTO_POINTER(RankMessage) message = NULL;
        TRY(rank_receive(from, &message, err));
        assert(message->kind == KIND_COLLECT);
        if (take) TRY(take(context, from, message->bytes, message->size, err));
    }
    return STATUS_OK;
}

int ranks_end(int exit_status) {
    if (!ranks.launched) return exit_status;
    send_all(KIND_COMMAND, NULL, 0);
    leave();
    return exit_status;
}

// ---- commands on all ranks ----------------------------------------------------------------------

void ranks_stop(void) {
    if (mpi_size() > 1 && ranks.self == 0) signal_all(KIND_STOP, 0);
}

bool ranks_stopped(void) {
    return atomic_load(&ranks.stopped);
}

void ranks_command_begin(const char *name, bool resumes, int argc, char **argv) {
    atomic_store(&ranks.stopped, false);
    if (ranks.count == 1 || ranks.self != 0) return;
    if (!ranks.told) {
        fprintf(
            stderr,
            "paotai: %d MPI ranks; if one of them or the launcher dies, all end, and the launcher "
            "names rank and host of the first: then %s\n",
            ranks.count, resumes ? "continue with --resume" : "start the command again");
        ranks.told = true;
    }
    AUTO(Text) words = {0};
    text_add_bytes(&words, name, strlen(name) + 1);
    for (int i = 0; i < argc; i++) text_add_bytes(&words, argv[i], strlen(argv[i]) + 1);
    send_all(KIND_COMMAND, words.data, words.length);
    ranks.joint = true;
}

void ranks_command_end(void) {
    if (ranks.count == 1 || ranks.self != 0) return;
    send_all(KIND_END, NULL, 0);
    for (int left = 1; left < ranks.count;) {
        AUTO_POINTER(RankMessage) message = next_message(RANK_ANY);
        left += message->kind == KIND_LEFT;
    }
    ranks.joint = false;
}

// Sends rank 0 the last line of `said`, the error output of a failed command. The command's name is
// left out, because rank 0 adds it again.
static void send_failure(const char *name, int exit_status, char *said) {
    char *line = said ? said : "", prefix[80];
    const Status status = interrupt_requested() ? STATUS_INTERRUPTED
                          : exit_status == 2    ? STATUS_USAGE
                                                : STATUS_BAD_INPUT;
    size_t length = strlen(line);
    while (length && line[length - 1] == '\n') line[--length] = '\0';
    if (strrchr(line, '\n')) line = strrchr(line, '\n') + 1;
    snprintf(prefix, sizeof prefix, "paotai %s: ", name);
    if (strncmp(line, prefix, strlen(prefix)) == 0) line += strlen(prefix);
    AUTO(Text) text = {0};
    text_add_bytes(&text, &status, sizeof status);
    text_add_bytes(&text, line, strlen(line) + 1);
    rank_send(0, KIND_FAILED, text.data, text.length);
}

static void serve_command(const RankMessage *message, RankCommand *run) {
    enum { WORDS_MAX = 4096 };
    char *words[WORDS_MAX + 1] = {NULL}, *said = NULL;
    char *at = (char *)message->bytes, *const end = at + message->size;
    int count = 0;
    size_t size = 0;
    for (; at < end && count < WORDS_MAX; at += strlen(at) + 1) words[count++] = at;
    FILE *out = fopen("/dev/null", "w"), *err = open_memstream(&said, &size);
    ranks.joint = true;
    const int status = out && err ? run(words[0], count - 1, words + 1, out, err) : 1;
    ranks.joint = false;
    if (out) fclose(out);
    if (err) fclose(err);
    if (status != 0) send_failure(words[0], status, said);
    free(said);
    while (!ranks.ended) {
        AUTO_POINTER(RankMessage) late = NULL;
        rank_receive(RANK_ANY, &late, NULL);
    }
    ranks.ended = false;
    rank_send(0, KIND_LEFT, NULL, 0);
}

void ranks_serve(RankCommand *run) {
    for (bool more = true; more;) {
        AUTO_POINTER(RankMessage) message = next_message(RANK_ANY);
        more = message->size > 0;
        if (more) serve_command(message, run);
    }
    leave();
}
