// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 with Status and Err, and a lock: only one thread at a time may call the library. Include
// this header instead of hdf5.h.
#pragma once

#include <hdf5.h>

#include "datasets/store/columns.h"

// All functions below, and all H5 functions elsewhere, must be called between these two. Not
// recursive.
void h5_lock(void);
void h5_unlock(void);

// Fills *err with `what` and the library's reason, and returns `status`: STATUS_IO or
// STATUS_CORRUPT.
Status h5_fail(Err *err, Status status, const char *what);

// Closes an HDF5 object of any kind. A negative id is ignored.
void h5_close(hid_t id);
// An id that is closed at the end of its block, before the lock is released:
//     AUTO_H5 hid_t type = H5Dget_type(data_set);
// After writing, close explicitly instead, and report a failure.
#define AUTO_H5 __attribute__((cleanup(h5_auto_close)))
static inline void h5_auto_close(const hid_t *id) {
    h5_close(*id);
}

// Opens a file for reading; the caller closes it with H5Fclose().
Status h5_open_file(const char *path, hid_t *file, Err *err);

// Text and number attributes of a file, group or data set.
Status h5_write_text(hid_t object, const char *name, const char *value, Err *err);
Status h5_write_u64(hid_t object, const char *name, uint64_t value, Err *err);
// Read an attribute. The caller frees the text.
Status h5_read_text(hid_t object, const char *name, char **value, Err *err);
Status h5_read_u64(hid_t object, const char *name, uint64_t *value, Err *err);

// Returns the type of a text of `size` bytes; close it with H5Tclose().
hid_t h5_text_type(size_t size);

typedef struct DataShape {
    int rank;
    hsize_t extent[2];
    bool grows;         // a list that is empty at first and can grow without limit
    hsize_t chunk_rows; // rows per chunk of a list, which gets shuffle, deflate and fletcher32; 0:
                        // contiguous
    unsigned level;     // level of deflate
} DataShape;
// Creates a data set. Returns -1 on failure.
hid_t h5_create(hid_t group, const char *name, hid_t type, const DataShape *shape);
// Reads the extent of a data set with `rank` dimensions. Returns false if it has another form.
bool h5_extent(hid_t data_set, int rank, hsize_t *extent);
// Returns why a data set must not be read, or NULL. HDF5 trusts the structures of a damaged file
// and may crash. A data set is refused if its values are in another file, if it has filters other
// than gzip, shuffle and fletcher32, or if bytes or chunks are missing. With `unpack`, each chunk
// must also unpack to its full size. Defined in h5_fault.c.
const char *h5_fault(hid_t data_set, bool unpack);
// Read or write the values first..first+count-1 of a list; `type` is the type in memory.
bool h5_read_part(hid_t data_set, hid_t type, size_t first, size_t count, void *values);
bool h5_write_part(hid_t data_set, hid_t type, size_t first, size_t count, const void *values);

// Writes one member of `count` records of row_size bytes as a data set with its attributes.
Status h5_write_column(hid_t group, const Column *column, size_t row_size, const void *rows,
                       size_t count, Err *err);
// An open column. Close it with H5Dclose(), or by closing the file.
typedef struct OpenColumn {
    const Column *column;
    hid_t data_set;
    size_t count; // number of values
    bool unpacks; // all chunks were tested for unpacking
} OpenColumn;
// Opens a column. Its type must be that of the table, and all its values must be present.
Status h5_open_column(hid_t group, const Column *column, OpenColumn *opened, Err *err);
// Reads the values first..first+count-1 into the member of `count` records of row_size bytes.
// Returns STATUS_CORRUPT if a checksum is wrong or a chunk does not unpack.
Status h5_read_column(OpenColumn *opened, size_t first, size_t count, size_t row_size, void *rows,
                      Err *err);
