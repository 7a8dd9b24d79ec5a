// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "datasets/store/store.h"

// The mutex guards the global state of the HDF5 library. `why` is the text of the first HDF5 error
// since h5_lock() or the last h5_fail(), or "" if there was none. It is stored at once, because
// later calls that close objects overwrite the error stack of the library.
static struct {
    pthread_mutex_t mutex;
    char why[160];
    int number; // errno of the failed system call in `why`; 0 if no system call failed
} library = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// Stores the text of the innermost error on HDF5's error stack in library.why.
static herr_t take_innermost(unsigned n, const H5E_error2_t *error, void *data) {
    (void)data;
    if (n != 0 || !error->desc) return 0;
    // For a failed system call, HDF5 reports a long text that contains "errno = N". Only the
    // system's message for N is stored.
    const char *number = strstr(error->desc, "errno = ");
    library.number = number ? atoi(number + strlen("errno = ")) : 0;
    snprintf(library.why, sizeof library.why, "%s",
             library.number ? strerror(library.number) : error->desc);
    return 0;
}

// HDF5 calls this function when a call fails, instead of printing its error stack.
static herr_t note_failure(hid_t stack, void *data) {
    if (library.why[0] == '\0') H5Ewalk2(stack, H5E_WALK_UPWARD, take_innermost, data);
    return 0;
}

static void forget_failure(void) {
    library.why[0] = '\0';
    library.number = 0;
}

void h5_lock(void) {
    pthread_mutex_lock(&library.mutex);
    forget_failure();
    // A thread-safe build of HDF5 has an error handler for each thread, so the handler is set each
    // time the lock is taken.
    H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
}

void h5_unlock(void) {
    pthread_mutex_unlock(&library.mutex);
}

// Adds the remedy for a failed system call to an error. These failures say nothing about the
// content of a file.
static void add_remedy(Err *err, int number) {
    static const struct {
        int number;
        const char *remedy;
    } remedies[] = {
        {ENOLCK, "the file system has no file locks: set HDF5_USE_FILE_LOCKING=FALSE to read "
                 "without locks; write to a local directory, and then copy the run"},
        {EACCES, "you have no permission to read this file: change it with 'chmod u+r', or run as "
                 "its owner"},
        {EMFILE, "this process has too many open files: raise the limit with 'ulimit -n 4096'"},
        {ENFILE, "the system has too many open files: end other programs"},
        {EAGAIN, "another process has locked this file: wait until it ends"},
    };
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++) {
        if (remedies[i].number == number) err_remedy(err, "%s", remedies[i].remedy);
    }
}

Status h5_fail(Err *err, Status status, const char *what) {
    err_set(err, status, "%s: %s", what, library.why[0] ? library.why : "HDF5 reports no reason");
    add_remedy(err, library.number);
    forget_failure();
    return status;
}

void h5_close(hid_t id) {
    if (id >= 0) H5Idec_ref(id);
}

// ---- the library -------------------------------------------------------------------------------

void datasets_library_init(void) {
    // Disables HDF5's cleanup at exit. It is slow, and it hangs after a damaged file was refused.
    // It is not needed, because all files are closed explicitly.
    H5dont_atexit();
    // Disables external links and plugins, so that a file from an unknown source cannot open other
    // files or load code.
    H5Lunregister(H5L_TYPE_EXTERNAL);
    H5PLset_loading_state(0);
    // Disables the printing of errors. h5_lock() later sets an error handler.
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void datasets_library_versions(FILE *out) {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    fprintf(out, "hdf5 %u.%u.%u\nzlib %s\n", major, minor, release, zlibVersion());
}

// ---- files -----------------------------------------------------------------------------------

Status h5_open_file(const char *path, hid_t *file, Err *err) {
    // Report errno instead of HDF5's error, because errno says why the file could not be opened.
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const int number = errno;
        err_set(err, STATUS_IO, "cannot open %s: %s", path, strerror(number));
        add_remedy(err, number);
        return STATUS_IO;
    }
    close(fd);
    AUTO_H5 hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0) {
        return h5_fail(err, STATUS_IO, path);
    }
    *file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (*file >= 0) return STATUS_OK;
    // If a system call failed, for example because there are no locks, the file may be good.
    const bool system = library.number != 0;
    AUTO(Text) what = {0};
    text_add(&what, system ? "cannot open %s" : "cannot read as HDF5: %s", path);
    return h5_fail(err, system ? STATUS_IO : STATUS_CORRUPT, what.data);
}

// ---- attributes --------------------------------------------------------------------------------

hid_t h5_text_type(size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
        H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0) {
        return type;
    }
    h5_close(type);
    return -1;
}

static bool write_attribute(hid_t object, const char *name, hid_t type, const void *value) {
    AUTO_H5 hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        space < 0 ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    return (attribute < 0 || H5Aclose(attribute) >= 0) && good;
}

Status h5_write_text(hid_t object, const char *name, const char *value, Err *err) {
    if (!value) value = "";
    const size_t size = strlen(value);
    AUTO_H5 hid_t type = h5_text_type(size ? size : 1);
    const bool good = type >= 0 && write_attribute(object, name, type, value);
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, name);
}

Status h5_write_u64(hid_t object, const char *name, uint64_t value, Err *err) {
    const bool good = write_attribute(object, name, H5T_NATIVE_UINT64, &value);
    return good ? STATUS_OK : h5_fail(err, STATUS_IO, name);
}

Status h5_read_u64(hid_t object, const char *name, uint64_t *value, Err *err) {
    AUTO_H5 hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    AUTO_H5 hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool good = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Aread(attribute, H5T_NATIVE_UINT64, value) >= 0;
    return good ? STATUS_OK : h5_fail(err, STATUS_CORRUPT, name);
}

Status h5_read_text(hid_t object, const char *name, char **value, Err *err) {
    AUTO_FREE char *text = NULL;
    AUTO_H5 hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    AUTO_H5 hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    AUTO_H5 hid_t space = type < 0 ? -1 : H5Aget_space(attribute);
    bool good =
        space >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
    if (good && H5Tis_variable_str(type) > 0) { // h5py writes texts of variable length
        char *theirs = NULL;
        good = H5Aread(attribute, type, &theirs) >= 0;
        text = memory_copy_text(good && theirs ? theirs : "");
        if (theirs) H5free_memory(theirs);
    } else if (good) {
        text = memory_alloc(H5Tget_size(type) + 1, 1);
        good = H5Aread(attribute, type, text) >= 0;
    }
    if (!good) return h5_fail(err, STATUS_CORRUPT, name);
    *value = TAKE(text);
    return STATUS_OK;
}

// ---- data sets ---------------------------------------------------------------------------------

hid_t h5_create(hid_t group, const char *name, hid_t type, const DataShape *shape) {
    static const hsize_t unlimited[1] = {H5S_UNLIMITED};
    AUTO_H5 hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    AUTO_H5 hid_t space =
        H5Screate_simple(shape->rank, shape->extent, shape->grows ? unlimited : NULL);
    // HDF5 must not store the time of writing in the data set: files with equal content should have
    // equal data sets.
    bool good = type >= 0 && list >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0;
    if (shape->chunk_rows > 0) {
        good = good && H5Pset_chunk(list, 1, &shape->chunk_rows) >= 0 &&
               H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, shape->level) >= 0 &&
               H5Pset_fletcher32(list) >= 0;
    }
    return good ? H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
}

bool h5_extent(hid_t data_set, int rank, hsize_t *extent) {
    AUTO_H5 hid_t space = H5Dget_space(data_set);
    return space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
           H5Sget_simple_extent_dims(space, extent, NULL) == rank;
}

// Reads values into `to`, or writes the values in `from`. One of these two pointers is NULL.
static bool transfer(hid_t data_set, hid_t type, size_t first, size_t count, void *to,
                     const void *from) {
    const hsize_t start[1] = {first}, extent[1] = {count};
    AUTO_H5 hid_t file_space = H5Dget_space(data_set);
    AUTO_H5 hid_t memory_space = H5Screate_simple(1, extent, NULL);
    return file_space >= 0 && memory_space >= 0 &&
           H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
           (to ? H5Dread(data_set, type, memory_space, file_space, H5P_DEFAULT, to)
               : H5Dwrite(data_set, type, memory_space, file_space, H5P_DEFAULT, from)) >= 0;
}

bool h5_read_part(hid_t data_set, hid_t type, size_t first, size_t count, void *values) {
    return transfer(data_set, type, first, count, values, NULL);
}

bool h5_write_part(hid_t data_set, hid_t type, size_t first, size_t count, const void *values) {
    return transfer(data_set, type, first, count, NULL, values);
}

// ---- columns -----------------------------------------------------------------------------------

// Returns the HDF5 type of a column, either in the file (little-endian) or in memory. The caller
// closes it with H5Tclose().
static hid_t column_type(const Column *column, bool memory) {
    static const hsize_t slots[1] = {SLOT_COUNT};
    switch (column->type) {
    case COLUMN_U8:
        return H5Tcopy(H5T_STD_U8LE);
    case COLUMN_I8:
        return H5Tcopy(H5T_STD_I8LE);
    case COLUMN_U16:
    case COLUMN_MOVE:
        return H5Tcopy(memory ? H5T_NATIVE_UINT16 : H5T_STD_U16LE);
    case COLUMN_I16:
        return H5Tcopy(memory ? H5T_NATIVE_INT16 : H5T_STD_I16LE);
    case COLUMN_U32:
    case COLUMN_TIME:
        return H5Tcopy(memory ? H5T_NATIVE_UINT32 : H5T_STD_U32LE);
    case COLUMN_U64:
    case COLUMN_KEY:
        return H5Tcopy(memory ? H5T_NATIVE_UINT64 : H5T_STD_U64LE);
    case COLUMN_SQUARES:
        return H5Tarray_create2(H5T_STD_U8LE, 1, slots);
    case COLUMN_NAME:
        return h5_text_type(COLUMN_NAME_SIZE);
    case COLUMN_VALUE:
        return h5_text_type(COLUMN_VALUE_SIZE);
    }
    return -1;
}

static Status write_meaning(hid_t data_set, const Column *column, Err *err) {
    AUTO(Text) values = {0};
    column_add_values(column->unit, &values);
    TRY(h5_write_text(data_set, "unit", column->unit, err));
    TRY(h5_write_text(data_set, "description", column->description, err));
    return values.length ? h5_write_text(data_set, "values", values.data, err) : STATUS_OK;
}

// Copies the values of a column out of the records `from`, or into the records `into`. Converts
// moves to or from their stored form.
static void copy_values(const Column *column, size_t row_size, size_t count, char *values,
                        const void *from, void *into) {
    for (size_t i = 0; i < count; i++, values += column->size) {
        const size_t at = i * row_size + column->offset;
        if (from) memcpy(values, (const char *)from + at, column->size);
        if (column->type == COLUMN_MOVE) {
            Move *move = (Move *)(void *)values;
            *move = from ? move_to_stored(*move) : move_from_stored(*move);
        }
        if (into) memcpy((char *)into + at, values, column->size);
    }
}

Status h5_write_column(hid_t group, const Column *column, size_t row_size, const void *rows,
                       size_t count, Err *err) {
    // Larger chunks compress better. But a chunk of `squares` (32 bytes a value) should fit in the
    // chunk cache of a reader (1 MB), and a chunk must not be larger than its data set.
    enum { CHUNK_ROWS = 32768 };
    const DataShape shape = {.rank = 1,
                             .extent = {count},
                             .chunk_rows = count < CHUNK_ROWS ? count : CHUNK_ROWS,
                             .level = 6};
    AUTO_FREE char *values = memory_resize(NULL, count, column->size);
    copy_values(column, row_size, count, values, rows, NULL);
    AUTO_H5 hid_t type = column_type(column, false);
    AUTO_H5 hid_t memory = column_type(column, true);
    const hid_t data_set = h5_create(group, column->name, type, &shape);
    if (data_set < 0) return h5_fail(err, STATUS_IO, column->name);
    const bool good = count == 0 || h5_write_part(data_set, memory, 0, count, values);
    Status status =
        good ? write_meaning(data_set, column, err) : h5_fail(err, STATUS_IO, column->name);
    const bool closed = H5Dclose(data_set) >= 0;
    return closed || status != STATUS_OK ? status : h5_fail(err, STATUS_IO, column->name);
}

Status h5_open_column(hid_t group, const Column *column, OpenColumn *opened, Err *err) {
    hsize_t extent[1] = {0};
    const char *fault = NULL;
    *opened = (OpenColumn){column, H5Dopen2(group, column->name, H5P_DEFAULT), 0, false};
    if (opened->data_set < 0) return h5_fail(err, STATUS_CORRUPT, column->name);
    AUTO_H5 hid_t type = H5Dget_type(opened->data_set);
    AUTO_H5 hid_t wanted = column_type(column, false);
    if (type < 0 || wanted < 0 || !h5_extent(opened->data_set, 1, extent) ||
        H5Tequal(type, wanted) <= 0) {
        fault = "the data set does not have the form and type that this program writes";
    }
    opened->count = extent[0];
    if (!fault) fault = h5_fault(opened->data_set, false);
    return fault ? err_set(err, STATUS_CORRUPT, "%s: %s", column->name, fault) : STATUS_OK;
}

Status h5_read_column(OpenColumn *opened, size_t first, size_t count, size_t row_size, void *rows,
                      Err *err) {
    const Column *column = opened->column;
    const char *fault = opened->unpacks ? NULL : h5_fault(opened->data_set, true);
    if (fault) return err_set(err, STATUS_CORRUPT, "%s: %s", column->name, fault);
    opened->unpacks = true;
    if (count == 0) return STATUS_OK;
    AUTO_FREE char *values = memory_resize(NULL, count, column->size);
    AUTO_H5 hid_t type = column_type(column, true);
    if (first > opened->count || count > opened->count - first || type < 0 ||
        !h5_read_part(opened->data_set, type, first, count, values)) {
        return h5_fail(err, STATUS_CORRUPT, column->name);
    }
    copy_values(column, row_size, count, values, NULL, rows);
    return STATUS_OK;
}
