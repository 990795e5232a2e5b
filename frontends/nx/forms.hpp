// SPDX-License-Identifier: BSD-3-Clause
// Defines calls of C in both forms, one that ends the job if it fails and one that returns -1, and
// calls of Fortran. The files that define the names of NX use it.
#pragma once

#include "failure.hpp"

// Defines the call `name` as the symbols name and _name with `suffix`. `...` is the body, which may
// contain commas.
#define TUTTI_NX_FORMS(result, name, suffix, parameters, ...)      \
  TUTTI_API result name##suffix parameters {                       \
    return ending(#name, [&]() -> result { __VA_ARGS__; });        \
  }                                                                \
  TUTTI_API long _##name##suffix parameters {                      \
    return answering("_" #name, [&]() -> result { __VA_ARGS__; }); \
  }
#define TUTTI_NX_DEFINE(result, name, parameters, ...) \
  TUTTI_NX_FORMS(result, name, , parameters, __VA_ARGS__)

// Both forms of a call that transfers bytes: one returns nothing, the other how many.
#define TUTTI_NX_TRANSFER(name, parameters, ...)              \
  TUTTI_API void name parameters {                            \
    ending(#name, [&] { static_cast<void>(__VA_ARGS__); });   \
  }                                                           \
  TUTTI_API long _##name parameters {                         \
    return answering("_" #name, [&] { return __VA_ARGS__; }); \
  }

// Defines a call of Fortran whose body is `...`.
#define TUTTI_NX_FORTRAN(result, name, parameters, ...)     \
  TUTTI_API result name##_ parameters {                     \
    return ending(#name, [&]() -> result { __VA_ARGS__; }); \
  }
// Defines one that returns a number, which INTEGER*4 has room for.
#define TUTTI_NX_NUMBER(name, parameters, ...) \
  TUTTI_NX_FORTRAN(int, name, parameters, return static_cast<int>(__VA_ARGS__))
