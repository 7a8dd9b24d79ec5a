// SPDX-License-Identifier: GPL-3.0-or-later
// All limits of files that are read. What exceeds a limit is refused, or counted as cut, with its
// name. `data import --max-record` raises the first one.
#pragma once

enum {
    RECORD_MB = 32,     // longest line, and longest record (a game), in megabytes
    HELD_MAX_MB = 32,   // about this much of a file is read before its first record is extracted,
                        // to detect the encoding. A smaller file is read as a whole, so that
                        // damage is noticed before any of its games is used
    PLIES_MOST = 65535, // plies of a game or of a variation
    LINES_DEEPEST = 64, // depth to which variations nest
    SOURCE_LINES_MOST = 100000,   // variations of a game
    TAGS_MOST = 64,               // tags of a game, except those that the reader interprets
    VARIATION_ROWS_MOST = 400000, // rows of 128 bytes for the tags that the variations of a game
                                  // take over from it
    REMARK_ROWS_MOST = 20000,     // rows of 104 bytes for the remarks of a game or of a variation
    LAYERS_MOST = 6,              // files that are packed in each other
    ARCHIVES_MOST = 2,            // nested archives: an archive can be in one other archive
    UNPACKED_MAX_GB = 16,    // unpacked size of one path (all files of an archive), in 2^30 bytes
    UNPACKED_MOST = 1 << 28, // unpacked bytes of an old CBL file
};
