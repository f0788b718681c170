#include "sample_build.h"
#include "troupe/base/scalar.h"

static void box(sample_builder *builder, float x0, float y0, float z0, float x1, float y1, float z1) {
    sample_shape_box(&builder->shape, sample_at(x0, y0, z0), sample_at(x1, y1, z1));
}

// Four legs under the corners of a rectangle: 48 triangles.
static void legs(sample_builder *builder, float half_x, float half_z, float width, float height) {
    for (int corner = 0; corner < 4; corner++) {
        float x = corner & 1 ? half_x - width : -half_x, z = corner & 2 ? half_z - width : -half_z;
        box(builder, x, 0, z, x + width, height, z + width);
    }
}

// One arm of the star and the wheel under its end.
static void star_arm(sample_builder *builder, double heading) {
    sample_shape *shape = &builder->shape;
    sample_shape_move(shape, sample_at(0, 0, 0), heading);
    box(builder, -0.025f, 0.06f, 0.03f, 0.025f, 0.1f, 0.3f);
    // The wheel's axle lies along the arm's x: a column about Y, laid down.
    tr_affine lay_down = {{{0, 1, 0, 0}, {-1, 0, 0, 0.03f}, {0, 0, 1, 0.28f}}};
    shape->frame = tr_affine_multiply(&shape->frame, &lay_down);
    sample_shape_column(shape, 6, 0.03f, 0.03f, -0.02f, 0.02f);
    sample_shape_home(shape);
}

static void armrest(sample_builder *builder, float side) {
    float x = side * 0.29f;
    box(builder, x - 0.02f, 0.42f, -0.05f, x + 0.02f, 0.64f, 0.05f);
    box(builder, x - 0.04f, 0.64f, -0.14f, x + 0.04f, 0.67f, 0.14f);
}

uint32_t sample_office_chair(sample_builder *builder, bool fine) {
    static const tr_vec2 fine_back[] = {
        {0.52f, -0.24f}, {0.62f, -0.22f}, {0.74f, -0.23f}, {0.86f, -0.26f}, {0.98f, -0.31f}};
    if (fine) {
        for (int arm = 0; arm < 5; arm++)
            star_arm(builder, 2 * TR_PI * arm / 5);
        sample_shape_column(&builder->shape, 6, 0.03f, 0.03f, 0.08f, 0.42f);
        sample_shape_column(&builder->shape, 8, 0.27f, 0.25f, 0.42f, 0.5f);
        sample_shape_bent(&builder->shape, fine_back, 5, 0.22f, 0.04f);
        box(builder, -0.03f, 0.4f, -0.29f, 0.03f, 0.7f, -0.26f);
        armrest(builder, -1);
        armrest(builder, 1);
    } else {
        box(builder, -0.3f, 0.03f, -0.03f, 0.3f, 0.1f, 0.03f);
        box(builder, -0.03f, 0.03f, -0.3f, 0.03f, 0.1f, 0.3f);
        box(builder, -0.03f, 0.1f, -0.03f, 0.03f, 0.42f, 0.03f);
        box(builder, -0.24f, 0.42f, -0.24f, 0.24f, 0.5f, 0.24f);
        box(builder, -0.22f, 0.52f, -0.28f, 0.22f, 0.98f, -0.24f);
        box(builder, -0.31f, 0.62f, -0.14f, -0.25f, 0.67f, 0.14f);
        box(builder, 0.25f, 0.62f, -0.14f, 0.31f, 0.67f, 0.14f);
    }
    return sample_mesh(builder, "office chair");
}

uint32_t sample_kitchen_chair(sample_builder *builder) {
    legs(builder, 0.2f, 0.2f, 0.04f, 0.43f);
    box(builder, -0.21f, 0.43f, -0.21f, 0.21f, 0.46f, 0.21f);
    box(builder, -0.2f, 0.5f, -0.21f, 0.2f, 0.9f, -0.18f);
    return sample_mesh(builder, "chair");
}

uint32_t sample_table(sample_builder *builder, const char *name, float half_x, float half_z, float top) {
    legs(builder, half_x - 0.05f, half_z - 0.05f, 0.06f, top - 0.03f);
    box(builder, -half_x, top - 0.03f, -half_z, half_x, top, half_z);
    return sample_mesh(builder, name);
}

uint32_t sample_desk(sample_builder *builder) {
    box(builder, -0.8f, 0.7f, -0.4f, 0.8f, 0.73f, 0.4f);
    box(builder, -0.78f, 0, -0.36f, -0.74f, 0.7f, 0.36f);
    box(builder, 0.74f, 0, -0.36f, 0.78f, 0.7f, 0.36f);
    box(builder, -0.74f, 0.3f, -0.32f, 0.74f, 0.7f, -0.3f);
    return sample_mesh(builder, "desk");
}

uint32_t sample_drawers(sample_builder *builder) {
    box(builder, -0.2f, 0.03f, -0.28f, 0.2f, 0.58f, 0.28f);
    for (int drawer = 0; drawer < 3; drawer++) {
        float low = 0.06f + 0.175f * (float)drawer;
        box(builder, -0.19f, low, 0.28f, 0.19f, low + 0.16f, 0.3f);
    }
    return sample_mesh(builder, "drawers");
}

uint32_t sample_monitor(sample_builder *builder) {
    box(builder, -0.12f, 0, -0.08f, 0.12f, 0.01f, 0.08f);
    box(builder, -0.02f, 0.01f, -0.04f, 0.02f, 0.2f, -0.01f);
    box(builder, -0.28f, 0.12f, -0.01f, 0.28f, 0.46f, 0.02f);
    return sample_mesh(builder, "monitor");
}

#define SHELF_BOARDS 5
#define SHELF_ROW_BOOKS (SAMPLE_SHELF_BOOKS / (SHELF_BOARDS - 1))

static float board_height(int board) {
    return 0.06f + 0.42f * (float)board;
}

uint32_t sample_shelf(sample_builder *builder) {
    box(builder, -0.6f, 0, -0.16f, -0.58f, 1.8f, 0.16f);
    box(builder, 0.58f, 0, -0.16f, 0.6f, 1.8f, 0.16f);
    box(builder, -0.58f, 0, -0.16f, 0.58f, 1.8f, -0.15f);
    for (int board = 0; board < SHELF_BOARDS; board++)
        box(builder, -0.58f, board_height(board), -0.15f, 0.58f, board_height(board) + 0.02f, 0.16f);
    return sample_mesh(builder, "shelf");
}

uint32_t sample_books(sample_builder *builder, uint32_t count) {
    for (int board = 0; board + 1 < SHELF_BOARDS; board++) {
        uint32_t rows_left = (uint32_t)(SHELF_BOARDS - 1 - board);
        uint32_t here = (count + rows_left - 1) / rows_left;
        here = here < SHELF_ROW_BOOKS ? here : SHELF_ROW_BOOKS;
        count -= here;
        float x = -0.57f, y = board_height(board) + 0.02f;
        for (uint32_t book = 0; book < here; book++) {
            float width = sample_random(builder, 0.02f, 0.045f);
            float height = sample_random(builder, 0.18f, 0.3f);
            float depth = sample_random(builder, 0.15f, 0.24f);
            box(builder, x, y, -0.14f, x + width, y + height, -0.14f + depth);
            x += width + 0.002f;
        }
    }
    return sample_mesh(builder, "books");
}

uint32_t sample_plant(sample_builder *builder) {
    sample_shape *shape = &builder->shape;
    sample_shape_column(shape, 8, 0.14f, 0.19f, 0, 0.35f);
    for (int leaf = 0; leaf < 8; leaf++) {
        float length = sample_random(builder, 0.25f, 0.38f);
        float rise = sample_random(builder, 0.7f, 1.2f);
        float turn = sample_random(builder, -0.3f, 0.3f);
        sample_shape_move(shape, sample_at(0, 0.33f, 0), 2 * TR_PI * leaf / 8 + (double)turn);
        // Two kinked halves: up, and then hanging over.
        tr_vec3 tip = sample_at(0, rise * 0.6f, length), left = sample_at(-0.06f, rise * 0.7f, length * 0.5f);
        tr_vec3 root = sample_at(0, 0, 0.02f), right = sample_at(0.06f, rise * 0.7f, length * 0.5f);
        sample_shape_quad(shape, root, right, tip, left);
        sample_shape_quad(shape, root, left, tip, right);
    }
    return sample_mesh(builder, "plant");
}

uint32_t sample_sofa(sample_builder *builder) {
    box(builder, -0.9f, 0.08f, -0.4f, 0.9f, 0.28f, 0.4f);
    box(builder, -0.72f, 0.28f, -0.2f, -0.01f, 0.44f, 0.4f);
    box(builder, 0.01f, 0.28f, -0.2f, 0.72f, 0.44f, 0.4f);
    box(builder, -0.9f, 0.28f, -0.4f, 0.9f, 0.8f, -0.2f);
    box(builder, -0.9f, 0.28f, -0.2f, -0.72f, 0.58f, 0.4f);
    box(builder, 0.72f, 0.28f, -0.2f, 0.9f, 0.58f, 0.4f);
    return sample_mesh(builder, "sofa");
}

uint32_t sample_lamp(sample_builder *builder) {
    box(builder, -0.6f, 2.4f, -0.1f, 0.6f, 2.46f, 0.1f);
    box(builder, -0.5f, 2.46f, -0.005f, -0.49f, 2.7f, 0.005f);
    box(builder, 0.49f, 2.46f, -0.005f, 0.5f, 2.7f, 0.005f);
    return sample_mesh(builder, "lamp");
}

uint32_t sample_sign(sample_builder *builder) {
    box(builder, -0.25f, 1.6f, -0.02f, 0.25f, 1.8f, 0.02f);
    box(builder, -0.25f, 1.8f, -0.01f, 0.25f, 1.83f, 0.01f);
    return sample_mesh(builder, "sign");
}
