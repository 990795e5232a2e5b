// SPDX-License-Identifier: BSD-3-Clause
// The memory of a run: three buffers, each a base address with a layout, and the partition
// that says which elements a block holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/copy.hpp"
#include "data/layout.hpp"
#include "data/pack.hpp"
#include "engine/counts.hpp"
#include "engine/lowered.hpp"

namespace tutti::engine {

// A buffer of the caller. Its layout is the caller's and must outlive the execution.
struct CallBuffer {
  std::byte* base = nullptr;
  const data::Layout* layout = nullptr;
};

// Elements [first, first + count) of one buffer.
struct ElementSpan {
  const CallBuffer* buffer = nullptr;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Consecutive elements in memory.
struct ElementRun {
  std::byte* address;
  std::int64_t count;
};

class BoundMemory {
 public:
  // Reserves memory for the cuts and spans, which bind() fills. Later only the scratch buffer
  // allocates, when it must grow.
  BoundMemory(const LoweredPlan& plan, int rank, int p);

  // Assigns elements to blocks. n: elements of the whole vector, or of the rank's own part if it
  // knows no more. The output buffer may have no address if it is not used. Returns true if blocks
  // have other sizes than in the last call, or other places relative to their buffer.
  bool bind(std::int64_t n, std::size_t element_bytes, const CallBuffer& input,
            const CallBuffer& output, const RankCounts& counts);
  // Repeats the last bind() with new addresses. Both buffers must be contiguous.
  void rebind(void* input, void* output) {
    buffers_[0].base = static_cast<std::byte*>(input);
    buffers_[1].base = static_cast<std::byte*>(output);
  }

  // Returns true if input and output surely share no memory.
  [[nodiscard]] bool operands_apart() const {
    const CallBuffer &in = buffers_[0], &out = buffers_[1];
    if (in.layout != &contiguous || out.layout != &contiguous) return false;
    return used_bytes_[0] == 0 || used_bytes_[1] == 0 || in.base + used_bytes_[0] <= out.base ||
           out.base + used_bytes_[1] <= in.base;
  }

  // Copies elements of a block of the output to the block of that number in scratch: those from
  // element `first` of the block to its end.
  void keep_rest(const BlockSpan& scratch_block, std::int64_t first);

  [[nodiscard]] const CallBuffer& input() const { return buffers_[0]; }
  [[nodiscard]] const CallBuffer& output() const { return buffers_[1]; }

  // Frees the scratch buffer until the next bind().
  void release();

  [[nodiscard]] std::int64_t elements(Slice spans) const;
  // Returns the run of elements that starts at `position` of the concatenated spans. It has at most
  // `wanted` elements.
  [[nodiscard]] ElementRun piece(Slice spans, std::int64_t position, std::int64_t wanted) const {
    if (std::byte* base = flat(spans))
      return {base + position * static_cast<std::int64_t>(element_bytes_), wanted};
    return scattered_piece(spans, position, wanted);
  }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
  // Returns the address of a slice that is one span in a contiguous buffer; nullptr otherwise.
  [[nodiscard]] std::byte* flat(Slice spans) const {
    if (spans.size() != 1) return nullptr;
    const ElementSpan& span = spans_[spans.begin];
    if (!span.buffer->layout->is_contiguous()) return nullptr;
    return span.buffer->base + span.first * static_cast<std::int64_t>(element_bytes_);
  }
  // The address of a slice relative to its buffer. It stays valid until a bind() that returns true.
  struct Place {
    schedule::Buffer buffer{};
    std::int64_t offset = -1;  // in bytes; -1: the slice is not one run
  };
  [[nodiscard]] Place place(Slice spans) const;
  [[nodiscard]] std::byte* at(const Place& place) const {
    return buffers_[static_cast<int>(place.buffer)].base + place.offset;
  }
  void read(std::byte* to, Slice spans, std::int64_t position, std::int64_t count) const {
    if (count == 0) return;
    if (const std::byte* from = flat(spans)) return copy(to, from, position, 0, count);
    read_pieces(to, spans, position, count, data::Store::plain);
  }
  // Reads for a reader that is far, with non-temporal stores, which are complete on return.
  void read_non_temporal(std::byte* to, Slice spans, std::int64_t position,
                         std::int64_t count) const;
  void write(Slice spans, std::int64_t position, const std::byte* from, std::int64_t count) const {
    if (count == 0) return;
    if (std::byte* to = flat(spans)) {
      const auto bytes = static_cast<std::int64_t>(element_bytes_);
      return base::copy_arrived(to + position * bytes, from,
                                static_cast<std::size_t>(count * bytes));
    }
    write_pieces(spans, position, from, count, data::Store::plain);
  }
  // Writes a result that the caches cannot hold, with non-temporal stores, which are complete on
  // return.
  void write_non_temporal(Slice spans, std::int64_t position, const std::byte* from,
                          std::int64_t count) const;

 private:
  // Copies `count` elements from `from` to `to`. The positions are counted in elements, too.
  void copy(std::byte* to, const std::byte* from, std::int64_t from_position,
            std::int64_t to_position, std::int64_t count) const {
    const auto bytes = static_cast<std::int64_t>(element_bytes_);
    base::copy_bytes(to + to_position * bytes, from + from_position * bytes,
                     static_cast<std::size_t>(count * bytes));
  }
  [[nodiscard]] ElementRun scattered_piece(Slice spans, std::int64_t position,
                                           std::int64_t wanted) const;
  void read_pieces(std::byte* to, Slice spans, std::int64_t position, std::int64_t count,
                   data::Store store) const;
  void write_pieces(Slice spans, std::int64_t position, const std::byte* from, std::int64_t count,
                    data::Store store) const;
  void cut(std::int64_t n, const RankCounts& counts);
  void cut_by_rank(std::vector<std::int64_t>& cuts, std::int64_t n, Cut cut,
                   std::span<const std::int64_t> counts) const;
  void bind_spans();
  [[nodiscard]] const std::vector<std::int64_t>& cuts_of(schedule::Buffer buffer) const {
    return output_differs_ && buffer != schedule::Buffer::input ? output_cuts_ : cuts_;
  }
  [[nodiscard]] std::int64_t offset(schedule::Buffer buffer, int block) const;
  [[nodiscard]] bool own_part(schedule::Buffer buffer) const;

  static constexpr data::Layout contiguous{};

  const LoweredPlan* plan_;
  int rank_, p_;
  std::int64_t n_ = -1;  // -1: never bound
  std::size_t element_bytes_ = 1;
  std::vector<std::int64_t> cuts_;  // parts + 1 element numbers, where each part begins
  // Cuts of output and scratch, where they differ from those of the input.
  std::vector<std::int64_t> output_cuts_;
  bool output_differs_ = false;
  std::vector<ElementSpan> spans_;  // element ranges of plan.spans
  std::vector<std::byte> scratch_memory_;
  data::Layout scratch_layout_;
  // Bytes of input and output from their addresses to the end of the last block.
  std::int64_t used_bytes_[2] = {0, 0};
  CallBuffer buffers_[3];  // one that is contiguous has the layout above
};

}  // namespace tutti::engine
