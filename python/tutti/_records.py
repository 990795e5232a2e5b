# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pictures, which the study functions return and a notebook shows."""

import html
import json
from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

MOST_ROWS_SHOWN = 60
_LONGEST_CELL = 80


def shortened(text: str, length: int) -> str:
    """Returns the text, or its beginning if it is longer."""
    return text if len(text) <= length else text[:length - 3] + "..."


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (dict, list, tuple)):
        value = json.dumps(value, default=str)
    return html.escape(shortened(str(value), _LONGEST_CELL))


def arranged(row: dict[str, Any], first: Iterable[str]) -> dict[str, Any]:
    """Returns the row with these columns in front of the others."""
    return {**{name: row[name] for name in first if name in row}, **row}


class Records(list[dict[str, Any]]):
    """Rows of a table: a list of dicts. A notebook shows it as a table."""

    _what = "Records"

    def __init__(self, rows: Iterable[dict[str, Any]] = ()) -> None:
        super().__init__(rows)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order in which rows have them."""
        return list(dict.fromkeys(name for row in self for name in row))

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column, row by row."""
        return [row.get(name) for row in self]

    def to_dataframe(self) -> Any:
        """Returns the table as a DataFrame of pandas, which has to be installed."""
        import pandas
        return pandas.DataFrame(list(self), columns=self.columns)

    @overload
    def __getitem__(self, place: SupportsIndex) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> "Records": ...

    def __getitem__(self, place: SupportsIndex | slice) -> "dict[str, Any] | Records":
        if isinstance(place, slice):
            return Records(super().__getitem__(place))
        return super().__getitem__(place)

    def _repr_html_(self) -> str:
        columns = self.columns
        lines = ["<table><thead><tr>"]
        lines += [f"<th>{html.escape(name)}</th>" for name in columns]
        lines.append("</tr></thead><tbody>")
        for row in list(self)[:MOST_ROWS_SHOWN]:
            cells = "".join(f"<td>{_cell(row.get(name))}</td>" for name in columns)
            lines.append(f"<tr>{cells}</tr>")
        lines.append("</tbody></table>")
        if len(self) > MOST_ROWS_SHOWN:
            lines.append(f"<p>and {len(self) - MOST_ROWS_SHOWN} more rows</p>")
        return "".join(lines)

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
        columns = shortened(", ".join(self.columns), 200)
        return f"<tutti.{self._what}: {rows}" + (f" of {columns}>" if columns else ">")


class Picture:
    """A picture as SVG, which a notebook shows."""

    def __init__(self, svg: str, title: str = "") -> None:
        self.svg = svg
        self.title = title

    def save(self, path: str) -> None:
        """Writes the picture into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<tutti.Picture: {shortened(self.title, 200)}, {len(self.svg)} bytes>"
