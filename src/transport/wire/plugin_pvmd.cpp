// SPDX-License-Identifier: BSD-3-Clause
// Implements the table of plugin.h over PVM: libpvm3 and its pvmd, unchanged. Frames are messages
// in a context of tutti's own, so no receive of the program meets them. Every call restores what
// the program has set in libpvm: context, buffers, match function. It knows nothing else of tutti.
// library.cpp loads it.
#include <poll.h>
#include <pvm3.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <vector>

#include "transport/wire/plugin.h"

// libpvm3 exports these names, but pvm3.h does not declare them.
extern "C" {
extern int pvmmytid;
extern const char* pvm_errlist[];
int pvm_getfds(int** descriptors);
}

namespace {

// The context of tutti's frames. It differs from all that pvm_newcontext gives, whose upper bits
// name a host.
constexpr int context = 0x2b7a3;
// Frames have the tags that the core gives them, which are lower.
constexpr int exit_tag = 1000;
constexpr int any = -1;

// The only state: a process loads this library once and is one task of PVM.
struct Open {
  bool enrolled_here = false;
  // Receives that wait for their messages, the oldest first.
  struct Receive {
    tutti_wire_token token;
    int from, tag;
    void* data;
    int bytes;
  };
  std::deque<Receive> receives;
  tutti_wire_token last_token = 0;
  std::vector<pollfd> waited_for;  // a member, so that its memory is reused
};
Open opened;

// Token of a send or receive that is complete.
constexpr tutti_wire_token complete = 0;

// While an object of this class lives, libpvm has tutti's context, no match function, and prints no
// errors. The destructor restores what the program had.
class Borrowed {
 public:
  Borrowed()
      : context_(pvm_setcontext(context)),
        reaction_(pvm_setopt(PvmAutoErr, 0)),
        match_(pvm_recvf(nullptr)) {}
  ~Borrowed() {
    pvm_recvf(match_);
    pvm_setopt(PvmAutoErr, reaction_);
    pvm_setcontext(context_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  int context_, reaction_;
  int (*match_)(int, int, int);
};

int error_of(int status) {
  return status < 0 ? status : 0;
}

int open_world(int /*spare*/, tutti_wire_world* world) {
  opened.enrolled_here = pvmmytid < 0;
  const int self = pvm_mytid();
  if (self < 0) return self;
  int* together = nullptr;
  const int count = pvm_siblings(&together);
  if (count < 0) return count;
  *world = {self, count, self, self, count, self, together};
  return 0;
}

// Sends a message. When pvm_psend returns, libpvm has copied the data or the pvmd has them, so the
// send is complete.
int send(const void* data, std::int64_t bytes, int to, int tag, tutti_wire_token* request) {
  const Borrowed libpvm;
  *request = complete;
  return error_of(pvm_psend(to, tag, static_cast<char*>(const_cast<void*>(data)),
                            static_cast<int>(bytes), PVM_BYTE));
}

// Receives a message if it has come. Returns false otherwise; *error is 0 if nothing went wrong.
bool take(int from, int tag, void* data, int bytes, int* error) {
  const int message = pvm_probe(from, tag);
  *error = error_of(message);
  if (message <= 0) return false;
  *error = error_of(
      pvm_precv(from, tag, static_cast<char*>(data), bytes, PVM_BYTE, nullptr, nullptr, nullptr));
  return *error == 0;
}

int receive(void* data, std::int64_t bytes, int from, int tag, tutti_wire_token* request) {
  *request = ++opened.last_token;
  opened.receives.push_back({*request, from, tag, data, static_cast<int>(bytes)});
  return 0;
}

// Finds the oldest message of a tag and leaves it where it is. The token is its sender and tag,
// because no message of that tag from that sender is older.
int find(int tag, int* found, int* from, std::int64_t* bytes, tutti_wire_token* message) {
  const Borrowed libpvm;
  const int buffer = pvm_probe(any, tag);
  *found = buffer > 0 ? 1 : 0;
  if (buffer <= 0) return error_of(buffer);
  int length = 0, its_tag = 0;
  if (const int error = pvm_bufinfo(buffer, &length, &its_tag, from)) return error;
  *bytes = length;
  *message = static_cast<tutti_wire_token>(*from) << 32 | static_cast<std::uint32_t>(tag);
  return 0;
}

int receive_found(void* data, std::int64_t bytes, tutti_wire_token* message,
                  tutti_wire_token* request) {
  const Borrowed libpvm;
  const int from = static_cast<int>(*message >> 32), tag = static_cast<int>(*message & 0xffffffffU);
  *request = complete;
  return error_of(pvm_precv(from, tag, static_cast<char*>(data), static_cast<int>(bytes), PVM_BYTE,
                            nullptr, nullptr, nullptr));
}

// Messages of one sender go to its receives in order, so only the oldest receive for a sender and a
// tag can be served.
int test(tutti_wire_token* request, int* done) {
  *done = *request == complete ? 1 : 0;
  if (*done != 0) return 0;
  const Borrowed libpvm;
  for (auto at = opened.receives.begin(); at != opened.receives.end(); ++at) {
    if (at->token != *request) continue;
    const auto rivals = [&](const Open::Receive& one) {
      return one.from == at->from && one.tag == at->tag;
    };
    if (std::any_of(opened.receives.begin(), at, rivals)) return 0;
    int error = 0;
    if (!take(at->from, at->tag, at->data, at->bytes, &error)) return error;
    opened.receives.erase(at);
    *request = complete;
    *done = 1;
    return 0;
  }
  return PvmNotFound;
}

// The pvmd's notice comes in the context of the task that asked for it.
int watch(int number) {
  const Borrowed libpvm;
  return error_of(pvm_notify(PvmTaskExit, exit_tag, 1, &number));
}

int ended(int* number) {
  const Borrowed libpvm;
  *number = -1;
  const int kept = pvm_setrbuf(0);
  const int notice = pvm_nrecv(any, exit_tag);
  const int status = notice > 0 ? pvm_upkint(number, 1, 1) : notice;
  if (notice > 0) pvm_freebuf(notice);
  pvm_setrbuf(kept);
  return error_of(status);
}

int sleep(std::int64_t nanoseconds) {
  int* descriptors = nullptr;
  const int count = pvm_getfds(&descriptors);
  if (count < 0) return count;
  // There is one descriptor for the pvmd and one for each task with a route of its own.
  std::vector<pollfd>& waited_for = opened.waited_for;
  waited_for.clear();
  for (int i = 0; i < count; ++i) waited_for.push_back({descriptors[i], POLLIN, 0});
  // Failure is harmless: the loop looks again in any case.
  ::poll(waited_for.data(), waited_for.size(),
         static_cast<int>((nanoseconds + 999'999) / 1'000'000));
  return 0;
}

// Leaves PVM, unless the program was a task before tutti started.
int close_world(int) {
  return opened.enrolled_here ? error_of(pvm_exit()) : 0;
}

void abort_world(int code) {
  pvm_exit();
  ::_exit(code);
}

void text(int code, char* where, std::size_t space) {
  constexpr int texts = 35;  // entries of pvm_errlist in libpvm 3.4
  std::snprintf(where, space, "%s",
                code <= 0 && -code < texts ? pvm_errlist[-code] : "unknown error");
}

constexpr tutti_wire table = {TUTTI_WIRE_VERSION,
                              "pvmd",
                              nullptr,
                              open_world,
                              nullptr,
                              nullptr,
                              send,
                              receive,
                              find,
                              receive_found,
                              nullptr,
                              nullptr,
                              nullptr,
                              test,
                              nullptr,
                              watch,
                              ended,
                              sleep,
                              nullptr,
                              close_world,
                              abort_world,
                              text};

}  // namespace

extern "C" __attribute__((visibility("default"))) const tutti_wire* tutti_wire_table() {
  return &table;
}
