// SPDX-License-Identifier: BSD-3-Clause
// `tutti predict` computes the time of a BSP program, known by its profile, on a machine, known by
// its parameters.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/number.hpp"
#include "bsp/doubts.hpp"
#include "bsp/model.hpp"
#include "bsp/profile.hpp"
#include "commands.hpp"
#include "support/checks.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

constexpr const char* thesis_tables =
#include "thesis.inc"
    ;

struct PredictOptions {
  std::string steps;
  std::string machine;
  std::string html;
  std::string access = "each";
  std::string pattern = "random";
  double speed = 1;
  std::optional<double> g, l, h_half, overhead;
  bool each = false;
  bool json = false;
};

constexpr const char* footer =
    "The profile is what TUTTI_BSP_PROFILE=FILE wrote. A machine is a file of `tutti probe "
    "--output`, or one of Krusche's thesis\n"
    "as MACHINE/LIBRARY/PROCESSES, such as skua/PUB/16, argus/Oxtool/10, aracari/MPIMPASS/32.";

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, separator);) fields.push_back(field);
  return fields;
}

double number(const std::string& text, const std::string& where) {
  const auto value = base::number_in<double>(text);
  if (!value) base::fail(base::Status::invalid_argument, "'{}' in {} is no number", text, where);
  return *value;
}

// Gaps of the kinds of access that a source gives.
struct FoundGaps {
  std::array<std::optional<Gap>, access_names.size()> gaps;

  void add(const std::string& access, const Gap& gap) {
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      if (access_names[i] == access) gaps[i] = gap;
    }
  }
  // Gives the machine the gap of --access, or the gap of each access. If a source lacks the
  // buffered or the direct variant of an access, the other variant serves.
  void choose(const PredictOptions& options, BspMachine& machine) const {
    std::array<Gap, access_names.size()> each;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      const bool wanted = options.access == "each" || options.access == access_names[i];
      const std::size_t buffered_or_direct = std::min(i ^ 1, gaps.size() - 1);
      if (options.access == "each" && !gaps[i] && gaps[buffered_or_direct]) {
        each[i] = *gaps[buffered_or_direct];
      } else if (wanted && !gaps[i]) {
        base::fail(base::Status::invalid_argument, "there are no figures for {}, {}, of '{}'",
                   access_names[i], options.pattern, options.machine);
      }
      if (gaps[i]) each[i] = *gaps[i];
      if (options.access == access_names[i] || (options.access == "each" && i == 0))
        machine.gap = each[i];
    }
    if (options.access == "each") machine.gaps = each;
  }
};

// Reads the machine from the thesis' tables, whose times are in us.
BspMachine thesis_machine(const PredictOptions& options) {
  const std::vector<std::string> wanted = fields_of(options.machine, '/');
  BspMachine machine;
  FoundGaps found;
  for (const std::string& line : fields_of(thesis_tables, '\n')) {
    const std::vector<std::string> row = fields_of(line, ',');
    if (row.size() < 7 || row[1] != wanted[0] || row[2] != wanted[1] || row[3] != wanted[2])
      continue;
    if (row[0] == "l") {
      machine.l = number(row[4], line) * 1e-6;
      machine.l_busy = number(row[options.pattern == "random" ? 5 : 6], line) * 1e-6;
    } else if (row[0] == "g" && row[4] == options.pattern) {
      Gap gap;
      gap.g_inf = number(row[6], line) * 1e-6;
      gap.h_half = number(row[7], line);
      gap.overhead = number(row[8], line);
      found.add(row[5], gap);
    }
  }
  found.choose(options, machine);
  return machine;
}

// The probe times whole supersteps, so its samples include the l that (2.4) adds to g(h) h. This
// function subtracts l.
Gap without_latency(Gap gap, double l) {
  gap.h_half = std::max(0.0, gap.h_half - l / gap.g_inf);
  return gap;
}

nlohmann::json read_machine(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) base::fail(base::Status::system_error, "cannot read '{}'", file);
  nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("l") || !json.contains("g")) {
    base::fail(base::Status::invalid_argument, "'{}' was not written by tutti probe --output",
               file);
  }
  return json;
}

BspMachine probed_machine(const PredictOptions& options, const nlohmann::json& json) {
  BspMachine machine;
  FoundGaps found;
  machine.l = json["l"].value("no communication", 0.0);
  machine.l_busy =
      json["l"].value(options.pattern == "random" ? "cyclic shift" : "all-to-all", 0.0);
  for (const auto& entry : json["g"]) {
    if (entry.value("pattern", "") != options.pattern) continue;
    Gap gap;
    gap.g_inf = entry.value("g_inf", 0.0);
    gap.h_half = entry.value("h_half", 0.0);
    gap.overhead = entry.value("o", 0.0);
    if (gap.g_inf > 0) found.add(entry.value("access", ""), without_latency(gap, machine.l));
  }
  found.choose(options, machine);
  return machine;
}

// Replaces parameters by numbers from the command line, which apply to all kinds of access.
void replace_numbers(const PredictOptions& options, BspMachine& machine) {
  machine.speed = options.speed;
  if (options.g || options.h_half || options.overhead) machine.gaps.reset();
  if (options.g) machine.gap.g_inf = *options.g * 1e-9;
  if (options.l) machine.l = machine.l_busy = *options.l * 1e-6;
  if (options.h_half) machine.gap.h_half = *options.h_half;
  if (options.overhead) machine.gap.overhead = *options.overhead;
}

// A machine, and the reasons why its figures may be wrong.
struct Subject {
  BspMachine machine;
  bool is_probed = false;
  std::vector<std::string> doubts;
};

Subject subject_of(const PredictOptions& options) {
  Subject subject;
  const bool named = std::count(options.machine.begin(), options.machine.end(), '/') == 2 &&
                     fields_of(options.machine, '/').size() == 3 && !std::ifstream(options.machine);
  if (named) {
    subject.machine = thesis_machine(options);
  } else if (!options.machine.empty()) {
    const nlohmann::json json = read_machine(options.machine);
    subject.machine = probed_machine(options, json);
    subject.is_probed = true;
    for (const auto& doubt : json.value("not_usable", nlohmann::json::array())) {
      subject.doubts.push_back(fmt::format("{}: {}", options.machine, doubt.get<std::string>()));
    }
  }
  replace_numbers(options, subject.machine);
  return subject;
}

// Adds the reasons for doubt that the profile gives, and those that the profile and the machine
// give together.
void add_doubts(Subject& subject, const std::vector<ProfiledStep>& profile,
                const std::vector<Superstep>& steps) {
  for (std::string& doubt : doubts_of(profile)) subject.doubts.push_back(std::move(doubt));
  double measured = 0;
  for (const Superstep& step : steps) measured += step.measured;
  std::string apart = doubt_of(predicted(subject.machine, steps, Model::overhead), measured);
  if (subject.is_probed && !apart.empty()) subject.doubts.push_back(std::move(apart));
}

struct Prediction {
  const char* name;
  Model model;
};
constexpr Prediction models[] = {{"(2.3) g h + l", Model::plain},
                                 {"(2.5) g(h) h + l", Model::startup},
                                 {"(2.6) g(h, h*) h + l", Model::overhead}};

std::string gap_text(const Gap& gap) {
  return fmt::format("g_inf {:.4g} ns/word, h_half {:.4g}, o {:.4g}", gap.g_inf * 1e9, gap.h_half,
                     gap.overhead);
}

std::string machine_text(const BspMachine& machine) {
  std::string text = fmt::format("l {:.4g} us ({:.4g} us when there is communication)\n",
                                 machine.l * 1e6, machine.l_busy * 1e6);
  if (!machine.gaps) return text + gap_text(machine.gap) + "\n";
  for (std::size_t i = 0; i < access_names.size(); ++i) {
    text += fmt::format("{:<6} {}\n", access_names[i], gap_text((*machine.gaps)[i]));
  }
  return text;
}

// Returns the words that follow a percentage if the machine was probed and the percentage cannot be
// used.
const char* mark_of(const Subject& subject, double seconds, double measured) {
  return subject.is_probed && !doubt_of(seconds, measured).empty() ? ", not usable" : "";
}

std::string steps_text(const std::vector<Superstep>& steps, const BspMachine& machine) {
  Table table(
      "superstep>9; compute us>12.2f; h words>12.0f; messages>9.0f; (2.3) us>12.2f; (2.5) "
      "us>12.2f; "
      "(2.6) us>12.2f; measured us>12.2f");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Superstep& step = steps[i];
    Table::Row cells = {i, step.compute * machine.speed * 1e6, step.words, step.messages};
    for (const Prediction& one : models)
      cells.emplace_back(predicted(machine, step, one.model) * 1e6);
    cells.emplace_back(step.measured * 1e6);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string totals_text(const std::vector<Superstep>& steps, const Subject& subject,
                        double measured) {
  Table table("<22; >12.3f; <0");
  for (const Prediction& one : models) {
    const double seconds = predicted(subject.machine, steps, one.model);
    std::string against = "ms";
    if (measured > 0)
      against += fmt::format("  {:>+7.1f} % of what was measured{}", 100 * (seconds / measured - 1),
                             mark_of(subject, seconds, measured));
    table.add({one.name, seconds * 1e3, against});
  }
  // A program may write the supersteps that it would have.
  if (measured > 0) table.add({"measured", measured * 1e3, "ms, where the profile was made"});
  return table.rows_text();
}

std::string text_of(const std::vector<Superstep>& steps, const Subject& subject, bool each) {
  const BspMachine& machine = subject.machine;
  double compute = 0, words = 0, messages = 0, measured = 0;
  for (const Superstep& step : steps) {
    compute += step.compute * machine.speed;
    words += step.words;
    messages += step.messages;
    measured += step.measured;
  }
  std::string text = each ? steps_text(steps, machine) : "";
  text += fmt::format("{} supersteps, {:.0f} words, {:.0f} messages, {:.3f} ms of computation\n",
                      steps.size(), words, messages, compute * 1e3);
  text += machine_text(machine) + totals_text(steps, subject, measured);
  for (const std::string& doubt : subject.doubts)
    text += fmt::format("{}: {}\n", not_usable, doubt);
  return text;
}

nlohmann::json json_of(const std::vector<Superstep>& steps, const Subject& subject) {
  const BspMachine& machine = subject.machine;
  double measured = 0, compute = 0;
  for (const Superstep& step : steps) {
    measured += step.measured;
    compute += step.compute * machine.speed;
  }
  return {{"supersteps", steps.size()},
          {"compute_s", compute},
          {"measured_s", measured},
          {"plain_s", predicted(machine, steps, Model::plain)},
          {"startup_s", predicted(machine, steps, Model::startup)},
          {"overhead_s", predicted(machine, steps, Model::overhead)},
          {"not_usable", subject.doubts}};
}

void write_page(const PredictOptions& options, const std::vector<ProfiledStep>& profile,
                const Subject& subject) {
  std::string words = fmt::format("{}; predicted for {}: {}, {}, {}", options.steps,
                                  options.machine.empty() ? "the given numbers" : options.machine,
                                  machine_text(subject.machine), options.access, options.pattern);
  for (const std::string& doubt : subject.doubts)
    words += fmt::format(". {}: {}", not_usable, doubt);
  std::ofstream stream(options.html);
  stream << profile_page(profile, subject.machine, "Supersteps of a BSP program", words);
  if (!stream.flush()) base::fail(base::Status::system_error, "cannot write '{}'", options.html);
}

int predict(const PredictOptions& options) {
  const std::vector<ProfiledStep> profile = read_profile(options.steps);
  std::vector<Superstep> steps;
  for (const ProfiledStep& step : profile) steps.push_back(step.cost);
  Subject subject = subject_of(options);
  add_doubts(subject, profile, steps);
  if (!options.html.empty()) write_page(options, profile, subject);
  if (options.json) {
    fmt::print("{}", json_text(json_of(steps, subject)));
  } else {
    fmt::print("{}", text_of(steps, subject, options.each));
  }
  return 0;
}

// Adds the options that replace parameters of the machine.
void add_parameters(CLI::App& command, PredictOptions& options) {
  command
      .add_option("--speed", options.speed,
                  "time per operation there over that where the profile was made (1)")
      ->type_name("X")
      ->check(positive_number());
  command.add_option("--g", options.g, "ns per word, instead of the machine's")
      ->type_name("NS")
      ->check(number_from_zero());
  command.add_option("--l", options.l, "us per superstep, instead")
      ->type_name("US")
      ->check(number_from_zero());
  command.add_option("--h-half", options.h_half, "words, instead")
      ->type_name("N")
      ->check(number_from_zero());
  command.add_option("--o", options.overhead, "words per message, instead")
      ->type_name("N")
      ->check(number_from_zero());
}

}  // namespace

void add_predict(CLI::App& app, int& code) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      app.add_subcommand("predict", "Says what a profiled BSP program would cost on a machine.");
  command->footer(footer);
  command->add_option("profile", options->steps, "what TUTTI_BSP_PROFILE wrote")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--machine", options->machine,
                   "a file of tutti probe --output, or one of Krusche's thesis")
      ->type_name("NAME");
  command
      ->add_option(
          "--access", options->access,
          "each by its own gap (default), or all by that of put, hpput, get, hpget or send")
      ->type_name("NAME")
      ->check(CLI::IsMember({"each", "put", "hpput", "get", "hpget", "send"}));
  command->add_option("--pattern", options->pattern, "random (default) or all-to-all")
      ->type_name("NAME")
      ->check(CLI::IsMember({"random", "all-to-all"}));
  add_parameters(*command, *options);
  command
      ->add_option("--html", options->html,
                   "also writes a page: call sites and supersteps, measured and predicted")
      ->type_name("FILE");
  command->add_flag("--each", options->each, "a line for each superstep");
  command->add_flag("--json", options->json, "as JSON");
  command->callback([options, &code] {
    code = reporting_errors(
        "predict", [&] { return predict(*options); }, 1);
  });
}

}  // namespace tutti::tools
