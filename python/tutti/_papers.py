# SPDX-License-Identifier: BSD-3-Clause
"""The tables and figures of the papers, each beside what this library computes."""

import tempfile
from typing import Any, overload

from tutti import _command
from tutti._records import Picture, Records, shortened


class Exhibit:
    """A table or a figure of a paper. `json` has everything."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.json = found

    @property
    def name(self) -> str:
        """Its name, such as 000-table-12."""
        return str(self.json["name"])

    @property
    def subject(self) -> str:
        """Its subject."""
        return str(self.json["subject"])

    @property
    def state(self) -> str:
        """How far it is reproduced, see tutti-reproduce(1)."""
        return str(self.json["state"])

    @property
    def rows(self) -> Records:
        """The numbers of the paper beside ours."""
        names = ("label", "unit", "paper", "ours", "ratio", "state", "source")
        return Records({name: row[name] for name in names} for row in self.json["rows"])

    @property
    def parameters(self) -> Records:
        """The numbers that went into ours, with their sources."""
        return Records(self.json["parameters"])

    @property
    def pictures(self) -> list[Picture]:
        """The figure as we compute it; empty if it is a table."""
        with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
            said = _command.text("reproduce", self.name, "--svg", folder)
            titles = dict(line.rpartition(".svg: ")[::2] for line in said.splitlines())
            return [_picture(path + ".svg", title) for path, title in sorted(titles.items())]

    def _repr_html_(self) -> str:
        return f"<p>{self.name}: {self.subject}: {self.state}</p>" + self.rows._repr_html_()

    def __repr__(self) -> str:
        return (f"<tutti.Exhibit {self.name}: {shortened(self.subject, 150)}: {self.state}, "
                f"{len(self.json['rows'])} rows>")


def _picture(path: str, title: str) -> Picture:
    with open(path, encoding="utf-8") as file:
        return Picture(file.read(), title)


@overload
def reproduce(name: str) -> Exhibit: ...


@overload
def reproduce(name: None = None, *, paper: str | None = None) -> Records: ...


def reproduce(name: str | None = None, *, paper: str | None = None) -> Exhibit | Records:
    """Returns a table or figure of a paper beside what we compute, such as "000-table-12". Without
    a name, returns the list of them, of one paper or of all."""
    if name is None:
        words = _command.words_of({"paper": paper})
        return Records(_command.answer("reproduce", "--list", *words)["exhibits"])
    return Exhibit(_command.answer("reproduce", name)["exhibits"][0])
