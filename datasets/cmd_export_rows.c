// SPDX-License-Identifier: GPL-3.0-or-later
// paotai data export --rows: sparse rows of our evaluation's terms.
#include "core/base/json.h"
#include "core/base/version.h"
#include "datasets/cmd_export.h"
#include "datasets/sparse/export_sparse.h"

Status export_rows_file(const CommandCall *call, const ExportSettings *settings,
                        ExportReport *report, Err *err) {
    const char *out = settings->out;
    const char *const *paths = call->args;
    int count = call->arg_count;
    if (!out) { // the first argument is the file
        out = *paths++;
        count--;
    }
    if (count == 0) {
        return err_set(err, STATUS_USAGE, "--rows wants FILE.h5 and a DIR of games behind it");
    }
    Weights start;
    Status status = weights_load(settings->weights, &start, err);
    if (status != STATUS_OK) return status;
    Text provenance = {0};
    text_add(&provenance, "paotai %s %s: data export --rows", PAOTAI_VERSION, version_revision());
    for (int i = 0; i < count; i++) text_add(&provenance, " %s", paths[i]);
    Progress progress;
    progress_init(&progress, call->err, settings->quiet, "games", 0);
    status =
        export_sparse(paths, count, out, &start, text_get(&provenance), &progress, report, err);
    progress_finish(&progress, report->games, status == STATUS_INTERRUPTED ? "interrupted" : "");
    text_clear(&provenance);
    return status;
}
