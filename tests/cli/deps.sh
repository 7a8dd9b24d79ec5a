#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests tests/deps.sh in simulated systems (PATH has fake dpkg-query, apt-get, id, sudo and cc), and
# with the real compiler and unusable flags. Also tests what make says if the compiler or a
# library cannot be used or OPENMP is empty, and that `make O=DIR` writes nothing below build.
# shellcheck disable=SC2016 # the fake programs expand their own variables
set -u
. tests/checks.sh
bin=$PAOTAI_SCRATCH/bin called=$PAOTAI_SCRATCH/called out=$PAOTAI_SCRATCH/out
mkdir "$bin"
for tool in sh env; do ln -s "$(command -v $tool)" "$bin/$tool"; done
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
# installer WANTED_STATUS [NAME=VALUE]: runs tests/deps.sh, which must exit with this status. Keeps its
# output and a list of the programs that it calls.
installer() {
    : >"$called"
    env -i PATH="$bin" CALLED="$called" ${2:+"$2"} sh tests/deps.sh run >"$out" 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$1" ] || complain "exits $status, not $1: $(cat "$out")"
}
complain() { fail "$test" "$1"; }
says() { grep -q -e "$1" "$out" || complain "does not say '$1' but: $(cat "$out")"; }
calls() { grep -q -e "$1" "$called" || complain "does not call '$1' but: $(cat "$called")"; }
record='echo "$DEBIAN_FRONTEND ${0##*/} $*" >>"$CALLED"'

test=deps_all_there
fake dpkg-query 'echo installed'
fake apt-get "$record"
fake id 'echo 1000'
installer 0
[ -z "$(cat "$out" "$called")" ] || complain "does something where all is there: $(cat "$out" "$called")"

test=deps_root
fake dpkg-query 'case $* in *libhdf5-dev*|*libgsl*) exit 1 ;; *zlib*) echo config-files ;; *) echo installed ;; esac'
fake id 'echo 0'
installer 0
says 'libhdf5-dev .*store'
calls '^noninteractive apt-get .*-y.* update'
calls '^noninteractive apt-get .*-y.* install .* libhdf5-dev libgsl-dev zlib1g-dev$'

# With PAOTAI_NO_INSTALL=1 the exact command is printed, nothing is installed, and make stops.
test=deps_no_install
installer 1 PAOTAI_NO_INSTALL=1
says '^  apt-get update && apt-get install --no-install-recommends libhdf5-dev libgsl-dev zlib1g-dev$'
[ ! -s "$called" ] || complain "calls $(cat "$called")"
installer 0 PAOTAI_NO_INSTALL=0
calls 'apt-get .* install .* libhdf5-dev'
for target in deps demo test; do
    : >"$called"
    env CALLED="$called" PATH="$bin:$PATH" PAOTAI_NO_INSTALL=1 make "$target" >"$out" 2>&1 && complain "make $target ends well"
    says '^  apt-get update && apt-get install --no-install-recommends libhdf5-dev libgsl-dev zlib1g-dev$'
    ! grep -q '  compile\|PASS\|  link' "$out" || complain "make $target goes on: $(cat "$out")"
    [ ! -s "$called" ] || complain "make $target calls $(cat "$called")"
done

test=deps_no_install_all_there
fake dpkg-query 'echo installed'
installer 0 PAOTAI_NO_INSTALL=1
[ -z "$(cat "$out" "$called")" ] || complain "does something where all is there: $(cat "$out" "$called")"
fake dpkg-query 'case $* in *libhdf5-dev*|*libgsl*) exit 1 ;; *zlib*) echo config-files ;; *) echo installed ;; esac'

test=deps_not_root
fake id 'echo 1000'
installer 1
says 'apt-get install .*libhdf5-dev libgsl-dev zlib1g-dev'
[ ! -s "$called" ] || complain "calls $(cat "$called")"

test=deps_sudo
fake sudo 'if [ "$1" = -n ]; then exit 0; fi; SUDO=1 "$@"; echo sudo >>"$CALLED"'
installer 0
calls '^sudo'
calls '^noninteractive apt-get .*install .* libhdf5-dev'

test=deps_sudo_wants_password
fake sudo 'exit 1'
installer 1
says 'apt-get install .*libhdf5-dev'

test=deps_apt_fails
fake id 'echo 0'
fake apt-get 'exit 100'
installer 1
says 'apt-get failed'

test=deps_not_debian
rm "$bin/apt-get"
fake cc 'exit 1'
installer 1
says 'not Debian'
fake cc 'exit 0'
installer 0

# If the compiler cannot find the libraries, make reports them before it compiles anything.
test=deps_make_all
make CC="$bin/cc" B="$PAOTAI_SCRATCH/good" -n all >"$out" 2>&1 || complain "make -n: $(tail -n 2 "$out")"
fake cc 'exit 1'
! make CC="$bin/cc" B="$PAOTAI_SCRATCH/bare" all >"$out" 2>&1 || complain "make all ends well without a compiler"
says "'make deps'"
says 'libhdf5-dev .*store'
! grep -q '^  compile' "$out" || complain "make all compiles first: $(grep -m 1 compile "$out")"

[ "$failures" -gt 0 ] || pass deps
check_says() { # NAME PATTERN COMMAND...
    name=$1 pattern=$2
    shift 2
    "$@" >"$out" 2>&1 && result "$name" "exit status 0"
    result "$name" "$(grep -q -e "$pattern" "$out" || head -n 5 "$out")"
}
check_says deps_32_bits '32 bits: Paotai needs' env CC='gcc -m32' sh tests/deps.sh check
check_says deps_compiler_says 'no-such-dir\|no-such-flag' env CC='gcc -fno-such-flag' sh tests/deps.sh check
check_says deps_openmp 'OPENMP= is empty' make -n OPENMP= all
check_says deps_deb 'dpkg-shlibdeps is missing.*dpkg-dev' env PATH="$bin" "$(command -v make)" deb
result deps_elsewhere "$(make -n O="$PAOTAI_SCRATCH/b" all 2>/dev/null | grep -E ' (-o|>|mkdir -p) *build/' | head -n 3)"
finish
