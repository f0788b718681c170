// troupe/troupe.h - all of Troupe. Each noun has a header of its own; include only those if you prefer.
#pragma once

#include "troupe/base/allocator.h"
#include "troupe/base/clock.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "troupe/base/status.h"
#include "troupe/base/tasks.h"
#include "troupe/base/vector.h"
#include "troupe/base/version.h"

#include "troupe/world/footprint.h"
#include "troupe/world/grid.h"
#include "troupe/world/raster.h"
#include "troupe/world/sample.h"
#include "troupe/world/scene.h"
#include "troupe/world/trajectory.h"

#include "troupe/plan/field.h"
#include "troupe/plan/route.h"
#include "troupe/plan/route_map.h"
#include "troupe/plan/search.h"

#include "troupe/io/file.h"
#include "troupe/io/gltf.h"
#include "troupe/io/json.h"
#include "troupe/io/obj.h"
#include "troupe/io/picture.h"
#include "troupe/io/scene_file.h"
