// SPDX-License-Identifier: BSD-3-Clause
// The thesis lists a header of this name (paper 003, appendix A.1) and no function in it. The C
// library has one, too, which a program that includes <memory.h> may mean.
#pragma once
#pragma GCC system_header

#include_next <memory.h>
