// SPDX-License-Identifier: BSD-3-Clause
// Simulates one algorithm, or one implementation of paper 004, on one machine with one size, once
// or several times, and evaluates its formula.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "formats/matched_graph.hpp"
#include "replay/replay.hpp"
#include "selection/policy.hpp"
#include "simulate/simulate.hpp"
#include "simulation/implementations.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

struct Setting;

// A run of a program in place of one operation: a recorded one, or one that goes on now.
class PlayedRun {
 public:
  virtual ~PlayedRun() = default;
  // Simulates the run on the machine of the setting.
  [[nodiscard]] virtual replay::Replayed play(const Setting& setting,
                                              const simulate::SimulationOptions& options) const = 0;
  // Returns the call of the program to which an item belongs, which is a phase of its rank in
  // reports; empty if it is not known.
  [[nodiscard]] virtual std::string call_of(int node, int phase) const = 0;
};

struct Candidate {
  std::string name;  // such as "tree:branches=2" or "pairwise_F"
  // If it has no generator, `messages`, `exchange` or the run of the setting say what runs.
  selection::Forced algorithm{};
  Exchange exchange{};
  std::shared_ptr<const formats::MatchedGraph> messages{};  // of a file that names no operation
  bool best_partition = false;                              // if true, all partitions are tried
  bool best_settings = false;     // no settings are given: those of the least price are taken
  std::optional<double> price{};  // of `tutti explain`, if it was asked
};

struct Setting {
  machine::Machine machine;
  std::string file{};  // of messages, or what ran; empty if an operation is simulated
  std::shared_ptr<const PlayedRun> run{};  // nullptr unless a run of a program is simulated
  std::vector<std::string> streams{};  // their names, if ranks of the file have several processors
  schedule::Operation operation = schedule::Operation::alltoall;
  int ranks = 1;
  int root = 0;
  std::optional<Sync> sync{};  // replaces the synchronisation that sync_of() would return
  std::uint64_t seed = 1;
  int runs = 1;  // number of runs, with seeds `seed`, `seed` + 1 and so on
  std::size_t top = 5;
  // Simulations stop when they are beyond this time, in microseconds.
  double limit = std::numeric_limits<double>::infinity();
  Sizes::Of sized_by = Sizes::Of::vector;  // the user gave sizes of vectors or of blocks
};

struct Outcome {
  std::string name;  // includes the partition that was best
  Sync sync = Sync::none;
  Extent extent{};                       // blocks of an implementation all have the same size
  std::int64_t asked = 0;                // the size that was asked for, by which maps are sorted
  double least = 0, mean = 0, most = 0;  // times over all runs
  std::optional<double> formula{};       // empty if the algorithm states none
  std::optional<double> price{};         // of the candidate
  std::optional<replay::LeftOut> left_out{};  // by the simulation of a run
  simulate::Report report{};                  // report of the first run
};

// Returns the names of the streams of a file, such as "3 cpu 1"; none if each rank has one stream
// and one network interface.
[[nodiscard]] std::vector<std::string> stream_names(const formats::MatchedGraph& messages);

// Returns the name of a rank in a report: its number, or that of a stream.
[[nodiscard]] std::string node_name(const Setting& setting, int node);

// Says why an algorithm or an exchange is not defined for the ranks of the setting; empty if it is.
[[nodiscard]] std::string why_undefined(const Candidate& candidate, const Setting& setting);

// Throws base::Error(invalid_argument) if the candidate is not defined for the setting, and
// simulate::Failure if the simulation does not end. `observer` sees the first run.
[[nodiscard]] Outcome simulated(const Candidate& candidate, const Setting& setting,
                                const Extent& extent, simulate::Observer* observer = nullptr);

// Returns the setting's synchronisation if it has one. Otherwise returns that of an implementation;
// algorithms have none.
[[nodiscard]] Sync sync_of(const Candidate& candidate, const Setting& setting);

}  // namespace tutti::tools
