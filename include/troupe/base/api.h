// troupe/base/api.h - C linkage and symbol visibility, for every public header.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32) && !defined(__wasm__)
#define TR_API __attribute__((visibility("default")))
#else
#define TR_API
#endif

#ifdef __cplusplus
#define TR_BEGIN_DECLARATIONS extern "C" {
#define TR_END_DECLARATIONS }
#else
#define TR_BEGIN_DECLARATIONS
#define TR_END_DECLARATIONS
#endif

// An index that is never valid: "no such object, mesh, cell".
#define TR_NONE UINT32_MAX
