// Actors that know only what they have seen: each has eyes and a memory, and a ground of what it remembers.
// It plans on that ground. It walks on the true one: what it would walk into next, it feels.
#include "stage_data.h"

#include "world/ground/ground_archive.h"
#include "world/scene/scene_data.h"
#include "world/sight/sight_data.h"
#include "troupe/motion/role.h"
#include "troupe/motion/skeleton.h"

#define LOOKS_DEFAULT 4.0f // a second
#define EYES_ABOVE 0.045f  // the joint of the head, as a share of the body's height
#define FEEL 0.4f          // how far ahead of where it could stop an actor feels what is in its way [m]
#define FEEL_LOW 0.05f     // above the floor [m]: lower things are not felt
#define FEEL_BESIDE 0.1f   // [m]

tr_status tr_stage_check_eyes(const tr_stage_eyes *eyes, tr_error *error) {
    if (!eyes->open || eyes->per_second == 0 || (eyes->per_second >= 0.1f && eyes->per_second <= 30))
        return TR_OK;
    return tr_fail(error, TR_INVALID, "an actor cannot look %g times a second, it must be 0.1 to 30",
                   (double)eyes->per_second);
}

// The ground that it remembers has the cells, sizes and links of the true one.
static tr_status make_ground(tr_stage *stage, stage_eyes *eyes, tr_error *error) {
    ground_recipe recipe;
    uint32_t objects = 0;
    tr_ground_recipe_of(stage->ground, &recipe);
    tr_ground_def def = tr_stage_ground_def(stage);
    def.exclude_tags |= TR_TAG_UNKNOWN;
    surface_exclude moving = {tr_timeline_moving(stage->timeline, &objects), 0};
    moving.count = objects;
    return tr_ground_recipe_make(&recipe, &def, moving, stage->raster, tr_sight_scene(eyes->sight),
                                 &eyes->ground, error);
}

tr_status tr_stage_open_eyes(tr_stage *stage, stage_actor *who, const tr_stage_eyes *def, tr_archive *archive,
                             tr_error *error) {
    if (!def->open)
        return TR_OK;
    tr_sight_def sight = {.allocator = &stage->world,
                          .scene = stage->def.scene,
                          .stranger = def->stranger,
                          .half_angle = def->half_angle,
                          .range = def->range};
    who->eyes = tr_allocate_zero(&stage->allocator, 1, sizeof *who->eyes);
    if (!who->eyes)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the eyes of %.60s", who->name);
    who->eyes->def = *def;
    float looks = def->per_second > 0 ? def->per_second : LOOKS_DEFAULT;
    float period = 1 / (looks * (float)TR_STAGE_TICK);
    who->eyes->period = period < 1 ? 1 : (uint32_t)(period + 0.5f);
    tr_status status = tr_sight_create(&sight, &who->eyes->sight, error);
    if (status == TR_OK && archive) {
        tr_sight_archive(who->eyes->sight, archive);
        status = tr_archive_is_good(archive) ? TR_OK : archive->status;
    }
    return status == TR_OK ? make_ground(stage, who->eyes, error) : status;
}

void tr_stage_close_eyes(tr_stage *stage, stage_actor *who) {
    if (!who->eyes)
        return;
    tr_ground_destroy(who->eyes->ground);
    tr_sight_destroy(who->eyes->sight);
    tr_release(&stage->allocator, who->eyes, 1, sizeof *who->eyes);
    who->eyes = NULL;
}

const tr_ground *tr_stage_known(const tr_stage *stage, const stage_actor *who) {
    return who->eyes ? who->eyes->ground : stage->ground;
}

// Looks ahead from between the eyes, in the direction that the head is turned to.
static tr_status look(tr_stage *stage, stage_actor *who, tr_error *error) {
    actor_look view = tr_actor_look(who->actor);
    const tr_skeleton *skeleton = view.character->skeleton;
    uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    head = head == TR_NONE ? 0 : head;
    tr_quat rest = tr_quat_normalize(tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[head]));
    tr_quat now = tr_quat_normalize(tr_affine_rotation(&view.model[head]));
    tr_quat turn = tr_quat_multiply(now, tr_quat_conjugate(rest));
    tr_vec3 eye = tr_affine_position(&view.model[head]);
    eye.y += EYES_ABOVE * view.character->height;
    tr_vec3 forward = tr_quat_rotate(turn, tr_vec3_make(0, 0, 1));
    float flat = forward.x * forward.x + forward.z * forward.z;
    if (!(flat > 1e-4f)) // it looks straight up or down
        return TR_OK;
    return tr_sight_look(who->eyes->sight, stage->raster, eye, forward, tr_stage_time(stage), NULL, error);
}

static bool touches(tr_box box, tr_vec3 a, tr_vec3 b, float beside, float height) {
    float low = fminf(a.y, b.y) + FEEL_LOW, high = fmaxf(a.y, b.y) + height;
    return box.min.x <= fmaxf(a.x, b.x) + beside && box.max.x >= fminf(a.x, b.x) - beside &&
           box.min.z <= fmaxf(a.z, b.z) + beside && box.max.z >= fminf(a.z, b.z) - beside &&
           box.min.y <= high && box.max.y >= low;
}

// Feels the objects along a line that it does not know to be there.
static tr_status feel_along(tr_stage *stage, stage_actor *who, tr_vec3 a, tr_vec3 b, tr_error *error) {
    const tr_scene *scene = stage->def.scene;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < scene->object_count && status == TR_OK; i++) {
        const scene_object *object = &scene->objects[i];
        if (!object->removed && !(object->tags & TR_TAG_CHARACTER) && !tr_box_is_empty(object->bounds) &&
            touches(object->bounds, a, b, who->radius + FEEL_BESIDE, who->height))
            status = tr_sight_touch(who->eyes->sight, i, tr_stage_time(stage), error);
    }
    return status;
}

// Is something in the true world in the way where the actor can no longer stop before it?
static tr_status feel(tr_stage *stage, stage_actor *who, tr_error *error) {
    const tr_way_piece *piece = tr_stage_piece(who);
    if (who->errand == STAGE_IDLE || !piece || piece->kind != TR_WAY_WALK || tr_stage_rests(stage, who))
        return TR_OK;
    float from = tr_stage_along(who), to = from + tr_actor_brake_distance(who->actor) + FEEL;
    tr_status status = TR_OK;
    for (uint32_t i = piece->first; i + 1 < piece->first + piece->count && status == TR_OK; i++) {
        const tr_way_point *a = &who->way.points[i], *b = a + 1;
        if (b->along <= from || a->along >= to)
            continue;
        tr_vec3 begin = tr_way_at(&who->way, fmaxf(a->along, from)),
                end = tr_way_at(&who->way, fminf(b->along, to));
        if (!tr_ground_sees(stage->ground, who->sizes[a->room], begin, end))
            status = feel_along(stage, who, begin, end, error);
    }
    return status;
}

// The remembered ground follows the memory, and the actor its ground.
static tr_status follow_memory(tr_stage *stage, stage_actor *who, tr_error *error) {
    uint32_t objects = 0, links = 0;
    const uint64_t *moving = tr_timeline_moving(stage->timeline, &objects);
    const tr_ground_link *link = tr_ground_links(stage->ground, &links);
    for (uint32_t i = 0; i < links; i++)
        tr_ground_close_link(who->eyes->ground, i, link[i].closed);
    tr_status status = tr_ground_update(who->eyes->ground, stage->raster, tr_sight_scene(who->eyes->sight),
                                        moving, objects, error);
    if (status == TR_OK)
        tr_stage_mind_ground(stage, who, who->eyes->ground);
    return status;
}

tr_status tr_stage_use_eyes(tr_stage *stage, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < stage->actor_count && status == TR_OK; i++) {
        stage_actor *who = stage->actors[i];
        if (!who->eyes)
            continue;
        status = tr_sight_follow(who->eyes->sight, error);
        bool due = (stage->tick + who->id) % who->eyes->period == 0 || stage->tick == 0;
        if (status == TR_OK && due)
            status = look(stage, who, error);
        if (status == TR_OK)
            status = feel(stage, who, error);
        if (status == TR_OK)
            status = follow_memory(stage, who, error);
    }
    return status;
}

const tr_sight *tr_stage_sight(const tr_stage *stage, tr_actor_id actor) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    return who && who->eyes ? who->eyes->sight : NULL;
}

const tr_ground *tr_stage_known_ground(const tr_stage *stage, tr_actor_id actor) {
    const stage_actor *who = tr_stage_find_actor(stage, actor);
    return who ? tr_stage_known(stage, who) : NULL;
}

void tr_stage_archive_eyes(tr_stage *stage, stage_actor *who, tr_archive *archive) {
    tr_stage_eyes def = who->eyes ? who->eyes->def : (tr_stage_eyes){0};
    tr_stage_eyes_archive(&def, archive);
    if (!def.open)
        return;
    if (!tr_archive_reads(archive)) {
        tr_sight_archive(who->eyes->sight, archive);
        return;
    }
    tr_error error = {0};
    if (!tr_archive_is_good(archive))
        return;
    tr_status status = tr_stage_open_eyes(stage, who, &def, archive, &error);
    if (status != TR_OK && tr_archive_is_good(archive))
        tr_archive_fail(archive, status == TR_OUT_OF_MEMORY ? status : TR_BAD_FILE, "%s", error.message);
}

void tr_stage_eyes_archive(tr_stage_eyes *eyes, tr_archive *archive) {
    tr_archive_bool(archive, &eyes->open);
    tr_archive_bool(archive, &eyes->stranger);
    tr_archive_float(archive, &eyes->half_angle);
    tr_archive_float(archive, &eyes->range);
    tr_archive_float(archive, &eyes->per_second);
}
