// SPDX-License-Identifier: BSD-3-Clause
// Knows who serves the calls of a communicator: tutti, or the MPI where a row of the machine file
// says so (`tutti tune --mpi`). Rank 0's rows count, and a call is asked about by what all its
// members know, so all come to the same answer.
#pragma once

#include <array>
#include <bit>

#include "job.hpp"

namespace tutti::mpi {

// Says who applies the operator of a call, if it has one.
enum class Applier : std::uint8_t { tutti, mpi };

// True if this process keeps a record of its calls (record.hpp).
extern constinit bool recording;

class Servers {
 public:
  explicit Servers(int members) : members_(members) {}

  // Returns why the MPI serves a call that all members describe alike; nullptr if tutti does.
  // `about` is a number of bytes for reports, where `bytes` is 0 because not all members know it.
  [[nodiscard]] const char* judge(MpiOperation operation, Count bytes,
                                  Applier applier = Applier::tutti, Count about = 0) {
    const Server server = known_[static_cast<std::size_t>(kind_of(operation, bytes, applier))];
    if (server == Server::tutti && !recording) [[likely]]
      return nullptr;
    return find(operation, bytes, applier, about);
  }
  // From now on tutti serves all calls, whatever the rows say.
  void give_all_to_tutti() { known_.fill(Server::tutti); }

 private:
  enum class Server : std::uint8_t { unknown, tutti, mpi };
  static constexpr int size_classes = 42, kinds = operation_count * 2 * size_classes;
  static constexpr const char* by_row = "a row of the machine file says so";

  // Class k holds the sizes above 2^(k-1), up to 2^k.
  [[nodiscard]] static int class_of(Count bytes) {
    const auto width =
        bytes <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1)));
    return width < size_classes ? width : size_classes - 1;
  }
  [[nodiscard]] static int kind_of(MpiOperation operation, Count bytes, Applier applier) {
    return (static_cast<int>(operation) * 2 + static_cast<int>(applier)) * size_classes +
           class_of(bytes);
  }
  [[nodiscard]] const char* find(MpiOperation operation, Count bytes, Applier applier, Count about);

  int members_;
  std::array<Server, kinds> known_{};
};

}  // namespace tutti::mpi
