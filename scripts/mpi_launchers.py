# SPDX-License-Identifier: BSD-3-Clause
"""How the ranks of a job are started by each of Debian's MPIs, installed side by side. For tests
and benches."""
import shutil

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpiexec.mpich"]
}


def installed(mpi):
    return shutil.which(LAUNCHERS[mpi][0]) is not None


def launcher(mpi, ranks, variables=None):
    """The words in front of a program. `variables` are for the ranks only: what they preload must
    not meet the launcher."""
    return LAUNCHERS[mpi] + ["-n", str(ranks)] + words_for_ranks(mpi, variables or {})


def words_for_ranks(mpi, variables):
    """The launcher's options that set environment variables."""
    if mpi == "openmpi":
        return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
    return [word for name, value in variables.items() for word in ("-genv", name, value)]
