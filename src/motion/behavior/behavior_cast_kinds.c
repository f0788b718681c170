// The kinds of characters that come with Troupe, as behavior casts.
#include "troupe/base/scalar.h"
#include "troupe/motion/behavior_cast.h"
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/gait.h"

#define MARGIN 0.02f // around the body [m]
#define HUMAN_RATE 30.0
#define HUMAN_HEIGHT 1.75f
#define DITCH 7.0f    // jumps that are so much longer than high are for ditches
#define SEEDS 10000   // between the seeds of two casts
#define HUMAN_UP 2.0f // walking up a metre costs as much as walking two more on the level, down half of it
#define HUMAN_DOWN 1.0f
#define HORSE_HEIGHT 1.6f
#define HORSE_STATES (TR_HORSE_BEHAVIORS + 3)
#define HORSE_WAIT 60 // frames for which it stands
#define HORSE_WAIT_WEIGHT 10.0f
#define HORSE_DEPARTS 4 // strides of a start and of an end
#define SKATEBOARDER_RATE 30.0
#define SKATEBOARDER_UP 4.0f
#define SKATEBOARDER_DEPTH 0.2f // of what it jumps over: it flies for 1.25 m, and the board is 0.8 m long

// A cast while its clips are made.
typedef struct kind_maker {
    tr_allocator allocator;
    tr_behavior_cast_def def;
    tr_skeleton *skeleton; // made here; NULL if it is somebody else's
    tr_body *body;
    tr_clip *stand;
    tr_behavior_cast_state *states;
    tr_behavior_cast_clip *clips;
    uint32_t state_count, clip_count, state_room, clip_room;
} kind_maker;

static tr_status begin(kind_maker *maker, const tr_allocator *allocator, const char *name, uint32_t states,
                       uint32_t clips, tr_error *error) {
    maker->allocator = tr_allocator_or_default(allocator);
    maker->def = (tr_behavior_cast_def){.allocator = allocator, .name = name, .margin = MARGIN};
    maker->states = tr_allocate_zero(&maker->allocator, states, sizeof *maker->states);
    maker->clips = tr_allocate_zero(&maker->allocator, clips, sizeof *maker->clips);
    maker->state_room = states, maker->clip_room = clips;
    if (!maker->states || !maker->clips)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior cast of %u clips", clips);
    return TR_OK;
}

// Clips are added to the latest state.
static tr_behavior_cast_state *add_state(kind_maker *maker, const char *name, float weight) {
    tr_behavior_cast_state *state = &maker->states[maker->state_count++];
    *state =
        (tr_behavior_cast_state){.name = name, .clips = maker->clips + maker->clip_count, .weight = weight};
    return state;
}

static void add_clip(kind_maker *maker, tr_behavior_cast_clip clip) {
    maker->clips[maker->clip_count++] = clip;
    maker->states[maker->state_count - 1].clip_count++;
}

// Creates the cast, if all went well so far; otherwise destroys what was made.
static tr_status end(kind_maker *maker, tr_status status, tr_behavior_cast **cast, tr_error *error) {
    maker->def.states = maker->states;
    maker->def.state_count = maker->state_count;
    maker->def.stand = maker->stand;
    maker->def.take_motions = true;
    maker->def.take_skeleton = maker->skeleton != NULL;
    if (status == TR_OK)
        status = tr_behavior_cast_create(&maker->def, cast, error);
    if (status != TR_OK) {
        for (uint32_t i = 0; i < maker->clip_count; i++)
            tr_clip_destroy((tr_clip *)maker->clips[i].motion);
        tr_clip_destroy(maker->stand);
        tr_body_destroy(maker->body);
        tr_skeleton_destroy(maker->skeleton);
    }
    tr_release(&maker->allocator, maker->states, maker->state_room, sizeof *maker->states);
    tr_release(&maker->allocator, maker->clips, maker->clip_room, sizeof *maker->clips);
    return status;
}

// ----------------------------------------------------------------------------------------------------- human

static const char *const human_labels[] = {"stands", "left", "right", "walks_left", "walks_right"};
#define HUMAN_LABELS (sizeof human_labels / sizeof *human_labels)

static bool is_ordinary(tr_behavior_clip_kind kind) {
    return kind == TR_BEHAVIOR_CLIP_START || kind == TR_BEHAVIOR_CLIP_END || kind == TR_BEHAVIOR_CLIP_JOG ||
           kind == TR_BEHAVIOR_CLIP_SHORT || kind == TR_BEHAVIOR_CLIP_WAIT ||
           kind >= TR_BEHAVIOR_CLIP_SET_OUT;
}

static tr_status find_human_body(kind_maker *maker, const tr_behavior_cast_human_def *def, tr_error *error) {
    maker->def.skeleton = def->skeleton;
    maker->def.body = def->body;
    if (def->skeleton)
        return TR_OK;
    tr_mannequin_def mannequin = def->mannequin;
    mannequin.allocator = def->allocator;
    tr_status status = tr_mannequin_make(&mannequin, &maker->skeleton, &maker->body, error);
    maker->def.skeleton = maker->skeleton;
    maker->def.body = maker->body;
    return status;
}

static tr_status check_human(const tr_behavior_cast_human_def *def, tr_error *error) {
    if (def->body && !def->skeleton)
        return tr_fail(error, TR_INVALID, "the body of a behavior cast needs its skeleton");
    if (def->seed >= UINT32_MAX / SEEDS - 1)
        return tr_fail(error, TR_INVALID, "the seed is %u, it must be less than %u", def->seed,
                       UINT32_MAX / SEEDS - 1);
    return TR_OK;
}

static tr_status add_human_state(kind_maker *maker, const tr_behavior_cast_human_def *def,
                                 const tr_behavior_clip_state *from, tr_error *error) {
    uint32_t clips = def->clips_max > 0 && def->clips_max < from->clip_count && from->heights[0] == 0
                         ? def->clips_max
                         : from->clip_count;
    tr_behavior_cast_state *state = add_state(maker, from->name, from->weight);
    state->serves = is_ordinary(from->def.kind) ? 0 : TR_BEHAVIOR_CAST_MEASURE;
    if (from->def.kind == TR_BEHAVIOR_CLIP_JUMP && from->def.length > DITCH * from->def.height)
        state->depth = from->def.length; // across a ditch no foot comes down on the way
    state->parametrised = clips > 1 && from->heights[0] > 0;
    for (uint32_t i = 0; i < clips; i++) {
        tr_behavior_clip_def clip = from->def;
        tr_behavior_clip_info info;
        tr_clip *motion = NULL;
        double faster = def->frames_per_second == 0 ? 1 : def->frames_per_second / HUMAN_RATE;
        clip.allocator = def->allocator;
        clip.seed = def->seed == 0 ? clip.seed + i : SEEDS * def->seed + clip.seed + i;
        if (from->heights[0] > 0) { // all alike, so that they can be mixed
            clip.height = from->heights[i];
            clip.seed = from->def.seed;
        }
        clip.frames_per_second = def->frames_per_second;
        clip.extra = (uint32_t)(clip.extra * (faster > 0 && faster < 100 ? faster : 1) + 0.5);
        tr_error why = {0};
        tr_status status = tr_behavior_clip_make(&clip, &motion, &info, &why);
        if (status != TR_OK)
            return tr_fail(error, status, "state \"%s\": %.340s", from->name, why.message);
        tr_behavior_cast_clip made = {.motion = motion,
                                      .first = info.first,
                                      .last = info.last,
                                      .action = info.action,
                                      .rise = info.rise,
                                      .parameter = from->heights[i]};
        add_clip(maker, made);
        state->begin = (uint32_t)info.begin;
        state->end = (uint32_t)info.end;
        if (state->begin >= HUMAN_LABELS || state->end >= HUMAN_LABELS)
            return tr_fail(error, TR_INVALID, "state \"%s\" has a label without a name", from->name);
    }
    return TR_OK;
}

static tr_status make_stand(kind_maker *maker, tr_error *error) {
    tr_gait_def def = {
        .allocator = &maker->allocator, .skeleton = maker->def.skeleton, .kind = TR_GAIT_STAND};
    return tr_gait_make(&def, &maker->stand, error);
}

tr_status tr_behavior_cast_human(const tr_behavior_cast_human_def *def, tr_behavior_cast **cast,
                                 tr_error *error) {
    *cast = NULL;
    static const char *const names[] = {"human", "walker"};
    tr_behavior_clip_state states[TR_BEHAVIOR_CLIP_STATES_MAX];
    uint32_t count = 0, clips = 0;
    kind_maker maker = {0};
    maker.allocator = tr_allocator_or_default(def->allocator);
    tr_status status = check_human(def, error);
    if (status == TR_OK)
        status = find_human_body(&maker, def, error);
    const tr_skeleton *skeleton = maker.def.skeleton;
    const tr_body *body = maker.def.body;
    if (status == TR_OK)
        status = tr_behavior_clip_repertoire(skeleton, def->set, states, &count, error);
    for (uint32_t i = 0; i < count; i++)
        clips += states[i].clip_count;
    if (status == TR_OK)
        status = begin(&maker, def->allocator, names[def->set], count, clips, error);
    maker.def.skeleton = skeleton, maker.def.body = body;
    maker.def.radius = def->radius;
    maker.def.core = def->set == TR_BEHAVIOR_CLIPS_WALKER;
    maker.def.labels = human_labels;
    maker.def.label_count = HUMAN_LABELS;
    maker.def.rest = TR_BEHAVIOR_CLIP_STANDS;
    maker.def.up = HUMAN_UP, maker.def.down = HUMAN_DOWN;
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = add_human_state(&maker, def, &states[i], error);
    if (status == TR_OK)
        status = make_stand(&maker, error);
    return end(&maker, status, cast, error);
}

// ----------------------------------------------------------------------------------------------------- horse

static tr_status add_horse_clip(kind_maker *maker, const tr_horse_clip_def *def, const char *name,
                                float weight, tr_error *error) {
    tr_clip *motion = NULL;
    tr_status status = tr_horse_clip_make(def, &motion, error);
    if (status != TR_OK)
        return status;
    uint32_t first = def->extra_frames / 2;
    tr_behavior_cast_state *state = add_state(maker, name, weight);
    tr_behavior_cast_clip clip = {
        .motion = motion, .first = first, .last = first + def->frames, .action = -1};
    add_clip(maker, clip);
    state->begin = def->kind == TR_HORSE_START || def->kind == TR_HORSE_STAND ? 0 : 1;
    state->end = def->kind == TR_HORSE_END || def->kind == TR_HORSE_STAND ? 0 : 1;
    return TR_OK;
}

// The five gallops of the paper, setting off, halting and standing. Horses of other heights move alike at
// speeds and times that grow with the square root of the height.
tr_status tr_behavior_cast_horse(const tr_horse_def *def, tr_behavior_cast **cast, tr_error *error) {
    static const char *const labels[] = {"stands", "gallops"};
    *cast = NULL;
    kind_maker maker = {0};
    tr_status status = begin(&maker, def->allocator, "horse", HORSE_STATES, HORSE_STATES, error);
    if (status == TR_OK)
        status = tr_horse_make(def, &maker.skeleton, &maker.body, error);
    maker.def.skeleton = maker.skeleton, maker.def.body = maker.body;
    maker.def.labels = labels;
    maker.def.label_count = 2;
    tr_behavior_motion_limb limbs[TR_HORSE_LEG_COUNT];
    for (uint32_t i = 0; i < TR_HORSE_LEG_COUNT; i++) {
        tr_horse_leg_joints leg = tr_horse_get_leg(i);
        limbs[i] = (tr_behavior_motion_limb){leg.upper, leg.lower, leg.toe, leg.contact};
    }
    maker.def.limbs = limbs;
    maker.def.limb_count = TR_HORSE_LEG_COUNT;
    double grown = sqrt((double)(def->height == 0 ? HORSE_HEIGHT : def->height) / (double)HORSE_HEIGHT);
    tr_horse_clip_def stand = {.allocator = &maker.allocator,
                               .skeleton = maker.skeleton,
                               .kind = TR_HORSE_STAND,
                               .frames_per_second = HUMAN_RATE};
    tr_horse_clip_def wait = stand;
    wait.frames = HORSE_WAIT; // and one more frame, at which it has come round
    wait.extra_frames = 2;
    for (uint32_t i = 0; i + 1 < HORSE_STATES && status == TR_OK; i++) {
        bool departs = i >= TR_HORSE_BEHAVIORS;
        tr_horse_kind kind = !departs                  ? TR_HORSE_GALLOP
                             : i == TR_HORSE_BEHAVIORS ? TR_HORSE_START
                                                       : TR_HORSE_END;
        tr_horse_behavior behavior = tr_horse_get_behavior(departs ? 0 : i);
        uint32_t stride = (uint32_t)(behavior.frames * grown + 0.5);
        tr_horse_clip_def clip = {.allocator = &maker.allocator,
                                  .skeleton = maker.skeleton,
                                  .kind = kind,
                                  .speed = (float)(behavior.speed * grown),
                                  .turn = behavior.turn,
                                  .frames = departs ? HORSE_DEPARTS * stride : stride,
                                  .frames_per_second = behavior.frames_per_second,
                                  .extra_frames = behavior.extra_frames};
        status = add_horse_clip(&maker, &clip,
                                kind == TR_HORSE_START ? "start"
                                : kind == TR_HORSE_END ? "end"
                                                       : behavior.name,
                                behavior.weight, error);
    }
    if (status == TR_OK)
        status = add_horse_clip(&maker, &wait, "stand", HORSE_WAIT_WEIGHT, error);
    if (status == TR_OK)
        status = tr_horse_clip_make(&stand, &maker.stand, error);
    return end(&maker, status, cast, error);
}

// ---------------------------------------------------------------------------------------------- skateboarder

static tr_status add_ride(kind_maker *maker, tr_skateboarder_behavior behavior, double grown,
                          tr_error *error) {
    tr_skateboarder_clip_def def = {.allocator = &maker->allocator,
                                    .skeleton = maker->skeleton,
                                    .kind = behavior.kind,
                                    .turn = behavior.turn,
                                    .frames_per_second = SKATEBOARDER_RATE,
                                    .extra_frames = behavior.extra_frames};
    tr_clip *motion = NULL;
    tr_status status = tr_skateboarder_clip_make(&def, &motion, error);
    if (status != TR_OK)
        return status;
    tr_behavior_cast_state *state = add_state(maker, behavior.name, behavior.weight);
    uint32_t first = def.extra_frames / 2;
    tr_behavior_cast_clip clip = {
        .motion = motion,
        .first = first,
        .last = tr_clip_frame_count(motion) - first,
        .action = behavior.action < 0 ? -1 : behavior.action * grown + first / SKATEBOARDER_RATE};
    add_clip(maker, clip);
    state->begin = behavior.stands_before ? 0 : 1;
    state->end = behavior.stands_after ? 0 : 1;
    state->serves = behavior.action < 0 ? 0 : TR_BEHAVIOR_CAST_MEASURE;
    return TR_OK;
}

tr_status tr_behavior_cast_skateboarder(const tr_mannequin_def *def, tr_behavior_cast **cast,
                                        tr_error *error) {
    static const char *const labels[] = {"stands", "glides"};
    *cast = NULL;
    kind_maker maker = {0};
    tr_status status = begin(&maker, def->allocator, "skateboarder", TR_SKATEBOARDER_BEHAVIORS,
                             TR_SKATEBOARDER_BEHAVIORS, error);
    if (status == TR_OK)
        status = tr_skateboarder_make(def, &maker.skeleton, &maker.body, error);
    maker.def.skeleton = maker.skeleton, maker.def.body = maker.body;
    maker.def.labels = labels;
    maker.def.label_count = 2;
    maker.def.up = SKATEBOARDER_UP, maker.def.down = HUMAN_DOWN;
    double height = def->height == 0 ? (double)tr_mannequin_shape_height(def->shape) : (double)def->height;
    double grown = sqrt(height / (double)HUMAN_HEIGHT);
    maker.def.depth = SKATEBOARDER_DEPTH * (float)(grown * grown);
    for (uint32_t i = 0; i < TR_SKATEBOARDER_BEHAVIORS && status == TR_OK; i++)
        status = add_ride(&maker, tr_skateboarder_get_behavior(i), grown, error);
    tr_skateboarder_clip_def stand = {.allocator = &maker.allocator,
                                      .skeleton = maker.skeleton,
                                      .kind = TR_SKATEBOARDER_STAND,
                                      .frames_per_second = SKATEBOARDER_RATE};
    if (status == TR_OK)
        status = tr_skateboarder_clip_make(&stand, &maker.stand, error);
    return end(&maker, status, cast, error);
}
