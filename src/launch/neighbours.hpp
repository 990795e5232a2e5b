// SPDX-License-Identifier: BSD-3-Clause
// The other machines of a job that an MPI has started: their names, their ranks, and where their
// failure monitors can be reached. Ranks collect this, and pass it to their monitor in words.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// Tells where the monitor of a machine listens. Each rank shows one to all others.
struct ListenPlace {
  static constexpr int most_addresses = 4;
  std::array<char, 64> name{};
  std::array<std::uint32_t, most_addresses> addresses{};  // of IPv4, as on the wire; 0 for none
  std::uint16_t port = 0;                                 // 0: nobody listens
  std::array<std::uint64_t, 2> secret{};                  // that of rank 0 counts
};

// A machine's place and its ranks.
struct OtherMachine {
  int number = 0;  // machines are numbered from 0
  std::string name{};
  std::uint16_t port = 0;
  std::vector<std::uint32_t> addresses{};
  std::vector<int> ranks{};
};

struct Neighbours {
  int own = 0;        // number of this machine
  int listener = -1;  // descriptor; -1 if the monitor cannot be reached
  std::array<std::uint64_t, 2> secret{};
  std::vector<OtherMachine> others{};

  // Words without a line break, one for each machine and one in front of them.
  [[nodiscard]] std::vector<std::string> words() const;
  // Returns nullopt if these are no such words.
  [[nodiscard]] static std::optional<Neighbours> of(const std::vector<std::string>& words);
};

// Makes a socket that listens, and the place to show. The socket is invalid if that is impossible.
struct MonitorListener {
  Descriptor socket;
  ListenPlace place;
};
[[nodiscard]] MonitorListener listen_for_monitors();

}  // namespace tutti::launch
