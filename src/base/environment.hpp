// SPDX-License-Identifier: BSD-3-Clause
// The only reader of the process environment. Every variable is declared in variables.def; a value
// that is not understood is an error that names the variable, never silence.
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

// tutti run sets these for each process of a job; users do not.
inline constexpr Variable set_by_tutti[] = {Variable::job, Variable::rank, Variable::size};

// The value given, or the default of the table; nullopt where both are empty.
[[nodiscard]] std::optional<std::string> text(Variable variable);
// Numbers: integers as they are; seconds as a decimal number; bytes with an optional suffix K, M, G
// (powers of 1024); flags 0/1, no/yes, off/on. Throws Error(bad_environment).
[[nodiscard]] std::optional<std::int64_t> integer(Variable variable);
[[nodiscard]] std::optional<double> seconds(Variable variable);
[[nodiscard]] std::optional<std::int64_t> bytes(Variable variable);
[[nodiscard]] bool flag(Variable variable);
// The value, which must be one of `words`. Throws Error(bad_environment) that lists them.
[[nodiscard]] std::string one_of(Variable variable, std::initializer_list<const char*> words);

// A sentence for each variable of the environment that is none of tutti's but whose name looks like
// a typing error: it names the variable that was probably meant. Programs and scripts around tutti
// have names of their own that begin with TUTTI_, so a name that is near no known one is left
// alone.
[[nodiscard]] std::vector<std::string> misspelt_variables();
// Returns a text for each misspelt name among "NAME=VALUE" variables that other processes are to be
// given, once for each name. Names that the environment of this process has too are left out: their
// user has been told already.
[[nodiscard]] std::vector<std::string> misspelt_variables(const std::vector<std::string>& given);
// Prints the sentences on stderr.
void warn_of(const std::vector<std::string>& sentences);

// Where the settings of this user lie: $XDG_CONFIG_HOME, else ~/.config; nullopt if there is
// neither.
[[nodiscard]] std::optional<std::string> settings_folder();

// Where sockets of this user lie while he is logged in: $XDG_RUNTIME_DIR; nullopt if there is none.
[[nodiscard]] std::optional<std::string> runtime_folder();

// The launcher of an MPI that has started this process, as its own variables tell.
struct MpiLauncher {
  std::string flavour;  // openmpi, mpich; empty when it cannot be told
  int size = 0;         // processes it says it has started; 0 when it does not say
};
[[nodiscard]] std::optional<MpiLauncher> mpi_launcher();

// The rank that the launcher of an MPI has given this process; nullopt where none did.
[[nodiscard]] std::optional<int> mpi_launcher_rank();

// The variables that the system reads when it starts a program, as this process was given them;
// empty where there is none.
[[nodiscard]] std::string program_path();  // PATH: folders of programs
[[nodiscard]] std::string
loader_path();  // LD_LIBRARY_PATH: folders of libraries that come before all others
[[nodiscard]] std::string
preloaded();  // LD_PRELOAD: libraries whose functions come before those of all others

// A launcher whose jobs tutti cannot join, if it has started this process as one of several.
struct OtherLauncher {
  const char* name;  // of its command
  int size;
};
[[nodiscard]] std::optional<OtherLauncher> other_launcher();

// Returns true if the launcher of an MPI, or another one, has started this process.
[[nodiscard]] bool started_by_launcher();

// Reads "64K" as 65536 and the like; nullopt when not understood. Command line options use it, too.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(const std::string& text);

}  // namespace tutti::base
