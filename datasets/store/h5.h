// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 with Status and Err, and one lock: only one thread at a time talks to the library. Include
// this instead of hdf5.h.
#pragma once

#include <hdf5.h>

#include "datasets/store/columns.h"

// Every call below, and every H5 call elsewhere, happens between these two. Not recursive.
void h5_lock(void);
void h5_unlock(void);

// STATUS_IO or STATUS_CORRUPT with what failed and the library's own words about why.
Status h5_fail(Err *err, Status status, const char *what);

// Closes what is open, whatever it is; what is negative was never opened.
void h5_close(hid_t id);
// An id that is closed where its block ends, before the lock is left:
//     AUTO_H5 hid_t type = H5Dget_type(data_set);
// Whoever has written closes by hand and reports what that says.
#define AUTO_H5 __attribute__((cleanup(h5_auto_close)))
static inline void h5_auto_close(const hid_t *id) {
    h5_close(*id);
}

// Opens a file for reading; the caller closes it with H5Fclose().
Status h5_open_file(const char *path, hid_t *file, Err *err);

// Text and number attributes of a file, group or data set.
Status h5_write_text(hid_t object, const char *name, const char *value, Err *err);
Status h5_write_u64(hid_t object, const char *name, uint64_t value, Err *err);
// The caller frees *value.
Status h5_read_text(hid_t object, const char *name, char **value, Err *err);
Status h5_read_u64(hid_t object, const char *name, uint64_t *value, Err *err);

// Text of so many bytes; close with H5Tclose().
hid_t h5_text_type(size_t size);

typedef struct DataShape {
    int rank;
    hsize_t extent[2];
    bool grows;         // a list, empty at first, without a last row
    hsize_t chunk_rows; // of a list: shuffle, deflate, fletcher32; 0: in one piece, as it is
    unsigned level;     // of deflate
} DataShape;
// Creates a data set; -1 on failure.
hid_t h5_create(hid_t group, const char *name, hid_t type, const DataShape *shape);
// The extent of a data set of `rank` dimensions; false when it has another form.
bool h5_extent(hid_t data_set, int rank, hsize_t *extent);
// Why a data set is not to be read, since the library trusts a damaged file, and may crash: its
// values lie in another file, it is packed with another filter than gzip, shuffle and fletcher32,
// has fewer bytes or chunks than its values want, or, which `unpack` asks, chunks that unpack to
// fewer. NULL: it may be.
const char *h5_fault(hid_t data_set, bool unpack);
// Reads or writes values first..first+count-1 of a list, of this type in memory.
bool h5_read_part(hid_t data_set, hid_t type, size_t first, size_t count, void *values);
bool h5_write_part(hid_t data_set, hid_t type, size_t first, size_t count, const void *values);

// Writes a column of `count` records of row_size bytes as one data set with its attributes.
Status h5_write_column(hid_t group, const Column *column, size_t row_size, const void *rows,
                       size_t count, Err *err);
// A column that is open: H5Dclose() closes it, and so does whoever closes the file.
typedef struct OpenColumn {
    const Column *column;
    hid_t data_set;
    size_t count; // of values
    bool unpacks; // each chunk was tried
} OpenColumn;
// Opens a column, whose type must be the one of the table and whose values must all be there.
Status h5_open_column(hid_t group, const Column *column, OpenColumn *opened, Err *err);
// Reads values first..first+count-1 into their member of `count` records of row_size bytes.
// STATUS_CORRUPT: a checksum is wrong, or a chunk does not unpack.
Status h5_read_column(OpenColumn *opened, size_t first, size_t count, size_t row_size, void *rows,
                      Err *err);
