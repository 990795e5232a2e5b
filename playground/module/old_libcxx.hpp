// SPDX-License-Identifier: BSD-3-Clause
// Two parts of C++20 that the C++ library of emscripten 3.1 (libc++ 14) lacks. The build of the
// playground includes this file in front of each source where the library is that old.
#pragma once

#include <version>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000

#include <cctype>
#include <cerrno>
#include <charconv>
#include <compare>
#include <cstdlib>
#include <string>
#include <vector>

namespace std {  // NOLINT

template <class Item>
auto operator<=>(const vector<Item>& a, const vector<Item>& b) -> decltype(a[0] <=> b[0]) {
  const size_t shorter = a.size() < b.size() ? a.size() : b.size();
  for (size_t i = 0; i < shorter; ++i)
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  return a.size() <=> b.size();
}

// Reads a decimal number. strtod() would also take blanks in front, a plus sign, and hexadecimal
// digits.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  const bool begins = !text.empty() && (text[0] == '-' || text[0] == '.' ||
                                        isalnum(static_cast<unsigned char>(text[0])) != 0);
  if (!begins || text.find_first_of("xX") != string::npos) return {first, errc::invalid_argument};
  char* end = nullptr;
  errno = 0;
  const double read = strtod(text.c_str(), &end);
  const char* const stop = first + (end - text.c_str());
  if (stop == first) return {first, errc::invalid_argument};
  if (errno == ERANGE) return {stop, errc::result_out_of_range};
  value = read;
  return {stop, errc{}};
}

}  // namespace std
#endif
