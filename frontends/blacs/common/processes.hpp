// SPDX-License-Identifier: BSD-3-Clause
// The processes of the BLACS: the job that this process joins at its first call, or the tasks of
// PVM that SETPVMTIDS has named.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tutti::blacs {

struct BlacsProcess {
  bool joined = false;       // tutti_init was called
  bool used = false;         // some routine was called that needs the other processes
  std::string refusal;       // why joining failed before any call; the first call reports it
  bool machine_set = false;  // launched, or processes were started
  bool ended = false;        // the exit call was made
  tutti_group tasks{0};      // of SETPVMTIDS
  tutti_group alone{0};      // of this process only; made when it is needed
};
[[nodiscard]] BlacsProcess& this_process();

// Joins the job at the first call of any routine.
void join(const char* routine);
// Joins the job before any call of the BLACS. Programs that never call them see no error.
void join_early();
// Leaves the job by that function. Called by the exit call, and when the program ends without it.
void leave(const char* routine, tutti_status (*finalize)() = tutti_finalize);

// Returns the group of all processes, in which they have their numbers.
[[nodiscard]] tutti_group processes();
// Returns the numbers of all processes.
[[nodiscard]] std::vector<int> all_numbers();

// Tells this process's number and how many there are; -1 if there is no machine yet.
void tell_processes(const char* routine, int* number, int* count);
// Starts processes if there is no machine yet.
void start_processes(const char* routine, int count);
// Makes these tasks of PVM the processes. Called before all other routines.
void set_pvm_tasks(int count, const int* tids);

}  // namespace tutti::blacs
