// SPDX-License-Identifier: BSD-3-Clause
// Combines matrices by three functions of the user (vTUOP2D; paper 000, 7.1.3).
#pragma once

#include "combine.hpp"

namespace tutti::blacs {

// The functions of one call, which get the number of elements by value or by reference.
// `initialise` and `finish` may be nullptr.
struct UserFunctions {
  using Any = void (*)();
  enum class Passing : std::uint8_t { by_value, by_reference };

  Any initialise, combine, finish;
  Passing passing;
};

template <class Element>
UserFunctions functions_by_value(void (*initialise)(int, Element*),
                                 void (*combine)(int, Element*, Element*),
                                 void (*finish)(int, Element*)) {
  using Any = UserFunctions::Any;
  return {reinterpret_cast<Any>(initialise), reinterpret_cast<Any>(combine),
          reinterpret_cast<Any>(finish), UserFunctions::Passing::by_value};
}

template <class Number, class Element>
UserFunctions functions_by_reference(void (*initialise)(Number*, Element*),
                                     void (*combine)(Number*, Element*, Element*),
                                     void (*finish)(Number*, Element*)) {
  using Any = UserFunctions::Any;
  return {reinterpret_cast<Any>(initialise), reinterpret_cast<Any>(combine),
          reinterpret_cast<Any>(finish), UserFunctions::Passing::by_reference};
}

// UPLO of the matrix is 'U', 'L', or 'G' for a general matrix.
void combine_by_user(const Routine& routine, int context, const Matrix& matrix, const Combine& how,
                     const UserFunctions& functions);

}  // namespace tutti::blacs
