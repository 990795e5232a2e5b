// SPDX-License-Identifier: BSD-3-Clause
// The thesis's header of CMultiQueue (paper 003, appendix A.1). Programs may name the class with or
// without BSPWrapper::.
#pragma once

#include <tutti-bspwrapper/avector.h>

using BSPWrapper::CMultiQueue;
