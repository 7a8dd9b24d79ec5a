# SPDX-License-Identifier: GPL-3.0-or-later
"""bench/pictures.py PROGRAM DEMO_DIR OUT_DIR README: draws the pictures of the README from the results of
`make demo`, and writes the revision of the program below them. Needs Chromium."""
import os
import re
import struct
import subprocess
import sys
import time
import zlib
from urllib.parse import quote

from browser import BROWSER, NO_BROWSER, Browser


def page_url(path):
    return "file://" + quote(os.path.abspath(path))


def chunks(png):
    at = 8
    while at < len(png):
        length, = struct.unpack(">I", png[at:at + 4])
        yield png[at + 4:at + 8], png[at + 8:at + 8 + length]
        at += 12 + length


def pixels(png):
    """Returns the width of a PNG with 8 bits for each of 3 or 4 channels, and its rows as lists of (red, green, blue)."""
    parts = list(chunks(png))
    width, height, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    assert depth == 8 and kind in (2, 6), "not a PNG in true colour"
    size = 3 if kind == 2 else 4
    data = zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT"))
    before, rows = bytearray(width * size), []
    for y in range(height):
        start = y * (width * size + 1)
        method, row = data[start], bytearray(data[start + 1:start + 1 + width * size])
        for i in range(width * size):
            left, up, corner = (row[i - size] if i >= size else 0), before[i], (before[i - size] if i >= size else 0)
            if method == 1:
                add = left
            elif method == 2:
                add = up
            elif method == 3:
                add = (left + up) // 2
            elif method == 4:
                add = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            else:
                break
            row[i] = row[i] + add & 255
        rows.append([(row[i], row[i + 1], row[i + 2]) for i in range(0, width * size, size)])
        before = row
    return width, rows


def with_palette(png):
    """Returns a smaller PNG with at most 256 colours: the most frequent colours, and the nearest of them for the others."""
    width, rows = pixels(png)
    counts = {}
    for row in rows:
        for colour in row:
            counts[colour] = counts.get(colour, 0) + 1
    palette = sorted(counts, key=lambda colour: (-counts[colour], colour))[:256]
    places = {colour: i for i, colour in enumerate(palette)}
    for colour in counts:
        if colour not in places:
            places[colour] = min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], colour)))
    data = b"".join(b"\0" + bytes(places[colour] for colour in row) for row in rows)
    out = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)), (b"PLTE", bytes(sum(palette, ()))),
                       (b"IDAT", zlib.compress(data, 9)), (b"IEND", b"")):
        out += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return out


def area(browser, selector, margin=10):
    """Returns the rectangle of an element of the page."""
    box = browser.run(f"(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect(); "
                      "return [box.x + scrollX, box.y + scrollY, box.width, box.height]; })()")
    return [box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin]


def live_page(program, demo, page):
    """Writes the page of a running match: the last champion of the demo against the weights of generation 1."""
    match = subprocess.Popen([program, "match", "--a", f"weights={demo}/loop/champion.txt,name=generation 3", "--b",
                              f"weights={demo}/loop/gen-001/weights.txt,name=generation 1", "--nodes", "250", "--pairs", "400", "--sprt", "0,5", "--seed", "5", "--quiet", "--page", page], stdout=subprocess.DEVNULL)
    text = ""
    while match.poll() is None:
        time.sleep(0.2)
        if os.path.exists(page):
            with open(page, encoding="utf-8") as file:
                text = file.read()
            found = re.search(r"<dt>games</dt><dd>(\d+)", text)
            if found and int(found[1]) >= 240:
                break
    match.kill()
    match.wait()
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


def main(program, demo, out, readme):
    if not BROWSER:
        sys.exit(f"pictures: {NO_BROWSER}")
    if not os.path.exists(f"{demo}/report.html"):
        sys.exit(f"pictures: {demo}/report.html is missing; 'make demo' writes it")
    os.makedirs(out, exist_ok=True)
    subprocess.run([program, "view", f"{demo}/match", "--quiet", "--out", f"{demo}/games.html"], check=True, stdout=subprocess.DEVNULL)
    live_page(program, demo, f"{demo}/live.html")
    with Browser() as browser:
        shots = {}
        browser.open(page_url(f"{demo}/report.html"), 880)
        shots["report"] = browser.picture(area(browser, "#board-table_horse"))
        browser.open(page_url(f"{demo}/games.html") + "#0/24", 1280, 860)
        browser.run("document.querySelector('.page').scrollIntoView()")
        shots["viewer"] = browser.picture(area(browser, ".page"))
        browser.open(page_url(f"{demo}/live.html"), 1000, 1000)
        shots["live"] = browser.picture()
    for name, png in shots.items():
        with open(f"{out}/{name}.png", "wb") as file:
            file.write(with_palette(png))
        print(f"{out}/{name}.png {os.path.getsize(f'{out}/{name}.png')} bytes")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    revision = re.search(r"^revision (\w+)", version, re.M)[1]
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    with open(readme, "w", encoding="utf-8") as file:
        file.write(re.sub(r"(`make pictures`[^.]*revision )\w+", rf"\g<1>{revision}", text))


if __name__ == "__main__":
    main(*sys.argv[1:])
