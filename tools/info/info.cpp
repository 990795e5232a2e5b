// SPDX-License-Identifier: BSD-3-Clause
// `tutti info`: the version, what this machine offers, and the environment variables with their values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "commands.hpp"
#include "info/machines.hpp"
#include "launch/judge.hpp"
#include "schedule/printer.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

struct InfoOptions {
  bool variables = false;
  bool algorithms = false;
  bool machines = false;
  std::string machine;
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

std::string all_programs(const schedule::Generator& generator, const schedule::Shape& shape) {
  std::string text;
  if (!generator.applies(shape)) return text;
  for (int rank = 0; rank < shape.p; ++rank) {
    text += schedule::to_text(schedule::build(generator, shape, schedule::Rank{rank}));
  }
  return text;
}

const char* operators_of(const schedule::Generator& generator) {
  using enum schedule::Operation;
  const bool combines = generator.operation == reduce || generator.operation == allreduce;
  if (!combines) return "-";
  return generator.commutative_only ? "commutative" : "any";
}

// The fields of a plan request that this algorithm heeds: those that change what it does for 16 processes. Asking the
// algorithm itself is never out of date.
std::vector<std::string> parameters_of(const schedule::Generator& generator) {
  static constexpr int square[] = {4, 4}, oblong[] = {2, 8};
  schedule::Shape shape;
  shape.p = 16;
  shape.factors = square;
  shape.cut = 1;
  const std::string plain = all_programs(generator, shape);
  std::vector<std::string> found;
  const auto probe = [&](const char* name, int schedule::Shape::*field) {
    schedule::Shape changed = shape;
    changed.*field = 3;
    if (all_programs(generator, changed) != plain) found.emplace_back(name);
  };
  probe("root", &schedule::Shape::root);
  probe("branches", &schedule::Shape::branches);
  probe("rings", &schedule::Shape::rings);
  probe("segments", &schedule::Shape::segments);
  shape.factors = oblong;
  if (all_programs(generator, shape) != plain) found.emplace_back("factors");
  shape.factors = square;
  shape.cut = 0;
  if (all_programs(generator, shape) != plain) found.emplace_back("cut");
  return found;
}

nlohmann::json algorithms_json() {
  nlohmann::json out = nlohmann::json::array();
  for (const schedule::Generator* generator : algorithms::all()) {
    out.push_back({{"operation", schedule::to_text(generator->operation)},
                   {"name", generator->name},
                   {"parameters", parameters_of(*generator)},
                   {"commutative_only", generator->commutative_only}});
  }
  return out;
}

void print_algorithms() {
  fmt::print("\n{:<12} {:<24} {:<16} {}\n", "operation", "algorithm", "parameters", "operators");
  for (const schedule::Generator* generator : algorithms::all()) {
    fmt::print("{:<12} {:<24} {:<16} {}\n", schedule::to_text(generator->operation), generator->name,
               fmt::format("{}", fmt::join(parameters_of(*generator), ", ")), operators_of(*generator));
  }
  fmt::print("{:<12} {:<24} {:<16} {}\n", "each", algorithms::native_name, "",
             "the MPI's; the collective of the MPI that has started the job, see tutti_mpi(7)");
}

void print_json(const nlohmann::json& out) {
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_json(const InfoOptions& options) {
  nlohmann::json out = {{"version", TUTTI_VERSION},
                        {"cpus", transport::shm::usable_cpus()},
                        {"memory_limit", memory_limit()},
                        {"most_ranks", launch::ranks_that_fit()}};
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
  if (options.machines) out["machines"] = machines_json();
  print_json(out);
}

void print_text(const InfoOptions& options) {
  fmt::print("tutti {}\n", TUTTI_VERSION);
  fmt::print("processors a job may use: {}\n", transport::shm::usable_cpus());
  fmt::print("shared memory a job may use: {} MiB\n", memory_limit() >> 20);
  fmt::print("most processes of a job: {}\n", launch::ranks_that_fit());
  if (options.algorithms) print_algorithms();
  if (options.machines) print_machines();
  if (!options.variables) return;
  const auto table = base::variables();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string value = value_of(i);
    fmt::print("\n{} ({}) = {}\n    {}\n", table[i].name, kind_name(table[i].kind),
               value.empty() ? std::string("not set") : value, table[i].text);
  }
}

int info(const InfoOptions& options) {
  return reporting_errors("info", [&] {
    if (!options.machine.empty()) {
      options.json ? print_json(machine_json(options.machine)) : print_machine(options.machine);
    } else {
      options.json ? print_json(options) : print_text(options);
    }
    return 0;
  });
}

}  // namespace

void add_info(CLI::App& app, int& code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Prints the version, what this machine offers, and the settings.");
  command->add_flag("--vars", options->variables, "also all environment variables, with values");
  command->add_flag("--algorithms", options->algorithms, "also the algorithms that a plan may ask for by name");
  command->add_flag("--machines", options->machines, "also the machines that can be simulated");
  command->add_option("--machine", options->machine,
                      "instead, every number of a machine, by name or path, with status and source");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] { code = info(*options); });
}

}  // namespace tutti::tools
