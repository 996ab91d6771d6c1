# Everything Cloak is built from. docs/dependencies.md says why each is here.
# The installed package includes this file too, so it must find what the
# exported targets name, and nothing else (test tools stand at the end).
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

# Debian's packages of these carry no CMake configuration, or one that differs
# between alternatives, so each is named by header and library.
function(cloak_find_library target header library)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER "CLOAK_${library}" id)
  find_path(${id}_INCLUDE_DIR ${header} ${ARGN} REQUIRED)
  find_library(${id}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(${id}_INCLUDE_DIR ${id}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${${id}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${${id}_INCLUDE_DIR}")
endfunction()

cloak_find_library(CloakDependency::openblas cblas.h openblas
                   PATH_SUFFIXES openblas-pthread openblas)
cloak_find_library(CloakDependency::lapacke lapacke.h lapacke)
cloak_find_library(CloakDependency::mpfr mpfr.h mpfr)
cloak_find_library(CloakDependency::gmp gmp.h gmp)
cloak_find_library(CloakDependency::sodium sodium.h sodium)
cloak_find_library(CloakDependency::lbfgs lbfgs.h lbfgs)
cloak_find_library(CloakDependency::sqlite sqlite3.h sqlite3)
cloak_find_library(CloakDependency::pq libpq-fe.h pq PATH_SUFFIXES postgresql)

function(cloak_find_headers target header)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER "CLOAK_${header}" id)
  find_path(${id}_INCLUDE_DIR ${header} ${ARGN} REQUIRED)
  mark_as_advanced(${id}_INCLUDE_DIR)
  add_library(${target} INTERFACE IMPORTED)
  set_target_properties(${target} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${${id}_INCLUDE_DIR}")
endfunction()

cloak_find_headers(CloakDependency::eigen Eigen/Core PATH_SUFFIXES eigen3)
cloak_find_headers(CloakDependency::boost boost/math/distributions/normal.hpp)
cloak_find_headers(CloakDependency::json nlohmann/json.hpp)
