// SPDX-License-Identifier: BSD-3-Clause
// `tutti info`: the version, what this machine offers, and the environment variables with their values.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/registry.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "commands.hpp"
#include "launch/judge.hpp"
#include "schedule/printer.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

struct InfoOptions {
  bool variables = false;
  bool algorithms = false;
  bool json = false;
};

// The limit a job would get here.
std::int64_t memory_limit() {
  const auto given = base::bytes(base::Variable::shm_limit);
  return given ? *given : transport::shm::default_memory_limit();
}

const char* kind_name(base::VariableKind kind) {
  switch (kind) {
    case base::VariableKind::text:
      return "text";
    case base::VariableKind::integer:
      return "integer";
    case base::VariableKind::seconds:
      return "seconds";
    case base::VariableKind::bytes:
      return "bytes";
    case base::VariableKind::flag:
      break;
  }
  return "flag";
}

std::string value_of(std::size_t index) {
  return base::text(static_cast<base::Variable>(index)).value_or("");
}

nlohmann::json algorithms_json() {
  nlohmann::json out = nlohmann::json::array();
  for (const schedule::Generator* generator : algorithms::all()) {
    out.push_back({{"operation", schedule::to_text(generator->operation)},
                   {"name", generator->name},
                   {"commutative_only", generator->commutative_only}});
  }
  return out;
}

void print_algorithms() {
  for (const schedule::Generator* generator : algorithms::all()) {
    fmt::print("{:<12} {:<24}{}\n", schedule::to_text(generator->operation), generator->name,
               generator->commutative_only ? "commutative operators only" : "");
  }
}

void print_json(const InfoOptions& options) {
  nlohmann::json out = {{"version", TUTTI_VERSION},
                        {"cpus", transport::shm::usable_cpus()},
                        {"memory_limit", memory_limit()},
                        {"most_ranks", launch::ranks_that_fit(launch::Tagging::none)}};
  if (options.variables) {
    const auto table = base::variables();
    for (std::size_t i = 0; i < table.size(); ++i) {
      out["variables"].push_back({{"name", table[i].name},
                                  {"kind", kind_name(table[i].kind)},
                                  {"default", table[i].fallback},
                                  {"value", value_of(i)},
                                  {"text", table[i].text}});
    }
  }
  if (options.algorithms) out["algorithms"] = algorithms_json();
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const InfoOptions& options) {
  fmt::print("tutti {}\n", TUTTI_VERSION);
  fmt::print("processors a job may use: {}\n", transport::shm::usable_cpus());
  fmt::print("shared memory a job may use: {} MiB\n", memory_limit() >> 20);
  fmt::print("most processes of a job: {}\n", launch::ranks_that_fit(launch::Tagging::none));
  if (options.algorithms) print_algorithms();
  if (!options.variables) return;
  const auto table = base::variables();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string value = value_of(i);
    fmt::print("\n{} ({}) = {}\n    {}\n", table[i].name, kind_name(table[i].kind),
               value.empty() ? std::string("not set") : value, table[i].text);
  }
}

int info(const InfoOptions& options) {
  try {
    options.json ? print_json(options) : print_text(options);
    return 0;
  } catch (const base::Error& error) {
    fmt::print(stderr, "tutti info: {}\n", error.what());
    return usage_error;
  }
}

}  // namespace

void add_info(CLI::App& app, int& code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Prints the version, what this machine offers, and the settings.");
  command->add_flag("--vars", options->variables, "also all environment variables, with values");
  command->add_flag("--algorithms", options->algorithms, "also the algorithms that a plan may ask for by name");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] { code = info(*options); });
}

}  // namespace tutti::tools
