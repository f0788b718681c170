# `cmake --install` puts the library, its headers, the tool, what find_package(troupe) and pkg-config read, documentation,
# and with the tool its man pages, completions, schemas and stages.
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

set(documentation_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/troupe)
install(FILES LICENSE DESTINATION ${documentation_folder})
if(PROJECT_IS_TOP_LEVEL) # a project that has the sources beside its own is not asked to hand on our pages
  install(FILES README.md CHANGELOG.md DESTINATION ${documentation_folder})
  install(DIRECTORY docs DESTINATION ${documentation_folder})
  install(DIRECTORY examples DESTINATION ${documentation_folder} FILES_MATCHING PATTERN "*.c")
endif()
if(TROUPE_CLI)
  if(troupe_man_folder)
    install(DIRECTORY ${troupe_man_folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
  endif()
  install(FILES completions/troupe.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME troupe)
  install(FILES completions/troupe.zsh DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions RENAME _troupe)
  install(FILES completions/troupe.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
  file(GLOB schemas CONFIGURE_DEPENDS docs/*.schema.json)
  install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/troupe/schemas)
  # Stages name their schema by the way to it, which is another one here.
  file(GLOB stages CONFIGURE_DEPENDS stages/*.json)
  foreach(stage ${stages})
    get_filename_component(name ${stage} NAME)
    file(READ ${stage} text)
    string(REPLACE "\"../docs/" "\"../schemas/" text "${text}")
    file(WRITE ${PROJECT_BINARY_DIR}/stages/${name} "${text}")
    install(FILES ${PROJECT_BINARY_DIR}/stages/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/troupe/stages)
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${stages})
endif()
