# SPDX-License-Identifier: BSD-3-Clause
# Changed texts for the parsers that have no fuzz test of their own. With the address sanitizer,
# `make test-full` gives them changed texts for ten minutes.
add_executable(faults_words words_fuzz.cpp)
tutti_uses(faults_words selection traffic launch)
target_link_libraries(faults_words PRIVATE tutti_fmt)
add_test(NAME faults_words COMMAND faults_words ${CMAKE_CURRENT_SOURCE_DIR}/corpus)
set_tests_properties(faults_words PROPERTIES LABELS unit TIMEOUT 120)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_executable(faults_traced allocations_calls.c)
target_link_libraries(faults_traced PRIVATE tutti tutti_flags)
set(applications)
foreach(name IN ITEMS llcs lu matmul)
  if(TARGET tutti-${name})
    list(APPEND applications $<TARGET_FILE:tutti-${name}>)
  endif()
endforeach()
# The first test gives files to the command only, the second one also to the applications.
set(files_fuzz Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/files_fuzz.py $<TARGET_FILE:tutti_command>
               $<TARGET_FILE:faults_traced>)
add_test(NAME faults_files COMMAND ${files_fuzz})
list(APPEND files_fuzz ${applications})
add_test(NAME faults_files_applications COMMAND ${files_fuzz})
set_tests_properties(faults_files faults_files_applications PROPERTIES LABELS command TIMEOUT 120)
set_property(TEST faults_files_applications APPEND PROPERTY LABELS rest)
if(TUTTI_SANITIZE MATCHES "address")
  add_test(NAME faults_files_fuzz COMMAND ${files_fuzz})
  set_tests_properties(faults_files_fuzz PROPERTIES LABELS "command;full" TIMEOUT 900 ENVIRONMENT "TUTTI_SECONDS=600")
  add_test(NAME faults_words_fuzz COMMAND faults_words ${CMAKE_CURRENT_SOURCE_DIR}/corpus)
  set_tests_properties(faults_words_fuzz PROPERTIES LABELS "unit;full" TIMEOUT 900 ENVIRONMENT "TUTTI_SECONDS=600")
endif()
