# SPDX-License-Identifier: BSD-3-Clause
"""A round of a schedule: the operations of a rank, and the blocks of memory that they name."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tutti import _core

BUFFERS = ("input", "output", "scratch")
# A run of blocks: buffer, first, count, stride, times. `times` runs of `count` blocks each, whose
# first blocks are `stride` apart.
Run = tuple[int, int, int, int, int]
_RUN = re.compile(r"(input|output|scratch)\[(\d+)(?:\.\.(\d+))?\](?: x (\d+) by (-?\d+))?")


class Shape(NamedTuple):
    """The arguments of a schedule: the number of ranks `p`, and the root."""
    p: int
    root: int = 0


def _text_of(run: Run) -> str:
    buffer, first, count, stride, times = run
    last = f"..{first + count - 1}" if count > 1 else ""
    repeated = f" x {times} by {stride}" if times > 1 else ""
    return f"{BUFFERS[buffer]}[{first}{last}]{repeated}"




class Blocks:
    """Blocks of a rank's buffers, one after the other. `a + b` are the blocks of both."""

    __slots__ = ("runs",)

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = tuple(runs)

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "Blocks":
        """Reads blocks as files of schedules write them, such as ["output[0..3]"]."""
        runs = []
        for text in texts:
            found = _RUN.fullmatch(text)
            if found is None:
                raise _core.InvalidArgument(f"'{text}' is no block such as output[0..3]")
            buffer, first, last, times, stride = found.groups()
            runs.append((BUFFERS.index(buffer), int(first), int(last or first) - int(first) + 1,
                         int(stride or 0), int(times or 1)))
        return cls(runs)

    def texts(self) -> list[str]:
        """Returns the blocks as files of schedules write them."""
        return [_text_of(run) for run in self.runs]

    def numbers(self) -> list[int]:
        """Returns the number of each block in its buffer."""
        return [first + j * stride + i for _, first, count, stride, times in self.runs
                for j in range(times) for i in range(count)]

    def __len__(self) -> int:
        return sum(count * times for _, _, count, _, times in self.runs)

    def __add__(self, other: "Blocks") -> "Blocks":
        return Blocks(self.runs + other.runs) if isinstance(other, Blocks) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blocks) and self.runs == other.runs

    def __hash__(self) -> int:
        return hash(self.runs)

    def __repr__(self) -> str:
        text = ", ".join(self.texts())
        return text if len(text) < 200 else text[:200] + "..."


# A summand: the message of a rank, or blocks of one's own.
Operand = int | Blocks


class Round:
    """The operations of one rank in one round. All sends read what was there before the round; the
    other operations follow in the order in which they are added."""

    __slots__ = ("operations", "_shape", "_me", "_sizes")

    def __init__(self, shape: Shape, me: int, sizes: tuple[int, int, int]) -> None:
        # Each is a verb, its blocks, and the ranks or the operands.
        self.operations: list[tuple[str, tuple[Run, ...], Any]] = []
        self._shape = shape
        self._me = me
        self._sizes = sizes  # how many blocks each buffer has

    def input(self, first: int | Iterable[int], count: int = 1, *, stride: int = 0,
              times: int = 1) -> Blocks:
        """Returns blocks of the input, from number `first` on; or those of several numbers."""
        return Blocks(self._runs(0, first, count, stride, times))

    def output(self, first: int | Iterable[int], count: int = 1, *, stride: int = 0,
               times: int = 1) -> Blocks:
        """Returns blocks of the output, from number `first` on; or those of several numbers."""
        return Blocks(self._runs(1, first, count, stride, times))

    def scratch(self, first: int | Iterable[int], count: int = 1, *, stride: int = 0,
                times: int = 1) -> Blocks:
        """Returns blocks of memory that a rank has for itself while the operation lasts."""
        return Blocks(self._runs(2, first, count, stride, times))

    def send(self, blocks: Blocks, to: int | Iterable[int]) -> None:
        """Sends the blocks to a rank, or to each of several."""
        for rank in (to if isinstance(to, Iterable) else (to,)):
            self.operations.append(("send", blocks.runs, self._rank(rank)))

    def receive(self, blocks: Blocks, source: int) -> None:
        """Receives into the blocks what the rank `source` sends in this round."""
        self.operations.append(("receive", blocks.runs, self._rank(source)))

    def receive_combine(self, blocks: Blocks, operands: Iterable[Operand]) -> None:
        """Makes the blocks the sum of the operands, from the first to the last. An operand is the
        number of a rank, whose message is meant, or blocks."""
        self.operations.append(("receive_combine", blocks.runs, self._operands(operands)))

    def combine(self, blocks: Blocks, operands: Iterable[Blocks]) -> None:
        """Makes the blocks the sum of other blocks."""
        self.operations.append(("combine", blocks.runs, self._operands(operands)))

    def copy(self, blocks: Blocks, source: Blocks) -> None:
        """Copies the blocks `source` into the blocks."""
        self.operations.append(("copy", blocks.runs, (source.runs,)))

    def _runs(self, buffer: int, first: int | Iterable[int], count: int, stride: int,
              times: int) -> Iterator[Run]:
        if isinstance(first, Iterable):
            for number in first:
                yield from self._runs(buffer, number, count, stride, times)
            return
        if count < 1 or times < 1:
            raise _core.InvalidArgument(f"{count} blocks, {times} times, are no blocks")
        end = first + (times - 1) * stride
        for number in (min(first, end), max(first, end) + count - 1):
            if not 0 <= number < self._sizes[buffer]:
                raise _core.InvalidArgument(
                    f"there is no block {number} of the {BUFFERS[buffer]}: it has "
                    f"{self._sizes[buffer]} blocks, numbered from 0")
        yield buffer, int(first), int(count), int(stride), int(times)

    def _rank(self, number: int) -> int:
        if not 0 <= number < self._shape.p:
            raise _core.InvalidArgument(f"there is no rank {number}: there are {self._shape.p}, "
                                        "numbered from 0")
        if number == self._me:
            raise _core.InvalidArgument(f"rank {number} cannot send to itself")
        return int(number)

    def _operands(self, operands: Iterable[Operand]) -> tuple[int | tuple[Run, ...], ...]:
        return tuple(one.runs if isinstance(one, Blocks) else self._rank(one) for one in operands)


def program_operation(operation: tuple[str, tuple[Run, ...], Any]) -> dict[str, Any]:
    """Returns an operation of a round as files of schedules write it."""
    verb, runs, other = operation
    blocks = [_text_of(run) for run in runs]
    if verb in ("send", "receive"):
        return {verb: blocks, "to" if verb == "send" else "from": other}
    return {
        verb: blocks,
        "of": [{"from": one} if isinstance(one, int) else [_text_of(run) for run in one]
               for one in other]
    }
