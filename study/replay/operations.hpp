// SPDX-License-Identifier: BSD-3-Clause
// The operations of a recorded run, as they were bound, or by another algorithm.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "formats/recorded_run.hpp"
#include "simulate/running.hpp"

namespace tutti::replay {

// An algorithm that takes the place of the one that has run. Its factors must outlive the replay.
struct Substitute {
  const schedule::Generator* generator = nullptr;
  schedule::Shape shape{};
};
// Returns what serves an operation in place of what has run; nullopt if that stays. It is asked
// only where all ranks have equally many elements. The generator must be defined for the shape.
using Choose =
    std::function<std::optional<Substitute>(const formats::RecordedOperation& operation, int p)>;

class RecordedOperations {
 public:
  // The run must outlive this object.
  RecordedOperations(const formats::RecordedRun& run, simulate::Posting posting, Choose choose);

  // Returns the number-th operation of a group. All members take part in it.
  [[nodiscard]] simulate::BoundOperation& at(int group, std::size_t number);

  // Returns how many operations have another algorithm than they had, and how many were to have
  // one but are cut unevenly.
  [[nodiscard]] std::int64_t substituted() const { return substituted_; }
  [[nodiscard]] std::int64_t kept() const { return kept_; }

 private:
  // By member: the index of its part in RecordedRank::bound.
  using Parts = std::vector<int>;
  // Equal operations share one object, because it does not depend on when they run.
  struct Entry {
    simulate::JobOperation by{};  // of a substitute
    std::unique_ptr<simulate::BoundOperation> operation;
    bool is_substitute = false, is_kept = false;
  };
  [[nodiscard]] Entry& entry_of(int group, const Parts& parts);
  [[nodiscard]] const formats::RecordedOperation& part_of(int group, const Parts& parts,
                                                          std::size_t member) const;

  const formats::RecordedRun& run_;
  simulate::Posting posting_;
  Choose choose_;
  std::vector<std::vector<std::vector<int>>> bound_;           // by group, member and number
  std::vector<std::vector<simulate::BoundOperation*>> found_;  // by group and number
  std::map<std::pair<int, Parts>, Entry> entries_;
  std::int64_t substituted_ = 0, kept_ = 0;
};

}  // namespace tutti::replay
