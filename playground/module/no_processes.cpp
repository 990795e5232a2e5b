// SPDX-License-Identifier: BSD-3-Clause
// A browser starts no processes. These are the functions of support/ that would, and each refuses.
#include "base/error.hpp"
#include "support/child.hpp"
#include "support/job_limits.hpp"
#include "timekeeper/timekeeper.hpp"

namespace tutti::tools {
namespace {

[[noreturn]] void refuse() {
  base::fail(base::Status::system_error,
             "this needs another program, and the playground starts none; the command tutti does");
}

}  // namespace

int read_lines(const ChildCommand& /*command*/,
               const std::function<void(const std::string&)>& /*line*/) {
  refuse();
}

std::string command_path() {
  refuse();
}

std::string find_helper(const std::string& /*name*/) {
  refuse();
}

std::string helper_program(const std::string& /*name*/) {
  refuse();
}

void become_helper(const std::string& /*name*/, const std::vector<std::string>& /*arguments*/) {
  refuse();
}

void add_timekeeper(CLI::App& verb, int& /*code*/) {
  verb.group("");
}

int most_ranks_of_a_job() {
  return 0;
}

}  // namespace tutti::tools
