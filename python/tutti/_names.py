# SPDX-License-Identifier: BSD-3-Clause
"""The names of mpi4py, and those of tutti that do the same. Errors suggest them, and the guide has
them as a table, on its page for users of mpi4py."""

import difflib
from collections.abc import Iterable, Mapping

# Names of mpi4py that are not one of tutti's in small letters.
OF_A_GROUP = {
    "Get_rank": "rank", "Get_size": "size", "Gatherv": "gather", "Scatterv": "scatter",
    "Allgatherv": "allgather", "Alltoallv": "alltoall", "Reduce_scatter_block": "reduce_scatter",
    "Igatherv": "igather", "Iscatterv": "iscatter", "Iallgatherv": "iallgather",
    "Ialltoallv": "ialltoall", "Ireduce_scatter_block": "ireduce_scatter", "Clone": "dup",
    "Create_group": "create", "Create_cart": "mesh", "Translate_ranks": "ranks_in",
    "Iprobe": "probe", "Abort": "tutti.abort"
}
OF_THE_MODULE = {
    "COMM_WORLD": "world", "ANY_SOURCE": "ANY", "ANY_TAG": "ANY", "PROD": "PRODUCT",
    "LAND": "LOGICAL_AND", "LOR": "LOGICAL_OR", "LXOR": "LOGICAL_XOR", "BAND": "BIT_AND",
    "BOR": "BIT_OR", "BXOR": "BIT_XOR", "Alloc_mem": "empty", "Is_initialized": "initialized",
    "Exception": "Error", "Comm": "Group", "Intracomm": "Group", "Prequest": "Request"
}


def no_attribute(owner: str, name: str, known: Iterable[str],
                 of_mpi4py: Mapping[str, str]) -> AttributeError:
    """Returns the error for a missing attribute. It suggests a name itself, because Python does so
    only in some of its versions and not in notebooks, and does not know mpi4py."""
    public = [one for one in known if not one.startswith("_")]
    found = of_mpi4py.get(name) or next((one for one in public if one.lower() == name.lower()), "")
    if not found and not name.startswith("_"):
        found = "".join(difflib.get_close_matches(name, public, 1))
    suggestion = f". Did you mean: {found!r}?" if found else ""
    # With a name of None, Python adds no suggestion of its own.
    return AttributeError(f"{owner} has no attribute {name!r}{suggestion}", name=None)
