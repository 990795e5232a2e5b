// SPDX-License-Identifier: BSD-3-Clause
// Explanations of the calls of a running program. They may take their time.
#include "api/explainer.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "api/call_site.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "selection/reason.hpp"

namespace tutti::api {
namespace {

using engine::Arguments;
using engine::Group;
using engine::Plan;

constexpr std::string_view rank_mark = "%r";

// Of the whole vector; of the rank's own part where it knows no more.
std::int64_t bytes_of(const Group& group, const Plan& plan, const Arguments& arguments) {
  const engine::Operand* side = arguments.input != nullptr ? arguments.input : arguments.output;
  if (side == nullptr) return 0;
  const engine::Caller caller{plan.operation(), plan.request().root, group.rank(), group.size()};
  return engine::vector_elements(caller, arguments) * static_cast<std::int64_t>(side->element_bytes);
}

std::string reason_of(selection::Chooser& chooser, const Group& group, const selection::Question& question,
                      std::int64_t bytes, Way way) {
  const bool forced = chooser.policy().forced_for(question.operation).has_value();
  if (way == Way::plan) return "the plan that the program asks for";
  if (way == Way::own_counts && !forced) return "serves counts that are not known everywhere";
  const std::string reason = chooser.choose(question, group.size_asked_for(question.operation, bytes)).reason;
  return forced ? "forced by TUTTI_ALGORITHM" : reason;
}

}  // namespace

std::unique_ptr<Explainer> Explainer::of_environment(int endpoint) {
  std::string name = base::text(base::Variable::explain).value_or("0");
  if (name == "0" || name == "no" || name == "off") return nullptr;
  if (name == "1" || name == "yes" || name == "on") {
    return std::unique_ptr<Explainer>(new Explainer(stderr, Who::first_of_group));
  }
  const std::size_t mark = name.find(rank_mark);
  const Who who = mark == std::string::npos ? Who::first_of_group : Who::everybody;
  if (who == Who::everybody) name.replace(mark, rank_mark.size(), std::to_string(endpoint));
  // Several processes may write to one file: each line goes to its end, and the first process of the job empties it.
  const int empty = who == Who::everybody || endpoint == 0 ? O_TRUNC : 0;
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | empty, 0666);
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "a");
  if (file == nullptr) {
    base::fail(base::Status::bad_environment,
               "environment variable TUTTI_EXPLAIN is '{}', but that file cannot be written", name);
  }
  return std::unique_ptr<Explainer>(new Explainer(file, who));
}

void Explainer::explain(engine::Runtime& runtime, const Group& group, const Plan& plan, const Arguments& arguments,
                        Way way) {
  if (who_ == Who::first_of_group && group.rank() != 0) return;
  const engine::Request& request = plan.request();
  selection::Served served{request.generator, request.settings(), {}};
  const std::uintptr_t site = calling_address();
  std::string key = fmt::format("{} {} {} {}", site, static_cast<int>(plan.operation()), group.size(),
                                selection::plan_name(served.generator->name, served.settings));
  if (!said_.insert(std::move(key)).second) return;
  selection::Chooser& chooser = runtime.choice().chooser();
  const bool commutative = arguments.op == nullptr || arguments.op->commutative();
  const selection::Question question = group.question(plan.operation(), request.root, commutative);
  const std::int64_t bytes = bytes_of(group, plan, arguments);
  served.reason = reason_of(chooser, group, question, bytes, way);
  const std::string line =
      fmt::format("tutti: {}: {} of {} over {} ranks: {}\n", place_of(site), schedule::to_text(plan.operation()),
                  selection::bytes_text(static_cast<double>(bytes)), group.size(),
                  selection::reason_text(served, question, bytes, chooser.machine()));
  std::fwrite(line.data(), 1, line.size(), file_.get());
  std::fflush(file_.get());
}

}  // namespace tutti::api
