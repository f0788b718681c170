// Planning with a tree that is made beforehand: a place of the search is expanded by placing the tree there.
//
// Bunches of ends wait in a queue by about the least of their totals. A bunch that comes first is opened: its
// ends join the queue, each with its own total. An end that comes first is tested: the moves from the root to
// it, as far as they are not known, step by step from where the character is, as a search does. So nearly all
// moves of the tree but the first ones are never looked at; what follows a blocked one is blocked as well.
// The best end that is free becomes a place of the search, and the tree waits until its next one is the best
// of all. In the end that is every end, and so every first move: the search is as complete as one without a
// tree.
#include "behavior_tree_data.h"

#include <string.h>

#define EXTRAS 2          // special behaviors that follow nodes, for each node
#define NO_KEY UINT64_MAX // of places on the way to an end: they are not in the table

// A node of the tree, where the character really gets.
typedef struct planted {
    behavior_node node;
    behavior_axes axes;
    float height;
    uint32_t cost;  // from the start of the search
    uint32_t place; // of the search; TR_NONE: not yet
} planted;

// The memory for one tree that is placed.
typedef struct behavior_planting {
    uint64_t *queue; // bunches, ends and special behaviors after them
    uint32_t queue_max, queue_count;
    uint32_t *stamps; // of nodes: that of this planting if the way there is free
    uint32_t *slots;  // in `planted`
    planted *planted;
    uint64_t *blocked; // bits of nodes
    tree_node *extras; // special behaviors that follow nodes: those are their parents
    uint32_t node_max, planted_count, stamp, extra_max, extra_count;
} behavior_planting;

// A tree that is placed.
typedef struct planter {
    tr_behavior_search *search;
    const tr_behavior_tree *tree;
    const tree_root *root;
    behavior_planting *memory;
    tr_search_step *step;
    planted from;
} planter;

// --- Memory ---

static size_t words_of(uint32_t nodes) {
    return (size_t)nodes / 64 + 1;
}

void tr_behavior_planting_release(tr_behavior_search *s) {
    behavior_planting *p = s->planting;
    if (!p)
        return;
    tr_release(&s->allocator, p->queue, p->queue_max, sizeof *p->queue);
    tr_release(&s->allocator, p->blocked, words_of(p->node_max), sizeof *p->blocked);
    tr_release(&s->allocator, p->extras, p->extra_max, sizeof *p->extras);
    tr_release(&s->allocator, p->stamps, p->node_max, sizeof *p->stamps);
    tr_release(&s->allocator, p->slots, p->node_max, sizeof *p->slots);
    tr_release(&s->allocator, p->planted, p->node_max, sizeof *p->planted);
    tr_release(&s->allocator, p, 1, sizeof *p);
    s->planting = NULL;
}

static bool reserve(tr_behavior_search *s, const tr_behavior_tree *tree) {
    uint32_t nodes = tree->node_most, queue = nodes + EXTRAS * nodes + tree->bunch_most;
    if (s->planting && s->planting->node_max >= nodes && s->planting->queue_max >= queue)
        return true;
    tr_behavior_planting_release(s);
    behavior_planting *p = tr_allocate_zero(&s->allocator, 1, sizeof *p);
    s->planting = p;
    if (!p)
        return false;
    p->queue_max = queue;
    p->node_max = nodes;
    p->queue = tr_allocate(&s->allocator, queue, sizeof *p->queue);
    p->extra_max = EXTRAS * nodes;
    p->extras = tr_allocate(&s->allocator, p->extra_max, sizeof *p->extras);
    p->blocked = tr_allocate(&s->allocator, words_of(nodes), sizeof *p->blocked);
    p->stamps = tr_allocate_zero(&s->allocator, nodes, sizeof *p->stamps);
    p->slots = tr_allocate(&s->allocator, nodes, sizeof *p->slots);
    p->planted = tr_allocate(&s->allocator, nodes, sizeof *p->planted);
    if (p->queue && p->extras && p->blocked && p->stamps && p->slots && p->planted)
        return true;
    tr_behavior_planting_release(s);
    return false;
}

tr_status tr_behavior_tree_reserve(const tr_behavior_tree *tree, tr_behavior_search *search,
                                   const tr_behavior_map *map, uint32_t goal_count, tr_error *error) {
    tr_status status = tr_behavior_search_reserve(search, tree->behavior, map, goal_count, error);
    if (status == TR_OK && !reserve(search, tree))
        status =
            tr_fail(error, TR_OUT_OF_MEMORY, "no memory to plan with a tree of %u nodes", tree->node_most);
    return status;
}

// --- The queue: the total in the upper half; bunches have the lowest numbers, then come ends, then special
// behaviors ---

static void push(behavior_planting *p, uint32_t total, uint32_t what) {
    uint64_t key = (uint64_t)total << 32 | what;
    uint32_t place = p->queue_count++;
    for (; place > 0 && p->queue[(place - 1) / 4] > key; place = (place - 1) / 4)
        p->queue[place] = p->queue[(place - 1) / 4];
    p->queue[place] = key;
}

static void sink(behavior_planting *p, uint32_t place, uint64_t key) {
    for (;;) {
        uint32_t child = 4 * place + 1, least = child;
        if (child >= p->queue_count)
            break;
        uint32_t end = child + 4 < p->queue_count ? child + 4 : p->queue_count;
        for (uint32_t i = child + 1; i < end; i++)
            least = p->queue[i] < p->queue[least] ? i : least;
        if (p->queue[least] >= key)
            break;
        p->queue[place] = p->queue[least];
        place = least;
    }
    p->queue[place] = key;
}

static uint64_t take(behavior_planting *p) {
    uint64_t first = p->queue[0], last = p->queue[--p->queue_count];
    if (p->queue_count)
        sink(p, 0, last);
    return first;
}

// --- Looking up ---

static uint64_t key_of(const planter *p, const planted *to) {
    const tr_behavior_search *s = p->search;
    return tr_behavior_table_key(s, &to->node, s->behavior->infos[to->node.state].group);
}

// Whether a place is in the search only because it is on the way to another.
static bool is_asleep(const planter *p, uint32_t place) {
    return p->search->core->states[place] >> 1 != p->search->core->generation;
}

static uint32_t total_of(const planter *p, uint32_t cost, uint32_t estimate) {
    uint64_t total = (uint64_t)p->from.cost + cost + estimate;
    return total < UINT32_MAX ? (uint32_t)total : UINT32_MAX - 1;
}

static bool is_blocked(const planter *p, uint32_t node) {
    return p->memory->blocked[node / 64] >> node % 64 & 1;
}

static void push_end(planter *p, const tree_end *end, behavior_axes axes, uint32_t state, uint32_t cost,
                     uint32_t what) {
    const tr_behavior_search *s = p->search;
    float tolerance = s->query.tolerance * s->query.tolerance;
    behavior_node node = {
        .x = axes.x, .z = axes.z, .state = (uint16_t)state, .leg = p->from.node.leg, .frame = end->frames};
    for (; node.leg + 1u < s->query.goal_count; node.leg++) { // goals that are visited there
        tr_vec2 way = tr_vec2_subtract(s->goals[node.leg], tr_vec2_make(axes.x, axes.z));
        if (way.x * way.x + way.z * way.z > tolerance)
            break;
    }
    push(p->memory, total_of(p, end->cost + cost, tr_behavior_estimate_at(s, &node, axes)), what);
}

// The special behaviors that may follow an end, where the map has something for them. Those for which there
// is no room are left out: they will come first moves when trees are placed near them.
static void push_specials(planter *p, const tree_end *end, behavior_axes axes) {
    const tr_behavior_search *s = p->search;
    const uint32_t *first = p->tree->first_special + s->behavior->infos[end->state].group;
    if (first[0] == first[1])
        return;
    uint32_t bands = behavior_special_bands(s, axes.x, axes.z, p->tree->special_reach),
             frame = p->from.node.frame + end->frames;
    for (uint32_t i = first[0]; bands && i < first[1]; i++) {
        uint32_t index = p->tree->specials[i];
        const behavior_step *step = &p->tree->steps[index];
        uint32_t serves = s->behavior->states[step->state].serves;
        if (!(bands >> serves & 1) || p->memory->extra_count == p->memory->extra_max ||
            !behavior_step_serves(s->map, axes, frame, step, serves))
            continue;
        tr_vec2 at = behavior_from(axes, step->x, step->z);
        behavior_axes there = {at.x, at.z, axes.sine * step->cosine + axes.cosine * step->sine,
                               axes.cosine * step->cosine - axes.sine * step->sine};
        p->memory->extras[p->memory->extra_count] = (tree_node){end->node, index, 0};
        push_end(p, end, there, step->state, step->cost,
                 p->root->bunch_count + p->root->count + p->memory->extra_count++);
    }
}

static behavior_axes axes_of(const planter *p, float x, float z, float sine, float cosine) {
    const behavior_axes *root = &p->from.axes;
    tr_vec2 at = behavior_from(*root, x, z);
    return (behavior_axes){at.x, at.z, root->sine * cosine + root->cosine * sine,
                           root->cosine * cosine - root->sine * sine};
}

// Whether an end is inside a wall, or off the map. About: the place is that of the tree, and not where the
// moves really lead; so first moves are not left out.
static bool is_in_wall(const planter *p, const tree_end *end, behavior_axes axes) {
    const tr_behavior_map *map = p->search->map;
    uint32_t column, row;
    if (p->tree->nodes[p->root->first + end->node].parent == TR_NONE)
        return false;
    return !behavior_cell(map, axes.x, axes.z, &column, &row) ||
           (map->blocked[(size_t)row * map->grid.columns + column] & 1);
}

static void open_bunch(planter *p, uint32_t index) {
    const tree_bunch *bunch = &p->tree->bunches[p->root->first_bunch + index];
    for (uint32_t i = bunch->first; i < bunch->end; i++) {
        const tree_end *end = &p->tree->ends[i];
        if (is_blocked(p, end->node))
            continue;
        behavior_axes axes = axes_of(p, end->x, end->z, end->sine, end->cosine);
        if (is_in_wall(p, end, axes))
            continue;
        push_end(p, end, axes, end->state, 0, p->root->bunch_count + i - p->root->first);
        push_specials(p, end, axes);
    }
}

// A bunch waits with about the least total of its ends.
static void push_bunches(planter *p) {
    const tr_behavior_search *s = p->search;
    const tr_vec2 goal = s->goals[p->from.node.leg];
    double slack = s->behavior->rate * s->scale;
    for (uint32_t i = 0; i < p->root->bunch_count; i++) {
        const tree_bunch *bunch = &p->tree->bunches[p->root->first_bunch + i];
        behavior_axes axes = axes_of(p, bunch->x, bunch->z, bunch->sine, bunch->cosine);
        behavior_node node = {
            .x = axes.x, .z = axes.z, .state = (uint16_t)bunch->state, .leg = p->from.node.leg};
        uint32_t estimate = tr_behavior_estimate_at(s, &node, axes),
                 less = (uint32_t)(slack * (double)bunch->radius);
        float near = bunch->radius + s->query.tolerance, x = goal.x - axes.x, z = goal.z - axes.z;
        if (x * x + z * z <= near * near)
            less = estimate;
        push(p->memory, total_of(p, bunch->cost, estimate > less ? estimate - less : 0), i);
    }
}

// --- Testing ---

static planted *known(const planter *p, uint32_t node) {
    return &p->memory->planted[p->memory->slots[node]];
}

// Makes a step, if it is possible.
static bool plant(planter *p, const planted *from, uint32_t index, planted *to) {
    tr_behavior_search *s = p->search;
    const behavior_step *step = &p->tree->steps[index];
    uint32_t serves = s->behavior->states[step->state].serves;
    if (behavior_step_lead(s, &from->node, from->axes, from->height, step, &to->node, &to->cost) !=
        BEHAVIOR_LEADS)
        return false;
    if (serves && !behavior_step_serves(s->map, from->axes, from->node.frame, step, serves))
        return false;
    s->tests++;
    if (!behavior_step_is_clear(s->map, s->moves, from->axes, from->node.frame, step, step->samples))
        return false;
    to->cost += from->cost;
    to->axes = behavior_axes_at(to->node.x, to->node.z, to->node.heading);
    to->height = tr_behavior_map_height(s->map, tr_vec2_make(to->node.x, to->node.z));
    to->place = TR_NONE;
    return true;
}

static bool is_same(const planter *p, uint32_t place, const planted *of) {
    const behavior_node *node = &p->search->nodes[place], *other = &of->node;
    return !(node->x < other->x || node->x > other->x || node->z < other->z || node->z > other->z ||
             node->heading < other->heading || node->heading > other->heading) &&
           node->frame == other->frame && node->state == other->state && node->leg == other->leg &&
           p->search->core->nodes[place].cost == of->cost;
}

// Whether a place is worth going on from: a search would keep it, unless it sleeps.
static bool is_wanted(const planter *p, const planted *to) {
    tr_behavior_search *s = p->search;
    const behavior_entry *entry = tr_behavior_table_find(s, key_of(p, to));
    return entry->node == TR_NONE || is_asleep(p, entry->node) || is_same(p, entry->node, to) ||
           behavior_is_wanted(s, entry, to->cost);
}

// Nothing that follows a node is looked at.
static void block(planter *p, uint32_t node) {
    uint64_t *blocked = p->memory->blocked;
    uint32_t end = p->tree->nodes[p->root->first + node].end, word = node / 64, last = (end - 1) / 64;
    for (; word <= last; word++) {
        uint32_t low = word == node / 64 ? node % 64 : 0, high = word == last ? (end - 1) % 64 : 63;
        blocked[word] |= behavior_mask(low, high);
    }
}

static bool is_known(const planter *p, uint32_t node) {
    return p->memory->stamps[node] == p->memory->stamp;
}

// Tests what is not known of the way to a node. NULL: it is not free, or leads by places that are reached at
// less cost.
static planted *get_to(planter *p, uint32_t node) {
    const tree_node *nodes = p->tree->nodes + p->root->first;
    behavior_planting *memory = p->memory;
    uint32_t way[64], count = 0;
    if (is_blocked(p, node))
        return NULL;
    for (; node != TR_NONE && !is_known(p, node); node = nodes[node].parent)
        way[count++] = node;
    planted *from = node == TR_NONE ? &p->from : &memory->planted[memory->slots[node]];
    while (count-- > 0) {
        planted *to = &memory->planted[memory->planted_count];
        node = way[count];
        if (!plant(p, from, nodes[node].step, to) || !is_wanted(p, to)) {
            block(p, node);
            return NULL;
        }
        memory->stamps[node] = memory->stamp;
        memory->slots[node] = memory->planted_count++;
        from = to;
    }
    return from;
}

// --- Places of the search ---

static uint32_t add_place(planter *p, planted *of, uint32_t parent, uint64_t key) {
    tr_behavior_search *s = p->search;
    uint32_t index = s->node_count++;
    s->nodes[index] = of->node;
    s->nodes[index].key = key;
    s->core->nodes[index].cost = of->cost;
    s->core->nodes[index].parent = parent;
    of->place = index;
    return index;
}

// A place joins the queue.
static void wake(planter *p, uint32_t place, const planted *of) {
    uint32_t parent = p->search->core->nodes[place].parent;
    search_take(p->step, place, of->cost, tr_behavior_estimate_at(p->search, &of->node, of->axes));
    p->search->core->nodes[place].parent = parent;
}

// Adds a place on the way to an end. It takes its place in the table, but sleeps until it is an end itself.
// If it is a better way to a place of the table, the others there are forgotten: then it must not sleep. If
// it is a worse one it is added all the same, beside the table.
static uint32_t add_on_way(planter *p, planted *of, uint32_t parent) {
    tr_behavior_search *s = p->search;
    uint64_t key = key_of(p, of);
    behavior_entry *entry = tr_behavior_table_find(s, key);
    if (entry->node != TR_NONE && is_same(p, entry->node, of))
        return of->place = entry->node;
    bool is_new = entry->node == TR_NONE, is_better = !is_new && behavior_is_wanted(s, entry, of->cost);
    uint32_t place = add_place(p, of, parent, is_new || is_better ? key : NO_KEY);
    if (is_new || is_better)
        tr_behavior_table_enter(s, entry, place);
    if (is_better)
        wake(p, place, of);
    return place;
}

// Adds the places on the way to a node, which may be TR_NONE: the root. Returns the last one; TR_NONE: the
// search is full.
static uint32_t add_way(planter *p, uint32_t node) {
    const tree_node *nodes = p->tree->nodes + p->root->first;
    uint32_t way[64], count = 0, place = p->step->node;
    for (; node != TR_NONE && known(p, node)->place == TR_NONE; node = nodes[node].parent)
        way[count++] = node;
    if (node != TR_NONE)
        place = known(p, node)->place;
    if (count + 1 > p->search->node_max - p->search->node_count) {
        p->search->full = true;
        p->search->core->overflowed = true; // ends the search
        return TR_NONE;
    }
    while (count-- > 0)
        place = add_on_way(p, known(p, way[count]), place);
    return place;
}

// Adds where a node or a special behavior leads to the search, if that is wanted.
static bool add_end(planter *p, planted *to, uint32_t parent) {
    tr_behavior_search *s = p->search;
    uint64_t key = key_of(p, to);
    uint32_t there = tr_behavior_table_find(s, key)->node;
    if (there != TR_NONE && is_asleep(p, there) && is_same(p, there, to)) {
        to->place = there;
        wake(p, there, to);
        return true;
    }
    if (there != TR_NONE && !is_asleep(p, there) &&
        !behavior_is_wanted(s, tr_behavior_table_find(s, key), to->cost))
        return false;
    parent = add_way(p, parent);
    if (parent == TR_NONE)
        return false;
    behavior_entry *entry = tr_behavior_table_find(s, key); // the table may have grown
    uint32_t place = add_place(p, to, parent, key);
    tr_behavior_table_enter(s, entry, place);
    wake(p, place, to);
    return true;
}

// Tests an end, and adds it to the search if it is wanted. false: it is not added.
static bool try_end(planter *p, uint32_t index) {
    if (index >= p->root->count) {
        const tree_node *extra = &p->memory->extras[index - p->root->count];
        const planted *from = get_to(p, extra->parent);
        planted to;
        return from && plant(p, from, extra->step, &to) && add_end(p, &to, extra->parent);
    }
    uint32_t node = p->tree->ends[p->root->first + index].node;
    planted *to = get_to(p, node);
    return to && add_end(p, to, p->tree->nodes[p->root->first + node].parent);
}

// --- Expanding ---

static void begin(planter *p, const behavior_node *node, bool is_start) {
    const tr_behavior_search *s = p->search;
    const tr_behavior_tree *tree = p->tree;
    p->root =
        &tree->roots[is_start ? tree->label_roots[s->query.label] : s->behavior->infos[node->state].group];
    p->from = (planted){.node = *node,
                        .axes = behavior_axes_at(node->x, node->z, node->heading),
                        .height = tr_behavior_map_height(s->map, tr_vec2_make(node->x, node->z)),
                        .cost = p->step->cost};
    behavior_planting *memory = p->memory;
    memory->queue_count = memory->planted_count = memory->extra_count = 0;
    memset(memory->blocked, 0, words_of(p->root->count) * sizeof *memory->blocked);
    if (++memory->stamp == 0) {
        for (uint32_t i = 0; i < memory->node_max; i++)
            memory->stamps[i] = 0;
        memory->stamp = 1;
    }
}

// Where a character is hemmed in, or where the search has been already, that is the end of nearly all the
// tree. false: of all of it.
static bool test_first_moves(planter *p) {
    const tree_node *nodes = p->tree->nodes + p->root->first;
    bool any = false;
    for (uint32_t i = 0; i < p->root->count; i = nodes[i].end)
        any = get_to(p, i) || any;
    return any;
}

// Tries the ends that wait, the best first. false: something else that waits in the search is better.
static bool try_all(planter *p, uint32_t wanted, uint32_t *taken, uint32_t *total) {
    behavior_planting *memory = p->memory;
    while (memory->queue_count > 0 && !p->search->full) {
        *total = (uint32_t)(memory->queue[0] >> 32);
        if (*taken >= wanted && *total >= search_least(p->search->core))
            return false;
        uint32_t what = (uint32_t)take(memory);
        if (what < p->root->bunch_count)
            open_bunch(p, what);
        else
            *taken += try_end(p, what - p->root->bunch_count);
    }
    return true;
}

static void expand(void *user, uint32_t index, uint32_t parent, tr_search_step *step) {
    tr_behavior_search *s = user;
    const behavior_node *node = &s->nodes[index];
    uint32_t times = node->tried, wanted = times < 20 ? 1u << times : 1u << 20, taken = 0, total = 0;
    s->repeated += times > 0;
    if (parent != TR_NONE && tr_behavior_table_find(s, node->key)->node != index)
        return; // a cheaper way to this place was found since
    planter p = {.search = s, .tree = s->tree, .memory = s->planting, .step = step};
    begin(&p, node, parent == TR_NONE);
    if (test_first_moves(&p))
        push_bunches(&p);
    bool is_done = try_all(&p, wanted, &taken, &total);
    s->nodes[index].tried = is_done ? UINT32_MAX : times + 1;
    if (!is_done && !s->full)
        search_put_back(step, total);
}

// --- Queries ---

static tr_status check(const tr_behavior_tree *tree, const tr_behavior_query *query, tr_error *error) {
    const tr_behavior *behavior = tree->behavior;
    if (query->method != TR_BEHAVIOR_ASTAR || query->as_written)
        return tr_fail(error, TR_INVALID,
                       "with a tree that is made beforehand there is only A*, not as written");
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        if (behavior->states[i].weight < tree->weights[i] || behavior->states[i].weight > tree->weights[i])
            return tr_fail(error, TR_INVALID, "the tree was made when state '%s' had weight %g, not %g",
                           behavior->states[i].name ? behavior->states[i].name : "(no name)",
                           (double)tree->weights[i], (double)behavior->states[i].weight);
    return TR_OK;
}

tr_status tr_behavior_tree_find(const tr_behavior_tree *tree, tr_behavior_search *search,
                                const tr_behavior_map *map, const tr_behavior_query *query,
                                tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error) {
    search->begun = false;
    plan->action_count = 0;
    if (result)
        *result = (tr_behavior_result){.nearest = query->start};
    tr_status status = check(tree, query, error);
    if (status == TR_OK && !reserve(search, tree))
        status =
            tr_fail(error, TR_OUT_OF_MEMORY, "no memory to plan with a tree of %u nodes", tree->node_most);
    search->tree = tree;
    return status == TR_OK
               ? tr_behavior_find_by(expand, search, tree->behavior, map, query, plan, result, error)
               : status;
}
