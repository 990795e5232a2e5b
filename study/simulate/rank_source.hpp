// SPDX-License-Identifier: BSD-3-Clause
// A source tells the simulator what ranks do: item by item, when a rank has done the last one. So
// it need not know the whole program of a rank.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "simulate/bound.hpp"

namespace tutti::simulate {

// Number by which a rank waits for something that it has started. A number is used again only after
// it was waited for.
using RequestNumber = std::uint32_t;

// The rank takes part in an operation of a group. The members name it by equal numbers.
struct RunOperation {
  BoundOperation* operation = nullptr;  // lives until all its members have ended it
  int member = 0;
  std::uint64_t group = 0;
  std::uint64_t number = 0;
  // The operation is started if it has a request: it goes on beside what the rank does next.
  std::optional<RequestNumber> request{};
};

// A message outside of operations. It meets a receive by its sender and its place among the
// messages of that sender to this receiver. With a request, the rank does not wait until it is
// sent.
struct SendMessage {
  int to = 0;
  std::int64_t bytes = 0;
  std::optional<RequestNumber> request{};
};

// Messages outside of operations, which a strand of its own sends one after the other as in a
// round. The source numbers the messages of each pair, and hears when they leave and come.
struct SendMessages {
  struct Message {
    int to = 0;
    int number = 0;  // among those to this receiver, from 0
    std::int64_t bytes = 0;
  };
  std::vector<Message> messages;
  RequestNumber request = 0;
};

// Takes no time. The message is received whether the rank waits for it or not.
struct PostReceive {
  int from = 0;
  RequestNumber request = 0;
  // The number of its message among those of `from` to this rank, from 0; empty: each receive meets
  // the next one. A rank gives numbers to all its receives or to none.
  std::optional<int> number{};
};

// The rank waits until a request is done.
struct AwaitRequest {
  RequestNumber request = 0;
};

struct Compute {
  double time = 0;  // microseconds
};

// The rank waits until its source wakes it.
struct Sleep {};

// The rank goes on at this instant, after ranks and strands that are before it and go on, too.
struct Yield {};

// All ranks wait for each other, and then for the machine's cost of a barrier.
struct EnterBarrier {};

struct Finish {};

struct RankItem {
  int phase = 1;  // by which reports name what belongs to this item
  std::variant<Finish, RunOperation, SendMessage, SendMessages, PostReceive, AwaitRequest, Compute,
               Sleep, Yield, EnterBarrier>
      what;
};

// Ends the sleep of ranks.
class Waker {
 public:
  virtual ~Waker() = default;
  // Does nothing if the node is awake.
  virtual void wake(int node) = 0;
};

class RankSource {
 public:
  virtual ~RankSource() = default;
  [[nodiscard]] virtual int nodes() const = 0;
  // Returns what the rank does next. It has done the items before, except those that were started.
  // After `Finish` nobody asks again.
  virtual RankItem next(int node) = 0;

  // A source whose ranks sleep wakes them when it is called.
  virtual void set_waker(Waker& /* waker */) {}
  // A message outside of operations has left its sender, or its receiver has it.
  virtual void left(int /* node */, int /* to */, int /* number */) {}
  virtual void came(int /* node */, int /* from */, int /* number */) {}
};

}  // namespace tutti::simulate
