// SPDX-License-Identifier: BSD-3-Clause
// Records what this process does, if `tutti run --record` asks for it: its collectives, each with
// the rounds that the engine has bound, its messages, and for how long it computes in between.
// `tutti simulate` replays that on described machines. The record keeps what depended on time, such
// as which message came first. Under `tutti run --machine` the timekeeper gets the same items while
// the process runs, and answers what depends on time.
//
// The items lie in a mapped file, so those of a process that is killed stay. Nothing else is
// written while a call runs, except for a bound operation that is new.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "transport/record/record_file.hpp"
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
    if (stream_) stream_->set_call(call_);
  }
  void call_ends() {
    if (depth_ == 0 || --depth_ > 0) return;
    call_ = 0;
    if (stream_) stream_->set_call(0);
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

  // --- messages ---
  void sends(int to, transport::Label key, std::uint64_t bytes) { put_send(to, key, 0, bytes); }
  [[nodiscard]] std::uint32_t starts_to_send(int to, transport::Label key, std::uint64_t bytes) {
    put_send(to, key, new_request(), bytes);
    return requests_;
  }
  // A send that was started does not take place.
  void withdraws(std::uint32_t request) { put(ItemKind::withdraw, 0, request, 0); }
  // Returns the number of the next message that has come from an endpoint, from 0.
  [[nodiscard]] std::uint32_t next_from(int source) { return come_[source]++; }
  // In virtual time, the timekeeper knows of a receive that it was told to expect.
  enum class Told : std::uint8_t { no, yes };
  void receives(int from, std::uint32_t number, Told told = Told::no) {
    put(ItemKind::receive, from, 0, number, told == Told::yes ? For::file : For::all);
  }
  void sees(int from, std::uint32_t number) { put(ItemKind::probe, from, 0, number, For::file); }
  [[nodiscard]] std::uint32_t posts() {
    put(ItemKind::post, 0, new_request(), 0, For::file);
    return requests_;
  }
  // Returns a request that stands in no file.
  [[nodiscard]] std::uint32_t new_request() { return ++requests_; }
  // Notes which message a posted receive has got. That takes no place among what the program does.
  void comes_for(std::uint32_t request, int from, std::uint32_t number) {
    const std::uint64_t computed = std::exchange(computed_, 0);
    put(ItemKind::come, from, request, number, For::file);
    computed_ = computed;
  }
  void waited_for(std::uint32_t request, Told told = Told::no) {
    put(ItemKind::wait, 0, request, 0, told == Told::yes ? For::file : For::all);
  }
  // Returns the virtual time, in nanoseconds. A program that reads it again and again, and does
  // nothing else, looks in a loop until it has passed.
  [[nodiscard]] std::uint64_t virtual_time() {
    constexpr int most_in_a_row = 100;
    const std::uint64_t time = stream_->time();
    if (++reads_ > most_in_a_row && !stream_->has_left()) {
      looked_in_vain();
      reads_ = most_in_a_row;
    }
    return time;
  }
  // A look has found nothing. In virtual time it takes a microsecond. If it took no time, a program
  // that looks in a loop would look at one instant for ever.
  void looked_in_vain() {
    constexpr std::uint64_t nanoseconds = 1000;
    if (stream_ && looks_ == Looks::take_time) spends(ItemKind::spend, nanoseconds);
  }
  // Looks that follow each other only when something has come need not take time.
  enum class Looks : std::uint8_t { take_time, take_none };
  void set_looks(Looks looks) { looks_ = looks; }
  // In virtual time: a wait has come to its limit. The timekeeper knows it. A wait without any time
  // is a look.
  void waited_in_vain(std::uint64_t nanoseconds) {
    if (nanoseconds == 0) return looked_in_vain();
    put(ItemKind::spend, 0, 0, nanoseconds, For::file);
  }

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
  enum class For : std::uint8_t { all, file };  // who is told
  void put_send(int to, transport::Label key, std::uint32_t request, std::uint64_t bytes) {
    if (stream_) stream_->set_key(key);
    put(ItemKind::send, to, request, bytes);
  }
  void put(ItemKind kind, std::int32_t peer, std::uint32_t request, std::uint64_t bytes,
           For whom = For::all) {
    if (depth_ == 0) count_computing();
    reads_ = 0;
    const RecordItem item{.kind = kind,
                          .call = call_,
                          .peer = peer,
                          .request = request,
                          .place = place_of_call_,
                          .bytes = bytes,
                          .ticks = std::exchange(computed_, 0)};
    if (file_) file_->keep(item);
    if (stream_ && whom == For::all && kind != ItemKind::end) stream_->put(item);
  }
  void put_text(ItemKind kind, std::string_view text);
  // Returns the number of a text, from 1, and writes it if it is new.
  [[nodiscard]] std::uint32_t known(Numbers& numbers, ItemKind kind, std::string_view text);

  std::optional<RecordFile> file_;            // if there is a record
  std::optional<timed::TimedStream> stream_;  // if the job is in virtual time
  int pid_;
  bool counter_, wants_places_;
  std::uint64_t last_;          // tick of the end of the last call
  std::uint64_t computed_ = 0;  // ticks since the last item
  int depth_ = 0;               // calls that this process is in
  std::uint16_t call_ = 0;
  std::uint32_t place_of_call_ = 0;
  std::uint32_t requests_ = 0;
  trace::KnownNames names_;
  Numbers name_numbers_, bound_numbers_, counter_numbers_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::unordered_set<std::uint64_t> groups_;
  std::unordered_map<int, std::uint32_t> come_;  // messages by sender
  Looks looks_ = Looks::take_time;
  int reads_ = 0;  // of the virtual time, in a row
};

}  // namespace tutti::record
