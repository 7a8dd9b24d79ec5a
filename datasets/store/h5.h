// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 with Status and Err, and one lock: only one thread at a time talks to the library. Include
// this instead of hdf5.h.
#pragma once

#include <hdf5.h>

#include "core/base/status.h"
#include "datasets/store/chunk.h"

// Every call below, and every H5 call elsewhere, happens between these two. Not recursive.
void h5_lock(void);
void h5_unlock(void);

// STATUS_IO or STATUS_CORRUPT with what failed and the library's own words about why.
Status h5_fail(Err *err, Status status, const char *what);

// Closes what is open, whatever it is; what is negative was never opened.
#define h5_close(...)                                                                              \
    h5_close_list((const hid_t[]){__VA_ARGS__},                                                    \
                  sizeof((const hid_t[]){__VA_ARGS__}) / sizeof(hid_t))
void h5_close_list(const hid_t *ids, size_t count);

// Opens a file for reading; the caller closes it with H5Fclose().
Status h5_open_file(const char *path, hid_t *file, Err *err);

// Text and number attributes of a file, group or data set.
Status h5_write_text(hid_t object, const char *name, const char *value, Err *err);
Status h5_write_u64(hid_t object, const char *name, uint64_t value, Err *err);
// The caller frees *value.
Status h5_read_text(hid_t object, const char *name, char **value, Err *err);
Status h5_read_u64(hid_t object, const char *name, uint64_t *value, Err *err);

// Writes a packed column as one data set with its attributes.
Status h5_write_column(hid_t group, const PackedColumn *packed, Err *err);
// Fetches what holds values first..first+count-1: the caller unpacks it outside the lock and clears
// it, also after a failure.
Status h5_fetch_column(hid_t group, const Column *column, size_t first, size_t count,
                       PackedColumn *packed, Err *err);
// The number of values of a column, whose type must be the one of the table.
Status h5_column_count(hid_t group, const Column *column, size_t *count, Err *err);
