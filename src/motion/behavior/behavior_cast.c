#include "troupe/motion/behavior_cast.h"
#include "behavior_cast_parts.h"

#include <string.h>

// What the user sees, and what has to be given back.
typedef struct owned_cast {
    tr_behavior_cast cast;
    tr_allocator allocator;
    tr_behavior_cast_clip *clips;
    tr_behavior_motion_limb limbs[TR_BEHAVIOR_MOTION_LIMBS_MAX];
    char *name;
    size_t name_size;
    bool owns_skeleton, owns_motions; // and the body; and `stand`
} owned_cast;

// ------------------------------------------------------------------------------------------------- machine

// The arrays of a machine while it is made.
typedef struct machine_parts {
    tr_behavior_state *states;
    tr_behavior_move *moves;
    uint32_t *disc_begins; // of each move, in the discs of the cover
    uint32_t state_count, move_count;
    tr_behavior_cover cover;
    tr_behavior_disc *cores;
    uint32_t core_most;
} machine_parts;

static void release_parts(const tr_allocator *allocator, machine_parts *parts) {
    tr_release(allocator, parts->states, parts->state_count, sizeof *parts->states);
    tr_release(allocator, parts->moves, parts->move_count, sizeof *parts->moves);
    tr_release(allocator, parts->disc_begins, parts->move_count, sizeof *parts->disc_begins);
    tr_release(allocator, parts->cores, parts->core_most, sizeof *parts->cores);
    tr_release(allocator, parts->cover.discs, parts->cover.capacity, sizeof *parts->cover.discs);
}

static uint32_t count_clips(const tr_behavior_cast_def *def) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->state_count; i++)
        count += def->states[i].clip_count;
    return count;
}

static tr_behavior_move measure_move(const tr_behavior_cast_clip *clip, uint32_t number) {
    tr_base way = tr_behavior_clip_way(clip, tr_behavior_clip_frames(clip));
    tr_behavior_move move = {.name = tr_clip_name(clip->motion),
                             .clip = number,
                             .x = way.x,
                             .z = way.z,
                             .turn = way.heading,
                             .rise = clip->rise,
                             .edge = clip->rise == 0 ? 0 : tr_behavior_clip_edge(clip),
                             .frames = tr_behavior_clip_frames(clip),
                             .action = tr_behavior_clip_action(clip),
                             .parameter = clip->parameter};
    return move;
}

// Clips of a parametrised state are covered in the same way, others each for itself.
static tr_status cover_state(tr_behavior_maker *maker, uint32_t number, uint32_t first, machine_parts *parts,
                             tr_error *error) {
    const tr_behavior_cast_state *state = &maker->def->states[number];
    uint32_t group = state->parametrised ? state->clip_count : 1;
    for (uint32_t i = 0; i < state->clip_count; i += group) {
        uint32_t before = parts->cover.count;
        tr_error why = {0};
        tr_status status = tr_behavior_cover_clips(maker, &state->clips[i], group, maker->serves[number],
                                                   &parts->cover, &why);
        if (status != TR_OK)
            return tr_fail(error, status, "state \"%s\", clip %u: %.300s", state->name ? state->name : "", i,
                           why.message);
        uint32_t each = (parts->cover.count - before) / group;
        for (uint32_t k = 0; k < group; k++) {
            parts->disc_begins[first + i + k] = before + each * k;
            parts->moves[first + i + k].disc_count = each;
        }
    }
    return TR_OK;
}

static tr_status fill_machine(tr_behavior_maker *maker, machine_parts *parts, tr_error *error) {
    const tr_behavior_cast_def *def = maker->def;
    tr_status status = TR_OK;
    uint32_t clip = 0;
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++) {
        const tr_behavior_cast_state *state = &def->states[i];
        parts->states[i] = (tr_behavior_state){.name = state->name,
                                               .moves = parts->moves + clip,
                                               .move_count = state->clip_count,
                                               .begin = state->begin,
                                               .end = state->end,
                                               .weight = state->weight,
                                               .serves = maker->serves[i],
                                               .parametrised = state->parametrised,
                                               .successors = state->successors,
                                               .successor_count = state->successor_count};
        for (uint32_t k = 0; k < state->clip_count; k++)
            parts->moves[clip + k] = measure_move(&state->clips[k], clip + k);
        status = cover_state(maker, i, clip, parts, error);
        clip += state->clip_count;
    }
    for (uint32_t i = 0; i < clip; i++)
        parts->moves[i].discs = parts->cover.discs + parts->disc_begins[i];
    return status;
}

static tr_status add_cores(const tr_behavior_maker *maker, machine_parts *parts, tr_error *error) {
    const tr_behavior_cast_def *def = maker->def;
    uint32_t move = 0, count = 0;
    for (uint32_t i = 0; i < def->state_count; i++)
        for (uint32_t k = 0; k < def->states[i].clip_count; k++)
            parts->core_most += tr_behavior_maker_core_most(maker, &def->states[i].clips[k]);
    if (parts->core_most == 0)
        return TR_OK;
    parts->cores = tr_allocate(&maker->allocator, parts->core_most, sizeof *parts->cores);
    if (!parts->cores)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the core of a cast");
    for (uint32_t i = 0; i < def->state_count; i++)
        for (uint32_t k = 0; k < def->states[i].clip_count; k++, move++) {
            parts->moves[move].core = parts->cores + count;
            parts->moves[move].core_count =
                tr_behavior_maker_core(maker, &def->states[i].clips[k], parts->cores + count);
            count += parts->moves[move].core_count;
        }
    return TR_OK;
}

static tr_status make_machine(tr_behavior_maker *maker, tr_behavior **machine, tr_error *error) {
    const tr_behavior_cast_def *def = maker->def;
    machine_parts parts = {.state_count = def->state_count, .move_count = count_clips(def)};
    parts.states = tr_allocate_zero(&maker->allocator, parts.state_count, sizeof *parts.states);
    parts.moves = tr_allocate_zero(&maker->allocator, parts.move_count, sizeof *parts.moves);
    parts.disc_begins = tr_allocate(&maker->allocator, parts.move_count, sizeof *parts.disc_begins);
    tr_status status = TR_OK;
    if (!parts.states || !parts.moves || !parts.disc_begins)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a machine of %u clips", parts.move_count);
    if (status == TR_OK)
        status = fill_machine(maker, &parts, error);
    if (status == TR_OK)
        status = add_cores(maker, &parts, error);
    if (status == TR_OK) {
        tr_behavior_def made = {.allocator = def->allocator,
                                .name = def->name,
                                .labels = def->labels,
                                .label_count = def->label_count,
                                .rest = def->rest,
                                .bands = maker->bands,
                                .band_count = maker->band_count,
                                .radius = maker->radius,
                                .core = maker->core,
                                .discs_hold = true,
                                .frames_per_second = maker->rate,
                                .states = parts.states,
                                .state_count = parts.state_count,
                                .up = def->up,
                                .down = def->down};
        status = tr_behavior_create(&made, machine, error);
    }
    release_parts(&maker->allocator, &parts);
    return status;
}

// ---------------------------------------------------------------------------------------------------- cast

static bool copy_clips(const tr_behavior_cast_def *def, owned_cast *owned) {
    uint32_t count = count_clips(def), next = 0;
    owned->clips = tr_allocate(&owned->allocator, count, sizeof *owned->clips);
    if (!owned->clips)
        return false;
    for (uint32_t i = 0; i < def->state_count; i++)
        for (uint32_t k = 0; k < def->states[i].clip_count; k++)
            owned->clips[next++] = def->states[i].clips[k];
    owned->cast.clips = owned->clips;
    owned->cast.clip_count = count;
    if (!def->name)
        return true;
    owned->name_size = strlen(def->name) + 1;
    owned->name = tr_allocate(&owned->allocator, owned->name_size, 1);
    if (owned->name)
        memcpy(owned->name, def->name, owned->name_size);
    owned->cast.name = owned->name;
    return owned->name != NULL;
}

static tr_status measure_cast(const tr_behavior_cast_def *def, tr_behavior **machine, tr_error *error) {
    tr_behavior_maker maker;
    tr_status status = tr_behavior_maker_open(def, &maker, error);
    if (status != TR_OK)
        return status;
    status = tr_behavior_maker_find_bands(&maker, error);
    if (status == TR_OK)
        status = tr_behavior_maker_choose_radius(&maker, error);
    if (status == TR_OK)
        status = tr_behavior_maker_find_core(&maker, error);
    if (status == TR_OK)
        status = make_machine(&maker, machine, error);
    tr_behavior_maker_close(&maker);
    return status;
}

tr_status tr_behavior_cast_create(const tr_behavior_cast_def *def, tr_behavior_cast **cast, tr_error *error) {
    *cast = NULL;
    if (def->limbs && def->limb_count > TR_BEHAVIOR_MOTION_LIMBS_MAX)
        return tr_fail(error, TR_INVALID, "%u limbs, the most is %d", def->limb_count,
                       TR_BEHAVIOR_MOTION_LIMBS_MAX);
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    owned_cast *owned = tr_allocate_zero(&allocator, 1, sizeof *owned);
    if (!owned)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior cast");
    owned->allocator = allocator;
    tr_status status = measure_cast(def, &owned->cast.machine, error);
    if (status == TR_OK && !copy_clips(def, owned))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the clips of a behavior cast");
    if (status != TR_OK) {
        tr_behavior_cast_destroy(&owned->cast);
        return status;
    }
    owned->cast.skeleton = def->skeleton;
    owned->cast.body = def->body;
    owned->cast.stand = def->stand;
    if (def->limbs)
        memcpy(owned->limbs, def->limbs, def->limb_count * sizeof *def->limbs);
    owned->cast.limbs = def->limbs ? owned->limbs : NULL;
    owned->cast.limb_count = def->limbs ? def->limb_count : 0;
    owned->owns_skeleton = def->take_skeleton;
    owned->owns_motions = def->take_motions;
    *cast = &owned->cast;
    return TR_OK;
}

// A motion may serve several clips: it is destroyed with the last of them.
static void destroy_motions(owned_cast *owned) {
    for (uint32_t i = 0; i < owned->cast.clip_count; i++) {
        const tr_clip *motion = owned->clips[i].motion;
        bool again = motion == owned->cast.stand;
        for (uint32_t k = i + 1; k < owned->cast.clip_count; k++)
            again = again || owned->clips[k].motion == motion;
        if (!again)
            tr_clip_destroy((tr_clip *)motion);
    }
    tr_clip_destroy((tr_clip *)owned->cast.stand);
}

void tr_behavior_cast_destroy(tr_behavior_cast *cast) {
    if (!cast)
        return;
    owned_cast *owned = (owned_cast *)cast; // its first member
    tr_allocator allocator = owned->allocator;
    tr_behavior_destroy(cast->machine);
    if (owned->owns_motions)
        destroy_motions(owned);
    if (owned->owns_skeleton) {
        tr_body_destroy((tr_body *)cast->body);
        tr_skeleton_destroy((tr_skeleton *)cast->skeleton);
    }
    tr_release(&allocator, owned->clips, cast->clip_count, sizeof *owned->clips);
    tr_release(&allocator, owned->name, owned->name_size, 1);
    tr_release(&allocator, owned, 1, sizeof *owned);
}
