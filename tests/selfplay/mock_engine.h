// SPDX-License-Identifier: GPL-3.0-or-later
// An engine for tests: it speaks UCI, UCCI or XBoard's protocol, believes nothing that it is not
// told exactly right, and misbehaves on demand. `paotai-test --mock uci|ucci|cecp [KEY=VALUE ...]`.
#pragma once

#include "core/board/position.h"

int mock_engine_main(int argc, char **argv);

// The move it plays: a function of the position alone, so that a test sees whether it understood.
Move mock_engine_move(const Position *position);
