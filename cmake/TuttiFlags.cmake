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

option(TUTTI_WERROR "Treat warnings as errors (CI)" OFF)
set(TUTTI_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize= (e.g. address,undefined or thread)")

add_library(tutti_flags INTERFACE)
target_compile_options(tutti_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>  # GCC 12 warns of std::string's own code
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wconversion -Wshadow>)
if(TUTTI_WERROR)
  target_compile_options(tutti_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()
if(TUTTI_SANITIZE)
  add_compile_options(-fsanitize=${TUTTI_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${TUTTI_SANITIZE})
  string(FIND "${TUTTI_SANITIZE}" thread thread_position)
  if(NOT thread_position EQUAL -1)
    add_compile_definitions(TUTTI_TSAN=1)
  endif()
endif()
