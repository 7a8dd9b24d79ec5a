// SPDX-License-Identifier: GPL-3.0-or-later
#include "tuner/fit/gsl_errors.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>

void tuner_library_init(void) {
    gsl_set_error_handler_off();
}

void tuner_library_versions(FILE *out) {
    fprintf(out, "gsl %s\n", gsl_version);
}
