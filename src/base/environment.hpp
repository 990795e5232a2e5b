// SPDX-License-Identifier: BSD-3-Clause
// The only reader of the process environment. Every variable is declared in variables.def. A value
// that is not understood is always an error that names the variable.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tutti::base {

enum class Variable {
#define TUTTI_VARIABLE(id, name, kind, fallback, text) id,
#include "base/variables.def"
#undef TUTTI_VARIABLE
};

enum class VariableKind { text, integer, seconds, bytes, flag };

struct VariableInfo {
  const char* name;
  VariableKind kind;
  const char* fallback;
  const char* text;
};

[[nodiscard]] std::span<const VariableInfo> variables();
[[nodiscard]] const char* name_of(Variable variable);

// Variables that tutti run sets for each process of a job; users do not set them.
inline constexpr Variable set_by_tutti[] = {Variable::job, Variable::rank, Variable::size};

// Returns the value given, or the default of the table, or nullopt if both are empty.
[[nodiscard]] std::optional<std::string> text(Variable variable);
// These functions read integers as they are, seconds as decimal numbers, bytes with an optional
// suffix K, M or G (powers of 1024), and flags as 0/1, no/yes or off/on. They throw
// Error(bad_environment).
[[nodiscard]] std::optional<std::int64_t> integer(Variable variable);
[[nodiscard]] std::optional<double> seconds(Variable variable);
[[nodiscard]] std::optional<std::int64_t> bytes(Variable variable);
[[nodiscard]] bool flag(Variable variable);
// Returns the value, which must be one of `words`. Throws Error(bad_environment) that lists them.
[[nodiscard]] std::string one_of(Variable variable, std::initializer_list<const char*> words);

// Throws Error(bad_environment) if the environment has a variable that has become a row of the
// tuning table, and says how the row is set.
void refuse_former_variables();

// Returns a sentence for each variable in the environment that is probably a misspelt variable of
// tutti; it names the variable that was probably meant. Other programs have names that begin with
// TUTTI_, too, so names unlike any known one are ignored.
[[nodiscard]] std::vector<std::string> misspelt_variables();
// Returns a sentence for each misspelt name among "NAME=VALUE" variables that other processes will
// get, once for each name. Skips names that the environment of this process has too, because the
// user has already been told about them.
[[nodiscard]] std::vector<std::string> misspelt_variables(const std::vector<std::string>& given);
// Prints the sentences on stderr.
void warn_of(const std::vector<std::string>& sentences);

// Returns the variable by which a launcher has told this process of its job, although the process
// reads no variables because it runs with rights that its caller does not have; otherwise nullopt.
[[nodiscard]] std::optional<std::string> disregarded_launcher();

// Returns the folder of this user's settings: $XDG_CONFIG_HOME, else ~/.config; nullopt if there is
// neither.
[[nodiscard]] std::optional<std::string> settings_folder();

// Returns the folder of what programs may find again and may lose: $XDG_CACHE_HOME, else ~/.cache;
// nullopt if there is neither.
[[nodiscard]] std::optional<std::string> cache_folder();

// Returns the folder of this user's sockets, which lasts as long as the login: $XDG_RUNTIME_DIR;
// nullopt if there is none.
[[nodiscard]] std::optional<std::string> runtime_folder();

// Returns whether a terminal may be sent colours: NO_COLOR is not set (no-color.org), and TERM
// names a terminal that knows them.
[[nodiscard]] bool colours_wanted();

// The launcher of an MPI that has started this process, as known from its variables.
struct MpiLauncher {
  std::string flavour;  // openmpi or mpich; empty if it is unknown
  int size = 0;         // processes that it has started; 0 if it does not say
  // The name for sentences: "Open MPI", "MPICH" or "Intel MPI"; empty if it is unknown.
  std::string name;
  // Processes of Intel MPI cannot exchange their addresses by the launcher of an old MPICH.
  bool suits_intel = true;
};
[[nodiscard]] std::optional<MpiLauncher> mpi_launcher();
// Returns true if the variables of such a launcher were there when this process started. An MPI may
// set them later in a process that no launcher has started.
[[nodiscard]] bool mpi_launcher_at_start();

// Returns false if the user wants no colours, which NO_COLOR says to all programs.
[[nodiscard]] bool wants_colour();

// Returns the rank that an MPI's launcher has given this process; nullopt if none did.
[[nodiscard]] std::optional<int> mpi_launcher_rank();

// These functions return the variables that the system reads when it starts a program, as this
// process got them; an empty text stands for a missing one.
[[nodiscard]] std::string program_path();  // PATH: folders of programs
[[nodiscard]] std::string
loader_path();  // LD_LIBRARY_PATH: folders that are searched for libraries before all others
[[nodiscard]] std::string
preloaded();  // LD_PRELOAD: libraries whose functions replace those of all others

// A launcher whose jobs tutti cannot join. It has started this process as one of several.
struct OtherLauncher {
  const char* name;  // name of its command
  int size;
  int rank;
};
[[nodiscard]] std::optional<OtherLauncher> other_launcher();

// Returns true if the launcher of an MPI, or another one, has started this process.
[[nodiscard]] bool started_by_launcher();

// Reads sizes such as "64K", which is 65536; returns nullopt if the text is not understood.
// Command-line options use it, too.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(const std::string& text);

}  // namespace tutti::base
