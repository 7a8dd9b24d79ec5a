# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion for bash: commands, their options, files. The program itself says what there is.
_paotai() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} table words=
    table=$("${COMP_WORDS[0]}" help --completion 2>/dev/null) || return
    if [ "$COMP_CWORD" -gt 2 ] && grep -q "^$command ${COMP_WORDS[2]}:" <<<"$table"; then
        command="$command ${COMP_WORDS[2]}"
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$(sed 's/[ :].*//' <<<"$table" | sort -u) help --help --version"
    elif [[ $word == -* ]]; then
        words="$(sed -n "s/^$command: *//p" <<<"$table") --help"
    elif [ "$COMP_CWORD" -eq 2 ]; then
        words=$(sed -n "s/^$command \([^ :]*\):.*/\1/p" <<<"$table")
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _paotai paotai
