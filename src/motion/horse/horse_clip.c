// Clips of the horse.
#include "horse_gait.h"

#include "troupe/base/scalar.h"

#define RATE_DEFAULT 60.0
#define RATE_MIN 10.0
#define RATE_MAX 1000.0
#define FRAMES_MIN 8
#define FRAMES_MAX 1000
#define STAND_SECONDS 4.0
#define SPEED_DEFAULT 5.0
#define SPEED_MIN 4.0
#define SPEED_MAX 6.5
#define LEAN_MAX (TR_PI / 6)
#define HOOF_EXACT 1e-4 // [m], documented in the header

// A clip while it is made.
typedef struct clip_plan {
    tr_horse_rig rig;
    tr_horse_kind kind;
    double rate;
    uint32_t frames, before, count; // of the clip; extra ones before it; all
    tr_horse_gallop gallop;
} clip_plan;

static bool departs(const clip_plan *plan) {
    return plan->kind == TR_HORSE_START || plan->kind == TR_HORSE_END;
}

static tr_horse_depart depart_of(const clip_plan *plan) {
    return (tr_horse_depart){plan->gallop, plan->kind == TR_HORSE_END};
}

static tr_status check(const tr_horse_clip_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a clip of a horse needs a skeleton");
    if ((uint32_t)def->kind >= TR_HORSE_KINDS)
        return tr_fail(error, TR_INVALID, "there is no horse clip of kind %d", (int)def->kind);
    if (!(def->frames_per_second == 0 ||
          (def->frames_per_second >= RATE_MIN && def->frames_per_second <= RATE_MAX)))
        return tr_fail(error, TR_INVALID, "the frame rate is %g frames per second, it must be %g to %g",
                       def->frames_per_second, RATE_MIN, RATE_MAX);
    if (def->frames != 0 && (def->frames < FRAMES_MIN || def->frames > FRAMES_MAX))
        return tr_fail(error, TR_INVALID, "the clip has %u frames, it must have %d to %d", def->frames,
                       FRAMES_MIN, FRAMES_MAX);
    if (!isfinite(def->speed) || !isfinite(def->turn))
        return tr_fail(error, TR_INVALID, "speed and turn are %g m/s and %g rad, they must be finite",
                       (double)def->speed, (double)def->turn);
    return TR_OK;
}

// A stride takes a whole number of frames.
static tr_status plan_gallop(const tr_horse_clip_def *def, clip_plan *plan, tr_error *error) {
    double grown = sqrt(plan->rig.height / (double)TR_HORSE_HEIGHT);
    double speed = def->speed == 0 ? SPEED_DEFAULT * grown : (double)def->speed;
    double slowest = SPEED_MIN * grown, fastest = SPEED_MAX * grown;
    if (!(speed >= slowest * (1 - 1e-6) && speed <= fastest * (1 + 1e-6)))
        return tr_fail(error, TR_INVALID,
                       "a gallop at %g m/s is out of range, this horse can do %.2f to %.2f", speed, slowest,
                       fastest);
    tr_horse_gallop_plan(plan->rig.height, speed, &plan->gallop);
    uint32_t strides = departs(plan) ? TR_HORSE_DEPART_STRIDES : 1;
    plan->frames = def->frames ? def->frames : (uint32_t)(plan->gallop.period * plan->rate + 0.5) * strides;
    plan->frames = plan->frames < FRAMES_MIN ? FRAMES_MIN : plan->frames;
    plan->gallop.period = plan->frames / plan->rate / strides;
    plan->gallop.turn = (double)def->turn;
    if (departs(plan) && def->turn != 0)
        return tr_fail(error, TR_INVALID, "a horse sets off and halts straight ahead, but turn is %g rad",
                       (double)def->turn);
    tr_horse_gallop_lower(&plan->gallop, &plan->rig);
    double lean = tr_horse_gallop_lean(&plan->gallop);
    if (lean > LEAN_MAX)
        return tr_fail(
            error, TR_INVALID,
            "a turn of %g rad at %g m/s in %g s makes the horse lean by %.2f rad, it leans by %.2f "
            "at most",
            plan->gallop.turn, speed, plan->gallop.period, lean, LEAN_MAX);
    return TR_OK;
}

static tr_status make_plan(const tr_horse_clip_def *def, clip_plan *plan, tr_error *error) {
    plan->kind = def->kind;
    plan->rate = def->frames_per_second == 0 ? RATE_DEFAULT : def->frames_per_second;
    plan->frames = def->frames ? def->frames : (uint32_t)(STAND_SECONDS * plan->rate + 0.5);
    tr_status status = def->kind != TR_HORSE_STAND ? plan_gallop(def, plan, error) : TR_OK;
    if (status == TR_OK && (def->extra_frames % 2 != 0 || def->extra_frames > plan->frames))
        return tr_fail(error, TR_INVALID, "there are %u extra frames, there must be an even number up to %u",
                       def->extra_frames, plan->frames);
    plan->before = def->extra_frames / 2;
    plan->count = plan->frames + def->extra_frames;
    // A turn that does not loop also has a frame at its end.
    if (def->extra_frames == 0 && (departs(plan) || (def->kind == TR_HORSE_GALLOP && def->turn != 0)))
        plan->count++;
    return status;
}

static bool loops(const clip_plan *plan) {
    return plan->count == plan->frames;
}

static double time_of(const clip_plan *plan, uint32_t frame) {
    return ((double)frame - plan->before) / plan->rate;
}

static void state_at(const clip_plan *plan, double time, tr_horse_state *state) {
    tr_horse_depart depart = depart_of(plan);
    if (departs(plan))
        tr_horse_depart_at(&depart, time, state);
    else if (plan->kind == TR_HORSE_GALLOP)
        tr_horse_gallop_at(&plan->gallop, time, state);
    else
        tr_horse_stand_at(plan->rig.height, time * plan->rate / plan->frames + 1, state);
}

static tr_base base_at(const clip_plan *plan, double time) {
    tr_base still = {0, 0, 0};
    tr_horse_depart depart = depart_of(plan);
    if (departs(plan))
        return tr_horse_depart_base(&depart, time);
    return plan->kind == TR_HORSE_GALLOP ? tr_horse_gallop_base(&plan->gallop, time) : still;
}

// ------------------------------------------------------------------------------------------------------ clip

static const uint32_t labels[TR_HORSE_LEGS] = {TR_CONTACT_RIGHT_TOES, TR_CONTACT_LEFT_TOES,
                                               TR_CONTACT_RIGHT_HAND, TR_CONTACT_LEFT_HAND};

tr_horse_leg_joints tr_horse_get_leg(uint32_t number) {
    if (number >= TR_HORSE_LEGS)
        return (tr_horse_leg_joints){0};
    bool fore = tr_horse_is_fore(number),
         right = number == TR_HORSE_RIGHT_HIND || number == TR_HORSE_RIGHT_FORE;
    uint32_t side = right ? TR_HORSE_SIDE_STEP : 0;
    return (tr_horse_leg_joints){(fore ? TR_HORSE_LEFT_HUMERUS : TR_HORSE_LEFT_FEMUR) + side,
                                 (fore ? TR_HORSE_LEFT_RADIUS : TR_HORSE_LEFT_TIBIA) + side,
                                 (fore ? TR_HORSE_LEFT_FORE_TOE : TR_HORSE_LEFT_HIND_TOE) + side,
                                 labels[number]};
}

static uint32_t contacts_of(const tr_horse_state *state) {
    uint32_t contacts = 0;
    for (int leg = 0; leg < TR_HORSE_LEGS; leg++)
        contacts |= state->hooves[leg].stands ? labels[leg] : 0;
    return contacts;
}

static tr_status add_events(const clip_plan *plan, tr_clip *clip, tr_error *error) {
    static const char *const names[TR_HORSE_LEGS] = {"right_hind", "left_hind", "right_fore", "left_fore"};
    for (int leg = 0; leg < TR_HORSE_LEGS && plan->kind == TR_HORSE_GALLOP; leg++)
        for (int stride = -1; stride <= 1; stride++) {
            double time =
                (plan->gallop.begin[leg] + stride) * plan->gallop.period + plan->before / plan->rate;
            if (time < 0 || time >= plan->count / plan->rate || time > tr_clip_duration(clip))
                continue;
            if (tr_clip_add_event(clip, time, names[leg]) != TR_OK)
                return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the events of a gallop");
        }
    return TR_OK;
}

static tr_status fill_clip(clip_plan *plan, tr_clip *clip, tr_base *bases, tr_error *error) {
    for (uint32_t i = 0; i < plan->count; i++) {
        tr_horse_state state;
        state_at(plan, time_of(plan, i), &state);
        tr_horse_pose(&plan->rig, &state);
        if (tr_clip_set_frame(clip, i, &plan->rig.pose) != TR_OK)
            return tr_fail(error, TR_INVALID, "the skeleton cannot be posed: frame %u is not finite", i);
        tr_clip_set_contacts(clip, i, contacts_of(&state));
        bases[i] = base_at(plan, time_of(plan, i));
    }
    if (!(plan->rig.worst_miss < HOOF_EXACT))
        return tr_fail(
            error, TR_INVALID,
            "the legs cannot do this gallop: a hoof misses its place by %g m; take another speed or "
            "another number of frames",
            plan->rig.worst_miss);
    tr_base from = bases[0], to = base_at(plan, time_of(plan, loops(plan) ? plan->count : plan->count - 1));
    tr_base advance = {to.x - from.x, to.z - from.z, to.heading - from.heading};
    if (tr_clip_set_base(clip, bases, advance) != TR_OK)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the base of a clip");
    return add_events(plan, clip, error);
}

static tr_status make_clip(const tr_horse_clip_def *def, clip_plan *plan, tr_clip **clip, tr_error *error) {
    static const char *const names[TR_HORSE_KINDS] = {"stand", "gallop", "start", "end"};
    uint8_t channels[TR_HORSE_JOINTS];
    for (uint32_t i = 0; i < TR_HORSE_JOINTS; i++)
        channels[i] = tr_skeleton_joint(def->skeleton, i).is_end ? 0 : TR_CHANNEL_TURNS;
    channels[TR_HORSE_PELVIS] = TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    tr_clip_def made = {.allocator = def->allocator,
                        .name = names[def->kind],
                        .skeleton = def->skeleton,
                        .channels = channels,
                        .frame_count = plan->count,
                        .frames_per_second = plan->rate,
                        .loop = loops(plan)};
    tr_base *bases = tr_allocate(&plan->rig.allocator, plan->count, sizeof *bases);
    if (!bases)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a clip of %u frames", plan->count);
    tr_status status = tr_clip_create(&made, clip, error);
    if (status == TR_OK)
        status = fill_clip(plan, *clip, bases, error);
    tr_release(&plan->rig.allocator, bases, plan->count, sizeof *bases);
    if (status != TR_OK) {
        tr_clip_destroy(*clip);
        *clip = NULL;
    }
    return status;
}

tr_status tr_horse_clip_make(const tr_horse_clip_def *def, tr_clip **clip, tr_error *error) {
    *clip = NULL;
    clip_plan plan = {0};
    tr_status status = check(def, error);
    if (status == TR_OK)
        status = tr_horse_rig_create(def->allocator, def->skeleton, &plan.rig, error);
    if (status != TR_OK)
        return status;
    status = make_plan(def, &plan, error);
    if (status == TR_OK)
        status = make_clip(def, &plan, clip, error);
    tr_horse_rig_destroy(&plan.rig);
    return status;
}

// --------------------------------------------------------------------------------------------------
// behaviors

// The paper has one clip a state: "20 frames of data, and an additional 12 frames used for blending". Turns
// cost a little more than going straight.
tr_horse_behavior tr_horse_get_behavior(uint32_t number) {
    static const struct {
        const char *name;
        float degrees, weight;
    } rows[TR_HORSE_BEHAVIORS] = {{"forward", 0, 1},
                                  {"left", 10, 1.05f},
                                  {"sharp_left", 20, 1.1f},
                                  {"right", -10, 1.05f},
                                  {"sharp_right", -20, 1.1f}};
    if (number >= TR_HORSE_BEHAVIORS)
        return (tr_horse_behavior){0};
    tr_horse_behavior behavior = {.name = rows[number].name,
                                  .turn = (float)(rows[number].degrees * (TR_PI / 180)),
                                  .weight = rows[number].weight,
                                  .speed = (float)SPEED_DEFAULT,
                                  .frames = 20,
                                  .extra_frames = 12,
                                  .frames_per_second = 30};
    return behavior;
}
