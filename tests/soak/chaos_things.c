// Objects that come, move at once or along a known way or without one, and go.
#include "chaos.h"

static tr_affine box_at(const chaos_thing *thing, tr_vec3 middle, double heading) {
    tr_affine place = tr_affine_place(middle, heading);
    tr_vec3 size = tr_vec3_scale(thing->half, 2);
    for (int row = 0; row < 3; row++) {
        place.m[row][0] *= size.x;
        place.m[row][1] *= size.y;
        place.m[row][2] *= size.z;
    }
    return place;
}

static tr_vec3 middle_at(chaos *c, const chaos_thing *thing) {
    tr_vec3 at = chaos_point(c);
    at.y = (chaos_chance(c, 0.9f) ? 0 : at.y) + thing->half.y;
    return at;
}

static void add_thing(chaos *c) {
    if (c->thing_count == CHAOS_THINGS)
        return;
    chaos_thing thing = {
        .half = {chaos_between(c, 0.05f, 0.6f), chaos_between(c, 0.05f, 1.1f), chaos_between(c, 0.05f, 0.6f)},
        .is_there = true,
        .moved = c->time};
    tr_object_def def = {.name = "thing", .mesh = c->box_mesh};
    def.placement = thing.at = box_at(&thing, middle_at(c, &thing), (double)chaos_between(c, -3, 3));
    if (tr_scene_add_object(c->scene, &def, &thing.object, NULL) == TR_OK)
        c->things[c->thing_count++] = thing;
}

// The same place, moved by so much.
static tr_affine moved_by(const tr_affine *place, tr_vec3 by) {
    tr_affine there = *place;
    there.m[0][3] += by.x;
    there.m[1][3] += by.y;
    there.m[2][3] += by.z;
    return there;
}

static void push(chaos *c, chaos_thing *thing) {
    float far = chaos_chance(c, 0.5f) ? 0.3f : 4;
    tr_vec3 by = {chaos_between(c, -far, far), 0, chaos_between(c, -far, far)};
    tr_affine there = moved_by(&thing->at, by);
    if (chaos_chance(c, 0.1f))
        there.m[0][3] = NAN; // refused
    tr_scene_place(c->scene, thing->object, &there);
}

// To and fro on a line, or there and no further.
static void send(chaos *c, chaos_thing *thing) {
    tr_transform from = tr_affine_to_transform(&thing->at), to = from;
    to.position.x += chaos_between(c, -5, 5);
    to.position.z += chaos_between(c, -5, 5);
    float x = to.position.x - from.position.x, z = to.position.z - from.position.z;
    double seconds = 0.2 + sqrt((double)x * x + (double)z * z) / (double)chaos_between(c, 0.2f, 2);
    const double begin = c->time + (double)chaos_between(c, 0, 4);
    const double times[] = {begin, begin + seconds, begin + seconds + 1, begin + 2 * seconds + 1};
    const tr_transform transforms[] = {from, to, to, from};
    bool loop = chaos_chance(c, 0.4f);
    tr_trajectory_def way = {.times = times, .transforms = transforms, .count = loop ? 4 : 2, .loop = loop};
    if (tr_scene_set_trajectory(c->scene, thing->object, &way, NULL) == TR_OK)
        thing->is_cart = true;
}

void chaos_act_on_things(chaos *c) {
    chaos_thing *thing = c->thing_count ? &c->things[chaos_below(c, c->thing_count)] : NULL;
    if (!thing || chaos_chance(c, 0.2f)) {
        add_thing(c);
        return;
    }
    if (!thing->is_there)
        return;
    switch (chaos_below(c, 6)) {
    case 0:
        if (!thing->is_cart)
            push(c, thing);
        break;
    case 1:
    case 2:
        send(c, thing);
        break;
    case 3:
        if (thing->is_cart && tr_scene_set_trajectory(c->scene, thing->object, NULL, NULL) == TR_OK)
            thing->is_cart = false;
        break;
    case 4:
        thing->drift = tr_vec3_make(chaos_between(c, -0.05f, 0.05f), 0, chaos_between(c, -0.05f, 0.05f));
        thing->drift_left = thing->is_cart ? 0 : chaos_below(c, 90);
        break;
    default:
        if (chaos_chance(c, 0.5f) && tr_scene_remove_object(c->scene, thing->object) == TR_OK)
            thing->is_there = false;
        tr_scene_remove_object(c->scene, chaos_chance(c, 0.5f) ? TR_NONE : 100000); // nobody's
    }
}

void chaos_move_things(chaos *c) {
    for (uint32_t i = 0; i < c->thing_count; i++) {
        chaos_thing *thing = &c->things[i];
        if (!thing->is_there || thing->is_cart || !thing->drift_left)
            continue;
        thing->drift_left--;
        tr_affine there = moved_by(&thing->at, thing->drift);
        tr_scene_place(c->scene, thing->object, &there);
    }
}
