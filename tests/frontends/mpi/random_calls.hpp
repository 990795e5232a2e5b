// SPDX-License-Identifier: BSD-3-Clause
// Parts of random_calls.cpp: random numbers, types with holes, communicators, operators, and the
// forms of a call.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#if defined(MPI_ABI)  // the standard interface of MPI 5 has other names for these
using MPI_Fint = int;
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Type_c2f MPI_Type_toint
#define MPI_Op_c2f MPI_Op_toint
#endif

namespace random_calls {

// Ranks with the same seed draw the same numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761U + 88172645463325252U) {}
  // Returns a number from 0 to limit - 1.
  int below(int limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<int>((state_ >> 11) % static_cast<std::uint64_t>(limit));
  }

 private:
  std::uint64_t state_;
};

// Numbers that all ranks draw alike, and numbers of this rank alone.
struct Source {
  Random common, own;
};

// A way to call: by the PMPI names, which tutti does not take over, or by one of the others.
enum class Form { plain, c, large, fortran };

// A type of `ints` numbers of MPI_INT.
struct Layout {
  MPI_Datatype type = MPI_INT;
  int ints = 1;
  int extent = 1;  // in numbers
};
// Makes types that divide blocks of 12 numbers, some with holes and some in another order.
[[nodiscard]] std::vector<Layout> make_layouts();

// A reduction: elements of some type, and an operator.
struct Combine {
  MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_SUM;
  int bytes = 4;               // the extent of an element
  bool small_doubles = false;  // elements are doubles that must be small whole numbers

  // MPICH 4.0.2 ends by a signal if a root other than 0 reduces more than 2 KiB in place.
  [[nodiscard]] bool fails_in_place([[maybe_unused]] int elements,
                                    [[maybe_unused]] int root) const {
#if defined(OPEN_MPI)
    return false;
#else
    return root != 0 && elements * bytes > 2048;
#endif
  }
};
[[nodiscard]] std::vector<Combine> make_combines();

// The counts and displacements of an irregular call in both widths.
struct Lists {
  std::vector<int> counts, places;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Aint> large_places;
  void add(int count, int place) {
    counts.push_back(count);
    places.push_back(place);
    large_counts.push_back(count);
    large_places.push_back(place);
  }
};

// The communicators that a run makes and frees.
class Communicators {
 public:
  Communicators();
  ~Communicators();
  // Makes, frees or keeps communicators. Returns one of which this rank is a member, or
  // MPI_COMM_NULL.
  MPI_Comm next(Source& source);

 private:
  static constexpr int places = 5;
  MPI_Comm all_[places];
};

// Fortran's subroutines, which are looked up because tests are not linked with the MPI's library
// for Fortran.
struct Fortran {
  using Integer = MPI_Fint;
  void (*barrier)(const Integer*, Integer*) = nullptr;
  void (*bcast)(void*, const Integer*, const Integer*, const Integer*, const Integer*,
                Integer*) = nullptr;
  void (*allreduce)(const void*, void*, const Integer*, const Integer*, const Integer*,
                    const Integer*, Integer*) = nullptr;
  void (*alltoallv)(const void*, const Integer*, const Integer*, const Integer*, void*,
                    const Integer*, const Integer*, const Integer*, const Integer*,
                    Integer*) = nullptr;
  void (*gatherv)(const void*, const Integer*, const Integer*, void*, const Integer*,
                  const Integer*, const Integer*, const Integer*, const Integer*,
                  Integer*) = nullptr;
  void* in_place = nullptr;  // nullptr if it cannot be found
  [[nodiscard]] bool there() const { return bcast != nullptr; }
};
[[nodiscard]] const Fortran& fortran();

}  // namespace random_calls
