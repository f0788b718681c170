// Steps to the side, between others. Bodies that touch slide past each other.
#include "stage_trial.h"

#include "troupe/base/scalar.h"

#define POSTS 16
#define SIGHT 1.6f // a step to the side and what follows lead no farther [m]

// An actor that stands there, as far as is known for good.
typedef struct edge_post {
    tr_vec3 place;
    float reach; // no body gets nearer than this [m]
    uint32_t body;
} edge_post;

static uint32_t find_posts(const tr_stage *stage, const stage_actor *who, tr_vec3 at, edge_post *posts) {
    uint32_t near[POSTS], found = 0,
                          count = tr_timeline_near(stage->timeline, at, SIGHT, 1, who->height, near, POSTS);
    for (uint32_t i = 0; i < count && i < POSTS; i++) {
        const stage_actor *other = near[i] != who->body ? stage->bodies[near[i]] : NULL;
        if (!other || !tr_stage_rests(stage, other))
            continue;
        tr_vec3 place = tr_stage_place_of(other);
        float x = place.x - at.x, z = place.z - at.z, apart = sqrtf(x * x + z * z),
              least = who->radius + other->radius + TUNE_SQUEEZE * stage->def.margin;
        posts[found++] = (edge_post){place, (apart < least ? apart : least) - TUNE_FORESEE_ROOM, near[i]};
    }
    return found;
}

// How far an actor gets straight on before it is in reach of a post, at most `most`.
static float way_to(const edge_post *post, tr_vec3 from, tr_vec3 to, float most) {
    float x = to.x - from.x, z = to.z - from.z, length = sqrtf(x * x + z * z);
    float px = post->place.x - from.x, pz = post->place.z - from.z;
    float along = length > 0 ? (px * x + pz * z) / length : 0, off = px * px + pz * pz - along * along,
          half = post->reach * post->reach - off;
    if (along <= 0 || half <= 0)
        return most;
    float way = along - sqrtf(half);
    return way < 0 ? 0 : way < most && way < length ? way : most;
}

// How far an actor gets on the way in stage->around before a standing one (`post`) is in the way.
static float way_past(const tr_stage *stage, const edge_post *posts, uint32_t count, const edge_post **post) {
    float gone = 0;
    *post = NULL;
    for (uint32_t i = 0; i + 1 < stage->around.point_count; i++) {
        const tr_vec3 *line = &stage->around.points[i];
        float length = tr_stage_length(line, 2), most = length;
        for (uint32_t k = 0; k < count; k++) {
            float way = way_to(&posts[k], line[0], line[1], most);
            if (way < most) {
                most = way;
                *post = &posts[k];
            }
        }
        gone += most;
        if (*post)
            break;
    }
    return gone;
}

// The angles of the step: straight on, and more and more to both sides.
static const double turns[] = {0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.6, -1.6};
#define TURNS (sizeof turns / sizeof *turns)

// Writes the way with one of these steps, from `at` to `aim`, to stage->around. false: there is a wall.
static bool make_step(tr_stage *stage, const stage_actor *who, size_t turn, tr_vec3 at, tr_vec3 aim) {
    double x = aim.x - at.x, z = aim.z - at.z, sine, cosine, reach = (double)TUNE_EDGE / sqrt(x * x + z * z);
    tr_sin_cos(turns[turn], &sine, &cosine);
    tr_vec3 to = tr_vec3_make(at.x + (float)((cosine * x + sine * z) * reach), at.y,
                              at.z + (float)((cosine * z - sine * x) * reach));
    uint32_t count = 0, size = tr_stage_size_at(stage, who, at);
    stage->around.points[count++] = at;
    if (turn > 0) {
        if (!tr_stage_may_walk(stage, who, size, at, to) || !tr_stage_may_walk(stage, who, size, to, aim))
            return false;
        stage->around.points[count++] = to;
    }
    stage->around.points[count++] = aim;
    stage->around.point_count = count;
    return true;
}

bool tr_stage_edge_past(tr_stage *stage, stage_actor *who, float left, tr_timeline_meeting *meeting) {
    if (tr_stage_piece(who)->kind != TR_WAY_WALK)
        return false;
    tr_vec3 at = tr_stage_place_of(who);
    float rejoins = tr_stage_see_ahead(stage, who, at, 2.5f * TUNE_EDGE), best = INFINITY;
    tr_vec3 aim = tr_way_at(&who->way, rejoins), straight[2] = {at, aim};
    if (tr_stage_length(straight, 2) < 0.1f)
        return false;
    bool done = false;
    edge_post posts[POSTS];
    const edge_post *post;
    uint32_t count = find_posts(stage, who, at, posts);
    stage->squeeze = TUNE_SQUEEZE;
    for (size_t i = 0; i < TURNS && !done; i++) {
        if (!make_step(stage, who, i, at, aim))
            continue;
        stage->around.rejoins = rejoins;
        stage_trial tried = {.free = false};
        float to_go = tr_stage_length(stage->around.points, stage->around.point_count) +
                      tr_way_length(&who->way) - rejoins - way_past(stage, posts, count, &post);
        if (post && to_go > left - TUNE_WORTH) { // it would come to stand in front of that actor
            tried = (stage_trial){.free = true, .commitment.to_go = to_go};
            tried.meeting = (tr_timeline_meeting){post->body, TR_NONE, (double)stage->tick, true};
        } else
            done = tr_stage_go_around(stage, who, left - (TUNE_WORTH - TUNE_PROGRESS), &tried);
        if (tried.free && tried.meeting.body != TR_NONE && tried.commitment.to_go < best) {
            best = tried.commitment.to_go;
            *meeting = tried.meeting;
        }
    }
    stage->squeeze = 1;
    return done;
}
