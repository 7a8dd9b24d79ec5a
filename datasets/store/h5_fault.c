// SPDX-License-Identifier: GPL-3.0-or-later
// Checks those structures of a data set that HDF5 trusts. Without these checks, HDF5 can read
// beyond its buffers on a damaged file.
#include <zlib.h>

#include "core/base/memory.h"
#include "datasets/store/h5.h"

enum {
    MAX_FILTERS = 32,
    CHECKSUM_SIZE = 4,
    // Largest accepted ratio of unpacked to compressed size; deflate reaches at most 1032.
    MAX_DEFLATE_RATIO = 1100
};

typedef struct Filters {
    H5Z_filter_t id[MAX_FILTERS]; // HDF5 filters, in the order in which compression applies them
    int count;
} Filters;

// Reads the list of filters. Returns false unless all of them are deflate, shuffle or fletcher32.
// The other filters of HDF5 (nbit, scaleoffset, szip) are not safe on damaged data. Any other
// filter would need a plugin, and plugins are disabled.
static bool read_filters(hid_t list, Filters *filters) {
    filters->count = H5Pget_nfilters(list);
    if (filters->count < 0 || filters->count > MAX_FILTERS) return false;
    for (int i = 0; i < filters->count; i++) {
        unsigned flags = 0;
        size_t values = 0;
        const H5Z_filter_t id =
            H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        filters->id[i] = id;
        if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32) {
            return false;
        }
    }
    return true;
}

// Returns true if a chunk unpacks to exactly `size` bytes. Undoes the filters, the last one first,
// but does not compare checksums. Bit i of `skipped` is set if filter i was not applied to this
// chunk. *buffer is scratch memory for `size` bytes and the checksums.
static bool chunk_unpacks(const uint8_t *data, size_t length, const Filters *filters,
                          uint32_t skipped, size_t size, uint8_t *buffer) {
    const uint8_t *from = data;
    for (int i = filters->count; i-- > 0;) {
        if (skipped >> i & 1) continue;
        if (filters->id[i] == H5Z_FILTER_FLETCHER32) {
            if (length < CHECKSUM_SIZE) return false;
            length -= CHECKSUM_SIZE;
        } else if (filters->id[i] == H5Z_FILTER_DEFLATE) {
            uLong taken = length;
            uLongf given = size + MAX_FILTERS * CHECKSUM_SIZE;
            if (from == buffer || size / MAX_DEFLATE_RATIO > length) return false;
            if (uncompress2(buffer, &given, from, &taken) != Z_OK || taken != length) return false;
            from = buffer;
            length = given;
        }
    }
    return length == size;
}

static hsize_t file_size(hid_t data_set) {
    AUTO_H5 hid_t file = H5Iget_file_id(data_set);
    hsize_t size = 0;
    return file >= 0 && H5Fget_filesize(file, &size) >= 0 ? size : 0;
}

// Checks one chunk. A missing chunk is refused, because HDF5 would read it as zeros. If `buffer` is
// NULL, the chunk is not unpacked.
static bool chunk_is_whole(hid_t data_set, const hsize_t *at, const Filters *filters, size_t size,
                           uint8_t *buffer) {
    hsize_t stored = 0;
    uint32_t skipped = 0;
    if (H5Dget_chunk_storage_size(data_set, at, &stored) < 0 || stored == 0) return false;
    if (!buffer) return true;
    if (stored > file_size(data_set)) return false;
    AUTO_FREE uint8_t *data = memory_resize(NULL, stored, 1);
    return H5Dread_chunk(data_set, H5P_DEFAULT, at, &skipped, data) >= 0 &&
           chunk_unpacks(data, stored, filters, skipped, size, buffer);
}

static bool has_all_chunks(hid_t data_set, hid_t list, hid_t space, size_t size,
                           const Filters *filters, bool unpack) {
    hsize_t extent[H5S_MAX_RANK], chunk[H5S_MAX_RANK], at[H5S_MAX_RANK] = {0};
    hsize_t stored = 0, wanted = 1;
    const hsize_t max_size = H5Dget_storage_size(data_set) * MAX_DEFLATE_RATIO;
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    if (rank < 1 || H5Pget_chunk(list, H5S_MAX_RANK, chunk) != rank ||
        H5Dget_num_chunks(data_set, space, &stored) < 0) {
        return false;
    }
    for (int i = 0; i < rank; i++) {
        const hsize_t across = chunk[i] ? extent[i] / chunk[i] + (extent[i] % chunk[i] != 0) : 0;
        if (across > 0 && wanted > stored / across) return false;
        wanted *= across;
        if (wanted > 0 && chunk[i] > max_size / size) return false;
        size *= chunk[i];
    }
    if (wanted != stored) return false;
    const bool decode = unpack && wanted > 0;
    AUTO_FREE uint8_t *buffer =
        decode ? memory_resize(NULL, size + MAX_FILTERS * CHECKSUM_SIZE, 1) : NULL;
    for (hsize_t k = 0; k < wanted; k++) {
        if (!chunk_is_whole(data_set, at, filters, size, buffer)) return false;
        for (int i = rank - 1; i >= 0; at[i--] = 0) {
            if ((at[i] += chunk[i]) < extent[i]) break;
        }
    }
    return true;
}

// Returns true if no values of the data set are missing in the file. With `unpack`, every chunk
// must also unpack to its full size.
static bool is_whole(hid_t data_set, hid_t list, const Filters *filters, bool unpack) {
    AUTO_H5 hid_t space = H5Dget_space(data_set);
    AUTO_H5 hid_t type = H5Dget_type(data_set);
    const hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    const H5D_layout_t layout = H5Pget_layout(list);
    return count >= 0 && size > 0 && layout >= 0 &&
           (layout == H5D_CHUNKED ? has_all_chunks(data_set, list, space, size, filters, unpack)
                                  : (uint64_t)count <= H5Dget_storage_size(data_set) / size);
}

const char *h5_fault(hid_t data_set, bool unpack) {
    AUTO_H5 hid_t list = H5Dget_create_plist(data_set);
    Filters filters;
    if (list < 0) return "damaged";
    // Refuses external and virtual data sets: a file from elsewhere could use them to read any file
    // of the user.
    if (H5Pget_external_count(list) != 0 || H5Pget_layout(list) == H5D_VIRTUAL) {
        return "its values are in another file, which this program does not read: copy them into "
               "this file";
    }
    if (!read_filters(list, &filters)) {
        return "its compression filter is not supported: use only gzip, shuffle and fletcher32";
    }
    return is_whole(data_set, list, &filters, unpack)
               ? NULL
               : "parts of the data are damaged, missing, or were never written";
}
