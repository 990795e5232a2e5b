# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms that are written in Python: a function says what one rank does in one round."""

import inspect
import os
import tempfile
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tutti import _core
from tutti._rounds import Round, Shape, program_operation
from tutti._schedule import Schedule

if TYPE_CHECKING:
    from tutti._study import Verdict

_ALIASES = {"bcast": "broadcast"}
_ROOTED = ("broadcast", "reduce", "scatter", "gather")
_CUT_BY_RANK = ("scatter", "gather", "allgather", "reduce_scatter", "alltoall")
_OPERATIONS = ("barrier", "broadcast", "reduce", "allreduce", "scatter", "gather", "allgather",
               "reduce_scatter", "alltoall", "scan", "exscan")
USUAL_RANKS = range(2, 65)

Emit = Callable[[Round, Shape, int, int], object]
Number = int | Callable[[Shape], int]


def _number(given: Number, shape: Shape) -> int:
    return int(given(shape)) if callable(given) else given


class Generator:
    """An algorithm that a function in Python describes. It can be proved, drawn, priced and
    simulated, and run by jobs. `tutti.generator` makes it."""

    def __init__(self, emit: Emit, operation: str, rounds: Number, blocks: Number | None,
                 scratch: Number, needs: Callable[[Shape], bool] | None, commutative: bool,
                 in_place: bool, name: str | None) -> None:
        self.emit = emit
        self.operation = _ALIASES.get(operation, operation)
        if self.operation not in _OPERATIONS:
            raise _core.InvalidArgument(f"there is no operation '{operation}'; there are: " +
                                        ", ".join(_OPERATIONS))
        self.name = name or emit.__name__
        self.about = shortest_doc(emit)
        self.commutative = commutative
        self.in_place = in_place
        self._rounds = rounds
        self._blocks = blocks
        self._scratch = scratch
        self._needs = needs
        self._sized, self._sizes = Shape(0), (0, 0, 0)  # the last shape, and its blocks
        self.__doc__ = emit.__doc__

    def serves(self, n: int, root: int = 0) -> bool:
        """Returns True if there is a schedule for so many ranks."""
        return self._needs is None or bool(self._needs(Shape(n, root)))

    def rounds(self, n: int, root: int = 0) -> int:
        """Returns the number of rounds for so many ranks."""
        return _number(self._rounds, Shape(n, root))

    def parts(self, n: int, root: int = 0) -> int:
        """Returns into how many parts the vector is cut."""
        if self._blocks is not None:
            return _number(self._blocks, Shape(n, root))
        return n if self.operation in _CUT_BY_RANK else 1

    def scratch(self, n: int, root: int = 0) -> int:
        """Returns how many blocks of scratch memory a rank needs."""
        return _number(self._scratch, Shape(n, root))

    def round(self, n: int, root: int, me: int, t: int) -> Round:
        """Returns what rank `me` does in round t, which is counted from 0."""
        shape = Shape(n, root)
        if self._sized != shape:
            buffers = self._buffers(n, root)
            self._sized, self._sizes = shape, (buffers["input"], buffers["output"],
                                               buffers["scratch"])
        made = Round(shape, me, self._sizes)
        self.emit(made, shape, me, t)
        return made

    def operations(self, n: int, root: int, me: int, t: int) -> list[tuple[str, Any, Any]]:
        """Returns the operations of that round: a verb, its blocks, and ranks or operands."""
        return self.round(n, root, me, t).operations

    def schedule(self, n: int, root: int = 0) -> Schedule:
        """Returns the schedule for so many ranks. Nobody has proved it yet."""
        if not self.serves(n, root):
            raise _core.NoSuchPlan(f"{self.name} does not serve {n} ranks: its function 'needs' "
                                   "says so")
        rounds = [{str(me): [program_operation(one) for one in self.operations(n, root, me, t)]
                   for me in range(n)} for t in range(self.rounds(n, root))]
        program = {"tutti_program": 1, "name": self.name, "about": self.about,
                   "operation": self.operation, "p": n}
        if self.operation in _ROOTED:
            program["root"] = root
        program |= {"commutative_only": self.commutative, "in_place": self.in_place,
                    "buffers": self._buffers(n, root), "rounds": rounds}
        return Schedule(program)

    def _buffers(self, n: int, root: int) -> dict[str, Any]:
        """Returns the sizes of the buffers that the operation has, see tutti-program(5)."""
        if self.operation == "barrier":
            return {"parts": 0, "input": 0, "output": 0, "scratch": 0}
        parts = self.parts(n, root)
        own_input = self.operation in ("gather", "allgather")
        own_output = self.operation in ("scatter", "reduce_scatter")
        if self.operation in _CUT_BY_RANK and parts % n != 0:
            raise _core.InvalidArgument(f"{self.name} cuts the vector into {parts} blocks, which "
                                        f"is no multiple of {n} ranks")
        whole_input = 0 if self.operation == "broadcast" else parts
        return {"parts": parts, "input": parts // n if own_input else whole_input,
                "output": parts // n if own_output else parts, "scratch": self.scratch(n, root),
                "input_own_part": own_input, "output_own_part": own_output}

    def verify(self, n: int | Iterable[int] = USUAL_RANKS, root: int = 0) -> "Verdict":
        """Proves the schedules for all these numbers of ranks, those that it serves. Returns a
        Verdict, which is true if all are right, and which has the counter-example if one is not."""
        from tutti import _study
        numbers = [p for p in ([n] if isinstance(n, int) else n) if self.serves(p, root)]
        if not numbers:
            raise _core.NoSuchPlan(f"{self.name} serves none of these numbers of ranks")
        with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
            for p in numbers:
                self.schedule(p, root).save(os.path.join(folder, f"{self.name}-{p:04}.json"))
            return _study.verify_folder(folder, f"{self.operation} {self.name}")

    def register(self, candidate: bool = False) -> None:
        """Makes the algorithm known to this process by its name, before it joins a job: for plans
        and for TUTTI_ALGORITHM. With `candidate`, tutti chooses it where it is the fastest in the
        model. All processes of a job register the same algorithms. The function is called when a
        plan is made, and never by a call of the plan."""
        _core.register_generator(self.name, self.operation, self.about, self,
                                 self._needs is not None, self.commutative, not self.in_place,
                                 candidate)

    def install(self, group: _core.Group, root: int = 0) -> _core.Plan:
        """Makes a plan of the group that runs this algorithm. All its ranks call this."""
        return self.schedule(group.size, root).install(group)

    def __repr__(self) -> str:
        return f"<tutti.Generator: {self.operation} {self.name}>"


def shortest_doc(function: Callable[..., object]) -> str:
    """Returns the first line of what the function says about itself."""
    text = inspect.getdoc(function)
    return text.splitlines()[0][:200] if text else ""


def generator(operation: str, *, rounds: Number, blocks: Number | None = None, scratch: Number = 0,
              needs: Callable[[Shape], bool] | None = None, commutative: bool = True,
              in_place: bool = False, name: str | None = None) -> Callable[[Emit], Generator]:
    """A decorator that makes an algorithm of a function fn(r, shape, me, t), which tells `r` what
    rank `me` does in round t of a schedule for shape.p ranks.

    `rounds` is their number, or a function of the shape that returns it, and so are the next two.
    `blocks` says into how many parts the vector is cut. The default is one, or one for each rank
    where the operation gives each rank a part. `scratch` says how many blocks of memory a rank has
    for itself. `needs` is a function of the shape that returns False where the algorithm does not
    serve. With `commutative` False, operands are combined in the order of the ranks. With
    `in_place`, input and output may be the same memory. Both are proved."""

    def decorate(function: Emit) -> Generator:
        return Generator(function, operation, rounds, blocks, scratch, needs, commutative, in_place,
                         name)

    return decorate
