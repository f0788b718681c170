# WebAssembly with WASI, by Debian's clang-16, lld-16, wasi-libc and libclang-rt-16-dev-wasm32. Programs run under node.
set(CMAKE_SYSTEM_NAME Generic) # CMake knows no WASI; what it needs to know stands here
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-16)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# The archiver of binutils knows no WebAssembly and LLVM's is a package of its own; the linker we need anyway can join
# the objects into one, which serves as the library.
set(CMAKE_C_ARCHIVE_CREATE "wasm-ld-16 -r -o <TARGET> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(CMAKE_C_FLAGS_INIT "-msimd128")
# The stack comes first, so that an overflow traps instead of writing over data. --strip-all would also take the names
# that a trap's report is made of.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--strip-debug -Wl,--stack-first -Wl,-z,stack-size=1048576")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Node 20's collector, working beside the program, now and then crashes node as a program with much memory ends.
set(CMAKE_CROSSCOMPILING_EMULATOR node;--no-warnings;--single-threaded;${CMAKE_CURRENT_LIST_DIR}/../scripts/wasm_run.mjs)

set(TROUPE_CLI OFF CACHE BOOL "")
set(TROUPE_GL OFF CACHE BOOL "")
set(TROUPE_PNG OFF CACHE BOOL "")
set(TROUPE_ASSIMP OFF CACHE BOOL "")
set(TROUPE_PEERS OFF CACHE BOOL "")
