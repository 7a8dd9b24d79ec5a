#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the result of `paotai spsa` (DIR/params.txt) the default of the search; `make adopt
# SEARCH=FILE` calls it.
#   adopt.sh write FILE          checks all lines, then changes core/search/search_params.def
#   adopt.sh prove FILE PROGRAM  fails unless the options of the program have these defaults
# A line of FILE has the form "name, int, value, min, max, c, r" (OpenBench) or
# "name,value,min,max,c,r" (fishtest). A value with a fraction is rounded.
set -eu
table=core/search/search_params.def
step=$1 file=$2
[ ! -d "$file" ] || file=$file/params.txt
[ -r "$file" ] || { echo "adopt: cannot read SEARCH=$file: give the params.txt of 'paotai spsa --out DIR'" >&2; exit 2; }
[ -z "$(tail -c 1 "$file")" ] || {
    echo "adopt: $file: the last line has no line end, so the file may have been cut off: copy it again, or add the line end" >&2
    exit 2
}
# The table is written beside the old one, and renamed when it is complete.
values=$(mktemp)
trap 'rm -f "$values" "$table.new"' EXIT

# Prints "name value" for each line of FILE. Refuses a value outside its range in
# search_params.def.
LC_ALL=C awk -F ' *, *' -v file="$file" '
    function refuse(why) { print "adopt: " file ":" FNR ": " why | "cat >&2"; bad = 1; exit 2 }
    FNR == NR {
        if (match($1, /^SEARCH_(PARAM|FEW)\(/)) {
            name = ($1 ~ /^SEARCH_FEW/ ? "few_" : "") substr($1, RLENGTH + 1)
            low[name] = $3 + 0; high[name] = $4 + 0
        }
        next
    }
    FNR == 1 { sub(/^\357\273\277/, "") } # a byte order mark
    { sub(/\r$/, ""); sub(/^ +/, "") }
    /^#/ || /^$/ { next }
    {
        value = $2 == "int" ? $3 : $2
        if (!($1 in low)) refuse("\047" $1 "\047 is no search parameter; core/search/search_params.def lists them")
        if ($1 in seen) refuse($1 " is given twice")
        if (value !~ /^-?[0-9]+(\.[0-9]+)?$/) refuse($1 ": \047" value "\047 is no number")
        value = value < 0 ? -int(0.5 - value) : int(value + 0.5) # as spsa_round() rounds
        if (value + 0 < low[$1] || value + 0 > high[$1]) refuse($1 ": " value " is outside " low[$1] " to " high[$1])
        seen[$1] = 1
        print $1, value + 0
    }
    END { if (!bad && length(seen) == 0) refuse("no line names a parameter") }' "$table" "$file" >"$values"

case $step in
write)
    new=$table.new
    awk '
        FNR == NR { value[$1] = $2; next }
        match($0, /^SEARCH_(PARAM|FEW)\(/) {
            head = substr($0, 1, RLENGTH)
            split(substr($0, RLENGTH + 1), field, /, */)
            name = (head ~ /FEW/ ? "few_" : "") field[1]
            if (name in value) {
                rest = substr($0, RLENGTH + 1 + length(field[1]))
                sub(/^, *-?[0-9]+/, ", " value[name], rest)
                $0 = head field[1] rest
                printf "%s %s -> %s%s\n", name, field[2], value[name], field[2] == value[name] ? " (as before)" : "" | "cat >&2"
            }
        }
        { print }' "$values" "$table" >"$new"
    # The new table must have all lines of the old one, and each value that was given.
    [ "$(wc -l <"$new")" -eq "$(wc -l <"$table")" ] || { echo "adopt: $new cannot be written completely" >&2 && exit 1; }
    while read -r name value; do
        macro=PARAM key=$name
        case $name in few_*) macro=FEW key=${name#few_} ;; esac
        grep -q "^SEARCH_$macro($key, $value," "$new" || { echo "adopt: $new lacks $name $value" >&2 && exit 1; }
    done <"$values"
    sync "$new"
    if cmp -s "$new" "$table"; then rm "$new"; else mv "$new" "$table"; fi
    ;;
prove)
    options=$(printf 'uci\nquit\n' | "$3")
    while read -r name value; do
        echo "$options" | grep -q "^option name $name type spin default $value " ||
            { echo "adopt: option $name of $3 is not $value by default" >&2; exit 1; }
    done <"$values"
    ;;
*) echo "adopt: no step '$step'" >&2; exit 2 ;;
esac
