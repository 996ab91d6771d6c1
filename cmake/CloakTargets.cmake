# How every target is compiled, and the kinds of targets there are.
add_library(cloak_compile_options INTERFACE)
# -Wno-restrict: GCC 12 warns of text + std::string where nothing is wrong
# (GCC bug 105651).
target_compile_options(cloak_compile_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -Wall -Wextra -Wpedantic -Wshadow
  -Wconversion -Wno-sign-conversion -Werror)
if(CCACHE)
  # Without it ccache does not know what a precompiled header holds.
  target_compile_options(cloak_compile_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
if(CMAKE_UNITY_BUILD)
  # GCC takes the files of a unity build for headers, and warns of types in
  # them that are meant for one file alone.
  target_compile_options(cloak_compile_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(CLOAK_SANITIZE)
  # Instrumented code confuses GCC's flow analysis: -Wno-maybe-uninitialized.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  target_compile_options(cloak_compile_options INTERFACE
                         -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()

if(CLOAK_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Headers that nearly every file includes are compiled once, here for the layers
# and the apps, below for the tests. A file still includes what it needs.
set(common_headers <algorithm> <cmath> <cstdint> <filesystem> <functional> <map>
    <memory> <optional> <span> <sstream> <string> <string_view> <utility>
    <vector> <Eigen/Core>)
file(CONFIGURE OUTPUT headers.cc CONTENT "int main() {}\n" @ONLY)
set(empty_source ${CMAKE_CURRENT_BINARY_DIR}/headers.cc)
add_library(cloak_headers OBJECT ${empty_source})
target_link_libraries(cloak_headers PRIVATE CloakDependency::eigen
                      cloak_compile_options)
# As linalg has it, for itself and for all above it.
target_compile_definitions(cloak_headers PRIVATE EIGEN_USE_BLAS)
target_precompile_headers(cloak_headers PRIVATE ${common_headers})

# cloak_layer(NAME SOURCES … USES …): the static library of one layer,
# Cloak::NAME. A layer links only those below it; tests/layers checks the
# includes as well.
set(CLOAK_LAYERS "" CACHE INTERNAL "")
function(cloak_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  add_library(cloak_${name} STATIC ${arg_SOURCES})
  add_library(Cloak::${name} ALIAS cloak_${name})
  set_target_properties(cloak_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(cloak_${name} PUBLIC cxx_std_20)
  target_include_directories(cloak_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(cloak_${name} PUBLIC ${arg_USES}
                        PRIVATE $<BUILD_INTERFACE:cloak_compile_options>)
  if(NOT name STREQUAL base)
    target_precompile_headers(cloak_${name} REUSE_FROM cloak_headers)
  endif()
  set(CLOAK_LAYERS ${CLOAK_LAYERS} cloak_${name} CACHE INTERNAL "")
  file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc"
       "${CMAKE_CURRENT_SOURCE_DIR}/*/*_test.cc")
  if(CLOAK_TESTS AND tests)
    cloak_test(cloak_${name}_test SOURCES ${tests} USES Cloak::${name})
  endif()
endfunction()

# cloak_test(NAME SOURCES … USES … [LABELS …] [FIXTURES …]): one GoogleTest
# program.
if(CLOAK_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  enable_testing()
  add_library(cloak_test_options INTERFACE)
  target_link_libraries(cloak_test_options INTERFACE
    cloak_compile_options rapidcheck GTest::gmock GTest::gtest_main)
  # Half of the build went into optimising tests, but what they spend their time
  # in is the layers.
  target_compile_options(cloak_test_options INTERFACE
    $<IF:$<BOOL:${CLOAK_SANITIZE}>,-O0,-O1>)
  # A program, because those are compiled with other options than libraries.
  add_executable(cloak_test_headers ${empty_source})
  target_link_libraries(cloak_test_headers PRIVATE Cloak::linalg
                        cloak_test_options)
  target_precompile_headers(cloak_test_headers PRIVATE
    ${common_headers} <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
endif()
function(cloak_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LABELS;FIXTURES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_USES} Cloak::linalg
                        cloak_test_options)
  target_precompile_headers(${name} REUSE_FROM cloak_test_headers)
  # An empty value would take the next name for its own.
  set(properties TIMEOUT 1200)
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if(arg_FIXTURES)
    list(APPEND properties FIXTURES_REQUIRED "${arg_FIXTURES}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES ${properties})
endfunction()
