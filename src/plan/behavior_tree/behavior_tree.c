// A tree of moves that is made beforehand: for each list of states that a character may go on with.
#include "behavior_tree_data.h"

#include <string.h>

#define NODES_DEFAULT (1u << 12)
#define NODES_MAX (1u << 20)
#define LEVELS_DEFAULT 32
#define LEVELS_MAX 64
#define PARAMETERS_DEFAULT 3
#define ALIKE_DEFAULT 2
#define SECTORS_DEFAULT 12
#define ALIKE_MOST 8
#define CLIPS_MOST 4 // of a state

// --- Checks ---

static tr_status check(const tr_behavior_tree_def *def, tr_error *error) {
    if (!def->behavior)
        return tr_fail(error, TR_INVALID, "a tree of behaviors needs a machine");
    if (def->node_max > NODES_MAX)
        return tr_fail(error, TR_INVALID, "node_max is %u, it must be at most %u", def->node_max, NODES_MAX);
    if (def->levels > LEVELS_MAX)
        return tr_fail(error, TR_INVALID, "levels is %u, it must be at most %d", def->levels, LEVELS_MAX);
    if (def->parameters > TR_BEHAVIOR_PARAMETERS_MAX)
        return tr_fail(error, TR_INVALID, "%u parameters of each state are too many, the most is %d",
                       def->parameters, TR_BEHAVIOR_PARAMETERS_MAX);
    if (!(def->cell >= 0 && def->cell <= 1e4f && def->angle >= 0 && def->angle <= 1e4f))
        return tr_fail(error, TR_INVALID,
                       "ends are alike within %g m and %g rad, these must be from 0 to 10000",
                       (double)def->cell, (double)def->angle);
    if (def->alike > ALIKE_MOST)
        return tr_fail(error, TR_INVALID, "%u ends that are alike are too many, the most is %d", def->alike,
                       ALIKE_MOST);
    return TR_OK;
}

// A third of the mean length of the moves that go somewhere.
static float default_cell(const tr_behavior *behavior) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        if (behavior->infos[i].longest > 0 && !behavior->states[i].serves) {
            sum += behavior->infos[i].longest;
            count++;
        }
    return count ? (float)(sum / count / 3) : 1;
}

static void fill_def(tr_behavior_tree *made) {
    tr_behavior_tree_def *def = &made->def;
    def->node_max = def->node_max ? def->node_max : NODES_DEFAULT;
    def->levels = def->levels ? def->levels : LEVELS_DEFAULT;
    def->parameters = def->parameters ? def->parameters : PARAMETERS_DEFAULT;
    def->alike = def->alike ? def->alike : ALIKE_DEFAULT;
    made->cell = def->cell > 0 ? def->cell : default_cell(def->behavior);
    made->cell = made->cell > 1e-3f ? made->cell : 1e-3f;
    double sectors = def->angle > 0 ? 2 * TR_PI / (double)def->angle + 0.5 : SECTORS_DEFAULT;
    made->sectors = sectors < 1 ? 1 : sectors < 1024 ? (uint32_t)sectors : 1024;
}

// --- Steps ---

static uint32_t steps_of(const tr_behavior_tree *tree, uint32_t state) {
    const tr_behavior_state *of = &tree->behavior->states[state];
    if (of->parametrised)
        return tree->def.parameters;
    return of->move_count < CLIPS_MOST ? of->move_count : CLIPS_MOST;
}

static void add_parameter(tr_behavior_tree *tree, uint32_t state, uint32_t index) {
    const tr_behavior_state *of = &tree->behavior->states[state];
    float low = of->moves[0].parameter, high = of->moves[of->move_count - 1].parameter;
    uint32_t count = tree->def.parameters;
    float t = count > 1 ? (float)index / (float)(count - 1) : 0.5f;
    float parameter = t < 1 ? low + (high - low) * t : high;
    behavior_step *step = &tree->steps[tree->step_count++];
    *step = behavior_step_between(tree->behavior, state, parameter < high ? parameter : high);
    step->samples = behavior_step_samples(tree->behavior, step, tree->samples + tree->sample_count);
    tree->sample_count += step->sample_count;
}

// Clips that are spread over those of a state; the costs are those of a search.
static void add_clip(tr_behavior_tree *tree, uint32_t state, uint32_t index) {
    uint64_t count = tree->behavior->states[state].move_count;
    uint32_t clip = (uint32_t)((tree->def.seed + index * count / steps_of(tree, state)) % count);
    tree->steps[tree->step_count++] =
        behavior_step_of(tree->behavior, state, clip, behavior_state_cost(tree->behavior, state));
}

static bool make_steps(tr_behavior_tree *tree) {
    const tr_behavior *behavior = tree->behavior;
    uint32_t states = behavior->def.state_count, steps = 0, samples = 0;
    for (uint32_t i = 0; i < states; i++) {
        steps += steps_of(tree, i);
        if (behavior->states[i].parametrised)
            samples += steps_of(tree, i) * behavior->states[i].moves->disc_count;
    }
    tree->step_max = steps;
    tree->sample_max = samples;
    tree->steps = tr_allocate(&tree->allocator, steps, sizeof *tree->steps);
    tree->samples = tr_allocate_zero(&tree->allocator, samples, sizeof *tree->samples);
    tree->first_step = tr_allocate(&tree->allocator, states + 1, sizeof *tree->first_step);
    tree->weights = tr_allocate(&tree->allocator, states, sizeof *tree->weights);
    if (!tree->steps || !tree->samples || !tree->first_step || !tree->weights)
        return false;
    for (uint32_t i = 0; i < states; i++) {
        tree->weights[i] = behavior->states[i].weight;
        tree->first_step[i] = tree->step_count;
        for (uint32_t k = 0, count = steps_of(tree, i); k < count; k++)
            if (behavior->states[i].parametrised)
                add_parameter(tree, i, k);
            else
                add_clip(tree, i, k);
    }
    tree->first_step[states] = tree->step_count;
    if (tree->def.node_max < steps)
        tree->def.node_max = steps; // there is always room for all first moves
    return true;
}

// The special behaviors that may follow the states of a root. Returns how many steps they are.
static uint32_t list_specials(tr_behavior_tree *tree, const tree_root *root, uint32_t *steps) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < root->state_count; i++) {
        uint32_t state = root->states[i];
        if (!tree->behavior->states[state].serves)
            continue;
        float reach = tree->behavior->infos[state].reach;
        tree->special_reach = reach > tree->special_reach ? reach : tree->special_reach;
        for (uint32_t k = tree->first_step[state]; k < tree->first_step[state + 1]; k++, count++)
            if (steps)
                steps[count] = k;
    }
    return count;
}

// Of the groups, whose roots are the first ones.
static bool make_specials(tr_behavior_tree *tree) {
    uint32_t groups = tree->behavior->group_count, count = 0;
    for (uint32_t i = 0; i < groups; i++)
        tree->special_max += list_specials(tree, &tree->roots[i], NULL);
    tree->specials = tr_allocate(&tree->allocator, tree->special_max, sizeof *tree->specials);
    tree->first_special = tr_allocate(&tree->allocator, groups + 1, sizeof *tree->first_special);
    if (!tree->specials || !tree->first_special)
        return false;
    for (uint32_t i = 0; i < groups; i++) {
        tree->first_special[i] = count;
        count += list_specials(tree, &tree->roots[i], tree->specials + count);
    }
    tree->first_special[groups] = count;
    return true;
}

// --- Roots ---

// Which states begin with a label: the first moves of a plan.
static uint32_t list_label(const tr_behavior *behavior, uint32_t label, uint32_t *states) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        if (behavior->states[i].begin == label)
            states[count++] = i;
    return count;
}

// Labels whose first moves are those of a group of states share its tree.
static uint32_t find_root(const tr_behavior_tree *tree, uint32_t count, const uint32_t *states) {
    uint32_t i = 0;
    while (i < tree->root_count && !(tree->roots[i].state_count == count &&
                                     memcmp(tree->roots[i].states, states, count * sizeof *states) == 0))
        i++;
    return i;
}

static bool make_roots(tr_behavior_tree *tree) {
    const tr_behavior *behavior = tree->behavior;
    uint32_t labels = behavior->def.label_count, states = behavior->def.state_count;
    tree->root_max = behavior->group_count + labels;
    tree->roots = tr_allocate_zero(&tree->allocator, tree->root_max, sizeof *tree->roots);
    tree->label_roots = tr_allocate(&tree->allocator, labels, sizeof *tree->label_roots);
    tree->beginners = tr_allocate(&tree->allocator, states, sizeof *tree->beginners);
    if (!tree->roots || !tree->label_roots || !tree->beginners)
        return false;
    for (uint32_t i = 0; i < states; i++) { // groups are numbered in the order of their first states
        const tr_behavior_state *state = &behavior->states[i];
        if (behavior->infos[i].group == tree->root_count)
            tree->roots[tree->root_count++] =
                (tree_root){.states = state->successors, .state_count = state->successor_count};
    }
    uint32_t *list = tree->beginners; // every state begins with one label
    for (uint32_t i = 0; i < labels; i++) {
        uint32_t count = list_label(behavior, i, list), root = find_root(tree, count, list);
        tree->label_roots[i] = root;
        if (root == tree->root_count)
            tree->roots[tree->root_count++] = (tree_root){.states = list, .state_count = count};
        list += count;
    }
    return true;
}

// --- The tree ---

tr_status tr_behavior_tree_create(const tr_behavior_tree_def *def, tr_behavior_tree **tree, tr_error *error) {
    *tree = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_behavior_tree *made = tr_allocate_zero(&own, 1, sizeof *made);
    bool fine = made != NULL;
    if (fine) {
        made->allocator = own;
        made->def = *def;
        made->behavior = def->behavior;
        fill_def(made);
        fine = make_steps(made) && make_roots(made) && make_specials(made);
    }
    for (uint32_t i = 0; fine && i < made->root_count; i++) {
        tree_root *root = &made->roots[i];
        fine = tr_behavior_tree_grow(made, root);
        made->node_most = root->count > made->node_most ? root->count : made->node_most;
        made->bunch_most = root->bunch_count > made->bunch_most ? root->bunch_count : made->bunch_most;
    }
    if (fine) {
        *tree = made;
        return TR_OK;
    }
    tr_behavior_tree_destroy(made);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a tree of behaviors");
}

void tr_behavior_tree_destroy(tr_behavior_tree *tree) {
    if (!tree)
        return;
    tr_allocator memory = tree->allocator;
    const tr_behavior_def *def = &tree->behavior->def;
    tr_release(&memory, tree->steps, tree->step_max, sizeof *tree->steps);
    tr_release(&memory, tree->specials, tree->special_max, sizeof *tree->specials);
    tr_release(&memory, tree->first_special, tree->behavior->group_count + 1, sizeof *tree->first_special);
    tr_release(&memory, tree->samples, tree->sample_max, sizeof *tree->samples);
    tr_release(&memory, tree->first_step, def->state_count + 1, sizeof *tree->first_step);
    tr_release(&memory, tree->weights, def->state_count, sizeof *tree->weights);
    tr_release(&memory, tree->roots, tree->root_max, sizeof *tree->roots);
    tr_release(&memory, tree->label_roots, def->label_count, sizeof *tree->label_roots);
    tr_release(&memory, tree->beginners, def->state_count, sizeof *tree->beginners);
    tr_release(&memory, tree->nodes, tree->node_capacity, sizeof *tree->nodes);
    tr_release(&memory, tree->ends, tree->end_capacity, sizeof *tree->ends);
    tr_release(&memory, tree->bunches, tree->bunch_capacity, sizeof *tree->bunches);
    tr_release(&memory, tree, 1, sizeof *tree);
}

uint64_t tr_behavior_tree_bytes(const tr_behavior_tree *tree) {
    const tr_behavior_def *def = &tree->behavior->def;
    return sizeof *tree + tree->step_max * sizeof *tree->steps + tree->special_max * sizeof *tree->specials +
           tree->sample_max * sizeof *tree->samples +
           def->state_count * (sizeof *tree->first_step + sizeof *tree->weights + sizeof *tree->beginners) +
           tree->root_max * sizeof *tree->roots + def->label_count * sizeof *tree->label_roots +
           (uint64_t)tree->node_capacity * sizeof *tree->nodes +
           (uint64_t)tree->end_capacity * sizeof *tree->ends +
           (uint64_t)tree->bunch_capacity * sizeof *tree->bunches;
}

// --- For pictures ---

uint32_t tr_behavior_tree_places(const tr_behavior_tree *tree, uint32_t label) {
    return label < tree->behavior->def.label_count ? tree->roots[tree->label_roots[label]].count : 0;
}

bool tr_behavior_tree_place(const tr_behavior_tree *tree, uint32_t label, uint32_t index,
                            tr_behavior_place *place) {
    if (index >= tr_behavior_tree_places(tree, label))
        return false;
    const tree_node *nodes = tree->nodes + tree->roots[tree->label_roots[label]].first;
    uint32_t way[LEVELS_MAX], count = 0, cost = 0;
    for (uint32_t i = index; i != TR_NONE; i = nodes[i].parent)
        way[count++] = nodes[i].step;
    *place = (tr_behavior_place){.parent = nodes[index].parent, .expanded = true};
    for (; count-- > 0;) {
        const behavior_step *step = &tree->steps[way[count]];
        place->position = behavior_from(
            behavior_axes_at(place->position.x, place->position.z, place->heading), step->x, step->z);
        place->heading = behavior_turned(place->heading, step->turn);
        place->frame += step->frames;
        place->state = step->state;
        cost += step->cost;
    }
    place->cost = cost / BEHAVIOR_UNIT;
    return true;
}
