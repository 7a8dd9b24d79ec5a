# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion for bash: completes a word by what `paotai help --completion` prints. Completes file names
# if that is nothing, or if its last line is `@files`. A word KEY=VALUE,KEY=VALUE is completed from its
# last `=` or `,` on.
_paotai() {
    local word=${COMP_WORDS[COMP_CWORD]} head files=()
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help --completion "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [ ${#COMPREPLY[@]} -gt 0 ] && [ "${COMPREPLY[-1]}" != @files ]; then
        case ${COMPREPLY[-1]} in *=) compopt -o nospace 2>/dev/null ;; esac
        return
    fi
    [ ${#COMPREPLY[@]} -eq 0 ] || unset 'COMPREPLY[-1]'
    head=${word%"${word##*[=,]}"}
    [ -e "$word" ] && head=
    mapfile -t files < <(compgen -f -- "${word#"$head"}")
    COMPREPLY+=("${files[@]/#/$head}")
    if [ -z "$head" ]; then compopt -o filenames 2>/dev/null; fi
    # A directory is no whole word: its files can follow.
    if [ ${#COMPREPLY[@]} -eq 1 ] && [ -n "$head" ] && [ -d "${COMPREPLY[0]#"$head"}" ]; then
        COMPREPLY[0]+=/
        compopt -o nospace 2>/dev/null
    fi
}
# A word KEY=VALUE is one word. The words keep the order of the groups of `paotai --help`, where the
# shell can (bash 4.4).
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
complete -o nosort -F _paotai paotai 2>/dev/null || complete -F _paotai paotai
