// SPDX-License-Identifier: BSD-3-Clause
// The memory of iCC between calls: the physical mesh, the algorithm that TUTTI_ICC forces, and the
// groups and communicators that exist.
#pragma once

#include <tutti-icc/icc.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

// A group is a list of nodes in the order of their ranks.
struct iCC_g_group {
  std::vector<int> nodes;
};

namespace tutti::icc {

// The rectangle of the physical mesh that the members fill, row by row. Members that fill none are
// a line, which is one row.
struct Rectangle {
  int rows = 1, columns = 1;
};

struct Communicator : iCC_g_comm {
  tutti_group group{0};
  int size = 1;
  Rectangle rectangle;
  bool forced = false;  // its collectives run the algorithms that TUTTI_ICC names
  std::vector<int> nodes;
};

struct IccState {
  bool has_groups = false;  // iCC_g_Group_init was called
  Rectangle mesh;           // of all nodes
  // The algorithm that TUTTI_ICC forces, as plans name it; empty if the engine chooses.
  std::string algorithm;
  std::unique_ptr<Communicator> world, self;
  // Those that the program has made, by their handles.
  std::unordered_map<const iCC_g_comm*, std::unique_ptr<Communicator>> communicators;
  std::unordered_map<const iCC_g_group*, std::unique_ptr<iCC_g_group>> groups;
};

[[nodiscard]] IccState& state();

// Joins the job, finds the mesh and makes the communicator of all nodes. A second call does
// nothing.
void initialize(const char* call);
// Returns the communicator of all nodes. Before initialize() the job ends.
[[nodiscard]] const Communicator& world(const char* call);

// Makes a communicator of these nodes, of which this process is one.
[[nodiscard]] std::unique_ptr<Communicator> make_communicator(const char* call, tutti_group group,
                                                              std::vector<int> nodes);

// Returns the rectangle of a mesh with so many columns that the nodes fill in this order.
[[nodiscard]] Rectangle rectangle_of(const std::vector<int>& nodes, int columns);

}  // namespace tutti::icc
