// SPDX-License-Identifier: BSD-3-Clause
// `tutti predict` computes the time of a BSP program, known by its profile, on a machine, known by
// its parameters.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "bsp/compare.hpp"
#include "bsp/doubts.hpp"
#include "bsp/profile.hpp"
#include "bsp_model/machine.hpp"
#include "measuring.hpp"
#include "support/answer.hpp"
#include "support/checks.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

struct PredictOptions {
  std::string steps;
  MachineRequest machine;
  std::string html;
  std::string compare;
  bool each = false;
  bool json = false;
};

constexpr const char* predict_footer =
    "The profile is what TUTTI_BSP_PROFILE=FILE wrote. A machine is a file of `tutti probe "
    "--output`, or one of Krusche's thesis\n"
    "as MACHINE/LIBRARY/PROCESSES, such as skua/PUB/16, argus/Oxtool/10, aracari/MPIMPASS/32, or\n"
    "a machine file such as aracari (tutti info --machines) with --processes.";

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
constexpr Prediction printed_models[] = {{"(2.3) g h + l", Model::plain},
                                         {"(2.5) g(h) h + l", Model::startup},
                                         {"(2.6) g(h, h*) h + l", Model::overhead},
                                         {"by process, samples", Model::by_process}};

std::string gap_text(const Gap& gap) {
  return fmt::format("g_inf {:.4g} ns/word, h_half {:.4g}, o {:.4g}", gap.g_inf * 1e9, gap.h_half,
                     gap.overhead);
}

std::string machine_text(const BspMachine& machine) {
  std::string text = fmt::format("l {:.4g} us ({:.4g} us when there is communication)\n",
                                 machine.l * 1e6, machine.l_busy * 1e6);
  if (!machine.gaps) return text + gap_text(machine.gap) + "\n";
  for (std::size_t i = 0; i < access_names.size(); ++i) {
    text += fmt::format("{:<8} {}\n", access_names[i], gap_text((*machine.gaps)[i]));
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
      "(2.6) us>12.2f; by process us>12.2f; measured us>12.2f");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Superstep& step = steps[i];
    Table::Row cells = {i, step.compute * machine.speed * 1e6, step.words, step.messages};
    for (const Prediction& one : printed_models)
      cells.emplace_back(predicted(machine, step, one.model) * 1e6);
    cells.emplace_back(step.measured * 1e6);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string totals_text(const std::vector<Superstep>& steps, const Subject& subject,
                        double measured) {
  Table table("<22; >12.3f; <0");
  for (const Prediction& one : printed_models) {
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

std::size_t processes_of(const std::vector<Superstep>& steps) {
  return steps.empty() ? 0 : steps[0].processes.size();
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
  const std::size_t processes = processes_of(steps);
  if (subject.processes > 0 && processes > 0 &&
      processes != static_cast<std::size_t>(subject.processes))
    text += fmt::format("The profile has {} processes, and the machine {}.\n", processes,
                        subject.processes);
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
          {"processes", processes_of(steps)},
          {"machine_processes", subject.processes},
          {"compute_s", compute},
          {"measured_s", measured},
          {"plain_s", predicted(machine, steps, Model::plain)},
          {"startup_s", predicted(machine, steps, Model::startup)},
          {"overhead_s", predicted(machine, steps, Model::overhead)},
          {"by_process_s", predicted(machine, steps, Model::by_process)},
          {"not_usable", subject.doubts}};
}

void write_page(const PredictOptions& options, const std::vector<ProfiledStep>& profile,
                const Subject& subject) {
  const MachineRequest& machine = options.machine;
  std::string words = fmt::format("{}; predicted for {}: {}, {}, {}", options.steps,
                                  machine.name.empty() ? "the given numbers" : machine.name,
                                  machine_text(subject.machine), machine.access, machine.pattern);
  for (const std::string& doubt : subject.doubts)
    words += fmt::format(". {}: {}", not_usable, doubt);
  std::ofstream stream(options.html);
  stream << profile_page(profile, subject.machine, "Supersteps of a BSP program", words);
  if (!stream.flush()) base::fail(base::Status::system_error, "cannot write '{}'", options.html);
}

int compare(const PredictOptions& options) {
  const std::vector<ComparedRun> runs = compared_runs(options.compare, options.machine);
  const std::vector<ComparedTable> tables = compared_tables(runs);
  fmt::print("{}", options.json ? answer_text("predict", compared_json(runs, tables))
                                : compared_text(tables));
  return 0;
}

int predict(const PredictOptions& options) {
  if (!options.compare.empty()) return compare(options);
  const std::vector<ProfiledStep> profile = read_profile(options.steps);
  std::vector<Superstep> steps;
  for (const ProfiledStep& step : profile) steps.push_back(step.cost);
  Subject subject = subject_of(options.machine);
  add_doubts(subject, profile, steps);
  if (!options.html.empty()) write_page(options, profile, subject);
  if (options.json) {
    fmt::print("{}", answer_text("predict", json_of(steps, subject)));
  } else {
    fmt::print("{}", text_of(steps, subject, options.each));
  }
  return 0;
}

// Adds the options that say which figures of the machine count.
void add_access(CLI::App& command, PredictOptions& options) {
  command
      .add_option("--access", options.machine.access,
                  "each by its own gap (default), or all by that of put, hpput, get, hpget or send")
      ->type_name("NAME")
      ->check(CLI::IsMember({"each", "put", "hpput", "get", "hpget", "send"}));
  command.add_option("--pattern", options.machine.pattern, "random (default) or all-to-all")
      ->type_name("NAME")
      ->check(CLI::IsMember({"random", "all-to-all"}));
}

// Adds the options that replace parameters of the machine.
void add_parameters(CLI::App& command, PredictOptions& options) {
  command
      .add_option("--speed", options.machine.speed,
                  "time per operation there over that where the profile was made (1)")
      ->type_name("X")
      ->check(positive_number());
  command.add_option("--g", options.machine.g, "ns per word, instead of the machine's")
      ->type_name("NS")
      ->check(number_from_zero());
  command.add_option("--l", options.machine.l, "us per superstep, instead")
      ->type_name("US")
      ->check(number_from_zero());
  command.add_option("--h-half", options.machine.h_half, "words, instead")
      ->type_name("N")
      ->check(number_from_zero());
  command.add_option("--o", options.machine.overhead, "words per message, instead")
      ->type_name("N")
      ->check(number_from_zero());
}

}  // namespace

void add_predict(CLI::App& verb, int& code) {
  auto options = std::make_shared<PredictOptions>();
  verb.footer(predict_footer);
  CLI::Option* profile =
      verb.add_option("profile", options->steps, "what TUTTI_BSP_PROFILE wrote")->type_name("FILE");
  CLI::Option* machine =
      verb.add_option("--machine", options->machine.name,
                      "a file of tutti probe --output, one of Krusche's thesis, or a machine file")
          ->type_name("NAME");
  verb.add_option("--processes", options->machine.processes,
                  "how many processes run on the machine of a machine file")
      ->type_name("P")
      ->check(CLI::Range(1, 1 << 20));
  add_access(verb, *options);
  add_parameters(verb, *options);
  CLI::Option* html =
      verb.add_option("--html", options->html,
                      "also writes a page: call sites and supersteps, measured and predicted")
          ->type_name("FILE");
  verb.add_flag("--each", options->each, "a line for each superstep");
  verb.add_flag("--json", options->json, "as JSON");
  verb.add_option("--compare", options->compare,
                  "instead of one profile: a list of runs, whose errors of prediction are shown")
      ->type_name("FILE")
      ->excludes(profile, machine, html);
  verb.callback([options, &code] {
    if (options->steps.empty() && options->compare.empty()) throw CLI::RequiredError("profile");
    code = reporting_errors(
        "predict", [&] { return predict(*options); }, 1);
  });
}

}  // namespace tutti::tools
