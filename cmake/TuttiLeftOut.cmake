# SPDX-License-Identifier: BSD-3-Clause
# Prints which parts are left out of a build and why. A text is printed again only if it changes,
# because scripts/build configures before every build.

# tutti_left_out(<part> <text>): prints that the part is not built; the text describes it and the
# reason.
function(tutti_left_out part text)
  if(NOT TUTTI_LEFT_OUT_${part} STREQUAL text)
    message(NOTICE "tutti is built without ${text}")
    set(TUTTI_LEFT_OUT_${part} "${text}" CACHE INTERNAL "why this part is not built")
  endif()
endfunction()

# tutti_built(<part>): deletes the text that an earlier configuration has kept, because the part is
# built now.
function(tutti_built part)
  unset(TUTTI_LEFT_OUT_${part} CACHE)
endfunction()
