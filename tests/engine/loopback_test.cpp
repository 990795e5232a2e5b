// SPDX-License-Identifier: BSD-3-Clause
// Executes every algorithm over the loopback network. The ranks are advanced in random order, with
// queues so short that senders often wait. The checking transport reports misuse.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "algorithms/registry.hpp"
#include "oracle.hpp"
#include "transport/checking/transport.hpp"
#include "transport/loopback/network.hpp"

namespace tutti::engine::test {
namespace {

// Advances random ranks until all are done. Returns false when no rank can move any more: a
// deadlock.
bool play(std::vector<std::unique_ptr<Player>>& players, std::mt19937& random) {
  std::vector<std::size_t> active(players.size());
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = i;
  std::size_t idle_in_a_row = 0;
  for (const auto& player : players) player->start();
  while (!active.empty()) {
    const std::size_t pick = random() % active.size();
    const Look progress = players[active[pick]]->advance();
    idle_in_a_row = progress == Look::nothing ? idle_in_a_row + 1 : 0;
    if (progress == Look::done) active.erase(active.begin() + static_cast<std::ptrdiff_t>(pick));
    if (idle_in_a_row > 50 * players.size()) {
      bool moved = false;
      for (const std::size_t rank : active)
        moved = players[rank]->advance() != Look::nothing || moved;
      if (!moved) return false;
      std::erase_if(active,
                    [&](std::size_t rank) { return players[rank]->advance() == Look::done; });
      idle_in_a_row = 0;
    }
  }
  return true;
}

void expect_right(const Scene& scene, const transport::loopback::LoopbackOptions& options,
                  std::mt19937& random) {
  SCOPED_TRACE(describe(scene));
  transport::loopback::LoopbackNetwork network(scene.p, options);
  std::vector<std::unique_ptr<transport::checking::CheckingTransport>> transports;
  std::vector<std::unique_ptr<Player>> players;
  for (int rank = 0; rank < scene.p; ++rank) {
    transports.push_back(
        std::make_unique<transport::checking::CheckingTransport>(network.endpoint(rank)));
    players.push_back(std::make_unique<Player>(scene, rank, *transports.back()));
  }
  ASSERT_TRUE(play(players, random)) << "deadlock";
  for (const auto& player : players) ASSERT_EQ(player->verdict(), "");
  for (const auto& transport : transports) transport->expect_settled();
  ASSERT_TRUE(network.quiet()) << "a message was sent that nobody received";
}

class Loopback : public testing::TestWithParam<const schedule::Generator*> {};

TEST_P(Loopback, DeliversTheResultInAnyOrderOfEvents) {
  std::mt19937 random(20261121);
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 23}) {
    for (const Scene& scene : scenes_of(*GetParam(), p)) {
      transport::loopback::LoopbackOptions options;
      options.packets = 1 + random() % 3;
      options.fragments = 1 + random() % 3;
      options.fragment_limit = random() % 2 == 0 ? 64 : 128;
      options.spin_turns = random() % 2 == 0 ? 0 : 100;
      expect_right(scene, options, random);
      if (HasFatalFailure()) return;
    }
  }
}

// Blocks so long that copies and messages are written past the caches, and a rank's own block is
// copied while messages arrive.
TEST(LoopbackLong, BlocksOfManyMegabytesArriveWhole) {
  std::mt19937 random(20261122);
  const transport::loopback::LoopbackOptions options{.fragment_limit = 1 << 16};
  const std::int64_t n = (std::int64_t{8} << 20) / static_cast<std::int64_t>(sizeof(Value)) + 3;
  for (const auto& [operation, name] :
       {std::pair{schedule::Operation::gather, "fully_connected"},
        std::pair{schedule::Operation::alltoall, "circle"},
        std::pair{schedule::Operation::broadcast, "fully_connected"}}) {
    const schedule::Generator* generator = algorithms::find(operation, name);
    ASSERT_NE(generator, nullptr);
    for (const bool strided : {false, true}) {
      expect_right({.request = {.generator = generator}, .p = 2, .n = n, .strided = strided},
                   options, random);
    }
  }
}

TEST(LoopbackOrder, WhereWaitersGiveWayMessagesGoWholeOneAfterAnother) {
  const schedule::Generator* generator =
      algorithms::find(schedule::Operation::scatter, "fully_connected");
  ASSERT_NE(generator, nullptr);
  for (const int spin_turns : {0, 100}) {
    transport::loopback::LoopbackNetwork network(
        3, {.packets = 8, .fragments = 2, .fragment_limit = 64, .spin_turns = spin_turns});
    Player root({.request = {.generator = generator}, .p = 3, .n = 96}, 0, network.endpoint(0));
    root.start();
    EXPECT_EQ(root.advance(), Look::progress) << "there is room for two packets";
    EXPECT_NE(network.endpoint(1).channel(0).peek(), nullptr);
    EXPECT_EQ(network.endpoint(2).channel(0).peek() != nullptr, spin_turns > 0);
  }
}

std::string name_of(const testing::TestParamInfo<const schedule::Generator*>& info) {
  static constexpr const char* operations[] = {
      "barrier",   "broadcast",      "reduce",   "allreduce", "scatter", "gather",
      "allgather", "reduce_scatter", "alltoall", "scan",      "exscan"};
  return std::string(operations[static_cast<int>(info.param->operation)]) + "_" + info.param->name;
}

INSTANTIATE_TEST_SUITE_P(All, Loopback,
                         testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                         name_of);

}  // namespace
}  // namespace tutti::engine::test
