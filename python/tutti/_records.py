# SPDX-License-Identifier: BSD-3-Clause
"""Tables and pictures, which the study functions return and a notebook shows."""

import base64
import html
import json
from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

MOST_ROWS_SHOWN = 60
_LONGEST_CELL = 300
# A long table scrolls in a frame, and a long text is wrapped. By themselves, notebooks align all
# cells to the right.
_FRAME = "max-height:32em;overflow:auto"
_TEXT = "text-align:left;max-width:24em;white-space:normal;overflow-wrap:break-word"
_FROM_HERE_WITHOUT_FRACTION = 1000


def shortened(text: str, length: int) -> str:
    """Returns the text, or its beginning if it is longer."""
    return text if len(text) <= length else text[:length - 3] + "..."


def _cell(value: Any) -> str:
    """Returns a value as a cell of a table. Numbers have four digits, or all in front of the
    point."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"<td>{value:,}</td>"
    if isinstance(value, float):
        large = abs(value) >= _FROM_HERE_WITHOUT_FRACTION
        return f"<td>{value:,.0f}</td>" if large else f"<td>{value:.4g}</td>"
    if value is None or isinstance(value, bool):
        value = {None: "", True: "yes", False: "no"}[value]
    elif not isinstance(value, str):
        value = json.dumps(value, default=str)
    return f'<td style="{_TEXT}">{html.escape(shortened(value, _LONGEST_CELL))}</td>'


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

    def select(self, *names: str) -> "Records":
        """Returns the table with these columns only, in this order."""
        return Records({name: row.get(name) for name in names} for row in self)

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
        lines = [f'<div style="{_FRAME}"><table><thead><tr>']
        lines += [f"<th>{html.escape(name)}</th>" for name in columns]
        lines.append("</tr></thead><tbody>")
        for row in list(self)[:MOST_ROWS_SHOWN]:
            cells = "".join(_cell(row.get(name)) for name in columns)
            lines.append(f"<tr>{cells}</tr>")
        lines.append("</tbody></table></div>")
        if len(self) > MOST_ROWS_SHOWN:
            lines.append(f"<p>and {len(self) - MOST_ROWS_SHOWN} more rows</p>")
        return "".join(lines)

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
        columns = shortened(", ".join(self.columns), 200)
        return f"<tutti.{self._what}: {rows}" + (f" of {columns}>" if columns else ">")


class Picture:
    """A picture as SVG. A notebook shows it as wide as a cell at most."""

    def __init__(self, svg: str, title: str = "") -> None:
        self.svg = svg
        self.title = title

    def save(self, path: str) -> None:
        """Writes the picture into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_html_(self) -> str:
        # An image can be scaled, and its styles count for nothing else on the page.
        data = base64.b64encode(self.svg.encode()).decode()
        return (f'<img alt="{html.escape(self.title)}" style="max-width:100%;height:auto" '
                f'src="data:image/svg+xml;base64,{data}"/>')

    def __repr__(self) -> str:
        return f"<tutti.Picture: {shortened(self.title, 200)}, {len(self.svg)} bytes>"
