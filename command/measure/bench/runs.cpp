// SPDX-License-Identifier: BSD-3-Clause
// Runs the bench driver. Without an MPI to compare with, one long job measures everything.
// Otherwise, short jobs of both take turns and change the order each turn: processors are
// reassigned within seconds, and both libraries should meet the same conditions.
#include "bench/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/packages.hpp"
#include "driver/driver.h"
#include "measuring.hpp"
#include "support/child.hpp"

namespace tutti::tools {
namespace {

constexpr const char* ours = "tutti";
constexpr int turns_of_each = 5;
constexpr double shortest_turn = 0.5;  // seconds; a shorter turn would mostly be start-up

using Clock = std::chrono::steady_clock;

// The memory in which ranks 0 and 1 measure the time of a cache line. Processes of any launcher
// find it by its path.
class Lines {
 public:
  Lines() : file_(base::raised(memfd_create("tutti-bench", MFD_CLOEXEC))) {
    if (!file_.valid())
      base::fail(base::Status::system_error, "no memory file: {}", std::strerror(errno));
    clear();
  }
  void clear() {
    if (ftruncate(file_.get(), 0) != 0 || ftruncate(file_.get(), sizeof(bench_shared)) != 0) {
      base::fail(base::Status::system_error, "no memory: {}", std::strerror(errno));
    }
  }
  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/{}/fd/{}", getpid(), file_.get());
  }

 private:
  launch::Descriptor file_;
};

std::string cells_text(const BenchPlan& plan) {
  std::string text;
  for (const BenchCell& cell : plan.cells) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", cell.op, cell.bytes);
    const auto plans = plan.plans.find(cell);
    if (plans != plan.plans.end()) text += fmt::format("/{}", fmt::join(plans->second, "/"));
  }
  return text;
}

std::vector<std::string> launcher(const std::string& library, const BenchPlan& plan) {
  if (library == ours) {
    std::vector<std::string> words{command_path(), "run", "-n", std::to_string(plan.ranks)};
    const std::vector<std::string> worker{helper_program(measure_program), worker_verb};
    const std::vector<std::string>& program = plan.program.empty() ? worker : plan.program;
    words.insert(words.end(), program.begin(), program.end());
    return words;
  }
  std::vector<std::string> words = mpi_launcher(library, plan.ranks);
  words.push_back(driver_of(library));
  return words;
}

class Collector {
 public:
  Collector(const BenchPlan& plan, const std::function<void(double, const std::string&)>& progress)
      : plan_(plan), progress_(progress), start_(Clock::now()) {}

  void run(const std::string& library, double seconds) {
    lines_.clear();
    ChildCommand command{launcher(library, plan_), {}};
    for (const std::string& word :
         {library, lines_.path(), fmt::format("{:.3f}/{}", seconds, plan_.rounds),
          fmt::format("{:.0f}", plan_.sample_us), cells_text(plan_), std::to_string(plan_.root)}) {
      command.words.push_back(word);
    }
    if (library == ours) command.environment = plan_.environment;
    if (library == ours && !plan_.forced.empty())
      command.environment.emplace_back("TUTTI_ALGORITHM", plan_.forced);
    const int code = read_lines(command, [this](const std::string& line) { take(line); });
    if (code == 127 && library != ours)
      base::fail(base::Status::system_error, "{} cannot be started", command.words.front());
    // A job of tutti that has begun says itself which program it cannot start.
    const char* const why = code == 127 ? ": a program of it cannot be started" : "";
    if (code != 0)
      base::fail(base::Status::system_error, "the job of {} ended with exit code {}{}", library,
                 code, why);
  }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  std::map<std::string, Library> libraries;

 private:
  // Ignores lines that are no samples, such as warnings of a launcher.
  void take(const std::string& line) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("library") || !json.contains("op")) return;
    const BenchCell cell{json.at("op"), json.at("bytes")};
    Series& series = libraries[json.at("library")][cell];
    if (json.contains("verified")) {
      describe(series, json);
    } else if (json.at("us").is_array()) {
      series.turns.push_back({json.at("us"), json.at("placement")});
    } else {
      series.samples.push_back({json.at("us"), json.at("line_us"), json.at("placement")});
    }
    progress_(elapsed() / plan_.seconds,
              fmt::format("{} {} {}", std::string(json.at("library")), cell.op, cell.bytes));
  }
  static void describe(Series& series, const nlohmann::json& json) {
    series.verified = json.at("verified");
    if (!json.contains("algorithm")) return;
    series.algorithm = json.at("algorithm");
    series.settings = {.branches = std::max(1, json.at("branches").get<int>()),
                       .rings = std::max(1, json.at("rings").get<int>()),
                       .segments = std::max(1, json.at("segments").get<int>()),
                       .factors = json.at("factors"),
                       .cut = json.at("cut")};
  }

  const BenchPlan& plan_;
  const std::function<void(double, const std::string&)>& progress_;
  Clock::time_point start_;
  Lines lines_;
};

}  // namespace

std::map<std::string, Library> run_bench(
    const BenchPlan& plan, const std::function<void(double, const std::string&)>& progress) {
  Collector collector(plan, progress);
  if (plan.against.empty()) {
    collector.run(ours, plan.seconds);
    return std::move(collector.libraries);
  }
  const double turn = std::max(shortest_turn, plan.seconds / (2 * turns_of_each));
  for (int number = 0; number == 0 || collector.elapsed() < plan.seconds; ++number) {
    const bool first = number % 2 == 0;
    collector.run(first ? ours : plan.against, turn);
    collector.run(first ? plan.against : ours, turn);
  }
  return std::move(collector.libraries);
}

std::string driver_of(const std::string& mpi) {
  if (std::string path = find_helper("mpi_driver_" + mpi); !path.empty()) return path;
  base::fail(base::Status::invalid_argument,
             "--against {}: tutti was built without its compiler. Install {} (it gives mpicc.{}), "
             "build tutti again",
             mpi, base::packages_for(mpi), mpi);
}

}  // namespace tutti::tools
