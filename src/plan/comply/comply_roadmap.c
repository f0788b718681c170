// The nodes of the roadmap: a lattice of offsets from the preferred motion, of which the common patterns of
// the limb are members from the beginning.
#include "comply_data.h"
#include "troupe/base/scalar.h"

#define PATTERNS_MAX 8

// Angles towards which the chains of patterns lead from the preferred pose [degrees].
typedef struct pattern {
    float q[TR_COMPLY_ARM_ANGLES];
} pattern;
static const pattern waist_patterns[PATTERNS_MAX] = {{{90, 0, 0, 0}},  {{-90, 0, 0, 0}}, {{0, 90, 0, 0}},
                                                     {{0, -90, 0, 0}}, {{0, 0, 90, 0}},  {{0, 0, -90, 0}},
                                                     {{45, 0, 45, 0}}, {{45, 0, -45, 0}}};
static const pattern arm_patterns[PATTERNS_MAX] = {
    {{0, 0, 0, 0}},      // hanging straight
    {{0, 8, 0, 115}},    // forearm up
    {{-10, 0, 45, 130}}, // held close
    {{35, 5, 80, 110}},  // crossed in front
    {{80, 0, 20, 90}},   // in front
    {{150, 10, 0, 10}},  // raised forwards
    {{0, 95, 0, 10}},    // raised sideways
    {{-45, 10, 0, 10}},  // back
};

uint32_t tr_comply_cell(const comply_lattice *lattice, const int32_t n[TR_COMPLY_ARM_ANGLES]) {
    uint32_t cell = 0;
    for (uint32_t d = 0; d < lattice->dimensions; d++)
        cell = cell * (uint32_t)(lattice->last[d] - lattice->first[d] + 1) +
               (uint32_t)(n[d] - lattice->first[d]);
    return cell;
}

bool tr_comply_in_lattice(const comply_lattice *lattice, const int32_t n[TR_COMPLY_ARM_ANGLES]) {
    for (uint32_t d = 0; d < lattice->dimensions; d++)
        if (n[d] < lattice->first[d] || n[d] > lattice->last[d])
            return false;
    return true;
}

static int32_t whole_of(float value) {
    return (int32_t)(value + (value < 0 ? -0.5f : 0.5f));
}

void tr_comply_round(const comply_lattice *lattice, const float *angles, int32_t n[TR_COMPLY_ARM_ANGLES]) {
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        int32_t whole = whole_of(angles[lattice->axis[d]] / lattice->step);
        n[d] = whole < lattice->first[d]  ? lattice->first[d]
               : whole > lattice->last[d] ? lattice->last[d]
                                          : whole;
    }
}

static void join(tr_comply *comply, comply_lattice *lattice, const int32_t n[TR_COMPLY_ARM_ANGLES]) {
    lattice->members[tr_comply_cell(lattice, n)] = comply->stamp;
}

static void join_chain(tr_comply *comply, comply_lattice *lattice, const pattern *towards,
                       const float *mean) {
    float way[TR_COMPLY_ARM_ANGLES] = {0}, most = 0;
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        float target = towards->q[k] * (float)(TR_PI / 180);
        target = comply_lesser(comply_greater(target, lattice->low[k]), lattice->high[k]);
        way[d] = target - mean[k];
        most = comply_greater(most, fabsf(way[d]) / lattice->step);
    }
    uint32_t links = (uint32_t)(most + 1);
    for (uint32_t i = 0; i <= links; i++) {
        float angles[TR_COMPLY_ARM_ANGLES] = {0};
        int32_t n[TR_COMPLY_ARM_ANGLES];
        for (uint32_t d = 0; d < lattice->dimensions; d++)
            angles[lattice->axis[d]] = mean[lattice->axis[d]] + way[d] * (float)i / (float)links;
        tr_comply_round(lattice, angles, n);
        join(comply, lattice, n);
    }
}

// What the waist will have to do, and what leads there.
static void join_aims(tr_comply *comply, comply_lattice *lattice) {
    for (uint32_t j = 0; j < comply->segments + 2; j++) {
        const float *aim = comply->aims[j], *usual = comply->usual[TR_COMPLY_WAIST][j];
        float angles[TR_COMPLY_ARM_ANGLES] = {usual[0] + aim[0], usual[1] + aim[1], usual[2] + aim[2], 0};
        int32_t n[TR_COMPLY_ARM_ANGLES];
        if (!comply_is_aimed(comply, j))
            continue;
        tr_comply_round(lattice, angles, n);
        join(comply, lattice, n);
    }
}

uint32_t tr_comply_begin_members(tr_comply *comply, tr_comply_limb limb) {
    comply_lattice *lattice = &comply->lattices[limb];
    if (comply->stamp > UINT32_MAX / 2) { // forget all before the stamps run out
        for (uint32_t k = 0; k < TR_COMPLY_LIMBS; k++)
            for (uint32_t i = 0; i < comply->lattices[k].cells; i++)
                comply->lattices[k].members[i] = 0;
        comply->stamp = 0;
    }
    comply->stamp++;
    float mean[TR_COMPLY_ARM_ANGLES] = {0};
    for (uint32_t f = 0; f < comply->frames; f++)
        for (uint32_t k = 0; k < lattice->angles; k++)
            mean[k] += comply_preferred(comply, limb, f)[k] / (float)comply->frames;
    const pattern *patterns = limb == TR_COMPLY_WAIST ? waist_patterns : arm_patterns;
    for (uint32_t i = 0; i < PATTERNS_MAX; i++)
        join_chain(comply, lattice, &patterns[i], mean);
    if (limb == TR_COMPLY_WAIST)
        join_aims(comply, lattice);
    return comply->stamp;
}

// People rather bend an elbow than spread an arm, and rather turn than bend.
static const float waist_weights[TR_COMPLY_ARM_ANGLES] = {1, 1, 0.7f, 0};
static const float arm_weights[TR_COMPLY_ARM_ANGLES] = {1, 3, 1, 0.4f};

static void set_limits(comply_lattice *lattice, const tr_comply_body *body, tr_comply_limb limb) {
    const tr_arm *arm = &body->arms[comply_side(limb)];
    lattice->angles = limb == TR_COMPLY_WAIST ? TR_COMPLY_WAIST_ANGLES : TR_COMPLY_ARM_ANGLES;
    for (uint32_t k = 0; k < lattice->angles; k++) {
        lattice->weight[k] = limb == TR_COMPLY_WAIST ? waist_weights[k] : arm_weights[k];
        lattice->low[k] = limb == TR_COMPLY_WAIST ? body->waist_low[k] : arm->low.q[k];
        lattice->high[k] = limb == TR_COMPLY_WAIST ? body->waist_high[k] : arm->high.q[k];
        bool follows = limb == TR_COMPLY_WAIST && k == 1 && !body->bends;
        if (lattice->low[k] < lattice->high[k] && !follows)
            lattice->axis[lattice->dimensions++] = (uint8_t)k;
    }
}

// A step of the lattice from the lattice is always gentle enough, also from a start that is rounded to it.
tr_status tr_comply_lattice_create(tr_comply *comply, tr_comply_limb limb, tr_error *error) {
    const tr_comply_def *def = &comply->def;
    comply_lattice *lattice = &comply->lattices[limb];
    bool waist = limb == TR_COMPLY_WAIST;
    float time = (float)def->stride / def->frames_per_second;
    set_limits(lattice, &def->body, limb);
    lattice->speed = time * (waist ? def->body.waist_speed : def->body.arm_speed);
    lattice->acceleration = time * time * (waist ? def->body.waist_acceleration : def->body.arm_acceleration);
    float step = waist ? def->waist_step : def->arm_step;
    lattice->step = step > 0 ? step : comply_lesser(lattice->speed / 1.5f, lattice->acceleration / 2.5f);
    uint64_t cells = 1;
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        float low = lattice->low[k] / lattice->step, high = lattice->high[k] / lattice->step;
        if (!(high - low < 1000))
            return tr_fail(error, TR_LIMIT,
                           "the step of the %s is %g rad, which is less than a thousandth of a limit",
                           tr_comply_limb_name(limb), (double)lattice->step);
        // 0 is always a node, and so are the limits, to within a step.
        lattice->first[d] = -(int32_t)(low < 0 ? -low : 0) + (low > 0 ? (int32_t)low + 1 : 0);
        lattice->last[d] = (int32_t)(high > 0 ? high : 0) - (high < 0 ? (int32_t)-high + 1 : 0);
        if (lattice->last[d] < lattice->first[d])
            lattice->last[d] = lattice->first[d];
        cells *= (uint64_t)(lattice->last[d] - lattice->first[d] + 1);
    }
    if (cells > 1u << 22)
        return tr_fail(error, TR_LIMIT,
                       "the roadmap of the %s would have more than 2^22 nodes with a step of %g rad",
                       tr_comply_limb_name(limb), (double)lattice->step);
    lattice->cells = (uint32_t)cells;
    lattice->members = tr_allocate_zero(&comply->allocator, lattice->cells, sizeof *lattice->members);
    return lattice->members ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a roadmap");
}

bool tr_comply_within(const tr_comply *comply, tr_comply_limb limb, uint32_t index, const float *point) {
    const comply_lattice *lattice = &comply->lattices[limb];
    const float slack = 1e-4f; // [rad]
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        float angle = comply->usual[limb][index][k] + point[k];
        if ((point[k] < 0 && angle < lattice->low[k] - slack) ||
            (point[k] > 0 && angle > lattice->high[k] + slack))
            return false;
    }
    return true;
}

bool tr_comply_gentle(const tr_comply *comply, tr_comply_limb limb, const float *a, const float *b,
                      const float *c) {
    const comply_lattice *lattice = &comply->lattices[limb];
    const float more = 1.0001f; // for rounding
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        if (fabsf(c[k] - b[k]) > lattice->speed * more ||
            fabsf((c[k] - b[k]) - (b[k] - a[k])) > lattice->acceleration * more)
            return false;
    }
    return true;
}
