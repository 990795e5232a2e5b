// SPDX-License-Identifier: BSD-3-Clause
// Reads the raw samples of the probe's measuring program.
#include "bsp/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "bsp/doubts.hpp"
#include "support/quiet.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

[[noreturn]] void reject(const std::string& line) {
  base::fail(base::Status::invalid_argument, "'{}' is no line of the probe", line);
}

double positive_number_in(const std::string& line, const std::string& field) {
  const auto value = base::number_in<double>(field);
  if (!value || !(*value > 0)) reject(line);
  return *value;
}

nlohmann::json json_of(const Gap& gap) {
  return {
      {"g_inf", gap.g_inf},
      {"g_small", gap.g_small},
      {"h_half", gap.h_half},
      {"o", gap.overhead},
      {"o_oxford", gap.overhead_oxford},
      {"regression_g", line_is_usable(gap) ? nlohmann::json(gap.regression_g) : nlohmann::json()},
      {"regression_l", line_is_usable(gap) ? nlohmann::json(gap.regression_l) : nlohmann::json()},
      {"error_bsp", gap.error_bsp},
      {"error_bsp_star", gap.error_bspstar}};
}

}  // namespace

void ProbeData::add(const std::string& line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields[0] == "p" && fields.size() == 2) {
    processes = static_cast<int>(positive_number_in(line, fields[1]));
  } else if (fields[0] == "processors" && fields.size() == 2) {
    processors = static_cast<int>(positive_number_in(line, fields[1]));
  } else if (fields[0] == "f" && fields.size() == 4) {
    speeds.push_back(
        {fields[1], positive_number_in(line, fields[2]), positive_number_in(line, fields[3])});
  } else if (fields[0] == "l" && fields.size() == 3) {
    latencies.emplace_back(fields[1], positive_number_in(line, fields[2]));
  } else if (fields[0] == "w" && fields.size() == 4) {
    shared.push_back({positive_number_in(line, fields[1]), positive_number_in(line, fields[2]),
                      positive_number_in(line, fields[3])});
  } else if (fields[0] == "g" && fields.size() == 6) {
    if (series.empty() || series.back().pattern != fields[1] || series.back().access != fields[2]) {
      series.push_back({fields[1], fields[2], {}});
    }
    series.back().samples.push_back({positive_number_in(line, fields[3]),
                                     positive_number_in(line, fields[4]),
                                     positive_number_in(line, fields[5])});
  } else if (fields[0] == "busy" && fields.size() == 2) {
    busy = fields[1];
  } else {
    reject(line);
  }
}

void ProbeData::keep_least(const ProbeData& again) {
  bool same = speeds.size() == again.speeds.size() && latencies.size() == again.latencies.size() &&
              series.size() == again.series.size() && shared.size() == again.shared.size() &&
              processes == again.processes;
  for (std::size_t i = 0; same && i < series.size(); ++i) {
    same = series[i].samples.size() == again.series[i].samples.size();
  }
  if (!same) base::fail(base::Status::invalid_argument, "two runs of the probe have other samples");
  for (std::size_t i = 0; i < speeds.size(); ++i)
    speeds[i].seconds = std::min(speeds[i].seconds, again.speeds[i].seconds);
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    latencies[i].second = std::min(latencies[i].second, again.latencies[i].second);
  }
  for (std::size_t i = 0; i < shared.size(); ++i)
    shared[i].time = std::min(shared[i].time, again.shared[i].time);
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t k = 0; k < series[i].samples.size(); ++k) {
      series[i].samples[k].g = std::min(series[i].samples[k].g, again.series[i].samples[k].g);
    }
  }
}

std::string ProbeData::lines() const {
  std::string text = fmt::format("p,{}\n", processes);
  if (processors > 0) text += fmt::format("processors,{}\n", processors);
  for (const Speed& speed : speeds)
    text += fmt::format("f,{},{},{:.6g}\n", speed.operation, speed.n, speed.seconds);
  for (const auto& [name, seconds] : latencies) text += fmt::format("l,{},{:.6g}\n", name, seconds);
  for (const Shared& one : shared)
    text += fmt::format("w,{},{:.6g},{:.6g}\n", one.active, one.seconds, one.time);
  for (const Series& one : series) {
    for (const GapSample& sample : one.samples) {
      text += fmt::format("g,{},{},{},{},{:.6g}\n", one.pattern, one.access, sample.size,
                          sample.count, sample.g);
    }
  }
  return busy.empty() ? text : text + fmt::format("busy,{}\n", busy);
}

ProbeData read_probe(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) base::fail(base::Status::system_error, "cannot read '{}'", file);
  ProbeData data;
  for (std::string line; std::getline(stream, line);) data.add(line);
  return data;
}

nlohmann::json probe_json(const ProbeData& data, const std::string& source) {
  nlohmann::json latencies = nlohmann::json::object(), gaps = nlohmann::json::array(),
                 shared = nlohmann::json::array();
  Table speeds("operation;n;seconds");
  for (const Speed& speed : data.speeds) speeds.add({speed.operation, speed.n, speed.seconds});
  for (const auto& [name, seconds] : data.latencies) latencies[name] = seconds;
  for (const ProbeData::Shared& one : data.shared)
    shared.push_back({one.active, one.seconds, one.time});
  for (const ProbeData::Series& series : data.series) {
    nlohmann::json entry = {{"pattern", series.pattern}, {"access", series.access}};
    entry.update(json_of(gap_of(series.samples)));
    for (const GapSample& sample : series.samples)
      entry["samples"].push_back({sample.size, sample.count, sample.g});
    gaps.push_back(std::move(entry));
  }
  return {{"source", source},
          {"processes", data.processes},
          {"processors", data.processors},
          {"busy", busy_json(data.busy)},
          {"not_usable", doubts_of(data)},
          {"unit", "seconds; words of 8 bytes sent by a process that also receives as many"},
          {"f", speeds.json()},
          {"l", std::move(latencies)},
          {"w", std::move(shared)},
          {"g", std::move(gaps)}};
}

}  // namespace tutti::tools
