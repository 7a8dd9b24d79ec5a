// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that an import reads the results of files of positions as they were written. Random files
// of each scale, in each format and dress, are read with the functions of the import. A file that
// has all three results is never refused. A file without one of them is refused or read correctly.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "datasets/exchange/import.h"
#include "datasets/formats/position_lines.h"
#include "tests/test.h"

enum { FILES = 1000, ROWS_MOST = 12 };

// Kinds of values in a file.
typedef enum Scheme { HALF, SIGN, POINTS, NAMES, SIDED, SCHEME_COUNT } Scheme;

typedef struct TestFile {
    Scheme scheme;
    FormatId format;
    bool stm;     // the results are from the view of the side to move
    bool headed;  // csv: with a header
    bool tells;   // csv: the header states the view
    bool defined; // the format defines the scale
    char separator;
    PointOfView pov; // --pov that the import gets
    int rows;
    int missing;   // result that no row has, as the file states it; 2: all three occur
    int counts[3]; // rows with a loss, a draw and a win of Red
    bool carriage; // lines end with CR LF
    Text text;
} TestFile;

static const char *const boards[] = {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
                                     "4k4/9/9/9/9/9/9/4C4/4R4/3K5"};

static const char *pick(Random *random, const char *const *list, uint64_t count) {
    return list[random_below(random, count)];
}
#define PICK(random, ...)                                                                          \
    pick(random, (const char *const[]){__VA_ARGS__},                                               \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// Returns a text of the number of half points, from -2 to 4.
static const char *number_text(Random *random, int halves) {
    switch (halves) {
    case -2:
        return PICK(random, "-1", "-1.0", "-1.000", "-1e0");
    case 0:
        return PICK(random, "0", "0.0", "+0", "0.00", "-0", "-0.0");
    case 1:
        return PICK(random, "0.5", ".5", "0.50", "+0.5", "1/2", "5e-1");
    case 2:
        return PICK(random, "1", "1.0", "+1", "1.00", "1.");
    default:
        return PICK(random, "2", "2.0", "+2", "2.000");
    }
}

// Returns the text of a result from the view that the file has.
static const char *result_text(Random *random, const TestFile *file, int result) {
    if (file->scheme == HALF) return number_text(random, 1 + result);
    if (file->scheme == SIGN) return number_text(random, 2 * result);
    if (file->scheme == POINTS) return number_text(random, 2 + 2 * result);
    if (file->scheme == SIDED) {
        return result > 0   ? PICK(random, "W", "w", "win", "Win", "WIN")
               : result < 0 ? PICK(random, "L", "l", "loss", "Loss", "LOSS")
                            : PICK(random, "D", "d", "draw", "Draw", "1/2");
    }
    return result > 0   ? PICK(random, "1-0", "1:0", "red", "Red", "WHITE", "红胜")
           : result < 0 ? PICK(random, "0-1", "0:1", "black", "Black", "BLACK")
                        : PICK(random, "1/2-1/2", "0.5-0.5", "draw", "DRAW", "1/2", "和棋");
}

// Chooses a format that can have the scheme, and its dress.
static void choose(Random *random, TestFile *file) {
    static const FormatId half[] = {FORMAT_CSV, FORMAT_TEXEL, FORMAT_BULLET},
                          sign[] = {FORMAT_CSV, FORMAT_PLAIN},
                          names[] = {FORMAT_CSV, FORMAT_EPD, FORMAT_TEXEL, FORMAT_BULLET},
                          sided[] = {FORMAT_CSV, FORMAT_BULLET};
    static const char separators[] = ",;\t|";
    file->format = file->scheme == HALF     ? half[random_below(random, 3)]
                   : file->scheme == SIGN   ? sign[random_below(random, 2)]
                   : file->scheme == POINTS ? FORMAT_CSV
                   : file->scheme == NAMES  ? names[random_below(random, 4)]
                                            : sided[random_below(random, 2)];
    file->defined = file->format != FORMAT_CSV;
    file->headed = file->format == FORMAT_CSV && random_below(random, 4) > 0;
    file->separator = separators[random_below(random, file->headed ? 4 : 3)];
    file->carriage = random_below(random, 3) == 0;
    file->stm = file->format == FORMAT_PLAIN || random_below(random, 2);
    const bool viewed = file->scheme == POINTS || file->scheme == SIDED || file->stm;
    file->tells = file->headed && random_below(random, 2);
    if (file->format != FORMAT_PLAIN && file->format != FORMAT_EPD && file->scheme != NAMES &&
        !file->tells && (viewed || random_below(random, 2))) {
        file->pov = file->stm ? POV_STM : POV_RED;
    }
}

static void add_value(Random *random, const TestFile *file, const char *value) {
    Text *text = (Text *)&file->text;
    const bool quoted = random_below(random, 3) == 0;
    const char *blank = file->separator == '\t' || random_below(random, 2) ? "" : " ";
    text_add(text, "%s%s%s%s%s", blank, quoted ? "\"" : "", value, quoted ? "\"" : "", blank);
}

static void add_end(TestFile *file) {
    text_add(&file->text, "%s\n", file->carriage ? "\r" : "");
}

static void add_csv_row(Random *random, TestFile *file, const char *fen, const char *result,
                        bool score_last) {
    char score[16];
    snprintf(score, sizeof score, "%d", (int)random_below(random, 2001) - 1000);
    add_value(random, file, fen);
    text_add_bytes(&file->text, &file->separator, 1);
    add_value(random, file, score_last ? result : score);
    text_add_bytes(&file->text, &file->separator, 1);
    add_value(random, file, score_last ? score : result);
    add_end(file);
}

static void add_header(Random *random, TestFile *file, bool score_last) {
    char result[32], score[32];
    if (random_below(random, 3) == 0) text_add(&file->text, "\xef\xbb\xbf");
    if (!file->headed) return;
    snprintf(result, sizeof result, "%s%s", PICK(random, "result", "Result", "wdl", "OUTCOME"),
             !file->tells ? ""
             : file->stm  ? "_stm"
                          : PICK(random, "_red", "_white"));
    snprintf(score, sizeof score, "%s%s", PICK(random, "score", "cp", "Eval"),
             file->tells ? file->stm ? "_stm" : "_red" : "");
    add_value(random, file, PICK(random, "fen", "FEN", "Fen"));
    text_add_bytes(&file->text, &file->separator, 1);
    add_value(random, file, score_last ? result : score);
    text_add_bytes(&file->text, &file->separator, 1);
    add_value(random, file, score_last ? score : result);
    add_end(file);
}

static void add_row(Random *random, TestFile *file, int red, bool score_last) {
    const bool black = random_below(random, 2);
    char fen[FEN_SIZE];
    snprintf(fen, sizeof fen, "%s %c%s", boards[random_below(random, 2)], black ? 'b' : 'w',
             PICK(random, " - - 0 1", " - - 7 30", ""));
    const int view = file->stm && black && file->scheme != NAMES ? -red : red;
    const char *result = result_text(random, file, view);
    file->counts[red + 1]++;
    if (file->format == FORMAT_CSV) {
        add_csv_row(random, file, fen, result, score_last);
        return;
    }
    if (file->format == FORMAT_PLAIN) {
        text_add(&file->text, "fen %s\nscore 10\nply 3\nresult %s\ne", fen, result);
    } else if (file->format == FORMAT_EPD) {
        text_add(&file->text, "%s c9 \"%s\"; id \"x\";", fen, result);
    } else if (file->format == FORMAT_TEXEL) {
        text_add(&file->text, random_below(random, 2) ? "%s [%s]" : "%s \"%s\"", fen, result);
    } else {
        text_add(&file->text, "%s | 35 | %s", fen, result);
    }
    add_end(file);
}

// Writes rows with random results, so that all results occur except `missing`, which is from the
// view of the file.
static void fill(Random *random, TestFile *file) {
    const bool score_last = file->headed && random_below(random, 2);
    add_header(random, file, score_last);
    file->rows = 6 + (int)random_below(random, ROWS_MOST - 5);
    for (int i = 0; i < file->rows; i++) {
        int result = i < 3 ? i - 1 : (int)random_below(random, 3) - 1;
        if (result == file->missing) result = result == 1 ? 0 : result + 1;
        // The side to move is random: write the row again until it has this result from the view
        // of the file.
        const size_t before = file->text.length;
        int counts[3];
        memcpy(counts, file->counts, sizeof counts);
        for (;;) {
            const int red = random_below(random, 2) ? result : -result;
            add_row(random, file, red, score_last);
            const bool black = strstr(file->text.data + before, " b") != NULL;
            const int view = file->stm && black && file->scheme != NAMES ? -red : red;
            if (view == result) break;
            file->text.length = before;
            file->text.data[before] = '\0';
            memcpy(file->counts, counts, sizeof counts);
        }
    }
}

// Reads the file as an import does. Returns the status of the survey.
static Status read_back(const char *path, const TestFile *file, int got[3], int *refused,
                        Err *err) {
    AUTO(PathList) paths = {0};
    AUTO(ImportCopies) copies = {0};
    AUTO(Survey) survey = {0};
    AUTO(SourceGame) source;
    SourceReader reader;
    SourceText text;
    ImportSpec spec = {.read = {.system = MOVES_DETECTED, .fill_moves = true, .pov = file->pov},
                       .rules = rules_default(RULES_AXF)};
    source_game_init(&source);
    path_list_add(&paths, path);
    TRY(import_copy_inputs(&paths, NULL, &copies, err));
    TRY(import_survey(&paths, &copies, NULL, &spec.read, &survey, err));
    spec.read.survey = &survey;
    TRY(source_reader_open(&reader, path, NULL, &spec.read, err));
    while (source_reader_next(&reader, &text, err)) {
        const bool kept = !text.broken && import_read(&spec, &text, &source, err) == IMPORT_KEPT;
        if (kept) got[source.record.result + 1]++;
        *refused += !kept;
        free(text.data);
    }
    source_reader_close(&reader);
    return STATUS_OK;
}

static void check_file(TestContext *t, Random *random, Scheme scheme, int missing, int number) {
    TestFile file = {.scheme = scheme, .missing = missing};
    char path[256];
    int got[3] = {0}, refused = 0;
    Err err = {0};
    choose(random, &file);
    fill(random, &file);
    snprintf(path, sizeof path, "%s/results%s", t->scratch,
             file.format == FORMAT_CSV ? ".csv" : ".txt");
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(file.text.data, 1, file.text.length, out) == file.text.length);
    CHECK(out && fclose(out) == 0);
    const Status status = read_back(path, &file, got, &refused, &err);
    const int proof = scheme == HALF ? 0 : scheme == SIGN ? -1 : 1;
    const bool open = !file.defined && scheme <= POINTS && missing == proof;
    CHECK_MSG((status == STATUS_OK) == !open, "file %d of scheme %d: %s\n%s", number, (int)scheme,
              status == STATUS_OK ? "not refused" : err.text, file.text.data);
    if (status == STATUS_OK) {
        CHECK_MSG(memcmp(got, file.counts, sizeof got) == 0 && refused == 0,
                  "file %d of scheme %d: %d %d %d, not %d %d %d; %d refused (%s)\n%s", number,
                  (int)scheme, got[0], got[1], got[2], file.counts[0], file.counts[1],
                  file.counts[2], refused, err.text, file.text.data);
    }
    text_clear(&file.text);
}

static void check_scheme(TestContext *t, Scheme scheme) {
    Random random;
    random_init(&random, 62, scheme);
    for (int i = 0; i < FILES && t->failures < 5; i++) check_file(t, &random, scheme, 2, i);
    for (int i = 0; i < FILES && t->failures < 5; i++) {
        check_file(t, &random, scheme, (int)random_below(&random, 3) - 1, i);
    }
}

void test_results_half(TestContext *t) {
    check_scheme(t, HALF);
}

void test_results_sign(TestContext *t) {
    check_scheme(t, SIGN);
}

void test_results_points(TestContext *t) {
    check_scheme(t, POINTS);
}

void test_results_names(TestContext *t) {
    check_scheme(t, NAMES);
}

void test_results_sided(TestContext *t) {
    check_scheme(t, SIDED);
}
