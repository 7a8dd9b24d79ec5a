// SPDX-License-Identifier: GPL-3.0-or-later
// A network of Fairy-Stockfish whose numbers are given by a formula, so that anyone can make it.
// Its values of positions are in tests/data/nnue.tsv.
#pragma once

#include "core/base/text.h"

// Appends the file of the network, whose SHA-256 is FAIRY_KNOWN_HASH.
#define FAIRY_KNOWN_HASH "3daeea72be24c51b8ae9ea09cd9e7c7af8b38554d5524e12c3aa9468ba10eb10"
void fairy_known_file(Text *file);
// Appends the file of a similar network in which a chariot is worth more: all psqt numbers of
// chariots are `own` and `-own` for chariots of the own and of the other side.
void fairy_chariot_file(int own, Text *file);
// Writes one of these files for `paotai-test --fairy NUMBER FILE`: fairy_chariot_file(), or for the
// number 0 fairy_known_file(). Returns the exit status of the program.
int fairy_known_main(const char *number, const char *path);
