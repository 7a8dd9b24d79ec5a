#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests failures of commands that read or write a store: a full disk, a directory without write
# permission, damaged and foreign files. Each time the exit status is 1, a message gives the reason
# and a remedy, and existing files are kept.
# shellcheck disable=SC2086,SC2317 # $play is a list of words; `limited` is called by refused()
set -u
. tests/checks.sh
# refused NAME PATTERN COMMAND...: checks that the command exits with 1 and that one line of its
# messages matches.
refused() {
    name=$1 pattern=$2
    shift 2
    "$@" >"$out/said.out" 2>"$out/said"
    status=$?
    [ $status -eq 1 ] && grep -q "$pattern" "$out/said" "$out/said.out"
    ok "$name" "exit $status: $(cat "$out/said")" $?
}
play="$PAOTAI selfplay --games 8 --nodes 30 --seed 5 --quiet --shard-games 2"
$play --out "$out/good" >/dev/null
whole=$(hash_of "$out/good")

# A limit on the file size simulates a full disk. The limit is half the size of a shard.
size=$(wc -c <"$(first_shard "$out/good")")
# Under this limit the thread sanitizer cannot write its file in TMPDIR, and ends the program. If
# TMPDIR does not exist, the sanitizer writes no file.
limited() {
    # shellcheck disable=SC3045 # ulimit has the option -f in every shell
    (export TMPDIR=/nowhere && ulimit -f $((size / 512 / 2)) && exec "$@")
}
refused trouble_file_size 'cannot write .*File too large.*safe; correct the error and continue with --resume' limited $play --out "$out/limited"
[ -z "$(find "$out/limited" -name '*.h5*')" ]
ok trouble_file_size_leaves_nothing "$(ls -A "$out/limited")" $?
[ "$($play --resume --out "$out/limited" >/dev/null && hash_of "$out/limited")" = "$whole" ]
ok trouble_file_size_goes_on "the resumed run has another content" $?
refused trouble_merge_file_size 'File too large.*remove the directory if it exists, and begin again' limited "$PAOTAI" data merge --quiet --out "$out/limited-merge" "$out/good"
refused trouble_rescore_file_size 'File too large.*--resume' limited "$PAOTAI" rescore --quiet --nodes 20 --out "$out/limited-rescore" "$out/good"
if [ -e /dev/full ]; then
    for command in "data info --quiet $out/good" "selfplay --games 1 --nodes 20 --quiet --out $out/unheard"; do
        # shellcheck disable=SC2086
        "$PAOTAI" $command >/dev/full 2>"$out/said"
        [ $? -eq 1 ] && grep -q 'results could not be written' "$out/said"
        ok "trouble_output_$(echo "$command" | cut -d ' ' -f 1)" "$(cat "$out/said")" $?
    done
else
    echo "SKIP trouble_output: no /dev/full"
fi

# Pipes and devices are written to, links are followed, and only regular files are replaced.
"$PAOTAI" data export --quiet --format moves "$out/good" >"$out/export.moves" 2>/dev/null
mkfifo "$out/pipe"
timeout 300 cat "$out/pipe" >"$out/piped.moves" &
timeout 300 "$PAOTAI" data export --quiet --format moves --out "$out/pipe" "$out/good" >/dev/null
wait
cmp -s "$out/export.moves" "$out/piped.moves" && [ -p "$out/pipe" ]
ok trouble_export_pipe "$(ls -l "$out/pipe" "$out/piped.moves" 2>&1)" $?
timeout 300 "$PAOTAI" data import --quiet --out "$out/seekable" "$out/export.moves" >/dev/null
timeout 300 cat "$out/export.moves" >"$out/pipe" &
timeout -s KILL 300 "$PAOTAI" data import --quiet --out "$out/unpiped" "$out/pipe" >/dev/null
wait
[ "$(hash_of "$out/unpiped")" = "$(hash_of "$out/seekable")" ]
ok trouble_import_pipe "a pipe gave other games than the file" $?
echo old >"$out/linked" && ln -s linked "$out/link"
"$PAOTAI" data export --quiet --format moves --out "$out/link" "$out/good" >/dev/null
[ -L "$out/link" ] && cmp -s "$out/export.moves" "$out/linked"
ok trouble_export_link "$(ls -l "$out/link" "$out/linked")" $?
refused trouble_rows_pipe 'pipe: it is not a regular file' "$PAOTAI" data export --quiet --rows --out "$out/pipe" "$out/good"
if [ -e /dev/full ]; then
    ln -s /dev/full "$out/full.csv"
    # The message names the file that cannot be written, also if the error comes after many games.
    refused trouble_export_full 'export: cannot write .*/full.csv: No space left' \
        "$PAOTAI" data export --quiet --out "$out/full.csv" "$out/good"
    "$PAOTAI" selfplay --games 100 --nodes 1 --opening-nodes 0 --quiet --out "$out/many" >/dev/null
    refused trouble_view_full 'view: cannot write /dev/full: No space left' "$PAOTAI" view --out /dev/full "$out/many"
    [ -L "$out/full.csv" ]
    ok trouble_export_full_stays "the link was replaced" $?
fi

: >"$out/file"
refused trouble_not_a_directory "$out/file: Not a directory" $play --out "$out/file"
refused trouble_below_a_file "cannot create directory $out/file/run: Not a directory" $play --out "$out/file/run"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 "$out/locked"
    refused trouble_no_permission 'cannot write in .*Permission denied' $play --out "$out/locked"
fi

# A shard is damaged in four ways: it is truncated, or empty, or one bit of its data or of its
# structure is flipped.
damaged() { # NAME PATTERN: checks that commands name the damaged file in $out/NAME, and that --resume plays its games again when it is removed
    for command in "data info --quiet $out/$1" "data verify --quiet $out/$1" "data merge --quiet --out $out/$1-merged $out/$1" \
        "rescore --quiet --nodes 20 --out $out/$1-rescored $out/$1"; do
        # shellcheck disable=SC2086
        refused "trouble_$1_$(echo "$command" | cut -d ' ' -f 1-2 | tr -d ' -')" "$(first_shard "$out/$1").*$2.*move this file to another directory" "$PAOTAI" $command
    done
    rm "$(first_shard "$out/$1")"
    $play --resume --out "$out/$1" >/dev/null 2>"$out/said" && [ "$(hash_of "$out/$1")" = "$whole" ]
    ok "trouble_$1_mended" "$(cat "$out/said")" $?
}
flip() { # FILE OFFSET
    byte=$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null | od -An -tu1)
    # shellcheck disable=SC2059
    printf "\\$(printf %o $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" count=1 conv=notrunc 2>/dev/null
}
for name in truncated empty structure data; do cp -r "$out/good" "$out/$name"; done
dd if="$(first_shard "$out/good")" of="$(first_shard "$out/truncated")" bs=1000 count=9 2>/dev/null
damaged truncated 'truncated file'
: >"$(first_shard "$out/empty")"
damaged empty 'file signature not found'
flip "$(first_shard "$out/structure")" 16
refused trouble_structure_resume 'move this file to another directory' $play --resume --out "$out/structure"
damaged structure ''
# Find compressed data: of all stretches of 300 bytes in the shard, the one with the fewest ASCII
# characters. Then flip a bit in its middle.
offset=$(od -An -v -tu1 -w1 "$(first_shard "$out/data")" | awk '{ high[NR] = $1 >= 128; sum += high[NR] - high[NR - 300] }
    sum > best { best = sum; at = NR } END { print at - 150 }')
flip "$(first_shard "$out/data")" "$offset"
damaged data 'parts of the data are damaged'
finish
