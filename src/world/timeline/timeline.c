#define SIMD_LANES 4
#include "timeline_data.h"

#include "base/simd.h"

static tr_status check_def(const tr_timeline_def *def, tr_timeline *made, tr_error *error) {
    made->tick = def->tick == 0 ? 1.0 / 30 : def->tick;
    made->ticks_max = def->ticks_max == 0 ? 256 : def->ticks_max;
    made->doubt = def->doubt == 0 ? 0.3f : def->doubt;
    made->speed_max = def->speed_max == 0 ? 20 : def->speed_max;
    double sight = def->object_sight == 0 ? 60 : def->object_sight,
           doubt_sight = def->doubt_sight == 0 ? 2 : def->doubt_sight;
    if (!(made->tick > 0) || !isfinite(made->tick))
        return tr_fail(error, TR_INVALID, "the tick is %g s, it must be above 0", made->tick);
    if (!is_measure(made->doubt) || !is_measure(made->speed_max) || !(sight >= 0) || !(doubt_sight >= 0))
        return tr_fail(error, TR_INVALID,
                       "doubt %g m/s, speed_max %g m/s, object_sight %g s and doubt_sight %g s must be at "
                       "least 0 and finite",
                       made->doubt, made->speed_max, sight, doubt_sight);
    if (made->ticks_max > TR_TIMELINE_TICKS_MAX)
        return tr_fail(error, TR_LIMIT, "ticks_max is %u, the maximum is %u", made->ticks_max,
                       TR_TIMELINE_TICKS_MAX);
    if (sight / made->tick > 65536 || doubt_sight / made->tick > 65536)
        return tr_fail(error, TR_LIMIT,
                       "object_sight %g s and doubt_sight %g s must be at most 65536 ticks of %g s", sight,
                       doubt_sight, made->tick);
    made->sight_ticks = (uint32_t)(sight / made->tick + 0.999);
    made->doubt_ticks = (uint32_t)(doubt_sight / made->tick + 0.999);
    made->ring_ticks = (uint32_t)CHUNK_TICKS(made->sight_ticks + 3 * CHUNK);
    made->track_chunks = CHUNKS_FOR(made->ticks_max);
    return TR_OK;
}

tr_status tr_timeline_create(const tr_timeline_def *def, tr_timeline **timeline, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_timeline checked = {.allocator = own, .free_body = TR_NONE};
    *timeline = NULL;
    tr_status status = check_def(def, &checked, error);
    if (status != TR_OK)
        return status;
    tr_timeline *made = tr_allocate(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a timeline");
    *made = checked;
    *timeline = made;
    return TR_OK;
}

static size_t block_bytes(uint32_t chunks) {
    return sizeof(body_block) + chunks * (sizeof(flat_box) + 3 * CHUNK * sizeof(float));
}

void tr_timeline_destroy(tr_timeline *timeline) {
    if (!timeline)
        return;
    tr_allocator own = timeline->allocator;
    for (uint32_t i = 0; i < timeline->body_count; i++)
        tr_release(&own, timeline->blocks[i], block_bytes(timeline->blocks[i]->chunks), 1);
    tr_release(&own, timeline->blocks, timeline->block_capacity, sizeof *timeline->blocks);
    tr_release(&own, timeline->places, timeline->place_capacity, sizeof *timeline->places);
    tr_release(&own, timeline->nodes, timeline->node_capacity, sizeof *timeline->nodes);
    tr_release(&own, timeline->heads, timeline->head_count, sizeof *timeline->heads);
    for (uint32_t i = 0; i < timeline->mover_count; i++) {
        moving_object *mover = &timeline->movers[i];
        tr_release(&own, mover->ring, timeline->ring_ticks, sizeof *mover->ring);
        tr_release(&own, mover->ring_boxes, timeline->ring_ticks / CHUNK, sizeof *mover->ring_boxes);
    }
    tr_release(&own, timeline->movers, timeline->mover_capacity, sizeof *timeline->movers);
    tr_release(&own, timeline->objects, timeline->object_capacity, sizeof *timeline->objects);
    tr_release(&own, timeline->moving, timeline->moving_capacity, sizeof *timeline->moving);
    tr_release(&own, timeline, 1, sizeof *timeline);
}

void tr_timeline_set_now(tr_timeline *timeline, uint64_t tick) {
    if (tick > timeline->now)
        timeline->now = tick < TICK_LIMIT ? tick : TICK_LIMIT;
}

uint64_t tr_timeline_now(const tr_timeline *timeline) {
    return timeline->now;
}

// --- Tracks ---

static float greatest_lane(simd_float v) {
    float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

// Lane i of the result is the least, or the greatest, of all lanes of rows[i].
static simd_float least_of_rows(simd_float rows[4]) {
    simd_transpose(rows);
    return simd_min(simd_min(rows[0], rows[1]), simd_min(rows[2], rows[3]));
}

static simd_float greatest_of_rows(simd_float rows[4]) {
    simd_transpose(rows);
    return simd_max(simd_max(rows[0], rows[1]), simd_max(rows[2], rows[3]));
}

// The box of the positions of a chunk, from index `at` on.
static flat_box span_chunk(const track_room *room, uint32_t at) {
    const float *values[3] = {room->x + at, room->z + at, room->y + at};
    simd_float low[4], high[4];
    for (uint32_t k = 0; k < 3; k++) {
        low[k] = high[k] = simd_load(values[k]);
        for (uint32_t i = 4; i < CHUNK; i += 4) {
            low[k] = simd_min(low[k], simd_load(values[k] + i));
            high[k] = simd_max(high[k], simd_load(values[k] + i));
        }
    }
    low[3] = low[2];
    high[3] = high[2];
    simd_float least = least_of_rows(low), greatest = greatest_of_rows(high);
    return (flat_box){least[0], greatest[0], least[1], greatest[1], least[2], greatest[2]};
}

// The greatest distance from one position to the next. `count` is a whole number of chunks.
static void measure_steps(const track_room *room, uint32_t count, laid_track *laid) {
    simd_float far = simd_set(0), rise = far;
    for (uint32_t k = 0; k < count; k += 4) {
        uint32_t i = k + 4 < count ? k : count - 5; // the last ones overlap
        simd_float dx = simd_load(room->x + i + 1) - simd_load(room->x + i),
                   dz = simd_load(room->z + i + 1) - simd_load(room->z + i);
        far = simd_max(far, dx * dx + dz * dz);
        rise = simd_max(rise, simd_abs(simd_load(room->y + i + 1) - simd_load(room->y + i)));
    }
    laid->step = sqrtf(greatest_lane(far)) * 1.00001f;
    laid->rise = greatest_lane(rise) * 1.00001f;
}

static void repeat(float *values, uint32_t count, float value) {
    for (uint32_t i = 0; i < count; i++)
        values[i] = value;
}

_Static_assert(sizeof(tr_vec3) == 3 * sizeof(float), "tr_vec3 must be three packed floats");

static void copy_positions(const track_room *room, uint32_t lead, const tr_vec3 *positions, uint32_t count) {
    float *x = room->x + lead, *z = room->z + lead, *y = room->y + lead;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float *from = &positions[i].x;
        simd_float a = simd_load(from), b = simd_load(from + 4), c = simd_load(from + 8);
        simd_float bc = __builtin_shufflevector(b, c, 2, 5, 3, 6),
                   ab = __builtin_shufflevector(a, b, 1, 4, 2, 5);
        simd_store_float(x + i, __builtin_shufflevector(a, bc, 0, 3, 4, 5));
        simd_store_float(y + i, __builtin_shufflevector(ab, bc, 0, 1, 6, 7));
        simd_store_float(z + i, __builtin_shufflevector(ab, c, 2, 3, 4, 7));
    }
    for (; i < count; i++) {
        x[i] = positions[i].x;
        y[i] = positions[i].y;
        z[i] = positions[i].z;
    }
}

bool tr_timeline_is_sound(const tr_vec3 *positions, uint32_t count) {
    const simd_float most = simd_set(TR_SCENE_EXTENT_MAX);
    simd_int sound = simd_set_int(-1);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float *from = &positions[i].x;
        for (uint32_t k = 0; k < 12; k += 4)
            sound &= simd_abs(simd_load(from + k)) <= most; // false for NaN
    }
    bool all = simd_bits(sound) == 0xf;
    for (; i < count; i++)
        all &= (fabsf(positions[i].x) <= TR_SCENE_EXTENT_MAX) &
               (fabsf(positions[i].y) <= TR_SCENE_EXTENT_MAX) &
               (fabsf(positions[i].z) <= TR_SCENE_EXTENT_MAX);
    return all;
}

void tr_timeline_lay(track_room room, uint64_t begin, const tr_vec3 *positions, uint32_t count,
                     laid_track *laid) {
    uint32_t lead = (uint32_t)(begin % CHUNK), chunks = (lead + count + CHUNK - 1) / CHUNK,
             trail = chunks * CHUNK - lead - count;
    copy_positions(&room, lead, positions, count);
    tr_vec3 first = positions[0], last = positions[count - 1];
    repeat(room.x, lead, first.x);
    repeat(room.z, lead, first.z);
    repeat(room.y, lead, first.y);
    repeat(room.x + lead + count, trail, last.x);
    repeat(room.z + lead + count, trail, last.z);
    repeat(room.y + lead + count, trail, last.y);
    for (uint32_t i = 0; i < chunks; i++)
        room.boxes[i] = span_chunk(&room, i * CHUNK);
    laid->x = room.x, laid->z = room.z, laid->y = room.y, laid->boxes = room.boxes;
    laid->begin = begin;
    laid->first = CHUNK_TICKS(begin);
    laid->end = begin + count - 1;
    laid->chunk_count = chunks;
    measure_steps(&room, chunks * CHUNK, laid);
}

flat_box tr_timeline_box(const laid_track *laid) {
    flat_box box = laid->boxes[0];
    for (uint32_t i = 1; i < laid->chunk_count; i++)
        box = box_join(box, laid->boxes[i]);
    return box;
}

// --- Bodies ---

void tr_timeline_store(tr_timeline *timeline, uint32_t number, uint64_t begin, const tr_vec3 *positions,
                       uint32_t count) {
    body_block *block = timeline->blocks[number];
    uint32_t ticks = block->chunks * CHUNK;
    float *x = (float *)(void *)&block->boxes[block->chunks];
    track_room room = {x, x + ticks, x + 2 * ticks, block->boxes};
    tr_timeline_lay(room, begin, positions, count, &block->track);
    flat_box box = box_grow(tr_timeline_box(&block->track), block->track.radius, 0, block->track.height);
    tr_timeline_index_put(timeline, number, &box);
}

bool tr_timeline_add_number(tr_timeline *timeline, uint32_t *number) {
    const tr_allocator *own = &timeline->allocator;
    uint64_t needed = (uint64_t)timeline->body_count + 1;
    if (!tr_reserve(own, (void **)&timeline->blocks, &timeline->block_capacity, needed,
                    sizeof *timeline->blocks) ||
        !tr_reserve(own, (void **)&timeline->places, &timeline->place_capacity, needed,
                    sizeof *timeline->places) ||
        !tr_reserve(own, (void **)&timeline->nodes, &timeline->node_capacity, needed,
                    sizeof *timeline->nodes) ||
        !tr_timeline_index_reserve(timeline))
        return false;
    body_block *block = tr_allocate(own, block_bytes(timeline->track_chunks), 1);
    if (!block)
        return false;
    block->chunks = timeline->track_chunks;
    *number = timeline->body_count++;
    timeline->blocks[*number] = block;
    timeline->places[*number].slot = TR_NONE;
    timeline->nodes[*number].next = timeline->free_body;
    timeline->free_body = *number;
    return true;
}

// A number without a body: a removed one, or a new one with its block. false: no memory.
static bool find_room(tr_timeline *timeline, uint32_t *number) {
    if (timeline->free_body == TR_NONE)
        return tr_timeline_add_number(timeline, number);
    *number = timeline->free_body;
    return tr_timeline_index_reserve(timeline);
}

tr_status tr_timeline_add(tr_timeline *timeline, tr_vec3 position, float radius, float height, uint32_t *body,
                          tr_error *error) {
    *body = TR_NONE;
    if (!tr_timeline_is_sound(&position, 1) || !is_measure(radius) || !is_measure(height))
        return tr_fail(
            error, TR_INVALID,
            "body of radius %g m and height %g m at (%g, %g, %g): all values must be finite and below %g, "
            "radius and height at least 0",
            radius, height, position.x, position.y, position.z, TR_SCENE_EXTENT_MAX);
    uint32_t number;
    if (!find_room(timeline, &number))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for body %u", timeline->body_count);
    timeline->free_body = timeline->nodes[number].next;
    timeline->blocks[number]->track = (laid_track){.radius = radius, .height = height};
    tr_timeline_store(timeline, number, timeline->now, &position, 1);
    *body = number;
    return TR_OK;
}

tr_status tr_timeline_reserve(tr_timeline *timeline, uint32_t body, uint32_t ticks, tr_error *error) {
    if (!body_is_there(timeline, body) || ticks > TR_TIMELINE_TICKS_MAX)
        return tr_fail(error, TR_LIMIT, "room for %u ticks of body %u, the maximum is %u", ticks, body,
                       TR_TIMELINE_TICKS_MAX);
    uint32_t chunks =
        CHUNKS_FOR(ticks) > timeline->track_chunks ? CHUNKS_FOR(ticks) : timeline->track_chunks + 1;
    body_block *old = timeline->blocks[body];
    if (ticks <= tr_timeline_room(timeline, body))
        return TR_OK;
    body_block *block = tr_allocate(&timeline->allocator, block_bytes(chunks), 1);
    if (!block)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a motion of %u ticks", ticks);
    const laid_track *laid = &old->track;
    tr_vec3 rest = tr_timeline_at(timeline, body, (double)laid->end), positions[TR_TIMELINE_TICKS_MAX];
    uint32_t count = (uint32_t)(laid->end - laid->begin) + 1;
    for (uint32_t i = 0; i < count; i++)
        positions[i] = i + 1 < count ? tr_timeline_at(timeline, body, (double)(laid->begin + i)) : rest;
    block->chunks = chunks;
    block->track = (laid_track){.radius = laid->radius, .height = laid->height};
    timeline->blocks[body] = block;
    tr_timeline_store(timeline, body, laid->begin, positions, count);
    tr_release(&timeline->allocator, old, block_bytes(old->chunks), 1);
    return TR_OK;
}

void tr_timeline_remove(tr_timeline *timeline, uint32_t body) {
    if (!body_is_there(timeline, body))
        return;
    tr_timeline_index_take(timeline, body);
    timeline->nodes[body].next = timeline->free_body;
    timeline->free_body = body;
}

tr_status tr_timeline_commit(tr_timeline *timeline, uint32_t body, uint64_t begin, const tr_vec3 *positions,
                             uint32_t count) {
    if (!body_is_there(timeline, body) || count == 0 || begin < timeline->now || begin > TICK_LIMIT)
        return TR_INVALID;
    if (count > tr_timeline_room(timeline, body))
        return TR_LIMIT;
    if (!tr_timeline_is_sound(positions, count))
        return TR_INVALID;
    tr_timeline_store(timeline, body, begin, positions, count);
    return TR_OK;
}

tr_timeline_track tr_timeline_track_of(const tr_timeline *timeline, uint32_t body) {
    tr_timeline_track track = {0};
    if (!body_is_there(timeline, body))
        return track;
    const laid_track *laid = &timeline->blocks[body]->track;
    uint32_t lead = (uint32_t)(laid->begin - laid->first);
    track.begin = laid->begin;
    track.count = (uint32_t)(laid->end - laid->begin) + 1;
    track.x = laid->x + lead;
    track.y = laid->y + lead;
    track.z = laid->z + lead;
    track.radius = laid->radius;
    track.height = laid->height;
    return track;
}

static float between(const float *values, uint32_t i, double share) {
    return (float)(values[i] + ((double)values[i + 1] - values[i]) * share);
}

tr_vec3 tr_timeline_at(const tr_timeline *timeline, uint32_t body, double tick) {
    if (!body_is_there(timeline, body) || isnan(tick))
        return tr_vec3_make(NAN, NAN, NAN);
    const laid_track *laid = &timeline->blocks[body]->track;
    double past = tick - (double)laid->first;
    uint32_t last = (uint32_t)(laid->end - laid->first);
    if (!(past > 0))
        return tr_vec3_make(laid->x[0], laid->y[0], laid->z[0]);
    if (past >= last)
        return tr_vec3_make(laid->x[last], laid->y[last], laid->z[last]);
    uint32_t i = (uint32_t)past;
    double share = past - i;
    return tr_vec3_make(between(laid->x, i, share), between(laid->y, i, share), between(laid->z, i, share));
}
