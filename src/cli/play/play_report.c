// The report of a play: orders, times, and the quality of the motion.
#include "cli/audit_fields.h"
#include "cli/commands.h"
#include "cli/json_fields.h"
#include "play.h"
#include "troupe/world/distance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Distance between two bodies, capsule by capsule; negative: overlap.
static float gap_between(const tr_body_def *a, const tr_affine *model_a, const tr_body_def *b,
                         const tr_affine *model_b) {
    float least = INFINITY;
    for (uint32_t i = 0; i < a->capsule_count; i++) {
        const tr_capsule *first = &a->capsules[i];
        tr_vec3 a0 = tr_affine_apply(&model_a[first->joint], first->a);
        tr_vec3 a1 = tr_affine_apply(&model_a[first->joint], first->b);
        for (uint32_t j = 0; j < b->capsule_count; j++) {
            const tr_capsule *second = &b->capsules[j];
            tr_vec3 b0 = tr_affine_apply(&model_b[second->joint], second->a);
            tr_vec3 b1 = tr_affine_apply(&model_b[second->joint], second->b);
            float gap =
                sqrtf(tr_distance_segments(a0, a1, b0, b1, NULL, NULL)) - first->radius - second->radius;
            least = gap < least ? gap : least;
        }
    }
    return least;
}

typedef struct body_pose {
    tr_pose pose;
    tr_affine *model;
} body_pose;

static void take_frame(const play_shot *shot, uint32_t frame, body_pose *bodies) {
    for (uint32_t i = 0; i < shot->count; i++) {
        tr_clip_get_frame(shot->parts[i].clip, frame, &bodies[i].pose);
        tr_pose_to_model(tr_character_skeleton(shot->parts[i].character), &bodies[i].pose, NULL,
                         bodies[i].model);
    }
}

static void measure_frame(play_shot *shot, const body_pose *bodies) {
    for (uint32_t i = 0; i < shot->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            play_part *a = &shot->parts[i], *b = &shot->parts[j];
            float x = bodies[i].pose.position[0][0] - bodies[j].pose.position[0][0];
            float z = bodies[i].pose.position[2][0] - bodies[j].pose.position[2][0];
            if (!tr_character_body(a->character) || !tr_character_body(b->character) || x * x + z * z > 9)
                continue; // no limb reaches further than that
            float gap = gap_between(tr_body_view(tr_character_body(a->character)), bodies[i].model,
                                    tr_body_view(tr_character_body(b->character)), bodies[j].model);
            a->nearest_body = gap < a->nearest_body ? gap : a->nearest_body;
            b->nearest_body = gap < b->nearest_body ? gap : b->nearest_body;
        }
}

static tr_status measure_bodies(play_shot *shot, tr_error *error) {
    body_pose *bodies = calloc(shot->count, sizeof *bodies);
    tr_status status = bodies ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to measure the shot");
    uint32_t frames = UINT32_MAX;
    for (uint32_t i = 0; i < shot->count && status == TR_OK; i++) {
        uint32_t joints = tr_clip_joint_count(shot->parts[i].clip),
                 own = tr_clip_frame_count(shot->parts[i].clip);
        frames = own < frames ? own : frames;
        shot->parts[i].nearest_body = INFINITY;
        bodies[i].model = calloc(joints, sizeof *bodies[i].model);
        status = tr_pose_create(NULL, joints, &bodies[i].pose, error);
        if (!bodies[i].model)
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory to measure the shot");
    }
    for (uint32_t frame = 0; frame < frames && status == TR_OK; frame++) {
        take_frame(shot, frame, bodies);
        measure_frame(shot, bodies);
    }
    for (uint32_t i = 0; bodies && i < shot->count; i++) {
        free(bodies[i].model);
        tr_pose_destroy(&bodies[i].pose);
    }
    free(bodies);
    return status;
}

tr_status play_measure(play_shot *shot, tr_error *error) {
    for (uint32_t i = 0; i < shot->count; i++) {
        play_part *part = &shot->parts[i];
        tr_audit_params params = tr_audit_params_default();
        params.scene = shot->play.scene;
        params.scene_time = tr_stage_time(shot->play.stage) -
                            (tr_clip_frame_count(part->clip) - 1) / tr_clip_rate(part->clip);
        float low = tr_scene_bounds(shot->play.scene).min.y, level = shot->play.ground.min.y;
        params.ground = low < level ? low : level; // nothing is below a gap in the floor
        params.body = tr_character_body(part->character);
        tr_status status = tr_audit_measure(NULL, tr_character_skeleton(part->character), part->clip, &params,
                                            &part->audit, error);
        if (status != TR_OK && status != TR_NOT_FOUND) // without feet, only these are not measured
            return status;
        if (i == 0)
            shot->worst = part->audit;
        else
            audit_merge(&shot->worst, &part->audit);
    }
    return measure_bodies(shot, error);
}

uint32_t play_order_count(const tr_stage *stage, uint32_t actor) {
    return tr_stage_order_count(stage, tr_stage_actor(stage, actor), NULL);
}

tr_order_report play_order(const tr_stage *stage, uint32_t actor, uint32_t order) {
    tr_order_report report = {.state = TR_ORDER_PENDING};
    tr_stage_order_report(stage, tr_stage_actor(stage, actor), order, &report);
    return report;
}

static const char *state_name(tr_order_state state) {
    static const char *const names[] = {"pending", "under_way", "done", "failed", "cancelled"};
    return names[state];
}

static const char *order_name(tr_order_kind kind) {
    static const char *const names[] = {"go", "wait", "reach", "lower", "steer", "drag"};
    return names[kind];
}

static void write_orders(tr_json_writer *writer, const play_shot *shot, uint32_t actor) {
    const tr_stage *stage = shot->play.stage;
    tr_json_write_key(writer, "orders");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < play_order_count(stage, actor); i++) {
        tr_order_report report = play_order(stage, actor, i);
        tr_json_write_object(writer);
        json_field_text(writer, "order", order_name(report.order.kind));
        json_field_text(writer, "status", state_name(report.state));
        json_field_text(writer, "reason", report.reason);
        json_field_boolean(writer, "beside", report.beside);
        json_field_number(writer, "begin", report.begin);
        json_field_number(writer, "end", report.end);
        if (report.reach.plans)
            play_write_reach(writer, shot, actor, &report.reach);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_actor(tr_json_writer *writer, const play_shot *shot, uint32_t actor) {
    tr_stage_counters counters =
        tr_stage_counters_of(shot->play.stage, tr_stage_actor(shot->play.stage, actor));
    tr_json_write_object(writer);
    json_field_text(writer, "name", shot->parts[actor].name);
    write_orders(writer, shot, actor);
    tr_json_write_key(writer, "plan_us");
    tr_json_write_object(writer);
    json_field_number(writer, "median", counters.plan_us_median);
    json_field_number(writer, "p99", counters.plan_us_p99);
    json_field_number(writer, "worst", counters.plan_us_worst);
    tr_json_write_end(writer);
    json_field_count(writer, "plans", counters.plans);
    json_field_number(writer, "waited", counters.waited);
    json_field_float(writer, "nearest_disc", counters.nearest);
    json_field_float(writer, "nearest_body", shot->parts[actor].nearest_body);
    tr_json_write_key(writer, "audit");
    tr_json_write_object(writer);
    audit_write_fields(writer, &shot->parts[actor].audit);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

tr_status play_write_report(const play_request *request, const play_shot *shot, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    json_field_number(&writer, "seconds", shot->seconds);
    json_field_number(&writer, "computed_in", shot->simulated);
    tr_json_write_key(&writer, "actors");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < shot->count; i++)
        write_actor(&writer, shot, i);
    tr_json_write_end(&writer);
    tr_json_write_key(&writer, "audit");
    tr_json_write_object(&writer);
    audit_write_fields(&writer, &shot->worst);
    tr_json_write_end(&writer);
    tr_json_write_end(&writer);
    tr_bytes text = {NULL, 0};
    tr_status status = tr_json_writer_finish(&writer, &text, error);
    if (status == TR_OK && request->report)
        status = tr_file_write(request->report, text.data, text.size, error);
    if (status == TR_OK && request->json)
        fwrite(text.data, 1, text.size, stdout);
    tr_bytes_free(NULL, &text);
    return status;
}

bool play_all_done(const play_shot *shot) {
    bool done = true;
    for (uint32_t i = 0; i < shot->count; i++)
        for (uint32_t j = 0; j < play_order_count(shot->play.stage, i); j++)
            done = done && play_order(shot->play.stage, i, j).state == TR_ORDER_DONE;
    return done;
}

static void print_failures(const play_shot *shot, uint32_t actor) {
    for (uint32_t i = 0; i < play_order_count(shot->play.stage, actor); i++) {
        tr_order_report report = play_order(shot->play.stage, actor, i);
        if (report.state == TR_ORDER_FAILED)
            printf("  order %u of %s failed: %s\n", i + 1, shot->parts[actor].name, report.reason);
        else if (report.beside)
            printf("  order %u of %s ended beside its goal: the goal was occupied\n", i + 1,
                   shot->parts[actor].name);
        else if (report.state != TR_ORDER_DONE)
            printf("  order %u of %s was not finished in time\n", i + 1, shot->parts[actor].name);
    }
}

static void print_written(const play_request *request, const play_shot *shot) {
    const char *written[] = {request->out,    request->bvh,
                             request->png,    shot->without_video ? NULL : request->video,
                             request->report, request->depth};
    bool any = false;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
        if (written[i]) {
            printf("%s%s", any ? ", " : "written: ", written[i]);
            any = true;
        }
    if (any)
        printf("\n");
}

// A column of the table; a dash if there is no value.
static void print_number(double number, int digits) {
    if (isfinite(number))
        printf(" %9.*f", digits, number);
    else
        printf(" %9s", "-");
}

// The time at which a character had finished all its orders.
static double end_of(const play_shot *shot, uint32_t actor) {
    uint32_t orders = play_order_count(shot->play.stage, actor);
    for (uint32_t i = 0; i < orders; i++)
        if (play_order(shot->play.stage, actor, i).state != TR_ORDER_DONE)
            return NAN;
    return orders ? play_order(shot->play.stage, actor, orders - 1).end : NAN;
}

void play_print(const play_request *request, const play_shot *shot) {
    printf("%s%s%.1f s of %u character%s, computed in %.3f s\n", shot->play.title,
           shot->play.title[0] ? ": " : "", shot->seconds, shot->count, shot->count == 1 ? "" : "s",
           shot->simulated);
    printf("%-12s %9s %9s %9s %9s %9s %9s %9s\n", "", "done s", "waited", "plans", "plan us", "gap m",
           "slide mm", "sink mm");
    for (uint32_t i = 0; i < shot->count; i++) {
        const play_part *part = &shot->parts[i];
        tr_stage_counters counters =
            tr_stage_counters_of(shot->play.stage, tr_stage_actor(shot->play.stage, i));
        command_print_name(part->name, 12);
        print_number(end_of(shot, i), 1);
        print_number(counters.waited, 1);
        print_number(counters.plans, 0);
        print_number(counters.plan_us_median, 0);
        print_number((double)part->nearest_body, 2);
        print_number((double)part->audit.slide_mm_max, 2);
        print_number((double)part->audit.penetration_mm_max, 2);
        printf("\n");
        play_print_reaches(shot, i);
        print_failures(shot, i);
    }
    printf("joint limits exceeded: %u; frames in collision: %u (by %.1f mm at most), in self-collision: %u\n",
           shot->worst.joint_limit_violations, shot->worst.collisions, (double)shot->worst.collision_mm_max,
           shot->worst.self_collisions);
    print_written(request, shot);
}
