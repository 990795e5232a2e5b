# SPDX-License-Identifier: BSD-3-Clause
"""Gives changed files to commands that read files by themselves: traces, matrices, texts. A command
takes the file or refuses it in words; it does not crash or hang.
Arguments: tutti, a program of tutti.h to trace, applications. TUTTI_SECONDS (1), TUTTI_SEED (1)."""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TUTTI, PROGRAM = sys.argv[1:3]
APPLICATIONS = {Path(path).name: path for path in sys.argv[3:]}
SECONDS = float(os.environ.get("TUTTI_SECONDS", "1"))
SEED = int(os.environ.get("TUTTI_SEED", "1"))
MATRIX = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 3\n3 3 5.5\n1 3 -1\n"
DENSE = "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n"
WORDS = [
    b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"\n", b"\0", b"\xff", b"{", b"}", b"[",
    b"]", b'"', b",", b":", b"null", b"\x1b[2J", b" ", b"%%", b"2147483648"
]


def traced(folder):
    trace = Path(folder, "trace.json")
    subprocess.run([TUTTI, "run", "-n", "2", "-x", f"TUTTI_TRACE={trace}", PROGRAM],
                   check=True, stdout=subprocess.DEVNULL)
    return trace.read_bytes()


def samples(folder):
    """Returns commands, in which FILE stands for the file, and files that they take."""
    trace = traced(folder)
    yield [TUTTI, "trace", "FILE"], [trace]
    yield [TUTTI, "trace", "--json", "FILE"], [trace]
    for name, words in (("tutti-lu", ["FILE"]), ("tutti-matmul", ["FILE", "FILE"])):
        if name in APPLICATIONS:
            yield [APPLICATIONS[name], *words], [MATRIX.encode(), DENSE.encode()]
    if "tutti-llcs" in APPLICATIONS:
        yield [APPLICATIONS["tutti-llcs"], "FILE", "FILE"], [b"ACGTACGTTTGA\n", b">name\nACGT\n"]


def changed(text, chance):
    text = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randint(0, len(text)), chance.randint(0, 30)
        way = chance.randint(0, 3)
        if way == 0:
            del text[at:at + length]
        elif way == 1:
            text[at:at + chance.choice((0, length))] = chance.choice(WORDS)
        elif way == 2 and at < len(text):
            text[at] = chance.randint(0, 255)
        elif way == 3:
            text[at:at] = text[at:at + length]
    return bytes(text)


def main():
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        all_samples, file, runs, taken = list(samples(folder)), Path(folder, "changed"), 0, 0
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or runs < len(all_samples):
            command, texts = all_samples[runs % len(all_samples)]
            right = runs < len(all_samples)
            file.write_bytes(texts[0] if right else changed(chance.choice(texts), chance))
            words = [str(file) if word == "FILE" else word for word in command]
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
            said = done.stderr.decode(errors="replace")
            wrong = done.returncode < 0 or done.returncode > 2 or "Sanitizer" in said
            if wrong or (done.returncode != 0 and (right or said == "")):
                sys.exit(f"{words}: code {done.returncode}: {said[-3000:]}\n{file.read_bytes()!r}")
            runs += 1
            taken += done.returncode == 0
        print(f"{runs} files, {taken} of them taken; TUTTI_SEED={SEED}")


main()
