// SPDX-License-Identifier: BSD-3-Clause
// ERROR and ASSERT end all processes with a message. P. Krusche's benchmarks call them. The C
// library has a header of this name, too, which a program that includes <error.h> may mean.
#pragma once
#pragma GCC system_header

#if __has_include_next(<error.h>)
#include_next <error.h>
#endif
#include <tutti-bsp/bsp.hpp>

#ifndef ERROR
#define ERROR(text) BSPWrapper::Backend().abort("%s:%d: %s\n", __FILE__, __LINE__, text)
#endif
#ifndef ASSERT
#define ASSERT(condition)                       \
  do {                                          \
    if (!(condition)) ERROR("not " #condition); \
  } while (false)
#endif
