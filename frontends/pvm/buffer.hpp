// SPDX-License-Identifier: BSD-3-Clause
// A message being packed or unpacked, and the message buffers of a task. The machine has one
// architecture, so in every encoding the bytes are the values as memory holds them. An in-place
// buffer remembers where the data are and reads them when it is sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tutti::pvm {

// Where a received message came from, or how a buffer was last labelled by pvm_setminfo.
struct Origin {
  int tid = 0;
  int tag = 0;
  int context = 0;
};

// A byte array that grows at its end and leaves new bytes uninitialised.
class Bytes {
 public:
  Bytes() = default;
  ~Bytes();
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // Adds room for `count` bytes and returns its address; nullptr if there is no memory.
  [[nodiscard]] std::byte* extend(std::size_t count);
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  // Bytes that fit without new memory.
  [[nodiscard]] std::size_t room() const { return capacity_; }
  void clear() { size_ = 0; }
  void swap(Bytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

class MessageBuffer {
 public:
  MessageBuffer(int number, int encoding) : number_(number), encoding_(encoding) {}

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int encoding() const { return encoding_; }
  [[nodiscard]] std::size_t size() const { return in_place() ? in_place_bytes_ : bytes_.size(); }

  // pack and unpack copy `count` elements that lie `stride` elements apart. All four functions
  // return PvmOk or an error.
  [[nodiscard]] int pack(const void* data, std::size_t element, int count, int stride);
  [[nodiscard]] int unpack(void* data, std::size_t element, int count, int stride);
  [[nodiscard]] int pack_text(const char* text);
  [[nodiscard]] int unpack_text(char* text);
  // Bytes that have not been unpacked yet.
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  void rewind() { at_ = 0; }

  // Copies the data of an in-place buffer side by side. Returns false if there is no memory.
  [[nodiscard]] bool flatten();
  [[nodiscard]] const std::byte* data() const { return bytes_.data(); }
  // Returns room for the bytes of a message that is received into this buffer.
  [[nodiscard]] std::byte* receive(std::size_t bytes) { return bytes_.extend(bytes); }
  // Changes the memory of this buffer with other memory.
  void swap_memory(Bytes& other) { bytes_.swap(other); }

  Origin origin;
  int wait_number = 0;

 private:
  struct Piece {
    const std::byte* data;
    std::size_t element;
    int count, stride;
  };

  [[nodiscard]] bool in_place() const;

  int number_;
  int encoding_;
  Bytes bytes_;
  std::size_t at_ = 0;
  std::vector<Piece> pieces_;
  std::size_t in_place_bytes_ = 0;
};

// The buffers of a task, by number, and the two of them that are active.
class MessageBuffers {
 public:
  // Returns nullptr if there is no memory.
  MessageBuffer* make(int encoding);
  // The longest memory of a buffer that was freed. A message that the task waits for may be put
  // there, because most are as long as one before.
  [[nodiscard]] Bytes& spare() { return spare_; }
  [[nodiscard]] MessageBuffer* find(int number) const;
  // Frees the buffer, which is no longer active then.
  void free(int number);

  [[nodiscard]] MessageBuffer* sending() const { return find(send_); }
  [[nodiscard]] MessageBuffer* receiving() const { return find(receive_); }
  int set_sending(int number);
  int set_receiving(int number);
  [[nodiscard]] int sending_number() const { return send_; }
  [[nodiscard]] int receiving_number() const { return receive_; }

 private:
  std::map<int, std::unique_ptr<MessageBuffer>> all_;
  Bytes spare_;
  int last_ = 0;
  int send_ = 0, receive_ = 0;
};

}  // namespace tutti::pvm
