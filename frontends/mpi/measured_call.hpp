// SPDX-License-Identifier: BSD-3-Clause
// One call of MPI, with its data, that can be made by tutti and by the MPI.
#pragma once

#include <vector>

#include "measure.hpp"
#include "message.hpp"

namespace tutti::mpi {

// The names by which a call is made: those of the program, which are this library's, or the MPI's
// own.
enum class By : std::uint8_t { program, mpi };

class RepeatedCall {
 public:
  RepeatedCall(const MeasuredCall& what, MPI_Comm comm, int members, int rank);

  // Returns false if there is no memory for the data, if they would take much of it, or if their
  // counts would be no int.
  [[nodiscard]] bool possible() const { return possible_; }
  // Makes the call as the program would, or by the MPI alone. A root comes from outside.
  void make(By by, int root) const;
  // Writes the input of this rank anew if it has any in a call with this root.
  void rewrite(int root) const;
  // Returns true if only the root has input, so that the members write one after the other.
  [[nodiscard]] bool root_writes() const;

 private:
  void make_move(By by, int root) const;
  void make_irregular(By by, int root) const;
  void make_reduction(By by, int root) const;

  MpiOperation operation_;
  MPI_Comm comm_;
  int rank_;
  MPI_Datatype type_{};
  MPI_Op op_{};
  int count_ = 0;  // elements of a block, or of the vector
  Count input_bytes_ = 0;
  bool possible_ = false;
  OwnMemory input_, output_, pattern_;
  std::vector<int> counts_, places_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace tutti::mpi
