# SPDX-License-Identifier: BSD-3-Clause
"""Loads the MPI that pip has installed beside this Python, if its launcher has started the process.
libtutti uses the MPI that a process has loaded. Without this it would load the system's, and mpi4py
would then load the one beside Python as a second MPI."""

import ctypes
import os
import site
import sys

# A variable that a launcher sets -> the library of its MPI.
_LIBRARIES = {"OMPI_COMM_WORLD_SIZE": "libmpi.so.40", "PMI_SIZE": "libmpi.so.12"}
_ALL = ("libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1")


def _is_loaded(name: str) -> bool:
    try:
        ctypes.CDLL(name, os.RTLD_LAZY | os.RTLD_NOLOAD)
    except OSError:
        return False
    return True


def _folders() -> list[str]:
    """Returns where pip puts libraries, in the order in which mpi4py looks there."""
    prefixes = [sys.exec_prefix, sys.base_exec_prefix]
    if site.ENABLE_USER_SITE:
        prefixes.insert(1, site.getuserbase())
    return [os.path.join(prefix, "lib") for prefix in prefixes if prefix != "/usr"]


def load() -> None:
    name = next((_LIBRARIES[one] for one in _LIBRARIES if one in os.environ), None)
    if name is None or any(map(_is_loaded, _ALL)):
        return
    for path in (os.path.join(folder, name) for folder in _folders()):
        if os.path.exists(path):
            ctypes.CDLL(path, os.RTLD_LAZY)
            return
