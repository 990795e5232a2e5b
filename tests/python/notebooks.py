# SPDX-License-Identifier: BSD-3-Clause
"""Executes the notebooks and checks what their cells show: no error, pictures that are XML, tables,
and the lines of every rank. Exit code 77 without nbclient or ipykernel. Arguments: the folder of
the notebooks, the command."""

import base64
import os
import re
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

try:
    import ipykernel  # noqa: F401
    import nbformat
    from nbclient import NotebookClient
except ImportError as missing:
    print(f"skipped: {missing} (packages python3-nbconvert and python3-ipykernel)")
    sys.exit(77)

FOLDER, COMMAND = Path(sys.argv[1]), Path(sys.argv[2])
PICTURE = "src=\"data:image/svg+xml;base64,"
# Texts that the outputs of each notebook must have.
WANTED = {
    "ring_allreduce": ["[0] [1111. 1111.", "[3] [1111. 1111.", "is right for 2 to 16 ranks",
                       PICTURE],
    "which_algorithm": ["ipsc860", "for 64 bytes,", "simulated_us", PICTURE, "decided_by"],
    "own_algorithm": ["is wrong: round", "is right for 2 to 32 ranks", PICTURE,
                      "[4] both_ways [0. 1. 2. 3.]", "[3] [7 7 7]",
                      "both_ways.json is right for 6 ranks"],
}
FAILING = ["%load_ext tutti", """%%tutti -n 3
import tutti
if tutti.world.rank == 1:
    raise ValueError("my bad")
tutti.world.barrier()
"""]


def executed(notebook, folder):
    NotebookClient(notebook, timeout=300, kernel_name="python3",
                   resources={"metadata": {"path": folder}}).execute()
    return notebook


def texts_of(notebook):
    """Returns all that the cells show."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            yield from [output.get("text", ""), *output.get("data", {}).values(),
                        "\n".join(output.get("traceback", []))]


def check(path, folder, problems):
    """Executes a notebook. Nothing of what it writes stays."""
    notebook = executed(nbformat.read(path, as_version=4), folder)
    texts = list(texts_of(notebook))
    for wanted in WANTED[path.stem]:
        if not any(wanted in text for text in texts):
            problems.append(f"{path.name}: no cell shows '{wanted}'")
    for page in (text for text in texts if PICTURE in text):
        pictures = re.findall(re.escape(PICTURE) + "([^\"]*)", page)
        for picture in pictures:
            ElementTree.fromstring(base64.b64decode(picture))
        if len(pictures) != page.count("max-width:100%"):
            problems.append(f"{path.name}: a picture can be wider than its cell")


def check_a_job_that_fails(folder, problems):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)
                                               for text in FAILING])
    notebook.cells[1].metadata["tags"] = ["raises-exception"]
    texts = "\n".join(texts_of(executed(notebook, folder)))
    if "UsageError" in texts or "_cells.py" in texts:
        problems.append(f"a job that fails is reported as a fault of the cell:\n{texts}")
    for wanted in ("[1] ValueError: my bad", "tutti run: rank 1 ",
                   "JobFailed: the job ended with exit code 1"):
        if wanted not in texts:
            problems.append(f"a job that fails: '{wanted}' is not shown:\n{texts}")


def main():
    os.environ["PATH"] = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # of the kernel's debugger, which warns
    problems = []
    found = sorted(FOLDER.glob("*.ipynb"))
    if sorted(WANTED) != [path.stem for path in found]:
        problems.append(f"the notebooks are {found}")
    for path in found:
        stored = [cell for cell in nbformat.read(path, as_version=4).cells if cell.get("outputs")]
        if stored:
            problems.append(f"{path.name} has stored outputs")
        with tempfile.TemporaryDirectory() as folder:
            check(path, folder, problems)
    with tempfile.TemporaryDirectory() as folder:
        check_a_job_that_fails(folder, problems)
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
