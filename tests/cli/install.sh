#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests make install: it installs the program, a manual page for each command, the completion of
# three shells, and all files to which the installed READMEs link. A prefix may contain a blank, and
# make uninstall removes all files.
set -u
. tests/checks.sh
root=$out/root
check install "make install-files failed" make -s B="${PAOTAI%/*}" DESTDIR="$root" PREFIX=/usr install-files
share=$root/usr/share
check install_program "the installed program does not run" "$root/usr/bin/paotai" --version
result install_pages "$("$PAOTAI" help --completion | while IFS=: read -r command options; do
    page=paotai-$(echo "$command" | tr ' ' -)
    text=$(cat "$share/man/man1/$page.1")
    echo "$options" | tr ' ' '\n' | sed '/./!d; s/-/\\-/g; s/.*/\\fB&\\fR/' | while read -r option; do
        case $text in *"$option"*) ;; *) printf '%s: no %s\n' "$page" "$option" ;; esac
    done
    grep -qxF ".BR $page (1)" "$share/man/man1/paotai.1" || echo "paotai.1 does not name $page"
done)"
result install_links "$(find "$share/doc/paotai" -name '*.md' | while read -r file; do
    grep -oE '\]\([^):]+\)' "$file" | sed 's/^](//; s/)$//' | while read -r target; do
        [ -f "${file%/*}/$target" ] || echo "$file links to $target, which is not installed"
    done
done)"
! grep -q '@' "$share/man/man1/paotai.1"
ok install_pages_filled "paotai.1 has unreplaced marks: $(grep '@' "$share/man/man1/paotai.1")" $?
if command -v mandoc >/dev/null 2>&1; then
    result install_man "$(mandoc -Tlint -Wwarning "$share"/man/man1/*.1)"
elif man --warnings -l "$share/man/man1/paotai.1" >/dev/null 2>&1; then
    result install_man "$(for page in "$share"/man/man1/*.1; do man --warnings -l "$page" 2>&1 >/dev/null; done)"
else
    echo "SKIP install_man: neither mandoc nor a man that can format a page is installed"
fi
if command -v bash >/dev/null 2>&1; then
    # offered WORD...: prints the words to which the shell can complete the last WORD.
    offered() {
        PATH=$root/usr/bin:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _paotai; echo ${COMPREPLY[*]}' \
            bash "$share/bash-completion/completions/paotai" "$@"
    }
    result install_completion "$(
        [ "$(offered paotai selfp)" = selfplay ] || echo "selfp: $(offered paotai selfp)"
        [ "$(offered paotai data ver)" = verify ] || echo "data ver: $(offered paotai data ver)"
        [ "$(offered paotai match --pai)" = --pairs ] || echo "match --pai: $(offered paotai match --pai)"
        [ "$(offered paotai match --opt)" = --options ] || echo "match --opt: $(offered paotai match --opt)"
        [ "$(offered paotai match --rules a)" = axf ] || echo "match --rules a: $(offered paotai match --rules a)"
        [ "$(offered paotai data export --format '' | tr ' ' '\n' | grep -c -x pgn)" = 1 ] || echo "a format"
        [ "$(offered paotai match --a 'nodes=5,wei')" = nodes=5,weights= ] || echo "a key: $(offered paotai match --a 'nodes=5,wei')"
        [ "$(offered paotai match --a 'weights=defa')" = weights=default ] || echo "a weight set: $(offered paotai match --a 'weights=defa')"
        [ "$(offered paotai match --a "nodes=5,weights=$out/ro")" = "nodes=5,weights=$root/" ] || echo "a file of a key: $(offered paotai match --a "nodes=5,weights=$out/ro")"
        [ "$(offered paotai engine-check "cmd=$out/ro")" = "cmd=$root/" ] || echo "a program: $(offered paotai engine-check "cmd=$out/ro")"
        [ "$(offered paotai data merge --out "$out/ro")" = "$root" ] || echo "a file: $(offered paotai data merge --out "$out/ro")"
    )"
else
    echo "SKIP install_completion: no bash"
fi
if command -v zsh >/dev/null 2>&1; then
    check install_zsh "the completion does not offer axf after '--rules a'" test axf = "$(PATH=$root/usr/bin:$PATH zsh -fc 'compadd() { print -- "${(@)argv[4,-1]}" }
        words=(paotai match --rules a); CURRENT=4; . "$1"' zsh "$share/zsh/site-functions/_paotai" 2>&1)"
else
    echo "SKIP install_zsh: no zsh"
fi
if command -v fish >/dev/null 2>&1; then
    check install_fish "the completion does not offer axf after '--rules a'" test axf = "$(PATH=$root/usr/bin:$PATH HOME=$out fish -c "source $share/fish/vendor_completions.d/paotai.fish
        complete -C 'paotai match --rules a'" 2>&1)"
else
    echo "SKIP install_fish: no fish"
fi
# With DESTDIR, no file is written below PREFIX itself.
make -s B="${PAOTAI%/*}" DESTDIR="$out/stage" PREFIX="$out/prefix" install-files && [ ! -e "$out/prefix" ] && [ -x "$out/stage$out/prefix/bin/paotai" ]
ok install_destdir "files outside of DESTDIR: $(find "$out/prefix" 2>/dev/null | head -n 3)" $?
blank="$out/a b"
make -s B="${PAOTAI%/*}" PREFIX="$blank" install-files && [ -x "$blank/bin/paotai" ] &&
    make -s B="${PAOTAI%/*}" PREFIX="$blank" uninstall && [ -z "$(find "$blank" ! -type d)" ]
ok install_blank "a prefix with a blank, and make uninstall: $(find "$blank" ! -type d | head -n 3)" $?
finish
