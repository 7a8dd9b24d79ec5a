#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests behaviour that users know from other programs: a hint for a misspelt word, one line per game
# with --verbose, and files of options.
set -u
. tests/checks.sh
refuse habits_option_by_other_name 2 'did you mean --threads?' "$PAOTAI" match --concurrency 2
refuse habits_rounds 2 'did you mean --pairs?' "$PAOTAI" match --rounds 2
refuse habits_games 2 'did you mean --pairs?' "$PAOTAI" match --games=2
refuse habits_each 2 'did you mean --a and --b?' "$PAOTAI" match --each tc=1+0
refuse habits_srand 2 'did you mean --seed?' "$PAOTAI" match --srand 7
refuse habits_option_misspelt 2 'no option --game (did you mean --games?)' "$PAOTAI" selfplay --game 5
refuse habits_option_cut 2 'did you mean --opening-window?' "$PAOTAI" match --opening-wi x
refuse habits_choice 2 'did you mean round-robin?' "$PAOTAI" tournament --kind roundrobin a b
refuse habits_command 2 "did you mean 'tournament'?" "$PAOTAI" tornament
refuse habits_command_of_two_words 2 "did you mean 'weights'?" "$PAOTAI" weigths
refuse habits_nothing_near 2 "no option --frobnicate; 'paotai" "$PAOTAI" match --frobnicate

"$PAOTAI" match --a nodes=40,name=left --b nodes=36,name=right --pairs 6 --verbose \
    >"$out/match" 2>"$out/match.err"
lines=$(grep -cE '^game [0-9]+: (left - right|right - left) (1-0|0-1|1/2-1/2) [a-z_]+, [0-9]+ plies$' "$out/match.err")
result habits_verbose "$([ "$lines" -eq 12 ] || cat "$out/match.err")"
"$PAOTAI" match --a nodes=40 --b nodes=30 --pairs 6 --verbose --quiet >"$out/match" 2>"$out/quiet.err"
result habits_quiet "$(cat "$out/quiet.err")"
printf '# a match\npairs 3\n--nodes=40\r\n  a name=left,nodes=40\nquiet\nout=\n\nseed 9  \n' >"$out/options"
"$PAOTAI" match --options "$out/options" --b name=right,nodes=30 --seed 7 >"$out/file" 2>"$out/file.err"
"$PAOTAI" match --pairs 3 --a name=left,nodes=40 --b name=right,nodes=30 --nodes 40 --seed 7 --quiet >"$out/words"
result habits_options_file "$([ "$(value games "$out/file")" = 6 ] || cat "$out/file.err"
    for file in file words; do grep -vE 'second|ms_per_move' "$out/$file" >"$out/$file.same"; done
    diff "$out/file.same" "$out/words.same")"
# A file of options may set the flag shogi to 0. The flag --shogi itself would be refused here,
# because it has no effect with --to wxf.
printf 'to=wxf\nshogi=0\n' >"$out/options"
result habits_options_file_flag_0 "$(printf '3k5/9/9/9/9/9/9/9/4C4/4K4 w\te1c1\n' | "$PAOTAI" notation --options "$out/options" 2>&1 | grep -vx C5.7)"
printf 'pairs 3\nnode 40\n' >"$out/options"
refuse habits_options_file_misspelt 2 'line 2: no option --node (did you mean --nodes?)' "$PAOTAI" match --options "$out/options"
echo pairs >"$out/options"
refuse habits_options_file_bare 2 'line 1: --pairs needs a value' "$PAOTAI" match --options "$out/options"
printf 'pairs 3\0\n' >"$out/options"
refuse habits_options_file_zero 2 'byte 8 is zero' "$PAOTAI" match --options "$out/options"
refuse habits_options_file_endless 1 'longer than 256 MB' "$PAOTAI" match --options /dev/zero
refuse habits_help_full_disk 1 'No space left' sh -c '"$1" match --help >/dev/full' sh "$PAOTAI"
refuse habits_options_file_missing 1 'none.txt' "$PAOTAI" match --options "$out/none.txt"
refuse habits_options_file_equals 1 'none.txt' "$PAOTAI" match --options="$out/none.txt"
refuse habits_options_without_file 2 '--options needs a value: FILE' "$PAOTAI" match --options
"$PAOTAI" selfplay --games 3 --nodes 33 --seed 4 --quiet --out "$out/run" >"$out/log"
"$PAOTAI" data info --quiet "$out/run" | sed -n 's/^provenance_options //p' | tr ';' '\n' >"$out/stored"
timeout 300 "$PAOTAI" selfplay --options "$out/stored" --quiet --out "$out/again" >"$out/log" 2>&1
result habits_options_stored "$([ "$(hash_of "$out/run")" = "$(hash_of "$out/again")" ] || cat "$out/log" "$out/stored")"
# If an option that may be repeated (such as --tag) is given twice, the run records both values.
"$PAOTAI" data filter --tag Red=a --tag Black=b --quiet --out "$out/filtered" "$out/run" >"$out/log"
"$PAOTAI" data info --quiet "$out/filtered" | sed -n 's/^provenance_options //p' | tr ';' '\n' | grep '^tag=' >"$out/stored"
result habits_options_stored_twice "$(printf 'tag=Red=a\ntag=Black=b\n' | diff - "$out/stored")"
finish
