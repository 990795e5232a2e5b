// SPDX-License-Identifier: BSD-3-Clause
// `tutti trace` completes the trace of a job and prints its longest waits.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "measuring.hpp"
#include "support/answer.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"
#include "tracing/waits.hpp"
#include "transport/trace/collect.hpp"

namespace tutti::tools {
namespace {

struct TraceOptions {
  std::string file;
  std::size_t top = 10;
  bool json = false;
};

constexpr int most_top = 10'000;

TracedJob job_in(const std::string& file, std::size_t most) {
  if (file == "-") return traced_job(std::cin, "standard input", most);
  std::ifstream stream(file);
  if (!stream) base::fail(base::Status::invalid_argument, "{} cannot be read", file);
  return traced_job(stream, file, most);
}

nlohmann::json optional(const std::string& text) {
  return text.empty() ? nlohmann::json() : nlohmann::json(text);
}

nlohmann::json wait_json(const TracedWait& wait) {
  nlohmann::json out{{"process", wait.process},
                     {"begin_us", wait.begin},
                     {"wait_us", wait.length},
                     {"for", nullptr},
                     {"more", wait.more},
                     {"outside_us", nullptr},
                     {"call", optional(wait.call)},
                     {"operation", optional(wait.operation)},
                     {"unfinished", wait.unfinished}};
  if (wait.peer >= 0) {
    out["for"] = wait.peer;
    out["outside_us"] = wait.outside;
  }
  if (wait.operation.empty()) return out;
  out["algorithm"] = wait.algorithm;
  out["group"] = wait.group;
  out["number"] = wait.number;
  out["round"] = wait.round;
  out["bytes"] = wait.bytes;
  return out;
}

nlohmann::json json_of(const TracedJob& job, const trace::Collected& collected) {
  nlohmann::json processes = nlohmann::json::array(), waits = nlohmann::json::array();
  for (const auto& [process, facts] : job.processes) {
    processes.push_back({{"process", process},
                         {"title", facts.title},
                         {"calls", facts.calls},
                         {"waits", facts.waits},
                         {"in_calls_us", facts.in_calls},
                         {"waiting_us", facts.waiting},
                         {"lost_records", facts.lost}});
  }
  for (const TracedWait& wait : job.longest) waits.push_back(wait_json(wait));
  return {{"begin_us", job.begin},
          {"end_us", job.end},
          {"processes", std::move(processes)},
          {"longest_waits", std::move(waits)},
          {"parts_left", collected.left}};
}

std::string place_of(const TracedWait& wait) {
  std::string text = wait.call.empty() ? "?" : wait.call;
  if (!wait.operation.empty()) {
    text += fmt::format(", {} by {}", wait.operation, wait.algorithm);
    if (wait.round > 0) text += fmt::format(", round {}", wait.round);
    text += fmt::format(", {} bytes, operation {} of {}", wait.bytes, wait.number, wait.group);
  }
  return text + (wait.unfinished ? " (never ended)" : "");
}

std::string peer_of(const TracedWait& wait) {
  if (wait.peer < 0) return "?";
  return wait.more == 0 ? std::to_string(wait.peer) : fmt::format("{} +{}", wait.peer, wait.more);
}

void print(const TracedJob& job) {
  constexpr double us_in_ms = 1000;
  fmt::print("{:.3f} ms\n\n", (job.end - job.begin) / us_in_ms);
  Table processes("process>7;  name<10;  calls>9;  in calls ms>11.3f;  waits>9;  waiting ms>10.3f");
  std::int64_t lost = 0;
  for (const auto& [process, facts] : job.processes) {
    processes.add({process, facts.title, facts.calls, facts.in_calls / us_in_ms, facts.waits,
                   facts.waiting / us_in_ms});
    lost += facts.lost;
  }
  fmt::print("{}", processes.text());
  if (lost > 0)
    fmt::print("{} earlier records are overwritten: TUTTI_TRACE_MEMORY says how many stay\n", lost);
  if (job.longest.empty()) return fmt::print("\nno process has waited\n");
  fmt::print(
      "\nthe longest waits; outside: how long the process that is waited for was in no call\n");
  Table waits("process>7;  at ms>10.3f;  ms>9.3f;  for>4;  outside ms>10.3f;  in<");
  for (const TracedWait& wait : job.longest) {
    waits.add({wait.process, (wait.begin - job.begin) / us_in_ms, wait.length / us_in_ms,
               peer_of(wait),
               wait.peer < 0 ? nlohmann::json() : nlohmann::json(wait.outside / us_in_ms),
               place_of(wait)});
  }
  fmt::print("{}", waits.text());
}

int show(const TraceOptions& options) {
  return reporting_errors("trace", [&] {
    trace::Collected collected;
    if (options.file != "-") collected = trace::collect(options.file);
    for (const std::string& left : collected.left) base::notice("tutti trace: {}\n", left);
    const TracedJob job = job_in(options.file, options.top);
    if (options.json)
      fmt::print("{}", answer_text("trace", json_of(job, collected)));
    else
      print(job);
    return 0;
  });
}

}  // namespace

void add_trace(CLI::App& verb, int& code) {
  auto options = std::make_shared<TraceOptions>();
  verb.add_option("FILE", options->file, "the trace; - reads standard input")->required();
  verb.add_option("--top", options->top, "how many waits are printed (default 10)")
      ->type_name("K")
      ->check(CLI::Range(1, most_top));
  verb.add_flag("--json", options->json, "as JSON");
  verb.callback([options, &code] { code = show(*options); });
}

}  // namespace tutti::tools
