// What is checked after each step, with geometry and books of its own: nothing here asks the stage whether it
// is right.
#include "chaos.h"

#include <stdlib.h>
#include <string.h>

#define OVERLAP 1e-4f     // of discs, for rounding [m]
#define OVERLAP_PASS 2e-3 // between two ticks, on straight lines [m]
#define WALKS_OUT 10.0    // so long somebody takes to get out of what was put onto it [s]
#define SLIM 0.45f // share of its radius that nothing may come into (who goes sideways is half as wide)
#define KNEE 0.35f // share of its height up to which it steps over and onto things
#define HEAD 0.9f
#define STEP_SPEED 2.2 // of the root over footsteps, which have a pace of their own [m/s]
#define SETTLED 3.0    // a thing that has rested so long is not walked into [s]
#define REPORTS 8      // of ended orders are kept

// --- Geometry ---

typedef struct polygon {
    tr_vec3 points[8];
    uint32_t count;
} polygon;

static polygon cut(const polygon *from, float y, float sign) {
    polygon kept = {.count = 0};
    for (uint32_t i = 0; i < from->count; i++) {
        tr_vec3 a = from->points[i], b = from->points[(i + 1) % from->count];
        float above = sign * (a.y - y), next = sign * (b.y - y);
        if (above >= 0)
            kept.points[kept.count++] = a;
        if ((above >= 0) != (next >= 0)) {
            float t = above / (above - next);
            kept.points[kept.count++] = tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), t));
        }
    }
    return kept;
}

static bool is_near_edge(tr_vec3 a, tr_vec3 b, tr_vec3 p, float radius) {
    float x = b.x - a.x, z = b.z - a.z, px = p.x - a.x, pz = p.z - a.z, length = x * x + z * z;
    float t = length > 0 ? (px * x + pz * z) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    px -= t * x;
    pz -= t * z;
    return px * px + pz * pz < radius * radius;
}

// Seen from above.
static bool is_near_polygon(const polygon *of, tr_vec3 p, float radius) {
    bool left = true, right = true;
    for (uint32_t i = 0; i < of->count; i++) {
        tr_vec3 a = of->points[i], b = of->points[(i + 1) % of->count];
        if (is_near_edge(a, b, p, radius))
            return true;
        float side = (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
        left = left && side > 0;
        right = right && side < 0;
    }
    return of->count > 2 && (left || right);
}

bool chaos_touches(const chaos *c, const chaos_person *who, tr_vec3 at, float share, uint32_t object) {
    float radius = share * who->radius, low = at.y + KNEE * who->height, high = at.y + HEAD * who->height;
    tr_object_view view = tr_scene_object(c->scene, object);
    tr_box box = view.bounds;
    if (view.removed || box.max.y < low || box.min.y > high || box.max.x < at.x - radius ||
        box.min.x > at.x + radius || box.max.z < at.z - radius || box.min.z > at.z + radius)
        return false;
    tr_mesh_view mesh = tr_scene_mesh(c->scene, view.mesh);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        polygon triangle = {.count = 3};
        float x0 = INFINITY, x1 = -INFINITY;
        for (uint32_t k = 0; k < 3; k++) {
            tr_vec3 p = tr_affine_apply(&view.placement, mesh.positions[mesh.indices[3 * i + k]]);
            triangle.points[k] = p;
            x0 = p.x < x0 ? p.x : x0;
            x1 = p.x > x1 ? p.x : x1;
        }
        if (x0 > at.x + radius || x1 < at.x - radius)
            continue;
        polygon upper = cut(&triangle, low, 1), band = cut(&upper, high, -1);
        if (band.count && is_near_polygon(&band, at, radius))
            return true;
    }
    return false;
}

// A box that was put over somebody touches it with no triangle, but holds it.
static bool is_in_box(const chaos *c, const chaos_person *who, tr_vec3 at, uint32_t object) {
    tr_object_view view = tr_scene_object(c->scene, object);
    tr_affine back;
    if (view.removed || view.mesh != c->box_mesh || !tr_affine_invert(&view.placement, &back) ||
        view.bounds.min.y > at.y + HEAD * who->height || view.bounds.max.y < at.y + KNEE * who->height)
        return false;
    tr_vec3 p = tr_affine_apply(&back, tr_vec3_make(at.x, (view.bounds.min.y + view.bounds.max.y) / 2, at.z));
    return fabsf(p.x) <= 0.5f && fabsf(p.z) <= 0.5f;
}

static bool on_one_level(const chaos_person *a, tr_vec3 at_a, const chaos_person *b, tr_vec3 at_b) {
    return at_a.y < at_b.y + b->height && at_b.y < at_a.y + a->height;
}

// The least distance of two points that go straight, from `from` to `from + by`, as seen from one of them.
static double least_distance(tr_vec3 from, tr_vec3 by) {
    double x = from.x, z = from.z, dx = by.x, dz = by.z, length = dx * dx + dz * dz;
    double t = length > 0 ? -(x * dx + z * dz) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    x += t * dx;
    z += t * dz;
    return sqrt(x * x + z * z);
}

// --- Bodies ---

static bool pose_is_finite(const tr_actor_view *view) {
    for (uint32_t j = 0; j < view->pose->joint_count; j++) {
        tr_transform t = tr_pose_get(view->pose, j);
        double length = (double)t.rotation.x * t.rotation.x + (double)t.rotation.y * t.rotation.y +
                        (double)t.rotation.z * t.rotation.z + (double)t.rotation.w * t.rotation.w;
        if (!tr_vec3_is_finite(t.position) || !(fabs(length - 1) < 1e-3) ||
            !tr_affine_is_finite(&view->model[j]))
            return false;
        tr_vec3 off = tr_vec3_subtract(tr_affine_position(&view->model[j]), tr_affine_position(&view->place));
        if (!(tr_vec3_length(off) < 3))
            return false;
    }
    return isfinite(view->position.y) && isfinite(view->heading) && isfinite(view->speed);
}

static void judge_matrices(chaos *c) {
    uint32_t count = 16 * tr_stage_matrix_count(c->stage);
    if (count > c->float_max) {
        free(c->floats);
        c->float_max = 2 * count;
        c->floats = malloc(c->float_max * sizeof *c->floats);
    }
    if (!c->floats || tr_stage_write_matrices(c->stage, TR_MATRICES_SKIN, c->floats, c->float_max) != TR_OK) {
        if (c->floats)
            chaos_fault(c, "matrices cannot be written");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(c->floats[i])) {
            chaos_fault(c, "float %u of %u of the matrices is not finite", i, count);
            return;
        }
}

static void judge_motion(chaos *c, chaos_person *who, tr_vec3 at, bool steps, uint32_t ticks) {
    tr_vec3 by = tr_vec3_subtract(at, who->at);
    double length = sqrt((double)by.x * by.x + (double)by.z * by.z);
    double speed = 1.15 * (double)who->fastest + 0.3;
    speed = steps && speed < STEP_SPEED ? STEP_SPEED : speed;
    double most = speed * TR_STAGE_TICK * ticks + 0.005;
    if (!who->is_fresh && length > most)
        chaos_fault(c, "actor %u jumped %g m from (%g, %g, %g) in %u ticks, its fastest is %g m/s", who->id,
                    length, (double)who->at.x, (double)who->at.y, (double)who->at.z, ticks,
                    (double)who->fastest);
    if (!who->is_fresh && fabs((double)by.y) > 0.02 + 0.12 * ticks)
        chaos_fault(c, "actor %u rose %g m at (%g, %g, %g) in %u ticks", who->id, (double)by.y, (double)at.x,
                    (double)at.y, (double)at.z, ticks);
    if (length > 0.002)
        who->moved = c->time;
}

static void judge_walls(chaos *c, chaos_person *who, tr_vec3 at) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < c->thing_count; i++) {
        const chaos_thing *thing = &c->things[i];
        bool holds = thing->is_there && is_in_box(c, who, at, thing->object),
             near = thing->is_there && (holds || chaos_touches(c, who, at, 1, thing->object));
        // What was pushed up to somebody may touch it while it gets out of there.
        bool pressed = near && (thing->moved == c->time || who->pressed >> i & 1 || c->time < who->out);
        who->pressed = (who->pressed & ~(1u << i)) | (uint32_t)pressed << i;
        if (!near || (!holds && !chaos_touches(c, who, at, SLIM, thing->object)))
            continue;
        inside |= 1u << i;
        if (pressed || who->inside >> i & 1)
            continue;
        tr_box box = tr_scene_object(c->scene, thing->object).bounds;
        if (c->time - thing->moved > SETTLED)
            chaos_fault(
                c,
                "actor %u (radius %g, height %g) walked at (%g, %g, %g) into object %u, which has rested "
                "for %g s at (%g, %g, %g) to (%g, %g, %g)",
                who->id, (double)who->radius, (double)who->height, (double)at.x, (double)at.y, (double)at.z,
                thing->object, c->time - thing->moved, (double)box.min.x, (double)box.min.y,
                (double)box.min.z, (double)box.max.x, (double)box.max.y, (double)box.max.z);
        else
            c->result->struck++;
    }
    who->inside = inside;
    if (!who->is_fresh && at.x == who->at.x && at.z == who->at.z)
        return;
    for (uint32_t i = 0; i < c->wall_count; i++) {
        bool moves = false;
        for (uint32_t k = 0; k < c->thing_count; k++)
            moves = moves || c->things[k].object == i;
        if (!moves && chaos_touches(c, who, at, SLIM, i))
            chaos_fault(c, "actor %u (radius %g, height %g) is at (%g, %g, %g) inside the wall of object %u",
                        who->id, (double)who->radius, (double)who->height, (double)at.x, (double)at.y,
                        (double)at.z, i);
    }
}

static void judge_pair(chaos *c, const chaos_person *a, tr_vec3 to_a, const chaos_person *b, tr_vec3 to_b,
                       uint32_t ticks) {
    if (!on_one_level(a, to_a, b, to_b))
        return;
    tr_vec3 apart = tr_vec3_subtract(to_b, to_a);
    float distance = sqrtf(apart.x * apart.x + apart.z * apart.z), both = a->radius + b->radius;
    if (distance < both - OVERLAP) {
        chaos_fault(c, "actors %u and %u overlap by %g m at (%g, %g, %g)", a->id, b->id,
                    (double)(both - distance), (double)to_a.x, (double)to_a.y, (double)to_a.z);
        return;
    }
    if (ticks != 1 || a->is_fresh || b->is_fresh || !on_one_level(a, a->at, b, b->at))
        return;
    tr_vec3 from = tr_vec3_subtract(b->at, a->at);
    double least = least_distance(from, tr_vec3_subtract(apart, from));
    if (least < (double)both - OVERLAP_PASS)
        chaos_fault(c, "actors %u and %u pass each other with an overlap of %g m", a->id, b->id,
                    both - least);
}

static void judge_bodies(chaos *c, uint32_t ticks) {
    tr_vec3 at[CHAOS_ACTORS];
    for (uint32_t i = 0; i < c->person_count; i++) {
        chaos_person *who = &c->people[i];
        tr_actor_view view = {0};
        if (tr_stage_actor(c->stage, i) != who->id || tr_stage_look(c->stage, who->id, &view) != TR_OK ||
            !pose_is_finite(&view)) {
            chaos_fault(c, "actor %u is not there, or its pose is not finite", who->id);
            at[i] = who->at;
            continue;
        }
        at[i] = view.position;
        bool steps = view.doing == TR_ACTOR_STEPS; // or did when the step began
        judge_motion(c, who, at[i], steps || who->stepped, ticks);
        who->stepped = steps;
        judge_walls(c, who, at[i]);
        uint32_t deviations = tr_stage_counters_of(c->stage, who->id).deviations;
        if (deviations > who->deviations)
            chaos_fault(c, "actor %u is not where it was committed to be", who->id);
        who->deviations = deviations;
    }
    for (uint32_t i = 0; i < c->person_count; i++)
        for (uint32_t j = 0; j < i; j++)
            judge_pair(c, &c->people[i], at[i], &c->people[j], at[j], ticks);
    for (uint32_t i = 0; i < c->person_count; i++) {
        c->people[i].at = at[i];
        c->people[i].is_fresh = false;
    }
}

// --- Books ---

static chaos_person *find_gone(chaos *c, tr_actor_id id) {
    for (uint32_t i = 0; i < c->gone_count; i++)
        if (c->gone[i].id == id)
            return &c->gone[i];
    return NULL;
}

static void end_in_book(chaos *c, chaos_person *who, chaos_order *order, const tr_event *event,
                        bool is_gone) {
    order->ended++;
    order->state = event->kind == TR_EVENT_ORDER_DONE     ? TR_ORDER_DONE
                   : event->kind == TR_EVENT_ORDER_FAILED ? TR_ORDER_FAILED
                                                          : TR_ORDER_CANCELLED;
    c->result->done += order->state == TR_ORDER_DONE;
    c->result->failed += order->state == TR_ORDER_FAILED;
    c->result->cancelled += order->state == TR_ORDER_CANCELLED;
    if (order->ended > 1 || (!order->begun && order->state != TR_ORDER_CANCELLED))
        chaos_fault(c, "order %u of actor %u ends %u times, having begun %u times", order->number, who->id,
                    order->ended, order->begun);
    tr_order_report report;
    if (is_gone || tr_stage_order_report(c->stage, who->id, order->number, &report) != TR_OK)
        return; // its report may have been dropped
    bool has_reason = report.reason[0];
    if (report.state != order->state || has_reason != (order->state == TR_ORDER_FAILED) ||
        report.end < report.begin || report.end > c->time + 1e-9)
        chaos_fault(c, "order %u of actor %u: event %d, report %d '%s', from %g s to %g s", order->number,
                    who->id, (int)event->kind, (int)report.state, report.reason, report.begin, report.end);
}

static void judge_event(chaos *c, const tr_event *event) {
    chaos_person *who = chaos_find(c, event->actor), *gone = who ? NULL : find_gone(c, event->actor);
    chaos_person *of = who ? who : gone;
    if (!of) {
        chaos_fault(c, "an event of kind %d is of actor %u, who is not there", (int)event->kind,
                    event->actor);
        return;
    }
    if (!tr_vec3_is_finite(event->position) || !(event->time <= c->time + 1e-9))
        chaos_fault(c, "an event of kind %d of actor %u is nowhere, or to come", (int)event->kind,
                    event->actor);
    if (event->kind == TR_EVENT_FOOTSTEP) {
        tr_vec3 off = tr_vec3_subtract(event->position, of->at);
        if (event->foot > 1 || (who && !who->is_fresh && tr_vec3_length(off) > 4))
            chaos_fault(c, "foot %u of actor %u came down %g m away", event->foot, event->actor,
                        (double)tr_vec3_length(off));
        return;
    }
    if (event->kind == TR_EVENT_BLOCKED) {
        if (event->other == event->actor || (!chaos_find(c, event->other) && !find_gone(c, event->other)))
            chaos_fault(c, "actor %u is blocked by %u, who is not there", event->actor, event->other);
        of->blocker = event->other;
        return;
    }
    if (event->kind == TR_EVENT_COVERED) { // it may walk through what was put there
        of->out = event->time + WALKS_OUT;
        return;
    }
    if (event->order >= of->order_count) {
        chaos_fault(c, "order %u of actor %u was never given", event->order, event->actor);
        return;
    }
    chaos_order *order = &of->orders[event->order];
    if (event->kind != TR_EVENT_ORDER_BEGUN) {
        end_in_book(c, of, order, event, !who);
        return;
    }
    order->begun++;
    order->state = TR_ORDER_UNDER_WAY;
    if (order->begun > 1 || order->ended)
        chaos_fault(c, "order %u of actor %u begins %u times", order->number, of->id, order->begun);
}

// What the stage says of the orders that have not ended, against the books.
static uint32_t judge_orders(chaos *c, const chaos_person *who) {
    uint32_t open = 0, under_way = 0;
    if (tr_stage_order_count(c->stage, who->id, NULL) != who->order_count)
        chaos_fault(c, "actor %u was given %u orders, not %u", who->id, who->order_count,
                    tr_stage_order_count(c->stage, who->id, NULL));
    for (uint32_t i = 0; i < who->order_count; i++) {
        const chaos_order *order = &who->orders[i];
        if (order->ended)
            continue;
        open++;
        under_way += order->begun > 0;
        tr_order_report report;
        if (tr_stage_order_report(c->stage, who->id, order->number, &report) != TR_OK) {
            chaos_fault(c, "order %u of actor %u is lost", order->number, who->id);
            continue;
        }
        if (report.state != order->state || report.order.kind != order->order.kind)
            chaos_fault(c, "order %u of actor %u is in state %d, by its events in %d", order->number, who->id,
                        (int)report.state, (int)order->state);
        double late =
            order->order.deadline > 0 && order->begun ? c->time - report.begin - order->order.deadline : 0;
        if (late > 0.1)
            chaos_fault(c, "order %u of actor %u is %g s over its deadline", order->number, who->id, late);
    }
    if (under_way > 1)
        chaos_fault(c, "actor %u carries out %u orders at once", who->id, under_way);
    return open;
}

static void judge_books(chaos *c, tr_status status) {
    uint32_t count = 0, open = 0;
    const tr_event *events = tr_stage_events(c->stage, &count);
    for (uint32_t i = 0; i < count; i++)
        judge_event(c, &events[i]);
    for (uint32_t i = 0; i < c->person_count; i++)
        open += judge_orders(c, &c->people[i]);
    for (uint32_t i = 0; i < c->gone_count; i++) {
        for (uint32_t k = 0; k < c->gone[i].order_count; k++)
            if (!c->gone[i].orders[k].ended) {
                chaos_fault(c, "actor %u was removed and its order %u has no end", c->gone[i].id, k);
                break;
            }
        free(c->gone[i].orders);
        c->gone[i].orders = NULL; // all is told of it
        c->gone[i].order_count = c->gone[i].order_capacity = 0;
    }
    if (tr_stage_actor_count(c->stage) != c->person_count || tr_stage_actor(c->stage, c->person_count) != 0)
        chaos_fault(c, "there are %u actors, not %u", tr_stage_actor_count(c->stage), c->person_count);
    if (status != TR_OUT_OF_MEMORY && (status == TR_DONE) != (open == 0))
        chaos_fault(c, "the step says %d, and %u orders have not ended", (int)status, open);
}

static bool same_place(const tr_affine *a, const tr_affine *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

void chaos_judge(chaos *c, tr_status status, uint32_t ticks) {
    for (uint32_t i = 0; i < c->thing_count; i++) {
        chaos_thing *thing = &c->things[i];
        tr_object_view view = tr_scene_object(c->scene, thing->object);
        if (view.removed || same_place(&view.placement, &thing->at))
            continue;
        thing->at = view.placement;
        thing->moved = c->time;
    }
    judge_bodies(c, ticks);
    judge_books(c, status);
    if (chaos_chance(c, 0.05f))
        judge_matrices(c);
}
