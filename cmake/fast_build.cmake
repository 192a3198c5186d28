# Precompiled headers and unity builds. Most sources include the same few headers: parsing them took more than half of the
# compile time. Sources still include what they use: the preset `tidy` builds each one alone, without either.
option(CLAYBOX_PCH "Compile with precompiled headers" ON)
option(CLAYBOX_UNITY "Compile several sources of the application, the engine and the tests at once" ON)
set(CLAYBOX_UNITY_SIZE 6 CACHE STRING "Sources that are compiled at once; 0: all of a target")

set(standard_headers <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstring> <functional> <limits> <memory> <numeric>
  <optional> <span> <string> <string_view> <utility> <vector>)
set(claybox_pch_standard ${standard_headers})
set(claybox_pch_query ${standard_headers} <boost/multiprecision/cpp_int.hpp> ${PROJECT_SOURCE_DIR}/collision/pairwise/registry.hpp)
set(claybox_pch_world ${standard_headers} <unordered_map> ${PROJECT_SOURCE_DIR}/collision/module/world.hpp)
set(claybox_pch_app ${claybox_pch_world} <nlohmann/json.hpp> ${PROJECT_SOURCE_DIR}/app/session/session.hpp
  ${PROJECT_SOURCE_DIR}/app/devices/app_devices.hpp)
set(claybox_pch_test ${claybox_pch_query} <gtest/gtest.h> ${PROJECT_SOURCE_DIR}/collision/geometry/primitives/primitives.hpp)
set(claybox_pch_app_test ${claybox_pch_app} <gtest/gtest.h>)
set(claybox_pch_libraries_app claybox_third_glm claybox_third_json)
set(claybox_pch_libraries_test claybox_third_gtest)
set(claybox_pch_libraries_app_test ${claybox_pch_libraries_app} claybox_third_gtest)

# claybox_precompile(TARGET SET): TARGET compiles with one of the sets of headers above. Targets that share a set share one
# precompiled header for each kind of code (position-independent or not).
function(claybox_precompile target set)
  if(NOT CLAYBOX_PCH)
    return()
  endif()
  get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
  set(kind plain)
  if(pic)
    set(kind pic)
  endif()
  set(owner claybox_pch_${set}_${kind})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${owner}.cpp CONTENT "")
    add_library(${owner} OBJECT ${CMAKE_BINARY_DIR}/generated/${owner}.cpp)
    target_link_libraries(${owner} PRIVATE claybox_options claybox_third_boost ${claybox_pch_libraries_${set}})
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE ${pic})
    target_precompile_headers(${owner} PRIVATE ${claybox_pch_${set}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# claybox_source_options(OPTIONS options... SOURCES sources...): options for sources of the current folder. They do without the
# precompiled header: GCC accepts one of another optimisation level and then miscompiles (seen in gcc 12: -O3 with a header of -O2
# or -O1 wrote beyond an array, or crashed the compiler).
function(claybox_source_options)
  cmake_parse_arguments(arg "" "" "OPTIONS;SOURCES" ${ARGN})
  set_source_files_properties(${arg_SOURCES} PROPERTIES COMPILE_OPTIONS "${arg_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# claybox_unite(TARGET): compiles several sources at a time. Not for the collision library: each of its sources is tuned and
# measured alone, and its algorithms use the same names for their own helpers.
function(claybox_unite target)
  if(CLAYBOX_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${CLAYBOX_UNITY_SIZE})
  endif()
endfunction()
