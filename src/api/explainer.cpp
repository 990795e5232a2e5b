// SPDX-License-Identifier: BSD-3-Clause
// Explains the calls of a running program. Speed matters little here, because only a program that
// sets TUTTI_EXPLAIN runs this code.
#include "api/explainer.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "api/call_site.hpp"
#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "engine/native.hpp"
#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "selection/reason.hpp"

namespace tutti::api {
namespace {

using engine::Arguments;
using engine::Group;
using engine::Plan;

constexpr std::string_view rank_mark = "%r";

// Returns the bytes of the whole vector, or of the rank's own part if it knows no more.
std::int64_t bytes_of(const Group& group, const Plan& plan, const Arguments& arguments) {
  const engine::CallOperand* side = arguments.input != nullptr ? arguments.input : arguments.output;
  if (side == nullptr) return 0;
  const engine::Caller caller{plan.operation(), plan.request().root, group.rank(), group.size()};
  return engine::vector_elements(caller, arguments) *
         static_cast<std::int64_t>(side->element_bytes);
}

std::string reason_of(selection::Chooser& chooser, const selection::Question& question,
                      std::int64_t bytes, Way way) {
  if (way == Way::plan) return "the plan that the program asks for";
  if (chooser.policy().forced_for(question.operation)) return "forced by TUTTI_ALGORITHM";
  if (way == Way::local_counts) return "it serves counts that not all ranks know";
  return chooser.choose(question, bytes).reason;
}

}  // namespace

std::unique_ptr<Explainer> Explainer::of_environment(const launch::Membership& membership) {
  std::string name = base::text(base::Variable::explain).value_or("0");
  if (name == "0" || name == "no" || name == "off") return nullptr;
  const bool first = membership.id() == membership.world().front();
  const std::size_t mark = name.find(rank_mark);
  if (mark != std::string::npos) {
    name.replace(mark, rank_mark.size(), std::to_string(membership.id()));
  } else if (!first) {
    return nullptr;
  }
  if (name == "1" || name == "yes" || name == "on")
    return std::unique_ptr<Explainer>(new Explainer(stderr, "standard error"));
  // Tasks may write to the file of rank 0, which empties it. So each line is appended.
  const int empty = mark != std::string::npos || membership.id() == 0 ? O_TRUNC : 0;
  const int descriptor =
      base::raised(::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | empty, 0666));
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "a");
  if (file == nullptr) {
    base::fail(base::Status::bad_environment,
               "environment variable TUTTI_EXPLAIN is '{}', but that file cannot be written", name);
  }
  return std::unique_ptr<Explainer>(new Explainer(file, name));
}

void Explainer::explain(job::Job& job, const Group& group, const Plan& plan,
                        const Arguments& arguments, Way way) {
  if (paused_) return;
  const engine::Request& request = plan.request();
  selection::Served served{request.generator, request.settings, {}};
  const std::uint64_t site = site_ != 0 ? site_ : calling_site();
  std::string key =
      fmt::format("{} {} {} {}", site, static_cast<int>(plan.operation()), group.size(),
                  selection::plan_name(*served.generator, served.settings));
  if (!said_.insert(std::move(key)).second) return;
  selection::Chooser& chooser = job.choice().chooser();
  const bool commutative = arguments.op == nullptr || arguments.op->commutative();
  const bool whole_vectors = arguments.op != nullptr && arguments.op->takes_vectors();
  const engine::Caller caller{plan.operation(), request.root, group.rank(), group.size()};
  const bool native_serves = engine::native_rejection(caller, arguments).empty();
  const selection::Question question =
      group.question(plan.operation(), {.root = request.root,
                                        .bytes = 0,
                                        .commutative = commutative,
                                        .native_serves = native_serves,
                                        .whole_vectors = whole_vectors});
  const std::int64_t bytes = bytes_of(group, plan, arguments);
  served.reason = reason_of(chooser, question, bytes, way);
  const std::string line = fmt::format(
      "tutti: {}: {} of {} over {} ranks: {}\n", site_text(site),
      schedule::to_text(plan.operation()), selection::bytes_text(static_cast<double>(bytes)),
      group.size(), selection::reason_text(served, question, bytes, chooser));
  const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                       std::fflush(file_.get()) == 0;
  if (!written && lost_ == 0) lost_ = errno;
}

void Explainer::require_written() {
  const int error = std::exchange(lost_, 0);
  if (error == 0) return;
  base::fail(base::Status::system_error,
             "TUTTI_EXPLAIN: lines are lost: '{}' cannot be written: {}", name_,
             std::strerror(error));
}

}  // namespace tutti::api
