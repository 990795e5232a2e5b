# SPDX-License-Identifier: BSD-3-Clause
# cmake -DPATTERN=folder/*.toml -DOUTPUT=file [-DBARE=1] -P embed_files.cmake: writes files as
# string literals. Each file becomes {"stem", "text"}. With BARE there is one file, which becomes
# its text alone.
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
