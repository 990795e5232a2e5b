// SPDX-License-Identifier: BSD-3-Clause
// An MPI of pretended ranks in one thread, or an open world, for tests of code above plugin.h. It
// keeps the promises of plugin.h and no others. Requests complete late and in any order. Memory of
// a message is read only then, unless the message is small.
#pragma once

#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "transport/wire/plugin.h"

namespace tutti::transport::wire::test {

// A function of the table that a test can break.
enum class Part {
  none,
  open,
  broadcast,
  gather_all,
  send,
  receive,
  find,
  receive_found,
  test,
  poke,
  before_finalize
};

class FakeWire {
 public:
  // `hosts` has the host of each rank, as plugin.h defines it. Only one object may exist at a time,
  // because the table finds it without an argument.
  explicit FakeWire(std::vector<int> hosts);
  // The numbers of an open world that were started together.
  struct Open {
    std::vector<int> numbers;
  };
  explicit FakeWire(Open world);
  ~FakeWire();
  FakeWire(const FakeWire&) = delete;
  FakeWire& operator=(const FakeWire&) = delete;

  [[nodiscard]] const tutti_wire& table() const;
  // Ends a process of an open world.
  void end(int number) { ended_.push_back(number); }
  // Makes the following calls those of `rank`.
  void act_as(int rank) { self_ = rank; }
  // Makes that function return an error from now on.
  void break_part(Part part) { broken_ = part; }
  void set_state(const tutti_wire_state& state) { state_ = state; }
  // Does what MPI_Finalize does at `rank`.
  void finalize(int rank);
  [[nodiscard]] std::size_t messages() const { return messages_; }
  // Returns true if no message or request is pending.
  [[nodiscard]] bool quiet() const {
    return requests_.empty() && unmatched_.empty() && matched_.empty();
  }

 private:
  struct Message {
    int from, to, tag;
    const std::byte* source;       // where the sender has it, or in `early`
    std::vector<std::byte> early;  // copied at once
    std::size_t bytes;
    tutti_wire_token sending;  // 0: the sender waits no longer
  };
  struct Request {
    bool receives = false;
    int self = -1, from = -1, tag = 0;
    std::byte* destination = nullptr;
    std::size_t bytes = 0;
    tutti_wire_token message = 0;  // matched, 0 if none is yet
    bool complete = false;
  };
  friend struct FakeTable;

  int send(const void* data, std::int64_t bytes, int to, int tag, tutti_wire_token* request);
  int receive(void* data, std::int64_t bytes, int from, int tag, tutti_wire_token* request);
  int find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message);
  int receive_found(void* data, std::int64_t bytes, tutti_wire_token* message,
                    tutti_wire_token* request);
  int test(tutti_wire_token* request, int* done);
  int broadcast(void* data, int bytes, int root);
  int gather_all(const void* mine, void* all, int bytes) const;
  int ended(int* number);
  void match_receives();
  void move(Request& request);

  std::vector<int> hosts_;
  std::vector<int> numbers_;                // of an open world
  std::vector<int> ended_;                  // in order
  std::vector<std::pair<int, int>> watch_;  // watcher and watched, until the watcher has been told
  int self_ = 0;
  Part broken_ = Part::none;
  tutti_wire_state state_{1, 0, 3, 1, 3, 1};
  std::size_t messages_ = 0;
  std::mt19937 random_{7};
  tutti_wire_token last_token_ = 0;
  std::map<tutti_wire_token, Message> matched_;
  std::deque<Message> unmatched_;
  std::map<tutti_wire_token, Request> requests_;  // in the order in which they were made
  std::vector<std::vector<std::byte>> broadcasts_;
  std::vector<std::size_t> broadcasts_seen_;
  struct Hook {
    void (*function)(void*) = nullptr;
    void* user = nullptr;
  };
  std::vector<Hook> hooks_;
};

}  // namespace tutti::transport::wire::test
