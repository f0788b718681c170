// Who meets whom. Two cylinders that go straight on at steady speeds are one that does, seen from the other:
// a quadratic in time for the distance, two linear bounds for the heights, and each allows one span of time.
//
// Pieces are listed by squares of the ground and slots of time, in a table of hashed keys without the keys
// themselves: what is found there is tested exactly anyway.
#include "traffic_data.h"

#define SQUARE 2.0 // side of a square [m]
#define SLOT 4.0   // length of a slot of time [s]
#define SLOT_ALWAYS INT64_MAX
#define LISTED_MAX 4096.0 // times that one piece is listed: beyond, it is listed as everywhere
#define EVERYWHERE 0u     // hash of the list that everybody looks at

typedef struct span {
    double begin, end; // nothing when begin >= end
} span;

static double between(float a, float b, double u) {
    return (double)a + ((double)b - a) * u;
}

// Where in [0, 1] a relative motion from d0 to d1 is nearer than `reach` sideways and `below` < dy < `above`.
static span contact(const double d0[3], const double d1[3], double reach, double below, double above) {
    span none = {1, 0}, s = {0, 1};
    double vx = d1[0] - d0[0], vz = d1[2] - d0[2], vy = d1[1] - d0[1];
    double a = vx * vx + vz * vz, b = d0[0] * vx + d0[2] * vz,
           c = d0[0] * d0[0] + d0[2] * d0[2] - reach * reach;
    if (a == 0) {
        if (c >= 0)
            return none;
    } else {
        double inside = b * b - a * c;
        if (inside <= 0 || (c >= 0 && b >= 0))
            return none;
        double root = sqrt(inside), first = (-b - root) / a, last = (-b + root) / a;
        s.begin = first > 0 ? first : 0;
        s.end = last < 1 ? last : 1;
    }
    if (vy == 0)
        return d0[1] > below && d0[1] < above ? s : none;
    double enter = ((vy > 0 ? below : above) - d0[1]) / vy, leave = ((vy > 0 ? above : below) - d0[1]) / vy;
    s.begin = enter > s.begin ? enter : s.begin;
    s.end = leave < s.end ? leave : s.end;
    return s;
}

// Where a motion from `from` to `to` over [begin, end] is at a time inside; infinite ones stand.
static void place_at(tr_vec3 from, tr_vec3 to, double begin, double end, double time, double at[3]) {
    double u = isfinite(begin) && isfinite(end) && end > begin ? (time - begin) / (end - begin) : 0;
    at[0] = between(from.x, to.x, u);
    at[1] = between(from.y, to.y, u);
    at[2] = between(from.z, to.z, u);
}

// The time that a move and a piece have in common, and when in it they touch.
static span meeting(const traffic_piece *piece, const traffic_move *move, double depart) {
    double arrive = depart + move->duration;
    span common = {piece->begin > depart ? piece->begin : depart, piece->end < arrive ? piece->end : arrive};
    span none = {1, 0};
    if (!(common.begin <= common.end))
        return none;
    // A common time without end: both stand.
    double first = common.begin, last = isfinite(common.end) ? common.end : first;
    double a0[3], a1[3], b0[3], b1[3], d0[3], d1[3];
    place_at(piece->from, piece->to, piece->begin, piece->end, first, a0);
    place_at(piece->from, piece->to, piece->begin, piece->end, last, a1);
    place_at(move->from, move->to, depart, arrive, first, b0);
    place_at(move->from, move->to, depart, arrive, last, b1);
    for (int i = 0; i < 3; i++) {
        d0[i] = a0[i] - b0[i];
        d1[i] = a1[i] - b1[i];
    }
    span met = contact(d0, d1, (double)piece->radius + move->radius, -(double)piece->height, move->height);
    if (!(met.begin < met.end))
        return none;
    if (!isfinite(common.end))
        return common;
    span s = {first + met.begin * (last - first), first + met.end * (last - first)};
    if (first == last)
        s.end = s.begin + 1e-9;
    return s;
}

static bool meets(const traffic_piece *piece, const traffic_move *move, double depart) {
    span s = meeting(piece, move, depart);
    return s.begin < s.end;
}

double tr_traffic_pass(const traffic_piece *piece, const traffic_move *move, double depart) {
    if (!isfinite(piece->end))
        return INFINITY;
    // Departures that meet one piece are one span of time, so its end is found by halving.
    double bad = depart, good = piece->end + 1e-6;
    if (!(good > bad))
        return bad + 1e-6;
    for (int i = 0; i < 64 && good - bad > 1e-6; i++) {
        double middle = bad + (good - bad) / 2;
        if (meets(piece, move, middle))
            bad = middle;
        else
            good = middle;
    }
    return good;
}

static uint32_t hash_of(int64_t x, int64_t z, int64_t slot) {
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)z * 0xc2b2ae3d27d4eb4fu ^
                 (uint64_t)slot * 0x165667b19e3779f9u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32) | 1; // never EVERYWHERE
}

// Squares and slots, first and last of each.
typedef struct block {
    int64_t x[2], z[2], slot[2];
    double count; // of all together; a double never overflows
} block;

static int64_t whole(double value) {
    return value > 1e15 ? (int64_t)1e15 : value > -1e15 ? (int64_t)floor(value) : -(int64_t)1e15;
}

static block block_of(tr_vec3 a, tr_vec3 b, double radius, double begin, double end) {
    block k;
    k.x[0] = whole(((a.x < b.x ? a.x : b.x) - radius) / SQUARE);
    k.x[1] = whole(((a.x < b.x ? b.x : a.x) + radius) / SQUARE);
    k.z[0] = whole(((a.z < b.z ? a.z : b.z) - radius) / SQUARE);
    k.z[1] = whole(((a.z < b.z ? b.z : a.z) + radius) / SQUARE);
    k.slot[0] = whole(begin / SLOT);
    k.slot[1] = whole(end / SLOT);
    k.count = (double)(k.x[1] - k.x[0] + 1) * (double)(k.z[1] - k.z[0] + 1) *
              ((double)k.slot[1] - (double)k.slot[0] + 1);
    return k;
}

static void enter(tr_traffic *traffic, uint32_t piece, uint32_t hash) {
    uint32_t *head = traffic->heads + (hash & (traffic->head_count - 1)), number = traffic->entry_count++;
    traffic_entry entry = {piece, *head, hash};
    traffic->entries[number] = entry;
    *head = number;
}

// Calls nothing but counts when `entering` is false, so that memory can be made sure of first.
static uint64_t list_block(tr_traffic *traffic, uint32_t piece, const block *k, bool always, bool entering) {
    uint64_t count = 0;
    int64_t slot_last = always ? k->slot[0] : k->slot[1];
    for (int64_t z = k->z[0]; z <= k->z[1]; z++)
        for (int64_t x = k->x[0]; x <= k->x[1]; x++)
            for (int64_t slot = k->slot[0]; slot <= slot_last; slot++, count++)
                if (entering)
                    enter(traffic, piece, hash_of(x, z, always ? SLOT_ALWAYS : slot));
    if (entering && !always) {
        traffic->slot_first = k->slot[0] < traffic->slot_first ? k->slot[0] : traffic->slot_first;
        traffic->slot_last = k->slot[1] > traffic->slot_last ? k->slot[1] : traffic->slot_last;
    }
    return count;
}

static tr_vec3 part_end(const traffic_piece *p, double u) {
    return tr_vec3_make((float)between(p->from.x, p->to.x, u), (float)between(p->from.y, p->to.y, u),
                        (float)between(p->from.z, p->to.z, u));
}

// A long piece is listed in parts, so that it is not found all over the box around it.
static uint64_t list_piece(tr_traffic *traffic, uint32_t number, bool entering) {
    const traffic_piece *p = traffic->pieces + number;
    double dx = (double)p->to.x - p->from.x, dz = (double)p->to.z - p->from.z;
    double length = sqrt(dx * dx + dz * dz), duration = p->end - p->begin, reach = p->radius + 1e-3;
    bool always = !(duration <= 16 * SLOT);
    double parts = floor(length / SQUARE) + 1, squares = 2 * reach / SQUARE + 2;
    block k;
    if (always) {
        k = block_of(p->from, p->to, reach, 0, 0);
        if (k.count <= LISTED_MAX)
            return list_block(traffic, number, &k, true, entering);
    } else if (parts * (duration / parts / SLOT + 2) * squares * squares <= LISTED_MAX) {
        uint64_t count = 0;
        for (double i = 0; i < parts; i++) {
            k = block_of(part_end(p, i / parts), part_end(p, (i + 1) / parts), reach,
                         p->begin + duration * (i / parts), p->begin + duration * ((i + 1) / parts));
            count += list_block(traffic, number, &k, false, entering);
        }
        return count;
    }
    if (entering)
        enter(traffic, number, EVERYWHERE);
    return 1;
}

static bool grow_heads(tr_traffic *traffic, uint64_t entries) {
    uint64_t wanted = traffic->head_count ? traffic->head_count : 64;
    while (wanted < entries && wanted < 1u << 30)
        wanted *= 2;
    if (wanted == traffic->head_count)
        return true;
    uint32_t *heads = tr_allocate(&traffic->allocator, wanted, sizeof *heads);
    if (!heads)
        return false;
    for (uint64_t i = 0; i < wanted; i++)
        heads[i] = TR_NONE;
    for (uint32_t i = 0; i < traffic->entry_count; i++) {
        uint32_t *head = heads + (traffic->entries[i].hash & (wanted - 1));
        traffic->entries[i].next = *head;
        *head = i;
    }
    tr_release(&traffic->allocator, traffic->heads, traffic->head_count, sizeof *heads);
    traffic->heads = heads;
    traffic->head_count = (uint32_t)wanted;
    return true;
}

bool tr_traffic_list(tr_traffic *traffic, uint32_t first) {
    uint64_t count = traffic->entry_count;
    for (uint32_t i = first; i < traffic->piece_count; i++)
        count += list_piece(traffic, i, false);
    if (!tr_reserve(&traffic->allocator, (void **)&traffic->entries, &traffic->entry_max, count,
                    sizeof *traffic->entries) ||
        !grow_heads(traffic, count))
        return false;
    for (uint32_t i = first; i < traffic->piece_count; i++)
        list_piece(traffic, i, true);
    return true;
}

// Every piece that may be near is visited, some of them more than once, until `visit` says that it is enough.
typedef bool (*visitor)(void *user, uint32_t piece);

static inline __attribute__((always_inline)) bool visit_list(const tr_traffic *traffic, uint32_t hash,
                                                             visitor visit, void *user) {
    for (uint32_t i = traffic->heads[hash & (traffic->head_count - 1)]; i != TR_NONE;) {
        const traffic_entry *entry = traffic->entries + i;
        if (entry->hash == hash && visit(user, entry->piece))
            return true;
        i = entry->next;
    }
    return false;
}

static inline __attribute__((always_inline)) void visit_near(const tr_traffic *traffic,
                                                             const traffic_move *move, double depart,
                                                             visitor visit, void *user) {
    if (traffic->piece_count == 0)
        return;
    block k = block_of(move->from, move->to, move->radius + 1e-3, depart, depart + move->duration);
    bool timed = traffic->slot_first <= traffic->slot_last;
    k.slot[0] = timed && k.slot[0] < traffic->slot_first ? traffic->slot_first : k.slot[0];
    k.slot[1] = timed && k.slot[1] > traffic->slot_last ? traffic->slot_last : k.slot[1];
    double squares = (double)(k.x[1] - k.x[0] + 1) * (double)(k.z[1] - k.z[0] + 1);
    double slots = timed && k.slot[0] <= k.slot[1] ? (double)(k.slot[1] - k.slot[0] + 1) : 0;
    if (squares * (slots + 1) > traffic->piece_count + 16.0) {
        for (uint32_t i = 0; i < traffic->piece_count; i++)
            if (visit(user, i))
                return;
        return;
    }
    if (visit_list(traffic, EVERYWHERE, visit, user))
        return;
    for (int64_t z = k.z[0]; z <= k.z[1]; z++)
        for (int64_t x = k.x[0]; x <= k.x[1]; x++) {
            if (visit_list(traffic, hash_of(x, z, SLOT_ALWAYS), visit, user))
                return;
            for (int64_t slot = k.slot[0]; slots > 0 && slot <= k.slot[1]; slot++)
                if (visit_list(traffic, hash_of(x, z, slot), visit, user))
                    return;
        }
}

typedef struct meeting_search {
    const tr_traffic *traffic;
    const traffic_move *move;
    double depart;
    uint32_t met;
} meeting_search;

static bool visit_meeting(void *user, uint32_t piece) {
    meeting_search *search = user;
    if (!meets(search->traffic->pieces + piece, search->move, search->depart))
        return false;
    search->met = piece;
    return true;
}

uint32_t tr_traffic_meet(const tr_traffic *traffic, const traffic_move *move, double depart) {
    meeting_search search = {traffic, move, depart, TR_NONE};
    visit_near(traffic, move, depart, visit_meeting, &search);
    return search.met;
}

typedef struct contact_search {
    tr_traffic *traffic;
    traffic_move move;
    double since;
} contact_search;

static bool visit_contact(void *user, uint32_t piece) {
    contact_search *search = user;
    tr_traffic *traffic = search->traffic;
    if (traffic->stamps[piece] == traffic->stamp)
        return false;
    traffic->stamps[piece] = traffic->stamp;
    span s = meeting(traffic->pieces + piece, &search->move, search->since);
    if (s.begin < s.end) {
        traffic_contact c = {s.begin, s.end, traffic->pieces[piece].track};
        traffic->contacts[traffic->contact_count++] = c;
    }
    return false;
}

// A heap sort: nobody knows how many there are, and the order in the table is not by time.
static void sink(traffic_contact *c, uint32_t place, uint32_t count) {
    traffic_contact moving = c[place];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && c[child + 1].begin > c[child].begin;
        if (!(c[child].begin > moving.begin))
            break;
        c[place] = c[child];
    }
    c[place] = moving;
}

static void sort_contacts(traffic_contact *c, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sink(c, i, count);
    for (uint32_t i = count; i-- > 1;) {
        traffic_contact last = c[i];
        c[i] = c[0];
        c[0] = last;
        sink(c, 0, i);
    }
}

void tr_traffic_contacts(tr_traffic *traffic, tr_vec3 position, float radius, float height, double since) {
    contact_search search = {traffic, {position, position, INFINITY, radius, height}, since};
    traffic->contact_count = 0;
    if (traffic->piece_count == 0)
        return;
    if (++traffic->stamp == 0) {
        for (uint32_t i = 0; i < traffic->piece_count; i++)
            traffic->stamps[i] = 0;
        traffic->stamp = 1;
    }
    visit_near(traffic, &search.move, since, visit_contact, &search);
    traffic_contact *c = traffic->contacts;
    sort_contacts(c, traffic->contact_count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < traffic->contact_count; i++) {
        if (kept && c[i].begin <= c[kept - 1].end + 1e-6)
            c[kept - 1].end = c[i].end > c[kept - 1].end ? c[i].end : c[kept - 1].end;
        else
            c[kept++] = c[i];
    }
    traffic->contact_count = kept;
}

static bool is_sound(const tr_traffic_point *point) {
    return tr_vec3_is_finite(point->position) && !isnan(point->time);
}

bool tr_traffic_is_free(const tr_traffic *traffic, tr_traffic_point from, tr_traffic_point to, float radius,
                        float height) {
    bool stands = from.position.x == to.position.x && from.position.y == to.position.y &&
                  from.position.z == to.position.z;
    if (!is_sound(&from) || !is_sound(&to) || !isfinite(from.time) || !(to.time >= from.time) ||
        (!isfinite(to.time) && !stands) || !isfinite(radius) || !isfinite(height) || radius < 0 || height < 0)
        return false;
    traffic_move move = {from.position, to.position, to.time - from.time, radius, height};
    return tr_traffic_meet(traffic, &move, from.time) == TR_NONE;
}
