// SPDX-License-Identifier: BSD-3-Clause
// Operators of MPI as operators of tutti. Those that tutti has on elements that it has are its own.
// All others are applied by the MPI, to elements that tutti takes for units of so many bytes. An
// element of a size that tutti has no unit for is several bytes to it. No message may cut such an
// element in two, so vectors of them travel whole.
#pragma once

#include <optional>

#include "library.hpp"
#include "servers.hpp"
#include "types.hpp"

namespace tutti::mpi {

// In how many pieces an operator of the program may get the elements of an operand.
enum class Pieces : std::uint8_t { any, one };

// An operator while a call uses it.
class Combination {
 public:
  // Returns nothing if the MPI will refuse the operator for this type.
  [[nodiscard]] static std::optional<Combination> of(MPI_Op op, MPI_Datatype handle,
                                                     const Type& type, Pieces pieces);
  ~Combination();
  Combination(Combination&& other) noexcept;
  Combination& operator=(Combination&&) = delete;

  // False if the type has data outside of its extent. Equal on all ranks of a call.
  [[nodiscard]] bool served() const { return served_; }
  // True if the operator gets all elements of an operand at once. Equal on all ranks of a call.
  [[nodiscard]] bool takes_whole_vectors() const { return whole_; }
  // `count` elements of the program, from this address on.
  [[nodiscard]] tutti_data data(void* begin, Count count) const {
    return tutti_array(begin, count * units_, element_);
  }
  [[nodiscard]] tutti_op op() const { return op_; }
  [[nodiscard]] Applier applier() const {
    return borrowed_ == nullptr ? Applier::tutti : Applier::mpi;
  }

  // True if the MPI has refused to apply its operator, or there was no memory for it.
  [[nodiscard]] bool has_failed() const;

  struct Borrowed;  // an operator of tutti that calls the MPI

 private:
  Combination() = default;

  bool served_ = true, whole_ = false;
  Count units_ = 1;  // elements of tutti that make one of the program
  tutti_type element_ = TUTTI_BYTE;
  tutti_op op_{0};
  Borrowed* borrowed_ = nullptr;
};

}  // namespace tutti::mpi
