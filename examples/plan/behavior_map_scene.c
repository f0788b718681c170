// A behavior map of a scene: a tree falls across the gap of a wall. Prints the gap before, while and after it
// falls, and draws the map after it. Then something moves that nobody announced.
#include <stdio.h>
#include <troupe/troupe.h>

static tr_behavior *make_machine(void) {
    static const char *const labels[] = {"stand"};
    static const tr_behavior_band bands[] = {{.name = "upright", .low = 0, .high = 1.8f},
                                             {.name = "jump", .low = 0.45f, .high = 2.2f},
                                             {.name = "crawl", .low = 0, .high = 0.85f}};
    tr_behavior_move step = {.z = 0.7f, .frames = 15}, jump = {.z = 1.6f, .frames = 24},
                     crawl = {.z = 2, .frames = 60};
    tr_behavior_state states[] = {
        {.name = "step", .moves = &step, .move_count = 1, .weight = 1},
        {.name = "jump", .moves = &jump, .move_count = 1, .weight = 1.5f, .serves = 1},
        {.name = "crawl", .moves = &crawl, .move_count = 1, .weight = 2, .serves = 2},
    };
    tr_behavior_def def = {.labels = labels,
                           .label_count = 1,
                           .bands = bands,
                           .band_count = 3,
                           .radius = 0.3f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = 3};
    tr_behavior *behavior = NULL;
    tr_behavior_create(&def, &behavior, NULL);
    return behavior;
}

static void print(const tr_behavior_map *map, double seconds) {
    const tr_grid *grid = tr_behavior_map_grid(map);
    uint32_t frame = (uint32_t)(30 * seconds);
    printf("%.1f s\n", seconds);
    for (float z = -1.5f; z < 1.6f; z += 0.5f) {
        for (uint32_t column = 0; column < grid->columns; column++) {
            tr_vec2 p = {tr_grid_centre(grid, column, 0).x, z};
            putchar(tr_behavior_map_is_free(map, 0, p, frame)     ? '.'
                    : tr_behavior_map_is_within(map, 1, p, frame) ? '~'
                    : tr_behavior_map_is_within(map, 2, p, frame) ? '_'
                                                                  : '#');
        }
        putchar('\n');
    }
}

// Somebody pushes one of the posts, which nobody knew: it is expected to go on.
static tr_status push(tr_behavior_map *map, const tr_behavior_scene *from, tr_scene *scene, uint32_t post) {
    tr_affine place = tr_scene_object(scene, post).placement;
    tr_behavior_change change;
    tr_status status = TR_OK;
    for (uint32_t frame = 0; frame <= 30 && status == TR_OK; frame += 15) {
        status = tr_behavior_map_update(map, from, frame, &change, NULL);
        printf("frame %u: %u cells changed%s\n", frame,
               (change.cells.column_end - change.cells.column_begin) *
                   (change.cells.row_end - change.cells.row_begin),
               change.blocks ? ", plans have to be checked" : "");
        place.m[0][3] += 0.4f;
        if (status == TR_OK && frame < 15)
            status = tr_scene_place(scene, post, &place);
    }
    return status;
}

int main(void) {
    tr_sample field;
    tr_error error = {0};
    tr_raster *raster = NULL;
    tr_behavior *behavior = make_machine();
    if (!behavior || tr_sample_make(&(tr_sample_def){.name = "falling_tree"}, &field, &error) != TR_OK ||
        tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, &error) != TR_OK)
        return 1;
    tr_behavior_map_def def = {.behavior = behavior, .seconds = 12};
    tr_behavior_map *map = NULL;
    tr_behavior_scene from = {
        .scene = field.scene, .raster = raster, .floors = &field.start, .floor_count = 1};
    if (tr_grid_cover(field.ground, 0.2f, 0, 0, &def.grid, &error) != TR_OK ||
        tr_behavior_map_create(&def, &map, &error) != TR_OK ||
        tr_behavior_map_build(map, &from, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    print(map, 2);
    print(map, 6.5);
    print(map, 10);
    printf(". free, # blocked, ~ to jump over, _ to crawl under\n");
    tr_picture picture;
    tr_behavior_layers layers = {map, 300, 0};
    if (tr_picture_draw_behavior_map(NULL, &layers, 4, "a fallen tree", &picture, NULL, &error) == TR_OK) {
        printf("a picture of %u x %u pixels\n", picture.width, picture.height);
        tr_picture_destroy(&picture);
    }
    if (push(map, &from, field.scene, field.first_movable) != TR_OK)
        return 1;
    tr_behavior_map_destroy(map);
    tr_raster_destroy(raster);
    tr_behavior_destroy(behavior);
    tr_scene_destroy(field.scene);
    return 0;
}
