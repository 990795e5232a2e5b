# SPDX-License-Identifier: BSD-3-Clause
# tutti_embed(<target> <output> <pattern> <bare>): writes the files that match the pattern as string
# literals into <output>, which sources of the target include. The head of embed_files.cmake says in
# which form.
function(tutti_embed target output pattern bare)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  add_custom_command(
    OUTPUT ${folder}/${output}
    COMMAND ${CMAKE_COMMAND} "-DPATTERN=${pattern}" -DOUTPUT=${folder}/${output} -DBARE=${bare} -P ${script}
    DEPENDS ${files} ${script}
    COMMENT "Embedded: ${output}" VERBATIM)
  add_custom_target(${target}_${output} DEPENDS ${folder}/${output})
  add_dependencies(${target} ${target}_${output})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
