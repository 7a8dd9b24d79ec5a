# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the import of texts that people paste, and of files of PlayOK and Club Xiangqi.
from checks import START, finish, paotai, same, scratch, values, write

MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"
CHINESE = "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 3. 车一平二 马２进３"
TEXTS = {
    "glued": "1.炮二平五马8进72.马二进三车9平83.车一平二马2进3 红胜\n",
    "glued_wide": "１．炮二平五马８进７２．马二进三车９平８３．车一平二马２进３　1-0\n",
    "glued_wxf": "1.C2.5H8+72.H2+3R9.83.R1.2H2+3 1-0\n",
    "glued_lines": "1.炮二平五马８进７\n2.马二进三车９平８\n3.车一平二马２进３\n红胜\n",
    "dpxq": "http://www.dpxq.com/\n标题：湖北 柳大华 胜 广东 许银川\n赛事: 1999年全国象棋个人赛\n轮次：第3轮\n红方：湖北 柳大华\n黑方：广东 许银川\n"
            "日期：1999.05.01\n结果：红胜\n\n" + CHINESE.replace(" 2.", "\n 2.") + "\n",
    "xqstudio": "标题: 杯赛\n比赛时间: 1999.05.01\n红方: 湖北 柳大华\n黑方: 广东 许银川\n结果: 红胜\n着法：\n　　" + CHINESE + "\n",
}
for name, text in TEXTS.items():
    for encoding in ("utf-8", "gbk") if name in ("dpxq", "xqstudio") else ("utf-8",):  # formats.py has more encodings
        done = paotai("data", "import", "--out", scratch(f"{name}-{encoding}"), write(f"{name}-{encoding}.txt", text.encode(encoding)))
        got = paotai("data", "export", "--format", "moves", scratch(f"{name}-{encoding}")).stdout
        same(f"texts_{name}_{encoding}", (done.returncode, got), (0, f"1-0\t{MOVES}\n"))
for name in ("dpxq", "xqstudio"):
    shown = paotai("show", "--data", scratch(name + "-gbk"), "--game", "0").stdout.splitlines()
    same(f"texts_{name}_names", [line for line in shown if line.startswith(("Red ", "Black ", "Date "))][:3] and
         {"Red 湖北 柳大华", "Black 广东 许银川", "Date 1999.05.01"} <= set(shown), True)

TEXTS = {"marks": "1.  C2.5!  H8+7     2.  H2+3  R9.8\n 3.  R1.2  H2+3    !!\n1-0\n", "marks_number": "1.  C2.5  H8+7    !!2.  H2+3 ? R9.8!?  !3. R1.2 H2+3 1-0\n"}
for name, text in TEXTS.items():
    done = paotai("data", "import", "--out", scratch(name), write(f"{name}.txt", text))
    same("texts_" + name, (done.returncode, paotai("data", "export", "--format", "moves", scratch(name)).stdout), (0, f"1-0\t{MOVES}\n"))
WXF = ("FORMAT\tWXF\nGAME\tXiangqi, unrated\nRED\talice;;1500\nBLACK\tbob;;1490\nDATE\t2011-05-01 10:00:00\nRESULT\t{}\n\n"
       "START{{\n 1. C2=5 h8+7\n 2. H2+3 r9=8 {{a remark}}\n 3. R1=2 h2+3\n}}END\n")
for name, text in (("one", WXF.format("1-0")), ("named", WXF.format("1-0").replace("\n", "\r\n"))):
    done = paotai("data", "import", "--out", scratch("wxf-" + name), write(f"{name}.{'wxf' if name == 'named' else 'txt'}", text))
    got = paotai("data", "export", "--format", "moves", scratch("wxf-" + name)).stdout
    same("texts_wxf_" + name, (done.returncode, got), (0, f"1-0\t{MOVES}\n"))
shown = paotai("show", "--data", scratch("wxf-one"), "--game", "0").stdout.splitlines()
same("texts_wxf_names", {"Red alice", "Black bob"} <= set(shown), True)
done = paotai("data", "import", "--out", scratch("wxf-two"), write("two.wxf", WXF.format("1-0") + WXF.format("0-1")))
same("texts_wxf_two", paotai("data", "export", "--format", "moves", scratch("wxf-two")).stdout, f"1-0\t{MOVES}\n0-1\t{MOVES}\n")
done = paotai("data", "import", "--out", scratch("wxf-iccs"), stdin="FORMAT ICCS\nRESULT 0-1\nSTART{\n1. H2-E2 H9-G7\n}END\n")
same("texts_wxf_iccs", paotai("data", "export", "--format", "moves", scratch("wxf-iccs")).stdout, "0-1\th2e2 h9g7\n")

# In a PGN tag, the words that begin and end a game of another format have no special meaning.
done = paotai("data", "import", "--out", scratch("pgn-end"), stdin=f'[Event "a}}END"]\n[Site "START{{"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n')
same("texts_pgn_end", paotai("data", "export", "--format", "moves", scratch("pgn-end")).stdout, "1-0\th2e2 h9g7\n")

# Long or many tags do not hide the tags that tell how to read the game.
TURN = "3k5/9/9/9/9/9/9/9/4R4/4K3P w - - 0 1"
for name, tags in (("long", "".join(f'[{x} "{x * 999}"]\n' for x in ("Red", "Title", "Annotator"))), ("many", "".join(f'[Tag{i} "{i}"]\n' for i in range(70)))):
    done = paotai("data", "import", "--out", scratch("pgn-" + name), stdin=f'{tags}[Result "1-0"]\n[FEN "{TURN}"]\n[Format "UCI"]\n\n1. e1d1 1-0\n')
    same(f"texts_pgn_{name}", paotai("data", "export", "--format", "moves", scratch("pgn-" + name)).stdout, f"1-0\t{TURN}\te1d1\n")
# At most 64 tags of a game are kept. At most 4096 bytes of the value of a tag are kept.
exported = paotai("data", "export", "--format", "pgn", scratch("pgn-many")).stdout
same("texts_pgn_many_kept", exported.count("[Tag"), 64)
WORN = "".join(f'[Tag{i} "{i}"]\n' for i in range(100)) + f'[Long "{"x" * 4097}"]\n[{"N" * 300} "1"]\n[No-Name "1"]\n[Tag1 "1"]\n[Tag2 "other"]\n'
done = paotai("data", "import", "--out", scratch("worn"), stdin=f'[Result "1-0"]\n{WORN}\n1. h2e2 1-0\n')
same("texts_pgn_tags_cut", values(done.stdout).get("tags_cut"), str(100 - 64 + 4))
done = paotai("data", "import", "--out", scratch("not-worn"), stdin=f'[Result "1-0"]\n[Long "{"x" * 4096}"]\n[Event "a"]\n[Event "a"]\n\n1. h2e2 1-0\n')
same("texts_pgn_no_tags_cut", values(done.stdout).get("tags_cut"), None)

# If the value of a tag contains text by which another format is recognised, the detected format
# stays PGN or DhtmlXQ.
for at, word in enumerate(("[DhtmlXQ_red]", "<ChineseChessRecord")):
    like = scratch(f"like{at}")
    paotai("data", "import", "--out", like, stdin=f'[Title "of {word}"]\n[Result "1-0"]\n\n1. h2e2 h9g7 1-0\n')
    for kind in ("pgn", "dhtmlxq"):
        again = scratch(f"like{at}-{kind}")
        paotai("data", "import", "--out", again, stdin=paotai("data", "export", "--format", kind, like).stdout)
        same(f"texts_like_{at}_{kind}", paotai("data", "export", "--format", "moves", again).stdout, "1-0\th2e2 h9g7\n")

# elephantchess.io counts moves from 0 in its FEN.
done = paotai("data", "import", "--out", scratch("zero"), stdin=f'[Site "elephantchess.io"]\n[FEN "{START.replace("0 1", "0 0")}"]\n[Result "1-0"]\n\n{MOVES} 1-0\n')
same("texts_fen_zero", (done.returncode, values(done.stdout).get("plies")), (0, "6"))
done = paotai("data", "import", "--out", scratch("zero-epd"), stdin=f'{START.split(" 0 1")[0]} hmvc 0; fmvn 0; sm h2e2; c9 "1-0";\n')
same("texts_epd_zero", (done.returncode, values(done.stdout).get("plies")), (0, "1"))

# No line of moves is read as a tag. Each row has a name, the numbers of plies of the games, and the
# text.
for name, plies, text in (
        ("brace", ["4"], '[Result "1-0"]\n\n{Opening: central} 1. H2-E2 H9-G7\n2. H0-G2 B9-C7 1-0\n'),
        ("bracket", ["3"], "(注：开局) 1. H2-E2 H9-G7\n2. H0-G2 1-0\n"),
        ("clocks", ["5"], "炮二平五 {用时 0:01} 马8进7 {用时 0:02}\n马二进三 {用时 0:03} 马2进3 {用时 0:02}\n车一平二 1-0\n"),
        ("lines", ["3"], "{说明：第一步\n很好} 1. 炮二平五 马8进7\n2. 马二进三 1-0\n"),
        ("iccs", ["2"], "H2-E2 {[%clk 0:10:00]} H9-G7 1-0\n"),
        ("latin", ["2"], "{Comment: x} 1. H2-E2 H9-G7 1-0\n"),
        ("tagged", ["3"], '[Event "x"]\n\nH2-E2 {a: b} H9-G7\nH0-G2 1-0\n'),
        ("same_line", ["4"], "棋谱：1. 炮二平五 马8进7\n2. 马二进三 车9平8 1-0\n"),
        ("unknown", ["2"], "网址: http://x\n时限: 10:00\n棋谱：\n1. 炮二平五 马8进7 1-0\n"),
        ("end", ["2", "4"], "1. 炮二平五 马8进7\n{注: 好} 1-0\n\n1. 兵七进一 卒7进1 2. 马八进七 马8进7 0-1\n")):
    done = paotai("data", "import", "--format", "pgn", "--out", scratch("label-" + name), write(f"label-{name}.txt", text))
    got = paotai("data", "export", "--format", "moves", scratch("label-" + name)).stdout.splitlines()
    same("texts_label_" + name, (done.returncode, [str(len(line.split("\t")[-1].split())) for line in got]), (0, plies))
done = paotai("data", "import", "--format", "pgn", "--out", scratch("red-wins"), stdin="RED wins with 1. H2-E2\n1. H2-E2 H9-G7 1-0\n")
same("texts_label_needs_colon", (done.returncode, values(done.stdout).get("refused_move")), (1, "1"))

# Tests how import finds the end of a game, and which lines may stand before the first moves.
ENDS = "1. 炮二平五 马8进7 红胜\n\n1. 兵七进一 卒7进1 黑胜\n"
for name, lines, text in (
        ("words", ["1-0\th2e2 h9g7", "0-1\tc3c4 g6g5"], ENDS),
        ("unnumbered", ["1-0\th2e2 h9g7", "0-1\tc3c4 g6g5", "1/2-1/2\th2e2"], "炮二平五 马8进7\n红胜\n\n兵七进一　卒7进1　黑胜\n\nh2e2 和棋\n"),
        ("pasted", ["1-0\th2e2 h9g7", "0-1\tc3c4 g6g5"], "红方: 王\n" + ENDS.replace("\n\n", "\n\n红方: 张\n")),
        ("dash", ["1-0\th0g2"], f'[Event "y"]\n[FEN "{START}"]\n[Event-Type "y"]\n[Result "1-0"]\n\n1. H0-G2 1-0\n'),
        ("chinese", ["1-0\th0g2"], f'[FEN "{START}"]\n[赛事 "y"]\n[Result "1-0"]\n\n1. H0-G2 1-0\n'),
        ("bare", ["1-0\th0g2"], f'[FEN "{START}"]\n[Event y]\n[Result "1-0"]\n\n1. H0-G2 1-0\n'),
        ("head", ["1-0\th2e2 h9g7"], "FORMAT WXF\nRED\nTIME 10:00\nCOMMENT a b\nRESULT 1-0\nSTART{\n1. C2=5 h8+7\n}END\n")):
    done = paotai("data", "import", *(() if name == "head" else ("--format", "pgn")), "--out", scratch("end-" + name), write(f"end-{name}.txt", text))
    got = paotai("data", "export", "--format", "moves", scratch("end-" + name)).stdout.splitlines()
    same("texts_end_" + name, (done.returncode, got), (0, lines))
done = paotai("data", "import", "--out", scratch("html"), write("page.html", "<html>\n<p>红方：王\n" + "<p>x 1-0\n" * 3000))
same("texts_html", (done.returncode, len(done.stderr.splitlines()) + len(done.stdout.splitlines()) < 30), (1, True))

done = paotai("data", "import", "--unknown", "draw", "--out", scratch("open"), stdin="*\th2e2 h9g7\n1-0\th0g2\n")
same("texts_open_moves", (done.returncode, paotai("data", "export", "--format", "moves", scratch("open")).stdout), (0, "1/2-1/2\th2e2 h9g7\n1-0\th0g2\n"))

# A text without a game gives no game.
for name, text in (("prose", "hello: world\nthis is prose\n"), ("cut", "1.炮二平五马8进7马马马马 1-0\n"), ("open", "FORMAT WXF\nSTART{\n1. C2=5 h8+7\n")):
    done = paotai("data", "import", "--out", scratch("bad-" + name), write(name + ".txt", text))
    same("texts_bad_" + name, (done.returncode, values(done.stdout).get("games", "0")), (1, "0"))

# If several files hold two or more soldiers, WXF names a soldier by number and file, as in the
# World Xiangqi Rules of 2018 and in Fairy-Stockfish. The form that the program writes (9+: the
# front soldier on file 9) is read, too.
FIVE, FOUR = "4k4/9/P3P4/P3P4/4P4/9/9/9/9/3K5 w - - 0 1", "4k4/9/9/P7P/P7P/9/9/9/9/3K5 w - - 0 1"
MOVED = (*((FIVE, *pair) for pair in (("15+1", "e7e8"), ("25.4", "e6f6"), ("35=4", "e5f5"), ("19+1", "a7a8"), ("29.8", "a6b6"), ("55=4", "e6f6"), ("9+.8", "a7b7"),
                                      ("5-.4", "e5f5"))), (FOUR, "11+1", "i6i7"), (FOUR, "21.2", "i5h5"), ("4k4/9/9/9/9/9/9/R8/9/3K5 w", "R9=5+", "a2e2"))
got = paotai("notation", "--from", "wxf", "--to", "uci", stdin="".join(f"{fen}\t{text}\n" for fen, text, _ in MOVED)).stdout.splitlines()
same("texts_soldiers", dict(zip([text for _, text, _ in MOVED], got)), {text: move for _, text, move in MOVED})

# In the SAN and LAN of Fairy-Stockfish (its apiutil.h), ranks are counted from 1 to 10, and
# soldiers have a letter.
for system, moves in (("fsf-san", "Che3 Hg8 Hg3 Rh10 Pc5 Cxb1"), ("fsf-lan", "Ch3-e3 Hh10-g8 Hh1-g3 Ri10-h10 Pc4-c5 Cb8xb1")):
    uci = "h2e2 h9g7 h0g2 i9h9 c3c4 b7b0"
    convert = lambda source, target, text: paotai("notation", "--from", source, "--to", target, "--game", stdin=f"{START}\t{text}\n").stdout
    same(f"texts_{system}", (convert("uci", system, uci), convert(system, "uci", moves), convert("auto", "uci", moves)), (moves + "\n", uci + "\n", uci + "\n"))
    done = paotai("data", "import", "--out", scratch(system), stdin=f'[Result "1-0"]\n\n1. {moves} 1-0\n')
    same(f"texts_{system}_pgn", paotai("data", "export", "--format", "moves", scratch(system)).stdout, f"1-0\t{uci}\n")
LIKE = (("R8/4k4/9/9/R8/9/9/9/9/3K5 w", "R10a8", "a9a7"), ("R8/4k4/9/9/R8/9/9/9/9/3K5 w", "R6a8", "a5a7"),
        ("4k4/9/9/9/R7R/9/9/9/9/3K5 w", "Rie6+", "i5e5"), ("4k4/9/9/9/R7R/9/9/9/9/3K5 w", "Rae6+", "a5e5"))
for source, target, at in (("fsf-san", "uci", 1), ("uci", "fsf-san", 2)):
    got = paotai("notation", "--from", source, "--to", target, stdin="".join(f"{row[0]}\t{row[at]}\n" for row in LIKE)).stdout.splitlines()
    same("texts_fsf_to_" + target, got, [row[3 - at] for row in LIKE])
finish()
