# SPDX-License-Identifier: BSD-3-Clause
# The one place for language levels, warnings and sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(TUTTI_WERROR "Treat warnings as errors; scripts/build sets it where TUTTI_STRICT=1" OFF)
set(TUTTI_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize= (e.g. address,undefined or thread)")

# Sources of a layer, a test, or the command are compiled a dozen at a time, so that headers are read once: a third of the
# time. The preset dev compiles each by itself, which shows what a file forgets to include.
option(TUTTI_UNITY "Compile several sources at once" OFF)

# tutti_together(<target>): its sources may be compiled together.
function(tutti_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TUTTI_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# tutti_one_by_one(source...): files that give a local thing the name that another file of the target gives one. They
# are of targets of this folder, or of the one given as TARGET.
function(tutti_one_by_one)
  cmake_parse_arguments(FILES "" "TARGET" "" ${ARGN})
  set(where)
  if(FILES_TARGET)
    set(where TARGET_DIRECTORY ${FILES_TARGET})
  endif()
  set_source_files_properties(${FILES_UNPARSED_ARGUMENTS} ${where} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

add_library(tutti_flags INTERFACE)
target_compile_options(tutti_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>  # GCC 12 warns of std::string's own code
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-sign-conversion>  # in GCC no part of -Wconversion in C++
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wconversion -Wshadow>)
# A local name may be that of a constant in a file that is only compiled together with this one.
if(TUTTI_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(tutti_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
endif()
if(TUTTI_WERROR)
  target_compile_options(tutti_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
# A library that lacks a symbol does not link. The sanitizers of clang are in the program and their symbols not in libraries.
set(TUTTI_COMPLETE_LIBRARY -Wl,-z,defs)
if(TUTTI_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(TUTTI_COMPLETE_LIBRARY)
endif()
if(TUTTI_SANITIZE)
  add_compile_options(-fsanitize=${TUTTI_SANITIZE} -fno-omit-frame-pointer -g)
  # GCC 12 with sanitizers takes members of std::function for uninitialized (in <regex>); the plain builds warn of ours.
  target_compile_options(tutti_flags INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${TUTTI_SANITIZE})
  # Compilers have different macros for it.
  add_compile_definitions(TUTTI_SANITIZED=1)
  string(FIND "${TUTTI_SANITIZE}" thread thread_position)
  if(NOT thread_position EQUAL -1)
    add_compile_definitions(TUTTI_TSAN=1)
  endif()
endif()
