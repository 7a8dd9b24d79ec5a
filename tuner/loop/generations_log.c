// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and saves the results of a generation, and writes the log of the loop.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/in_file.h"
#include "core/system/out_file.h"
#include "selfplay/stats/strength_verdict.h"
#include "tuner/loop/generations.h"

// ---- saved results ------------------------------------------------------------------------------

#define NUMBER_MAX 1e300
#define MEMBER(M, kind, most)                                                                      \
    OPT_ROW(#M, OPTION_##kind, Generation, M, -(most), most, NULL, NULL, NULL)
static const OptionRow saved_rows[] = {
    MEMBER(date, TEXT, 0),
    MEMBER(revision, TEXT, 0),
    MEMBER(machine, TEXT, 0),
    MEMBER(selfplay, TEXT, 0),
    MEMBER(tune, TEXT, 0),
    MEMBER(match, TEXT, 0),
    // `paotai loop --json` prints this member and the following ones for each generation.
    MEMBER(selfplay_seconds, REAL, NUMBER_MAX),
    MEMBER(tune_seconds, REAL, NUMBER_MAX),
    MEMBER(match_seconds, REAL, NUMBER_MAX),
    MEMBER(games, U64, 0),
    MEMBER(positions, U64, 0),
    MEMBER(content_hash, TEXT, 0),
    MEMBER(valid_loss_start, REAL, NUMBER_MAX),
    MEMBER(valid_loss, REAL, NUMBER_MAX),
    MEMBER(valid_loss_error95, REAL, NUMBER_MAX),
    MEMBER(valid_loss_change, REAL, NUMBER_MAX),
    MEMBER(valid_loss_change_error95, REAL, NUMBER_MAX),
    MEMBER(match_games, U64, 0),
    MEMBER(wins, U64, 0),
    MEMBER(draws, U64, 0),
    MEMBER(losses, U64, 0),
    MEMBER(pentanomial, TEXT, 0),
    MEMBER(elo, REAL, NUMBER_MAX),
    MEMBER(elo_error95, REAL, NUMBER_MAX),
    MEMBER(elo_median, REAL, NUMBER_MAX),
    MEMBER(ci_low, REAL, NUMBER_MAX),
    MEMBER(ci_high, REAL, NUMBER_MAX),
    MEMBER(llr, REAL, NUMBER_MAX),
    MEMBER(lower, REAL, NUMBER_MAX),
    MEMBER(upper, REAL, NUMBER_MAX),
    MEMBER(decision, TEXT, 0),
    MEMBER(direct, TEXT, 0),
    MEMBER(direct_games, U64, 0),
    MEMBER(direct_elo, REAL, NUMBER_MAX),
    MEMBER(direct_ci_low, REAL, NUMBER_MAX),
    MEMBER(direct_ci_high, REAL, NUMBER_MAX),
    MEMBER(direct_strength, TEXT, 0),
    MEMBER(direct_interval, TEXT, 0),
    OPTION_END,
};
enum { FIRST_RECORDED = 6 };

static const void *member_of(const Generation *g, const OptionRow *row) {
    return (const char *)g + row->offset;
}

static bool is_known(const Generation *g, const OptionRow *row) {
    if (row->type == OPTION_TEXT) return *(const char *const *)member_of(g, row) != NULL;
    return row->type != OPTION_REAL || isfinite(*(const double *)member_of(g, row));
}

void generation_clear(Generation *generation) {
    free(TAKE(generation->saved));
}

static void add_path(const LoopSpec *spec, int number, Text *path) {
    text_add(path, GENERATION_PATH, spec->dir, number, "result.txt");
}

// Fills the members of the generation from the lines `NAME=VALUE` of generation->saved.
static Status parse_saved(Generation *g, Err *err) {
    for (const OptionRow *row = saved_rows; row->name; row++) {
        if (row->type == OPTION_TEXT) *(const char **)((char *)g + row->offset) = NULL;
        if (row->type == OPTION_REAL) *(double *)((char *)g + row->offset) = NAN;
    }
    for (char *cursor = g->saved, *line; cursor && (line = text_next_field(&cursor, '\n'));) {
        char *value = strchr(line, '=');
        if (!value) continue;
        *value++ = '\0';
        for (const OptionRow *row = saved_rows; row->name; row++) {
            if (strcmp(row->name, line) == 0) TRY(option_read(row, row->name, value, g, err));
        }
    }
    return STATUS_OK;
}

Status generation_read(const LoopSpec *spec, int number, Generation *generation, Err *err) {
    AUTO(Text) path = {0};
    size_t length;
    *generation = (Generation){.number = number};
    add_path(spec, number, &path);
    if (access(path.data, F_OK) == 0) {
        TRY(text_read_file(path.data, &generation->saved, &length, err));
    }
    return parse_saved(generation, err) ? err_prefix(err, "%s", path.data) : STATUS_OK;
}

Status generation_save(const LoopSpec *spec, Generation *generation, Err *err) {
    AUTO(Text) path = {0}, text = {0};
    add_path(spec, generation->number, &path);
    for (const OptionRow *row = saved_rows; row->name; row++) {
        if (!is_known(generation, row)) continue;
        text_add(&text, "%s=", row->name);
        option_value_text(row, generation, &text);
        text_add(&text, "\n");
    }
    TRY(text_write_file(path.data, text.data, text.length, err));
    free(generation->saved);
    generation->saved = TAKE(text.data);
    return parse_saved(generation, err);
}

void generation_record(const Generation *generation, Record *record) {
    for (const OptionRow *row = saved_rows + FIRST_RECORDED; row->name; row++) {
        const void *member = member_of(generation, row);
        if (!is_known(generation, row)) {
            record_unknown(record, row->name);
        } else if (row->type == OPTION_U64) {
            record_add(record, "%s %lu", row->name, *(const uint64_t *)member);
        } else if (row->type == OPTION_REAL) {
            record_add(record, "%s %.6g", row->name, *(const double *)member);
        } else {
            record_add(record, "%s %s", row->name, *(const char *const *)member);
        }
    }
    record_add(record, "seconds %.0f promoted %s verdict %s", generation_seconds(generation),
               generation_promoted(generation) ? "yes" : "no", generation_verdict(generation));
}

static bool decided(const Generation *generation, SprtDecision decision) {
    return strcmp(generation->decision, sprt_decision_text(decision)) == 0;
}

bool generation_promoted(const Generation *generation) {
    return decided(generation, SPRT_ACCEPT_H1);
}

const char *generation_verdict(const Generation *generation) {
    if (generation_promoted(generation)) return "promoted";
    return decided(generation, SPRT_ACCEPT_H0) || generation->match_games == 0 ? "rejected"
                                                                               : "undecided";
}

void generation_add_verdict(const Generation *generation, Text *text) {
    const char *const word = generation_verdict(generation);
    text_add(text, "%s", word);
    if (strcmp(word, "undecided") == 0) {
        text_add(text, ": the SPRT needs more than %llu pairs (--pairs)",
                 (unsigned long long)generation->match_games / 2);
    }
}

double generation_seconds(const Generation *generation) {
    return generation->selfplay_seconds + generation->tune_seconds + generation->match_seconds;
}

Shown shown(double value, int decimals, bool sign) {
    Shown text = {"-"};
    if (isfinite(value)) {
        snprintf(text.text, sizeof text.text, sign ? "%+.*f" : "%.*f", decimals,
                 text_zero_unsigned(value, decimals));
    }
    return text;
}

void generation_add_strength(const Generation *generation, const char *what, Text *text) {
    const uint64_t games = generation->match_games;
    if (games == 0) {
        text_add(text, "no epoch of the fit was better than its start");
        return;
    }
    const bool one_sided = generation->wins == games || generation->losses == games;
    if (one_sided) {
        text_add(text, "%s every game%s", generation->wins ? "won" : "lost", what);
    } else {
        text_add(text, "%s Elo%s", shown(generation->elo_median, 0, true).text, what);
    }
    const size_t before = text->length;
    strength_bounds_add(text, generation->ci_low, generation->ci_high);
    if (one_sided && text->length > before) text_add(text, " Elo");
}

// ---- the log ------------------------------------------------------------------------------------

static void add_entry(const LoopSpec *spec, const Generation *g, Text *text) {
    const int first = g->number - spec->window + 1 > 1 ? g->number - spec->window + 1 : 1;
    text_add(text,
             "### G-%03d %s generation %d\n"
             "question   %s to the champion's games stronger than the champion?\n"
             "revision   %s\n"
             "command    %s\n           %s\n           %s\n"
             "data       gen-%03d/games: %llu games, %llu positions, content hash %s",
             g->number, g->date, g->number,
             spec->train ? "is a network that was fitted" : "are weights that were fitted",
             g->revision, g->selfplay, g->tune, g->match, g->number, (unsigned long long)g->games,
             (unsigned long long)g->positions, g->content_hash);
    if (first < g->number) {
        text_add(text, ";\n           fitted together with the games since gen-%03d", first);
    }
    text_add(text,
             "\nseeds      %llu (loop and split); the commands contain the seeds of the games "
             "and the match\n"
             "machine    %s\n"
             "result     validation loss %s -> %s, change %s +- %s\n",
             (unsigned long long)spec->seed, g->machine, shown(g->valid_loss_start, 6, false).text,
             shown(g->valid_loss, 6, false).text, shown(g->valid_loss_change, 6, true).text,
             shown(g->valid_loss_change_error95, 6, false).text);
    if (g->match_games == 0) {
        text_add(text, "           ");
        generation_add_strength(g, "", text);
        text_add(text, "\ndecision   rejected: the champion stays\n\n");
        return;
    }
    text_add(text,
             "           %llu games: %llu won, %llu drawn, %llu lost; pentanomial %s; "
             "LLR %.2f [%.2f, %.2f] for normalized Elo %g against %g;\n           ",
             (unsigned long long)g->match_games, (unsigned long long)g->wins,
             (unsigned long long)g->draws, (unsigned long long)g->losses, g->pentanomial, g->llr,
             g->lower, g->upper, spec->elo1, spec->elo0);
    generation_add_strength(g, "", text);
    text_add(text, " (95 %%)\ndecision   ");
    generation_add_verdict(g, text);
    text_add(text, "%s\n\n",
             generation_promoted(g)       ? ": this candidate plays the next generation"
             : decided(g, SPRT_ACCEPT_H0) ? ": the champion stays"
                                          : ", so the champion stays");
}

Status loop_write_log(const LoopSpec *spec, int count, Err *err) {
    AUTO(Text) table = {0}, entries = {0}, path = {0};
    text_add(&table,
             "# The loop's log\n\n"
             "There is one entry per generation, in the form of experiments.md.\n\n"
             "| entry | date | data | validation loss | candidate against champion | decision |"
             "\n"
             "|---|---|---|---|---|---|\n");
    for (int number = 1; number <= count; number++) {
        AUTO(Generation) g = {.number = number};
        TRY(generation_read(spec, number, &g, err));
        text_add(&table, "| G-%03d | %s | %llu games | %s -> %s | ", number, g.date,
                 (unsigned long long)g.games, shown(g.valid_loss_start, 5, false).text,
                 shown(g.valid_loss, 5, false).text);
        generation_add_strength(&g, "", &table);
        if (g.match_games) text_add(&table, " (%llu games)", (unsigned long long)g.match_games);
        text_add(&table, " | %s |\n", generation_verdict(&g));
        add_entry(spec, &g, &entries);
    }
    text_add(&table, "\n%s", text_get(&entries));
    text_add(&path, "%s/log.md", spec->dir);
    return text_write_file(path.data, table.data, table.length, err);
}
