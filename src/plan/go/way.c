#include "troupe/plan/way.h"
#include "plan/plan_archive.h"

#include <string.h>

tr_status tr_way_create(const tr_allocator *allocator, uint32_t point_max, uint32_t piece_max, tr_way *way,
                        tr_error *error) {
    memset(way, 0, sizeof *way);
    tr_allocator own = tr_allocator_or_default(allocator);
    way->points = tr_allocate(&own, point_max, sizeof *way->points);
    way->pieces = tr_allocate(&own, piece_max, sizeof *way->pieces);
    way->point_max = way->points ? point_max : 0;
    way->piece_max = way->pieces ? piece_max : 0;
    if (way->points && way->pieces)
        return TR_OK;
    tr_release(&own, way->points, point_max, sizeof *way->points);
    tr_release(&own, way->pieces, piece_max, sizeof *way->pieces);
    memset(way, 0, sizeof *way);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a way of %u points", point_max);
}

void tr_way_destroy(const tr_allocator *allocator, tr_way *way) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_release(&own, way->points, way->point_max, sizeof *way->points);
    tr_release(&own, way->pieces, way->piece_max, sizeof *way->pieces);
    memset(way, 0, sizeof *way);
}

void tr_way_clear(tr_way *way) {
    way->point_count = way->piece_count = 0;
}

tr_status tr_way_copy(tr_way *way, const tr_way *from) {
    if (from->point_count > way->point_max || from->piece_count > way->piece_max)
        return TR_LIMIT;
    if (from->point_count)
        memcpy(way->points, from->points, from->point_count * sizeof *way->points);
    if (from->piece_count)
        memcpy(way->pieces, from->pieces, from->piece_count * sizeof *way->pieces);
    way->point_count = from->point_count;
    way->piece_count = from->piece_count;
    return TR_OK;
}

float tr_way_length(const tr_way *way) {
    return way->point_count ? way->points[way->point_count - 1].along : 0;
}

tr_vec3 tr_way_at(const tr_way *way, float along) {
    const tr_way_point *p = way->points;
    if (way->point_count == 0)
        return tr_vec3_make(0, 0, 0);
    for (uint32_t i = 1; i < way->point_count; i++) {
        float length = p[i].along - p[i - 1].along;
        if (along < p[i].along && length > 0) {
            float t = along > p[i - 1].along ? (along - p[i - 1].along) / length : 0;
            return tr_vec3_add(p[i - 1].position,
                               tr_vec3_scale(tr_vec3_subtract(p[i].position, p[i - 1].position), t));
        }
    }
    return p[way->point_count - 1].position;
}

tr_vec3 tr_way_at_time(const tr_way *way, double time) {
    const tr_way_point *p = way->points;
    if (way->point_count == 0)
        return tr_vec3_make(0, 0, 0);
    for (uint32_t i = 1; i < way->point_count; i++) {
        double begin = (double)p[i - 1].time, length = (double)p[i].time - begin;
        if (time < (double)p[i].time && length > 0) {
            float t = time > begin ? (float)((time - begin) / length) : 0;
            return tr_vec3_add(p[i - 1].position,
                               tr_vec3_scale(tr_vec3_subtract(p[i].position, p[i - 1].position), t));
        }
    }
    return p[way->point_count - 1].position;
}

float tr_way_distance(const tr_way *way, float from, tr_vec3 point, float floor, float *along) {
    float nearest = INFINITY;
    const tr_way_point *p = way->points;
    for (uint32_t i = 0; i < way->point_count; i++) {
        const tr_way_point *a = &p[i], *b = i + 1 < way->point_count ? &p[i + 1] : &p[i];
        if (b->along < from)
            continue;
        float x = b->position.x - a->position.x, z = b->position.z - a->position.z, square = x * x + z * z;
        float t = square > 0 ? ((point.x - a->position.x) * x + (point.z - a->position.z) * z) / square : 0;
        float length = b->along - a->along, least = length > 0 ? (from - a->along) / length : 0;
        t = t < least ? least : t;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        float dx = a->position.x + t * x - point.x, dz = a->position.z + t * z - point.z;
        float height = a->position.y + t * (b->position.y - a->position.y), off = sqrtf(dx * dx + dz * dz);
        if (fabsf(height - point.y) <= floor && off < nearest) {
            nearest = off;
            if (along)
                *along = a->along + t * length;
        }
    }
    return nearest;
}

static void archive_point(tr_way_point *point, tr_archive *archive) {
    tr_archive_vec3(archive, &point->position);
    tr_archive_float(archive, &point->along);
    tr_archive_float(archive, &point->time);
    tr_archive_u8(archive, &point->room);
    tr_archive_check(archive, point->room < TR_WAY_ROOMS, "a point of a way has an unknown kind of room");
}

static void archive_piece(tr_way_piece *piece, uint32_t points, tr_archive *archive) {
    piece->kind = (tr_way_kind)tr_archive_choice(archive, piece->kind, TR_WAY_RIDE + 1);
    tr_archive_u32(archive, &piece->first);
    tr_archive_u32(archive, &piece->count);
    tr_archive_float(archive, &piece->begin);
    tr_archive_float(archive, &piece->end);
    tr_archive_bool(archive, &piece->slopes);
    uint32_t least = piece->kind == TR_WAY_RIDE ? 2 : 1;
    tr_archive_check(archive,
                     piece->count >= least && piece->first < points && piece->count <= points - piece->first,
                     "a piece of a way has points that do not exist");
}

void tr_way_archive(tr_way *way, tr_archive *archive) {
    way->point_count = tr_archive_count(archive, way->point_count, way->point_max, "points of a way");
    for (uint32_t i = 0; i < way->point_count; i++)
        archive_point(&way->points[i], archive);
    way->piece_count = tr_archive_count(archive, way->piece_count, way->piece_max, "pieces of a way");
    for (uint32_t i = 0; i < way->piece_count; i++)
        archive_piece(&way->pieces[i], way->point_count, archive);
    if (!tr_archive_is_good(archive) && tr_archive_reads(archive))
        tr_way_clear(way);
}
