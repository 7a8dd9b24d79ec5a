#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# .ci/deb.sh BUILD_DIR OUT_DIR: makes a Debian package from a portable build (`make deb` calls it).
# Needs dpkg-dev and binutils. Writes only below OUT_DIR.
set -eu
build=$1 out=$2
revision=$("$build/paotai" --version | sed -n 's/^revision //p')
version=$("$build/paotai" --version | sed -n 's/^paotai \([0-9.]*\).*/\1/p')+git$(git log -1 --format=%cd --date=format:%Y%m%d).${revision%-dirty}
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-Paotai maintainers} <${DEBEMAIL:-maintainers@users.noreply.github.com}>"
work=$out/deb root=$out/deb/root
rm -rf "$work"
make -s B="$build" DESTDIR="$root" PREFIX=/usr install-files >/dev/null
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/paotai"
gzip -9n "$root"/usr/share/man/man1/*.1
# Debian's python3 and zsh search these directories.
install -D -m 644 datasets/paotai.py "$root/usr/lib/python3/dist-packages/paotai.py"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_paotai" "$root/usr/share/zsh/vendor-completions/_paotai"
rmdir "$root/usr/share/zsh/site-functions"

doc=$root/usr/share/doc/paotai
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: paotai

Files: *
Copyright: 2025-2026 the authors of Paotai
License: GPL-3+
 This program is free software: you can redistribute it and/or modify it under the terms of the GNU
 General Public License as published by the Free Software Foundation, either version 3 of the
 License, or (at your option) any later version.
 .
 On Debian systems the text is in /usr/share/common-licenses/GPL-3.
END
printf 'paotai (%s) unstable; urgency=medium\n\n  * Build of revision %s.\n\n -- %s  %s\n' \
    "$version" "$revision" "$maintainer" "$(git log -1 --format=%cD)" | gzip -9n >"$doc/changelog.gz"

# The packages of the linked libraries. dpkg-shlibdeps needs a debian/control in its directory.
mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: paotai\n\nPackage: paotai\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/paotai)
cat >"$root/DEBIAN/control" <<END
Package: paotai
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: ${depends#shlibs:Depends=}, python3:any
Recommends: python3-h5py
Section: science
Priority: optional
Description: laboratory for the evaluation of xiangqi positions
 Paotai plays xiangqi (Chinese chess) against itself, stores the games in
 HDF5, fits the weights of its evaluation to their outcomes, and plays matches
 that say how much stronger the fitted weights are, with the error of that
 number. It is also an engine for UCI and UCCI user interfaces, and its tuner
 and its matches work for other engines too.
END
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
package=$out/paotai_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
rm -rf "$work"
echo "$package"
