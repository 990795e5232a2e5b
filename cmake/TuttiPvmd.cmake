# SPDX-License-Identifier: BSD-3-Clause
# Sets TUTTI_REAL_PVM to the library of an installed PVM (Debian's libpvm3), by which tutti reaches
# its pvmd. Without this library the transport pvmd is left out. Our own PVM does not need it.
option(TUTTI_PVMD "Build the transport over a real PVM, where its library is found" ON)
set(TUTTI_REAL_PVM)
if(TUTTI_PVMD AND NOT TUTTI_SANITIZE)
  find_library(TUTTI_PVMD_LIBRARY NAMES libpvm3.so.3)
  mark_as_advanced(TUTTI_PVMD_LIBRARY)
  if(TUTTI_PVMD_LIBRARY)
    tutti_built(pvmd)
    set(TUTTI_REAL_PVM ${TUTTI_PVMD_LIBRARY})
  else()
    tutti_left_out(pvmd "the transport pvmd: libpvm3.so.3 was not found (package pvm)")
  endif()
endif()
