// SPDX-License-Identifier: BSD-3-Clause
// Collectives with large counts, made from those that count in int. An MPI older than MPI 4 has
// only the latter. A program may still call the others, because an extension of Python looks at run
// time which functions there are, and finds tutti's.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>

#include "plain.hpp"

#if MPI_VERSION >= 4
namespace tutti::mpi {

// The lists of a call: how long they are, and whether their numbers and those of the call fit int.
struct Narrowing {
  std::size_t ranks = 0;
  bool fits = true;

  template <class Wide>
  int number(Wide wide) {
    fits =
        fits && wide >= std::numeric_limits<int>::min() && wide <= std::numeric_limits<int>::max();
    return static_cast<int>(wide);
  }
};

class NarrowList {
 public:
  template <class Wide>
  NarrowList(const Wide* list, Narrowing& narrowing) {
    if (list == nullptr || narrowing.ranks == 0) return;
    numbers_ = std::make_unique<int[]>(narrowing.ranks);
    for (std::size_t i = 0; i < narrowing.ranks; ++i) numbers_[i] = narrowing.number(list[i]);
  }
  operator const int*() const { return numbers_.get(); }

 private:
  std::unique_ptr<int[]> numbers_;
};

template <class Argument>
auto narrow(Argument argument, Narrowing& narrowing) {
  if constexpr (std::is_same_v<Argument, MPI_Count>) {
    return narrowing.number(argument);
  } else if constexpr (std::is_same_v<Argument, const MPI_Count*> ||
                       std::is_same_v<Argument, const MPI_Aint*>) {
    return NarrowList(argument, narrowing);
  } else {
    return argument;
  }
}

// The ranks whose lists mean something: all, or only the root. Those of others must not be read.
enum class ListsOf { all, root };

// Returns how long the lists of a call are.
template <ListsOf whom, class Arguments>
std::size_t length_of_lists(const Arguments& arguments) {
  constexpr std::size_t last = std::tuple_size_v<Arguments> - 1;
  const MPI_Comm comm = std::get<last>(arguments);
  int ranks = 0, rank = 0, inter = 0;
  plain.Comm_test_inter(comm, &inter);
  plain.Comm_rank(comm, &rank);
  inter != 0 ? plain.Comm_remote_size(comm, &ranks) : plain.Comm_size(comm, &ranks);
  if constexpr (whom == ListsOf::root) {
    const int root = std::get<last - 1>(arguments);
    if (root != MPI_ROOT && (inter != 0 || root != rank)) return 0;
  }
  return static_cast<std::size_t>(ranks);
}

// The function of an MPI that counts in int, in the form of one with large counts. Calls whose
// numbers do not fit are errors.
template <auto plain_function, ListsOf whom, class Form>
struct LargeForm;
template <auto plain_function, ListsOf whom, class... Arguments>
struct LargeForm<plain_function, whom, int (*)(Arguments...)> {
  static int call(Arguments... arguments) {
    const std::tuple<Arguments...> all(arguments...);
    Narrowing narrowing{length_of_lists<whom>(all)};
    auto narrowed = std::make_tuple(narrow<Arguments>(arguments, narrowing)...);
    if (narrowing.fits) return std::apply(plain.*plain_function, narrowed);
    plain.Comm_call_errhandler(std::get<sizeof...(Arguments) - 1>(all), MPI_ERR_COUNT);
    return MPI_ERR_COUNT;
  }
};

}  // namespace tutti::mpi
#endif
