// SPDX-License-Identifier: BSD-3-Clause
// Tests ranks whose items come from a script: messages outside of operations, and operations and
// sends that a rank starts beside its program. Expected times follow from the machine.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "base/error.hpp"
#include "machines.hpp"

namespace tutti::simulate {
namespace {

using machine::Handover;
using machine::Machine;
using machine::Ports;

constexpr double alpha = 100, beta = 0.5;

// Messages take alpha + beta m, of which the ports of sender and receiver take all.
Machine three() {
  return plain(3, alpha, beta, 0);
}

class Script : public RankSource {
 public:
  explicit Script(std::vector<std::deque<RankItem>> items) : items_(std::move(items)) {}
  [[nodiscard]] int nodes() const override { return static_cast<int>(items_.size()); }
  RankItem next(int node) override {
    std::deque<RankItem>& mine = items_[static_cast<std::size_t>(node)];
    if (mine.empty()) return {};
    const RankItem item = mine.front();
    mine.pop_front();
    return item;
  }

 private:
  std::vector<std::deque<RankItem>> items_;
};

// Member 0 sends to member 1 in each round, and receives if `back`.
class Messages : public BoundOperation {
 public:
  Messages(int from, int to, std::vector<std::int64_t> bytes)
      : BoundOperation({.members = 2}), ends_{from, to}, bytes_(std::move(bytes)) {}
  [[nodiscard]] int rounds(int /* member */) const override {
    return static_cast<int>(bytes_.size());
  }
  void read(NodeRound& round, int member, int t) override {
    if (member == 0) round.sends.push_back({ends_[1], bytes_[static_cast<std::size_t>(t)]});
    if (member == 1) round.receives.push_back({ends_[0], OnArrival::taken});
  }

 private:
  int ends_[2];
  std::vector<std::int64_t> bytes_;
};

RankItem run(Messages& messages, int member, std::uint64_t number = 0,
             std::optional<RequestNumber> request = {}) {
  return {1, RunOperation{&messages, member, 7, number, request}};
}
RankItem send(int to, std::int64_t bytes, std::optional<RequestNumber> request = {}) {
  return {1, SendMessage{to, bytes, request}};
}
RankItem post(int from, RequestNumber request) {
  return {1, PostReceive{from, request}};
}
RankItem await(RequestNumber request) {
  return {1, AwaitRequest{request}};
}
RankItem compute(double time) {
  return {1, Compute{time}};
}

Report run_script(const Machine& machine, std::vector<std::deque<RankItem>> items) {
  Script script(std::move(items));
  return simulate(machine, script, JobHosts{});
}

std::string failure_of(const Machine& machine, std::vector<std::deque<RankItem>> items) {
  try {
    static_cast<void>(run_script(machine, std::move(items)));
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Alone, AMessageMeetsItsReceive) {
  const Report report =
      run_script(three(), {{send(1, 200)}, {post(0, 1), await(1), compute(5)}, {}});
  EXPECT_EQ(report.messages, 1);
  EXPECT_DOUBLE_EQ(report.ranks[0].end, alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, alpha + 200 * beta + 5);
  EXPECT_DOUBLE_EQ(report.ranks[1].waiting, alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[2].end, 0);
  ASSERT_EQ(report.path.size(), 2U);
  EXPECT_EQ(report.path[0].kind, PathStep::Kind::message);
}

TEST(Alone, AnEarlyMessageIsTakenAtOnce) {
  const Report report =
      run_script(three(), {{send(1, 0)}, {compute(1000), post(0, 1), await(1)}, {}});
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 1000);
  EXPECT_DOUBLE_EQ(report.ranks[1].waiting, 0);
}

// The second message is shorter and overtakes the first, but belongs to the second receive. So the
// computation is over when the first message comes.
TEST(Alone, MessagesMeetInTheOrderSent) {
  Machine machine = plain(2, alpha, beta, 0);
  machine.node.ports = Ports::unlimited;
  machine.network.switching = machine::Switching::share_max_min;
  const Report report =
      run_script(machine, {{send(1, 1000, 1), send(1, 0, 2)},
                           {post(0, 1), post(0, 2), await(2), compute(5), await(1)}});
  EXPECT_NEAR(report.ranks[1].end, alpha + 1000 * beta, 1e-3);
}

TEST(Alone, ARendezvousWaitsForItsOwnReceive) {
  Machine machine = three();
  machine.protocol.handover = Handover::rendezvous;
  machine.protocol.threshold = 0;
  const Report report =
      run_script(machine, {{send(1, 200)},
                           {post(2, 1), compute(700), post(0, 2), await(2), await(1)},
                           {compute(2000), send(1, 200)}});
  EXPECT_DOUBLE_EQ(report.ranks[0].end, 700 + alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 2000 + alpha + 200 * beta);
}

TEST(Alone, ForcedMessagesNeedTheirReceive) {
  Machine machine = three();
  machine.protocol.handover = Handover::forced;
  EXPECT_EQ(failure_of(machine, {{send(1, 0)}, {post(0, 1), await(1)}, {}}), "no error");
  EXPECT_NE(failure_of(machine, {{send(1, 0)}, {compute(500), post(0, 1)}, {}}).find("is lost"),
            std::string::npos);
}

TEST(Started, ASendGoesOnBesideComputation) {
  const Report report =
      run_script(three(), {{send(1, 1000, 1), compute(50), await(1)}, {post(0, 1), await(1)}, {}});
  EXPECT_DOUBLE_EQ(report.ranks[0].end, alpha + 1000 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[0].computing, 50);
  EXPECT_DOUBLE_EQ(report.ranks[0].waiting, alpha + 1000 * beta - 50);
}

// The rank is done when what it has started is, whether it waits or not.
TEST(Started, TheRankEndsWithTheLastOfItsStrands) {
  const Report report =
      run_script(three(), {{send(1, 1000, 1), compute(50)}, {post(0, 1), await(1)}, {}});
  EXPECT_DOUBLE_EQ(report.ranks[0].end, alpha + 1000 * beta);
}

// Two sends share the port of their rank: the second leaves when the first has left. A send of the
// program comes after both.
TEST(Started, StrandsShareThePortFirstComeFirstServed) {
  const std::vector<std::deque<RankItem>> items{
      {send(1, 0, 1), send(2, 200, 2), send(1, 0), await(1), await(2)},
      {post(0, 1), post(0, 2), await(1), await(2)},
      {post(0, 1), await(1)}};
  const Report report = run_script(three(), items);
  EXPECT_DOUBLE_EQ(report.ranks[2].end, 2 * alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 3 * alpha + 200 * beta);
  EXPECT_EQ(report.port_waits, 2);
  EXPECT_DOUBLE_EQ(report.port_waited, alpha + (2 * alpha + 200 * beta));
  Machine unlimited = three();
  unlimited.node.ports = Ports::unlimited;
  EXPECT_DOUBLE_EQ(run_script(unlimited, items).ranks[2].end, alpha + 200 * beta);
}

// The operation has two messages. It asks for the port again when the first has left, and comes
// after the send of the program, which has waited.
TEST(Started, AnOperationAsksForThePortForEachMessage) {
  Messages messages(0, 1, {0, 0});
  const Report report = run_script(
      three(),
      {{run(messages, 0, 0, 1), send(2, 0), await(1)}, {run(messages, 1)}, {post(0, 1), await(1)}});
  EXPECT_DOUBLE_EQ(report.ranks[2].end, 2 * alpha);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 3 * alpha);
  EXPECT_DOUBLE_EQ(report.ranks[0].end, 3 * alpha);
}

TEST(Started, AnOperationGoesOnBesideComputation) {
  Messages messages(0, 1, {0, 0, 0});
  const Report report = run_script(
      three(), {{run(messages, 0)}, {run(messages, 1, 0, 1), compute(1000), await(1)}, {}});
  EXPECT_DOUBLE_EQ(report.ranks[0].end, 3 * alpha);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 1000);
  EXPECT_DOUBLE_EQ(report.ranks[1].waiting, 0);
}

// Both operations have messages of the same pair in the same round. Rank 1 begins them the other
// way round, so each message waits for the receive of its own operation.
TEST(Started, OperationsOfAPairDoNotMix) {
  Messages first(0, 1, {0}), second(0, 1, {1000});
  const Report report = run_script(three(), {{run(first, 0, 0), run(second, 0, 1)},
                                             {run(second, 1, 1), compute(0), run(first, 1, 0)},
                                             {}});
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 2 * alpha + 1000 * beta);
  EXPECT_EQ(report.messages, 2);
}

TEST(Started, TheSameTwice) {
  Machine machine = three();
  machine.node.noise = 7;
  machine.node.drift = 9;
  const auto once = [&] {
    Messages messages(0, 1, {10, 20, 30});
    const Report report =
        run_script(machine, {{run(messages, 0, 0, 1), send(2, 64, 2), send(1, 8), await(2)},
                             {post(0, 9), run(messages, 1, 0, 1), send(2, 5), await(9)},
                             {post(1, 1), post(0, 2), await(2), await(1)}});
    return std::vector<double>{report.ranks[0].end, report.ranks[1].end, report.ranks[2].end,
                               static_cast<double>(report.events)};
  };
  EXPECT_EQ(once(), once());
}

// Three machines on which a node either sends or receives.
Machine one_way(Handover handover) {
  Machine machine = three();
  machine.node.ports = Ports::half;
  machine.protocol.handover = handover;
  machine.protocol.threshold = 0;
  machine.protocol.request_alpha = 60;
  return machine;
}

// The first message of rank 0 begins last, because its receive is posted after all others came.
TEST(OneWay, AMessageThatWaitsForItsReceiveHasNoPort) {
  const Report report = run_script(one_way(Handover::rendezvous),
                                   {{send(1, 200, 1), post(1, 2), await(2), send(2, 0), await(1)},
                                    {send(0, 0), post(2, 1), await(1), post(0, 2), await(2)},
                                    {post(0, 1), await(1), send(1, 0)}});
  EXPECT_DOUBLE_EQ(report.ranks[0].end, 4 * alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 4 * alpha + 200 * beta);
  EXPECT_DOUBLE_EQ(report.ranks[2].end, 3 * alpha);
}

// The answer comes after 120 us, and a message from 100 us on.
TEST(OneWay, AMessageThatWaitsForItsAnswerHasNoPort) {
  Machine machine = one_way(Handover::reserve);
  const std::vector<std::deque<RankItem>> items{
      {send(1, 200, 1), post(2, 2), await(2), await(1)}, {post(0, 1), await(1)}, {send(0, 0)}};
  EXPECT_DOUBLE_EQ(run_script(machine, items).ranks[0].end, 120 + alpha + 200 * beta);
  machine.node.receive_alpha = 150;
  EXPECT_DOUBLE_EQ(run_script(machine, items).ranks[0].end, 150 + alpha + 200 * beta);
}

// A message comes while the first is sent. The second has asked before, but begins when the one
// that came has been received.
TEST(OneWay, AMessageThatHasAskedWaitsForWhatIsReceived) {
  Machine machine = one_way(Handover::eager);
  const std::vector<std::deque<RankItem>> items{
      {send(1, 200, 1), send(1, 0, 2), post(2, 3), await(3), await(1), await(2)},
      {post(0, 1), post(0, 2), await(1), await(2)},
      {send(0, 0)}};
  const double first = alpha + 200 * beta;
  const Report report = run_script(machine, items);
  EXPECT_DOUBLE_EQ(report.ranks[0].end, first + alpha + alpha);
  EXPECT_EQ(report.port_waits, 1);
  EXPECT_DOUBLE_EQ(report.port_waited, first);
  machine.node.ports = Ports::windowed;
  EXPECT_DOUBLE_EQ(run_script(machine, items).ranks[0].end, first + alpha);
}

// Both ask while something is received for 300 us, the program as the second.
TEST(OneWay, StrandsThatWaitForWhatIsReceivedSendInTheOrderOfAsking) {
  Machine machine = one_way(Handover::eager);
  machine.node.receive_alpha = 300;
  const Report report = run_script(machine, {{post(2, 9), compute(120), send(1, 0, 1), compute(50),
                                              send(2, 0), await(1), await(9)},
                                             {post(0, 1), await(1)},
                                             {send(0, 0), post(0, 1), await(1)}});
  EXPECT_DOUBLE_EQ(report.ranks[1].end, 300 + alpha);
  EXPECT_DOUBLE_EQ(report.ranks[2].end, 300 + 2 * alpha);
}

TEST(Stuck, RanksAndTheirRequestsAreNamed) {
  EXPECT_EQ(failure_of(plain(2, alpha, beta, 0),
                       {{post(1, 1), await(1), send(1, 0)}, {post(0, 1), await(1), send(0, 0)}}),
            "nothing moves after 0 us: ranks wait in a circle: rank 0 (phase 1, round 1) waits for "
            "message 1 of 1, rank 1 (phase 1, round 1) waits for message 1 of 0");
  Messages messages(0, 1, {0});
  EXPECT_EQ(failure_of(plain(2, alpha, beta, 0), {{}, {run(messages, 1, 0, 4), await(4)}}),
            "nothing moves after 0 us: rank 1 (phase 1, round 1) waits for a message of 0 in round "
            "1, which has finished");
}

TEST(Stuck, MessagesThatNobodyReceivesAreNamed) {
  EXPECT_EQ(failure_of(three(), {{send(1, 0)}, {}, {}}),
            "nobody receives the message 0->1 (phase 1, round 1)");
}

TEST(BadItems, AreNamed) {
  EXPECT_EQ(failure_of(three(), {{send(3, 0)}, {}, {}}),
            "rank 0 has no rank 3 to exchange messages with");
  EXPECT_EQ(failure_of(three(), {{}, {post(1, 0)}, {}}),
            "rank 1 has no rank 1 to exchange messages with");
  EXPECT_EQ(failure_of(three(), {{send(1, -1)}, {}, {}}), "a message of -1 bytes");
  EXPECT_EQ(failure_of(three(), {{send(1, 0, 1), send(1, 0, 1)}, {}, {}}),
            "rank 0 uses request 1 twice");
  EXPECT_EQ(failure_of(three(), {{}, {}, {}, {}}), "4 nodes, but the machine has 3");
}

}  // namespace
}  // namespace tutti::simulate
