# SPDX-License-Identifier: BSD-3-Clause
# TUTTI_REAL_PVM: the library of a PVM that is installed (Debian's libpvm3), by which tutti reaches its pvmd. Without it
# there is no transport pvmd; our own PVM needs nothing of it.
find_library(TUTTI_REAL_PVM NAMES libpvm3.so.3 DOC "The real libpvm3, for the transport pvmd; empty: none")
