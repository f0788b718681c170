// The buildings of the sample city. Internal.
#pragma once
#include "sample_storey.h"

#define SAMPLE_CITY_STOREY 3.2f // from floor to floor [m]
#define SAMPLE_CITY_WIDTH 16.0f // of a building, along its front
#define SAMPLE_CITY_DEPTH 14.0f

// Meshes that all buildings share, about the middle of a storey's floor, front along +Z.
typedef struct sample_city_parts {
    uint32_t base, shop, storey, rooms, slab, roof, parapet, flight, well_rail, well_end, core, door;
} sample_city_parts;
sample_city_parts sample_city_make_parts(sample_builder *builder);

typedef struct sample_city_building {
    tr_vec3 at; // the middle of its ground floor
    double heading;
    uint32_t storeys;
    bool open; // has an entrance and stairs; others are facades
} sample_city_building;
void sample_city_build(sample_builder *builder, const sample_city_parts *parts,
                       const sample_city_building *building);
