// How a horse sets off from standing and comes to a halt: strides of the gallop that grow with the speed, or
// shrink with it. Hooves go from print to print, in the world; each print is where the hoof belongs when the
// body is over it.
#include "horse_gait.h"

#include "troupe/base/scalar.h"

#define SLOW_DUTY 0.55 // share of the stride on the ground at the slowest: some hoof always stands
#define CROUCH 5.0     // the trunk is as low as in the gallop from this share of the speed on, inverse
#define STRAIGHTENS 1.0

// The share of the speed, and of the gallop in the posture.
static double share_at(const tr_horse_depart *depart, double phase) {
    double ramp = TR_HORSE_DEPART_STRIDES - STRAIGHTENS;
    return depart->halts ? 1 - tr_ease((phase - STRAIGHTENS) / ramp) : tr_ease(phase / ramp);
}

// The integral of tr_ease from 0 to x; straight on beyond 1.
static double ease_sum(double x) {
    if (x <= 0)
        return 0;
    return x >= 1 ? x - 0.5 : x * x * x * x * (2.5 + x * (x - 3));
}

// How far the base is, in strides of the gallop.
static double strides_at(const tr_horse_depart *depart, double phase) {
    double ramp = TR_HORSE_DEPART_STRIDES - STRAIGHTENS;
    return depart->halts ? phase - ramp * ease_sum((phase - STRAIGHTENS) / ramp)
                         : ramp * ease_sum(phase / ramp);
}

static double stride_of(const tr_horse_depart *depart) {
    return depart->gallop.speed * depart->gallop.period;
}

tr_base tr_horse_depart_base(const tr_horse_depart *depart, double time) {
    double strides = strides_at(depart, time / depart->gallop.period);
    return (tr_base){0, (float)(strides * stride_of(depart)), 0};
}

// A stance of a leg, with the number of its stride: from when to when, and where.
typedef struct horse_print {
    double begin, end; // phases
    double x, z;       // along the way of the base, which begins at 0
    double share;      // of the speed over it
    bool rests;        // it has not lifted yet, or is not going to
} horse_print;

static horse_print print_of(const tr_horse_depart *depart, uint32_t leg, int number) {
    const tr_horse_gallop *gallop = &depart->gallop;
    int pair = tr_horse_is_fore(leg), last = (int)TR_HORSE_DEPART_STRIDES - 1;
    horse_print print = {.begin = number + gallop->begin[leg]};
    double fast = gallop->duty[pair], straight = print.begin + 0.5 * fast;
    print.share = share_at(depart, straight);
    double duty = SLOW_DUTY + (fast - SLOW_DUTY) * print.share;
    print.end = print.begin + duty;
    print.rests = depart->halts ? number >= last : number <= 0;
    tr_horse_state moves, stands;
    tr_horse_gallop_middle(gallop, leg, &moves.hooves[leg]);
    tr_horse_stand_at(gallop->height, 0, &stands);
    double share = print.rests ? 0 : print.share,
           over = print.rests ? depart->halts ? last + 1 : 0 : print.begin + 0.5 * duty;
    print.x = stands.hooves[leg].x + share * (moves.hooves[leg].x - stands.hooves[leg].x);
    print.z = strides_at(depart, over) * stride_of(depart) + stands.hooves[leg].z +
              share * (moves.hooves[leg].z - stands.hooves[leg].z);
    return print;
}

// The latest stance that has begun.
static int number_at(const tr_horse_depart *depart, uint32_t leg, double phase) {
    int number = (int)floor(phase - depart->gallop.begin[leg]);
    int last = (int)TR_HORSE_DEPART_STRIDES - 1;
    if (!depart->halts)
        return number < 0 ? 0 : number;
    return number > last ? last : number;
}

static void hoof_at(const tr_horse_depart *depart, uint32_t leg, double phase, tr_horse_hoof *hoof) {
    const tr_horse_gallop *gallop = &depart->gallop;
    int number = number_at(depart, leg, phase);
    horse_print from = print_of(depart, leg, number);
    double base = strides_at(depart, phase) * stride_of(depart);
    bool never_lifts = from.rests && depart->halts;
    double duty = from.end - from.begin, way = never_lifts ? 0 : (phase - from.begin) / duty;
    if (never_lifts || phase <= from.end) {
        // A hoof that has stood from the beginning has no load to sink under.
        double after = from.rests && way < 0.5 ? 0.5 : way;
        tr_horse_stance_hoof(gallop, leg, never_lifts ? 0 : after, hoof);
        double load = from.rests ? 0 : from.share;
        hoof->pastern = 0.75 * hoof->pitch + load * (hoof->pastern - 0.75 * hoof->pitch);
        hoof->x = from.x;
        hoof->z = from.z - base;
        return;
    }
    horse_print to = print_of(depart, leg, number + 1);
    double s = (phase - from.end) / (to.begin - from.end), fast = 0.5 * (from.share + to.share);
    tr_horse_swing_hoof(gallop, leg, s, hoof);
    hoof->x = from.x + (to.x - from.x) * tr_ease(s);
    hoof->z = from.z + (to.z - from.z) * s * s * (3 - 2 * s) - base;
    hoof->y *= 0.45 + 0.55 * fast; // low over short steps
    hoof->knee *= 0.45 + 0.55 * fast;
}

static double mix(double a, double b, double share) {
    return a + share * (b - a);
}

void tr_horse_depart_at(const tr_horse_depart *depart, double time, tr_horse_state *state) {
    const tr_horse_gallop *gallop = &depart->gallop;
    double phase = time / gallop->period, share = share_at(depart, phase);
    double crouch = tr_ease(CROUCH * share);
    tr_horse_state stands, moves;
    tr_horse_stand_at(gallop->height, 0, &stands);
    tr_horse_gallop_at(gallop, time, &moves);
    *state = stands;
    state->up = mix(stands.up, share * (moves.up + gallop->lowering) - crouch * gallop->lowering, 1);
    state->pitch = mix(stands.pitch, moves.pitch, share);
    state->tuck = mix(stands.tuck, moves.tuck, share);
    state->neck = mix(stands.neck, moves.neck, share);
    state->neck_bow = mix(stands.neck_bow, moves.neck_bow, share);
    state->nod = mix(stands.nod, moves.nod, share);
    state->tail = mix(stands.tail, moves.tail, share);
    state->tail_sway = mix(stands.tail_sway, moves.tail_sway, share);
    state->ear = mix(stands.ear, moves.ear, share);
    for (uint32_t leg = 0; leg < TR_HORSE_LEGS; leg++)
        hoof_at(depart, leg, phase, &state->hooves[leg]);
}
