// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files and archives. Compressed files (.gz, .bz2, .xz, .zst) contain one file, archives
// (.tar, .zip, .7z, .rar) contain many. They are recognised by magic bytes, not by name. An archive
// can be inside another archive. zlib reads .gz, libarchive the others. The content is read as a
// stream and is never held in memory as a whole; a packed file in an archive is copied to a
// temporary file.
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include "core/base/text.h"

typedef struct PackedFile PackedFile;

// Callback that chooses the files of an archive to read; other files are skipped.
typedef struct PackedChoice {
    bool (*wanted)(const void *context, const char *name);
    const void *context;
    FILE *copy; // stream to read from its beginning instead of the path; NULL: open the path
} PackedChoice;

// Returns true if a name ends like that of a compressed file or an archive (".pgn.gz", ".zip").
// Sets *inner to the length of the name without that ending. For an archive, sets *inner to 0,
// because the files inside have names of their own.
bool packed_name(const char *name, size_t *inner);

// Opens a file or an archive. If `path` is NULL or "-", reads standard input. `choice` selects the
// files of archives that are read; NULL selects all.
Status packed_open(const char *path, const PackedChoice *choice, PackedFile **packed, Err *err);
// Opens the next file of the archive. If the path is no archive, the first call opens the file
// itself. Returns STATUS_NOT_FOUND if there is no further file. Any other error means that this
// file, or the rest of an archive, cannot be read, or that Ctrl-C was pressed. *err then has the
// reason without the file's name, and the next call continues with the next file.
Status packed_next(PackedFile *packed, Err *err);
// Returns the name of the current file: "games.zip:sub/a.pgn" in an archive, otherwise the path.
// The part from an archive, after the colon, is made printable. The name is valid until the next
// call of packed_next().
const char *packed_file_name(const PackedFile *packed);
// Reads bytes of the current file. Returns their number, 0 at the end of the file, or -1 with the
// error in *err.
ssize_t packed_read(PackedFile *packed, char *bytes, size_t size, Err *err);
void packed_close(PackedFile *packed);
AUTO_HANDLE(PackedFile, packed_close)
