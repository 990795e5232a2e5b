// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes plain files by the calls of the operating system (files.hpp).
#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "collectives.hpp"
#include "failure.hpp"
#include "nodes.hpp"

// The file descriptor of a unit, where the program is linked with gfortran's library.
extern "C" [[gnu::weak]] int _gfortran_fnum_i4(const int* unit);

namespace tutti::nx {
namespace {

std::set<long> transfers;  // that are over, and whose ids are not used up
std::map<int, int> units;  // the files that open_unit() has opened

// Repeats a call of the system until all bytes are transferred or none are left. A signal handler
// of the program may interrupt it.
template <class Call>
long transfer(long count, const char* what, const Call& call) {
  long done = 0;
  while (done < count) {
    const ssize_t more = call(done, static_cast<std::size_t>(count - done));
    if (more == 0) break;
    if (more > 0) {
      done += more;
    } else if (errno != EINTR) {
      fail_system(what);
    }
  }
  return done;
}

long base_of(int file, int whence) {
  if (whence == SEEK_SET) return 0;
  if (whence == SEEK_CUR) return seek_file(file, 0, SEEK_CUR);
  if (whence == SEEK_END) return state_of(file).st_size;
  fail(EINVAL, "argument 'whence' is {}, but must be 0, 1 or 2", whence);
}

// A file of this node, which is closed again unless all nodes have opened it.
class OpenedFile {
 public:
  OpenedFile() = default;
  ~OpenedFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  void open_file(const char* path, int flags, mode_t permissions) {
    // Harmless below 3: it is the program's own file, as open() would give it.
    number_ = ::open(path, flags, permissions);
    if (number_ < 0) fail_system(path);
  }
  [[nodiscard]] int keep() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

// Returns the text that one node gives, on all nodes.
std::string text_of(bool gives, std::string text) {
  constexpr std::size_t longest = 4096;
  text.resize(gives ? std::min(text.size(), longest) : 0);
  std::string given(longest, '\0');
  given.resize(static_cast<std::size_t>(
      collect(text.data(), static_cast<long>(text.size()), given.data(), longest)));
  return given;
}

// Makes an attempt on this node, and waits for those of all others. If some fail, all nodes throw a
// CallFailure with the same error, because a node that went on alone would wait for ever. It is the
// error with the greatest number, and the text is that of the first node that has it.
template <class Attempt>
void attempt_on_all(const Attempt& attempt) {
  const int self = nodes().self();
  std::int64_t worst = 0;
  std::string text;
  try {
    attempt();
  } catch (const CallFailure& failure) {
    worst = std::int64_t{failure.error()} * nodes().count() + nodes().count() - 1 - self;
    text = failure.what();
  }
  combine(&worst, 1, TUTTI_INT64, TUTTI_MAX);
  if (worst == 0) return;
  const auto error = static_cast<int>(worst / nodes().count());
  const auto node = static_cast<int>(nodes().count() - 1 - worst % nodes().count());
  text = text_of(node == self, std::move(text));
  if (node != self) fail(error, "node {} could not open its file: {}", node, text);
  fail(error, "{}", text);
}

}  // namespace

void fail_system(const char* what) {
  const int error = errno;
  fail(error, "{}: {}", what, std::strerror(error));
}

void check_buffer(const void* buffer, long bytes) {
  if (bytes < 0) fail(EINVAL, "argument 'nbytes' is {}", bytes);
  if (buffer == nullptr && bytes > 0)
    fail(EFAULT, "argument 'buffer' is NULL with {} bytes", bytes);
}

struct stat state_of(int file) {
  struct stat state {};
  if (::fstat(file, &state) != 0) fail_system("looking at the file");
  return state;
}

long finished_transfer() {
  constexpr long most = 0x7fff'ffff;  // Fortran keeps ids in INTEGER*4
  static long latest = 0;
  do {
    latest = latest % most + 1;
  } while (transfers.contains(latest));
  transfers.insert(latest);
  return latest;
}

// Node 0 opens the file before the others, so that O_EXCL refuses a file that was there before the
// call, and not the one that another node has just made.
int open_file(const char* path, int flags, int mode, mode_t permissions) {
  const bool first = nodes().self() == 0;
  OpenedFile file;
  attempt_on_all([&] {
    if (path == nullptr) fail(EFAULT, "argument 'path' is NULL");
    check_mode(mode);
    if (first) file.open_file(path, flags, permissions);
  });
  attempt_on_all([&] {
    if (!first) file.open_file(path, flags & ~O_EXCL, permissions);
  });
  return file.keep();
}

void check_file(int file) {
  static_cast<void>(state_of(file));
}

void check_mode(long mode) {
  if (mode < 0 || mode > 5) fail(EINVAL, "argument 'iomode' is {}, but modes are 0 to 5", mode);
  if (mode != 0) {
    fail(ENOSYS,
         "argument 'iomode' is {}, but files have only mode 0, in which each node has a position "
         "of its own",
         mode);
  }
}

long read_file(int file, void* buffer, long bytes) {
  check_buffer(buffer, bytes);
  return transfer(bytes, "reading", [=](long done, std::size_t count) {
    return ::read(file, static_cast<char*>(buffer) + done, count);
  });
}

long write_file(int file, const void* buffer, long bytes) {
  check_buffer(buffer, bytes);
  return transfer(bytes, "writing", [=](long done, std::size_t count) {
    return ::write(file, static_cast<const char*>(buffer) + done, count);
  });
}

long read_file_at(int file, long offset, void* buffer, long bytes) {
  check_buffer(buffer, bytes);
  return transfer(bytes, "reading", [=](long done, std::size_t count) {
    return ::pread(file, static_cast<char*>(buffer) + done, count, offset + done);
  });
}

long write_file_at(int file, long offset, const void* buffer, long bytes) {
  check_buffer(buffer, bytes);
  return transfer(bytes, "writing", [=](long done, std::size_t count) {
    return ::pwrite(file, static_cast<const char*>(buffer) + done, count, offset + done);
  });
}

long start_read(int file, void* buffer, long bytes) {
  static_cast<void>(read_file(file, buffer, bytes));
  return finished_transfer();
}

long start_write(int file, const void* buffer, long bytes) {
  write_file(file, buffer, bytes);
  return finished_transfer();
}

void end_transfer(long id) {
  if (transfers.erase(id) == 0)
    fail(EINVAL, "argument 'id' is {}, which names no transfer, or one that is over", id);
}

long seek_file(int file, long offset, int whence) {
  const off_t place = ::lseek(file, offset, whence);
  if (place < 0) fail_system("seeking");
  return place;
}

long lengthen_file(int file, long offset, int whence) {
  const long wanted = base_of(file, whence) + offset;
  const long length = state_of(file).st_size;
  if (wanted <= length) return length;
  if (::ftruncate(file, wanted) != 0) fail_system("making the file longer");
  return wanted;
}

bool at_end(int file) {
  return seek_file(file, 0, SEEK_CUR) >= state_of(file).st_size;
}

// Fortran fills a CHARACTER up with blanks.
void open_unit(int unit, const char* path, long length, long mode) {
  std::string name(path, static_cast<std::size_t>(std::max(length, 0L)));
  name.erase(name.find_last_not_of(' ') + 1);
  constexpr mode_t permissions = 0666;
  const int file = open_file(name.c_str(), O_RDWR | O_CREAT, static_cast<int>(mode), permissions);
  const auto [place, fresh] = units.try_emplace(unit, file);
  if (fresh) return;
  ::close(place->second);
  place->second = file;
}

int file_of(int unit) {
  if (const auto found = units.find(unit); found != units.end()) return found->second;
  const int file = _gfortran_fnum_i4 == nullptr ? -1 : _gfortran_fnum_i4(&unit);
  if (file < 0)
    fail(EBADF, "argument 'unit' is {}, which was opened neither by GOPEN nor by OPEN", unit);
  return file;
}

}  // namespace tutti::nx
