// SPDX-License-Identifier: BSD-3-Clause
// Writes simulation results as JSON and CSV. Times are exact.
#include <fmt/format.h>

#include "schedule/printer.hpp"
#include "simulation/print.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

using nlohmann::json;

json json_of(const simulate::Name& name) {
  return {{"phase", name.phase}, {"step", name.step}, {"from", name.from}, {"to", name.to}};
}

json setting_json(const Setting& setting) {
  return {{"operation",
           setting.file.empty() ? json(schedule::to_text(setting.operation)) : json(nullptr)},
          {"file", setting.file.empty() ? json(nullptr) : json(setting.file)},
          {"machine", setting.machine.name},
          {"topology", setting.machine.network.topology->name()},
          {"nodes", setting.machine.network.topology->nodes()},
          {"ranks", setting.ranks},
          {"streams", setting.streams.empty() ? json(nullptr) : json(setting.streams)},
          {"root", setting.root},
          {"seed", setting.seed},
          {"runs", setting.runs},
          {"noise_us", setting.machine.node.noise},
          {"drift_us", setting.machine.node.drift}};
}

// Returns the values of one row of the table.
json summary_json(const Outcome& o) {
  json out{{"algorithm", o.name},     {"sync", to_text(o.sync)},
           {"bytes", o.extent.bytes}, {"block_bytes", o.extent.block},
           {"time_us", o.mean},       {"least_us", o.least},
           {"most_us", o.most},       {"formula_us", o.formula ? json(*o.formula) : json()}};
  const simulate::Report& report = o.report;
  out["price_us"] = o.price ? json(*o.price) : json();
  out["stopped"] = report.stopped;
  out["messages"] = report.messages;
  out["controls"] = report.controls;
  out["bytes_sent"] = report.bytes;
  out["contentions"] = report.contentions;
  out["waited_us"] = report.waited;
  out["port_waits"] = report.port_waits;
  out["port_waited_us"] = report.port_waited;
  out["events"] = report.events;
  return out;
}

json left_out_json(const replay::LeftOut& left_out) {
  return {{"not_computed_us", left_out.not_computed},
          {"arrivals", left_out.arrivals},
          {"shared", left_out.shared},
          {"substituted", left_out.substituted},
          {"kept", left_out.kept}};
}

json contentions_json(const Setting& setting, const simulate::Report& report) {
  Table rows("time_us;wait_us;link;blocked;blocking");
  for (const simulate::Contention& c : report.worst)
    rows.add({c.time, c.wait, link_name(setting, c.link), json_of(c.blocked), json_of(c.blocking)});
  return rows.json();
}

json ranks_json(const simulate::Report& report) {
  Table rows(
      "begin_us;end_us;sending_us;receiving_us;combining_us;copying_us;computing_us;waiting_us");
  for (const simulate::RankTime& r : report.ranks)
    rows.add(
        {r.begin, r.end, r.sending, r.receiving, r.combining, r.copying, r.computing, r.waiting});
  return rows.json();
}

json links_json(const Setting& setting, const simulate::Report& report) {
  Table rows("link;busy_us;messages;bytes;contentions;waited_us");
  for (std::size_t i = 0; i < report.links.size(); ++i) {
    const simulate::LinkUse& use = report.links[i];
    if (use.messages > 0)
      rows.add({link_name(setting, static_cast<int>(i)), use.busy, use.messages, use.bytes,
                use.contentions, use.waited});
  }
  return rows.json();
}

const char* to_text(simulate::PathStep::Kind kind) {
  switch (kind) {
    case simulate::PathStep::Kind::own:
      return "own";
    case simulate::PathStep::Kind::message:
      return "message";
    case simulate::PathStep::Kind::barrier:
      return "barrier";
    case simulate::PathStep::Kind::processor:
      return "processor";
    case simulate::PathStep::Kind::pair:
      break;
  }
  return "pair";
}

json path_json(const simulate::Report& report) {
  Table rows("kind;node;peer;phase;step;begin_us;end_us;blocked_us");
  for (const simulate::PathStep& step : report.path)
    rows.add({to_text(step.kind), step.node, step.peer, step.phase, step.step, step.begin, step.end,
              step.blocked});
  return rows.json();
}

json timeline_json(const draw::TimeLine& line) {
  constexpr const char* doings[] = {"start", "send",    "receive",     "combine",
                                    "copy",  "compute", "synchronise", "wait"};
  Table bars("rank;doing;from_us;to_us"), messages("from;to;sent_us;arrived_us");
  for (const draw::TimeLine::Bar& bar : line.bars)
    bars.add({bar.rank, doings[static_cast<std::size_t>(bar.doing)], bar.from, bar.to});
  for (const draw::TimeLine::Passage& message : line.messages)
    messages.add({message.from, message.to, message.sent, message.arrived});
  return {{"bars", bars.json()}, {"messages", messages.json()}};
}

// Returns what ranks and links did in the first run.
json detail_json(const Setting& setting, const simulate::Report& report,
                 const draw::TimeLine* line) {
  return {{"time_us", report.time},
          {"path", path_json(report)},
          {"path_whole", report.path_whole},
          {"per_rank", ranks_json(report)},
          {"per_link", links_json(setting, report)},
          {"timeline", line != nullptr ? timeline_json(*line) : json()}};
}

}  // namespace

json sweep_json(const std::vector<SimulateResult>& results, const draw::TimeLine* line) {
  const bool one = results.size() == 1 && results.front().outcomes.size() == 1;
  json all = json::array();
  for (const SimulateResult& result : results) {
    json out = setting_json(result.setting);
    out["results"] = json::array();
    for (const Outcome& outcome : result.outcomes) {
      json row = summary_json(outcome);
      row["worst"] = contentions_json(result.setting, outcome.report);
      row["left_out"] = outcome.left_out ? left_out_json(*outcome.left_out) : json();
      row["detail"] = one ? detail_json(result.setting, outcome.report, line) : json();
      out["results"].push_back(std::move(row));
    }
    all.push_back(std::move(out));
  }
  return {{"settings", std::move(all)}};
}

std::string sweep_csv(const std::vector<SimulateResult>& results) {
  Table rows(
      "operation;machine;topology;ranks;bytes;block_bytes;algorithm;sync;runs;least_us;mean_us;"
      "most_us;formula_us;messages;contentions;waited_us;price_us;stopped");
  for (const auto& [setting, outcomes] : results)
    for (const Outcome& o : outcomes)
      rows.add({schedule::to_text(setting.operation), setting.machine.name,
                setting.machine.network.topology->name(), setting.ranks, o.extent.bytes,
                o.extent.block, o.name, tools::to_text(o.sync), setting.runs, o.least, o.mean,
                o.most, o.formula ? json(*o.formula) : json(), o.report.messages,
                o.report.contentions, o.report.waited, o.price ? json(*o.price) : json(),
                o.report.stopped});
  return rows.csv();
}

}  // namespace tutti::tools
