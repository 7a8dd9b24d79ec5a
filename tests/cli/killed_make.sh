#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that a killed `make` leaves no half file that counts as up to date, and that a full disk does
# not destroy weights, networks or search parameters in the source tree.
set -u
. tests/checks.sh

# ---- make is killed while it writes a file -------------------------------------------------------
# A compiler and an archiver that write the word "whole" to their output. If the name of the output
# contains $KILL, they write "half", and kill make and all its children with kill -9.
mkdir "$out/bin"
cat >"$out/bin/cc" <<'END'
#!/bin/sh
output='' depends='' previous=''
for word in "$@"; do
    case $previous in -o) output=$word ;; -MF) depends=$word ;; esac
    previous=$word
done
case $output in
*/made/*) ;;
*) exec gcc "$@" ;;
esac
[ -z "$depends" ] || : >"$depends"
exec "${0%/*}/ar" rcs "$output"
END
cat >"$out/bin/ar" <<'END'
#!/bin/sh
case $2 in
*/"${KILL:-none}"*)
    printf half >"$2"
    kill -9 -"$(ps -o pgid= -p $$ | tr -d ' ')"
    ;;
esac
echo whole >"$2"
END
chmod +x "$out/bin/cc" "$out/bin/ar"
made=$out/made/release
build() { PATH=$out/bin:$PATH make -j2 CC="$out/bin/cc" O="$out/made" "$made/paotai" >"$out/make.txt" 2>&1; }
for file in core/base/text.o libdatasets.a paotai; do
    rm -f "$made/$file"
    (KILL=${file##*/} && export KILL out made && PATH=$out/bin:$PATH setsid -w make -j2 CC="$out/bin/cc" O="$out/made" "$made/paotai" >"$out/make.txt" 2>&1)
    killed=$?
    half=$(find "$out/made" -type f ! -name '*.new' -exec grep -lx half {} +)
    build
    built=$?
    check "killed_make_$(echo "$file" | tr './' '__')" "killed: exit status $killed, half files: $half; then make: exit status $built, $(tail -n 1 "$out/make.txt")" \
        sh -c "[ $killed -ne 0 ] && [ -z '$half' ] && [ $built -eq 0 ] && [ \"\$(cat '$made/$file')\" = whole ]"
done

# ---- make adopt on a full disk -------------------------------------------------------------------
# In a copy of the files that it changes. A limit on the file size simulates a full disk.
here=$PWD tree=$out/tree
mkdir -p "$tree/core/eval" "$tree/core/search"
cp core/eval/network_default.net core/eval/weights_default.txt "$tree/core/eval"
cp core/search/search_params.def "$tree/core/search"
cp core/eval/network_default.net "$out/same.net"
"$PAOTAI" weights convert classic --out "$out/classic.txt" 2>/dev/null
printf 'razor_margin, int, 311, 100, 800, 40, 0.002\n' >"$out/params.txt"
find "$tree" -type f -exec cksum {} + | sort >"$out/before"
# adopt BLOCKS ROOM FILE: runs a script of `make adopt` with a limit of the file size. A program that
# writes more ends by a signal.
adopt() (
    cd "$tree" && ulimit -f "$1" && shift
    case $1 in
    eval) sh "$here/core/eval/adopt.sh" write "$PAOTAI" "$2" '' "${3:-}" ;;
    search) sh "$here/core/search/adopt.sh" write "$2" ;;
    esac
) >"$out/adopt.txt" 2>&1
for words in "eval same.net" "eval same.net keep" "eval classic.txt" "search params.txt"; do
    # shellcheck disable=SC2086 # a list of words
    set -- $words
    if adopt 2 "$1" "$out/$2" "${3:-}"; then status=0; else status=$?; fi
    find "$tree/core" -type f -exec cksum {} + | sort >"$out/after"
    check "full_disk_adopt_$1_${2%.*}${3:+_keep}" "exit status $status; $(tail -n 1 "$out/adopt.txt"); $(diff "$out/before" "$out/after" | head -n 3)" \
        sh -c "[ $status -ne 0 ] && cmp '$out/before' '$out/after'"
done
for words in "eval classic.txt" "search params.txt" "eval same.net keep"; do
    # shellcheck disable=SC2086 # a list of words
    set -- $words
    check "adopt_$1_${2%.*}" "exit status or result: $(tail -n 1 "$out/adopt.txt")" adopt unlimited "$1" "$out/$2" "${3:-}"
done
check adopt_whole "the adopted files differ, or temporary files are left" sh -c "
    cmp '$out/same.net' '$tree/core/eval/network_default.net' && grep -q '^SEARCH_PARAM(razor_margin, 311,' '$tree/core/search/search_params.def' &&
    grep -q '^# keep_network ' '$tree/core/eval/weights_default.txt' && [ -z \"\$(find '$tree' '$here/core' -name '*.new')\" ]"
finish
