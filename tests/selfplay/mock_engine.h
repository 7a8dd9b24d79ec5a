// SPDX-License-Identifier: GPL-3.0-or-later
// An engine for tests. It speaks UCI, UCCI or XBoard's protocol, exits with an error when it
// receives a line that it does not accept, and misbehaves on demand.
// Usage: paotai-test --mock uci|ucci|cecp [KEY=VALUE ...]
#pragma once

#include "core/board/position.h"

int mock_engine_main(int argc, char **argv);

// Returns the move that the mock plays. It depends on the position only, so a test can tell whether
// the mock has understood the position.
Move mock_engine_move(const Position *position);
