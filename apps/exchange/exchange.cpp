// SPDX-License-Identifier: BSD-3-Clause
#include "exchange.hpp"

#include <algorithm>
#include <cstring>

namespace exchange {

class Exchange::Passage {
 public:
  explicit Passage(Exchange& exchange)
      : exchange_(exchange), start_(std::chrono::steady_clock::now()) {}
  ~Passage() {
    exchange_.seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

 private:
  Exchange& exchange_;
  std::chrono::steady_clock::time_point start_;
};

namespace {

tutti_data bytes_at(const void* address, std::int64_t bytes) {
  return tutti_array(const_cast<void*>(address), bytes, TUTTI_BYTE);
}

}  // namespace

tutti_plan Exchange::plan(std::int64_t bytes) const {
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = TUTTI_OP_ALLTOALL;
  request.algorithm = algorithm_.c_str();
  request.bytes = bytes;
  tutti_plan plan{};
  tutti_plan_get(tutti_world(), &request, &plan);
  return plan;
}

void Exchange::equal_bytes(const void* input, void* output, std::int64_t bytes) {
  const Passage passage(*this);
  const tutti_data from = bytes_at(input, bytes), to = bytes_at(output, bytes);
  if (algorithm_.empty()) {
    tutti_alltoall(tutti_world(), &from, &to);
    return;
  }
  tutti_run run{};
  run.struct_size = sizeof run;
  run.input = &from;
  run.output = &to;
  tutti_plan_run(plan(bytes), &run);
}

void Exchange::varied_bytes(const void* input, const std::vector<std::int64_t>& input_counts,
                            void* output, const std::vector<std::int64_t>& output_counts,
                            std::size_t size) {
  if (!algorithm_.empty()) return padded_bytes(input, input_counts, output, output_counts, size);
  const auto in_bytes = [size](const std::vector<std::int64_t>& counts) {
    std::vector<std::int64_t> bytes(counts);
    for (std::int64_t& count : bytes) count *= static_cast<std::int64_t>(size);
    return bytes;
  };
  const std::vector<std::int64_t> leaving = in_bytes(input_counts),
                                  arriving = in_bytes(output_counts);
  const auto total = [](const std::vector<std::int64_t>& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  };
  const Passage passage(*this);
  const tutti_data from = bytes_at(input, total(leaving)), to = bytes_at(output, total(arriving));
  tutti_alltoallv(tutti_world(), &from, &to, leaving.data(), arriving.data());
}

// A named algorithm needs counts that all ranks know, so all parts get the length of the longest.
void Exchange::padded_bytes(const void* input, const std::vector<std::int64_t>& input_counts,
                            void* output, const std::vector<std::int64_t>& output_counts,
                            std::size_t size) {
  const auto longest = static_cast<std::size_t>(largest(static_cast<double>(
      std::max(std::ranges::max(input_counts), std::ranges::max(output_counts)))));
  const std::size_t part = longest * size;
  std::vector<std::byte> from(part * input_counts.size()), to(from.size());
  std::size_t at = 0;
  for (std::size_t r = 0; r < input_counts.size(); ++r) {
    const std::size_t bytes = static_cast<std::size_t>(input_counts[r]) * size;
    if (bytes > 0) std::memcpy(&from[r * part], static_cast<const std::byte*>(input) + at, bytes);
    at += bytes;
  }
  equal<std::byte>(from, to);
  at = 0;
  for (std::size_t r = 0; r < output_counts.size(); ++r) {
    const std::size_t bytes = static_cast<std::size_t>(output_counts[r]) * size;
    if (bytes > 0) std::memcpy(static_cast<std::byte*>(output) + at, &to[r * part], bytes);
    at += bytes;
  }
}

double largest(double value) {
  double result = 0;
  const tutti_data from = tutti_array(&value, 1, TUTTI_DOUBLE),
                   to = tutti_array(&result, 1, TUTTI_DOUBLE);
  tutti_allreduce(tutti_world(), &from, &to, TUTTI_MAX);
  return result;
}

std::uint64_t sum(std::uint64_t value) {
  std::uint64_t result = 0;
  const tutti_data from = tutti_array(&value, 1, TUTTI_INT64),
                   to = tutti_array(&result, 1, TUTTI_INT64);
  tutti_allreduce(tutti_world(), &from, &to, TUTTI_SUM);
  return result;
}

}  // namespace exchange
