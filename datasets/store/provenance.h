// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that provenance is made of, and back.
#pragma once

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/rules/rules.h"

// The rules a game was judged by: "axf", and what differs from rules_default() behind it
// ("literal material=pikafish max_checks=4 no_capture_plies=100 check_cap=-1").
void rules_to_text(const Rules *rules, Text *text);
// The inverse; STATUS_BAD_INPUT with the word that is not understood.
Status rules_from_text(const char *text, Rules *rules, Err *err);

// SHA-256 of a file, in hexadecimal digits.
Status file_sha256(const char *path, char hex[SHA256_HEX_SIZE], Err *err);
// "NAME sha256 HEX": what a source file is called (without its folders) and what was in it.
Status source_to_text(const char *path, Text *text, Err *err);
