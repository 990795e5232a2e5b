// SPDX-License-Identifier: BSD-3-Clause
// Gives a stream a descriptor that is open already, which std::ifstream does not take.
#include "base/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "base/uninterrupted.hpp"

namespace tutti::base {

// A stream takes what is thrown here as its badbit.
InputFile::Buffer::int_type InputFile::Buffer::underflow() {
  const ssize_t count =
      uninterrupted([this] { return ::read(file_.get(), bytes_.data(), bytes_.size()); });
  if (count < 0) throw std::ios_base::failure("the file cannot be read");
  if (count == 0) return traits_type::eof();
  setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
  return traits_type::to_int_type(bytes_.front());
}

// Only positions from the file's begin are sought.
InputFile::Buffer::pos_type InputFile::Buffer::seekpos(pos_type position,
                                                       std::ios_base::openmode /*which*/) {
  setg(nullptr, nullptr, nullptr);
  return ::lseek(file_.get(), static_cast<off_t>(position), SEEK_SET) < 0 ? pos_type(-1) : position;
}

InputFile::InputFile(const std::string& path) : std::istream(nullptr) {
  Descriptor file(
      raised(uninterrupted([&path] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); })));
  if (!file.valid()) {
    setstate(std::ios::failbit);
    return;
  }
  buffer_.read_from(std::move(file));
  rdbuf(&buffer_);
}

}  // namespace tutti::base
