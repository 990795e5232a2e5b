// SPDX-License-Identifier: BSD-3-Clause
// Puts together what the members of a group have recorded of one operation (operations.hpp).
#include "replay/operations.hpp"

#include <algorithm>

namespace tutti::replay {
namespace {

using formats::RecordedCall;
using formats::RecordedOperation;

// The parts of all members, as the engine has bound them.
class AsRecorded : public simulate::BoundOperation {
 public:
  AsRecorded(std::vector<const RecordedOperation*> parts, const std::vector<int>& nodes,
             simulate::Posting posting)
      : BoundOperation({.members = static_cast<int>(parts.size()), .posting = posting}),
        parts_(std::move(parts)),
        nodes_(nodes) {
    for (const RecordedOperation* part : parts_) rounds_ = std::max(rounds_, part->rounds.size());
  }

  [[nodiscard]] int rounds() const override { return static_cast<int>(rounds_); }
  void read(simulate::NodeRound& round, int member, int t) override {
    const RecordedOperation& part = *parts_[static_cast<std::size_t>(member)];
    if (static_cast<std::size_t>(t) >= part.rounds.size()) return;
    const schedule::BoundRound& recorded = part.rounds[static_cast<std::size_t>(t)];
    round.copies = recorded.copies;
    round.combines = recorded.combines;
    round.passes_on = recorded.passes_on;
    for (const auto& [to, bytes] : recorded.sends) round.sends.push_back({node(to), bytes});
    for (const auto& [from, then] : recorded.receives) round.receives.push_back({node(from), then});
  }

 private:
  [[nodiscard]] int node(int member) const { return nodes_[static_cast<std::size_t>(member)]; }

  std::vector<const RecordedOperation*> parts_;
  const std::vector<int>& nodes_;
  std::size_t rounds_ = 0;
};

simulate::JobOperation job_operation(const Substitute& by, const RecordedOperation& recorded,
                                     const std::vector<int>& nodes, simulate::Posting posting) {
  simulate::JobOperation operation;
  operation.posting = posting;
  operation.generator = by.generator;
  operation.shape = by.shape;
  operation.nodes = nodes;
  operation.bytes = recorded.bytes;
  operation.element = static_cast<int>(recorded.element);
  return operation;
}

}  // namespace

RecordedOperations::RecordedOperations(const formats::RecordedRun& run, simulate::Posting posting,
                                       Choose choose)
    : run_(run),
      posting_(posting),
      choose_(std::move(choose)),
      bound_(run.groups.size()),
      found_(run.groups.size()) {
  for (std::size_t group = 0; group < run.groups.size(); ++group)
    bound_[group].resize(run.groups[group].size());
  for (const formats::RecordedRank& rank : run.ranks)
    for (const formats::RecordedItem& item : rank.items) {
      const auto* const call = std::get_if<RecordedCall>(&item.what);
      if (call == nullptr) continue;
      const RecordedOperation& part = rank.bound[static_cast<std::size_t>(call->bound)];
      std::vector<int>& all =
          bound_[static_cast<std::size_t>(part.group)][static_cast<std::size_t>(part.member)];
      const auto number = static_cast<std::size_t>(call->number);
      if (all.size() <= number) all.resize(number + 1);
      all[number] = call->bound;
    }
}

simulate::BoundOperation& RecordedOperations::at(int group, std::size_t number) {
  auto& found = found_[static_cast<std::size_t>(group)];
  if (found.size() <= number) found.resize(number + 1, nullptr);
  if (found[number] != nullptr) return *found[number];
  Parts parts;
  for (const std::vector<int>& member : bound_[static_cast<std::size_t>(group)])
    parts.push_back(member[number]);
  const Entry& entry = entry_of(group, parts);
  substituted_ += entry.is_substitute ? 1 : 0;
  kept_ += entry.is_kept ? 1 : 0;
  return *(found[number] = entry.operation.get());
}

const RecordedOperation& RecordedOperations::part_of(int group, const Parts& parts,
                                                     std::size_t member) const {
  const int rank = run_.groups[static_cast<std::size_t>(group)][member];
  const auto bound = static_cast<std::size_t>(parts[member]);
  return run_.ranks[static_cast<std::size_t>(rank)].bound[bound];
}

RecordedOperations::Entry& RecordedOperations::entry_of(int group, const Parts& parts) {
  const auto [place, is_new] = entries_.try_emplace({group, parts});
  Entry& entry = place->second;
  if (!is_new) return entry;
  const std::vector<int>& nodes = run_.groups[static_cast<std::size_t>(group)];
  std::vector<const RecordedOperation*> all;
  for (std::size_t member = 0; member < parts.size(); ++member)
    all.push_back(&part_of(group, parts, member));
  std::optional<Substitute> by;
  if (choose_) by = choose_(*all.front(), static_cast<int>(parts.size()));
  const RecordedOperation& first = *all.front();
  const bool alike = std::all_of(all.begin(), all.end(), [&first](const RecordedOperation* part) {
    return part->even && part->bytes == first.bytes && part->element == first.element &&
           part->root == first.root;
  });
  entry.is_substitute = by && alike;
  entry.is_kept = by && !alike;
  if (entry.is_substitute) {
    entry.by = job_operation(*by, first, nodes, posting_);
    entry.operation = std::make_unique<simulate::Running>(entry.by);
  } else {
    entry.operation = std::make_unique<AsRecorded>(std::move(all), nodes, posting_);
  }
  return entry;
}

}  // namespace tutti::replay
