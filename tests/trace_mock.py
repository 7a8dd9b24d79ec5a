# SPDX-License-Identifier: GPL-3.0-or-later
"""A small engine that speaks the trace, for tests: python3 tests/trace_mock.py KEY=VALUE ...

Its evaluation has pieces, tables of squares, a curve, a rare term and a term with the value 0. KEYs:
  coefficient=TERM  makes the coefficient of TERM larger by 1 wherever the trace has it
  sign=TERM         negates the coefficient of TERM in the trace
  phase=N           adds N to the phase in the trace
  fine=N            a phase with N times as many steps
  zero=1            negates the coefficients of the term `edge`, whose value is 0
  set=1             answers `trace set`
  none=N            every Nth position has no value, with the word `check`, and `lazy` with none=1
  at=N do=WHAT      at the Nth position: die, hang, error, long, garbage, twice, index, unphased
  terms=WHAT        a faulty list of terms: comma, long, twice, ok, none, silent, fraction, error, differ
  plain=1           no phases: each term has one value
  split=1           the soldier's coefficients are printed for each phase (i:m:e), twice as large in the endgame
  fraction=1        values with the unit 0.25, terms with the unit 0.5
  factor=1          positions with a halfmove counter that is even have half of the value
  values=NAME=MG/EG,...   other values of some terms, as after a fit
  truncate=1        rounds values towards zero
  table=1           plays with other values than it prints
"""
import os
import sys
import time

ARGS = dict(word.split("=", 1) for word in sys.argv[1:])
KINDS = {"r": "chariot", "n": "horse", "c": "cannon", "p": "soldier", "b": "elephant", "a": "advisor"}
names, values = [], []


def term(name, mg, eg):
    names.append(name)
    values.append([mg, eg])


for kind, mg, eg in (("chariot", 900, 950), ("horse", 400, 430), ("cannon", 450, 400), ("soldier", 60, 160),
                     ("elephant", 120, 140), ("advisor", 130, 150)):
    term(f"material[{kind}]", mg, eg)
for square in range(90):
    term(f"square[{square}]", (square % 9 - 4) ** 2, 2 * (square // 9))
for number in range(6):
    term(f"soldiers[{number}]", 12 * number, -10 * number)
term("last_rank", -40, -70)
term("edge", 0, 0)
term("tempo", 20, 20)
INDEX = {name: i for i, name in enumerate(names)}
for change in ARGS.get("values", "").split(","):
    if change:
        name, pair = change.split("=")
        values[INDEX[name]] = [float(v) for v in pair.split("/")]
played = [list(pair) for pair in values]
if ARGS.get("table"):
    played[INDEX["material[horse]"]] = [300, 330]
PHASED = not ARGS.get("plain")
SPLIT = bool(ARGS.get("split"))
P = 16
FINE = int(ARGS.get("fine", 1))


def analyse(fen):
    """Returns phase, coefficients and counters of a FEN: {term: (middlegame, endgame)}."""
    fields = fen.split()
    counts, phase, soldiers = {}, 0, [0, 0]

    def add(name, sign, end=1):
        middle, last = counts.get(name, (0, 0))
        counts[name] = (middle + sign, last + sign * end)
    for row, line in enumerate(fields[0].split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
                continue
            red = letter.isupper()
            sign, rank = (1, 9 - row) if red else (-1, row)
            kind = KINDS.get(letter.lower())
            if kind:
                add(f"material[{kind}]", sign, 2 if SPLIT and kind == "soldier" else 1)
            if kind == "horse":
                add(f"square[{9 * rank + (file if red else 8 - file)}]", sign)
            if kind == "soldier":
                soldiers[not red] += 1
                if rank == 9:
                    add("last_rank", sign)
            if kind in ("chariot", "cannon") and file in (0, 8):
                add("edge", sign)
            phase += {"chariot": 2, "horse": 1, "cannon": 1}.get(kind, 0)
            file += 1
    add(f"soldiers[{soldiers[0]}]", 1)
    add(f"soldiers[{soldiers[1]}]", -1)
    add("tempo", 1 if fields[1] == "w" else -1)
    return phase, counts, int(fields[4]) if len(fields) > 4 else 0


def number(value):
    return "%.9g" % value


def print_terms():
    what = ARGS.get("terms", "")
    if what == "silent":
        print("info string unknown command")
        return
    if what == "error":
        print("trace error the tables were not loaded")
    step = 0.5 if ARGS.get("fraction") else 1
    if PHASED:
        print(f"trace phase {P * FINE}" + (" unit 0.25" if ARGS.get("fraction") else ""))
    for i, (name, pair) in enumerate(zip(names, values)):
        shown = {"comma": "a,b", "long": "x" * 64, "twice": names[0]}.get(what, name) if i == 7 else name
        pair = [v * step for v in pair]
        if what == "differ" and i == 3:
            pair[0] += os.getpid()
        tail = (" unit 0.5" if step != 1 and what != "fraction" else "") + (" fixed" if name == "tempo" else "")
        if what == "fraction" and i == 5:
            pair[0] += 0.25
        print(f"trace term {shown} {number(pair[0])}" + (f" {number(pair[1])}" if PHASED else "") + tail)
    print("trace ok", len(names) + (what == "ok"))


def row_text(fen, asked):
    phase, counts, half = analyse(fen)
    step = 0.5 if ARGS.get("fraction") else 1
    factor = 0.5 if ARGS.get("factor") and half % 2 == 0 else 1
    share = phase / P if PHASED else 1
    value = 7 + sum(step * (share * c[0] * played[INDEX[name]][0] + (1 - share) * c[1] * played[INDEX[name]][1])
                    for name, c in counts.items())
    unit = 0.25 if ARGS.get("fraction") else 1
    value = (int if ARGS.get("truncate") else round)(factor * value / unit) * unit
    for key, change in (("coefficient", lambda c: tuple(v + (v > 0) - (v < 0) for v in c)), ("sign", lambda c: (-c[0], -c[1]))):
        if ARGS.get(key) in counts:
            counts[ARGS[key]] = change(counts[ARGS[key]])
    if ARGS.get("zero") and "edge" in counts:
        counts["edge"] = tuple(-c for c in counts["edge"])
    entries = " ".join(f"{INDEX[name]}:{c[0]}" + (f":{c[1]}" if c[0] != c[1] else "")
                       for name, c in counts.items() if c != (0, 0))
    return (f"trace row value {number(value)}" + (f" phase {phase * FINE + int(ARGS.get('phase', 0))}" if PHASED else "")
            + " offset 7" + (f" factor {factor}" if factor != 1 else "") + f" terms {entries}")


def fault(what, text):
    if what == "die":
        sys.stderr.write("mock: out of luck\n")
        sys.exit(3)
    if what == "hang":
        time.sleep(3600)
    return {"error": "trace error no tables", "long": text + " 0:1" * 20000, "garbage": "trace row value x terms",
            "twice": text + " 0:1 0:1", "index": text + " 999:1", "unphased": "trace row value 1 terms 0:1"}[what]


fen, asked = "", 0
for line in sys.stdin:
    words = line.split()
    if line.startswith("ucci"):
        print("id name mock\nucciok")
    elif line.startswith("uci"):
        print("id name mock\nuciok")
    elif line.startswith("isready"):
        print("readyok")
    elif line.startswith("position fen"):
        fen = line[13:].split(" moves")[0]
    elif line.startswith("trace terms"):
        print_terms()
    elif line.startswith("trace set") and ARGS.get("set"):
        played[int(words[2])] = [float(words[3]), float(words[-1])]
        print("trace ok")
    elif line.startswith("trace eval"):
        asked += 1
        if ARGS.get("none") and asked % int(ARGS["none"]) == 0:
            print("trace none", "check" if asked % 2 else "lazy")
        else:
            text = row_text(fen, asked)
            print(fault(ARGS["do"], text) if asked == int(ARGS.get("at", 0)) else text)
    elif line.startswith("quit"):
        break
    sys.stdout.flush()
