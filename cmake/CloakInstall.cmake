# `cmake --install`: the libraries, their headers, and what find_package(Cloak)
# reads; apps/cli installs the program. tests/install uses all of it.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Cloak")

install(TARGETS ${CLOAK_LAYERS} cloak EXPORT CloakTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/cloak"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h"
        # For unit tests alone; one of them opens secrets.
        PATTERN "test_key.h" EXCLUDE PATTERN "random_kernel.h" EXCLUDE
        PATTERN "testdata" EXCLUDE)
install(EXPORT CloakTargets NAMESPACE Cloak:: DESTINATION "${package_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/CloakConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/CloakConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/CloakConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/CloakConfig.cmake"
              "${PROJECT_BINARY_DIR}/CloakConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/CloakDependencies.cmake"
        DESTINATION "${package_dir}")
