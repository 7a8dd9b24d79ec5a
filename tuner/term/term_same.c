// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/term/term_same.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/board/bench_positions.h"
#include "core/system/out_file.h"
#include "selfplay/engines/player_setup.h"
#include "selfplay/engines/revision.h"

enum { NODES = 2000 };

// ---- the commit before the new terms ------------------------------------------------------------

// A script for sh. Its arguments are names of terms. It prints the short hash of the latest commit
// whose weights.def has none of these terms. It tests HEAD and the parents of the commits that
// changed the file. If there is no such commit, it prints '-' and the reason.
static const char find_commit[] =
    "git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo '-there is no git repository "
    "here'; exit; }\n"
    "for commit in HEAD $(git rev-list HEAD -- core/eval/weights.def | sed 's/$/~/'); do\n"
    "  text=$(git show \"$commit:core/eval/weights.def\" 2>/dev/null) || continue\n"
    "  for name; do case $text in *\"WEIGHT($name,\"*) continue 2 ;; esac; done\n"
    "  git rev-parse --short=10 \"$commit\"; exit\n"
    "done\n"
    "echo '-no commit has core/eval/weights.def without the term'\n";

// Runs the script find_commit and reads the first line of its output.
static Status find_old(const TermSameSpec *spec, Text *line, Err *err) {
    AUTO(Text) command = {0};
    text_add(&command, "sh -c ");
    text_add_quoted(&command, find_commit);
    text_add(&command, " sh");
    for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
        if (spec->chosen[t]) text_add(&command, " %s", weight_terms[t].name);
    }
    FILE *pipe = popen(command.data, "r");
    if (!pipe) return err_set(err, STATUS_IO, "cannot run sh: %s", strerror(errno));
    for (int c; (c = getc(pipe)) != EOF && c != '\n';) text_add(line, "%c", c);
    pclose(pipe);
    return STATUS_OK;
}

// Writes a weight file for the older program. Leaves out terms that the older program may not know:
// the new terms, and terms whose weights are all 0.
static Status write_weights(const TermSameSpec *spec, const Weights *start, Err *err) {
    AUTO(Text) text = {0}, kept = {0};
    weights_format(start, NULL, &text);
    char *cursor = text.data;
    for (char *line; (line = text_next_field(&cursor, '\n'));) {
        const size_t length = strcspn(line, " ");
        bool keep = true;
        for (int t = 0; t < WEIGHT_TERM_COUNT; t++) {
            if (!text_word_is(line, length, weight_terms[t].name)) continue;
            keep = !spec->chosen[t] && line[length + strspn(line + length, " 0")] != '\0';
        }
        if (keep && *line) text_add(&kept, "%s\n", line);
    }
    return text_write_file(spec->weights, kept.data, kept.length, err);
}

// ---- the comparison -----------------------------------------------------------------------------

enum { OLD, OWN_UCI, OWN, PLAYERS };
static const char *const player_names[PLAYERS] = {"", "this program over UCI", "this program"};

typedef struct Same {
    PlayerSetup setups[PLAYERS];
    Player *players[PLAYERS];
} Same;

static void same_clear(Same *same) {
    for (int i = 0; i < PLAYERS; i++) {
        player_close(same->players[i]);
        player_setup_clear(&same->setups[i]);
    }
}
AUTO_VALUE(Same, same_clear)

// Prepares a player with these weights: the program of the commit `head` over UCI, or this process
// if `head` is "".
static Status prepare(const TermSameSpec *spec, const char *head, PlayerSetup *player, Err *err) {
    AUTO(Text) text = {0};
    text_add(&text, "%s%s=", head, *head ? ",option.Weights" : "weights");
    player_spec_add_value(&text, spec->weights);
    text_add(&text, ",nodes=%d,hash=1", NODES);
    return player_setup_parse(NULL, NULL, text.data, "player", player, err);
}

static Status prepare_all(const TermSameSpec *spec, const char *commit, Same *same, Err *err) {
    const RevisionBuild how = {.repo = ".",
                               .build = "make build/release/paotai",
                               .binary = "build/release/paotai",
                               .cache = "build/revisions",
                               .quiet = true,
                               .silent = true};
    const char *const twice[2] = {commit, commit};
    AUTO(Revision) old = {.label = {0}};
    AUTO(Revision) again = {.label = {0}};
    AUTO(Text) self = {0}, quoted = {0};
    TRY(revision_players(&how, twice, true, &old, &again, NULL, err));
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return err_set(err, STATUS_IO, "/proc/self/exe: %s", strerror(errno));
    path[length] = '\0';
    text_add_quoted(&quoted, path);
    text_add(&self, "cmd=");
    player_spec_add_value(&self, quoted.data);
    text_add(&self, ",name=self");
    TRY(prepare(spec, old.player.data, &same->setups[OLD], err));
    TRY(prepare(spec, self.data, &same->setups[OWN_UCI], err));
    return prepare(spec, "", &same->setups[OWN], err);
}

static Status ask(Same *same, int who, const Position *position, PlayerReply *reply, Err *err) {
    const Rules rules = rules_default(RULES_AXF);
    AUTO(OddsGame) game;
    odds_game_init(&game);
    odds_game_reset(&game, position, NULL);
    return player_score(&same->setups[who], &rules, &game, &same->players[who], reply, err);
}

static bool alike(const PlayerReply *a, const PlayerReply *b) {
    return a->move == b->move && a->info.score_cp == b->info.score_cp &&
           a->info.mate == b->info.mate && a->info.nodes == b->info.nodes;
}

// Appends the move of a player and the numbers that alike() compares.
static void add_reply(const char *who, const PlayerReply *reply, Text *text) {
    char move[5] = "-";
    if (reply->move != MOVE_NONE) move_to_uci(reply->move, move);
    text_add(text, "%s plays %s with ", who, move);
    text_add(text, reply->info.mate ? "a mate in %d plies" : "score %d",
             reply->info.mate ? reply->info.mate : reply->info.score_cp);
    text_add(text, " after %llu nodes", (unsigned long long)reply->info.nodes);
}

static Status compare(Same *players, TermSame *same, Err *err) {
    PlayerReply replies[PLAYERS];
    for (int i = 0; i < BENCH_POSITION_COUNT; i++) {
        Position position;
        TRY(position_from_fen(&position, bench_fens[i], err));
        for (int who = 0; who < PLAYERS; who++) {
            TRY(ask(players, who, &position, &replies[who], err));
        }
        for (int who = OWN_UCI; who < PLAYERS && same->same; who++) {
            if (alike(&replies[OLD], &replies[who])) continue;
            same->same = false;
            add_reply(player_names[who], &replies[who], &same->why);
            text_add(&same->why, ", ");
            add_reply(same->commit, &replies[OLD], &same->why);
            text_add(&same->why, ": %s", bench_fens[i]);
        }
        same->positions++;
        if (!same->same) break;
    }
    return STATUS_OK;
}

Status term_same_measure(const TermSameSpec *spec, const Weights *start, TermSame *same, Err *err) {
    AUTO(Text) line = {0}, saying = {0};
    AUTO(Same) players = {0};
    if (spec->commit) {
        text_add(&line, "%s", spec->commit);
    } else {
        TRY(find_old(spec, &line, err));
    }
    if (!line.length || line.data[0] == '-') {
        text_add(&same->why, "%s", line.length ? line.data + 1 : "git printed nothing");
        return STATUS_OK;
    }
    snprintf(same->commit, sizeof same->commit, "%s", line.data);
    text_add(&saying, "building commit %s, if build/revisions does not contain its program yet",
             same->commit);
    progress_say(spec->progress, saying.data);
    TRY(write_weights(spec, start, err));
    TRY(prepare_all(spec, same->commit, &players, err));
    same->compared = same->same = true;
    return compare(&players, same, err);
}
