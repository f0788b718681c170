# What libtroupe is made of besides its own sources. troupe_needs_png and the troupe_pc_* lists end up in the package
# files (cmake/install.cmake), so that what is linked is said once.
target_include_directories(troupe PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                  PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Before 1.0 a minor version may change the interface, and so it has a name of its own for the loader.
set(troupe_soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(troupe_soversion 0.${PROJECT_VERSION_MINOR})
endif()
# Static and shared, the objects are the same: position-independent, without a macro that says which.
set_target_properties(troupe PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${troupe_soversion}
                                        POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "")
set(troupe_needs_png OFF)
set(troupe_needs_threads OFF)
set(troupe_pc_libraries "")
set(troupe_pc_requires "")

# The headers call sqrtf, so whoever includes them needs libm as well.
target_link_libraries(troupe PUBLIC m)

# WebAssembly has neither threads nor libraries to load at run time.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(troupe PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  set(troupe_needs_threads ON)
  set(troupe_pc_libraries "-pthread")
  foreach(library ${CMAKE_DL_LIBS})
    string(APPEND troupe_pc_libraries " -l${library}")
  endforeach()
endif()

# The inner loops of the rasteriser, of solids and of poses are compiled once for each width of SIMD and chosen at run time. No
# -mno-fma: clang takes that as "no AVX-512 either", and -ffp-contract=off already keeps products and sums apart.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(src/world/raster/soft/raster_soft_8.c src/world/raster/soft/raster_soft_slice_8.c
                              src/world/raster/soft/raster_soft_depth_8.c src/world/solid/solid_8.c
                              src/motion/skeleton/pose_8.c
                              PROPERTIES COMPILE_OPTIONS -mavx2)
endif()

if(TROUPE_GL)
  find_path(TROUPE_EGL_HEADERS EGL/eglext.h)
  find_path(TROUPE_GL_HEADERS GL/glcorearb.h)
  if(TROUPE_EGL_HEADERS AND TROUPE_GL_HEADERS)
    target_compile_definitions(troupe PRIVATE TROUPE_HAVE_GL)
  else()
    message(STATUS "OpenGL back end: no (EGL/eglext.h or GL/glcorearb.h is missing: package libegl-dev, libgl-dev)")
  endif()
endif()
if(TROUPE_PNG)
  find_package(PNG)
  if(PNG_FOUND)
    target_compile_definitions(troupe PRIVATE TROUPE_HAVE_PNG)
    target_link_libraries(troupe PRIVATE PNG::PNG)
    set(troupe_needs_png ON)
    set(troupe_pc_requires "libpng")
  else()
    message(STATUS "PNG pictures: no (package libpng-dev is missing)")
  endif()
endif()
if(TROUPE_ASSIMP)
  find_path(TROUPE_ASSIMP_HEADERS assimp/cimport.h)
  if(TROUPE_ASSIMP_HEADERS)
    target_compile_definitions(troupe PRIVATE TROUPE_HAVE_ASSIMP)
  else()
    message(STATUS "Other scene formats: no (package libassimp-dev is missing)")
  endif()
endif()

# What the tests and the tool link: a shared library shows its interface alone, but tests and benchmarks look inside.
if(BUILD_SHARED_LIBS AND (TROUPE_TESTS OR TROUPE_CLI))
  add_library(troupe_inside STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:troupe>)
  set_target_properties(troupe_inside PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(troupe_inside INTERFACE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(troupe_inside PUBLIC $<TARGET_PROPERTY:troupe,LINK_LIBRARIES>)
else()
  add_library(troupe_inside ALIAS troupe)
endif()
