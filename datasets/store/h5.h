// SPDX-License-Identifier: GPL-3.0-or-later
// Wraps the HDF5 library: its errors become Status and Err, and a lock lets only one thread at a
// time call it. Include this header instead of hdf5.h.
#pragma once

#include <hdf5.h>

#include "datasets/store/columns.h"

// Values of the attribute `format`, which names the kind of a file.
#define H5_FORMAT_GAMES   "paotai games"       // a shard
#define H5_FORMAT_ROWS    "paotai sparse rows" // datasets/sparse
#define H5_FORMAT_WEIGHTS "paotai weights"     // datasets/sparse

// Lock and unlock the HDF5 library. A thread calls the functions below, and those of HDF5 itself,
// only while it has the lock (except in datasets_library_*()). The lock is not recursive.
void h5_lock(void);
void h5_unlock(void);

// Fills *err with `status`, the text `what`, the reason that HDF5 reported and, after a failed
// system call, the remedy. Returns `status`.
Status h5_fail(Err *err, Status status, const char *what);

// Closes an HDF5 object of any kind. A negative id is ignored.
void h5_close(hid_t id);
// Declares an HDF5 id that is closed at the end of its block. The block must end before h5_unlock()
// is called. A data set that was written is closed explicitly instead, so that a failure can be
// reported. Example:
//     AUTO_H5 hid_t type = H5Dget_type(data_set);
#define AUTO_H5 __attribute__((cleanup(h5_auto_close)))
static inline void h5_auto_close(const hid_t *id) {
    h5_close(*id);
}

// Opens a file for reading; the caller closes it with H5Fclose(). Returns STATUS_IO if a system
// call fails (permissions, locks, limits), and STATUS_CORRUPT if the content is not HDF5.
Status h5_open_file(const char *path, hid_t *file, Err *err);

// Write an attribute (a text or a number) of a file, group or data set. If the text is NULL, an
// empty text is written.
Status h5_write_text(hid_t object, const char *name, const char *value, Err *err);
Status h5_write_u64(hid_t object, const char *name, uint64_t value, Err *err);
// Read an attribute. The caller frees the text.
Status h5_read_text(hid_t object, const char *name, char **value, Err *err);
Status h5_read_u64(hid_t object, const char *name, uint64_t *value, Err *err);

// Returns an HDF5 type for texts of `size` bytes. The caller closes it with H5Tclose().
hid_t h5_text_type(size_t size);

typedef struct DataShape {
    int rank;          // number of dimensions, 1 or 2
    hsize_t extent[2]; // number of values in each dimension
    bool grows;        // the data set can grow without limit; requires rank 1 and chunk_rows > 0
    // Number of values per chunk, for rank 1. Chunks are compressed with shuffle, deflate and
    // fletcher32. 0: the data set is contiguous and not compressed.
    hsize_t chunk_rows;
    unsigned level; // compression level of deflate, 0 to 9
} DataShape;
// Creates a data set, which the caller closes with H5Dclose(). Returns -1 on failure.
hid_t h5_create(hid_t group, const char *name, hid_t type, const DataShape *shape);
// Reads the size of each dimension of a data set into `extent`. Returns false if the data set does
// not have `rank` dimensions.
bool h5_extent(hid_t data_set, int rank, hsize_t *extent);
// Returns the reason why a data set must not be read, or NULL if it can be read. HDF5 trusts the
// structures in a file and may crash on a damaged file. A data set is refused if its values are in
// another file, if it has filters other than gzip, shuffle and fletcher32, or if values or chunks
// are missing. With `unpack`, every chunk must also unpack to its full size. Defined in h5_fault.c.
const char *h5_fault(hid_t data_set, bool unpack);
// Read or write the values first..first+count-1 of a one-dimensional data set. `type` is the HDF5
// type of a value in memory. Return false on failure.
bool h5_read_part(hid_t data_set, hid_t type, size_t first, size_t count, void *values);
bool h5_write_part(hid_t data_set, hid_t type, size_t first, size_t count, const void *values);

// Writes one column as a data set with its attributes. `rows` has `count` records of row_size
// bytes, each with the column's member.
Status h5_write_column(hid_t group, const Column *column, size_t row_size, const void *rows,
                       size_t count, Err *err);
// An open column of a file. H5Dclose() closes it, and so does closing the file.
typedef struct OpenColumn {
    const Column *column;
    hid_t data_set;
    size_t count; // number of values in the column
    bool unpacks; // true if a test has shown that every chunk can be unpacked
} OpenColumn;
// Opens a column. Returns STATUS_CORRUPT if the data set does not exist, does not have the type of
// the column, or must not be read (h5_fault()). Chunks are not unpacked yet.
Status h5_open_column(hid_t group, const Column *column, OpenColumn *opened, Err *err);
// Reads the values first..first+count-1 of a column into the column's member of `count` records of
// row_size bytes. Returns STATUS_CORRUPT if a checksum is wrong or a chunk cannot be unpacked.
Status h5_read_column(OpenColumn *opened, size_t first, size_t count, size_t row_size, void *rows,
                      Err *err);
