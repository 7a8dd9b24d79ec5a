// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/store/hdf5_errors.h"

#include <hdf5.h>
#include <zlib.h>

void datasets_library_init(void) {
    // Every file is closed by whoever opened it; the library's own clearing up at exit is slow and
    // goes round in circles when it has refused a damaged file.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void datasets_library_versions(FILE *out) {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    fprintf(out, "hdf5 %u.%u.%u\nzlib %s\n", major, minor, release, zlibVersion());
}
