// SPDX-License-Identifier: GPL-3.0-or-later
// A library for LD_PRELOAD that makes one call of the program fail. It counts the calls of one
// family. Environment variables control it:
//   FAULT_FAMILY  the family of calls:
//                 io         open, read, write, fsync, rename, readdir, stat and similar calls
//                 memory     malloc and similar calls by the program's own code. Calls by libraries
//                            are not counted, because HDF5 and others crash without memory.
//                 WORD       the calls of io whose names contain this word, such as stat
//                 kill       like io, but the call kills the process by SIGKILL
//                 kill-WORD  like WORD, but the call kills the process by SIGKILL
//   FAULT_AT      number of the call that fails, from 1; 0: no call fails; all: every call fails
//   FAULT_COUNT   file to which the number of counted calls is written at the end
//   FAULT_OWN_END offset, in hexadecimal, at which a statically linked library begins in the
//                 program's code; without it, all code of the program counts as its own
// Streams fail in fread(), getline(), getc(), fgets(), fflush() and fclose(), where a program can
// detect the failure. The program's child processes run without this library.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_ulong calls;
static unsigned long fail_at;
static int io, memory;        // 1 if FAULT_FAMILY selects calls of this family
static const char *only = ""; // only calls of functions whose names contain this text are counted
static int killing, failing_all;
static int ready;
static uintptr_t program_begin, program_end; // address range of the program's own code

#define EXPORT     __attribute__((visibility("default")))
#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

// Counts a call of a library function if its family is selected (`family` is `io` or `memory`). If
// this call must fail, sets errno and returns 1.
#define fails(family, error) call_fails(family, error, __func__)
static int call_fails(int family, int error, const char *name) {
    if (!ready || !family || !strstr(name, only)) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at && !failing_all) return 0;
    if (killing) raise(SIGKILL);
    errno = error;
    return 1;
}

// Finds the address range of the program's own code. dl_iterate_phdr() calls this function for each
// loaded object. The first one is the program; the result 1 prevents further calls.
static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
        program_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        program_end = program_begin + info->dlpi_phdr[i].p_memsz;
    }
    const char *own_end = getenv("FAULT_OWN_END");
    if (own_end) program_end = info->dlpi_addr + strtoul(own_end, NULL, 16);
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char *family = getenv("FAULT_FAMILY"), *at = getenv("FAULT_AT");
    if (!family) family = "none";
    killing = strncmp(family, "kill", 4) == 0;
    memory = strcmp(family, "memory") == 0;
    io = !memory && strcmp(family, "none") != 0;
    if (killing && family[4]) only = family + 5;
    if (io && !killing && strcmp(family, "io") != 0) only = family;
    failing_all = at && strcmp(at, "all") == 0;
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    unsetenv("LD_PRELOAD");
    dl_iterate_phdr(find_program, NULL);
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    ready = 0;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%lu\n", atomic_load(&calls));
    fclose(file);
}

// ---- files -------------------------------------------------------------------------------------

static mode_t mode_of(int flags, va_list args) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    EXPORT int name(const char *path, int flags, ...) {                                            \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        const mode_t mode = mode_of(flags, args);                                                  \
        va_end(args);                                                                              \
        return fails(io, EACCES) ? -1 : REAL(name)(path, flags, mode);                             \
    }
OPEN(open)
OPEN(open64)

#define CALL(type, failure, error, name, parameters, arguments)                                    \
    EXPORT type name parameters {                                                                  \
        return fails(io, error) ? failure : REAL(name) arguments;                                  \
    }
CALL(FILE *, NULL, EACCES, fopen, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, EACCES, fopen64, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, ENOMEM, fdopen, (int fd, const char *mode), (fd, mode))
CALL(ssize_t, -1, EIO, read, (int fd, void *to, size_t size), (fd, to, size))
CALL(ssize_t, -1, EIO, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
CALL(ssize_t, -1, EIO, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
CALL(ssize_t, -1, ENOSPC, write, (int fd, const void *from, size_t size), (fd, from, size))
CALL(ssize_t, -1, ENOSPC, pwrite, (int fd, const void *from, size_t size, off_t at),
     (fd, from, size, at))
CALL(ssize_t, -1, ENOSPC, pwrite64, (int fd, const void *from, size_t size, off64_t at),
     (fd, from, size, at))
CALL(int, -1, EIO, fsync, (int fd), (fd))
CALL(int, -1, EIO, fdatasync, (int fd), (fd))
CALL(int, -1, EIO, ftruncate, (int fd, off_t size), (fd, size))
CALL(int, -1, EIO, ftruncate64, (int fd, off64_t size), (fd, size))
CALL(int, -1, EIO, rename, (const char *from, const char *to), (from, to))
CALL(int, -1, ENOLCK, flock, (int fd, int operation), (fd, operation))
CALL(int, -1, EIO, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, EIO, stat, (const char *path, struct stat *info), (path, info))
CALL(int, -1, EIO, lstat, (const char *path, struct stat *info), (path, info))
CALL(int, -1, EIO, fstat, (int fd, struct stat *info), (fd, info))
CALL(int, -1, EIO, stat64, (const char *path, struct stat64 *info), (path, info))
CALL(int, -1, EIO, fstat64, (int fd, struct stat64 *info), (fd, info))
CALL(DIR *, NULL, EACCES, opendir, (const char *path), (path))
CALL(struct dirent *, NULL, EIO, readdir, (DIR * dir), (dir))
CALL(struct dirent64 *, NULL, EIO, readdir64, (DIR * dir), (dir))

// ---- streams -----------------------------------------------------------------------------------

// Sets the error flag of a stream, which ferror() returns.
static void spoil(FILE *stream) {
    enum { ERROR_SEEN = 0x20 }; // _IO_ERR_SEEN of the GNU C library
    stream->_flags |= ERROR_SEEN;
}

EXPORT size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    if (!fails(io, EIO)) return REAL(fread)(to, size, count, stream);
    spoil(stream);
    return 0;
}

// In optimised builds, the headers of glibc replace getline() by this function.
EXPORT ssize_t __getdelim(char **line, size_t *size, int end_mark, FILE *stream) {
    if (!fails(io, EIO)) return REAL(getdelim)(line, size, end_mark, stream);
    spoil(stream);
    return -1;
}

EXPORT int getc(FILE *stream) {
    if (!fails(io, EIO)) return REAL(getc)(stream);
    spoil(stream);
    return EOF;
}

EXPORT char *fgets(char *line, int size, FILE *stream) {
    if (!fails(io, EIO)) return REAL(fgets)(line, size, stream);
    spoil(stream);
    return NULL;
}

EXPORT int fflush(FILE *stream) {
    if (!stream || !fails(io, ENOSPC)) return REAL(fflush)(stream);
    spoil(stream);
    return EOF;
}

EXPORT int fclose(FILE *stream) {
    const int fail = fails(io, EIO), ended = REAL(fclose)(stream);
    if (!fail) return ended;
    errno = EIO;
    return EOF;
}

// ---- memory ------------------------------------------------------------------------------------

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static int memory_fails(const void *caller) {
    const uintptr_t at = (uintptr_t)caller;
    return at >= program_begin && at < program_end && fails(memory, ENOMEM);
}

#define ALLOCATE(name, real_name, parameters, arguments)                                           \
    EXPORT void *name parameters {                                                                 \
        return memory_fails(__builtin_return_address(0)) ? NULL : real_name arguments;             \
    }
ALLOCATE(malloc, __libc_malloc, (size_t size), (size))
ALLOCATE(calloc, __libc_calloc, (size_t count, size_t size), (count, size))
ALLOCATE(realloc, __libc_realloc, (void *block, size_t size), (block, size))
ALLOCATE(aligned_alloc, __libc_memalign, (size_t alignment, size_t size), (alignment, size))
