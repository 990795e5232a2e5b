// SPDX-License-Identifier: BSD-3-Clause
// The file of one process in the record of a job (item.hpp). It is mapped and grows with its items.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.hpp"
#include "transport/record/item.hpp"

namespace tutti::record {

class RecordFile {
 public:
  // Throws Error(bad_environment) if the file cannot be made. `path` is that of the job's file.
  RecordFile(const std::string& path, int process, bool counter, std::uint64_t now);
  ~RecordFile() { unmap(); }
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void keep(RecordItem item) {
    const ItemKind kind = std::exchange(item.kind, ItemKind::none);
    *place_ = item;
    // A process that is killed here leaves no half item.
    std::atomic_ref(place_->kind).store(kind, std::memory_order_release);
    step();
  }
  // Writes the text that the last item has announced.
  void keep(std::string_view text);
  // Items that are written afterwards go nowhere.
  void close() { stop(0); }

 private:
  void step() {
    if (++place_ == end_) [[unlikely]]
      grow();
  }
  void grow();
  void stop(int error);
  void unmap();

  std::string path_;
  base::Descriptor file_;
  std::int64_t at_ = static_cast<std::int64_t>(first_item_at);  // of the next window
  RecordItem* window_ = nullptr;
  RecordItem* place_ = nullptr;
  RecordItem* end_ = nullptr;
  std::unique_ptr<RecordItem[]> nowhere_;  // for items after the end
};

}  // namespace tutti::record
