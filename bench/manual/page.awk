# SPDX-License-Identifier: GPL-3.0-or-later
# Converts the help of a command to a manual page. pages.sh sets the variables name (of the command), page (name of the
# page) and version (of the program).

# Escapes the characters that troff would interpret or print in another shape.
function troff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    gsub(/"/, "\\(dq", text)
    return (text ~ /^\./ ? "\\&" : "") text
}
# Returns the number of columns of a text in a terminal. A Chinese character has three bytes and two
# columns; awk counts bytes (LC_ALL=C).
function columns(text,    wide) {
    wide = gsub(/[\343-\351]/, "&", text)
    return length(text) - wide
}
# Breaks a line that is longer than WIDTH at blanks. The following lines begin at column `indent`; a
# broken command gets backslashes.
function fold(line, indent,    command, text, cut) {
    command = line ~ /^(paotai|printf) /
    if (command) indent = 4
    while (columns(line) > WIDTH) {
        cut = WIDTH - 1
        while (cut > indent && substr(line, cut, 1) != " ") cut--
        if (cut <= indent) break
        text = text troff(substr(line, 1, cut - 1)) (command ? " \\e" : "") "\n"
        line = sprintf("%" indent "s", "") substr(line, cut + 1)
    }
    return text troff(line)
}
function option(left, help,    unit) {
    unit = left
    sub(/^[^ ]* ?/, "", unit)
    sub(/ .*/, "", left)
    unit = troff(unit)
    gsub(/\|/, "|\\:", unit) # allow a line break after each bar
    print ".TP\n\\fB" troff(left) "\\fR" (unit == "" ? "" : " \\fI" unit "\\fR") "\n" troff(help)
}
BEGIN { WIDTH = 72 } # columns of a kept line
NR == 1 {
    usage = substr($0, length("usage: paotai " name) + 1)
    sub(/^ /, "", usage)
    options = sub(/^\[options\] ?/, "", usage)
}
NR == 3 {
    print ".TH " page " 1 \"\" \"Paotai " version "\" \"Paotai\"\n.ad l\n.nh\n.SH NAME"
    print troff(page) " \\- " troff($0) "\n.SH SYNOPSIS"
    print "\\fB" troff("paotai " name) "\\fR " (options ? "[\\fIoptions\\fR] " : "") troff(usage)
}
NR <= 4 { next }
# Examples that the help prints before the options go to the end of the page.
!listed && !details && /^(paotai|printf) / { examples = examples fold($0, 4) "\n"; next }
!listed && !details && /^options:$/ { print ".SH OPTIONS"; listing = listed = 1; next }
!listing && !details && /^$/ { next }
# If the name and value of an option are long, its help begins on the next line.
listing && left != "" { option(left, substr($0, 28)); left = ""; next }
listing && /^  --/ {
    if (substr($0, 27, 1) == " ") {
        left = substr($0, 3, 24)
        sub(/ *$/, "", left)
        option(left, substr($0, 28))
        left = ""
    } else {
        left = substr($0, 3)
    }
    next
}
listing && /^$/ { listing = 0; next }
!details { print ".SH DESCRIPTION"; details = 1 }
/^$/ { blank = 1; next }
# Paragraphs are filled. Commands, indented lines, lines with a second column and items of lists are
# kept. They are broken only if they are too long.
{
    match($0, /^ */)
    begin = RLENGTH
    example = /^paotai / || /^printf /
    column = example ? 0 : match(substr($0, begin + 1), /[^ ]  +[^ ]/)
    if (column > 0) column += begin + RLENGTH - 2
    item = match($0, /^([0-9]+\.|-) /) ? RLENGTH : 0
    kept = begin > 0 || example || column > 0 || item > 0
    if (kept != as_is) print kept ? ".nf" : ".fi"
    if (blank) print ".PP"
    if (column == 0 || column > WIDTH / 2) column = item > 0 ? item : begin + 2
    print kept ? fold($0, column) : troff($0)
    as_is = kept
    blank = 0
}
END {
    if (as_is) print ".fi"
    if (examples != "") printf ".SH EXAMPLES\n.nf\n%s.fi\n", examples
    print ".SH SEE ALSO\n.BR paotai (1)"
}
