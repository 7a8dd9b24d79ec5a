// SPDX-License-Identifier: GPL-3.0-or-later
// A mock engine for tests. Usage: paotai-test --mock uci|ucci|cecp [KEY=VALUE ...]. It speaks UCI,
// UCCI or XBoard's protocol (cecp), and misbehaves in the way that the arguments request. It exits
// with an error when it receives an invalid position, an illegal move, or in XBoard's protocol an
// unknown command.
#pragma once

#include "core/board/position.h"

int mock_engine_main(int argc, char **argv);

// Returns the legal move that the mock plays in a position; MOVE_NONE if there is none. It depends
// on the position only, so a test can check that the mock has the right position.
Move mock_engine_move(const Position *position);
