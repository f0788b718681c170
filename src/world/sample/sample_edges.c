// Hard cases for a rasteriser, for the band that most users have, 0.05 m to 1.8 m.
#include "sample_build.h"

static const tr_vec3 origin = {0, 0, 0};

static void place_shape(sample_builder *builder, const char *name, tr_vec3 at, double heading) {
    uint32_t mesh = sample_mesh(builder, name);
    sample_place(builder, name, mesh, at, heading, 0);
}

// An upright rectangle from (x0, z0) to (x1, z1) without thickness.
static void sheet(sample_builder *builder, const char *name, float x0, float z0, float x1, float z1,
                  float low, float high) {
    sample_shape_quad(&builder->shape, sample_at(x0, low, z0), sample_at(x1, low, z1),
                      sample_at(x1, high, z1), sample_at(x0, high, z0));
    place_shape(builder, name, origin, 0);
}

// A level square of 0.3 m at a height.
static void plate(sample_builder *builder, const char *name, float x, float z, float y) {
    sample_shape_quad(&builder->shape, sample_at(x, y, z), sample_at(x, y, z + 0.3f),
                      sample_at(x + 0.3f, y, z + 0.3f), sample_at(x + 0.3f, y, z));
    place_shape(builder, name, origin, 0);
}

static void triangle(sample_builder *builder, const char *name, tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    sample_shape_triangle(&builder->shape, a, b, c);
    place_shape(builder, name, origin, 0);
}

static void sheets(sample_builder *builder) {
    sheet(builder, "sheet along x", 1.0f, 1.0f, 4.0f, 1.0f, 0, 2);
    sheet(builder, "sheet along z", 1.0f, 1.5f, 1.0f, 4.0f, 0, 2);
    sheet(builder, "sheet between lines", 1.55f, 1.5f, 1.55f, 4.0f, 0, 2);
    sheet(builder, "sheet aslant", 2.0f, 2.0f, 4.0f, 3.17f, 0, 2);
    sheet(builder, "sheet along the diagonal", 4.5f, 0.5f, 6.0f, 2.0f, 0, 2);
    sheet(builder, "sheet through the band's top", 4.5f, 2.5f, 6.0f, 2.5f, 1.8f, 2.5f);
    sheet(builder, "sheet above the band", 4.5f, 3.0f, 6.0f, 3.0f, 1.81f, 2.5f);
    sheet(builder, "sheet below the band", 4.5f, 3.5f, 6.0f, 3.5f, 0, 0.04f);
}

static void degenerate(sample_builder *builder) {
    triangle(builder, "sliver", sample_at(0.5f, 1, 5), sample_at(3.5f, 1, 5.2f),
             sample_at(3.5f, 1, 5.200001f));
    triangle(builder, "line", sample_at(0.5f, 1, 5.5f), sample_at(2, 1, 5.7f), sample_at(3.5f, 1, 5.9f));
    triangle(builder, "pole", sample_at(4, 0, 5), sample_at(4, 2, 5), sample_at(4, 1, 5));
    triangle(builder, "pole on a corner", sample_at(4.5f, 0.5f, 5.5f), sample_at(4.5f, 2, 5.5f),
             sample_at(4.5f, 1, 5.5f));
    triangle(builder, "point", sample_at(5.03f, 1, 5.07f), sample_at(5.03f, 1, 5.07f),
             sample_at(5.03f, 1, 5.07f));
    triangle(builder, "point on a corner", sample_at(5.5f, 1, 5.5f), sample_at(5.5f, 1, 5.5f),
             sample_at(5.5f, 1, 5.5f));
    triangle(builder, "speck", sample_at(5.81f, 1, 5.11f), sample_at(5.8101f, 1, 5.11f),
             sample_at(5.81f, 1, 5.1101f));
    for (int i = 0; i < 64; i++) // a fan of slivers with one common corner
        sample_shape_triangle(&builder->shape, sample_at(0, 1, 0), sample_at(1, 1, (float)i / 64),
                              sample_at(1, 1, (float)(i + 1) / 64));
    place_shape(builder, "fan", sample_at(6.5f, 0, 4.7f), 0);
}

static void heights(sample_builder *builder) {
    plate(builder, "plate on the band's low border", 0.6f, 7.1f, 0.05f);
    plate(builder, "plate just below the band", 1.1f, 7.1f, 0.0499f);
    plate(builder, "plate on the band's high border", 1.6f, 7.1f, 1.8f);
    plate(builder, "plate just above the band", 2.1f, 7.1f, 1.8001f);
    // Only the middle third of each lies in the band.
    sample_shape_quad(&builder->shape, sample_at(3, -1.7f, 7), sample_at(3, -1.7f, 8), sample_at(6, 3.55f, 8),
                      sample_at(6, 3.55f, 7));
    place_shape(builder, "plate through the band", origin, 0);
    triangle(builder, "corner dips into the band", sample_at(6.5f, 3, 6.5f), sample_at(8.5f, 3, 6.5f),
             sample_at(7.5f, 1.7f, 7.5f));
    triangle(builder, "edge crosses the band", sample_at(9, -40, 6), sample_at(9.4f, 60, 8),
             sample_at(9.4f, 60, 8));
}

static void boxes(sample_builder *builder) {
    sample_shape_box(&builder->shape, sample_at(-0.2f, 0, -0.2f), sample_at(0.2f, 1, 0.2f));
    uint32_t mesh = sample_mesh(builder, "box");
    for (int i = 0; i < 3; i++)
        sample_place(builder, "the same box again", mesh, sample_at(7.5f, 0, 1.5f), 0, 0);
    tr_affine mirrored = {{{-1, 0, 0, 8.5f}, {0, 1, 0, 0}, {0, 0, 1, 1.5f}}};
    sample_object(builder, "mirrored box", mesh, &mirrored, 0);
    tr_affine flat = {{{1, 0, 0, 7.5f}, {0, 0, 0, 1}, {0, 0, 1, 2.5f}}};
    sample_object(builder, "box pressed flat", mesh, &flat, 0);
    tr_affine sheared = {{{1, 0.5f, 0, 8.5f}, {0, 1, 0, 0}, {0, 0.3f, 1, 2.5f}}};
    sample_object(builder, "sheared box", mesh, &sheared, 0);
    sample_place(builder, "nothing", sample_mesh(builder, "nothing"), sample_at(5, 0, 5), 0, 0);
    sample_movable_from_here(builder);
    sample_place(builder, "box on the lines", mesh, sample_at(7.5f, 0, 3.5f), 0, 0);
    sample_place(builder, "box turned", mesh, sample_at(8.5f, 0, 3.5f), 0.5, 0);
    sample_movable_to_here(builder);
}

// Intentionally beyond the ground.
static void far_away(sample_builder *builder) {
    triangle(builder, "far speck", sample_at(5000, 1, -3000), sample_at(5000.001f, 1, -3000),
             sample_at(5000, 1, -2999.999f));
    triangle(builder, "far beam across", sample_at(-900, 1, 9.53f), sample_at(900, 1, 9.53f),
             sample_at(900, 1.001f, 9.53f));
    triangle(builder, "far slope", sample_at(-3e5f, -3000, 8.6f), sample_at(3e5f, 3000, 8.6f),
             sample_at(3e5f, 3000, 8.61f));
}

void sample_edges_make(sample_builder *builder) {
    sheets(builder);
    degenerate(builder);
    heights(builder);
    boxes(builder);
    far_away(builder);
    tr_box ground = {{0, 0, 0}, {10, 0, 10}};
    sample_floor(builder, ground, 2);
}
