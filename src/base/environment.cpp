// SPDX-License-Identifier: BSD-3-Clause
// Reads and parses environment variables.
#include "base/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/host_calls.hpp"
#include "base/input_file.hpp"
#include "base/launcher_line.hpp"
#include "base/nearest.hpp"
#include "base/notice.hpp"
#include "base/number.hpp"

namespace tutti::base {
namespace {

// Is asked for most names of this file.
const char* value_of(const char* name) {
  return trusted_variable(name);
}

constexpr VariableInfo table[] = {
#define TUTTI_VARIABLE(id, name, kind, fallback, text) {name, VariableKind::kind, fallback, text},
#include "base/variables.def"
#undef TUTTI_VARIABLE
};

const VariableInfo& info(Variable variable) {
  return table[static_cast<std::size_t>(variable)];
}

[[noreturn]] void reject(Variable variable, const std::string& value, std::string_view expected) {
  fail(Status::bad_environment, "environment variable {} is '{}' but must be {}",
       info(variable).name, value, expected);
}

// Returns the folder that the variable names, else the one of this name in the home folder.
std::optional<std::string> user_folder(const char* variable, const char* in_home) {
  // The XDG standard says that a path that is not absolute is ignored.
  if (const char* given = value_of(variable); given != nullptr && *given == '/') return given;
  if (const char* home = value_of("HOME"); home != nullptr && *home == '/')
    return std::string(home) + in_home;
  return std::nullopt;
}

// Reads a number from a variable that another program has set.
std::optional<int> foreign_number(const char* name) {
  const char* value = value_of(name);
  return value == nullptr ? std::nullopt : number_in<int>(value);
}

// srun counts its steps from 0. Batch scripts and interactive shells get numbers from the upper end
// of 32 bits, or none. These are single processes, whatever SLURM_NTASKS says.
bool in_step_of_srun() {
  const char* value = value_of("SLURM_STEP_ID");
  const auto number = value == nullptr ? std::nullopt : number_in<std::int64_t>(value);
  return number && *number >= 0 && *number <= std::numeric_limits<std::int32_t>::max();
}

// A launcher of MPI is known by one variable. By two others it tells a process how many processes
// there are and which one this is. PMIx does not give the number; Slurm does.
struct MpiVariables {
  const char* flavour;
  const char* known_by;
  const char* size;
  const char* rank;
};
constexpr MpiVariables mpi_variables[] = {
    {"openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpich", "PMI_SIZE", "PMI_SIZE", "PMI_RANK"},
    {"", "PMIX_RANK", "SLURM_NTASKS", "PMIX_RANK"},
};

// Intel MPI's launcher is made from MPICH's and sets variables of its own. MPICH 4.0 does not give
// the name of the host; MPICH 5 does.
void describe(MpiLauncher& launcher) {
  if (launcher.flavour == "openmpi") launcher.name = "Open MPI";
  if (launcher.flavour != "mpich") return;
  const bool intel = value_of("I_MPI_HYDRA_UUID") != nullptr;
  launcher.name = intel ? "Intel MPI" : "MPICH";
  launcher.suits_intel = intel || value_of("PMI_HOSTNAME") != nullptr;
}

constexpr std::string_view prefix = "TUTTI_";

// Returns the names without their prefix. The prefix would make all names look alike.
std::vector<std::string_view> known_stems() {
  std::vector<std::string_view> stems;
  for (const VariableInfo& info : table) {
    const auto variable = static_cast<Variable>(&info - table);
    if (std::count(std::begin(set_by_tutti), std::end(set_by_tutti), variable) == 0 &&
        std::string_view(info.name).starts_with(prefix))
      stems.push_back(std::string_view(info.name).substr(prefix.size()));
  }
  return stems;
}

bool is_known(std::string_view name) {
  for (const VariableInfo& info : table) {
    if (name == info.name) return true;
  }
  return false;
}

std::string name_in(std::string_view entry) {
  return std::string(entry.substr(0, entry.find('=')));
}

std::vector<std::string> sentences_on(const std::vector<std::string>& names) {
  const std::vector<std::string_view> stems = known_stems();
  std::vector<std::string> sentences;
  for (const std::string_view name : names) {
    if (!name.starts_with(prefix) || is_known(name)) continue;
    if (const auto meant = nearest(name.substr(prefix.size()), stems)) {
      sentences.push_back(fmt::format("environment variable {} is not known; did you mean {}{}?",
                                      name, prefix, *meant));
    }
  }
  return sentences;
}

}  // namespace

std::span<const VariableInfo> variables() {
  return table;
}

const char* name_of(Variable variable) {
  return info(variable).name;
}

std::optional<std::string> text(Variable variable) {
  const char* value = value_of(info(variable).name);
  if (value == nullptr || *value == '\0') value = info(variable).fallback;
  if (*value == '\0') return std::nullopt;
  return value;
}

std::optional<std::string> settings_folder() {
  return user_folder("XDG_CONFIG_HOME", "/.config");
}

std::optional<std::string> cache_folder() {
  return user_folder("XDG_CACHE_HOME", "/.cache");
}

bool colours_wanted() {
  const char* refused = value_of("NO_COLOR");
  const char* terminal = value_of("TERM");
  if (refused != nullptr && *refused != '\0') return false;
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

std::optional<std::string> runtime_folder() {
  if (const char* given = value_of("XDG_RUNTIME_DIR"); given != nullptr && *given == '/')
    return given;
  return std::nullopt;
}

std::optional<MpiLauncher> mpi_launcher() {
  for (const MpiVariables& launcher : mpi_variables) {
    if (!foreign_number(launcher.known_by)) continue;
    std::string flavour = launcher.flavour;
    // Slurm speaks the language of MPICH's launcher, and serves any MPI.
    if (flavour == "mpich" && value_of("SLURM_PROCID") != nullptr) flavour.clear();
    MpiLauncher found{std::move(flavour), foreign_number(launcher.size).value_or(0), {}};
    describe(found);
    return found;
  }
  return std::nullopt;
}

// The kernel keeps the environment with which a process has started.
bool mpi_launcher_at_start() {
  InputFile environment("/proc/self/environ");
  if (!environment) return true;
  for (std::string entry; std::getline(environment, entry, '\0');) {
    const std::string name = name_in(entry);
    for (const MpiVariables& mpi : mpi_variables)
      if (name == mpi.known_by) return true;
  }
  return false;
}

bool wants_colour() {
  const char* refused = std::getenv("NO_COLOR");
  return refused == nullptr || *refused == '\0';
}

std::optional<int> mpi_launcher_rank() {
  for (const MpiVariables& launcher : mpi_variables) {
    if (const auto rank = foreign_number(launcher.rank)) return rank;
  }
  return std::nullopt;
}

std::optional<int> launcher_line() {
  InputFile parent("/proc/" + std::to_string(::getppid()) + "/comm");
  if (std::string name; std::getline(parent, name) && !name.starts_with("hydra_"))
    return std::nullopt;
  return foreign_number("PMI_FD");
}

std::string program_path() {
  const char* value = value_of("PATH");
  return value == nullptr ? "/bin:/usr/bin" : value;
}

std::string loader_path() {
  const char* value = value_of("LD_LIBRARY_PATH");
  return value == nullptr ? "" : value;
}

std::string preloaded() {
  const char* value = value_of("LD_PRELOAD");
  return value == nullptr ? "" : value;
}

std::optional<OtherLauncher> other_launcher() {
  const int ranks = foreign_number("WORLD_SIZE").value_or(1);
  const auto rank = foreign_number("RANK");
  if (ranks > 1 && rank && value_of("MASTER_ADDR") != nullptr)
    return OtherLauncher{"torchrun", ranks, *rank};
  const auto in_step = foreign_number("SLURM_STEP_NUM_TASKS"),
             in_job = foreign_number("SLURM_NTASKS");
  const int tasks = in_step ? *in_step : in_job.value_or(1);
  const auto task = foreign_number("SLURM_PROCID");
  if (tasks > 1 && task && in_step_of_srun()) return OtherLauncher{"srun", tasks, *task};
  return std::nullopt;
}

bool started_by_launcher() {
  return mpi_launcher_rank() || mpi_launcher() || other_launcher();
}

std::optional<std::string> disregarded_launcher() {
  if (::getauxval(AT_SECURE) == 0) return std::nullopt;
  std::vector<const char*> names{name_of(Variable::job), name_of(Variable::rank)};
  for (const MpiVariables& launcher : mpi_variables) names.push_back(launcher.known_by);
  for (const char* name : names)
    if (std::getenv(name) != nullptr) return name;
  return std::nullopt;
}

std::vector<std::string> misspelt_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    names.push_back(name_in(*entry));
  return sentences_on(names);
}

std::vector<std::string> misspelt_variables(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& entry : given) {
    const std::string name = name_in(entry);
    if (value_of(name.c_str()) == nullptr && std::count(names.begin(), names.end(), name) == 0)
      names.push_back(name);
  }
  return sentences_on(names);
}

void refuse_former_variables() {
  static constexpr const char* former[][2] = {{"TUTTI_SPIN", "spin=50us"},
                                              {"TUTTI_SILENCE", "silence=30s,silence_ends=1"}};
  for (const auto& [name, now] : former) {
    if (value_of(name) != nullptr)
      fail(Status::bad_environment,
           "environment variable {} is now a row of the tuning table: write TUTTI_TUNING={} in its "
           "place; tutti info --tuning shows the table",
           name, now);
  }
}

void warn_of(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) base::notice("tutti: {}\n", sentence);
}

std::optional<std::int64_t> integer(Variable variable) {
  const auto value = text(variable);
  if (!value) return std::nullopt;
  if (const auto number = number_in<std::int64_t>(*value)) return number;
  reject(variable, *value, "a whole number");
}

std::optional<double> seconds(Variable variable) {
  const auto value = text(variable);
  if (!value) return std::nullopt;
  if (const auto number = number_in<double>(*value); number && *number >= 0) return number;
  reject(variable, *value, "a number of seconds, 0 or more");
}

std::optional<std::int64_t> bytes(Variable variable) {
  const auto value = text(variable);
  if (!value) return std::nullopt;
  if (const auto number = parse_bytes(*value)) return number;
  reject(variable, *value, "a number of bytes such as 4096, 64K, 512M or 2G");
}

bool flag(Variable variable) {
  const auto value = text(variable);
  if (!value || *value == "0" || *value == "no" || *value == "off") return false;
  if (*value == "1" || *value == "yes" || *value == "on") return true;
  reject(variable, *value, "0 or 1");
}

std::string one_of(Variable variable, std::initializer_list<const char*> words) {
  const std::string value = text(variable).value_or("");
  std::string list;
  for (const char* const* word = words.begin(); word != words.end(); ++word) {
    if (value == *word) return value;
    if (word != words.begin()) list += word + 1 == words.end() ? " or " : ", ";
    list += *word;
  }
  reject(variable, value, list);
}

std::optional<std::int64_t> parse_bytes(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::string digits = text;
  std::int64_t unit = 1;
  switch (digits.back()) {
    case 'K':
    case 'k':
      unit = std::int64_t{1} << 10;
      break;
    case 'M':
    case 'm':
      unit = std::int64_t{1} << 20;
      break;
    case 'G':
    case 'g':
      unit = std::int64_t{1} << 30;
      break;
    default:
      break;
  }
  if (unit > 1) digits.pop_back();
  const auto number = number_in<std::int64_t>(digits);
  if (!number || *number < 0 || *number > (std::int64_t{1} << 60) / unit) return std::nullopt;
  return *number * unit;
}

}  // namespace tutti::base
