// SPDX-License-Identifier: BSD-3-Clause
// Starts the programs of papers/programs/timing and reads their points. Copies and sums in one
// processor are measured in this process.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "data/operator.hpp"
#include "driver/line_time.h"
#include "launch/process.hpp"
#include "papers/000/timing/timings.hpp"
#include "papers/common/runs.hpp"
#include "support/child.hpp"

namespace tutti::papers {
namespace {

constexpr int double_bytes = 8;
constexpr double us_per_ms = 1000;

// ---- distance of the processors ----

// Memory that this process shares with its child.
class SharedLines {
 public:
  SharedLines()
      : lines_(mmap(nullptr, sizeof(tutti_bench_lines), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (lines_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedLines() { (void)munmap(lines_, sizeof(tutti_bench_lines)); }
  SharedLines(const SharedLines&) = delete;
  SharedLines& operator=(const SharedLines&) = delete;
  [[nodiscard]] tutti_bench_lines* get() const { return static_cast<tutti_bench_lines*>(lines_); }

 private:
  void* lines_;
};

double line_time() {
  const SharedLines lines;
  const pid_t parent = getpid(), child = fork();
  if (child < 0) base::fail_errno("fork");
  if (child == 0) launch::end_with_parent(parent);  // it waits for lines of the other side
  const double time = tutti_bench_line_time(lines.get(), child == 0 ? 1 : 0);
  if (child == 0) _exit(0);
  (void)tools::exit_code_of(child);
  return time;
}

// ---- in this process ----

volatile char looked_at;  // keeps the compiler from leaving a copy out

template <class Work>
double time_of(int reps, const Work& work) {
  work();
  const double start = tutti_bench_seconds();
  for (int i = 0; i < reps; ++i) work();
  return (tutti_bench_seconds() - start) * 1e6 / reps;
}

// T_m of the paper is the time to allocate a buffer and to copy the message into it.
double copy_time(const std::vector<double>& from, int n, int reps) {
  const std::size_t bytes = static_cast<std::size_t>(n) * double_bytes;
  return time_of(reps, [&] {
    char* buffer = static_cast<char*>(std::malloc(bytes + 1));
    if (buffer == nullptr) throw std::bad_alloc();
    std::memcpy(buffer, from.data(), bytes);
    looked_at = buffer[bytes / 2];
    std::free(buffer);
  });
}

double adding_time(std::vector<double>& to, const std::vector<double>& from, int n, int reps) {
  const data::CombineFn add = data::kernel(data::Builtin::sum, data::Element::float64);
  return time_of(reps, [&] { add(to.data(), to.data(), from.data(), n, nullptr); });
}

std::vector<TimingPoint> local_points(const TimingSeries& series, const TimingLoop& loop) {
  std::vector<TimingPoint> points;
  std::vector<double> from(static_cast<std::size_t>(loop.last) + 1, 1.0), to = from;
  for (int n = loop.first; n <= loop.last; n += loop.step)
    points.push_back({static_cast<double>(n), series.program == "Tm"
                                                  ? copy_time(from, n, loop.reps)
                                                  : adding_time(to, from, n, loop.reps)});
  return points;
}

// ---- in a job ----

std::vector<std::string> words_of(const TimingSeries& series, const TimingLoop& loop) {
  const std::string program = tools::helper_program("tutti-timing-" + series.library);
  std::vector<std::string> words =
      is_mpi(series.library) ? tools::mpi_launcher(series.library, series.p)
                             : std::vector<std::string>{
                                   tools::command_path(),    "run",       "-n",
                                   std::to_string(series.p), "--timeout", std::to_string(60 * 10)};
  const auto add = [&](auto... more) { (words.emplace_back(more), ...); };
  const auto number = [](int value) { return std::to_string(value); };
  const int scale = series.program == "Tc" || series.program == "Ts" ? double_bytes : 1;
  const std::string first = number(loop.first * scale), last = number(loop.last * scale),
                    step = number(loop.step * scale), reps = number(loop.reps);
  add(program, series.program);
  if (series.program == "Tc") add(first, last, step, reps, "0", "1", "1", "1");
  if (series.program == "Ts") add("stdout", reps, first, last, step, "0", "1");
  if (series.program == "Tbs") add(series.top, first, last, step, reps, "0");
  if (series.program == "Tg") add("+", series.top, first, last, step, reps, "-1");
  return words;
}

// Returns false for the lines that have no point.
bool read_point(const std::string& program, const std::string& line, TimingPoint& point) {
  if (program == "Tc" || program == "Ts") {
    const auto length = line.find("length=");
    const auto time = line.find(program + " = ");
    if (length == std::string::npos || time == std::string::npos) return false;
    point.n = std::atof(line.c_str() + length + std::strlen("length=")) / double_bytes;
    point.us = std::atof(line.c_str() + time + std::strlen("Tc = "));
    return true;
  }
  std::istringstream words(line);
  double least = 0, source = 0, longest = 0;
  if (!(words >> point.n)) return false;
  if (program == "Tbs") words >> source;
  if (!(words >> least >> longest)) return false;
  point.us = longest * us_per_ms;
  point.source = source * us_per_ms;
  return true;
}

std::vector<TimingPoint> job_points(const TimingSeries& series, const TimingLoop& loop) {
  std::vector<TimingPoint> points;
  const tools::ChildCommand command{words_of(series, loop),
                                    {{"OMPI_MCA_btl_base_warn_component_unused", "0"}}};
  const int code = tools::read_lines(command, [&](const std::string& line) {
    TimingPoint point;
    if (read_point(series.program, line, point)) points.push_back(point);
  });
  const auto expected = static_cast<std::size_t>((loop.last - loop.first) / loop.step) + 1;
  if (code != 0 || points.size() != expected)
    base::fail(base::Status::system_error, "{}, program {} on {} processes, ended with {}",
               title_of_library(series.library), series.program, series.p, code);
  return points;
}

bool is_in_path(const std::string& program) {
  std::istringstream folders(base::program_path());
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

bool is_mpi(const std::string& library) {
  return library == "openmpi" || library == "mpich";
}

void run_timing(TimingSeries& series, const TimingLoop& loop) {
  TimingRun run{loop.kind, {}, {}};
  if (series.library.empty()) {
    run.points = local_points(series, loop);
  } else {
    const double before = line_time();
    run.points = job_points(series, loop);
    run.place = tutti_bench_placement(before, line_time());
  }
  series.runs.push_back(std::move(run));
}

std::vector<std::string> timing_libraries() {
  std::vector<std::string> found;
  for (const char* library : {"blacs", "blacs94", "nx", "icc", "openmpi", "mpich"}) {
    const std::string name = library;
    const bool starts = !is_mpi(name) || is_in_path(tools::mpi_launcher(name, 1).front());
    if (starts && !tools::find_helper("tutti-timing-" + name).empty()) found.push_back(name);
  }
  return found;
}

std::string title_of_library(const std::string& library) {
  const std::pair<const char*, const char*> titles[] = {
      {"blacs", "BLACS 1.1"}, {"blacs94", "BLACS 1.0"}, {"nx", "NX"},
      {"icc", "iCC"},         {"openmpi", "Open MPI"},  {"mpich", "MPICH"}};
  for (const auto& [name, title] : titles)
    if (library == name) return title;
  return library;
}

}  // namespace tutti::papers
