// SPDX-License-Identifier: BSD-3-Clause
// Keeps the runs of the applications as JSON. Times are in seconds.
#include "base/error.hpp"
#include "papers/003/applications/runs.hpp"
#include "papers/common/measured.hpp"

namespace tutti::papers {
namespace {

nlohmann::json json_of(const BSPRates& rates) {
  return {{"l", rates.l},
          {"l_empty", rates.l_empty},
          {"g_inf", rates.gap.g_inf},
          {"h_half", rates.gap.h_half},
          {"o", rates.gap.overhead}};
}

BSPRates rates_from(const nlohmann::json& json) {
  BSPRates rates;
  rates.l = json.at("l");
  rates.l_empty = json.at("l_empty");
  rates.gap.g_inf = json.at("g_inf");
  rates.gap.h_half = json.at("h_half");
  rates.gap.overhead = json.at("o");
  return rates;
}

constexpr const char* programs[] = {"customized", "static", "standard", "bit-parallel"};

BspProgram program_named(const nlohmann::json& name) {
  for (std::size_t i = 0; i < std::size(programs); ++i)
    if (name == programs[i]) return static_cast<BspProgram>(i);
  base::fail(base::Status::invalid_argument, "{} is no program of paper 003", name.dump());
}

AppRun app_run_from(const nlohmann::json& json) {
  return {{program_named(json.at("program")), json.at("p"), json.at("parameter"), json.at("n")},
          json.at("seconds"),
          json.at("computing"),
          json.at("predicted")};
}

Applications applications_of(const nlohmann::json& json) {
  Applications all{json.at("machine"), json.at("plan"), {}, {}, {}};
  for (const nlohmann::json& one : json.at("rates"))
    all.rates.push_back(
        {one.at("p"), rates_from(one.at("product")), rates_from(one.at("subsequence"))});
  for (const nlohmann::json& one : json.at("runs")) all.runs.push_back(app_run_from(one));
  for (const nlohmann::json& one : json.at("others"))
    all.others.push_back({one.at("mode"), one.at("p"), one.at("n"), one.at("seconds")});
  return all;
}

}  // namespace

nlohmann::json json_of(const Applications& applications) {
  nlohmann::json rates = nlohmann::json::array(), runs = rates, others = rates;
  for (const AppRates& one : applications.rates)
    rates.push_back({{"p", one.p},
                     {"product", json_of(one.product)},
                     {"subsequence", json_of(one.subsequence)}});
  for (const AppRun& run : applications.runs)
    runs.push_back({{"program", programs[static_cast<std::size_t>(run.what.program)]},
                    {"p", run.what.p},
                    {"parameter", run.what.parameter},
                    {"n", run.what.n},
                    {"seconds", run.seconds},
                    {"computing", run.computing},
                    {"predicted", run.predicted}});
  for (const OtherProduct& one : applications.others)
    others.push_back({{"mode", one.mode}, {"p", one.p}, {"n", one.n}, {"seconds", one.seconds}});
  return {{"paper", "003"},
          {"machine", applications.machine},
          {"plan", applications.plan},
          {"rates", rates},
          {"runs", runs},
          {"others", others}};
}

Applications applications_from(const std::string& path) {
  const nlohmann::json json = measured_from(path, "003");
  try {
    return applications_of(json);
  } catch (const nlohmann::json::exception& error) {
    refuse_measured(path, "003", error.what());
  }
}

}  // namespace tutti::papers
