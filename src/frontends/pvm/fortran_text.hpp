// SPDX-License-Identifier: BSD-3-Clause
// Text of Fortran: no 0 at the end, blanks instead. This library is linked by Fortran compilers, so
// it needs nothing of the C++ library.
#pragma once

#include <stdlib.h>
#include <string.h>

namespace tutti::pvm {

using Length = size_t;  // of a CHARACTER argument, passed behind all others

// As C wants it, without the blanks at the end.
class Text {
 public:
  Text(const char* text, Length length) {
    while (length > 0 && text[length - 1] == ' ') --length;
    if (length >= sizeof short_) long_ = static_cast<char*>(malloc(length + 1));
    memcpy(get(), text, length);
    get()[length] = '\0';
  }
  ~Text() { free(long_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  [[nodiscard]] char* get() { return long_ != nullptr ? long_ : short_; }

 private:
  char short_[256];
  char* long_ = nullptr;
};

inline void to_fortran(char* to, Length length, const char* from) {
  const size_t given = strlen(from), copied = given < length ? given : length;
  memcpy(to, from, copied);
  memset(to + copied, ' ', length - copied);
}

}  // namespace tutti::pvm
