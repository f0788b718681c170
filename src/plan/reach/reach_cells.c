// Best-first search of the wrist through cells of the workspace (Liu & Badler 2003, 3.2.1), over all swivels
// instead of one, in large cells first and smaller ones if these find nothing.
//
// A node is a cell and a bin of swivel. Its posture is computed, and the edge from its parent certified, only
// when the node is expanded. From every reached node the straight path to a goal is tried: the search only
// has to get round the obstacles.
#include "reach_data.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define TABLE_SIZE REACH_TABLE_SIZE
#define SWIVEL_BIN 0.4f      // [rad]
#define SWIVEL_COST 0.25f    // of a bin, in cells
#define ESTIMATE_UNIT 256.0f // of a cell
#define HAND_ESTIMATE 128u   // for a different orientation of the hand

typedef struct cell_search {
    tr_reach *reach;
    float step;     // [m]
    uint32_t hands; // orientations of the hand beside the plain one
    const tr_posture *from, *to;
    tr_vec3 origin, target; // their wrists
    float swivel;           // of `to`
    float span;             // from wrist to wrist [m]
    uint32_t via;           // the node that sees the target; TR_NONE so far
} cell_search;

static tr_vec3 middle_of(const cell_search *search, const int16_t cell[3]) {
    tr_vec3 offset = tr_vec3_make(cell[0], cell[1], cell[2]);
    return tr_vec3_add(search->origin, tr_vec3_scale(offset, search->step));
}

static uint32_t slot_of(const int16_t cell[3], int16_t swivel, uint16_t hand) {
    uint64_t key = (uint64_t)(uint16_t)cell[0] | (uint64_t)(uint16_t)cell[1] << 16 |
                   (uint64_t)(uint16_t)cell[2] << 32 | (uint64_t)(uint16_t)swivel << 48;
    key = (key ^ (uint64_t)hand << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 51); // 13 bits
}

static uint32_t estimate(const cell_search *search, const int16_t cell[3], int16_t swivel) {
    float far = tr_vec3_length(tr_vec3_subtract(middle_of(search, cell), search->target));
    float turn = fabsf((float)swivel - search->swivel / SWIVEL_BIN);
    return (uint32_t)(ESTIMATE_UNIT * (far / search->step + SWIVEL_COST * turn));
}

// Adds a node for the cell and swivel. TR_NONE: it exists already, or there is no room.
static uint32_t add_node(cell_search *search, const int16_t cell[3], int16_t swivel, uint16_t hand,
                         uint32_t parent) {
    tr_reach *reach = search->reach;
    uint32_t slot = slot_of(cell, swivel, hand);
    for (; reach->table[slot] != TR_NONE; slot = (slot + 1) % TABLE_SIZE) {
        const reach_node *node = &reach->nodes[reach->table[slot]];
        if (node->swivel == swivel && node->hand == hand && memcmp(node->cell, cell, sizeof node->cell) == 0)
            return TR_NONE;
    }
    if (reach->node_count + 1 >= REACH_CELLS_MAX) // the last is reserved for the goal
        return TR_NONE;
    uint32_t number = reach->node_count++;
    reach_node *node = &reach->nodes[number];
    memcpy(node->cell, cell, sizeof node->cell);
    node->swivel = swivel;
    node->hand = hand;
    node->parent = parent;
    node->estimate = estimate(search, cell, swivel) + (hand < REACH_HANDS ? HAND_ESTIMATE : 0);
    reach->table[slot] = number;
    return number;
}

// Of all postures that hold the wrist there, with the elbow about where the bin says, the one nearest to
// `from`.
static bool choose(const tr_reach *reach, const tr_arm_goal *goal, const tr_posture *mixed, float swivel,
                   const tr_posture *from, tr_posture *posture) {
    tr_arm_family family;
    float best = INFINITY;
    if (tr_arm_solve(&reach->arm, &mixed->q[TR_ARM_JOINTS], goal, &family) != TR_OK)
        return false;
    for (uint32_t i = 0; i < family.range_count; i++) {
        const tr_arm_range *range = &family.ranges[i];
        float turned = swivel;
        while (turned < range->low)
            turned += (float)(2 * TR_PI);
        if (turned > range->high) // the nearer end
            turned =
                turned - range->high < range->low + (float)(2 * TR_PI) - turned ? range->high : range->low;
        tr_posture tried;
        if (!tr_arm_family_at(&reach->arm, &family, goal, turned, range->branch,
                              &mixed->q[TR_FOREARM_PRONATION], &tried))
            continue;
        float gap = tr_reach_gap(&tried, from);
        if (gap < best)
            best = gap, *posture = tr_arm_clamp(&reach->arm, tried);
    }
    return best < INFINITY;
}

// Places the wrist in the middle of the cell: upper arm and forearm, which are the same for every hand. The
// orientation of the hand is interpolated between those of the start and the goal.
static void place_arm(const cell_search *search, const tr_posture *from, reach_arm *arm) {
    tr_reach *reach = search->reach;
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = middle_of(search, arm->cell)};
    float far = tr_vec3_length(tr_vec3_subtract(goal.wrist, search->target));
    float share = search->span > far ? 1 - far / search->span : 0;
    tr_posture mixed = tr_reach_between(search->from, search->to, share);
    tr_solid_capsule ball = {goal.wrist, goal.wrist, reach->arm.radius[1]}; // the end of every forearm
    arm->free = !(reach->solid && tr_solid_touches(reach->solid, &ball)) &&
                choose(reach, &goal, &mixed, (float)arm->swivel * SWIVEL_BIN, from, &arm->posture) &&
                tr_reach_is_clear(reach, &arm->posture, REACH_UPPER | REACH_FOREARM | REACH_TRUNK);
}

// As placed before for another hand, or placed now; NULL: it is not free, or there is no room.
static const reach_arm *find_arm(const cell_search *search, const reach_node *node, const tr_posture *from) {
    tr_reach *reach = search->reach;
    uint32_t slot = slot_of(node->cell, node->swivel, 0) % REACH_ARM_SLOTS;
    for (; reach->arm_table[slot] != TR_NONE; slot = (slot + 1) % REACH_ARM_SLOTS) {
        const reach_arm *arm = &reach->arms[reach->arm_table[slot]];
        if (arm->swivel == node->swivel && memcmp(arm->cell, node->cell, sizeof node->cell) == 0)
            return arm->free ? arm : NULL;
    }
    if (reach->arm_count == REACH_ARMS_MAX)
        return NULL;
    reach_arm *arm = &reach->arms[reach->arm_count];
    reach->arm_table[slot] = reach->arm_count++;
    memcpy(arm->cell, node->cell, sizeof node->cell);
    arm->swivel = node->swivel;
    place_arm(search, from, arm);
    return arm->free ? arm : NULL;
}

// The end of the edge first: it touches most often.
static bool reach_node_from(const cell_search *search, reach_node *node, const tr_posture *from) {
    tr_reach *reach = search->reach;
    const reach_arm *arm = find_arm(search, node, from);
    if (!arm)
        return false;
    node->posture = arm->posture;
    if (node->hand < REACH_HANDS)
        tr_reach_hand(&reach->arm, node->hand, &node->posture.q[TR_FOREARM_PRONATION]);
    return tr_reach_is_clear(reach, &node->posture, REACH_HAND | REACH_SELF) &&
           tr_reach_edge(reach, from, &node->posture);
}

// Does a straight path lead from here to one of the goals?
static bool sees_goal(cell_search *search, const tr_posture *posture) {
    tr_reach *reach = search->reach;
    if (!tr_reach_edge(reach, posture, search->to))
        return false;
    reach_node *last = &reach->nodes[REACH_CELLS_MAX - 1];
    last->posture = *search->to;
    last->estimate = 0;
    return true;
}

static void follow(cell_search *search, tr_search_step *step, const int16_t cell[3], int16_t swivel,
                   uint16_t hand, uint32_t parent) {
    uint32_t child = add_node(search, cell, swivel, hand, parent);
    if (child != TR_NONE)
        tr_search_follow(step, child, 1);
}

static void expand(void *user, uint32_t number, uint32_t parent, tr_search_step *step) {
    cell_search *search = user;
    tr_reach *reach = search->reach;
    reach_node *node = &reach->nodes[number];
    (void)parent;
    if (tr_reach_out_of_budget(reach))
        return;
    if (number > 0) {
        const tr_posture *from = &reach->nodes[node->parent].posture;
        if (!reach_node_from(search, node, from))
            return;
        if (sees_goal(search, &node->posture)) {
            search->via = number;
            tr_search_follow(step, REACH_CELLS_MAX - 1, 1);
            return;
        }
    }
    for (int k = 0; k < 8; k++) {
        int16_t cell[3] = {node->cell[0], node->cell[1], node->cell[2]}, swivel = node->swivel;
        if (k < 6)
            cell[k >> 1] = (int16_t)(cell[k >> 1] + (k & 1 ? 1 : -1));
        else
            swivel = (int16_t)(swivel + (k & 1 ? 1 : -1));
        follow(search, step, cell, swivel, node->hand, number);
    }
    for (uint16_t hand = 0; hand <= REACH_HANDS; hand++)
        if (hand != node->hand && (hand < search->hands || hand == REACH_HANDS))
            follow(search, step, node->cell, node->swivel, hand, number);
}

static uint32_t estimate_of(void *user, uint32_t node) {
    const cell_search *search = user;
    return search->reach->nodes[node].estimate;
}

static bool is_goal(void *user, uint32_t node) {
    (void)user;
    return node == REACH_CELLS_MAX - 1;
}

// The path from the first node through `via` to the target, or the reverse.
static bool take_path(tr_reach *reach, uint32_t via, bool backwards) {
    uint32_t count = 1;
    for (uint32_t node = via; node != TR_NONE; node = reach->nodes[node].parent)
        count++;
    if (count > REACH_WAY_MAX)
        return false;
    reach->knot_count = count;
    uint32_t place = backwards ? 0 : count - 1;
    int step = backwards ? 1 : -1;
    reach->knots[place] = reach->nodes[REACH_CELLS_MAX - 1].posture;
    for (uint32_t node = via; node != TR_NONE; node = reach->nodes[node].parent) {
        place = (uint32_t)((int)place + step);
        reach->knots[place] = reach->nodes[node].posture;
    }
    return true;
}

typedef struct cell_attempt {
    float step;          // [m]
    uint16_t hands;      // orientations of the hand that are tried beside the plain one
    uint16_t expansions; // before the attempt is abandoned
    uint16_t goal;
} cell_attempt;
// Large cells before small ones, towards the cheapest goal before the others.
static const cell_attempt attempts[] = {
    {0.12f, 6, 60, 0}, {0.12f, 0, 80, 0},  {0.12f, 6, 120, 1}, {0.12f, 0, 80, 1},  {0.12f, 6, 120, 2},
    {0.12f, 0, 80, 2}, {0.12f, 6, 120, 3}, {0.12f, 0, 80, 3},  {0.06f, 6, 120, 0}, {0.06f, 2, 200, 1},
};
#define ATTEMPTS (2 * (uint32_t)(sizeof attempts / sizeof *attempts)) // each forwards and backwards
// The attempts for a different path than the one that was found: small cells go closer round obstacles.
static const uint8_t others[] = {16, 17, 5, 9, 13, 18, 19};

static bool search_level(tr_reach *reach, const cell_attempt *attempt, bool backwards) {
    cell_search search = {.reach = reach, .step = attempt->step, .hands = attempt->hands, .via = TR_NONE};
    const reach_goal *goal = &reach->goals[attempt->goal];
    search.from = backwards ? &goal->posture : &reach->start;
    search.to = backwards ? &reach->start : &goal->posture;
    search.origin = tr_reach_wrist(reach, search.from);
    search.target = tr_reach_wrist(reach, search.to);
    search.swivel = tr_arm_swivel(&reach->arm, search.to);
    search.span = tr_vec3_length(tr_vec3_subtract(search.origin, search.target));
    tr_search_domain domain = {&search, expand, estimate_of, is_goal, false};
    const int16_t home[3] = {0, 0, 0};
    memset(reach->table, 0xff, TABLE_SIZE * sizeof *reach->table);
    memset(reach->arm_table, 0xff, sizeof reach->arm_table);
    reach->node_count = reach->arm_count = 0;
    float swivel = tr_arm_swivel(&reach->arm, search.from) / SWIVEL_BIN;
    uint32_t first =
        add_node(&search, home, (int16_t)(swivel < 0 ? swivel - 0.5f : swivel + 0.5f), REACH_HANDS, TR_NONE);
    reach->nodes[first].posture = *search.from;
    tr_search_budget budget = {attempt->expansions, 0};
    if (tr_search_begin(reach->search, &domain, &first, NULL, 1) != TR_OK)
        return false;
    tr_status status = tr_search_run(reach->search, &domain, budget, NULL);
    reach->result.nodes += reach->node_count;
    return status == TR_OK && take_path(reach, search.via, backwards);
}

static bool try_once(tr_reach *reach, uint32_t number) {
    const cell_attempt *attempt = &attempts[number / 2];
    if (reach->tried >> number & 1 || attempt->goal >= reach->goal_count)
        return false;
    reach->tried |= 1u << number;
    return search_level(reach, attempt, number & 1);
}

bool tr_reach_by_cells(tr_reach *reach) {
    for (uint32_t number = 0; number < ATTEMPTS && !tr_reach_out_of_budget(reach); number++)
        if (try_once(reach, number))
            return true;
    return false;
}

bool tr_reach_by_other_cells(tr_reach *reach, uint32_t checks_max) {
    for (uint32_t k = 0; k < sizeof others && !tr_reach_out_of_budget(reach); k++)
        if (reach->result.checks < checks_max && try_once(reach, others[k]))
            return true;
    return false;
}
