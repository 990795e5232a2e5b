// SPDX-License-Identifier: BSD-3-Clause
// `tutti probe` finds the parameters of this machine as a BSP computer, or of machines whose raw
// samples are given.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "base/processors.hpp"
#include "bsp/doubts.hpp"
#include "bsp/probe.hpp"
#include "bsp/probe_page.hpp"
#include "measuring.hpp"
#include "support/answer.hpp"
#include "support/checks.hpp"
#include "support/child.hpp"
#include "support/host_facts.hpp"
#include "support/quiet.hpp"
#include "support/reporting.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

struct ProbeOptions {
  int ranks = 0;
  int words = 1 << 16;
  int messages = 512;
  int series = 5;
  int passes = 1;
  bool quick = false;
  bool json = false;
  bool csv = false;
  bool in_plus_out = false;
  std::string raw;
  std::string output;
  std::string html;
  bool compare = false;
  std::vector<std::string> from;
};

constexpr const char* probe_footer =
    "While all processes compute, an operation takes f. An empty superstep takes l, which is also "
    "measured after a cyclic\n"
    "shift and after an all-to-all of one word. Supersteps of equal messages of all sizes and "
    "counts give g, in words of\n"
    "8 bytes. A word counts once for a process that sends it while it receives another. With "
    "--in-plus-out it counts\n"
    "twice, as in equation (2.2) of Krusche's thesis.";

ProbeSettings settings_of(const ProbeOptions& options) {
  ProbeSettings settings{.ranks = options.ranks, .passes = options.passes, .raw = options.raw};
  settings.words = options.quick ? 1 << 10 : options.words;
  settings.messages = options.quick ? 16 : options.messages;
  settings.series = options.quick ? 1 : options.series;
  if (options.quick) settings.microseconds = 2;
  if (options.quick) settings.patience = 0;
  return settings;
}

// Reads the named files, and all files that end in .csv in the named folders.
std::vector<Probed> read_all(const std::vector<std::string>& names) {
  std::vector<Probed> all;
  for (const std::string& name : names) {
    if (!std::filesystem::is_directory(name)) {
      all.push_back({name, read_probe(name)});
      continue;
    }
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(name)) {
      if (entry.path().extension() == ".csv") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) all.push_back({file, read_probe(file)});
  }
  if (all.empty()) base::fail(base::Status::invalid_argument, "there is no file of raw samples");
  return all;
}

Gap shown_gap(const ProbeOptions& options, const ProbeData::Series& series) {
  const Gap gap = gap_of(series.samples);
  return options.in_plus_out ? in_plus_out(gap) : gap;
}

std::string speeds_text(const ProbeData& data) {
  Table table("operation<14; n>9; f ns>12.4f; 1/f M/s>12.1f;  <0");
  for (std::size_t i = 0; i < data.speeds.size(); ++i) {
    const Speed& speed = data.speeds[i];
    table.add({speed.operation, speed.n, speed.seconds * 1e9, 1e-6 / speed.seconds,
               speed_is_usable(data, i) ? "" : not_usable});
  }
  return table.text();
}

std::string gaps_text(const ProbeOptions& options, const ProbeData& data) {
  Table table(
      "pattern<12; access<6; g_inf ns>12.4f; h_half>10.0f; o>9.1f; error BSP*>11.3g; error "
      "BSP>11.3g; "
      "o (3.1)>11.0f; fit g ns>10.3f; fit l us>12.3f");
  for (const ProbeData::Series& series : data.series) {
    const Gap gap = shown_gap(options, series);
    const bool usable = line_is_usable(gap);
    table.add({series.pattern, series.access, gap.g_inf * 1e9, gap.h_half, gap.overhead,
               gap.error_bspstar, gap.error_bsp, gap.overhead_oxford,
               usable ? nlohmann::json(gap.regression_g * 1e9) : not_usable,
               usable ? nlohmann::json(gap.regression_l * 1e6) : ""});
  }
  return table.text();
}

std::string text_of(const ProbeOptions& options, const Probed& probed) {
  Table latencies("synchronisation after<24; l us>10.3f");
  for (const auto& [name, seconds] : probed.data.latencies) latencies.add({name, seconds * 1e6});
  std::string text =
      fmt::format("{}\n{} processes\n\n{}\n{}\n{}", probed.source, probed.data.processes,
                  speeds_text(probed.data), latencies.text(), gaps_text(options, probed.data));
  for (const std::string& doubt : doubts_of(probed.data))
    text += fmt::format("{}: {}\n", not_usable, doubt);
  return text;
}

std::string csv_of(const ProbeOptions& options, const std::vector<Probed>& all) {
  Table table(
      "source;p;pattern;access;g_inf>.6g;h_half>.6g;o>.6g;error_bsp_star>.6g;error_bsp>.6g");
  for (const Probed& probed : all) {
    for (const ProbeData::Series& series : probed.data.series) {
      const Gap gap = shown_gap(options, series);
      table.add({probed.source, probed.data.processes, series.pattern, series.access, gap.g_inf,
                 gap.h_half, gap.overhead, gap.error_bspstar, gap.error_bsp});
    }
  }
  return table.csv();
}

// Returns the parameters of a machine as `tutti predict` reads them, or those of several machines.
std::string answer_of(const std::vector<Probed>& all) {
  nlohmann::json machines = nlohmann::json::array();
  for (const Probed& probed : all) machines.push_back(probe_json(probed.data, probed.source));
  return answer_text(
      "probe", all.size() == 1 ? machines[0] : nlohmann::json{{"machines", std::move(machines)}});
}

ProbeData measure_once(const ChildCommand& command) {
  ProbeData data;
  const int code = read_lines(command, [&](const std::string& line) { data.add(line); });
  if (code != 0) base::fail(base::Status::system_error, "tutti-bsp-probe ended with {}", code);
  return data;
}

int probe(const ProbeOptions& options) {
  const std::vector<Probed> all = options.from.empty()
                                      ? std::vector{measure_machine(settings_of(options))}
                                      : read_all(options.from);
  if (!options.output.empty() && !(std::ofstream(options.output) << answer_of(all))) {
    base::fail(base::Status::system_error, "cannot write '{}'", options.output);
  }
  if (!options.html.empty() && !(std::ofstream(options.html) << probe_page(all))) {
    base::fail(base::Status::system_error, "cannot write '{}'", options.html);
  }
  if (options.compare) {
    fmt::print("{}", comparison_of(all));
  } else if (options.json) {
    fmt::print("{}", answer_of(all));
  } else if (options.csv) {
    fmt::print("{}", csv_of(options, all));
  } else {
    for (const Probed& probed : all) fmt::print("{}\n", text_of(options, probed));
  }
  return 0;
}

}  // namespace

Probed measure_machine(const ProbeSettings& settings) {
  const int ranks =
      settings.ranks > 0 ? settings.ranks : std::max(2, static_cast<int>(base::usable_cpus()));
  ChildCommand command;
  command.words = {command_path(), "run", "-n", std::to_string(ranks),
                   helper_program("tutti-bsp-probe")};
  for (const int number :
       {settings.words, settings.messages, settings.series, settings.microseconds}) {
    command.words.push_back(std::to_string(number));
  }
  if (!settings.only.empty()) command.words.insert(command.words.end(), {"0", settings.only});
  command.environment = {{"OPENBLAS_NUM_THREADS", "1"}};
  const HostFacts host = host_facts();
  Probed probed{fmt::format("{}, {}, {}", host.processor, host.system, host.date), {}};
  LoadWatch watch(ranks);
  (void)watch.wait(settings.patience);
  probed.data = measure_once(command);
  for (int pass = 1; pass < settings.passes; ++pass) probed.data.keep_least(measure_once(command));
  if (settings.patience > 0 && !watch.disturbed().empty()) {
    (void)watch.wait(settings.patience);
    probed.data.keep_least(measure_once(command));
  }
  probed.data.busy = watch.disturbed();
  probed.data.processors = static_cast<int>(base::usable_cpus());
  if (!settings.raw.empty() && !(std::ofstream(settings.raw) << probed.data.lines())) {
    base::fail(base::Status::system_error, "cannot write '{}'", settings.raw);
  }
  return probed;
}

namespace {

// Adds the options that say how much is measured.
void add_measurement(CLI::App& command, ProbeOptions& options) {
  command
      .add_option("-n,--ranks", options.ranks,
                  "number of processes; default one per processor, at least 2")
      ->type_name("N")
      ->check(positive_count());
  command
      .add_option("--words", options.words,
                  "most words that a process sends in a superstep (65536)")
      ->type_name("N")
      ->check(positive_count());
  command
      .add_option("--messages", options.messages,
                  "most messages that a process sends in a superstep (512)")
      ->type_name("N")
      ->check(positive_count());
  command
      .add_option("--series", options.series,
                  "measurements of each sample, of which the least counts (5)")
      ->type_name("N")
      ->check(positive_count());
  command
      .add_option("--passes", options.passes,
                  "how often all is measured; of each sample the least counts (1)")
      ->type_name("N")
      ->check(positive_count());
  command.add_flag("--quick", options.quick, "few short samples, only to see that it works");
}

}  // namespace

void add_probe(CLI::App& verb, int& code) {
  auto options = std::make_shared<ProbeOptions>();
  verb.footer(probe_footer);
  add_measurement(verb, *options);
  verb.add_option("--raw", options->raw, "also writes every sample to this file")
      ->type_name("FILE");
  verb.add_option("--from", options->from,
                  "files of raw samples, or folders of *.csv, instead of measuring")
      ->type_name("PATHS");
  verb.add_option("--output", options->output,
                  "also writes the parameters, as JSON for tutti predict")
      ->type_name("FILE");
  verb.add_option("--html", options->html, "also writes a page with tables, curves and surfaces")
      ->type_name("FILE");
  verb.add_flag("--compare", options->compare,
                "the machines of --from side by side, each figure over the best");
  verb.add_flag("--in-plus-out", options->in_plus_out, "count words sent and words received");
  verb.add_flag("--json", options->json, "as JSON");
  verb.add_flag("--csv", options->csv, "the gaps as comma-separated values")->excludes("--json");
  verb.callback([options, &code] {
    code = reporting_errors(
        "probe", [&] { return probe(*options); }, 1);
  });
}

}  // namespace tutti::tools
