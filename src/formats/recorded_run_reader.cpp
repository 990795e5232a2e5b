// SPDX-License-Identifier: BSD-3-Clause
// Reads recorded runs. Rules for one process are checked here, while its line is known, and those
// for several when all is read (recorded_run_check.cpp).
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "formats/json_keys.hpp"
#include "formats/limits.hpp"
#include "formats/recorded_operation.hpp"
#include "formats/recorded_run.hpp"
#include "formats/recorded_run_check.hpp"

namespace tutti::formats {
namespace {

constexpr std::int64_t longest_computation = 999'999'999'999'999;  // nanoseconds, 11 days

class RecordedRunReader {
 public:
  RecordedRunReader(std::string_view text, std::string_view file) : json_(text, file) {}

  RecordedRun read() {
    static constexpr std::string_view known[] = {"tutti_recording", "tutti", "groups", "ranks"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      const std::size_t index = keys.take(key, known);
      if (index == 0) take_version(json_);
      if (index == 1) json_.skip();
      if (index == 2) read_groups();
      if (index != 3) return;
      keys.need(0, known);
      keys.need(2, known);
      json_.array([&] { read_rank(); });
    });
    keys.need(3, known);
    json_.end();
    number_operations();
    if (const std::string problem = problem_of(run_); !problem.empty()) json_.fail("{}", problem);
    return std::move(run_);
  }

 private:
  std::int64_t number(std::int64_t least, std::int64_t most) {
    return take_number(json_, least, most);
  }
  // Returns a number below `count`.
  int index(std::size_t count) {
    return static_cast<int>(number(0, static_cast<std::int64_t>(count) - 1));
  }
  int count() { return static_cast<int>(number(0, std::numeric_limits<int>::max())); }
  std::int64_t bytes() { return number(0, most_bytes_of_message); }
  std::uint32_t request() {
    return static_cast<std::uint32_t>(number(1, std::numeric_limits<std::int32_t>::max()));
  }

  void read_groups() {
    json_.object([&](std::string_view id) {
      if (!operations_.add_group(id, static_cast<int>(run_.groups.size())))
        json_.fail("the group stands twice");
      std::vector<int>& members = run_.groups.emplace_back();
      json_.array([&] { members.push_back(index(most_ranks)); });
      if (members.empty()) json_.fail("a group has no members");
      if (std::set<int>(members.begin(), members.end()).size() != members.size())
        json_.fail("a rank stands twice in the group");
    });
  }

  void read_rank() {
    if (run_.ranks.size() == most_ranks) json_.fail("there are more ranks than {}", most_ranks);
    rank_ = &run_.ranks.emplace_back();
    static constexpr std::string_view known[] = {"process", "complete", "calls", "counters",
                                                 "bound",   "items",    "places"};
    Keys keys(json_);
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, known);
      if (which == 0) rank_->process = count();
      if (which == 1) rank_->complete = json_.boolean();
      if (which == 2) json_.array([&] { rank_->calls.push_back(json_.string(most_text)); });
      if (which == 3) json_.array([&] { rank_->counters.push_back(json_.string(most_text)); });
      if (which == 6) json_.array([&] { rank_->places.push_back(json_.string(most_text)); });
      if (which == 4) json_.array([&] { read_bound(); });
      if (which != 5) return;
      for (std::size_t before = 0; before < which; ++before) keys.need(before, known);
      json_.array([&] { read_item(); });
    });
    keys.need(5, known);
  }

  void read_bound() {
    const int self = static_cast<int>(run_.ranks.size()) - 1;
    rank_->bound.push_back(operations_.read(json_, self));
  }

  // Operations of a group have the order of the items.
  void number_operations() {
    for (RecordedRank& rank : run_.ranks) {
      std::map<int, std::int64_t> counts;  // by group
      for (RecordedItem& item : rank.items)
        if (auto* const one = std::get_if<RecordedCall>(&item.what))
          one->number = counts[rank.bound[static_cast<std::size_t>(one->bound)].group]++;
    }
  }

  // ---- items ----
  // Keys of items; the first ten are their verbs.
  enum Word : std::size_t {
    run,
    send_to,
    receive_from,
    probe,
    post,
    wait,
    arrive,
    shared,
    spend,
    until,
    call,
    message,
    length,
    many,
    under,
    after,
    place
  };
  static constexpr std::string_view words_of_items_[] = {
      "run",   "send", "receive", "probe", "post",  "wait",    "arrive", "shared", "spend",
      "until", "call", "message", "bytes", "count", "request", "after",  "place"};
  static constexpr std::size_t verbs_ = call;
  // By verb: a bit for each word from "message" to "request" that its items must have. Those of run
  // and send may have a request, and no item has any other of these words.
  static constexpr unsigned needed_[] = {0,
                                         1U << length,
                                         1U << message,
                                         1U << message,
                                         1U << message | 1U << under,
                                         0,
                                         1U << many,
                                         0,
                                         0,
                                         0};

  // An item as it stands in the file.
  struct Words {
    std::size_t verb = verbs_;
    int first = 0, message = 0;
    std::int64_t bytes = 0, count = 0;
    std::uint32_t request = 0;
  };

  void read_item() {
    if (++items_ > most_operations)
      json_.fail("there are more items than the limit, {}", most_operations);
    Keys keys(json_);
    RecordedItem& item = rank_->items.emplace_back();
    Words words;
    json_.object([&](std::string_view key) {
      const std::size_t which = keys.take(key, words_of_items_);
      if (which < verbs_) return read_verb(words, which);
      if (which == call) item.call = index(rank_->calls.size());
      if (which == message) words.message = static_cast<int>(number(0, most_operations - 1));
      if (which == length) words.bytes = bytes();
      if (which == many) words.count = number(1, most_ranks);
      if (which == under) words.request = request();
      if (which == after) item.after = number(0, longest_computation);
      if (which == place) item.place = index(rank_->places.size());
    });
    check(keys, words);
    item.what = what_of(words);
  }

  void read_verb(Words& words, std::size_t verb) {
    if (words.verb != verbs_)
      json_.fail("an item has one verb, and {} stands before", words_of_items_[words.verb]);
    words.verb = verb;
    if (verb == wait) {
      words.request = request();
    } else if (verb == spend || verb == until) {
      words.count = number(0, longest_computation);
    } else {
      words.first = count();
    }
  }

  void check(const Keys& keys, const Words& words) const {
    if (words.verb == verbs_)
      json_.fail(
          "an item needs a verb: run, send, receive, probe, post, wait, arrive, spend, until or "
          "shared");
    for (std::size_t word = message; word <= under; ++word) {
      if ((needed_[words.verb] >> word & 1) != 0) {
        keys.need(word, words_of_items_);
      } else if (keys.has(word) && !(word == under && words.verb <= send_to)) {
        json_.fail("{} has no {}", words_of_items_[words.verb], words_of_items_[word]);
      }
    }
    if (words.verb == run) check_index(words.first, rank_->bound.size());
    if (words.verb == arrive) check_index(words.first, rank_->counters.size());
  }
  void check_index(int index, std::size_t count) const {
    if (static_cast<std::size_t>(index) >= count)
      json_.fail("the number is {}, and there are {}", index, count);
  }

  static RecordedDeed what_of(const Words& words) {
    switch (words.verb) {
      case run:
        return RecordedCall{words.first, words.request};
      case send_to:
        return RecordedSend{words.first, words.bytes, words.request};
      case receive_from:
        return RecordedReceive{words.first, words.message};
      case probe:
        return RecordedProbe{words.first, words.message};
      case post:
        return RecordedPost{words.first, words.message, words.request};
      case wait:
        return RecordedWait{words.request};
      case arrive:
        return RecordedArrival{words.first, words.count};
      case spend:
        return RecordedSpending{words.count};
      case until:
        return RecordedSpending{.nanoseconds = words.count, .until = true};
      default:
        return RecordedShared{};
    }
  }

  JsonText json_;
  RecordedRun run_;
  RecordedRank* rank_ = nullptr;  // the one that is read
  RecordedOperationReader operations_{run_.groups, most_rounds_of_ranks};
  std::int64_t items_ = 0;
};

}  // namespace

bool is_recorded_run(std::string_view text) {
  std::size_t at = 0;
  const auto skip = [&] { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  skip();
  if (!text.substr(at).starts_with('{')) return false;
  ++at;
  skip();
  return text.substr(at).starts_with("\"tutti_recording\"");
}

RecordedRun read_recorded_run(std::string_view text, std::string_view file) {
  return RecordedRunReader(text, file).read();
}

}  // namespace tutti::formats
