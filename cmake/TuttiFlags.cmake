# SPDX-License-Identifier: BSD-3-Clause
# Sets language standards, warnings and sanitizers for all targets. No other file sets them.
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
set(TUTTI_LINE_BYTES "" CACHE STRING "Bytes of a cache line, 64 or 128; empty: what the processor's architecture has")
if(TUTTI_LINE_BYTES)
  add_compile_definitions(TUTTI_LINE_BYTES=${TUTTI_LINE_BYTES})
endif()

# Twelve sources of a layer, a test or the command are compiled together. The compiler then reads
# their headers once, which takes a third of the time. The preset dev compiles each source alone,
# which finds missing includes.
option(TUTTI_UNITY "Compile several sources at once" OFF)

# tutti_together(<target>): allows that the target's sources are compiled together.
function(tutti_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TUTTI_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# tutti_by_folder(<target>): like tutti_together, but the sources of one folder are compiled together.
function(tutti_by_folder target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "-" folder "in-${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TUTTI_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

# tutti_precompiled(<target> <other>): lets the target use the precompiled headers of the other one.
# With this option, ccache can keep what GCC makes with them.
function(tutti_precompiled target other)
  if(NOT target STREQUAL other)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
endfunction()

# tutti_precompile(<target> <header>...): makes a target that does nothing but precompile these
# headers, for others to use.
function(tutti_precompile target)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp CONTENT "")
  add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
  target_link_libraries(${target} PRIVATE tutti_flags tutti_fmt)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  tutti_precompiled(${target} ${target})
endfunction()

# tutti_one_by_one(source... [TARGET target]): compiles each of these sources alone, because it has
# a local name that another source of its target has, too. The target belongs to this folder or is
# TARGET.
function(tutti_one_by_one)
  cmake_parse_arguments(FILES "" "TARGET" "" ${ARGN})
  set(where)
  if(FILES_TARGET)
    set(where TARGET_DIRECTORY ${FILES_TARGET})
  endif()
  set_source_files_properties(${FILES_UNPARSED_ARGUMENTS} ${where} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# GCC 12 wrongly reports std::string under -Wrestrict. GCC's -Wconversion for C++ does not contain
# -Wsign-conversion, so that clang does not need it either.
add_library(tutti_flags INTERFACE)
target_compile_options(tutti_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-sign-conversion>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wconversion -Wshadow>)
# In sources that are compiled together, a local name of one may hide a constant of another. So
# clang's -Wshadow would report code that is right.
if(TUTTI_UNITY AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(tutti_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
endif()
if(TUTTI_WERROR)
  target_compile_options(tutti_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()

# tutti_lightly_optimised(<target>): compiles the target faster. It reads, writes or starts something
# once, so that -O1 suffices in a release build.
function(tutti_lightly_optimised target)
  if(TUTTI_WHEEL)  # all of it is compiled for size
    return()
  endif()
  set(level -O1)
  if(EMSCRIPTEN)  # a page waits until all code has come
    set(level -Oz)
  endif()
  target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:${level}>)
endfunction()

# With these options a library that lacks a symbol does not link. clang's sanitizers are part of the
# program only, so their symbols are always missing in libraries.
set(TUTTI_COMPLETE_LIBRARY -Wl,-z,defs)
if(TUTTI_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(TUTTI_COMPLETE_LIBRARY)
endif()
# A library with this option stays loaded after dlclose. Ours must: the C library keeps the addresses
# of their exit and fork handlers, and other libraries keep those of their callbacks.
set(TUTTI_LASTING_LIBRARY -Wl,-z,nodelete)
if(TUTTI_SANITIZE)
  add_compile_options(-fsanitize=${TUTTI_SANITIZE} -fno-omit-frame-pointer)
  # GCC 12 with sanitizers wrongly calls members of std::function uninitialized (in <regex>). Builds
  # without sanitizers still check our code for that.
  target_compile_options(tutti_flags INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${TUTTI_SANITIZE})
  # Compilers define different macros under a sanitizer; sources test these two instead.
  add_compile_definitions(TUTTI_SANITIZED=1)
  string(FIND "${TUTTI_SANITIZE}" thread thread_position)
  if(NOT thread_position EQUAL -1)
    add_compile_definitions(TUTTI_TSAN=1)
  endif()
endif()

# Headers that most sources of layers read are precompiled for them. That saves half a second to two
# for each source that is compiled alone, or batch that is compiled together. They are declared below
# the options of a sanitizer, which they need like all sources.
tutti_precompile(tutti_layer_headers <fmt/format.h> <algorithm> <functional> <map> <memory> <optional> <span> <string> <vector>)
set_target_properties(tutti_layer_headers PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                       VISIBILITY_INLINES_HIDDEN ON)
