# SPDX-License-Identifier: BSD-3-Clause
# Says which parts are built and how they are installed. By default all are built whose libraries
# are found. A package chooses fewer (pyproject.toml, packaging/debian/rules).
include(CMakeDependentOption)
# The installed programs of papers/, apps/ and study/prove/ are the components papers, apps and prove,
# and everything else is the component tutti. So tests of an installed tree need not wait until those
# programs are built.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tutti)
option(TUTTI_APPS "Build the programs of apps/" ON)
option(TUTTI_PAPERS "Build what `tutti reproduce` needs: tutti-papers and the papers' measuring programs" ON)
option(TUTTI_PROVER "Build tutti-prove, if z3 is found" ON)
option(TUTTI_BLAS "Let programs that compute use a BLAS, if one is found" ON)
option(TUTTI_DOCUMENTS "Install pages, examples and the manual pages of functions" ON)
# Wheels have no symbolic links and a folder of their own for Python's files.
option(TUTTI_WHEEL "Install in the form of a wheel; pyproject.toml sets this" OFF)
# Tests and benchmarks use all parts.
cmake_dependent_option(TUTTI_TESTS "Build the tests" ON "TUTTI_APPS;TUTTI_PAPERS;NOT TUTTI_WHEEL" OFF)
cmake_dependent_option(TUTTI_BENCH "Build the benchmarks" ON "TUTTI_APPS;TUTTI_PAPERS;NOT TUTTI_WHEEL" OFF)

# Shared libraries are installed in this folder. In a wheel it has no other files, so that
# LD_LIBRARY_PATH can name it (TuttiLinks.cmake).
set(TUTTI_LIBRARY_DIR ${CMAKE_INSTALL_LIBDIR})
if(TUTTI_WHEEL)
  set(TUTTI_LIBRARY_DIR ${CMAKE_INSTALL_LIBDIR}/tutti/run)
  # A wheel is to have at most 5 MB. So the linker leaves out each function that nothing uses, and
  # only what runs while data move is compiled for speed: the old interfaces (-O2) and these layers.
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
  string(REPLACE -O3 -Os CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  set(TUTTI_QUICK_LAYERS base data group transport services engine job api)
endif()

# tutti_install_libraries(<folder> <target>... [EXPORT]): installs shared libraries. In a wheel, the
# file has the name that programs load, and the name that linkers look for is a linker script.
function(tutti_install_libraries folder)
  cmake_parse_arguments(INSTALL "EXPORT" "" "" ${ARGN})
  set(export)
  if(INSTALL_EXPORT)
    set(export EXPORT tutti_targets)
  endif()
  if(NOT TUTTI_WHEEL)
    install(TARGETS ${INSTALL_UNPARSED_ARGUMENTS} ${export} LIBRARY DESTINATION ${folder}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    return()
  endif()
  set_property(TARGET ${INSTALL_UNPARSED_ARGUMENTS} PROPERTY VERSION)
  install(TARGETS ${INSTALL_UNPARSED_ARGUMENTS} ${export} LIBRARY DESTINATION ${folder} NAMELINK_SKIP
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  foreach(target IN LISTS INSTALL_UNPARSED_ARGUMENTS)
    get_target_property(name ${target} OUTPUT_NAME)
    if(NOT name)
      set(name ${target})
    endif()
    get_target_property(version ${target} SOVERSION)
    set(script ${PROJECT_BINARY_DIR}/linker_scripts/lib${name}.so)
    file(WRITE ${script} "/* A linker script: wheels have no symbolic links. */\nINPUT(lib${name}.so.${version})\n")
    install(FILES ${script} DESTINATION ${folder})
  endforeach()
endfunction()
