# SPDX-License-Identifier: BSD-3-Clause
# Writes the profiles as an initializer: cmake -DFOLDER=profiles -DOUTPUT=file -P embed.cmake
file(GLOB profiles ${FOLDER}/*.toml)
list(SORT profiles)
set(rows "")
foreach(profile IN LISTS profiles)
  cmake_path(GET profile STEM LAST_ONLY name)
  file(READ ${profile} text)
  string(APPEND rows "{\"${name}\", R\"toml(${text})toml\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
