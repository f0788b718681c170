// io/gltf_add_data.h - a glTF file while clips are added to it. Internal to gltf_add*.c.
//
//   gltf_add.c       checks of the input; the new bytes, views, accessors and channels
//   gltf_add_json.c  the lists of the JSON, with the new items between
//   gltf_add_text.c  text of the JSON, copied as it is
#pragma once
#include "io/gltf/gltf_document.h"
#include "io/gltf/gltf_write_data.h"
#include "troupe/io/gltf_add.h"

typedef struct gltf_adding {
    const tr_gltf_addition *addition;
    gltf_document document;
    tr_skeleton *skeleton;
    uint32_t joint_count;
    uint32_t *joint_nodes; // the node of each joint in the document
    gltf_loose_list loose;
    // The lists of what is new. For each copy of the character: a node that stands for it in labels, and one
    // for each joint.
    gltf_out out;
    tr_gltf_shot shot;
    tr_gltf_actor *actors; // one for each copy
    uint32_t *node_numbers;
    uint32_t node_count, skin_count, image_count; // of the document
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

// Fills `text` with the document's JSON and everything new.
tr_status tr_gltf_add_json(gltf_adding *adding);

tr_status tr_gltf_add_text(gltf_adding *adding, const char *text);
// A value of the document, as it is.
tr_status tr_gltf_add_copy(gltf_adding *adding, uint32_t value);
// The key of member `i` of an object, as it is, with its colon. `first` is cleared by the first member.
tr_status tr_gltf_add_key(gltf_adding *adding, uint32_t object, uint32_t i, bool *first);
// An object without the members of the given keys (NULL ends the list); it stays open.
tr_status tr_gltf_add_object_without(gltf_adding *adding, uint32_t object, const char *const *keys,
                                     bool *first);
// Ends what was written by a writer and adds it without its outermost brackets.
tr_status tr_gltf_add_inside(gltf_adding *adding, tr_json_writer *writer, bool *first);
