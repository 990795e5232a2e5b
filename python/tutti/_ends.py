# SPDX-License-Identifier: BSD-3-Clause
"""Ends the job when an exception ends one of its processes."""

import io
import os
import signal
import sys
import traceback
from types import TracebackType

from tutti import _core

CODE_OF_CTRL_C = 130
_before = sys.excepthook  # the hook that was there before ours


def flush() -> None:
    """Writes what the program has printed so far."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # the stream is closed or missing


def _write(text: str) -> None:
    """Writes all of the text to stderr at once, because other ranks write there, too."""
    left = text.encode(errors="backslashreplace")
    try:
        while left:
            left = left[os.write(2, left):]
    except OSError:
        pass  # nobody reads it


def _told(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> str:
    """Returns the report that Python prints. The module traceback leaves out its suggestions."""
    before, sys.stderr = sys.stderr, io.StringIO()
    try:
        sys.__excepthook__(kind, value, trace)
        return sys.stderr.getvalue()
    finally:
        sys.stderr = before


def _end_job(kind: type[BaseException], value: BaseException,
             trace: TracebackType | None) -> None:
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would tear the report
    except ValueError:
        pass  # not the main thread
    flush()
    if _before is sys.__excepthook__:
        _write(_told(kind, value, trace))
    else:
        _before(kind, value, trace)
    if not _core.initialized() or not _core.launched():
        return
    last = traceback.format_exception_only(kind, value)[-1].strip()
    _core.abort(CODE_OF_CTRL_C if issubclass(kind, KeyboardInterrupt) else 1, last)


def watch() -> None:
    """From now on, an exception that nobody catches ends the job."""
    global _before
    if sys.excepthook is not _end_job:
        _before = sys.excepthook
        sys.excepthook = _end_job
