// SPDX-License-Identifier: BSD-3-Clause
// Reads the events of a trace.
#include "tracing/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

using Json = nlohmann::json;

struct Span {
  double begin, end;
};

class Reading {
 public:
  explicit Reading(std::size_t most) : most_(most) {}

  void event(const Json& event) {
    const std::string category = event.value("cat", "");
    const int process = event.value("pid", 0);
    if (event.value("name", "") == "process_name")
      job_.processes[process].title = event.at("args").value("name", "");
    if (category == "lost") job_.processes[process].lost += event.at("args").value("records", 0);
    if (event.value("ph", "") != "X") return;
    const double begin = event.at("ts"), length = event.at("dur");
    job_.begin = std::min(job_.begin, begin);
    job_.end = std::max(job_.end, begin + length);
    if (category == "call") call(process, {begin, begin + length});
    if (category == "wait") wait(process, event);
  }

  [[nodiscard]] TracedJob result() {
    if (job_.processes.empty()) job_.begin = 0;
    keep_longest();
    for (auto& [process, spans] : calls_) {
      std::sort(spans.begin(), spans.end(),
                [](const Span& a, const Span& b) { return a.begin < b.begin; });
    }
    for (TracedWait& wait : job_.longest)
      if (calls_.contains(wait.peer)) wait.outside = outside(wait);
    return std::move(job_);
  }

 private:
  void call(int process, Span span) {
    TracedProcess& of = job_.processes[process];
    ++of.calls;
    of.in_calls += span.end - span.begin;
    calls_[process].push_back(span);
  }

  void wait(int process, const Json& event) {
    const Json& facts = event.at("args");
    TracedWait wait{.process = process,
                    .peer = facts.value("for", -1),
                    .more = facts.value("more", 0),
                    .begin = event.at("ts"),
                    .length = event.at("dur"),
                    .call = facts.value("call", ""),
                    .operation = facts.value("operation", ""),
                    .algorithm = facts.value("algorithm", ""),
                    .group = facts.value("group", ""),
                    .round = facts.value("round", 0),
                    .number = facts.value("number", std::int64_t{0}),
                    .bytes = facts.value("bytes", std::int64_t{0}),
                    .unfinished = facts.value("unfinished", false)};
    ++job_.processes[process].waits;
    job_.processes[process].waiting += wait.length;
    job_.longest.push_back(std::move(wait));
    if (job_.longest.size() > 4 * most_ + 1000) keep_longest();
  }

  void keep_longest() {
    const auto kept = std::min(most_, job_.longest.size());
    std::partial_sort(job_.longest.begin(),
                      job_.longest.begin() + static_cast<std::ptrdiff_t>(kept), job_.longest.end(),
                      [](const TracedWait& a, const TracedWait& b) {
                        return std::pair(-a.length, a.begin) < std::pair(-b.length, b.begin);
                      });
    job_.longest.resize(kept);
  }

  [[nodiscard]] double outside(const TracedWait& wait) const {
    const double end = wait.begin + wait.length;
    double inside = 0;
    for (const Span& span : calls_.at(wait.peer)) {
      if (span.begin >= end) break;
      inside += std::max(0.0, std::min(span.end, end) - std::max(span.begin, wait.begin));
    }
    return std::max(0.0, wait.length - inside);
  }

  std::size_t most_;
  TracedJob job_{
      .processes = {}, .longest = {}, .begin = std::numeric_limits<double>::infinity(), .end = 0};
  std::map<int, std::vector<Span>> calls_;
};

}  // namespace

TracedJob traced_job(std::istream& trace, const std::string& name, std::size_t most) {
  Reading reading(most);
  bool known = false;
  constexpr int depth_of_form = 1, depth_of_events = 2;
  const auto each = [&](int depth, Json::parse_event_t what, Json& parsed) {
    if (what != Json::parse_event_t::object_end) return true;
    if (depth == depth_of_form && parsed.value("form", "") == "tutti-trace") known = true;
    if (depth != depth_of_events) return true;
    reading.event(parsed);
    return false;
  };
  try {
    const Json rest = Json::parse(trace, each);
    if (!rest.contains("traceEvents")) known = false;
  } catch (const Json::exception& error) {
    base::fail(base::Status::invalid_argument, "{} is no trace that TUTTI_TRACE has written: {}",
               name, error.what());
  }
  if (!known)
    base::fail(base::Status::invalid_argument, "{} is no trace that TUTTI_TRACE has written", name);
  return reading.result();
}

}  // namespace tutti::tools
