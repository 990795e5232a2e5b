// SPDX-License-Identifier: BSD-3-Clause
// Makes the two calls of mpi_pair.hpp and compares their results.
#include "mpi_pair.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>

#include "by_operation.hpp"
#include "collective_case.hpp"
#include "signs_of_zero.hpp"

namespace tutti::test {
namespace {

MPI_Datatype mpi_type(tutti_type type) {
  const MPI_Datatype types[] = {MPI_UINT8_T, MPI_INT32_T,         MPI_INT64_T,         MPI_FLOAT,
                                MPI_DOUBLE,  MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX};
  return types[type];
}

void mpi_compose(void* left, void* right, int* count, MPI_Datatype*) {
  tutti::test::compose(right, left, right, *count, nullptr);
}

std::vector<int> starts_of(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  return starts;
}

}  // namespace

std::vector<Operator> all_operators() {
  std::vector<Operator> all = {{TUTTI_SUM, MPI_SUM, TUTTI_INT32, TUTTI_COMPLEX_DOUBLE},
                               {TUTTI_PRODUCT, MPI_PROD, TUTTI_INT32, TUTTI_COMPLEX_DOUBLE},
                               {TUTTI_MAX, MPI_MAX, TUTTI_INT32, TUTTI_DOUBLE},
                               {TUTTI_MIN, MPI_MIN, TUTTI_INT32, TUTTI_DOUBLE},
                               {TUTTI_LOGICAL_AND, MPI_LAND, TUTTI_BYTE, TUTTI_INT64},
                               {TUTTI_LOGICAL_OR, MPI_LOR, TUTTI_BYTE, TUTTI_INT64},
                               {TUTTI_LOGICAL_XOR, MPI_LXOR, TUTTI_BYTE, TUTTI_INT64},
                               {TUTTI_BIT_AND, MPI_BAND, TUTTI_BYTE, TUTTI_INT64},
                               {TUTTI_BIT_OR, MPI_BOR, TUTTI_BYTE, TUTTI_INT64},
                               {TUTTI_BIT_XOR, MPI_BXOR, TUTTI_BYTE, TUTTI_INT64}};
  Operator compose{{0}, MPI_OP_NULL, TUTTI_INT64, TUTTI_INT64};
  tutti_op_create(TUTTI_INT64, tutti::test::compose, 0, nullptr, &compose.ours);
  MPI_Op_create(mpi_compose, 0, &compose.theirs);
  all.push_back(compose);
  return all;
}

int One::input_elements() const {
  switch (what_.operation) {
    case TUTTI_OP_BARRIER:
      return 0;
    case TUTTI_OP_BROADCAST:
      return what_.n;
    case TUTTI_OP_SCATTER:
      return root() ? all_parts() : 0;
    case TUTTI_OP_GATHER:
    case TUTTI_OP_ALLGATHER:
      return own_part();
    case TUTTI_OP_REDUCE_SCATTER:
      return all_parts();
    case TUTTI_OP_ALLTOALL:
      return static_cast<int>(
          std::accumulate(input_counts_.begin(), input_counts_.end(), std::int64_t{0}));
    default:
      return what_.n;
  }
}

int One::output_elements() const {
  switch (what_.operation) {
    case TUTTI_OP_BARRIER:
      return 0;
    case TUTTI_OP_REDUCE:
      return root() ? what_.n : 0;
    case TUTTI_OP_GATHER:
      return root() ? all_parts() : 0;
    case TUTTI_OP_ALLGATHER:
      return all_parts();
    case TUTTI_OP_SCATTER:
    case TUTTI_OP_REDUCE_SCATTER:
      return own_part();
    case TUTTI_OP_ALLTOALL:
      return static_cast<int>(
          std::accumulate(output_counts_.begin(), output_counts_.end(), std::int64_t{0}));
    default:
      return what_.n;
  }
}

// The values are small whole numbers, on which every type is exact.
void One::fill() {
  std::mt19937 random(static_cast<unsigned>(what_.number * 1000 + me_));
  const std::size_t element = sizes_of_types[what_.type];
  for (std::size_t at = 0; at < in_.size(); at += element) {
    for (std::size_t half = 0; half < element;
         half += element / (what_.type >= TUTTI_COMPLEX_FLOAT ? 2 : 1)) {
      const int value = static_cast<int>(random() % 4) - (what_.type == TUTTI_BYTE ? 0 : 1);
      const auto wide = std::int64_t{value};
      const auto single = static_cast<float>(value);
      const auto twice = static_cast<double>(value);
      const bool floats = what_.type == TUTTI_FLOAT || what_.type == TUTTI_COMPLEX_FLOAT;
      const void* from = what_.type <= TUTTI_INT64 ? static_cast<const void*>(&wide)
                         : floats                  ? static_cast<const void*>(&single)
                                                   : static_cast<const void*>(&twice);
      const std::size_t size = what_.type <= TUTTI_INT64 ? element
                               : floats                  ? sizeof(float)
                                                         : sizeof(double);
      std::memcpy(&in_[at + half], from, size);
    }
  }
}

// Returns data with columns of three elements, two apart, if the number of elements is a multiple
// of three.
tutti_data One::placed(Bytes& memory, const Bytes* contents, int elements) const {
  const std::size_t column = bytes(3), stride = bytes(5);
  const std::size_t columns = gaps(elements) ? static_cast<std::size_t>(elements / 3) : 0;
  memory.assign(std::max<std::size_t>(columns > 0 ? columns * stride : bytes(elements), 1), 0xa5);
  if (contents != nullptr && columns == 0 && elements > 0)
    std::memcpy(memory.data(), contents->data(), bytes(elements));
  for (std::size_t j = 0; contents != nullptr && j < columns; ++j) {
    std::memcpy(&memory[j * stride], &(*contents)[j * column], column);
  }
  if (columns == 0) return tutti_array(memory.data(), elements, what_.type);
  return tutti_matrix(memory.data(), 3, elements / 3, 5, what_.type);
}

Bytes One::collected(const Bytes& memory, int elements) const {
  if (!gaps(elements))
    return {memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(bytes(elements))};
  Bytes packed(bytes(elements));
  for (std::size_t j = 0; j < static_cast<std::size_t>(elements / 3); ++j) {
    std::memcpy(&packed[j * bytes(3)], &memory[j * bytes(5)], bytes(3));
  }
  return packed;
}

tutti_status One::start() {
  const bool one_memory = what_.operation == TUTTI_OP_BROADCAST ||
                          (what_.in_place && !cut() && output_elements() == input_elements());
  const tutti_data output = placed(our_out_, one_memory ? &in_ : nullptr, output_elements());
  const tutti_data input = one_memory ? output : placed(our_in_, &in_, input_elements());
  return call(&input, &output);
}

tutti_status One::call(const tutti_data* in, const tutti_data* out) {
  const tutti_group group = where_.group;
  const std::int64_t *to = input_counts_.data(), *from = output_counts_.data();
  const std::vector<std::int64_t> all = parts<std::int64_t>();
  const auto by = [&](auto blocking, auto overlapping, auto persistent, auto... arguments) {
    if (what_.way == 0) return blocking(group, arguments...);
    if (what_.way == 1) return overlapping(group, arguments..., &request);
    const tutti_status made = persistent(group, arguments..., &request);
    return made == TUTTI_OK ? tutti_start(request) : made;
  };
  return call_by_operation(
      what_.operation, {in, out, what_.root, op_.ours, what_.counted, all.data(), to, from}, by);
}

void One::refer_moving(MPI_Datatype type) {
  const std::vector<int> all = parts<int>(), to(input_counts_.begin(), input_counts_.end()),
                         from(output_counts_.begin(), output_counts_.end());
  const std::vector<int> starts = starts_of(all), to_starts = starts_of(to),
                         from_starts = starts_of(from);
  if (what_.operation == TUTTI_OP_SCATTER) {
    MPI_Scatterv(in_.data(), all.data(), starts.data(), type, expected_.data(), own_part(), type,
                 what_.root, where_.comm);
  } else if (what_.operation == TUTTI_OP_GATHER) {
    MPI_Gatherv(in_.data(), own_part(), type, expected_.data(), all.data(), starts.data(), type,
                what_.root, where_.comm);
  } else if (what_.operation == TUTTI_OP_ALLGATHER) {
    MPI_Allgatherv(in_.data(), own_part(), type, expected_.data(), all.data(), starts.data(), type,
                   where_.comm);
  } else if (what_.operation == TUTTI_OP_REDUCE_SCATTER) {
    MPI_Reduce_scatter(in_.data(), expected_.data(), all.data(), type, op_.theirs, where_.comm);
  } else {
    MPI_Alltoallv(in_.data(), to.data(), to_starts.data(), type, expected_.data(), from.data(),
                  from_starts.data(), type, where_.comm);
  }
}

void One::refer() {
  const MPI_Datatype type = mpi_type(what_.type);
  const MPI_Comm comm = where_.comm;
  if (cut()) return refer_moving(type);
  if (what_.operation == TUTTI_OP_BROADCAST) {
    expected_ = in_;
    MPI_Bcast(expected_.data(), what_.n, type, what_.root, comm);
  } else if (what_.operation == TUTTI_OP_REDUCE) {
    MPI_Reduce(in_.data(), expected_.data(), what_.n, type, op_.theirs, what_.root, comm);
  } else if (what_.operation == TUTTI_OP_ALLREDUCE) {
    MPI_Allreduce(in_.data(), expected_.data(), what_.n, type, op_.theirs, comm);
  } else if (what_.operation == TUTTI_OP_SCAN) {
    MPI_Scan(in_.data(), expected_.data(), what_.n, type, op_.theirs, comm);
  } else if (what_.operation == TUTTI_OP_EXSCAN) {
    MPI_Exscan(in_.data(), expected_.data(), what_.n, type, op_.theirs, comm);
  } else {
    MPI_Barrier(comm);
  }
}

std::string One::verdict() {
  if (what_.operation == TUTTI_OP_EXSCAN && me_ == 0) return {};
  Bytes ours = collected(our_out_, output_elements());
  forget_signs_of_zero(ours, what_.type);
  forget_signs_of_zero(expected_, what_.type);
  if (ours == expected_) return {};
  char text[200];
  std::snprintf(
      text, sizeof text,
      "operation %d: kind %d%s, root %d, n %d, type %d, operator %d%s%s, way %d, %d of %d",
      what_.number, what_.operation, what_.counted ? " with counts" : "", what_.root, what_.n,
      what_.type, what_.op, what_.strided ? ", strided" : "", what_.in_place ? ", in place" : "",
      what_.way, me_, p_);
  return text;
}

}  // namespace tutti::test
