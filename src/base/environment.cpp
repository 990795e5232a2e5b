// SPDX-License-Identifier: BSD-3-Clause
// Reading and parsing of environment variables.
#include "base/environment.hpp"

#include <array>
#include <cstdlib>

#include "base/error.hpp"
#include "base/number.hpp"

namespace tutti::base {
namespace {

constexpr VariableInfo table[] = {
#define TUTTI_VARIABLE(id, name, kind, fallback, text) {name, VariableKind::kind, fallback, text},
#include "base/variables.def"
#undef TUTTI_VARIABLE
};

const VariableInfo& info(Variable variable) {
  return table[static_cast<std::size_t>(variable)];
}

[[noreturn]] void reject(Variable variable, const std::string& value, const char* expected) {
  fail(Status::bad_environment, "environment variable {} is '{}' but must be {}", info(variable).name, value, expected);
}

}  // namespace

std::span<const VariableInfo> variables() {
  return table;
}

std::optional<std::string> text(Variable variable) {
  const char* value = std::getenv(info(variable).name);
  if (value == nullptr || *value == '\0') value = info(variable).fallback;
  if (*value == '\0') return std::nullopt;
  return value;
}

std::optional<std::string> settings_folder() {
  // The standard for such folders says that a path that is not absolute does not count.
  if (const char* given = std::getenv("XDG_CONFIG_HOME"); given != nullptr && *given == '/') return given;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return std::string(home) + "/.config";
  return std::nullopt;
}

std::optional<std::string> runtime_folder() {
  if (const char* given = std::getenv("XDG_RUNTIME_DIR"); given != nullptr && *given == '/') return given;
  return std::nullopt;
}

std::optional<MpiLauncher> mpi_launcher() {
  const auto number = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : number_in<int>(value);
  };
  if (const auto size = number("OMPI_COMM_WORLD_SIZE")) return MpiLauncher{"openmpi", *size};
  if (const auto size = number("PMI_SIZE")) {
    const bool slurm = std::getenv("SLURM_PROCID") != nullptr;  // serves any MPI
    return MpiLauncher{slurm ? "" : "mpich", *size};
  }
  if (number("PMIX_RANK")) return MpiLauncher{"", number("SLURM_NTASKS").value_or(0)};
  return std::nullopt;
}

std::optional<int> mpi_launcher_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    const char* value = std::getenv(name);
    if (const auto rank = value == nullptr ? std::nullopt : number_in<int>(value)) return rank;
  }
  return std::nullopt;
}

std::string program_path() {
  const char* value = std::getenv("PATH");
  return value == nullptr ? "/bin:/usr/bin" : value;
}

std::string loader_path() {
  const char* value = std::getenv("LD_LIBRARY_PATH");
  return value == nullptr ? "" : value;
}

std::string preloaded() {
  const char* value = std::getenv("LD_PRELOAD");
  return value == nullptr ? "" : value;
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
