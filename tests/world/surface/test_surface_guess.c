// Meaning guessed from shape: tables and chairs are nobody's way, stairs and stages are.
#include "surface_oracle.h"

typedef struct room {
    tr_scene *scene;
    tr_surface_def def;
    tr_surface *surface;
    tr_raster *raster;
} room;

// A floor of 10 x 10 m on cells of `cell` metres.
static room make_room(float cell) {
    room made = {.def = tr_surface_def_default(), .raster = little_raster(0)};
    CHECK_INT(tr_scene_create(NULL, &made.scene), TR_OK);
    little_box(made.scene, little_make_box(0, -0.1f, 0, 10, 0, 10), 0);
    made.def.grid = (tr_voxel_grid){
        {{-0.5f, -0.5f}, cell, (uint32_t)(11 / cell), (uint32_t)(11 / cell)}, -0.5f, 0.05f, 100};
    return made;
}

static void build_room(room *made) {
    tr_error error = {.message = ""};
    if (!made->surface && tr_surface_create(&made->def, &made->surface, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
    if (tr_surface_build(made->surface, made->raster, made->scene, &error) != TR_OK)
        test_failed(__FILE__, __LINE__, "%s", error.message);
}

static void leave_room(room *made) {
    tr_surface_destroy(made->surface);
    tr_raster_destroy(made->raster);
    tr_scene_destroy(made->scene);
}

// What someone finds who comes down at (x, z) from a height of y: the kind of the highest cell below.
static tr_surface_kind kind_below(const room *made, float x, float y, float z) {
    uint32_t column = 0, row = 0;
    CHECK(tr_grid_find(&made->def.grid.grid, (tr_vec2){x, z}, &column, &row));
    tr_surface_column cells = tr_surface_at(made->surface, column, row);
    tr_surface_scale scale = tr_surface_scale_of(made->surface);
    for (uint32_t i = cells.count; i-- > 0;)
        if (scale.bottom + cells.heights[i] * scale.unit <= y + scale.unit)
            return tr_surface_kind_of(cells.rooms[i]);
    return TR_SURFACE_VOID;
}

static void add_table(room *made, float x, float z) { // 1.6 x 0.9 m, a top on four legs
    little_box(made->scene, little_make_box(x, 0.71f, z, x + 1.6f, 0.75f, z + 0.9f), 0);
    for (int i = 0; i < 4; i++) {
        float leg_x = x + (i & 1 ? 1.52f : 0.03f), leg_z = z + (i & 2 ? 0.82f : 0.03f);
        little_box(made->scene, little_make_box(leg_x, 0, leg_z, leg_x + 0.05f, 0.71f, leg_z + 0.05f), 0);
    }
}

static void add_chair(room *made, float x, float z) {
    little_box(made->scene, little_make_box(x, 0.41f, z, x + 0.45f, 0.45f, z + 0.45f), 0);
    little_box(made->scene, little_make_box(x, 0.45f, z, x + 0.04f, 0.95f, z + 0.45f), 0); // its back
}

TEST(tables_chairs_and_stools_are_not_stood_on) {
    const float cells[] = {0.05f, 0.1f, 0.25f};
    for (int i = 0; i < 3; i++) {
        room made = make_room(cells[i]);
        add_table(&made, 2, 2);
        add_chair(&made, 6, 2);
        add_chair(&made, 3.2f, 2.6f);                                          // pushed under the table
        little_box(made.scene, little_make_box(8, 0, 8, 8.4f, 0.5f, 8.4f), 0); // a stool
        for (int guess = 0; guess < 2; guess++) {
            tr_surface_kind expected = guess ? TR_SURFACE_STEEP : TR_SURFACE_STAND;
            made.def.guess = guess;
            tr_surface_destroy(made.surface);
            made.surface = NULL;
            build_room(&made);
            CHECK_INT(kind_below(&made, 2.8f, 2, 2.4f), expected);
            CHECK_INT(kind_below(&made, 6.3f, 2, 2.2f), expected);
            CHECK_INT(kind_below(&made, 6.01f, 2, 2.2f), expected); // the back
            CHECK_INT(kind_below(&made, 8.2f, 2, 8.2f), expected);
            CHECK_INT(kind_below(&made, 5, 2, 5), TR_SURFACE_STAND);
            CHECK_INT(kind_below(&made, 2.4f, 0.5f, 2.4f), TR_SURFACE_STAND); // the floor under the table
        }
        leave_room(&made);
    }
}

TEST(a_table_tagged_walkable_is_stood_on) {
    room made = make_room(0.1f);
    little_box(made.scene, little_make_box(2, 0.7f, 2, 3.5f, 0.75f, 3), TR_TAG_WALKABLE);
    little_box(made.scene, little_make_box(3.5f, 0.7f, 2, 4, 0.75f, 3), 0); // one patch with it
    build_room(&made);
    CHECK_INT(kind_below(&made, 2.7f, 2, 2.5f), TR_SURFACE_SURE);
    CHECK_INT(kind_below(&made, 3.8f, 2, 2.5f), TR_SURFACE_STAND);
    leave_room(&made);
}

TEST(stairs_of_boxes_stay_whatever_their_width) {
    const float cells[] = {0.05f, 0.1f, 0.28f};
    for (int i = 0; i < 3; i++) {
        room made = make_room(cells[i]);
        for (int step = 0; step < 12; step++) { // 0.8 m wide, they end in mid-air
            float x = 2 + 0.28f * (float)step;
            little_box(made.scene, little_make_box(x, 0, 3, x + 0.28f, 0.17f * (float)(step + 1), 3.8f), 0);
        }
        build_room(&made);
        for (int step = 0; step < 12; step++)
            CHECK_INT(kind_below(&made, 2.14f + 0.28f * (float)step, 3, 3.4f), TR_SURFACE_STAND);
        leave_room(&made);
    }
}

TEST(stages_kerbs_balconies_and_pits_stay) {
    room made = make_room(0.1f);
    little_box(made.scene, little_make_box(1, 0, 1, 3, 0.9f, 2.5f), 0);     // a stage of 3 m^2
    little_box(made.scene, little_make_box(5, 0, 1, 5.4f, 0.14f, 1.4f), 0); // a kerb
    little_box(made.scene, little_make_box(5, 2.6f, 5, 6, 2.8f, 6), 0); // a balcony, out of everybody's reach
    little_box(made.scene, little_make_box(8, 0, 0, 10, 2.5f, 2), 0);   // a shed
    build_room(&made);
    CHECK_INT(kind_below(&made, 2, 2, 1.8f), TR_SURFACE_STAND);
    CHECK_INT(kind_below(&made, 5.2f, 2, 1.2f), TR_SURFACE_STAND);
    CHECK_INT(kind_below(&made, 5.5f, 4, 5.5f), TR_SURFACE_STAND);
    CHECK_INT(kind_below(&made, 9, 4, 1), TR_SURFACE_STAND);
    leave_room(&made);

    room yard = make_room(0.1f); // the ground around a pit of 0.5 m^2, 0.4 m deep
    tr_scene_remove_object(yard.scene, 0);
    little_box(yard.scene, little_make_box(0, 0, 0, 10, 0.4f, 4), 0);
    little_box(yard.scene, little_make_box(0, 0, 4.7f, 10, 0.4f, 10), 0);
    little_box(yard.scene, little_make_box(0, 0, 4, 4, 0.4f, 4.7f), 0);
    little_box(yard.scene, little_make_box(4.7f, 0, 4, 10, 0.4f, 4.7f), 0);
    little_box(yard.scene, little_make_box(4, -0.1f, 4, 4.7f, 0, 4.7f), 0);
    build_room(&yard);
    CHECK_INT(kind_below(&yard, 4.35f, 2, 4.35f), TR_SURFACE_STAND);
    CHECK_INT(kind_below(&yard, 2, 2, 2), TR_SURFACE_STAND);
    leave_room(&yard);
}

// Slopes that can be stood on rise by more than a step from cell to cell when cells are large.
TEST(steep_ramps_of_large_cells_stay) {
    room made = make_room(0.4f);
    tr_vec3 corners[4] = {{2, 0, 2}, {5, 2.9f, 2}, {2, 0, 3}, {5, 2.9f, 3}};
    const uint32_t indices[6] = {0, 2, 1, 1, 2, 3};
    tr_mesh_def def = {.positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    uint32_t mesh = TR_NONE;
    CHECK_INT(tr_scene_add_mesh(made.scene, &def, &mesh, NULL), TR_OK);
    little_object(made.scene, mesh, tr_affine_identity(), 0);
    build_room(&made);
    for (int i = 0; i < 6; i++)
        CHECK_INT(kind_below(&made, 2.3f + 0.4f * (float)i, 4, 2.5f), TR_SURFACE_STAND);
    leave_room(&made);
}

TEST(a_table_that_is_pushed_against_a_stage_of_its_height_belongs_to_it) {
    room made = make_room(0.1f);
    little_box(made.scene, little_make_box(1, 0, 1, 5, 0.75f, 5), 0);
    uint32_t table = little_box(made.scene, little_make_box(0, 0.7f, 0, 1.4f, 0.75f, 0.8f), 0);
    tr_affine away = little_move(7.2f, 0, 2), near = little_move(4.95f, 0, 2);
    CHECK_INT(tr_scene_place(made.scene, table, &away), TR_OK);
    build_room(&made);
    CHECK_INT(kind_below(&made, 8, 2, 2.4f), TR_SURFACE_STEEP);
    CHECK_INT(tr_scene_place(made.scene, table, &near), TR_OK);
    tr_cells changed;
    CHECK_INT(tr_surface_update(made.surface, made.raster, made.scene, &changed, NULL), TR_OK);
    CHECK_INT(kind_below(&made, 5.8f, 2, 2.4f), TR_SURFACE_STAND);
    CHECK_INT(kind_below(&made, 8, 2, 2.4f), TR_SURFACE_STAND); // the floor, where it was
    leave_room(&made);
}

// The bridge between a stage and a table far from it is taken away: the table's cells, which no redone tile
// holds, are a table again. And the other way round.
TEST(what_is_guessed_follows_changes_far_away) {
    room made = make_room(0.05f);
    made.def.grid.grid = (tr_grid){{0, 0}, 0.05f, 640, 64};
    made.def.guess_area = 3.5f;
    little_box(made.scene, little_make_box(10, -0.1f, 0, 32, 0, 3.2f), 0);
    little_box(made.scene, little_make_box(0.02f, 0, 0.5f, 4, 0.75f, 2.5f), 0); // the stage
    uint32_t bridge = little_box(made.scene, little_make_box(3.95f, 0.7f, 1, 4.5f, 0.75f, 1.2f), 0);
    little_box(made.scene, little_make_box(4.45f, 0.7f, 1, 17, 0.75f, 1.2f), 0); // 2.5 m^2, 12 m long
    build_room(&made);
    CHECK_INT(kind_below(&made, 16, 2, 1.1f), TR_SURFACE_STAND);
    tr_affine up = little_move(0, 2, 0), back = little_move(0, 0, 0);
    tr_cells changed;
    CHECK_INT(tr_scene_place(made.scene, bridge, &up), TR_OK);
    CHECK_INT(tr_surface_update(made.surface, made.raster, made.scene, &changed, NULL), TR_OK);
    CHECK_INT(kind_below(&made, 16, 2, 1.1f), TR_SURFACE_STEEP);
    CHECK(changed.column_end > 320 && changed.column_end < 400); // as far as the table reaches
    CHECK_INT(tr_scene_place(made.scene, bridge, &back), TR_OK);
    CHECK_INT(tr_surface_update(made.surface, made.raster, made.scene, &changed, NULL), TR_OK);
    CHECK_INT(kind_below(&made, 16, 2, 1.1f), TR_SURFACE_STAND);
    CHECK(changed.column_end > 320 && changed.column_end < 400);
    leave_room(&made);
}
