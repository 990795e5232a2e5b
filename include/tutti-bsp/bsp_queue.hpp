// SPDX-License-Identifier: BSD-3-Clause
// The classes of P. Krusche's thesis for data that is communicated (paper 003, appendix A.1):
// CAVector and CMultiQueue. They are a part of bsp.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace BSPWrapper {

// A vector whose data pointer is public, so that calls of BSPWrapper take it.
template <class T>
class CAVector {
 public:
  CAVector() = default;
  // Uses an existing buffer, which is not deleted. A vector that outgrows it gets its own memory.
  CAVector(int count, T* buffer) : data(buffer), size(count), data_is_mine(false) {}
  // The size is always a multiple of `alignment`.
  explicit CAVector(int elements, int alignment = 1) { SetSize(elements, alignment); }
  CAVector(const CAVector& other) : grow(other.grow) { Copy(other); }
  // If there is no memory for the copy, the vector stays as it is.
  CAVector& operator=(const CAVector& other) {
    if (this == &other) return *this;
    Copy(other);
    grow = other.grow;
    return *this;
  }
  ~CAVector() { Release(); }

  T& operator[](int index) { return data[index]; }
  const T& operator[](int index) const { return data[index]; }

  // Writes `length` elements from `index` on. The vector grows if it is too short.
  void Put(const T* elements, int index, int length) {
    if (index < 0 || length < 0) throw std::out_of_range("CAVector: a negative index or length");
    if (index + length > size) Resize(index + length);
    std::copy_n(elements, length, data + index);
  }
  // Reads up to `length` elements from `index` on. Returns how many there were.
  int Get(int index, T* elements, int length) const {
    if (index < 0 || index >= size) return 0;
    const int found = std::max(0, std::min(length, size - index));
    std::copy_n(data + index, found, elements);
    return found;
  }

  // Elements up to the smaller of both sizes keep their values. New ones are value-initialised.
  void SetSize(int elements, int alignment = 1) {
    if (elements < 0) throw std::out_of_range("CAVector: a negative size");
    grow = std::max(1, alignment);
    Resize(elements);
  }
  // Makes the vector shorter, if it is longer than `count`.
  void Shrink(int count) {
    if (count < size) SetSize(count, grow);
  }

  T* data = nullptr;
  int size = 0;
  int grow = 1;

 private:
  void Resize(int elements) {
    const int rounded = (elements + grow - 1) / grow * grow;
    if (rounded == size) return;
    if (!data_is_mine && rounded < size) {  // the buffer stays where it is
      size = rounded;
      return;
    }
    std::unique_ptr<T[]> larger(rounded > 0 ? new T[static_cast<std::size_t>(rounded)]() : nullptr);
    std::copy_n(data, std::min(size, rounded), larger.get());
    Take(std::move(larger), rounded);
  }
  void Copy(const CAVector& other) {
    std::unique_ptr<T[]> copy(other.size > 0 ? new T[static_cast<std::size_t>(other.size)]
                                             : nullptr);
    std::copy_n(other.data, other.size, copy.get());
    Take(std::move(copy), other.size);
  }
  // Replaces the elements. Only this changes the vector after memory is allocated and elements are
  // copied, because both may fail.
  void Take(std::unique_ptr<T[]> elements, int count) {
    Release();
    data = elements.release();
    size = count;
    data_is_mine = true;
  }
  void Release() {
    if (data_is_mine) delete[] data;
  }

  bool data_is_mine = true;
};

// Queues, one for each destination. They collect values before a communication, and show the
// received values after it.
template <class T>
class CMultiQueue {
 public:
  // Makes `count` empty queues. Each has room for `room` values, and its room is always a multiple
  // of `alignment`.
  explicit CMultiQueue(int count = 0, int room = 0, int alignment = 1) {
    SetSize(count, room, alignment);
  }
  // Makes queues of the bytes of an array, as FromArray does.
  CMultiQueue(int count, const void* array, const int counts[], const int displacements[]) {
    FromArray(count, array, counts, displacements);
  }

  void SetSize(int count, int room = 0, int alignment = 1) {
    if (count < 0) throw std::out_of_range("CMultiQueue: a negative number of queues");
    room_ = room;
    alignment_ = alignment;
    queues_.assign(static_cast<std::size_t>(count), Queue());
    Reset();
  }
  // Empties all queues.
  void Reset() {
    for (Queue& queue : queues_) queue = {CAVector<T>(room_, alignment_), 0, 0};
  }
  [[nodiscard]] int Queues() const { return static_cast<int>(queues_.size()); }

  void Enqueue(int queue, const T* values, int count) {
    Queue& chosen = queues_.at(static_cast<std::size_t>(queue));
    // Room for twice as many, so that a queue that is filled one by one is not copied each time.
    if (chosen.end + count > chosen.values.size)
      chosen.values.SetSize(std::max(2 * chosen.values.size, chosen.end + count), alignment_);
    chosen.values.Put(values, chosen.end, count);
    chosen.end += count;
  }
  // Shows the values that are left in a queue.
  void Head(int queue, T*& values, int& count) {
    Queue& chosen = queues_.at(static_cast<std::size_t>(queue));
    values = chosen.values.data + chosen.begin;
    count = chosen.end - chosen.begin;
  }
  // Removes values from the front of a queue.
  void DeleteHead(int queue, int count) {
    Queue& chosen = queues_.at(static_cast<std::size_t>(queue));
    chosen.begin = std::min(chosen.begin + count, chosen.end);
  }
  // Shows the values of the first queue that is not empty. `count` is 0 if all are empty.
  void FirstHead(T*& values, int& count) {
    values = nullptr;
    count = 0;
    const int first = First();
    if (first < Queues()) Head(first, values, count);
  }
  void DeleteFirstHead(int count) {
    const int first = First();
    if (first < Queues()) DeleteHead(first, count);
  }

  // Gives the values that are left in all queues as bytes, one queue after the other, and the bytes
  // and the place of each queue. These are the arguments of MPI_Alltoallv, and with the bytes of
  // bsp_total_exchangev. The caller deletes the three arrays, by delete[].
  void ToArray(char*& array, int*& counts, int*& displacements) {
    static_assert(std::is_trivially_copyable<T>::value, "the values are copied as bytes");
    counts = new int[queues_.size()];
    displacements = new int[queues_.size()];
    int bytes = 0;
    for (int queue = 0; queue < Queues(); ++queue) {
      displacements[queue] = bytes;
      counts[queue] = BytesOf(queue);
      bytes += counts[queue];
    }
    array = new char[static_cast<std::size_t>(bytes)];
    for (int queue = 0; queue < Queues(); ++queue) {
      T* values = nullptr;
      int count = 0;
      Head(queue, values, count);
      if (count > 0)
        std::memcpy(array + displacements[queue], values, static_cast<std::size_t>(counts[queue]));
    }
  }
  // Replaces all queues by copies of the bytes of an array. The array is not kept.
  void FromArray(int count, const void* array, const int counts[], const int displacements[]) {
    static_assert(std::is_trivially_copyable<T>::value, "the values are copied as bytes");
    SetSize(count, room_, alignment_);
    for (int queue = 0; queue < count; ++queue) {
      Queue& filled = queues_[static_cast<std::size_t>(queue)];
      filled.end = counts[queue] / static_cast<int>(sizeof(T));
      if (filled.end == 0) continue;
      filled.values.SetSize(std::max(room_, filled.end), alignment_);
      std::memcpy(filled.values.data, static_cast<const char*>(array) + displacements[queue],
                  static_cast<std::size_t>(filled.end) * sizeof(T));
    }
  }

 private:
  struct Queue {
    CAVector<T> values;
    int begin = 0, end = 0;  // the values that are in the queue
  };
  [[nodiscard]] int BytesOf(int queue) const {
    const Queue& chosen = queues_[static_cast<std::size_t>(queue)];
    return (chosen.end - chosen.begin) * static_cast<int>(sizeof(T));
  }
  [[nodiscard]] int First() const {
    const auto found = std::find_if(queues_.begin(), queues_.end(),
                                    [](const Queue& queue) { return queue.begin < queue.end; });
    return static_cast<int>(found - queues_.begin());
  }

  std::vector<Queue> queues_;
  int room_ = 0, alignment_ = 1;
};

}  // namespace BSPWrapper
