// SPDX-License-Identifier: BSD-3-Clause
// Opens the MPI and tutti's library for its programs in this process, and measures as a program
// would (mpi.hpp).
#include "tune/mpi.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include <tutti/tutti_mpi_measure.h>
#include "base/environment.hpp"
#include "base/error.hpp"
#include "formats/load.hpp"
#include "machine/host.hpp"
#include "run/links.hpp"
#include "selection/explain.hpp"
#include "support/host_facts.hpp"
#include "support/progress.hpp"
#include "support/quiet.hpp"
#include "transport/wire/library.hpp"
#include "tune/decide.hpp"
#include "tune/file.hpp"
#include "tune/rows.hpp"

namespace tutti::tools {
namespace {

constexpr int passes = 2, mpi_rounds = 12;
// Largest ratio of times at which the MPI serves, and the least gain.
constexpr double native_ratio = 0.98, least_gain_us = 0.02;

struct MpiCollective {
  std::string_view name;
  // `bytes` of tutti_mpi_measure.h is the data of each member, or of all members together.
  enum class Size : std::uint8_t { none, per_member, all_members, unknown } size;
  enum class Work : std::uint8_t { moves, combines } work = Work::moves;
};
constexpr auto combines = MpiCollective::Work::combines;
using Size = MpiCollective::Size;
// The size is that which all members of a call know.
constexpr MpiCollective collectives[] = {{"barrier", Size::none},
                                         {"bcast", Size::per_member},
                                         {"reduce", Size::per_member, combines},
                                         {"allreduce", Size::per_member, combines},
                                         {"gather", Size::per_member},
                                         {"gatherv", Size::unknown},
                                         {"scatter", Size::unknown},
                                         {"scatterv", Size::unknown},
                                         {"allgather", Size::per_member},
                                         {"allgatherv", Size::all_members},
                                         {"alltoall", Size::per_member},
                                         {"alltoallv", Size::unknown},
                                         {"alltoallw", Size::unknown},
                                         {"reduce_scatter", Size::all_members, combines},
                                         {"reduce_scatter_block", Size::all_members, combines},
                                         {"scan", Size::per_member, combines},
                                         {"exscan", Size::per_member, combines}};

// Returns the largest power of two that is not above the geometric mean of two sizes.
std::int64_t between(std::int64_t a, std::int64_t b) {
  const auto mean =
      static_cast<std::uint64_t>(std::sqrt(static_cast<double>(a) * static_cast<double>(b)));
  return static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(mean, 1)));
}

// Returns the range of sizes for which a row serves that was measured with size i of the list. It
// ends at powers of two, as classes of sizes do, so that no row divides a class.
selection::Range reach_of(const std::vector<std::int64_t>& sizes, std::size_t i,
                          std::int64_t factor) {
  selection::Range reach;
  if (i > 0) reach.first = between(sizes[i - 1] * factor, sizes[i] * factor) + 1;
  reach.last =
      i + 1 < sizes.size()
          ? between(sizes[i] * factor, sizes[i + 1] * factor)
          : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(sizes[i] * factor)));
  return reach;
}

double median_of(const std::vector<Turn>& turns, std::size_t side) {
  std::vector<double> times;
  for (const Turn& turn : turns) times.push_back(turn.us[side]);
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

bool mpi_wins(const MpiPoint& point) {
  return !point.passes.empty() &&
         std::all_of(point.passes.begin(), point.passes.end(), [](const std::vector<Turn>& turns) {
           return compare(turns, 1, 0, native_ratio) == Comparison::wins &&
                  median_of(turns, 0) - median_of(turns, 1) > least_gain_us;
         });
}

bool mpi_loses(const MpiPoint& point) {
  return std::any_of(point.passes.begin(), point.passes.end(), [](const std::vector<Turn>& turns) {
    return ratio_of(turns, 1, 0).median > 1 / native_ratio;
  });
}

double ratio_in(const MpiPoint& point) {
  double largest = 0;
  for (const std::vector<Turn>& turns : point.passes)
    largest = std::max(largest, ratio_of(turns, 1, 0).median);
  return largest;
}

// The MPI and tutti's library for its programs. Both stay open until the process ends.
class OpenMpi {
 public:
  OpenMpi() {
    const auto launcher = base::mpi_launcher();
    if (!launcher || launcher->flavour.empty()) {
      base::fail(base::Status::invalid_argument,
                 "--mpi measures under an MPI: start it by its launcher, such as mpirun -n 4 tutti "
                 "tune --mpi");
    }
    flavour_ = launcher->flavour;
    transport::wire::provide_mpi(flavour_);
    ours_ = open(links_folder() / ("libtutti-preload-" + flavour_ + ".so.0"), RTLD_NOW);
    function<int (*)(int*, char***)>("MPI_Init")(nullptr, nullptr);
  }
  ~OpenMpi() { function<int (*)()>("MPI_Finalize")(); }
  OpenMpi(const OpenMpi&) = delete;
  OpenMpi& operator=(const OpenMpi&) = delete;

  [[nodiscard]] const std::string& flavour() const { return flavour_; }
  [[nodiscard]] tutti_mpi_measure_fn measure() const {
    return function<tutti_mpi_measure_fn>(TUTTI_MPI_MEASURE);
  }

 private:
  static void* open(const std::string& file, int mode) {
    void* const opened = ::dlopen(file.c_str(), mode);
    if (opened == nullptr)
      base::fail(base::Status::system_error, "{} cannot be loaded: {}", file, ::dlerror());
    return opened;
  }
  template <class Function>
  [[nodiscard]] Function function(const char* name) const {
    auto* const found = ::dlsym(ours_, name);
    if (found == nullptr)
      base::fail(base::Status::system_error, "tutti's library for {} has no {}", flavour_, name);
    return reinterpret_cast<Function>(found);
  }

  std::string flavour_;
  void* ours_ = nullptr;
};

void take_turns(void* user, int cell, int count, const double* ours, const double* theirs) {
  auto& points = *static_cast<std::vector<MpiPoint>*>(user);
  std::vector<Turn> turns;
  // Nobody knows where the processes run, as for turns whose processors have moved.
  for (int i = 0; i < count; ++i) turns.push_back({{ours[i], theirs[i]}, "mixed"});
  points[static_cast<std::size_t>(cell)].passes.push_back(std::move(turns));
}

// Returns those numbers that the job has, and that of all its processes.
std::vector<int> numbers_in_job(const std::vector<int>& wanted, int size) {
  std::vector<int> numbers;
  for (const int number : wanted)
    if (number < size) numbers.push_back(number);
  numbers.push_back(size);
  return numbers;
}

struct Measured {
  std::string busy;  // why the figures may be wrong
  std::string flavour;
  bool first = false;  // this process writes
  int processors = 0;  // of the job
  std::vector<int> numbers;
  std::vector<MpiPoint> points;
};

// Returns the least of the numbers that all processes give.
int least_of_all(std::int32_t own) {
  std::int32_t least = own;
  const tutti_data in = tutti_array(&own, 1, TUTTI_INT32),
                   out = tutti_array(&least, 1, TUTTI_INT32);
  if (tutti_allreduce(tutti_world(), &in, &out, TUTTI_MIN) != TUTTI_OK)
    base::fail(base::Status::system_error, "the processes of this job cannot be asked");
  return least;
}

// Returns the load with the processor time of all processes of the job as the own one. If they are
// on several hosts, that is too much, and the load of others may be missed.
LoadReading load_of_job() {
  LoadReading reading = read_load();
  constexpr double micro = 1e6;
  auto own = static_cast<std::int64_t>(reading.own * micro);
  std::int64_t all = own;
  const tutti_data in = tutti_array(&own, 1, TUTTI_INT64), out = tutti_array(&all, 1, TUTTI_INT64);
  if (tutti_allreduce(tutti_world(), &in, &out, TUTTI_SUM) == TUTTI_OK)
    reading.own = static_cast<double>(all) / micro;
  return reading;
}

// Begins on the first process, and passes on what it throws. Then the other processes get false:
// those that have called MPI_Init must stop together, because some launchers wait for the rest.
bool begin_together(bool first, const std::function<void()>& begin) {
  std::exception_ptr refused;
  try {
    if (first) begin();
  } catch (...) {
    refused = std::current_exception();
  }
  const bool begun = least_of_all(refused == nullptr ? 1 : 0) == 1;
  if (refused != nullptr) std::rethrow_exception(refused);
  return begun;
}

// Measures the points of one number of processes. Throws Error if tutti does not serve the job.
void measure_points(const OpenMpi& mpi, std::vector<MpiPoint>& points, double block_us) {
  std::vector<tutti_mpi_cell> cells;
  for (const MpiPoint& point : points)
    cells.push_back({point.operation.c_str(), point.mpi_combines ? 1 : 0, point.bytes});
  const tutti_mpi_measurement how{.members = points.front().ranks,
                                  .rounds = mpi_rounds,
                                  .block_us = block_us,
                                  .by_rows = 0,
                                  .rewritten = 0,
                                  .stop_early = 1};
  const int wrong =
      mpi.measure()(&how, static_cast<int>(cells.size()), cells.data(), take_turns, &points);
  if (wrong != 0)
    base::fail(base::Status::system_error, "tutti does not serve this job, so nothing is measured");
}

// Returns nothing if the first process cannot begin.
std::optional<Measured> measure_all(const MpiTuneRequest& request) {
  const OpenMpi mpi;
  Measured measured;
  const int size = tutti_size(tutti_world());
  if (size < 2)
    base::fail(base::Status::invalid_argument, "--mpi needs two or more processes in its job");
  measured.flavour = mpi.flavour();
  measured.first = tutti_rank(tutti_world()) == 0;
  if (!begin_together(measured.first, request.begin)) return std::nullopt;
  // Rows must serve all processes or none, so jobs choose them by the least number of all hosts.
  measured.processors = least_of_all(tutti_processors());
  measured.numbers = numbers_in_job(request.ranks, size);
  std::optional<Progress> progress;
  if (measured.first) progress.emplace();
  const auto parts = static_cast<double>(measured.numbers.size() * passes);
  double done = 0;
  const LoadReading before = load_of_job();
  for (const int ranks : measured.numbers) {
    std::vector<MpiPoint> points = mpi_points(ranks, request.sizes);
    const double block_us =
        request.seconds * 1e6 / parts / static_cast<double>(points.size()) / (2 * mpi_rounds);
    for (int pass = 0; pass < passes; ++pass, done += 1) {
      if (progress)
        progress->show(done / parts, fmt::format("{} processes, pass {}", ranks, pass + 1));
      measure_points(mpi, points, std::clamp(block_us, 100.0, 2000.0));
    }
    measured.points.insert(measured.points.end(), points.begin(), points.end());
  }
  measured.busy = disturbance(load_between(before, load_of_job()), size, refused_from);
  return measured;
}

// The text of a profile that has nothing but rows.
std::string profile_without_rates(int processors) {
  const HostFacts host = host_facts();
  return fmt::format(
      "# Written by tutti tune --mpi; see tutti-tune(1).\nname = \"this-machine\"\nlike = "
      "\"host\"\nabout = \"rows of tutti tune --mpi\"\ndate = \"{}\"\nprocessor = \"{}\"\n"
      "processors = {}\n",
      host.date, host.processor, processors);
}

std::string words_for(const selection::MpiRow& row) {
  return fmt::format("{}{}, {}, {}: the MPI takes {:.2f} of the time", row.operation,
                     row.mpi_combines ? " with an operator that the MPI applies" : "",
                     ranks_text(row.ranks), selection::sizes_text(row.bytes), row.origin.ratio);
}

// Returns the profile with these rows in place of the former ones of the same MPI and numbers of
// processes. Rows that another machine has measured go.
std::string with_rows(const MpiTuneRequest& request, const Measured& measured,
                      const std::vector<selection::MpiRow>& rows) {
  const bool there = std::filesystem::exists(request.file);
  const std::string without_rates = profile_without_rates(measured.processors);
  std::string text = there ? formats::contents_of(request.file) : without_rates;
  if (!machine::other_processor({request.file, text}).empty())
    text = without_rates + "\n" + table_apart(text, "hosts").table;
  const selection::Table before = selection::parse_table(text, request.file);
  std::string made = table_apart(text, "plan").rest;
  for (const selection::TableRow& row : before.rows()) made += toml_of(row);
  for (const selection::MpiRow& row : before.mpi_rows()) {
    const bool anew = row.mpi == measured.flavour && row.ranks.first == row.ranks.last &&
                      row.origin.serves(measured.processors) &&
                      std::find(measured.numbers.begin(), measured.numbers.end(),
                                row.ranks.first) != measured.numbers.end();
    if (!anew) made += toml_of(row);
  }
  for (const selection::MpiRow& row : rows) made += toml_of(row);
  (void)machine::parse(made, request.file);  // a file that cannot be read again is not written
  (void)selection::parse_table(made, request.file);
  return made;
}

}  // namespace

std::vector<MpiPoint> mpi_points(int ranks, const std::vector<std::int64_t>& sizes) {
  std::vector<MpiPoint> points;
  for (const MpiCollective& collective : collectives) {
    for (const bool mpi_combines : {false, true}) {
      if (mpi_combines && collective.work != combines) continue;
      if (collective.size == Size::none)
        points.push_back({std::string(collective.name), mpi_combines, ranks, 0});
      for (std::size_t i = 0; collective.size != Size::none && i < sizes.size(); ++i) {
        const std::int64_t factor = collective.size == Size::all_members ? ranks : 1;
        MpiPoint point{std::string(collective.name), mpi_combines, ranks, sizes[i] * factor};
        if (collective.size != Size::unknown) point.reach = reach_of(sizes, i, factor);
        points.push_back(point);
      }
    }
  }
  return points;
}

std::vector<selection::MpiRow> native_rows(const std::vector<MpiPoint>& points,
                                           const std::string& mpi,
                                           const selection::RowOrigin& now) {
  struct Found {
    bool wins = false, loses = false;
    double ratio = 0;
  };
  // By operation, who combines, number of ranks, and the reach.
  std::map<std::tuple<std::string, bool, int, std::int64_t, std::int64_t>, Found> all;
  for (const MpiPoint& point : points) {
    Found& found = all[{point.operation, point.mpi_combines, point.ranks, point.reach.first,
                        point.reach.last}];
    found.wins |= mpi_wins(point);
    found.loses |= mpi_loses(point);
    found.ratio = std::max(found.ratio, ratio_in(point));
  }
  std::vector<selection::MpiRow> rows;
  for (const auto& [key, found] : all) {
    if (!found.wins || found.loses) continue;
    const auto& [operation, mpi_combines, ranks, first, last] = key;
    if (!rows.empty()) {
      selection::MpiRow& before = rows.back();
      if (before.operation == operation && before.mpi_combines == mpi_combines &&
          before.ranks.first == ranks && before.bytes.last + 1 == first) {
        before.bytes.last = last;
        before.origin.ratio = std::max(before.origin.ratio, found.ratio);
        continue;
      }
    }
    selection::RowOrigin origin = now;
    origin.ratio = found.ratio;
    selection::MpiRow row{mpi, operation, mpi_combines, {ranks, ranks}, {first, last}};
    row.native = true;
    row.origin = origin;
    rows.push_back(std::move(row));
  }
  return rows;
}

int tune_mpi(const MpiTuneRequest& request) {
  const std::optional<Measured> found = measure_all(request);
  if (!found) return 0;  // the first process fails, and a failure here might end it too early
  const Measured& measured = *found;
  if (!measured.first) return 0;
  const HostFacts facts = host_facts();
  const std::vector<selection::MpiRow> rows =
      native_rows(measured.points, measured.flavour, {measured.processors, 0, facts.date});
  fmt::print("{} kinds of calls of {} compared, {} rows for the MPI\n", measured.points.size(),
             measured.flavour, rows.size());
  for (const selection::MpiRow& row : rows) fmt::print("  + {}\n", words_for(row));
  if (!measured.busy.empty()) {
    fmt::print("{}", busy_line(measured.busy));
    request.disturbed(measured.busy);
  }
  if (request.dry_run) return 0;
  write_file(request.file, with_rows(request, measured, rows));
  fmt::print("written to {}\n", request.file);
  return 0;
}

}  // namespace tutti::tools
