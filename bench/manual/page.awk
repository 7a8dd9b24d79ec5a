# SPDX-License-Identifier: GPL-3.0-or-later
# Converts the help of a command to a manual page. Variables: name of the command, page, version.

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
function option(left, help,    unit) {
    unit = left
    sub(/^[^ ]* ?/, "", unit)
    sub(/ .*/, "", left)
    unit = troff(unit)
    gsub(/\|/, "|\\:", unit) # allow a line break after each bar
    print ".TP\n\\fB" troff(left) "\\fR" (unit == "" ? "" : " \\fI" unit "\\fR") "\n" troff(help)
}
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
# The first examples come before the options in the help, and at the end of the page.
!listed && !details && /^(paotai|printf) / { examples = examples troff($0) "\n"; next }
!listed && !details && /^options:$/ { print ".SH OPTIONS"; listing = listed = 1; next }
!listing && !details && /^$/ { next }
# If the left side is long, its help begins on the next line.
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
# Paragraphs are filled. Indented lines and commands are kept.
{
    example = /^ / || /^paotai /
    if (example != as_is) print example ? ".nf" : ".fi"
    if (blank) print ".PP"
    print troff($0)
    as_is = example
    blank = 0
}
END {
    if (as_is) print ".fi"
    if (examples != "") printf ".SH EXAMPLES\n.nf\n%s.fi\n", examples
    print ".SH SEE ALSO\n.BR paotai (1)"
}
