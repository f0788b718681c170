// A scene in muted colours, cut open at a height.
#include "render_data.h"
#include "world/scene/scene_data.h"

#include <string.h>

// Colours by words in a name; the first word found counts. Linear.
typedef struct named_color {
    const char *word;
    float color[3];
} named_color;
static const named_color named_colors[] = {
    {"wall", {0.815f, 0.791f, 0.745f}},    {"pillar", {0.76f, 0.74f, 0.70f}},
    {"column", {0.76f, 0.74f, 0.70f}},     {"post", {0.76f, 0.74f, 0.70f}},
    {"parapet", {0.76f, 0.74f, 0.70f}},    {"plant", {0.209f, 0.347f, 0.168f}},
    {"tree", {0.209f, 0.347f, 0.168f}},    {"whiteboard", {0.80f, 0.80f, 0.79f}},
    {"board", {0.485f, 0.597f, 0.644f}},   {"keyboard", {0.102f, 0.114f, 0.133f}},
    {"monitor", {0.102f, 0.114f, 0.133f}}, {"screen", {0.102f, 0.114f, 0.133f}},
    {"chair", {0.156f, 0.254f, 0.381f}},   {"sofa", {0.238f, 0.402f, 0.376f}},
    {"desk", {0.584f, 0.397f, 0.202f}},    {"table", {0.584f, 0.397f, 0.202f}},
    {"door", {0.50f, 0.34f, 0.19f}},       {"shelf", {0.62f, 0.45f, 0.27f}},
    {"drawer", {0.776f, 0.776f, 0.761f}},  {"fridge", {0.776f, 0.776f, 0.761f}},
    {"lamp", {0.776f, 0.776f, 0.761f}},    {"counter", {0.62f, 0.45f, 0.27f}},
    {"stair", {0.62f, 0.55f, 0.45f}},      {"stone", {0.462f, 0.451f, 0.413f}},
};
// For all other objects, chosen by a hash of the name.
static const float palette[][3] = {
    {0.366f, 0.462f, 0.342f}, {0.266f, 0.352f, 0.423f}, {0.571f, 0.314f, 0.216f}, {0.694f, 0.604f, 0.456f},
    {0.238f, 0.402f, 0.376f}, {0.418f, 0.323f, 0.402f}, {0.462f, 0.451f, 0.413f}, {0.584f, 0.397f, 0.202f}};
static const float floor_color[3] = {0.61f, 0.54f, 0.45f}, character_color[3] = {0.604f, 0.195f, 0.091f};
#define FLOOR_THICKNESS 0.06f // a thicker walkable object is furniture or a stair [m]
#define WALL_HEIGHT 2.1f      // an object this high without a known name is a wall [m]

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool holds_word(const char *name, const char *word) {
    for (; *name; name++) {
        size_t i = 0;
        while (word[i] && lower(name[i]) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_floor(const tr_object_view *object) {
    float height = object->bounds.max.y - object->bounds.min.y;
    return (object->tags & TR_TAG_WALKABLE && height < FLOOR_THICKNESS) ||
           holds_word(object->name, "floor") || holds_word(object->name, "terrain");
}

static const float *object_color(const tr_object_view *object) {
    if (object->tags & TR_TAG_CHARACTER)
        return character_color;
    for (size_t i = 0; i < sizeof named_colors / sizeof *named_colors; i++)
        if (holds_word(object->name, named_colors[i].word))
            return named_colors[i].color;
    if (is_floor(object))
        return floor_color;
    if (object->bounds.max.y - object->bounds.min.y >= WALL_HEIGHT)
        return named_colors[0].color;
    return palette[hash_name(object->name) % (sizeof palette / sizeof *palette)];
}

// How an object's triangles are drawn.
typedef struct scene_part {
    tr_render *render;
    const float *color;
    render_material material;
    float cut_height;
    bool is_closed; // a closed body: the cut is shown
    render_open open;
} scene_part;

// Adds the part at or below the cut: at most two faces, for which there must be room. A cut is computed from
// its lower to its upper corner, so that neighbours match.
static void add_below(const scene_part *part, const tr_vec3 corner[3]) {
    tr_vec3 kept[4], ends[2]; // of the cut: where the border goes up, and where it comes down
    int count = 0, cuts = 0;
    for (int i = 0; i < 3; i++) {
        tr_vec3 a = corner[i], b = corner[(i + 1) % 3];
        bool a_in = a.y <= part->cut_height, b_in = b.y <= part->cut_height;
        if (a_in)
            kept[count++] = a;
        if (a_in == b_in)
            continue;
        tr_vec3 in = a_in ? a : b, out = a_in ? b : a;
        float t = (part->cut_height - in.y) / (out.y - in.y);
        tr_vec3 cut = {in.x + t * (out.x - in.x), part->cut_height, in.z + t * (out.z - in.z)};
        kept[count++] = cut;
        ends[a_in ? 0 : 1] = cut;
        cuts++;
    }
    if (part->open.planes) {
        tr_render_open_add(part->render, &part->open, kept, count, part->color, part->material);
        return;
    }
    if (part->is_closed && cuts == 2)
        tr_render_cut_line(part->render, ends[0], ends[1]);
    for (int i = 2; i < count; i++) {
        const tr_vec3 face[3] = {kept[0], kept[i - 1], kept[i]};
        tr_render_face_add(part->render, face, NULL, part->color, part->material);
    }
}

static void mesh_corners(const tr_mesh_view *mesh, const tr_affine *placement, uint32_t triangle,
                         tr_vec3 corner[3]) {
    for (int k = 0; k < 3; k++)
        corner[k] = tr_affine_apply(placement, mesh->positions[mesh->indices[3 * (size_t)triangle + k]]);
}

// Is a mesh closed, judged by its areas: as much faces one way as the other?
static bool is_closed(const tr_mesh_view *mesh, const tr_affine *placement) {
    double area[3] = {0, 0, 0}, total = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        tr_vec3 corner[3];
        mesh_corners(mesh, placement, i, corner);
        tr_vec3 normal =
            tr_vec3_cross(tr_vec3_subtract(corner[1], corner[0]), tr_vec3_subtract(corner[2], corner[0]));
        area[0] += (double)normal.x;
        area[1] += (double)normal.y;
        area[2] += (double)normal.z;
        total += (double)tr_vec3_length(normal);
    }
    return sqrt(render_dot(area, area)) < 1e-3 * total;
}

// Which way the normals of a closed mesh point: 1 out of it, -1 into it.
static float outside_of(const tr_mesh_view *mesh, const tr_affine *placement) {
    double volume = 0;
    tr_vec3 first[3] = {{0, 0, 0}};
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        tr_vec3 corner[3];
        mesh_corners(mesh, placement, i, corner);
        if (i == 0)
            first[0] = corner[0];
        tr_vec3 a = tr_vec3_subtract(corner[0], first[0]), b = tr_vec3_subtract(corner[1], first[0]);
        volume += (double)tr_vec3_dot(tr_vec3_cross(a, b), tr_vec3_subtract(corner[2], first[0]));
    }
    return volume < 0 ? -1 : 1;
}

// Room for the pieces of triangles.
static tr_status reserve_pieces(const scene_part *part, uint32_t triangles) {
    uint64_t most = part->open.planes ? RENDER_OPEN_FACES : 2;
    return tr_render_faces_reserve(part->render, most * triangles, false);
}

static tr_status add_object(scene_part *part, const tr_scene *scene, const tr_object_view *object) {
    tr_mesh_view mesh = tr_scene_mesh(scene, object->mesh);
    bool may_be_cut = object->bounds.max.y > part->cut_height ||
                      (part->open.planes && tr_render_opening_cuts(part->open.planes, object->bounds));
    bool closed = may_be_cut && is_closed(&mesh, &object->placement);
    // An opening shows its cuts in its own way.
    part->is_closed = closed && !part->open.planes;
    part->open.outside = closed && part->open.planes ? outside_of(&mesh, &object->placement) : 0;
    tr_status status = reserve_pieces(part, mesh.triangle_count);
    if (status == TR_OK && part->is_closed)
        status = tr_render_cut_begin(part->render, mesh.triangle_count);
    for (uint32_t i = 0; status == TR_OK && i < mesh.triangle_count; i++) {
        tr_vec3 corner[3];
        mesh_corners(&mesh, &object->placement, i, corner);
        add_below(part, corner);
    }
    return status == TR_OK && part->is_closed ? tr_render_cut_end(part->render, part->cut_height) : status;
}

// Receives the triangles of a drawn object.
typedef struct scene_sink {
    tr_triangle_sink base;
    scene_part *part;
    tr_box allowed;
    tr_status status;
} scene_sink;

static void take_triangles(tr_triangle_sink *base, const tr_vec3 *corners, uint32_t count) {
    scene_sink *sink = (scene_sink *)base;
    if (sink->status == TR_OK)
        sink->status = reserve_pieces(sink->part, count);
    for (uint32_t i = 0; sink->status == TR_OK && i < count; i++) {
        const tr_vec3 *corner = corners + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            if (!box_holds(&sink->allowed, corner[k]))
                sink->status = TR_INVALID;
        if (sink->status == TR_OK)
            add_below(sink->part, corner);
    }
}

static tr_status add_drawn(scene_part *part, const scene_object *object) {
    scene_sink sink = {{take_triangles}, part, drawn_reach(object->bounds), TR_OK};
    part->is_closed = false;
    part->open.outside = 0;
    object->drawn.emit(object->drawn.user, &sink.base);
    return sink.status;
}

static tr_status add_scene(tr_render *render, const tr_scene *scene, float cut_height,
                           const tr_render_opening *opening) {
    if (!render || !render->is_open || !scene || isnan(cut_height))
        return TR_INVALID;
    uint32_t face_count = render->face_count;
    tr_box solid = render->solid;
    scene_part part = {.render = render, .cut_height = cut_height, .open.planes = opening};
    tr_status status = TR_OK;
    for (uint32_t i = 0; status == TR_OK && i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (object.removed || tr_box_is_empty(object.bounds) || object.bounds.min.y > cut_height)
            continue;
        part.color = object_color(&object);
        part.material = is_floor(&object) ? RENDER_FLOOR : RENDER_PLAIN;
        if (object.mesh != TR_NONE)
            status = add_object(&part, scene, &object);
        else if (scene->objects[i].drawn.emit)
            status = add_drawn(&part, &scene->objects[i]);
    }
    if (status != TR_OK) {
        render->face_count = face_count;
        render->solid = solid;
    }
    return status;
}

tr_status tr_render_add_scene(tr_render *render, const tr_scene *scene, float cut_height) {
    return add_scene(render, scene, cut_height, NULL);
}

tr_status tr_render_add_scene_open(tr_render *render, const tr_scene *scene, float cut_height,
                                   const tr_render_opening *opening) {
    if (!opening || !tr_render_opening_is_finite(opening))
        return TR_INVALID;
    return add_scene(render, scene, cut_height, opening);
}
