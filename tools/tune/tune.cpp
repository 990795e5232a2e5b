// SPDX-License-Identifier: BSD-3-Clause
// `tutti tune`: measures what messages and combining take on this machine and writes it down as a machine profile.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "commands.hpp"
#include "launch/judge.hpp"
#include "machine/host.hpp"
#include "machine/profile.hpp"
#include "support/host_facts.hpp"
#include "support/progress.hpp"
#include "support/request.hpp"
#include "tune/hosts.hpp"
#include "tune/profile.hpp"

namespace tutti::tools {
namespace {

struct TuneOptions {
  int ranks = 2;
  double seconds = 30;
  std::string output;
  bool quick = false;
  bool hosts = false;
};

// With these, every time is one that the model knows: one tree of messages, and for reduce as much combining.
constexpr const char* algorithm = "mst";

std::string output_of(const TuneOptions& options) {
  std::string file = options.output.empty() ? machine::host_file() : options.output;
  if (file.empty()) {
    base::fail(base::Status::invalid_argument,
               "there is no folder of settings, HOME is not set; name a file by --output");
  }
  return file;
}

BenchPlan plan_of(const TuneOptions& options) {
  const std::vector<std::string> operations = {"bcast", "reduce"};
  const char* sizes = options.quick ? "8,32,1K,8K,64K,256K" : "8,16,32,64,256,1K,4K,16K,32K,64K,256K,1M,4M";
  BenchPlan plan;
  plan.cells = bench_cells(operations, bench_sizes(sizes), options.ranks).cells;
  plan.ranks = options.ranks;
  plan.seconds = options.quick ? 1 : options.seconds;
  plan.sample_us = options.quick ? 500 : 2000;
  plan.forced = forcing(operations, algorithm).variable;
  return plan;
}

// What is in the file already; empty if there is none.
std::string present(const std::string& file) {
  return std::filesystem::exists(file) ? contents_of(file) : std::string();
}

void write_profile(const std::string& file, const std::string& text) {
  (void)machine::parse(text, file);  // what cannot be read again must not be written
  write_file(file, text);
}

// A job of MPI: all its processes come here, and the first one writes.
int tune_hosts(const TuneOptions& options) {
  std::optional<HostCosts> costs;
  {
    Progress progress;
    costs = measure_between_hosts(options.quick ? 0.5 : options.seconds,
                                  [&](double done) { progress.show(done, "messages between hosts"); });
  }
  if (!costs) return 0;
  const std::string file = output_of(options), text = present(file);
  if (text.empty()) {
    base::fail(base::Status::invalid_argument,
               "there is no profile {} to write the costs between hosts to: run tutti tune first", file);
  }
  write_profile(file, hosts_apart(text).rest + "\n" + hosts_text(*costs, host_facts().date));
  fmt::print("hosts    alpha {:.3f} us, beta {:.3f} us/MB\nwritten to {}\n", costs->fit.rates.alpha,
             costs->fit.rates.beta * 1e6, file);
  return 0;
}

int tune(const TuneOptions& options) {
  if (options.hosts) return tune_hosts(options);
  const std::string file = output_of(options);
  launch::require_room(options.ranks, launch::Tagging::none);
  BenchPlan plan = plan_of(options);
  TuneResult result;
  {
    Progress progress;
    constexpr double local_part = 0.1;
    int steps = 0;
    LocalCosts local = measure_local(options.quick ? 5 : 21, [&] {
      progress.show(local_part * ++steps / local_steps(), "copies, combining, waking");
    });
    auto libraries = run_bench(
        plan, [&](double done, const std::string& what) { progress.show(local_part + (1 - local_part) * done, what); });
    result = fit_all(std::move(plan), std::move(libraries.at("tutti")), std::move(local));
  }
  const std::string hosts = hosts_apart(present(file)).hosts;  // stays
  write_profile(file, profile_text(result) + (hosts.empty() ? "" : "\n" + hosts));
  fmt::print("{}written to {}\n", summary_text(result), file);
  return 0;
}

}  // namespace

void add_tune(CLI::App& app, int& code) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand("tune", "Measures this machine and writes a machine profile.");
  command->add_option("-n,--ranks", options->ranks, "number of processes (2)")
      ->type_name("N")
      ->check(CLI::Range(2, 1024));
  command->add_option("--seconds", options->seconds, "how long to take samples (30); more may see more placements")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  command->add_option("--output", options->output, "the file; default where it is found again, see the manual")
      ->type_name("FILE");
  command->add_flag("--quick", options->quick, "few sizes and samples: a second instead of --seconds");
  command->add_flag("--hosts", options->hosts,
                    "instead, under MPI on two machines: what a message between them takes, into the profile there is");
  command->callback([options, &code] {
    code = reporting_errors(
        "tune", [&] { return tune(*options); }, 1);
  });
}

}  // namespace tutti::tools
