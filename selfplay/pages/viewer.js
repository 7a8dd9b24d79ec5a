// SPDX-License-Identifier: GPL-3.0-or-later
// The script of the pages of `paotai view` and of reviews.
'use strict';
// ---- the data: a list in JSON with an object for each game ------------------------------------------
// n: number; w, b: names of Red and Black; v: event; t: date; r: result from Red's side (1, 0, -1), absent
// if unknown; e: reason of the end; z: [ply, reason] if an imported game continues after the rules have
// ended it; f: FEN of the start position if it is not the usual one; o: number of opening plies;
// q: name of the opening; h: name of the handicap; x: number of extra moves of the handicap.
// Strings with digits of base 90 (DIGITS): m: two digits per ply, origin and target square (file + 9 *
// rank); s: three digits per ply, the score (see scoreAt); d: one digit per ply, the depth; p: two digits
// per ply, the move that the search preferred to the played move (twice the same square if none).
// l, k: played and preferred moves in the notation of --notation, separated by blanks; x0, x1, ...: remark
// after this number of plies; y: variations in the same format; a: index of the ply that a variation replaces.
// Only in a review: g: expected points of Red in thousandths, before each ply and at the end; c: thousandths
// that each ply lost, rounded down; j: mark of each ply, 0 to 3 (g, c and j are null for a ply that was not
// reviewed); u: accuracy of Red and Black in percent; y then contains the best lines for the marked moves.
const $ = id => document.getElementById(id);
const DIGITS = Array.from({length: 94}, (_, i) => String.fromCharCode(33 + i)).filter(c => !'"&<\\'.includes(c)).join('');
const digit = (text, at) => DIGITS.indexOf(text[at]);
const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';
const games = JSON.parse($('data').textContent);
const on = (node, event, act) => node.addEventListener(event, act);

// Variations are shown as games. They get the number, names, event and date of their game.
function linkVariations(game) {
    for (const line of game.y || []) {
        for (const key of 'nwbvt') line[key] = game[key];
        line.up = game;
        linkVariations(line);
    }
}
games.forEach(linkVariations);
const root = game => game && game.up ? root(game.up) : game;

// Names are often paths. The parts that all names share at their beginning and end are omitted. Of a long
// name only the end is shown, or its beginning and its end if another name has the same end.
const players = [...new Set(games.flatMap(game => [game.w, game.b]).concat([...document.querySelectorAll('.player')].map(node => node.textContent)))]
    .filter(name => name);
function shared(lists) {
    let count = 0;
    while (lists.length > 1 && lists.every(list => count < list.length - 1 && list[count] === lists[0][count])) count++;
    return count;
}
const COLOURS = ['one', 'two'];
const endings = new Set(players.map(name => name.match(/\.\w+$|$/)[0])), ending = endings.size === 1 && players.length > 1 ? [...endings][0].length : 0;
const parts = name => name.slice(0, name.length - ending).split('/');
const paths = players.map(parts);
const before = shared(paths), behind = shared(paths.map(path => path.slice(before).reverse()));
const ownPart = name => [...parts(name).slice(before, parts(name).length - behind).join('/')];
const ends = players.map(name => ownPart(name).slice(-27).join(''));
function shortName(name) {
    const rest = ownPart(name), end = rest.slice(-27).join('');
    if (rest.length <= 28) return rest.join('');
    return ends.filter(other => other === end).length > 1 ? rest.slice(0, 13).join('') + '…' + rest.slice(-14).join('') : '…' + end;
}
for (const node of document.querySelectorAll('.player')) {
    node.title = node.textContent;
    if (players.length === 2) node.classList.add(COLOURS[players.indexOf(node.textContent)]);
    node.textContent = shortName(node.textContent);
}
// Two players keep their colours in all games. With more players, Black has the first colour and Red the second.
const colour = (game, red) => COLOURS[players.length === 2 ? players.indexOf(red ? game.w : game.b) : +red];
const twoPlayers = game => game.w && game.b && game.w !== game.b;

const plies = game => game.m.length / 2;
const moveAt = (game, i) => [digit(game.m, 2 * i), digit(game.m, 2 * i + 1)];
// Returns {score} in points or {mate} in plies, from Red's side, or null if unknown.
function scoreAt(game, i) {
    const v = game.s ? (digit(game.s, 3 * i) * 90 + digit(game.s, 3 * i + 1)) * 90 + digit(game.s, 3 * i + 2) : 0;
    return v === 0 ? null : v < 100000 ? {score: (v - 32769) / 100} : {mate: v - 132768};
}
function preferredAt(game, i) {
    const move = game.p ? [digit(game.p, 2 * i), digit(game.p, 2 * i + 1)] : [0, 0];
    return move[0] === move[1] ? null : move;
}
const signed = (x, text) => (x < 0 ? '−' : '+') + text;
const scoreText = s => !s ? '' : s.mate ? signed(s.mate, 'M' + Math.abs(s.mate)) : signed(s.score, Math.abs(s.score).toFixed(2));
const resultText = r => r === undefined ? '*' : r > 0 ? '1-0' : r < 0 ? '0-1' : '½-½';
const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
const words = reason => (reason || '').replace(/_/g, ' ');

// ---- positions: 90 letters, '' for an empty point; squares are file + 9 * rank, a0 = 0 ------------
const isRed = piece => piece < 'a';
function parseFen(fen) {
    const [rows, side, , , half, full] = fen.split(' '), squares = Array(90).fill('');
    rows.split('/').forEach((row, down) => {
        let file = 0;
        for (const c of row) if (c > '0' && c <= '9') file += +c; else squares[9 * (9 - down) + file++] = c;
    });
    return {squares, red: side !== 'b', half: +half || 0, full: +full || 1};
}
function fenOf(position) {
    const rows = [];
    for (let rank = 9; rank >= 0; rank--) {
        rows.push(position.squares.slice(9 * rank, 9 * rank + 9).map(p => p || '1').join('').replace(/1+/g, ones => ones.length));
    }
    return `${rows.join('/')} ${position.red ? 'w' : 'b'} - - ${position.half} ${position.full}`;
}
function after(position, [from, to], sameSide) {
    const squares = position.squares.slice(), red = isRed(squares[from]), taken = squares[to];
    squares[to] = squares[from];
    squares[from] = '';
    return {squares, red: sameSide ? red : !red, half: taken ? 0 : position.half + 1, full: position.full + (red || sameSide ? 0 : 1)};
}
// Returns the position before each ply, and the final position.
function replay(game) {
    const all = [parseFen(game.f || START)];
    for (let i = 0; i < plies(game); i++) all.push(after(all[i], moveAt(game, i), i < (game.x || 0)));
    return all;
}

// ---- notations ------------------------------------------------------------------------------------
const NAMES = {chinese: '帥仕相馬車炮兵將士象馬車炮卒', simplified: '帅仕相马车炮兵将士象马车炮卒'};
const WORDS = {chinese: '前中後進退平', simplified: '前中后进退平'};
const FACES = {chinese: '帥仕相傌俥炮兵將士象馬車砲卒', simplified: '帅仕相马车炮兵将士象马车炮卒', letters: 'KAEHRCPKAEHRCP'};
const KINDS = 'KABNRCP', NUMERALS = ' 一二三四五六七八九';
const kind = piece => KINDS.indexOf(piece.toUpperCase());
const charOf = (table, piece) => table[kind(piece) + (isRed(piece) ? 0 : 7)];
const squareName = square => 'abcdefghi'[square % 9] + Math.floor(square / 9);
function notate(squares, [from, to], system) {
    if (system === 'uci') return squareName(from) + squareName(to);
    if (system === 'iccs') return (squareName(from) + '-' + squareName(to)).toUpperCase();
    const piece = squares[from], red = isRed(piece);
    const fileOf = square => red ? 9 - square % 9 : square % 9 + 1, rankOf = square => (red ? 1 : -1) * Math.floor(square / 9);
    const ahead = rankOf(to) - rankOf(from), file = fileOf(from);
    const number = file === fileOf(to) ? Math.abs(ahead) : fileOf(to);
    // Among equal pieces on one file, `place` is the number of pieces in front of the moving piece.
    const kin = squares.map((p, square) => p === piece ? square : -1).filter(square => square >= 0);
    const onFile = f => kin.filter(square => fileOf(square) === f);
    const mates = onFile(file), place = mates.filter(square => rankOf(square) > rankOf(from)).length, last = mates.length - 1;
    const placed = last > 0 && kind(piece) >= 3;
    const withFile = placed && kind(piece) === 6 && [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(f => onFile(f).length > 1).length > 1;
    if (system === 'wxf') {
        const sign = 2 * place < last ? '+' : '-', middle = 2 * place === last, outer = last >= 3 && (place === 0 || place === last);
        const head = withFile ? file : placed && outer ? sign : 'KAEHRCP'[kind(piece)];
        return head + (!placed || middle ? String(file) : sign) + (ahead > 0 ? '+' : ahead < 0 ? '-' : '.') + number;
    }
    const said = WORDS[system], count = n => red ? NUMERALS[n] : String(n);
    const which = place === 0 ? said[0] : place === last ? said[2] : last === 2 ? said[1] : NUMERALS[place + 1];
    return (placed ? which : '') + (withFile ? '' : charOf(NAMES[system], piece)) + (placed && !withFile ? '' : count(file)) +
        said[ahead > 0 ? 3 : ahead < 0 ? 4 : 5] + count(number);
}

// ---- drawing --------------------------------------------------------------------------------------
const SVG = 'http://www.w3.org/2000/svg';
function draw(parent, tag, attributes, text) {
    const node = document.createElementNS(SVG, tag);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    parent.appendChild(node);
    return node;
}
const CELL = 60, LEFT = 46, TOP = 56;
const state = {game: null, at: 0, positions: [], shown: games, flipped: false, timer: 0};
const column = square => state.flipped ? 8 - square % 9 : square % 9;
const line = square => state.flipped ? Math.floor(square / 9) : 9 - Math.floor(square / 9);
const px = square => LEFT + CELL * column(square), py = square => TOP + CELL * line(square);

function drawLines(board) {
    const x = file => LEFT + CELL * file, y = row => TOP + CELL * row;
    let d = '';
    for (let row = 1; row < 9; row++) d += `M${x(0)} ${y(row)}H${x(8)}`;
    for (let file = 1; file < 8; file++) d += `M${x(file)} ${y(0)}V${y(4)}M${x(file)} ${y(5)}V${y(9)}`;
    for (const row of [0, 7]) d += `M${x(3)} ${y(row)}L${x(5)} ${y(row + 2)}M${x(5)} ${y(row)}L${x(3)} ${y(row + 2)}`;
    // Corner marks at the start points of cannons and soldiers.
    for (const [file, row] of [[1, 2], [7, 2], [1, 7], [7, 7], ...[0, 2, 4, 6, 8].flatMap(f => [[f, 3], [f, 6]])]) {
        for (const a of [-1, 1]) for (const b of [-1, 1]) {
            if (file + a >= 0 && file + a <= 8) d += `M${x(file) + 5 * a} ${y(row) + 14 * b}v${-9 * b}h${9 * a}`;
        }
    }
    draw(board, 'rect', {class: 'wood', x: 4, y: 4, width: 564, height: 644, rx: 12});
    draw(board, 'rect', {class: 'water', x: x(0), y: y(4), width: 8 * CELL, height: CELL});
    if ($('pieces').value !== 'letters') {
        draw(board, 'text', {class: 'river', x: x(2), y: y(4) + 39}, state.flipped ? '漢界' : '楚河');
        draw(board, 'text', {class: 'river', x: x(6), y: y(4) + 39}, state.flipped ? '楚河' : '漢界');
    }
    draw(board, 'path', {class: 'lines', d});
    draw(board, 'rect', {class: 'edge', x: x(0), y: y(0), width: 8 * CELL, height: 9 * CELL});
}
// File labels follow the notation of the moves.
function drawNames(board) {
    const system = $('notation').value, points = system === 'uci' || system === 'iccs';
    const letters = system === 'iccs' ? 'ABCDEFGHI' : 'abcdefghi';
    for (let file = 0; file < 9; file++) {
        const red = points ? letters[file] : system === 'wxf' ? 9 - file : NUMERALS[9 - file];
        const black = points ? letters[file] : file + 1, x = px(file);
        draw(board, 'text', {class: 'name', x, y: 642}, state.flipped ? black : red);
        draw(board, 'text', {class: 'name', x, y: 21}, state.flipped ? red : black);
    }
    for (let rank = 0; points && rank < 10; rank++) draw(board, 'text', {class: 'name', x: 14, y: py(9 * rank) + 5}, rank);
}
function drawPiece(board, square, piece) {
    const style = $('pieces').value;
    const g = draw(board, 'g', {class: isRed(piece) ? 'red' : 'black', transform: `translate(${px(square)} ${py(square)})`});
    draw(g, 'circle', {class: 'disc', r: 27});
    draw(g, 'circle', {class: 'ring', r: 23});
    draw(g, 'text', {class: style === 'letters' ? 'face letter' : 'face', y: style === 'letters' ? 10 : 11.5}, charOf(FACES[style], piece));
    return g;
}
function drawArrow(board, [from, to]) {
    const dx = px(to) - px(from), dy = py(to) - py(from), length = Math.hypot(dx, dy), ux = dx / length, uy = dy / length;
    const x = px(to) - 22 * ux, y = py(to) - 22 * uy;
    draw(board, 'path', {class: 'best', d: `M${px(from) + 20 * ux} ${py(from) + 20 * uy}L${x - 8 * ux} ${y - 8 * uy}`});
    draw(board, 'path', {class: 'tip', d: `M${x + 10 * ux} ${y + 10 * uy}L${x - 8 * ux - 11 * uy} ${y - 8 * uy + 11 * ux}L${x - 8 * ux + 11 * uy} ${y - 8 * uy - 11 * ux}Z`});
}
function drawBoard(step) {
    const board = $('board'), squares = state.positions[state.at].squares, game = state.game;
    board.textContent = '';
    drawLines(board);
    drawNames(board);
    const played = state.at > 0 ? moveAt(game, state.at - 1) : null;
    if (played) draw(board, 'circle', {class: 'from', cx: px(played[0]), cy: py(played[0]), r: 8});
    let moved = null;
    squares.forEach((piece, square) => {
        const g = piece && drawPiece(board, square, piece);
        if (played && square === played[1]) moved = g;
    });
    if (played) draw(board, 'circle', {class: 'mark', cx: px(played[1]), cy: py(played[1]), r: 28});
    if (moved && step === 1 && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
        board.appendChild(moved);
        const at = square => ({transform: `translate(${px(square)}px, ${py(square)}px)`});
        moved.animate([at(played[0]), at(played[1])], {duration: 140, easing: 'ease-out'});
    }
    const preferred = state.at < plies(game) ? preferredAt(game, state.at) : null;
    if (preferred) drawArrow(board, preferred);
    board.setAttribute('aria-label', 'board: ' + fenOf(state.positions[state.at]));
}

// Draws the graph of a game: for a review the expected points of Red, otherwise the scores from Red's side. Scores have
// one line for each player, or a single line if the players have the same name or none. The middle is 0, a mate is at the edge.
const HIGH = 130;
let WIDE = 620, EDGE = 4; // width of the graph, and distance of its first ply from the left edge
const height = points => HIGH / 2 - (HIGH / 2 - 8) * Math.tanh(points / 5);
const across = i => plies(state.game) ? EDGE + (WIDE - EDGE - 4) * i / plies(state.game) : EDGE;
function drawGraph() {
    const graph = $('graph'), game = state.game;
    graph.textContent = '';
    graph.style.display = $('legend').style.display = game.s || game.g ? '' : 'none';
    if (!game.s && !game.g) return;
    WIDE = graph.clientWidth || WIDE;
    EDGE = game.g ? 82 : 4; // the labels of a review stand left of its dots
    graph.setAttribute('viewBox', `0 0 ${WIDE} ${HIGH}`);
    draw(graph, 'rect', {class: 'paper', x: 1, y: 1, width: WIDE - 2, height: HIGH - 2, rx: 6});
    if (game.o) draw(graph, 'rect', {class: 'book', x: EDGE, y: 2, width: across(game.o) - EDGE, height: HIGH - 4});
    if (game.g) drawExpected(graph, game); else drawScores(graph, game);
    draw(graph, 'line', {class: 'now', id: 'now', y1: 2, y2: HIGH - 2});
    drawNow();
}
function drawScores(graph, game) {
    for (const points of [-8, -3, 0, 3, 8]) {
        draw(graph, 'line', {class: points ? 'step' : 'zero', x1: 4, x2: WIDE - 4, y1: height(points), y2: height(points)});
        if (points) draw(graph, 'text', {x: 8, y: height(points) + (points > 0 ? 12 : -4)}, signed(points, Math.abs(points)));
    }
    const two = twoPlayers(game), legend = $('legend');
    legend.textContent = '';
    for (const red of two ? [true, false] : [true]) {
        let d = '', pen = 'M';
        for (let i = 0; i < plies(game); i++) {
            if (two && state.positions[i].red !== red) continue;
            const s = scoreAt(game, i);
            if (s) d += `${pen}${across(i + 1).toFixed(1)} ${height(s.mate ? s.mate * 1e9 : s.score).toFixed(1)}`;
            pen = s ? 'L' : 'M';
        }
        const name = two ? colour(game, red) : 'one', label = document.createElement('b');
        draw(graph, 'path', {class: `curve ${name}`, d});
        label.className = name;
        label.textContent = two ? `${nameOf(game, red)} (${red ? 'Red' : 'Black'})` : 'score';
        legend.append(label, ' ');
    }
    legend.append(`Scores are in points from Red's side: above the middle Red is better. The scale is narrower far from 0.${game.o ? ' The opening is grey.' : ''}`);
}

// ---- a review --------------------------------------------------------------------------------------
const SIGNS = ['', '?!', '?', '??'], MARKS = ['good', 'inaccuracy', 'mistake', 'blunder'];
const markAt = (game, i) => game.j && game.j[i] || 0;
const pointsText = value => (value / 1000).toFixed(2), lossText = value => (value / 1000).toFixed(3);
// Draws the expected points of Red, with a dot for each marked move.
function drawExpected(graph, game) {
    const high = value => HIGH - 8 - (HIGH - 16) * value / 1000;
    for (const [value, label] of [[0, 'Black wins'], [250], [500], [750], [1000, 'Red wins']]) {
        draw(graph, 'line', {class: value === 500 ? 'zero' : 'step', x1: EDGE, x2: WIDE - 4, y1: high(value), y2: high(value)});
        if (label) draw(graph, 'text', {x: 8, y: high(value) + 5}, label);
    }
    const known = game.g.flatMap((value, i) => value === null ? [] : `${across(i).toFixed(1)} ${high(value).toFixed(1)}`);
    draw(graph, 'path', {class: 'curve points', d: 'M' + known.join('L')});
    for (let i = 0; i < plies(game); i++) {
        const mark = markAt(game, i);
        if (mark) draw(graph, 'circle', {class: `dot m${mark}`, cx: across(i + 1), cy: high(game.g[i + 1]), r: 3 + mark});
    }
    $('legend').textContent = 'Expected points of Red: 1 is a win, ½ a draw. Dots: ?! inaccuracy (hollow), ? mistake, ?? blunder (largest).';
}
function reviewText(game, i) {
    const lost = game.c[i], mark = markAt(game, i), after = game.g[i + 1], better = after + (state.positions[i].red ? lost : -lost);
    if (!lost) return `loses nothing; Red's expected points ${pointsText(after)}`;
    return `${mark ? MARKS[mark] + ', ' : ''}loses ${lossText(lost)} expected points; Red's expected points ${pointsText(after)}, ` +
        `after the best move ${pointsText(better)}`;
}
function nextMark() {
    for (let i = state.at; i < plies(state.game); i++) if (markAt(state.game, i)) return go(i + 1);
}

function drawNow() {
    if ($('now')) for (const key of ['x1', 'x2']) $('now').setAttribute(key, across(state.at));
}

// ---- the list of games: only visible rows are in the document --------------------------------------
const alone = players.length === 1 && games.every(game => game.w === game.b); // one player plays all games
const ROW = players.length > 0 && !alone ? 74 : 52, oneEvent = new Set(games.map(game => game.v)).size === 1;
const fullName = (game, red) => (!alone && (red ? game.w : game.b)) || (red ? 'Red' : 'Black');
const nameOf = (game, red) => shortName(fullName(game, red));
function drawRows() {
    $('rows').style.maxHeight = ROW * Math.max(state.shown.length, 1) + 'px';
    const rows = $('rows'), first = Math.max(0, Math.floor(rows.scrollTop / ROW) - 4);
    const count = Math.ceil(rows.clientHeight / ROW) + 8, keep = document.createDocumentFragment();
    const spacer = document.createElement('p');
    spacer.style.cssText = `position:absolute;margin:0;width:1px;height:${ROW * state.shown.length}px`;
    keep.appendChild(spacer);
    state.shown.slice(first, first + count).forEach((game, i) => {
        const row = document.createElement('div');
        row.style.top = ROW * (first + i) + 'px';
        row.style.height = ROW + 'px';
        row.setAttribute('role', 'option');
        row.setAttribute('aria-selected', game === root(state.game));
        const named = !alone && (game.w || game.b), number = `#${game.n}`;
        const more = [named && number, `${plies(game)} plies`, game.u && `accuracy ${game.u.map(value => value === null ? '–' : value.toFixed(0)).join(', ')}\u00a0%`, words(game.e), oneEvent ? '' : game.v].filter(text => text);
        const add = (tag, text) => {
            const node = row.appendChild(document.createElement(tag));
            node.textContent = text;
            return node;
        };
        for (const red of named ? [true, false] : []) {
            const node = add('b', nameOf(game, red));
            node.title = `${red ? 'Red' : 'Black'}: ${fullName(game, red)}`;
            if (twoPlayers(game)) node.className = colour(game, red);
        }
        if (!named) add('b', `Game ${number}`);
        add('u', resultText(game.r));
        add('i', more.join(' · ')).title = more.join(' · ');
        on(row, 'click', () => openGame(game, 0));
        keep.appendChild(row);
    });
    rows.replaceChildren(keep);
}
function filter() {
    const wanted = $('player').value.trim().toLowerCase(), result = $('result').value, end = $('end').value;
    state.shown = games.filter(game => (!result || resultText(game.r) === result) && (!end || game.e === end) &&
        (!wanted || `${game.w || ''}\n${game.b || ''}\n${game.v || ''}\n${game.q || ''}\n#${game.n}`.toLowerCase().includes(wanted)));
    const score = [1, 0, -1].map(r => state.shown.filter(game => game.r === r).length);
    $('found').textContent = `${state.shown.length.toLocaleString('en')} of ${counted(games.length, 'game')}` +
        (state.shown.length ? `: Red won ${score[0]}, drew ${score[1]}, lost ${score[2]}.${players.length > 0 && !alone ? ' Red is named first.' : ''}` : '');
    $('reset').hidden = state.shown.length > 0;
    $('rows').scrollTop = 0;
    drawRows();
}
function resetFilters() {
    for (const id of ['player', 'result', 'end']) $(id).value = '';
    filter();
    $('player').focus();
}
function fillSelect(select, all, key, name) {
    const counts = new Map();
    for (const game of games) counts.set(key(game), (counts.get(key(game)) || 0) + 1);
    select.appendChild(new Option(all, ''));
    for (const [value, count] of [...counts].sort((a, b) => b[1] - a[1])) select.appendChild(new Option(`${name(value)} (${count})`, value));
}

// Returns the text of `move` at ply i in the chosen notation. For the notation of --notation takes it from the list of
// played ('l') or preferred ('k') moves.
function written(i, move, list, game = state.game, positions = state.positions) {
    const system = $('notation').value;
    return system === 'written' ? (game[list] || '').split(' ')[i] : notate(positions[i].squares, move, system);
}
function writtenLine(line) {
    const positions = replay(line);
    return Array.from({length: plies(line)}, (_, i) => written(i, moveAt(line, i), 'l', line, positions)).join(' ');
}

// Replaces the numeric annotation glyphs of PGN ($1 ...) by the usual signs.
const NAGS = {1: '!', 2: '?', 3: '\u203c', 4: '\u2047', 5: '\u2049', 6: '\u2048'};
const marks = text => text.replace(/^(\$\d+ ?)+/, all => all.replace(/\$(\d+)/g, (mark, number) => NAGS[number] || mark));

// ---- the game -------------------------------------------------------------------------------------
function drawMoves() {
    $('language').textContent = $('notation').value === 'chinese' ? 'English moves' : 'Chinese moves';
    $('side').textContent = state.game.g ? 'Numbers: expected points that the move lost.' : state.game.s ? 'Numbers: scores in points, from Red\'s side.' : '';
    const moves = $('moves'), game = state.game, all = document.createDocumentFragment();
    let number = state.positions[0].full;
    const add = (tag, text, className) => {
        const node = all.appendChild(document.createElement(tag));
        node.textContent = text;
        node.className = className;
        return node;
    };
    // Prevents a line break inside a move such as E5-3.
    const word = text => {
        const node = document.createElement('span');
        node.className = 'word';
        node.textContent = text;
        return node;
    };
    const addLine = (text, line, at) => {
        const node = add('a', '', 'line');
        text.split(' ').forEach((move, i) => node.append(i ? ' ' : '', word(move)));
        on(node, 'click', () => openGame(line, at));
    };
    // After a remark or a variation the next move is numbered again.
    const addRemark = at => game[`x${at}`] && add('p', marks(game[`x${at}`]), 'remark');
    if (game.up) addLine('◂ back to the main line', game.up, game.a);
    if (twoPlayers(game)) {
        add('span', '', '');
        for (const red of [true, false]) add('b', `${nameOf(game, red)} (${red ? 'Red' : 'Black'})`, colour(game, red)).title = fullName(game, red);
    }
    addRemark(0);
    for (let i = 0, varied = true; i < plies(game); i++) {
        const position = state.positions[i];
        if (position.red || varied) add('span', number + '.', '');
        if (!position.red && varied) add('span', '…', '');
        // A handicap with extra moves: one side moves several times.
        else if (i > 0 && position.red === state.positions[i - 1].red) {
            if (position.red) all.insertBefore(document.createElement('span'), all.lastChild); else add('span', number + '.', ''), add('span', '…', '');
        }
        const button = add('button', written(i, moveAt(game, i), 'l'), i < (game.o || 0) ? 'book' : '');
        const mark = markAt(game, i), score = mark ? '−' + lossText(game.c[i]) : game.g ? '' : scoreText(scoreAt(game, i));
        if (mark) {
            button.textContent += SIGNS[mark];
            button.classList.add(`m${mark}`);
        }
        if (score) button.appendChild(document.createElement('small')).textContent = score;
        on(button, 'click', () => go(i + 1));
        varied = addRemark(i + 1);
        const lines = (game.y || []).filter(line => line.a === i);
        for (const line of lines) addLine((game.g ? '▸ better: ' : '▸ ') + writtenLine(line), line, 1);
        varied = varied || lines.length > 0;
        if (!position.red) number++;
    }
    moves.replaceChildren(all);
}
function say() {
    const game = state.game, i = state.at - 1, said = [];
    if (i >= 0) {
        const preferred = preferredAt(game, i), score = scoreAt(game, i);
        const depth = game.d ? digit(game.d, i) : 0;
        said.push(`Ply ${state.at} of ${plies(game)}: ${written(i, moveAt(game, i), 'l')}` + (i < (game.o || 0) ? ' (opening)' : '') +
            (game.c && game.c[i] !== null ? ': ' + reviewText(game, i) : score ? `, ${scoreText(score)}${depth ? ` at depth ${depth}` : ''}` : '') + '.');
        if (preferred && !(game.c && !game.c[i])) said.push(`The search preferred ${written(i, preferred, 'k')}.`);
    } else {
        said.push(`${game.up ? 'A variation' : 'The start'}${game.h ? `, odds ${game.h}` : ''}; ${plies(game)} plies.`);
    }
    const next = state.at < plies(game) ? preferredAt(game, state.at) : null;
    if (next) said.push(`Arrow: the search prefers ${written(state.at, next, 'k')} here.`);
    if (game.z && state.at >= game.z[0]) said.push(`By the rules the game ended after ply ${game.z[0]}: ${words(game.z[1])}.`);
    if (game[`x${state.at}`]) said.push(`“${marks(game[`x${state.at}`])}”`);
    if (state.at === plies(game)) said.push(`${resultText(game.r)}${game.e ? `, ${words(game.e)}` : ''}.`);
    $('said').textContent = said.join(' ');
}
// Shows a FEN. A line may break inside its piece placement, but not inside the other fields.
function showFen(fen) {
    const [board, ...rest] = fen.split(' '), word = document.createElement('span');
    word.className = 'word';
    word.textContent = rest.join(' ');
    $('fen').replaceChildren(board + ' ', word);
}
function go(at) {
    const step = at - state.at;
    state.at = Math.max(0, Math.min(plies(state.game), at));
    drawBoard(step);
    say();
    showFen(fenOf(state.positions[state.at]));
    $('ply').value = state.at;
    drawNow();
    const buttons = $('moves').querySelectorAll('button'), old = $('moves').querySelector('.at'), now = buttons[state.at - 1];
    if (old) old.classList.remove('at');
    if (now) {
        now.classList.add('at');
        const box = $('moves'), top = now.offsetTop - box.clientHeight / 2;
        if (now.offsetTop < box.scrollTop || now.offsetTop + 34 > box.scrollTop + box.clientHeight) box.scrollTop = top;
    } else {
        $('moves').scrollTop = 0;
    }
    if (!state.game.up) history.replaceState(null, '', `#${state.game.n}/${state.at}`);
    if (state.at === plies(state.game)) stop();
}
function openGame(game, at) {
    stop();
    state.game = game;
    state.positions = replay(game);
    state.at = -1;
    for (const id of ['red', 'black']) {
        $(id).textContent = nameOf(game, id === 'red');
        $(id).title = fullName(game, id === 'red');
        const side = id === 'red' ? 0 : 1;
        const counts = [1, 2, 3].map(mark => `${SIGNS[mark]}\u00a0${(game.j || []).filter((m, i) => m === mark && !state.positions[i].red == side).length}`);
        $(id).nextElementSibling.textContent = game.u && game.u[side] !== null ? `accuracy ${game.u[side].toFixed(1)}\u00a0%: ${counts.join(', ')}` : '';
    }
    $('how').textContent = [`#${game.n}`, resultText(game.r), words(game.e), game.q, game.v, game.t].filter(text => text).join(' · ');
    $('how').title = $('how').textContent;
    $('ply').max = plies(game);
    $('mark').hidden = !game.j;
    drawMoves();
    drawGraph();
    go(at);
    drawRows();
}
function openNear(step) {
    const index = state.shown.indexOf(root(state.game)) + step, rows = $('rows');
    if (index < 0 || index >= state.shown.length) return;
    if (ROW * index < rows.scrollTop || ROW * (index + 1) > rows.scrollTop + rows.clientHeight) rows.scrollTop = ROW * index - rows.clientHeight / 2;
    openGame(state.shown[index], 0);
}
function stop() {
    clearInterval(state.timer);
    state.timer = 0;
    $('play').textContent = 'Play';
}
function play() {
    if (state.timer) return stop();
    if (state.at === plies(state.game)) go(0);
    $('play').textContent = 'Stop';
    state.timer = setInterval(() => go(state.at + 1), 700);
}
function redraw() {
    drawMoves();
    const at = state.at;
    state.at = -1;
    go(at);
}

// ---- mouse, touch and keys -------------------------------------------------------------------------------
const ACTIONS = {first: () => go(0), back: () => go(state.at - 1), play, next: () => go(state.at + 1), last: () => go(plies(state.game)),
    mark: nextMark, flip: () => { state.flipped = !state.flipped; redraw(); }, games: () => $('list').scrollIntoView({behavior: 'smooth'})};
const KEYS = {ArrowLeft: ACTIONS.back, ArrowRight: ACTIONS.next, Home: ACTIONS.first, End: ACTIONS.last, f: ACTIONS.flip, m: nextMark, ' ': play,
    ArrowUp: () => openNear(-1), ArrowDown: () => openNear(1)};
for (const id in ACTIONS) {
    on($(id), 'click', ACTIONS[id]);
    $(id).ariaLabel = $(id).title;
}
on(document, 'keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key] || event.target.matches('input[type=search], select, summary')) return;
    if (event.key === ' ' && event.target.matches('button')) return;
    event.preventDefault();
    KEYS[event.key]();
});
// After a click of the mouse no button keeps the focus: the space bar then plays the game. A button
// that was reached by the keyboard keeps it, so that the space bar presses the button.
on(document, 'click', event => { if (event.detail && event.target.closest('button')) document.activeElement.blur(); });
let touch = null;
on($('board'), 'pointerdown', event => { touch = event.clientX; });
on($('board'), 'pointerup', event => {
    if (touch === null) return;
    const box = $('board').getBoundingClientRect(), way = event.clientX - touch;
    touch = null;
    const on = Math.abs(way) > 25 ? way < 0 : event.clientX > box.left + box.width / 2;
    go(state.at + (on ? 1 : -1));
});
function seek(event) {
    if (event.type === 'pointermove' && !event.buttons) return;
    const box = $('graph').getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width * WIDE - EDGE) / (WIDE - EDGE - 4) * plies(state.game)));
}
on($('graph'), 'pointerdown', seek);
on($('graph'), 'pointermove', seek);
on($('ply'), 'input', () => go(+$('ply').value));
// Copies a text, also where a page from a file has no clipboard, and says so on the button.
async function copy(button, text) {
    const label = button.textContent;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = document.body.appendChild(document.createElement('textarea'));
        area.value = text;
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
}
on($('copy'), 'click', () => copy($('copy'), $('fen').value));
on($('address'), 'click', () => copy($('address'), location.href));
// The choice of the pieces is remembered. Readers whose browser is set to Chinese begin with characters.
const PLACE = 'paotai pieces', stored = (() => { try { return localStorage.getItem(PLACE); } catch { return null; } })();
const spoken = (navigator.language || '').toLowerCase();
const usual = !spoken.startsWith('zh') ? 'letters' : /hant|tw|hk|mo/.test(spoken) ? 'chinese' : 'simplified';
$('pieces').value = [...$('pieces').options].some(option => option.value === stored) ? stored : usual;
function choosePieces() {
    try {
        localStorage.setItem(PLACE, $('pieces').value);
    } catch {}
    redraw();
}
on($('notation'), 'change', redraw);
on($('pieces'), 'change', choosePieces);
on($('language'), 'click', () => {
    const chinese = $('notation').value !== 'chinese';
    $('notation').value = chinese ? 'chinese' : 'wxf';
    $('pieces').value = chinese ? 'chinese' : 'letters';
    choosePieces();
});
if ($('match').textContent) on($('to-games'), 'click', () => $('board').scrollIntoView({behavior: 'smooth'})); else $('to-games').remove();
on($('player'), 'input', filter);
on($('reset'), 'click', resetFilters);
for (const id of ['result', 'end']) on($(id), 'change', filter);
on($('rows'), 'scroll', drawRows);
on(window, 'resize', () => { drawRows(); if (state.game) drawGraph(); });

// On a wide screen the graph of a review stands beside the board, above the moves.
if (games.some(game => game.g) && innerWidth > 1080) {
    $('moves').before($('graph'), $('legend'), $('said'));
    $('moves').classList.add('short');
}
fillSelect($('result'), 'any result', game => resultText(game.r), value => value);
fillSelect($('end'), 'any end', game => game.e || '', words);
$('lead').textContent = `${players.length === 2 ? players.map(shortName).join(' against ') + ': ' : ''}${counted(games.length, 'game')}, ${games.reduce((sum, game) => sum + plies(game), 0).toLocaleString('en')} plies${alone ? `: ${players[0]} against itself` : ''}`;
filter();
function openHash() {
    const linked = location.hash, [number, at] = linked.slice(1).split('/').map(Number), game = games.find(one => one.n === number);
    if (game || !state.game) openGame(game || games[0], game ? at || 0 : 0);
    if (linked && game && $('match').textContent) $('board').scrollIntoView({block: 'center'});
}
if (games.length) {
    openHash();
    on(window, 'hashchange', openHash);
}
