# SPDX-License-Identifier: BSD-3-Clause
# tutti_layer(NAME schedule SOURCES a.cpp b.cpp MAY_USE base group)
#
# Declares an architectural layer as an object library. HEADERS names the target whose precompiled
# headers it uses, where these are not those of all layers. Headers are included as "layer/file.hpp".
# The include path has a directory for each declared layer, which contains only a link to it. So an
# include of a layer that is not declared, directly or through a declared layer, does not compile.
set(TUTTI_LAYER_LINKS ${PROJECT_BINARY_DIR}/layers)

function(tutti_layer)
  cmake_parse_arguments(LAYER "" "NAME;HEADERS" "SOURCES;MAY_USE" ${ARGN})
  if(NOT LAYER_HEADERS)
    set(LAYER_HEADERS tutti_layer_headers)
  endif()
  set(link_dir ${TUTTI_LAYER_LINKS}/${LAYER_NAME})
  file(MAKE_DIRECTORY ${link_dir})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${link_dir}/${LAYER_NAME} SYMBOLIC)

  # A layer is two targets: its headers (with those of the layers below) and its objects.
  add_library(tutti_${LAYER_NAME}_headers INTERFACE)
  target_include_directories(tutti_${LAYER_NAME}_headers INTERFACE ${link_dir})
  foreach(lower IN LISTS LAYER_MAY_USE)
    target_link_libraries(tutti_${LAYER_NAME}_headers INTERFACE tutti_${lower}_headers)
  endforeach()

  add_library(tutti_${LAYER_NAME} OBJECT ${LAYER_SOURCES})
  target_link_libraries(tutti_${LAYER_NAME} PUBLIC tutti_${LAYER_NAME}_headers PRIVATE tutti_flags)
  set_target_properties(tutti_${LAYER_NAME} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                       VISIBILITY_INLINES_HIDDEN ON)
  if(LAYER_NAME IN_LIST TUTTI_QUICK_LAYERS)  # GCC uses no headers that are precompiled for size
    target_compile_options(tutti_${LAYER_NAME} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O3>)
    set_target_properties(tutti_${LAYER_NAME} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  tutti_together(tutti_${LAYER_NAME})
  tutti_precompiled(tutti_${LAYER_NAME} ${LAYER_HEADERS})
  set_property(TARGET tutti_${LAYER_NAME} PROPERTY TUTTI_MAY_USE "${LAYER_MAY_USE}")
  set_property(GLOBAL APPEND PROPERTY TUTTI_LAYERS ${LAYER_NAME})
endfunction()

# tutti_uses(<target> layer...): gives a test or a tool the objects and headers of these layers and
# of all layers below them.
function(tutti_uses target)
  set(pending ${ARGN})
  set(done)
  while(pending)
    list(POP_FRONT pending layer)
    if(NOT layer IN_LIST done)
      list(APPEND done ${layer})
      target_link_libraries(${target} PRIVATE tutti_${layer} tutti_flags)
      get_target_property(lower tutti_${layer} TUTTI_MAY_USE)
      list(APPEND pending ${lower})
    endif()
  endwhile()
endfunction()
