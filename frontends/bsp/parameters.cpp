// SPDX-License-Identifier: BSD-3-Clause
// Takes the parameters from what `tutti probe` has measured, or from the machine profile of the
// job (parameters.hpp), and has Oxford's names for them.
#include "parameters.hpp"

#include <tutti-bsp/bsp_level1.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "errors.hpp"
#include "state.hpp"
#include "text_file.hpp"

namespace tutti::bsp {
namespace {

constexpr double word_bytes = 8;
constexpr const char* variable = "TUTTI_BSP_MACHINE";

// The costs of a machine in seconds.
struct Costs {
  double operation, sync, word;
  double half;  // words
};

// A combination of two words is one operation.
Costs costs_of_profile(int processes) {
  constexpr double microsecond = 1e-6;
  const double alpha = tutti_profile_rate("alpha") * microsecond,
               word = tutti_profile_rate("beta") * word_bytes * microsecond,
               operation = tutti_profile_rate("gamma") * word_bytes * microsecond;
  if (alpha < 0 || word < 0 || operation < 0) fail_status("bsp_begin");
  const auto rounds = std::bit_width(static_cast<unsigned>(processes - 1));
  return {operation, rounds * alpha, word, word > 0 ? alpha / word : 0};
}

// Returns the least time of an operation on vectors that lie in a cache.
double least_operation(const nlohmann::json& speeds) {
  double least = INFINITY;
  for (const auto& speed : speeds) least = std::min(least, speed.value("seconds", least));
  return least;
}

Costs costs_in(const std::string& file) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text_of_file(file));
    for (const auto& entry : json.at("g")) {
      if (entry.value("access", "") != "put" || entry.value("pattern", "") != "all-to-all")
        continue;
      const Costs costs{least_operation(json.at("f")), json.at("l").value("no communication", 0.0),
                        entry.value("g_inf", 0.0), entry.value("h_half", 0.0)};
      if (std::isfinite(costs.operation) && costs.operation > 0) return costs;
    }
  } catch (const nlohmann::json::exception&) {
    fail(variable, "'{}' cannot be read, or was not written by tutti probe --output", file);
  }
  fail(variable, "'{}' has no figures for bsp_put in an all-to-all exchange", file);
}

// The costs are those of process 0, because programs choose by the answers what all processes do.
Costs costs_of(const BspMachine& machine, const std::string& file) {
  Costs costs{};
  if (machine.pid == 0) costs = file.empty() ? costs_of_profile(machine.count) : costs_in(file);
  const tutti_data data = tutti_array(&costs, sizeof costs / sizeof(double), TUTTI_DOUBLE);
  check("bsp_begin", tutti_bcast, machine.peers.group, &data, 0);
  return costs;
}

std::string file_of_machine() {
  std::array<char, 4096> file{};
  // Failure is harmless: it only returns the length of the text.
  static_cast<void>(tutti_setting_text(variable, file.data(), file.size()));
  return file.data();
}

const BspParameters& parameters(const char* routine) {
  return machine(routine).parameters;
}

}  // namespace

BspParameters parameters_of(const BspMachine& machine) {
  const std::string file = file_of_machine();
  const Costs costs = costs_of(machine, file);
  constexpr double million = 1e6;
  return {1 / (costs.operation * million), costs.sync / costs.operation,
          costs.word / costs.operation, static_cast<int>(std::lround(costs.half))};
}

}  // namespace tutti::bsp

extern "C" {

double bsp_s(void) {
  return tutti::bsp::parameters("bsp_s").s;
}
double bsp_l(void) {
  return tutti::bsp::parameters("bsp_l").l;
}
double bsp_g(void) {
  return tutti::bsp::parameters("bsp_g").g;
}
int bsp_nhalf(void) {
  return tutti::bsp::parameters("bsp_nhalf").half;
}

}  // extern "C"
