// io/gltf_add_data.h - a glTF file while clips are added to it. Internal to gltf_add*.c.
//
//   gltf_add.c       checks of the input; the new bytes, views, accessors and channels
//   gltf_add_text.c  the JSON: copied as text, with the new items between
#pragma once
#include "gltf_document.h"
#include "gltf_write_data.h"
#include "troupe/io/gltf_add.h"

typedef struct gltf_adding {
    const tr_gltf_addition *addition;
    gltf_document document;
    tr_skeleton *skeleton;
    uint32_t joint_count;
    uint32_t *joint_nodes; // the node of each joint in the document
    // The lists of what is new. Node 0 stands for the character in labels, node i + 1 is joint i.
    gltf_out out;
    tr_gltf_shot shot;
    tr_gltf_actor actor;
    uint32_t first_joint; // for out.first_joint
    uint32_t *node_numbers;
    uint32_t node_count, image_count; // of the document
    uint32_t *matrix_joints; // for each node of the document: the joint whose matrix is replaced, or TR_NONE
    uint32_t *image_views;   // for each image of the document: its new view, or TR_NONE
    uint32_t image_list;     // in the JSON
    // The buffer that holds the new bytes: one of the document with its bytes in front, or one more.
    uint32_t home;
    bool home_is_new;
    // The JSON that is put together.
    uint8_t *text;
    uint32_t text_size, text_capacity;
} gltf_adding;

// "image/png" and others, by the first bytes; NULL for bytes that no glTF file has as an image.
const char *tr_gltf_add_image_type(const uint8_t *data, size_t size);
// Fills `text` with the document's JSON and everything new.
tr_status tr_gltf_add_text(gltf_adding *adding);
