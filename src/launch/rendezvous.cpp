// SPDX-License-Identifier: BSD-3-Clause
// A lock beside the socket tells a process that has its name from a killed one, because the kernel
// releases the lock of a process that ends.
#include "launch/rendezvous.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"

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
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, fits)) {
    base::fail(base::Status::invalid_argument,
               "'{}' names no machine: a name has up to {} letters, digits, '-' and '_'", name,
               longest_name);
  }
  return "/" + std::string(name) + ".socket";
}

std::string lock_of(const std::string& path) {
  return path + ".lock";
}

// The address of a file, by way of a descriptor of its folder. An address holds 107 bytes, and the
// path of the folder may be longer. Without a folder there is nobody at this address.
class FileAddress : public LocalAddress {
 public:
  explicit FileAddress(const std::string& path)
      : folder_(base::raised(
            ::open(path.substr(0, path.rfind('/')).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))) {
    if (!folder_.valid() && errno != ENOENT && errno != ENOTDIR)
      base::fail_errno("opening the folder of " + path);
    const std::string near =
        "/proc/self/fd/" + std::to_string(folder_.get()) + path.substr(path.rfind('/'));
    near.copy(address_.sun_path, sizeof address_.sun_path - 1);
    size_ = sizeof address_;
  }

 private:
  Descriptor folder_;
};

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

LocalAddress::LocalAddress(std::string_view name) : LocalAddress() {
  // The path begins with a zero.
  const std::size_t length = name.copy(address_.sun_path + 1, sizeof address_.sun_path - 1);
  size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

Descriptor LocalAddress::listen(int type) const {
  Descriptor made(base::raised(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0)));
  const bool listens =
      made.valid() && ::bind(made.get(), get(), size_) == 0 && ::listen(made.get(), SOMAXCONN) == 0;
  return listens ? std::move(made) : Descriptor();
}

Descriptor LocalAddress::connect(int type) const {
  Descriptor made(base::raised(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0)));
  const auto connected = [&] { return ::connect(made.get(), get(), size_); };
  return made.valid() && base::uninterrupted(connected) == 0 ? std::move(made) : Descriptor();
}

std::string local_name(const Descriptor& socket) {
  const std::size_t before = offsetof(sockaddr_un, sun_path) + 1;
  sockaddr_un address{};
  socklen_t size = sizeof address;
  const bool known =
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
      size > before;
  return known ? std::string(address.sun_path + 1, size - before) : "";
}

std::optional<Rendezvous> Rendezvous::open(std::string_view name) {
  Rendezvous made;
  const std::string file = file_of(name);
  made.path_ = made_socket_folder() + file;
  made.lock_ = locked(lock_of(made.path_));
  if (!made.lock_.valid()) return std::nullopt;
  // Failure is harmless: nobody can listen there then, and the error says why.
  ::unlink(made.path_.c_str());
  made.socket_ = FileAddress(made.path_).listen(SOCK_SEQPACKET);
  if (made.socket_.valid()) return made;
  const int error = errno;
  made.remove();
  errno = error;
  base::fail_errno("listening at " + made.path_);
}

Rendezvous Rendezvous::adopt(std::string path, int socket, int lock) {
  Rendezvous adopted;
  adopted.path_ = std::move(path);
  adopted.socket_ = Descriptor(socket);
  adopted.lock_ = Descriptor(lock);
  return adopted;
}

Descriptor Rendezvous::connect(std::string_view name, UnsafeFolder unsafe) {
  const std::string file = file_of(name);
  const auto folder = existing_socket_folder(unsafe);
  if (!folder) return {};
  const std::string path = *folder + file;
  Descriptor made = FileAddress(path).connect(SOCK_SEQPACKET);
  if (made.valid() || errno == ECONNREFUSED || errno == ENOENT) return made;
  if (errno != EACCES && errno != EPERM) base::fail_errno("reaching the machine at " + path);
  base::fail(base::Status::system_error, "the socket '{}' belongs to another user", path);
}

void Rendezvous::listen_here() {
  if (::listen(socket_.get(), SOMAXCONN) != 0) base::fail_errno("listening at " + path_);
}

// The lock is held until both files are gone, so these are not the files of another process.
void Rendezvous::remove() {
  // Failure is harmless: the next process removes what has no lock.
  ::unlink(path_.c_str());
  socket_.reset();
  // Failure is harmless: the next process takes the lock of the same file.
  ::unlink(lock_of(path_).c_str());
  lock_.reset();
}

}  // namespace tutti::launch
