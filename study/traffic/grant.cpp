// SPDX-License-Identifier: BSD-3-Clause
// Simulates circuit switching in unit steps: decides in which step each message gets its path.
// Implements granted() of message.hpp.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "traffic/message.hpp"

namespace tutti::traffic {
namespace {

class Granting {
 public:
  Granting(const Messages& messages, const machine::Topology& topology) : topology_(topology) {
    for (const Message& message : routed(messages, topology)) {
      waiting_[message.from].push_back(message);
      expected_[message.to].insert(message.step);
    }
  }

  Messages run() {
    for (int step = 1; !waiting_.empty(); ++step) {
      const std::size_t before = sent_.size();
      one_step(step);
      for (std::size_t i = before; i < sent_.size(); ++i) arrive(sent_[i]);
    }
    std::stable_sort(sent_.begin(), sent_.end(), [](const Message& a, const Message& b) {
      return std::pair(a.step, a.from) < std::pair(b.step, b.from);
    });
    return std::move(sent_);
  }

 private:
  void one_step(int step) {
    busy_.assign(static_cast<std::size_t>(topology_.links()), false);
    rounds_.clear();
    for (auto rank = waiting_.begin(); rank != waiting_.end();) {
      Message& next = rank->second.front();
      if (!ready(next) || !take(next.route)) {
        ++rank;
        continue;
      }
      rounds_.push_back(next.step);
      next.step = step;
      sent_.push_back(std::move(next));
      rank->second.pop_front();
      rank = rank->second.empty() ? waiting_.erase(rank) : std::next(rank);
    }
  }

  bool ready(const Message& message) const {
    const auto expected = expected_.find(message.from);
    return !message.forwards || expected == expected_.end() || expected->second.empty() ||
           *expected->second.begin() >= message.step;
  }

  bool take(const machine::Route& route) {
    const auto at = [&](machine::Link link) {
      return static_cast<std::size_t>(topology_.index(link));
    };
    if (std::any_of(route.begin(), route.end(),
                    [&](machine::Link link) { return busy_[at(link)]; }))
      return false;
    for (const machine::Link link : route) busy_[at(link)] = true;
    return true;
  }

  // A message sent in this step has arrived in the next one. `rounds_` has the rounds of the sent
  // messages in the order of `sent_`.
  void arrive(const Message& message) {
    auto& expected = expected_[message.to];
    expected.erase(expected.find(rounds_.front()));
    rounds_.pop_front();
  }

  const machine::Topology& topology_;
  std::map<int, std::deque<Message>> waiting_;  // messages by sender, in order
  // Rounds of the messages that have not arrived yet, by receiver.
  std::map<int, std::multiset<int>> expected_;
  std::vector<bool> busy_;
  std::deque<int> rounds_;
  Messages sent_;
};

}  // namespace

Messages granted(const Messages& messages, const machine::Topology& topology) {
  return Granting(messages, topology).run();
}

}  // namespace tutti::traffic
