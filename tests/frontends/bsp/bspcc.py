#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bspcc.py BSPCC: checks what bspcc passes to the compiler. It ignores options of Oxford's bspcc
with their values, and passes all other arguments on in their order, those with spaces whole."""
import pathlib
import subprocess
import sys
import tempfile

IGNORED = [
    "-flibrary-level", "2", "-fcombine-puts", "-fcombine-puts-buffer", "256K,128M,4K", "-bspfifo",
    "10000", "-fnocombine-puts", "-fcontention-resolve", "1", "-cgprof", "-fnocheck-syncs",
    "-ffixed-bsmp-buffers", "4M"
]
KEPT = ["-O3", "-DTEXT=two words", "a b.c", "-o", "prog", "-lm"]


def main(bspcc):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "pre fix")
        (root / "bin").mkdir(parents=True)
        (root / "lib").mkdir()
        (root / "lib/libtutti-bsp.so").touch()
        (root / "bin/bspcc").write_text(pathlib.Path(bspcc).read_text())
        compiler = root / "bin/compiler"
        compiler.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        compiler.chmod(0o755)

        def call(*arguments):
            return subprocess.run(["sh", root / "bin/bspcc", "--cc", compiler, *arguments],
                                  capture_output=True,
                                  text=True,
                                  check=False)

        mixed = [KEPT[0], *IGNORED[:5], *KEPT[1:4], *IGNORED[5:], *KEPT[4:]]
        passed = call(*mixed).stdout.splitlines()
        start = passed.index(KEPT[0]) if KEPT[0] in passed else 0
        assert passed[start:start + len(KEPT)] == KEPT, passed
        assert not set(passed) & set(IGNORED), passed
        assert len(passed) == len(KEPT) + 6, passed
        missing = call("prog.c", "-flibrary-level")
        assert missing.returncode == 2 and "-flibrary-level needs a value" in missing.stderr
    print("bspcc passes on what the compiler knows")


if __name__ == "__main__":
    main(*sys.argv[1:])
