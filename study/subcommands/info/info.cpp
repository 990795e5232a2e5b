// SPDX-License-Identifier: BSD-3-Clause
// `tutti info` prints the version, what this machine offers, and the environment variables with
// their values.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/control_group.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/processors.hpp"
#include "info/algorithms.hpp"
#include "info/build.hpp"
#include "info/catalogue.hpp"
#include "info/machines.hpp"
#include "info/tuning.hpp"
#include "support/job_limits.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

struct InfoOptions {
  bool variables = false;
  bool build = false;
  bool tuning = false;
  bool algorithms = false;
  bool machines = false;
  std::string algorithm;
  std::string machine;
  std::string catalogue;
  bool json = false;
  bool toml = false;
};

// Returns the limit of shared memory that a job would get on this machine.
std::int64_t memory_limit() {
  const auto given = base::bytes(base::Variable::shm_limit);
  return given ? *given : base::default_memory_limit();
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

void print_json(const InfoOptions& options) {
  nlohmann::json out = {{"version", TUTTI_VERSION},
                        {"cpus", base::usable_cpus()},
                        {"memory_limit_bytes", memory_limit()},
                        {"most_ranks", most_ranks_of_a_job()}};
  if (options.variables) {
    const auto variables = base::variables();
    Table table("name;kind;default;value;text");
    for (std::size_t i = 0; i < variables.size(); ++i)
      table.add({variables[i].name, kind_name(variables[i].kind), variables[i].fallback,
                 value_of(i), variables[i].text});
    out["variables"] = table.json();
  }
  if (options.build) out["build"] = build_json();
  if (options.tuning) {
    out["tuning"] = tuning_json();
    out["copied_once_by_the_system"] = copies_by_kernel();
    out["rows_of_the_machine_file"] = rows_of_profile();
  }
  if (options.algorithms) out["algorithms"] = algorithms_json();
  if (options.machines) out["machines"] = machines_json();
  fmt::print("{}", answer_text("info", out));
}

// Lists are for readers who know what the machine offers, and have nothing above them.
void print_text(const InfoOptions& options) {
  if (options.algorithms && !options.machines && !options.tuning && !options.variables)
    return print_algorithms();
  fmt::print("tutti {}\n", TUTTI_VERSION);
  fmt::print("processors a job may use: {}\n", base::usable_cpus());
  fmt::print("shared memory a job may use: {} MiB\n", memory_limit() >> 20);
  fmt::print("most processes of a job: {}\n", most_ranks_of_a_job());
  if (options.build) print_build();
  if (options.algorithms) print_algorithms();
  if (options.machines) print_machines();
  if (options.tuning) print_tuning();
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
    if (options.toml && (options.machine.empty() || options.json))
      base::fail(base::Status::invalid_argument,
                 "--toml prints the file of one machine: give --machine, and no --json");
    if (!options.catalogue.empty()) {
      write_catalogue(options.catalogue);
    } else if (!options.algorithm.empty()) {
      options.json
          ? fmt::print("{}", answer_text(
                                 "info",
                                 nlohmann::json{{"algorithms", algorithm_json(options.algorithm)}}))
          : print_algorithm(options.algorithm);
    } else if (options.toml) {
      fmt::print("{}", machine_toml(options.machine));
    } else if (!options.machine.empty()) {
      options.json
          ? fmt::print(
                "{}",
                answer_text("info", nlohmann::json{{"machine", machine_json(options.machine)}}))
          : print_machine(options.machine);
    } else {
      options.json ? print_json(options) : print_text(options);
    }
    return 0;
  });
}

}  // namespace

void add_info(CLI::App& verb, int& code) {
  auto options = std::make_shared<InfoOptions>();
  verb.add_flag("--vars", options->variables, "also all environment variables, with values");
  verb.add_flag("--build", options->build,
                "also how this tutti was built: commit, compilers, MPIs, and what is left out");
  verb.add_flag("--tuning", options->tuning,
                "also the table of measured numbers, with values, units, reasons and origins");
  verb.add_flag("--algorithms", options->algorithms,
                "instead, all algorithms, with a sentence on each");
  verb.add_option("--algorithm", options->algorithm,
                  "instead, what one algorithm is, costs and needs")
      ->type_name("NAME");
  verb.add_option("--catalogue", options->catalogue,
                  "instead, write a page and pictures for each family of algorithms into a folder")
      ->type_name("FOLDER");
  verb.add_flag("--machines", options->machines, "also the machines that can be simulated");
  verb.add_option("--machine", options->machine,
                  "instead, every number of a machine, by name or path, with status and source")
      ->type_name("NAME");
  verb.add_flag("--toml", options->toml,
                "with --machine, as a machine file, a template for one of your own");
  verb.add_flag("--json", options->json, "as JSON");
  verb.callback([options, &code] { code = info(*options); });
}

}  // namespace tutti::tools
