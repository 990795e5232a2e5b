// SPDX-License-Identifier: BSD-3-Clause
// The tables of data types and operators (datatypes.hpp).
#include "datatypes.hpp"

#include <cstdint>

#include "errors.hpp"

extern "C" {
// In the order of the names in icc.h.
iCC_g_datatype iCC_g_datatypes[7] = {
    {1}, {1}, {sizeof(int)}, {sizeof(long)}, {sizeof(float)}, {sizeof(double)}, {sizeof(int)}};
iCC_g_operator iCC_g_operators[16] = {{0}, {1}, {2},  {3},  {4},  {5},  {6},  {7},
                                      {8}, {9}, {10}, {11}, {12}, {13}, {14}, {15}};
}

namespace tutti::icc {
namespace {

enum class DataClass : std::uint8_t { none, whole, single, twice, logical };

struct DatatypeRow {
  tutti_type type;
  DataClass data_class;
};
constexpr DatatypeRow datatype_rows[datatype_count] = {
    {TUTTI_BYTE, DataClass::none},     {TUTTI_BYTE, DataClass::none},
    {TUTTI_INT32, DataClass::whole},   {TUTTI_INT64, DataClass::whole},
    {TUTTI_FLOAT, DataClass::single},  {TUTTI_DOUBLE, DataClass::twice},
    {TUTTI_INT32, DataClass::logical},
};

struct OperatorRow {
  tutti_op op;
  DataClass data_class;
};
constexpr OperatorRow operator_rows[operator_count] = {
    {TUTTI_SUM, DataClass::whole},           {TUTTI_PRODUCT, DataClass::whole},
    {TUTTI_MAX, DataClass::whole},           {TUTTI_MIN, DataClass::whole},
    {TUTTI_SUM, DataClass::single},          {TUTTI_PRODUCT, DataClass::single},
    {TUTTI_MAX, DataClass::single},          {TUTTI_MIN, DataClass::single},
    {TUTTI_SUM, DataClass::twice},           {TUTTI_PRODUCT, DataClass::twice},
    {TUTTI_MAX, DataClass::twice},           {TUTTI_MIN, DataClass::twice},
    {TUTTI_BIT_AND, DataClass::whole},       {TUTTI_BIT_OR, DataClass::whole},
    {TUTTI_LOGICAL_AND, DataClass::logical}, {TUTTI_LOGICAL_OR, DataClass::logical},
};

const DatatypeRow& row_of(iCC_g_Datatype type) {
  require(type != nullptr, iCC_g_ERROR_DATATYPE_NULL);
  for (int i = 0; i < datatype_count; ++i)
    if (type == &iCC_g_datatypes[i]) return datatype_rows[i];
  throw Refusal{iCC_g_ERROR_DATATYPE_MISMATCH};
}

}  // namespace

long size_of(iCC_g_Datatype type) {
  static_cast<void>(row_of(type));
  return type->size;
}

tutti_type type_of(iCC_g_Datatype type) {
  return row_of(type).type;
}

tutti_op operator_of(iCC_g_Op op, iCC_g_Datatype type) {
  const DataClass data_class = row_of(type).data_class;
  require(op != nullptr, iCC_g_ERROR_OP_NULL);
  for (int i = 0; i < operator_count; ++i) {
    if (op != &iCC_g_operators[i]) continue;
    require(operator_rows[i].data_class == data_class, iCC_g_ERROR_DATATYPE_MISMATCH);
    return operator_rows[i].op;
  }
  throw Refusal{iCC_g_ERROR_OP_NULL};
}

}  // namespace tutti::icc
