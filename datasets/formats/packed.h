// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they are or packed: .gz .bz2 .xz .zst around one file, .tar .zip .7z .rar around many,
// by their first bytes; an archive may lie in an archive. What is unpacked goes through as a
// stream: an archive takes no more memory than a large file.
#pragma once

#include <sys/types.h>

#include "core/base/text.h"

typedef struct PackedFile PackedFile;

// Which files of an archive are read; the others are passed over.
typedef struct PackedChoice {
    bool (*wanted)(const void *context, const char *name);
    const void *context;
} PackedChoice;

// Does the name end like that of a packed file (".zip", ".pgn.gz")? *inner is then the length of
// the name without that ending; 0 for archives, which may hold anything.
bool packed_name(const char *name, size_t *inner);

// path NULL or "-": standard input. choice NULL: all are read.
Status packed_open(const char *path, const PackedChoice *choice, PackedFile **packed, Err *err);
// Goes on to the next file. STATUS_NOT_FOUND: there is none. Any other status: that file, or the
// rest of an archive, cannot be read, *err says why without the name; the next call goes on behind.
Status packed_next(PackedFile *packed, Err *err);
// "games.zip:sub/a.pgn", or the path where nothing is packed; printable, valid until packed_next().
const char *packed_file_name(const PackedFile *packed);
// Reads of the present file: the number of bytes, 0 at the end, -1 with *err.
ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err);
void packed_close(PackedFile *packed);
AUTO_HANDLE(PackedFile, packed_close)
