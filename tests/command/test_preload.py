# SPDX-License-Identifier: BSD-3-Clause
"""Tests `tutti run --preload` and `tutti preload` with small programs that use another BSPlib. It
is a shared library, part of the program, or linked statically; a script or `env` may start the
program. The folder's name has spaces and letters outside of ASCII. TUTTI_COMMAND and CC name the
command and the compiler."""
import os
import pathlib
import random
import shutil
import stat
import subprocess
import tempfile
import unittest

TUTTI = os.environ["TUTTI_COMMAND"]
CC = os.environ["CC"]
SEED = int(os.environ.get("TUTTI_SEED", "1"))

LIBRARY = """
#include <stdio.h>
#include <stdlib.h>
void bsp_begin(int n) { (void)n; }
void bsp_end(void) {}
int bsp_pid(void) { return 77; }
int bsp_nprocs(void) { return 1; }
"""
PROGRAM = """
#include <stdio.h>
void bsp_begin(int); void bsp_end(void); int bsp_pid(void); int bsp_nprocs(void);
int main(void) {
  bsp_begin(2);
  printf("process %d of %d\\n", bsp_pid(), bsp_nprocs());
  fflush(stdout);
  bsp_end();
  return 0;
}
"""
OTHERS, OURS = ["process 77 of 1"] * 2, ["process 0 of 2", "process 1 of 2"]


def run(*command, **environment):
    """Runs a command; returns its exit code, the sorted lines of its output, and its stderr."""
    done = subprocess.run([str(word) for word in command],
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=120,
                          stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **environment))
    return done.returncode, sorted(done.stdout.splitlines()), done.stderr


def preloaded(*words, **environment):
    return run(TUTTI, "run", "-n", 2, "--timeout", 60, "--preload", "bsp", *words, **environment)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="tutti-test-")
        cls.folder = pathlib.Path(cls.top, "two words, é and " + "a long name " * 8)
        cls.folder.mkdir()
        for name, text in (("other.c", LIBRARY), ("program.c", PROGRAM),
                           ("empty.c", "int main(void) { return 0; }\n")):
            (cls.folder / name).write_text(text)
        cls.compile("-shared", "-fPIC", "other.c", "-o", "libotherbsp.so")
        cls.compile("program.c", "-o", "program", "-L.", "-lotherbsp", "-Wl,-rpath,$ORIGIN")
        cls.compile("program.c", "other.c", "-o", "own")
        cls.compile("empty.c", "-o", "empty")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    @classmethod
    def compile(cls, *words):
        subprocess.run([CC, *words], cwd=cls.folder, check=True)

    def refused(self, program, *reasons, command=(TUTTI, "run", "-n", 2, "--preload")):
        code, lines, errors = run(*command, "bsp", program)
        self.assertEqual((code, lines), (2, []), errors)
        for reason in reasons:
            self.assertIn(reason, errors)
        self.assertEqual(len(errors.splitlines()), 1)

    def test_ours_comes_before_the_other_library(self):
        self.assertEqual(run(TUTTI, "run", "-n", 2, self.folder / "program"), (0, OTHERS, ""))
        self.assertEqual(preloaded(self.folder / "program"), (0, OURS, ""))

    def test_behind_env_and_in_path(self):
        self.assertEqual(preloaded("env", "A=1", "B=2", self.folder / "program"), (0, OURS, ""))
        path = f"{self.folder}:{os.environ['PATH']}"
        self.assertEqual(preloaded("program", PATH=path), (0, OURS, ""))

    def test_alone_under_tutti_run(self):
        self.assertEqual(
            run(TUTTI, "run", "-n", 2, TUTTI, "preload", "bsp", self.folder / "program"),
            (0, OURS, ""))
        self.assertEqual(run(TUTTI, "preload", "bsp", "--", self.folder / "program"), (0, OURS, ""))

    def test_functions_of_its_own(self):
        for command in ((TUTTI, "run", "-n", 2, "--preload"), (TUTTI, "preload")):
            self.refused(self.folder / "own",
                         "has functions of BSPlib of its own, among them bsp_",
                         "bspcc",
                         command=command)

    def test_static(self):
        try:
            self.compile("-static", "program.c", "other.c", "-o", "static")
        except subprocess.CalledProcessError:
            self.skipTest("no static C library")
        self.refused(self.folder / "static", "is static")

    def test_of_another_processor(self):
        image = bytearray((self.folder / "program").read_bytes())
        for offset, value in ((4, 3 - image[4]), (18, image[18] ^ 1)):  # word size; processor
            foreign = bytearray(image)
            foreign[offset] = value
            (self.folder / "foreign").write_bytes(foreign)
            (self.folder / "foreign").chmod(stat.S_IRWXU)
            self.refused(self.folder / "foreign", "another kind of processor")

    def test_a_script_is_said_to_be_one(self):
        script = self.folder / "script"
        script.write_text('#!/bin/sh\nexec "$(dirname "$0")/program"\n')
        script.chmod(stat.S_IRWXU)
        code, lines, errors = preloaded(script)
        self.assertEqual((code, lines), (0, OURS), errors)
        self.assertIn("is a script, so nothing can be seen of what it runs", errors)
        self.assertEqual(len(errors.splitlines()), 1)

    def test_a_program_that_does_not_use_it(self):
        code, _, errors = preloaded(self.folder / "empty")
        self.assertEqual(code, 0)
        self.assertIn("neither", errors)
        self.assertIn("uses BSPlib", errors)

    def test_damaged_tables(self):
        """With any damage to the file, the command prints an error or the kernel refuses the
        program. The command does not crash."""
        chance = random.Random(SEED)
        image, damaged = (self.folder / "own").read_bytes(), self.folder / "damaged"
        sections = int.from_bytes(image[40:48], "little")
        for _ in range(12):
            copy = bytearray(image)
            for _ in range(chance.randint(1, 6)):
                copy[chance.choice((chance.randrange(40, 64), chance.randrange(
                    sections, len(image))))] = chance.randrange(256)
            damaged.write_bytes(copy[:chance.choice((len(copy), chance.randrange(64, len(copy))))])
            damaged.chmod(stat.S_IRWXU)
            code, _, errors = run(TUTTI, "run", "-n", 1, "--preload", "bsp", damaged)
            self.assertGreaterEqual(code, 0,
                                    f"tutti itself fell (again: TUTTI_SEED={SEED}): {errors}")

    def test_what_the_user_has_set_comes_after(self):
        code, lines, errors = preloaded("sh",
                                        "-c",
                                        'echo "$LD_LIBRARY_PATH|$LD_PRELOAD"',
                                        LD_LIBRARY_PATH="/nowhere",
                                        LD_PRELOAD=self.folder.parent / "none.so")
        self.assertEqual(code, 0, errors)
        folders, files = lines[0].split("|")
        self.assertRegex(folders, "^/[^:]*:/nowhere$")
        self.assertRegex(files, "^libtutti-bsp.so.0:/.*none.so$")

    def test_ranks_find_only_our_libraries_first(self):
        code, lines, errors = run(TUTTI, "run", "-n", 1, "sh", "-c", 'echo "$LD_LIBRARY_PATH"')
        self.assertEqual(code, 0, errors)
        folder = lines[0].split(":")[0]
        self.assertTrue(os.listdir(folder))
        for name in os.listdir(folder):
            self.assertTrue(name.startswith("libtutti"), name)
        code, nested, errors = run(TUTTI, "run", "-n", 1, TUTTI, "run", "-n", 1, "sh", "-c",
                                   'echo "$LD_LIBRARY_PATH"')
        self.assertEqual((code, nested), (0, lines), errors)

    def test_a_variable_for_one_program_keeps_ours_in_front(self):
        show = ("sh", "-c", 'echo "$LD_LIBRARY_PATH|$LD_PRELOAD"')
        code, lines, errors = run(TUTTI, "run", "-n", 1, "--preload", "bsp", "-x",
                                  "LD_LIBRARY_PATH=/nowhere", "-x",
                                  f"LD_PRELOAD={self.folder.parent}/none.so", *show)
        self.assertEqual(code, 0, errors)
        self.assertRegex(lines[0], r"^/[^:]*:/nowhere\|libtutti-bsp.so.0:/.*none.so$")

    def test_in_the_folder_of_the_program(self):
        command = (TUTTI, "run", "--preload", "bsp", "-n", 1, "--wdir", self.folder, "./program",
                   ":", "-n", 1, self.folder / "program")
        self.assertEqual(run(*command), (0, OURS, ""))
        self.assertEqual(run(*command[:-1], self.folder / "own")[0], 2)

    def test_sanitizers_come_first(self):
        """Their runtimes end a program in which another library comes before them."""
        for kind in ("address", "undefined", "thread"):
            words = (f"-fsanitize={kind}", "program.c", "-o", kind, "-L.", "-lotherbsp")
            try:
                self.compile(*words, "-Wl,-rpath,$ORIGIN")
            except subprocess.CalledProcessError:
                self.skipTest(f"the compiler has no library for -fsanitize={kind}")
            quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
            self.assertEqual(preloaded(self.folder / kind, **quiet), (0, OURS, ""))
            command = (TUTTI, "preload", "bsp", self.folder / kind)
            self.assertEqual(run(*command, **quiet), (0, OURS, ""))
            # Beside a program without one, and where the loader does not find other libraries.
            job = (TUTTI, "run", "--preload", "bsp", "-n", 1)
            both = (*job, self.folder / kind, ":", "-n", 1, self.folder / "program")
            self.assertEqual(run(*both, **quiet), (0, OURS, ""))

    def test_words_that_are_missing_or_unknown(self):
        for words, reason in ((["preload"], "an interface and a program are needed"), ([
                "preload", "bsp"
        ], "a program"), (["preload", "nx", "true"], "blacs, bsp, pvm"),
                              (["run", "-n", 1, "--preload", "nx", "true"], "nx")):
            code, _, errors = run(TUTTI, *words)
            self.assertEqual(code, 2, errors)
            self.assertIn(reason, errors)
        self.assertEqual(run(TUTTI, "preload", "bsp", "/nowhere/program")[0], 127)


if __name__ == "__main__":
    unittest.main()
