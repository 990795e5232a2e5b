// SPDX-License-Identifier: BSD-3-Clause
// Appendix C of paper 003: latencies and gaps of three libraries on a machine, and their means.
#pragma once

#include <string>
#include <vector>

namespace tutti::papers {

// A column of tables C.2, C.5 and C.8.
enum class Latency { empty, shift, all_to_all };
inline constexpr Latency all_latencies[] = {Latency::empty, Latency::shift, Latency::all_to_all};

// The columns of tables C.3, C.6 and C.9 that tell what a message costs beside its words.
enum class Beside { h_half, o };

using Accesses = std::vector<std::string>;  // such as "put" and "get"

class CommunicationTables {
 public:
  explicit CommunicationTables(std::string machine);

  [[nodiscard]] const std::string& machine() const { return machine_; }
  // The MPI that it was measured with, such as "MPISHMEM".
  [[nodiscard]] const std::string& mpi() const { return libraries_.back(); }
  // Oxtool, PUB and MPI.
  [[nodiscard]] const std::vector<std::string>& libraries() const { return libraries_; }
  // The numbers of processors for which the tables have all libraries.
  [[nodiscard]] const std::vector<std::string>& processes() const { return processes_; }

  // In us; the second one is the mean of all columns and numbers of processors.
  [[nodiscard]] double latency(const std::string& library, const std::string& p,
                               Latency kind) const;
  [[nodiscard]] double latency(const std::string& library) const;
  // Tells if a library has the lowest latency for each number of processors.
  [[nodiscard]] bool has_lowest(const std::string& library, Latency kind) const;
  // The mean over processors and patterns, in ns per word.
  [[nodiscard]] double gap(const std::string& library, const Accesses& accesses) const;
  // The mean of a column, in words.
  [[nodiscard]] double beside(const std::string& library, const Accesses& accesses,
                              Beside column) const;

 private:
  std::string machine_;
  std::vector<std::string> libraries_, processes_;
};

}  // namespace tutti::papers
