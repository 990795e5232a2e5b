// SPDX-License-Identifier: BSD-3-Clause
// Tests pictures of rounds: the topologies of paper 000 for eight ranks and root 0, and the forms
// on other networks.
#include "draw/picture.hpp"

#include <gtest/gtest.h>

#include "golden.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;
using schedule::Shape;

std::string picture(const char* topology, Operation operation, const char* name,
                    const Shape& shape = {}) {
  const auto network = machine::parse_topology(topology);
  return rounds_text(messages_on(*network, operation, name, shape), *network);
}

std::string on_line(Operation operation, const char* name, const Shape& shape = {}) {
  return picture("line:8", operation, name, shape);
}

TEST(Pictures, BroadcastsOfPaper000) {
  EXPECT_EQ(on_line(Operation::broadcast, "increasing_ring"), golden("blacs_fig12"));
  EXPECT_EQ(on_line(Operation::broadcast, "decreasing_ring"), golden("blacs_fig13"));
  EXPECT_EQ(on_line(Operation::broadcast, "split_ring"), golden("blacs_fig14"));
  EXPECT_EQ(on_line(Operation::broadcast, "multiring", {.rings = 3}), golden("blacs_fig15"));
  EXPECT_EQ(on_line(Operation::broadcast, "hypercube"), golden("blacs_fig16"));
  EXPECT_EQ(on_line(Operation::broadcast, "tree", {.branches = 1}), golden("blacs_fig17"));
  EXPECT_EQ(on_line(Operation::broadcast, "tree", {.branches = 2}), golden("blacs_fig18"));
  EXPECT_EQ(on_line(Operation::broadcast, "tree", {.branches = 3}), golden("blacs_fig19"));
}

TEST(Pictures, CombinesOfPaper000) {
  EXPECT_EQ(on_line(Operation::reduce, "tree", {.branches = 1}), golden("blacs_fig37"));
  EXPECT_EQ(on_line(Operation::reduce, "tree", {.branches = 4}), golden("blacs_fig38"));
  EXPECT_EQ(on_line(Operation::allreduce, "bidirectional_exchange"), golden("blacs_fig39"));
}

TEST(Pictures, Meshes) {
  EXPECT_EQ(picture("mesh:2x3", Operation::alltoall, "linear"), golden("mesh_alltoall_linear"));
  EXPECT_EQ(picture("mesh:2x8", Operation::allreduce, "bidirectional_exchange"),
            golden("mesh_allreduce_exchange"));
  EXPECT_EQ(picture("mesh:4x4", Operation::broadcast, "mst", {.root = 5}),
            golden("mesh_broadcast_mst"));
}

TEST(Pictures, OtherNetworks) {
  EXPECT_EQ(picture("hypercube:3", Operation::broadcast, "tree", {.branches = 3}),
            golden("cube_broadcast_tree"));
  // A message around the torus has no place on the grid, so the nodes stand in a row.
  EXPECT_EQ(picture("torus:3x3", Operation::broadcast, "increasing_ring", {.root = 7}),
            golden("torus_broadcast_ring"));
  EXPECT_EQ(picture("crossbar:3", Operation::broadcast, "fully_connected", {.root = 1}),
            "step 1: 2 messages, at most 2 on a link (1->*)\n"
            "    0   1   2\n"
            "    <---o\n"
            "        o--->\n");
}

TEST(Pictures, NothingToDraw) {
  EXPECT_EQ(picture("line:1", Operation::broadcast, "mst"), "");
}

}  // namespace
}  // namespace tutti::draw
