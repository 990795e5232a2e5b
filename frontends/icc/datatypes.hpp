// SPDX-License-Identifier: BSD-3-Clause
// The data types and operators of the group interface as tutti's.
#pragma once

#include <tutti-icc/icc.h>

namespace tutti::icc {

constexpr int datatype_count = 7, operator_count = 16;

// The functions below throw Refusal.

// Returns the bytes of an element.
[[nodiscard]] long size_of(iCC_g_Datatype type);
// Returns the operator, and checks that it is for this data type.
[[nodiscard]] tutti_op operator_of(iCC_g_Op op, iCC_g_Datatype type);
[[nodiscard]] tutti_type type_of(iCC_g_Datatype type);

}  // namespace tutti::icc
