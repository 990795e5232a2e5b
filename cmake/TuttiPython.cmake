# SPDX-License-Identifier: BSD-3-Clause
# Decides whether the Python package is built: it needs the headers of Python 3.11 or newer. A build
# with sanitizers leaves it out, because the interpreter cannot load a sanitized library.
#
# The package is installed in a folder of its own name below the prefix, lib/python3/dist-packages,
# which has no version of Python in it. With the prefix /usr it is the one that Debian's Python
# searches; elsewhere PYTHONPATH names it.
set(TUTTI_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Folder of the Python package, below the prefix")
if(TUTTI_WHEEL)
  set(TUTTI_PYTHON_DIR ${SKBUILD_PLATLIB_DIR})
endif()

find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
set(python_found OFF)
if(Python3_Development.Module_FOUND AND NOT TUTTI_SANITIZE)
  set(python_found ON)
endif()
option(TUTTI_PYTHON "Build the Python package" ${python_found})
if(TUTTI_PYTHON)
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  tutti_built(python)
elseif(TUTTI_SANITIZE)
  tutti_left_out(python "the Python package: the interpreter cannot load a sanitized library")
else()
  tutti_left_out(python "the Python package: the headers of Python 3.11 or newer were not found (package python3-dev)")
endif()
