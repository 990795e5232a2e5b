// SPDX-License-Identifier: BSD-3-Clause
// Prints the tuning table as text and as JSON.
#include "info/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <string>
#include <string_view>

#include "base/host_calls.hpp"
#include "base/input_file.hpp"
#include "machine/host.hpp"
#include "machine/tuning.hpp"

namespace tutti::tools {
namespace {

const char* text_of(base::TuningScope scope) {
  if (scope == base::TuningScope::layout) return "layout";
  return scope == base::TuningScope::job ? "job" : "own";
}

const char* text_of(base::TuningUnit unit) {
  if (unit == base::TuningUnit::bytes) return "bytes";
  return unit == base::TuningUnit::time ? "time" : "count";
}

const char* text_of(base::TuningSource source) {
  switch (source) {
    case base::TuningSource::environment:
      return "TUTTI_TUNING";
    case base::TuningSource::machine_file:
      return "machine file";
    case base::TuningSource::processor:
      return "processor";
    default:
      return "default";
  }
}

// Yama lets a process touch the memory of its descendants only, unless its scope is 0.
bool yama_forbids() {
  base::InputFile file("/proc/sys/kernel/yama/ptrace_scope");
  std::string scope;
  return std::getline(file, scope) && scope != "0";
}

std::string decided_by(const base::TuningRow& row) {
  return *row.bench == '\0' ? std::string() : fmt::format(" (make {})", row.bench);
}

}  // namespace

std::string copies_by_kernel() {
  const base::TuningSettings settings = machine::job_tuning();
  for (const base::TuningRow& row : base::tuning_rows()) {
    if (row.name == std::string_view("copy_by_kernel") && settings.value_of(row) == 0)
      return fmt::format("no, copy_by_kernel is 0 ({})", text_of(settings.source_of(row)));
  }
  const int error = base::try_copy_between_processes();
  if (error != 0) return fmt::format("no, the system refuses it: {}", std::strerror(error));
  if (yama_forbids()) return "no, /proc/sys/kernel/yama/ptrace_scope is not 0";
  return "yes, between processes that one tutti run has started";
}

std::string rows_of_profile() {
  const auto document = machine::measured_document();
  if (!document) return "there is no profile; tutti tune writes one";
  if (const std::string other = machine::other_processor(*document); !other.empty())
    return fmt::format("not used: {} was measured on another processor ({}); run tutti tune here",
                       document->origin, other);
  const base::TuningSettings settings = machine::job_tuning();
  const auto rows = base::tuning_rows();
  const auto count = std::count_if(rows.begin(), rows.end(), [&](const base::TuningRow& row) {
    return settings.source_of(row) == base::TuningSource::machine_file;
  });
  return fmt::format("{} of {}", count, document->origin);
}

void print_tuning() {
  fmt::print("long vectors copied once by the system: {}\n", copies_by_kernel());
  fmt::print("rows of the machine file: {}\n", rows_of_profile());
  const base::TuningSettings settings = machine::job_tuning();
  for (const base::TuningRow& row : base::tuning_rows()) {
    const std::int64_t value = settings.value_of(row);
    std::string note = text_of(settings.source_of(row));
    if (value != row.fallback)
      note += fmt::format("; default {}", base::tuning_text(row, row.fallback));
    fmt::print("\n{} ({}, {}) = {}, {}\n    {}{}\n", row.name, text_of(row.scope),
               text_of(row.unit), base::tuning_text(row, value), note, row.why, decided_by(row));
  }
}

nlohmann::json tuning_json() {
  const base::TuningSettings settings = machine::job_tuning();
  nlohmann::json out = nlohmann::json::array();
  for (const base::TuningRow& row : base::tuning_rows()) {
    const std::int64_t value = settings.value_of(row);
    out.push_back({{"name", row.name},
                   {"scope", text_of(row.scope)},
                   {"unit", text_of(row.unit)},
                   {"value", value},
                   {"value_text", base::tuning_text(row, value)},
                   {"default", row.fallback},
                   {"least", row.least},
                   {"most", row.most},
                   {"source", text_of(settings.source_of(row))},
                   {"bench", row.bench},
                   {"why", row.why}});
  }
  return out;
}

}  // namespace tutti::tools
