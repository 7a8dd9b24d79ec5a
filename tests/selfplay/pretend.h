// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that only pretend to play, to measure what rank 0 can serve: paotai-test --pretend.
#pragma once

// mpirun -np RANKS paotai-test --pretend blocks|games|stored GAMES: the other ranks play GAMES
// games of 120 plies in no time. blocks: they would store them; games: each game goes to rank 0,
// which counts it; stored: and stores it. Prints games a second of rank 0's serving thread, in
// processor time. Exit status.
int pretend_main(int argc, char **argv);
