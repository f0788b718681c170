// io/gltf/gltf_add_image.h - the kind of an image. Internal to gltf*.c.
#pragma once
#include <stddef.h>
#include <stdint.h>

// "image/png" and others, by the first bytes; NULL for bytes that no glTF file has as an image.
const char *tr_gltf_add_image_type(const uint8_t *data, size_t size);
