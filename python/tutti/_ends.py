# SPDX-License-Identifier: BSD-3-Clause
"""Ends the job when an exception ends one of its processes."""

import os
import signal
import sys
import traceback

from tutti import _core

CODE_OF_CTRL_C = 130
_before = None  # the hook that was there before ours


def flush():
    """Writes what the program has printed so far."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # the stream is closed or missing


def _write(text):
    """Writes all of the text to stderr at once, because other ranks write there, too."""
    left = text.encode(errors="backslashreplace")
    try:
        while left:
            left = left[os.write(2, left):]
    except OSError:
        pass  # nobody reads it


def _end_job(kind, value, trace):
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would tear the report
    except ValueError:
        pass  # not the main thread
    flush()
    if _before is sys.__excepthook__:
        _write("".join(traceback.format_exception(kind, value, trace)))
    else:
        _before(kind, value, trace)
    if not _core.initialized() or not _core.launched():
        return
    last = traceback.format_exception_only(kind, value)[-1].strip()
    _core.abort(CODE_OF_CTRL_C if issubclass(kind, KeyboardInterrupt) else 1, last)


def watch():
    """From now on, an exception that nobody catches ends the job."""
    global _before
    if _before is None:
        _before = sys.excepthook
        sys.excepthook = _end_job
