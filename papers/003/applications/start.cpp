// SPDX-License-Identifier: BSD-3-Clause
// Starts tutti-matmul, tutti-llcs and the probe, and reads what they print.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "bsp/probe.hpp"
#include "papers/003/applications/runs.hpp"
#include "papers/common/page.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"
#include "support/median.hpp"

namespace tutti::papers {
namespace {

std::string output_of(const std::vector<std::string>& words) {
  std::string text;
  const int code = tools::read_lines({words, {}}, [&](const std::string& line) { text += line; });
  if (code != 0)
    base::fail(base::Status::system_error, "{} ended with {}", fmt::join(words, " "), code);
  return text;
}

nlohmann::json json_by(const std::vector<std::string>& words) {
  const std::string text = output_of(words);
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    base::fail(base::Status::system_error, "{} printed no object: {}", fmt::join(words, " "), text);
  return json;
}

std::vector<std::string> launcher(int p) {
  return {tools::command_path(), "run", "-n", std::to_string(p), "--timeout", "600"};
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// Two random strings over 8 letters, always the same ones.
std::vector<std::string> strings(const std::string& folder, int length) {
  std::vector<std::string> files;
  std::mt19937 numbers(static_cast<unsigned>(length));
  for (const char* name : {"a", "b"}) {
    files.push_back(fmt::format("{}/{}-{}", folder, length, name));
    std::string text(static_cast<std::size_t>(length), ' ');
    for (char& letter : text) letter = static_cast<char>('a' + numbers() % 8);
    if (!std::filesystem::exists(files.back())) write_file(files.back(), text);
  }
  return files;
}

// The words that start a program and say which case it computes.
std::vector<std::string> command_words(std::vector<std::string> words, const AppCase& what,
                                       const std::string& folder) {
  const std::string n = std::to_string(what.n), parameter = std::to_string(what.parameter);
  if (is_product(what.program)) {
    append(words, {app_program("matmul"), "--size", n, "--mode", "blocks", "--blocks", parameter,
                   "--distribution", what.program == BspProgram::fixed ? "static" : "custom"});
    return words;
  }
  append(words, {app_program("llcs"), "--supersteps", "block", "--alpha", parameter});
  if (what.program == BspProgram::standard)
    append(words, {"--algorithm", "standard"});
  else
    append(words, {"--kernel", "words"});
  append(words, strings(folder, what.n));
  return words;
}

std::string probe_file(const std::string& folder, int p) {
  return fmt::format("{}/probe-{}.json", folder, p);
}

double predicted_seconds(const AppCase& what, const std::string& folder) {
  const std::string profile = folder + "/profile.csv";
  std::vector<std::string> words = command_words(launcher(what.p), what, folder);
  append(words, {"--predict", profile});
  (void)output_of(words);
  const nlohmann::json told = json_by({tools::command_path(), "predict", profile, "--machine",
                                       probe_file(folder, what.p), "--json"});
  return told.contains("by_process_s") ? told.at("by_process_s") : told.at("overhead_s");
}

BSPRates rates_of(const tools::ProbeData& data, const char* pattern, const char* access,
                  const char* after) {
  BSPRates rates;
  for (const auto& [name, seconds] : data.latencies) {
    if (name == after) rates.l = seconds;
    if (name == "no communication") rates.l_empty = seconds;
  }
  for (const auto& series : data.series)
    if (series.pattern == pattern && series.access == access)
      rates.gap = tools::gap_of(series.samples);
  // The samples of the probe are whole supersteps.
  rates.gap.h_half = std::max(0.0, rates.gap.h_half - rates.l_empty / rates.gap.g_inf);
  return rates;
}

}  // namespace

std::string app_program(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(tools::command_path()).parent_path();
  for (const std::string& place : {"tutti-" + name, "../apps/" + name + "/tutti-" + name}) {
    const std::string path = (folder / place).lexically_normal();
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

AppRates probe_rates(int p, const AppPlan& plan, const std::string& folder) {
  const tools::Probed probed = plan.probe == Probe::full
                                   ? tools::measure_machine({.ranks = p})
                                   : tools::measure_machine({.ranks = p,
                                                             .words = 1 << 14,
                                                             .messages = 64,
                                                             .series = 2,
                                                             .microseconds = 20,
                                                             .patience = 0});
  write_file(probe_file(folder, p), tools::probe_json(probed.data, probed.source).dump());
  return {p, rates_of(probed.data, "all-to-all", "hpget", "all-to-all"),
          rates_of(probed.data, "random", "put", "cyclic shift")};
}

AppRun run_case(const AppCase& what, const AppPlan& plan, const std::string& folder) {
  AppRun run{what};
  if (what.p > 1) run.predicted = predicted_seconds(what, folder);
  std::vector<std::string> words = command_words(launcher(what.p), what, folder);
  words.emplace_back("--json");
  if (is_product(what.program)) {
    append(words, {"--runs", std::to_string(plan.repeated)});
    const nlohmann::json told = json_by(words);
    run.seconds = told.at("time_s");
    run.computing = told.at("computing_s");
    return run;
  }
  std::vector<double> times;
  for (int i = 0; i < plan.repeated; ++i) times.push_back(json_by(words).at("time_s"));
  run.seconds = tools::median(std::move(times));
  return run;
}

std::optional<double> seconds_by(const std::vector<std::string>& start, const AppCase& what,
                                 const std::string& folder) {
  if (app_program(is_product(what.program) ? "matmul" : "llcs").empty()) return {};
  std::vector<std::string> words = command_words(start, what, folder);
  words.emplace_back("--json");
  std::string text;
  if (tools::read_lines({words, {}}, [&](const std::string& line) { text += line; }) != 0)
    return {};
  return nlohmann::json::parse(text).at("time_s").get<double>();
}

double run_other(const OtherProduct& what, const AppPlan& plan) {
  std::vector<std::string> words = launcher(what.p);
  append(words, {app_program("matmul"), "--size", std::to_string(what.n), "--mode", what.mode,
                 "--runs", std::to_string(plan.repeated), "--json"});
  return json_by(words).at("time_s");
}

}  // namespace tutti::papers
