// SPDX-License-Identifier: BSD-3-Clause
// Makes and finds job sockets. A lock beside the socket tells a running job from a killed one,
// because the kernel releases the lock of a process that ends.
#include "launch/job_socket.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::launch {
namespace {

constexpr mode_t mine_alone = 0700;
constexpr std::size_t longest_name = 32;

std::string path_of(const std::string& folder, std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  if (name.empty() || name.size() > longest_name || !std::all_of(name.begin(), name.end(), fits)) {
    base::fail(base::Status::invalid_argument,
               "'{}' names no machine: a name has up to {} letters, digits, '-' and '_'", name,
               longest_name);
  }
  return folder + "/" + std::string(name) + ".socket";
}

std::string lock_of(const std::string& path) {
  return path + ".lock";
}

// The address of a socket, by way of a descriptor of its folder. An address holds 107 bytes, and
// the path of the folder may be longer.
class Address {
 public:
  explicit Address(const std::string& path)
      : folder_(::open(path.substr(0, path.rfind('/')).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    const std::string near =
        "/proc/self/fd/" + std::to_string(folder_.get()) + path.substr(path.rfind('/'));
    address_.sun_family = AF_UNIX;
    near.copy(address_.sun_path, sizeof address_.sun_path - 1);
  }

  [[nodiscard]] bool valid() const { return folder_.valid(); }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  [[nodiscard]] static socklen_t size() { return sizeof(sockaddr_un); }

 private:
  Descriptor folder_;
  sockaddr_un address_{};
};

Descriptor new_socket() {
  Descriptor made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!made.valid()) base::fail_errno("a socket to a machine");
  return made;
}

// Returns a connected socket; an invalid one if nobody listens.
Descriptor connect_to(const std::string& path) {
  const Address address(path);
  if (!address.valid()) return {};
  Descriptor made = new_socket();
  if (::connect(made.get(), address.get(), Address::size()) == 0) return made;
  if (errno == EACCES || errno == EPERM) {
    base::fail(base::Status::system_error, "the socket '{}' belongs to another user", path);
  }
  return {};
}

enum class Folder { missing, safe, open_to_others, foreign };

Folder look_at(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return Folder::missing;
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return Folder::foreign;
  return (status.st_mode & 0077) == 0 ? Folder::safe : Folder::open_to_others;
}

void require_safe(const std::string& folder) {
  if (look_at(folder) == Folder::safe) return;
  base::fail(
      base::Status::system_error,
      "'{}' must be a folder that belongs to this user and that nobody else can enter (mode 0700)",
      folder);
}

constexpr const char* common_folder = "/tmp";

std::string folder_of_user() {
  return fmt::format("{}/tutti-{}", common_folder, ::geteuid());
}

// Returns the folder that serves this user because another one has made folder_of_user(). Its name
// ends with characters that nobody can foresee, so it is found by its owner. If several processes
// have made one at the same time, all choose the same.
std::optional<std::string> substitute_folder() {
  std::optional<std::string> found;
  std::error_code error;
  const std::string beginning = folder_of_user() + "-";
  for (std::filesystem::directory_iterator entry(common_folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string path = entry->path().string();
    if (!path.starts_with(beginning) || look_at(path) != Folder::safe) continue;
    if (!found || path < *found) found = std::move(path);
  }
  return found;
}

// Returns the folder in which this user's sockets are or would be made.
std::string usable_folder() {
  std::string folder = job_socket_folder();
  if (look_at(folder) != Folder::foreign || base::runtime_folder()) return folder;
  std::string pattern = folder_of_user() + "-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) base::fail_errno(("making " + pattern).c_str());
  return substitute_folder().value_or(pattern);
}

// Returns true if the path still names the file of this descriptor.
bool is_at(const Descriptor& file, const std::string& path) {
  struct stat own {
  }, shown{};
  return ::fstat(file.get(), &own) == 0 && ::lstat(path.c_str(), &shown) == 0 &&
         own.st_dev == shown.st_dev && own.st_ino == shown.st_ino;
}

// Returns the locked file, or an invalid descriptor if another process holds the lock. A holder
// removes the file before it gives the lock back, so a lock on a file that is no longer at the path
// counts for nothing.
Descriptor locked(const std::string& path) {
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.valid()) base::fail_errno(("making " + path).c_str());
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return {};
    if (is_at(file, path)) return file;
  }
}

}  // namespace

std::string job_socket_folder() {
  if (const auto runtime = base::runtime_folder()) return *runtime + "/tutti";
  const std::string usual = folder_of_user();
  return look_at(usual) == Folder::foreign ? substitute_folder().value_or(usual) : usual;
}

std::optional<JobSocket> JobSocket::open(std::string_view name) {
  JobSocket made;
  const std::string folder = usable_folder();
  made.path_ = path_of(folder, name);
  if (::mkdir(folder.c_str(), mine_alone) != 0 && errno != EEXIST) {
    base::fail_errno(("making the folder " + folder).c_str());
  }
  require_safe(folder);
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
  ::unlink(path_.c_str());
  const Address address(path_);
  socket_ = new_socket();
  const bool bound = ::bind(socket_.get(), address.get(), Address::size()) == 0;
  if (!bound || ::listen(socket_.get(), SOMAXCONN) != 0)
    base::fail_errno(("listening at " + path_).c_str());
}

// The lock is held until both files are gone, so these are not the files of another job.
void JobSocket::remove() {
  ::unlink(path_.c_str());
  socket_.reset();
  ::unlink(lock_of(path_).c_str());
  lock_.reset();
}

bool job_socket_is_open(std::string_view name) {
  const std::string folder = job_socket_folder();
  const std::string path = path_of(folder, name);
  const Folder found = look_at(folder);
  if (found == Folder::missing || (found == Folder::foreign && !base::runtime_folder()))
    return false;
  require_safe(folder);
  return connect_to(path).valid();
}

std::optional<JobDescriptor> request_to_join(std::string_view name, std::string_view program) {
  const std::string folder = job_socket_folder();
  const std::string path = path_of(folder, name);
  if (look_at(folder) != Folder::safe) return std::nullopt;
  Descriptor socket = connect_to(path);
  if (!socket.valid() ||
      !send_message(socket.get(), {ControlKind::request_to_join, -1}, -1, program))
    return std::nullopt;
  auto answer = receive_message(socket.get());
  if (!answer) return std::nullopt;
  if (answer->message.kind != ControlKind::welcome || !answer->passed.valid()) {
    base::fail(base::Status::no_slot, "the machine '{}' takes no more processes: {}", name,
               answer->payload);
  }
  return JobDescriptor{answer->passed.release(), socket.release(), answer->message.rank};
}

}  // namespace tutti::launch
