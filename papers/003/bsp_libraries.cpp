// SPDX-License-Identifier: BSD-3-Clause
// Paper 003's comparisons of libraries (figure 2.5 and table 6.1) with the libraries of this
// machine: our BSPlib, and BSPlib over each installed MPI (bench/bsp).
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/number.hpp"
#include "bsp/samples.hpp"
#include "bsp_model/thesis.hpp"
#include "papers/003/applications/folder.hpp"
#include "papers/003/applications/runs.hpp"
#include "papers/common/effort.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"

namespace tutti::papers {
namespace bsp_libraries_items {
namespace {

constexpr int processes = 2;
constexpr const char* longest_run = "5";  // s; an MPI does not end if its ranks share a processor

// A library and how its programs are started: everything up to the program's arguments.
struct Library {
  std::string name;
  std::vector<std::string> launcher;
  std::string suffix;   // the end of the names of the programs that are linked with it
  std::string backend;  // the library itself, for programs that choose it when they start
};

std::vector<std::string> launcher_of(const std::string& mpi) {
  std::vector<std::string> words = mpi_launcher(mpi, processes);
  words.insert(words.begin(), {"timeout", longest_run});
  return words;
}

std::vector<Library> libraries() {
  std::vector<Library> all = {
      {"tutti", {command_path(), "run", "-n", std::to_string(processes)}, "", "tutti"}};
  for (const char* mpi : {"openmpi", "mpich"}) {
    for (const char* kind : {"mpimpass", "mpishmem"}) {
      const std::string suffix = fmt::format("_{}_{}", kind, mpi);
      if (!find_helper("bsp_probe" + suffix).empty())
        all.push_back({fmt::format("{} on {}", kind, mpi), launcher_of(mpi), suffix,
                       find_helper(fmt::format("libbsp{}.so", suffix))});
    }
  }
  return all;
}

// Returns the lines that the command writes, or none if it cannot be run here.
std::vector<std::string> output_of(std::vector<std::string> command,
                                   const std::vector<std::string>& arguments) {
  std::vector<std::string> lines;
  command.insert(command.end(), arguments.begin(), arguments.end());
  const int code =
      read_lines({command, {}}, [&](const std::string& line) { lines.push_back(line); });
  return code == 0 ? lines : std::vector<std::string>();
}

std::string probe_of(const Library& library) {
  if (!library.suffix.empty()) return find_helper("bsp_probe" + library.suffix);
  return helper_program("tutti-bsp-probe");
}

// The figures of one library by the name of the criterion. Smaller figures are better.
using Figures = std::map<std::string, double>;
constexpr const char* put_get = "communication gap (put/get)";
constexpr const char* sending = "communication gap (send)";
constexpr const char* latency = "latency";

// The programs of the paper, as small as its tables of short runs.
struct Application {
  const char* what;
  AppCase run;
};
constexpr Application applications[] = {
    {"matrix multiplication", {BspProgram::customized, processes, 27, 500}},
    {"LLCS (standard)", {BspProgram::standard, processes, 5, 1 << 12}},
    {"LLCS (bit-parallel)", {BspProgram::bit_parallel, processes, 5, 1 << 14}}};

void add_applications(Figures& figures, const Library& library) {
  if (library.backend.empty()) return;
  const AppFolder folder;
  std::vector<std::string> start = library.launcher;
  start.insert(start.end(), {"env", "TUTTI_BSP_BACKEND=" + library.backend});
  for (const Application& application : applications)
    if (const auto seconds = seconds_by(start, application.run, folder.path()))
      figures[application.what] = *seconds * 1e3;
}

Figures figures_of(const Library& library) {
  Figures figures;
  ProbeData data;
  for (const std::string& line :
       output_of(library.launcher,
                 {probe_of(library), by_effort("4096", "256"), "16", "2", "20", "0", "l"}))
    data.add(line);
  for (const char* access : {"put", "get", "send"}) {
    for (const std::string& line : output_of(
             library.launcher, {probe_of(library), by_effort("4096", "256"), by_effort("16", "4"),
                                "2", "20", "0", "all-to-all", access})) {
      data.add(line);
    }
  }
  for (const auto& [name, seconds] : data.latencies) figures.try_emplace(latency, seconds * 1e6);
  for (const ProbeData::Series& series : data.series) {
    const double gap = gap_of(series.samples).g_inf * 1e9;
    if (series.access == "send") {
      figures[sending] = gap;
    } else {
      figures[put_get] += gap / 2;
    }
  }
  add_applications(figures, library);
  return figures;
}

struct Contest {
  const char* what;
  const char* unit;
  const char* paper;  // key in the data
  const char* source;
};
constexpr Contest contests[] = {
    {put_get, "ns/word", "put_get", "all-to-all of two processes, g_inf by (3.2)"},
    {sending, "ns/word", "send", "all-to-all of two processes, g_inf by (3.2)"},
    {latency, "us", "latency", "bsp_sync of two processes"},
    {applications[0].what, "ms", "product", "tutti-matmul, 500 x 500, q = 27, on two processes"},
    {applications[1].what, "ms", "standard",
     "tutti-llcs, 2^12 characters, alpha = 5, on two processes"},
    {applications[2].what, "ms", "bit_parallel",
     "tutti-llcs, 2^14 characters, alpha = 5, on two processes"}};

// The paper awards bullets: three to the best library, one to the worst, and the same number to a
// library that is close to one of these.
int bullets_of(double value, double best, double worst) {
  constexpr double close = 1.1;
  if (value <= close * best) return 3;
  return value * close >= worst ? 1 : 2;
}

// Returns words such as "Oxtool **, PUB *, MPI ***".
std::string words_of_bullets(const std::vector<double>& bullets) {
  constexpr const char* names[] = {"Oxtool", "PUB", "MPI"};
  std::string text;
  for (std::size_t i = 0; i < bullets.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", names[i],
                        std::string(static_cast<std::size_t>(bullets[i]), '*'));
  return text;
}

void add_contest(Result& result, const Contest& contest, const Printed& paper,
                 const std::vector<std::pair<std::string, Figures>>& all) {
  double best = 1e300, worst = 0;
  for (const auto& [name, figures] : all) {
    if (!figures.contains(contest.what)) continue;
    best = std::min(best, figures.at(contest.what));
    worst = std::max(worst, figures.at(contest.what));
  }
  result.row(contest.what, words_of_bullets(paper.numbers(fmt::format("skua.{}", contest.paper))),
             {}, "", "");
  for (const auto& [name, figures] : all) {
    if (!figures.contains(contest.what)) continue;
    const double value = figures.at(contest.what);
    result.row(
        fmt::format("  here, {}", name), {},
        fmt::format("{:<3} {:.4g} {}",
                    std::string(static_cast<std::size_t>(bullets_of(value, best, worst)), '*'),
                    value, contest.unit),
        "", contest.source);
  }
}

void note_missing(Result& result, std::size_t found) {
  if (found < 5)
    result.notes.push_back(
        "BSPlib over an MPI takes part where the MPI is installed and the target bsp_peers is "
        "built.");
}

Result summary(const Item& item) {
  std::vector<std::pair<std::string, Figures>> all;
  for (const Library& library : libraries()) all.emplace_back(library.name, figures_of(library));
  Result result;
  for (const Contest& contest : contests) add_contest(result, contest, item.printed, all);
  result.notes.push_back(
      "Beside this machine stands the one of the paper's three that has shared memory, as this "
      "machine is one.");
  result.notes.push_back(
      "The Oxford BSP toolset and PUB are dead: we know of no place that still has their sources. "
      "BSPonMPI is in no Debian package. BSPlib over each MPI, by messages (mpimpass) and by "
      "one-sided calls "
      "(mpishmem), takes their place.");
  note_missing(result, all.size());
  return result;
}

// The name of a call may contain commas. It lies between the first field and the last two.
void add_call(Result& result, const std::string& mpi, const std::string& line) {
  const auto fields = tools::fields_of(line, ',');
  if (fields.size() < 4 || fields[0] != "g") return;
  const auto gap = base::number_in<double>(fields.back());
  std::string call = fields[1];
  for (std::size_t i = 2; i + 2 < fields.size(); ++i) call += "," + fields[i];
  if (gap) {
    result.row(fmt::format("{}, {}, {} words to each", call, mpi, fields[fields.size() - 2]), {},
               *gap * 1e9, "ns/word", "least of two series");
  }
}

Result exchanges(const Item&) {
  Result result;
  std::size_t found = 1;
  const Library ours = libraries().front();
  ProbeData data;
  for (const char* access : {"put", "hpput"}) {
    for (const std::string& line :
         output_of(ours.launcher, {probe_of(ours), by_effort("16384", "256"), "1", "2",
                                   by_effort("1000", "20"), "0", "all-to-all", access})) {
      data.add(line);
    }
  }
  for (const ProbeData::Series& series : data.series) {
    for (const GapSample& sample : series.samples) {
      result.row(fmt::format("bsp_{}, {} words to each", series.access, sample.size), {},
                 sample.g * 1e9, "ns/word", "least of two series");
    }
  }
  for (const char* mpi : {"openmpi", "mpich"}) {
    const std::string program = find_helper(fmt::format("bsp_exchange_calls_{}", mpi));
    if (program.empty()) continue;
    found += 2;
    for (const std::string& line :
         output_of(launcher_of(mpi),
                   {program, by_effort("16384", "256"), "2", by_effort("0.001", "0.00002")}))
      add_call(result, mpi, line);
  }
  note_missing(result, found);
  result.notes.push_back("The paper draws its curves on skua without numbers. Two processes here.");
  return result;
}

constexpr Run runs[] = {{"003-table-6.1", summary, Side::here},
                        {"003-figure-2.5", exchanges, Side::here}};

}  // namespace
}  // namespace bsp_libraries_items

std::span<const Run> bsp_libraries() {
  return bsp_libraries_items::runs;
}

}  // namespace tutti::papers
