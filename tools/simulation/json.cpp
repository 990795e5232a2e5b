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
          {"machine", setting.machine.name},
          {"topology", setting.machine.network.topology->name()},
          {"nodes", setting.machine.network.topology->nodes()},
          {"ranks", setting.ranks},
          {"root", setting.root},
          {"seed", setting.seed},
          {"runs", setting.runs},
          {"noise", setting.machine.node.noise},
          {"drift", setting.machine.node.drift}};
}

// Returns the values of one row of the table.
json summary_json(const Outcome& o) {
  json out{{"algorithm", o.name},     {"sync", to_text(o.sync)},
           {"bytes", o.extent.bytes}, {"block_bytes", o.extent.block},
           {"time", o.mean},          {"least", o.least},
           {"most", o.most},          {"formula", o.formula ? json(*o.formula) : json()}};
  const simulate::Report& report = o.report;
  out["messages"] = report.messages;
  out["controls"] = report.controls;
  out["bytes_sent"] = report.bytes;
  out["contentions"] = report.contentions;
  out["waited"] = report.waited;
  out["port_waits"] = report.port_waits;
  out["port_waited"] = report.port_waited;
  out["events"] = report.events;
  return out;
}

json contentions_json(const Setting& setting, const simulate::Report& report) {
  Table rows("time;wait;link;blocked;blocking");
  for (const simulate::Contention& c : report.worst)
    rows.add({c.time, c.wait, link_name(setting, c.link), json_of(c.blocked), json_of(c.blocking)});
  return rows.json();
}

json ranks_json(const simulate::Report& report) {
  Table rows("begin;end;sending;receiving;combining;copying;computing;waiting");
  for (const simulate::RankTime& r : report.ranks)
    rows.add(
        {r.begin, r.end, r.sending, r.receiving, r.combining, r.copying, r.computing, r.waiting});
  return rows.json();
}

json links_json(const Setting& setting, const simulate::Report& report) {
  Table rows("link;busy;messages;bytes;contentions;waited");
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
    case simulate::PathStep::Kind::pair:
      break;
  }
  return "pair";
}

json path_json(const simulate::Report& report) {
  Table rows("kind;node;peer;phase;step;begin;end;blocked");
  for (const simulate::PathStep& step : report.path)
    rows.add({to_text(step.kind), step.node, step.peer, step.phase, step.step, step.begin, step.end,
              step.blocked});
  return rows.json();
}

}  // namespace

json outcome_json(const Setting& setting, const Outcome& outcome) {
  json out = setting_json(setting);
  out.update(summary_json(outcome));
  const simulate::Report& report = outcome.report;
  out["first_time"] = report.time;
  out["path"] = path_json(report);
  out["path_whole"] = report.path_whole;
  out["worst"] = contentions_json(setting, report);
  out["per_rank"] = ranks_json(report);
  out["per_link"] = links_json(setting, report);
  return out;
}

json sweep_json(const std::vector<SimulateResult>& results) {
  json all = json::array();
  for (const SimulateResult& result : results) {
    json out = setting_json(result.setting);
    out["results"] = json::array();
    for (const Outcome& outcome : result.outcomes) {
      json row = summary_json(outcome);
      row["worst"] = contentions_json(result.setting, outcome.report);
      out["results"].push_back(std::move(row));
    }
    all.push_back(std::move(out));
  }
  return all;
}

std::string sweep_csv(const std::vector<SimulateResult>& results) {
  Table rows(
      "operation;machine;topology;ranks;bytes;block_bytes;algorithm;sync;runs;least_us;mean_us;"
      "most_us;formula_us;messages;contentions;waited_us");
  for (const auto& [setting, outcomes] : results)
    for (const Outcome& o : outcomes)
      rows.add({schedule::to_text(setting.operation), setting.machine.name,
                setting.machine.network.topology->name(), setting.ranks, o.extent.bytes,
                o.extent.block, o.name, tools::to_text(o.sync), setting.runs, o.least, o.mean,
                o.most, o.formula ? json(*o.formula) : json(), o.report.messages,
                o.report.contentions, o.report.waited});
  return rows.csv();
}

}  // namespace tutti::tools
