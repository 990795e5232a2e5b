# SPDX-License-Identifier: BSD-3-Clause
# Lists the files that `cmake --install` copies to the prefix: the command, libraries, headers,
# Fortran module, CMake package, pkg-config files, manual pages, documents and examples. It is
# included when all these targets exist.
include(CMakePackageConfigHelpers)
include(TuttiRunPath)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)
# A Fortran module file is for one compiler and version, so it is not installed among the headers.
set(module_dir ${CMAKE_INSTALL_LIBDIR}/tutti/fortran)

# The installed tree can be moved as a whole, because its files find each other by relative paths.
file(RELATIVE_PATH libraries_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${TUTTI_LIBRARY_DIR}")
tutti_program_run_path(tutti_command ${libraries_from_bin})
set_target_properties(tutti-blacs tutti-blacs94 tutti-bsp tutti-icc tutti-nx PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(tutti-blacs PROPERTIES EXPORT_NAME blacs)
set_target_properties(tutti-blacs94 PROPERTIES EXPORT_NAME blacs94)
set_target_properties(tutti-bsp PROPERTIES EXPORT_NAME bsp)
set_target_properties(tutti-bspwrapper PROPERTIES EXPORT_NAME bspwrapper)
set_target_properties(tutti-icc PROPERTIES EXPORT_NAME icc)
set_target_properties(tutti-nx PROPERTIES EXPORT_NAME nx)

set_target_properties(tutti-cxx PROPERTIES EXPORT_NAME cxx)

tutti_install_libraries(${TUTTI_LIBRARY_DIR} tutti tutti-blacs tutti-blacs94 tutti-bsp tutti-icc tutti-nx EXPORT)
install(TARGETS tutti-cxx tutti-bspwrapper EXPORT tutti_targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TUTTI_HAS_FORTRAN)
  set_target_properties(tutti-fortran PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS tutti-fortran EXPORT tutti_targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${module_dir})
  install(FILES $<TARGET_PROPERTY:tutti-fortran,Fortran_MODULE_DIRECTORY>/tutti.mod DESTINATION ${module_dir})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h*"
        PATTERN tutti-pvm EXCLUDE)

# Our PVM's files have the names of the real PVM's files. They have a folder of their own, so that
# no compiler or loader finds them by chance.
set(pvm_dir ${CMAKE_INSTALL_LIBDIR}/tutti/pvm)
file(RELATIVE_PATH libraries_from_pvm "/${pvm_dir}/lib" "/${TUTTI_LIBRARY_DIR}")
set_target_properties(tutti-pvm tutti-gpvm PROPERTIES INSTALL_RPATH "$ORIGIN:$ORIGIN/${libraries_from_pvm}")
tutti_install_libraries(${pvm_dir}/lib tutti-pvm tutti-gpvm)
install(TARGETS tutti-fpvm ARCHIVE DESTINATION ${pvm_dir}/lib)
tutti_program_run_path(tutti-pvm-console ../lib ${libraries_from_pvm})
install(TARGETS tutti-pvm-console RUNTIME DESTINATION ${pvm_dir}/bin)
get_target_property(fpvm_header tutti-fpvm TUTTI_FORTRAN_HEADER)
install(FILES ${fpvm_header} DESTINATION ${pvm_dir}/include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tutti-pvm/ DESTINATION ${pvm_dir}/include)

# tutti-gpvm-pvmd is the group library for a real PVM. libtutti loads tutti-pvmd, the wire over a
# pvmd, from libtutti's own folder.
if(TARGET tutti-gpvm-pvmd)
  set_target_properties(tutti-gpvm-pvmd PROPERTIES INSTALL_RPATH "$ORIGIN/../../..")
  install(TARGETS tutti-gpvm-pvmd LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti/pvmd/lib)
  install(TARGETS tutti-pvmd LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# Libraries that others load: those for an MPI, and tutti-clock, which `tutti run --machine`
# preloads. libtutti loads tutti-mpi-<flavour> from libtutti's own folder; programs of
# that MPI link with tutti-blacs-<flavour>, or have tutti-preload-<flavour> preloaded.
set(loaded_libraries tutti-clock)
foreach(flavour IN LISTS TUTTI_MPI_LIBRARIES)
  list(APPEND loaded_libraries tutti-mpi-${flavour} tutti-preload-${flavour})
endforeach()
foreach(flavour IN LISTS TUTTI_MPI_FLAVOURS)
  list(APPEND loaded_libraries tutti-blacs-${flavour})
endforeach()
foreach(library IN LISTS loaded_libraries)
  if(NOT library MATCHES "^tutti-mpi-")
    set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
  if(TUTTI_WHEEL)
    set_property(TARGET ${library} PROPERTY VERSION)  # the file has the name that libtutti loads
    install(TARGETS ${library} LIBRARY DESTINATION ${TUTTI_LIBRARY_DIR} NAMELINK_SKIP)
  else()
    install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

install(EXPORT tutti_targets NAMESPACE tutti:: DESTINATION ${package_dir} FILE tuttiTargets.cmake)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/tuttiConfig.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tuttiConfig.cmake ${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake
        DESTINATION ${package_dir})

set(packages tutti tutti-blacs tutti-blacs94 tutti-bsp tutti-bspwrapper tutti-icc tutti-nx)
if(TUTTI_HAS_FORTRAN)
  list(APPEND packages tutti-fortran tutti-nx-fortran)
endif()
# Old Fortran gives buffers of several types to one call, which gfortran refuses since version 10.
set(old_fortran_flags)
if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU AND CMAKE_Fortran_COMPILER_VERSION VERSION_GREATER_EQUAL 10)
  set(old_fortran_flags " -fallow-argument-mismatch")
endif()
tutti_install_packages(${packages})

# bspcc compiles programs of BSPlib, bsprun starts them.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/frontends/bsp/bspcc ${PROJECT_SOURCE_DIR}/frontends/bsp/bsprun
        DESTINATION ${CMAKE_INSTALL_BINDIR})

include(TuttiManual)

# The command, all that it starts, loads and preloads, and the manual, but for what shows papers and
# proofs: the component tutti.
add_custom_target(core DEPENDS tutti_command tutti tutti-blacs tutti-blacs94 tutti-bsp tutti-icc tutti-nx tutti-pvm tutti-gpvm tutti-fpvm
                  tutti_fpvm_header tutti-pvm-console ${loaded_libraries} tutti_manual)
foreach(target tutti-fortran tutti_python tutti-gpvm-pvmd tutti-pvmd)
  if(TARGET ${target})
    add_dependencies(core ${target})
  endif()
endforeach()
# `make install` builds this target: all files that are installed, without tests and benchmarks.
add_custom_target(product DEPENDS core)
# CMake does not read the rules to install of a folder that is no part of the default target, so what
# is installed of papers/, apps/ and study/prove/ stands here.
get_property(helpers GLOBAL PROPERTY TUTTI_HELPER_PROGRAMS)
foreach(helper IN LISTS helpers)
  get_target_property(type ${helper} TYPE)
  get_target_property(folder ${helper} SOURCE_DIR)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  if(folder MATCHES "^papers")
    set(component papers)
    add_dependencies(product ${helper})
  elseif(folder MATCHES "^study/prove")
    set(component prove)
    add_dependencies(product ${helper})
  else()
    set(component tutti)
    add_dependencies(core ${helper})
  endif()
  if(type STREQUAL EXECUTABLE)
    install(TARGETS ${helper} RUNTIME DESTINATION ${TUTTI_HELPERS_DIR} COMPONENT ${component})
  endif()
endforeach()
if(TARGET tutti-pvm-probe)
  tutti_program_run_path(tutti-pvm-probe ../lib ${libraries_from_pvm})
  install(TARGETS tutti-pvm-probe RUNTIME DESTINATION ${pvm_dir}/bin COMPONENT papers)
  add_dependencies(product tutti-pvm-probe)
endif()
foreach(program tutti-exchange tutti-llcs tutti-lu tutti-matmul)
  if(TARGET ${program})
    tutti_program_run_path(${program} ${libraries_from_bin})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT apps)
    add_dependencies(product ${program})
  endif()
endforeach()

# All programs are installed by the lines above.
tutti_name_library_folders(${CMAKE_INSTALL_BINDIR} ${TUTTI_LIBRARY_DIR})
tutti_name_library_folders(${TUTTI_HELPERS_DIR} ${TUTTI_LIBRARY_DIR})
tutti_name_library_folders(${pvm_dir}/bin ${TUTTI_LIBRARY_DIR} ${pvm_dir}/lib)

# The completions are installed where the shells look for them.
install(FILES command/complete/tutti.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tutti)
install(FILES command/complete/tutti.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _tutti)
install(FILES command/complete/tutti.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The module file finds the prefix from its own place, so an installed tree can be moved.
configure_file(packaging/modulefile/tutti.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
if(NOT TUTTI_WHEEL)
  install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/tutti RENAME ${PROJECT_VERSION})
endif()

# A wheel has the licence and the notices of what is compiled in among the facts on the package.
if(NOT TUTTI_WHEEL)
  install(FILES LICENSE packaging/wheel/NOTICES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

# Documents are installed in the folders that they have in the tree, so that their links are valid.
# The examples come with the CMakeLists.txt that builds them.
if(TUTTI_DOCUMENTS)
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md RELEASING.md SECURITY.md ARCHITECTURE.md CITATION.cff
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY examples LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN measurements EXCLUDE)
  # Measurements are not installed. Links to them become plain text in installed pages.
  install(CODE "set(docdir \"${CMAKE_INSTALL_FULL_DOCDIR}\")
set(relative \"${CMAKE_INSTALL_DOCDIR}\")")
  install(SCRIPT cmake/TuttiInstalledLinks.cmake)
endif()

# pip removes a folder, and those below it, only if a file is directly in it.
if(TUTTI_WHEEL)
  install(FILES packaging/wheel/folder.txt DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti RENAME README)
endif()

if(NOT TUTTI_WHEEL)
  install(CODE "set(TUTTI_LOADER_FOLDER ${TUTTI_LIBRARY_DIR})" ALL_COMPONENTS)
  install(SCRIPT cmake/TuttiLoaderCache.cmake ALL_COMPONENTS)
endif()

# paths.sh tells scripts/demo.sh where this build has the command and MVMULT.
set(paths "# Written by cmake/TuttiInstall.cmake.\n")
string(APPEND paths "TUTTI_COMMAND='$<TARGET_FILE:tutti_command>'\n")
if(TARGET mvmult)
  string(APPEND paths "TUTTI_MVMULT='$<TARGET_FILE:mvmult>'\n")
endif()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/paths.sh CONTENT "${paths}")
