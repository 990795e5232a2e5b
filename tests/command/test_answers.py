# SPDX-License-Identifier: BSD-3-Clause
"""Validates what the verbs print with --json, answers and errors, against their schemas. With the
word "all", also what takes longer; with "papers", what tutti-papers prints. Arguments: the command,
the folder of schemas, the schema of programs, some, all or papers."""

import json
import os
import re
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

SMALL_BENCH = ("bench", "bcast,alltoall", "-n", "2", "--bytes", "8", "--seconds", "0.02")
# Raw samples of a probe, and a profile with one superstep.
SAMPLES = "p,2\nf,dot product,64,1e-9\nl,no communication,2e-6\nl,cyclic shift,3e-6\n" + "".join(
    f"g,random,{access},{size},{count},{2e-9 + 1e-6 / size / count}\n"
    for access in ("put", "hpput", "get", "hpget", "send") for size in (1, 1000)
    for count in (1, 10)) + "w,1,1e-6,2e-6\n"
PROFILE = ("superstep,compute_s,compute_mean_s,h_words,h_out_words,h_in_words,messages,sync_s,"
           "total_s,each process,call path,called at\n"
           "0,3e-5,1e-5,500,500,500,5,0,0,3e-5;0 hpput:500:0:5:0,main,x\n")

ANSWERS = [
    ("explain", "allreduce", "-n", "8", "--bytes", "64K"),
    ("explain", "allreduce", "-n", "8", "--hosts", "2", "--ordered"),
    ("explain", "bcast", "-n", "8", "--algorithm", "tree:branches=2", *MESH),
    ("explain", "barrier", "-n", "3", "--machine", "sp2"),
    ("explain", "bcast", "-n", "4", "--algorithm", "tree:branches=2"),
    ("simulate", "allreduce", "--bytes", "1K,64K", *MESH),
    ("simulate", "allreduce", "--algorithm", "ring", "--timeline", *MESH),
    ("simulate", "alltoall", "-d", "2..3", "--machine", "ipsc860", "--block-bytes", "8,1K",
     "--sync", "none,pair"),
    ("simulate", "alltoall", "-d", "2", "--machine", "ipsc860", "--map", "--noise", "3"),
    ("simulate", "allreduce", "--bytes", "1K,64K", "--best", *MESH),
    ("explain", "allreduce", "--machine", "slingshot-dragonfly", "--topology", "torus:3x4"),
    ("verify", "allreduce", "-n", "1..5"),
    ("verify", "scatter", "-n", "4", "--root", "all", *MESH),
    ("draw", "allreduce", "--algorithm", "ring", "-n", "4"),
    ("draw", "barrier", "--algorithm", "dissemination", "-n", "5"),
    ("draw", "alltoall", "--topology", "hypercube:3", "--algorithm", "linear"),
    ("draw", "alltoall", "--topology", "line:4"),
    ("info", "--vars", "--build", "--algorithms", "--machines"),
    ("info", "--algorithm", "native"),
    ("info", "--algorithm", "tree"),
    ("info", "--machine", "paragon"),
    ("schedule", "alltoall", "--topology", "mesh:2x3"),
    ("export", "bcast", "--algorithm", "tree:branches=2", "-n", "7", "--root", "3"),
    SMALL_BENCH,
    (*SMALL_BENCH, "--choices", "default,mst"),
]
LONG = [
    *[("info", "--machine", name) for name in ("ipsc860", "sp2", "host", "cm5")],
    *[("simulate", operation, "--bytes", "1K", *MESH) for operation in ("bcast", "alltoall")],
    ("verify", "allreduce", "--algorithm", "ring", "--all-p"),
    ("verify", "-n", "1..4"),
    ("reproduce", "--counts"),
    ("reproduce", "--paper", "004"),
    ("probe", "-n", "2", "--quick"),
    (*SMALL_BENCH, "--against", "openmpi"),
]
OF_PAPERS = [
    ("explain", "--table2"),
    ("reproduce", "000-table-12", "004-figure-9"),
    ("reproduce", "--list", "--paper", "001"),
]
REFUSED_OF_PAPERS = [
    (("explain", "--table2", "--machine", "nowhere"), "invalid_argument", 2),
    (("reproduce", "000-table-0"), "invalid_argument", 2),
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
    (("export", "bcast", "--algorithm", "rign", "-n", "4"), "no_such_plan", 2),
    (("draw", "bcast", "--algorithm", "mst", "-n", "4", "--svg", "-"), "invalid_argument", 2),
    (("bench", "bcast", "--bytes", "x"), "invalid_argument", 2),
    (("trace", "/nowhere.json"), "invalid_argument", 2),
    (("verdict", "/nowhere.json"), "invalid_argument", 2),
    (("probe", "--from", "/nowhere.csv"), "system_error", 1),
    (("predict", "/nowhere.csv"), "system_error", 1),
    (("tune", "-n", "1"), "invalid_argument", 2),
    (("pvm", "ps"), "system_error", 1),
]


# The record of an MPI program of two ranks with one allreduce, which was made again.
RECORD = {
    "schema": "tutti-mpi-record-1", "program": "./prog", "mpi": "mpich",
    "processors": 2,
    "ranks": [{"host": "here", "joining": 10**8, "begun": 10**8 + 10**6,
               "ended": 3 * 10**9, "compared": 4 * 10**9, "ahead": 0,
               "processor": [0.1, 3, 4]}] * 2,
    "kinds": [{"operation": "allreduce", "place": "main+0x5 (prog+0x5), prog.c:7", "members": 2,
               "by": "tutti", "operator": "tutti", "why": "",
               "ranks": [[0, 1, 8, 10**9], [1, 1, 8, 10**8]]}],
    "one_in": 1, "samples": [[[0, 0, 10**9, 10**9, 0], [1, 0, 19 * 10**8, 10**8, 0]]],
    "compared": [{"operation": "allreduce", "operator": "tutti", "members": 2, "calls": 1,
                  "bytes": 8, "tutti_us": [1, 2, 3], "mpi_us": [2, 3, 4]}],
    "load": ["", "", ""]
}


def tutti(*words, stdin="", **variables):
    return subprocess.run([TUTTI, *map(str, words)], input=stdin, capture_output=True, text=True,
                          timeout=600, check=False, env=os.environ | variables)


def schema_of(words):
    """Returns the name of the schema of an answer."""
    return "program" if words[0] == "export" else "table2" if "--table2" in words else words[0]


def problems_of(verb, text, code):
    """Returns what is wrong with an answer; `code` is the exit code."""
    try:
        answer = json.loads(text)
    except ValueError:
        return [f"exit {code}, no JSON: {text[:200]!r}"]
    first = next(iter(answer)) if isinstance(answer, dict) else "none"
    problems = list(misfits(SCHEMAS[verb], answer))[:5]
    return problems + ([] if first == f"tutti_{verb}" else [f"the first field is '{first}'"])


def check_answers(problems, asked):
    for words in asked:
        done = tutti(*words, "--json")
        for problem in problems_of(schema_of(words), done.stdout, done.returncode):
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


def check_measurements(problems):
    """Checks answers about what was measured: samples, a profile, runs, a trace, a report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (("raw.csv", SAMPLES), ("again.csv", SAMPLES), ("steps.csv", PROFILE),
                           ("record.json", json.dumps(RECORD)),
                           ("runs.csv", "table,row,processes,machine,profile,measured_s,alone_s\n"
                                        f"t,q = 8,2,{folder}/machine.json,steps.csv,1e-4,\n")):
            (folder / file).write_text(text)
        tutti("probe", "--from", folder / "raw.csv", "--output", folder / "machine.json")
        tutti(*SMALL_BENCH, TUTTI_TRACE=str(folder / "trace"))
        tutti("run", "-n", "2", "--report", folder / "report", "sleep", "0")
        for words in (("probe", "--from", folder / "raw.csv"),
                      ("probe", "--from", folder / "raw.csv", folder / "again.csv"),
                      ("predict", folder / "steps.csv", "--machine", folder / "machine.json"),
                      ("predict", "--compare", folder / "runs.csv"),
                      ("trace", folder / "trace"),
                      ("verdict", folder / "record.json"),
                      *([("tune", "--quick", "--force", "--output", folder / "profile.toml")]
                        if HOW == "all" else [])):
            done = tutti(*words, "--json")
            problems += [f"{' '.join(map(str, words))}: {problem} {done.stderr}"
                         for problem in problems_of(words[0], done.stdout, done.returncode)]
        problems += [f"tutti run --report: {problem}"
                     for problem in problems_of("run", (folder / "report").read_text(), 0)]


def check_verbs(problems):
    """Checks that each verb that prints JSON has a schema, and each schema such a verb."""
    verbs = re.findall(r"^  ([a-z-]+)  ", tutti("--help").stdout, re.MULTILINE)
    for verb in verbs:
        if "--json" in tutti(verb, "--help").stdout and schema_of([verb]) not in SCHEMAS:
            problems.append(f"the answer of tutti {verb} has no schema")
    for name in set(SCHEMAS) - set(verbs) - {"error", "program", "table2"}:
        problems.append(f"there is a schema for {name}, which is no verb")
    if not {"bench", "trace", "pvm"} <= set(verbs):
        problems.append(f"the help lists {verbs}")


def check_refusals(problems, asked):
    for words, status, code in asked:
        done = tutti(*words, "--json", TUTTI_PVM_MACHINE="answers")
        mine = problems_of("error", done.stdout, done.returncode)
        error = json.loads(done.stdout) if not mine else {}
        told = error.get("message", "") and error["message"] in done.stderr
        if mine or not told or (error["status"], error["exit_code"],
                                done.returncode) != (status, code, code):
            problems.append(f"{' '.join(words)}: {mine} {error} {done.returncode} {done.stderr!r}")


def check_texts(problems):
    """Checks that errors are JSON only where that is asked for, and that texts are for readers."""
    told = tutti("explain", "allreduce", "-n", "8", "--json").stdout
    if "tutti_error" in tutti("pvm", "spawn", "-1", "./program", "--json",
                              TUTTI_PVM_MACHINE="answers").stdout:
        problems.append("the words of a program decide how errors of tutti pvm are printed")
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
    if HOW == "papers":
        check_answers(problems, OF_PAPERS)
        check_refusals(problems, REFUSED_OF_PAPERS)
    else:
        check_answers(problems, ANSWERS + (LONG if HOW == "all" else []))
        check_refusals(problems, REFUSED)
        for check in (check_files, check_measurements, check_verbs, check_texts, check_pictures):
            check(problems)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
