# SPDX-License-Identifier: BSD-3-Clause
"""test_mpi_programs.py TUTTI FLAVOUR: runs programs of an MPI where its launcher is missing, and
with a sanitizer. Exit code 77 (skipped): the MPI's compiler or launcher is not there."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
MEAN = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int me, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < 20; ++i) MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
"""
COURSE = r"""
#include <mpi.h>
#include <stdio.h>
void Cblacs_pinfo(int*, int*);
int main(int argc, char** argv) {
  int me, n;
  MPI_Init(&argc, &argv);
  Cblacs_pinfo(&me, &n);
  printf("%d of %d\n", me, n);
  MPI_Finalize();
  return 0;
}
"""
OTHER_BLACS = "void Cblacs_pinfo(int* me, int* n) { *me = 77, *n = 1; }\n"
failures = 0


def expect(good, what, done):
    global failures
    if not good:
        failures += 1
        print(f"FAILED {what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def run(*command, **variables):
    return subprocess.run([str(word) for word in command],
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=100,
                          stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **variables))


def compile_in(folder, flavour, name, text, *words):
    (folder / f"{name}.c").write_text(text)
    done = run(f"mpicc.{flavour}", folder / f"{name}.c", "-o", folder / name, *words)
    return done.returncode == 0


def alone(tutti, flavour, folder):
    """A program of MPI under tutti run alone is told what to type, once, and others are not."""
    compile_in(folder, flavour, "mean", MEAN)
    mean = folder / "mean"
    done = run(tutti, "run", "-n", 2, mean)
    said = [line for line in done.stderr.splitlines() if "is a program of MPI" in line]
    right = len(said) == 1 and f"start it with mpirun -n 2 {mean}," in said[0]
    expect(done.stdout == "sum 0\n" * 2 and done.returncode == 0 and right, "alone", done)
    for words in (("-n", 1, mean), ("-n", 2, "true"), ("-n", 2, "--preload", "bsp", mean)):
        done = run(tutti, "run", *words)
        expect("is a program of MPI" not in done.stderr, f"no line after {words}", done)


def begun_by_itself(tutti, flavour, folder):
    """The reason is MPI_Init in the program; the command that the message names works."""
    (folder / "other.c").write_text(OTHER_BLACS)
    run("cc", "-shared", "-fPIC", folder / "other.c", "-o", folder / "libotherblacs.so")
    where = (f"-L{folder}", "-lotherblacs", f"-Wl,-rpath,{folder}")
    if not compile_in(folder, flavour, "course", COURSE, *where):
        return print("skipped: a program with BLACS cannot be linked")
    course = folder / "course"
    right = f"use mpirun -n 2 tutti preload blacs {course}\n"
    done = run(tutti, "run", "-n", 2, "--preload", "blacs", course)
    if flavour == "openmpi":
        good = done.returncode != 0 and right in done.stderr
        good = good and "calls MPI_Init itself" in done.stderr
        expect(good and "was started inside" not in done.stderr, "MPI_Init under tutti run", done)
    done = mpi_launchers.run(flavour, 2, [str(tutti), "preload", "blacs", str(course)], 100)
    expect(sorted(done.stdout.splitlines()) == ["0 of 2", "1 of 2"], "the right command", done)


def sanitized(tutti, flavour, folder):
    if not compile_in(folder, flavour, "checked", MEAN, "-g", "-fsanitize=address"):
        return print("skipped: the compiler has no library for -fsanitize=address")
    quiet = {"ASAN_OPTIONS": "detect_leaks=0", "TUTTI_EXPLAIN": "1"}
    done = mpi_launchers.run(flavour, 2, [str(tutti), "mpi", str(folder / "checked")], 100, **quiet)
    expect(done.stdout == "sum 1\n" and "allreduce of 4 B" in done.stderr, "with ASan", done)


def main(tutti, flavour):
    if shutil.which(f"mpicc.{flavour}") is None or not mpi_launchers.installed(flavour):
        print(f"skipped: {flavour} is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for part in (alone, begun_by_itself, sanitized):
            part(tutti, flavour, pathlib.Path(folder))
    print(f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
