# SPDX-License-Identifier: BSD-3-Clause
"""Builds the plug-ins of examples/generators with an installed tutti, by pkg-config, and gives them
to every verb and to jobs. Wrong ones must be refused with a counter-example before anything runs.
Arguments: the prefix, the C and the C++ compiler, and which part of the test to run: verbs or jobs.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from problems import finish, problem
from stranger import Prefix
from tree import ROOT

SOURCES = ROOT / "examples/generators"
RESULTS = ROOT / "tests/formats/results.c"
LANGUAGES = {".c": "c", ".cpp": "c++"}


class Workshop:
    """Describes a folder with plug-ins, and the installed command."""

    def __init__(self, prefix, folder):
        self.prefix, self.folder = prefix, folder

    def plug_in(self, source, name, edit=None):
        """Compiles a plug-in, with one place of its text changed if `edit` has an old and a new
        text. Returns its file."""
        text = (SOURCES / source).read_text()
        if edit:
            if text.count(edit[0]) != 1:
                problem(f"{source} has {text.count(edit[0])} times '{edit[0]}'")
            text = text.replace(*edit)
        copy = self.folder / (name + pathlib.Path(source).suffix)
        copy.write_text(text)
        made = self.folder / f"{name}.so"
        flags = [flag for flag in self.prefix.flags("tutti") if flag.startswith("-I")]
        command = [
            *self.prefix.compilers[LANGUAGES[copy.suffix]], "-Wall", "-Wextra", "-Werror",
            "-shared", "-fPIC",
            str(copy), "-o",
            str(made), *flags
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            problem(f"{' '.join(command)}\n{done.stderr}")
        return made

    def tutti(self, *words, **variables):
        environment = dict(self.prefix.environment(),
                           XDG_CACHE_HOME=str(self.folder / "cache"),
                           **{name: str(value) for name, value in variables.items()})
        return subprocess.run([str(self.prefix.path / "bin/tutti"), *map(str, words)],
                              cwd=self.folder,
                              env=environment,
                              capture_output=True,
                              text=True,
                              check=False,
                              stdin=subprocess.DEVNULL,
                              timeout=100)

    def expect(self, words, code, part, **variables):
        done = self.tutti(*words, **variables)
        said = done.stdout + done.stderr
        if done.returncode != code or part not in said:
            problem(f"tutti {' '.join(map(str, words))} {variables}: {done.returncode}, {said!r}, "
                    f"not {code} with {part!r}")
        return done.stdout


def check_verbs(shop):
    programs = {}
    for source, operation, name, ranks in (("swing.c", "allreduce", "swing", "2..64"),
                                           ("swing.cpp", "allreduce", "swing", "2..64"),
                                           ("ring.c", "allgather", "my_ring", "1..20"),
                                           ("ring.cpp", "allgather", "my_ring", "1..20")):
        path = shop.plug_in(source, source.replace(".", "_"))
        this = ("--algorithm", name)
        shop.expect(("verify", operation, *this, "-n", ranks), 0, " yes ", TUTTI_GENERATORS=path)
        shop.expect(("draw", operation, *this, "-n", 4), 0, name, TUTTI_GENERATORS=path)
        for words in (("simulate", operation, *this, "--machine", "paragon", "--topology",
                       "torus:4x4"), ("explain", operation, *this, "-n", 8)):
            shop.expect(words, 0, name, TUTTI_GENERATORS=path)
        out = shop.expect(("export", operation, *this, "-n", 8), 0, f'"{name}"',
                          TUTTI_GENERATORS=path)
        if programs.setdefault(name, out) != out:
            problem(f"{source} has another schedule than the other language")
    both = f"{shop.folder / 'swing_c.so'}:{shop.folder / 'ring_c.so'}"
    shop.expect(("info", "--algorithm", "swing"), 0, "NSDI 2024", TUTTI_GENERATORS=both)
    shop.expect(("info", "--algorithms"), 0, "my_ring", TUTTI_GENERATORS=both)
    shop.expect(("explain", "allgather", "-n", 8), 0, "my_ring", TUTTI_GENERATORS=both)
    shop.expect(("explain", "allreduce", "-n", 8), 0, "is no candidate, so it is only used by name",
                TUTTI_GENERATORS=both)


def check_refusals(shop):
    """Plug-ins that are wrong, or no plug-ins at all."""
    ring = ("verify", "allgather", "--algorithm", "my_ring", "-n", "1..6")
    send = "round->send(round, (me + 1) % p, &leaves, 1)"
    wrong = {
        "far": (send, send.replace("me + 1", "me + 2")),
        "early": ("(me - t + 1 + p) % p", "(me - t + p) % p"),
        "outside": ("block(TUTTI_OUTPUT, me)", "block(TUTTI_OUTPUT, me + 1)"),
        "says": (send, send + ', round->fail(round, "no\\n\\033[31mway")'),
        "cheap": ("terms->alpha = shape->p - 1", "terms->alpha = 1"),
    }
    parts = {
        "far": "allgather my_ring for p = 2 is not correct: round 2 (t = 1): rank 0: a rank has a",
        "early": "allgather my_ring for p = 2 is not correct",
        "outside": "there is no block 1 in a buffer of 1",
        "says": "it says: no\\x0a\\x1b[31mway",
        "cheap": "alpha is 0, but its function cost() says 1",
    }
    for name, edit in wrong.items():
        part = parts[name]
        path = shop.plug_in("ring.c", name, edit)
        shop.expect(ring, 1, part, TUTTI_GENERATORS=path)
    far = shop.folder / "far.so"
    shop.expect(("draw", "allgather", "--algorithm", "my_ring", "-n", 4), 1,
                "WRONG: round 2 (t = 1): rank 0: receive", TUTTI_GENERATORS=far)
    shop.expect(("verify", "allgather", "--algorithm", "my_ring", "-n", 3), 1,
                "allgather my_ring for p = 3 is not correct: round 2 (t = 1): rank 0: ",
                TUTTI_GENERATORS=far)
    twice = shop.plug_in("ring.c", "twice", ('"my_ring"', '"ring"'))
    shop.expect(ring, 2, "there is an algorithm 'ring' for allgather already",
                TUTTI_GENERATORS=twice)
    named = shop.plug_in("ring.c", "named", ('"my_ring"', '"my ring"'))
    shop.expect(ring, 2, "its name is 'my ring' but must have small letters",
                TUTTI_GENERATORS=named)
    thrown = shop.plug_in("ring.cpp", "thrown",
                          ("if (t == 0) return", 'if (t == 1) throw "no";\n    if (t == 0) return'))
    shop.expect(ring, 1, "an exception of an unknown type", TUTTI_GENERATORS=thrown)
    shop.expect(ring, 2, "the file cannot be read", TUTTI_GENERATORS="missing.so")
    shop.expect(ring, 2, "the file cannot be read", TUTTI_GENERATORS=shop.folder)
    (shop.folder / "text.so").write_text("no library")
    shop.expect(ring, 2, "text.so", TUTTI_GENERATORS="text.so")
    empty = shop.plug_in("ring.c", "empty", ("void tutti_generators", "void other_name"))
    shop.expect(ring, 2, "it defines no function tutti_generators", TUTTI_GENERATORS=empty)


def check_jobs(shop):
    results = shop.folder / "results"
    if message := shop.prefix.compile("c", "tutti", RESULTS, results):
        return problem(message)
    swing, ring = shop.plug_in("swing.c", "swing"), shop.plug_in("ring.cpp", "ring")
    job = ("run", "-n", 4, "--timeout", 60)
    for path, operation, name, other in ((swing, "allreduce", "swing", "halving_doubling"),
                                         (ring, "allgather", "my_ring", "ring")):
        plain = shop.expect((*job, results, operation), 0, "",
                            TUTTI_ALGORITHM=f"{operation}={other}")
        plugged = shop.expect((*job, results, operation), 0, "", TUTTI_GENERATORS=path,
                              TUTTI_ALGORITHM=f"{operation}={name}", TUTTI_VERIFY=1)
        if operation == "allgather" and plain != plugged:
            problem(f"{name} gathers {plugged}, and not {plain}")
        if len(set(plugged.split())) != 1:
            problem(f"{name} gives ranks different results: {plugged}")
    shop.expect((*job, results, "plan", "swing"), 0, "", TUTTI_GENERATORS=swing)
    shop.expect(("run", "-n", 3, "--timeout", 60, results, "plan", "swing"), 1,
                "it needs a power of two", TUTTI_GENERATORS=swing)
    wrong = shop.plug_in("ring.c", "wrong", ("(me + 1) % p, &leaves", "(me + 2) % p, &leaves"))
    shop.expect((*job, results, "allgather"), 1, "is not correct: round 2", TUTTI_GENERATORS=wrong,
                TUTTI_ALGORITHM="allgather=my_ring")
    done = shop.tutti("bench", "allgather", "--algorithm", "my_ring", "-n", 3, "--bytes", 8,
                      "--seconds", 1, TUTTI_GENERATORS=wrong)
    lines = done.stderr.splitlines()
    if "is not correct: round 2" not in done.stderr or len(set(lines)) != len(lines):
        problem(f"tutti bench has to say once on each rank what is wrong: {done.stderr}")
    # Each of two processes loads the plug-in of its own rank.
    for rank, path in enumerate((ring, wrong)):
        (shop.folder / f"{rank}.so").write_bytes(path.read_bytes())
    script = 'TUTTI_GENERATORS=./$TUTTI_RANK.so exec "$@"'
    words = ("run", "-n", 2, "--timeout", 60, "sh", "-c", script, "sh", results)
    shop.expect(words, 2, "must be the same for all processes")


def main():
    prefix = Prefix(*sys.argv[1:4])
    os.environ.pop("TUTTI_GENERATORS", None)
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(prefix, pathlib.Path(folder))
        if sys.argv[4] == "jobs":
            check_jobs(shop)
        else:
            check_verbs(shop)
            check_refusals(shop)
    finish("plug-ins in C and C++")


main()
