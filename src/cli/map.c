// troupe map: project a scene into a footprint, measure it, draw it.
#include "cli/map.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "troupe/base/clock.h"
#include "troupe/io/picture.h"
#include "troupe/io/scene_file.h"
#include "troupe/world/sample.h"

#include <stdio.h>
#include <string.h>

#define CELLS_DEFAULT 200
#define PICTURE_PIXELS 900 // on the longer side of the map, about, unless --pixels says otherwise

enum {
    OPTION_SCENE,
    OPTION_SAMPLE,
    OPTION_TRIANGLES,
    OPTION_SEED,
    OPTION_CELL,
    OPTION_CELLS,
    OPTION_AREA,
    OPTION_BAND,
    OPTION_BODY,
    OPTION_GROUND,
    OPTION_GROWTH,
    OPTION_UP,
    OPTION_UNIT,
    OPTION_BACKEND,
    OPTION_CLEARANCE,
    OPTION_HEIGHTS,
    OPTION_PNG,
    OPTION_PIXELS,
    OPTION_ASCII,
    OPTION_JSON,
    OPTION_COUNT
};
static const argument_option options[OPTION_COUNT] = {
    [OPTION_SCENE] = {"--scene", 0, "FILE", "the scene: OBJ, glTF, GLB, or what assimp reads"},
    [OPTION_SAMPLE] = {"--sample", 0, "NAME", "or a sample scene (see troupe gen --list)"},
    [OPTION_TRIANGLES] = {"--triangles", 0, "N", "of the sample"},
    [OPTION_SEED] = {"--seed", 0, "N", "of the sample"},
    [OPTION_CELL] = {"--cell", 0, "M", "side of a cell [m]"},
    [OPTION_CELLS] = {"--cells", 0, "N", "or cells on the longer side (200)"},
    [OPTION_AREA] = {"--area", 0, "X0,Z0,X1,Z1", "only this part of the ground [m] (all of the scene)"},
    [OPTION_BAND] = {"--band", 0, "LOW,HIGH", "heights that are in the way, above the ground [m] (0.05,1.8)"},
    [OPTION_BODY] = {"--body", 0, "HEIGHT,RADIUS[,CLIMB,SLOPE]", "the body [m, degrees] (1.8,0.3,0.05,45)"},
    [OPTION_GROUND] = {"--ground", 0, "Y", "height of the floor [m] (0)"},
    [OPTION_GROWTH] = {"--growth", 0, "safe|centres", "how occupied cells are grown by the radius (safe)"},
    [OPTION_UP] = {"--up", 0, "y|z", "which way is up in the file (what its format says)"},
    [OPTION_UNIT] = {"--unit", 0, "M", "metres in a unit of the file (1)"},
    [OPTION_BACKEND] = {"--backend", 0, "soft|gl", "what draws the triangles (soft)"},
    [OPTION_CLEARANCE] = {"--clearance", 0, NULL, "also the distance to the nearest occupied cell"},
    [OPTION_HEIGHTS] = {"--heights", 0, NULL, "also the floor and the overhang of each cell"},
    [OPTION_PNG] = {"--png", 0, "FILE", "draw the map; with --heights also FILE-heights.png"},
    [OPTION_PIXELS] = {"--pixels", 0, "N", "of each cell in the picture (about 900 in all)"},
    [OPTION_ASCII] = {"--ascii", 0, NULL, "print the map: # occupied, + too near, . free"},
    [OPTION_JSON] = {"--json", 0, NULL, "print one JSON document and nothing else"},
};

typedef struct map_request {
    const char *scene_path;
    tr_sample_def sample;
    double cell, ground, unit, area[4];
    uint64_t cells, pixels;
    double band[2], body[4];
    uint32_t growth, up, backend;
    bool has_ground, has_band, has_up, has_area, clearance, heights, ascii, json, help;
    const char *png;
} map_request;

// All that is made on the way, to be given back at the end.
typedef struct map_job {
    tr_sample sample; // a file's scene has its bounds as the ground
    tr_raster *raster;
    tr_footprint *footprint;
    tr_footprint_def def;
    char height_picture[4096]; // as long as a path may be
} map_job;

static bool read_body(map_request *request, const char *value) {
    uint32_t count;
    if (!arguments_list("--body", value, 2, 4, request->body, &count))
        return false;
    if (!(request->body[0] > 0) || request->body[1] < 0 || request->body[2] < 0 ||
        request->body[2] > request->body[0] || request->body[3] < 0 || request->body[3] >= 90) {
        command_complain(
            "--body is %s: the height must be above 0, the radius at least 0, the climb 0 to the height, "
            "the slope 0 to below 90 degrees",
            value);
        return false;
    }
    return true;
}

static bool read_band(map_request *request, const char *value) {
    uint32_t count;
    if (!arguments_list("--band", value, 2, 2, request->band, &count))
        return false;
    if (request->band[0] > request->band[1]) {
        command_complain("--band is %s: the low height must not be above the high one", value);
        return false;
    }
    request->has_band = true;
    return true;
}

static bool read_area(map_request *request, const char *value) {
    uint32_t count;
    if (!arguments_list("--area", value, 4, 4, request->area, &count))
        return false;
    const double *area = request->area, most = (double)TR_SCENE_EXTENT_MAX;
    bool fine = area[0] < area[2] && area[1] < area[3];
    for (int i = 0; i < 4; i++)
        fine = fine && area[i] >= -most && area[i] <= most;
    if (!fine)
        command_complain("--area is %s: x0 must be below x1 and z0 below z1, all within %g m of 0", value,
                         most);
    return request->has_area = fine;
}

static bool read_count(const char *option, const char *value, uint64_t least, uint64_t most,
                       uint32_t *count) {
    uint64_t number;
    if (!arguments_integer(option, value, least, most, &number))
        return false;
    *count = (uint32_t)number;
    return true;
}

static bool read_scene_option(map_request *request, int option, const char *value) {
    static const char *const ups[] = {"y", "z"};
    switch (option) {
    case OPTION_SCENE:
        request->scene_path = value;
        return true;
    case OPTION_SAMPLE:
        request->sample.name = value;
        return true;
    case OPTION_TRIANGLES:
        return read_count("--triangles", value, 1, UINT32_MAX, &request->sample.triangles);
    case OPTION_SEED:
        return arguments_integer("--seed", value, 0, UINT64_MAX, &request->sample.seed);
    case OPTION_UP:
        request->has_up = true;
        return arguments_word("--up", value, ups, 2, &request->up);
    case OPTION_UNIT:
        return arguments_number("--unit", value, 1e-6, 1e6, &request->unit);
    case ARGUMENT_HELP:
        request->help = true;
        return true;
    case ARGUMENT_PLAIN:
        command_complain("map takes no \"%s\"; the scene is named by --scene or --sample", value);
        return false;
    }
    return false;
}

static bool read_option(map_request *request, int option, const char *value) {
    static const char *const growths[] = {"safe", "centres"}, *const backends[] = {"soft", "gl"};
    switch (option) {
    case OPTION_CELL:
        return arguments_number("--cell", value, 1e-4, 1e4, &request->cell);
    case OPTION_CELLS:
        return arguments_integer("--cells", value, 1, TR_GRID_SIDE_MAX, &request->cells);
    case OPTION_AREA:
        return read_area(request, value);
    case OPTION_BAND:
        return read_band(request, value);
    case OPTION_BODY:
        return read_body(request, value);
    case OPTION_GROUND:
        request->has_ground = true;
        return arguments_number("--ground", value, -1e6, 1e6, &request->ground);
    case OPTION_GROWTH:
        return arguments_word("--growth", value, growths, 2, &request->growth);
    case OPTION_BACKEND:
        return arguments_word("--backend", value, backends, 2, &request->backend);
    case OPTION_PIXELS:
        return arguments_integer("--pixels", value, 1, TR_MAP_CELL_PIXELS_MAX, &request->pixels);
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
    }
    return read_scene_option(request, option, value);
}

static bool check_request(const map_request *request) {
    if (!request->scene_path == !request->sample.name)
        command_complain("map needs either --scene FILE or --sample NAME");
    else if (request->cell > 0 && request->cells > 0)
        command_complain("--cell and --cells cannot both be given");
    else if (request->ascii && request->json)
        command_complain(
            "--ascii and --json cannot both be given: --json prints one document and nothing else");
    else if (request->scene_path && (request->sample.triangles || request->sample.seed))
        command_complain("--triangles and --seed belong to --sample");
    else if (request->sample.name && (request->has_up || request->unit > 0))
        command_complain("--up and --unit belong to --scene");
    else if (request->pixels && !request->png)
        command_complain("--pixels belongs to --png");
    else
        return true;
    return false;
}

static void print_note(void *user, const char *sentence) {
    fprintf(stderr, "troupe: %s: note: %s\n", *(const char *const *)user, sentence);
}

static tr_status load_scene(const map_request *request, map_job *job, tr_error *error) {
    if (request->sample.name)
        return tr_sample_make(&request->sample, &job->sample, error);
    tr_status status = tr_scene_create(NULL, &job->sample.scene);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for the scene");
    tr_scene_read_options read = tr_scene_read_options_default();
    const char *path = request->scene_path;
    read.note = print_note;
    read.note_user = &path;
    if (request->has_up)
        read.up = request->up == 0 ? TR_UP_Y : TR_UP_Z;
    if (request->unit > 0)
        read.metres_per_unit = (float)request->unit;
    status = tr_scene_file_read(path, &read, job->sample.scene, error);
    job->sample.ground = tr_scene_bounds(job->sample.scene);
    if (status == TR_OK && tr_box_is_empty(job->sample.ground))
        return tr_fail(error, TR_BAD_FILE, "%s holds no triangles", path);
    return status;
}

static tr_status define(const map_request *request, map_job *job, tr_error *error) {
    double ground = request->has_ground    ? request->ground
                    : request->sample.name ? (double)job->sample.ground.min.y
                                           : 0;
    tr_footprint_def def = tr_footprint_def_default((float)ground);
    def.band.low = (float)(ground + (request->has_band ? request->band[0] : request->body[2]));
    def.band.high = (float)(ground + (request->has_band ? request->band[1] : request->body[0]));
    def.radius = (float)request->body[1];
    def.growth = request->growth == 0 ? TR_GROWTH_SAFE : TR_GROWTH_CENTRES;
    def.keep_heights = request->heights;
    // A picture is shaded by clearance, so it is kept for one even when nobody asked for the numbers.
    def.keep_clearance = request->clearance || request->png;
    tr_box covered = job->sample.ground;
    if (request->has_area) {
        covered.min.x = (float)request->area[0], covered.min.z = (float)request->area[1];
        covered.max.x = (float)request->area[2], covered.max.z = (float)request->area[3];
    }
    tr_status status =
        request->cell > 0 ? tr_grid_cover(covered, (float)request->cell, 0, 0, &def.grid, error)
                          : tr_grid_divide(covered, request->cells ? (uint32_t)request->cells : CELLS_DEFAULT,
                                           &def.grid, error);
    job->def = def;
    return status;
}

// Falls back to `soft`, and says so, where the machine has no OpenGL.
static tr_status create_raster(const map_request *request, map_job *job, tr_error *error) {
    tr_raster_def def = {.backend = request->backend == 0 ? TR_RASTER_SOFT : TR_RASTER_GL};
    tr_status status = tr_raster_create(&def, &job->raster, error);
    if (status == TR_UNAVAILABLE && def.backend == TR_RASTER_GL) {
        fprintf(stderr, "troupe: gl: %s; drawing with soft\n", error->message);
        def.backend = TR_RASTER_SOFT;
        status = tr_raster_create(&def, &job->raster, error);
    }
    return status;
}

static double microseconds_since(uint64_t start) {
    return (double)(tr_clock_nanoseconds() - start) / 1000;
}

// The two halves of a build, each on its own: project the triangles, grow the cells.
static tr_status measure_parts(const map_job *job, map_result *result, tr_error *error) {
    const tr_grid *grid = &job->def.grid;
    double radius = (double)job->def.radius / (double)grid->cell;
    tr_bitmap occupied = {0}, blocked = {0};
    size_t words = tr_footprint_grow_scratch(grid->columns, radius);
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
        status = tr_footprint_grow(&occupied, &blocked, job->def.growth, radius, tr_grid_all(grid), scratch,
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

static tr_status build(map_job *job, map_result *result, tr_error *error) {
    tr_status status = tr_footprint_create(&job->def, &job->footprint, error);
    if (status != TR_OK)
        return status;
    uint64_t start = tr_clock_nanoseconds();
    status = tr_raster_prepare(job->raster, job->sample.scene, &job->def.grid, error);
    if (status == TR_OK) // once untimed: memory is touched and the processor wakes up
        status = tr_footprint_build(job->footprint, job->raster, job->sample.scene, error);
    result->prepare_us = microseconds_since(start);
    if (status == TR_OK)
        status = measure_parts(job, result, error);
    start = tr_clock_nanoseconds();
    if (status == TR_OK)
        status = tr_footprint_build(job->footprint, job->raster, job->sample.scene, error);
    result->build_us = microseconds_since(start);
    return status;
}

static void fill_result(const map_request *request, const map_job *job, map_result *result) {
    result->scene_name = request->sample.name ? request->sample.name : request->scene_path;
    result->triangles = tr_scene_triangle_count(job->sample.scene);
    result->objects = tr_scene_object_count(job->sample.scene);
    result->band = job->def.band;
    result->radius = job->def.radius;
    result->growth = job->def.growth;
    result->backend = tr_raster_name(job->raster);
    result->footprint = job->footprint;
    result->cells = (uint64_t)job->def.grid.columns * job->def.grid.rows;
    result->occupied = tr_bitmap_count(tr_footprint_occupied(job->footprint));
    result->blocked = tr_bitmap_count(tr_footprint_blocked(job->footprint));
}

static uint32_t pixels_per_cell(const map_request *request, const tr_grid *grid) {
    uint32_t side = grid->columns > grid->rows ? grid->columns : grid->rows;
    uint32_t pixels = (PICTURE_PIXELS + side / 2) / side;
    if (request->pixels)
        return (uint32_t)request->pixels;
    return pixels < 1 ? 1 : pixels > 24 ? 24 : pixels;
}

// "map.png" becomes "map-heights.png".
static void name_height_picture(const char *path, char *name, size_t size) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    snprintf(name, size, "%.*s-heights%s", stem, path, path + stem);
}

static tr_status draw(const map_request *request, map_job *job, map_result *result, tr_error *error) {
    if (!request->png)
        return TR_OK;
    char title[160];
    snprintf(title, sizeof title, "%.100s, %llu triangles", result->scene_name,
             (unsigned long long)result->triangles);
    uint32_t pixels = pixels_per_cell(request, &job->def.grid);
    tr_picture picture;
    tr_status status = tr_picture_draw_footprint(NULL, job->footprint, pixels, title, &picture, NULL, error);
    if (status != TR_OK)
        return status;
    status = tr_picture_write_png(&picture, request->png, error);
    tr_picture_destroy(&picture);
    result->picture = request->png;
    if (status != TR_OK || !request->heights)
        return status;
    status = tr_picture_draw_heights(NULL, job->footprint, pixels, title, &picture, error);
    if (status != TR_OK)
        return status;
    name_height_picture(request->png, job->height_picture, sizeof job->height_picture);
    status = tr_picture_write_png(&picture, job->height_picture, error);
    tr_picture_destroy(&picture);
    result->height_picture = job->height_picture;
    return status;
}

// A floor that lies elsewhere is the commonest mistake, and a map without a free cell, or without any other,
// its sign.
static void hint_at_ground(const map_request *request, const map_job *job, const map_result *result) {
    bool all_blocked = result->blocked == result->cells, nothing = result->occupied == 0;
    if ((!all_blocked && !nothing) || request->has_ground)
        return;
    tr_box bounds = tr_scene_bounds(job->sample.scene);
    fprintf(stderr,
            "troupe: note: %s. The scene reaches from %g m to %g m; --ground says where its floor is\n",
            all_blocked ? "no cell is free" : "nothing is in the way", (double)bounds.min.y,
            (double)bounds.max.y);
}

static tr_status run(const map_request *request, map_job *job, tr_error *error) {
    map_result result = {.picture = NULL};
    progress_bar bar = progress_begin("troupe map", 4);
    tr_status status = load_scene(request, job, error);
    progress_step(&bar, 1);
    if (status == TR_OK)
        status = define(request, job, error);
    if (status == TR_OK)
        status = create_raster(request, job, error);
    progress_step(&bar, 2);
    if (status == TR_OK)
        status = build(job, &result, error);
    progress_step(&bar, 3);
    if (status == TR_OK) {
        fill_result(request, job, &result);
        status = draw(request, job, &result, error);
    }
    progress_end(&bar);
    if (status != TR_OK)
        return status;
    hint_at_ground(request, job, &result);
    if (request->json)
        return map_print_json(&result, error);
    if (request->ascii)
        map_print_ascii(&result);
    else
        map_print_table(&result);
    return TR_OK;
}

int command_map(int count, char **arguments) {
    map_request request = {.body = {1.8, 0.3, 0.05, 45}};
    argument_reader reader = arguments_begin(count, arguments, options, OPTION_COUNT);
    const char *value;
    for (int option; (option = arguments_next(&reader, &value)) != ARGUMENT_END;)
        if (!read_option(&request, option, value))
            return COMMAND_BAD;
    if (request.help) {
        arguments_print_help(
            "troupe map (--scene FILE | --sample NAME) [OPTIONS]", options, OPTION_COUNT,
            "The ground is level: climb is the height of what the body steps over, and slope is taken\n"
            "for planners on uneven ground.");
        return COMMAND_DONE;
    }
    if (!check_request(&request))
        return COMMAND_BAD;
    map_job job = {.raster = NULL};
    tr_error error = {0};
    tr_status status = run(&request, &job, &error);
    tr_footprint_destroy(job.footprint);
    tr_raster_destroy(job.raster);
    tr_scene_destroy(job.sample.scene);
    return status == TR_OK ? COMMAND_DONE : command_complain_of(&error);
}
