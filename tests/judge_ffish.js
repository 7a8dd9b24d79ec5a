// SPDX-License-Identifier: GPL-3.0-or-later
// node judge_ffish.js FFISH_DIRECTORY: for each line of standard input, "FEN<TAB>moves" with ranks
// from 0, the result that ffish gives to the final position: 1-0, 0-1, 1/2-1/2 or *.
'use strict';
// The module prefers fetch() where there is one, and cannot fetch a file.
delete globalThis.fetch;
const ffish = require(process.argv[2]);
const toRank1 = move => move.replace(/\d/g, rank => String(Number(rank) + 1));

ffish.onRuntimeInitialized = () => {
  const results = [];
  for (const line of require('fs').readFileSync(0, 'utf8').split('\n')) {
    if (!line) continue;
    const [fen, moves] = line.split('\t');
    const board = new ffish.Board('xiangqi', fen);
    moves.split(' ').forEach(move => board.push(toRank1(move)));
    results.push(board.result(true));
    board.delete();
  }
  process.stdout.write(results.join('\n') + '\n');
};
