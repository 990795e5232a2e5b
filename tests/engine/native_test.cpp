// SPDX-License-Identifier: BSD-3-Clause
// Runs native plans over a pretended MPI of one rank. Its collectives copy the input to the output
// when they are over.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "engine/bound_call.hpp"
#include "engine/group.hpp"
#include "fake_wire.hpp"
#include "transport/loopback/network.hpp"
#include "transport/wire/job.hpp"

namespace tutti::engine::test {
namespace {

using transport::wire::test::FakeWire;
using Numbers = std::array<double, 4>;

// The collective that was started last, and how often the MPI is asked until it is over.
tutti_wire_collective asked;
int looks = 1;

int start(const tutti_wire_collective* what, tutti_wire_token* request) {
  asked = *what;
  *request = 1;
  return 0;
}

int look(tutti_wire_token*, int* done) {
  *done = --looks <= 0 ? 1 : 0;
  if (*done != 0)
    std::memcpy(asked.output, asked.input, static_cast<std::size_t>(asked.count) * sizeof(double));
  return 0;
}

tutti_wire with_collectives(tutti_wire table) {
  table.start = start;
  table.test = look;
  return table;
}

class Native : public testing::Test {
 protected:
  FakeWire wire_{std::vector<int>{0}};
  tutti_wire table_ = with_collectives(wire_.table());
  transport::wire::WireJob job_{table_, "", 0};
  transport::loopback::LoopbackNetwork network_{1, {}};
  group::Members members_{{0}, 0};
  Plan plan_{members_,
             0,
             {&generator_named(schedule::Operation::allreduce, "native"), 0},
             network_.endpoint(0),
             {&job_, 0}};
  transport::Waiter waiter_{network_.endpoint(0)};
  InFlight in_flight_{waiter_};
  data::Operator sum_ = data::Operator::of(data::Builtin::sum, data::Element::float64);
  Numbers from_{1, 2, 3, 4}, to_{};
};

TEST_F(Native, RunsAgainWithOtherAddresses) {
  BoundCall call(plan_, in_flight_, Mode::blocking);
  {
    const CallOperand input{from_.data(), data::Layout::contiguous(4), sizeof(double)},
        output{to_.data(), data::Layout::contiguous(4), sizeof(double)};
    looks = 1;
    call.run(0, {&input, &output, &sum_});
  }
  EXPECT_EQ(to_, from_);
  EXPECT_FALSE(call.in_use());
  Numbers others{5, 6, 7, 8}, result{};
  looks = 1;
  call.run_again(1, others.data(), result.data(), nullptr);
  EXPECT_EQ(result, others);
  EXPECT_EQ(asked.op, TUTTI_WIRE_SUM);
}

TEST_F(Native, GoesOnBesidesAndUnpacks) {
  BoundCall call(plan_, in_flight_, Mode::overlapping);
  const CallOperand input{from_.data(), data::Layout::contiguous(2), sizeof(double)},
      output{to_.data(), data::Layout::matrix(1, 2, 2), sizeof(double)};
  call.keep({&input, &output, &sum_});
  looks = 3;
  call.start(0);
  EXPECT_TRUE(call.under_way());
  EXPECT_EQ(call.advance(), transport::Look::nothing);
  EXPECT_EQ(call.advance(), transport::Look::done);
  EXPECT_FALSE(call.in_use());
  EXPECT_EQ(to_, (Numbers{1, 0, 2, 0}));
}

}  // namespace
}  // namespace tutti::engine::test
