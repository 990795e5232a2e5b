// SPDX-License-Identifier: BSD-3-Clause
#include "support/machine_json.hpp"

#include <cmath>

#include "machine/keys.hpp"

namespace tutti::tools {

namespace {

// JSON has no infinity, so a text stands for it.
nlohmann::json number(double value) {
  return std::isinf(value) ? nlohmann::json("inf") : nlohmann::json(value);
}

nlohmann::json to_json(const std::string& name, const machine::Number& n) {
  const machine::Key* const known = machine::find_key(name);
  return {{"value", number(n.value)},
          {"unit", known == nullptr ? "" : machine::unit_of(known->kind)},
          {"status", machine::to_text(n.status)},
          {"source", n.source}};
}

}  // namespace

nlohmann::json to_json(const machine::Profile& machine) {
  nlohmann::json numbers = {{"alpha", to_json("alpha", machine.alpha)},
                            {"beta", to_json("beta", machine.beta)},
                            {"gamma", to_json("gamma", machine.gamma)},
                            {"kappa", to_json("kappa", machine.kappa)}};
  for (const auto& [name, n] : machine.more) numbers[name] = to_json(name, n);
  return {{"name", machine.name},
          {"about", machine.about},
          {"aliases", machine.aliases},
          {"mesh", machine.mesh},
          {"numbers", std::move(numbers)}};
}

}  // namespace tutti::tools
