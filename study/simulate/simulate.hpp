// SPDX-License-Identifier: BSD-3-Clause
// Simulates Programs on a machine that we do not have (machine/machine.hpp), for tutti's tools and
// papers. It reports when each rank is done and which messages blocked each other. Rounds are
// emitted when a rank reaches them, so memory grows with ranks and links, not with messages. Equal
// input gives equal results, byte for byte.
//
// Ranks. A rank does one item after the other (simulate/rank_source.hpp), and what it starts goes
// on beside that as a strand. In an operation, a strand begins a round, sends its messages in the
// order written, and takes the messages that arrive for it. It sends one message after the other,
// unless ports are unlimited. It combines messages as they arrive, one after the other, while
// others are being received. When sends and receives are done, it does the round's local work and
// goes on to the next round. It does not wait for other ranks. A message meets the receive of its
// own round. Strands of a rank share its ports: first come, first served.
// docs/internals/simulation.md has all rules.
//
// Processors. Several ranks of a job may be processors of one node of the machine (JobHosts). They
// do their items at the same time, and wait for each other if their source lets them sleep. They
// share the network interfaces of the node, each of which has the ports that a node has else. A
// message that finds another one of its interface being sent waits until that one has left.
//
// Messages. The costs (send_alpha, hop, held, ...) are those of machine/machine.hpp; m is the
// length of the message in bytes. A message takes the sender's port from its beginning, for
// send_alpha + send_beta * m and, on circuits, hop for each link. It keeps the port longer by the
// time that it is blocked or slowed. On circuits and wormholes it asks for its path after alpha -
// held, because the path is taken during the last part of alpha. On other networks it asks after
// alpha. If ports are limited, the receiver spends receive_alpha + receive_beta * m on each
// message, one after the other. It is done with a message when the message arrives, or later. On
// circuits and wormholes the receive port is also one more link of the path. On other networks, a
// node that cannot send and receive at once receives a message after what it sends, and sends after
// what it receives.
//
// Order. At one instant, messages end first, then strands go on, then messages get their paths. The
// message from the lowest rank is first (paper 004, section 4), whether it has waited or asks now.
// A message that finds a link of its path taken waits for the first such link, and tries again when
// that link is free.
//
// Sharing. While its bytes move, a message uses a part of the bandwidth of each of its links. It
// arrives one `hop` per link after its last byte.
//
// Time is counted in whole picoseconds, so equal durations end at the same instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "simulate/job.hpp"
#include "simulate/rank_source.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

// A message from the time at which its sender begins to the time at which its receiver is done.
// `granted` is the time of SimulatedMessage::granted: when the message had its path, or asked for
// it on networks that grant no paths.
struct Transfer {
  Name name;
  std::int64_t bytes = 0;
  double begin = 0;
  double granted = 0;
  double end = 0;
};

// The work that a node did from `begin` to `end`.
enum class Activity { combine, copy, compute, synchronise };
struct Interval {
  Activity work;
  int node = 0;
  int phase = 1;
  int step = 1;
  double begin = 0;
  double end = 0;
};

// Receives what happens in a simulation, in the order in which it ends.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void transfer(const Transfer& transfer) = 0;
  virtual void interval(const Interval& interval) = 0;
};

struct SimulationOptions {
  std::uint64_t seed = 1;  // seed of drift and noise
  Observer* observer = nullptr;
  std::size_t top = 16;  // number of contentions that the report names
  bool links = true;     // report figures of every link
  // Number of waits, of all ranks together, that are remembered to find the slowest path. The
  // latest ones are kept.
  std::size_t history = std::size_t{1} << 15;
  // The simulation stops when it is beyond this time, in microseconds; Report::stopped then says
  // so.
  double limit = std::numeric_limits<double>::infinity();
};

// Thrown if the job does not end. The schedule and the machine together are the cause.
class Failure : public base::Error {
 public:
  enum class Kind {
    deadlock,  // the text names the ranks or messages that wait for each other
    lost,      // a forced message arrived before its receive was posted
    unmatched  // a message arrived that its receiver does not expect in that round
  };
  Failure(Kind kind, const std::string& text) : Error(base::Status::mismatch, text), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// Returns how operations post their receives on a machine: ahead if its messages are forced,
// because such a message is lost if no receive waits for it.
[[nodiscard]] Posting posting_on(const machine::Machine& machine);

// Simulate what ranks do by a source, or by a job. Throw Error(invalid_argument) if that does not
// fit the machine, and Failure if it does not end.
[[nodiscard]] Report simulate(const machine::Machine& machine, RankSource& source,
                              const JobHosts& hosts, const SimulationOptions& options = {});
[[nodiscard]] Report simulate(const machine::Machine& machine, const SimulatedJob& job,
                              const SimulationOptions& options = {});

}  // namespace tutti::simulate
