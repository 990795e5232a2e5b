# SPDX-License-Identifier: BSD-3-Clause
# The manual pages are made from man/*.md, and from two tables of src/base, by Sphinx with MyST. An
# archive of `make dist` has them made, in man/made. Where there is neither, they are left out.
include(TuttiLeftOut)
set(manual_dir ${PROJECT_BINARY_DIR}/man)
add_custom_target(tutti_manual ALL)
find_program(TUTTI_SPHINX sphinx-build)
if(TUTTI_SPHINX AND NOT TUTTI_SPHINX_READS_MYST STREQUAL TUTTI_SPHINX)
  set(trial ${PROJECT_BINARY_DIR}/sphinx_trial)
  file(WRITE ${trial}/index.md "# A page\n")
  execute_process(COMMAND ${TUTTI_SPHINX} -Q -C -D extensions=myst_parser -b dummy ${trial} ${trial}/made
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(TUTTI_SPHINX_READS_MYST ${TUTTI_SPHINX} CACHE INTERNAL "the Sphinx that was tried with MyST")
  endif()
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/man/made)
  set(manual_dir ${PROJECT_SOURCE_DIR}/man/made)
  tutti_built(manual)
elseif(TUTTI_SPHINX AND TUTTI_SPHINX_READS_MYST STREQUAL TUTTI_SPHINX)
  file(GLOB manual_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.md)
  set(settings ${PROJECT_SOURCE_DIR}/scripts/site)
  # The pages bear the day of the last commit to man/, or SOURCE_DATE_EPOCH, so that every build makes
  # the same pages. Where neither is known, the day is that of the build.
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TZ=UTC git -c "safe.directory=*" log -1 --format=%cd
                          --date=format-local:%Y-%m-%d -- man
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(DEFINED ENV{SOURCE_DATE_EPOCH} OR NOT day)
    string(TIMESTAMP day "%Y-%m-%d" UTC)
  endif()
  # The builder writes calls.json after all pages.
  add_custom_command(
    OUTPUT ${manual_dir}/calls.json
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${TUTTI_SPHINX} -q -W --keep-going -t manual
            -D "version=tutti ${PROJECT_VERSION}" -D today=${day} -c ${settings} -b man -d ${manual_dir}/trees
            ${PROJECT_SOURCE_DIR} ${manual_dir}
    DEPENDS ${manual_sources} ${settings}/conf.py ${settings}/manual.py ${settings}/man_builder.py
            ${PROJECT_SOURCE_DIR}/scripts/c_calls.py ${PROJECT_SOURCE_DIR}/src/base/status.def
            ${PROJECT_SOURCE_DIR}/src/base/variables.def
    COMMENT "Manual pages")
  add_custom_target(tutti_manual_pages DEPENDS ${manual_dir}/calls.json)
  add_dependencies(tutti_manual tutti_manual_pages)
  tutti_built(manual)
else()
  tutti_left_out(manual "the manual pages: no Sphinx with MyST was found (packages python3-sphinx, python3-myst-parser)")
  install(CODE "message(\"The manual pages are left out, because there was no Sphinx with MyST to make them.\")")
  return()
endif()

set(manual_sections ${manual_dir}/man1 ${manual_dir}/man5 ${manual_dir}/man7)
if(TUTTI_DOCUMENTS)
  list(APPEND manual_sections ${manual_dir}/man3)
endif()
set(missing_pages)
foreach(program tutti-exchange tutti-llcs tutti-lu tutti-matmul)
  if(NOT TARGET ${program})
    list(APPEND missing_pages PATTERN ${program}.1 EXCLUDE)
  endif()
endforeach()
if(TUTTI_WHEEL)  # it has no tutti-papers
  list(APPEND missing_pages PATTERN tutti-reproduce.1 EXCLUDE)
endif()
install(DIRECTORY ${manual_sections} DESTINATION ${CMAKE_INSTALL_MANDIR} ${missing_pages})
