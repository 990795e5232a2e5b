// SPDX-License-Identifier: BSD-3-Clause
// Runs commands in the background and reads their output line by line. The verbs that start
// programs use it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tutti::tools {

// The executables of papers/, which `tutti reproduce` and `tutti explain --table2` start, of
// command/measure/ and of study/. In a wheel, the last two are the command itself.
constexpr const char* papers_program = "tutti-papers";
constexpr const char* measure_program = TUTTI_MEASURE_PROGRAM;
constexpr const char* study_program = TUTTI_STUDY_PROGRAM;

// The verb of study_program by which `tutti run --machine` starts the timekeeper of a job; for its
// own use.
constexpr const char* timekeeper_verb = "timekeeper";

struct ChildCommand {
  std::vector<std::string> words;
  // Added to this process's environment.
  std::vector<std::pair<std::string, std::string>> environment;
};

// Calls `line` for every line of the command's standard output and returns the exit code, or 128 +
// signal. The command has a session of its own and no input, and is ended when this process ends.
// Throws base::Error(system_error).
int read_lines(const ChildCommand& command, const std::function<void(const std::string&)>& line);

// Waits for the child to end and returns its exit code, or 128 + signal.
int exit_code_of(pid_t child);

// Returns the path of the command `tutti`: this program, or the one that has started this program.
[[nodiscard]] std::string command_path();

// Returns the path of a program that only tutti starts: beside the command or in bench/ of a build
// tree, in libexec of an installation. Returns an empty text if it is in none of these places.
[[nodiscard]] std::string find_helper(const std::string& name);

// Like find_helper, but throws base::Error(system_error) if the program is missing.
[[nodiscard]] std::string helper_program(const std::string& name);

// Replaces this process by a helper program with these arguments. Throws base::Error(system_error).
[[noreturn]] void become_helper(const std::string& name, const std::vector<std::string>& arguments);

// Returns the words that, before a program, start `ranks` processes of it with one of Debian's
// MPIs: openmpi or mpich.
[[nodiscard]] std::vector<std::string> mpi_launcher(const std::string& mpi, int ranks);

}  // namespace tutti::tools
