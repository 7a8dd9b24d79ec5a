// SPDX-License-Identifier: GPL-3.0-or-later
// The log of the loop, in the form of experiments.md.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/version.h"
#include "tuner/loop/generations.h"

void generation_begun(const LoopSpec *spec, Text *text) {
    const time_t now = time(NULL);
    struct tm date;
    char day[32] = "-";
    if (localtime_r(&now, &date)) strftime(day, sizeof day, "%Y-%m-%d", &date);
    text_add(text, "date %s\nrevision %s\nmachine %ld cores, %s, %s, %d threads\n", day,
             version_revision(), sysconf(_SC_NPROCESSORS_ONLN), version_compiler(), version_flags(),
             spec->threads);
}

void generation_value(const char *text, const char *name, char value[LOOP_VALUE_SIZE]) {
    const size_t length = strlen(name);
    snprintf(value, LOOP_VALUE_SIZE, "-");
    for (const char *at = text; *at;) {
        const size_t line = strcspn(at, "\n");
        if (line > length && strncmp(at, name, length) == 0 && at[length] == ' ') {
            snprintf(value, LOOP_VALUE_SIZE, "%.*s", (int)(line - length - 1), at + length + 1);
            return;
        }
        at += line + (at[line] == '\n');
    }
}

static Status read_output(const LoopSpec *spec, int number, const char *name, char **text,
                          Err *err) {
    Text path = {0};
    size_t length;
    generation_path(spec, number, name, &path);
    const Status status = text_read_file(path.data, text, &length, err);
    text_clear(&path);
    return status;
}

// What of which step's output a generation remembers.
static const struct {
    const char *file, *name;
    size_t offset;
} values[] = {
    {"data.txt", "games", offsetof(Generation, games)},
    {"data.txt", "positions", offsetof(Generation, positions)},
    {"data.txt", "content_hash", offsetof(Generation, content_hash)},
    {"tune.txt", "valid_loss_start", offsetof(Generation, loss_start)},
    {"tune.txt", "valid_loss", offsetof(Generation, loss)},
    {"tune.txt", "valid_loss_error", offsetof(Generation, loss_error)},
    {"match.txt", "games", offsetof(Generation, match_games)},
    {"match.txt", "wins", offsetof(Generation, wins)},
    {"match.txt", "draws", offsetof(Generation, draws)},
    {"match.txt", "losses", offsetof(Generation, losses)},
    {"match.txt", "pentanomial", offsetof(Generation, pentanomial)},
    {"match.txt", "elo", offsetof(Generation, elo)},
    {"match.txt", "elo_error95", offsetof(Generation, elo_error)},
    {"match.txt", "llr", offsetof(Generation, llr)},
    {"match.txt", "lower", offsetof(Generation, lower)},
    {"match.txt", "upper", offsetof(Generation, upper)},
    {"match.txt", "decision", offsetof(Generation, decision)},
};

Status generation_read(const LoopSpec *spec, int number, Generation *generation, Err *err) {
    *generation = (Generation){.number = number};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *text = NULL;
        const Status status = read_output(spec, number, values[i].file, &text, err);
        if (status != STATUS_OK) return status;
        generation_value(text, values[i].name, (char *)generation + values[i].offset);
        free(text);
    }
    generation->promoted = strcmp(generation->decision, "accept_h1") == 0;
    return STATUS_OK;
}

// A number of a step's output with so many decimals, as it stands where it is none.
static void add_real(Text *text, const char *value, int decimals) {
    double number;
    if (parse_real(value, -1e300, 1e300, &number, "", NULL) == STATUS_OK) {
        text_add(text, "%.*f", decimals, number);
    } else {
        text_add(text, "%s", value);
    }
}

static void add_elo(const Generation *g, Text *text) {
    add_real(text, g->elo, 0);
    text_add(text, " +- ");
    add_real(text, g->elo_error, 0);
}

static const char *decision_of(const Generation *g) {
    return g->promoted                             ? "promoted"
           : strcmp(g->decision, "accept_h0") == 0 ? "rejected"
                                                   : "rejected: not decided";
}

static void add_row(const Generation *g, const char *date, Text *text) {
    text_add(text, "| G-%03d | %s | %s games | ", g->number, date, g->games);
    add_real(text, g->loss_start, 5);
    text_add(text, " -> ");
    add_real(text, g->loss, 5);
    text_add(text, " | ");
    add_elo(g, text);
    text_add(text, " Elo (%s games) | %s |\n", g->match_games, decision_of(g));
}

static void add_result(const LoopSpec *spec, const Generation *g, Text *text) {
    text_add(text, "result     validation loss ");
    add_real(text, g->loss_start, 6);
    text_add(text, " -> ");
    add_real(text, g->loss, 6);
    text_add(text, " (standard error ");
    add_real(text, g->loss_error, 6);
    text_add(text, ")\n           %s games: %s won, %s drawn, %s lost; pentanomial %s; LLR ",
             g->match_games, g->wins, g->draws, g->losses, g->pentanomial);
    add_real(text, g->llr, 2);
    text_add(text, " [");
    add_real(text, g->lower, 2);
    text_add(text, ", ");
    add_real(text, g->upper, 2);
    text_add(text, "] for normalized Elo %g against %g;\n           Elo ", spec->elo1, spec->elo0);
    add_elo(g, text);
    text_add(text, " (95 %%)\ndecision   %s\n\n",
             g->promoted ? "promoted: these weights play the next generation"
             : strcmp(g->decision, "accept_h0") == 0
                 ? "rejected: the champion stays"
                 : "rejected: the match ended without a decision, the champion stays");
}

// The first line of a step's output: "command paotai ...", of any length.
static Status add_command(const LoopSpec *spec, int number, const char *file, const char *before,
                          Text *text, Err *err) {
    static const char mark[] = "command ";
    char *output = NULL;
    const Status status = read_output(spec, number, file, &output, err);
    if (status != STATUS_OK) return status;
    const size_t skip = strncmp(output, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    text_add(text, "%s%.*s\n", before, (int)strcspn(output + skip, "\n"), output + skip);
    free(output);
    return STATUS_OK;
}

static Status add_entry(const LoopSpec *spec, const Generation *g, const char *begun, Text *text,
                        Err *err) {
    static const char *const steps[] = {"selfplay.txt", "tune.txt", "match.txt"};
    char date[LOOP_VALUE_SIZE], revision[LOOP_VALUE_SIZE], machine[LOOP_VALUE_SIZE];
    generation_value(begun, "date", date);
    generation_value(begun, "revision", revision);
    generation_value(begun, "machine", machine);
    text_add(text,
             "### G-%03d %s generation %d\n"
             "question   are weights fitted to the champion's games stronger than the champion?\n"
             "revision   %s\n",
             g->number, date, g->number, revision);
    Status status = STATUS_OK;
    for (int i = 0; i < 3 && status == STATUS_OK; i++) {
        status =
            add_command(spec, g->number, steps[i], i ? "           " : "command    ", text, err);
    }
    const int first = g->number - spec->window + 1 > 1 ? g->number - spec->window + 1 : 1;
    text_add(text, "data       gen-%03d/games: %s games, %s positions, content hash %s", g->number,
             g->games, g->positions, g->content_hash);
    if (first < g->number) {
        text_add(text, ";\n           fitted together with those from gen-%03d on", first);
    }
    text_add(text,
             "\nseeds      %llu (the loop's, and of the split); those of games and match are in "
             "the commands\nmachine    %s\n",
             (unsigned long long)spec->seed, machine);
    add_result(spec, g, text);
    return status;
}

Status loop_write_log(const LoopSpec *spec, int count, Err *err) {
    Text table = {0}, entries = {0}, path = {0};
    Status status = STATUS_OK;
    text_add(&table, "# The loop's log\n\n"
                     "One entry a generation, in the form of experiments.md.\n\n"
                     "| entry | date | data | validation loss | candidate against champion | "
                     "decision |\n|---|---|---|---|---|---|\n");
    for (int number = 1; number <= count && status == STATUS_OK; number++) {
        Generation generation;
        char *begun = NULL, date[LOOP_VALUE_SIZE];
        status = generation_read(spec, number, &generation, err);
        if (status == STATUS_OK) status = read_output(spec, number, "begun.txt", &begun, err);
        if (status != STATUS_OK) break;
        generation_value(begun, "date", date);
        add_row(&generation, date, &table);
        status = add_entry(spec, &generation, begun, &entries, err);
        free(begun);
    }
    text_add(&table, "\n%s", text_get(&entries));
    text_add(&path, "%s/log.md", spec->dir);
    if (status == STATUS_OK) status = text_write_file(path.data, table.data, table.length, err);
    text_clear(&table);
    text_clear(&entries);
    text_clear(&path);
    return status;
}
