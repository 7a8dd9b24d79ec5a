// SPDX-License-Identifier: GPL-3.0-or-later
// UCI and the lines of a trace for Wukong: node wukong.js [VALUES.tsv]. Reads the source of the engine, engine.js beside it (integration/engine/wukong.js).
const fs = require('fs');
const source = fs.readFileSync(__dirname + '/engine.js', 'utf8');
const exported = {};
new Function('exports', source.replace('    return {\n', '    return { MATERIAL_WEIGHTS, PST, evaluate, board,\n'))(exported);
const engine = new exported.Engine(), {MATERIAL_WEIGHTS, PST} = engine;
const NAMES = ['pawn', 'advisor', 'bishop', 'knight', 'cannon', 'rook'];
const square = (rank, file) => (11 - rank) * 11 + file + 1; // of Red; ranks from the own side
const terms = []; // name, value, and a function that sets the value
NAMES.forEach((name, kind) => terms.push([`material[${name}]`, MATERIAL_WEIGHTS[kind + 1], v => {
  MATERIAL_WEIGHTS[kind + 1] = v;
  MATERIAL_WEIGHTS[kind + 8] = -v;
}]));
const first = {};
NAMES.forEach((name, kind) => {
  if (!PST[kind].length) return;
  first[kind] = terms.length;
  for (let i = 0; i < 90; i++) {
    const at = square(Math.floor(i / 9), i % 9);
    terms.push([`pst[${name}][${i}]`, PST[kind][at], v => { PST[kind][at] = v; }]);
  }
});
if (process.argv[2]) {
  for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n')) {
    const [name, value] = line.split('\t'), term = terms.find(t => t[0] === name);
    if (term) { term[1] = Number(value); term[2](term[1]); }
  }
}
function traceEval() {
  if (engine.inCheck(engine.getSide())) return 'trace none check';
  const counts = new Map(), add = (i, n) => counts.set(i, (counts.get(i) || 0) + n);
  for (let rank = 0; rank < 10; rank++) {
    for (let file = 0; file < 9; file++) {
      const piece = engine.getPiece(square(rank, file)), red = piece < 8, kind = (piece - 1) % 7;
      if (!piece || kind === 6) continue;
      add(kind, red ? 1 : -1);
      if (kind in first) add(first[kind] + (red ? rank : 9 - rank) * 9 + file, red ? 1 : -1);
    }
  }
  const list = [...counts].filter(([, n]) => n).map(([i, n]) => `${i}:${n}`);
  return `trace row value ${(engine.getSide() ? -1 : 1) * engine.evaluate()} terms ${list.join(' ')}`;
}
function command(line) {
  const words = line.trim().split(/\s+/), at = words.indexOf('moves');
  if (words[0] === 'uci') console.log('id name Wukong\nuciok');
  if (words[0] === 'isready') console.log('readyok');
  if (words[0] === 'ucinewgame') engine.initHashTable();
  if (words[0] === 'position') {
    engine.setBoard(words[1] === 'fen' ? words.slice(2, at < 0 ? undefined : at).join(' ') : engine.START_FEN);
    if (at > 0) engine.loadMoves(words.slice(at + 1).join(' '));
  }
  if (words[0] === 'go') { engine.resetTimeControl(); engine.search(Number(words[words.indexOf('depth') + 1]) || 3); }
  if (line.startsWith('trace terms')) {
    console.log(terms.map(t => `trace term ${t[0]} ${t[1]}\n`).join('') + `trace ok ${terms.length}`);
  }
  if (line.startsWith('trace eval')) console.log(traceEval());
  if (words[0] === 'quit') process.exit(0);
}
require('readline').createInterface({input: process.stdin}).on('line', command);
