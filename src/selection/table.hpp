// SPDX-License-Identifier: BSD-3-Clause
// A tuning table: plans by name for ranges of ranks and bytes, from a file that people can read and
// write. A table can only name plans; the Chooser decides whether one may serve a call.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"
#include "selection/settings.hpp"

namespace tutti::selection {

// A range of numbers to which both ends belong.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool contains(std::int64_t value) const { return first <= value && value <= last; }
};

// Where and when a row was measured, for rows that `tutti tune` has written.
struct RowOrigin {
  int processors = 0;  // the row serves jobs with so many processors only; 0: any job
  double ratio = 0;    // time of the row's plan over that of the plan it replaces; 0: not known
  std::string date;
  [[nodiscard]] bool serves(int processors_of_job) const {
    return processors == 0 || processors == processors_of_job;
  }
};

struct TableRow {
  schedule::Operation operation{};
  Range ranks, bytes;
  const schedule::Generator* generator = nullptr;
  Settings settings;
  int line = 0;  // line of the file
  RowOrigin origin{};
};

// A row with the key `mpi` speaks of programs of this MPI whose collectives tutti serves (`tutti
// mpi`). It says who serves their calls: `native` is the MPI, and `tutti` is tutti.
struct MpiRow {
  std::string mpi;        // openmpi or mpich
  std::string operation;  // such as alltoallv
  // The row is for reductions whose operator the MPI applies; if it is false, for all other calls.
  bool mpi_combines = false;
  Range ranks, bytes;  // the bytes that all members know; 0 where they know none
  bool native = false;
  int line = 0;
  RowOrigin origin{};
};

// A call of a program of an MPI.
struct MpiCall {
  std::string_view mpi, operation;
  bool mpi_combines = false;
  int ranks = 0;
  std::int64_t bytes = 0;
};

class Table {
 public:
  Table() = default;
  Table(std::string origin, std::vector<TableRow> rows, std::vector<MpiRow> mpi_rows = {})
      : origin_(std::move(origin)), rows_(std::move(rows)), mpi_rows_(std::move(mpi_rows)) {}

  [[nodiscard]] bool empty() const { return rows_.empty() && mpi_rows_.empty(); }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  // The rows in the order of the file; the first one that serves a call counts.
  [[nodiscard]] std::span<const TableRow> rows() const { return rows_; }
  [[nodiscard]] std::span<const MpiRow> mpi_rows() const { return mpi_rows_; }
  // Returns the first row that speaks of the call; nullptr if there is none.
  [[nodiscard]] const MpiRow* row_for(const MpiCall& call, int processors) const;
  // Returns true if some row for this operation and number of ranks begins or ends between the two
  // sizes, so that sizes between them are not all treated alike. Rows for another number of
  // processors do not count.
  [[nodiscard]] bool divides(schedule::Operation operation, int p, const Range& bytes,
                             int processors) const;

 private:
  std::string origin_;
  std::vector<TableRow> rows_;
  std::vector<MpiRow> mpi_rows_;
};

// Reads the array [[plan]] of a TOML file, whatever else is in it. Throws Error(invalid_argument)
// that names file and line.
[[nodiscard]] Table parse_table(std::string_view toml, const std::string& origin);

}  // namespace tutti::selection
