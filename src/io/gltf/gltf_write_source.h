// io/gltf/gltf_write_source.h - characters of glTF files while they are written into a shot. Internal to
// gltf_write*.c.
//
//   gltf_write_source.c        opens the files; which items of them are used, and the bytes of these
//   gltf_write_source_nodes.c  nodes and skins, once for each actor
//   gltf_write_source_json.c   the items as JSON, with their new numbers
#pragma once
#include "gltf_document.h"
#include "gltf_write_data.h"

// Lists whose items are copied. They follow the writer's own items, source after source; views are the
// writer's own.
typedef enum gltf_list {
    GLTF_ACCESSORS,
    GLTF_MESHES,
    GLTF_MATERIALS,
    GLTF_TEXTURES,
    GLTF_IMAGES,
    GLTF_SAMPLERS,
    GLTF_LISTS,
    GLTF_VIEWS = GLTF_LISTS,
    GLTF_NO_LIST
} gltf_list;

struct gltf_out_source {
    const tr_gltf_source *source;
    gltf_document document;
    gltf_graph graph;
    tr_skeleton *skeleton;
    uint32_t joint_count;
    uint32_t *joint_nodes;                // the node of each joint
    uint32_t *joints;                     // the joint of each node, or TR_NONE
    uint32_t *roots;                      // of each node: the node at the top of its tree
    bool *kept;                           // of each root: its tree is written
    uint32_t lists[GLTF_VIEWS + 1];       // in the JSON
    uint32_t counts[GLTF_VIEWS + 1];      // of items in the file
    uint32_t *numbers[GLTF_VIEWS + 1];    // of each item: its number in the shot, or TR_NONE if it is not used.
                                          // Counted from the first item of a source, except for views
    uint32_t used[GLTF_LISTS];            // how many items are used
    uint32_t first[GLTF_LISTS];           // where those of this source begin among all sources
    uint32_t *image_views;                // of each image that was a file of its own, its view, or TR_NONE
    const char **extensions;              // names that used items have, in the JSON
    uint32_t extension_count, extension_capacity;
};

// The list that a number of the JSON refers to: member `key` of an object that is the value of `above` (for
// items of arrays, the key of the array), somewhere inside an item of `list`.
gltf_list tr_gltf_source_reference(gltf_list list, const char *above, const char *key);
// Is member `key` of an item of `list` left out?
bool tr_gltf_source_leaves_out(gltf_list list, const char *key);

tr_status tr_gltf_sources_open(gltf_out *out, tr_error *error);
void tr_gltf_sources_close(gltf_out *out);
// Marks an item and everything that it refers to as used.
tr_status tr_gltf_source_use(gltf_out *out, gltf_out_source *source, gltf_list list, uint32_t number);

void tr_gltf_source_write_actor(gltf_out *out, uint32_t actor, const char *name);

uint32_t tr_gltf_sources_count(const gltf_out *out, gltf_list list); // used items of all sources
void tr_gltf_sources_write_list(const gltf_out *out, gltf_list list, tr_json_writer *writer);
// Names of extensions of all sources, and one of the writer's own (may be NULL).
void tr_gltf_sources_write_extensions(const gltf_out *out, const char *own, tr_json_writer *writer);
// The number of a source's mesh in the shot.
uint32_t tr_gltf_source_mesh(const gltf_out *out, const gltf_out_source *source, uint32_t mesh);
// Further members of a node; the members of a skin after its name, and its end.
void tr_gltf_source_write_node(const gltf_out_source *source, uint32_t value, tr_json_writer *writer);
void tr_gltf_source_write_skin(const gltf_out *out, const gltf_out_skin *skin, tr_json_writer *writer);
