# SPDX-License-Identifier: BSD-3-Clause
"""Schedules: what every rank does in every round of one operation, for one number of ranks."""

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from tutti import _command, _core
from tutti._records import Picture, Records, shortened
from tutti._rounds import Blocks

if TYPE_CHECKING:
    from tutti._study import Explanation, Simulation, Verdict

MOST_RANKS_SHOWN = 16  # a picture of more ranks is drawn only if it is asked for


def _expanded(to: Any) -> list[int]:
    """Returns the receivers of a send, which files write in three ways."""
    if isinstance(to, int):
        return [to]
    if isinstance(to, list):
        return to
    ranks = range(0, to["count"] * to.get("stride", 1), to.get("stride", 1))
    return [to["first"] + i for i in ranks if to["first"] + i != to.get("except", -1)]


class Schedule:
    """The operations of every rank in every round, for one number of ranks. `program` is the
    content of the schedule's file, see tutti-program(5)."""

    def __init__(self, program: dict[str, Any]) -> None:
        if program.get("tutti_program") != 1:
            raise _core.InvalidArgument("this is no schedule: it has no 'tutti_program': 1")
        self.program = program

    @classmethod
    def from_json(cls, text: str) -> "Schedule":
        """Reads a schedule from the text of its file. Nothing is proved yet."""
        return cls(json.loads(text))

    def to_json(self) -> str:
        """Returns the text of the schedule's file."""
        return json.dumps(self.program, separators=(",", ":")) + "\n"

    @property
    def operation(self) -> str:
        """The name of the operation."""
        return str(self.program["operation"])

    @property
    def n(self) -> int:
        """The number of ranks."""
        return int(self.program["p"])

    @property
    def root(self) -> int | None:
        """The root; None where the operation has none."""
        root = self.program.get("root")
        return None if root is None else int(root)

    @property
    def name(self) -> str:
        """The name of the algorithm, if the schedule has one."""
        return str(self.program.get("name", ""))

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.program["rounds"])

    @property
    def messages(self) -> Records:
        """All messages: round (counted from 1), source, dest, the blocks by name, and their
        numbers in the buffer."""
        rows = []
        for number, ranks in enumerate(self.program["rounds"], 1):
            for rank, operations in ranks.items():
                for one in operations:
                    if "send" not in one:
                        continue
                    numbers = Blocks.from_texts(one["send"]).numbers()
                    rows += [{"round": number, "source": int(rank), "dest": dest,
                              "blocks": one["send"], "numbers": numbers}
                             for dest in _expanded(one["to"])]
        return Records(rows)

    def work(self, rank: int) -> Records:
        """All operations of a rank, with the round of each, counted from 1."""
        return Records({"round": number, **one}
                       for number, ranks in enumerate(self.program["rounds"], 1)
                       for one in ranks[str(rank)])

    def verify(self) -> "Verdict":
        """Proves the schedule. Returns a Verdict, which is true if it is right."""
        from tutti import _study
        return _study.verify(self)

    def explain(self, **options: Any) -> "Explanation":
        """Prices the schedule; the options are those of tutti.explain()."""
        from tutti import _study
        return _study.explain(self, **options)

    def simulate(self, **options: Any) -> "Simulation":
        """Simulates the schedule; the options are those of tutti.simulate()."""
        from tutti import _study
        return _study.simulate(self, **options)

    def picture(self, all_rounds: bool = False) -> Picture:
        """Draws the schedule round by round: which blocks travel, and what every rank holds. Rounds
        that equal others are left out unless `all_rounds` is true."""
        words = ["-", "--svg", "-", "--force"] + (["--all"] if all_rounds else [])
        return Picture(_command.text("draw", *words, stdin=self.to_json()), repr(self))

    def film(self) -> dict[str, Any]:
        """Returns what every rank holds after every round, as `tutti draw --json` tells it."""
        found: dict[str, Any] = _command.answer("draw", "-", stdin=self.to_json())
        return found

    def save(self, path: str) -> None:
        """Writes a picture if the name ends with .svg, and else the schedule's file."""
        if path.endswith(".svg"):
            return self.picture().save(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())
        return None

    def install(self, group: _core.Group) -> _core.Plan:
        """Makes a plan of the group that runs this schedule. All its ranks call this. The schedule
        is proved first. A plan is called: plan(input, out=None, op="sum")."""
        if group.size != self.n:
            raise _core.InvalidArgument(f"the schedule is for {self.n} ranks and the group has "
                                        f"{group.size}")
        descriptor, path = tempfile.mkstemp(prefix="tutti-", suffix=".json")
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(self.to_json())
            return group.plan(self.operation, f"file:{path}", root=self.root or 0)
        finally:
            os.unlink(path)

    def _repr_html_(self) -> str | None:
        return self.picture()._repr_html_() if self.n <= MOST_RANKS_SHOWN else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schedule) and self.program == other.program

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = f" {shortened(self.name, 100)}" if self.name else ""
        root = "" if self.root is None else f", root {self.root}"
        return (f"<tutti.Schedule: {self.operation}{name}, {self.n} ranks{root}, "
                f"{self.rounds} rounds>")
