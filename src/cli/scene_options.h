// A scene and the occupancy map of a body in it: the options that `map` and `route` share, and their results.
#pragma once
#include "arguments.h"
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

// The first options of a command that reads a scene; its own options begin at SCENE_OPTION_COUNT.
enum {
    SCENE_OPTION_SCENE,
    SCENE_OPTION_SAMPLE,
    SCENE_OPTION_TRIANGLES,
    SCENE_OPTION_SEED,
    SCENE_OPTION_WIDTH,
    SCENE_OPTION_LENGTH,
    SCENE_OPTION_PEOPLE,
    SCENE_OPTION_CELL,
    SCENE_OPTION_CELLS,
    SCENE_OPTION_AREA,
    SCENE_OPTION_BAND,
    SCENE_OPTION_BODY,
    SCENE_OPTION_GROUND,
    SCENE_OPTION_GROWTH,
    SCENE_OPTION_UP,
    SCENE_OPTION_UNIT,
    SCENE_OPTION_BACKEND,
    SCENE_OPTION_COUNT
};
// For the command's table of options.
#define SCENE_OPTIONS(ground_default)                                                                        \
    [SCENE_OPTION_SCENE] = {"--scene", 0, "FILE", "the scene: OBJ, glTF, GLB, or a format of assimp"},       \
    [SCENE_OPTION_SAMPLE] = {"--sample", 0, "NAME", "or a sample scene (see troupe gen --list)"},            \
    [SCENE_OPTION_TRIANGLES] = {"--triangles", 0, "N", "triangles of the sample"},                           \
    [SCENE_OPTION_SEED] = {"--seed", 0, "N", "random seed of the sample"},                                   \
    [SCENE_OPTION_WIDTH] = {"--width", 0, "M",                                                               \
                            "width of the sample's corridor, door, crossing or bridge [m]"},                 \
    [SCENE_OPTION_LENGTH] = {"--length", 0, "M", "length of the sample's corridor, arms or bridge [m]"},     \
    [SCENE_OPTION_PEOPLE] = {"--people", 0, "N", "people that the sample plaza is sized for"},               \
    [SCENE_OPTION_CELL] = {"--cell", 0, "M", "side of a cell [m]"},                                          \
    [SCENE_OPTION_CELLS] = {"--cells", 0, "N", "or number of cells on the longer side (200)"},               \
    [SCENE_OPTION_AREA] = {"--area", 0, "X0,Z0,X1,Z1",                                                       \
                           "only this part of the ground [m] (all of the scene)"},                           \
    [SCENE_OPTION_BAND] = {"--band", 0, "LOW,HIGH",                                                          \
                           "heights above the ground that block the body [m] (0.05,1.8)"},                   \
    [SCENE_OPTION_BODY] = {"--body", 0, "HEIGHT,RADIUS[,CLIMB,SLOPE]",                                       \
                           "the body [m, degrees] (1.8,0.3,0.05,45)"},                                       \
    [SCENE_OPTION_GROUND] = {"--ground", 0, "Y", "height of the floor [m] (" ground_default ")"},            \
    [SCENE_OPTION_GROWTH] = {"--growth", 0, "safe|centres",                                                  \
                             "how occupied cells are grown by the radius (safe)"},                           \
    [SCENE_OPTION_UP] = {"--up", 0, "y|z", "the axis that is up in the file (given by the format)"},         \
    [SCENE_OPTION_UNIT] = {"--unit", 0, "M", "metres per unit of the file (1)"},                             \
    [SCENE_OPTION_BACKEND] = {"--backend", 0, "soft|gl", "back end that draws the triangles (soft)"}

typedef struct scene_options {
    const char *path;
    tr_sample_def sample;
    double cell, ground, unit; // cell or unit 0: not given
    uint64_t cells;            // 0: not given
    double band[2], body[4], area[4];
    uint32_t body_count; // numbers of --body that were given
    uint32_t growth, up, backend;
    bool has_ground, has_band, has_body, has_up, has_area;
    uint32_t given; // bit of each option that was given
} scene_options;

scene_options scene_options_default(void);
// Reads --triangles, --seed, --width, --length or --people of a sample; false: an error was reported.
bool sample_option_read(tr_sample_def *sample, int option, const char *value);
// Reads one option below SCENE_OPTION_COUNT; false: an error was reported.
bool scene_options_read(scene_options *options, int option, const char *value);
// Checks that the options are compatible; `command` is named in errors. false: an error was reported.
bool scene_options_check(const scene_options *options, const char *command);

// All resources of a command, freed at the end. Zero is valid.
typedef struct scene_job {
    tr_sample sample; // the ground of a scene file is its bounds
    tr_raster *raster;
    tr_occupancy *occupancy;
    tr_occupancy_def def;
} scene_job;

// Reads or creates the scene.
tr_status scene_job_load(const scene_options *options, scene_job *job, tr_error *error);
// Falls back from `gl` to `soft`, with a message, if the machine has no OpenGL.
tr_status scene_job_create_raster(const scene_options *options, scene_job *job, tr_error *error);
// `gl` may be present but unable to slice. If this status says so, the caller takes `soft` instead and
// reports the reason in `error`.
bool scene_job_falls_back(const scene_options *options, tr_status status);
tr_status scene_job_take_soft(scene_job *job, tr_error *error);
// Height of the floor that the body stands on [m].
double scene_options_ground(const scene_options *options, const scene_job *job);
// Fills the occupancy map's definition (grid, band, body) and creates the rasteriser and the map, which is
// not yet built.
tr_status scene_job_define(const scene_options *options, bool keep_clearance, bool keep_heights,
                           scene_job *job, tr_error *error);
// Prepares the rasteriser and builds the occupancy map once, which touches memory and wakes the processor.
tr_status scene_job_build(scene_job *job, tr_error *error);
void scene_job_destroy(scene_job *job);

// The sample's name, or the file's.
const char *scene_options_name(const scene_options *options);
// A wrong height of the floor is the commonest mistake. A map without a free cell, or without an occupied
// one, indicates it: print a hint.
void scene_job_hint_at_ground(const scene_options *options, const scene_job *job);

double microseconds_since(uint64_t start_nanoseconds);
// Returns `wish` if it is not 0, otherwise a size for a picture of about 900 pixels.
uint32_t scene_pixels_per_cell(uint64_t wish, const tr_grid *grid);
