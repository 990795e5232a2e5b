// SPDX-License-Identifier: BSD-3-Clause
// Reads policies from text and writes them.
#include "selection/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/from_file.hpp"
#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "schedule/printer.hpp"

namespace tutti::selection {
namespace {

// Returns the name that was probably meant, or else all names there are, as the end of a message.
std::string hint_for(schedule::Operation operation, std::string_view name) {
  if (algorithms::names_file(name))
    return "; the file is for " + algorithms::operations_in_file(name);
  std::string all;
  std::vector<base::KnownWord> known;
  for (const schedule::Generator* generator : algorithms::all()) {
    if (generator->operation != operation) continue;
    all += std::string(generator->name) + ", ";
    known.push_back({generator->name, generator->name});
    for (const std::string_view alias : algorithms::words_of(generator->aliases))
      known.push_back({alias, generator->name});
  }
  known.push_back({algorithms::native_name, algorithms::native_name});
  const std::string hint = base::did_you_mean(name, known);
  return hint.empty() ? "; there are: " + all.append(algorithms::native_name) : hint;
}

// Adds one item to a policy, such as "bcast=tree:branches=2".
void force(Policy& policy, std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) {
    base::fail(base::Status::invalid_argument, "'{}' is not of the form operation=algorithm", item);
  }
  const schedule::Operation operation = operation_named(item.substr(0, equals));
  const Forced plan = parse_plan(operation, item.substr(equals + 1));
  auto& place = policy.forced[static_cast<std::size_t>(operation)];
  if (place)
    base::fail(base::Status::invalid_argument, "{} is given twice", schedule::to_text(operation));
  place = plan;
}

}  // namespace

Forced parse_plan(schedule::Operation operation, std::string_view text) {
  const std::string_view name = algorithms::name_in(text);
  const schedule::Generator* generator = algorithms::named(operation, name);
  if (generator == nullptr) {
    base::fail(base::Status::no_such_plan, "there is no algorithm '{}' for {}{}", name,
               schedule::to_text(operation), hint_for(operation, name));
  }
  return {generator, parse_settings(algorithms::settings_in(text))};
}

Policy parse_policy(std::string_view forced) {
  Policy policy;
  while (!forced.empty()) {
    const std::size_t end = std::min(forced.find(','), forced.size());
    force(policy, forced.substr(0, end));
    forced.remove_prefix(std::min(end + 1, forced.size()));
  }
  return policy;
}

Policy policy_of_environment() {
  const std::string forced = base::text(base::Variable::algorithm).value_or("");
  try {
    Policy policy = parse_policy(forced);
    policy.reproducible = base::flag(base::Variable::reproducible);
    return policy;
  } catch (const base::Error& error) {
    base::fail(base::Status::bad_environment, "environment variable TUTTI_ALGORITHM is '{}': {}",
               forced, error.what());
  }
}

std::string to_text(const Policy& policy) {
  std::string text;
  for (std::size_t i = 0; i < policy.forced.size(); ++i) {
    const auto& forced = policy.forced[i];
    if (!forced) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",",
                        schedule::to_text(static_cast<schedule::Operation>(i)),
                        plan_name(*forced->generator, forced->settings));
  }
  if (policy.reproducible) text += text.empty() ? "reproducible" : ",reproducible";
  return text;
}

}  // namespace tutti::selection
