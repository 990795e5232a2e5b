// SPDX-License-Identifier: BSD-3-Clause
// Reads the rounds of bound operations, and finds those that have another algorithm.
#include "replay/operations.hpp"

#include <algorithm>

namespace tutti::replay {
namespace {

using formats::RecordedCall;
using formats::RecordedOperation;

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

void BoundPart::read(simulate::NodeRound& round, int /* member */, int t) {
  const schedule::BoundRound& recorded = part_.rounds[static_cast<std::size_t>(t)];
  round.copies = recorded.copies;
  round.combines = recorded.combines;
  round.passes_on = recorded.passes_on;
  for (const auto& [to, bytes] : recorded.sends) round.sends.push_back({node(to), bytes});
  for (const auto& [from, then] : recorded.receives) round.receives.push_back({node(from), then});
}

Substitutes::Substitutes(const formats::RecordedRun& run, simulate::Posting posting, Choose choose)
    : run_(run), posting_(posting), choose_(std::move(choose)) {
  if (choose_) note_parts();
}

void Substitutes::note_parts() {
  found_.resize(run_.groups.size());
  for (const std::vector<int>& group : run_.groups) bound_.emplace_back(group.size());
  for (const formats::RecordedRank& rank : run_.ranks)
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

simulate::BoundOperation* Substitutes::at(int group, std::size_t number) {
  if (!choose_) return nullptr;
  auto& found = found_[static_cast<std::size_t>(group)];
  if (found.size() <= number) found.resize(number + 1, nullptr);
  Entry*& entry = found[number];
  if (entry == nullptr) {
    Parts parts;
    for (const std::vector<int>& member : bound_[static_cast<std::size_t>(group)])
      parts.push_back(member[number]);
    entry = &entry_of(group, parts);
    substituted_ += entry->operation != nullptr ? 1 : 0;
    kept_ += entry->is_kept ? 1 : 0;
  }
  return entry->operation.get();
}

const RecordedOperation& Substitutes::part_of(int group, const Parts& parts,
                                              std::size_t member) const {
  const int rank = run_.groups[static_cast<std::size_t>(group)][member];
  const auto bound = static_cast<std::size_t>(parts[member]);
  return run_.ranks[static_cast<std::size_t>(rank)].bound[bound];
}

Substitutes::Entry& Substitutes::entry_of(int group, const Parts& parts) {
  const auto [place, is_new] = entries_.try_emplace({group, parts});
  Entry& entry = place->second;
  if (!is_new) return entry;
  const RecordedOperation& first = part_of(group, parts, 0);
  const std::optional<Substitute> by = choose_(first, static_cast<int>(parts.size()));
  bool alike = true;
  for (std::size_t member = 0; member < parts.size(); ++member) {
    const RecordedOperation& part = part_of(group, parts, member);
    alike = alike && part.even && part.bytes == first.bytes && part.element == first.element &&
            part.root == first.root;
  }
  entry.is_kept = by && !alike;
  if (!by || !alike) return entry;
  entry.by = job_operation(*by, first, run_.groups[static_cast<std::size_t>(group)], posting_);
  entry.operation = std::make_unique<simulate::Running>(entry.by);
  return entry;
}

}  // namespace tutti::replay
