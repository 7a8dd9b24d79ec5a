#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A directory that cannot be listed to its end is an error, never a shorter run.
set -u
failures=0
out=$PAOTAI_SCRATCH
case $PAOTAI in *san*)
    echo "SKIP listing: a library in front of the sanitizer's"
    exit 0
    ;;
esac
cat >"$out/readdir.c" <<'END'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
static int seen;
struct dirent *readdir(DIR *dir) {
    struct dirent *(*real)(DIR *) = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
    if (seen++ < 3) return real(dir);
    errno = EIO;
    return NULL;
}
END
if ! "${CC:-cc}" -w -shared -fPIC -o "$out/readdir.so" "$out/readdir.c" -ldl 2>/dev/null; then
    echo "SKIP listing: no compiler"
    exit 0
fi
"$PAOTAI" selfplay --games 6 --nodes 20 --shard-games 1 --quiet --out "$out/run" >/dev/null
mkdir "$out/files"
for i in 1 2 3 4 5; do
    "$PAOTAI" data export --quiet --format moves --out "$out/files/$i.moves" "$out/run/shard-0000000$i-"*.h5 >/dev/null
done
fails() { # NAME ARGUMENT...
    name=$1
    shift
    said=$(LD_PRELOAD=$out/readdir.so "$PAOTAI" "$@" 2>&1)
    code=$?
    if [ "$code" -eq 1 ] && echo "$said" | grep -q 'cannot list .*: Input/output error'; then echo "PASS $name"; else
        echo "FAIL $name: exit status $code: $said"
        failures=$((failures + 1))
    fi
}
fails listing_info data info --quiet "$out/run"
fails listing_verify data verify --quiet "$out/run"
fails listing_rows data export --quiet --rows --out "$out/rows.h5" "$out/run"
fails listing_merge data merge --quiet --out "$out/merged" "$out/run"
fails listing_import data import --quiet --out "$out/imported" "$out/files"
[ "$failures" -eq 0 ]
