// SPDX-License-Identifier: BSD-3-Clause
// Assigns elements to blocks and addresses to elements.
#include "engine/memory.hpp"

#include <algorithm>
#include <iterator>

#include "schedule/partition.hpp"

namespace tutti::engine {

BoundMemory::BoundMemory(const LoweredPlan& plan, int rank, int p)
    : plan_(&plan),
      rank_(rank),
      p_(p),
      cuts_(static_cast<std::size_t>(std::max(plan.buffers.parts, 1)) + 1),
      spans_(plan.spans.size()) {}

BoundMemory::Place BoundMemory::place(Slice spans) const {
  if (spans.size() == 0) return {schedule::Buffer::output, 0};
  if (spans.size() != 1 || flat(spans) == nullptr) return {};
  const ElementSpan& span = spans_[spans.begin];
  return {plan_->spans[spans.begin].buffer, span.first * static_cast<std::int64_t>(element_bytes_)};
}

bool BoundMemory::own_part(schedule::Buffer buffer) const {
  return (buffer == schedule::Buffer::input && plan_->buffers.input_own_part) ||
         (buffer == schedule::Buffer::output && plan_->buffers.output_own_part);
}

std::int64_t BoundMemory::offset(schedule::Buffer buffer, int block) const {
  const std::vector<std::int64_t>& cuts = cuts_of(buffer);
  return own_part(buffer) ? schedule::own_block_offset(cuts, plan_->own_first, block)
                          : schedule::block_offset(cuts, block);
}

bool BoundMemory::bind(std::int64_t n, std::size_t element_bytes, const CallBuffer& input,
                       const CallBuffer& output, const RankCounts& counts) {
  bool same_kinds = true;
  const auto take = [&same_kinds](CallBuffer& own, const CallBuffer& given) {
    const bool plain = given.layout == nullptr || given.layout->is_contiguous();
    same_kinds = same_kinds && plain == (own.layout == &contiguous);
    own = {given.base, plain ? &contiguous : given.layout};
  };
  take(buffers_[0], input);
  take(buffers_[1], output);
  const bool same_cut = n == n_ && counts.cut == Cut::even;
  if (same_cut && element_bytes == element_bytes_ && same_kinds) [[likely]]
    return false;
  n_ = -1;  // stays -1 if cut() runs out of memory
  element_bytes_ = element_bytes;
  cut(n, counts);
  if (counts.cut == Cut::even) n_ = n;
  return true;
}

void BoundMemory::release() {
  std::vector<std::byte>().swap(scratch_memory_);
  n_ = -1;
}

void BoundMemory::cut_by_rank(std::vector<std::int64_t>& cuts, std::int64_t n, Cut cut,
                              std::span<const std::int64_t> counts) const {
  schedule::cut_for_ranks(cuts, p_, [&](int rank) -> std::int64_t {
    if (cut == Cut::by_counts) return counts[static_cast<std::size_t>(rank)];
    if (cut == Cut::even) return n / p_;
    return rank == rank_ ? n : 0;
  });
}

void BoundMemory::cut(std::int64_t n, const RankCounts& counts) {
  output_differs_ = !counts.input.empty() && !counts.output.empty();
  if (plan_->cut_by_rank || counts.cut != Cut::even) {
    cut_by_rank(cuts_, n, counts.cut, counts.input.empty() ? counts.output : counts.input);
    if (output_differs_) {
      output_cuts_.resize(cuts_.size());
      cut_by_rank(output_cuts_, n, counts.cut, counts.output);
    }
  } else {
    schedule::cut_evenly(cuts_, n);
  }
  bind_spans();
}

void BoundMemory::bind_spans() {
  if (plan_->buffers.scratch > 0) {
    const std::int64_t elements = offset(schedule::Buffer::scratch, plan_->buffers.scratch);
    const auto bytes = static_cast<std::size_t>(elements) * element_bytes_;
    if (scratch_memory_.size() < bytes) scratch_memory_.resize(bytes);
    scratch_layout_ = data::Layout::contiguous(elements);
    buffers_[2] = {scratch_memory_.data(), &scratch_layout_};
  }
  std::int64_t ends[3] = {0, 0, 0};
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const BlockSpan& span = plan_->spans[i];
    const auto buffer = static_cast<int>(span.buffer);
    const std::int64_t first = offset(span.buffer, span.first);
    const std::int64_t end = offset(span.buffer, span.first + span.count);
    spans_[i] = {&buffers_[buffer], first, end - first};
    ends[buffer] = std::max(ends[buffer], end);
  }
  std::transform(ends, ends + std::size(used_bytes_), used_bytes_, [this](std::int64_t elements) {
    return elements * static_cast<std::int64_t>(element_bytes_);
  });
}

void BoundMemory::keep_rest(const BlockSpan& scratch_block, std::int64_t first) {
  using schedule::Buffer;
  const int block = scratch_block.first;
  const std::int64_t from = offset(Buffer::output, block) + first;
  const std::int64_t to = offset(Buffer::scratch, block) + first;
  const std::int64_t count = offset(Buffer::output, block + 1) - from;
  const CallBuffer& output = buffers_[static_cast<int>(Buffer::output)];
  const CallBuffer& scratch = buffers_[static_cast<int>(Buffer::scratch)];
  data::pack(scratch.base + to * static_cast<std::int64_t>(element_bytes_), output.base,
             *output.layout, element_bytes_, from, count, data::Store::plain);
}

std::int64_t BoundMemory::elements(Slice spans) const {
  std::int64_t sum = 0;
  for (std::uint32_t i = spans.begin; i < spans.end; ++i) sum += spans_[i].count;
  return sum;
}

ElementRun BoundMemory::scattered_piece(Slice spans, std::int64_t position,
                                        std::int64_t wanted) const {
  std::uint32_t i = spans.begin;
  while (position >= spans_[i].count) position -= spans_[i++].count;
  const ElementSpan& span = spans_[i];
  const std::int64_t count = std::min(wanted, span.count - position);
  const CallBuffer& buffer = *span.buffer;
  const auto bytes = static_cast<std::int64_t>(element_bytes_);
  const auto run = buffer.layout->run_at(span.first + position, count);
  return {buffer.base + run.offset * bytes, run.length};
}

void BoundMemory::read_non_temporal(std::byte* to, Slice spans, std::int64_t position,
                                    std::int64_t count) const {
  read_pieces(to, spans, position, count, data::Store::non_temporal);
  data::store_fence();
}

void BoundMemory::read_pieces(std::byte* to, Slice spans, std::int64_t position, std::int64_t count,
                              data::Store store) const {
  std::uint32_t i = spans.begin;
  while (i < spans.end && position >= spans_[i].count) position -= spans_[i++].count;
  for (; count > 0; ++i, position = 0) {
    const ElementSpan& span = spans_[i];
    const std::int64_t part = std::min(count, span.count - position);
    data::pack(to, span.buffer->base, *span.buffer->layout, element_bytes_, span.first + position,
               part, store);
    to += part * static_cast<std::int64_t>(element_bytes_);
    count -= part;
  }
}

void BoundMemory::write_non_temporal(Slice spans, std::int64_t position, const std::byte* from,
                                     std::int64_t count) const {
  write_pieces(spans, position, from, count, data::Store::non_temporal);
  data::store_fence();
}

void BoundMemory::write_pieces(Slice spans, std::int64_t position, const std::byte* from,
                               std::int64_t count, data::Store store) const {
  std::uint32_t i = spans.begin;
  while (i < spans.end && position >= spans_[i].count) position -= spans_[i++].count;
  for (; count > 0; ++i, position = 0) {
    const ElementSpan& span = spans_[i];
    const std::int64_t part = std::min(count, span.count - position);
    data::unpack(span.buffer->base, from, *span.buffer->layout, element_bytes_,
                 span.first + position, part, store);
    from += part * static_cast<std::int64_t>(element_bytes_);
    count -= part;
  }
}

}  // namespace tutti::engine
