#include "scene_options.h"
#include "commands.h"
#include "troupe/base/clock.h"
#include "troupe/io/scene_file.h"

#include <stdio.h>

#define CELLS_DEFAULT 200
#define PICTURE_PIXELS 900 // on the longer side of the map, approximately

scene_options scene_options_default(void) {
    scene_options options = {.body = {1.8, 0.3, 0.05, 45}};
    return options;
}

static bool read_body(scene_options *options, const char *value) {
    const double *body = options->body;
    options->has_body = true;
    if (!arguments_list("--body", value, 2, 4, options->body, &options->body_count))
        return false;
    if (body[0] > 0 && body[1] >= 0 && body[2] >= 0 && body[2] <= body[0] && body[3] >= 0 && body[3] < 90)
        return true;
    command_complain(
        "--body is %s: the height must be above 0, the radius at least 0, the climb 0 to the height, "
        "the slope 0 to below 90 degrees",
        value);
    return false;
}

static bool read_band(scene_options *options, const char *value) {
    uint32_t count;
    if (!arguments_list("--band", value, 2, 2, options->band, &count))
        return false;
    if (options->band[0] > options->band[1]) {
        command_complain("--band is %s: the low height must not be above the high one", value);
        return false;
    }
    options->has_band = true;
    return true;
}

static bool read_area(scene_options *options, const char *value) {
    uint32_t count;
    if (!arguments_list("--area", value, 4, 4, options->area, &count))
        return false;
    const double *area = options->area, most = (double)TR_SCENE_EXTENT_MAX;
    bool fine = area[0] < area[2] && area[1] < area[3];
    for (int i = 0; i < 4; i++)
        fine = fine && area[i] >= -most && area[i] <= most;
    if (!fine)
        command_complain("--area is %s: x0 must be below x1 and z0 below z1, all within %g m of 0", value,
                         most);
    return options->has_area = fine;
}

bool sample_option_read(tr_sample_def *sample, int option, const char *value) {
    uint64_t count;
    double metres;
    switch (option) {
    case SCENE_OPTION_TRIANGLES:
        if (!arguments_integer("--triangles", value, 1, UINT32_MAX, &count))
            return false;
        sample->triangles = (uint32_t)count;
        return true;
    case SCENE_OPTION_SEED:
        return arguments_integer("--seed", value, 0, UINT64_MAX, &sample->seed);
    case SCENE_OPTION_WIDTH:
        if (!arguments_number("--width", value, 0.01, 1e4, &metres))
            return false;
        sample->width = (float)metres;
        return true;
    case SCENE_OPTION_LENGTH:
        if (!arguments_number("--length", value, 0.01, 1e4, &metres))
            return false;
        sample->length = (float)metres;
        return true;
    case SCENE_OPTION_PEOPLE:
        if (!arguments_integer("--people", value, 1, UINT32_MAX, &count))
            return false;
        sample->people = (uint32_t)count;
        return true;
    }
    return false;
}

bool scene_options_read(scene_options *options, int option, const char *value) {
    static const char *const ups[] = {"y", "z"}, *const growths[] = {"safe", "centres"},
                             *const backends[] = {"soft", "gl"};
    options->given |= 1u << option;
    switch (option) {
    case SCENE_OPTION_SCENE:
        options->path = value;
        return true;
    case SCENE_OPTION_SAMPLE:
        options->sample.name = value;
        return true;
    case SCENE_OPTION_TRIANGLES:
    case SCENE_OPTION_SEED:
    case SCENE_OPTION_WIDTH:
    case SCENE_OPTION_LENGTH:
    case SCENE_OPTION_PEOPLE:
        return sample_option_read(&options->sample, option, value);
    case SCENE_OPTION_CELL:
        return arguments_number("--cell", value, 1e-4, 1e4, &options->cell);
    case SCENE_OPTION_CELLS:
        return arguments_integer("--cells", value, 1, TR_GRID_SIDE_MAX, &options->cells);
    case SCENE_OPTION_AREA:
        return read_area(options, value);
    case SCENE_OPTION_BAND:
        return read_band(options, value);
    case SCENE_OPTION_BODY:
        return read_body(options, value);
    case SCENE_OPTION_GROUND:
        options->has_ground = true;
        return arguments_number("--ground", value, -1e6, 1e6, &options->ground);
    case SCENE_OPTION_GROWTH:
        return arguments_word("--growth", value, growths, 2, &options->growth);
    case SCENE_OPTION_UP:
        options->has_up = true;
        return arguments_word("--up", value, ups, 2, &options->up);
    case SCENE_OPTION_UNIT:
        return arguments_number("--unit", value, 1e-6, 1e6, &options->unit);
    case SCENE_OPTION_BACKEND:
        return arguments_word("--backend", value, backends, 2, &options->backend);
    }
    return false;
}

bool scene_options_check(const scene_options *options, const char *command) {
    if (!options->path == !options->sample.name)
        command_complain("%s needs either --scene FILE or --sample NAME", command);
    else if (options->cell > 0 && options->cells > 0)
        command_complain("--cell and --cells cannot both be given");
    else if (options->path && (options->sample.triangles || options->sample.seed))
        command_complain("--triangles and --seed require --sample");
    else if (options->path &&
             (options->sample.width > 0 || options->sample.length > 0 || options->sample.people))
        command_complain("--width, --length and --people require --sample");
    else if (options->sample.name && (options->has_up || options->unit > 0))
        command_complain("--up and --unit require --scene");
    else
        return true;
    return false;
}

static void print_note(void *user, const char *sentence) {
    fprintf(stderr, "troupe: %s: note: %s\n", *(const char *const *)user, sentence);
}

tr_status scene_job_load(const scene_options *options, scene_job *job, tr_error *error) {
    if (options->sample.name)
        return tr_sample_make(&options->sample, &job->sample, error);
    tr_status status = tr_scene_create(NULL, &job->sample.scene);
    if (status != TR_OK)
        return tr_fail(error, status, "no memory for the scene");
    tr_scene_read_options read = tr_scene_read_options_default();
    const char *path = options->path;
    read.note = print_note;
    read.note_user = &path;
    if (options->has_up)
        read.up = options->up == 0 ? TR_UP_Y : TR_UP_Z;
    if (options->unit > 0)
        read.metres_per_unit = (float)options->unit;
    status = tr_scene_file_read(path, &read, job->sample.scene, error);
    job->sample.ground = tr_scene_bounds(job->sample.scene);
    if (status == TR_OK && tr_box_is_empty(job->sample.ground))
        return tr_fail(error, TR_BAD_FILE, "%s has no triangles", path);
    return status;
}

tr_status scene_job_create_raster(const scene_options *options, scene_job *job, tr_error *error) {
    tr_raster_def def = {.backend = options->backend == 0 ? TR_RASTER_SOFT : TR_RASTER_GL};
    tr_status status = tr_raster_create(&def, &job->raster, error);
    return scene_job_falls_back(options, status) ? scene_job_take_soft(job, error) : status;
}

bool scene_job_falls_back(const scene_options *options, tr_status status) {
    return status == TR_UNAVAILABLE && options->backend != 0;
}

tr_status scene_job_take_soft(scene_job *job, tr_error *error) {
    fprintf(stderr, "troupe: gl: %s; drawing with soft\n", error->message);
    tr_raster_def def = {.backend = TR_RASTER_SOFT};
    tr_raster_destroy(job->raster);
    job->raster = NULL;
    return tr_raster_create(&def, &job->raster, error);
}

double scene_options_ground(const scene_options *options, const scene_job *job) {
    return options->has_ground    ? options->ground
           : options->sample.name ? (double)job->sample.ground.min.y
                                  : 0;
}

tr_status scene_job_define(const scene_options *options, bool keep_clearance, bool keep_heights,
                           scene_job *job, tr_error *error) {
    double ground = scene_options_ground(options, job);
    tr_occupancy_def def = tr_occupancy_def_default((float)ground);
    def.band.low = (float)(ground + (options->has_band ? options->band[0] : options->body[2]));
    def.band.high = (float)(ground + (options->has_band ? options->band[1] : options->body[0]));
    def.radius = (float)options->body[1];
    def.growth = options->growth == 0 ? TR_GROWTH_SAFE : TR_GROWTH_CENTRES;
    def.keep_heights = keep_heights;
    def.keep_clearance = keep_clearance;
    tr_box covered = job->sample.ground;
    if (options->has_area) {
        covered.min.x = (float)options->area[0], covered.min.z = (float)options->area[1];
        covered.max.x = (float)options->area[2], covered.max.z = (float)options->area[3];
    }
    uint32_t cells = options->cells ? (uint32_t)options->cells : CELLS_DEFAULT;
    tr_status status = options->cell > 0
                           ? tr_grid_cover(covered, (float)options->cell, 0, 0, &def.grid, error)
                           : tr_grid_divide(covered, cells, &def.grid, error);
    job->def = def;
    if (status == TR_OK)
        status = scene_job_create_raster(options, job, error);
    if (status == TR_OK)
        status = tr_occupancy_create(&job->def, &job->occupancy, error);
    return status;
}

tr_status scene_job_build(scene_job *job, tr_error *error) {
    tr_status status = tr_raster_prepare(job->raster, job->sample.scene, &job->def.grid, error);
    if (status == TR_OK)
        status = tr_occupancy_build(job->occupancy, job->raster, job->sample.scene, error);
    return status;
}

void scene_job_destroy(scene_job *job) {
    tr_occupancy_destroy(job->occupancy);
    tr_raster_destroy(job->raster);
    tr_scene_destroy(job->sample.scene);
}

const char *scene_options_name(const scene_options *options) {
    return options->sample.name ? options->sample.name : options->path;
}

void scene_job_hint_at_ground(const scene_options *options, const scene_job *job) {
    uint64_t cells = (uint64_t)job->def.grid.columns * job->def.grid.rows;
    bool all_blocked = tr_bitmap_count(tr_occupancy_blocked(job->occupancy)) == cells;
    bool nothing = tr_bitmap_count(tr_occupancy_occupied(job->occupancy)) == 0;
    if ((!all_blocked && !nothing) || options->has_ground)
        return;
    tr_box bounds = tr_scene_bounds(job->sample.scene);
    fprintf(
        stderr,
        "troupe: note: %s. The scene reaches from %g m to %g m; set the height of its floor with --ground\n",
        all_blocked ? "no cell is free" : "no cell is occupied", (double)bounds.min.y, (double)bounds.max.y);
}

double microseconds_since(uint64_t start_nanoseconds) {
    return (double)(tr_clock_nanoseconds() - start_nanoseconds) / 1000;
}

uint32_t scene_pixels_per_cell(uint64_t wish, const tr_grid *grid) {
    uint32_t side = grid->columns > grid->rows ? grid->columns : grid->rows;
    uint32_t pixels = (PICTURE_PIXELS + side / 2) / side;
    if (wish)
        return (uint32_t)wish;
    return pixels < 1 ? 1 : pixels > 24 ? 24 : pixels;
}
