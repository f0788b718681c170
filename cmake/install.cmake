# `cmake --install` puts the library, its headers, the tool, and what find_package(troupe) and pkg-config read.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/troupe)

install(TARGETS troupe EXPORT troupe_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_OBJCOPY AND NOT BUILD_SHARED_LIBS
   AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" AND NOT "${CMAKE_C_FLAGS}" MATCHES "-flto")
  configure_file(cmake/hide_symbols.cmake.in ${PROJECT_BINARY_DIR}/hide_symbols.cmake @ONLY)
  install(SCRIPT ${PROJECT_BINARY_DIR}/hide_symbols.cmake)
endif()
install(DIRECTORY include/troupe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
if(troupe_tools)
  install(TARGETS ${troupe_tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT troupe_targets NAMESPACE troupe:: FILE troupeTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(cmake/troupeConfig.cmake.in ${PROJECT_BINARY_DIR}/troupeConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/troupeConfig.cmake ${PROJECT_BINARY_DIR}/troupeConfigVersion.cmake
        DESTINATION ${package_folder})

# The prefix is told from where the file lies, so that an installed tree can be moved and DESTDIR needs no care.
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH troupe_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" troupe_pc_prefix "\${pcfiledir}/${troupe_pc_prefix}")
else()
  set(troupe_pc_prefix ${CMAKE_INSTALL_PREFIX})
endif()
configure_file(cmake/troupe.pc.in ${PROJECT_BINARY_DIR}/troupe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/troupe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
