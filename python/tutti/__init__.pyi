# SPDX-License-Identifier: BSD-3-Clause
from collections.abc import Callable, Iterable
from typing import Any

from tutti._core import (
    ABSMAX as ABSMAX, ABSMIN as ABSMIN, ANY as ANY, BIT_AND as BIT_AND, BIT_OR as BIT_OR,
    BIT_XOR as BIT_XOR, LOGICAL_AND as LOGICAL_AND, LOGICAL_OR as LOGICAL_OR,
    LOGICAL_XOR as LOGICAL_XOR, MAX as MAX, MIN as MIN, PRODUCT as PRODUCT, SUM as SUM,
    BadEnvironment as BadEnvironment, Error as Error, InvalidArgument as InvalidArgument,
    JobEnded as JobEnded, Mismatch as Mismatch, NoSlot as NoSlot, NoSuchPlan as NoSuchPlan,
    NotAMember as NotAMember, NotInitialized as NotInitialized, Op as Op,
    OperatorFailed as OperatorFailed, OutOfMemory as OutOfMemory, PeerLeft as PeerLeft,
    Plan as Plan, Request as Request, StaleHandle as StaleHandle, Status as Status,
    SystemRefused as SystemRefused, Truncated as Truncated, WouldWait as WouldWait,
    WrongThread as WrongThread)
from tutti._generator import Generator as Generator, generator as generator
from tutti._group import Group as Group
from tutti._papers import Exhibit as Exhibit, reproduce as reproduce
from tutti._records import Picture as Picture, Records as Records
from tutti._schedule import Schedule as Schedule
from tutti._study import (
    Explanation as Explanation, Simulation as Simulation, Verdict as Verdict,
    algorithms as algorithms, draw as draw, explain as explain, machines as machines,
    simulate as simulate, verify as verify)

__all__ = [
    "ABSMAX", "ABSMIN", "ANY", "BIT_AND", "BIT_OR", "BIT_XOR", "LOGICAL_AND", "LOGICAL_OR",
    "LOGICAL_XOR", "MAX", "MIN", "PRODUCT", "SUM",
    "BadEnvironment", "Error", "InvalidArgument", "JobEnded", "Mismatch", "NoSlot", "NoSuchPlan",
    "NotAMember", "NotInitialized", "OperatorFailed", "OutOfMemory", "PeerLeft", "StaleHandle",
    "SystemRefused", "Truncated", "WouldWait", "WrongThread",
    "Group", "Op", "Plan", "Request", "Status",
    "abort", "finalize", "init", "initialized", "launched", "op", "wait_all", "wait_any",
    "world",
    "Exhibit", "Explanation", "Generator", "Picture", "Records", "Schedule", "Simulation",
    "Verdict",
    "algorithms", "draw", "explain", "generator", "machines", "reproduce", "simulate", "verify"
]

_Function = Callable[[Any, Any], Any]

__version__: str
world: Group

def init() -> Group: ...
def finalize() -> None: ...
def initialized() -> bool: ...
def launched() -> bool: ...
def abort(code: int = 1, text: str = "") -> None: ...
def wait_all(requests: Iterable[Request]) -> list[Any]: ...
def wait_any(requests: Iterable[Request], timeout: float | None = None) -> int | None: ...
def op(dtype: Any, commutative: bool = True, whole: bool = False) -> Callable[[_Function], Op]: ...
def load_ipython_extension(shell: Any) -> None: ...
