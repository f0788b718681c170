#include "sample_storey.h"
#include "troupe/base/scalar.h"

#define RAIL_HEIGHT 1.0f
#define RAIL_WIDTH 0.06f
#define POST_WIDTH 0.05f

void sample_block(sample_builder *builder, const char *name, tr_vec3 min, tr_vec3 max, uint32_t tags) {
    sample_shape_box(&builder->shape, min, max);
    sample_finish(builder, name, tags);
}

uint32_t sample_finish(sample_builder *builder, const char *name, uint32_t tags) {
    uint32_t mesh = sample_mesh(builder, name);
    return sample_place(builder, name, mesh, sample_at(0, 0, 0), 0, tags);
}

void sample_shape_bar(sample_shape *shape, tr_vec3 a, tr_vec3 b, float width, float height) {
    float x = b.x - a.x, z = b.z - a.z, length = sqrtf(x * x + z * z);
    float aside_x = z / length * width / 2, aside_z = -x / length * width / 2;
    tr_vec3 ends[2] = {a, b}, corner[8]; // of each end: left low, left high, right low, right high
    for (int i = 0; i < 8; i++) {
        tr_vec3 end = ends[i / 4];
        float side = i & 2 ? -1.0f : 1.0f;
        corner[i] = sample_at(end.x + side * aside_x, end.y - (i & 1 ? 0 : height), end.z + side * aside_z);
    }
    static const uint8_t faces[6][4] = {{0, 2, 3, 1}, {6, 4, 5, 7}, {1, 3, 7, 5},
                                        {0, 4, 6, 2}, {4, 0, 1, 5}, {2, 6, 7, 3}};
    for (int i = 0; i < 6; i++)
        sample_shape_quad(shape, corner[faces[i][0]], corner[faces[i][1]], corner[faces[i][2]],
                          corner[faces[i][3]]);
}

void sample_shape_pipe(sample_shape *shape, uint32_t sides, float radius, tr_vec3 a, tr_vec3 b) {
    float length = b.x - a.x + b.y - a.y + b.z - a.z;
    tr_vec3 low = length < 0 ? b : a;
    length = length < 0 ? -length : length;
    tr_affine frame = {{{1, 0, 0, low.x}, {0, 1, 0, low.y}, {0, 0, 1, low.z}}};
    if (a.x != b.x) { // the column's axes are rotated, not reflected
        tr_affine lie = {{{0, 1, 0, low.x}, {0, 0, 1, low.y}, {1, 0, 0, low.z}}};
        frame = lie;
    } else if (a.z != b.z) {
        tr_affine lie = {{{0, 0, 1, low.x}, {1, 0, 0, low.y}, {0, 1, 0, low.z}}};
        frame = lie;
    }
    shape->frame = frame;
    sample_shape_column(shape, sides, radius, radius, 0, length);
    sample_shape_home(shape);
}

void sample_pipe_line(sample_builder *builder, float radius, const tr_vec3 *points, uint32_t count) {
    const uint32_t sides = 8;
    float ring = 1.35f * radius;
    for (uint32_t i = 0; i + 1 < count; i++) {
        sample_shape_pipe(&builder->shape, sides, radius, points[i], points[i + 1]);
        if (i > 0) {
            sample_shape_move(&builder->shape, points[i], 0);
            sample_shape_ball(&builder->shape, 6, 4, sample_at(ring, ring, ring));
            sample_shape_home(&builder->shape);
        }
    }
}

// A point given by its distance along, above and across a direction.
static tr_vec3 on_way(tr_vec3 from, sample_way way, float along, float up, float right) {
    static const int8_t ahead[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    float x = ahead[way][0], z = ahead[way][1];
    return sample_at(from.x + along * x - right * z, from.y + up, from.z + along * z + right * x);
}

static void box_between(sample_shape *shape, tr_vec3 a, tr_vec3 b) {
    tr_vec3 min = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    tr_vec3 max = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
    sample_shape_box(shape, min, max);
}

void sample_shape_flight(sample_shape *shape, const sample_flight *flight) {
    for (uint32_t i = 0; i + 1 < flight->count; i++) {
        float top = flight->rise * (float)(i + 1), near = flight->going * (float)i,
              far = flight->going * (float)(i + 1);
        float bottom = flight->thickness > 0 && flight->thickness < top ? top - flight->thickness : 0;
        box_between(shape, on_way(flight->foot, flight->way, near, bottom, -flight->width / 2),
                    on_way(flight->foot, flight->way, far, top, flight->width / 2));
    }
}

tr_vec3 sample_flight_head(const sample_flight *flight) {
    return on_way(flight->foot, flight->way, flight->going * (float)(flight->count - 1),
                  flight->rise * (float)flight->count, 0);
}

void sample_shape_flight_rail(sample_shape *shape, const sample_flight *flight, float side, uint32_t every) {
    float aside = side * (flight->width / 2 - RAIL_WIDTH / 2), half = POST_WIDTH / 2;
    uint32_t last = flight->count - 2;
    float begin = 0.5f * flight->going, end = ((float)last + 0.5f) * flight->going;
    float low = flight->rise, high = flight->rise * (float)(last + 1);
    for (int level = 0; level < 2; level++) {
        float up = RAIL_HEIGHT * (level ? 0.5f : 1.0f);
        sample_shape_bar(shape, on_way(flight->foot, flight->way, begin, low + up, aside),
                         on_way(flight->foot, flight->way, end, high + up, aside), RAIL_WIDTH, 0.05f);
    }
    for (uint32_t i = 0; i <= last; i++) {
        if (i % every != 0 && i != last)
            continue;
        float along = ((float)i + 0.5f) * flight->going, floor = flight->rise * (float)(i + 1);
        box_between(
            shape, on_way(flight->foot, flight->way, along - half, floor, aside - half),
            on_way(flight->foot, flight->way, along + half, floor + RAIL_HEIGHT - 0.02f, aside + half));
    }
}

void sample_shape_rail(sample_shape *shape, tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z, length = fabsf(x) + fabsf(z), half = POST_WIDTH / 2;
    uint32_t gaps = (uint32_t)(length / 1.2f) + 1;
    for (int level = 0; level < 2; level++) {
        float up = RAIL_HEIGHT * (level ? 0.5f : 1.0f);
        sample_shape_bar(shape, sample_at(a.x, a.y + up, a.z), sample_at(b.x, b.y + up, b.z), RAIL_WIDTH,
                         0.05f);
    }
    for (uint32_t i = 0; i <= gaps; i++) {
        float t = (half + (length - POST_WIDTH) * (float)i / (float)gaps) / length;
        tr_vec3 at = sample_at(a.x + x * t, a.y, a.z + z * t);
        sample_shape_box(shape, sample_at(at.x - half, at.y, at.z - half),
                         sample_at(at.x + half, at.y + RAIL_HEIGHT - 0.02f, at.z + half));
    }
}

static void wall_piece(sample_shape *shape, const sample_wall *wall, float from, float to, float low,
                       float high) {
    if (!(from < to) || !(low < high))
        return;
    float near = wall->line - wall->thickness / 2, far = wall->line + wall->thickness / 2;
    if (wall->along_z)
        sample_shape_box(shape, sample_at(near, low, from), sample_at(far, high, to));
    else
        sample_shape_box(shape, sample_at(from, low, near), sample_at(to, high, far));
}

void sample_shape_wall(sample_shape *shape, const sample_wall *wall, const sample_opening *openings,
                       uint32_t count) {
    float from = wall->from;
    for (uint32_t i = 0; i < count; i++) {
        wall_piece(shape, wall, from, openings[i].from, wall->bottom, wall->top);
        wall_piece(shape, wall, openings[i].from, openings[i].to, wall->bottom,
                   wall->bottom + openings[i].sill);
        wall_piece(shape, wall, openings[i].from, openings[i].to, wall->bottom + openings[i].head, wall->top);
        from = openings[i].to;
    }
    wall_piece(shape, wall, from, wall->to, wall->bottom, wall->top);
}

void sample_shape_slab(sample_shape *shape, tr_box slab, tr_box well) {
    float y0 = slab.min.y, y1 = slab.max.y;
    if (slab.min.z < well.min.z)
        sample_shape_box(shape, slab.min, sample_at(slab.max.x, y1, well.min.z));
    if (well.max.z < slab.max.z)
        sample_shape_box(shape, sample_at(slab.min.x, y0, well.max.z), slab.max);
    if (slab.min.x < well.min.x)
        sample_shape_box(shape, sample_at(slab.min.x, y0, well.min.z), sample_at(well.min.x, y1, well.max.z));
    if (well.max.x < slab.max.x)
        sample_shape_box(shape, sample_at(well.max.x, y0, well.min.z), sample_at(slab.max.x, y1, well.max.z));
}

void sample_shape_ramp(sample_shape *shape, tr_box box, sample_way way) {
    bool along_x = way == SAMPLE_EAST || way == SAMPLE_WEST;
    tr_vec3 middle = tr_vec3_scale(tr_vec3_add(box.min, box.max), 0.5f);
    float half_x = (box.max.x - box.min.x) / 2, half_z = (box.max.z - box.min.z) / 2;
    float half_length = along_x ? half_x : half_z, half_width = along_x ? half_z : half_x;
    float rise = box.max.y - box.min.y;
    tr_vec3 centre = sample_at(middle.x, box.min.y, middle.z), low[2], high[2], foot[2]; // left, right
    for (int i = 0; i < 2; i++) {
        float right = i ? half_width : -half_width;
        foot[i] = on_way(centre, way, -half_length, 0, right);
        low[i] = on_way(centre, way, half_length, 0, right);
        high[i] = on_way(centre, way, half_length, rise, right);
    }
    sample_shape_quad(shape, foot[1], high[1], high[0], foot[0]);
    sample_shape_quad(shape, foot[0], low[0], low[1], foot[1]);
    sample_shape_quad(shape, low[0], high[0], high[1], low[1]);
    sample_shape_triangle(shape, foot[0], high[0], low[0]);
    sample_shape_triangle(shape, foot[1], low[1], high[1]);
}

// A corner of an arch: `along` the wall, on its near or far face.
static tr_vec3 arch_point(const tr_box *box, bool along_z, float along, float y, bool far) {
    if (along_z)
        return sample_at(far ? box->max.x : box->min.x, y, box->min.z + along);
    return sample_at(box->min.x + along, y, far ? box->max.z : box->min.z);
}

// Seen from +z (or, along z, from the side that makes x look left) the far face is in front.
static void arch_quad(sample_shape *shape, bool along_z, tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    if (along_z)
        sample_shape_quad(shape, d, c, b, a);
    else
        sample_shape_quad(shape, a, b, c, d);
}

void sample_shape_arch(sample_shape *shape, tr_box box, bool along_z, float rise, uint32_t segments) {
    float length = along_z ? box.max.z - box.min.z : box.max.x - box.min.x, top = box.max.y;
    tr_vec3 under[2] = {{0}}, over[2] = {{0}}; // of the previous point, near and far
    for (uint32_t i = 0; i <= segments; i++) {
        double sine, cosine;
        tr_sin_cos(TR_PI * (double)i / (double)segments, &sine, &cosine);
        bool at_end = i == 0 || i == segments;
        float along = at_end ? (i ? length : 0) : length * (0.5f - 0.5f * (float)cosine);
        float y = box.min.y + (at_end ? 0 : rise * (float)sine);
        tr_vec3 low[2], high[2];
        for (int far = 0; far < 2; far++) {
            low[far] = arch_point(&box, along_z, along, y, far);
            high[far] = arch_point(&box, along_z, along, top, far);
        }
        if (i == 0)
            arch_quad(shape, along_z, low[0], low[1], high[1], high[0]);
        if (i > 0) {
            arch_quad(shape, along_z, under[1], low[1], high[1], over[1]);
            arch_quad(shape, along_z, low[0], under[0], over[0], high[0]);
            arch_quad(shape, along_z, over[1], high[1], high[0], over[0]);
            arch_quad(shape, along_z, low[1], under[1], under[0], low[0]);
        }
        if (i == segments)
            arch_quad(shape, along_z, low[1], low[0], high[0], high[1]);
        for (int far = 0; far < 2; far++) {
            under[far] = low[far];
            over[far] = high[far];
        }
    }
}

void sample_grid(sample_builder *builder, uint32_t columns, uint32_t layers, uint32_t rows, float cell,
                 float layer) {
    tr_sample *sample = &builder->sample;
    sample->columns = columns;
    sample->layers = layers;
    sample->rows = rows;
    sample->cell = cell;
    sample->layer = layer;
    tr_box ground = {{0, 0, 0}, {cell * (float)columns, layer * (float)layers, cell * (float)rows}};
    sample->ground = ground;
}

// The upper sides of the boxes, of `triangles` [>= 2 * count] in total, distributed by area.
static void draw_tops(sample_shape *shape, const tr_box *boxes, uint32_t count, uint64_t triangles) {
    double area = 0;
    for (uint32_t i = 0; i < count; i++)
        area += (double)(boxes[i].max.x - boxes[i].min.x) * (double)(boxes[i].max.z - boxes[i].min.z);
    uint64_t spare = triangles - 2 * count, given = 0;
    for (uint32_t i = 0; i < count; i++) {
        double here = (double)(boxes[i].max.x - boxes[i].min.x) * (double)(boxes[i].max.z - boxes[i].min.z);
        uint64_t more = i + 1 == count ? spare - given : (uint64_t)((double)spare * (here / area));
        more = more < spare - given ? more : spare - given;
        given += more;
        sample_shape_ground(shape, boxes[i], (uint32_t)more + 2);
    }
}

void sample_storey_floor(sample_builder *builder, const tr_box *boxes, uint32_t count) {
    uint64_t placed = sample_triangles(builder);
    uint64_t left = builder->wish > placed + 2 * count ? builder->wish - placed : 2 * count;
    draw_tops(&builder->shape, boxes, count, left);
    sample_finish(builder, "floor", TR_TAG_WALKABLE);
}

// The sides and the underside of a slab whose upper side is `top`.
static void draw_underside(sample_shape *shape, tr_box top) {
    float low = top.min.y - SAMPLE_SLAB;
    // Rounded as in sample_shape_ground: the slab is closed.
    float x = top.min.x + (top.max.x - top.min.x), z = top.min.z + (top.max.z - top.min.z);
    tr_vec3 rim[4] = {top.min, {top.min.x, top.min.y, z}, {x, top.min.y, z}, {x, top.min.y, top.min.z}};
    tr_vec3 foot[4];
    for (int i = 0; i < 4; i++)
        foot[i] = sample_at(rim[i].x, low, rim[i].z);
    for (int i = 0; i < 4; i++)
        sample_shape_quad(shape, rim[i], foot[i], foot[(i + 1) % 4], rim[(i + 1) % 4]);
    sample_shape_quad(shape, foot[3], foot[2], foot[1], foot[0]);
}

void sample_slab_floor(sample_builder *builder, const tr_box *boxes, uint32_t count) {
    uint64_t needed = sample_triangles(builder) + 12 * count;
    if (builder->status == TR_OK && builder->wish && builder->wish < needed)
        builder->status = tr_fail(builder->error, TR_INVALID,
                                  "the sample \"%s\" of this size needs at least %u triangles, %u requested",
                                  builder->name, (uint32_t)needed, builder->wish);
    uint64_t spare = builder->wish > needed ? builder->wish - needed : 0;
    for (uint32_t i = 0; i < count; i++)
        draw_underside(&builder->shape, boxes[i]);
    draw_tops(&builder->shape, boxes, count, spare + 2 * count);
    sample_finish(builder, "floor", TR_TAG_WALKABLE);
}
