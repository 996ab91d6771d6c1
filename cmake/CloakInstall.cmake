# `cmake --install`: the libraries, their public headers, and what
# find_package(Cloak) reads; apps/cli installs the program. tests/install uses all
# of it.
include(CMakePackageConfigHelpers)
include(CloakPublicHeaders)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Cloak")

# Two layers are for the program alone.
set(installed_layers ${CLOAK_LAYERS})
list(REMOVE_ITEM installed_layers cloak_audit cloak_server)
install(TARGETS ${installed_layers} cloak EXPORT CloakTargets)
foreach(header IN LISTS CLOAK_PUBLIC_HEADERS CLOAK_INCLUDED_HEADERS)
  cmake_path(GET header PARENT_PATH layer)
  install(FILES "${PROJECT_SOURCE_DIR}/src/cloak/${header}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cloak/${layer}")
endforeach()
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
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/cloak")
