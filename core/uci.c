// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/uci.h"

#include "core/base/text.h"

int uci_main(FILE *in, FILE *out, FILE *err) {
    (void)in;
    (void)out;
    (void)err;
    return 0;
}
