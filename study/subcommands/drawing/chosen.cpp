// SPDX-License-Identifier: BSD-3-Clause
// Asks the chooser of the library, or prices all plans on a machine.
#include "drawing/chosen.hpp"

#include <fmt/format.h>

#include "algorithms/native.hpp"
#include "base/error.hpp"
#include "machine/profile.hpp"
#include "selection/explain.hpp"
#include "selection/headers.hpp"
#include "selection/hosts.hpp"
#include "selection/machine_info.hpp"

namespace tutti::tools {
namespace {

PlanToDraw best_on(const std::string& name, const selection::Question& question,
                   const CallOptions& call, const Extent& extent) {
  const auto network = network_of(call);
  const bool fits = network != nullptr && question.p <= network->nodes();
  const selection::Explanation found = selection::explain(
      question, extent.bytes, machine::load(name), fits ? network.get() : nullptr);
  if (found.rows.empty())
    base::fail(base::Status::no_such_plan, "nothing may serve the call: give --algorithm");
  const selection::Alternative& best = found.rows.front().alternative;
  return {{best.generator, best.settings},
          fmt::format("the fastest for {} on {}", to_text(extent), name)};
}

PlanToDraw choice_here(selection::Question question, const Extent& extent) {
  selection::lay_on(question, question.hosts);
  selection::Chooser chooser = selection::chooser_of(selection::policy_of_environment(),
                                                     selection::machine_info_of_environment());
  const selection::Choice choice = chooser.choose(question, extent.bytes);
  const schedule::Generator* generator = algorithms::named(question.operation, choice.algorithm);
  if (algorithms::is_native(*generator))
    base::fail(base::Status::invalid_argument,
               "TUTTI_ALGORITHM asks for the collective of the MPI, which has no schedule to draw: "
               "give --algorithm");
  return {{generator, choice.settings}, fmt::format("chosen here for {}", to_text(extent))};
}

}  // namespace

PlanToDraw plan_to_draw(const CallOptions& call, schedule::Operation operation, int p,
                        const Extent& extent) {
  if (!call.algorithm.empty()) return {plan_of(call, operation, call.algorithm), ""};
  selection::Question question;
  question.operation = operation;
  question.p = p;
  question.root = root_of(call, p);
  return call.machine.empty() ? choice_here(question, extent)
                              : best_on(call.machine, question, call, extent);
}

std::string title_of(const PlanToDraw& plan, const schedule::Shape& shape) {
  const schedule::Generator& generator = *plan.plan.generator;
  const std::string title = describe(generator, shape);
  if (!generator.applies(shape))
    base::fail(base::Status::invalid_argument, "{} is not defined{}", title,
               needs_clause(generator));
  return plan.why.empty() ? title : fmt::format("{}, {}", title, plan.why);
}

}  // namespace tutti::tools
