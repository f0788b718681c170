// Writes the chain of a motion into bytes and reads it back: what was found when it was set is kept, because
// the floor may have changed since.
#include "behavior_motion_data.h"
#include "motion/motion_archive.h"

static void archive_base(tr_base *base, tr_archive *archive) {
    tr_archive_float(archive, &base->x);
    tr_archive_float(archive, &base->z);
    tr_archive_float(archive, &base->heading);
}

static void archive_step(tr_behavior_motion_step *step, uint32_t clip_count, tr_archive *archive) {
    for (int i = 0; i < 2; i++)
        step->clips[i] = tr_archive_choice(archive, step->clips[i], clip_count);
    tr_archive_float(archive, &step->share);
    tr_archive_u32(archive, &step->frames);
    archive_base(&step->begin, archive);
    tr_archive_bool(archive, &step->special);
    tr_archive_float(archive, &step->rise);
    tr_archive_check(archive, step->share >= 0 && step->share <= 1 && step->frames > 0,
                     "a saved step of a chain of behaviors is out of range");
}

static void archive_plant(motion_plant *plant, uint32_t frame_count, tr_archive *archive) {
    tr_archive_u32(archive, &plant->begin);
    tr_archive_u32(archive, &plant->end);
    tr_archive_bool(archive, &plant->toes);
    tr_archive_bool(archive, &plant->flat);
    tr_archive_bool(archive, &plant->joins);
    tr_archive_float(archive, &plant->yaw);
    tr_archive_vec3(archive, &plant->anchor);
    tr_archive_vec2(archive, &plant->slope);
    for (int i = 0; i < 2; i++) {
        tr_archive_vec3(archive, &plant->off[i]);
        tr_archive_vec3(archive, &plant->rate[i]);
        tr_archive_float(archive, &plant->turn[i]);
    }
    tr_archive_float(archive, &plant->bulge);
    tr_archive_check(archive, plant->begin <= plant->end && plant->end < frame_count,
                     "a saved contact of a chain of behaviors is out of range");
}

// The steps alone: everything else is read into its room afterwards.
static bool archive_steps(tr_behavior_motion *motion, tr_archive *archive) {
    bool reads = tr_archive_reads(archive);
    uint32_t count = tr_archive_count(archive, motion->step_count, TR_BEHAVIOR_MOTION_STEPS_MAX, "behaviors");
    uint32_t frames =
        tr_archive_count(archive, motion->frame_count, TR_BEHAVIOR_MOTION_FRAMES_MAX, "frames of behaviors");
    if (reads && tr_archive_is_good(archive) && count > 0 &&
        tr_behavior_motion_reserve(motion, count, frames, NULL) != TR_OK)
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for a chain of behaviors");
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++)
        archive_step(&motion->steps[i].is, motion->clip_count, archive);
    tr_base end = motion->end;
    archive_base(&end, archive);
    if (!reads || !tr_archive_is_good(archive))
        return tr_archive_is_good(archive);
    uint64_t sum = 1;
    for (uint32_t i = 0; i < count; i++)
        sum += motion->steps[i].is.frames;
    tr_archive_check(archive, count == 0 || sum == frames, "a saved chain of behaviors has other frames");
    if (tr_archive_is_good(archive) && count > 0)
        tr_motion_take_steps(motion, end, count);
    return tr_archive_is_good(archive);
}

static void archive_plants(tr_behavior_motion *motion, tr_archive *archive) {
    for (uint32_t i = 0; i < motion->limb_count && tr_archive_is_good(archive); i++) {
        uint32_t first = motion->plant_first[i];
        uint32_t count = tr_archive_count(archive, motion->plant_first[i + 1] - first, motion->frame_count,
                                          "contacts of behaviors");
        void *plants = motion->plants;
        bool room = tr_reserve(&motion->allocator, &plants, &motion->plant_room, (uint64_t)first + count,
                               sizeof *motion->plants);
        motion->plants = plants;
        if (!room)
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for a chain of behaviors");
        for (uint32_t k = 0; k < count && tr_archive_is_good(archive); k++)
            archive_plant(&motion->plants[first + k], motion->frame_count, archive);
        motion->plant_first[i + 1] = first + count;
    }
}

void tr_behavior_motion_archive(tr_behavior_motion *motion, tr_archive *archive) {
    bool reads = tr_archive_reads(archive);
    if (reads)
        tr_motion_clear(motion);
    if (archive_steps(motion, archive) && motion->step_count > 0) {
        archive_base(&motion->goal_off, archive);
        tr_archive_double(archive, &motion->goal_begin);
        tr_archive_double(archive, &motion->goal_end);
        tr_archive_floats(archive, motion->ground, motion->frame_count);
        tr_archive_floats(archive, motion->drop, motion->frame_count);
        if (motion->style == TR_BEHAVIOR_MOTION_DEFAULT)
            archive_plants(motion, archive);
    }
    if (reads && !tr_archive_is_good(archive))
        tr_motion_clear(motion);
}
