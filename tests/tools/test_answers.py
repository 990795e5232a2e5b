# SPDX-License-Identifier: BSD-3-Clause
"""Validates what the verbs print with --json, answers and errors, against their schemas. With the
word "all", also what takes longer. Arguments: the command, the folder of schemas, the schema of
programs, some or all."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "formats"))
from json_schema import misfits  # noqa: E402

TUTTI, FOLDER, PROGRAM, HOW = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
SCHEMAS = {path.name.split("-")[1]: json.loads(path.read_text())
           for path in [*FOLDER.glob("tutti-*-1.schema.json"), PROGRAM]}
MESH = ("--machine", "paragon", "--topology", "mesh:2x4")
RING = {"tutti_program": 1, "operation": "allreduce", "p": 2,
        "buffers": {"parts": 1, "input": 1, "output": 1, "scratch": 0},
        "rounds": [{"0": [{"send": ["output[0]"], "to": 1}], "1": []}]}

# The words of a command line, and what stands on its standard input.
ANSWERS = [
    ("explain", "allreduce", "-n", "8", "--bytes", "64K"),
    ("explain", "allreduce", "-n", "8", "--hosts", "2", "--ordered"),
    ("explain", "bcast", "-n", "8", "--algorithm", "tree:branches=2", *MESH),
    ("explain", "barrier", "-n", "3", "--machine", "sp2"),
    ("simulate", "allreduce", "--bytes", "1K,64K", *MESH),
    ("simulate", "allreduce", "--algorithm", "ring", "--timeline", *MESH),
    ("simulate", "alltoall", "-d", "2..3", "--machine", "ipsc860", "--block-bytes", "8,1K",
     "--sync", "none,pair"),
    ("simulate", "alltoall", "-d", "2", "--machine", "ipsc860", "--map", "--noise", "3"),
    ("verify", "allreduce", "-n", "1..5"),
    ("verify", "scatter", "-n", "4", "--root", "all", *MESH),
    ("draw", "allreduce", "--algorithm", "ring", "-n", "4"),
    ("draw", "barrier", "--algorithm", "dissemination", "-n", "5"),
    ("draw", "alltoall", "--topology", "hypercube:3", "--algorithm", "linear"),
    ("draw", "alltoall", "--topology", "line:4"),
    ("info", "--vars", "--algorithms", "--machines"),
    ("info", "--algorithm", "native"),
    ("info", "--algorithm", "tree"),
    ("info", "--machine", "paragon"),
    ("schedule", "alltoall", "--topology", "mesh:2x3"),
    ("reproduce", "000-table-12", "004-figure-9"),
    ("export", "bcast", "--algorithm", "tree:branches=2", "-n", "7", "--root", "3"),
]
LONG = [
    *[("info", "--machine", name) for name in ("ipsc860", "sp2", "host", "cm5")],
    *[("simulate", operation, "--bytes", "1K", *MESH) for operation in ("bcast", "alltoall")],
    ("verify", "allreduce", "--algorithm", "ring", "--all-p"),
    ("verify", "-n", "1..4"),
    ("reproduce", "--counts"),
    ("reproduce", "--list", "--paper", "001"),
    ("reproduce", "--paper", "004"),
]
# Command lines that are refused, and the status and the exit code of the error.
REFUSED = [
    (("explain", "allreduec", "-n", "8"), "invalid_argument", 2),
    (("explain", "allreduce", "-n", "8", "--colour"), "invalid_argument", 2),
    (("simulate", "allreduce", "--machine", "nowhere"), "invalid_argument", 2),
    (("verify", "allreduce", "-n", "x"), "invalid_argument", 2),
    (("draw", "-"), "invalid_argument", 2),
    (("info", "--machine", "/nowhere.toml"), "invalid_argument", 2),
    (("schedule", "alltoall"), "invalid_argument", 2),
    (("reproduce", "000-table-0"), "invalid_argument", 2),
    (("export", "bcast", "--algorithm", "rign", "-n", "4"), "no_such_plan", 2),
    (("draw", "bcast", "--algorithm", "mst", "-n", "4", "--svg", "-"), "invalid_argument", 2),
]


def tutti(*words, stdin=""):
    return subprocess.run([TUTTI, *map(str, words)], input=stdin, capture_output=True, text=True,
                          timeout=600, check=False)


def problems_of(verb, text, code):
    """Returns what is wrong with an answer; `code` is the exit code."""
    try:
        answer = json.loads(text)
    except ValueError:
        return [f"exit {code}, no JSON: {text[:200]!r}"]
    first = next(iter(answer)) if isinstance(answer, dict) else "none"
    problems = list(misfits(SCHEMAS[verb], answer))[:5]
    return problems + ([] if first == f"tutti_{verb}" else [f"the first field is '{first}'"])


def check_answers(problems):
    for words in ANSWERS + (LONG if HOW == "all" else []):
        done = tutti(*words, "--json")
        verb = "program" if words[0] == "export" else words[0]
        for problem in problems_of(verb, done.stdout, done.returncode):
            problems.append(f"{' '.join(words)}: {problem}")
        if done.returncode != 0 or done.stderr:
            problems.append(f"{' '.join(words)}: exit {done.returncode}, {done.stderr}")


def check_files(problems):
    """Checks answers about files: a schedule that is wrong, one of messages, numbered pairs."""
    done = tutti("verify", "-", "--json", stdin=json.dumps(RING))
    problems += problems_of("verify", done.stdout, done.returncode)
    found = json.loads(done.stdout)["results"][0]["counterexample"]
    if (done.returncode, found["round"], found["rank"], found["ranks"]) != (1, 1, 0, 2):
        problems.append(f"the counter-example is {done.returncode}, {found}")
    with tempfile.TemporaryDirectory() as folder:
        goal, pairs = os.path.join(folder, "ring.goal"), os.path.join(folder, "pairs.txt")
        goal_words = ("--algorithm", "ring", "-n", "8", "--format", "goal", "--out", goal)
        tutti("export", "allreduce", *goal_words)
        tutti("schedule", "alltoall", "--topology", "line:3", "--out", pairs)
        for words in (("verify", goal), ("simulate", goal, *MESH), ("draw", goal),
                      ("verify", "--schedule", pairs, "--topology", "line:3")):
            done = tutti(*words, "--json")
            problems += [f"{words[0]} {words[1]}: {problem}"
                         for problem in problems_of(words[0], done.stdout, done.returncode)]


def check_errors(problems):
    """Checks errors, and that texts are those for readers."""
    for words, status, code in REFUSED:
        done = tutti(*words, "--json")
        mine = problems_of("error", done.stdout, done.returncode)
        error = json.loads(done.stdout) if not mine else {}
        told = error.get("message", "") and error["message"] in done.stderr
        if mine or not told or (error["status"], error["exit_code"],
                                done.returncode) != (status, code, code):
            problems.append(f"{' '.join(words)}: {mine} {error} {done.returncode} {done.stderr!r}")
    told = tutti("explain", "allreduce", "-n", "8", "--json").stdout
    if '"source": "paper ' in told or "16777" in told:
        problems.append("explain names papers by number, or factors by their code")
    if tutti("explain", "allreduec", "-n", "8").stdout:
        problems.append("an error is printed as JSON without --json")
    if "tutti_error" in tutti("run", "-n", "1", "./no-such-program", "--json").stdout:
        problems.append("the words of a program decide how errors of tutti run are printed")


def check_pictures(problems):
    """Checks that - is the standard output, which gets the picture or the file alone."""
    bcast = ("bcast", "--algorithm", "mst", "-n", "4")
    for words, begin in ((("draw", *bcast, "--svg", "-"), "<svg "),
                         (("draw", *bcast, "--as", "rounds", "--svg", "-"), "<svg "),
                         (("simulate", *bcast, *MESH, "--svg", "-"), "<svg "),
                         (("simulate", *bcast, *MESH, "--heat", "-"), "<svg "),
                         (("simulate", *bcast, *MESH, "--trace", "-"), '{"displayTimeUnit"'),
                         (("export", *bcast, "--out", "-"), "{"),
                         (("schedule", "bcast", "--topology", "line:3", "--out", "-"), "1: ")):
        done = tutti(*words)
        end = done.stdout.rstrip()[-1:]
        if done.returncode != 0 or not done.stdout.startswith(begin) or (
                begin != "1: " and end not in ">}"):
            problems.append(f"{' '.join(words)}: {done.returncode} {done.stdout[:80]!r} {end}")


def main():
    problems = []
    if sorted(SCHEMAS) != sorted("draw error explain info program reproduce schedule simulate "
                                 "verify".split()):
        problems.append(f"there are schemas for {sorted(SCHEMAS)}")
    for check in (check_answers, check_files, check_errors, check_pictures):
        check(problems)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
