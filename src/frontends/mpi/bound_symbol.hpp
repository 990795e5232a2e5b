// SPDX-License-Identifier: BSD-3-Clause
// Finds the address that the loader has bound a reference of a library to.
#pragma once

namespace tutti::mpi {

// Returns the address that a loaded library uses for a symbol of this name. The library may define
// the symbol itself, and still use that of the program or of a library that was opened first, as
// the common blocks of Fortran's constants are. Returns nullptr if it is not loaded, or does not
// use the symbol.
[[nodiscard]] void* bound_symbol(const char* library, const char* name);

}  // namespace tutti::mpi
