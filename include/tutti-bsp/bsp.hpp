// SPDX-License-Identifier: BSD-3-Clause
// BSPWrapper: the C++ interface of P. Krusche's thesis (paper 003, 2.6 and appendix A) over BSPlib.
// It calls the BSPlib of tutti, or the one that TUTTI_BSP_BACKEND names when the program starts.
//
//   BSPWrapper::Init(argc, argv);
//   ... BSPWrapper::Put, Sync, Send, Fold ... BSPWrapper::P processes, this one is BSPWrapper::Pid
//   BSPWrapper::Exit();
#pragma once

// The default of older compilers is C++14, where inline variables are an extension, of which they
// would warn.
#if __cplusplus < 201703L
#pragma GCC system_header
#endif

#include <tutti-bsp/bsp_backend.h>
#include <tutti-bsp/bsp_queue.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TUTTI_BSP_SIZE_T
#error "BSPWrapper has int sizes: compile without TUTTI_BSP_SIZE_T"
#endif

namespace BSPWrapper {

namespace detail {
inline const bsp_backend_table* chosen = nullptr;
}
// The BSPlib that this interface calls.
inline const bsp_backend_table& Backend() {
  if (detail::chosen == nullptr) detail::chosen = bsp_backend();
  return *detail::chosen;
}
namespace detail {
// Ends all processes if the BSPlib has no such call.
template <class Call>
Call Need(Call call, const char* name) {
  if (call == nullptr) Backend().abort("%s has no %s\n", Backend().name, name);
  return call;
}
}  // namespace detail

// The number of processes and the number of this process; valid after Init.
inline int P = 0;
inline int Pid = 0;

// Begins with all processes of the job. A program started by hand begins with as many as there are
// processors.
inline void Init(int, char**) {
  Backend().begin(Backend().nprocs());
  P = Backend().nprocs();
  Pid = Backend().pid();
}
inline void Exit() {
  Backend().end();
}
inline void Sync() {
  Backend().sync();
}
// Calls bsp_sync_counts: counts[q] puts and messages of process q are for this one.
inline void Sync(const std::vector<int>& counts) {
  if (counts.size() != static_cast<std::size_t>(P))
    throw std::invalid_argument("Sync: a count for each process is needed");
  Backend().sync_counts(counts.data());
}
// Calls bsp_sync_neighbours.
inline void SyncWith(const std::vector<int>& neighbours) {
  Backend().sync_neighbours(static_cast<int>(neighbours.size()), neighbours.data());
}
inline double Time() {
  return Backend().time();
}
// Prints on process pid only, or on all processes if pid is negative.
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
  Backend().push_reg(data, length);
}
inline void PopReg(void* data) {
  Backend().pop_reg(data);
}
inline void Put(int pid, const void* source, void* destination, int offset, int count) {
  Backend().put(pid, source, destination, offset, count);
}
inline void Get(int pid, const void* source, int offset, void* destination, int count) {
  Backend().get(pid, source, offset, destination, count);
}
inline void HpPut(int pid, const void* source, void* destination, int offset, int count) {
  Backend().hpput(pid, source, destination, offset, count);
}
inline void HpGet(int pid, const void* source, int offset, void* destination, int count) {
  Backend().hpget(pid, source, offset, destination, count);
}

inline void SetTagSize(int size) {
  Backend().set_tagsize(&size);
}
inline void Send(int pid, const void* tag, const void* message, int count) {
  Backend().send(pid, tag, message, count);
}
inline void HpSend(int pid, const void* tag, const void* message, int count) {
  Backend().hpsend(pid, tag, message, count);
}
// Returns the bytes of the payload in *status; -1 if there is no message.
inline void GetTag(int* status, void* tag) {
  Backend().get_tag(status, tag);
}
// The thesis's programs also pass the status, or status and tag, by reference.
inline void GetTag(int& status, void* tag) {
  GetTag(&status, tag);
}
template <class Tag, class = std::enable_if_t<!std::is_pointer<Tag>::value>>
void GetTag(int& status, Tag& tag) {
  GetTag(&status, static_cast<void*>(&tag));
}
inline void Move(void* data, int size) {
  Backend().move(data, size);
}
// Returns where the first message lies until the next Sync; size is -1 if there is none.
inline void HpMove(void*& data, int& size) {
  void* tag = nullptr;
  size = Backend().hpmove(&tag, &data);
}

inline void Broadcast(int pid, int count, const void* source, void* destination) {
  if (Pid == pid && source != destination)
    std::memmove(destination, source, static_cast<std::size_t>(count));
  detail::Need(Backend().broadcast, "bsp_broadcast")(pid, destination, count);
}

namespace detail {
using Folding = void (*)(char* result, char* left, char* right, int* size);
inline Folding folding = nullptr;
inline void fold(void* result, void* left, void* right, int* size) {
  folding(static_cast<char*>(result), static_cast<char*>(left), static_cast<char*>(right), size);
}
}  // namespace detail

// Returns the result in `destination` on all processes.
inline void Fold(const void* source, void* destination, int count, detail::Folding function) {
  detail::folding = function;
  detail::Need(Backend().fold, "bsp_fold")(detail::fold, source, destination, count);
}

// A group of the processes that give the same color. All of them make it, and all of them destroy
// it.
class Group {
 public:
  explicit Group(int color, int key = Pid)
      : number_(detail::Need(Backend().group_split, "bsp_group_split")(color, key)) {}
  ~Group() {
    if (number_ != 0) Backend().group_free(number_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // While an object of this class exists, all calls refer to the group, and P and Pid are those of
  // the group.
  class Within {
   public:
    explicit Within(const Group& group) : outer_{P, Pid} {
      Backend().group_enter(group.number_);
      P = Backend().nprocs();
      Pid = Backend().pid();
    }
    ~Within() {
      Backend().group_leave();
      P = outer_.first;
      Pid = outer_.second;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    std::pair<int, int> outer_;
  };
  // Returns false for a negative color.
  explicit operator bool() const { return number_ != 0; }

 private:
  int number_;
};

}  // namespace BSPWrapper

// The h-relations on values need C++20. The thesis's own interface does without them.
#if __cplusplus >= 202002L
#include <tutti-bsp/bsp_relation.hpp>
#endif
