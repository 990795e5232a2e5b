// SPDX-License-Identifier: BSD-3-Clause
// The words by which a receiver offers to take a long message where it goes, and by which both ends
// count what they have copied (handover.hpp). Each ring of the collective lane has a slot for its
// reader, and each endpoint has one for its mail, which any sender may accept.
#pragma once

#include <cstdint>

#include "transport/shared.hpp"
#include "transport/shm/line_bytes.hpp"

namespace tutti::transport::shm {

struct HandoverSlot {
  // The number of the offer, the endpoint that has accepted it, and a state of handover.cpp. The
  // reader publishes an offer, and replaces it to take it back. A writer replaces it to accept, and
  // publishes its answer.
  alignas(line_bytes) Shared<std::uint64_t> state;
  // The offer. The reader puts it, a writer peeks, and then replaces the state that it has seen.
  Shared<std::uint64_t> tag, detail, most, first, to;
  Shared<std::uint32_t> how;     // bits of handover.cpp
  Shared<std::uint32_t> source;  // 1 + the endpoint that may accept, 0 for any
  // The bits of `tag` and `detail` that matter, where `how` says that not all do.
  alignas(line_bytes) Shared<std::uint64_t> tag_mask, detail_mask;
  // The answer of the writer. It puts that before it publishes `state`, and the reader peeks.
  alignas(line_bytes) Shared<std::uint64_t> from, begin, piece, total, answer_tag, answer_detail;
  Shared<std::uint32_t> copiers;
  // The number of the offer in the high half, and in the low one how many pieces were claimed. The
  // reader puts it before it offers, and either replaces it.
  alignas(line_bytes) Shared<std::uint64_t> claims;
  // Pieces that the writer has copied, and those that the reader has. The reader puts 0 before it
  // offers. Then each publishes its own and sees that of the other.
  alignas(line_bytes) Shared<std::uint64_t> written;
  alignas(line_bytes) Shared<std::uint64_t> read;
  // 1 + the number of the last offer that the reader has withdrawn, although a writer had accepted.
  Shared<std::uint32_t> withdrawn;
};

}  // namespace tutti::transport::shm
