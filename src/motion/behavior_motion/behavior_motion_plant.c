// What touches the ground is held: for each limb the periods in which a point of it touches the ground, and
// where that point is held. Between two of them the correction goes smoothly from one to the next, so that a
// foot comes down where it will stand.
#include "behavior_motion_data.h"

#define BULGE_POINTS 8   // of the line from one plant to the next, at which the floor is asked
#define BULGE_MOST 0.3f  // [m]
#define SLOPED 0.005f    // plants that differ by more in height are on a slope [m]
#define SLOPE_REACH 0.2f // the slope of the floor is measured this far to either side [m]
#define DROP_MOST 0.2f   // of the hips [m]
#define DROP_EARLY 0.15  // hips come down so long before a leg would be too short [s]

static tr_vec3 turned_about(tr_vec3 pivot, tr_quat turn, tr_vec3 point) {
    return tr_vec3_add(pivot, tr_quat_rotate(turn, tr_vec3_subtract(point, pivot)));
}

static tr_quat yaw_of(float angle) {
    return tr_quat_about(tr_vec3_make(0, 1, 0), (double)angle);
}

static tr_quat tilt_of(tr_vec2 slope) {
    return tr_quat_between(tr_vec3_make(0, 1, 0), tr_vec3_make(-slope.x, 1, -slope.z));
}

static float nearest_turn(float from, float to) {
    double by = (double)to - (double)from, turns = floor(by / (2 * TR_PI) + 0.5);
    return (float)(by - turns * (2 * TR_PI));
}

void tr_motion_track_limb(const motion_limb *limb, const tr_affine *model, motion_track *track) {
    track->upper = tr_affine_position(&model[limb->upper]);
    track->end = tr_affine_position(&model[limb->end]);
    track->points[0] = track->points[1] = track->end;
    track->yaw = 0;
    if (!limb->is_foot)
        return;
    track->points[0] = tr_foot_heel(&limb->foot, model);
    track->points[1] = tr_foot_ball(&limb->foot, model);
    tr_vec3 along = tr_vec3_subtract(track->points[1], track->points[0]);
    track->yaw = (float)tr_arc_tangent((double)along.x, (double)along.z);
}

// Heel and ball of a foot; one point of other limbs.
static uint8_t touches(const motion_limb *limb, uint32_t labels) {
    labels &= limb->contacts;
    if (!limb->is_foot)
        return labels != 0;
    bool heel = labels & (TR_CONTACT_LEFT_HEEL | TR_CONTACT_RIGHT_HEEL);
    bool toes = labels & (TR_CONTACT_LEFT_TOES | TR_CONTACT_RIGHT_TOES);
    return (uint8_t)(heel | toes << 1);
}

static motion_track *track_of(const tr_behavior_motion *motion, uint32_t limb, uint32_t frame) {
    return &motion->tracks[(size_t)limb * motion->frame_count + frame];
}

static void track_frames(tr_behavior_motion *motion) {
    for (uint32_t k = 0; k < motion->frame_count; k++) {
        double time = k / motion->rate;
        tr_affine place;
        tr_motion_raw(motion, time, &motion->poses[0], &motion->poses[1], &place);
        tr_pose_to_model(motion->skeleton, &motion->poses[0], &place, motion->model);
        uint32_t labels = tr_motion_labels(motion, time);
        for (uint32_t i = 0; i < motion->limb_count; i++) {
            motion_track *track = track_of(motion, i, k);
            tr_motion_track_limb(&motion->limbs[i], motion->model, track);
            track->contacts = touches(&motion->limbs[i], labels);
        }
    }
}

// ------------------------------------------------------------------------------------------------- finding

// Cuts the contacts of a limb into plants. Without `plants` they are counted only.
static uint32_t cut(const tr_behavior_motion *motion, uint32_t limb, motion_plant *plants) {
    uint32_t count = 0;
    uint8_t before = 0;
    for (uint32_t k = 0; k < motion->frame_count; k++) {
        uint8_t now = track_of(motion, limb, k)->contacts;
        if (now && now != before) {
            if (plants)
                plants[count] = (motion_plant){.begin = k,
                                               .toes = !(now & 1),
                                               .flat = now == 3 && motion->limbs[limb].is_foot,
                                               .joins = before != 0};
            count++;
        }
        if (now && plants)
            plants[count - 1].end = k;
        before = now;
    }
    return count;
}

static bool find_plants(tr_behavior_motion *motion) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < motion->limb_count; i++) {
        motion->plant_first[i] = count;
        count += cut(motion, i, NULL);
    }
    motion->plant_first[motion->limb_count] = count;
    void *plants = motion->plants;
    bool room = tr_reserve(&motion->allocator, &plants, &motion->plant_room, count, sizeof *motion->plants);
    motion->plants = plants;
    for (uint32_t i = 0; i < motion->limb_count && room; i++)
        cut(motion, i, motion->plants + motion->plant_first[i]);
    return room;
}

// ------------------------------------------------------------------------------------------------- placing

// The mean over a plant; of the first and the last one the end of the chain that they reach, so that a body
// begins and ends as its clips do.
static uint32_t last_frame(const tr_behavior_motion *motion, const motion_plant *plant, uint32_t *from) {
    *from = plant->begin;
    if (plant->begin == 0)
        return 0;
    if (plant->end == motion->frame_count - 1)
        *from = plant->end;
    return plant->end;
}

// Where the body that is there already has a limb, if the plant is under it.
static bool stands_on(const tr_behavior_motion *motion, uint32_t limb, const motion_plant *plant,
                      motion_track *track) {
    if (plant->begin != 0 || !motion->stands)
        return false;
    tr_motion_track_limb(&motion->limbs[limb], motion->stands, track);
    return true;
}

static void turn_plant(const tr_behavior_motion *motion, uint32_t limb, motion_plant *plant) {
    motion_track there;
    uint32_t from, to = last_frame(motion, plant, &from);
    float first = track_of(motion, limb, from)->yaw, sum = 0;
    for (uint32_t k = from; k <= to; k++)
        sum += nearest_turn(first, track_of(motion, limb, k)->yaw);
    plant->yaw = stands_on(motion, limb, plant, &there) ? there.yaw : first + sum / (float)(to - from + 1);
    uint32_t ends[2] = {plant->begin, plant->end};
    for (int i = 0; i < 2; i++)
        plant->turn[i] = nearest_turn(track_of(motion, limb, ends[i])->yaw, plant->yaw);
}

// The turn of the heading of a foot at a time [frames]: held by flat plants, in between from one to the next.
static float turn_at(const tr_behavior_motion *motion, uint32_t limb, uint32_t number, double frame,
                     float yaw) {
    const motion_plant *plants = motion->plants + motion->plant_first[limb];
    uint32_t count = motion->plant_first[limb + 1] - motion->plant_first[limb];
    uint32_t before = number + 1, after = number; // 1 + the flat plant that began last; the next one
    while (before > 0 && !(plants[before - 1].flat && frame >= plants[before - 1].begin))
        before--;
    const motion_plant *last = before > 0 ? &plants[before - 1] : NULL;
    if (last && frame <= last->end)
        return nearest_turn(yaw, last->yaw);
    while (after < count && !(plants[after].flat && frame <= plants[after].begin))
        after++;
    float from = last ? last->turn[1] : 0, to = after < count ? plants[after].turn[0] : from;
    double left = last ? last->end : 0, right = after < count ? plants[after].begin : motion->frame_count;
    return from + (float)tr_ease((frame - left) / (right - left)) * (to - from);
}

// How a foot is turned by its plant, or between two plants: slopes go from one to the next.
static tr_quat turn_of(const tr_behavior_motion *motion, uint32_t limb, uint32_t number, double frame,
                       float yaw) {
    if (!motion->limbs[limb].is_foot)
        return tr_quat_identity();
    const motion_plant *plants = motion->plants + motion->plant_first[limb];
    uint32_t count = motion->plant_first[limb + 1] - motion->plant_first[limb];
    tr_vec2 slope = plants[number].slope;
    if (number + 1 < count && frame > plants[number].end) {
        const motion_plant *a = &plants[number], *b = &plants[number + 1];
        float gone = (float)tr_ease((frame - a->end) / (b->begin - a->end));
        slope = tr_vec2_add(slope, tr_vec2_scale(tr_vec2_subtract(b->slope, slope), gone));
    }
    float turn = turn_at(motion, limb, number, frame, yaw);
    return tr_quat_multiply(tilt_of(slope), yaw_of(turn));
}

// Where a point of a limb is at a frame of a plant once the foot is turned.
static tr_vec3 point_of(const tr_behavior_motion *motion, uint32_t limb, uint32_t number, uint32_t frame,
                        bool toes) {
    const motion_track *track = track_of(motion, limb, frame);
    tr_quat turn = turn_of(motion, limb, number, frame, track->yaw);
    return turned_about(track->end, turn, track->points[toes]);
}

static tr_vec3 point_at(const tr_behavior_motion *motion, uint32_t limb, uint32_t number, uint32_t frame) {
    const motion_plant *plant = &motion->plants[motion->plant_first[limb] + number];
    return point_of(motion, limb, number, frame, plant->toes);
}

static bool is_special(const tr_behavior_motion *motion, uint32_t frame) {
    double since;
    return motion->steps[tr_motion_step_number(motion, frame / motion->rate, &since)].is.special;
}

static bool is_mix(const tr_behavior_motion *motion, uint32_t frame) {
    double since;
    return motion->steps[tr_motion_step_number(motion, frame / motion->rate, &since)].is.share > 0;
}

static float floor_near(const tr_behavior_motion *motion, float x, float z) {
    return motion->floor(motion->floor_user, (tr_vec2){x, z});
}

// Onto the floor, as high above it as the clip has the point above its ground.
static void lay(const tr_behavior_motion *motion, motion_plant *plant, uint32_t frame) {
    if (!motion->floor || is_special(motion, plant->begin) || is_special(motion, plant->end))
        return;
    float x = plant->anchor.x, z = plant->anchor.z;
    float ground = tr_motion_ground(motion, frame / motion->rate);
    plant->anchor.y += floor_near(motion, x, z) - ground;
    plant->slope = (tr_vec2){
        (floor_near(motion, x + SLOPE_REACH, z) - floor_near(motion, x - SLOPE_REACH, z)) / (2 * SLOPE_REACH),
        (floor_near(motion, x, z + SLOPE_REACH) - floor_near(motion, x, z - SLOPE_REACH)) /
            (2 * SLOPE_REACH)};
}

static tr_vec3 mean_point(const tr_behavior_motion *motion, uint32_t limb, uint32_t number, uint32_t from,
                          uint32_t to) {
    tr_vec3 first = point_at(motion, limb, number, from), sum = {0, 0, 0};
    for (uint32_t k = from; k <= to; k++)
        sum = tr_vec3_add(sum, tr_vec3_subtract(point_at(motion, limb, number, k), first));
    return tr_vec3_add(first, tr_vec3_scale(sum, 1 / (float)(to - from + 1)));
}

// How far the way to the goal and the height of the ground have moved a point of the body, out of its clip.
static tr_vec3 moved_by_root(const tr_behavior_motion *motion, tr_vec3 point, uint32_t frame) {
    double time = frame / motion->rate, sine, cosine;
    tr_vec3 by = {0, tr_motion_ground(motion, time), 0};
    float gone = tr_motion_goal_share(motion, time);
    if (gone == 0)
        return by;
    tr_base root = tr_motion_base(motion, time);
    tr_sin_cos(-(double)(gone * motion->goal_off.heading), &sine, &cosine);
    double x = (double)point.x - (double)root.x, z = (double)point.z - (double)root.z;
    by.x = gone * motion->goal_off.x + (float)(x - (cosine * x + sine * z));
    by.z = gone * motion->goal_off.z + (float)(z - (cosine * z - sine * x));
    return by;
}

// Where the next point of a foot is held: the clip rolls the foot from one to the other. If the point before
// still touches the ground, it has been held until now.
static tr_vec3 next_anchor(const tr_behavior_motion *motion, uint32_t limb, uint32_t number) {
    const motion_plant *plant = &motion->plants[motion->plant_first[limb] + number], *before = plant - 1;
    tr_vec3 point = point_at(motion, limb, number, plant->begin);
    if (is_mix(motion, plant->begin) && plant->toes != before->toes) {
        // The feet of two clips roll at different times: where the other point is while the foot is flat.
        tr_vec3 along = tr_vec3_subtract(point, point_of(motion, limb, number, plant->begin, before->toes));
        float far = tr_vec3_length(along);
        along.y = 0;
        float level = tr_vec3_length(along);
        return level > 0.5f * far ? tr_vec3_add(before->anchor, tr_vec3_scale(along, far / level)) : point;
    }
    if (track_of(motion, limb, plant->begin)->contacts & (before->toes ? 2 : 1)) {
        tr_vec3 held = point_of(motion, limb, number, plant->begin, before->toes);
        return tr_vec3_add(point, tr_vec3_subtract(before->anchor, held));
    }
    tr_vec3 last = point_at(motion, limb, number - 1, before->end);
    tr_vec3 moved = tr_vec3_subtract(moved_by_root(motion, point, plant->begin),
                                     moved_by_root(motion, last, before->end));
    return tr_vec3_subtract(tr_vec3_add(point, tr_vec3_subtract(before->anchor, last)), moved);
}

static void anchor_plant(tr_behavior_motion *motion, uint32_t limb, uint32_t number) {
    motion_plant *plant = &motion->plants[motion->plant_first[limb] + number];
    motion_track there;
    uint32_t from, to = last_frame(motion, plant, &from);
    if (number > 0 && plant->joins) {
        const motion_plant *before = plant - 1;
        plant->slope = before->slope;
        plant->anchor = next_anchor(motion, limb, number);
    } else if (stands_on(motion, limb, plant, &there)) {
        plant->anchor = there.points[plant->toes];
    } else {
        plant->anchor = mean_point(motion, limb, number, from, to);
        lay(motion, plant, (from + to) / 2);
        if (plant->slope.x != 0 || plant->slope.z != 0) { // the tilt moves the point
            float y = plant->anchor.y;
            plant->anchor = mean_point(motion, limb, number, from, to);
            plant->anchor.y = y;
        }
    }
    tr_vec3 first = tr_vec3_subtract(plant->anchor, point_at(motion, limb, number, plant->begin));
    tr_vec3 last = tr_vec3_subtract(plant->anchor, point_at(motion, limb, number, plant->end));
    plant->off[0] = first;
    plant->off[1] = last;
    plant->rate[0] = plant->rate[1] = tr_vec3_make(0, 0, 0);
    if (plant->end == plant->begin)
        return;
    tr_vec3 second = tr_vec3_subtract(plant->anchor, point_at(motion, limb, number, plant->begin + 1));
    tr_vec3 before = tr_vec3_subtract(plant->anchor, point_at(motion, limb, number, plant->end - 1));
    plant->rate[0] = tr_vec3_scale(tr_vec3_subtract(second, first), (float)motion->rate);
    plant->rate[1] = tr_vec3_scale(tr_vec3_subtract(last, before), (float)motion->rate);
}

// ------------------------------------------------------------------------------------------------- holding

static uint32_t number_at(const tr_behavior_motion *motion, uint32_t limb, double frame) {
    uint32_t low = motion->plant_first[limb], high = motion->plant_first[limb + 1], first = low;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (motion->plants[middle].begin <= frame)
            low = middle;
        else
            high = middle;
    }
    return low - first;
}

// From the correction of a plant to that of the next, with their rates; before the first and after the last
// to none, at the ends of the chain.
static tr_vec3 between(const tr_behavior_motion *motion, const motion_plant *a, const motion_plant *b,
                       double frame) {
    double begin = a ? a->end : 0, end = b ? b->begin : motion->frame_count - 1;
    double s = end > begin ? (frame - begin) / (end - begin) : 1, place, speed, placed, sped;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    tr_motion_fade(s, &place, &speed);
    tr_motion_fade(1 - s, &placed, &sped);
    float seconds = (float)((end - begin) / motion->rate);
    tr_vec3 off = {0, 0, 0};
    if (a)
        off = tr_vec3_add(tr_vec3_scale(a->off[1], (float)place),
                          tr_vec3_scale(a->rate[1], (float)speed * seconds));
    if (b)
        off = tr_vec3_add(off, tr_vec3_subtract(tr_vec3_scale(b->off[0], (float)placed),
                                                tr_vec3_scale(b->rate[0], (float)sped * seconds)));
    return off;
}

// On slopes the foot in the air follows the line from one plant to the next, as high above it as the clip has
// it above its ground: otherwise it would go through the rising floor ahead. Special steps have heights of
// their own.
static float swing_height(const tr_behavior_motion *motion, const motion_plant *a, const motion_plant *b,
                          double frame, tr_vec3 point) {
    double rate = motion->rate, s = (frame - a->end) / (b->begin - a->end);
    float first = a->off[1].y - (a->anchor.y - tr_motion_ground(motion, a->end / rate));
    float last = b->off[0].y - (b->anchor.y - tr_motion_ground(motion, b->begin / rate));
    float gone = (float)tr_ease(s), x = b->anchor.x - a->anchor.x, z = b->anchor.z - a->anchor.z;
    float length = x * x + z * z, along = gone;
    if (length > 1e-4f)
        along = ((point.x - a->anchor.x) * x + (point.z - a->anchor.z) * z) / length;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    float line = a->anchor.y + along * (b->anchor.y - a->anchor.y) + 4 * a->bulge * along * (1 - along);
    return line - tr_motion_ground(motion, frame / rate) + first + gone * (last - first);
}

bool tr_motion_hold_at(const tr_behavior_motion *motion, uint32_t limb, double time,
                       const motion_track *track, motion_hold *hold) {
    const motion_plant *plants = motion->plants + motion->plant_first[limb];
    uint32_t count = motion->plant_first[limb + 1] - motion->plant_first[limb];
    if (count == 0)
        return false;
    double frame = time * motion->rate;
    frame = frame < 0 ? 0 : frame > motion->frame_count - 1 ? motion->frame_count - 1 : frame;
    uint32_t number = number_at(motion, limb, frame);
    const motion_plant *plant = &plants[number];
    hold->turn = turn_of(motion, limb, number, frame, track->yaw);
    tr_vec3 off;
    if (frame < plant->begin)
        off = between(motion, NULL, plant, frame);
    else if (frame > plant->end) {
        const motion_plant *next = number + 1 < count ? plant + 1 : NULL;
        off = between(motion, plant, next, frame);
        if (next && !next->joins && fabsf(next->anchor.y - plant->anchor.y) > SLOPED &&
            !(is_special(motion, plant->end) && is_special(motion, next->begin)))
            off.y = swing_height(motion, plant, next, frame, tr_vec3_add(track->points[plant->toes], off));
    } else
        off =
            tr_vec3_subtract(plant->anchor, turned_about(track->end, hold->turn, track->points[plant->toes]));
    hold->end = tr_vec3_add(track->end, off);
    const tr_quat *q = &hold->turn;
    return tr_vec3_length(off) > MOTION_SMALL || q->x * q->x + q->y * q->y + q->z * q->z > 1e-13f;
}

// ---------------------------------------------------------------------------------------------------- hips

// How far the hips have to come down for a leg to reach as far as it did, or as it can.
static float lack_of(const motion_limb *limb, const motion_track *track, tr_vec3 end) {
    float was = tr_vec3_distance(track->upper, track->end);
    float reach = limb->limb.reach_max > was ? limb->limb.reach_max : was;
    tr_vec3 way = tr_vec3_subtract(track->upper, end);
    float across = way.x * way.x + way.z * way.z, room = reach * reach - across;
    float high = room > 0 ? sqrtf(room) : 0;
    float lack = way.y - high;
    return lack < 0 ? 0 : lack < DROP_MOST ? lack : DROP_MOST;
}

static void lower_hips(tr_behavior_motion *motion) {
    uint32_t count = motion->frame_count, window = (uint32_t)(DROP_EARLY * motion->rate + 0.5);
    bool any = false;
    for (uint32_t k = 0; k < count; k++)
        motion->drop[k] = 0;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < motion->limb_count; i++) {
            motion_hold hold;
            const motion_track *track = track_of(motion, i, k);
            if (!motion->limbs[i].is_foot || !tr_motion_hold_at(motion, i, k / motion->rate, track, &hold))
                continue;
            float lack = lack_of(&motion->limbs[i], track, hold.end);
            any = any || lack > 0;
            motion->drop[k] = lack > motion->drop[k] ? lack : motion->drop[k];
        }
    if (!any)
        return;
    // The most around each frame, then twice the mean around it: never less than the lack, without corners.
    // The tracks are used up: their first numbers are room for one curve.
    float *room = (float *)(void *)motion->tracks;
    for (uint32_t k = 0; k < count; k++) {
        room[k] = 0;
        for (uint32_t i = k > 2 * window ? k - 2 * window : 0; i <= k + 2 * window && i < count; i++)
            room[k] = motion->drop[i] > room[k] ? motion->drop[i] : room[k];
    }
    for (int pass = 0; pass < 2; pass++) {
        const float *from = pass ? motion->drop : room;
        float *to = pass ? room : motion->drop;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t low = k > window ? k - window : 0, high = k + window < count ? k + window : count - 1;
            float sum = 0;
            for (uint32_t i = low; i <= high; i++)
                sum += from[i];
            to[k] = sum / (float)(high - low + 1);
        }
    }
    for (uint32_t k = 0; k < count; k++)
        motion->drop[k] = room[k];
}

// Over a crest the floor is higher than the line from one plant to the next: the least parabola above it.
static void find_bulge(const tr_behavior_motion *motion, motion_plant *plant, const motion_plant *next) {
    plant->bulge = 0;
    for (uint32_t i = 1; i < BULGE_POINTS && motion->floor; i++) {
        float along = (float)i / BULGE_POINTS;
        tr_vec3 to = tr_vec3_scale(tr_vec3_subtract(next->anchor, plant->anchor), along);
        tr_vec3 at = tr_vec3_add(plant->anchor, to);
        // Anchors are as high above the floor as the points that are held.
        float low =
            plant->anchor.y - motion->floor(motion->floor_user, (tr_vec2){plant->anchor.x, plant->anchor.z});
        float over = motion->floor(motion->floor_user, (tr_vec2){at.x, at.z}) + low - at.y;
        float needs = over / (4 * along * (1 - along));
        plant->bulge = needs > plant->bulge ? needs : plant->bulge;
    }
    plant->bulge = plant->bulge < BULGE_MOST ? plant->bulge : BULGE_MOST;
}

bool tr_motion_set_plants(tr_behavior_motion *motion) {
    for (uint32_t i = 0; i <= MOTION_LIMBS; i++)
        motion->plant_first[i] = 0;
    if (motion->limb_count == 0)
        return true;
    track_frames(motion);
    if (!find_plants(motion))
        return false;
    for (uint32_t i = 0; i < motion->limb_count; i++) {
        uint32_t count = motion->plant_first[i + 1] - motion->plant_first[i];
        motion_plant *plants = motion->plants + motion->plant_first[i];
        for (uint32_t k = 0; k < count; k++)
            if (plants[k].flat)
                turn_plant(motion, i, &plants[k]);
        for (uint32_t k = 0; k < count; k++)
            anchor_plant(motion, i, k);
        for (uint32_t k = 0; k + 1 < count; k++)
            find_bulge(motion, &plants[k], &plants[k + 1]);
    }
    lower_hips(motion);
    return true;
}
