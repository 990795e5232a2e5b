// SPDX-License-Identifier: BSD-3-Clause
// Records simulations and writes the records as time lines and traces.
#include "simulation/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

using draw::Doing;
using draw::TimeLine;
using simulate::Activity;
using simulate::Interval;
using simulate::Transfer;

Doing doing_of(Activity work) {
  switch (work) {
    case Activity::combine:
      return Doing::combine;
    case Activity::copy:
      return Doing::copy;
    case Activity::compute:
      return Doing::compute;
    case Activity::synchronise:
      break;
  }
  return Doing::synchronise;
}

// Adds the gaps between the bars of each rank as waits.
void add_waits(TimeLine& line, const simulate::Report& report) {
  std::vector<std::vector<std::pair<double, double>>> busy(report.ranks.size());
  for (const TimeLine::Bar& bar : line.bars)
    busy[static_cast<std::size_t>(bar.rank)].emplace_back(bar.from, bar.to);
  for (std::size_t rank = 0; rank < busy.size(); ++rank) {
    std::sort(busy[rank].begin(), busy[rank].end());
    busy[rank].emplace_back(report.ranks[rank].end, report.ranks[rank].end);
    double reached = report.ranks[rank].begin;
    for (const auto& [from, to] : busy[rank]) {
      if (from > reached) line.bars.push_back({static_cast<int>(rank), Doing::wait, reached, from});
      reached = std::max(reached, to);
    }
  }
}

enum Thread { sends, receives, local };

nlohmann::json span(const std::string& name, int rank, Thread thread, double begin, double end) {
  return {{"name", name},  {"ph", "X"},   {"pid", rank},
          {"tid", thread}, {"ts", begin}, {"dur", end - begin}};
}

nlohmann::json flow(const char* phase, std::size_t id, int rank, Thread thread, double time) {
  nlohmann::json event{{"name", "message"}, {"cat", "message"}, {"ph", phase}, {"id", id},
                       {"pid", rank},       {"tid", thread},    {"ts", time}};
  if (*phase == 'f') event["bp"] = "e";
  return event;
}

nlohmann::json title(const char* what, int rank, int thread, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", rank}, {"tid", thread}, {"args", {{"name", name}}}};
}

// Writes events one by one: all of them together would need many times the memory of the file.
class Events {
 public:
  explicit Events(PictureText& out) : out_(out) {
    out_.add("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  }
  void add(const nlohmann::json& event) {
    out_.add((first_ ? "\n" : ",\n") + event.dump());
    first_ = false;
  }
  void end() { out_.add("]}\n"); }

 private:
  PictureText& out_;
  bool first_ = true;
};

template <class NameOf>
void add_message(Events& events, const Transfer& t, std::size_t id, const NameOf& name_of) {
  const nlohmann::json facts{{"bytes", t.bytes}, {"phase", t.name.phase}, {"step", t.name.step}};
  nlohmann::json sent = span("to " + name_of(t.name.to), t.name.from, sends, t.begin, t.end);
  nlohmann::json received =
      span("from " + name_of(t.name.from), t.name.to, receives, t.granted, t.end);
  sent["args"] = received["args"] = facts;
  sent["args"]["granted"] = t.granted;
  events.add(sent);
  events.add(received);
  events.add(flow("s", id, t.name.from, sends, t.begin));
  events.add(flow("f", id, t.name.to, receives, t.end));
}

}  // namespace

void Recorder::check() const {
  if (transfers_.size() + intervals_.size() >= most)
    base::fail(base::Status::invalid_argument,
               "more than {} messages and pieces of work are too many for a trace", most);
}

void Recorder::transfer(const Transfer& transfer) {
  check();
  transfers_.push_back(transfer);
}

void Recorder::interval(const Interval& interval) {
  check();
  intervals_.push_back(interval);
}

TimeLine timeline_of(const Recorder& recorder, const simulate::Report& report,
                     const Setting& setting) {
  const machine::Node& node = setting.machine.node;
  TimeLine line;
  line.names = setting.streams;
  line.ranks = static_cast<int>(report.ranks.size());
  line.end = report.time;
  for (const Transfer& t : recorder.transfers()) {
    const double started = std::min(t.granted, t.begin + node.alpha + node.noise);
    line.bars.push_back({t.name.from, Doing::start, t.begin, started});
    if (t.granted > started) line.bars.push_back({t.name.from, Doing::blocked, started, t.granted});
    line.bars.push_back({t.name.from, Doing::send, t.granted, t.end});
    line.bars.push_back({t.name.to, Doing::receive, t.granted, t.end});
    line.messages.push_back({t.name.from, t.name.to, t.granted, t.end});
  }
  for (const Interval& i : recorder.intervals())
    line.bars.push_back({i.node, doing_of(i.work), i.begin, i.end});
  add_waits(line, report);
  return line;
}

void write_chrome_trace(const Recorder& recorder, const Setting& setting, PictureText& out) {
  Events events(out);
  const auto name_of = [&](int node) { return node_name(setting, node); };
  const int nodes =
      setting.streams.empty() ? setting.ranks : static_cast<int>(setting.streams.size());
  for (int rank = 0; rank < nodes; ++rank) {
    events.add(title("process_name", rank, 0, "rank " + name_of(rank)));
    events.add(title("thread_name", rank, sends, "sends"));
    events.add(title("thread_name", rank, receives, "receives"));
    events.add(title("thread_name", rank, local, "own work"));
  }
  for (std::size_t i = 0; i < recorder.transfers().size(); ++i)
    add_message(events, recorder.transfers()[i], i, name_of);
  for (const Interval& i : recorder.intervals()) {
    nlohmann::json event = span(draw::to_text(doing_of(i.work)), i.node, local, i.begin, i.end);
    event["args"] = {{"phase", i.phase}, {"step", i.step}};
    events.add(event);
  }
  events.end();
}

}  // namespace tutti::tools
