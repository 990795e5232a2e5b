// SPDX-License-Identifier: BSD-3-Clause
// The main header of P. Krusche's thesis (paper 003, 2.6 and appendix A): the C++ interface of
// BSPlib in the namespace BSPWrapper, and the classes that it uses. Nothing here calls anything but
// BSPlib.
#pragma once

#include <tutti-bspwrapper/avector.h>
#include <tutti-bspwrapper/multiqueue.h>
#include <tutti-bsp/bsp.hpp>
