// The objects on the sample "desk": the computer, the thermos, the cup and the rest.
#include "sample_desk.h"
#include "troupe/base/scalar.h"

static void plate(desk_job *job, float half_x, float half_z, float bottom, float top, float corner,
                  float bevel) {
    sample_plate plate = {half_x, half_z, bottom, top, corner, bevel};
    sample_shape_plate(job->shape, &plate, 2 * job->fine);
}

static void monitor(desk_job *job) {
    static const float foot[][2] = {{0, 0},         {0.125f, 0},     {0.13f, 0.004f}, {0.12f, 0.012f},
                                    {0.03f, 0.02f}, {0.022f, 0.05f}, {0.022f, 0.2f},  {0, 0.2f}};
    sample_shape_lathe(job->shape, (sample_profile){foot, 8, false}, 10 * job->fine, 1);
    sample_shape_move(job->shape, sample_at(0, 0.29f, -0.02f), 0);
    sample_desk_tilt(job, TR_PI / 2 - 0.08); // the screen leans back a little
    plate(job, 0.29f, 0.18f, -0.018f, 0.012f, 0.014f, 0.004f);
    plate(job, 0.275f, 0.165f, -0.02f, -0.012f, 0.006f, 0.001f);
    plate(job, 0.14f, 0.1f, 0.006f, 0.045f, 0.03f, 0.012f);
    sample_desk_put(job, "monitor", sample_at(0.27f, DESK_TOP, 0.86f), -0.12, 0);
}

#define KEY_PITCH 0.019f

// One row of keys from `x` on; `widths` in pitches.
static void key_row(desk_job *job, const float *widths, uint32_t count, float x, float z, float height) {
    for (uint32_t i = 0; i < count; i++) {
        float half = widths[i] * KEY_PITCH / 2;
        sample_key key = {half - 0.0007f, KEY_PITCH / 2 - 0.0007f, 0.009f, 0.002f, 0.001f};
        sample_shape_move(job->shape, sample_at(x - half, height, z), 0);
        sample_shape_key(job->shape, &key, job->fine);
        x -= 2 * half;
    }
}

static void keyboard(desk_job *job) {
    static const float plain[15] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const float digits[14] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    static const float upper[14] = {1.5f, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5f};
    static const float home[13] = {1.75f, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2.25f};
    static const float lower[12] = {2.25f, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2.75f};
    static const float thumbs[8] = {1.25f, 1.25f, 1.25f, 6.25f, 1.25f, 1.25f, 1.25f, 1.25f};
    const float left = 0.205f;
    plate(job, 0.22f, 0.068f, 0.002f, 0.016f, 0.012f, 0.004f);
    key_row(job, plain, 15, left, 0.05f, 0.016f);
    key_row(job, digits, 14, left, 0.027f, 0.0155f);
    key_row(job, upper, 14, left, 0.027f - KEY_PITCH, 0.015f);
    key_row(job, home, 13, left, 0.027f - 2 * KEY_PITCH, 0.015f);
    key_row(job, lower, 12, left, 0.027f - 3 * KEY_PITCH, 0.015f);
    key_row(job, thumbs, 8, left, 0.027f - 4 * KEY_PITCH, 0.015f);
    for (uint32_t row = 0; row < 3; row++) // the block beside them, and the arrows
        key_row(job, plain, 3, -0.145f, row ? 0.046f - (float)row * KEY_PITCH : 0.05f, 0.0155f);
    key_row(job, plain, 1, -0.145f - KEY_PITCH, 0.027f - 3 * KEY_PITCH, 0.015f);
    key_row(job, plain, 3, -0.145f, 0.027f - 4 * KEY_PITCH, 0.015f);
    sample_desk_put(job, "keyboard", sample_at(0.30f, DESK_TOP, 0.47f), 0.05, 0);
}

static void mouse(desk_job *job) {
    static const float profile[][2] = {{0, 0},         {0.9f, 0},     {0.98f, 0.15f}, {1, 0.3f},
                                       {0.93f, 0.62f}, {0.7f, 0.86f}, {0.35f, 0.98f}, {0, 1}};
    plate(job, 0.1f, 0.085f, 0, 0.003f, 0.01f, 0.001f);
    sample_desk_put(job, "mouse mat", sample_at(-0.16f, DESK_TOP, 0.47f), 0, 0);
    float x = sample_desk_random(job, -0.01f, 0.01f), turn = sample_desk_random(job, -0.3f, 0.3f);
    tr_affine flat = {{{0.031f, 0, 0, 0}, {0, 0.036f, 0, 0}, {0, 0, 0.055f, 0}}};
    job->shape->frame = flat;
    sample_shape_lathe(job->shape, (sample_profile){profile, 8, true}, 8 * job->fine, job->fine);
    sample_shape_home(job->shape);
    tr_vec3 wheel[2] = {sample_at(-0.004f, 0.031f, 0.026f), sample_at(0.004f, 0.031f, 0.026f)};
    sample_shape_rod(job->shape, wheel, 2, 0.008f, 5 * job->fine, 1);
    sample_desk_put(job, "mouse", sample_at(-0.16f + x, DESK_TOP + 0.003f, 0.46f), (double)turn, 0);
}

void sample_desk_computer(desk_job *job) {
    monitor(job);
    keyboard(job);
    mouse(job);
    tr_vec3 cable[] = {sample_at(0.3f, 0.008f, 0.53f),  sample_at(0.33f, 0.005f, 0.6f),
                       sample_at(0.41f, 0.005f, 0.66f), sample_at(0.44f, 0.005f, 0.78f),
                       sample_at(0.36f, 0.005f, 0.94f), sample_at(0.41f, 0.005f, 1.08f)};
    sample_shape_rod(job->shape, cable, 6, 0.004f, 4 * job->fine, 4 * job->fine);
    sample_desk_put(job, "cable", sample_at(0, DESK_TOP, 0), 0, 0);
    plate(job, 0.1f, 0.22f, 0, 0.42f, 0.02f, 0.008f);
    for (int slot = 0; slot < 6; slot++)
        sample_shape_box(job->shape, sample_at(-0.07f, 0.3f - 0.02f * (float)slot, -0.224f),
                         sample_at(0.07f, 0.308f - 0.02f * (float)slot, -0.219f));
    sample_desk_put(job, "computer", sample_at(0.45f, 0, 0.8f), 0.1, 0);
}

static void thermos(desk_job *job) {
    static const float body[][2] = {{0, 0},           {0.036f, 0},      {0.04f, 0.003f},  {0.042f, 0.012f},
                                    {0.042f, 0.08f},  {0.042f, 0.15f},  {0.0415f, 0.2f},  {0.038f, 0.218f},
                                    {0.034f, 0.226f}, {0.034f, 0.232f}, {0.036f, 0.236f}, {0.0365f, 0.262f},
                                    {0.034f, 0.276f}, {0.022f, 0.283f}, {0, 0.284f}};
    sample_shape_lathe(job->shape, (sample_profile){body, 15, true}, 12 * job->fine, job->fine);
    tr_vec3 loop[] = {sample_at(-0.012f, 0.278f, 0.02f), sample_at(-0.015f, 0.292f, 0.016f),
                      sample_at(-0.015f, 0.3f, 0), sample_at(-0.015f, 0.292f, -0.016f),
                      sample_at(-0.012f, 0.278f, -0.02f)};
    sample_shape_rod(job->shape, loop, 5, 0.003f, 4 * job->fine, 2 * job->fine);
    tr_sample_desk places = tr_sample_desk_places();
    sample_desk_put(job, "thermos", sample_at(places.thermos.x, DESK_TOP, places.thermos.z), 0.4, 0);
}

static void teacup(desk_job *job) {
    static const float saucer[][2] = {{0, 0.002f},      {0.03f, 0.001f},  {0.034f, 0.001f},
                                      {0.055f, 0.009f}, {0.07f, 0.016f},  {0.0715f, 0.0175f},
                                      {0.07f, 0.0185f}, {0.054f, 0.013f}, {0.034f, 0.006f},
                                      {0.02f, 0.006f},  {0, 0.006f}};
    static const float cup[][2] = {{0, 0.007f},        {0.018f, 0.007f}, {0.021f, 0.009f}, {0.022f, 0.012f},
                                   {0.03f, 0.022f},    {0.037f, 0.038f}, {0.04f, 0.055f},  {0.042f, 0.07f},
                                   {0.0415f, 0.0715f}, {0.0405f, 0.07f}, {0.038f, 0.055f}, {0.035f, 0.038f},
                                   {0.027f, 0.023f},   {0.012f, 0.016f}, {0, 0.015f}};
    tr_sample_desk places = tr_sample_desk_places();
    sample_shape_lathe(job->shape, (sample_profile){saucer, 11, true}, 12 * job->fine, job->fine);
    sample_desk_put(job, "saucer", sample_at(places.teacup.x, DESK_TOP, places.teacup.z), 0, 0);
    sample_shape_lathe(job->shape, (sample_profile){cup, 15, true}, 12 * job->fine, job->fine);
    tr_vec3 handle[] = {sample_at(0, 0.06f, 0.0398f), sample_at(0, 0.064f, 0.052f),
                        sample_at(0, 0.056f, 0.063f), sample_at(0, 0.042f, 0.064f),
                        sample_at(0, 0.031f, 0.054f), sample_at(0, 0.028f, 0.0325f)};
    sample_shape_rod(job->shape, handle, 6, 0.004f, 5 * job->fine, 2 * job->fine);
    sample_desk_put(job, "teacup", sample_at(places.teacup.x, DESK_TOP, places.teacup.z), -2.2, 0);
}

void sample_desk_vessels(desk_job *job) {
    thermos(job);
    teacup(job);
}

static void pens(desk_job *job) {
    static const float beaker[][2] = {{0, 0},           {0.032f, 0},     {0.035f, 0.003f}, {0.037f, 0.09f},
                                      {0.036f, 0.092f}, {0.035f, 0.09f}, {0.033f, 0.006f}, {0, 0.005f}};
    static const float pen[][2] = {{0, 0},           {0.001f, 0.001f}, {0.0035f, 0.016f}, {0.004f, 0.02f},
                                   {0.004f, 0.135f}, {0.003f, 0.138f}, {0, 0.139f}};
    sample_shape_lathe(job->shape, (sample_profile){beaker, 8, false}, 8 * job->fine, 1);
    for (uint32_t i = 0; i < 6; i++) {
        float heading = sample_desk_random(job, 0, 1) + (float)i, lean = sample_desk_random(job, 0.1f, 0.17f);
        float up = sample_desk_random(job, 0.006f, 0.02f);
        sample_shape_move(job->shape, sample_at(0, up, 0), (double)heading);
        job->shape->frame.m[0][3] = 0.012f * job->shape->frame.m[0][0];
        job->shape->frame.m[2][3] = 0.012f * job->shape->frame.m[2][0];
        sample_desk_tilt(job, (double)lean);
        sample_shape_lathe(job->shape, (sample_profile){pen, 7, false}, 3 + job->fine, 1);
    }
    sample_desk_put(job, "pen cup", sample_at(-0.31f, DESK_TOP, 0.555f), 0, 0);
}

static void lamp(desk_job *job) {
    static const float foot[][2] = {{0, 0},          {0.08f, 0},      {0.085f, 0.006f}, {0.08f, 0.016f},
                                    {0.03f, 0.022f}, {0.012f, 0.03f}, {0, 0.03f}};
    static const float shade[][2] = {{0, -0.012f},      {0.02f, -0.012f},  {0.03f, -0.02f}, {0.06f, -0.06f},
                                     {0.076f, -0.1f},   {0.078f, -0.103f}, {0.08f, -0.1f},  {0.066f, -0.055f},
                                     {0.036f, -0.006f}, {0.02f, 0.02f},    {0, 0.025f}};
    static const float bulb[][2] = {{0, -0.085f},      {0.018f, -0.08f},  {0.026f, -0.062f},
                                    {0.022f, -0.042f}, {0.012f, -0.026f}, {0, -0.02f}};
    sample_shape_lathe(job->shape, (sample_profile){foot, 7, true}, 10 * job->fine, job->fine);
    tr_vec3 lower[] = {sample_at(0, 0.02f, 0), sample_at(0, 0.25f, 0.09f)};
    tr_vec3 upper[] = {sample_at(0, 0.245f, 0.092f), sample_at(0, 0.46f, -0.14f)};
    sample_shape_rod(job->shape, lower, 2, 0.007f, 4 * job->fine, 2);
    sample_shape_rod(job->shape, upper, 2, 0.007f, 4 * job->fine, 2);
    sample_shape_move(job->shape, sample_at(0, 0.248f, 0.091f), 0);
    sample_shape_ball(job->shape, 5 * job->fine, 3 * job->fine, sample_at(0.016f, 0.016f, 0.016f));
    sample_shape_move(job->shape, sample_at(0, 0.46f, -0.15f), 0);
    sample_desk_tilt(job, 0.35);
    sample_shape_lathe(job->shape, (sample_profile){shade, 11, true}, 12 * job->fine, job->fine);
    sample_shape_lathe(job->shape, (sample_profile){bulb, 6, true}, 6 * job->fine, job->fine);
    sample_desk_put(job, "lamp", sample_at(-0.41f, DESK_TOP, 0.97f), -0.3, 0);
}

static void books(desk_job *job) {
    float y = 0;
    for (uint32_t i = 0; i < 4; i++) {
        float thick = sample_desk_random(job, 0.018f, 0.034f), turn = sample_desk_random(job, -0.25f, 0.25f);
        float half_x = sample_desk_random(job, 0.07f, 0.085f), half_z = half_x * 1.4f;
        sample_shape_move(job->shape, sample_at(0, y, 0), (double)turn);
        plate(job, half_x, half_z, 0, 0.003f, 0.004f, 0.001f); // the covers, and the pages between them
        plate(job, half_x - 0.004f, half_z - 0.004f, 0.003f, thick - 0.003f, 0.004f, 0.001f);
        plate(job, half_x, half_z, thick - 0.003f, thick, 0.004f, 0.001f);
        y += thick;
    }
    sample_desk_put(job, "books", sample_at(-0.68f, DESK_TOP, 0.85f), 0.2, 0);
}

static void plant(desk_job *job) {
    static const float pot[][2] = {{0, 0},           {0.048f, 0},     {0.052f, 0.004f}, {0.066f, 0.1f},
                                   {0.071f, 0.102f}, {0.072f, 0.12f}, {0.068f, 0.122f}, {0.064f, 0.118f},
                                   {0.06f, 0.108f},  {0, 0.11f}};
    sample_shape_lathe(job->shape, (sample_profile){pot, 10, false}, 10 * job->fine, 1);
    for (uint32_t i = 0; i < 18; i++) {
        float heading = sample_desk_random(job, 0, 0.7f) + 2.4f * (float)i;
        float rise = sample_desk_random(job, 0.3f, 1.35f), length = sample_desk_random(job, 0.14f, 0.24f);
        sample_shape_move(job->shape, sample_at(0, 0.108f, 0), (double)heading);
        sample_desk_tilt(job, (double)-rise);
        sample_shape_leaf(job->shape, length, 0.028f, length * 0.4f, 2 * job->fine);
    }
    sample_desk_put(job, "plant", sample_at(0.66f, DESK_TOP, 0.88f), 0, 0);
}

void sample_desk_clutter(desk_job *job) {
    pens(job);
    lamp(job);
    books(job);
    plant(job);
    plate(job, 0.075f, 0.105f, 0, 0.008f, 0.003f, 0.001f);
    tr_vec3 pencil[] = {sample_at(-0.05f, 0.012f, -0.06f), sample_at(0.03f, 0.012f, 0.05f)};
    sample_shape_rod(job->shape, pencil, 2, 0.0038f, 6, job->fine);
    tr_vec3 rings[2];
    for (int i = 0; i < 12; i++) { // the wire of the binding
        float x = -0.066f + 0.012f * (float)i;
        rings[0] = sample_at(x, 0.005f, 0.107f);
        rings[1] = sample_at(x + 0.003f, 0.005f, 0.107f);
        sample_shape_rod(job->shape, rings, 2, 0.006f, 3 * job->fine, 1);
    }
    sample_desk_put(job, "notepad", sample_at(0.66f, DESK_TOP, 0.52f), -0.3, 0);
}
