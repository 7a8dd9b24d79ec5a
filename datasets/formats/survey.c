// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/survey.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "datasets/formats/position_lines.h"

// Beginning of the header in csv files that Paotai wrote before results became words. Their results
// are 1, 0 and -1.
static const char own_header[] = "fen,move,score_red,mate_red,result,game,";

// EPD, texel and bullet have one reader, which tells their lines apart by the form. It also reads
// the positions in a file of the format moves.
static FormatId family_of(FormatId format) {
    return format == FORMAT_TEXEL || format == FORMAT_BULLET || format == FORMAT_MOVES ? FORMAT_EPD
                                                                                       : format;
}

// Returns the header in a form that is equal for equal columns: in small letters, without quotes
// and blanks, with commas between the names. The caller frees it.
static char *header_key(FormatId format, const char *header) {
    AUTO(Text) key = {0};
    if (format == FORMAT_CSV) {
        AUTO_FREE char *copy = memory_copy_text(header);
        CsvColumns columns;
        csv_read_header(copy, &columns);
        AUTO_FREE char *rest = memory_copy_text(header);
        char *at = rest;
        for (char *name; (name = csv_next_field(&at, columns.separator, NULL));) {
            text_add(&key, "%s%s", key.length ? "," : "", name);
        }
    }
    for (size_t i = 0; i < key.length; i++) key.data[i] = (char)tolower((unsigned char)key.data[i]);
    return memory_copy_text(text_get(&key));
}

void survey_clear(Survey *survey) {
    for (size_t i = 0; i < survey->count; i++) {
        EntrySurvey *group = &survey->groups[i];
        for (size_t j = 0; j < group->field_count; j++) {
            for (int kind = 0; kind < RESULT_KIND_COUNT; kind++) {
                free(group->fields[j].results[kind].file);
            }
            free(group->fields[j].fractions.file);
        }
        free(group->bare.file);
        free(group->fields);
        free(group->header);
        free(group->file);
    }
    free(survey->groups);
    *survey = (Survey){0};
}

const EntrySurvey *survey_find(const Survey *survey, FormatId format, const char *header) {
    AUTO_FREE char *key = header_key(format, header);
    for (size_t i = 0; survey && i < survey->count; i++) {
        const EntrySurvey *group = &survey->groups[i];
        if (group->format == family_of(format) && strcmp(group->header, key) == 0) return group;
    }
    return NULL;
}

EntrySurvey *survey_open(Survey *survey, FormatId format, const char *header) {
    const EntrySurvey *found = survey_find(survey, format, header);
    if (found) return &survey->groups[found - survey->groups];
    survey->groups =
        memory_room(survey->groups, &survey->capacity, survey->count + 1, sizeof *survey->groups);
    EntrySurvey *group = &survey->groups[survey->count++];
    *group = (EntrySurvey){.format = family_of(format), .header = header_key(format, header)};
    group->bytes = game_format(format)->bytes;
    if (format == FORMAT_CSV) {
        AUTO_FREE char *copy = memory_copy_text(header);
        csv_read_header(copy, &group->columns);
    }
    return group;
}

static FieldSurvey *field_of(EntrySurvey *group, int column) {
    const size_t count = (size_t)column + 1, before = group->field_count;
    group->fields =
        memory_room(group->fields, &group->field_capacity, count, sizeof *group->fields);
    if (count > before) {
        memset(group->fields + before, 0, (count - before) * sizeof *group->fields);
        group->field_count = count;
    }
    return &group->fields[column];
}

// Counts a value. Keeps the place of the first one.
static void note_place(SurveyPlace *place, const char *text, const char *file, size_t line) {
    if (place->count++ > 0) return;
    notation_printable(text, strlen(text), place->text);
    place->file = memory_copy_text(file);
    place->line = line;
}

// Collects a score if nothing but --score-unit can state its unit.
static void take_score(EntrySurvey *group, int column, const char *text, const char *file,
                       size_t line) {
    if (group->format == FORMAT_CSV && group->columns.columns[column].unit) return;
    group->units++;
    if (!score_has_fraction(text)) return;
    note_place(&group->fields[column].fractions, text, file, line);
}

void survey_take_fen(EntrySurvey *group, bool side, const char *text, const char *file,
                     size_t line) {
    group->positions++;
    if (!side) note_place(&group->bare, text, file, line);
}

void survey_take(EntrySurvey *group, EntryField field, int column, bool open_view, const char *text,
                 const char *file, size_t line) {
    FieldSurvey *survey = field_of(group, column);
    int8_t result;
    const ResultKind kind = field == ENTRY_RESULT ? result_kind(text, &result) : RESULT_OPEN;
    const bool view = field == ENTRY_SCORE || field == ENTRY_MATE || kind == RESULT_SIDED ||
                      kind >= RESULT_MINUS_ONE;
    group->viewed += view && open_view;
    if (field == ENTRY_SCORE) take_score(group, column, text, file, line);
    if (field == ENTRY_RESULT) note_place(&survey->results[kind], text, file, line);
}

ResultScale survey_default_scale(FormatId format, int column, const char *header) {
    if (format == FORMAT_PLAIN || format == FORMAT_BIN) return SCALE_SIGN;
    if (format != FORMAT_CSV) return column == COLUMN_OPCODE ? SCALE_WORDS : SCALE_HALF;
    AUTO_FREE char *key = header_key(format, header);
    return strncmp(key, own_header, strlen(own_header)) == 0 ? SCALE_SIGN : SCALE_OPEN;
}

// ---- the decision ------------------------------------------------------------------------------

typedef struct Deciding {
    const EntrySurvey *group;
    const FieldSurvey *field;
    int column;
    const ReadSettings *settings;
    ResultScale scale; // scale that the format or the option defines, or SCALE_OPEN
} Deciding;

static const char *format_of(const Deciding *deciding) {
    if (deciding->group->format != FORMAT_EPD) return game_format(deciding->group->format)->name;
    return deciding->column == COLUMN_OPCODE ? "epd"
           : deciding->column == COLUMN_BARE ? "texel"
                                             : "bullet";
}

static void add_place(const EntrySurvey *group, const SurveyPlace *place, Text *text) {
    text_add(text, "%s, %s %zu", place->file, group->bytes ? "byte" : "line", place->line);
}

// Adds the files of a group: "3 files of the format csv with the columns fen,result (a.csv ...)".
static void add_files(const Deciding *deciding, Text *text) {
    const EntrySurvey *group = deciding->group;
    text_add(text, "%zu file%s of the format %s", group->files, group->files == 1 ? "" : "s",
             format_of(deciding));
    if (*group->header) text_add(text, " with the columns %.200s", group->header);
    text_add(text, " (%s%s)", group->file, group->files > 1 ? " ..." : "");
}

// Returns the first place, in a fixed order of kinds, of a value whose kind is in the set `kinds`
// (bit i: kind i). Returns NULL if there is none.
static const SurveyPlace *find_place(const FieldSurvey *field, unsigned kinds) {
    for (int kind = RESULT_KIND_COUNT - 1; kind >= 0; kind--) {
        if (kinds >> kind & 1 && field->results[kind].count) return &field->results[kind];
    }
    return NULL;
}

static Status refuse_mixture(const Deciding *deciding, const SurveyPlace *one,
                             const SurveyPlace *other, Err *err) {
    AUTO(Text) at = {0}, there = {0};
    const bool order =
        one->file != other->file && strcmp(one->file, other->file) == 0 && one->line > other->line;
    const SurveyPlace *first = order ? other : one, *second = order ? one : other;
    add_place(deciding->group, first, &there);
    add_place(deciding->group, second, &at);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: the result '%s' and the result '%s' of %s cannot belong to one scale: "
                   "correct them, or give --result-scale half|sign|points, which refuses only the "
                   "lines with other results",
                   at.data, second->text, first->text, there.data);
}

static Status refuse_defined(const Deciding *deciding, const SurveyPlace *place, Err *err) {
    AUTO(Text) at = {0};
    add_place(deciding->group, place, &at);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: the result '%s' is not one of the format %s, whose results are %s%s: "
                   "correct it, or give --result-scale half|sign|points if the results of the file "
                   "have another scale",
                   at.data, place->text, format_of(deciding),
                   deciding->scale == SCALE_WORDS ? "words such as 1-0"
                                                  : result_scale_numbers(deciding->scale),
                   *deciding->group->header ? " in files with these columns" : "");
}

static Status refuse_open_scale(const Deciding *deciding, Err *err) {
    AUTO(Text) files = {0};
    const FieldSurvey *field = deciding->field;
    const bool zeros = field->results[RESULT_ZERO].count, ones = field->results[RESULT_ONE].count;
    add_files(deciding, &files);
    return err_set(
        err, STATUS_BAD_INPUT,
        "the results in %s are only %s, which can mean different results: give "
        "--result-scale half (1 win, 0.5 draw, 0 loss), sign (1 win, 0 draw, -1 loss) or "
        "points (2 win, 1 draw, 0 loss)",
        files.data,
        zeros && ones ? "1 and 0"
        : ones        ? "1"
                      : "0");
}

static Status refuse_open_view(const Deciding *deciding, const SurveyPlace *place, Err *err) {
    AUTO(Text) at = {0}, files = {0};
    add_place(deciding->group, place, &at);
    add_files(deciding, &files);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: it is unclear whether the result '%s' is from Red's side or from the side "
                   "to move; this concerns %s: give --pov red or --pov stm%s",
                   at.data, place->text, files.data,
                   deciding->group->format == FORMAT_CSV
                       ? ", or add _red or _stm to the name of the column"
                       : "");
}

// Returns the set of kinds that a scale of numbers has.
static unsigned kinds_in(ResultScale scale) {
    unsigned kinds = scale == SCALE_HALF ? 1u << RESULT_FRACTION : 0;
    int8_t result;
    for (int kind = 0; kind < RESULT_KIND_COUNT; kind++) {
        if (result_in_scale((ResultKind)kind, scale, &result)) kinds |= 1u << kind;
    }
    return kinds;
}

enum {
    KINDS_NUMBERS = 1 << RESULT_FOREIGN | 1 << RESULT_MINUS_ONE | 1 << RESULT_ZERO |
                    1 << RESULT_HALF | 1 << RESULT_ONE | 1 << RESULT_TWO,
    KINDS_WORDS = 1 << RESULT_NAMED | 1 << RESULT_SIDED | 1 << RESULT_DRAWN,
};

// Refuses values that cannot occur together: numbers of different scales, or words from the point
// of view of one side beside other values. A word such as 1-0 may stand beside numbers.
static Status check_mixture(const Deciding *deciding, Err *err) {
    static const struct {
        unsigned kinds, others;
    } apart[] = {
        {1 << RESULT_SIDED, KINDS_NUMBERS | 1 << RESULT_NAMED},
        {1 << RESULT_HALF | 1 << RESULT_FRACTION, 1 << RESULT_MINUS_ONE | 1 << RESULT_TWO},
        {1 << RESULT_MINUS_ONE, 1 << RESULT_TWO},
        {1 << RESULT_FOREIGN, KINDS_NUMBERS & ~(1 << RESULT_FOREIGN)},
    };
    // In a scale that is known, a number of no scale concerns only its own line.
    const size_t count = sizeof apart / sizeof *apart - (deciding->scale != SCALE_OPEN);
    for (size_t i = 0; i < count; i++) {
        const SurveyPlace *one = find_place(deciding->field, apart[i].kinds),
                          *other = find_place(deciding->field, apart[i].others);
        if (one && other) return refuse_mixture(deciding, one, other, err);
    }
    return STATUS_OK;
}

static Status decide_scale(const Deciding *deciding, ResultScale *scale, Err *err) {
    const FieldSurvey *field = deciding->field;
    *scale = find_place(field, KINDS_NUMBERS) ? deciding->scale : SCALE_WORDS;
    if (*scale == SCALE_WORDS && deciding->scale != SCALE_WORDS)
        return check_mixture(deciding, err);
    if (deciding->settings->result_scale) return STATUS_OK;
    const unsigned scaled = (KINDS_NUMBERS & ~(1u << RESULT_FOREIGN)) |
                            (*scale == SCALE_WORDS ? 0 : 1u << RESULT_FRACTION);
    const SurveyPlace *other = find_place(field, scaled & ~kinds_in(*scale));
    if (*scale != SCALE_OPEN && other) return refuse_defined(deciding, other, err);
    TRY(check_mixture(deciding, err));
    if (*scale != SCALE_OPEN) return STATUS_OK;
    if (find_place(field, 1 << RESULT_HALF | 1 << RESULT_FRACTION)) {
        *scale = SCALE_HALF;
    } else if (field->results[RESULT_MINUS_ONE].count) {
        *scale = SCALE_SIGN;
    } else if (field->results[RESULT_TWO].count) {
        *scale = SCALE_POINTS;
    } else if (field->results[RESULT_ZERO].count || field->results[RESULT_ONE].count) {
        return refuse_open_scale(deciding, err);
    }
    return STATUS_OK;
}

// Returns true if the format or the name of a column states the point of view of its results.
static bool has_view(const Deciding *deciding) {
    const EntrySurvey *group = deciding->group;
    if (group->format == FORMAT_EPD) return false;
    return group->format != FORMAT_CSV || group->columns.columns[deciding->column].view != CSV_OPEN;
}

static Status check_unit(const Deciding *deciding, Err *err) {
    AUTO(Text) at = {0}, files = {0};
    const SurveyPlace *place = &deciding->field->fractions;
    if (deciding->settings->score_unit || place->count == 0) return STATUS_OK;
    add_place(deciding->group, place, &at);
    add_files(deciding, &files);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: the score '%s' has a fraction, so its unit is unclear; this concerns %zu "
                   "scores in %s: give --score-unit pawn, centipawn or fairy%s",
                   at.data, place->text, place->count, files.data,
                   deciding->group->format == FORMAT_CSV
                       ? ", or add _pawns or _cp to the name of the column"
                       : "");
}

// Refuses files in which no position has a side to move. If only some have none, each of these is
// refused in its line.
static Status check_side(const EntrySurvey *group, const ReadSettings *settings, Err *err) {
    AUTO(Text) at = {0}, files = {0};
    const Deciding deciding = {.group = group, .settings = settings};
    if (settings->side != FEN_SIDE_NEEDED || group->bare.count == 0 ||
        group->bare.count < group->positions) {
        return STATUS_OK;
    }
    add_place(group, &group->bare, &at);
    add_files(&deciding, &files);
    return err_set(err, STATUS_BAD_INPUT,
                   "%s: the FEN '%s' does not state the side to move, nor does any of the %zu "
                   "positions in %s: give --side red or --side black%s",
                   at.data, group->bare.text, group->bare.count, files.data,
                   group->format == FORMAT_CSV ? ", or a column 'stm' with w or b" : "");
}

static Status decide_field(const EntrySurvey *group, int column, FieldSurvey *field,
                           const ReadSettings *settings, Err *err) {
    const ResultScale defined = survey_default_scale(group->format, column, group->header);
    const Deciding deciding = {.group = group,
                               .field = field,
                               .column = column,
                               .settings = settings,
                               .scale = settings->result_scale ? (ResultScale)settings->result_scale
                                                               : defined};
    TRY(check_unit(&deciding, err));
    TRY(decide_scale(&deciding, &field->scale, err));
    unsigned sided = 1 << RESULT_SIDED;
    if (field->scale == SCALE_POINTS) sided |= KINDS_NUMBERS;
    const SurveyPlace *place = find_place(field, sided);
    const bool viewed = settings->pov != POV_AUTO || has_view(&deciding);
    return place && !viewed ? refuse_open_view(&deciding, place, err) : STATUS_OK;
}

Status survey_decide(Survey *survey, const ReadSettings *settings, Err *err) {
    size_t numbers = 0, files = 0, units = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < survey->count; i++) {
        EntrySurvey *group = &survey->groups[i];
        Err bare = {0};
        files += group->files;
        units += group->units;
        if (check_side(group, settings, &bare) != STATUS_OK) {
            if (status == STATUS_OK) *err = bare;
            status = STATUS_BAD_INPUT;
        }
        for (size_t j = 0; j < group->field_count; j++) {
            FieldSurvey *field = &group->fields[j];
            Err why = {0};
            numbers += find_place(field, KINDS_NUMBERS) != NULL;
            if (decide_field(group, (int)j, field, settings, &why) == STATUS_OK) continue;
            field->scale = SCALE_OPEN;
            if (status == STATUS_OK) *err = why;
            status = STATUS_BAD_INPUT;
        }
    }
    if (status == STATUS_OK && settings->score_unit && units == 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "--score-unit has no effect: no file of positions has scores whose unit "
                       "is open; omit it");
    }
    if (status != STATUS_OK || !settings->result_scale || numbers > 0) return status;
    return err_set(err, STATUS_BAD_INPUT, "--result-scale has no effect: %s; omit it",
                   files ? "the results in the files are not numbers"
                         : "it applies to files of positions, and there is none");
}

size_t survey_doubtful_units(const Survey *survey, const ReadSettings *settings) {
    size_t scores = 0;
    for (size_t i = 0; i < survey->count && !settings->score_unit; i++) {
        const EntrySurvey *group = &survey->groups[i];
        if (group->format == FORMAT_PLAIN || group->format == FORMAT_BIN) scores += group->units;
    }
    return scores;
}

void survey_scales_to_text(const Survey *survey, Text *text) {
    bool found[SCALE_COUNT] = {false};
    for (size_t i = 0; i < survey->count; i++) {
        const EntrySurvey *group = &survey->groups[i];
        for (size_t j = 0; j < group->field_count; j++) {
            const FieldSurvey *field = &group->fields[j];
            if (find_place(field, KINDS_NUMBERS)) found[field->scale] = true;
            if (find_place(field, KINDS_WORDS)) found[SCALE_WORDS] = true;
        }
    }
    for (int scale = SCALE_HALF; scale < SCALE_COUNT; scale++) {
        if (!found[scale]) continue;
        text_add(text, "%s%s", text->length ? "," : "", result_scale_name((ResultScale)scale));
    }
}
