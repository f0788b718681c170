// troupe map: projects a scene into an occupancy map, measures it and draws it.
#include "map.h"
#include "arguments.h"
#include "commands.h"
#include "progress.h"
#include "scene_options.h"
#include "troupe/base/clock.h"
#include "troupe/io/picture.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_CLEARANCE = SCENE_OPTION_COUNT,
    OPTION_HEIGHTS,
    OPTION_TO,
    OPTION_PNG,
    OPTION_PIXELS,
    OPTION_ASCII,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    SCENE_OPTIONS("0"),
    [OPTION_CLEARANCE] = {"--clearance", 0, NULL, "also compute the distance to the nearest occupied cell"},
    [OPTION_HEIGHTS] = {"--heights", 0, NULL, "also compute the floor and the overhang of each cell"},
    [OPTION_TO] = {"--to", 0, "X,Z",
                   "also compute the walking distance to this point [m]; with several, to the nearest"},
    [OPTION_PNG] = {"--png", 0, "FILE",
                    "draw the map, with --to its distances; with --heights also to FILE-heights.png"},
    [OPTION_PIXELS] = {"--pixels", 0, "N", "pixels per cell of the picture (about 900 pixels in all)"},
    [OPTION_ASCII] = {"--ascii", 0, NULL, "print the map: # occupied, + too near, . free"},
    [OPTION_JSON] = {"--json", 0, NULL, "print one JSON document and nothing else"},
};

typedef struct map_request {
    scene_options scene;
    uint64_t pixels;
    bool clearance, heights, ascii, json, help;
    const char *png;
    tr_vec2 points[MAP_POINTS_MAX]; // of --to
    uint32_t point_count;
} map_request;

static bool read_point(map_request *request, const char *value) {
    double numbers[2];
    uint32_t count;
    if (!arguments_list("--to", value, 2, 2, numbers, &count))
        return false;
    if (request->point_count == MAP_POINTS_MAX) {
        command_complain("--to is given more than %d times", MAP_POINTS_MAX);
        return false;
    }
    request->points[request->point_count++] = (tr_vec2){(float)numbers[0], (float)numbers[1]};
    return true;
}

static bool read_option(map_request *request, int option, const char *value) {
    switch (option) {
    case OPTION_PIXELS:
        return arguments_integer("--pixels", value, 1, TR_MAP_CELL_PIXELS_MAX, &request->pixels);
    case OPTION_TO:
        return read_point(request, value);
    case OPTION_PNG:
        request->png = value;
        return true;
    case OPTION_CLEARANCE:
        return request->clearance = true;
    case OPTION_HEIGHTS:
        return request->heights = true;
    case OPTION_ASCII:
        return request->ascii = true;
    case OPTION_JSON:
        return request->json = true;
    case ARGUMENT_HELP:
        return request->help = true;
    case ARGUMENT_PLAIN:
        command_complain("map takes no argument \"%s\"; name the scene with --scene or --sample", value);
        return false;
    }
    return option >= 0 && scene_options_read(&request->scene, option, value);
}

static bool check_request(const map_request *request) {
    if (!scene_options_check(&request->scene, "map"))
        return false;
    if (request->ascii && request->json)
        command_complain(
            "--ascii and --json cannot both be given: --json prints one document and nothing else");
    else if (request->pixels && !request->png)
        command_complain("--pixels requires --png");
    else
        return true;
    return false;
}

// Times the two halves of a build separately: projecting the triangles and growing the cells.
static tr_status measure_parts(const scene_job *job, map_result *result, tr_error *error) {
    const tr_grid *grid = &job->def.grid;
    double radius = (double)job->def.radius / (double)grid->cell;
    tr_bitmap occupied = {0}, blocked = {0};
    size_t words = tr_occupancy_grow_scratch(grid->columns, radius);
    tr_allocator allocator = tr_allocator_default();
    uint64_t *scratch = tr_allocate(&allocator, words, sizeof *scratch);
    tr_status status = tr_bitmap_create(NULL, grid->columns, grid->rows, &occupied);
    if (status == TR_OK)
        status = tr_bitmap_create(NULL, grid->columns, grid->rows, &blocked);
    if (status != TR_OK || !scratch)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a map of %u x %u cells", grid->columns,
                         grid->rows);
    if (status == TR_OK) {
        tr_raster_request request = {.scene = job->sample.scene,
                                     .grid = *grid,
                                     .band = job->def.band,
                                     .region = tr_grid_all(grid),
                                     .occupied = &occupied};
        uint64_t start = tr_clock_nanoseconds();
        status = tr_raster_draw(job->raster, &request, error);
        result->project_us = microseconds_since(start);
    }
    if (status == TR_OK) {
        uint64_t start = tr_clock_nanoseconds();
        status = tr_occupancy_grow(&occupied, &blocked, job->def.growth, radius, tr_grid_all(grid), scratch,
                                   words);
        result->grow_us = microseconds_since(start);
        if (status != TR_OK)
            tr_fail(error, status, "a radius of %g m cannot be grown on cells of %g m",
                    (double)job->def.radius, (double)grid->cell);
    }
    tr_bitmap_destroy(NULL, &occupied);
    tr_bitmap_destroy(NULL, &blocked);
    tr_release(&allocator, scratch, words, sizeof *scratch);
    return status;
}

static tr_status build(scene_job *job, map_result *result, tr_error *error) {
    uint64_t start = tr_clock_nanoseconds();
    tr_status status = scene_job_build(job, error);
    result->prepare_us = microseconds_since(start);
    if (status == TR_OK)
        status = measure_parts(job, result, error);
    start = tr_clock_nanoseconds();
    if (status == TR_OK)
        status = tr_occupancy_build(job->occupancy, job->raster, job->sample.scene, error);
    result->build_us = microseconds_since(start);
    return status;
}

static void fill_result(const map_request *request, const scene_job *job, map_result *result) {
    result->scene_name = scene_options_name(&request->scene);
    result->triangles = tr_scene_triangle_count(job->sample.scene);
    result->objects = tr_scene_object_count(job->sample.scene);
    result->band = job->def.band;
    result->radius = job->def.radius;
    result->growth = job->def.growth;
    result->backend = tr_raster_name(job->raster);
    result->occupancy = job->occupancy;
    result->cells = (uint64_t)job->def.grid.columns * job->def.grid.rows;
    result->occupied = tr_bitmap_count(tr_occupancy_occupied(job->occupancy));
    result->blocked = tr_bitmap_count(tr_occupancy_blocked(job->occupancy));
}

// "map.png" becomes "map-heights.png".
static void name_height_picture(const char *path, char *name, size_t size) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    snprintf(name, size, "%.*s-heights%s", stem, path, path + stem);
}

static tr_status draw(const map_request *request, const scene_job *job, map_result *result,
                      char *height_picture, size_t size, tr_error *error) {
    if (!request->png)
        return TR_OK;
    char title[160];
    snprintf(title, sizeof title, "%.100s, %llu triangles", result->scene_name,
             (unsigned long long)result->triangles);
    uint32_t pixels = scene_pixels_per_cell(request->pixels, &job->def.grid);
    tr_picture picture;
    tr_status status =
        result->distance.plane
            ? map_distance_draw(&result->distance, job->occupancy, pixels, title, &picture, error)
            : tr_picture_draw_occupancy(NULL, job->occupancy, pixels, title, &picture, NULL, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_write_png(&picture, request->png, error);
    tr_picture_destroy(&picture);
    result->picture = request->png;
    if (status != TR_OK || !request->heights)
        return status;
    status = tr_picture_draw_heights(NULL, job->occupancy, pixels, title, &picture, error);
    if (status != TR_OK)
        return status;
    name_height_picture(request->png, height_picture, size);
    status = tr_picture_write_png(&picture, height_picture, error);
    tr_picture_destroy(&picture);
    result->height_picture = height_picture;
    return status;
}

static tr_status print(const map_request *request, const map_result *result, tr_error *error) {
    if (request->json)
        return map_print_json(result, error);
    if (request->ascii)
        map_print_ascii(result);
    else
        map_print_table(result);
    return TR_OK;
}

static tr_status run(const map_request *request, scene_job *job, tr_error *error) {
    map_result result = {.picture = NULL};
    char height_picture[4096]; // as long as a path may be
    progress_bar bar = progress_begin("troupe map", 4);
    tr_status status = scene_job_load(&request->scene, job, error);
    progress_step(&bar, 1);
    // A picture is shaded by clearance, so the map keeps it for a picture even without --clearance.
    if (status == TR_OK)
        status = scene_job_define(&request->scene, request->clearance || request->png, request->heights, job,
                                  error);
    progress_step(&bar, 2);
    if (status == TR_OK)
        status = build(job, &result, error);
    progress_step(&bar, 3);
    if (status == TR_OK) {
        fill_result(request, job, &result);
        if (request->point_count)
            status = map_distance_make(job->occupancy, request->points, request->point_count,
                                       &result.distance, error);
    }
    if (status == TR_OK)
        status = draw(request, job, &result, height_picture, sizeof height_picture, error);
    progress_end(&bar);
    if (status == TR_OK) {
        scene_job_hint_at_ground(&request->scene, job);
        status = print(request, &result, error);
    }
    map_distance_destroy(&result.distance);
    return status;
}

int command_map(int count, char **arguments) {
    map_request request = {.scene = scene_options_default()};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe map (--scene FILE | --sample NAME) [OPTIONS]", options, OPTION_COUNT,
            "The ground is level: the body steps over objects up to CLIMB. SLOPE is accepted and only\n"
            "affects planners on uneven ground.");
        return COMMAND_DONE;
    }
    if (!check_request(&request))
        return COMMAND_BAD;
    scene_job job = {.raster = NULL};
    tr_error error = {0};
    tr_status status = run(&request, &job, &error);
    scene_job_destroy(&job);
    return status == TR_OK ? COMMAND_DONE : command_complain_of(&error);
}
