# Warnings are errors; the bits are the same everywhere, so no contraction of a*b+c and no fast maths.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wpointer-arith -Wundef -Werror -ffp-contract=off
                    -fno-math-errno -fno-trapping-math -fvisibility=hidden)
add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(TROUPE_SANITIZE)
  add_compile_options(-fsanitize=${TROUPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${TROUPE_SANITIZE})
endif()
