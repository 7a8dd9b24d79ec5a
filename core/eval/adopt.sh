#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `make adopt WEIGHTS=FILE` runs this script in the root folder: `write` before the build, `prove` after it.
#   adopt.sh write PROGRAM FILE [ERRORS] [KEEP_NETWORK]   copies the weights or the network to the source file that is
#                                                         compiled in; standard errors come from FILE or ERRORS. With
#                                                         KEEP_NETWORK the program plays with the network even if its
#                                                         linear weights differ from the default
#   adopt.sh prove PROGRAM FILE                           fails unless the new program contains the weights or the network
#                                                         of FILE; prints the evaluation that the program plays with, and
#                                                         its bench signature
set -eu
step=$1 program=$2 file=$3 errors=${4:-} keep=${5:-}
network=core/eval/network_default.net default=core/eval/weights_default.txt
mkdir -p build
# New files are written beside the old ones, checked by loading them, and renamed when all of them are
# complete. If the disk is full or this script is killed, the old files stay.
trap 'rm -f "$network.new" "$default.new"' EXIT
hash_of() { "$program" weights hash "$1" | sed -n 's/^hash //p'; }
plays() { "$program" --version | sed -n 's/^evaluation //p'; }

# Fails unless the file $1 beside an old file loads with the hash $2.
check_new() {
    if [ -z "$2" ] || [ "$(hash_of "$1")" != "$2" ]; then
        echo "adopt: $1 cannot be read back, so $file was not adopted" >&2
        exit 1
    fi
    sync "$1"
}

# Fails unless the linear weights in the network $1 equal those of the compiled default.
beside_default() {
    "$program" weights convert "$1" --to text --out build/beside.txt && [ "$(hash_of build/beside.txt)" = "$(hash_of default)" ]
}

case $step-$file in
write-*.net)
    hash=$(hash_of "$file")
    [ -n "$hash" ]
    if [ -n "$keep" ]; then
        "$program" weights convert default --keep-network "$file" --out "$default.new"
        check_new "$default.new" "$(hash_of default)"
    elif ! beside_default "$file"; then
        cat >&2 <<END
adopt: $file was not trained together with the compiled default: the program would not play with it. Run one of these
    build/paotai train DIR... --out $file            # trains it again, together with the default
    make adopt WEIGHTS=$file KEEP_NETWORK=1          # plays with it and the linear weights stored in it
END
        exit 1
    fi
    cp "$file" "$network.new"
    check_new "$network.new" "$hash"
    mv "$network.new" "$network"
    [ ! -e "$default.new" ] || mv "$default.new" "$default"
    ;;
write-*)
    "$program" weights convert "$file" --out "$default.new" ${errors:+--errors "$errors"} ${keep:+--keep-network "$network"}
    check_new "$default.new" "$(hash_of "$file")"
    mv "$default.new" "$default"
    ;;
prove-*)
    case $file in *.net) name=best ;; *) name=default ;; esac
    if [ "$(hash_of $name)" != "$(hash_of "$file")" ]; then
        echo "adopt: the hash of $name in the new program is $(hash_of $name), but the hash of $file is $(hash_of "$file")" >&2
        exit 1
    fi
    echo "$name $(hash_of $name)"
    echo "the program plays with $(plays)"
    case $(plays) in
    default\ *) [ ! -e $network ] || cat <<END
The compiled network was trained together with other linear weights, so the program does not play with it. To train and adopt
a network for the new weights:
    build/paotai train DIR... --out build/new.net
    make adopt WEIGHTS=build/new.net
(make adopt WEIGHTS=$file KEEP_NETWORK=1 plays with the old network and its own linear weights.)
END
    ;;
    esac
    "$program" bench | tail -n 1
    ;;
esac
