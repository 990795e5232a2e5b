// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about runs of plans.
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "algorithms/registry.hpp"
#include "effects.hpp"
#include "engine/group.hpp"
#include "oracle.hpp"
#include "transport/checking/transport.hpp"

namespace tutti::test {
namespace {

using engine::test::Player;
using engine::test::Scene;
using transport::Channel;

// A channel that counts how often its owner looks, and tells the transport of each look.
class CountedChannel final : public Channel {
 public:
  CountedChannel(Channel& inner, int& looks, const std::function<void()>& looked)
      : inner_(&inner), looks_(&looks), looked_(&looked) {}
  bool ready() override { return inner_->ready(); }
  void post_inline(transport::Label label, const void* payload, std::uint32_t bytes) override {
    inner_->post_inline(label, payload, bytes);
  }
  std::uint64_t post(transport::Label label, std::uint64_t total, const transport::Lent& fragment,
                     std::uint32_t bytes) override {
    return inner_->post(label, total, fragment, bytes);
  }
  const transport::Packet* peek() override {
    ++*looks_;
    (*looked_)();
    return inner_->peek();
  }
  void pop() override { inner_->pop(); }
  [[nodiscard]] int peer() const override { return inner_->peer(); }

 private:
  Channel* inner_;
  int* looks_;
  const std::function<void()>* looked_;
};

class CountedTransport final : public transport::Transport {
 public:
  // `looked` is called at each look.
  CountedTransport(ShmTransport& inner, std::function<void()> looked)
      : Transport(inner.tuning(), inner.limits()), inner_(&inner), looked_(std::move(looked)) {}
  [[nodiscard]] int self() const override { return inner_->self(); }
  Channel& channel(int endpoint) override {
    auto& made = channels_[static_cast<std::size_t>(endpoint)];
    if (!made)
      made = std::make_unique<CountedChannel>(inner_->channel(endpoint),
                                              looks[static_cast<std::size_t>(endpoint)], looked_);
    return *made;
  }
  transport::Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override {
    return inner_->acquire(bytes, readers, first);
  }
  transport::Idler& idler() override { return inner_->idler(); }
  [[nodiscard]] const transport::Clock& clock() override { return inner_->clock(); }

  std::vector<int> looks = std::vector<int>(3);  // by endpoint

 private:
  ShmTransport* inner_;
  std::function<void()> looked_;
  std::vector<std::unique_ptr<Channel>> channels_ = std::vector<std::unique_ptr<Channel>>(3);
};

// The root of a gather waits for ranks 1 and 2, and looks at the first only, but for passes over
// all. They send when it has looked at it so often. Returns how many of these looks come to one at
// the second.
int looks_to_a_pass(std::int64_t looks_between_passes) {
  constexpr int enough = 20'000;
  const Tuning tuning =
      with(&Tuning::looks_between_passes, looks_between_passes, with(&Tuning::spin, 1'000'000'000));
  const Mapping mapping = segment_of(3, tuning);
  const Scene scene{
      .request = {.generator = algorithms::find(schedule::Operation::gather, "fully_connected")},
      .p = 3,
      .n = 5000};
  ShmTransport one(mapping, 0), two(mapping, 1), three(mapping, 2);
  Player second(scene, 1, two), third(scene, 2, three);
  bool sent = false;
  CountedTransport* counted = nullptr;
  CountedTransport counting(one, [&] {
    if (sent || counted->looks[1] < enough) return;
    sent = true;
    second.run();
    third.run();
  });
  counted = &counting;
  Player root(scene, 0, counting);
  root.run();
  EXPECT_EQ(root.verdict(), "");
  return counting.looks[1] / counting.looks[2];
}

TUNING_EFFECT(looks_between_passes) {
  EXPECT_LE(looks_to_a_pass(1), 3);
  EXPECT_GT(looks_to_a_pass(1000), 300);
}

// One rank of a reduction with locations.
class Locating {
 public:
  Locating(const Mapping& mapping, int rank)
      : transport_(mapping, rank),
        counting_(transport_),
        members_({0, 1, 2}, 0),
        plan_(members_, rank,
              {.generator = algorithms::find(schedule::Operation::reduce, "fully_connected")},
              counting_),
        waiter_(counting_),
        call_(plan_, in_flight_, engine::Mode::blocking) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = rank * (i % 2 == 0 ? 1 : -1);
  }
  void run() {
    const auto count = static_cast<std::int64_t>(values_.size());
    const auto op = data::Operator::with_location(data::Builtin::absmax, data::Element::float64);
    const engine::CallOperand input{values_.data(), data::Layout::contiguous(count),
                                    sizeof(double)},
        output{results_.data(), input.layout, sizeof(double)};
    const engine::Locations locations{winners_.data(), input.layout, 0};
    call_.run(0, {&input, &output, &op, &locations, {}});
  }
  [[nodiscard]] std::uint64_t packets() const { return counting_.sent(0).packets; }
  [[nodiscard]] bool is_right() const {
    return std::ranges::all_of(winners_, [](std::int32_t rank) { return rank == 2; });
  }

 private:
  ShmTransport transport_;
  transport::checking::CheckingTransport counting_;
  group::Members members_;
  engine::Plan plan_;
  transport::Waiter waiter_;
  engine::InFlight in_flight_{waiter_};
  engine::BoundCall call_;
  std::vector<double> values_ = std::vector<double>(640), results_ = values_;
  std::vector<std::int32_t> winners_ = std::vector<std::int32_t>(640);
};

// Returns in how many packets rank 1 sends 640 values with their places.
std::uint64_t packets_of_located(const Tuning& tuning) {
  const Mapping mapping = segment_of(3, tuning);
  std::vector<std::unique_ptr<Locating>> ranks;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank) ranks.push_back(std::make_unique<Locating>(mapping, rank));
  for (const auto& rank : ranks) threads.emplace_back([&rank] { rank->run(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(ranks[0]->is_right());
  return ranks[1]->packets();
}

TUNING_EFFECT(located_part) {
  EXPECT_EQ(packets_of_located(with(&Tuning::located_part, 64)), 10U);
  EXPECT_EQ(packets_of_located(with(&Tuning::located_part, 640)), 1U);
}

// Reduces three values, and lets the places of the first two be written over the third value.
// Returns whether that one is there at the end, because it was written later.
bool third_value_is_last(std::int64_t maxloc_part) {
  const Mapping mapping = segment_of(1, with(&Tuning::maxloc_part, maxloc_part));
  ShmTransport transport(mapping, 0);
  const group::Members members({0}, 0);
  engine::Plan plan(members, 0,
                    {.generator = algorithms::find(schedule::Operation::reduce, "fully_connected")},
                    transport);
  transport::Waiter waiter(transport);
  engine::InFlight in_flight(waiter);
  engine::BoundCall call(plan, in_flight, engine::Mode::blocking);
  std::vector<double> values{1, 2, 3}, results(4);
  const auto op = data::Operator::with_location(data::Builtin::absmax, data::Element::float64);
  const data::Layout layout = data::Layout::contiguous(3);
  const engine::CallOperand input{values.data(), layout, sizeof(double)},
      output{results.data(), layout, sizeof(double)};
  const engine::Locations places{reinterpret_cast<std::int32_t*>(&results[2]), layout, 0};
  call.run(0, {&input, &output, &op, &places, {}});
  return results[2] == 3;
}

TUNING_EFFECT(maxloc_part) {
  EXPECT_TRUE(third_value_is_last(1));
  EXPECT_TRUE(third_value_is_last(2));
  EXPECT_FALSE(third_value_is_last(3));
}

// Makes barriers of two kinds in turn in a group of one. Returns how many of the later ones are
// known again.
int known_again(std::int64_t calls_kept) {
  const Mapping mapping = segment_of(1, with(&Tuning::calls_kept, calls_kept));
  ShmTransport transport(mapping, 0);
  transport::Waiter waiter(transport);
  engine::InFlight in_flight(waiter);
  engine::LazyChooser choice{selection::Policy()};
  engine::Group group(group::Members({0}, 0), 0, {transport, in_flight, choice});
  engine::Plan& plan =
      group.chosen(schedule::Operation::barrier,
                   {.root = 0, .bytes = 0, .commutative = true, .native_serves = false});
  int known = 0;
  for (int turn = 0; turn < 100; ++turn) {
    const engine::Signature call{.what = 4, .input_count = turn % 16};
    if (group.run_again(schedule::Operation::barrier, call, nullptr, nullptr)) {
      ++known;
    } else {
      group.run(plan, {}, call);
    }
  }
  return known;
}

TUNING_EFFECT(calls_kept) {
  EXPECT_EQ(known_again(1), 0);
  EXPECT_GT(known_again(1024), 60);
}

}  // namespace
}  // namespace tutti::test
