// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/system/clock.h"
#include "core/system/out_file.h"

enum { TAIL_BYTES = 200 }; // maximum number of bytes in struct Tail

// The last bytes that were read from a stream.
typedef struct Tail {
    char bytes[TAIL_BYTES];
    size_t length;
} Tail;

struct Process {
    pid_t pid;   // process id of the program, also the id of its process group
    pid_t guard; // process id of the guard, a child that kills the program's process group when
                 // this process ends; -1 if it was not started
    int guarded; // write end of a pipe; when it is closed, the guard process kills the program's
                 // process group
    int input, output, errors; // our ends of the connections to the program's standard input,
                               // output and error; -1 if closed
    FILE *log;             // file that receives the program's standard error; NULL if not requested
    Tail said, complained; // last bytes of the program's standard output and standard error
    bool end_of_output;    // the end of the program's standard output was read
    bool skipping;         // the rest of a line that was too long is being skipped
    uint64_t budget;   // number of bytes that may still be read before process_read_line() returns
                       // PROCESS_FLOOD
    size_t begin, end; // offsets of the first unread byte and of the end of the unread bytes in
                       // `buffer`
    char buffer[PROCESS_LINE_MAX + 1];
};

// ---- starting a program ----------------------------------------------------------------------

// Splits `command` into words as a shell does, with variables and file patterns. Command
// substitution such as $(ls) is not allowed.
static Status split_words(const char *command, wordexp_t *words, Err *err) {
    const int failed = wordexp(command, words, WRDE_NOCMD);
    if (!failed && words->we_wordc > 0) return STATUS_OK;
    if (!failed) return err_set(err, STATUS_USAGE, "the command (cmd=) is empty");
    *words = (wordexp_t){0};
    return err_set(
        err, STATUS_USAGE,
        "the command has an open quote, a line end, $(...) or `...`, or one of |&;<>(){} "
        "outside of quotes: quote such characters by '...'");
}
AUTO_VALUE(wordexp_t, wordfree)

void process_program_name(const char *command, char *name, size_t size) {
    AUTO(wordexp_t) words = {0};
    const char *word = split_words(command, &words, NULL) == STATUS_OK ? words.we_wordv[0] : "";
    const char *slash = strrchr(word, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : word);
}

void process_file_hash(const char *name, const char *dir, Text *text) {
    AUTO(Text) path = {0};
    struct stat about;
    char hex[SHA256_HEX_SIZE];
    text_add(&path, "%s%s%s", *name != '/' && dir ? dir : "", *name != '/' && dir ? "/" : "", name);
    if (stat(path.data, &about) != 0 || !S_ISREG(about.st_mode)) return;
    if (file_sha256(path.data, hex, NULL) != STATUS_OK) return;
    text_add(text, "%s%.12s", text->length ? "+" : "", hex);
}

// Writes the path of a program to *path, which must be empty. A name with a slash is kept. Another
// name is searched in PATH and in the directories for games, /usr/games and /usr/local/games. If
// the program is not found, *path is its name in the last of these directories, and it cannot be
// started.
static void find_program(const char *name, Text *path) {
    AUTO(Text) places = {0};
    const char *search = getenv("PATH");
    text_add(&places, "%s:/usr/games:/usr/local/games", search ? search : "");
    char *cursor = strchr(name, '/') ? NULL : places.data;
    if (!cursor) text_add(path, "%s", name);
    for (const char *place; (place = text_next_field(&cursor, ':')) != NULL;) {
        text_reset(path);
        text_add(path, "%s/%s", place, name);
        if (access(path->data, X_OK) == 0) return;
    }
}

void process_command_hash(const char *command, const char *dir, Text *text) {
    AUTO(wordexp_t) words = {0};
    AUTO(Text) program = {0};
    if (split_words(command, &words, NULL) != STATUS_OK) return;
    find_program(words.we_wordv[0], &program);
    process_file_hash(program.data, dir, text);
    for (size_t i = 1; i < words.we_wordc; i++) process_file_hash(words.we_wordv[i], dir, text);
}

static void close_if_open(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// Creates a pipe, or a pair of connected sockets if `socket` is set. A write to a socket can be
// protected from SIGPIPE (MSG_NOSIGNAL). Neither descriptor is 0, 1 or 2, even if a standard stream
// of this process is closed.
static bool make_pipe(int ends[2], bool socket) {
    if ((socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
                : pipe2(ends, O_CLOEXEC)) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (ends[i] > STDERR_FILENO) continue;
        const int higher = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (higher < 0) return false;
        close(ends[i]);
        ends[i] = higher;
    }
    return true;
}

typedef struct Pipe {
    int ends[2]; // [0]: read end, [1]: write end of the pipe; -1 if closed
} Pipe;

static void pipe_close(Pipe *pipe) {
    for (int i = 0; i < 2; i++) close_if_open(&pipe->ends[i]);
}
AUTO_VALUE(Pipe, pipe_close)

// Starts the program with the three descriptors in `streams` as its standard streams, with default
// signal handling, and in its own process group. Returns 0 or an errno.
static int spawn(const wordexp_t *given, const int streams[3], const char *dir, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    AUTO(Text) path = {0};
    char **words = given->we_wordv;
    sigset_t all;
    find_program(words[0], &path);
    sigfillset(&all);
    // With the default attributes and the flags below, posix_spawn() starts the program in its own
    // process group and without blocked signals.
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    // HDF5 opens its files without O_CLOEXEC. An inherited descriptor would hold the lock of a
    // shard until the child ends.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (dir) posix_spawn_file_actions_addchdir_np(&actions, dir);
    int error = posix_spawn(pid, path.data, &actions, &attributes, words, environ);
    if (error == ENOEXEC) { // the file is a script without a "#!" line
        AUTO_FREE char **script = memory_alloc(given->we_wordc + 2, sizeof *script);
        memcpy(script + 1, words, (given->we_wordc + 1) * sizeof *script);
        script[0] = "sh";
        script[1] = path.data;
        error = posix_spawn(pid, "/bin/sh", &actions, &attributes, script, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

// Starts the guard, a process that waits until its parent ends, even by SIGKILL, and then kills the
// program's process group. Without the guard, the program and its children could survive. A child
// that has left the group is not killed. The guard has its own group, so Ctrl-C does not reach it.
// Returns the guard's process id, or -1 on failure. Sets *guarded to the write end of a pipe. The
// guard waits until this end is closed, at the latest by the end of its parent.
static pid_t start_guard(pid_t group, int *guarded) {
    AUTO(Pipe) pipe = {{-1, -1}};
    char byte;
    *guarded = -1;
    if (!make_pipe(pipe.ends, false)) return -1;
    const pid_t guard = fork();
    if (guard == 0) {
        setpgid(0, 0);
        dup2(pipe.ends[0], STDIN_FILENO);
        close_range(STDIN_FILENO + 1, ~0U, 0);
        while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) continue;
        kill(-group, SIGKILL);
        _exit(0);
    }
    *guarded = pipe.ends[1];
    pipe.ends[1] = -1;
    return guard;
}

static Status no_start(const char *command, const char *program, int error, Err *err) {
    if (error != ENOENT && error != ENOTDIR && error != EACCES) {
        return err_set(err, STATUS_ENGINE, "cannot start '%s': %s", command, strerror(error));
    }
    if (!strchr(program, '/')) {
        return err_set(err, STATUS_NOT_FOUND,
                       "no program '%s' in PATH, /usr/games or /usr/local/games: install it or "
                       "give its path in cmd=",
                       program);
    }
    return err_set(
        err, STATUS_NOT_FOUND, "cannot start '%s': %s", program,
        error == EACCES
            ? "it is not an executable file (see chmod +x), or its directory may not be entered"
            : "the file does not exist, or its interpreter or loader does not exist; a relative "
              "path "
              "starts at the working directory");
}

Status process_start(const char *command, const char *dir, const char *error_path,
                     Process **process, Err *err) {
    *process = NULL;
    AUTO(wordexp_t) words = {0};
    AUTO(Pipe) input = {{-1, -1}};
    AUTO(Pipe) output = {{-1, -1}};
    AUTO(Pipe) errors = {{-1, -1}};
    pid_t pid = 0;
    FILE *log = NULL;
    if (split_words(command, &words, err) != STATUS_OK) return err_prefix(err, "'%s'", command);
    if (dir && access(dir, X_OK) != 0) {
        return err_set(err, STATUS_NOT_FOUND, "dir=%s: %s", dir, strerror(errno));
    }
    if (!make_pipe(input.ends, true) || !make_pipe(output.ends, false) ||
        !make_pipe(errors.ends, false)) {
        return err_set(err, STATUS_IO, "cannot create a pipe for '%s': %s", command,
                       strerror(errno));
    }
    if (error_path) TRY(out_file_append(error_path, &log, err));
    const int streams[] = {input.ends[0], output.ends[1], errors.ends[1]};
    const int error = spawn(&words, streams, dir, &pid);
    if (error) {
        if (log) fclose(log);
        return no_start(command, words.we_wordv[0], error, err);
    }
    const int ours[] = {input.ends[1], output.ends[0], errors.ends[0]};
    for (int i = 0; i < 3; i++) fcntl(ours[i], F_SETFL, O_NONBLOCK);
    *process = memory_alloc(1, sizeof **process);
    **process = (Process){.pid = pid,
                          .budget = UINT64_MAX,
                          .input = ours[0],
                          .output = ours[1],
                          .errors = ours[2],
                          .log = log};
    input.ends[1] = output.ends[0] = errors.ends[0] = -1;
    (*process)->guard = start_guard(pid, &(*process)->guarded);
    return STATUS_OK;
}

// ---- the last output of a program --------------------------------------------------------------

static void tail_add(Tail *tail, const char *bytes, size_t count) {
    if (count > TAIL_BYTES) {
        bytes += count - TAIL_BYTES;
        count = TAIL_BYTES;
    }
    const size_t kept = tail->length + count > TAIL_BYTES ? TAIL_BYTES - count : tail->length;
    memmove(tail->bytes, tail->bytes + tail->length - kept, kept);
    memcpy(tail->bytes + kept, bytes, count);
    tail->length = kept + count;
}

// Reads the available standard error of the program. Keeps its last bytes, and copies all of it to
// the log file, if there is one.
static void read_errors(Process *process) {
    char bytes[4096];
    ssize_t got = 1;
    while (process->errors >= 0 && (got = read(process->errors, bytes, sizeof bytes)) > 0) {
        tail_add(&process->complained, bytes, (size_t)got);
        if (process->log && write(fileno(process->log), bytes, (size_t)got) < 0) continue;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) close_if_open(&process->errors);
}

// Appends `what` and the last lines of a stream, joined by " | ". Omits a first line that may be
// incomplete. Appends nothing if there are no lines.
static void add_tail(const Tail *tail, const char *what, Text *text) {
    const char *at = tail->bytes, *end = tail->bytes + tail->length;
    const char *newline = tail->length == TAIL_BYTES ? memchr(at, '\n', TAIL_BYTES) : NULL;
    if (newline && newline + 1 < end) at = newline + 1;
    while (end > at && (end[-1] == '\n' || end[-1] == '\r')) end--;
    if (end > at) text_add(text, "%s", what);
    for (; at < end; at++) {
        if (*at == '\n') text_add(text, " |");
        text_add_bytes(text, *at == '\n' ? " " : at, *at != '\r');
    }
}

// ---- ending a program ------------------------------------------------------------------------

bool process_ended(Process *process, int wait_ms, char *text, size_t size) {
    const int64_t until = clock_now_ns() + (int64_t)wait_ms * 1000000;
    siginfo_t info = {.si_code = CLD_EXITED};
    while (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0) {
        if (clock_now_ns() >= until) return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    snprintf(text, size,
             info.si_code == CLD_EXITED ? "ended with exit status %d" : "was killed by signal %d",
             info.si_status);
    return true;
}

void process_stop(Process *process, int grace_ms) {
    if (!process) return;
    close_if_open(&process->input);
    if (grace_ms > 0) {
        // The program may still be writing. It cannot end while its output pipe is full, so read
        // its output.
        const int64_t until = clock_now_ns() + (int64_t)grace_ms * 1000000;
        const char *line;
        process_set_budget(process, 1 << 20);
        while (process_read_line(process, until, &line) == PROCESS_LINE) continue;
    }
    close_if_open(&process->output);
    process_ended(process, grace_ms, NULL, 0);
    // Kill the program's whole process group even if the program has ended, because its children
    // may still run. First end the guard process, which would kill this group later, when its id
    // may already belong to another group.
    if (process->guard > 0) {
        kill(process->guard, SIGKILL);
        while (waitpid(process->guard, NULL, 0) < 0 && errno == EINTR) continue;
    }
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close_if_open(&process->guarded);
    close_if_open(&process->errors);
    if (process->log) fclose(process->log);
    free(process);
}

// ---- writing to a program --------------------------------------------------------------------

// Waits until one of the poll() events occurs on descriptor fd, at most until the deadline.
// Meanwhile reads the program's standard error, because a full pipe would block the program.
// Returns false if no event occurred or poll() failed.
static bool wait_for(Process *process, int fd, short events, int64_t deadline_ns) {
    for (;;) {
        const int64_t left = deadline_ns - clock_now_ns();
        struct pollfd wanted[] = {{.fd = fd, .events = events},
                                  {.fd = process->errors, .events = POLLIN}};
        // poll() takes milliseconds as an int. Round up, so that the wait does not end before the
        // deadline, and wait at most one day per call.
        const int64_t ms = left <= 0 ? 0 : (left + 999999) / 1000000;
        const int got = poll(wanted, 2, ms < 86400000 ? (int)ms : 86400000);
        if (got > 0 && wanted[1].revents) read_errors(process);
        if (got > 0 && wanted[0].revents) return true;
        if (got >= 0 && left <= 0) return false;
        if (got < 0 && errno != EINTR && errno != EAGAIN) return false;
    }
}

bool process_write(Process *process, const char *text, size_t length, int64_t deadline_ns) {
    while (length > 0) {
        if (process->input < 0) return false;
        const ssize_t written = send(process->input, text, length, MSG_NOSIGNAL);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            if (!wait_for(process, process->input, POLLOUT, deadline_ns)) return false;
        } else if (written < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

// ---- reading from a program ------------------------------------------------------------------

// Removes the next line from the buffer: a complete line, the beginning of a line that is too long,
// or, after the program has closed its output, an unfinished last line. Returns false if the buffer
// does not contain a line yet.
static bool take_line(Process *process, const char **line) {
    for (;;) {
        char *start = process->buffer + process->begin;
        size_t length = process->end - process->begin;
        const char *newline = memchr(start, '\n', length);
        const bool full = length >= PROCESS_LINE_MAX, last = process->end_of_output && length > 0;
        if (!newline && !full && !last) return false;
        if (newline) length = (size_t)(newline - start);
        process->begin += length + (newline != NULL);
        const bool rest = process->skipping;
        process->skipping = !newline;
        if (rest) continue;
        if (length > 0 && start[length - 1] == '\r') length--;
        for (char *at = start; (at = memchr(at, '\0', length - (size_t)(at - start))) != NULL;) {
            *at = '?';
        }
        start[length] = '\0';
        *line = start;
        return true;
    }
}

// Reads the available output of the program into the buffer, without waiting. Returns false at the
// end of the output or on an error.
static bool fill(Process *process) {
    if (process->begin == process->end) {
        process->begin = process->end = 0;
    } else if (process->begin > 0 && process->end > PROCESS_LINE_MAX / 2) {
        memmove(process->buffer, process->buffer + process->begin, process->end - process->begin);
        process->end -= process->begin;
        process->begin = 0;
    }
    const ssize_t got =
        read(process->output, process->buffer + process->end, PROCESS_LINE_MAX - process->end);
    if (got > 0) {
        tail_add(&process->said, process->buffer + process->end, (size_t)got);
        process->end += (size_t)got;
        process->budget -= process->budget < (uint64_t)got ? process->budget : (uint64_t)got;
        return true;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

ProcessRead process_read_line(Process *process, int64_t deadline_ns, const char **line) {
    for (;;) {
        if (take_line(process, line)) return PROCESS_LINE;
        if (process->end_of_output || process->output < 0) return PROCESS_END;
        if (process->budget == 0) return PROCESS_FLOOD;
        if (!wait_for(process, process->output, POLLIN, deadline_ns)) return PROCESS_TIMEOUT;
        if (!fill(process)) process->end_of_output = true;
    }
}

void process_last_words(Process *process, Text *text) {
    read_errors(process);
    // A program that ended early may have explained why in output that was not read yet. Read it
    // now; the bytes also stay in the buffer for process_read_line().
    if (!process->end_of_output && !fill(process)) process->end_of_output = true;
    add_tail(&process->said, "; its last output: ", text);
    add_tail(&process->complained, "; its last errors: ", text);
    text_make_printable(text->data);
}

void process_set_budget(Process *process, uint64_t bytes) {
    process->budget = bytes;
}
