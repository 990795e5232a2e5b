// SPDX-License-Identifier: BSD-3-Clause
// Paper 003, figure 5.12: speedups of the common subsequence of longer strings by (5.3), with the
// number of blocks that (5.4) would choose, and what section 5.3 says of them.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "papers/003/bsp_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_speedups_items {
namespace {

constexpr int shortest = 8192, longest = 1 << 19;
constexpr int most_alpha = 64;
constexpr const char* by_model = "(5.3), the fastest alpha";

struct Speedup {
  int alpha = 1;
  double seconds = std::numeric_limits<double>::infinity();
  double over_one = 0;
};

// The paper does not print b of (5.4), the bytes of a block with which a processor is fast. Each
// alpha belongs to some b, so the alpha with the least time belongs to the best b.
Speedup best_of(BspCell cell, int n) {
  const BspReading reading;
  const BSPRates rates = *bsp_rates(cell, reading);
  Speedup best;
  for (int alpha = 1; alpha <= most_alpha; ++alpha) {
    cell.parameter = alpha;
    const double seconds = bsp_seconds(cell, rates, BSPModel::startup, n, reading);
    if (seconds < best.seconds) best = {alpha, seconds, 0};
  }
  best.over_one = double(n) * n * bsp_printed_f(cell.program, cell.machine) / best.seconds;
  return best;
}

// A machine of the figure or of the text, with its fewest and its most processors.
struct Cluster {
  const char* machine;
  const char* mpi;
  int few, many;
};
constexpr Cluster skua{"skua", "MPISHMEM", 4, 32}, argus{"argus", "MPIMPASS", 4, 10},
    aracari{"aracari", "MPIMPASS", 4, 32};

BspCell cell_of(const Cluster& cluster, const std::string& library, int p) {
  return {BspProgram::standard, cluster.machine, library, p, 1, 0, 0, 0};
}

double seconds_of(const Cluster& cluster, const std::string& library, int p, int n) {
  return best_of(cell_of(cluster, library, p), n).seconds;
}

// The mean error of the thesis's own predictions for short strings, of the library for which it is
// larger.
Tolerance error_between(const Cluster& cluster, const std::string& one, const std::string& other,
                        int p) {
  const auto mean = [&](const std::string& library) {
    double sum = 0;
    int cells = 0;
    for (const BspCell& cell : bsp_cells(bsp_table(BspProgram::standard, cluster.machine))) {
      if (cell.library != library || cell.p != p) continue;
      sum += cell.error_extended;
      ++cells;
    }
    return sum / cells;
  };
  return {std::max(mean(one), mean(other)) / 100, 0,
          "the mean error of the thesis's predictions for short strings on these processors"};
}

void says_faster(Result& result, const Cluster& cluster, const std::string& faster,
                 const std::string& slower, int n) {
  const int p = cluster.many;
  result.says_shorter(fmt::format("{}, p = {}, {} characters: {} is faster than {}",
                                  cluster.machine, p, n, faster, slower),
                      seconds_of(cluster, faster, p, n), seconds_of(cluster, slower, p, n),
                      by_model, error_between(cluster, faster, slower, p));
}

// "Few differences" are taken to be at most those of the default tolerance.
bool alike(const Cluster& cluster, const std::vector<std::string>& libraries, int n) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::string& library : libraries) {
    const double seconds = seconds_of(cluster, library, cluster.many, n);
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  return most <= (1 + Tolerance().relative) * least;
}

void add_curves(Result& result, const Cluster& cluster) {
  for (const std::string library : {"Oxtool", "PUB", cluster.mpi}) {
    for (const int p : {cluster.few, cluster.many}) {
      const std::string curve = fmt::format("{}, {}, p = {}", cluster.machine, library, p);
      for (int n = shortest; n <= longest; n *= 2) {
        const Speedup best = best_of(cell_of(cluster, library, p), n);
        result
            .row(fmt::format("{}, {} characters: speedup", curve, n), {}, best.over_one, "",
                 fmt::format("(5.3), alpha = {}", best.alpha))
            .on(curve, n);
      }
    }
  }
}

void say_large(Result& result) {
  result.says(fmt::format("aracari, p = {}, {} characters: few differences between the libraries",
                          aracari.many, longest),
              alike(aracari, {"Oxtool", "PUB", aracari.mpi}, longest), by_model);
  result.says(fmt::format("skua, p = {}, {} characters: few differences between Oxtool and MPI",
                          skua.many, longest),
              alike(skua, {"Oxtool", skua.mpi}, longest), by_model);
}

// The text says so of PUB "when the communication cost is too large". In the model communication
// weighs most for the shortest strings.
void say_pub_is_slow(Result& result) {
  for (const int n : {shortest, longest}) {
    for (const std::string library : {"Oxtool", skua.mpi}) {
      const double fast = seconds_of(skua, library, skua.many, n),
                   slow = seconds_of(skua, "PUB", skua.many, n);
      const std::string where = fmt::format("skua, p = {}, {} characters", skua.many, n);
      result.row(fmt::format("{}: speedup of {} over that of PUB", where, library), {}, slow / fast,
                 "", by_model);
      result.says_shorter(fmt::format("{}: PUB is substantially slower than {}", where, library),
                          fast, slow, by_model, error_between(skua, library, "PUB", skua.many));
    }
  }
}

// How much longer MPI takes than the faster one of the other libraries.
double behind(const Cluster& cluster, int p, int n) {
  return seconds_of(cluster, cluster.mpi, p, n) /
         std::min(seconds_of(cluster, "Oxtool", p, n), seconds_of(cluster, "PUB", p, n));
}

void say_short(Result& result) {
  for (const Cluster& cluster : {aracari, argus}) {
    for (const char* library : {"Oxtool", "PUB"})
      says_faster(result, cluster, library, cluster.mpi, shortest);
    result.says_shorter(
        fmt::format("{}, {} characters: MPI is further behind on {} processors than on {}",
                    cluster.machine, shortest, cluster.many, cluster.few),
        behind(cluster, cluster.few, shortest), behind(cluster, cluster.many, shortest), by_model,
        error_between(cluster, "Oxtool", cluster.mpi, cluster.many));
  }
  const double limit = 1 + Tolerance().relative;
  result.says(
      fmt::format("aracari, p = {}: MPI is comparable to the best library for {} characters, and "
                  "not for {}",
                  aracari.many, longest, shortest),
      behind(aracari, aracari.many, longest) <= limit &&
          behind(aracari, aracari.many, shortest) > limit,
      by_model);
}

// One f makes the time of one processor, and on the clusters another one makes that of many.
void add_note_of_rates(Result& result) {
  const BspCell cell = cell_of(aracari, "Oxtool", aracari.few);
  const double one = bsp_printed_f(cell.program, cell.machine), many = bsp_rates(cell, {})->f;
  result.notes.push_back(fmt::format(
      "Speedups are over the time that the f of table 5.3 alone gives to one processor. On aracari "
      "that is {:.2f} ns, and the times of many processors are by the {:.2f} ns of the exchanged "
      "rates (003-exchanged-rates). So no speedup on aracari can pass {:.3f} p here: {:.2f} on {} "
      "processors for the longest strings, where one f for both would give {:.2f}. Over what the "
      "thesis's speedups are is not printed: efficiencies above 100 % on argus speak for the "
      "printed f. Section 5.4 speaks against it: it has lower speedups with bits on all systems, "
      "and by this f table F.3 has at most 62 % on 4 processors of aracari, where G.3 has 88 %.",
      1e9 * one, 1e9 * many, one / many, best_of(cell, longest).over_one, aracari.few,
      best_of(cell, longest).over_one * many / one));
}

Result figure_5_12(const Item&) {
  Result result;
  for (const Cluster& cluster : {skua, aracari}) add_curves(result, cluster);
  say_large(result);
  say_pub_is_slow(result);
  say_short(result);
  result.x_axis = "characters";
  result.y_axis = "speedup";
  result.scale = draw::Scale::logarithmic;
  add_bsp_parameters(result, BspProgram::standard);
  result.notes.push_back(fmt::format(
      "The paper prints neither its lengths nor b of (5.4): strings of {} to {} characters stand "
      "here, and the fastest alpha up to {}. For {} characters on {} processors of aracari, "
      "Oxtool's alpha of {} means blocks of {:.0f} bytes.",
      shortest, longest, most_alpha, longest, aracari.many,
      best_of(cell_of(aracari, "Oxtool", aracari.many), longest).alpha,
      5.0 * longest / aracari.many /
          best_of(cell_of(aracari, "Oxtool", aracari.many), longest).alpha));
  result.notes.emplace_back(
      "The figure shows skua and aracari, and the text speaks of argus, too. Few differences are "
      "10 % at most, and substantially is more than the error of the thesis's predictions. The "
      "text has PUB slow on skua when the communication cost is too large, and does not say when "
      "it is: in the model it weighs most for the shortest strings, so these stand beside the "
      "longest ones.");
  add_note_of_rates(result);
  return result;
}

constexpr Run runs[] = {{"003-figure-5.12", figure_5_12}};

}  // namespace
}  // namespace bsp_speedups_items

std::span<const Run> bsp_speedups() {
  return bsp_speedups_items::runs;
}

}  // namespace tutti::papers
