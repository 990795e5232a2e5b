#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""verdict.py FLAVOUR TUTTI PROGRAM: what `tutti mpi --verdict` and `tutti verdict` say of programs,
beside the profile that they keep of themselves. The exit code is 77 (skipped) if the launcher is
missing."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))
import expectations  # noqa: E402
import mpi_launchers  # noqa: E402
from expectations import expect  # noqa: E402

SKIPPED = 77
RANKS = 2


def run(flavour, tutti, *words, ranks=RANKS, **variables):
    done = mpi_launchers.run(flavour, ranks, [tutti, "mpi", *map(str, words)], 120, **variables)
    return done.stdout, done.stderr, done.returncode


def verdict_of(tutti, record, *options):
    done = subprocess.run([tutti, "verdict", str(record), *options], capture_output=True,
                          text=True, check=False)
    expect("tutti verdict ends well", done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


def is_near(one, other):
    """Figures differ by at most 10 % or, of short times, by 5 ms."""
    return abs(one - other) <= max(0.1 * max(one, other), 0.005)


def programs(flavour, tutti, program, folder):
    """On a busy machine the verdict may say so, and else only what is right."""
    record = folder / "record.json"
    for kind, right in (("busy", ("helps", "no difference", "busy")), ("waits", ("waits", "busy")),
                        ("alone", ("no collectives",)),
                        ("short", ("too short", "no collectives"))):
        output, errors, code = run(flavour, tutti, f"--verdict={record}", "--compare", program,
                                   kind)
        what = output + errors
        expect(f"{kind} runs", code == 0, what)
        verdict = json.loads(verdict_of(tutti, record, "--json"))
        expect(f"the verdict on {kind}: {verdict['answer']}", verdict["answer"] in right, what)
        expect("the text ends with the verdict",
               errors.rstrip().endswith(verdict["sentence"]), errors)
        profile(json.loads(record.read_text()), verdict, output)
        if kind == "busy":
            curves = folder / "curves.html"
            verdict_of(tutti, record, "--curve", curves)
            expect("curves of both operations", curves.read_text().count("<svg") == 2, "")
        if kind == "waits":
            expect("the late rank", verdict["late"][0]["rank"] == RANKS - 1, str(verdict["late"]))
    page = verdict_of(tutti, record, "--html", "-")
    expect("a page", page.startswith("<!DOCTYPE html>") and "<svg" in page, page[:300])


def profile(record, verdict, output):
    """Compares a record with the profiles that the ranks have printed."""
    found = re.findall(r"^profile (\d+): (\S+) (\S+) (\d+)$", output, flags=re.M)
    expect("all ranks print a profile", len(found) == RANKS, output)
    for rank, ran, seconds, calls in found:
        sums = [one for kind in record["kinds"] for one in kind["ranks"] if one[0] == int(rank)]
        expect("the number of calls", sum(one[1] for one in sums) == int(calls), str(sums))
        recorded = sum(one[3] for one in sums) * 1e-9
        expect("the time in collectives", is_near(recorded, float(seconds)),
               f"{recorded}, not {seconds}")
        times = record["ranks"][int(rank)]
        measured = (times["ended"] - times["begun"]) * 1e-9
        expect("the time of the program", is_near(measured, float(ran)), f"{measured}, not {ran}")
        expect("the time of all ranks", verdict["seconds"] >= 0.9999 * measured,
               str(verdict["seconds"]))


def places(flavour, tutti, folder):
    """A program of Python is known by its lines."""
    record = folder / "lines.json"
    lines = HERE / "python_lines.py"
    output, errors, code = run(flavour, tutti, f"--verdict={record}", sys.executable, lines,
                               flavour, TUTTI_EXPLAIN="1")
    expect("a program of Python", code == 0, output + errors)
    text = lines.read_text().splitlines()
    places = {one["place"]: one["calls"]
              for one in json.loads(verdict_of(tutti, record, "--json"))["places"]}
    for mark, calls in (("# many", 30), ("# one", 1)):
        number = next(i for i, line in enumerate(text, 1) if line.endswith(mark))
        place = f"{lines.name}:{number}"
        expect(f"{calls} calls at {place}", places.get(place) == calls, str(places))
        expect("TUTTI_EXPLAIN names it", f"tutti: {place}: barrier" in errors, errors)
    expect("no other place", len(places) == 2, str(places))


def passed_by(flavour, tutti):
    """A program that looks up MPI's functions in the library of its MPI is told."""
    library = "libmpi.so.40" if flavour == "openmpi" else "libmpich.so.12"
    calls = f"import ctypes; mpi = ctypes.CDLL('{library}'); mpi.MPI_Init(None, None); " \
        "mpi.MPI_Finalize()"
    for options, times in ((["--verdict"], 1), ([], 0)):
        output, errors, code = run(flavour, tutti, *options, sys.executable, "-c", calls)
        expect("calls that go past tutti", code == 0 and
               errors.count("tutti cannot judge them") == times, output + errors)


def comparison(flavour, tutti, program, folder):
    """Calls that are made again are not the program's."""
    record = folder / "again.json"
    _, errors, _ = run(flavour, tutti, f"--verdict={record}", "--compare", program, "short",
                       TUTTI_EXPLAIN="1")
    expect("only the program's calls are explained",
           len(re.findall(r"^tutti: main\S* .*over \d+ ranks", errors, flags=re.M)) == 1, errors)
    compared = json.loads(verdict_of(tutti, record, "--json"))["compared"]["calls"]
    expect("what is made again", [(one["operation"], one["calls"]) for one in compared] ==
           [("barrier", 100)], str(compared))
    expect("quartiles", compared[0]["mpi_us"]["repeats"] >= 9 and
           0 < compared[0]["mpi_us"]["lower_quartile"] <= compared[0]["mpi_us"]["upper_quartile"],
           str(compared))
    _, _, code = run(flavour, tutti, f"--verdict={record}", program, "short", TUTTI_MPI_OFF="all")
    served = json.loads(record.read_text())["kinds"]
    expect("calls of the MPI", code == 0 and [kind["by"] for kind in served] == ["mpi"] and
           served[0]["why"] == "TUTTI_MPI_OFF says so", str(served))


def samples(flavour, tutti, program, folder):
    """If there are many calls, one in some is a sample, and all are counted. A program with
    another locale writes numbers as JSON has them."""
    record = folder / "many.json"
    calls = 150000
    output, errors, code = run(flavour, tutti, f"--verdict={record}", program, "short", calls,
                               LC_ALL="de_DE.UTF-8")
    found = json.loads(record.read_text())
    expect("many calls", code == 0 and found["kinds"][0]["ranks"][0][1] == calls, output + errors)
    expect("one in some", found["one_in"] > 1 and
           0.5 < found["one_in"] * len(found["samples"]) / calls < 1.5,
           f"{found['one_in']}, {len(found['samples'])}")
    expect("members of a call", all(len(call) == RANKS for call in found["samples"]), "")


def failures(flavour, tutti, program, folder):
    output, errors, code = run(flavour, tutti, "--verdict=/nowhere/record.json", program, "short")
    expect("a file that cannot be written", code != 0 and
           errors.count("the verdict cannot be written to /nowhere/record.json") == 1 and
           "profile" not in output, output + errors)
    output, errors, code = run(flavour, tutti, "--verdict=/dev/full", program, "short")
    expect("a full disk", code != 0 and "profile 0" in output and
           errors.count("the verdict is lost: /dev/full cannot be written") == 1, output + errors)
    output, errors, code = run(flavour, tutti, "--verdict", program, "short")
    expect("a verdict without a file", code == 0 and "verdict on" in errors, errors)
    for text, reason in (("{}", "is no record of a program"), ("[", "is no complete record"),
                         ('{"schema": "tutti-mpi-record-1", "ranks": [{}]}',
                          "is no complete record")):
        (folder / "other.json").write_text(text)
        done = subprocess.run([tutti, "verdict", str(folder / "other.json")], capture_output=True,
                              text=True, check=False)
        expect(f"not a record: {text}", done.returncode == 2 and reason in done.stderr, done.stderr)
    done = subprocess.run([tutti, "verdict", "/nowhere/at/all"], capture_output=True, text=True,
                          check=False)
    expect("no file", done.returncode == 2 and "/nowhere/at/all cannot be read" in done.stderr,
           done.stderr)


def main():
    flavour, tutti, program = sys.argv[1:]
    if not mpi_launchers.installed(flavour):
        print(f"skipped: the launcher of {flavour} is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        programs(flavour, tutti, program, Path(folder))
        places(flavour, tutti, Path(folder))
        passed_by(flavour, tutti)
        comparison(flavour, tutti, program, Path(folder))
        samples(flavour, tutti, program, Path(folder))
        failures(flavour, tutti, program, Path(folder))
    return 1 if expectations.failures else 0


sys.exit(main())
