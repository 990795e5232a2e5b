// SPDX-License-Identifier: BSD-3-Clause
// Lowers Programs of other ranks, reads them back, and gives all to the verifier.
#include "engine/proof.hpp"

#include <numeric>

#include "engine/unconnected.hpp"
#include "schedule/verifier.hpp"

namespace tutti::engine {

schedule::Program executed_program(const schedule::Program& program,
                                   const schedule::Buffers& buffers, int rank, int p) {
  std::vector<int> endpoints(static_cast<std::size_t>(p));
  std::iota(endpoints.begin(), endpoints.end(), 0);
  Unconnected transport(p);
  return raise(lower(program, buffers, transport, endpoints, rank), endpoints);
}

std::string refutation(const schedule::Generator& generator, const schedule::Shape& shape,
                       std::span<const schedule::Program> programs) {
  for (const auto placement : {schedule::Placement::separate, schedule::Placement::in_place}) {
    schedule::Verdict verdict =
        schedule::verify(generator.operation, shape, generator.buffers(shape), programs, placement);
    schedule::check_order(generator, verdict);
    if (!verdict.correct()) return verdict.problem;
  }
  return {};
}

}  // namespace tutti::engine
