// Turning round on steps. Footsteps for a turn lead the body to the side, and a flight between walls may have
// no room for that: an actor that has to go back there first goes on to where it can turn.
#include "stage_data.h"

#include "troupe/base/scalar.h"

#define STEP_NEAR 0.3f  // a place is on steps if the floor within this distance [m]
#define STEP_RISE 0.1f  // differs in height by more than this [m]
#define AHEAD 0.4f      // length of the start of a way that gives its direction [m]
#define TURNED 0.5f     // cosine between the heading and the way after the turn
#define ELBOW 0.08f     // room in addition to that for going sideways [m]
#define TURN_TICKS 120u // duration of a turn at most

bool tr_stage_is_on_steps(const tr_stage *stage, tr_vec3 place) {
    for (int i = 0; i < 9; i++) {
        tr_vec3 near = tr_vec3_make(place.x + STEP_NEAR * (float)(i % 3 - 1), place.y,
                                    place.z + STEP_NEAR * (float)(i / 3 - 1));
        if (fabsf(tr_ground_height(stage->ground, near, STEP_NEAR) - place.y) > STEP_RISE)
            return true; // no floor (NaN) is no step
    }
    return false;
}

// Cosine of the angle between the heading of a body and its way.
static float agreement(const stage_actor *who, float heading) {
    const tr_way_piece *piece = tr_stage_piece(who);
    tr_vec3 at = tr_stage_place_of(who), to = tr_way_at(&who->way, piece->begin + AHEAD);
    double sine, cosine, x = to.x - at.x, z = to.z - at.z, length = sqrt(x * x + z * z);
    tr_sin_cos((double)heading, &sine, &cosine);
    return length > 0 ? (float)((x * sine + z * cosine) / length) : 1;
}

bool tr_stage_turns_on_steps(const tr_stage *stage, const stage_actor *who) {
    return agreement(who, tr_actor_look(who->actor).state.heading) < 0 &&
           tr_stage_is_on_steps(stage, tr_stage_place_of(who));
}

// Does a body that turns there have room for its elbows? It needs more than one that goes sideways, and less
// than one that walks.
static bool has_room(const tr_stage *stage, const stage_actor *who, tr_vec3 at) {
    uint32_t size = who->sizes[TR_WAY_SIDE];
    for (int i = 0; i < 4; i++) {
        tr_vec3 near = tr_vec3_make(at.x + ELBOW * (float)(i / 2 * (2 * (i % 2) - 1)), at.y,
                                    at.z + ELBOW * (float)((1 - i / 2) * (2 * (i % 2) - 1)));
        if (!tr_ground_is_free(stage->ground, size, near, NULL))
            return false;
    }
    return true;
}

bool tr_stage_turn_fits(tr_stage *stage, const stage_actor *who) {
    for (uint32_t i = 0; i < TURN_TICKS; i++) {
        tr_vec3 at;
        bool done = false;
        if (tr_actor_ghost_go(stage->ghost, tr_stage_wish(who), 1, &at, &done) == 0 || done)
            return true;
        if (!has_room(stage, who, at))
            return false;
        if (agreement(who, tr_actor_ghost_state(stage->ghost, i + 1).heading) > TURNED)
            return true;
    }
    return true;
}

// Writes the way straight ahead to stage->trial. false: there is no room.
static bool lead_ahead(tr_stage *stage, const stage_actor *who, float length) {
    tr_way *way = &stage->trial;
    tr_vec3 at = tr_stage_place_of(who), to;
    double sine, cosine;
    tr_sin_cos((double)tr_actor_look(who->actor).state.heading, &sine, &cosine);
    to = tr_vec3_make(at.x + length * (float)sine, at.y, at.z + length * (float)cosine);
    uint32_t size =
        who->sizes[tr_ground_is_free(stage->ground, who->sizes[TR_WAY_OPEN], at, NULL) ? TR_WAY_OPEN
                                                                                       : TR_WAY_TIGHT];
    // Two steps down are lower than the range in which a floor is searched.
    for (uint32_t i = 1; i <= 4; i++) {
        float share = 0.25f * (float)i * length;
        tr_vec3 next = tr_vec3_make(at.x + share * (float)sine, to.y, at.z + share * (float)cosine);
        if (!tr_ground_is_free(stage->ground, size, next, &to.y))
            return false;
    }
    if (!tr_ground_sees(stage->ground, size, at, to))
        return false;
    tr_way_clear(way);
    way->points[0] = (tr_way_point){.position = at};
    way->points[1] = (tr_way_point){.position = to, .along = length, .time = length / who->speed};
    way->point_count = 2;
    way->pieces[0] = (tr_way_piece){TR_WAY_STEP, 0, 2, 0, length, false};
    way->piece_count = 1;
    return true;
}

bool tr_stage_step_ahead(tr_stage *stage, stage_actor *who) {
    static const float lengths[] = {0.6f, 0.3f, 0.9f};
    stage_actor before = *who;
    if (tr_way_copy(&stage->kept, &who->way) != TR_OK)
        return false;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (!lead_ahead(stage, who, lengths[i]))
            continue;
        tr_stage_set_out(stage, who, STAGE_ASIDE);
        who->aside_for = 0;
        if (tr_stage_set_off(stage, who))
            return true;
        *who = before;
        tr_way_copy(&who->way, &stage->kept);
    }
    return false;
}
