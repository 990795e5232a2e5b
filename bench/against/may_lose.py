# SPDX-License-Identifier: BSD-3-Clause
"""Reads may_lose.toml, the list of cells that may become slower, and up to which ratio."""
import fnmatch
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "may_lose.toml"
KEYS = {"bench", "cell", "crowded", "most", "reason"}


class Mistake(Exception):
    """The list cannot be read."""


@dataclass
class Entry:
    """Patterns as those of a shell. A cell is crowded if it has more ranks than processors."""
    bench: str
    cell: str
    most: float
    reason: str
    crowded: bool = False

    def holds(self, cell, ratio):
        return (fnmatch.fnmatchcase(cell["bench"], self.bench)
                and fnmatch.fnmatchcase(cell["cell"], self.cell)
                and (cell["crowded"] or not self.crowded) and ratio <= self.most)


def entry_of(table, place):
    """Checks an entry, because a pattern without a limit or a reason would hide any loss."""
    unknown, missing = set(table) - KEYS, KEYS - {"crowded"} - set(table)
    if unknown or missing:
        raise Mistake(f"{place}: " + "; ".join(
            f"{what} {', '.join(sorted(names))}"
            for what, names in (("unknown", unknown), ("missing", missing)) if names))
    if not isinstance(table["most"], (int, float)) or table["most"] <= 1:
        raise Mistake(f"{place}: `most` is a ratio above 1, not {table['most']}")
    if not table["reason"].strip():
        raise Mistake(f"{place}: the reason is empty")
    return Entry(**table)


def read(file=FILE):
    """Returns the entries of a list."""
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Mistake(f"{file}: {error}") from error
    if set(tables) - {"may_lose"}:
        raise Mistake(f"{file}: only tables [[may_lose]] are known")
    return [entry_of(table, f"{file.name}, entry {number + 1}")
            for number, table in enumerate(tables.get("may_lose", []))]


def reason(entries, cell, ratio):
    """Returns why a cell may have this ratio, or None if it may not."""
    return next((entry.reason for entry in entries if entry.holds(cell, ratio)), None)
