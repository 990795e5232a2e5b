// SPDX-License-Identifier: BSD-3-Clause
// Tells whether other machines live. The failure monitors of a job keep one connection of TCP
// between any two machines, on which nothing is sent after a greeting. The kernels exchange
// keepalive messages on it, and the kernel of a machine answers also for a monitor that is stopped,
// or that gets no processor. So an answer proves that the machine lives, whatever its ranks do.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "launch/neighbours.hpp"
#include "launch/silence.hpp"

namespace tutti::launch {

enum class Life {
  answers,  // within the limit
  silent,   // it has answered before, and not within the limit
  unknown   // there is no connection: it was never made, or the other monitor has ended
};

struct LifeSign {
  Life life = Life::unknown;
  std::chrono::milliseconds ago{};  // the last answer; 0 if unknown
};

class HostLines {
 public:
  // Uses the listener of `neighbours`. A machine is silent that has not answered for that limit.
  HostLines(const Neighbours& neighbours, const Silence& silence);

  // Accepts, connects and greets, and never waits. Called from time to time.
  void work();
  // The place of the machine in Neighbours::others.
  [[nodiscard]] LifeSign ask(std::size_t other) const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { idle, connecting, greeting, up, over };
  struct Greeting {
    std::uint64_t secret[2];
    std::int32_t from, to;
  };
  struct Line {
    State state = State::idle;
    Descriptor socket{};
    std::size_t address = 0;  // the next one to try
    Clock::time_point since{};
  };
  struct Caller {
    Descriptor socket;
    Clock::time_point since;
  };

  void accept_callers();
  void hear_callers();
  [[nodiscard]] bool greeted(Caller& caller);
  void take(std::size_t other, Descriptor socket);
  void connect(std::size_t other);
  void go_on(std::size_t other);
  void give_up_connection(Line& line);
  [[nodiscard]] bool is_ours(const Greeting& greeting) const;
  [[nodiscard]] Greeting greeting_to(int machine) const;

  const Neighbours* neighbours_;
  std::chrono::milliseconds limit_;
  int seconds_between_questions_;
  Clock::time_point connect_until_;
  Descriptor listener_;
  std::vector<Line> lines_;  // one per machine of Neighbours::others
  std::vector<Caller> callers_;
};

}  // namespace tutti::launch
