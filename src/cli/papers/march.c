// Step numbers are those of Liu & Badler 2003, "Planning Procedure".
#include "march.h"
#include "troupe/base/scalar.h"

#include <string.h>

typedef struct march_cell {
    int32_t x, y, z; // of the world, in steps
} march_cell;

// The cells whose middles lie within the arm's length, row by row along x.
typedef struct march_space {
    int32_t y, z;        // of the first row
    uint32_t rows;       // each way
    int32_t *row_x;      // x of the first cell of each row
    uint32_t *row_begin; // its number; rows * rows + 1 of them
    uint32_t cell_count;
    uint64_t *visited; // a bit for each cell
} march_space;

struct march_search {
    tr_allocator allocator;
    march_def def;
    double shoulder[3];
    double near, far; // of the wrist from the shoulder [m]
    march_space space;
    bool begun;
    tr_vec3 goal;
    march_cell goal_cell;
    bool goal_on_way; // nothing is left but to go back to it
    float hand[3];
    // The way. A cell is on it once at most, but for that of the start, which may be outside the space.
    tr_posture *postures;
    tr_vec3 *wrists;
    march_cell *cells;
    uint32_t capacity;
    march_result counters;
};

#define CELLS_FROM_ORIGIN_MAX 1e9 // so that cells can be numbered with 32 bits

static march_cell cell_of(const march_search *march, tr_vec3 p) {
    double step = (double)march->def.step;
    return (march_cell){(int32_t)floor((double)p.x / step), (int32_t)floor((double)p.y / step),
                        (int32_t)floor((double)p.z / step)};
}

static double middle_of(const march_search *march, int32_t coordinate) {
    return ((double)coordinate + 0.5) * (double)march->def.step;
}

static tr_vec3 cell_middle(const march_search *march, march_cell cell) {
    return tr_vec3_make((float)middle_of(march, cell.x), (float)middle_of(march, cell.y),
                        (float)middle_of(march, cell.z));
}

static bool is_same_cell(march_cell a, march_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// How near and how far the wrist can be: by the law of cosines, from the elbow's limits.
static void measure_reach(march_search *march) {
    const tr_arm *arm = &march->def.arm;
    double upper = (double)arm->length[0], forearm = (double)arm->length[1], sine, low, high;
    tr_sin_cos((double)arm->low.q[TR_ELBOW_FLEXION], &sine, &low);
    tr_sin_cos((double)arm->high.q[TR_ELBOW_FLEXION], &sine, &high);
    double least = low < high ? low : high, most = low < high ? high : low;
    if (arm->low.q[TR_ELBOW_FLEXION] <= 0 && arm->high.q[TR_ELBOW_FLEXION] >= 0)
        most = 1;
    // A little wider than exact: what is on the border is left to the inverse kinematics.
    double squares = upper * upper + forearm * forearm, twice = 2 * upper * forearm;
    double near_square = squares + twice * least;
    march->near = (near_square > 0 ? sqrt(near_square) : 0) - 1e-5;
    march->far = sqrt(squares + twice * most) + 1e-5;
    tr_posture none = tr_arm_clamp(arm, (tr_posture){{0}});
    tr_vec3 points[4];
    tr_arm_points(arm, &none, points);
    march->shoulder[0] = (double)points[0].x;
    march->shoulder[1] = (double)points[0].y;
    march->shoulder[2] = (double)points[0].z;
}

// The cells of one row within reach: the first, and how many.
static uint32_t measure_row(const march_search *march, int32_t y, int32_t z, int32_t *first) {
    double across = middle_of(march, y) - march->shoulder[1],
           ahead = middle_of(march, z) - march->shoulder[2];
    double square = march->far * march->far - across * across - ahead * ahead, step = (double)march->def.step;
    if (!(square > 0))
        return 0;
    double half = sqrt(square);
    double begin = ceil((march->shoulder[0] - half) / step - 0.5);
    double end = floor((march->shoulder[0] + half) / step - 0.5) + 1;
    *first = (int32_t)begin;
    return end > begin ? (uint32_t)(end - begin) : 0;
}

static tr_status check_size(const march_search *march, tr_error *error) {
    double step = (double)march->def.step, cells = march->far / step;
    // A little less than the ball of that radius: whatever passes here and is too much is counted below.
    if (4 * cells * cells * cells > (double)MARCH_CELLS_MAX)
        return tr_fail(error, TR_LIMIT,
                       "an arm of %g m reaches about %.0f cells of %g m, the most is %u: take a larger step",
                       march->far, 4.19 * cells * cells * cells, step, MARCH_CELLS_MAX);
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(march->shoulder[axis]) / step + cells < CELLS_FROM_ORIGIN_MAX))
            return tr_fail(error, TR_LIMIT,
                           "the shoulder is %g m from the origin, more than %g cells of %g m away",
                           march->shoulder[axis], CELLS_FROM_ORIGIN_MAX, step);
    return TR_OK;
}

static tr_status make_space(march_search *march, tr_error *error) {
    march_space *space = &march->space;
    double step = (double)march->def.step;
    space->y = (int32_t)floor((march->shoulder[1] - march->far) / step);
    space->z = (int32_t)floor((march->shoulder[2] - march->far) / step);
    space->rows = (uint32_t)(2 * march->far / step) + 3;
    size_t rows = (size_t)space->rows * space->rows;
    space->row_x = tr_allocate_zero(&march->allocator, rows, sizeof *space->row_x);
    space->row_begin = tr_allocate(&march->allocator, rows + 1, sizeof *space->row_begin);
    if (!space->row_x || !space->row_begin)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %zu rows of cells", rows);
    for (size_t row = 0; row < rows; row++) {
        space->row_begin[row] = space->cell_count;
        space->cell_count += measure_row(march, space->y + (int32_t)(row / space->rows),
                                         space->z + (int32_t)(row % space->rows), &space->row_x[row]);
        if (space->cell_count > MARCH_CELLS_MAX)
            return tr_fail(error, TR_LIMIT, "the arm reaches more than %u cells of %g m: take a larger step",
                           MARCH_CELLS_MAX, step);
    }
    space->row_begin[rows] = space->cell_count;
    space->visited = tr_allocate(&march->allocator, space->cell_count / 64 + 1, sizeof *space->visited);
    march->capacity = space->cell_count + 1;
    march->postures = tr_allocate(&march->allocator, march->capacity, sizeof *march->postures);
    march->wrists = tr_allocate(&march->allocator, march->capacity, sizeof *march->wrists);
    march->cells = tr_allocate(&march->allocator, march->capacity, sizeof *march->cells);
    if (!space->visited || !march->postures || !march->wrists || !march->cells)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u cells", space->cell_count);
    return TR_OK;
}

tr_status march_create(const march_def *def, march_search **march, tr_error *error) {
    if (march)
        *march = NULL;
    if (!def || !march || !def->is_free)
        return tr_fail(error, TR_INVALID, "a march needs a definition with a check for collision");
    if (!(def->step > 0) || !isfinite(def->step))
        return tr_fail(error, TR_INVALID, "the step is %g m, it must be above 0", (double)def->step);
    tr_status status = tr_arm_check(&def->arm, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    march_search *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a march");
    made->allocator = allocator;
    made->def = *def;
    // The paper's arm has a shoulder that stays where it is.
    for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++)
        made->def.arm.low.q[i] = made->def.arm.high.q[i] = tr_arm_clamp(&def->arm, (tr_posture){{0}}).q[i];
    measure_reach(made);
    status = check_size(made, error);
    if (status == TR_OK)
        status = make_space(made, error);
    if (status != TR_OK) {
        march_destroy(made);
        return status;
    }
    *march = made;
    return TR_OK;
}

void march_destroy(march_search *march) {
    if (!march)
        return;
    tr_allocator allocator = march->allocator;
    march_space *space = &march->space;
    size_t rows = (size_t)space->rows * space->rows;
    tr_release(&allocator, space->row_x, rows, sizeof *space->row_x);
    tr_release(&allocator, space->row_begin, rows + 1, sizeof *space->row_begin);
    tr_release(&allocator, space->visited, space->cell_count / 64 + 1, sizeof *space->visited);
    tr_release(&allocator, march->postures, march->capacity, sizeof *march->postures);
    tr_release(&allocator, march->wrists, march->capacity, sizeof *march->wrists);
    tr_release(&allocator, march->cells, march->capacity, sizeof *march->cells);
    tr_release(&allocator, march, 1, sizeof *march);
}

// The number of a cell, TR_NONE for one that the arm cannot reach.
static uint32_t cell_number(const march_search *march, march_cell cell) {
    const march_space *space = &march->space;
    uint32_t across = (uint32_t)cell.y - (uint32_t)space->y, ahead = (uint32_t)cell.z - (uint32_t)space->z;
    if (across >= space->rows || ahead >= space->rows)
        return TR_NONE;
    size_t row = (size_t)across * space->rows + ahead;
    uint32_t along = (uint32_t)cell.x - (uint32_t)space->row_x[row];
    if (along >= space->row_begin[row + 1] - space->row_begin[row])
        return TR_NONE;
    double x = middle_of(march, cell.x) - march->shoulder[0];
    double y = middle_of(march, cell.y) - march->shoulder[1];
    double z = middle_of(march, cell.z) - march->shoulder[2];
    bool too_near = march->near > 0 && x * x + y * y + z * z < march->near * march->near;
    return too_near ? TR_NONE : space->row_begin[row] + along;
}

static bool is_visited(const march_search *march, uint32_t number) {
    return march->space.visited[number / 64] >> (number % 64) & 1;
}

static void mark(march_search *march, march_cell cell) {
    uint32_t number = cell_number(march, cell);
    if (number != TR_NONE)
        march->space.visited[number / 64] |= (uint64_t)1 << (number % 64);
}

static void forget_marks(march_search *march) {
    memset(march->space.visited, 0, ((size_t)march->space.cell_count / 64 + 1) * sizeof(uint64_t));
}

// From `natural` to the nearest swivel of the range [rad]; `*swivel` is that one.
static double swivel_offset(const tr_arm_range *range, double natural, double *swivel) {
    double low = (double)range->low, high = (double)range->high, turn = 2 * TR_PI;
    double inside = natural - turn * floor((natural - low) / turn); // low <= inside < low + turn
    *swivel = inside;
    if (inside <= high)
        return 0;
    bool to_low = low + turn - inside < inside - high;
    *swivel = to_low ? low : high;
    return to_low ? low + turn - inside : inside - high;
}

static double displacement(const tr_posture *a, const tr_posture *b) {
    double sum = 0;
    for (int i = 0; i < TR_ARM_JOINTS; i++) {
        double off = (double)a->q[i] - (double)b->q[i];
        sum += off * off;
    }
    return sum;
}

// Step 5. IKAN gives one of all the ways to hold the arm; which one the paper leaves to it. Here it is the
// one with the elbow as near to where people have it as the limits allow.
bool march_hold(const tr_arm *arm, tr_vec3 wrist, const float hand[3], const tr_posture *present,
                tr_posture *posture) {
    const double same = 1e-5; // [rad]
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    const tr_posture none = tr_arm_clamp(arm, (tr_posture){{0}});
    tr_arm_family family;
    if (tr_arm_solve(arm, &none.q[TR_ARM_JOINTS], &goal, &family) != TR_OK)
        return false;
    double natural = (double)tr_arm_natural_swivel(arm, &family), least_offset = 0, least_moved = 0;
    bool found = false;
    for (uint32_t i = 0; i < family.range_count; i++) {
        double swivel, offset = swivel_offset(&family.ranges[i], natural, &swivel);
        tr_posture candidate;
        if (found && offset > least_offset + same)
            continue;
        if (!tr_arm_family_at(arm, &family, &goal, (float)swivel, family.ranges[i].branch, hand, &candidate))
            continue;
        double moved = displacement(&candidate, present ? present : &none);
        if (found && offset > least_offset - same && moved >= least_moved)
            continue;
        found = true;
        least_offset = offset;
        least_moved = moved;
        *posture = candidate;
    }
    return found;
}

// Can the wrist be in the middle of the goal's cell? TR_OK: `*cell` is that one.
static tr_status find_goal_cell(const march_search *march, tr_vec3 goal, march_cell *cell,
                                tr_arm_reason *reason, tr_error *error) {
    if (!tr_vec3_is_finite(goal))
        return tr_fail(error, TR_INVALID, "the goal (%g, %g, %g) is not finite", (double)goal.x,
                       (double)goal.y, (double)goal.z);
    double x = (double)goal.x - march->shoulder[0], y = (double)goal.y - march->shoulder[1];
    double z = (double)goal.z - march->shoulder[2], away = sqrt(x * x + y * y + z * z);
    tr_arm_reason why = TR_ARM_TOO_FAR;
    if (away < march->far + 2 * (double)march->def.step) {
        tr_arm_family family;
        *cell = cell_of(march, goal);
        tr_arm_goal middle = {.kind = TR_ARM_GOAL_POSITION, .wrist = cell_middle(march, *cell)};
        tr_arm_solve(&march->def.arm, &march->def.arm.low.q[TR_ARM_JOINTS], &middle, &family);
        why = family.reason;
    }
    if (reason)
        *reason = why;
    if (why == TR_ARM_REACHES)
        return TR_OK;
    return tr_fail(error, TR_NOT_FOUND,
                   "no posture puts the wrist in the cell of (%g, %g, %g), %.3f m from the shoulder: %s",
                   (double)goal.x, (double)goal.y, (double)goal.z, away, tr_arm_reason_name(why));
}

static bool is_posture(const march_search *march, const tr_posture *posture) {
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        if (!isfinite(posture->q[i]))
            return false;
    return tr_arm_allows(&march->def.arm, posture, 1e-3f);
}

tr_status march_begin(march_search *march, const tr_posture *start, tr_vec3 goal, tr_arm_reason *reason,
                      tr_error *error) {
    if (!march || !start)
        return tr_fail(error, TR_INVALID, "there is no march or no posture to begin with");
    if (!is_posture(march, start))
        return tr_fail(error, TR_INVALID, "the posture to begin with is outside the limits of the arm");
    march_cell goal_cell;
    tr_status status = find_goal_cell(march, goal, &goal_cell, reason, error);
    if (status != TR_OK)
        return status;
    tr_vec3 points[4];
    tr_arm_points(&march->def.arm, start, points);
    march->begun = true;
    march->goal = goal;
    march->goal_cell = goal_cell;
    memcpy(march->hand, &start->q[TR_FOREARM_PRONATION], sizeof march->hand);
    march->postures[0] = *start;
    march->wrists[0] = points[2];
    march->cells[0] = cell_of(march, points[2]);
    march->counters = (march_result){.visited = 1, .count = 1};
    forget_marks(march);
    mark(march, march->cells[0]);
    march->goal_on_way = is_same_cell(march->cells[0], goal_cell);
    return TR_OK;
}

tr_status march_set_goal(march_search *march, tr_vec3 goal, tr_arm_reason *reason, tr_error *error) {
    if (!march || !march->begun)
        return tr_fail(error, TR_INVALID, "the march has not begun: there is no goal to change");
    march_cell goal_cell;
    tr_status status = find_goal_cell(march, goal, &goal_cell, reason, error);
    if (status != TR_OK)
        return status;
    march->goal = goal;
    march->goal_cell = goal_cell;
    march->goal_on_way = false;
    forget_marks(march);
    for (uint32_t i = 0; i < march->counters.count; i++) {
        mark(march, march->cells[i]);
        march->goal_on_way |= is_same_cell(march->cells[i], goal_cell);
    }
    return TR_OK;
}

// Step 4: the neighbour nearest to the goal that was not visited, in the order that the paper lists them
// where two are equally near. false: there is none.
static bool pick_neighbour(const march_search *march, march_cell cell, march_cell *picked) {
    static const int8_t steps[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        march_cell next = {cell.x + steps[i][0], cell.y + steps[i][1], cell.z + steps[i][2]};
        uint32_t number = cell_number(march, next);
        if (number == TR_NONE || is_visited(march, number))
            continue;
        double x = middle_of(march, next.x) - (double)march->goal.x;
        double y = middle_of(march, next.y) - (double)march->goal.y;
        double z = middle_of(march, next.z) - (double)march->goal.z;
        double away = x * x + y * y + z * z;
        if (away < least) {
            least = away;
            *picked = next;
        }
    }
    return least < INFINITY;
}

static void go_back_to_goal(march_search *march) {
    while (!is_same_cell(march->cells[march->counters.count - 1], march->goal_cell)) {
        march->counters.count--;
        march->counters.backtracks++;
    }
}

tr_status march_step(march_search *march) {
    if (!march || !march->begun)
        return TR_INVALID;
    march_result *counters = &march->counters;
    if (march->goal_on_way) {
        go_back_to_goal(march);
        return TR_DONE;
    }
    march_cell next = {0, 0, 0};
    while (!pick_neighbour(march, march->cells[counters->count - 1], &next)) {
        if (counters->count == 1)
            return TR_NOT_FOUND;
        counters->count--;
        counters->backtracks++;
    }
    mark(march, next);
    counters->visited++;
    const tr_posture *present = &march->postures[counters->count - 1];
    tr_posture *posture = &march->postures[counters->count];
    tr_vec3 wrist = cell_middle(march, next);
    if (!march_hold(&march->def.arm, wrist, march->hand, present, posture)) {
        counters->out_of_reach++;
    } else if (!march->def.is_free(march->def.user, posture)) { // steps 6 and 7
        counters->refused++;
    } else { // step 8
        march->wrists[counters->count] = wrist;
        march->cells[counters->count] = next;
        counters->count++;
        march->goal_on_way = is_same_cell(next, march->goal_cell);
        return march->goal_on_way ? TR_DONE : TR_OK;
    }
    return TR_OK;
}

march_result march_look(const march_search *march) {
    march_result result = {0};
    if (march && march->begun) {
        result = march->counters;
        result.postures = march->postures;
        result.wrists = march->wrists;
    }
    return result;
}
