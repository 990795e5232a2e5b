// SPDX-License-Identifier: BSD-3-Clause
// Makes types, operators and communicators for random_calls.cpp.
#include <dlfcn.h>

#include <cstring>

#include "random_calls.hpp"

namespace random_calls {
namespace {

Layout committed(MPI_Datatype type, int ints, int extent) {
  MPI_Type_commit(&type);
  return {type, ints, extent};
}

MPI_Datatype resized(MPI_Datatype type, int extent) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(extent * sizeof(int)), &made);
  MPI_Type_free(&type);
  return made;
}

// Maps x -> a x + b modulo a small number, of which the composition is not commutative. Half of an
// element is a, half is b.
template <class Half>
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  constexpr std::uint64_t modulus = 251;
  const auto* left = static_cast<const Half*>(in);
  auto* right = static_cast<Half*>(inout);
  for (int i = 0; i < *count; ++i, left += 2, right += 2) {
    const std::uint64_t a = left[0] % modulus, b = left[1] % modulus;
    const std::uint64_t c = right[0] % modulus, d = right[1] % modulus;
    right[0] = static_cast<Half>(a * c % modulus);
    right[1] = static_cast<Half>((c * b + d) % modulus);
  }
}

// Adds three numbers that are one element of 12 bytes.
void add_three(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* left = static_cast<const std::uint32_t*>(in);
  auto* right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < 3 * *count; ++i) right[i] += left[i];
}

// Adds the first and the third of four numbers. The others are holes of the type.
void add_apart(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* left = static_cast<const std::uint32_t*>(in);
  auto* right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i, left += 4, right += 4) {
    right[0] += left[0];
    right[2] += left[2];
  }
}

MPI_Op made_operator(MPI_User_function* function, bool commutative) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(function, commutative ? 1 : 0, &op);
  return op;
}

MPI_Datatype row_of(int count, MPI_Datatype part) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, part, &made);
  MPI_Type_commit(&made);
  return made;
}

void* found(const char* name) {
  return ::dlsym(RTLD_DEFAULT, name);
}

template <class Pointer>
void look_up(Pointer& where, const char* name) {
  void* const address = found(name);
  std::memcpy(&where, &address, sizeof address);
}

}  // namespace

std::vector<Layout> make_layouts() {
  std::vector<Layout> all = {{MPI_INT, 1, 1}};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_INT, &type);
  all.push_back(committed(type, 3, 3));
  MPI_Type_dup(all.back().type, &type);
  all.push_back(committed(type, 3, 3));
  MPI_Type_vector(2, 2, 3, MPI_INT, &type);
  all.push_back(committed(type, 4, 5));
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  all.push_back(committed(resized(type, 7), 3, 7));
  const int places[] = {2, 0, 3, 1};
  MPI_Type_create_indexed_block(4, 1, places, MPI_INT, &type);
  all.push_back(committed(type, 4, 4));
  MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &type);
  all.push_back(committed(resized(type, 3), 2, 3));
  return all;
}

// There is no maximum or sum of MPI_UNSIGNED_CHAR: MPICH 4.0.2 takes that type for a signed one,
// and Open MPI 4.1.4 computes wrong sums of it on processors with AVX.
std::vector<Combine> make_combines() {
  std::vector<Combine> all = {
      {MPI_INT, MPI_SUM, 4},          {MPI_INT, MPI_BXOR, 4},    {MPI_UNSIGNED, MPI_MAX, 4},
      {MPI_LONG, MPI_MIN, 8},         {MPI_SHORT, MPI_SUM, 2},   {MPI_SIGNED_CHAR, MPI_BXOR, 1},
      {MPI_INT, MPI_LAND, 4},         {MPI_BYTE, MPI_BOR, 1},    {MPI_DOUBLE, MPI_SUM, 8, true},
      {MPI_DOUBLE, MPI_MAX, 8, true}, {MPI_2INT, MPI_MAXLOC, 8}, {MPI_2INT, MPI_MINLOC, 8}};
  all.push_back({row_of(2, MPI_UNSIGNED), made_operator(compose<std::uint32_t>, false), 8});
  all.push_back({row_of(2, MPI_UNSIGNED_SHORT), made_operator(compose<std::uint16_t>, false), 4});
  all.push_back({row_of(2, MPI_UINT64_T), made_operator(compose<std::uint64_t>, false), 16});
  all.push_back({row_of(3, MPI_UNSIGNED), made_operator(add_three, true), 12});
  MPI_Datatype apart = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &apart);
  apart = resized(apart, 4);
  MPI_Type_commit(&apart);
  all.push_back({apart, made_operator(add_apart, true), 16});
  return all;
}

Communicators::Communicators() {
  for (MPI_Comm& one : all_) one = MPI_COMM_NULL;
  all_[0] = MPI_COMM_WORLD;
}

Communicators::~Communicators() {
  for (MPI_Comm& one : all_)
    if (one != MPI_COMM_NULL && one != MPI_COMM_WORLD) MPI_Comm_free(&one);
}

MPI_Comm Communicators::next(Source& source) {
  const int place = source.common.below(places);
  const int action = source.common.below(12);
  const int colours = 1 + source.common.below(3), reversed = source.common.below(2);
  if (place > 0 && action == 0) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (all_[place] != MPI_COMM_NULL) MPI_Comm_free(&all_[place]);
    // One colour leaves rank 0 out where there are several.
    const bool out = colours == 3 && rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, out ? MPI_UNDEFINED : rank % colours,
                   reversed != 0 ? -rank : rank, &all_[place]);
  } else if (place > 0 && action == 1) {
    if (all_[place] != MPI_COMM_NULL) MPI_Comm_free(&all_[place]);
    MPI_Comm_dup(MPI_COMM_WORLD, &all_[place]);
  }
  return all_[place];
}

const Fortran& fortran() {
  static const Fortran all = [] {
    Fortran made;
#if defined(OPEN_MPI)
    ::dlopen("libmpi_mpifh.so.40", RTLD_NOW | RTLD_GLOBAL);
    made.in_place = found("mpi_fortran_in_place_");
#elif !defined(MPI_ABI)
    ::dlopen("libmpichfort.so.12", RTLD_NOW | RTLD_GLOBAL);
#endif
    look_up(made.barrier, "mpi_barrier_");
    look_up(made.bcast, "mpi_bcast_");
    look_up(made.allreduce, "mpi_allreduce_");
    look_up(made.alltoallv, "mpi_alltoallv_");
    look_up(made.gatherv, "mpi_gatherv_");
    return made;
  }();
  return all;
}

}  // namespace random_calls
