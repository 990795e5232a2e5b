# SPDX-License-Identifier: BSD-3-Clause
"""mkl.py MPI BLACS MKL: runs ScaLAPACK of Intel's MKL on our BLACS for this MPI. BLACS is our
library, and MKL the folder in which `make peers` has installed MKL. MKL's own BLACS stays linked
behind ours, because its ScaLAPACK takes a table of MPI's functions from there."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "scripts"))
from mpi_launchers import launcher  # noqa: E402

PARTS = {"openmpi": "mkl_blacs_openmpi_lp64", "mpich": "mkl_blacs_intelmpi_lp64"}


def compile_program(mpi, blacs, mkl, program):
    parts = ["mkl_scalapack_lp64", "mkl_intel_lp64", "mkl_sequential", "mkl_core", PARTS[mpi]]
    files = [str(next(mkl.glob(f"lib{part}.so.*"))) for part in parts]
    source = pathlib.Path(__file__).with_name("mkl.c")
    subprocess.run([
        f"mpicc.{mpi}", "-std=gnu11", "-Wall", "-Wextra", "-Werror", source, "-o", program,
        "-Wl,--no-as-needed", blacs, *files, f"-Wl,-rpath,{blacs.parent}", f"-Wl,-rpath,{mkl}",
        "-ldl", "-lm"
    ],
                   check=True)


def main(mpi, blacs, mkl):
    if not mkl.exists():
        print("skipped: make peers has not installed MKL")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "mkl")
        compile_program(mpi, blacs, mkl, program)
        for ranks in (2, 4, 6):
            done = subprocess.run([*launcher(mpi, ranks), program],
                                  stdout=subprocess.PIPE,
                                  text=True,
                                  check=False)
            print(f"{ranks} ranks: {done.stdout.strip()}")
            ours = re.match(rf"libtutti-blacs-{mpi}\.so", done.stdout)
            if done.returncode != 0 or not ours:
                print(f"FAILED: exit code {done.returncode}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(pathlib.Path, sys.argv[2:])))
