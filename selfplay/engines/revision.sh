#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds two revisions for `match --rev`. revision.c embeds this file and runs it. The arguments are
# REPO BUILD BINARY CACHE QUIET SAME SKIP REVISION REVISION. QUIET is "-" to report no builds on
# stderr, "--" to print nothing there, or empty. If SAME is not empty, both revisions may have the
# same files. If SKIP is not empty, `bench` is not run. For each revision, the newer one first, the
# script prints five lines: "=" and the name, the short hash, the path of the program, the bench
# count (empty if unknown) and the path of the build log. Finally it prints the changed files on one
# line. On failure its last line is a sentence that says why.
#
# Each revision is built in a directory of its own in CACHE. This is a git clone that shares the
# objects of the repository, so the build command can ask git for the revision. The name of the
# directory contains a hash of the build command, so each build command has its own directories.
# The directory gets its final name only when the build is complete, so an interrupted build is
# never used.
#
# The working tree is built as a commit on top of HEAD. The commit is made with a temporary index,
# so the files, branches and index of the repository do not change. The commit has the date of
# HEAD, so that equal files give an equal hash. CACHE is excluded from it. An ignored CACHE is not
# named to `git add`, because `git add` fails if it is given the name of an ignored file.
repo=$1 build=$2 binary=$3 cache=$4 quiet=$5 same=$6 skip=$7; shift 7
fail() { printf '%s\n' "$*"; exit 1; }
say() { [ "$quiet" = -- ] || printf '%s\n' "$*" >&2; }
git_() { git -C "$repo" "$@" 2>/dev/null; }
worktree() (
  top=$(git_ rev-parse --show-toplevel) && mkdir -p "$cache" && here=$(cd "$cache" && pwd -P) ||
    return 1
  case $here in
  "$top"/*) git_ check-ignore -q "$here" || set -- ":(exclude)${here#"$top"/}" ;;
  esac
  export GIT_INDEX_FILE="$here/index.$$" GIT_AUTHOR_NAME=- GIT_AUTHOR_EMAIL=- GIT_COMMITTER_NAME=- \
    GIT_COMMITTER_EMAIL=-
  GIT_AUTHOR_DATE=$(git_ show -s --format=%cI HEAD) && GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE &&
    export GIT_AUTHOR_DATE GIT_COMMITTER_DATE || return
  git -C "$top" read-tree HEAD >&2 && git -C "$top" add -A -- . "$@" >&2 &&
    tree=$(git -C "$top" write-tree) && git_ commit-tree -p HEAD -m 'working tree' "$tree"
  status=$?
  rm -f "$GIT_INDEX_FILE"
  exit $status
)
working=
case "=$1=$2=" in *=worktree=*)
  working=$(worktree) || fail "--rev worktree: git cannot read the working tree of $repo"
esac
# git writes a name such as ^HEAD as "^HASH"; only a HASH is a commit
commit() {
  if [ "$1" = worktree ]; then
    printf '%s\n' "$working"
  else
    found=$(git_ rev-parse --verify --quiet --end-of-options "$1^{commit}") &&
      printf '%s\n' "$found" | grep -x '[0-9a-f]*'
  fi
}
for name; do
  commit "$name" >/dev/null || fail "--rev $name: no such commit in the repository of $repo"
done
one=$(commit "$1") two=$(commit "$2") new=$1 old=$2
if [ "$(git_ rev-parse "$one^{tree}")" = "$(git_ rev-parse "$two^{tree}")" ]; then
  [ "$same" ] || fail "--rev $1 and --rev $2 have the same files: nothing would be measured." \
    "Name other revisions, or give --a and --b that differ"
elif [ "$1" = worktree ]; then
  :
elif [ "$2" = worktree ] || git_ merge-base --is-ancestor "$one" "$two"; then
  new=$2 old=$1
elif ! git_ merge-base --is-ancestor "$two" "$one" &&
  [ "$(git_ show -s --format=%ct "$one")" -le "$(git_ show -s --format=%ct "$two")" ]; then
  new=$2 old=$1
fi
changed=$(git_ status --porcelain --untracked-files=no | cut -c 4- | tr '\n' ' ')
[ ! "$changed" ] || [ "$working" ] ||
  say "note: uncommitted changes are in neither revision: $changed"
made=$(printf %s "$build" | sha256sum | cut -c -8)
common=$(cd "$repo" && cd "$(git rev-parse --git-common-dir)" && pwd)
last=
for name in "$new" "$old"; do
  hash=$(commit "$name") short=$(commit "$name" | cut -c -10)
  dir=$cache/$hash-$made part=$cache/$hash-$made.$$ program=$cache/$hash-$made/$binary
  if [ ! -x "$program" ]; then
    [ "$quiet" ] || say "building revision $name ($short) in $cache"
    rm -rf "$part" "$dir.bench" && mkdir -p "$cache" &&
      git clone -q --shared --no-checkout "$common" "$part" >"$dir.log" 2>&1 </dev/null &&
      git -C "$part" checkout -q --detach "$hash" >>"$dir.log" 2>&1 &&
      (cd "$part" && sh -c "$build") >>"$dir.log" 2>&1 </dev/null &&
      rm -rf "$dir" && mv "$part" "$dir" || {
      rm -rf "$part"
      why=$(grep -m 1 -iE 'error|\*\*\*|fatal|not found' "$dir.log")
      fail "revision $short does not build${why:+: }$why ($dir.log)"
    }
  fi
  [ -x "$program" ] || fail "revision $short was built, but there is no $program: correct --binary"
  nodes='' bench=''
  [ "$skip" ] || {
    [ -e "$dir.bench" ] || {
      say "revision $name ($short): '$binary bench' runs, up to 100 s (--no-bench: not)"
      timeout 100 "$program" bench >"$part" 2>&1 </dev/null
      mv "$part" "$dir.bench"
    }
    nodes=$(git_ show -s --format=%B "$hash" |
      sed -n 's/^[Bb]ench *:* *\([0-9][0-9]*\) *$/\1/p' | tail -n 1)
    bench=$(grep -oiE '[0-9]+ nodes|nodes searched[^0-9]*[0-9]+' "$dir.bench" |
      grep -oE '[0-9]+' | tail -n 1)
  }
  [ ! "$nodes" ] || grep -qw "$nodes" "$dir.bench" ||
    fail "the commit message of $short says Bench: $nodes, but '$program bench' does not print" \
      "this number"
  [ ! "$bench" ] || [ "$bench" != "$last" ] ||
    say "note: both revisions search $bench nodes in bench:" \
      "their search and evaluation are probably alike"
  last=$bench
  printf '=%s\n%s\n%s\n%s\n%s\n' "$name" "$short" "$program" "$bench" "$dir.log"
done
git_ diff --name-only "$(commit "$old")" "$(commit "$new")" |
  tr '\n' ' ' | sed 's/ $//'
