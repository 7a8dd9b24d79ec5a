// SPDX-License-Identifier: GPL-3.0-or-later
// node variants_ffish.js FFISH_DIRECTORY SEED POSITIONS: plays random games of supply chess on two
// boards of ffish and prints rows "fen<TAB>depth<TAB>turns" of positions of one board and of two.
'use strict';
// If fetch() exists, the module uses it instead of reading a file, and fails.
delete globalThis.fetch;
const ffish = require(process.argv[2]);
let state = Number(process.argv[3]) >>> 0;
const wanted = Number(process.argv[4]);
const SEATS = ['1r', '2r', '1b', '2b'];

function random(below) { // mulberry32
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return Math.floor(((t ^ (t >>> 14)) >>> 0) / 4294967296 * below);
}

const known = new Map(); // legal turns by the fen of a board, because most turns change only one board
function legal(fen) {
  if (known.has(fen)) return known.get(fen);
  const board = new ffish.Board('supply', fen);
  const moves = board.legalMoves();
  board.delete();
  known.set(fen, moves ? moves.split(' ') : []);
  return known.get(fen);
}

// Returns the piece on a square of a fen, or undefined if the square is empty.
function pieceAt(fen, square) {
  const row = fen.split('[')[0].split('/')[10 - Number(square.slice(1))];
  const points = row.replace(/\d/g, digit => '.'.repeat(Number(digit)));
  const piece = points['abcdefghi'.indexOf(square[0])];
  return piece === '.' ? undefined : piece;
}

const captured = (fen, move) => pieceAt(fen, move.match(/[a-i]\d+$/)[0]);

// Plays a turn on board b. Returns the fens of both boards; a captured piece is in the other board's hand.
function play(fens, b, move) {
  const board = new ffish.Board('supply', fens[b]), victim = captured(fens[b], move);
  board.push(move);
  const after = [...fens];
  after[b] = board.fen();
  board.delete();
  if (victim) after[1 - b] = after[1 - b].replace(']', victim + ']');
  return after;
}

function perftOne(fen, depth) {
  const board = new ffish.Board('supply', fen);
  const walk = left => {
    const moves = board.legalMoves() ? board.legalMoves().split(' ') : [];
    if (left === 1) return moves.length;
    return moves.reduce((sum, move) => {
      board.push(move);
      const nodes = walk(left - 1);
      board.pop();
      return sum + nodes;
    }, 0);
  };
  const nodes = walk(depth);
  board.delete();
  return nodes;
}

function perftTwo(fens, seat, depth) {
  const moves = legal(fens[seat & 1]);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perftTwo(play(fens, seat & 1, move), (seat + 1) & 3, depth - 1), 0);
}

ffish.onRuntimeInitialized = () => {
  const start = new ffish.Board('supply').fen();
  for (let made = 0; made < wanted;) {
    let fens = [start, start], seat = 0;
    for (let plies = 10 + random(90); plies > 0; plies--) {
      const moves = legal(fens[seat & 1]);
      if (moves.length === 0) break;
      // Half of the time a capture is played if there is one, because captures fill the hands.
      const captures = moves.filter(move => captured(fens[seat & 1], move));
      const from = captures.length && random(2) ? captures : moves;
      fens = play(fens, seat & 1, from[random(from.length)]);
      seat = (seat + 1) & 3;
    }
    const b = seat & 1;
    if (legal(fens[b]).length === 0) continue;
    for (let depth = 1; depth <= 2; depth++) console.log(`${fens[b]}\t${depth}\t${perftOne(fens[b], depth)}`);
    const two = fens.map(fen => fen.split(' ')[0]).join(' | ') + ' ' + SEATS[seat];
    for (let depth = 1; depth <= 2; depth++) console.log(`${two}\t${depth}\t${perftTwo(fens, seat, depth)}`);
    made++;
  }
};
