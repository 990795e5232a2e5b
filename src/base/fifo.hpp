// SPDX-License-Identifier: BSD-3-Clause
// A queue in one vector. After it has reached its working size it allocates no more, unlike
// std::deque, which allocates and frees blocks all the time.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::base {

template <class T>
class Fifo {
 public:
  using iterator = typename std::vector<T>::iterator;

  // The number of items that wait at once depends on timing. A queue with room for `usual` items
  // from the start does not grow in the middle of a run.
  explicit Fifo(std::size_t usual = 0) { items_.reserve(usual); }

  [[nodiscard]] bool empty() const { return head_ == items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size() - head_; }
  [[nodiscard]] T& front() { return items_[head_]; }
  [[nodiscard]] T& back() { return items_.back(); }
  [[nodiscard]] iterator begin() { return items_.begin() + static_cast<std::ptrdiff_t>(head_); }
  [[nodiscard]] iterator end() { return items_.end(); }

  void push_back(T item) {
    make_room();
    items_.push_back(std::move(item));
  }
  // Appends an item and returns it, for the caller to write into.
  T& add() {
    make_room();
    return items_.emplace_back();
  }
  void drop_last() {
    items_.pop_back();
    if (empty()) clear();
  }
  void pop_front() {
    if (++head_ == items_.size()) clear();
  }
  void erase(iterator position) {
    if (position == begin()) return pop_front();
    items_.erase(position);
  }
  template <class Predicate>
  void erase_if(const Predicate& predicate) {
    compact();
    std::erase_if(items_, predicate);
  }
  void clear() {
    items_.clear();
    head_ = 0;
  }

 private:
  void make_room() {
    if (items_.size() == items_.capacity() && head_ > items_.size() / 2) compact();
  }
  void compact() {
    items_.erase(items_.begin(), begin());
    head_ = 0;
  }

  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace tutti::base
