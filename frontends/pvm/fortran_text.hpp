// SPDX-License-Identifier: BSD-3-Clause
// Converts Fortran's text, which is padded with blanks and has no final 0, to C's and back. Fortran
// compilers link this library, so it uses nothing of the C++ library.
#pragma once

#include <stdlib.h>
#include <string.h>

namespace tutti::pvm {

using Length = size_t;  // length of a CHARACTER argument, passed after all others

// A text with a final 0 and without the blanks at its end.
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
