// SPDX-License-Identifier: BSD-3-Clause
// Records what this process does, if `tutti run --record` asks for it: its collectives, each with
// the rounds that the engine has bound, its messages, and for how long it computes in between.
// `tutti simulate` replays that on described machines. The record keeps what depended on time, such
// as which message came first. Under `tutti run --machine` the timekeeper gets the same items while
// the process runs, and answers what depends on time.
//
// The items lie in a mapped file, so those of a process that is killed stay. The file grows with
// them. Nothing else is written while a call runs, except for a bound operation that is new.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/descriptor.hpp"
#include "transport/record/item.hpp"
#include "transport/timed/stream.hpp"
#include "transport/trace/known_names.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::record {

class RunRecorder {
 public:
  struct Request {
    std::string path;  // of the job's file; empty if there is none
    int process = 0;
    bool places = false;                 // calls tell from where they come
    timed::TimedBoard* timed = nullptr;  // of a job in virtual time
  };
  // Throws Error(bad_environment) if the file cannot be made.
  explicit RunRecorder(const Request& request);
  ~RunRecorder();
  RunRecorder(const RunRecorder&) = delete;
  RunRecorder& operator=(const RunRecorder&) = delete;

  // The process leaves its job, or ends by itself. Nothing that it does afterwards is recorded. A
  // child made by fork() closes nothing.
  void close();

  // Returns the stream to the timekeeper; nullptr if the job has the time of this machine.
  [[nodiscard]] timed::TimedStream* stream() { return stream_ ? &*stream_ : nullptr; }

  // Calls of the program. A call within a call belongs to the outer one.
  void call_begins(const trace::KnownNames::Words& name) {
    if (depth_++ > 0) return;
    count_computing();
    call_ = static_cast<std::uint16_t>(names_.number_of(name, [this](std::string_view text) {
      return known(name_numbers_, ItemKind::name, text);
    }));
  }
  void call_ends() {
    if (depth_ == 0 || --depth_ > 0) return;
    call_ = 0;
    place_of_call_ = 0;
    last_ = now();
  }

  // Says from which place of the program the present call comes. `text()` describes the place; it
  // is asked once for each.
  template <class Text>
  void comes_from(std::uint64_t place, const Text& text) {
    if (depth_ != 1 || place == 0) return;
    const auto [known_place, is_new] =
        places_.try_emplace(place, static_cast<std::uint32_t>(places_.size() + 1));
    if (is_new) put_text(ItemKind::place, text());
    place_of_call_ = known_place->second;
  }

  [[nodiscard]] bool wants_places() const { return wants_places_; }

  // --- collectives ---
  // Returns the number of a bound operation, the same for equal texts; see ItemKind.
  [[nodiscard]] std::int32_t number_of_bound(std::string_view json) {
    return static_cast<std::int32_t>(known(bound_numbers_, ItemKind::bound, json)) - 1;
  }
  // Called before the first operation of a group. Returns false if it is known.
  [[nodiscard]] bool is_new_group(std::uint64_t id) { return groups_.insert(id).second; }
  void group(std::string_view members) { put_text(ItemKind::group, members); }
  // Operations of a group are recorded in the order of their numbers.
  void runs(std::int32_t bound) { put(ItemKind::run, bound, 0, 0); }
  // Returns the request of an operation that goes on beside calls.
  [[nodiscard]] std::uint32_t starts(std::int32_t bound) {
    put(ItemKind::run, bound, ++requests_, 0);
    return requests_;
  }

  // --- messages, and waits for other processes. They have no virtual time yet. ---
  // Called before the program sends, waits or looks. Throws Error(invalid_argument) in a job in
  // virtual time.
  void require_time_of_this_machine() const;
  void sends(int to, std::uint64_t bytes) { put(ItemKind::send, to, 0, bytes); }
  [[nodiscard]] std::uint32_t starts_to_send(int to, std::uint64_t bytes) {
    put(ItemKind::send, to, ++requests_, bytes);
    return requests_;
  }
  // A send that was started does not take place.
  void withdraws(std::uint32_t request) { put(ItemKind::withdraw, 0, request, 0); }
  // Returns the number of the next message that has come from an endpoint, from 0.
  [[nodiscard]] std::uint32_t next_from(int source) { return come_[source]++; }
  void receives(int from, std::uint32_t number) { put(ItemKind::receive, from, 0, number); }
  void sees(int from, std::uint32_t number) { put(ItemKind::probe, from, 0, number); }
  [[nodiscard]] std::uint32_t posts() {
    put(ItemKind::post, 0, ++requests_, 0);
    return requests_;
  }
  // Notes which message a posted receive has got. That takes no place among what the program does.
  void comes_for(std::uint32_t request, int from, std::uint32_t number) {
    const std::uint64_t computed = std::exchange(computed_, 0);
    put(ItemKind::come, from, request, number);
    computed_ = computed;
  }
  void waited_for(std::uint32_t request) { put(ItemKind::wait, 0, request, 0); }

  // The program uses memory that other processes use, too. Nobody sees who waits for whom there.
  void shares() { put(ItemKind::share, 0, 0, 0); }
  // The program says for how long it computes, or until when: ItemKind::spend or until.
  void spends(ItemKind how, std::uint64_t nanoseconds) { put(how, 0, 0, nanoseconds); }
  void arrives(std::string_view counter, int count) {
    const auto number = known(counter_numbers_, ItemKind::counter, counter);
    put(ItemKind::arrive, static_cast<std::int32_t>(number) - 1, 0,
        static_cast<std::uint64_t>(count));
  }

 private:
  using Numbers = std::unordered_map<std::string, std::uint32_t>;

  [[nodiscard]] std::uint64_t now() const { return trace::ticks(counter_); }
  void count_computing() {
    const std::uint64_t tick = now();
    computed_ += tick - last_;
    last_ = tick;
  }
  void put(ItemKind kind, std::int32_t peer, std::uint32_t request, std::uint64_t bytes) {
    if (depth_ == 0) count_computing();
    const RecordItem item{.kind = kind,
                          .call = call_,
                          .peer = peer,
                          .request = request,
                          .place = place_of_call_,
                          .bytes = bytes,
                          .ticks = std::exchange(computed_, 0)};
    keep(item);
    if (stream_ && kind != ItemKind::end) stream_->put(item);
  }
  void keep(RecordItem item) {
    const ItemKind kind = std::exchange(item.kind, ItemKind::none);
    *place_ = item;
    // A process that is killed here leaves no half item.
    std::atomic_ref(place_->kind).store(kind, std::memory_order_release);
    step();
  }
  void step() {
    if (++place_ == end_) [[unlikely]]
      grow();
  }
  void put_text(ItemKind kind, std::string_view text);
  // Returns the number of a text, from 1, and writes it if it is new.
  [[nodiscard]] std::uint32_t known(Numbers& numbers, ItemKind kind, std::string_view text);
  void begin_file(const Request& request);
  void grow();
  void stop(int error);
  void unmap();

  std::string path_;
  base::Descriptor file_;
  std::optional<timed::TimedStream> stream_;
  std::int64_t at_ = static_cast<std::int64_t>(first_item_at);  // of the next window
  RecordItem* window_ = nullptr;
  RecordItem* place_ = nullptr;
  RecordItem* end_ = nullptr;
  // Items after the end go here and are lost.
  std::unique_ptr<RecordItem[]> nowhere_;
  int pid_;
  std::uint64_t last_ = 0;      // tick of the end of the last call
  std::uint64_t computed_ = 0;  // ticks since the last item
  int depth_ = 0;               // calls that this process is in
  std::uint16_t call_ = 0;
  std::uint32_t place_of_call_ = 0;
  bool counter_, wants_places_;
  std::uint32_t requests_ = 0;
  trace::KnownNames names_;
  Numbers name_numbers_, bound_numbers_, counter_numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::unordered_set<std::uint64_t> groups_;
  std::unordered_map<int, std::uint32_t> come_;  // messages by sender
};

}  // namespace tutti::record
