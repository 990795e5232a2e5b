// SPDX-License-Identifier: BSD-3-Clause
// A source tells the simulator what ranks do: item by item, when a rank has done the last one. So
// it need not know the whole program of a rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

// The rank computes until this time. It goes on at once if that is over.
struct ComputeUntil {
  Ticks time = 0;
};

// The rank waits until its source wakes it, or until a time.
struct Sleep {
  std::optional<Ticks> until{};
};

// The rank goes on at this instant, after ranks and strands that are before it and go on, too.
struct Yield {};

// All ranks wait for each other, and then for the machine's cost of a barrier.
struct EnterBarrier {};

struct Finish {};

// The source knows no more of any rank, so the simulation stops here.
struct Stop {};

struct RankItem {
  int phase = 1;  // by which reports name what belongs to this item
  std::variant<Finish, RunOperation, SendMessage, SendMessages, PostReceive, AwaitRequest, Compute,
               ComputeUntil, Sleep, Yield, EnterBarrier, Stop>
      what;
};

// The ranks as their source sees them while it is called.
class SeenRanks {
 public:
  virtual ~SeenRanks() = default;
  // Ends the sleep of a node. Does nothing if it is awake.
  virtual void wake(int node) = 0;
  [[nodiscard]] virtual Ticks now() const = 0;
  // Returns true unless the node has started something under this number that is not done.
  [[nodiscard]] virtual bool is_done(int node, RequestNumber request) const = 0;

  // A receive for a message that is not known yet, which takes no time. `from` is -1 if it may come
  // from anybody.
  virtual void open_receive(int node, RequestNumber request, int from) = 0;
  // Says which message an open receive gets. It may be sent later.
  virtual void meet(int node, RequestNumber request, int from, int number) = 0;
  // Ends an open receive for which nobody sends a message.
  virtual void close_receive(int node, RequestNumber request) = 0;
};

class RankSource {
 public:
  virtual ~RankSource() = default;
  [[nodiscard]] virtual int nodes() const = 0;
  // Returns what the rank does next. It has done the items before, except those that were started.
  // After `Finish` nobody asks again.
  virtual RankItem next(int node) = 0;

  // The ranks live as long as the simulation.
  virtual void set_ranks(SeenRanks& /* ranks */) {}
  // Returns true if the simulation shall stop where it is. Asked now and then.
  [[nodiscard]] virtual bool stops() const { return false; }
  // A message outside of operations has left its sender, or its receiver has it.
  virtual void left(int /* node */, int /* to */, int /* number */) {}
  virtual void came(int /* node */, int /* from */, int /* number */) {}
  // A message outside of operations needs its receive, and none is known for it: it has come, or it
  // begins only when its receive is posted. The source may let it meet one. Called once for each.
  virtual void arrived(int /* node */, int /* from */, int /* number */) {}
  // A request of the node is done.
  virtual void done(int /* node */, RequestNumber /* request */) {}
  // Returns the name of a phase in messages about ranks that wait in vain.
  [[nodiscard]] virtual std::string phase_name(int /* node */, int phase) const {
    return "phase " + std::to_string(phase);
  }
  // Says in such messages what a node sleeps for.
  [[nodiscard]] virtual std::string sleeps_for(int /* node */) const {
    return "for another of its processors";
  }
};

}  // namespace tutti::simulate
