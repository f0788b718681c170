// Ground to plan single steps on, in a lane that leads along +z from the origin: the uneven terrain and the
// trap of Li's figures 6 and 8, and random courses.
#include "sample_storey.h"

#define HALF 1.2f     // half the width of a lane
#define ROOT 1.15f    // half the length of a root
#define DEEP 1.5f     // how far blocks reach below their tops
#define APPROACH 2.0f // level floor before the origin
#define EXIT 2.5f     // and behind the course
#define UNEVEN_BLOCKS 9
#define TRAP_AT 2.0f   // where the trap begins,
#define TRAP_WIDE 0.7f // and its size
#define TRAP_DEEP 0.44f
#define FEATURES 6 // of a random course

// Where a course has come to.
typedef struct terrain_course {
    sample_builder *builder;
    float z, y; // its end, and the height there
} terrain_course;

static void add_block(terrain_course *course, float length, float y) {
    sample_box(course->builder, -HALF, y - DEEP, course->z, HALF, y, course->z + length);
    course->z += length;
}

static void level(terrain_course *course, float length) {
    add_block(course, length, course->y);
}

static void finish(terrain_course *course) {
    sample_builder *builder = course->builder;
    level(course, EXIT);
    sample_finish(builder, "ground", TR_TAG_WALKABLE);
    sample_shape_column(&builder->shape, 8, 0.04f, 0.04f, 0, 1);
    uint32_t mesh = sample_mesh(builder, "post");
    sample_movable_from_here(builder);
    sample_place(builder, "post", mesh, sample_at(-1, 0, -1.5f), 0, 0);
    sample_place(builder, "post", mesh, sample_at(1, 0, -1.5f), 0, 0);
    sample_movable_to_here(builder);
    tr_box floor = {{-HALF, 0, -APPROACH}, {HALF, 0, 0}};
    sample_slab_floor(builder, &floor, 1);
    builder->sample.ground = floor;
    builder->sample.ground.max.z = course->z;
    builder->sample.start = sample_at(0, 0, -0.5f);
    builder->sample.goal = sample_at(0, course->y, course->z - 0.5f * EXIT);
}

void sample_uneven_make(sample_builder *builder) {
    terrain_course course = {builder, 0, 0};
    level(&course, 0.8f);
    for (int i = 0; i < UNEVEN_BLOCKS; i++) { // one number after the other, whatever the compiler
        float top = sample_random(builder, 0, 0.18f), length = sample_random(builder, 0.45f, 0.9f);
        add_block(&course, length, top);
    }
    course.y = 0;
    finish(&course);
}

void sample_trap_make(sample_builder *builder) {
    terrain_course course = {builder, 0, 0};
    level(&course, TRAP_AT);
    add_block(&course, TRAP_WIDE, -TRAP_DEEP);
    level(&course, 2);
    finish(&course);
}

static void random_stairs(terrain_course *course) {
    sample_builder *builder = course->builder;
    float rise = sample_random(builder, 0.1f, 0.32f), going = sample_random(builder, 0.26f, 0.45f);
    int count = 2 + (int)sample_random(builder, 0, 4);
    rise = sample_random(builder, 0, 1) < 0.5f ? rise : -rise;
    for (int i = 0; i < count; i++)
        add_block(course, going, course->y += rise);
}

static void random_ramp(terrain_course *course) {
    sample_builder *builder = course->builder;
    float rise = sample_random(builder, 0.1f, 0.6f), length = sample_random(builder, 1.2f, 2.4f);
    bool up = sample_random(builder, 0, 1) < 0.5f;
    float low = up ? course->y : course->y - rise;
    tr_box box = {{-HALF, low, course->z}, {HALF, low + rise, course->z + length}};
    sample_shape_ramp(&builder->shape, box, up ? SAMPLE_SOUTH : SAMPLE_NORTH);
    add_block(course, length, low);
    course->y = up ? low + rise : low;
}

static void random_gap(terrain_course *course) {
    course->z += sample_random(course->builder, 0.15f, 0.62f);
}

static void random_pit(terrain_course *course) {
    float depth = sample_random(course->builder, 0.2f, 0.7f);
    add_block(course, sample_random(course->builder, 0.2f, 0.9f), course->y - depth);
}

// Blocks side by side, no two of one height.
static void random_rubble(terrain_course *course) {
    sample_builder *builder = course->builder;
    int rows = 4 + (int)sample_random(builder, 0, 4);
    for (int i = 0; i < rows; i++) {
        float length = sample_random(builder, 0.25f, 0.5f), x = -HALF;
        while (x < HALF) {
            float next = x + sample_random(builder, 0.2f, 0.5f),
                  top = course->y + sample_random(builder, -0.12f, 0.12f);
            next = next < HALF - 0.1f ? next : HALF;
            sample_box(builder, x, top - DEEP, course->z, next, top, course->z + length);
            x = next;
        }
        course->z += length;
    }
}

// Two rows of stones, for the left and the right foot, over a chasm.
static void random_stones(terrain_course *course) {
    sample_builder *builder = course->builder;
    int count = 3 + (int)sample_random(builder, 0, 4);
    float end = course->z;
    for (int i = 0; i < count; i++) {
        float z = course->z + 0.5f * (float)i + sample_random(builder, 0.05f, 0.2f),
              side = i % 2 ? 1.0f : -1.0f;
        float length = sample_random(builder, 0.3f, 0.55f),
              top = course->y + sample_random(builder, -0.08f, 0.08f);
        float from = side > 0 ? -0.02f : -0.5f;
        sample_box(builder, from, top - DEEP, z, from + 0.52f, top, z + length);
        end = z + length;
    }
    course->z = end + sample_random(builder, 0, 0.1f);
}

// Thin bars across the lane, askew.
static void random_roots(terrain_course *course) {
    sample_builder *builder = course->builder;
    int count = 3 + (int)sample_random(builder, 0, 5);
    float begin = course->z, length = 0.35f * (float)count + 0.4f;
    level(course, length);
    for (int i = 0; i < count; i++) {
        float z = begin + 0.2f + 0.35f * (float)i, askew = sample_random(builder, -0.12f, 0.12f);
        float high = course->y + sample_random(builder, 0.02f, 0.14f),
              wide = sample_random(builder, 0.03f, 0.1f);
        sample_shape_bar(&builder->shape, sample_at(-ROOT, high, z - askew), sample_at(ROOT, high, z + askew),
                         wide, 0.2f);
    }
}

void sample_rough_make(sample_builder *builder) {
    static void (*const features[])(terrain_course * course) = {
        random_stairs, random_ramp, random_gap, random_pit, random_rubble, random_stones, random_roots};
    const uint32_t kinds = sizeof features / sizeof features[0];
    terrain_course course = {builder, 0, 0};
    for (int i = 0; i < FEATURES; i++) {
        level(&course, sample_random(builder, 0.5f, 1.3f));
        features[tr_random_below(&builder->random, kinds)](&course);
    }
    finish(&course);
}

// -------------------------------------------------------------------------------------------------- the
// trail

#define STONE_ROWS 5
#define STONES_ACROSS 3
#define STONE_APART 0.06f // sideways, between two stones
#define SLIDE_UNDER 1.5f  // head room under the slide, in the middle of the lane
#define SLIDE_SLOPE 0.06f
#define SLIDE_PLATE 0.05f
#define TABLE_ASIDE 1.02f // from the middle of the lane to that of a table

// Rows of stones over a chasm, wide enough for two people side by side.
static void add_stones(terrain_course *course) {
    sample_builder *builder = course->builder;
    float wide = (2 * HALF + STONE_APART) / STONES_ACROSS;
    for (int row = 0; row < STONE_ROWS; row++) {
        float gap = sample_random(builder, 0.1f, 0.2f), length = sample_random(builder, 0.36f, 0.46f);
        course->z += gap;
        for (int i = 0; i < STONES_ACROSS; i++) {
            float x = (float)i * wide - HALF, top = course->y + sample_random(builder, -0.05f, 0.05f);
            sample_box(builder, x, top - DEEP, course->z, x + wide - STONE_APART, top, course->z + length);
        }
        course->z += length;
    }
    course->z += 0.12f;
}

static void add_hurdle(terrain_course *course, float high, float thick) {
    level(course, 0.7f);
    sample_box(course->builder, -HALF, course->y, course->z, HALF, course->y + high, course->z + thick);
    level(course, 0.7f + thick);
}

// A slide across the lane, to bend under, and a table on either side, past which an arm is flexed.
static void place_slide(terrain_course *course, float z) {
    sample_builder *builder = course->builder;
    float y = course->y + SLIDE_UNDER + SLIDE_PLATE, out = HALF - 0.06f;
    tr_vec3 high = {-out, y + SLIDE_SLOPE * out, z}, low = {out, y - SLIDE_SLOPE * out, z};
    sample_shape_bar(&builder->shape, high, low, 0.45f, SLIDE_PLATE);
    sample_box(builder, -out - 0.06f, course->y - DEEP, z - 0.2f, -out, high.y + 0.4f, z + 0.2f);
    sample_box(builder, out, course->y - DEEP, z - 0.2f, out + 0.06f, low.y, z + 0.2f);
    sample_finish(builder, "slide", 0);
}

static void place_tables(terrain_course *course, float z) {
    sample_builder *builder = course->builder;
    for (int side = -1; side <= 1; side += 2) {
        uint32_t table = sample_table(builder, "table", 0.17f, 0.6f, 0.78f);
        sample_place(builder, "table", table, sample_at((float)side * TABLE_ASIDE, course->y, z), 0,
                     TR_TAG_NO_STEP);
    }
}

void sample_trail_make(sample_builder *builder) {
    terrain_course course = {builder, 0, 0};
    level(&course, 1);
    for (int i = 0; i < 3; i++)
        add_block(&course, 0.62f, sample_random(builder, 0.08f, 0.3f));
    level(&course, 0.8f);
    course.z += 0.45f;
    level(&course, 0.8f);
    add_stones(&course);
    level(&course, 0.8f);
    tr_box ramp = {{-HALF, course.y, course.z}, {HALF, course.y + 0.45f, course.z + 1.8f}};
    sample_shape_ramp(&builder->shape, ramp, SAMPLE_SOUTH);
    add_block(&course, 1.8f, course.y);
    course.y += 0.45f;
    level(&course, 0.9f);
    for (int i = 0; i < 3; i++)
        add_block(&course, 0.32f, course.y -= 0.15f);
    add_hurdle(&course, 0.22f, 0.08f);
    add_hurdle(&course, 0.12f, 0.2f);
    add_block(&course, 0.6f, course.y - TRAP_DEEP);
    float behind = course.z;
    level(&course, 4.2f);
    sample_finish(builder, "trail", TR_TAG_WALKABLE);
    place_slide(&course, behind + 1.4f);
    place_tables(&course, behind + 3.2f);
    finish(&course);
}
