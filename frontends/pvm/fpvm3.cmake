# SPDX-License-Identifier: BSD-3-Clause
# cmake -D HEADER=pvm3.h -D OUTPUT=fpvm3.h -P fpvm3.cmake: writes the constants of pvm3.h for
# Fortran, in fixed and in free form.
file(STRINGS ${HEADER} lines REGEX "^#define Pvm[A-Za-z]+ -?[0-9]+")
set(text "! SPDX-License-Identifier: BSD-3-Clause\n! Constants of PVM 3.4 for Fortran, made from pvm3.h.\n")
macro(constant name value)
  string(APPEND text "      integer ${name}\n      parameter (${name} = ${value})\n")
endmacro()
foreach(line IN LISTS lines)
  string(REGEX MATCH "^#define (Pvm[A-Za-z]+) (-?[0-9]+)" matched "${line}")
  constant(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
# Only Fortran has these names: shorter ones, and the types of pvmfpack.
foreach(pair PvmNoEntry=-32 PvmDupEntry=-33 PvmHost=1 PvmArch=2 PvmDebug=4 PvmTrace=8 PvmDefault=0 PvmRaw=1 PvmInPlace=2
             PvmSOutputTid=12 PvmSOutputCode=13 PvmSTraceTid=14 PvmSTraceCode=15 PvmSTraceBuffer=16 PvmSTraceOptions=17
             PvmOutputCtx=21 PvmTraceCtx=22 PvmSOutputCtx=23 PvmSTraceCtx=24 STRING=0 BYTE1=1 INTEGER2=2 INTEGER4=3
             REAL4=4 COMPLEX8=5 REAL8=6 COMPLEX16=7 INTEGER8=8)
  string(REPLACE "=" ";" pair ${pair})
  constant(${pair})
endforeach()
file(WRITE ${OUTPUT} "${text}")
