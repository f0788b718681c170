// Collisions: the capsules of a body with the triangles of a scene and with each other.
#include "audit_parts.h"

#include "troupe/world/distance.h"

#include <math.h>

#define SLACK_MM 5 // touching does not count as a collision

typedef struct world_capsule {
    tr_vec3 a, b;
    float radius;
    tr_box box;
    bool foot; // stands on floors: those count as penetration instead
} world_capsule;

typedef struct collide_job {
    audit_job *job;
    const tr_body_def *body;
    world_capsule *capsules;
} collide_job;

// Is a joint a foot, or a descendant of one?
static bool is_of_foot(const tr_skeleton *skeleton, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (; joint != TR_NONE; joint = parents[joint]) {
        tr_role role = tr_skeleton_joint(skeleton, joint).role;
        if (role == TR_ROLE_LEFT_FOOT || role == TR_ROLE_RIGHT_FOOT || role == TR_ROLE_LEFT_TOES ||
            role == TR_ROLE_RIGHT_TOES)
            return true;
    }
    return false;
}

static void place_capsules(collide_job *c) {
    for (uint32_t i = 0; i < c->body->capsule_count; i++) {
        const tr_capsule *capsule = &c->body->capsules[i];
        const tr_affine *model = &c->job->model[capsule->joint];
        world_capsule *placed = &c->capsules[i];
        placed->a = tr_affine_apply(model, capsule->a);
        placed->b = tr_affine_apply(model, capsule->b);
        placed->radius = capsule->radius;
        tr_vec3 around = tr_vec3_make(placed->radius, placed->radius, placed->radius);
        tr_box line = tr_box_include(tr_box_include(tr_box_empty(), placed->a), placed->b);
        placed->box.min = tr_vec3_subtract(line.min, around);
        placed->box.max = tr_vec3_add(line.max, around);
    }
}

// How deep the capsule is inside the triangles of a tree [m]; an axis that passes through one is a radius
// deep.
static float tree_depth(const audit_triangles *triangles, const world_capsule *capsule) {
    float most = 0;
    audit_walk walk = tr_audit_walk_begin(triangles, capsule->box);
    for (const audit_triangle *triangle; (triangle = tr_audit_walk_next(triangles, &walk));) {
        if (capsule->foot && triangle->level)
            continue;
        float square = tr_distance_segment_triangle(capsule->a, capsule->b, triangle->corners, NULL, NULL);
        float depth = capsule->radius - sqrtf(square);
        most = depth > most ? depth : most;
    }
    return most;
}

// The depth of the deepest capsule [mm].
static float scene_depth(const collide_job *c) {
    const audit_scene *scene = &c->job->scene;
    float most = 0;
    for (uint32_t i = 0; i < c->body->capsule_count; i++)
        for (uint32_t k = 0; k < tr_audit_scene_tree_count(scene); k++) {
            float depth = tree_depth(tr_audit_scene_tree(scene, k), &c->capsules[i]);
            most = depth > most ? depth : most;
        }
    return most * 1000;
}

static bool is_ignored(const collide_job *c, uint32_t i, uint32_t k) {
    if (c->body->ignored_pairs)
        return c->body->ignored_pairs[(size_t)i * c->body->capsule_count + k] ||
               c->body->ignored_pairs[(size_t)k * c->body->capsule_count + i];
    const uint32_t *parents = tr_skeleton_parents(c->job->skeleton);
    uint32_t a = c->body->capsules[i].joint, b = c->body->capsules[k].joint;
    return a == b || parents[a] == b || parents[b] == a;
}

static float self_depth(const collide_job *c) {
    float most = 0;
    for (uint32_t i = 0; i < c->body->capsule_count; i++)
        for (uint32_t k = i + 1; k < c->body->capsule_count; k++) {
            const world_capsule *a = &c->capsules[i], *b = &c->capsules[k];
            if (a->box.min.x > b->box.max.x || b->box.min.x > a->box.max.x || a->box.min.y > b->box.max.y ||
                b->box.min.y > a->box.max.y || a->box.min.z > b->box.max.z || b->box.min.z > a->box.max.z ||
                is_ignored(c, i, k))
                continue;
            float square = tr_distance_segments(a->a, a->b, b->a, b->b, NULL, NULL);
            float depth = a->radius + b->radius - sqrtf(square);
            most = depth > most ? depth : most;
        }
    return most * 1000;
}

tr_status tr_audit_collisions(audit_job *job, tr_error *error) {
    collide_job c = {.job = job, .body = job->params->body ? tr_body_view(job->params->body) : NULL};
    if (!c.body || c.body->capsule_count == 0)
        return TR_OK;
    c.capsules = tr_allocate(&job->allocator, c.body->capsule_count, sizeof *c.capsules);
    if (!c.capsules)
        return tr_audit_no_memory(error);
    for (uint32_t i = 0; i < c.body->capsule_count; i++)
        c.capsules[i].foot = is_of_foot(job->skeleton, c.body->capsules[i].joint);
    tr_audit *audit = &job->audit;
    for (uint32_t k = 0; k < job->count; k++) {
        tr_audit_place_frame(job, (int64_t)job->first + k, false);
        tr_audit_place_scene(job, (int64_t)job->first + k);
        place_capsules(&c);
        float scene = scene_depth(&c), self = self_depth(&c);
        audit->collisions += scene > SLACK_MM;
        audit->self_collisions += self > SLACK_MM;
        audit->collision_mm_max = scene > audit->collision_mm_max ? scene : audit->collision_mm_max;
        audit->self_collision_mm_max =
            self > audit->self_collision_mm_max ? self : audit->self_collision_mm_max;
    }
    tr_release(&job->allocator, c.capsules, c.body->capsule_count, sizeof *c.capsules);
    return TR_OK;
}
