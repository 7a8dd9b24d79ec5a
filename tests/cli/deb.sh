#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests make deb: lintian finds no error in the package, the package has the READMEs, and it can be
# installed, run and removed in a minimal Debian.
set -u
. tests/checks.sh
[ "$PAOTAI_FULL" = 1 ] || skip deb "only in test-full: it compiles everything once more"
for tool in dpkg-shlibdeps lintian debootstrap; do
    command -v "$tool" >/dev/null 2>&1 || skip deb "no $tool (make deps-dev)"
done
package=$(make -s deb 2>"$out/err" | sed -n '$p')
[ -f "$package" ] || { fail deb "make deb failed: $(tail -n 3 "$out/err")" && finish; }
pass deb
result deb_lintian "$(lintian --fail-on error "$package" 2>&1 | grep '^E:')"
dpkg-deb -x "$package" "$out/x"
result deb_hardened "$(readelf -dW "$out/x/usr/bin/paotai" | grep -q BIND_NOW || echo "no BIND_NOW"
    for call in __stack_chk_fail __snprintf_chk; do readelf --dyn-syms -W "$out/x/usr/bin/paotai" | grep -q $call || echo "no $call"; done)"
result deb_readme "$(grep -oE '\]\([a-z]+/README.md\)' README.md | sort -u | tr -d '])(' | while read -r file; do
    [ -f "$out/x/usr/share/doc/paotai/$file" ] || [ -f "$out/x/usr/share/doc/paotai/$file.gz" ] || echo "$file"; done)"
[ "$(id -u)" -eq 0 ] || skip deb_clean_root "debootstrap wants root"
root=$out/root
debootstrap --variant=minbase bookworm "$root" >"$out/log" 2>&1 || skip deb_clean_root "debootstrap failed: $(tail -n 1 "$out/log")"
cp "$package" "$root/tmp/paotai.deb"
check deb_installs "apt cannot install it" chroot "$root" env DEBIAN_FRONTEND=noninteractive \
    sh -c 'apt-get -q update && apt-get -q -y install --no-install-recommends /tmp/paotai.deb'
check deb_runs "the installed program does not play" chroot "$root" \
    sh -c 'cd /tmp && paotai selfplay --games 2 --nodes 50 --out run && paotai data verify run && paotai view run --out run.html'
check deb_python "Python does not find paotai.py" chroot "$root" python3 -c 'import importlib.util as u; exit(not u.find_spec("paotai"))'
check deb_is_removed "apt cannot remove it" chroot "$root" sh -c 'apt-get -q -y purge paotai && ! command -v paotai'
finish
