#include "sample_build.h"
#include "troupe/base/scalar.h"

uint32_t sample_shape_point(sample_shape *shape, tr_vec3 p) {
    if (shape->failed || !tr_reserve(&shape->allocator, (void **)&shape->positions, &shape->position_capacity,
                                     (uint64_t)shape->position_count + 1, sizeof *shape->positions)) {
        shape->failed = true;
        return 0;
    }
    shape->positions[shape->position_count] = tr_affine_apply(&shape->frame, p);
    return shape->position_count++;
}

void sample_shape_face(sample_shape *shape, uint32_t a, uint32_t b, uint32_t c) {
    if (shape->failed || !tr_reserve(&shape->allocator, (void **)&shape->indices, &shape->index_capacity,
                                     (uint64_t)shape->index_count + 3, sizeof *shape->indices)) {
        shape->failed = true;
        return;
    }
    shape->indices[shape->index_count++] = a;
    shape->indices[shape->index_count++] = b;
    shape->indices[shape->index_count++] = c;
}

void sample_shape_faces(sample_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    sample_shape_face(shape, a, b, c);
    sample_shape_face(shape, a, c, d);
}

void sample_shape_triangle(sample_shape *shape, tr_vec3 a, tr_vec3 b, tr_vec3 c) {
    uint32_t first = sample_shape_point(shape, a);
    uint32_t second = sample_shape_point(shape, b);
    uint32_t third = sample_shape_point(shape, c);
    sample_shape_face(shape, first, second, third);
}

void sample_shape_quad(sample_shape *shape, tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d) {
    uint32_t first = sample_shape_point(shape, a);
    uint32_t second = sample_shape_point(shape, b);
    uint32_t third = sample_shape_point(shape, c);
    uint32_t fourth = sample_shape_point(shape, d);
    sample_shape_faces(shape, first, second, third, fourth);
}

void sample_shape_box(sample_shape *shape, tr_vec3 min, tr_vec3 max) {
    uint32_t corner[8];
    for (uint32_t i = 0; i < 8; i++)
        corner[i] = sample_shape_point(
            shape, sample_at(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));
    static const uint8_t faces[6][4] = {{0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1},
                                        {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (uint32_t i = 0; i < 6; i++)
        sample_shape_faces(shape, corner[faces[i][0]], corner[faces[i][1]], corner[faces[i][2]],
                           corner[faces[i][3]]);
}

// A point of the circle about Y, number `step` of `steps`. The half step turns a column of four sides into a
// box.
static tr_vec3 circle_point(uint32_t step, uint32_t steps, float radius, float y) {
    double sine, cosine;
    tr_sin_cos(2 * TR_PI * ((double)step + 0.5) / (double)steps, &sine, &cosine);
    return sample_at((float)(radius * sine), y, (float)(radius * cosine));
}

void sample_shape_column(sample_shape *shape, uint32_t sides, float bottom_radius, float top_radius,
                         float bottom, float top) {
    uint32_t first = shape->position_count;
    for (uint32_t i = 0; i < sides; i++) {
        sample_shape_point(shape, circle_point(i, sides, bottom_radius, bottom));
        sample_shape_point(shape, circle_point(i, sides, top_radius, top));
    }
    for (uint32_t i = 0; i < sides; i++) {
        uint32_t here = first + 2 * i, next = first + 2 * ((i + 1) % sides);
        sample_shape_faces(shape, here, next, next + 1, here + 1);
    }
    for (uint32_t i = 1; i + 1 < sides; i++) {
        sample_shape_face(shape, first + 1, first + 2 * i + 1, first + 2 * i + 3);
        sample_shape_face(shape, first, first + 2 * i + 2, first + 2 * i);
    }
}

void sample_shape_bent(sample_shape *shape, const tr_vec2 *yz, uint32_t count, float half_width,
                       float thickness) {
    uint32_t first = shape->position_count;
    for (uint32_t i = 0; i < count; i++) { // a level ring of four corners at each point
        float y = yz[i].x, back = yz[i].z - thickness / 2, front = yz[i].z + thickness / 2;
        sample_shape_point(shape, sample_at(-half_width, y, back));
        sample_shape_point(shape, sample_at(-half_width, y, front));
        sample_shape_point(shape, sample_at(half_width, y, front));
        sample_shape_point(shape, sample_at(half_width, y, back));
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t side = 0; side < 4; side++) {
            uint32_t here = first + 4 * i + side, next = first + 4 * i + (side + 1) % 4;
            sample_shape_faces(shape, here, next, next + 4, here + 4);
        }
    uint32_t last = first + 4 * (count - 1);
    sample_shape_faces(shape, first, first + 3, first + 2, first + 1);
    sample_shape_faces(shape, last, last + 1, last + 2, last + 3);
}

void sample_shape_ball(sample_shape *shape, uint32_t around, uint32_t rings, tr_vec3 radii) {
    uint32_t bottom = sample_shape_point(shape, sample_at(0, -radii.y, 0));
    uint32_t first = shape->position_count;
    for (uint32_t ring = 1; ring < rings; ring++) {
        double sine, cosine;
        tr_sin_cos(TR_PI * (double)ring / (double)rings, &sine, &cosine);
        for (uint32_t i = 0; i < around; i++) {
            tr_vec3 p = circle_point(i, around, (float)sine, -(float)cosine);
            sample_shape_point(shape, sample_at(p.x * radii.x, p.y * radii.y, p.z * radii.z));
        }
    }
    uint32_t top = sample_shape_point(shape, sample_at(0, radii.y, 0));
    uint32_t last = first + (rings - 2) * around;
    for (uint32_t i = 0; i < around; i++) {
        uint32_t next = (i + 1) % around;
        sample_shape_face(shape, bottom, first + next, first + i);
        sample_shape_face(shape, top, last + i, last + next);
        for (uint32_t ring = 0; ring + 2 < rings; ring++) {
            uint32_t row = first + ring * around;
            sample_shape_faces(shape, row + i, row + next, row + around + next, row + around + i);
        }
    }
}

// One tile of the ground; its far edge (z1) is split so that it has 2 + `more` triangles.
static void add_tile(sample_shape *shape, float x0, float z0, float x1, float z1, float y, uint32_t more) {
    uint32_t near = sample_shape_point(shape, sample_at(x0, y, z0));
    uint32_t other = sample_shape_point(shape, sample_at(x1, y, z0));
    uint32_t previous = sample_shape_point(shape, sample_at(x0, y, z1));
    for (uint32_t i = 1; i <= more + 1; i++) {
        float x = i == more + 1 ? x1 : x0 + (x1 - x0) * (float)i / (float)(more + 1);
        uint32_t here = sample_shape_point(shape, sample_at(x, y, z1));
        sample_shape_face(shape, near, previous, here);
        previous = here;
    }
    sample_shape_face(shape, near, previous, other);
}

void sample_shape_ground(sample_shape *shape, tr_box ground, uint32_t triangles) {
    uint32_t columns = (uint32_t)sqrt((double)triangles / 2);
    columns = columns ? columns : 1;
    uint32_t rows = triangles / (2 * columns), more = triangles - 2 * columns * rows;
    float width = ground.max.x - ground.min.x, depth = ground.max.z - ground.min.z;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            // Only the last row is split further, along the outer border: no crack opens between two tiles.
            uint32_t extra = row + 1 == rows ? more / columns + (column < more % columns) : 0;
            add_tile(shape, ground.min.x + width * (float)column / (float)columns,
                     ground.min.z + depth * (float)row / (float)rows,
                     ground.min.x + width * (float)(column + 1) / (float)columns,
                     ground.min.z + depth * (float)(row + 1) / (float)rows, ground.min.y, extra);
        }
}

void sample_shape_move(sample_shape *shape, tr_vec3 position, double heading) {
    shape->frame = tr_affine_place(position, heading);
}

void sample_shape_home(sample_shape *shape) {
    shape->frame = tr_affine_identity();
}

uint32_t sample_mesh(sample_builder *builder, const char *name) {
    sample_shape *shape = &builder->shape;
    uint32_t mesh = TR_NONE;
    if (builder->status == TR_OK && shape->failed)
        builder->status = tr_fail(builder->error, TR_OUT_OF_MEMORY, "no memory for the mesh \"%s\"", name);
    if (builder->status == TR_OK) {
        tr_mesh_def def = {name, shape->positions, shape->position_count, shape->indices,
                           shape->index_count / 3};
        builder->status = tr_scene_add_mesh(builder->sample.scene, &def, &mesh, builder->error);
    }
    shape->position_count = shape->index_count = 0;
    sample_shape_home(shape);
    return builder->status == TR_OK ? mesh : TR_NONE;
}

uint32_t sample_object(sample_builder *builder, const char *name, uint32_t mesh, const tr_affine *placement,
                       uint32_t tags) {
    uint32_t object = TR_NONE;
    if (builder->status == TR_OK) {
        tr_object_def def = {name, mesh, *placement, tags};
        builder->status = tr_scene_add_object(builder->sample.scene, &def, &object, builder->error);
    }
    return builder->status == TR_OK ? object : TR_NONE;
}

uint32_t sample_place(sample_builder *builder, const char *name, uint32_t mesh, tr_vec3 position,
                      double heading, uint32_t tags) {
    tr_affine placement = tr_affine_place(position, heading);
    return sample_object(builder, name, mesh, &placement, tags);
}

void sample_movable_from_here(sample_builder *builder) {
    builder->sample.first_movable = tr_scene_object_count(builder->sample.scene);
}

void sample_movable_to_here(sample_builder *builder) {
    builder->sample.movable_count =
        tr_scene_object_count(builder->sample.scene) - builder->sample.first_movable;
}

void sample_floor(sample_builder *builder, tr_box ground, uint32_t least) {
    uint64_t placed = sample_triangles(builder);
    uint32_t triangles = builder->wish >= placed + least ? builder->wish - (uint32_t)placed : least;
    sample_shape_ground(&builder->shape, ground, triangles);
    uint32_t mesh = sample_mesh(builder, "floor");
    sample_place(builder, "floor", mesh, sample_at(0, 0, 0), 0, TR_TAG_WALKABLE);
    builder->sample.ground = ground;
}

uint64_t sample_triangles(const sample_builder *builder) {
    return tr_scene_triangle_count(builder->sample.scene);
}

float sample_random(sample_builder *builder, float low, float high) {
    return tr_random_between(&builder->random, low, high);
}
