# SPDX-License-Identifier: BSD-3-Clause
# The folders papers/, apps/, bench/ and study/prove/ and their tests are no part of the default
# target, because most changes do not concern them and they take a third of the time to compile. The
# target product builds those of their programs that are installed.

# tutti_own_target(<name> <folder>...): makes a target that builds those of these folders that this
# build has.
function(tutti_own_target name)
  add_custom_target(${name})
  list(JOIN ARGN "|" wanted)
  set(pending ${PROJECT_SOURCE_DIR})
  while(pending)
    list(POP_FRONT pending folder)
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    list(APPEND pending ${folders})
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${folder})
    if(place MATCHES "^(${wanted})(/|$)")
      tutti_depends_on_folder(${name} ${folder})
    endif()
  endwhile()
endfunction()

# tutti_depends_on_folder(<name> <folder>): lets a target build those of the folder but the ones that
# nobody builds without naming them.
function(tutti_depends_on_folder name folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(by_name ${target} EXCLUDE_FROM_ALL)
    get_target_property(type ${target} TYPE)
    if(NOT by_name AND NOT type STREQUAL INTERFACE_LIBRARY)
      add_dependencies(${name} ${target})
    endif()
  endforeach()
endfunction()
