// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files, compressed or not: .gz, .bz2, .xz and .zst contain one file, .tar, .zip, .7z and
// .rar contain many. Magic bytes decide. An archive may lie in an archive. All content is a stream,
// so an archive takes no more memory than a large file.
#pragma once

#include <sys/types.h>

#include "core/base/text.h"

typedef struct PackedFile PackedFile;

// Chooses the files of an archive that are read; the others are skipped.
typedef struct PackedChoice {
    bool (*wanted)(const void *context, const char *name);
    const void *context;
} PackedChoice;

// Returns true if a name ends like that of a packed file (".zip", ".pgn.gz"). Sets *inner to the
// length of the name without that ending, or to 0 for archives, which may contain anything.
bool packed_name(const char *name, size_t *inner);

// Opens a file. If `path` is NULL or "-", reads standard input. If `choice` is NULL, reads all
// files.
Status packed_open(const char *path, const PackedChoice *choice, PackedFile **packed, Err *err);
// Opens the next file. Returns STATUS_NOT_FOUND if there is none. Any other status means that this
// file, or the rest of an archive, cannot be read. *err holds the reason without the file's name,
// and the next call continues after it.
Status packed_next(PackedFile *packed, Err *err);
// Returns "games.zip:sub/a.pgn", or the path of a file that is not packed. The name is printable,
// and valid until packed_next().
const char *packed_file_name(const PackedFile *packed);
// Reads bytes of the current file. Returns their number, 0 at the end, or -1 with *err.
ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err);
void packed_close(PackedFile *packed);
AUTO_HANDLE(PackedFile, packed_close)
