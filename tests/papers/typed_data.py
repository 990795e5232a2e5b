# SPDX-License-Identifier: BSD-3-Clause
"""Compares the data files of papers 003 and 004 with the numbers that were typed from the texts:
the tables of the thesis and the charts of the complete exchange. Models are fed with them."""
import pathlib
import re

from typed_thesis import MACHINES, MPI

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "papers" / "data"
CHARTS = {"5": "fig5", "6": "fig6", "7": "fig7", "8": "fig8_as_printed", "9": "fig9"}


def application(fields):
    """Returns where a line of appendices D to G stands in the typed file."""
    table, p, parameter, library, *values = fields
    product = table[0] in "DE"
    columns = ("efficiency", "error const g", "error g(h,h*)" if product else "error g(h)")
    return (f"003-table-{table}", f"{MPI.get(library, library)} p={p} "
            f"{'q' if product else 'alpha'}={parameter}", columns, values)


def communication(fields):
    """Returns where a line of appendix C stands in the typed file."""
    what, machine, library, key, *values = fields
    row, columns = f"{library.replace('Oxtool', 'OXTOOL')} ", ("f",)
    if what == "f":
        row += key
    else:
        row, columns = row + f"p={key}", ("no communication", "cyclic shift", "all-to-all")
    if what == "g":
        pattern, access, *values = values
        access = access.capitalize().replace("Hpg", "HpG").replace("Hpp", "HpP")
        row = f"{pattern.replace('random', 'random permutation')} {row} {access}"
        columns = ("g_inf", "h_half", "o", "eps_BSP*", "eps_BSP")
    table = "flg".index(what) + 3 * MACHINES.index(machine) + 1
    return f"003-table-C.{table}", row, columns, values


def lines_of(path):
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


def cells():
    """Returns the numbers of the thesis with the keys of the typed ones."""
    for path, key_of in ((DATA / "thesis_applications.csv", application),
                         (ROOT / "study/bsp_model/data/thesis.csv", communication)):
        for line in lines_of(path):
            exhibit, row, columns, values = key_of(line.split(","))
            for column, value in zip(columns, values, strict=True):
                yield (exhibit, row, column), float(value)


def marks():
    """Returns how many links each message of a chart takes, and in which step."""
    for figure, name in CHARTS.items():
        for line in lines_of(DATA / "charts" / f"{name}.txt"):
            _, *parts = re.split(r"(\d{3}-[->]\d{3})", line)
            for message, links in zip(parts[::2], parts[1::2]):
                found = re.sub(r"[. ]", "", links)
                yield (f"004-figure-{figure}", message, "marks"), len(found)
                if figure != "5" and found:
                    step = int(found[0], 16) if len(set(found)) == 1 else found
                    yield (f"004-figure-{figure}", message, "step"), step


def compare(typed):
    """Returns how many numbers were compared, and a line for each that is another one."""
    count, wrong = 0, []
    for key, value in (*cells(), *marks()):
        count += 1
        found = typed.number(*key)
        if found != value:
            wrong.append(f"{', '.join(key)}: the text has {found}, and the data file {value}")
    return count, wrong
