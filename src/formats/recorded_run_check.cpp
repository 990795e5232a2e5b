// SPDX-License-Identifier: BSD-3-Clause
#include "formats/recorded_run_check.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace tutti::formats {
namespace {

class RecordedRunCheck {
 public:
  explicit RecordedRunCheck(const RecordedRun& run) : run_(run) {}

  std::string problem() {
    const int ranks = static_cast<int>(run_.ranks.size());
    if (ranks == 0) return "there are no ranks";
    for (const std::vector<int>& group : run_.groups)
      for (const int member : group)
        if (member >= ranks) return fmt::format("a group has rank {}, which is not there", member);
    for (rank_ = 0; rank_ < ranks; ++rank_)
      for (const RecordedItem& item : at(rank_).items)
        if (const std::string found = problem_of_item(item); !found.empty())
          return fmt::format("rank {}: {}", rank_, found);
    const std::string found = problem_of_messages();
    return found.empty() ? problem_of_operations() : found;
  }

 private:
  using Pair = std::pair<int, int>;

  [[nodiscard]] const RecordedRank& at(int rank) const {
    return run_.ranks[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] bool exists(int rank) const { return rank < static_cast<int>(run_.ranks.size()); }

  std::string problem_of_item(const RecordedItem& item) {
    if (const auto* call = std::get_if<RecordedCall>(&item.what)) {
      const RecordedOperation& bound = at(rank_).bound[static_cast<std::size_t>(call->bound)];
      operations_[{rank_, bound.group}][call->number] = &bound;
      return open(call->request);
    }
    if (const auto* send = std::get_if<RecordedSend>(&item.what)) {
      if (!exists(send->to)) return fmt::format("there is no rank {} to send to", send->to);
      ++sent_[{rank_, send->to}];
      return open(send->request);
    }
    if (const auto* receive = std::get_if<RecordedReceive>(&item.what))
      return take(receive->from, receive->message);
    if (const auto* probe = std::get_if<RecordedProbe>(&item.what))
      return look_at(probe->from, probe->message);
    if (const auto* post = std::get_if<RecordedPost>(&item.what)) {
      const std::string found = take(post->from, post->message);
      return found.empty() ? open(post->request) : found;
    }
    if (const auto* wait = std::get_if<RecordedWait>(&item.what))
      if (open_.erase({rank_, wait->request}) == 0)
        return fmt::format("nothing is under way under the number {}", wait->request);
    return "";
  }

  std::string open(std::uint32_t request) {
    if (request == 0 || open_.emplace(rank_, request).second) return "";
    return fmt::format("the number {} is in use when something else gets it", request);
  }
  std::string look_at(int from, int message) {
    if (!exists(from)) return fmt::format("there is no rank {} to receive from", from);
    int& most = most_[{from, rank_}];
    most = std::max(most, message + 1);
    return "";
  }
  std::string take(int from, int message) {
    if (const std::string found = look_at(from, message); !found.empty()) return found;
    if (taken_[{from, rank_}].insert(message).second) return "";
    return fmt::format("message {} of rank {} is received twice", message, from);
  }

  std::string problem_of_messages() {
    for (const auto& [pair, most] : most_)
      if (most > sent_[pair] && at(pair.first).complete)
        return fmt::format("rank {} receives message {} of rank {}, which sends {}", pair.second,
                           most - 1, pair.first, sent_[pair]);
    return "";
  }

  using Operations = std::map<std::int64_t, const RecordedOperation*>;  // by number

  // The k-th operation of a group is the same one for all its members.
  std::string problem_of_operations() {
    for (int group = 0; group < static_cast<int>(run_.groups.size()); ++group) {
      const std::vector<int>& members = run_.groups[static_cast<std::size_t>(group)];
      const int first = members.front();
      const Operations& all = operations_[{first, group}];
      for (const int member : members) {
        const Operations& others = operations_[{member, group}];
        if (others.size() != all.size() && at(first).complete && at(member).complete)
          return fmt::format("rank {} has {} operations of a group, and rank {} has {}", first,
                             all.size(), member, others.size());
        for (const auto& [k, one] : others)
          if (const auto found = all.find(k);
              found != all.end() && found->second->operation != one->operation)
            return fmt::format("operation {} of a group is {} on rank {} and {} on rank {}", k,
                               schedule::to_text(found->second->operation), first,
                               schedule::to_text(one->operation), member);
      }
    }
    return "";
  }

  const RecordedRun& run_;
  int rank_ = 0;
  std::set<std::pair<int, std::uint32_t>> open_;
  // By sender and receiver: messages that are sent, that are needed, and those received.
  std::map<Pair, int> sent_, most_;
  std::map<Pair, std::set<int>> taken_;
  std::map<Pair, Operations> operations_;  // by rank and group
};

}  // namespace

std::string problem_of(const RecordedRun& run) {
  return RecordedRunCheck(run).problem();
}

}  // namespace tutti::formats
