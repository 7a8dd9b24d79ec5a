// SPDX-License-Identifier: GPL-3.0-or-later
// main(): the command table, nothing else.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/base/options.h"
#include "core/base/ranks.h"
#include "core/base/version.h"
#include "core/board/attacks.h"
#include "core/eval/network.h"
#include "core/uci/uci.h"
#include "datasets/store/store.h"
#include "tuner/fit/fit.h"

#define COMMAND(symbol) extern const Command symbol;
#include "bench/commands.def"
#include "core/commands.def"
#include "datasets/commands.def"
#include "selfplay/commands.def"
#include "tuner/commands.def"
#undef COMMAND

static const Command *const commands[] = {
#define COMMAND(symbol) &symbol,
#include "bench/commands.def"
#include "core/commands.def"
#include "datasets/commands.def"
#include "selfplay/commands.def"
#include "tuner/commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

// Is it a command of two words that begins with this one?
static bool in_group(const Command *command, const char *group) {
    const size_t length = strlen(group);
    return strncmp(command->name, group, length) == 0 && command->name[length] == ' ';
}

// The commands of a group; NULL: all.
static void print_commands(FILE *out, const char *group) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (group && !in_group(commands[i], group)) continue;
        help_entry(out, commands[i]->name, commands[i]->summary, 19);
    }
}

static bool is_group(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (in_group(commands[i], name)) return true;
    }
    return false;
}

static const Command *command_named(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static void print_help(FILE *out) {
    fprintf(out, "Paotai: a laboratory for xiangqi evaluation.\n\n"
                 "usage: paotai                      serve UCI/UCCI on standard input\n"
                 "       paotai COMMAND [options]    'paotai COMMAND --help' explains each\n"
                 "       paotai --version\n\ncommands:\n");
    print_commands(out, NULL);
}

// The command whose name is the first word or the first two words; *used is their number.
static const Command *find_command(int argc, char **argv, int *used) {
    for (int words = 2; words >= 1; words--) {
        if (argc < 1 + words) continue;
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", argv[1], words == 2 ? " " : "",
                 words == 2 ? argv[2] : "");
        const Command *command = command_named(name);
        if (command) *used = words;
        if (command) return command;
    }
    return NULL;
}

// The table of commands and their options, a line a command.
static void print_options(FILE *out) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "%s:", commands[i]->name);
        for (const OptionRow *row = commands[i]->rows; row && row->name; row++) {
            fprintf(out, " --%s", row->name);
        }
        fputs(commands[i]->rows && commands[i]->rows->name ? " --options\n" : "\n", out);
    }
}

// A line with the word, where it continues what was begun.
static void offer(const char *dashes, const char *word, size_t length, const char *begun) {
    char line[128];
    snprintf(line, sizeof line, "%s%.*s", dashes, (int)length, word);
    if (strncmp(line, begun, strlen(begun)) == 0) puts(line);
}

static void offer_commands(const char *group, const char *begun) {
    const char *last = "";
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *name = commands[i]->name, *blank = strchr(name, ' ');
        size_t length = blank ? (size_t)(blank - name) : strlen(name);
        if (!group && (strlen(last) < length || strncmp(name, last, length) != 0)) {
            offer("", name, length, begun);
        } else if (group && blank && strlen(group) == length && !strncmp(name, group, length)) {
            offer("", blank + 1, strlen(blank + 1), begun);
        }
        last = name;
    }
}

// Completion: what the last word may become, a line each; nothing where it may be a file.
// words[-1] and before are no part of the command line.
static void print_completion(int count, char **words) {
    const char *begun = words[count - 1], *before = count > 1 ? words[count - 2] : "", *choice;
    int used = 0;
    const Command *command = find_command(count, words - 1, &used);
    const OptionRow *row = command ? command->rows : NULL;
    if (count <= 2) offer_commands(count == 2 ? words[0] : NULL, begun);
    for (; row && row->name; row++) {
        const char *choices = row->unit;
        size_t length;
        if (begun[0] == '-') {
            offer("--", row->name, strlen(row->name), begun);
        } else if (row->type == OPTION_CHOICE && strncmp(before, "--", 2) == 0 &&
                   strcmp(before + 2, row->name) == 0) {
            while (option_next_choice(&choices, &choice, &length)) offer("", choice, length, begun);
        }
    }
    if (begun[0] == '-') offer("--", "help", 4, begun);
    if (begun[0] == '-') offer("--", command ? "options" : "version", 7, begun);
}

// The name may be of two words; of those of one word, groups are known by their first.
static int no_command(const char *name) {
    Err err = {0};
    Nearest nearest = {.word = name, .length = strlen(name)};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *known = commands[i]->name;
        nearest_try(&nearest, known, strchr(name, ' ') ? strlen(known) : strcspn(known, " "));
    }
    err_set(&err, STATUS_USAGE, "no command '%s'%s%.*s%s; 'paotai --help' lists them", name,
            nearest.name ? ", did you mean '" : "", (int)nearest.name_length,
            nearest.name ? nearest.name : "", nearest.name ? "'?" : "");
    fprintf(stderr, "paotai: %s\n", err.text);
    return 2;
}

// `paotai help match`, `paotai help data`: argv[1] and, where there is one, argv[2] name a command
// or a group.
static int help_about(int argc, char **argv) {
    int used = 0;
    const Command *command = find_command(argc, argv, &used);
    if (command) {
        command_help(command, stdout);
        return 0;
    }
    if (is_group(argv[1])) {
        print_commands(stdout, argv[1]);
        return 0;
    }
    return no_command(argv[1]);
}

// Commands that may be given as a line of the protocol, as OpenBench does with genfens and bench.
static bool run_protocol_line(const char *line, FILE *out, FILE *err) {
    static const Command *const allowed[] = {&command_bench, &command_genfens};
    enum { MOST_WORDS = 32 };
    char *copy = memory_copy_text(line), *words[MOST_WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(copy, " \t"); word && count < MOST_WORDS; word = strtok(NULL, " \t")) {
        words[count++] = word;
    }
    bool known = false;
    for (size_t i = 0; count > 0 && i < sizeof allowed / sizeof *allowed; i++) {
        if (strcmp(allowed[i]->name, words[0]) != 0) continue;
        known = true;
        command_main(allowed[i], count - 1, words + 1, out, err);
        fflush(out);
    }
    free(copy);
    return known;
}

static int serve(FILE *in) {
    const UciSetup setup = {.run_command = run_protocol_line};
    return uci_main(in, stdout, stderr, &setup);
}

// Arguments with blanks in them are lines of the protocol: paotai "position startpos" "go depth 8".
static int serve_arguments(int argc, char **argv) {
    AUTO(Text) lines = {0};
    for (int i = 1; i < argc; i++) text_add(&lines, "%s\n", argv[i]);
    FILE *in = fmemopen(lines.data, lines.length, "r");
    const int status = in ? serve(in) : 1;
    if (in) fclose(in);
    return status;
}

// Threads of OpenMP spin while they wait, which costs a third of the processor time of `tune
// --threads 2` on a busy machine. Its library reads the variable before main() begins, so the
// program begins once more. A variable that is set already stays.
static void wait_passively(int argc, char **argv) {
    char path[4096];
    bool threads = false;
    for (int i = 1; i < argc; i++) {
        threads = threads || strncmp(argv[i], "--threads", 9) == 0 ||
                  strncmp(argv[i], "--options", 9) == 0; // a file that may say it
    }
    if (!threads || getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = '\0';
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0) execv(path, argv);
}

static int run_as_rank(const char *name, int argc, char **argv, FILE *out, FILE *err) {
    const Command *command = command_named(name);
    return command ? command_main(command, argc, argv, out, err) : no_command(name);
}

static void prepare_signals(void) {
    // A limit on the size of files is a failed write with an error, as a full disk is.
    signal(SIGXFSZ, SIG_IGN);
    interrupt_install();
}

// Tasks of srun that are no ranks know nothing of each other. The first says so.
static void warn_of_strangers(void) {
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *self = getenv("SLURM_PROCID");
    if (ranks_launched() || !tasks || atoi(tasks) < 2 || !self || strcmp(self, "0") != 0) return;
    fprintf(stderr,
            "paotai: each of the %s tasks does all of the work; ranks that share it: "
            "'make MPI=1 all' and 'srun --mpi=pmix build/mpi/paotai'\n",
            tasks);
}

static int run(int argc, char **argv) {
    if (argc == 1) return serve(stdin);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        const bool completion = argc > 2 && strcmp(argv[2], "--completion") == 0;
        if (argc > 2 && !completion) return help_about(argc - 1, argv + 1);
        if (argc > 3) {
            print_completion(argc - 3, argv + 3);
        } else if (completion) {
            print_options(stdout);
        } else {
            print_help(stdout);
        }
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        version_print(stdout);
        network_version(stdout);
        hash_library_version(stdout);
        datasets_library_versions(stdout);
        tuner_library_versions(stdout);
        return 0;
    }
    int used = 0;
    const Command *command = find_command(argc, argv, &used);
    if (command) {
        warn_of_strangers();
        prepare_signals();
        return command_main(command, argc - 1 - used, argv + 1 + used, stdout, stderr);
    }
    if (strpbrk(argv[1], " \t")) return serve_arguments(argc, argv);
    if (!is_group(argv[1])) return no_command(argv[1]);
    if (argc > 2 && strcmp(argv[2], "--help") == 0) return help_about(2, argv);
    if (argc > 2 && argv[2][0] != '-') {
        char name[80];
        snprintf(name, sizeof name, "%.30s %.40s", argv[1], argv[2]);
        return no_command(name);
    }
    fprintf(stderr, "paotai: '%s' wants one of:\n", argv[1]);
    print_commands(stderr, argv[1]);
    return 2;
}

int main(int argc, char **argv) {
    wait_passively(argc, argv);
    ranks_start();
    core_init();
    datasets_library_init();
    tuner_library_init();
    if (rank_self() == 0) {
        int status = run(argc, argv);
        if (fflush(stdout) != 0 && status == 0) {
            fprintf(stderr, "paotai: standard output: %s\n", strerror(errno));
            status = 1;
        }
        return ranks_end(status);
    }
    prepare_signals();
    ranks_serve(run_as_rank);
    return 0;
}
