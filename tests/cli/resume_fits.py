# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the rows of resume.py whose commands fit many times."""
import runpy

runpy.run_path("tests/cli/resume.py", {"FITS": True})
