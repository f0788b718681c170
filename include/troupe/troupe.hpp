// troupe/troupe.hpp - handles for C++: each owns what a tr_..._create returned and destroys it.
//
//   troupe::scene scene;
//   tr_error error = {};
//   troupe::check(tr_scene_create(nullptr, troupe::out(scene)), error);
//   tr_stage_def def = tr_stage_def_default(scene.get());
//   troupe::stage stage;
//   troupe::check(tr_stage_create(&def, troupe::out(stage), &error), error); // throws troupe::failure
//
// A handle is a std::unique_ptr: it can be moved, not copied. Declare a handle after those that it uses: a
// stage after its scene and its characters. Nothing else of the interface changes; C++17 and header only.
#pragma once
#include "troupe/troupe.h"

#include <memory>
#include <stdexcept>
#include <string>

namespace troupe {

template <typename T, void (*destroy)(T *)> struct destroyer {
    void operator()(T *object) const noexcept {
        destroy(object);
    }
};
template <typename T, void (*destroy)(T *)> using handle = std::unique_ptr<T, destroyer<T, destroy>>;

// The pointer that a create function writes to; the handle owns it at the end of the full expression.
template <typename Handle> class out_pointer {
  public:
    explicit out_pointer(Handle &owner) noexcept : owner(owner) {}
    out_pointer(const out_pointer &) = delete;
    out_pointer &operator=(const out_pointer &) = delete;
    ~out_pointer() {
        owner.reset(made);
    }
    operator typename Handle::pointer *() noexcept {
        return &made;
    }

  private:
    Handle &owner;
    typename Handle::pointer made = nullptr;
};
template <typename Handle> out_pointer<Handle> out(Handle &owner) noexcept {
    return out_pointer<Handle>(owner);
}

// A status that is an error, with the sentence that names the place and the value.
class failure : public std::runtime_error {
  public:
    failure(tr_status code, const std::string &sentence) : std::runtime_error(sentence), code(code) {}
    tr_status status() const noexcept {
        return code;
    }

  private:
    tr_status code;
};

// Throws troupe::failure unless the status is TR_OK, TR_DONE or TR_PARTIAL. Returns the status.
inline tr_status check(tr_status status, const tr_error &error = tr_error()) {
    if (status == TR_OK || status == TR_DONE || status == TR_PARTIAL)
        return status;
    char text[sizeof error.file + sizeof error.message + 32];
    throw failure(status, error.message[0] ? tr_error_format(&error, text, sizeof text) : tr_status_name(status));
}

using tasks = handle<tr_tasks, tr_tasks_destroy>;
using json = handle<tr_json, tr_json_destroy>;
using scene = handle<tr_scene, tr_scene_destroy>;
using raster = handle<tr_raster, tr_raster_destroy>;
using occupancy = handle<tr_occupancy, tr_occupancy_destroy>;
using surface = handle<tr_surface, tr_surface_destroy>;
using ground = handle<tr_ground, tr_ground_destroy>;
using timeline = handle<tr_timeline, tr_timeline_destroy>;
using trajectory = handle<tr_trajectory, tr_trajectory_destroy>;
using solid = handle<tr_solid, tr_solid_destroy>;
using sample_crowd = handle<tr_sample_crowd, tr_sample_crowd_destroy>;
using search = handle<tr_search, tr_search_destroy>;
using route = handle<tr_route, tr_route_destroy>;
using surface_route = handle<tr_surface_route, tr_surface_route_destroy>;
using field = handle<tr_field, tr_field_destroy>;
using replan = handle<tr_replan, tr_replan_destroy>;
using refine = handle<tr_refine, tr_refine_destroy>;
using path = handle<tr_path, tr_path_destroy>;
using go = handle<tr_go, tr_go_destroy>;
using footstep_scratch = handle<tr_footstep_scratch, tr_footstep_scratch_destroy>;
using reach = handle<tr_reach, tr_reach_destroy>;
using march = handle<tr_march, tr_march_destroy>;
using march_depth = handle<tr_march_depth, tr_march_depth_destroy>;
using skeleton = handle<tr_skeleton, tr_skeleton_destroy>;
using clip = handle<tr_clip, tr_clip_destroy>;
using body = handle<tr_body, tr_body_destroy>;
using inertia = handle<tr_inertia, tr_inertia_destroy>;
using locomotion = handle<tr_locomotion, tr_locomotion_destroy>;
using follow_route = handle<tr_follow_route, tr_follow_route_destroy>;
using overlay = handle<tr_overlay, tr_overlay_destroy>;
using retarget = handle<tr_retarget, tr_retarget_destroy>;
using arm_smooth = handle<tr_arm_smooth, tr_arm_smooth_destroy>;
using cast = handle<tr_cast, tr_cast_destroy>;
using character = handle<tr_character, tr_character_destroy>;
using actor = handle<tr_actor, tr_actor_destroy>;
using actor_ghost = handle<tr_actor_ghost, tr_actor_ghost_destroy>;
using stage = handle<tr_stage, tr_stage_destroy>;
using journal = handle<tr_journal, tr_journal_destroy>;
using render = handle<tr_render, tr_render_destroy>;

} // namespace troupe
