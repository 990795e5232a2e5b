// SPDX-License-Identifier: BSD-3-Clause
// Names that libpvm3 exports beside the calls that programs use: descriptors to wait on, trace
// masks, tasks that serve the daemon, and parts of the library itself. Where a name means nothing
// without a daemon, the call gives PvmNotImpl.
#include <sys/timerfd.h>
#include <tutti-pvm/pvm3.h>
#include <tutti-pvm/pvmtev.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

// No descriptor becomes readable when a message comes: messages lie in shared memory. This one does
// so every few milliseconds, and a program that asks pvm_nrecv each time gets its message soon.
constexpr long period_nanoseconds = 5'000'000;

int open_ticker() {
  const int made =
      tutti_raise_descriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const itimerspec period{{0, period_nanoseconds}, {0, period_nanoseconds}};
  if (made < 0 || ::timerfd_settime(made, 0, &period, nullptr) == 0) return made;
  ::close(made);
  return -1;
}

// The masks of this task and of its children. Nothing is traced, so they are only kept.
char* mask_of(int who) {
  static Pvmtmask masks[2];
  if (who != PvmTaskSelf && who != PvmTaskChild) return nullptr;
  char* const mask = masks[who];
  if (*mask == '\0') {
    TEV_MASK_INIT(masks[who]);
  }
  return mask;
}

int not_without_a_daemon(const char* name) {
  return call(name, [] { return int{PvmNotImpl}; });
}

constexpr int errors = 37;  // numbers of errors that PVM has, without their sign, and 0

}  // namespace

extern "C" {

// Texts of errors by their number without the sign.
TUTTI_API const char* pvm_errlist[errors];
TUTTI_API int pvm_nerr = errors;
TUTTI_API int pvm_useruid = -1;
TUTTI_API int pvm_inprecv = 0;

// Parts of the real library, which no header declares.
TUTTI_API char* pvm_alloc(unsigned bytes, const char* purpose);
TUTTI_API char* pvm_realloc(char* memory, unsigned bytes);
TUTTI_API void pvm_free(char* memory);
TUTTI_API int pvm_fd_add(int descriptor, int sets);
TUTTI_API int pvm_fd_delete(int descriptor, int sets);
TUTTI_API int pvm_tc_noop(int message);
TUTTI_API int pvm_tc_settmask(int message);
TUTTI_API int pvm_tc_settrace(int message);
TUTTI_API int pvm_tc_settrcbuf(int message);
TUTTI_API int pvm_tc_settrcopt(int message);
TUTTI_API int pvm_tc_siblings(int message);

int pvm_getfds(int** descriptors) {
  return call("pvm_getfds", [&] {
    int& ticker = state().ticker;
    if (descriptors == nullptr) return PvmBadParam;
    if (ticker < 0) ticker = open_ticker();
    if (ticker < 0) return PvmSysErr;
    *descriptors = &ticker;
    return 1;
  });
}

int pvm_gettmask(int who, char* mask) {
  return call("pvm_gettmask", [&] {
    const char* const kept = mask_of(who);
    if (kept == nullptr || mask == nullptr) return PvmBadParam;
    std::memcpy(mask, kept, TEV_MASK_LENGTH);
    return PvmOk;
  });
}

int pvm_settmask(int who, char* mask) {
  return call("pvm_settmask", [&] {
    char* const kept = mask_of(who);
    if (kept == nullptr || mask == nullptr) return PvmBadParam;
    std::memcpy(kept, mask, TEV_MASK_LENGTH);
    return PvmOk;
  });
}

int pvm_reg_hoster(void) {
  return not_without_a_daemon("pvm_reg_hoster");
}
int pvm_reg_rm(struct pvmhostinfo**) {
  return not_without_a_daemon("pvm_reg_rm");
}
int pvm_reg_tasker(void) {
  return not_without_a_daemon("pvm_reg_tasker");
}
int pvm_reg_tracer(int, int, int, int, char*, int, int) {
  return not_without_a_daemon("pvm_reg_tracer");
}
int pvm_tickle(int, int*, int*, int*) {
  return not_without_a_daemon("pvm_tickle");
}

// No task is ever ended by a reset, so none has asked to be spared.
int pvm_getnoresets(int** tids, int* count) {
  return call("pvm_getnoresets", [&] {
    static int nobody = 0;
    if (tids != nullptr) *tids = &nobody;
    if (count != nullptr) *count = 0;
    return PvmOk;
  });
}

char* pvmgettmp(void) {
  static std::string folder;
  folder = setting("PVM_TMP");
  return folder.data();
}
// There are no daemons to start, so this is only the program that a PVM of today would use.
char* pvmgetrsh(void) {
  static char program[] = "ssh";
  return program;
}
char* pvmtmpnam(char* name) {
  static char kept[PVMTMPNAMLEN];
  static int names = 0;
  char* const written = name != nullptr ? name : kept;
  do {
    std::snprintf(written, PVMTMPNAMLEN, "%.100s/pvm.%d.%d", setting("PVM_TMP").c_str(), ::getpid(),
                  ++names);
  } while (::access(written, F_OK) == 0);
  return written;
}

char* pvm_alloc(unsigned bytes, const char*) {
  return static_cast<char*>(std::malloc(bytes));
}
char* pvm_realloc(char* memory, unsigned bytes) {
  return static_cast<char*>(std::realloc(memory, bytes));
}
void pvm_free(char* memory) {
  std::free(memory);
}

int pvm_fd_add(int, int) {
  return not_without_a_daemon("pvm_fd_add");
}
int pvm_fd_delete(int, int) {
  return not_without_a_daemon("pvm_fd_delete");
}
int pvm_tc_noop(int) {
  return not_without_a_daemon("pvm_tc_noop");
}
int pvm_tc_settmask(int) {
  return not_without_a_daemon("pvm_tc_settmask");
}
int pvm_tc_settrace(int) {
  return not_without_a_daemon("pvm_tc_settrace");
}
int pvm_tc_settrcbuf(int) {
  return not_without_a_daemon("pvm_tc_settrcbuf");
}
int pvm_tc_settrcopt(int) {
  return not_without_a_daemon("pvm_tc_settrcopt");
}
int pvm_tc_siblings(int) {
  return not_without_a_daemon("pvm_tc_siblings");
}

}  // extern "C"

namespace {

// Fills the list when the library is loaded.
const bool filled = [] {
  for (int number = 0; number < errors; ++number) pvm_errlist[number] = text_of(-number);
  return true;
}();

}  // namespace
