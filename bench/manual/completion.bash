# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion for bash: completes a word by what `paotai help --completion` prints, otherwise by file names.
_paotai() {
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help --completion "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o filenames -F _paotai paotai
