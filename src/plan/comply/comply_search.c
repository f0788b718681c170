// The search of one limb through its roadmap of configuration and time, as in figure 5 of the paper.
//
// It goes forward in time only, from node to neighbouring node, the one closest to the preferred motion
// first. At first the members of the roadmap are the common patterns. When no edge between members leads on,
// the node that looks best is grown: its other neighbours, at the distance of one step, are tried, and those
// that are free become members. The search ends at the last frame, or when every node has been grown: then
// the limb has no motion at the resolution of the roadmap.
#include "comply_data.h"

// How much a segment still to be planned counts, in squares of steps away from the preferred motion.
#define DEPTH_WEIGHT 32.0f
#define TURN_WEIGHT 0.2f // of changes of the velocity

static bool is_zero(const float *c) {
    return c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0;
}

static bool before(const comply_item *a, const comply_item *b) {
    return a->key != b->key ? a->key < b->key : a->node > b->node;
}

static void heap_push(comply_heap *heap, float key, uint32_t node) {
    const comply_item item = {key, node};
    uint32_t at = heap->count++;
    for (; at > 0 && before(&item, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
}

static uint32_t heap_pop(comply_heap *heap) {
    const uint32_t first = heap->items[0].node;
    const comply_item last = heap->items[--heap->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && before(&heap->items[child + 1], &heap->items[child]))
            child++;
        if (!before(&heap->items[child], &last))
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    if (heap->count)
        heap->items[at] = last;
    return first;
}

static float key_of(const tr_comply *comply, const comply_node *node) {
    return node->cost + DEPTH_WEIGHT * (float)(comply->segments - node->stage);
}

static bool same_state(const tr_comply *comply, uint32_t a, uint32_t b) {
    const comply_node *x = &comply->nodes[a], *y = &comply->nodes[b];
    return x->stage == y->stage && x->cell == y->cell &&
           comply->nodes[x->parent].cell == comply->nodes[y->parent].cell;
}

// Looks a node up among those reached; true: its state was reached before. Otherwise writes the slot to enter
// it at, TR_NONE if it is not compared. A slot is taken if the node that it names lies in this search and
// names the slot, so that the table needs no clearing.
static bool was_reached(const tr_comply *comply, tr_comply_limb limb, uint32_t number, uint32_t *free_slot) {
    const comply_node *node = &comply->nodes[number];
    *free_slot = TR_NONE;
    if (!node->exact || !comply->nodes[node->parent].exact)
        return false;
    uint64_t key =
        ((uint64_t)node->stage << 44) ^ ((uint64_t)node->cell << 22) ^ comply->nodes[node->parent].cell;
    uint32_t mask = comply->table_size - 1, slot = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    for (;; slot = (slot + 1) & mask) {
        uint32_t there = comply->table[slot];
        if (there < comply->limb_begin[limb] || there >= comply->node_count ||
            comply->nodes[there].slot != slot)
            break;
        if (same_state(comply, there, number))
            return true;
    }
    *free_slot = slot;
    return false;
}

static void enter(tr_comply *comply, uint32_t number, uint32_t slot) {
    comply->nodes[number].slot = slot;
    if (slot != TR_NONE)
        comply->table[slot] = number;
}

bool tr_comply_try(tr_comply *comply, tr_comply_limb limb, uint32_t segment, const float *const control[3],
                   comply_block *block) {
    float q[COMPLY_STRIDE_MAX + 1][TR_COMPLY_ARM_ANGLES] = {{0}};
    comply_path path[COMPLY_STRIDE_MAX + 1] = {{0}};
    comply_track track = {q, path, comply_frame_of(comply, segment)};
    bool quiet = comply->quiet[segment] && !comply->folded;
    for (int i = 0; i < 3 && quiet; i++)
        quiet = is_zero(control[i]) &&
                (limb == TR_COMPLY_WAIST || is_zero(comply->control[TR_COMPLY_WAIST][segment + (uint32_t)i]));
    tr_comply_trace(comply, limb, segment, control, &track);
    return tr_comply_clear(comply, limb, segment, &track, quiet, block);
}

// Adds the node of a control point; `cell`: of the lattice, or lattice->cells for the preferred motion.
static uint32_t add_node(tr_comply *comply, const float *c, uint32_t parent, uint32_t stage, uint32_t cell) {
    comply_node *node = &comply->nodes[comply->node_count];
    *node = (comply_node){.parent = parent, .stage = (uint16_t)stage, .slot = TR_NONE, .cell = cell};
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        node->c[k] = c[k];
    return comply->node_count++;
}

// The node of the lattice nearest to a control point.
static void lattice_at(const tr_comply *comply, tr_comply_limb limb, uint32_t index, const float *c,
                       int32_t n[TR_COMPLY_ARM_ANGLES]) {
    float angles[TR_COMPLY_ARM_ANGLES];
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        angles[k] = comply->usual[limb][index][k] + c[k];
    tr_comply_round(&comply->lattices[limb], angles, n);
}

// A control point that belongs to no plan of the lattice: it counts for the nearest of its nodes.
static uint32_t add_loose_node(tr_comply *comply, tr_comply_limb limb, const float *c, uint32_t parent,
                               uint32_t stage, uint32_t index) {
    int32_t n[TR_COMPLY_ARM_ANGLES];
    lattice_at(comply, limb, index, c, n);
    bool usual = is_zero(c);
    const comply_lattice *lattice = &comply->lattices[limb];
    uint32_t added = add_node(comply, c, parent, stage, usual ? lattice->cells : tr_comply_cell(lattice, n));
    comply->nodes[added].exact = usual;
    return added;
}

static void set_cost(const tr_comply *comply, tr_comply_limb limb, comply_node *node) {
    const comply_lattice *lattice = &comply->lattices[limb];
    const comply_node *parent = &comply->nodes[node->parent], *grand = &comply->nodes[parent->parent];
    float away = 0, turn = 0, per_step = 1 / lattice->step;
    for (uint32_t d = 0; d < lattice->dimensions; d++) {
        uint32_t k = lattice->axis[d];
        float aim = limb == TR_COMPLY_WAIST ? comply->aims[node->stage + 1][k] : 0,
              by = per_step * (node->c[k] - aim),
              change = per_step * ((node->c[k] - parent->c[k]) - (parent->c[k] - grand->c[k]));
        away += lattice->weight[k] * by * by;
        turn += change * change;
    }
    node->cost = parent->cost + away + TURN_WEIGHT * turn;
}

static void note_block(tr_comply *comply, uint32_t stage, const comply_block *block) {
    if (comply->block.kind != TR_COMPLY_NOTHING && stage <= comply->block_stage)
        return;
    comply->block = *block;
    comply->block_stage = stage;
}

// Is the segment that ends with this node free?
static bool is_free(tr_comply *comply, tr_comply_limb limb, comply_node *node) {
    const comply_node *parent = &comply->nodes[node->parent], *grand = &comply->nodes[parent->parent];
    const float *const control[3] = {grand->c, parent->c, node->c};
    comply_block block = {.kind = TR_COMPLY_NOTHING};
    bool clear = tr_comply_try(comply, limb, node->stage - 1u, control, &block);
    node->state = clear ? COMPLY_FREE : COMPLY_BLOCKED;
    if (!clear)
        note_block(comply, node->stage, &block);
    return clear;
}

typedef struct search_run {
    tr_comply *comply;
    tr_comply_limb limb;
    uint32_t base; // stamp of the first members
    uint32_t node_end;
} search_run;

// Adds a neighbour of a node if it can be reached gently and was not reached before.
static void push_neighbour(search_run *run, uint32_t number, const float *c, uint32_t cell, bool grow) {
    tr_comply *comply = run->comply;
    const comply_node *node = &comply->nodes[number];
    uint32_t slot;
    if (!tr_comply_gentle(comply, run->limb, comply->nodes[node->parent].c, node->c, c))
        return;
    uint32_t added = add_node(comply, c, number, node->stage + 1u, cell);
    comply->nodes[added].exact = true;
    comply->nodes[added].grown = grow;
    if (was_reached(comply, run->limb, added, &slot)) {
        comply->node_count--;
        return;
    }
    set_cost(comply, run->limb, &comply->nodes[added]);
    heap_push(&comply->open, key_of(comply, &comply->nodes[added]), added);
}

// Adds the neighbours of a node that can be tried. When it is expanded these are the preferred motion and
// members of the roadmap, when it is grown the others. false: there is no room for more nodes.
static bool push_neighbours(search_run *run, uint32_t number, bool grow) {
    tr_comply *comply = run->comply;
    const comply_lattice *lattice = &comply->lattices[run->limb];
    const comply_node *node = &comply->nodes[number];
    static const float preferred[TR_COMPLY_ARM_ANGLES];
    int32_t here[TR_COMPLY_ARM_ANGLES], n[TR_COMPLY_ARM_ANGLES];
    const float *usual = comply->usual[run->limb][node->stage + 2];
    uint32_t moves = 1;
    for (uint32_t d = 0; d < lattice->dimensions; d++)
        moves *= 3;
    if (comply->node_count + moves + 1 > run->node_end)
        return false;
    lattice_at(comply, run->limb, node->stage + 1u, node->c, here);
    if (!grow)
        push_neighbour(run, number, preferred, lattice->cells, false);
    for (uint32_t move = 0; move < moves; move++) {
        float c[TR_COMPLY_ARM_ANGLES] = {0};
        uint32_t code = move;
        for (uint32_t d = 0; d < lattice->dimensions; d++, code /= 3) {
            uint32_t k = lattice->axis[d];
            n[d] = here[d] + (int32_t)(code % 3) - 1;
            c[k] = (float)n[d] * lattice->step - usual[k];
        }
        if (!tr_comply_in_lattice(lattice, n) || is_zero(c))
            continue;
        uint32_t cell = tr_comply_cell(lattice, n), joined = lattice->members[cell];
        bool tried = joined >= run->base && (!grow || joined <= node->stamp);
        if (tried != grow)
            push_neighbour(run, number, c, cell, grow);
    }
    return true;
}

static bool expand(search_run *run, uint32_t number) {
    tr_comply *comply = run->comply;
    comply_node *node = &comply->nodes[number];
    node->stamp = comply->stamp;
    heap_push(&comply->grow, key_of(comply, node), number);
    return push_neighbours(run, number, false);
}

static void join_roadmap(tr_comply *comply, search_run *run, const comply_node *node) {
    comply_lattice *lattice = &comply->lattices[run->limb];
    uint32_t *member = &lattice->members[node->cell];
    if (node->cell < lattice->cells && *member < run->base)
        *member = ++comply->stamp;
}

// Works through the queue. Returns the last node of a path, or TR_NONE; `full`: there was no room for more.
static uint32_t advance(search_run *run, bool *full) {
    tr_comply *comply = run->comply;
    while (comply->open.count > 0) {
        uint32_t number = heap_pop(&comply->open);
        comply_node *node = &comply->nodes[number];
        if (node->state == COMPLY_OPEN) {
            // A state that was reached at less cost needs no second look.
            uint32_t slot;
            if (was_reached(comply, run->limb, number, &slot) || !is_free(comply, run->limb, node))
                continue;
            enter(comply, number, slot);
            join_roadmap(comply, run, node);
        }
        if (node->stage == comply->segments)
            return number;
        bool spent = comply->query.checks_max > 0 && comply->result.checks >= comply->checks_end;
        if (spent || !expand(run, number)) {
            *full = true;
            return TR_NONE;
        }
    }
    return TR_NONE;
}

static void take_path(tr_comply *comply, tr_comply_limb limb, uint32_t last) {
    uint32_t number = last;
    for (uint32_t i = comply->segments + 2; i-- > 0; number = comply->nodes[number].parent) {
        comply->nodes[number].on_path = true;
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
            comply->control[limb][i][k] = comply->nodes[number].c[k];
    }
}

// A control point of the rest of the last plan; false: it does not reach as far.
static bool guess_at(const tr_comply *comply, tr_comply_limb limb, uint32_t index,
                     float c[TR_COMPLY_ARM_ANGLES]) {
    if (comply->shift + index > comply->kept_segments + 1)
        return false;
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        c[k] = comply->kept[limb][comply->shift + index][k];
    return true;
}

// The control point of the lattice nearest to what the waist will have to do, also when that has just ended.
static bool aim_at(const tr_comply *comply, tr_comply_limb limb, uint32_t index,
                   float c[TR_COMPLY_ARM_ANGLES]) {
    const comply_lattice *lattice = &comply->lattices[limb];
    if (limb != TR_COMPLY_WAIST || !(comply_is_aimed(comply, index) || comply_is_aimed(comply, index - 1)))
        return false;
    int32_t n[TR_COMPLY_ARM_ANGLES];
    float aim[TR_COMPLY_ARM_ANGLES] = {comply->aims[index][0], comply->aims[index][1],
                                       comply->aims[index][2]};
    lattice_at(comply, limb, index, aim, n);
    for (uint32_t d = 0; d < lattice->dimensions && comply_is_aimed(comply, index); d++) {
        uint32_t k = lattice->axis[d];
        c[k] = aim[k] != 0 ? (float)n[d] * lattice->step - comply->usual[limb][index][k] : 0;
    }
    return true;
}

// Follows the guess; without one, what the waist will have to do and otherwise the preferred motion, as far
// as it is free. Returns the last node.
static uint32_t follow(search_run *run, uint32_t number, bool guess) {
    tr_comply *comply = run->comply;
    for (uint32_t stage = comply->nodes[number].stage; stage < comply->segments; stage++) {
        const comply_node *node = &comply->nodes[number];
        float c[TR_COMPLY_ARM_ANGLES] = {0};
        bool guessed = guess && guess_at(comply, run->limb, stage + 2, c);
        bool aimed = !guessed && aim_at(comply, run->limb, stage + 2, c);
        if (comply->node_count >= run->node_end || (!guessed && !aimed && !is_zero(node->c)) ||
            !tr_comply_within(comply, run->limb, stage + 2, c) ||
            !tr_comply_gentle(comply, run->limb, comply->nodes[node->parent].c, node->c, c))
            return number;
        uint32_t next = add_loose_node(comply, run->limb, c, number, stage + 1, stage + 2);
        set_cost(comply, run->limb, &comply->nodes[next]);
        comply_set_room(comply, guessed);
        bool free = is_free(comply, run->limb, &comply->nodes[next]);
        comply_set_room(comply, false);
        if (!free)
            return number;
        uint32_t slot;
        if (!was_reached(comply, run->limb, next, &slot))
            enter(comply, next, slot);
        number = next;
    }
    return number;
}

// The nodes that were followed, from the last back to the first, wait to be expanded.
static void push_followed(tr_comply *comply, uint32_t first, uint32_t last) {
    for (uint32_t number = last;; number = comply->nodes[number].parent) {
        heap_push(&comply->open, key_of(comply, &comply->nodes[number]), number);
        if (number == first)
            return;
    }
}

static tr_status search_on(search_run *run, uint32_t first, uint32_t last, bool guess) {
    tr_comply *comply = run->comply;
    bool full = false;
    uint32_t goal = comply->nodes[last].stage == comply->segments ? last : TR_NONE;
    if (goal == TR_NONE && guess) { // first of all, on from the end of the guess
        push_followed(comply, last, last);
        goal = advance(run, &full);
        if (goal == TR_NONE && last != first)
            push_followed(comply, first, comply->nodes[last].parent);
    } else if (goal == TR_NONE) {
        push_followed(comply, first, last);
    }
    while (goal == TR_NONE && !full) {
        goal = advance(run, &full);
        if (goal != TR_NONE || full || comply->grow.count == 0 || comply->generous > 0)
            break; // a generous waist makes do with the common patterns
        comply->result.grown++;
        full = !push_neighbours(run, heap_pop(&comply->grow), true);
    }
    if (goal == TR_NONE)
        return full ? TR_PARTIAL : TR_NOT_FOUND;
    take_path(comply, run->limb, goal);
    return TR_OK;
}

// Adds the given control points. Returns the last, or TR_NONE: the segment that they complete is blocked.
static uint32_t add_start(search_run *run) {
    tr_comply *comply = run->comply;
    float start[3][TR_COMPLY_ARM_ANGLES];
    uint32_t count = tr_comply_start(comply, run->limb, start), last = comply->node_count;
    for (uint32_t i = 0; i < count; i++) {
        last = add_loose_node(comply, run->limb, start[i], i ? last : comply->node_count, i > 1, i);
        comply->nodes[last].state = COMPLY_FREE;
    }
    comply_set_room(comply, true);
    bool free = count < 3 || is_free(comply, run->limb, &comply->nodes[last]);
    comply_set_room(comply, false);
    return free ? last : TR_NONE;
}

tr_status tr_comply_search(tr_comply *comply, tr_comply_limb limb) {
    search_run run = {comply, limb, tr_comply_begin_members(comply, limb), 0};
    comply->limb_begin[limb] = comply->node_count;
    uint32_t room = comply->def.nodes_max - comply->node_count;
    run.node_end = comply->node_count + room / (TR_COMPLY_LIMBS - (uint32_t)limb);
    comply->open.count = comply->grow.count = 0;
    comply->block.kind = TR_COMPLY_NOTHING;
    uint32_t first = add_start(&run);
    if (first == TR_NONE)
        return TR_NOT_FOUND;
    bool guess = comply->shift != TR_NONE;
    uint32_t last = follow(&run, first, guess);
    if (guess && last == first) { // of no use here: as without
        guess = false;
        last = follow(&run, first, false);
    }
    return search_on(&run, first, last, guess);
}
