// The headers are C++ as well.
#include <troupe/troupe.h>

#include <cstdio>
#include <memory>

int main() {
    tr_scene *made = nullptr;
    if (tr_scene_create(nullptr, &made) != TR_OK)
        return 1;
    std::unique_ptr<tr_scene, decltype(&tr_scene_destroy)> scene(made, tr_scene_destroy);
    tr_affine place = tr_affine_place(tr_vec3_make(1, 0, 2), TR_PI / 2);
    tr_vec3 ahead = tr_affine_apply(&place, tr_vec3_make(0, 0, 1));
    std::printf("troupe %s: %u objects, ahead is x = %.1f\n", tr_version(),
                tr_scene_object_count(scene.get()), ahead.x);
    return ahead.x > 1.99f && ahead.x < 2.01f ? 0 : 1;
}
