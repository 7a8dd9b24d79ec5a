# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion for bash: completes a word by what `paotai help --completion` prints, otherwise by file names.
_paotai() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help --completion "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}
# The words keep the order of the groups of `paotai --help`, where the shell can (bash 4.4).
# A word KEY=VALUE is completed as a whole.
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
complete -o nosort -o filenames -F _paotai paotai 2>/dev/null || complete -o filenames -F _paotai paotai
