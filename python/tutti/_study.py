# SPDX-License-Identifier: BSD-3-Clause
"""Studies algorithms by the command tutti: prices, simulations, proofs, the papers. No function of
this file joins a job."""

import os
import tempfile
from collections.abc import Iterable
from typing import Any

from tutti import _command, _core
from tutti._generator import USUAL_RANKS, Generator
from tutti._records import Picture, Records, arranged, shortened
from tutti._schedule import MOST_RANKS_SHOWN, Schedule

# An operation by its name, or a schedule, or an algorithm in Python. A text may also be the path of
# a schedule's file.
Subject = str | Schedule | Generator
Size = int | str


def _asked(subject: Subject, algorithm: Any, n: Any,
           root: Any) -> tuple[list[str], dict[str, Any], str | None]:
    """Returns the words, the options and the standard input that ask about the subject."""
    if isinstance(subject, Generator):
        if not isinstance(n, int):
            raise _core.InvalidArgument(f"{subject!r} needs n, the number of ranks")
        subject, n, root = subject.schedule(n, root or 0), None, None
    if isinstance(subject, Schedule):
        if algorithm is not None:
            raise _core.InvalidArgument(f"{subject!r} is a schedule, so there is no algorithm "
                                        "to choose")
        return ["-"], {"n": n, "root": root}, subject.to_json()
    return [subject], {"algorithm": algorithm, "n": n, "root": root}, None


class Explanation:
    """The answer of explain(). `json` has everything. A notebook shows the prices as a table, and
    as curves over the size of the vector."""

    def __init__(self, found: dict[str, Any], name: str, words: list[str],
                 program: str | None) -> None:
        self.json = found
        self._name = name
        self._words = words
        self._program = program

    @property
    def winner(self) -> str | None:
        """The name of the algorithm that the model finds the fastest."""
        name: str | None = self.json["winner"]
        return name

    @property
    def candidates(self) -> Records:
        """All that may serve the call, the fastest first. alpha counts messages one after another;
        beta and gamma tell how often the whole vector is moved and combined."""
        return Records(map(_candidate, self.json["candidates"]))

    @property
    def not_eligible(self) -> Records:
        """The others, and why they may not serve the call."""
        return Records(self.json["not_eligible"])

    @property
    def crossovers(self) -> Records:
        """From how many bytes on which algorithm is the fastest."""
        return Records(self.json["crossovers"])

    @property
    def library(self) -> Any:
        """The choice of the library on this machine, and its reason; None for another machine."""
        return self.json["library"]

    @property
    def asked(self) -> Any:
        """The row of the algorithm that the question names, or of the schedule."""
        found = self.json["asked"]
        return None if found is None else _named(_candidate(found), self._name)

    @property
    def title(self) -> str:
        """The question."""
        found = self.json
        return (f"{found['operation']}, {found['ranks']} ranks, {found['bytes']} bytes, "
                f"{found['machine']['name']}")

    def picture(self, over: str = "bytes") -> Picture:
        """Draws the prices of the best algorithms, and of the one that was asked about, over
        "bytes" or "ranks"."""
        return _curves("explain", [*self._words, "--over", over], self._program, self.title)

    def _repr_html_(self) -> str:
        rows = self.candidates[:12]
        asked = self.asked
        if asked is not None and asked["name"] not in rows.column("name"):
            rows = Records([asked, *rows])
        over = "ranks" if self.json["operation"] == "barrier" else "bytes"
        try:
            picture = self.picture(over)._repr_html_()
        except _core.InvalidArgument:  # one rank alone pays nothing
            picture = ""
        return f"<p>{self.title}: <b>{self.winner}</b></p>{rows._repr_html_()}{picture}"

    def __repr__(self) -> str:
        return (f"<tutti.Explanation: {self.title}: {self.winner} is the fastest of "
                f"{len(self.json['candidates'])}>")


def _candidate(row: dict[str, Any]) -> dict[str, Any]:
    terms = row["terms"] or {}
    return {"name": row["name"], "time_us": row["time_us"], **terms, "why": row["why"],
            "source": row["source"]}


def _named(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns the row of a schedule by its name, which may be that of another candidate."""
    return {**row, "name": name or "schedule"} if row["name"] == "file:-" else row


def _curves(verb: str, words: list[str], program: str | None, title: str) -> Picture:
    """Returns the picture that a verb draws of the times that it has found."""
    with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
        path = os.path.join(folder, "curves.svg")
        _command.text(verb, *words, "--curve", path, stdin=program)
        with open(path, encoding="utf-8") as file:
            return Picture(file.read(), title)


def _name_of(subject: Subject) -> str:
    return subject if isinstance(subject, str) else subject.name


def explain(operation: Subject, algorithm: str | None = None, n: int | None = None, *,
            bytes: Size | None = None, block_bytes: Size | None = None, root: int | None = None,
            machine: str | None = None, topology: str | None = None,
            hosts: int | Iterable[int] | None = None, ordered: bool = False,
            reproducible: bool = False) -> Explanation:
    """Says which algorithm a call gets on a machine, by default this one, and why not the others.
    With `algorithm`, or for a schedule, `asked` is the price of that one."""
    words, options, program = _asked(operation, algorithm, n, root)
    options |= {"bytes": bytes, "block_bytes": block_bytes, "machine": machine,
                "topology": topology, "ordered": ordered, "reproducible": reproducible,
                "hosts": hosts if hosts is None or isinstance(hosts, int) else list(hosts)}
    words += _command.words_of(options)
    return Explanation(_command.answer("explain", *words, stdin=program), _name_of(operation),
                       words, program)


class Simulation(Records):
    """Simulated times: a row for each algorithm, size and number of ranks. Times are in
    microseconds. A notebook shows times over several sizes or numbers of ranks as curves, too. If
    there is one row only, the doings of every rank and link are known, and it shows a time line."""

    _what = "Simulation"

    def __init__(self, found: dict[str, Any], words: list[str], program: str | None) -> None:
        self.json = found
        self._words = words
        self._program = program
        super().__init__(_simulated(part, row)
                         for part in found["settings"] for row in part["results"])

    @property
    def best(self) -> dict[str, Any]:
        """The row with the shortest time."""
        return min(self, key=lambda row: row["time_us"])

    @property
    def detail(self) -> dict[str, Any]:
        """The events of the simulation: `path`, the messages and the work that the last rank has
        waited for, `per_rank`, `per_link`, and more."""
        if len(self) != 1:
            raise _core.InvalidArgument(f"there are {len(self)} simulations: ask for one algorithm "
                                        "and one size")
        found: dict[str, Any] = self.json["settings"][0]["results"][0]["detail"]
        return found

    @property
    def per_rank(self) -> Records:
        """How long each rank did what."""
        return Records({"rank": rank, **row} for rank, row in enumerate(self.detail["per_rank"]))

    @property
    def per_link(self) -> Records:
        """How long each link was busy, and how much went over it."""
        return Records(self.detail["per_link"])

    @property
    def timeline(self) -> Records:
        """The doings of each rank, from when to when."""
        found = _command.answer("simulate", *self._words, "--timeline", stdin=self._program)
        rows = found["settings"][0]["results"][0]["detail"]["timeline"]["bars"]
        return Records(arranged(row, ("rank", "doing", "from_us", "to_us")) for row in rows)

    def picture(self) -> Picture:
        """Draws the times as curves over the size of the vector or the number of ranks. If there is
        one row only, draws its time line: a row for each rank, time runs to the right."""
        if len(self) > 1:
            return _curves("simulate", self._words, self._program, "Simulated times")
        return Picture(_command.text("simulate", *self._words, "--svg", "-", "--force",
                                     stdin=self._program), repr(self))

    def _repr_html_(self) -> str:
        table = super()._repr_html_()
        if len(self) == 1 and self[0]["ranks"] <= MOST_RANKS_SHOWN:
            return table + self.picture()._repr_html_()
        parts = self.json["settings"]
        over_bytes = any(len({row["bytes"] for row in part["results"]}) > 1 for part in parts)
        over_ranks = len({part["ranks"] for part in parts}) > 1
        return table + self.picture()._repr_html_() if over_bytes != over_ranks else table


def _simulated(part: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    flat = {**{name: part[name] for name in ("machine", "topology", "ranks")}, **row}
    flat = {name: value for name, value in flat.items() if name not in ("worst", "detail")}
    return arranged(flat, ("machine", "topology", "ranks", "algorithm", "bytes", "time_us",
                           "formula_us", "waited_us", "contentions", "messages"))


def simulate(operation: Subject, algorithm: str | Iterable[str] | None = None,
             n: int | Iterable[int] | None = None, *, machine: str,
             bytes: Size | Iterable[Size] | None = None,
             block_bytes: Size | Iterable[Size] | None = None, root: int | None = None,
             topology: str | None = None, sync: str | None = None, seed: int | None = None,
             runs: int | None = None, noise: float | None = None,
             drift: float | None = None) -> Simulation:
    """Says how long algorithms take on a described machine, whose messages may delay each other.
    Several algorithms, sizes and numbers of ranks give a row each; without an algorithm, all that
    suit are tried."""
    several = algorithm if algorithm is None or isinstance(algorithm, str) else list(algorithm)
    words, options, program = _asked(operation, several, _numbers_of(n), root)
    options |= {"machine": machine, "bytes": _sizes(bytes), "block_bytes": _sizes(block_bytes),
                "topology": topology, "sync": sync, "seed": seed, "runs": runs, "noise": noise,
                "drift": drift}
    words += _command.words_of(options)
    found = _command.answer("simulate", *words, stdin=program)
    return Simulation(found, words, program)


def _numbers_of(given: int | Iterable[int] | None) -> int | range | list[int] | None:
    return given if given is None or isinstance(given, (int, range)) else list(given)


def _sizes(given: Size | Iterable[Size] | None) -> Size | list[Size] | None:
    return given if given is None or isinstance(given, (int, str)) else list(given)


class Verdict:
    """The answer of verify(), which is true if all schedules are right. `counterexample` has the
    first mistake, with the number of ranks, the rank and the round."""

    def __init__(self, found: dict[str, Any], what: str) -> None:
        self.json = found
        self._what = what

    def __bool__(self) -> bool:
        return bool(self.json["correct"])

    @property
    def results(self) -> Records:
        """A row for each algorithm, or for each schedule that is wrong."""
        return Records(self.json["results"])

    @property
    def counterexample(self) -> Any:
        """The first mistake; None if there is none."""
        found = (row.get("counterexample") for row in self.json["results"])
        return next((one for one in found if one is not None), None)

    @property
    def problem(self) -> str:
        """The first mistake as a sentence; empty if there is none."""
        for row in self.json["results"]:
            if row.get("problem"):
                return str(row["problem"])
        return ""

    @property
    def ranks(self) -> list[int]:
        """The numbers of ranks for which the schedules are proved."""
        return sorted({p for row in self.json["results"] for p in row.get("ranks", [])})

    def __repr__(self) -> str:
        if self:
            return f"<tutti.Verdict: {self._what} is right for {_numbers(self.ranks)} ranks>"
        return f"<tutti.Verdict: {self._what} is wrong: {shortened(self.problem, 180)}>"


def _numbers(ranks: list[int]) -> str:
    if len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1)):
        return f"{ranks[0]} to {ranks[-1]}"
    return shortened(", ".join(map(str, ranks)), 60)


def verify(operation: Subject, algorithm: str | None = None, n: int | Iterable[int] | None = None,
           *, root: int | str | None = None) -> Verdict:
    """Proves algorithms right for so many ranks, by default 1 to 64, or proves a schedule. A
    Verdict is true if everything is right."""
    if isinstance(operation, Generator):
        return operation.verify(USUAL_RANKS if n is None else n, int(root or 0))
    words, options, program = _asked(operation, algorithm, _numbers_of(n), root)
    if isinstance(operation, Schedule):
        what = f"{operation.operation} {operation.name}".strip()
    else:
        what = f"{operation} {algorithm or ''}".strip()
    return Verdict(_command.answer("verify", *words, *_command.words_of(options), stdin=program),
                   what)


def verify_folder(folder: str, what: str) -> Verdict:
    """Proves all schedules in a folder, which are of one operation."""
    return Verdict(_command.answer("verify", f"file:{folder}"), what)


def draw(operation: Subject, algorithm: str | None = None, n: int | None = None, *,
         root: int | None = None) -> Schedule:
    """Returns the schedule of an algorithm for so many ranks, which a notebook draws. Without an
    algorithm, it is the schedule of the one that would run for a vector of 1 KiB."""
    if isinstance(operation, Schedule):
        return operation
    if isinstance(operation, Generator):
        if n is None:
            raise _core.InvalidArgument(f"{operation!r} needs n, the number of ranks")
        return operation.schedule(n, root or 0)
    words, options, _ = _asked(operation, algorithm, n, root)
    return Schedule.from_json(_command.text("export", *words, *_command.words_of(options),
                                            "--force", "--json"))


def algorithms(operation: str | None = None) -> Records:
    """Returns the algorithms there are, of one operation or of all."""
    rows = [arranged(row, ("operation", "name", "about", "cost", "needs", "source"))
            for row in _command.answer("info", "--algorithms")["algorithms"]]
    if operation is None:
        return Records(rows)
    found = [row for row in rows
             if operation == row["operation"] or operation in row["operation_aliases"].split()]
    if not found:
        raise _core.InvalidArgument(f"there are no algorithms for '{operation}'")
    return Records(found)


def _with_units(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the row with its rates as numbers, whose names have their units: alpha_us."""
    flat = {}
    for name, value in row.items():
        unit = value["unit"].replace(" ", "_") if isinstance(value, dict) else ""
        number = value["value"] if isinstance(value, dict) else value
        flat[f"{name}_{unit}" if unit else name] = number
    return flat


def machines(name: str | None = None) -> Records:
    """Returns the machines that can be simulated, or all numbers of one machine."""
    if name is None:
        rows = _command.answer("info", "--machines")["machines"]
        return Records(arranged(_with_units(row), ("name", "topology", "nodes", "about"))
                       for row in rows)
    rows = _command.answer("info", "--machine", name)["machine"]["parameters"]
    return Records(arranged(row, ("name", "value", "unit", "status")) for row in rows)
