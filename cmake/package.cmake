# `make deb` and `cpack -G DEB` make troupe_VERSION_ARCHITECTURE.deb: the tool, the library and what belongs to them.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "Troupe developers")
set(CPACK_PACKAGE_CONTACT "Troupe developers <troupe@example.org>")
set(CPACK_PACKAGE_DESCRIPTION "Troupe finds ways for characters through scenes and around each
other, plays their bodies along these ways as joint angles, and plans
arms that reach through clutter. The same input gives the same motion
on every machine. This package has the command-line tool, the C library
with its headers, sample stages, examples and documentation.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
# Of Makefiles, CPack would build everything first, with all tests; what `make` builds is enough.
set(CPACK_CMAKE_GENERATOR Ninja)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
# What is linked, dpkg-shlibdeps finds out; what is loaded or started when it is there, it cannot know.
find_program(TROUPE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TROUPE_SHLIBDEPS)
set(recommends "")
set(suggests libc6-dev pkgconf)
get_target_property(definitions troupe COMPILE_DEFINITIONS)
if("TROUPE_HAVE_ASSIMP" IN_LIST definitions)
  list(APPEND recommends libassimp5)
endif()
if("TROUPE_HAVE_GL" IN_LIST definitions)
  list(APPEND recommends libegl1 libgl1-mesa-dri)
endif()
if(troupe_needs_png)
  list(APPEND suggests libpng-dev)
endif()
if(TROUPE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # libtroupe itself, where it is shared
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libc6)
  if(troupe_needs_png)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libpng16-16 | libpng16-16t64")
  endif()
endif()
list(APPEND suggests ffmpeg)
list(JOIN recommends ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
list(JOIN suggests ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)
