// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <errno.h>
#include <string.h>

#include "selfplay/engines/player_spec.h"

// For sh, with REPO BUILD BINARY CACHE QUIET REVISION...: prints for each revision the short hash
// and the program, a line each. Fails with a sentence as the last line. A directory gets its name
// when it is whole: an interrupted build is never taken for a finished one. Another command makes
// another build of a commit, in a directory of its own.
static const char script[] =
    "repo=$1 build=$2 binary=$3 cache=$4 quiet=$5; shift 5\n"
    "fail() { printf '%s\\n' \"$*\"; exit 1; }\n"
    "commit() { git -C \"$repo\" rev-parse --verify --quiet --end-of-options \"$1^{commit}\" "
    "2>/dev/null; }\n"
    "for name; do\n"
    "  commit \"$name\" >/dev/null || fail \"--rev $name: no such commit in the repository of "
    "$repo\"\n"
    "done\n"
    "made=$(printf %s \"$build\" | sha256sum | cut -c -8)\n"
    "for name; do\n"
    "  hash=$(commit \"$name\") short=$(commit \"$name\" | cut -c -10)\n"
    "  dir=$cache/$hash-$made part=$cache/$hash-$made.$$ program=$cache/$hash-$made/$binary\n"
    "  if [ ! -x \"$program\" ]; then\n"
    "    [ \"$quiet\" ] || printf 'building %s in %s\\n' \"$short\" \"$cache\" >&2\n"
    "    rm -rf \"$part\" && mkdir -p \"$part\" && git -C \"$repo\" archive $hash | tar -x -C "
    "\"$part\" && (cd \"$part\" && sh -c \"$build\") >\"$dir.log\" 2>&1 </dev/null && "
    "rm -rf \"$dir\" && mv \"$part\" \"$dir\" || {\n"
    "      rm -rf \"$part\"\n"
    "      why=$(grep -m 1 -iE 'error|\\*\\*\\*|fatal|not found' \"$dir.log\")\n"
    "      fail \"revision $short does not build${why:+: }$why ($dir.log)\"\n"
    "    }\n"
    "  fi\n"
    "  [ -x \"$program\" ] || fail \"revision $short builds no $program: say --binary\"\n"
    "  nodes=$(git -C \"$repo\" show -s --format=%B $hash |\n"
    "    sed -n 's/^[Bb]ench *:* *\\([0-9][0-9]*\\) *$/\\1/p' | tail -n 1)\n"
    "  [ ! \"$nodes\" ] || \"$program\" bench 2>&1 </dev/null | grep -qw \"$nodes\" ||\n"
    "    fail \"revision $short: its message says Bench: $nodes, '$program bench' does not: it is "
    "not what was committed\"\n"
    "  printf '%s\\n%s\\n' \"$short\" \"$program\"\n"
    "done\n";

// The next line of the script, "" at its end.
static void read_line(FILE *pipe, Text *line) {
    text_reset(line);
    for (int c; (c = getc(pipe)) != EOF && c != '\n';) text_add(line, "%c", c);
}

Status revision_players(const RevisionBuild *how, const char *const *names, int count,
                        Text *const *players, Err *err) {
    const char *const words[] = {script,      "sh",       how->repo,           how->build,
                                 how->binary, how->cache, how->log ? "" : "-", NULL};
    AUTO(Text) command = {0};
    AUTO(Text) line = {0};
    AUTO(Text) quoted = {0};
    text_add(&command, "sh -c");
    for (int i = 0; words[i]; i++) {
        text_add(&command, " ");
        text_add_quoted(&command, words[i]);
    }
    for (int i = 0; i < count; i++) {
        text_add(&command, " ");
        text_add_quoted(&command, names[i]);
    }
    FILE *pipe = popen(command.data, "r");
    if (!pipe) return err_set(err, STATUS_IO, "cannot run sh: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        AUTO(Text) hash = {0};
        read_line(pipe, &hash);
        read_line(pipe, &line);
        if (line.length == 0) { // the last line is why it failed
            pclose(pipe);
            return err_set(err, STATUS_ENGINE, "%s", text_get(&hash));
        }
        text_reset(&quoted);
        text_add_quoted(&quoted, line.data);
        text_add(players[i], "cmd=");
        player_spec_add_value(players[i], quoted.data);
        text_add(players[i], ",name=");
        player_spec_add_value(players[i], names[i]);
        text_add(players[i], "(%s)", text_get(&hash));
    }
    pclose(pipe);
    return STATUS_OK;
}
