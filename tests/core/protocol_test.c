// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of time controls and clocks, the table of engines, PLAYER texts, the parsing of engine
// output, chances of a win, and levels of strength.
#include <stdlib.h>
#include <string.h>

#include "core/eval/eval.h"
#include "core/uci/strength.h"
#include "selfplay/engines/protocol.h"
#include "tests/test.h"

void test_timecontrol(TestContext *t) {
    static const struct {
        const char *text;
        int moves;
        int64_t base_ms, inc_ms;
    } good[] = {{"10+0.1", 0, 10000, 100},
                {"40/60+0.5", 40, 60000, 500},
                {"1:30+1", 0, 90000, 1000},
                {"60", 0, 60000, 0},
                {"0.25", 0, 250, 0},
                {"9/2:00", 9, 120000, 0},
                {"00000000000000012:00", 0, 720000, 0}};
    char bad[] = "|x|10+|+1|0|40/|/10|0/10|-5|10+-1|1:60|1e9|1:2:3|40+1/"
                 "60|10+0.1x|nan|99999999999999999999|10 + 1",
         *cursor = bad;
    TimeControl control;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Err err = {0};
        if (!CHECK_OK(timecontrol_parse(good[i].text, &control, &err), err)) continue;
        CHECK_INT(control.moves, good[i].moves);
        CHECK_INT(control.base_ns, good[i].base_ms * MS_NS);
        CHECK_INT(control.inc_ns, good[i].inc_ms * MS_NS);
    }
    for (const char *text; (text = text_next_field(&cursor, '|'));) {
        Err err = {0};
        CHECK_MSG(timecontrol_parse(text, &control, &err) != STATUS_OK,
                  "'%s' was accepted, but must "
                  "be refused",
                  text);
        CHECK_MSG(err.text[0], "'%s' was refused without a message", text);
    }
    Err err = {0};
    CHECK(timecontrol_parse_move("0", &control, &err) != STATUS_OK);
    CHECK(timecontrol_parse_move("0.1", &control, &err) == STATUS_OK);
    CHECK_INT(control.move_ns, 100 * MS_NS);
}

void test_clock(TestContext *t) {
    TimeControl control;
    Clock clock;
    CHECK(timecontrol_parse("3/10+0.5", &control, NULL) == STATUS_OK);
    clock_start(&clock, &control);
    CHECK(clock_move(&clock, 4000 * MS_NS, 0));
    CHECK_INT(clock.left_ns, 6500 * MS_NS);
    CHECK_INT(clock.moves_left, 2);
    // A move that uses exactly the remaining time is accepted.
    CHECK(clock_move(&clock, 6500 * MS_NS, 0));
    CHECK_INT(clock.left_ns, 500 * MS_NS);
    // The third move exceeds the remaining time by no more than the margin, so it is accepted. Then
    // the clock gets the time for the next three moves.
    CHECK(clock_move(&clock, 520 * MS_NS, 20 * MS_NS));
    CHECK_INT(clock.left_ns, 10500 * MS_NS);
    CHECK_INT(clock.moves_left, 3);
    CHECK(!clock_move(&clock, 10521 * MS_NS, 20 * MS_NS));
    CHECK(timecontrol_parse_move("0.1", &control, NULL) == STATUS_OK);
    clock_start(&clock, &control);
    CHECK(clock_move(&clock, 100 * MS_NS, 0));
    CHECK_INT(clock.left_ns, 100 * MS_NS);
    CHECK(!clock_move(&clock, 100 * MS_NS + 1, 0));
    clock_start(&clock, &(TimeControl){0});
    CHECK(clock_move(&clock, INT64_MAX / 2, 0));
}

// Checks that engines are found in the table by name and by program, and that quirks are read,
// combined and written.
void test_profiles(TestContext *t) {
    const Profile *row, *ucci, *cyclone;
    for (row = profiles; row->name; row++) {
        const Profile *found;
        CHECK(profile_find(row->name, false, &found, NULL) == STATUS_OK && found == row);
    }
    CHECK(profile_find("maxqi", true, &row, NULL) == STATUS_USAGE);
    CHECK(profile_find("ucci", true, &ucci, NULL) == STATUS_OK);
    CHECK(profile_find("cyclone", true, &cyclone, NULL) == STATUS_OK);
    CHECK(profile_for_program("fairy-stockfish2", NULL) == NULL);
    CHECK(profile_for_program("\"fairy-stockfish", NULL) == NULL);
    CHECK(profile_for_program("fairy-stockfish", cyclone) == NULL);
    row = profile_for_program("\"/opt/my engines/fairy-stockfish\" uci", NULL);
    if (CHECK(row)) CHECK_TEXT(row->name, "fairy-stockfish");
    row = profile_for_program("fairy-stockfish", ucci);
    if (CHECK(row)) CHECK_TEXT(row->name, "fairy-stockfish-ucci");
    static const char *const given[] = {"no_stop", "ranks:1", "init:a b", "init:c=d",
                                        "start_ms:500"};
    static const char *const bad[] = {"",      "nosuch",    "ranks", "ranks:2",    "ranks:x",
                                      "init:", "no_stop:1", "init",  "start_ms:-1"};
    Quirks quirks = {0};
    Err err = {0};
    AUTO(Text) text = {0};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        CHECK_OK(quirk_set(&quirks, given[i], &err), err);
    }
    quirks_write(&quirks, &text);
    CHECK_TEXT(text_get(&text), " ranks:1 init:a b|c=d no_stop start_ms:500");
    CHECK_TEXT(quirks.init, "a b\nc=d\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (Err){0};
        CHECK_MSG(quirk_set(&quirks, bad[i], &err) != STATUS_OK && err.text[0],
                  "'%s' was accepted, but must "
                  "be refused",
                  bad[i]);
    }
    for (int i = 0; i < 10; i++) quirk_set(&quirks, "new_game:a line of some length", NULL);
    CHECK(quirk_set(&quirks, "new_game:a line of some length", &err) == STATUS_USAGE);
}

// Checks a PLAYER text with many KEY=VALUE pairs.
static void check_full_spec(TestContext *t) {
    PlayerSpec spec;
    Err err = {0};
    if (CHECK_OK(
            player_spec_parse("cmd=sjaakii -x,st=0.1,threads=2,hash=64,name=S\\,1,option.A b=c\\=d,"
                              "dir=/tmp,ponder=yes,margin=70,quirk=no_reuse",
                              "--a", &spec, &err),
            err)) {
        CHECK(spec.program);
        CHECK_TEXT(spec.name, "S,1");
        CHECK_TEXT(spec.profile->name, "sjaakii");
        CHECK_TEXT(spec.command, "sjaakii -x");
        CHECK_INT(spec.limits.control.move_ns, 100 * MS_NS);
        CHECK_INT(spec.threads, 2);
        CHECK_TEXT(spec.options[0].name, "A b");
        CHECK_TEXT(spec.options[0].value, "c=d");
        CHECK(spec.quirks.no_reuse && strstr(spec.quirks.new_game, "Claim repetitions=0"));
        CHECK_TEXT(spec.dir, "/tmp");
        CHECK(spec.ponder && spec.has_margin && spec.margin_ns == 70 * MS_NS);
        player_spec_clear(&spec);
    }
}

// Other PLAYER texts that are accepted, with the resulting name and profile; the profile is NULL
// for Paotai itself.
static const struct {
    const char *text, *name, *profile;
} good_specs[] = {
    {"", "default", NULL},
    {"weights=classic,nodes=10", "classic", NULL},
    {"cmd=/opt/engines/pikafish,nodes=10", "pikafish", "uci"},
    {"cmd=x,proto=xboard", "x", "xboard"},
    {"cmd=fairy-stockfish,proto=ucci", "fairy-stockfish-ucci", "fairy-stockfish-ucci"},
    {"profile=hoixiangqi,tc=40/60", "hoixiangqi", "hoixiangqi"},
    {"cmd=./hq,profile=hoixiangqi", "hq", "hoixiangqi"},
    {"margin=0,cmd=x,ponder=no", "x", "uci"},
    {"cmd=x,ponder=1", "x", "uci"},
};

void test_player_specs(TestContext *t) {
    PlayerSpec spec;
    Err err = {0};
    check_full_spec(t);
    for (size_t i = 0; i < sizeof good_specs / sizeof *good_specs; i++) {
        if (!CHECK_OK(player_spec_parse(good_specs[i].text, "--a", &spec, &err), err)) continue;
        CHECK_TEXT(spec.name, good_specs[i].name);
        CHECK(spec.program == (good_specs[i].profile != NULL));
        if (good_specs[i].profile) CHECK_TEXT(spec.profile->name, good_specs[i].profile);
        player_spec_clear(&spec);
    }
    char bad[] = "cmd cmd= nosuch=1 cmd=x,st=0 cmd=x,st=1,tc=2 cmd=x,nodes=-1 cmd=x,proto=usi "
                 "profile=nosuch profile=uci cmd=x,weights=classic proto=uci log=x "
                 "cmd=x,profile=sjaakii,proto=uci cmd=x,depth=0 cmd=x,option.=1 cmd=x,, threads=0 "
                 "name= dir=/tmp ponder=yes quirk=no_stop cmd=x,dir= cmd=x,ponder=2 margin=-1 "
                 "cmd=x,quirk=nosuch cmd=x,proto=paotai cmd=x,",
         *cursor = bad;
    for (const char *text; (text = text_next_field(&cursor, ' '));) {
        err = (Err){0};
        CHECK_MSG(player_spec_parse(text, "--a", &spec, &err) == STATUS_USAGE,
                  "'%s' was accepted, but must "
                  "be refused",
                  text);
        CHECK_MSG(strncmp(err.text, "--a: ", 5) == 0, "'%s': '%s'", text, err.text);
    }
}

static Answer read_as(const char *protocol, const char *line, SearchInfo *info) {
    int i = PROTOCOL_UCI;
    while (i < PROTOCOL_CECP && strcmp(protocols[i]->name, protocol) != 0) i++;
    return protocols[i]->read(&(Quirks){.ranks = 0}, line, info);
}

// Checks how a line of an engine is parsed. A row has protocol, line, kind of answer, move.
static void answer_row(TestContext *t, char *const *fields) {
    static const char *const kinds[] = {
        [ANSWER_OTHER] = "other",     [ANSWER_HELLO] = "hello",    [ANSWER_BUSY] = "busy",
        [ANSWER_ABOUT] = "about",     [ANSWER_INFO] = "info",      [ANSWER_MOVE] = "move",
        [ANSWER_NO_MOVE] = "no_move", [ANSWER_RESIGN] = "resign",  [ANSWER_DRAW] = "draw",
        [ANSWER_CLAIM] = "claim",     [ANSWER_REFUSAL] = "refusal"};
    SearchInfo info = {0};
    const Answer answer = read_as(fields[0], fields[1], &info);
    CHECK_TEXT(kinds[answer.kind], fields[2]);
    CHECK_TEXT(*answer.move ? answer.move : "-", fields[3]);
}

// Checks how an engine's line with search information is parsed. A row of the test data has the
// protocol, the line, and the expected values: whether there is a score, score, mate, depth, nodes,
// principal variation.
static void info_row(TestContext *t, char *const *fields) {
    SearchInfo info = {0};
    read_as(fields[0], fields[1], &info);
    CHECK_INT(info.has_score, atoi(fields[2]));
    CHECK_INT(info.score_cp, atoi(fields[3]));
    CHECK_INT(info.mate, atoi(fields[4]));
    CHECK_INT(info.depth, atoi(fields[5]));
    CHECK_INT(info.nodes, atoi(fields[6]));
    CHECK_TEXT(*info.line ? info.line : "-", fields[7]);
}

void test_answers(TestContext *t) {
    CHECK_INT(test_rows(t, t->data, "answers.tsv", 0, 4, answer_row), 28);
    CHECK_INT(test_rows(t, t->data, "answers_info.tsv", 0, 8, info_row), 15);
    CHECK_TEXT(read_as("uci", "\tbestmove\th2e2", &(SearchInfo){0}).move, "h2e2");
    const Answer draw = read_as("ucci", "bestmove h2e2 ponder h9g7 draw", &(SearchInfo){0});
    CHECK(draw.offers_draw && !draw.resigns);
}

// Tests scores that are bounds, and scores with decimals. The lines of a search are separated by
// `|`. The stored score is the last exact score of line 1. Without the quirk score_unit, a score
// with decimals is not read, because it may be in pawns or in centipawns.
void test_answers_bounds(TestContext *t) {
    static const struct {
        const char *proto, *lines;
        int unit;
        bool has_score, ends_with_bound, unread;
        int score_cp, mate, depth;
    } rows[] = {
        {"uci", "info depth 5 score cp 777 lowerbound pv h2e2", 0, false, true, false, 0, 0, 5},
        {"uci", "info score mate 3 upperbound depth 5", 0, false, true, false, 0, 0, 5},
        {"uci", "info depth 5 score lowerbound cp 777", 0, false, true, false, 0, 0, 5},
        {"uci", "info depth 5 score cp 777 nodes 9 upperbound", 0, false, true, false, 0, 0, 5},
        {"uci", "info depth 5 score cp 31 pv h2e2|info depth 6 score cp 777 lowerbound pv h2e2", 0,
         true, true, false, 31, 0, 5},
        {"uci", "info depth 5 score cp 777 lowerbound|info depth 5 score cp 42", 0, true, false,
         false, 42, 0, 5},
        {"uci", "info depth 5 score mate 3|info depth 6 score cp 9 upperbound", 0, true, true,
         false, 0, 5, 5},
        {"uci", "info depth 5 multipv 1 score cp 8|info depth 5 multipv 2 score cp 9 lowerbound", 0,
         true, false, false, 8, 0, 5},
        {"ucci", "info depth 5 score 777 lowerbound pv h2e2", 0, false, true, false, 0, 0, 5},
        {"ucci", "info depth 5 score 31|info depth 6 score 777 upperbound", 0, true, true, false,
         31, 0, 5},
        {"cecp", "5 777! 10 100 h2e2", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 777? 10 100 h2e2", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 777 ! 10 100 h2e2", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 100003? 10 100 h2e2", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 777 10 100 h2e2 h9g7?", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 777 10 100 h2e2 h9g7 !", 0, false, true, false, 0, 0, 5},
        {"cecp", "5 31 10 100 h2e2|6 777 10 200 h2e2!", 0, true, true, false, 31, 0, 5},
        {"cecp", "5 -100003 10 100 h2e2", 0, true, false, false, 0, -6, 5},
        {"uci", "info depth 5 score cp 0,35 pv h2e2", 0, false, false, true, 0, 0, 5},
        {"uci", "info depth 5 score cp -0.35 pv h2e2", 100, true, false, false, -35, 0, 5},
        {"uci", "info depth 5 score cp 34,6 pv h2e2", 1, true, false, false, 35, 0, 5},
        {"uci", "info depth 5 score cp 2 pv h2e2", 100, true, false, false, 200, 0, 5},
        {"uci", "info depth 5 score mate -2 pv h2e2", 100, true, false, false, 0, -4, 5},
        {"ucci", "info depth 5 score -1,25 pv h2e2", 0, false, false, true, 0, 0, 5},
        {"ucci", "info depth 5 score -1,25 pv h2e2", 100, true, false, false, -125, 0, 5},
        {"cecp", "5 +0.35 10 100 h2e2", 0, false, false, true, 0, 0, 5},
        {"cecp", "5 +0,35 10 100 h2e2", 100, true, false, false, 35, 0, 5},
        {"cecp", "5 -0,35? 10 100 h2e2", 100, false, true, false, 0, 0, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SearchInfo info = {0};
        int protocol = PROTOCOL_UCI;
        while (strcmp(protocols[protocol]->name, rows[i].proto) != 0) protocol++;
        char lines[120], *cursor = lines;
        snprintf(lines, sizeof lines, "%s", rows[i].lines);
        for (const char *line; (line = text_next_field(&cursor, '|'));) {
            protocols[protocol]->read(&(Quirks){.score_unit = rows[i].unit}, line, &info);
        }
        CHECK_MSG(info.has_score == rows[i].has_score &&
                      info.ends_with_bound == rows[i].ends_with_bound &&
                      info.unread_score == rows[i].unread && info.score_cp == rows[i].score_cp &&
                      info.mate == rows[i].mate && info.depth == rows[i].depth,
                  "%s '%s': score %d (%d), mate %d, bound %d, unread %d, depth %d", rows[i].proto,
                  rows[i].lines, info.score_cp, info.has_score, info.mate, info.ends_with_bound,
                  info.unread_score, info.depth);
    }
}

// Tests move_scan() with ranks counted from 0 and from 1, and with words that are no moves.
// tests/fuzz/fuzz_answers.c tests move_scan() and move_write() with arbitrary texts.
void test_answers_moves(TestContext *t) {
    char text[MOVE_TEXT_SIZE];
    move_write(move_make(square_make(7, 9), square_make(6, 7)), 1, text);
    CHECK_TEXT(text, "h10g8");
    static const char *const bad[] = {"",     "h",    "h2",    "h2e",    "h2e2x", "j2e2",
                                      "h2h2", "H2E2", "h2e2 ", "(none)", "a:e2"};
    for (int base = 0; base < 2; base++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            CHECK_INT(move_scan(bad[i], strlen(bad[i]), base), MOVE_NONE);
    }
    CHECK_INT(move_scan("h10g8", strlen("h10g8"), 0), MOVE_NONE);
    CHECK_INT(move_scan("h0g2", strlen("h0g2"), 1), MOVE_NONE);
    CHECK_INT(move_scan("a11a2", strlen("a11a2"), 1), MOVE_NONE);
}

// ---- scores and strengths -----------------------------------------------------------------------

// Checks that the chances of win, draw and loss sum to 1000, that a win never becomes less likely
// with a higher score, and that the opponent's chances are the reverse. At score 0, draws are more
// likely with less material. With a higher Elo, the node limit does not fall, and the share of
// random moves (slips) does not rise. The levels cover the range of the option UCI_Elo.
void test_strength(TestContext *t) {
    for (int phase = 0; phase <= PHASE_MAX; phase += 6) {
        Wdl before = wdl_of_score(-2000, phase);
        for (int score = -2000; score <= 2000; score += 10) {
            const Wdl wdl = wdl_of_score(score, phase), turned = wdl_of_score(-score, phase);
            CHECK_INT(wdl.win + wdl.draw + wdl.loss, 1000);
            CHECK(wdl.win == turned.loss && wdl.draw >= 0);
            CHECK(wdl.win >= before.win && wdl.loss <= before.loss);
            before = wdl;
        }
        if (phase) CHECK(wdl_of_score(0, phase).draw < wdl_of_score(0, phase - 6).draw);
    }
    CHECK(wdl_of_score(SCORE_MATE - 3, 10).win == 1000 &&
          wdl_of_score(3 - SCORE_MATE, 10).loss == 1000);
    CHECK_INT(strength_levels[0].elo, STRENGTH_ELO_MIN);
    CHECK_INT(strength_levels[STRENGTH_LEVELS - 1].elo, STRENGTH_ELO_MAX);
    for (int i = 0; i < STRENGTH_LEVELS; i++) {
        const Strength exact = strength_of_elo(strength_levels[i].elo);
        CHECK(exact.nodes == strength_levels[i].nodes && exact.slips == strength_levels[i].slips);
    }
    Strength before = strength_of_elo(STRENGTH_ELO_MIN);
    for (int elo = STRENGTH_ELO_MIN; elo <= STRENGTH_ELO_MAX; elo++) {
        const Strength now = strength_of_elo(elo);
        CHECK(now.nodes >= before.nodes && now.slips <= before.slips);
        before = now;
    }
}
