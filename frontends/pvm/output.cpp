// SPDX-License-Identifier: BSD-3-Clause
// The socket, pieces and lines of collected output (output.hpp).
#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "core.hpp"
#include "state.hpp"

namespace tutti::pvm {
namespace {

constexpr std::size_t most_bytes = 1 << 18;  // the longest piece

// Returns the task with this process, or 0 if none has joined yet.
int tid_of_process(int pid) {
  const VirtualMachine& machine = *state().machine;
  for (int slot = 0; slot < slots; ++slot) {
    const TaskEntry& task = machine.task(slot);
    if (task.endpoint_plus_1.load() != 0 && task.pid.load() == pid) return task.tid;
  }
  return 0;
}

// Tells whether the process of a task still exists: a task may leave the machine and print more.
bool process_is_there(int tid) {
  const TaskEntry& task = state().machine->task(slot_of_tid(tid));
  const int pid = task.tid == tid ? task.pid.load() : 0;
  return pid != 0 && ::kill(pid, 0) == 0;
}

bool put_at_stdout(int descriptor) {
  int at = -1;
  do {
    at = ::dup2(descriptor, STDOUT_FILENO);
  } while (at < 0 && (errno == EINTR || errno == EBUSY));
  return at >= 0;
}

}  // namespace

int open_log() {
  const std::string path = fmt::format("{}/pvml.{}", setting("PVM_TMP"), ::getuid());
  return tutti_open_in_shared_folder(path.c_str(), O_WRONLY | O_APPEND | O_CREAT);
}

Output::~Output() {
  if (reading_ >= 0) ::close(reading_);
  if (writing_ >= 0) ::close(writing_);
}

bool Output::open() {
  if (reading_ >= 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  reading_ = tutti_raise_descriptor(ends[0]);
  writing_ = tutti_raise_descriptor(ends[1]);
  const int yes = 1;
  if (reading_ >= 0 && writing_ >= 0 &&
      ::setsockopt(reading_, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0)
    return true;
  for (int* const end : {&reading_, &writing_}) {
    if (*end >= 0) ::close(*end);
    *end = -1;
  }
  return false;
}

Output::Lent::Lent(Output& output) {
  if (output.file_ == nullptr || !output.open()) return;
  // Failure is harmless: the text is the program's own, and the program can ask for errors.
  std::fflush(stdout);
  kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept_ >= 0 && put_at_stdout(output.writing_)) return;
  if (kept_ >= 0) ::close(kept_);
  kept_ = -1;  // the tasks then write where this program does
}

Output::Lent::~Lent() {
  if (kept_ < 0) return;
  if (!put_at_stdout(kept_)) std::fputs("libpvm: stdout is lost after a spawn\n", stderr);
  ::close(kept_);
}

void Output::started(int tid) {
  if (file_ == nullptr) return;
  sources_.push_back({tid, file_, ""});
  if (state().option[PvmShowTids] != 0) print(sources_.back(), "BEGIN");
}

void Output::print(const Source& source, const std::string& line) const {
  const bool tagged = state().option[PvmShowTids] != 0;
  const std::string text = tagged ? fmt::format("[t{:x}] {}\n", source.tid, line) : line + "\n";
  // Failure is harmless: the file is the program's own, which asks it for errors.
  std::fputs(text.c_str(), source.file);
}

bool Output::take(const Piece& piece) {
  const int tid = tid_of_process(piece.pid);
  if (tid == 0) return false;
  auto found = std::find_if(sources_.begin(), sources_.end(),
                            [tid](const Source& one) { return one.tid == tid; });
  if (found == sources_.end()) found = sources_.insert(found, {tid, sources_.front().file, ""});
  for (const char c : piece.text) {
    if (c == '\n') {
      print(*found, std::exchange(found->line, ""));
    } else {
      found->line += c;
    }
  }
  return true;
}

void Output::read_pieces() {
  std::erase_if(unclaimed_, [this](const Piece& piece) { return take(piece); });
  static std::array<char, most_bytes> bytes;
  for (;;) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(reading_, &message, MSG_DONTWAIT);
    if (got <= 0) return;
    ucred writer{};
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header != nullptr) std::memcpy(&writer, CMSG_DATA(header), sizeof writer);
    Piece piece{writer.pid, {bytes.data(), static_cast<std::size_t>(got)}};
    if (!take(piece)) unclaimed_.push_back(std::move(piece));
  }
}

void Output::finish() {
  while (!sources_.empty()) {
    std::vector<int> ended;
    for (const Source& source : sources_) {
      if (tutti_present(tutti_pvm_endpoint(source.tid)) == 0 && !process_is_there(source.tid)) {
        ended.push_back(source.tid);
      }
    }
    read_pieces();
    for (auto source = sources_.begin(); source != sources_.end();) {
      if (std::find(ended.begin(), ended.end(), source->tid) == ended.end()) {
        ++source;
        continue;
      }
      if (!source->line.empty()) print(*source, source->line);
      if (state().option[PvmShowTids] != 0) print(*source, "EOF");
      source = sources_.erase(source);
    }
    if (!sources_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace tutti::pvm
