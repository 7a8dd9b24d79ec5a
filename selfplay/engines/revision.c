// SPDX-License-Identifier: GPL-3.0-or-later
#include "selfplay/engines/revision.h"

#include <errno.h>
#include <string.h>

#include "selfplay/engines/player_spec.h"

// Script for sh that builds two revisions. Its arguments are REPO BUILD BINARY CACHE QUIET SAME
// SKIP REVISION REVISION. QUIET is "-" to report no builds on stderr, "--" to print nothing there,
// or empty. If SAME is not empty, both revisions may have the same files. If SKIP is not empty,
// `bench` is not run. For each revision, the newer one first, the script prints five lines: "=" and
// the name, the short hash, the path of the program, the bench count (empty if unknown) and the
// path of the build log. Finally it prints the changed files on one line. On failure its last line
// is a sentence that says why.
//
// Each revision is built in a directory of its own in CACHE. This is a git clone that shares the
// objects of the repository, so the build command can ask git for the revision. The name of the
// directory contains a hash of the build command, so each build command has its own directories.
// The directory gets its final name only when the build is complete, so an interrupted build is
// never used.
//
// The working tree is built as a commit on top of HEAD. The commit is made with a temporary index,
// so the files, branches and index of the repository do not change. The commit has the date of
// HEAD, so that equal files give an equal hash. CACHE is excluded from it. An ignored CACHE is not
// named to `git add`, because `git add` fails if it is given the name of an ignored file.
static const char script[] =
    "repo=$1 build=$2 binary=$3 cache=$4 quiet=$5 same=$6 skip=$7; shift 7\n"
    "fail() { printf '%s\\n' \"$*\"; exit 1; }\n"
    "say() { [ \"$quiet\" = -- ] || printf '%s\\n' \"$*\" >&2; }\n"
    "git_() { git -C \"$repo\" \"$@\" 2>/dev/null; }\n"
    "worktree() (\n"
    "  top=$(git_ rev-parse --show-toplevel) && mkdir -p \"$cache\" && here=$(cd \"$cache\" && "
    "pwd -P) || return 1\n"
    "  case $here in \"$top\"/*) git_ check-ignore -q \"$here\" || "
    "set -- \":(exclude)${here#\"$top\"/}\" ;; esac\n"
    "  export GIT_INDEX_FILE=\"$here/index.$$\" GIT_AUTHOR_NAME=- GIT_AUTHOR_EMAIL=- "
    "GIT_COMMITTER_NAME=- GIT_COMMITTER_EMAIL=-\n"
    "  GIT_AUTHOR_DATE=$(git_ show -s --format=%cI HEAD) && "
    "GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE && export GIT_AUTHOR_DATE GIT_COMMITTER_DATE || return\n"
    "  git -C \"$top\" read-tree HEAD >&2 && git -C \"$top\" add -A -- . \"$@\" >&2 && "
    "tree=$(git -C \"$top\" write-tree) && git_ commit-tree -p HEAD -m 'working tree' \"$tree\"\n"
    "  status=$?\n"
    "  rm -f \"$GIT_INDEX_FILE\"\n"
    "  exit $status\n"
    ")\n"
    "working=\n"
    "case \"=$1=$2=\" in *=worktree=*)\n"
    "  working=$(worktree) || fail \"--rev worktree: git cannot read the working tree of "
    "$repo\"\n"
    "esac\n"
    // git writes a name such as ^HEAD as "^HASH"; only a HASH is a commit
    "commit() { [ \"$1\" != worktree ] && found=$(git_ rev-parse --verify --quiet "
    "--end-of-options \"$1^{commit}\") && printf '%s\\n' \"$found\" | grep -x '[0-9a-f]*' || {\n"
    "  [ \"$1\" = worktree ] && printf '%s\\n' \"$working\"; }; }\n"
    "for name; do\n"
    "  commit \"$name\" >/dev/null || fail \"--rev $name: no such commit in the "
    "repository of $repo\"\n"
    "done\n"
    "one=$(commit \"$1\") two=$(commit \"$2\") new=$1 old=$2\n"
    "if [ \"$(git_ rev-parse \"$one^{tree}\")\" = \"$(git_ rev-parse \"$two^{tree}\")\" "
    "]; then\n"
    "  [ \"$same\" ] || fail \"--rev $1 and --rev $2 have the same files: nothing would "
    "be measured. Name other revisions, or give --a and --b that differ\"\n"
    "elif [ \"$1\" = worktree ]; then\n"
    "  :\n"
    "elif [ \"$2\" = worktree ] || git_ merge-base --is-ancestor \"$one\" \"$two\"; then\n"
    "  new=$2 old=$1\n"
    "elif ! git_ merge-base --is-ancestor \"$two\" \"$one\" && [ \"$(git_ show -s "
    "--format=%ct \"$one\")\" -le \"$(git_ show -s --format=%ct \"$two\")\" ]; then\n"
    "  new=$2 old=$1\n"
    "fi\n"
    "changed=$(git_ status --porcelain --untracked-files=no | cut -c 4- | tr '\\n' ' ')\n"
    "[ ! \"$changed\" ] || [ \"$working\" ] || say \"note: uncommitted changes are in neither "
    "revision: "
    "$changed\"\n"
    "made=$(printf %s \"$build\" | sha256sum | cut -c -8)\n"
    "common=$(cd \"$repo\" && cd \"$(git rev-parse --git-common-dir)\" && pwd)\n"
    "last=\n"
    "for name in \"$new\" \"$old\"; do\n"
    "  hash=$(commit \"$name\") short=$(commit \"$name\" | cut -c -10)\n"
    "  dir=$cache/$hash-$made part=$cache/$hash-$made.$$ "
    "program=$cache/$hash-$made/$binary\n"
    "  if [ ! -x \"$program\" ]; then\n"
    "    [ \"$quiet\" ] || say \"building revision $name ($short) in $cache\"\n"
    "    rm -rf \"$part\" \"$dir.bench\" && mkdir -p \"$cache\" && git clone -q --shared "
    "--no-checkout \"$common\" \"$part\" >\"$dir.log\" 2>&1 </dev/null && git -C "
    "\"$part\" checkout -q --detach \"$hash\" >>\"$dir.log\" 2>&1 && (cd \"$part\" && sh "
    "-c \"$build\") >>\"$dir.log\" 2>&1 </dev/null && rm -rf \"$dir\" && mv \"$part\" "
    "\"$dir\" || {\n"
    "      rm -rf \"$part\"\n"
    "      why=$(grep -m 1 -iE 'error|\\*\\*\\*|fatal|not found' \"$dir.log\")\n"
    "      fail \"revision $short does not build${why:+: }$why ($dir.log)\"\n"
    "    }\n"
    "  fi\n"
    "  [ -x \"$program\" ] || fail \"revision $short was built, but there is no $program: correct "
    "--binary\"\n"
    "  nodes= bench=\n"
    "  [ \"$skip\" ] || {\n"
    "    [ -e \"$dir.bench\" ] || {\n"
    "      say \"revision $name ($short): '$binary bench' runs, up to 100 s (--no-bench: "
    "not)\"\n"
    "      timeout 100 \"$program\" bench >\"$part\" 2>&1 </dev/null\n"
    "      mv \"$part\" \"$dir.bench\"\n"
    "    }\n"
    "    nodes=$(git_ show -s --format=%B \"$hash\" | sed -n 's/^[Bb]ench *:* "
    "*\\([0-9][0-9]*\\) *$/\\1/p' | tail -n 1)\n"
    "    bench=$(grep -oiE '[0-9]+ nodes|nodes searched[^0-9]*[0-9]+' \"$dir.bench\" | "
    "grep -oE '[0-9]+' | tail -n 1)\n"
    "  }\n"
    "  [ ! \"$nodes\" ] || grep -qw \"$nodes\" \"$dir.bench\" || fail \"the commit "
    "message of $short says Bench: $nodes, but '$program bench' does not print this number\"\n"
    "  [ ! \"$bench\" ] || [ \"$bench\" != \"$last\" ] || say \"note: both revisions "
    "search $bench nodes in bench: their search and evaluation are probably alike\"\n"
    "  last=$bench\n"
    "  printf '=%s\\n%s\\n%s\\n%s\\n%s\\n' \"$name\" \"$short\" \"$program\" \"$bench\" "
    "\"$dir.log\"\n"
    "done\n"
    "git_ diff --name-only \"$(commit \"$old\")\" \"$(commit \"$new\")\" | tr '\\n' ' ' | sed "
    "'s/ $//'\n";

// Reads the next line that the script prints; "" at the end of its output.
static void read_line(FILE *pipe, Text *line) {
    text_reset(line);
    for (int c; (c = getc(pipe)) != EOF && c != '\n';) text_add(line, "%c", c);
}

Status revision_players(const RevisionBuild *how, const char *const names[2], bool same,
                        Revision *newer, Revision *older, Text *changed, Err *err) {
    const char *const words[] = {script,
                                 "sh",
                                 how->repo,
                                 how->build,
                                 how->binary,
                                 how->cache,
                                 how->silent  ? "--"
                                 : how->quiet ? "-"
                                              : "",
                                 same ? "-" : "",
                                 how->no_bench ? "-" : "",
                                 names[0],
                                 names[1],
                                 NULL};
    AUTO(Text) command = {0};
    AUTO(Text) line = {0};
    AUTO(Text) program = {0};
    AUTO(Text) quoted = {0};
    text_add(&command, "sh -c");
    for (int i = 0; words[i]; i++) {
        text_add(&command, " ");
        text_add_quoted(&command, words[i]);
    }
    FILE *pipe = popen(command.data, "r");
    if (!pipe) return err_set(err, STATUS_IO, "cannot run sh: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        Revision *revision = i == 0 ? newer : older;
        AUTO(Text) hash = {0};
        read_line(pipe, &line);
        if (text_get(&line)[0] != '=') { // the build script has failed, and this line says why
            pclose(pipe);
            return err_set(err, STATUS_ENGINE, "%s", text_get(&line));
        }
        read_line(pipe, &hash);
        text_add(&revision->label, "%s (%s)", line.data + 1, text_get(&hash));
        read_line(pipe, &program);
        text_reset(&quoted);
        text_add_quoted(&quoted, text_get(&program));
        text_add(&revision->player, "cmd=");
        player_spec_add_value(&revision->player, quoted.data);
        text_add(&revision->player, ",name=");
        player_spec_add_value(&revision->player, line.data + 1);
        text_add(&revision->player, "(%s)", text_get(&hash));
        read_line(pipe, &revision->bench);
        read_line(pipe, &revision->log);
    }
    if (changed) read_line(pipe, changed);
    pclose(pipe);
    return STATUS_OK;
}

void revision_clear(Revision *revision) {
    text_clear(&revision->label);
    text_clear(&revision->player);
    text_clear(&revision->bench);
    text_clear(&revision->log);
}
