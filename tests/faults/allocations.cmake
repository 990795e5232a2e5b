# SPDX-License-Identifier: BSD-3-Clause
# Each allocation of a process of a job fails in turn. The library replaces the allocator, and so do
# the sanitizers.
if(TUTTI_SANITIZE)
  return()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_library(allocations SHARED allocations.cpp)
target_link_libraries(allocations PRIVATE tutti_flags)

# allocations_program(<name> <source> <library>...): a program whose allocations fail.
set(allocations_programs)
function(allocations_program name source)
  add_executable(allocations_${name} ${source})
  target_link_libraries(allocations_${name} PRIVATE ${ARGN} tutti_flags)
  set(allocations_programs ${allocations_programs} ${name}=$<TARGET_FILE:allocations_${name}> PARENT_SCOPE)
endfunction()
allocations_program(calls allocations_calls.c tutti)
allocations_program(blacs ${PROJECT_SOURCE_DIR}/examples/resistors.c tutti-blacs)
allocations_program(bsp ${PROJECT_SOURCE_DIR}/examples/inner_product.c tutti-bsp)
allocations_program(nx ${PROJECT_SOURCE_DIR}/examples/jacobi.c tutti-nx)
allocations_program(icc ${PROJECT_SOURCE_DIR}/examples/conjugate_gradients.c tutti-icc)
allocations_program(pvm allocations_farm.c tutti-gpvm tutti-pvm)

list(JOIN allocations_programs "," programs)
set(allocations Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/allocations.py)
set(allocations_variables
    "ALLOCATIONS_LIBRARY=$<TARGET_FILE:allocations>;ALLOCATIONS_PROGRAMS=${programs};ALLOCATIONS_TUTTI=$<TARGET_FILE:tutti_command>;PYTHONDONTWRITEBYTECODE=1")
add_test(NAME faults_allocations COMMAND ${allocations} sample)
add_test(NAME faults_allocations_whole COMMAND ${allocations} whole)
set_tests_properties(faults_allocations faults_allocations_whole PROPERTIES ENVIRONMENT "${allocations_variables}")
set_tests_properties(faults_allocations PROPERTIES LABELS fault TIMEOUT 120)
set_tests_properties(faults_allocations_whole PROPERTIES LABELS "fault;full" TIMEOUT 3600)
