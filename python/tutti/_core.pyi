# SPDX-License-Identifier: BSD-3-Clause
# The signatures and texts of the classes and functions that are written in C. python/texts.py makes
# of this file the texts of help() and inspect.signature(). An example is of a job of two ranks, in
# which `world` is tutti.world, and a test runs it.
from _typeshed import structseq
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar, final, overload

_Self = TypeVar("_Self", bound="Group")
_Data = TypeVar("_Data")
_Number = TypeVar("_Number", int, float, complex)

class _Fillable(Protocol):
    def __setitem__(self, place: Any, value: Any, /) -> Any: ...

_Out = TypeVar("_Out", bound=_Fillable)
_Counts = Sequence[int] | None
_CountsOfAll = tuple[Sequence[int], Sequence[int]] | None
_Operator = str | Op | Callable[..., Any] | None

version: str
ANY: Final[int]
SUM: Final[Op]
PRODUCT: Final[Op]
MAX: Final[Op]
MIN: Final[Op]
ABSMAX: Final[Op]
ABSMIN: Final[Op]
LOGICAL_AND: Final[Op]
LOGICAL_OR: Final[Op]
LOGICAL_XOR: Final[Op]
BIT_AND: Final[Op]
BIT_OR: Final[Op]
BIT_XOR: Final[Op]

class Error(RuntimeError): ...
class InvalidArgument(Error, ValueError): ...
class NotInitialized(Error): ...
class StaleHandle(Error): ...
class NotAMember(Error): ...
class NoSuchPlan(Error, LookupError): ...
class Mismatch(Error): ...
class OutOfMemory(Error, MemoryError): ...
class NoSlot(Error): ...
class JobEnded(Error): ...
class PeerLeft(Error, ConnectionError): ...
class SystemRefused(Error, OSError): ...
class BadEnvironment(Error, ValueError): ...
class Truncated(Error): ...
class WouldWait(Error, BlockingIOError): ...
class WrongThread(Error): ...
class OperatorFailed(Error): ...

def finalize() -> None:
    """Leaves the job. Nothing can be joined again."""

def initialized() -> bool:
    """Returns True between joining the job and leaving it."""

def launched() -> bool:
    """Returns True if a launcher has started this process."""

def abort(code: int, text: str, /) -> None:
    """Ends every process of the job. The report of the job has the text."""

def alloc(bytes: int, /) -> memoryview:
    """Returns memory that all processes of the machine reach. The view keeps it."""

def register_generator(name: str, operation: str, about: str, generator: Any, has_needs: bool,
                       commutative: bool, separate: bool, candidate: bool, /) -> None:
    """Makes an algorithm known that a tutti.Generator describes."""

def wait_any(requests: list[Request], timeout: float | None, /) -> int | None:
    """Waits for one of the requests, for at most `timeout` seconds. Returns its place."""

def make_op(type: str, function: Callable[[Any, Any], Any],
            as_array: Callable[[memoryview], Any], commutative: bool, whole: bool, /) -> Op:
    """Makes an operator of a function. `as_array` makes an array of bytes."""

@final
class Status(structseq[int], tuple[int, int]):
    """Where a message came from, and its tag; `bytes` is its length."""

    __match_args__: Final = ("source", "tag")
    @property
    def source(self) -> int:
        """The rank of the sender."""
    @property
    def tag(self) -> int:
        """The tag of the message."""
    @property
    def bytes(self) -> int:
        """The length of the message in bytes."""

@final
class Op:
    """An operator that combines two elements: one of the library, such as tutti.MAX, or one that
    tutti.op() has made. An operator of a function can be called like that function."""

    def __call__(self, left: Any, right: Any) -> Any: ...

@final
class Request:
    """An operation that was started (i<name>) or prepared (<name>_init). It keeps the arrays of the
    operation until it is done. A call of a prepared one starts it and waits."""

    def wait(self, timeout: float | None = None) -> Any:
        """Waits until the operation is done, for at most `timeout` seconds. Returns its result.

        Raises WouldWait if it is not done in time; it can be waited for again.
        """
    def test(self) -> bool:
        """Returns True if the operation is done."""
    def cancel(self) -> bool:
        """Takes back a message that no other process has seen. Returns True if that could be
        done."""
    def start(self) -> None:
        """Starts a prepared operation."""
    def free(self) -> None:
        """Frees a prepared operation that is not in flight."""
    def __call__(self) -> Any: ...

@final
class Plan:
    """An operation of a group by one algorithm. A call of it runs it, with the arguments of the
    operation but for the root, which is the plan's."""

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
    @property
    def operation(self) -> str:
        """The name of the operation."""
    @property
    def root(self) -> int:
        """The root; 0 where the operation has none."""
    @property
    def text(self) -> str:
        """The sends and receives of this rank, round by round."""
    @property
    def json(self) -> str:
        """The work of all ranks: a file of tutti-program(5)."""
    def start(self, input: Any = None, out: Any = None, op: _Operator = None,
              counts: _Counts = None) -> Request:
        """Starts the plan. The request's wait() returns the result."""
    def init(self, input: Any = None, out: Any = None, op: _Operator = None,
             counts: _Counts = None) -> Request:
        """Prepares the plan. Each call of the request runs it with the same arrays."""
    def __call__(self, input: Any = None, out: Any = None, op: _Operator = None,
                 counts: _Counts = None) -> Any: ...

class Group:
    @classmethod
    def _world(cls: type[_Self]) -> _Self:
        """Joins the job. Returns its group."""
    @property
    def rank(self) -> int:
        """The number of this process, from 0 to size - 1."""
    @property
    def size(self) -> int:
        """The number of processes."""
    @property
    def members(self) -> list[int]:
        """The ranks of the members in the world, in the order of the group."""
    def ranks_in(self, other: Group, /) -> list[int]:
        """Returns the rank in another group of each rank of this one; -1 for one that is not
        there."""
    def split(self: _Self, color: int | None, key: int = 0) -> _Self | None:
        """Makes a group of the ranks that give the same color.

        color: an integer from 0 on; None makes no group and returns None.
        key: decides the order of the new ranks; equal keys keep the order of the old ones.

        >>> half = world.split(world.rank % 2)
        >>> half.size
        1
        """
    def create(self: _Self, ranks: Sequence[int], /) -> _Self:
        """Makes a group of an ordered list of ranks. Only its members call this.

        >>> world.create([1, 0]).rank == 1 - world.rank
        True
        """
    def dup(self: _Self) -> _Self:
        """Makes another group of the same ranks, whose messages are apart from this one's."""
    def mesh(self: _Self, rows: int, columns: int) -> tuple[_Self, _Self]:
        """Makes the groups of the row and of the column of this rank in a mesh, which is filled row
        by row. Raises InvalidArgument unless rows times columns is the size.

        >>> row, column = world.mesh(1, 2)
        >>> row.size, column.size
        (2, 1)
        """
    def free(self) -> None:
        """Frees the group. A group in a `with` statement is freed at its end."""
    def plan(self, operation: str, algorithm: str | None = None, *, bytes: int = 0, root: int = 0,
             branches: int = 0, rings: int = 0, segments: int = 0,
             factors: Sequence[int] | None = None, cut: int = 0, rows: int = 0) -> Plan:
        """Returns the plan of an operation by an algorithm, which can be called often.

        operation: the name of a collective, such as "allreduce".
        algorithm: its name; tutti.algorithms(operation) lists them. None lets tutti choose for
        vectors of so many bytes.
        bytes: the length of the vector, for that choice.
        root: the root of bcast, reduce, scatter and gather.
        The others are settings of algorithms; 0 or None leaves them to tutti.
        Raises NoSuchPlan if no algorithm has that name or serves this group.

        >>> ring = world.plan("allreduce", "ring")
        >>> ring(world.rank + 1.0)
        3.0
        """
    def send(self, data: Any, dest: int, tag: int = 0) -> None:
        """Sends data, which may be changed when this returns.

        data: an array of any shape, a number or a list of numbers.
        dest: the rank that receives.
        tag: a number from 0 on, by which recv() can choose.

        >>> came = numpy.empty(2)
        >>> request = world.irecv(came, source=1 - world.rank)
        >>> world.send([1.5, 2.5], dest=1 - world.rank)
        >>> request.wait().bytes, came.tolist()
        (16, [1.5, 2.5])
        """
    def recv(self, out: Any, source: int = -1, tag: int = -1) -> Status:
        """Receives a message of the length of `out` into it. Returns the Status.

        source, tag: of the message; tutti.ANY takes the first one that comes.
        Raises Mismatch if the message has another length; types are not compared.
        """
    def probe(self, source: int = -1, tag: int = -1,
              timeout: float | None = None) -> Status | None:
        """Returns the Status of the message that recv() would take, which stays.

        timeout: after so many seconds without a message, None is returned; None waits for ever.
        """
    def isend(self, data: Any, dest: int, tag: int = 0) -> Request:
        """Starts send(). The data may be changed after the request's wait()."""
    def irecv(self, out: Any, source: int = -1, tag: int = -1) -> Request:
        """Starts recv(). The request's wait() returns the Status."""
    def barrier(self) -> None:
        """Waits until all ranks of the group have called it."""
    def ibarrier(self) -> Request:
        """Starts barrier()."""
    def barrier_init(self) -> Request:
        """Prepares barrier()."""
    def bcast(self, data: _Data, root: int = 0) -> _Data:
        """Copies the data of the root to all ranks. Returns the data.

        data: an array of any shape, which is filled in place at all ranks but the root. A number or
        a list is copied; other ranks give one of the same kind and length.

        >>> world.bcast(3.5 if world.rank == 0 else 0.0)
        3.5
        """
    def ibcast(self, data: _Data, root: int = 0) -> Request:
        """Starts bcast(). The request's wait() returns the data."""
    def bcast_init(self, data: _Data, root: int = 0) -> Request:
        """Prepares bcast()."""
    @overload
    def reduce(self, input: _Data, out: None = None, op: _Operator = None,
               root: int = 0) -> _Data | None:
        """Combines the inputs of all ranks at the root. Returns None at the others.

        The arguments and errors are those of allreduce(); only the root needs memory for `out`.

        >>> total = world.reduce(world.rank + 1, op="product", root=1)
        >>> total == (2 if world.rank == 1 else None)
        True
        """
    @overload
    def reduce(self, input: Any, out: _Out, op: _Operator = None, root: int = 0) -> _Out | None: ...
    def ireduce(self, input: Any, out: Any = None, op: _Operator = None, root: int = 0) -> Request:
        """Starts reduce(). The request's wait() returns the result."""
    def reduce_init(self, input: Any, out: Any = None, op: _Operator = None,
                    root: int = 0) -> Request:
        """Prepares reduce(). Each call of the request combines what the input has then."""
    @overload
    def allreduce(self, input: _Data, out: None = None, op: _Operator = None) -> _Data:
        """Combines the inputs of all ranks, element by element, for all ranks.

        input: an array of any shape, a number or a list; of one shape and type on all ranks.
        out: an array of that shape and type, also the input itself. None makes a new result.
        op: "sum" if it is None; "product", "max", "min", "mean" and others, by name, as tutti.MAX,
        as numpy.maximum, or an operator of tutti.op(). "mean" is of floating-point numbers.
        Returns `out`, or a new array, number or list like the input.
        Raises TypeError for elements that nothing combines, InvalidArgument for other wrong
        arguments, and Mismatch, after which the job is not usable, if the ranks' calls differ.

        >>> x = numpy.arange(3.0) + world.rank
        >>> world.allreduce(x)
        array([1., 3., 5.])
        >>> world.allreduce(x, out=x, op=numpy.maximum)
        array([1., 2., 3.])
        """
    @overload
    def allreduce(self, input: Any, out: _Out, op: _Operator = None) -> _Out: ...
    def iallreduce(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Starts allreduce(). The request's wait() returns the result."""
    def allreduce_init(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Prepares allreduce(). Each call of the request combines what the input has then."""
    @overload
    def gather(self, input: _Number, out: None = None, root: int = 0,
               counts: None = None) -> list[_Number] | None:
        """Collects the inputs of all ranks at the root, in the order of the ranks.

        input: an array of shape S, a number or a list. With counts, the first extents may differ.
        out: an array of shape (size, *S), or with counts of sum(counts) rows. None makes one.
        counts: how many rows, along the first axis, come from each rank. If one rank gives counts,
        all do; only the root's are looked at.
        Returns the result at the root, and None at the others. Numbers and lists make a list.

        >>> parts = world.gather(numpy.full(3, world.rank))
        >>> parts is None if world.rank > 0 else parts.shape == (2, 3)
        True
        """
    @overload
    def gather(self, input: list[_Number], out: None = None, root: int = 0,
               counts: _Counts = None) -> list[Any] | None: ...
    @overload
    def gather(self, input: _Data, out: None = None, root: int = 0,
               counts: _Counts = None) -> _Data | None: ...
    @overload
    def gather(self, input: Any, out: _Out, root: int = 0,
               counts: _Counts = None) -> _Out | None: ...
    def igather(self, input: Any, out: Any = None, root: int = 0,
                counts: _Counts = None) -> Request:
        """Starts gather(). The request's wait() returns the result."""
    def gather_init(self, input: Any, out: Any = None, root: int = 0,
                    counts: _Counts = None) -> Request:
        """Prepares gather()."""
    def scatter(self, input: Any, out: _Out, root: int = 0, counts: _Counts = None) -> _Out:
        """Divides the root's input among the ranks, in the order of the ranks.

        input: at the root, an array of shape (size, *S), or with counts of sum(counts) rows; it is
        not looked at elsewhere, and may be None.
        out: an array of shape S for the part of this rank.
        counts: how many rows each rank gets. If one rank gives counts, all do.
        Returns `out`.

        >>> world.scatter(numpy.array([[1, 2], [3, 4]]), numpy.empty(2, int)).tolist() == (
        ...     [1, 2] if world.rank == 0 else [3, 4])
        True
        """
    def iscatter(self, input: Any, out: Any, root: int = 0, counts: _Counts = None) -> Request:
        """Starts scatter(). The request's wait() returns `out`."""
    def scatter_init(self, input: Any, out: Any, root: int = 0,
                     counts: _Counts = None) -> Request:
        """Prepares scatter()."""
    @overload
    def allgather(self, input: _Number, out: None = None,
                  counts: None = None) -> list[_Number]:
        """Collects the inputs of all ranks for all ranks, in the order of the ranks.

        The arguments are those of gather(); all ranks give the same counts, or none.

        >>> world.allgather(world.rank)
        [0, 1]
        >>> world.allgather(numpy.full(1 + world.rank, world.rank), counts=[1, 2])
        array([0, 1, 1])
        """
    @overload
    def allgather(self, input: list[_Number], out: None = None,
                  counts: _Counts = None) -> list[Any]: ...
    @overload
    def allgather(self, input: _Data, out: None = None, counts: _Counts = None) -> _Data: ...
    @overload
    def allgather(self, input: Any, out: _Out, counts: _Counts = None) -> _Out: ...
    def iallgather(self, input: Any, out: Any = None, counts: _Counts = None) -> Request:
        """Starts allgather(). The request's wait() returns the result."""
    def allgather_init(self, input: Any, out: Any = None, counts: _Counts = None) -> Request:
        """Prepares allgather()."""
    @overload
    def reduce_scatter(self, input: _Data, out: None = None, op: _Operator = None,
                       counts: _Counts = None) -> _Data:
        """Combines the inputs of all ranks and divides the result, in the order of the ranks.

        input: an array, or a list, whose first extent is a multiple of the size, or sum(counts).
        out: an array for the part of this rank. None makes one.
        op: as in allreduce().
        counts: how many rows each rank gets, the same on all ranks.

        >>> world.reduce_scatter([1.0, 1.0]) == [2.0]
        True
        """
    @overload
    def reduce_scatter(self, input: Any, out: _Out, op: _Operator = None,
                       counts: _Counts = None) -> _Out: ...
    def ireduce_scatter(self, input: Any, out: Any = None, op: _Operator = None,
                        counts: _Counts = None) -> Request:
        """Starts reduce_scatter(). The request's wait() returns the result."""
    def reduce_scatter_init(self, input: Any, out: Any = None, op: _Operator = None,
                            counts: _Counts = None) -> Request:
        """Prepares reduce_scatter(). Each call of it combines what the input has then."""
    @overload
    def alltoall(self, input: _Data, out: None = None, counts: _CountsOfAll = None) -> _Data:
        """Sends part r of the input to rank r, and puts the part from rank r into part r of the
        result.

        input: an array or a list whose first extent is a multiple of the size, or the sum of the
        first counts.
        out: an array of that shape, or of as many rows as the second counts say. None makes one.
        counts: two lists: how many rows go to each rank, and how many come from it.

        >>> world.alltoall([10 * world.rank, 10 * world.rank + 1]) == [world.rank, 10 + world.rank]
        True
        """
    @overload
    def alltoall(self, input: Any, out: _Out, counts: _CountsOfAll = None) -> _Out: ...
    def ialltoall(self, input: Any, out: Any = None, counts: _CountsOfAll = None) -> Request:
        """Starts alltoall(). The request's wait() returns the result."""
    def alltoall_init(self, input: Any, out: Any = None, counts: _CountsOfAll = None) -> Request:
        """Prepares alltoall()."""
    @overload
    def scan(self, input: _Data, out: None = None, op: _Operator = None) -> _Data:
        """Combines the inputs of the ranks 0 to r for each rank r.

        The arguments are those of allreduce(); there is no "mean".

        >>> world.scan(1) == world.rank + 1
        True
        """
    @overload
    def scan(self, input: Any, out: _Out, op: _Operator = None) -> _Out: ...
    def iscan(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Starts scan(). The request's wait() returns the result."""
    def scan_init(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Prepares scan()."""
    @overload
    def exscan(self, input: _Data, out: None = None, op: _Operator = None) -> _Data | None:
        """Combines the inputs of the ranks before each rank.

        The arguments are those of scan(). Rank 0 gets None, or its `out` as it was.

        >>> world.exscan(5) == (None if world.rank == 0 else 5)
        True
        """
    @overload
    def exscan(self, input: Any, out: _Out, op: _Operator = None) -> _Out: ...
    def iexscan(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Starts exscan(). The request's wait() returns the result."""
    def exscan_init(self, input: Any, out: Any = None, op: _Operator = None) -> Request:
        """Prepares exscan()."""
