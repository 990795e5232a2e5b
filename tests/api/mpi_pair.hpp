// SPDX-License-Identifier: BSD-3-Clause
// Runs a collective twice: by tutti, and by the MPI, whose result is the expected one.
#pragma once

#include <mpi.h>
#include <tutti/tutti.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tutti::test {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t sizes_of_types[] = {1, 4, 8, 4, 8, 8, 16};

// A group and a communicator with the same ranks.
struct Pair {
  tutti_group group{0};
  MPI_Comm comm = MPI_COMM_NULL;
};

struct What {
  int number = 0;
  tutti_operation operation = TUTTI_OP_BARRIER;
  bool counted = false;
  int root = 0;
  int n = 0;  // elements, or the most of a part
  tutti_type type = TUTTI_BYTE;
  int op = 0;  // index into `operators`
  bool strided = false, in_place = false;
  int way = 0;
};

struct Operator {
  tutti_op ours{0};
  MPI_Op theirs = MPI_OP_NULL;
  tutti_type first = TUTTI_BYTE, last = TUTTI_COMPLEX_DOUBLE;  // types it serves
};

// Returns the operators of the MPI and one that does not commute.
[[nodiscard]] std::vector<Operator> all_operators();

// An operation with its data, and the results of tutti and of the MPI.
class One {
 public:
  One(const Pair& where, const What& what, const Operator& op)
      : where_(where), what_(what), op_(op) {
    MPI_Comm_rank(where.comm, &me_);
    MPI_Comm_size(where.comm, &p_);
    for (int rank = 0; rank < p_; ++rank) {
      input_counts_.push_back(part(me_, rank));
      output_counts_.push_back(part(rank, me_));
    }
    in_.resize(bytes(input_elements()));
    expected_.resize(bytes(output_elements()));
    fill();
  }

  // Runs tutti's call, or starts it and sets the request.
  tutti_status start();
  // Runs the MPI's call.
  void refer();
  // Returns an empty text if both results are the same, else the difference.
  [[nodiscard]] std::string verdict();
  tutti_request request{0};

 private:
  [[nodiscard]] bool cut() const {
    return what_.operation >= TUTTI_OP_SCATTER && what_.operation <= TUTTI_OP_ALLTOALL;
  }
  [[nodiscard]] bool root() const { return me_ == what_.root; }
  [[nodiscard]] std::size_t bytes(int elements) const {
    return static_cast<std::size_t>(elements) * sizes_of_types[what_.type];
  }
  // Returns the number of elements that rank `to` has, or that it gets from rank `from`.
  [[nodiscard]] int part(int from, int to) const {
    if (!what_.counted) return what_.n;
    const int own = what_.operation == TUTTI_OP_ALLTOALL ? 3 * from + 5 * to : 7 * to;
    return what_.n == 0 ? 0 : (own + what_.number) % (what_.n + 1);
  }
  [[nodiscard]] int own_part() const { return part(-1, me_); }
  template <class Count>
  [[nodiscard]] std::vector<Count> parts() const {
    std::vector<Count> all;
    for (int rank = 0; rank < p_; ++rank) all.push_back(part(-1, rank));
    return all;
  }
  [[nodiscard]] int all_parts() const {
    const std::vector<int> all = parts<int>();
    return std::accumulate(all.begin(), all.end(), 0);
  }
  [[nodiscard]] int input_elements() const;
  [[nodiscard]] int output_elements() const;
  void fill();
  [[nodiscard]] tutti_data placed(Bytes& memory, const Bytes* contents, int elements) const;
  [[nodiscard]] Bytes collected(const Bytes& memory, int elements) const;
  [[nodiscard]] bool gaps(int elements) const {
    return what_.strided && elements % 3 == 0 && elements > 0;
  }
  tutti_status call(const tutti_data* in, const tutti_data* out);
  void refer_moving(MPI_Datatype type);

  Pair where_;
  What what_;
  Operator op_;
  int me_ = 0, p_ = 1;
  std::vector<std::int64_t> input_counts_, output_counts_;
  Bytes in_, expected_, our_in_, our_out_;
};

}  // namespace tutti::test
