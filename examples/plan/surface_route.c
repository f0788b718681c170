// Up the stairs of the sample house and over a gap: an adult's way and a child's, and what each of them
// meets.
#include "troupe/plan/surface_route.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static const char *const words[] = {"level steps", "steps up", "steps down", "gaps crossed",
                                    "things stepped over"};

static void print_way(const tr_surface_route *route, const tr_surface_route_result *way) {
    const tr_surface *surface = tr_surface_route_surface(route);
    tr_surface_scale scale = tr_surface_scale_of(surface);
    uint32_t met[5] = {0};
    for (uint32_t i = 1; i < way->cell_count; i++)
        met[way->cells[i].obstacle]++;
    printf("  %.1f m over %u cells, %u of them border cells:", way->length, way->cell_count,
           way->border_cells);
    for (uint32_t i = 0; i < 5; i++)
        if (met[i])
            printf(" %u %s;", met[i], words[i]);
    printf(" costs %.0f\n  heights on the way:", way->cost);
    for (uint32_t i = 0; i < way->cell_count; i += way->cell_count / 12 + 1)
        printf(" %.2f", scale.bottom + way->cells[i].height * scale.unit);
    printf(" m\n");
}

static void find_way(const tr_surface *surface, const tr_sample *house, float height) {
    tr_surface_route_def def = {
        .surface = surface, .person = tr_surface_route_body_of_height(height), .border_neighbours = 4};
    tr_surface_route_params params = tr_surface_route_params_default();
    params.border = TR_SURFACE_ROUTE_BORDER_ALLOW; // through narrow places where there is no other way
    tr_error error = {0};
    tr_surface_route *route = NULL;
    tr_status status = tr_surface_route_create(&def, &route, &error);
    if (status == TR_OK)
        status = tr_surface_route_find(route, &params, house->start, &house->goal, 1, &error);
    printf("A person of %.2f m, who steps %.2f m far and %.2f m up:%s%s\n", height, def.person.foot_span,
           def.person.foot_rise, status == TR_OK ? "" : " ", status == TR_OK ? "" : error.message);
    if (status == TR_OK && tr_surface_route_refine(route, TR_SURFACE_ROUTE_EVERY) == TR_OK) {
        tr_surface_route_result way = tr_surface_route_last(route);
        print_way(route, &way);
        printf("  %u cells can be stood on, %u are border cells; %llu bytes\n",
               tr_surface_route_reached(route), tr_surface_route_border(route),
               (unsigned long long)tr_surface_route_bytes(route));
    }
    tr_surface_route_destroy(route);
}

int main(void) {
    tr_error error = {.message = "no memory"};
    tr_sample house;
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    if (tr_sample_make(&(tr_sample_def){.name = "house"}, &house, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_surface_def def = tr_surface_def_default();
    tr_box box = tr_scene_bounds(house.scene);
    bool made = tr_voxel_grid_cover(box, 0.1f, 0.1f, 0.2f, 0, &def.grid, &error) == TR_OK &&
                tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, &error) == TR_OK &&
                tr_surface_create(&def, &surface, &error) == TR_OK &&
                tr_surface_build(surface, raster, house.scene, &error) == TR_OK;
    if (made) {
        find_way(surface, &house, 1.8f);
        find_way(surface, &house, 0.75f);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(house.scene);
    return made ? 0 : 1;
}
