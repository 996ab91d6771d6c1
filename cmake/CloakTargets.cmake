# cloak_layer(NAME SOURCES … USES …): the static library of one layer,
# Cloak::NAME. A layer links only those below it; tests/layers checks the
# includes as well.
add_library(cloak_compile_options INTERFACE)
# -Wno-restrict: GCC 12 warns of text + std::string where nothing is wrong
# (GCC bug 105651).
target_compile_options(cloak_compile_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Werror $<$<CONFIG:Release>:-O3>)
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
  set(CLOAK_LAYERS ${CLOAK_LAYERS} cloak_${name} CACHE INTERNAL "")
  file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc")
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
endif()
function(cloak_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LABELS;FIXTURES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_USES} cloak_compile_options
                        rapidcheck GTest::gmock GTest::gtest_main)
  if(CLOAK_SANITIZE)
    # Three quarters of the build went into tests, and half of that into
    # optimising them; what they spend their time in is the layers.
    set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY COMPILE_OPTIONS -O0)
  endif()
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
