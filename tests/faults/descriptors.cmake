# SPDX-License-Identifier: BSD-3-Clause
# Starts with closed descriptors, full disks and pipes that nobody reads: a sample, and all.
foreach(part sample all)
  add_test(NAME faults_descriptors_${part}
           COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/descriptors.py ${PROJECT_BINARY_DIR} ${part})
  set_tests_properties(faults_descriptors_${part} PROPERTIES LABELS fault TIMEOUT 3600
                       ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
set_tests_properties(faults_descriptors_all PROPERTIES LABELS "fault;full")
