// SPDX-License-Identifier: BSD-3-Clause
// A command in the background whose output is read line by line.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tutti::tools {

// The executable of papers/, which `tutti reproduce` and `tutti explain --table2` start.
constexpr const char* papers_program = "tutti-papers";

struct ChildCommand {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> environment;  // in addition to this process's
};

// Calls `line` for every line of its standard output and returns its exit code, 128 + signal if it
// was one. The command has a session of its own, reads nothing, and is ended when this process
// ends. Throws base::Error(system_error).
int read_lines(const ChildCommand& command, const std::function<void(const std::string&)>& line);

// Waits for the end of the child: its exit code, or 128 + signal.
int exit_code_of(pid_t child);

// The path of the command `tutti`: of this program, or of the one that tutti-papers belongs to.
[[nodiscard]] std::string command_path();

// The path of a program that only tutti starts: beside the command or in bench/ in a build tree, in
// libexec of an installation. Empty if it is at none of these places.
[[nodiscard]] std::string find_helper(const std::string& name);

// Like find_helper, but throws base::Error(system_error) if the program is missing.
[[nodiscard]] std::string helper_program(const std::string& name);

// Replaces this process by a helper with these arguments. Throws base::Error(system_error).
[[noreturn]] void become_helper(const std::string& name, const std::vector<std::string>& arguments);

// The words in front of a program that start `ranks` of it by one of Debian's MPIs: openmpi, mpich.
[[nodiscard]] std::vector<std::string> mpi_launcher(const std::string& mpi, int ranks);

}  // namespace tutti::tools
