// SPDX-License-Identifier: GPL-3.0-or-later
// What every reader of shard files begins with, of this schema or an older one.
#pragma once

#include "datasets/store/h5.h"

// Is it a file of games? *version is its schema. The caller holds the lock of h5.h.
Status shard_check_format(hid_t file, uint64_t *version, Err *err);
