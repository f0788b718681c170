#include "cast_arms.h"
#include "cast_capsules.h"
#include "cast_fingerprint.h"

#include "troupe/base/scalar.h"
#include "troupe/motion/gait.h"

#include <stdio.h>

// The gaits of a cast that brings none of its own: they cover all speeds from standing to running.
static const struct {
    tr_gait_kind kind;
    float speed; // of an adult of 1.75 m [m/s]
} own_cycles[] = {{TR_GAIT_WALK, 0.7f}, {TR_GAIT_WALK, 1.0f}, {TR_GAIT_WALK, 1.4f}, {TR_GAIT_WALK, 1.8f},
                  {TR_GAIT_JOG, 2.2f},  {TR_GAIT_JOG, 3.0f},  {TR_GAIT_RUN, 4.2f},  {TR_GAIT_RUN, 6.0f}};
#define SETTLED 0.001f // a body that has this share of a move before it does not move yet, or no more
#define BOTH_FEET 15u  // labels of contact
#define OWN_CYCLES (sizeof own_cycles / sizeof own_cycles[0])
#define USUAL_LEG 0.85925f // from hip to ankle of an adult of 1.75 m [m]
#define USUAL_HEIGHT 1.75f
#define SHORT_LEG 0.75f // legs shorter than this share of an adult's of the same height are short
#define FASTER 1.05f    // each clip, at least, than the one before it
#define CYCLE_RATE 120  // frames are mixed linearly: at 60 a second, hips would jerk at each of them [1/s]

#define FACING_MAX 1.05 // further from +Z than this a body walks sideways or backwards [rad]
#define NECK_SHARE 0.4f // of the turn of the head

#define TURNS 4        // for each side, up to half a turn
#define TURN_PACE 1.6  // turns on the spot are played faster by this factor: half a turn takes two seconds
#define ASIDE_PACE 1.3 // the same for steps aside

static void note(const tr_cast_def *def, const char *sentence) {
    if (def->note)
        def->note(def->note_user, sentence);
}

static tr_status make_gait(const tr_cast *cast, tr_gait_kind kind, float speed, float angle,
                           const tr_clip **clip, tr_error *error) {
    tr_gait_def def = {.allocator = &cast->allocator,
                       .skeleton = cast->skeleton,
                       .kind = kind,
                       .speed = speed,
                       .angle = angle,
                       .frames_per_second = kind == TR_GAIT_STAND ? 0 : CYCLE_RATE};
    tr_clip *made = NULL;
    tr_status status = tr_gait_make(&def, &made, error);
    *clip = made;
    return status;
}

// The next cycle of a gait, no faster than the legs of this body can do it. Legs of unusual proportions may
// miss their places at that speed as well: then it is made slower. A cycle that is no faster than the one
// before it is left out.
static tr_status make_cycle(tr_cast *cast, const tr_cast_def *def, tr_gait_kind kind, float speed,
                            tr_error *error) {
    const float slower = 0.85f;
    float before = cast->cycle_count > 0 ? tr_clip_speed(cast->cycles[cast->cycle_count - 1]) : 0;
    float slowest = 0, fastest = 0, wanted = speed;
    tr_error why = {0};
    tr_status status = tr_gait_speeds(cast->skeleton, kind, &slowest, &fastest, error);
    if (status != TR_OK)
        return status;
    const float slack = 1e-6f; // of the range: rounding is no reason to change a speed
    speed = speed < slowest * (1 - slack) ? slowest : speed > fastest * (1 + slack) ? fastest : speed;
    bool done = false;
    slowest = fmaxf(slowest, before * FASTER) * (1 - slack);
    for (; !done && speed >= slowest; speed *= slower) {
        status = make_gait(cast, kind, speed, 0, &cast->cycles[cast->cycle_count], &why);
        if (status != TR_OK && status != TR_INVALID)
            return tr_fail(error, status, "%s", why.message);
        done = status == TR_OK;
    }
    cast->cycle_count += done;
    float made = done ? tr_clip_speed(cast->cycles[cast->cycle_count - 1]) : 0;
    char text[300];
    if (!done)
        snprintf(text, sizeof text, "this body cannot %s at %.2f m/s%s%.180s", tr_gait_name(kind),
                 (double)wanted, why.message[0] ? ": " : "", why.message);
    else if (made < wanted * 0.98f || made > wanted * 1.02f)
        snprintf(text, sizeof text, "the legs of this body %s at %.2f m/s, not at %.2f", tr_gait_name(kind),
                 (double)made, (double)wanted);
    else
        return TR_OK;
    note(def, text);
    return TR_OK;
}

static tr_status make_cycles(tr_cast *cast, const tr_cast_def *def, tr_error *error) {
    tr_status status = TR_OK;
    cast->stand = def->stand;
    if (!def->stand) {
        cast->own_stand = true;
        status = make_gait(cast, TR_GAIT_STAND, 0, 0, &cast->stand, error);
    }
    if (def->cycles) {
        for (uint32_t i = 0; i < def->cycle_count; i++)
            cast->cycles[cast->cycle_count++] = def->cycles[i];
        return status;
    }
    cast->own_cycles = true;
    // Bodies of different sizes walk alike at speeds that are proportional to the square root of the length
    // of their legs (equal Froude numbers).
    const tr_limb *leg = &cast->legs.limbs[0];
    float size = (leg->upper_length + leg->lower_length) / USUAL_LEG, scale = sqrtf(size), before = 0;
    for (uint32_t i = 0; i < OWN_CYCLES && status == TR_OK; i++) {
        float speed = own_cycles[i].speed * scale;
        // The legs of a child do not swing faster than an adult's: its fastest run is slower than alike.
        if (i + 1 == OWN_CYCLES && size < 1)
            speed = fmaxf(own_cycles[i].speed * size * (0.75f + 0.25f * size), FASTER * before);
        before = speed;
        status = make_cycle(cast, def, own_cycles[i].kind, speed, error);
    }
    if (status == TR_OK && cast->cycle_count == 0)
        status = tr_fail(error, TR_INVALID, "the legs of the skeleton can neither walk nor run");
    return status;
}

// A turn by `parts` of the TURNS parts of half a turn; 0: a step aside.
static tr_status make_move(tr_cast *cast, tr_gait_kind kind, uint32_t parts, tr_error *error) {
    tr_cast_move *move = &cast->moves[cast->move_count];
    tr_status status = make_gait(cast, kind, 0, (float)(TR_PI * parts / TURNS), &move->clip, error);
    if (status != TR_OK)
        return status;
    float turn = (float)parts * ((float)TR_PI / TURNS);
    move->pace = parts ? TURN_PACE : ASIDE_PACE;
    move->turn = kind == TR_GAIT_TURN_RIGHT ? -turn : turn;
    move->aside = parts ? 0 : tr_clip_advance(move->clip).x;
    cast->move_count++;
    return TR_OK;
}

// How far the body has gone or turned in a frame of a move, from 0 to 1.
static float share_moved(const tr_cast_move *move, uint32_t frame) {
    tr_base by = tr_base_difference(tr_clip_frame_base(move->clip, 0), tr_clip_frame_base(move->clip, frame));
    tr_base whole = tr_clip_advance(move->clip);
    return move->aside != 0 ? by.x / whole.x : by.heading / whole.heading;
}

static void find_motion(tr_cast_move *move) {
    uint32_t last = tr_clip_frame_count(move->clip) - 1, begin = 0, end = last;
    while (begin < last && fabsf(share_moved(move, begin + 1)) <= SETTLED)
        begin++;
    while (end > begin && fabsf(share_moved(move, end - 1) - 1) <= SETTLED &&
           tr_clip_frame_contacts(move->clip, end - 1) == BOTH_FEET)
        end--;
    move->begin = begin / tr_clip_rate(move->clip);
    move->end = end / tr_clip_rate(move->clip);
}

static tr_status make_moves(tr_cast *cast, const tr_cast_def *def, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < def->move_count; i++)
        cast->moves[cast->move_count++] = def->moves[i];
    cast->own_moves = !def->moves;
    for (uint32_t side = 0; side < 2 && cast->own_moves && status == TR_OK; side++) {
        for (uint32_t i = 1; i <= TURNS && status == TR_OK; i++)
            status = make_move(cast, side ? TR_GAIT_TURN_RIGHT : TR_GAIT_TURN_LEFT, i, error);
        if (status == TR_OK)
            status = make_move(cast, side ? TR_GAIT_STEP_RIGHT : TR_GAIT_STEP_LEFT, 0, error);
    }
    for (uint32_t i = 0; i < cast->move_count; i++)
        find_motion(&cast->moves[i]);
    return status;
}

static tr_status make_locomotion(tr_cast *cast, tr_error *error) {
    tr_locomotion_def def = {.allocator = &cast->allocator,
                             .skeleton = cast->skeleton,
                             .stand = cast->stand,
                             .cycles = cast->cycles,
                             .cycle_count = cast->cycle_count};
    cast->own_locomotion = true;
    return tr_locomotion_create(&def, &cast->locomotion, error);
}

static void measure_bends(tr_cast *cast, const tr_pose *pose, const tr_affine *model) {
    static const tr_role roles[TR_CAST_BENDS] = {
        [TR_CAST_SPINE] = TR_ROLE_SPINE,
        [TR_CAST_CHEST] = TR_ROLE_CHEST,
        [TR_CAST_UPPER_CHEST] = TR_ROLE_UPPER_CHEST,
        [TR_CAST_NECK] = TR_ROLE_NECK,
        [TR_CAST_HEAD] = TR_ROLE_HEAD,
        [TR_CAST_LEFT_UPPER_ARM] = TR_ROLE_LEFT_UPPER_ARM,
        [TR_CAST_LEFT_FOREARM] = TR_ROLE_LEFT_FOREARM,
        [TR_CAST_RIGHT_UPPER_ARM] = TR_ROLE_RIGHT_UPPER_ARM,
        [TR_CAST_RIGHT_FOREARM] = TR_ROLE_RIGHT_FOREARM,
    };
    for (uint32_t i = 0; i < TR_CAST_BENDS; i++) {
        uint32_t joint = tr_skeleton_with_role(cast->skeleton, roles[i]);
        uint32_t above = joint != TR_NONE ? tr_skeleton_parents(cast->skeleton)[joint] : TR_NONE;
        tr_cast_joint *bend = &cast->bends[i];
        *bend = (tr_cast_joint){.joint = above != TR_NONE ? joint : TR_NONE};
        if (above == TR_NONE)
            continue;
        tr_quat to_parent = tr_quat_conjugate(tr_quat_normalize(tr_affine_rotation(&model[above])));
        bend->left = tr_quat_rotate(to_parent, tr_vec3_make(1, 0, 0));
        bend->ahead = tr_quat_rotate(to_parent, tr_vec3_make(0, 0, 1));
        bend->stands = tr_pose_rotation(pose, joint);
    }
}

// The trunk leans evenly in its joints; a head without a neck turns alone.
static void find_spine(tr_cast *cast) {
    static const tr_role roles[] = {TR_ROLE_SPINE, TR_ROLE_CHEST, TR_ROLE_UPPER_CHEST, TR_ROLE_NECK,
                                    TR_ROLE_HEAD};
    const uint32_t *parents = tr_skeleton_parents(cast->skeleton);
    tr_cast_spine *spine = &cast->spine;
    uint32_t head = tr_skeleton_with_role(cast->skeleton, TR_ROLE_HEAD), count = 0, trunk = 0, of_trunk = 0;
    for (uint32_t joint = head; joint != TR_NONE; joint = parents[joint])
        count++;
    spine->chain_count = count <= TR_CAST_CHAIN_MAX ? count : 0; // longer ones are no spines
    for (uint32_t i = spine->chain_count, joint = head; i > 0; i--, joint = parents[joint])
        spine->chain[i - 1] = joint;
    for (uint32_t i = 0; i < 3; i++)
        trunk += tr_skeleton_with_role(cast->skeleton, roles[i]) != TR_NONE;
    for (uint32_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        uint32_t joint = tr_skeleton_with_role(cast->skeleton, roles[i]), place = 0;
        of_trunk += i < 3 && joint != TR_NONE;
        while (place < spine->chain_count && spine->chain[place] != joint)
            place++;
        bool follows = spine->count == 0 || place > spine->place[spine->count - 1];
        if (joint == TR_NONE || place == spine->chain_count || !follows)
            continue;
        spine->place[spine->count] = place;
        spine->share[spine->count++] = i < 3                      ? (float)of_trunk / (float)trunk
                                       : roles[i] == TR_ROLE_HEAD ? 1
                                                                  : NECK_SHARE;
        spine->trunk_count += i < 3;
    }
}

static tr_status measure_stand(tr_cast *cast, tr_error *error) {
    const tr_allocator *allocator = &cast->allocator;
    uint32_t joints = tr_skeleton_joint_count(cast->skeleton);
    tr_pose poses[3] = {0};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < 3 && status == TR_OK; i++)
        status = tr_pose_create(allocator, joints, &poses[i], error);
    tr_affine *model = tr_allocate(allocator, 2 * (size_t)joints, sizeof *model);
    if (status == TR_OK && !model)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a cast");
    if (status == TR_OK) {
        tr_footstep_motion_view view = {.legs = &cast->legs,
                                        .skeleton = cast->skeleton,
                                        .locomotion = cast->locomotion,
                                        .pose = &poses[0],
                                        .scratch = poses + 1,
                                        .model = model};
        cast->footstep_motion_stand = tr_footstep_motion_measure(&view);
        tr_locomotion_state stand = {0}; // measuring left the pose of a step
        uint32_t labels;
        tr_locomotion_step(cast->locomotion, &stand, 0, 0, &poses[0], poses + 1, &labels);
        tr_pose_to_model(cast->skeleton, &poses[0], NULL, model);
        status = tr_cast_fit_capsules(cast, model, error);
        cast->radius = tr_cast_measure_radius(cast, model);
        cast->depth = cast->own_body && cast->body ? tr_cast_measure_depth(cast, model) : 0;
        tr_cast_measure_arms(cast, &poses[0], model, &poses[1], model + joints);
        measure_bends(cast, &poses[0], model);
        find_spine(cast);
    }
    tr_release(allocator, model, 2 * (size_t)joints, sizeof *model);
    for (uint32_t i = 0; i < 3; i++)
        tr_pose_destroy(&poses[i]);
    return status;
}

// A body that stands on two legs is upright at rest; roles alone may be those of an animal on four.
static tr_status check_upright(const tr_skeleton *skeleton, tr_error *error) {
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS),
             head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    if (hips == TR_NONE || head == TR_NONE)
        return TR_OK; // a gait names what it misses
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_vec3 up = tr_vec3_subtract(tr_affine_position(&rest[head]), tr_affine_position(&rest[hips]));
    float aside = sqrtf(up.x * up.x + up.z * up.z);
    if (up.y > aside)
        return TR_OK;
    return tr_fail(
        error, TR_INVALID,
        "the skeleton does not stand upright at rest: its head is %.2f m above its hips and %.2f m "
        "beside them; characters walk on two legs",
        (double)up.y, (double)aside);
}

// Characters walk where they face, and that is +Z at rest.
static tr_status check_facing(const tr_skeleton *skeleton, tr_error *error) {
    double facing = (double)tr_skeleton_facing(skeleton);
    if (fabs(facing) <= FACING_MAX)
        return TR_OK;
    return tr_fail(error, TR_INVALID,
                   "the skeleton faces %.0f degrees from +Z at rest, characters face +Z (tr_figure_turn)",
                   facing * (180 / TR_PI));
}

static tr_status check_def(const tr_cast_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a cast needs a skeleton");
    if (def->performs)
        return def->stand && tr_clip_joint_count(def->stand) == tr_skeleton_joint_count(def->skeleton)
                   ? TR_OK
                   : tr_fail(error, TR_INVALID,
                             "a cast that moves by behaviors alone needs a clip for standing");
    if (def->cycles && (def->cycle_count == 0 || def->cycle_count > TR_LOCOMOTION_CLIPS_MAX))
        return tr_fail(error, TR_INVALID, "the cast has %u cycles, it must have 1 to %u", def->cycle_count,
                       TR_LOCOMOTION_CLIPS_MAX);
    if (def->moves ? def->move_count == 0 || def->move_count > TR_CAST_MOVES_MAX : def->move_count > 0)
        return tr_fail(error, TR_INVALID, "the cast has %u moves, it must have 1 to %u", def->move_count,
                       TR_CAST_MOVES_MAX);
    tr_status status = check_upright(def->skeleton, error);
    if (status == TR_OK)
        status = check_facing(def->skeleton, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < def->move_count; i++) {
        const tr_cast_move *move = &def->moves[i];
        bool turns = isfinite(move->turn) && move->turn != 0;
        bool goes = isfinite(move->aside) && move->aside != 0;
        if (!move->clip || turns == goes || !(move->pace > 0 && move->pace < 100) ||
            tr_clip_joint_count(move->clip) != tr_skeleton_joint_count(def->skeleton))
            return tr_fail(error, TR_INVALID,
                           "move %u of the cast needs a clip for its skeleton, either a turn (%g rad) or a "
                           "step aside (%g m), and a pace above 0 and below 100 (%g)",
                           i, (double)move->turn, (double)move->aside, move->pace);
    }
    return TR_OK;
}

// Children have shorter legs than adults, too; figures of games may have half of that.
static float stature_of(const tr_cast *cast) {
    const tr_limb *leg = &cast->legs.limbs[0];
    float length = leg->upper_length + leg->lower_length, usual = USUAL_LEG / USUAL_HEIGHT * cast->height;
    return length < SHORT_LEG * usual ? cast->height * length / usual : cast->height;
}

// Everything that a body needs that walks.
static tr_status measure_walker(tr_cast *cast, const tr_cast_def *def, tr_error *error) {
    tr_status status = tr_legs_measure(cast->skeleton, &cast->legs, error);
    cast->stature = status == TR_OK ? stature_of(cast) : 0;
    if (status == TR_OK)
        status = make_cycles(cast, def, error);
    if (status == TR_OK)
        status = make_moves(cast, def, error);
    if (status == TR_OK)
        status = make_locomotion(cast, error);
    return status == TR_OK ? measure_stand(cast, error) : status;
}

// The posture of a body that only performs is that of its clips.
static void leave_out_joints(tr_cast *cast) {
    for (uint32_t i = 0; i < 4; i++)
        cast->arms[i / 2][i % 2] = TR_NONE;
    for (uint32_t i = 0; i < TR_CAST_BENDS; i++)
        cast->bends[i].joint = TR_NONE;
}

tr_status tr_cast_create(const tr_cast_def *def, tr_cast **cast, tr_error *error) {
    *cast = NULL;
    tr_status status = check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_cast *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a cast");
    made->allocator = allocator;
    made->skeleton = def->skeleton;
    made->body = def->body;
    made->height = tr_skeleton_height(def->skeleton);
    if (def->performs) {
        made->stand = def->stand;
        made->stature = made->height;
        leave_out_joints(made);
    } else
        status = measure_walker(made, def, error);
    if (status != TR_OK) {
        tr_cast_destroy(made);
        return status;
    }
    made->fingerprint = tr_cast_fingerprint(made);
    *cast = made;
    return TR_OK;
}

// A clip that was made here; all others only read it.
static void destroy_clip(const tr_clip *clip) {
    tr_clip_destroy((tr_clip *)clip);
}

void tr_cast_destroy(tr_cast *cast) {
    if (!cast)
        return;
    if (cast->own_locomotion)
        tr_locomotion_destroy(cast->locomotion);
    if (cast->own_stand)
        destroy_clip(cast->stand);
    for (uint32_t i = 0; cast->own_cycles && i < cast->cycle_count; i++)
        destroy_clip(cast->cycles[i]);
    for (uint32_t i = 0; cast->own_moves && i < cast->move_count; i++)
        destroy_clip(cast->moves[i].clip);
    tr_body_destroy(cast->own_body);
    tr_skeleton_destroy(cast->own_skeleton);
    tr_allocator allocator = cast->allocator;
    tr_release(&allocator, cast, 1, sizeof *cast);
}

const tr_cast_move *tr_cast_turn(const tr_cast *cast, float angle, float *part) {
    const tr_cast_move *best = NULL;
    float size = fabsf(angle), least = INFINITY;
    for (uint32_t i = 0; i < cast->move_count; i++) {
        const tr_cast_move *move = &cast->moves[i];
        float off = fabsf(fabsf(move->turn) - size);
        if (move->turn == 0 || (move->turn > 0) != (angle > 0) || off > least)
            continue;
        least = off;
        best = move;
    }
    *part = best ? size / fabsf(best->turn) : 0;
    return best;
}

const tr_cast_move *tr_cast_aside(const tr_cast *cast, bool to_left) {
    const tr_cast_move *best = NULL;
    for (uint32_t i = 0; i < cast->move_count; i++) {
        float way = to_left ? cast->moves[i].aside : -cast->moves[i].aside;
        if (way > 0 && (!best || way > fabsf(best->aside)))
            best = &cast->moves[i];
    }
    return best;
}
