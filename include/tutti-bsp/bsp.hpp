// SPDX-License-Identifier: BSD-3-Clause
// BSPWrapper: the C++ interface of P. Krusche's thesis (paper 003, 2.6 and appendix A) over BSPlib of tutti. A program uses
// either this header or bsp.h with int sizes.
//
//   BSPWrapper::Init(argc, argv);
//   ... BSPWrapper::Put, Sync, Send, Fold ... BSPWrapper::P processes, this one is BSPWrapper::Pid
//   BSPWrapper::Exit();
#pragma once

#include <tutti-bsp/bsp.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TUTTI_BSP_SIZE_T
#error "BSPWrapper has int sizes: compile without TUTTI_BSP_SIZE_T"
#endif

namespace BSPWrapper {

// Valid after Init.
inline int P = 0;
inline int Pid = 0;

// With all processes of the job; started by hand, with as many as there are processors.
inline void Init(int, char**) {
  bsp_begin(bsp_nprocs());
  P = bsp_nprocs();
  Pid = bsp_pid();
}
inline void Exit() {
  bsp_end();
}
inline void Sync() {
  bsp_sync();
}
inline double Time() {
  return bsp_time();
}
// On process pid only, or on all if it is negative.
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
inline void
Print(int pid, const char* format, ...) {
  if (pid >= 0 && pid != Pid) return;
  std::va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

inline void PushReg(void* data, int length) {
  bsp_push_reg(data, length);
}
inline void PopReg(void* data) {
  bsp_pop_reg(data);
}
inline void Put(int pid, const void* source, void* destination, int offset, int count) {
  bsp_put(pid, source, destination, offset, count);
}
inline void Get(int pid, const void* source, int offset, void* destination, int count) {
  bsp_get(pid, source, offset, destination, count);
}
inline void HpPut(int pid, const void* source, void* destination, int offset, int count) {
  bsp_hpput(pid, source, destination, offset, count);
}
inline void HpGet(int pid, const void* source, int offset, void* destination, int count) {
  bsp_hpget(pid, source, offset, destination, count);
}

inline void SetTagSize(int size) {
  bsp_set_tagsize(&size);
}
inline void Send(int pid, const void* tag, const void* message, int count) {
  bsp_send(pid, tag, message, count);
}
inline void HpSend(int pid, const void* tag, const void* message, int count) {
  bsp_hpsend(pid, tag, message, count);
}
// The payload's bytes, or -1 when there is no message.
inline void GetTag(int* status, void* tag) {
  bsp_get_tag(status, tag);
}
inline void Move(void* data, int size) {
  bsp_move(data, size);
}
// Where the first message lies until the next Sync; size -1 when there is none.
inline void HpMove(void*& data, int& size) {
  void* tag = nullptr;
  size = bsp_hpmove(&tag, &data);
}

inline void Broadcast(int pid, int count, const void* source, void* destination) {
  bsp_bcast(pid, source, destination, count);
}

namespace detail {
using Folding = void (*)(char* result, char* left, char* right, int* size);
inline Folding folding = nullptr;
inline void fold(void* result, void* left, void* right, int* size) {
  folding(static_cast<char*>(result), static_cast<char*>(left), static_cast<char*>(right), size);
}
}  // namespace detail

// The result is returned in `destination` on all processes.
inline void Fold(const void* source, void* destination, int count, detail::Folding function) {
  detail::folding = function;
  bsp_fold(detail::fold, source, destination, count);
}

// The thesis's CAVector grew by itself and showed its data, as std::vector does.
template <class T>
using Vector = std::vector<T>;

// Values by destination: what the thesis's CMultiQueue collects before, and shows after, a communication.
template <class T>
class MultiQueue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit MultiQueue(int queues = 0) : queues_(static_cast<std::size_t>(queues)) {}

  void Enqueue(int queue, const T* data, int count) {
    auto& values = queues_.at(static_cast<std::size_t>(queue)).values;
    values.insert(values.end(), data, data + count);
  }
  // What is left of a queue.
  void Head(int queue, T*& data, int& count) {
    Queue& chosen = queues_.at(static_cast<std::size_t>(queue));
    data = chosen.values.data() + chosen.begin;
    count = static_cast<int>(chosen.values.size() - chosen.begin);
  }
  void DeleteHead(int queue, int count) {
    Queue& chosen = queues_.at(static_cast<std::size_t>(queue));
    chosen.begin = std::min(chosen.begin + static_cast<std::size_t>(count), chosen.values.size());
  }
  // Of the first queue that is not empty; count 0 when all are.
  void FirstHead(T*& data, int& count) { Head(First(), data, count); }
  void DeleteFirstHead(int count) { DeleteHead(First(), count); }
  void Reset() { queues_.assign(queues_.size(), {}); }
  [[nodiscard]] int Queues() const { return static_cast<int>(queues_.size()); }

 private:
  struct Queue {
    std::vector<T> values;
    std::size_t begin = 0;
  };
  [[nodiscard]] int First() const {
    const auto found = std::find_if(queues_.begin(), queues_.end(),
                                    [](const Queue& queue) { return queue.begin < queue.values.size(); });
    return found == queues_.end() ? 0 : static_cast<int>(found - queues_.begin());
  }
  std::vector<Queue> queues_;
};

// An h-relation on values: queue q of `out` goes to process q; queue q of the result came from there. Called by all
// processes; no Sync is needed. `out` is empty afterwards.
template <class T>
MultiQueue<T> Exchange(MultiQueue<T>& out) {
  if (out.Queues() != P) throw std::invalid_argument("Exchange: as many queues as processes are needed");
  const auto p = static_cast<std::size_t>(P);
  std::vector<int> sent(p), received(p);
  std::vector<T> from, to;
  for (int q = 0; q < P; ++q) {
    T* data = nullptr;
    int count = 0;
    out.Head(q, data, count);
    from.insert(from.end(), data, data + count);
    sent[static_cast<std::size_t>(q)] = count * static_cast<int>(sizeof(T));
  }
  bsp_total_exchange(sent.data(), received.data(), sizeof(int));
  std::size_t bytes = 0;
  for (const int count : received) bytes += static_cast<std::size_t>(count);
  to.resize(bytes / sizeof(T));
  bsp_total_exchangev(from.data(), sent.data(), to.data(), received.data());
  MultiQueue<T> in(P);
  const T* at = to.data();
  for (int q = 0; q < P; ++q) {
    const int count = received[static_cast<std::size_t>(q)] / static_cast<int>(sizeof(T));
    in.Enqueue(q, at, count);
    at += count;
  }
  out.Reset();
  return in;
}

}  // namespace BSPWrapper
