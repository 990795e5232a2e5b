# SPDX-License-Identifier: BSD-3-Clause
"""Knows how each of Debian's MPIs, which can be installed side by side, starts the ranks of a job.
Tests and benches use it."""
import os
import re
import shutil
import subprocess

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpiexec.mpich"]
}


def installed(mpi):
    return shutil.which(LAUNCHERS[mpi][0]) is not None


def launcher(mpi, ranks, variables=None):
    """Returns the words to write in front of a program. `variables` are set for the ranks only: a
    library that they preload must not be loaded into the launcher."""
    return LAUNCHERS[mpi] + ["-n", str(ranks)] + words_for_ranks(mpi, variables or {})


def without_notices(text):
    """Returns the errors that a job has written, without the notice that its ranks wait for others.
    On a busy machine MPI_Init takes longer than the 5 s after which each rank says that."""
    return re.sub(r"^tutti: rank \d+ has waited \d+ s to join the job, .*\n", "", text, flags=re.M)


def words_for_ranks(mpi, variables):
    """Returns the launcher's options that set environment variables of the ranks."""
    if mpi == "openmpi":
        return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
    return [word for name, value in variables.items() for word in ("-genv", name, value)]


def run(mpi, ranks, command, timeout, **variables):
    """Runs a command on `ranks` ranks to its end, with its output as text. The environment of the
    launcher has `variables`, and not those that are None."""
    environment = dict(os.environ, OMPI_MCA_btl_base_warn_component_unused="0")
    for name, value in variables.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    return subprocess.run([*launcher(mpi, ranks), *command],
                          env=environment,
                          capture_output=True,
                          text=True,
                          check=False,
                          timeout=timeout,
                          stdin=subprocess.DEVNULL)
