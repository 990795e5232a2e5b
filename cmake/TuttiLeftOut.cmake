# SPDX-License-Identifier: BSD-3-Clause
# What is left out of a build is said once, and again when it changes: scripts/build configures each time.

# tutti_left_out(<part> <text>): the part is not built; the text says what it is and why.
function(tutti_left_out part text)
  if(NOT TUTTI_LEFT_OUT_${part} STREQUAL text)
    message(NOTICE "tutti is built without ${text}")
    set(TUTTI_LEFT_OUT_${part} "${text}" CACHE INTERNAL "why this part is not built")
  endif()
endfunction()

# tutti_built(<part>): the part is built, so the reason that an earlier configuration kept is deleted.
function(tutti_built part)
  unset(TUTTI_LEFT_OUT_${part} CACHE)
endfunction()
