# SPDX-License-Identifier: BSD-3-Clause
# The installation runs this script, as libtool would. Where the loader finds the folder of the
# libraries (TUTTI_LOADER_FOLDER, below the prefix) in its configuration only, as with
# /usr/local/lib, it finds new libraries after ldconfig only. Below DESTDIR nothing is done: packages
# have their own ways.
set(folder "${CMAKE_INSTALL_PREFIX}/${TUTTI_LOADER_FOLDER}")
file(GLOB files /etc/ld.so.conf /etc/ld.so.conf.d/*.conf)
set(searched)
foreach(file IN LISTS files)
  file(STRINGS "${file}" lines REGEX "^/")
  list(APPEND searched ${lines})
endforeach()
list(FIND searched "${folder}" at)
if("$ENV{DESTDIR}" STREQUAL "" AND at GREATER -1)
  find_program(TUTTI_LDCONFIG ldconfig PATHS /usr/sbin /sbin)
  execute_process(COMMAND ${TUTTI_LDCONFIG} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    message(NOTICE "Programs find tutti's libraries in ${folder} after 'ldconfig', which only root may call.")
  endif()
endif()
