// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "core/base/memory.h"
#include "core/system/out_file.h"
#include "datasets/sparse/sparse_parts.h"

const SparseColumnRow sparse_columns[SPARSE_COLUMN_COUNT] = {
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description)                   \
    {#name,                                                                                        \
     SPARSE_##number,                                                                              \
     SPARSE_##per,                                                                                 \
     needed,                                                                                       \
     absent,                                                                                       \
     description,                                                                                  \
     offsetof(SparseBlock, name)},
#include "datasets/sparse/sparse.def"
};

_Static_assert(sizeof(int64_t) == sizeof(double),
               "the members of the union SparseColumn must have one size");

void sparse_column_reserve(SparseColumn *column, size_t count) {
    column->numbers = memory_room(column->numbers, &column->capacity, count, sizeof(double));
}

void sparse_add_int(SparseColumn *column, int64_t value) {
    sparse_column_reserve(column, column->count + 1);
    column->ints[column->count++] = value;
}

void sparse_add_real(SparseColumn *column, double value) {
    sparse_column_reserve(column, column->count + 1);
    column->reals[column->count++] = value;
}

void sparse_block_reset(SparseBlock *block) {
    block->rows = 0;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) sparse_column(block, i)->count = 0;
}

void sparse_block_clear(SparseBlock *block) {
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) free(sparse_column(block, i)->numbers);
    *block = (SparseBlock){0};
}

void sparse_terms_clear(SparseTerms *terms) {
    free(terms->names);
    free(terms->start);
    free(terms->occurrences);
    free(terms->fixed);
    free(terms->unit);
    free(terms->value_of);
    free(terms->origin);
    *terms = (SparseTerms){0};
}

// CHUNK is the number of values per HDF5 chunk, as in shards. DEFLATE is the compression level,
// lower than in shards.
enum { CHUNK = 32768, DEFLATE = 1, TABLES_MAX = 5 };

struct SparseWriter {
    OutFile out; // the output file; HDF5 writes it under its temporary name
    hid_t file;
    hid_t columns[SPARSE_COLUMN_COUNT];   // open data sets; -1: not open
    uint64_t counts[SPARSE_COLUMN_COUNT]; // number of values written to each column
};

// ---- data sets ----------------------------------------------------------------------------------

static Status append(SparseWriter *writer, int i, const SparseColumn *column, Err *err) {
    const hsize_t extent[1] = {writer->counts[i] + column->count};
    if (column->count == 0) return STATUS_OK;
    const bool good = H5Dset_extent(writer->columns[i], extent) >= 0 &&
                      h5_write_part(writer->columns[i], sparse_memory_type(i), writer->counts[i],
                                    column->count, column->numbers);
    writer->counts[i] = extent[0];
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, sparse_columns[i].name);
}

static Status write_all(hid_t file, const char *name, hid_t type, const DataShape *shape,
                        const void *values, const char *description, Err *err) {
    const hid_t data_set = h5_create(file, name, type, shape);
    bool good =
        data_set >= 0 && H5Dwrite(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
        (!description || h5_write_text(data_set, "description", description, err) == STATUS_OK);
    if (data_set >= 0 && H5Dclose(data_set) < 0) good = false;
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, name);
}

// An array of numbers [terms][2] to write as a data set. Nothing is written if `values` is NULL.
typedef struct PairTable {
    const char *name;
    const double *values;
    const char *description;
} PairTable;

// Writes the names of the terms, the provenance, and the tables that have values.
static Status write_terms(hid_t file, const SparseTerms *terms, const char *provenance,
                          const PairTable tables[TABLES_MAX], Err *err) {
    const DataShape list = {.rank = 1, .extent = {terms->terms}};
    const DataShape pairs = {.rank = 2, .extent = {terms->terms, 2}};
    AUTO_H5 hid_t type = h5_text_type(SPARSE_NAME_SIZE);
    TRY(h5_write_text(file, "provenance", provenance, err));
    TRY(write_all(file, "names", type, &list, terms->names, NULL, err));
    for (int i = 0; i < TABLES_MAX; i++) {
        if (!tables[i].values) continue;
        TRY(write_all(file, tables[i].name, H5T_IEEE_F64LE, &pairs, tables[i].values,
                      tables[i].description, err));
    }
    return STATUS_OK;
}

// ---- the file -----------------------------------------------------------------------------------

static Status create_file(const char *path, const char *format, SparseWriter **opened, Err *err) {
    SparseWriter *writer = *opened = memory_alloc(1, sizeof *writer);
    writer->file = -1;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) writer->columns[i] = -1;
    TRY(out_file_must_be_regular(path, err));
    TRY(out_file_open(&writer->out, path, err));
    AUTO_H5 hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // The temporary file is already locked (out_file_open()), so HDF5 must not lock it again.
    if (access < 0 || H5Pset_file_locking(access, false, true) < 0)
        return h5_fail(err, STATUS_IO, path);
    writer->file = H5Fcreate(text_get(&writer->out.temporary), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (writer->file < 0) {
        h5_fail(err, STATUS_IO, "cannot create the file");
        return err_prefix(err, "%s", path);
    }
    TRY(h5_write_text(writer->file, "format", format, err));
    return h5_write_u64(writer->file, "schema_version", SPARSE_SCHEMA_VERSION, err);
}

static Status create_columns(SparseWriter *writer, Err *err) {
    const hid_t types[] = {
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) file_type,
#include "datasets/sparse/sparse.def"
    };
    const DataShape shape = {.rank = 1, .grows = true, .chunk_rows = CHUNK, .level = DEFLATE};
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        const SparseColumnRow *row = &sparse_columns[i];
        writer->columns[i] = h5_create(writer->file, row->name, types[i], &shape);
        if (writer->columns[i] < 0) return h5_fail(err, STATUS_IO, row->name);
        TRY(h5_write_text(writer->columns[i], "description", row->description, err));
    }
    int64_t zero[1] = {0};
    const SparseColumn begin = {.ints = zero, .count = 1};
    return append(writer, SPARSE_AT_indptr, &begin, err);
}

// Closes the file. If `status` is STATUS_OK, gives the file its final name, otherwise deletes it.
// Frees the writer. The caller must have called h5_lock(); this function calls h5_unlock().
static Status end_file(SparseWriter *writer, Status status, Err *err) {
    bool good = true;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        if (writer->columns[i] >= 0) good = H5Dclose(writer->columns[i]) >= 0 && good;
    }
    if (writer->file >= 0) good = H5Fclose(writer->file) >= 0 && good;
    if (!good && status == STATUS_OK) status = h5_fail(err, STATUS_IO, writer->out.path);
    h5_unlock();
    if (writer->out.stream) status = out_file_close(&writer->out, status, err);
    free(writer);
    return status;
}

Status sparse_writer_open(const char *path, SparseWriter **writer, Err *err) {
    h5_lock();
    Status status = create_file(path, H5_FORMAT_ROWS, writer, err);
    if (status == STATUS_OK) {
        status = h5_write_text((*writer)->file, "result_scale", "points", err);
    }
    if (status == STATUS_OK) status = create_columns(*writer, err);
    if (status == STATUS_OK) {
        h5_unlock();
        return status;
    }
    status = end_file(*writer, status, err);
    *writer = NULL;
    return status;
}

Status sparse_writer_add(SparseWriter *writer, const SparseBlock *block, Err *err) {
    SparseBlock columns = BORROW(*block); // sparse_column() needs a block that is not const
    SparseColumn indptr = {.count = 0};   // offsets from the first entry of the file, not the block
    Status status = STATUS_OK;
    const int64_t before = (int64_t)writer->counts[SPARSE_AT_index];
    for (size_t i = 1; i <= block->rows; i++) {
        sparse_add_int(&indptr, before + block->indptr.ints[i]);
    }
    h5_lock();
    for (int i = 0; i < SPARSE_COLUMN_COUNT && status == STATUS_OK; i++) {
        status =
            append(writer, i, i == SPARSE_AT_indptr ? &indptr : sparse_column(&columns, i), err);
    }
    h5_unlock();
    free(indptr.numbers);
    return status == STATUS_OK ? status : err_prefix(err, "%s", writer->out.path);
}

// Removes optional columns that have no values. A file without rows keeps all columns.
static Status leave_out_empty(SparseWriter *writer, Err *err) {
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        const SparseColumnRow *row = &sparse_columns[i];
        if (row->needed || writer->counts[i] || !writer->counts[SPARSE_AT_result]) continue;
        if (H5Ldelete(writer->file, row->name, H5P_DEFAULT) < 0) {
            return h5_fail(err, STATUS_IO, row->name);
        }
    }
    return STATUS_OK;
}

Status sparse_writer_finish(SparseWriter *writer, const SparseTerms *terms, const char *provenance,
                            Err *err) {
    const PairTable tables[TABLES_MAX] = {
        {"start", terms->start ? terms->start[0] : NULL,
         "middlegame and endgame weight at the start of a fit, in units"},
        {"occurrences", terms->occurrences ? terms->occurrences[0] : NULL,
         "[term, 0]: how often the term occurs in all rows, for both sides together; [term, 1]: "
         "the sum of these occurrences, each multiplied by the phase of its row"},
        {"fixed", terms->fixed ? terms->fixed[0] : NULL, "1: the weight is not fitted"},
        {"unit", terms->unit ? terms->unit[0] : NULL, "smallest step of the weight"},
        {"value_of", terms->value_of ? terms->value_of[0] : NULL,
         "number of the term whose middlegame or endgame value the weight is; -1: the weight is "
         "not used"},
    };
    h5_lock();
    Status status = h5_write_u64(writer->file, "phase_max", (uint64_t)terms->phase_max, err);
    if (status == STATUS_OK && terms->origin) {
        AUTO(Text) unit = {0};
        text_add(&unit, "%.9g", terms->value_unit > 0 ? terms->value_unit : 1);
        status = h5_write_text(writer->file, "origin", terms->origin, err);
        if (status == STATUS_OK) status = h5_write_text(writer->file, "value_unit", unit.data, err);
    }
    if (status == STATUS_OK) status = leave_out_empty(writer, err);
    if (status == STATUS_OK) status = write_terms(writer->file, terms, provenance, tables, err);
    return end_file(writer, status, err);
}

void sparse_writer_drop(SparseWriter *writer) {
    if (!writer) return;
    h5_lock();
    end_file(writer, STATUS_INTERRUPTED, NULL);
}

Status sparse_write_weights(const char *path, const SparseTerms *terms, const double *weights,
                            const double *errors, const char *provenance, Err *err) {
    const PairTable tables[TABLES_MAX] = {
        {"weights", weights, "middlegame and endgame weight, in units"},
        {"errors", errors, "standard errors of the weights"},
    };
    SparseWriter *writer;
    h5_lock();
    Status status = create_file(path, H5_FORMAT_WEIGHTS, &writer, err);
    if (status == STATUS_OK) status = h5_write_u64(writer->file, "phased", terms->phased, err);
    if (status == STATUS_OK) status = write_terms(writer->file, terms, provenance, tables, err);
    return end_file(writer, status, err);
}
