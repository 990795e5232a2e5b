# SPDX-License-Identifier: BSD-3-Clause
"""Runs `tutti reproduce` for the tests of the papers."""
import os
import subprocess

TUTTI = os.environ["TUTTI_COMMAND"]


def tutti(*arguments, code=0, seconds=250):
    done = subprocess.run([TUTTI, "reproduce", *arguments],
                          capture_output=True,
                          text=True,
                          timeout=seconds,
                          check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done
