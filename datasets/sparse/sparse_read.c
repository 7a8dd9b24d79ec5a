// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "datasets/sparse/sparse_parts.h"

enum {
    BLOCK_ROWS = 16384,
    BLOCK_ENTRIES = 1 << 22, // a block of rows ends with the row that brings the block's number of
                             // entries (coefficients) above this limit
    ROW_ENTRIES = 1 << 16,   // largest number of entries (coefficients) in a row
    MAX_TERMS = 1 << 20,
    NAMES_COMPARED = 8192, // names are compared with each other up to this number of terms
};

struct SparseReader {
    char *path;
    hid_t file;
    hid_t columns[SPARSE_COLUMN_COUNT]; // open data sets; -1: the file does not have the column
    size_t rows, entries;
    SparseTerms terms;
    SparseResult meaning;
    bool unknown_known; // the meaning of the result -1 is known
};

// ---- shapes -------------------------------------------------------------------------------------

// Returns true for a data set of integers or reals. HDF5 converts the two types into each other.
static bool is_numeric(hid_t data_set) {
    AUTO_H5 hid_t type = H5Dget_type(data_set);
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT;
}

// Opens a data set. If the data set does not exist, sets *data_set to -1. Returns an error if the
// data set is not safe to read (h5_fault()).
static Status open_if_there(hid_t file, const char *name, hid_t *data_set, Err *err) {
    *data_set = -1;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return STATUS_OK;
    *data_set = H5Dopen2(file, name, H5P_DEFAULT);
    if (*data_set < 0) return h5_fail(err, STATUS_CORRUPT, name);
    const char *fault = h5_fault(*data_set, true);
    if (!fault) return STATUS_OK;
    h5_close(*data_set);
    *data_set = -1;
    return err_set(err, STATUS_BAD_INPUT, "'%s': %s", name, fault);
}

// Opens a column and reads its length. Sets *data_set to -1 if the column is optional and the file
// does not have it.
static Status open_column(hid_t file, const SparseColumnRow *row, hid_t *data_set, size_t *count,
                          Err *err) {
    TRY(open_if_there(file, row->name, data_set, err));
    if (*data_set < 0 && !row->needed) return STATUS_OK;
    if (*data_set < 0) {
        return err_set(
            err, STATUS_BAD_INPUT,
            "the data set '%s' is missing (%s); datasets/sparse/README.md describes the file",
            row->name, row->description);
    }
    hsize_t extent[1];
    if (!h5_extent(*data_set, 1, extent) || !is_numeric(*data_set)) {
        return err_set(err, STATUS_BAD_INPUT, "'%s' is not a list of numbers", row->name);
    }
    *count = extent[0];
    return STATUS_OK;
}

static Status check_length(const SparseReader *reader, const SparseColumnRow *row, size_t count,
                           Err *err) {
    const size_t wanted = row->per == SPARSE_ENTRY  ? reader->entries
                          : row->per == SPARSE_EDGE ? reader->rows + 1
                                                    : reader->rows;
    if (count == wanted) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "'%s' has %zu numbers, but must have %zu: %s", row->name,
                   count, wanted,
                   row->per == SPARSE_ENTRY  ? "'index' and 'coefficient' must have equal lengths"
                   : row->per == SPARSE_EDGE ? "the number of rows plus one"
                                             : "one for each row");
}

static Status open_columns(SparseReader *reader, Err *err) {
    size_t counts[SPARSE_COLUMN_COUNT] = {0};
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        TRY(open_column(reader->file, &sparse_columns[i], &reader->columns[i], &counts[i], err));
        if (i == 0) reader->rows = counts[i] > 0 ? counts[i] - 1 : 0;
        if (sparse_columns[i].per == SPARSE_ENTRY && reader->entries == 0) {
            reader->entries = counts[i];
        }
    }
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        if (reader->columns[i] < 0) continue;
        TRY(check_length(reader, &sparse_columns[i], counts[i], err));
    }
    return STATUS_OK;
}

// ---- terms --------------------------------------------------------------------------------------

// Copies the name of term number i, a text of at most `size` bytes that need not end in a zero
// byte. Returns an error if the name is empty, too long, or not valid text.
static Status copy_name(SparseTerms *terms, size_t i, const char *name, size_t size, Err *err) {
    const size_t length = strnlen(name, size);
    char printable[SPARSE_NAME_SIZE];
    if (length < SPARSE_NAME_SIZE) memcpy(terms->names[i], name, length);
    memcpy(printable, terms->names[i], sizeof printable);
    text_make_printable(printable);
    if (!printable[0] || strcmp(printable, terms->names[i]) != 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "name %zu is not valid: it must have 1 to %d bytes of UTF-8 without control "
                       "characters",
                       i, SPARSE_NAME_SIZE - 1);
    }
    return STATUS_OK;
}

// Reads the names of the terms. They may be texts of fixed length or of variable length, as h5py
// writes them.
static Status read_names(hid_t file, SparseTerms *terms, Err *err) {
    enum { TEXT_MOST = 4096 }; // limit for texts of fixed length, bytes; valid names are shorter
    hsize_t extent[1];
    AUTO_H5 hid_t data_set = -1;
    TRY(open_if_there(file, "names", &data_set, err));
    if (data_set < 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the data set 'names' is missing: it must have the names of the terms, in "
                       "the order of 'index'");
    }
    AUTO_H5 hid_t type = H5Dget_type(data_set);
    const bool text = type >= 0 && H5Tget_class(type) == H5T_STRING;
    const bool variable = text && H5Tis_variable_str(type) > 0;
    const size_t size = text ? H5Tget_size(type) : 0;
    if (!text || !h5_extent(data_set, 1, extent) || extent[0] < 1 || extent[0] > MAX_TERMS ||
        size > TEXT_MOST) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'names' is not a list of 1 to %d texts of at most %d bytes", MAX_TERMS,
                       TEXT_MOST);
    }
    terms->terms = extent[0];
    terms->names = memory_alloc(extent[0], sizeof *terms->names);
    AUTO_FREE void *data = memory_alloc(extent[0], size);
    if (H5Dread(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        return h5_fail(err, STATUS_CORRUPT, "names");
    }
    Status status = STATUS_OK;
    for (size_t i = 0; i < terms->terms && status == STATUS_OK; i++) {
        const char *name = variable ? ((char *const *)data)[i] : (const char *)data + i * size;
        status = copy_name(terms, i, name ? name : "", variable ? SPARSE_NAME_SIZE : size, err);
    }
    if (variable) {
        AUTO_H5 hid_t space = H5Dget_space(data_set);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, data);
    }
    return status;
}

// Reads an array of numbers [terms][2]. Leaves *pairs NULL if the data set does not exist.
static Status read_pairs(hid_t file, const char *name, size_t terms, double (**pairs)[2],
                         Err *err) {
    AUTO_H5 hid_t data_set = -1;
    TRY(open_if_there(file, name, &data_set, err));
    if (data_set < 0) return STATUS_OK;
    hsize_t extent[2];
    if (!is_numeric(data_set) || !h5_extent(data_set, 2, extent) || extent[0] != terms ||
        extent[1] != 2) {
        return err_set(err, STATUS_BAD_INPUT,
                       "'%s' is not a table of %zu rows (one for each name) with a middlegame "
                       "and an endgame number",
                       name, terms);
    }
    *pairs = memory_alloc(terms, sizeof **pairs);
    if (H5Dread(data_set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *pairs) < 0) {
        return h5_fail(err, STATUS_CORRUPT, name);
    }
    for (size_t i = 0; i < terms; i++) {
        if (isfinite((*pairs)[i][0]) && isfinite((*pairs)[i][1])) continue;
        return err_set(err, STATUS_BAD_INPUT,
                       "'%s' of term %zu is %g %g, but both numbers must be finite", name, i,
                       (*pairs)[i][0], (*pairs)[i][1]);
    }
    return STATUS_OK;
}

// Reads what made the rows, and the unit of the column `value`.
static Status read_origin(hid_t file, SparseTerms *terms, Err *err) {
    AUTO_FREE char *unit = NULL;
    if (H5Aexists(file, "origin") > 0) TRY(h5_read_text(file, "origin", &terms->origin, err));
    if (H5Aexists(file, "value_unit") <= 0) return STATUS_OK;
    TRY(h5_read_text(file, "value_unit", &unit, err));
    return parse_real(unit, 1e-9, 1e9, &terms->value_unit, "the attribute value_unit", err);
}

// Returns an error if two terms have the same name, or if the tables of traced terms have values
// that do not fit together.
static Status check_names(const SparseTerms *terms, Err *err) {
    const double n = (double)terms->terms;
    for (size_t i = 0; i < terms->terms; i++) {
        for (int phase = 0; phase < 2; phase++) {
            const double of = terms->value_of ? terms->value_of[i][phase] : (double)i;
            const double unit = terms->unit ? terms->unit[i][phase] : 1;
            if (of >= -1 && of < n && of == floor(of) && unit > 0) continue;
            return err_set(err, STATUS_BAD_INPUT, "'value_of' or 'unit' of term %zu is %g %g", i,
                           of, unit);
        }
        for (size_t k = 0; k < i && i < NAMES_COMPARED; k++) {
            const bool same = terms->value_of && terms->value_of[i][1] == (double)k;
            if (same || strcmp(terms->names[i], terms->names[k]) != 0) continue;
            return err_set(err, STATUS_BAD_INPUT,
                           "'names' has '%s' twice, for the terms %zu and %zu", terms->names[i], k,
                           i);
        }
    }
    return STATUS_OK;
}

static Status read_terms(SparseReader *reader, Err *err) {
    SparseTerms *terms = &reader->terms;
    uint64_t phase_max = 1;
    TRY(read_names(reader->file, terms, err));
    if (H5Aexists(reader->file, "phase_max") > 0) {
        TRY(h5_read_u64(reader->file, "phase_max", &phase_max, err));
    }
    if (phase_max < 1 || phase_max > 1000000) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the attribute phase_max is %llu, but must be from 1 to 1000000",
                       (unsigned long long)phase_max);
    }
    terms->phase_max = (double)phase_max;
    terms->phased = reader->columns[SPARSE_AT_phase] >= 0;
    TRY(read_pairs(reader->file, "start", terms->terms, &terms->start, err));
    TRY(read_pairs(reader->file, "occurrences", terms->terms, &terms->occurrences, err));
    TRY(read_pairs(reader->file, "fixed", terms->terms, &terms->fixed, err));
    TRY(read_pairs(reader->file, "unit", terms->terms, &terms->unit, err));
    TRY(read_pairs(reader->file, "value_of", terms->terms, &terms->value_of, err));
    TRY(read_origin(reader->file, terms, err));
    return check_names(terms, err);
}

// ---- the file -----------------------------------------------------------------------------------

static Status check_head(hid_t file, const char *wanted, const char *what, Err *err) {
    AUTO_FREE char *format = NULL;
    uint64_t version = 0;
    if (H5Aexists(file, "format") <= 0 || h5_read_text(file, "format", &format, err) != STATUS_OK ||
        strcmp(format, wanted) != 0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "the attribute 'format' is %s%s%s, not '%s', so this is not a file of %s; "
                       "see datasets/sparse/README.md",
                       format ? "'" : "", format ? format : "missing, or not a text",
                       format ? "'" : "", wanted, what);
    }
    TRY(h5_read_u64(file, "schema_version", &version, err));
    if (version == SPARSE_SCHEMA_VERSION) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT,
                   "the file has schema_version %llu, but this program reads only %d",
                   (unsigned long long)version, SPARSE_SCHEMA_VERSION);
}

static Status open_file(const char *path, SparseReader *reader, Err *err) {
    TRY(h5_open_file(path, &reader->file, err));
    TRY(check_head(reader->file, H5_FORMAT_ROWS, "sparse rows", err));
    // The file says what -1 means, or an earlier version of this program wrote it.
    reader->unknown_known = H5Aexists(reader->file, "result_scale") > 0 ||
                            H5Lexists(reader->file, "occurrences", H5P_DEFAULT) > 0;
    TRY(open_columns(reader, err));
    return read_terms(reader, err);
}

Status sparse_reader_open(const char *path, SparseReader **reader, Err *err) {
    *reader = memory_alloc(1, sizeof **reader);
    (*reader)->path = memory_copy_text(path);
    (*reader)->file = -1;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) (*reader)->columns[i] = -1;
    h5_lock();
    const Status status = open_file(path, *reader, err);
    h5_unlock();
    if (status == STATUS_OK) return status;
    sparse_reader_close(*reader);
    *reader = NULL;
    return err_prefix(err, "%s", path);
}

void sparse_reader_close(SparseReader *reader) {
    if (!reader) return;
    h5_lock();
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) h5_close(reader->columns[i]);
    if (reader->file >= 0) H5Fclose(reader->file);
    h5_unlock();
    sparse_terms_clear(&reader->terms);
    free(reader->path);
    free(reader);
}

const SparseTerms *sparse_reader_terms(const SparseReader *reader) {
    return &reader->terms;
}

void sparse_reader_take_terms(SparseReader *reader, SparseTerms *terms) {
    *terms = MOVE(reader->terms);
}

bool sparse_reader_has_values(const SparseReader *reader) {
    return reader->columns[SPARSE_AT_value] >= 0;
}

size_t sparse_reader_rows(const SparseReader *reader) {
    return reader->rows;
}

// ---- weights ------------------------------------------------------------------------------------

static Status read_weights(hid_t file, SparseTerms *terms, double (**weights)[2], char **provenance,
                           Err *err) {
    uint64_t phased = 1;
    TRY(check_head(file, H5_FORMAT_WEIGHTS, "weights", err));
    if (H5Aexists(file, "phased") > 0) TRY(h5_read_u64(file, "phased", &phased, err));
    TRY(read_names(file, terms, err));
    TRY(read_pairs(file, "weights", terms->terms, weights, err));
    if (!*weights) return err_set(err, STATUS_BAD_INPUT, "the data set 'weights' is missing");
    for (size_t i = 0; i < terms->terms && !phased; i++) (*weights)[i][1] = (*weights)[i][0];
    if (H5Aexists(file, "provenance") <= 0) return STATUS_OK;
    return h5_read_text(file, "provenance", provenance, err);
}

Status sparse_read_weights(const char *path, SparseTerms *terms, double (**weights)[2],
                           char **provenance, Err *err) {
    hid_t file = -1;
    *terms = (SparseTerms){.terms = 0};
    *weights = NULL;
    *provenance = NULL;
    h5_lock();
    Status status = h5_open_file(path, &file, err);
    if (status == STATUS_OK) status = read_weights(file, terms, weights, provenance, err);
    if (file >= 0) H5Fclose(file);
    h5_unlock();
    return status == STATUS_OK ? status : err_prefix(err, "%s", path);
}

// ---- rows ---------------------------------------------------------------------------------------

static Status read_column(const SparseReader *reader, int i, size_t first, size_t count,
                          SparseColumn *column, Err *err) {
    const SparseColumnRow *row = &sparse_columns[i];
    sparse_column_reserve(column, count);
    column->count = count;
    for (size_t k = 0; k < count && reader->columns[i] < 0; k++) {
        if (row->number == SPARSE_INT) column->ints[k] = (int64_t)row->absent;
        if (row->number == SPARSE_REAL) column->reals[k] = row->absent;
    }
    if (count == 0 || reader->columns[i] < 0 ||
        h5_read_part(reader->columns[i], sparse_memory_type(i), first, count, column->numbers)) {
        return STATUS_OK;
    }
    return h5_fail(err, STATUS_CORRUPT, row->name);
}

// Reduces block->rows so that the block has at most about BLOCK_ENTRIES entries (coefficients).
// Sets *begin to the index of the block's first entry in the file. Subtracts *begin from the
// offsets in block->indptr, which then count from the first entry of the block.
static Status cut_block(const SparseReader *reader, size_t first, SparseBlock *block, size_t *begin,
                        Err *err) {
    int64_t *edges = block->indptr.ints;
    const int64_t first_entry = edges[0];
    if (first == 0 && first_entry != 0) {
        return err_set(err, STATUS_BAD_INPUT, "the first number in 'indptr' is %lld, but must be 0",
                       (long long)first_entry);
    }
    size_t rows = 0;
    while (rows < block->rows && (rows == 0 || edges[rows] - first_entry <= BLOCK_ENTRIES)) {
        const int64_t begins = edges[rows], ends = edges[rows + 1];
        // The difference is computed last, because that of unchecked numbers may overflow.
        if (begins < 0 || ends < begins || ends > (int64_t)reader->entries ||
            ends - begins > ROW_ENTRIES) {
            return err_set(
                err, STATUS_BAD_INPUT,
                "row %zu: 'indptr' goes from %lld to %lld, but there are %zu entries, and "
                "a row can have at most %d",
                first + rows, (long long)begins, (long long)ends, reader->entries, ROW_ENTRIES);
        }
        rows++;
    }
    for (size_t i = 0; i <= rows; i++) edges[i] -= first_entry;
    block->rows = rows;
    block->indptr.count = rows + 1;
    *begin = (size_t)first_entry;
    return STATUS_OK;
}

static Status check_entries(const SparseReader *reader, const SparseBlock *block, size_t row,
                            size_t number, Err *err) {
    int64_t before = -1;
    for (int64_t k = block->indptr.ints[row]; k < block->indptr.ints[row + 1]; k++) {
        const int64_t index = block->index.ints[k];
        const double coefficient = block->coefficient.reals[k];
        if (index < 0 || index >= (int64_t)reader->terms.terms) {
            return err_set(err, STATUS_BAD_INPUT,
                           "row %zu: index %lld is out of range, because there are %zu names",
                           number, (long long)index, reader->terms.terms);
        }
        if (index <= before) {
            return err_set(err, STATUS_BAD_INPUT,
                           "row %zu: index %lld follows %lld, but indices must ascend", number,
                           (long long)index, (long long)before);
        }
        if (!isfinite((float)coefficient)) {
            return err_set(err, STATUS_BAD_INPUT,
                           "row %zu: the coefficient of '%s' is %g, which is not a finite number",
                           number, reader->terms.names[index], coefficient);
        }
        before = index;
    }
    return STATUS_OK;
}

// Checks a number in the column `game` or `split`. HDF5 converts numbers of 2^63 or more to the
// largest int64_t, so different games would get the same number.
static Status check_number(const char *name, int64_t value, size_t number, Err *err) {
    if (value >= 0 && value < INT64_MAX) return STATUS_OK;
    return err_set(err, STATUS_BAD_INPUT, "row %zu: '%s' is %s, but must be from 0 to 2^63 - 2",
                   number, name, value < 0 ? "negative" : "2^63 - 1 or more");
}

static Status check_row(const SparseReader *reader, const SparseBlock *block, size_t row,
                        size_t number, Err *err) {
    const double phase = block->phase.reals[row], offset = block->offset.reals[row];
    const double result = block->result.reals[row];
    const int64_t score = block->score.ints[row];
    // An engine may print any phase; other programs that write such files should keep its range.
    const bool any = reader->terms.origin && isfinite((float)phase);
    if (!any && !(phase >= 0 && phase <= reader->terms.phase_max)) {
        return err_set(err, STATUS_BAD_INPUT, "row %zu: the phase is %g, but must be from 0 to %g",
                       number, phase, reader->terms.phase_max);
    }
    if (!isfinite((float)offset)) {
        return err_set(err, STATUS_BAD_INPUT,
                       "row %zu: the offset is %g, which is not a finite number", number, offset);
    }
    if (result == -1.0 && !reader->unknown_known) {
        return err_set(err, STATUS_BAD_INPUT,
                       "row %zu: the result is -1, which may mean unknown or a loss of the first "
                       "side: --result-scale points says that -1 is unknown, --result-scale sign "
                       "that results are -1, 0 and 1",
                       number);
    }
    if (!(result >= 0.0 && result <= 1.0) && result != -1.0) {
        return err_set(err, STATUS_BAD_INPUT,
                       "row %zu: the result is %g, but must be from 0 to 1 (points of the first "
                       "side) or -1 (unknown)",
                       number, result);
    }
    if (score < INT16_MIN || score > INT16_MAX) {
        return err_set(err, STATUS_BAD_INPUT,
                       "row %zu: the score is %lld, but must be from -32768 to 32767", number,
                       (long long)score);
    }
    TRY(check_number("game", block->game.ints[row], number, err));
    TRY(check_number("split", block->split.ints[row], number, err));
    return check_entries(reader, block, row, number, err);
}

static Status read_block(const SparseReader *reader, size_t first, SparseBlock *block, Err *err) {
    size_t begin = 0;
    TRY(read_column(reader, SPARSE_AT_indptr, first, block->rows + 1, &block->indptr, err));
    TRY(cut_block(reader, first, block, &begin, err));
    for (int i = 1; i < SPARSE_COLUMN_COUNT; i++) {
        const bool entries = sparse_columns[i].per == SPARSE_ENTRY;
        const size_t count = entries ? (size_t)block->indptr.ints[block->rows] : block->rows;
        TRY(read_column(reader, i, entries ? begin : first, count, sparse_column(block, i), err));
    }
    return STATUS_OK;
}

void sparse_reader_set_results(SparseReader *reader, SparseResult meaning, bool given) {
    reader->meaning = meaning;
    if (given) reader->unknown_known = true;
}

// Converts a result to points.
static Status convert_result(const SparseReader *reader, size_t number, double *result, Err *err) {
    if (reader->meaning == SPARSE_POINTS) return STATUS_OK;
    const double points = reader->meaning == SPARSE_SIGN ? 0.5 * (*result + 1) : 0.5 * *result;
    if (!(points >= 0 && points <= 1)) {
        return err_set(err, STATUS_BAD_INPUT, "row %zu: the result is %g, but must be from %s",
                       number, *result, reader->meaning == SPARSE_SIGN ? "-1 to 1" : "0 to 2");
    }
    *result = points;
    return STATUS_OK;
}

Status sparse_reader_next(SparseReader *reader, size_t first, SparseBlock *block, Err *err) {
    sparse_block_reset(block);
    const size_t left = reader->rows - first;
    block->rows = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    h5_lock();
    Status status = read_block(reader, first, block, err);
    h5_unlock();
    for (size_t i = 0; i < block->rows && status == STATUS_OK; i++) {
        status = convert_result(reader, first + i, &block->result.reals[i], err);
        if (status == STATUS_OK) status = check_row(reader, block, i, first + i, err);
    }
    if (status != STATUS_OK) return err_prefix(err, "%s", reader->path);
    // If the file has no phases, only the middlegame weights are used.
    for (size_t i = 0; i < block->rows && reader->columns[SPARSE_AT_phase] < 0; i++) {
        block->phase.reals[i] = reader->terms.phase_max;
    }
    // If the file has no game numbers, each row is a game of its own.
    for (size_t i = 0; i < block->rows && reader->columns[SPARSE_AT_game] < 0; i++) {
        block->game.ints[i] = (int64_t)(first + i);
    }
    // If the file has no column `split`, the column `game` is used instead.
    for (size_t i = 0; i < block->rows && reader->columns[SPARSE_AT_split] < 0; i++) {
        block->split.ints[i] = block->game.ints[i];
    }
    return STATUS_OK;
}
