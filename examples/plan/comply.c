// A woman walks under a slide: she bends before it and comes up after it. Prints what the waist does and how
// long planning takes; with a FILE.png as argument, draws the roadmap of configuration and time in which the
// motion of the waist was found (as figure 5 of Li's paper).
#include <stdio.h>
#include <troupe/troupe.h>

#define FRAMES 209

static const tr_color grey = {205, 208, 212}, red = {206, 62, 48}, blue = {90, 140, 205},
                      green = {20, 130, 60}, black = {30, 30, 34}, orange = {235, 140, 30};

// One angle of a limb over time.
static void draw_angle(tr_picture *picture, const tr_comply *comply, uint32_t limb, uint32_t angle, float top,
                       const char *title) {
    const tr_comply_result *result = tr_comply_last(comply);
    const float left = 60, across = (float)picture->width - 80, height = 250, low = -0.95f, high = 1.25f;
    char text[64];
    snprintf(text, sizeof text, "%s: %s", tr_comply_limb_name((tr_comply_limb)limb), title);
    tr_picture_text(picture, left, top - 26, 18, text, black);
    tr_picture_rectangle(picture, left, top, left + across, top + height, (tr_color){250, 250, 250}, 1);
    float per_frame = across / FRAMES, per_radian = height / (high - low), zero = top + high * per_radian;
    tr_picture_line(picture, left, zero, left + across, zero, 1, grey, 1);
    tr_comply_edge edge;
    for (int layer = 0; layer < 4; layer++) // waiting, blocked, free, of the path
        for (uint32_t i = 0; tr_comply_edge_at(comply, i, &edge); i++) {
            int own = edge.on_path ? 3 : edge.free ? 2 : edge.tried ? 1 : 0;
            if ((uint32_t)edge.limb != limb || own != layer)
                continue;
            tr_color color = layer == 3   ? green
                             : layer == 2 ? (edge.grown ? orange : blue)
                             : layer == 1 ? red
                                          : grey;
            float x0 = left + edge.frame_from * per_frame, x1 = left + edge.frame_to * per_frame;
            float y0 = zero - edge.from[angle] * per_radian, y1 = zero - edge.to[angle] * per_radian;
            tr_picture_line(picture, x0, y0, x1, y1, layer == 3 ? 3 : 1, color, layer == 0 ? 0.5f : 0.9f);
            tr_picture_disc(picture, x1, y1, layer == 3 ? 3.5f : 2, color, 1);
        }
    for (uint32_t f = 1; f < result->frame_count; f++) {
        float a = result->poses[f - 1].waist[angle], b = result->poses[f].waist[angle];
        tr_picture_line(picture, left + (float)(f - 1) * per_frame, zero - a * per_radian,
                        left + (float)f * per_frame, zero - b * per_radian, 3, black, 1);
    }
    for (uint32_t f = 0; f < FRAMES; f += 30) {
        snprintf(text, sizeof text, "%u s", f / 30);
        tr_picture_text(picture, left + (float)f * per_frame, top + height + 4, 16, text, black);
    }
}

static tr_status draw(const tr_comply *comply, const char *path, tr_error *error) {
    tr_picture picture;
    tr_status status = tr_picture_create(NULL, 1200, 690, (tr_color){238, 239, 241}, &picture, error);
    if (status != TR_OK)
        return status;
    draw_angle(&picture, comply, TR_COMPLY_WAIST, 0, 40, "lean");
    draw_angle(&picture, comply, TR_COMPLY_WAIST, 2, 360, "turn");
    tr_picture_text(
        &picture, 60, 655, 18,
        "red: blocked   blue: free   orange: free, grown   grey: not tried   green: path   black: smoothed",
        black);
    status = tr_picture_write_png(&picture, path, error);
    tr_picture_destroy(&picture);
    return status;
}

// The distance of the upper body from the triangles; the first capsule, the hips, is not part of it.
static float room_of(const tr_solid *solid, const tr_comply_body *body, const tr_comply_place *place,
                     const tr_comply_pose *pose) {
    tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX];
    uint32_t count = tr_comply_capsules(body, place, pose, capsules);
    float room = 9;
    for (uint32_t i = 1; i < count; i++) {
        float clear = tr_solid_distance(solid, capsules[i].a, capsules[i].b, 9, NULL) - capsules[i].radius;
        room = clear < room ? clear : room;
    }
    return room;
}

int main(int count, char **arguments) {
    tr_sample sample = {.scene = NULL};
    tr_solid *solid = NULL;
    tr_comply *comply = NULL;
    tr_error error = {0};
    static tr_comply_place places[FRAMES];
    static tr_comply_pose preferred[FRAMES];
    int failed = 1;
    if (tr_sample_make(&(tr_sample_def){.name = "slide"}, &sample, &error) != TR_OK)
        goto end;
    tr_solid_def solid_def = tr_solid_def_default(sample.scene);
    tr_comply_def def = tr_comply_def_default();
    def.body = tr_comply_body_default(1.75f);
    if (tr_solid_create(&solid_def, &solid, &error) != TR_OK ||
        tr_comply_create(&def, &comply, &error) != TR_OK)
        goto end;

    for (uint32_t f = 0; f < FRAMES; f++) { // the pelvis, straight ahead at 1.3 m/s
        places[f] = (tr_comply_place){{0, 0.53f * 1.75f, sample.start.z + 1.3f * (float)f / 30}, 0};
        preferred[f] = tr_comply_swing((float)f / 32, 1);
    }
    // She looks three seconds ahead and plans again every half second, from where she is.
    tr_comply_query query = tr_comply_query_default();
    query.solid = solid;
    tr_comply_pose pose, velocity;
    uint64_t nanoseconds = 0;
    for (uint32_t at = 0; at + 15 < FRAMES; at += 15) {
        query.places = places + at;
        query.preferred = preferred + at;
        query.frame_count = FRAMES - at < 90 ? FRAMES - at : 90;
        uint64_t begin = tr_clock_nanoseconds();
        if (tr_comply_plan(comply, &query, &error) != TR_OK)
            goto end;
        nanoseconds += tr_clock_nanoseconds() - begin;
        const tr_comply_result *result = tr_comply_last(comply);
        float room = room_of(solid, &def.body, &places[at], &result->poses[0]);
        printf("%4.1f s at z %5.2f: lean %5.1f degrees, %4.0f mm of room, %u capsules checked\n",
               (double)at / 30, (double)places[at].position.z, 57.3 * (double)result->poses[0].waist[0],
               1e3 * (double)room, result->checks);
        pose = result->poses[15], velocity = result->velocities[15];
        query.pose = &pose, query.velocity = &velocity, query.passed = 15;
    }
    printf("planned in %.1f ms\n", (double)nanoseconds / 1e6);
    query = tr_comply_query_default(); // and all of it at once
    query.solid = solid, query.places = places, query.preferred = preferred, query.frame_count = FRAMES;
    if (tr_comply_plan(comply, &query, &error) != TR_OK ||
        (count > 1 && draw(comply, arguments[1], &error) != TR_OK))
        goto end;
    failed = 0;
end:
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    tr_comply_destroy(comply);
    tr_solid_destroy(solid);
    tr_scene_destroy(sample.scene);
    return failed;
}
