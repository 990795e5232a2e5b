// SPDX-License-Identifier: BSD-3-Clause
// The operations of a recorded run, as they were bound, or by another algorithm.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "formats/recorded_run.hpp"
#include "simulate/running.hpp"

namespace tutti::replay {

// The part of one member of an operation, as the engine has bound it.
class BoundPart : public simulate::BoundOperation {
 public:
  // `nodes` has the ranks of the members. They and the part must outlive the object.
  BoundPart(const formats::RecordedOperation& part, std::span<const int> nodes,
            simulate::Posting posting)
      : BoundOperation({.members = static_cast<int>(nodes.size()), .posting = posting}),
        part_(part),
        nodes_(nodes) {}

  [[nodiscard]] int rounds(int /* member */) const override {
    return static_cast<int>(part_.rounds.size());
  }
  void read(simulate::NodeRound& round, int member, int t) override;

 private:
  [[nodiscard]] int node(int member) const { return nodes_[static_cast<std::size_t>(member)]; }

  const formats::RecordedOperation& part_;
  std::span<const int> nodes_;
};

// An algorithm that takes the place of the one that has run. Its factors must outlive the replay.
struct Substitute {
  const schedule::Generator* generator = nullptr;
  schedule::Shape shape{};
};
// Returns what serves an operation in place of what has run; nullopt if that stays. It is asked
// only where all ranks have equally many elements. The generator must be defined for the shape.
using Choose =
    std::function<std::optional<Substitute>(const formats::RecordedOperation& operation, int p)>;

// The operations that have another algorithm than in the record.
class Substitutes {
 public:
  // The run must outlive this object.
  Substitutes(const formats::RecordedRun& run, simulate::Posting posting, Choose choose);

  // Returns what takes the place of the number-th operation of a group; nullptr if that stays. All
  // members take part in it.
  [[nodiscard]] simulate::BoundOperation* at(int group, std::size_t number);

  // Returns how many operations have another algorithm than they had, and how many were to have
  // one but are cut unevenly.
  [[nodiscard]] std::int64_t substituted() const { return substituted_; }
  [[nodiscard]] std::int64_t kept() const { return kept_; }

 private:
  // By member: the index of its part in RecordedRank::bound.
  using Parts = std::vector<int>;
  // Equal operations share one object, because it does not depend on when they run.
  struct Entry {
    simulate::JobOperation by{};
    std::unique_ptr<simulate::Running> operation{};  // nullptr: it keeps its algorithm
    bool is_kept = false;
  };
  void note_parts();
  [[nodiscard]] Entry& entry_of(int group, const Parts& parts);
  [[nodiscard]] const formats::RecordedOperation& part_of(int group, const Parts& parts,
                                                          std::size_t member) const;

  const formats::RecordedRun& run_;
  simulate::Posting posting_;
  Choose choose_;
  std::vector<std::vector<std::vector<int>>> bound_;  // by group, member and number
  std::vector<std::vector<Entry*>> found_;            // by group and number
  std::map<std::pair<int, Parts>, Entry> entries_;
  std::int64_t substituted_ = 0, kept_ = 0;
};

}  // namespace tutti::replay
