// SPDX-License-Identifier: GPL-3.0-or-later
// node judge_ffish.js FFISH_DIRECTORY: reads lines "FEN<TAB>moves", with ranks from 0, from standard
// input. Prints for each the result of the final position by ffish: 1-0, 0-1, 1/2-1/2 or *.
'use strict';
// If fetch() exists, the module uses it instead of reading a file, and fails.
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
