// The bytes of a save: a head with version and checksum, the objects of the scene, ground, timeline, stage,
// actors. Loading reads them in the same order. It places the objects of the scene first as the ground saw
// them, then as they were when the stage was saved.
#include "save_fields.h"
#include "world/timeline/timeline_archive.h"
#include "troupe/base/hash.h"
#include "world/ground/ground_archive.h"
#include "world/scene/scene_image.h"
#include "world/solid/solid_archive.h"

#define MAGIC 0x53505254u // "TRPS"
#define VERSION 13u
#define HEAD 24u // bytes before the part with the checksum

typedef struct save_head {
    uint32_t magic, version;
    uint64_t size, checksum; // of the bytes that follow
} save_head;

static void archive_head(save_head *head, tr_archive *archive) {
    tr_archive_u32(archive, &head->magic);
    tr_archive_u32(archive, &head->version);
    tr_archive_u64(archive, &head->size);
    tr_archive_u64(archive, &head->checksum);
}

// --- Objects ---

// One object: as it is, and as the ground knows it.
typedef struct saved_object {
    object_image now, before; // before: in the scene that is loaded into
    bool seen;                // by the ground; else it was added later
    bool moves;               // it belongs to the timeline, and is not part of the ground
    bool changed;             // since the ground saw it:
    object_image then;        // the object as the ground saw it; otherwise the same as `now`
} saved_object;

static void archive_object(saved_object *object, tr_archive *archive) {
    tr_object_image_archive(&object->now, archive);
    tr_archive_bool(archive, &object->seen);
    tr_archive_bool(archive, &object->moves);
    tr_archive_bool(archive, &object->changed);
    if (object->changed)
        tr_object_image_archive(&object->then, archive);
    else
        object->then = object->now;
}

static void write_objects(const tr_stage *stage, tr_archive *archive) {
    const tr_scene *scene = stage->def.scene;
    double time = scene->time;
    uint32_t watched;
    const uint64_t *moving = tr_timeline_moving(stage->timeline, &watched);
    tr_archive_double(archive, &time);
    tr_archive_count(archive, scene->object_count, TR_NONE, "objects");
    for (uint32_t i = 0; i < scene->object_count; i++) {
        saved_object object = {.now = tr_object_image_of(scene, i), .seen = i < stage->seen_count};
        object.moves = i < watched && moving[i / 64] >> (i % 64) & 1;
        object.changed = object.seen && scene->objects[i].revision != stage->seen[i].revision;
        if (object.changed)
            object.then = (object_image){.made_of = object.now.made_of,
                                         .placement = stage->seen[i].placement,
                                         .tags = stage->seen[i].tags,
                                         .removed = stage->seen[i].removed};
        archive_object(&object, archive);
    }
}

// --- Saving ---

static void write_stage(const tr_stage *stage, tr_archive *archive) {
    tr_stage *open = (tr_stage *)stage; // a writing archive changes nothing
    save_context context = {.archive = archive};
    tr_save_settings(&open->def, archive);
    write_objects(stage, archive);
    ground_recipe recipe;
    tr_ground_recipe_of(stage->ground, &recipe);
    tr_ground_recipe_archive(&recipe, archive);
    tr_timeline_archive(stage->timeline, stage->def.scene, archive);
    tr_save_stage(open, archive);
    bool solid = stage->solid != NULL;
    tr_archive_bool(archive, &solid);
    if (solid)
        tr_solid_archive(stage->solid, archive);
    bool steps = stage->steps != NULL;
    tr_archive_bool(archive, &steps);
    tr_save_actors(open, &context);
    tr_save_events(open, archive);
}

tr_status tr_stage_save(const tr_stage *stage, void *bytes, uint64_t size, uint64_t *needed,
                        tr_error *error) {
    *needed = 0;
    for (uint32_t i = 0; i < stage->actor_count; i++)
        if (stage->actors[i]->performer)
            return tr_fail(error, TR_INVALID, "%.60s has behaviors: such a stage cannot be saved",
                           stage->actors[i]->name);
    save_head head = {.magic = MAGIC, .version = VERSION};
    tr_archive archive = tr_archive_write(bytes, size);
    archive_head(&head, &archive);
    write_stage(stage, &archive);
    *needed = archive.at;
    if (!bytes || archive.at > size)
        return tr_fail(error, TR_LIMIT, "the save takes %llu bytes, the buffer has %llu",
                       (unsigned long long)archive.at, (unsigned long long)(bytes ? size : 0));
    head.size = archive.at - HEAD;
    head.checksum = tr_hash(TR_HASH_START, (uint8_t *)bytes + HEAD, (size_t)head.size);
    archive = tr_archive_write(bytes, HEAD);
    archive_head(&head, &archive);
    return TR_OK;
}

// --- Loading ---

typedef struct loader {
    save_context context;
    tr_allocator allocator;
    tr_scene *scene;
    saved_object *objects;
    uint32_t object_count, seen_count;
    double time, time_before;
    bool placed;        // the objects of the scene were moved
    uint64_t *left_out; // a bit for each object that is not part of the ground
    ground_recipe recipe;
    bool takes_over; // the ground of the stage that is replaced
    tr_stage *stage;
} loader;

static tr_status check_head(const void *bytes, uint64_t size, tr_error *error) {
    tr_archive archive = tr_archive_read(bytes, size, error);
    save_head head = {0};
    archive_head(&head, &archive);
    if (!tr_archive_is_good(&archive) || head.magic != MAGIC)
        return tr_fail(error, TR_BAD_FILE, "these %llu bytes are not a save of a stage",
                       (unsigned long long)size);
    if (head.version != VERSION)
        return tr_fail(error, TR_BAD_FILE, "the save has version %u, this build reads version %u",
                       head.version, VERSION);
    if (head.size != size - HEAD)
        return tr_fail(error, TR_BAD_FILE, "the save should have %llu bytes but has %llu",
                       (unsigned long long)(head.size + HEAD), (unsigned long long)size);
    if (head.checksum != tr_hash(TR_HASH_START, (const uint8_t *)bytes + HEAD, (size_t)head.size))
        return tr_fail(error, TR_BAD_FILE, "the save is damaged: its checksum does not match");
    return TR_OK;
}

static void read_objects(loader *load) {
    tr_archive *archive = load->context.archive;
    tr_archive_double(archive, &load->time);
    uint32_t count = tr_archive_count(archive, 0, TR_NONE, "objects");
    if (tr_archive_is_good(archive) && count != load->scene->object_count)
        tr_archive_fail(archive, TR_INVALID, "the scene has %u objects, the saved scene had %u",
                        load->scene->object_count, count);
    tr_archive_check(archive, isfinite(load->time), "the saved time is not finite");
    if (!tr_archive_is_good(archive))
        return;
    load->objects = tr_allocate_zero(&load->allocator, count, sizeof *load->objects);
    load->left_out = tr_allocate_zero(&load->allocator, (count + 63) / 64, sizeof *load->left_out);
    load->object_count = count;
    if (!load->objects || !load->left_out) {
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for %u objects", count);
        return;
    }
    for (uint32_t i = 0; i < count && tr_archive_is_good(archive); i++) {
        saved_object *object = &load->objects[i];
        archive_object(object, archive);
        object->before = tr_object_image_of(load->scene, i);
        if (tr_archive_is_good(archive))
            tr_object_image_check(object->now.removed ? &object->then : &object->now, load->scene, i,
                                  archive);
        load->seen_count += object->seen;
        tr_archive_check(archive, load->seen_count == (object->seen ? i + 1 : load->seen_count),
                         "the saved objects are out of order");
        if (!object->seen || object->moves || object->then.removed)
            load->left_out[i / 64] |= (uint64_t)1 << (i % 64);
    }
}

// Places the objects as the ground knows them, or as they were when the stage was saved.
static void place_objects(loader *load, bool seen) {
    tr_archive *archive = load->context.archive;
    load->placed = true;
    for (uint32_t i = 0; i < load->object_count && tr_archive_is_good(archive); i++) {
        const object_image *image = seen ? &load->objects[i].then : &load->objects[i].now;
        if (tr_object_image_put(image, load->scene, i) != TR_OK)
            tr_archive_fail(archive, TR_BAD_FILE, "object %u cannot be put in its saved place", i);
    }
    tr_scene_keep_time(load->scene, load->time);
}

static void put_scene_back(loader *load) {
    for (uint32_t i = 0; load->placed && i < load->object_count; i++)
        tr_object_image_put(&load->objects[i].before, load->scene, i);
    if (load->placed)
        tr_scene_keep_time(load->scene, load->time_before);
}

// For steps of loading that have a status of their own.
static bool took(loader *load, tr_status status, const tr_error *error) {
    if (status != TR_OK)
        tr_archive_fail(load->context.archive, status, "%s", error->message);
    return tr_archive_is_good(load->context.archive);
}

// Memory of one stage's pool can be freed by that of the other.
static bool same_memory(const tr_stage *a, const tr_stage *b) {
    return a->allocator.resize == b->allocator.resize && a->allocator.user == b->allocator.user;
}

// The ground is built anew from the objects as it saw them. Or it is taken from the stage that is replaced;
// it then takes over the objects at the very end.
static void read_ground(loader *load) {
    tr_error error = {0};
    tr_stage *stage = load->stage, *instead = load->context.def->instead;
    tr_archive *archive = load->context.archive;
    ground_recipe *recipe = &load->recipe;
    tr_ground_recipe_archive(recipe, archive);
    if (!tr_archive_is_good(archive) || !took(load, tr_stage_reserve_seen(stage, &error), &error))
        return;
    load->takes_over = instead && same_memory(stage, instead) && instead->def.scene == load->scene &&
                       instead->def.cell == stage->def.cell && tr_ground_recipe_fits(recipe, instead->ground);
    if (load->takes_over) {
        stage->ground = instead->ground;
        return;
    }
    tr_ground_def def = tr_stage_ground_def(stage);
    surface_exclude left_out = {load->left_out, load->object_count};
    place_objects(load, true);
    if (!tr_archive_is_good(archive))
        return;
    tr_status status =
        tr_ground_recipe_make(recipe, &def, left_out, stage->raster, load->scene, &stage->ground, &error);
    if (took(load, status == TR_OUT_OF_MEMORY || status == TR_OK ? status : TR_BAD_FILE, &error))
        tr_stage_see_objects(stage, load->seen_count);
}

// If it fails, the ground is unchanged.
static void take_over_ground(loader *load) {
    tr_error error = {0};
    tr_stage *stage = load->stage;
    place_objects(load, true);
    if (!tr_archive_is_good(load->context.archive) ||
        !took(load,
              tr_ground_update(stage->ground, stage->raster, load->scene, load->left_out, load->object_count,
                               &error),
              &error))
        return;
    for (uint32_t i = 0; i < load->recipe.link_count; i++)
        tr_ground_close_link(stage->ground, i, load->recipe.links[i].closed);
    tr_stage_see_objects(stage, load->seen_count);
    place_objects(load, false);
    if (tr_archive_is_good(load->context.archive))
        tr_ground_give(stage->ground, &stage->world);
}

static void read_solid(loader *load) {
    tr_error error = {0};
    tr_archive *archive = load->context.archive;
    bool solid = false;
    tr_archive_bool(archive, &solid);
    tr_solid_def def = tr_stage_solid_def(load->stage);
    if (solid && tr_archive_is_good(archive))
        took(load, tr_solid_restore(&def, archive, &load->stage->solid, &error), &error);
    bool steps = false;
    tr_archive_bool(archive, &steps);
    tr_archive_check(archive, solid || !steps, "the save has steps and no solid");
    if (steps && tr_archive_is_good(archive))
        took(load, tr_stage_open_steps(load->stage, &error), &error);
}

static void read_stage(loader *load) {
    tr_archive *archive = load->context.archive;
    const tr_stage_load_def *def = load->context.def;
    tr_stage_def made = tr_stage_def_default(def->scene);
    made.allocator = def->allocator;
    made.tasks = def->tasks;
    tr_save_settings(&made, archive);
    read_objects(load);
    tr_error error = {0};
    if (!tr_archive_is_good(archive) || !took(load, tr_stage_begin(&made, &load->stage, &error), &error))
        return;
    read_ground(load);
    if (tr_archive_is_good(archive))
        place_objects(load, false);
    if (tr_archive_is_good(archive))
        tr_timeline_archive(load->stage->timeline, load->scene, archive);
    tr_save_stage(load->stage, archive);
    if (tr_archive_is_good(archive))
        read_solid(load);
    if (tr_archive_is_good(archive))
        tr_save_actors(load->stage, &load->context);
    if (tr_archive_is_good(archive))
        tr_save_events(load->stage, archive);
    tr_archive_check(archive, archive->at == archive->size, "the save has bytes after its end");
    if (tr_archive_is_good(archive) && load->takes_over)
        take_over_ground(load);
}

// Nothing can fail any more: objects that were removed are removed now.
static void remove_objects(loader *load) {
    for (uint32_t i = 0; i < load->object_count; i++) {
        if (!load->objects[i].now.removed)
            continue;
        tr_scene_remove_object(load->scene, i);
        const scene_object *object = &load->scene->objects[i];
        if (i < load->seen_count && load->objects[i].then.removed)
            load->stage->seen[i] =
                (stage_seen){object->revision, object->placement, object->tags, object->removed};
    }
}

tr_status tr_stage_load(const tr_stage_load_def *def, const void *bytes, uint64_t size, tr_stage **stage,
                        tr_error *error) {
    *stage = NULL;
    if (!def->scene || (def->character_count && !def->characters))
        return tr_fail(error, TR_INVALID, "loading a save needs a scene and characters");
    tr_status status = check_head(bytes, size, error);
    if (status != TR_OK)
        return status;
    tr_archive archive = tr_archive_read((const uint8_t *)bytes + HEAD, size - HEAD, error);
    loader load = {.context = {.archive = &archive, .def = def},
                   .allocator = tr_allocator_or_default(def->allocator),
                   .scene = def->scene,
                   .time_before = def->scene->time};
    read_stage(&load);
    bool good = tr_archive_is_good(&archive);
    if (load.takes_over) // the ground must have one owner
        *(good ? &def->instead->ground : &load.stage->ground) = NULL;
    if (good)
        remove_objects(&load);
    else
        put_scene_back(&load);
    tr_stage_destroy(good ? def->instead : load.stage);
    *stage = good ? load.stage : NULL;
    tr_release(&load.allocator, load.objects, load.object_count, sizeof *load.objects);
    tr_release(&load.allocator, load.left_out, (load.object_count + 63) / 64, sizeof *load.left_out);
    return archive.status;
}
