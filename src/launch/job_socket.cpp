// SPDX-License-Identifier: BSD-3-Clause
// Makes and finds job sockets. A lock beside the socket tells a running job from a killed one,
// because the kernel releases the lock of a process that ends.
#include "launch/job_socket.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/socket_folder.hpp"

namespace tutti::launch {
namespace {

constexpr std::size_t longest_name = 32;
constexpr int most_tries_to_lock = 1000;

// Returns the name of the socket's file, with a slash in front.
std::string file_of(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  if (name.empty() || name.size() > longest_name || !std::all_of(name.begin(), name.end(), fits)) {
    base::fail(base::Status::invalid_argument,
               "'{}' names no machine: a name has up to {} letters, digits, '-' and '_'", name,
               longest_name);
  }
  return "/" + std::string(name) + ".socket";
}

std::string lock_of(const std::string& path) {
  return path + ".lock";
}

// The address of a socket, by way of a descriptor of its folder. An address holds 107 bytes, and
// the path of the folder may be longer.
class Address {
 public:
  explicit Address(const std::string& path)
      : folder_(base::raised(
            ::open(path.substr(0, path.rfind('/')).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))),
        missing_(!folder_.valid() && (errno == ENOENT || errno == ENOTDIR)) {
    if (!folder_.valid() && !missing_) base::fail_errno("opening the folder of " + path);
    const std::string near =
        "/proc/self/fd/" + std::to_string(folder_.get()) + path.substr(path.rfind('/'));
    address_.sun_family = AF_UNIX;
    near.copy(address_.sun_path, sizeof address_.sun_path - 1);
  }

  [[nodiscard]] bool missing() const { return missing_; }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  [[nodiscard]] static socklen_t size() { return sizeof(sockaddr_un); }

 private:
  Descriptor folder_;
  bool missing_;  // there is no such folder
  sockaddr_un address_{};
};

Descriptor new_socket() {
  Descriptor made(base::raised(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)));
  if (!made.valid()) base::fail_errno("a socket to a machine");
  return made;
}

// Returns a connected socket; an invalid one if nobody listens.
Descriptor connect_to(const std::string& path) {
  const Address address(path);
  if (address.missing()) return {};
  Descriptor made = new_socket();
  const auto connected = [&] { return ::connect(made.get(), address.get(), Address::size()); };
  if (base::uninterrupted(connected) == 0) return made;
  if (errno == EACCES || errno == EPERM) {
    base::fail(base::Status::system_error, "the socket '{}' belongs to another user", path);
  }
  const bool nobody_listens = errno == ECONNREFUSED || errno == ENOENT;
  if (!nobody_listens) base::fail_errno("reaching the machine at " + path);
  return {};
}

// Returns the locked file, or an invalid descriptor if another process holds the lock. A holder
// removes the file before it gives the lock back, so a lock on a file that is no longer at the path
// counts for nothing.
Descriptor locked(const std::string& path) {
  for (int left = most_tries_to_lock; left > 0; --left) {
    Descriptor file(base::open_in_shared_folder(path.c_str(), O_RDWR | O_CREAT));
    if (!file.valid()) base::fail_errno(("making " + path).c_str());
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) base::fail_errno("locking " + path);
      return {};
    }
    if (is_at(file, path)) return file;
  }
  base::fail(base::Status::system_error,
             "{} cannot be looked at, or other processes remove it again and again", path);
}

}  // namespace

std::optional<JobSocket> JobSocket::open(std::string_view name) {
  JobSocket made;
  const std::string file = file_of(name);
  made.path_ = made_socket_folder() + file;
  made.lock_ = locked(lock_of(made.path_));
  if (!made.lock_.valid()) return std::nullopt;
  made.listen();
  return made;
}

JobSocket JobSocket::adopt(std::string path, int socket, int lock) {
  JobSocket adopted;
  adopted.path_ = std::move(path);
  adopted.socket_ = Descriptor(socket);
  adopted.lock_ = Descriptor(lock);
  return adopted;
}

void JobSocket::listen() {
  // Failure is harmless: bind() fails then, and says why.
  ::unlink(path_.c_str());
  const Address address(path_);
  socket_ = new_socket();
  const bool bound = ::bind(socket_.get(), address.get(), Address::size()) == 0;
  if (bound && ::listen(socket_.get(), SOMAXCONN) == 0) return;
  const int error = errno;
  remove();
  errno = error;
  base::fail_errno(("listening at " + path_).c_str());
}

void JobSocket::listen_here() {
  if (::listen(socket_.get(), SOMAXCONN) != 0) base::fail_errno(("listening at " + path_).c_str());
}

// The lock is held until both files are gone, so these are not the files of another job.
void JobSocket::remove() {
  // Failure is harmless: the next job removes what has no lock.
  ::unlink(path_.c_str());
  socket_.reset();
  // Failure is harmless: the next job takes the lock of the same file.
  ::unlink(lock_of(path_).c_str());
  lock_.reset();
}

bool job_socket_is_open(std::string_view name) {
  const std::string folder = job_socket_folder();
  const std::string path = folder + file_of(name);
  const Folder found = look_at(folder);
  if (found == Folder::missing || (found == Folder::foreign && !base::runtime_folder()))
    return false;
  require_safe(folder);
  return connect_to(path).valid();
}

void end_job_at_socket(std::string_view name) {
  const Descriptor socket = connect_to(job_socket_folder() + file_of(name));
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!socket.valid()) return;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0 ||
      ::kill(peer.pid, SIGTERM) != 0)
    base::fail_errno("ending the job at " + std::string(name));
}

std::optional<JobDescriptor> request_to_join(std::string_view name, std::string_view program) {
  const std::string folder = job_socket_folder();
  const std::string path = folder + file_of(name);
  if (look_at(folder) != Folder::safe) return std::nullopt;
  Descriptor socket = connect_to(path);
  if (!socket.valid()) return std::nullopt;
  if (!send_message(socket.get(), {ControlKind::request_to_join, -1}, -1, program)) {
    const bool has_ended = errno == EPIPE || errno == ECONNRESET;
    if (!has_ended) base::fail_errno("asking the machine at " + path);
    return std::nullopt;
  }
  auto answer = receive_message(socket.get());
  if (!answer) return std::nullopt;
  if (answer->message.kind != ControlKind::welcome || !answer->passed.valid()) {
    base::fail(base::Status::no_slot, "the machine '{}' takes no more processes: {}", name,
               answer->payload);
  }
  return JobDescriptor{answer->passed.release(), socket.release(), answer->message.rank};
}

}  // namespace tutti::launch
