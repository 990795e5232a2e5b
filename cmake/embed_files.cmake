# SPDX-License-Identifier: BSD-3-Clause
# Writes files as string literals: cmake -DPATTERN=folder/*.toml -DOUTPUT=file [-DBARE=1] -P embed_files.cmake. Each becomes
# {"stem", "text"}, or with BARE, of one file, the text alone.
file(GLOB files ${PATTERN})
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  cmake_path(GET file STEM LAST_ONLY name)
  file(READ ${file} text)
  if(BARE)
    string(APPEND rows "R\"text(${text})text\"\n")
  else()
    string(APPEND rows "{\"${name}\", R\"text(${text})text\"},\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${rows}")
