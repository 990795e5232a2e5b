// SPDX-License-Identifier: BSD-3-Clause
// Operators of MPI as operators of tutti. Those that tutti has on elements that it has are its own.
// All others are applied by the MPI, to elements that tutti takes for units of so many bytes.
#pragma once

#include <optional>

#include "library.hpp"
#include "servers.hpp"
#include "types.hpp"

namespace tutti::mpi {

// An operator while a call uses it.
class Combination {
 public:
  // Returns nothing if the MPI will refuse the operator for this type.
  [[nodiscard]] static std::optional<Combination> of(MPI_Op op, MPI_Datatype handle,
                                                     const Type& type);
  ~Combination();
  Combination(Combination&& other) noexcept;
  Combination& operator=(Combination&&) = delete;

  // True if tutti has elements of so many bytes. Equal on all ranks of a call.
  [[nodiscard]] bool has_unit() const { return has_unit_; }
  [[nodiscard]] tutti_type element() const { return element_; }
  [[nodiscard]] tutti_op op() const { return op_; }
  [[nodiscard]] Applier applier() const {
    return borrowed_ == nullptr ? Applier::tutti : Applier::mpi;
  }

  // True if the MPI has refused to apply its operator, or there was no memory for it.
  [[nodiscard]] bool has_failed() const;

  struct Borrowed;  // an operator of tutti that calls the MPI

 private:
  Combination() = default;

  bool has_unit_ = true;
  tutti_type element_ = TUTTI_BYTE;
  tutti_op op_{0};
  Borrowed* borrowed_ = nullptr;
};

}  // namespace tutti::mpi
