// SPDX-License-Identifier: GPL-3.0-or-later
// The first pass over the files of an import. It collects which values occur in files of positions,
// so that each doubtful reading is decided once for all files of one format and header. The second
// pass reads the decisions. A survey needs the same memory for files of any size.
//
// How to add a question about another field: add members for what occurs to FieldSurvey (or to
// EntrySurvey), fill them in survey_take(), decide in survey_decide(), and read the decision in
// entries_begin_fields() of position_entry.c, which copies it to the EntryReader of each record.
#pragma once

#include "datasets/formats/formats.h"
#include "datasets/formats/position_entry.h"
#include "datasets/formats/result_word.h"

// The first place at which values of a kind occur.
typedef struct SurveyPlace {
    size_t count;              // number of such values in all files
    char *file;                // name of the file with the first such value; this struct owns it
    size_t line;               // number of the line; in binary files, the offset of the record
    char text[PRINTABLE_SIZE]; // the first such value, printable and shortened
} SurveyPlace;

// Values that occur in one column of a format. The formats without columns number their fields: see
// EntryColumn.
typedef struct FieldSurvey {
    SurveyPlace results[RESULT_KIND_COUNT];
    SurveyPlace fractions; // scores with a fraction, if nothing states their unit
    ResultScale scale;     // decision of survey_decide(): the scale of the column's numbers
} FieldSurvey;

// All files of one format and header. EPD, texel and bullet are one format here: their lines are
// told apart by their form.
typedef struct EntrySurvey {
    FormatId format;
    char *header; // csv: the names of the columns in small letters, separated by commas; else ""
    size_t files; // number of these files
    char *file;   // name of the first file
    size_t positions;   // number of FENs
    SurveyPlace bare;   // FENs without a side to move that no column states
    size_t units;       // number of scores whose unit depends on --score-unit
    size_t viewed;      // number of values whose meaning depends on --pov
    bool bytes;         // the files have no lines
    CsvColumns columns; // csv: the columns that the header names
    FieldSurvey *fields;
    size_t field_count, field_capacity;
} EntrySurvey;

typedef struct Survey {
    EntrySurvey *groups;
    size_t count, capacity;
} Survey;

void survey_clear(Survey *survey);
AUTO_VALUE(Survey, survey_clear)

// Returns the survey of all files of a format and header, or NULL if there is none. `header` is the
// line with the names of the columns, "" in formats without such a line.
const EntrySurvey *survey_find(const Survey *survey, FormatId format, const char *header);
// Like survey_find(), but adds the survey if it does not exist.
EntrySurvey *survey_open(Survey *survey, FormatId format, const char *header);
// Collects a value of a field in a column. `open_view` is set if neither the format nor the name of
// the column states its point of view.
void survey_take(EntrySurvey *group, EntryField field, int column, bool open_view, const char *text,
                 const char *file, size_t line);

// Collects a FEN. `side` is set if the FEN or a column states the side to move.
void survey_take_fen(EntrySurvey *group, bool side, const char *text, const char *file,
                     size_t line);

// Decides all questions from what was collected and from the settings. Returns STATUS_BAD_INPUT if
// one of them cannot be decided; *err then says why, how many files are concerned, and which option
// decides. What was not decided stays open, and a reader leaves such values unknown.
Status survey_decide(Survey *survey, const ReadSettings *settings, Err *err);

// Returns the scale of numbers in a column if no survey has decided it: that which the format
// defines, or SCALE_OPEN.
ResultScale survey_default_scale(FormatId format, int column, const char *header);

// Returns the number of scores in files of the formats plain and bin if --score-unit does not state
// their unit: files of Fairy-Stockfish have other units than ours.
size_t survey_doubtful_units(const Survey *survey, const ReadSettings *settings);

// Adds the names of the result scales that occur, such as "half" or "half,words".
void survey_scales_to_text(const Survey *survey, Text *text);

// Extracts all entries of the current file of `reader` and collects their values. Does nothing if
// the format has no positions. Ignores what cannot be read: the second pass reports it. Defined in
// position_lines.c.
void survey_file(struct SourceReader *reader, Survey *survey);
