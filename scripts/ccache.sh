# SPDX-License-Identifier: BSD-3-Clause
# ccache.sh: settings of ccache for the other scripts, which read this file with `.`. They count if
# CMAKE_C_COMPILER_LAUNCHER and CMAKE_CXX_COMPILER_LAUNCHER name ccache.

# ccache keeps what is compiled with precompiled headers only if it is told to.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"

ccache_across_copies() {  # ccache_across_copies folder: finds what another copy of it compiled
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$1}"
}
