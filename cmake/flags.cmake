# The bits are the same everywhere, so no contraction of a*b+c and no fast maths.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wpointer-arith -Wundef -ffp-contract=off
                    -fno-math-errno -fno-trapping-math -fvisibility=hidden)
add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(TROUPE_WERROR)
  add_compile_options(-Werror)
endif()
if(TROUPE_SANITIZE)
  add_compile_options(-fsanitize=${TROUPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${TROUPE_SANITIZE})
  # clang's runtime looks for the functions of exceptions when the program starts; those of a C++ library that is loaded
  # later (assimp, Mesa) it would never find, and it stops at the first that is thrown.
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND TROUPE_SANITIZE MATCHES "address")
    add_link_options(-Wl,--no-as-needed -lstdc++)
  endif()
  # gcc loses sight of what is initialised in code it instruments; the optimised build still checks it.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

# Speeds up a second build; never needed.
find_program(TROUPE_CCACHE ccache)
mark_as_advanced(TROUPE_CCACHE)
if(TROUPE_CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${TROUPE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TROUPE_CCACHE})
endif()
