# SPDX-License-Identifier: BSD-3-Clause
"""tutti: collective communication as schedules.

`tutti run -n 4 python3 prog.py` starts four processes. Importing this module joins nothing; the
first use of `tutti.world`, or `tutti.init()`, joins the job. explain(), simulate(), verify(),
draw(), reproduce(), algorithms(), machines() and the decorator `generator` study algorithms without
a job."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from tutti import _arrays, _core, _ends
from tutti._core import (
    ABSMAX, ABSMIN, ANY, BIT_AND, BIT_OR, BIT_XOR, LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR, MAX, MIN,
    PRODUCT, SUM,
    BadEnvironment, Error, InvalidArgument, JobEnded, Mismatch, NoSlot, NoSuchPlan, NotAMember,
    NotInitialized, Op, OperatorFailed, OutOfMemory, PeerLeft, Plan, Request, StaleHandle, Status,
    SystemRefused,
    Truncated, WouldWait, WrongThread)
from tutti._group import Group
from tutti._operators import op

if TYPE_CHECKING:  # the parts for study are loaded when they are first used
    from tutti._cells import JobFailed
    from tutti._generator import Generator, generator
    from tutti._papers import Exhibit, reproduce
    from tutti._records import Picture, Records
    from tutti._schedule import Schedule
    from tutti._study import (
        Explanation, Simulation, Verdict, algorithms, draw, explain, machines, simulate, verify)

__version__ = _core.version
__all__ = [
    "ABSMAX", "ABSMIN", "ANY", "BIT_AND", "BIT_OR", "BIT_XOR", "LOGICAL_AND", "LOGICAL_OR",
    "LOGICAL_XOR", "MAX", "MIN", "PRODUCT", "SUM",
    "BadEnvironment", "Error", "InvalidArgument", "JobEnded", "Mismatch", "NoSlot", "NoSuchPlan",
    "NotAMember", "NotInitialized", "OperatorFailed", "OutOfMemory", "PeerLeft", "StaleHandle",
    "SystemRefused", "Truncated", "WouldWait", "WrongThread", "JobFailed",
    "Group", "Op", "Plan", "Request", "Status",
    "abort", "empty", "finalize", "init", "initialized", "launched", "op", "wait_all", "wait_any",
    "world",
    "Exhibit", "Explanation", "Generator", "Picture", "Records", "Schedule", "Simulation",
    "Verdict",
    "algorithms", "draw", "explain", "generator", "machines", "reproduce", "simulate", "verify"
]

# Most programs only communicate, so these are loaded when they are first used.
_STUDY = {
    "_cells": ("JobFailed",),
    "_generator": ("Generator", "generator"),
    "_papers": ("Exhibit", "reproduce"),
    "_records": ("Picture", "Records"),
    "_schedule": ("Schedule",),
    "_study": ("Explanation", "Simulation", "Verdict", "algorithms", "draw", "explain", "machines",
               "simulate", "verify"),
}
world: Group  # made by its first use
_world: Group | None = None


def init() -> Group:
    """Joins the job of the launcher, or makes a job of one. Returns the group of all processes,
    which is tutti.world. The first use of tutti.world does this, too."""
    global _world
    if _world is None:
        if launched():
            from tutti import _mpi
            _mpi.load()
        _world = Group._world()
        _ends.watch()
    return _world


def finalize() -> None:
    """Leaves the job. Nothing can be joined again. A program need not call it."""
    global _world
    _core.finalize()
    _world = None


def initialized() -> bool:
    """Returns True between joining the job and leaving it."""
    return _core.initialized()


def launched() -> bool:
    """Returns True if a launcher has started this process."""
    return _core.launched()


def abort(code: int = 1, text: str = "") -> None:
    """Ends every process of the job.

    code: the exit code of the job.
    text: the reason, which the report of the job has.
    """
    _ends.flush()
    _core.abort(code, text)


def empty(shape: SupportsIndex | Sequence[SupportsIndex], dtype: Any = "float64") -> Any:
    """Returns a new array of NumPy in memory that all processes of the machine reach. Long data of
    collectives are copied once there, which elsewhere needs a permission of the system.

    shape: an integer or several, as NumPy's empty() takes them; the contents are arbitrary.
    dtype: the type of the elements, such as "int32".

    The memory is freed with the last reference to it. It counts against TUTTI_SHM_LIMIT, and
    OutOfMemory is raised when that is reached. Without NumPy, this is a memoryview.

    >>> values = tutti.empty((2, 500))
    >>> values[:] = 1
    >>> int(tutti.world.allreduce(values, values)[1, 499])
    2
    """
    init()
    return _arrays.empty(shape, dtype)


def wait_all(requests: Iterable[Request]) -> list[Any]:
    """Waits for all requests. Returns the list of their results.

    >>> tutti.wait_all([world.iallreduce(1), world.ibcast(2.5)])
    [2, 2.5]
    """
    return [request.wait() for request in requests]


def wait_any(requests: Iterable[Request], timeout: float | None = None) -> int | None:
    """Waits until one of the requests that are in flight is done. Returns its place in the list;
    None if none is in flight. Raises WouldWait if none is done after `timeout` seconds.

    >>> tutti.wait_any([world.ibarrier()], timeout=60)
    0
    """
    return _core.wait_any(list(requests), timeout)


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext tutti` in a notebook, which makes cells `%%tutti -n 4` jobs."""
    from tutti import _cells
    _cells.load(shell)


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name == "world":
        return init()
    for module, names in _STUDY.items():
        if name in names:
            return getattr(__import__(f"tutti.{module}", fromlist=[name]), name)
    if name.startswith("_"):  # such as the module of the next line, before it is loaded
        raise AttributeError(f"module 'tutti' has no attribute {name!r}")
    from tutti import _names
    raise _names.no_attribute("module 'tutti'", name, __all__, _names.OF_THE_MODULE)
