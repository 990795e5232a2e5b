# SPDX-License-Identifier: BSD-3-Clause
# Says where programs lie that only `tutti` starts. The installed tree can be moved, so paths
# between its folders are relative.
include(TuttiRunPath)
set(TUTTI_HELPERS_DIR ${CMAKE_INSTALL_LIBEXECDIR}/tutti)
file(RELATIVE_PATH TUTTI_HELPERS_FROM_BIN "/${CMAKE_INSTALL_BINDIR}" "/${TUTTI_HELPERS_DIR}")
file(RELATIVE_PATH TUTTI_BIN_FROM_HELPERS "/${TUTTI_HELPERS_DIR}" "/${CMAKE_INSTALL_BINDIR}")

# tutti_helper(<target>): makes the target a program that only `tutti` starts. It lies beside the
# command in the build tree, and in libexec where tutti is installed; find_helper() of
# support/child.hpp looks for it there. TuttiInstall.cmake installs it and lets the target product
# build it.
file(RELATIVE_PATH TUTTI_LIBRARIES_FROM_HELPERS "/${TUTTI_HELPERS_DIR}" "/${TUTTI_LIBRARY_DIR}")
function(tutti_helper target)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  tutti_program_run_path(${target} ${TUTTI_LIBRARIES_FROM_HELPERS})
  set_property(GLOBAL APPEND PROPERTY TUTTI_HELPER_PROGRAMS ${target})
endfunction()
