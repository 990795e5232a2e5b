// SPDX-License-Identifier: BSD-3-Clause
// The supersteps of a program that has not run yet: what each process computes and moves. They are
// written as a profile, like that of a run (TUTTI_BSP_PROFILE), for `tutti predict`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace profile {

// An exchange is a complete exchange, of a message from each process to each other.
enum class Access { put, hpput, get, hpget, send, exchange };
constexpr std::size_t accesses = 6;

// The part of one process in a superstep. Words have 8 bytes.
struct Work {
  double seconds = 0;  // of computation
  struct Flow {
    double out = 0, in = 0;            // words exchanged with others
    double messages = 0;               // calls of this process
    double served = 0;                 // calls of others, except direct ones
    double own = 0, own_messages = 0;  // exchanged with itself
  };
  std::array<Flow, accesses> flows{};

  Flow& of(Access access) { return flows[static_cast<std::size_t>(access)]; }
};

// A superstep: the work of each process.
using Superstep = std::vector<Work>;

// Adds messages from one process to another, which may be the same. The process that asks for them
// or sends them counts them.
void add_words(Superstep& step, Access access, int from, int to, double words, double messages);

// Writes the supersteps to a file. `name` says what they are. Throws std::runtime_error.
void write(const std::string& path, const std::vector<Superstep>& steps, const std::string& name);

}  // namespace profile
