#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""backends.py TUTTI WRAPPER ONE WITHOUT_FOLD PEERS...: tests the C++ interface on our BSPlib and on
other BSPlibs, and its message if there is none. Peers are libbsp_<kind>_<mpi>.so; those that exist
are run by that MPI's launcher."""
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402


def main(tutti, wrapper, one, without_fold, *peers):
    launched = [tutti, "run", "--timeout", "60", "-n", "2", wrapper]
    # Cases: command, TUTTI_BSP_BACKEND, exit code (None: any but 0), text in stdout or stderr.
    cases = [
        (launched, "tutti", 0, "the wrapper works on 2 processes of tutti"),
        ([wrapper], one, 0, "the wrapper works on 1 processes of " + os.path.basename(one)),
        ([wrapper], without_fold, None, f"{without_fold} has no bsp_fold"),
        ([wrapper], "/nowhere/libbsp.so", None,
         "TUTTI_BSP_BACKEND: the library cannot be loaded: /nowhere/libbsp.so:"),
        (launched, "/nowhere/libbsp.so", None,
         "TUTTI_BSP_BACKEND: the library cannot be loaded: /nowhere/libbsp.so:"),
        ([wrapper], "libm.so.6", None,
         "TUTTI_BSP_BACKEND: 'libm.so.6' is no BSPlib: it has no bsp_begin"),
    ]
    for peer in filter(os.path.exists, peers):
        mpi = re.search(r"_(\w+)\.so", peer).group(1).split("_")[-1]
        if mpi_launchers.installed(mpi):
            name = pathlib.Path(peer).name
            cases.append(([*mpi_launchers.launcher(mpi, 2),
                           wrapper], peer, 0, "the wrapper works on 2 processes of " + name))
    failures = 0
    for command, backend, code, text in cases:
        done = subprocess.run(command,
                              env=dict(os.environ, TUTTI_BSP_BACKEND=backend),
                              capture_output=True,
                              text=True,
                              timeout=100,
                              check=False,
                              stdin=subprocess.DEVNULL)
        as_expected = done.returncode == code if code is not None else done.returncode not in (0,
                                                                                               124)
        if not as_expected or text not in done.stdout + done.stderr:
            failures += 1
            print(
                f"failed: TUTTI_BSP_BACKEND={backend} {' '.join(command)}: exit code "
                f"{done.returncode}\n{done.stdout}{done.stderr}"
            )
    print(f"{len(cases)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
