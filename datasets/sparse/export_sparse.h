// SPDX-License-Identifier: GPL-3.0-or-later
// Sampled positions as sparse rows of our evaluation's terms, for other tuners.
#pragma once

#include "core/base/progress.h"
#include "core/eval/weights.h"
#include "datasets/formats/export.h"

// Writes the sampled positions of the stores (directories or shards) into a file of sparse rows,
// with `start` as the weights a fit begins with. A position whose row times these weights is not
// its evaluation is refused by name. STATUS_INTERRUPTED after Ctrl-C; then there is no file.
Status export_sparse(const char *const *paths, int count, const char *out, const Weights *start,
                     const char *provenance, Progress *progress, ExportReport *report, Err *err);
