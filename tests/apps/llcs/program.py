# SPDX-License-Identifier: BSD-3-Clause
"""Runs tutti-llcs with 1 to 9 and 16 processes on random strings and on those that are likely to
go wrong, and compares each length with a table that is filled here.

usage: program.py TUTTI LLCS (--pairs N | --errors | --memory | --peer PYTHON)"""

import argparse
import collections
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from started import check_errors, check_prediction, result_of, started  # noqa: E402

SKIPPED = 77
PROCESSES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 16)


def table_length(x, y):
    row = [0] * (len(x) + 1)
    for character in y:
        diagonal = 0
        for k, other in enumerate(x, 1):
            above = row[k]
            row[k] = diagonal + 1 if character == other else max(above, row[k - 1])
            diagonal = above
    return row[-1]


def pairs(count):
    """Yields pairs of strings of random and special lengths and alphabets."""
    numbers = random.Random(5)
    lengths = (0, 1, 2, 63, 64, 65, 130, 511, 512, 513)
    for i in range(count):
        letters = [chr(0x21 + k) for k in range(numbers.choice((1, 2, 3, 4, 8, 16, 17, 60)))]
        if i % 11 == 0:  # code points that need more than a byte
            letters = [chr(0x3b1 + 37 * k) for k in range(numbers.choice((5, 300)))]
        x, y = ("".join(numbers.choices(letters, k=numbers.choice(lengths))) for _ in range(2))
        if i % 7 == 1:
            y = x  # equal
        elif i % 7 == 3:
            y = (x[:3] or "ab") * 40  # periodic
        elif i % 7 == 5:
            y = y.replace(letters[0], "~")
        yield x, y


def run(arguments, processes, command, options):
    """Returns the object that the program prints."""
    return result_of(arguments.tutti, arguments.llcs, processes, *options, *command)


def check_pairs(arguments, folder):
    files = [folder / "x", folder / "y"]
    for number, pair in enumerate(pairs(arguments.pairs)):
        for file, text in zip(files, pair):
            file.write_text(text, encoding="utf-8")
        processes = PROCESSES[number % len(PROCESSES)]
        alpha = number // 3 % 4
        # Each kind meets each number of processes: the number of the round shifts the kinds.
        supersteps = ("block", "diagonal")[(number + number // len(PROCESSES)) % 2]
        options = ["--characters", "utf8", "--supersteps", supersteps]
        options += ["--alpha", alpha] if alpha > 0 else []
        options += ["--algorithm", "standard"] if number % 3 == 2 else []
        out = folder / "found"
        options += ["--subsequence", out] if number % 4 == 0 else []
        expected = table_length(*pair)
        found = run(arguments, processes, files, options)
        if found["length"] != expected or found["processes"] != processes:
            sys.exit(f"pair {number}, {processes} processes, {options}: {found}, not {expected}")
        if number % 4 == 0:
            check_subsequence(out.read_text(encoding="utf-8"), pair, expected)


def check_subsequence(found, pair, length):
    for text in pair:
        rest = iter(text)
        if not all(character in rest for character in found):
            sys.exit(f"{found!r} is no subsequence of {text!r}")
    if len(found) != length:
        sys.exit(f"{found!r} has {len(found)} characters, not {length}")


def check_predictions(arguments, folder):
    files = [folder / "x", folder / "y"]
    for file, length in zip(files, (700, 1500)):
        file.write_text("".join(random.Random(length).choices("abc", k=length)))
    for ranks, words in ((2, ("--alpha", 3)), (3, ("--alpha", 2, "--supersteps", "block")),
                         (4, ("--alpha", 1, "--algorithm", "standard"))):
        check_prediction(arguments.tutti, arguments.llcs, ranks, (*words, *files), folder)


def check_messages(arguments, folder):
    good, malformed, letters = folder / "good", folder / "malformed", folder / "letters.fa"
    letters.write_text(">a\nACGT\n", encoding="utf-8")
    good.write_text("abc", encoding="utf-8")
    malformed.write_bytes(b"ab\xffc")
    cases = (((good, folder / "missing"), 1, "missing': No such file or directory"),
             ((good, folder), 1, "Is a directory"),
             (("--characters", "utf8", good, malformed), 1, "malformed': byte 2 is not UTF-8"),
             ((good, letters), 1, "letters.fa' is FASTA by its name"),
             ((good, good, "--subsequence", folder / "no" / "file"), 1, "cannot write"),
             ((good, ), 2, "B is required"), ((good, good, "--alpha", 0), 2, "--alpha"),
             ((good, good, "--alpha", 2, "--machine", "x"), 2, "--alpha excludes --machine"),
             ((good, good, "--cache", 9), 2, "--cache requires --algorithm standard"),
             ((good, good, "--algorithm", "standard", "--kernel", "words"), 2,
              "--kernel excludes --algorithm standard"),
             ((good, good, "--algorithm", "standard", "--machine", "x"), 2,
              "--machine excludes --algorithm standard"),
             ((good, good, "--predict", "x", "--subsequence", "y"), 2,
              "--subsequence excludes --predict"),
             ((good, good, "--predict", "x", "--json"), 2, "--predict excludes --json"),
             ((good, good, "--machine", "nowhere"), 1, "nowhere"),
             ((good, good, "--kernel", "mmx"), 2, "--kernel"))
    check_errors(arguments.tutti, arguments.llcs, cases)
    shown = subprocess.run([arguments.llcs, "--subsequence", "-", good, good],
                           capture_output=True,
                           text=True,
                           check=False)
    if shown.stdout != "abc" or not shown.stderr.startswith("length 3,"):
        sys.exit(f"a subsequence on stdout: {shown}")
    wide = subprocess.run([arguments.llcs, "--kernel", "avx2", __file__, good],
                          capture_output=True,
                          text=True,
                          check=False)
    if wide.returncode != 1 or "16 different characters at most" not in wide.stderr:
        sys.exit(f"too many characters: {wide}")


def check_choice(arguments, folder):
    """Where a superstep is cheap, alpha is large, so that all processes begin and end at nearly the
    same time. Where one costs a second there are few."""
    files = [folder / "x", folder / "y"]
    for file in files:
        file.write_text("".join(random.Random(8).choices("abcd", k=100000)))
    raw, machine = folder / "raw.csv", folder / "machine.json"
    found = []
    for latency in (1e-9, 1):
        raw.write_text(f"p,2\nl,no communication,{latency}\nl,cyclic shift,{latency}\n" + "".join(
            f"g,random,{access},{size},{count},{latency + 1e-9}\n"
            for access in ("put", "hpput", "get", "hpget", "send") for size in (1, 1000)
            for count in (1, 10)))
        started(arguments.tutti, arguments.tutti, 1, "probe", "--from", raw, "--output", machine)
        found.append(run(arguments, 2, files, ["--machine", machine]))
    cheap, dear = found
    if not dear["alpha"] == 1 < 4 < cheap["alpha"] or not dear["predicted_s"] > 3:
        sys.exit(f"alpha by prediction: {found}")
    done = started(arguments.tutti, arguments.llcs, 1, *files, "--machine", machine)
    if done.returncode != 1 or "is a machine of 2 processes, not of 1" not in done.stderr:
        sys.exit(f"--machine with one process: {done}")


def check_pipes(arguments, folder):
    """A pipe is read once, whatever the number of processes."""
    texts = ["".join(random.Random(seed).choices("abcd", k=200000)) for seed in (1, 2)]
    files = [folder / "x", folder / "y"]
    for file, text in zip(files, texts):
        file.write_text(text)
    expected = run(arguments, 1, files, [])["length"]
    for processes in (1, 3):
        words = [arguments.tutti, "run", "-n", str(processes), arguments.llcs, "--json"]
        shell = " ".join(map(shlex.quote, words)) + " <(cat {}) <(cat {})".format(*files)
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
        if done.returncode != 0 or json.loads(done.stdout)["length"] != expected:
            sys.exit(f"pipes, {processes} processes: {done}")


def memory_of(processes):
    """Returns the proportional set size, in bytes, of the processes that are there."""
    total = 0
    for process in processes:
        try:
            rollup = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
        except OSError:
            continue
        lines = (line.split() for line in rollup.splitlines())
        total += sum(int(words[1]) for words in lines if words[0] == "Pss:")
    return total * 1024


def processes_below(root):
    """Returns the processes that descend from one. The launcher's child starts the ranks."""
    children = collections.defaultdict(list)
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        children[int(fields[1])].append(int(stat.parent.name))
    found = children[root]
    for process in found:  # grows while it is gone through
        found.extend(children[process])
    return found


def check_memory(arguments, folder):
    """Two strings of a million characters need less than 100 MB in both processes together. They
    need more than the strings have, or their memory was not seen."""
    numbers = random.Random(6)
    for kind, letters in (("bytes", "ACGT"), ("utf8", [chr(0x4e00 + k) for k in range(5000)])):
        files = [folder / f"{kind}{i}" for i in range(2)]
        for file in files:
            file.write_text("".join(numbers.choices(letters, k=10**6)), encoding="utf-8")
        words = [arguments.tutti, "run", "-n", "2", arguments.llcs, "--json", "--characters", kind]
        most = 0
        with subprocess.Popen([*words, *map(str, files)], stdout=subprocess.PIPE, text=True) as job:
            while job.poll() is None:
                most = max(most, memory_of(processes_below(job.pid)))
                time.sleep(0.02)
            length = json.loads(job.stdout.read())["length"]
        print(f"{kind}: length {length}, at most {most / 1e6:.1f} MB")
        least = sum(file.stat().st_size for file in files)
        if job.returncode != 0 or not least < most < 100e6:
            sys.exit(f"{kind}: exit code {job.returncode}, {most} bytes")


PEER = """
import json, sys
from rapidfuzz.distance import LCSseq
json.dump([LCSseq.similarity(x, y) for x, y in json.load(sys.stdin)], sys.stdout)
"""


def check_peer(arguments, folder):
    """Compares the lengths of long strings with those that rapidfuzz finds."""
    if not arguments.peer.exists():
        print("skipped: make peers has not installed rapidfuzz")
        sys.exit(SKIPPED)
    numbers = random.Random(7)
    strings = []
    for letters in ("ab", "ACGT", "abcdefgh", [chr(0x21 + k) for k in range(60)],
                    [chr(0x4e00 + k) for k in range(3000)]):
        for _ in range(10):
            strings.append(
                ["".join(numbers.choices(letters, k=numbers.randrange(30000))) for _ in range(2)])
    done = subprocess.run([arguments.peer, "-c", PEER],
                          input=json.dumps(strings),
                          capture_output=True,
                          text=True,
                          check=True)
    for number, (pair, expected) in enumerate(zip(strings, json.loads(done.stdout))):
        files = [folder / "x", folder / "y"]
        for file, text in zip(files, pair):
            file.write_text(text, encoding="utf-8")
        processes = PROCESSES[number % len(PROCESSES)]
        found = run(arguments, processes, files, ["--characters", "utf8"])
        if found["length"] != expected:
            sys.exit(f"pair {number}, {processes} processes: {found}, not {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tutti")
    parser.add_argument("llcs")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--peer", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.pairs:
            check_pairs(arguments, pathlib.Path(folder))
        if arguments.errors:
            check_messages(arguments, pathlib.Path(folder))
            check_predictions(arguments, pathlib.Path(folder))
            check_choice(arguments, pathlib.Path(folder))
            check_pipes(arguments, pathlib.Path(folder))
        if arguments.memory:
            check_memory(arguments, pathlib.Path(folder))
        if arguments.peer:
            check_peer(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    main()
