// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/out_file.h"
#include "datasets/sparse/sparse_parts.h"

// Numbers of a chunk, and how hard deflate tries: as in the store.
enum { CHUNK = 32768, DEFLATE = 1 };

struct SparseWriter {
    char *path;
    Text temporary;
    hid_t file;
    hid_t columns[SPARSE_COLUMN_COUNT];
    uint64_t counts[SPARSE_COLUMN_COUNT];
};

// ---- data sets ----------------------------------------------------------------------------------

// A data set of `rank` dimensions; extensible along the only one, and packed, when `packed`.
static hid_t create(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extent,
                    bool packed) {
    const hsize_t none[1] = {0}, unlimited[1] = {H5S_UNLIMITED}, chunk[1] = {CHUNK};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space =
        packed ? H5Screate_simple(1, none, unlimited) : H5Screate_simple(rank, extent, NULL);
    bool good = list >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0;
    if (packed) {
        good = good && H5Pset_chunk(list, 1, chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
               H5Pset_deflate(list, DEFLATE) >= 0 && H5Pset_fletcher32(list) >= 0;
    }
    const hid_t data_set =
        good ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    h5_close(space, list);
    return data_set;
}

// Appends `count` numbers to a column.
static Status append(SparseWriter *writer, int i, const SparseColumn *column, Err *err) {
    const hid_t data_set = writer->columns[i];
    const hsize_t first[1] = {writer->counts[i]}, count[1] = {column->count};
    const hsize_t extent[1] = {first[0] + count[0]};
    if (column->count == 0) return STATUS_OK;
    bool good = H5Dset_extent(data_set, extent) >= 0;
    const hid_t there = good ? H5Dget_space(data_set) : -1;
    const hid_t here = good ? H5Screate_simple(1, count, NULL) : -1;
    const SparseNumber number = sparse_columns[i].number;
    const void *numbers =
        number == SPARSE_INT ? (const void *)column->ints : (const void *)column->reals;
    good = there >= 0 && here >= 0 &&
           H5Sselect_hyperslab(there, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
           H5Dwrite(data_set, sparse_memory_type(number), here, there, H5P_DEFAULT, numbers) >= 0;
    h5_close(there, here);
    writer->counts[i] = extent[0];
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, sparse_columns[i].name);
}

// A whole data set of reals, [terms][2].
static Status write_pairs(hid_t file, const char *name, size_t terms, const double *values,
                          const char *description, Err *err) {
    const hsize_t extent[2] = {terms, 2};
    const hid_t data_set = create(file, name, H5T_IEEE_F64LE, 2, extent, false);
    bool good = data_set >= 0 &&
                H5Dwrite(data_set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (good) good = h5_write_text(data_set, "description", description, err) == STATUS_OK;
    if (data_set >= 0 && H5Dclose(data_set) < 0) good = false;
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, name);
}

static Status write_names(hid_t file, const SparseTerms *terms, Err *err) {
    const hsize_t extent[1] = {terms->terms};
    const hid_t type = H5Tcopy(H5T_C_S1);
    bool good = type >= 0 && H5Tset_size(type, SPARSE_NAME_SIZE) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    const hid_t data_set = good ? create(file, "names", type, 1, extent, false) : -1;
    good =
        data_set >= 0 && H5Dwrite(data_set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, terms->names) >= 0;
    if (data_set >= 0 && H5Dclose(data_set) < 0) good = false;
    h5_close(type);
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, "names");
}

// ---- the file -----------------------------------------------------------------------------------

static Status create_file(const char *path, SparseWriter *writer, Err *err) {
    writer->file = -1;
    const Status status = out_file_must_be_regular(path, err);
    if (status != STATUS_OK) return status;
    text_add(&writer->temporary, "%s.tmp.%ld", path, (long)getpid());
    writer->path = memory_copy_text(path);
    writer->file = H5Fcreate(text_get(&writer->temporary), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (writer->file >= 0) return STATUS_OK;
    h5_fail(err, STATUS_IO, "cannot create the file");
    return err_prefix(err, "%s", path);
}

static Status create_columns(SparseWriter *writer, Err *err) {
    const hid_t types[] = {
#define SPARSE_COLUMN(name, file_type, number, per, needed, absent, description) file_type,
#include "datasets/sparse/sparse.def"
#undef SPARSE_COLUMN
    };
    Status status = STATUS_OK;
    for (int i = 0; i < SPARSE_COLUMN_COUNT && status == STATUS_OK; i++) {
        const SparseColumnRow *row = &sparse_columns[i];
        writer->columns[i] = create(writer->file, row->name, types[i], 1, NULL, true);
        status = writer->columns[i] < 0
                     ? h5_fail(err, STATUS_IO, row->name)
                     : h5_write_text(writer->columns[i], "description", row->description, err);
    }
    int64_t zero[1] = {0};
    const SparseColumn begin = {.ints = zero, .count = 1};
    if (status == STATUS_OK) status = append(writer, SPARSE_AT_indptr, &begin, err);
    return status;
}

Status sparse_writer_open(const char *path, SparseWriter **writer, Err *err) {
    *writer = memory_alloc(1, sizeof **writer);
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) (*writer)->columns[i] = -1;
    h5_lock();
    Status status = create_file(path, *writer, err);
    if (status == STATUS_OK) status = create_columns(*writer, err);
    h5_unlock();
    if (status == STATUS_OK) return status;
    sparse_writer_drop(*writer);
    *writer = NULL;
    return status;
}

Status sparse_writer_add(SparseWriter *writer, const SparseBlock *block, Err *err) {
    SparseBlock shifted = *block; // its indptr counts from the file's first entry
    Status status = STATUS_OK;
    const int64_t before = (int64_t)writer->counts[SPARSE_AT_index];
    shifted.indptr = (SparseColumn){0};
    for (size_t i = 1; i <= block->rows; i++) {
        sparse_add_int(&shifted.indptr, before + block->indptr.ints[i]);
    }
    h5_lock();
    for (int i = 0; i < SPARSE_COLUMN_COUNT && status == STATUS_OK; i++) {
        status = append(writer, i, sparse_column_const(&shifted, i), err);
    }
    h5_unlock();
    free(shifted.indptr.ints);
    return status;
}

// Closes what is open; false when the library cannot.
static bool close_file(SparseWriter *writer) {
    bool good = true;
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) {
        if (writer->columns[i] >= 0) good = H5Dclose(writer->columns[i]) >= 0 && good;
        writer->columns[i] = -1;
    }
    if (writer->file >= 0) good = H5Fclose(writer->file) >= 0 && good;
    writer->file = -1;
    return good;
}

static Status publish(const SparseWriter *writer, Err *err) {
    const char *temporary = text_get(&writer->temporary);
    const int file = open(temporary, O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && fsync(file) == 0;
    if (file >= 0) close(file);
    if (synced && rename(temporary, writer->path) == 0) return STATUS_OK;
    return err_set(err, STATUS_IO, "cannot write %s: %s", writer->path, strerror(errno));
}

static Status write_head(hid_t file, const char *format, const char *provenance, Err *err) {
    Status status = h5_write_text(file, "format", format, err);
    if (status == STATUS_OK) {
        status = h5_write_u64(file, "schema_version", SPARSE_SCHEMA_VERSION, err);
    }
    if (status == STATUS_OK) status = h5_write_text(file, "provenance", provenance, err);
    return status;
}

static Status write_terms(hid_t file, const SparseTerms *terms, Err *err) {
    Status status = h5_write_u64(file, "phase_max", (uint64_t)terms->phase_max, err);
    if (status == STATUS_OK) status = write_names(file, terms, err);
    if (status == STATUS_OK && terms->start) {
        status = write_pairs(file, "start", terms->terms, terms->start[0],
                             "middlegame and endgame weight a fit begins with, in units", err);
    }
    if (status == STATUS_OK && terms->occurrences) {
        status = write_pairs(file, "occurrences", terms->terms, terms->occurrences[0],
                             "how often each term occurs, both sides together; the same with each "
                             "occurrence weighted by its row's phase",
                             err);
    }
    return status;
}

Status sparse_writer_finish(SparseWriter *writer, const SparseTerms *terms, const char *provenance,
                            Err *err) {
    h5_lock();
    Status status = write_head(writer->file, SPARSE_FORMAT, provenance, err);
    if (status == STATUS_OK) status = write_terms(writer->file, terms, err);
    if (!close_file(writer) && status == STATUS_OK) status = h5_fail(err, STATUS_IO, writer->path);
    h5_unlock();
    if (status == STATUS_OK) status = publish(writer, err);
    sparse_writer_drop(writer);
    return status;
}

void sparse_writer_drop(SparseWriter *writer) {
    if (!writer) return;
    h5_lock();
    close_file(writer);
    h5_unlock();
    // Gone already when the file has its name.
    unlink(text_get(&writer->temporary));
    text_clear(&writer->temporary);
    free(writer->path);
    free(writer);
}

Status sparse_write_weights(const char *path, const SparseTerms *terms, const double *weights,
                            const double *errors, const char *provenance, Err *err) {
    SparseWriter *writer = memory_alloc(1, sizeof *writer);
    for (int i = 0; i < SPARSE_COLUMN_COUNT; i++) writer->columns[i] = -1;
    h5_lock();
    Status status = create_file(path, writer, err);
    if (status == STATUS_OK) status = write_head(writer->file, "paotai weights", provenance, err);
    if (status == STATUS_OK) status = write_names(writer->file, terms, err);
    if (status == STATUS_OK) {
        status = write_pairs(writer->file, "weights", terms->terms, weights,
                             "middlegame and endgame weight, in units", err);
    }
    if (status == STATUS_OK && errors) {
        status = write_pairs(writer->file, "errors", terms->terms, errors,
                             "standard errors of the weights", err);
    }
    if (!close_file(writer) && status == STATUS_OK) status = h5_fail(err, STATUS_IO, path);
    h5_unlock();
    if (status == STATUS_OK) status = publish(writer, err);
    sparse_writer_drop(writer);
    return status;
}
