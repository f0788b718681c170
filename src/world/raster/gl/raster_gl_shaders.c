#include "raster_gl_shaders.h"
#include "world/raster/raster_backend.h"

#ifdef TROUPE_HAVE_GL
#include <stdio.h>

// The part of a triangle inside the band, seen from above, is a convex polygon. In one row of cells the
// polygon covers one interval of x, and so do all points nearer to it than a radius. So a row is drawn at
// once, without a test for each cell, and upright triangles, which are segments from above, need no special
// case.
//
// Positions are computed in double precision and rounded to float once they are relative to a tile of at most
// 2048 cells.

static const char frame_text[] =
    "layout(std140, binding = 0) uniform Frame {\n"
    "    dvec4 place;\n"    // origin x, low, origin z [m], cells per metre
    "    dvec4 guard;\n"    // x min, x max, z min, z max [cells]
    "    dvec2 height;\n"   // of the band, and the greatest tolerance for rounding of heights [m]
    "    vec4 reach;\n"     // margin, radius [cells], split [m], square of the least cosine
    "    ivec4 region;\n"   // column begin, column end, row begin, row end
    "    uvec4 layout_0;\n" // word begin, words per row, widened at, floor at
    "    uvec4 layout_1;\n" // overhang at, planes
    "};\n"
    "const float FAR = 1e9;\n"
    "const int CORNERS_MAX = 9;\n"; // three, and one more for each of six cuts

// Separate from the frame, because geometry shaders need not support buffers.
static const char cells_text[] =
    "layout(std430, binding = 4) buffer Cells { uint cells[]; };\n"
    "\n"
    "void set_columns(uint plane, int row, int first, int last) {\n"
    "    uint base = plane + uint(row - region.z) * layout_0.y;\n"
    "    for (int word = first >> 5; word <= last >> 5; word++) {\n"
    "        uint mask = 0xffffffffu;\n"
    "        if (word == first >> 5) mask &= 0xffffffffu << uint(first & 31);\n"
    "        if (word == last >> 5) mask &= 0xffffffffu >> uint(31 - (last & 31));\n"
    "        uint at = base + uint(word) - layout_0.x;\n"
    // A stale value costs a second atomic operation, but never loses a cell.
    "        if ((cells[at] & mask) != mask) atomicOr(cells[at], mask);\n"
    "    }\n"
    "}\n";

static const char polygon_text[] =
    "dvec3 polygon[CORNERS_MAX];\n" // column, height above low, row
    "int polygon_count = 0;\n"
    "\n"
    // A triangle without area has no plane and does not count, unless all triangles count.
    "bool counts(dvec3 a, dvec3 b, dvec3 c) {\n"
    "    dvec3 normal = cross(b - a, c - a);\n"
    "    double whole = dot(normal, normal);\n"
    "    return reach.w < 0.0 || (whole > 0.0lf && normal.y * normal.y >= double(reach.w) * whole);\n"
    "}\n"
    "\n"
    "dvec3 seen_from_grid(dvec3 world) {\n"
    "    dvec3 from = world - place.xyz;\n"
    "    return dvec3(from.x * place.w, from.y, from.z * place.w);\n"
    "}\n"
    "\n"
    // Keeps the part where side * (coordinate - level) <= 0; points on the plane stay.
    "void cut(int axis, double level, double side) {\n"
    "    bool whole = true;\n"
    "    for (int k = 0; k < polygon_count; k++)\n"
    "        whole = whole && side * (polygon[k][axis] - level) <= 0.0lf;\n"
    "    if (whole || polygon_count == 0) return;\n"
    "    dvec3 kept[CORNERS_MAX];\n"
    "    int count = 0;\n"
    "    dvec3 a = polygon[polygon_count - 1];\n"
    "    double a_off = side * (a[axis] - level);\n"
    "    for (int k = 0; k < polygon_count; k++) {\n"
    "        dvec3 b = polygon[k];\n"
    "        double b_off = side * (b[axis] - level);\n"
    "        if ((a_off <= 0.0lf) != (b_off <= 0.0lf) && count < CORNERS_MAX) {\n"
    "            dvec3 crossing = a + (b - a) * (a_off / (a_off - b_off));\n"
    // Written out: NVIDIA's compiler cannot write to a component chosen at run time.
    "            if (axis == 0) crossing.x = level;\n"
    "            else if (axis == 1) crossing.y = level;\n"
    "            else crossing.z = level;\n"
    "            kept[count++] = crossing;\n"
    "        }\n"
    "        if (b_off <= 0.0lf && count < CORNERS_MAX) kept[count++] = b;\n"
    "        a = b;\n"
    "        a_off = b_off;\n"
    "    }\n"
    "    for (int k = 0; k < count; k++) polygon[k] = kept[k];\n"
    "    polygon_count = count;\n"
    "}\n"
    "\n"
    // Keeps the part in the band and not too far from the tile. The result is the same for any region. The
    // number of planes comes from the frame so that compilers do not unroll the loop six times.
    "void cut_polygon(double height_slack) {\n"
    "    for (int plane = 0; plane < int(layout_1.z); plane++) {\n"
    "        int axis = plane < 2 ? 1 : plane < 4 ? 0 : 2;\n"
    "        bool upper = (plane & 1) != 0;\n"
    "        double level = axis == 1 ? (upper ? height.x + height_slack : -height_slack)\n"
    "                     : axis == 0 ? (upper ? guard.y : guard.x) : (upper ? guard.w : guard.z);\n"
    "        cut(axis, level, upper ? 1.0lf : -1.0lf);\n"
    "    }\n"
    "}\n"
    "\n"
    // First and last column, first and last row that the polygon can reach; first > last if there are none.
    "ivec4 polygon_box() {\n"
    "    vec2 least = vec2(FAR), most = vec2(-FAR);\n"
    "    for (int k = 0; k < polygon_count; k++) {\n"
    "        least = min(least, vec2(polygon[k].xz));\n"
    "        most = max(most, vec2(polygon[k].xz));\n"
    "    }\n"
    "    float around = reach.x + reach.y;\n"
    "    if (!(least.x <= most.x && least.x - around < float(region.y) && most.x + around >= float(region.x) "
    "&&\n"
    "          least.y - around < float(region.w) && most.y + around >= float(region.z)))\n"
    "        return ivec4(0, -1, 0, -1);\n"
    "    ivec2 first = max(ivec2(floor(least - around)), region.xz);\n"
    "    ivec2 last = min(ivec2(floor(most + around)), region.yw - 1);\n"
    "    return ivec4(first.x, last.x, first.y, last.y);\n"
    "}\n";

// CORNER(k), k < corner_count, is the cut polygon in floats: in shared memory or in flat inputs.
static const char row_text[] =
    // The least and the greatest x of the polygon between two lines of equal z.
    "vec2 extent_between(float low, float high) {\n"
    "    vec2 extent = vec2(FAR, -FAR);\n"
    "    vec2 a = CORNER(corner_count - 1).xz;\n"
    "    for (int k = 0; k < corner_count; k++) {\n"
    "        vec2 b = CORNER(k).xz;\n"
    "        vec2 p = a.y <= b.y ? a : b, q = a.y <= b.y ? b : a;\n"
    "        if (q.y >= low && p.y <= high) {\n"
    "            float slope = (q.x - p.x) / (q.y - p.y);\n"
    "            float enter = p.y >= low ? p.x : p.x + (low - p.y) * slope;\n"
    "            float leave = q.y <= high ? q.x : q.x - (q.y - high) * slope;\n"
    "            extent = vec2(min(extent.x, min(enter, leave)), max(extent.y, max(enter, leave)));\n"
    "        }\n"
    "        a = b;\n"
    "    }\n"
    "    return extent;\n"
    "}\n"
    "\n"
    // The same for all points nearer to the polygon than `radius`: then its corners are discs, its edges
    // bands between two parallel lines. Candidates are where discs meet the strip and where edges and their
    // parallels cross its ends.
    "vec2 extent_around(float low, float high, float radius) {\n"
    "    vec2 extent = vec2(FAR, -FAR);\n"
    "    vec2 a = CORNER(corner_count - 1).xz;\n"
    "    for (int k = 0; k < corner_count; k++) {\n"
    "        vec2 b = CORNER(k).xz, d = b - a;\n"
    "        float off = max(max(low - b.y, b.y - high), 0.0);\n"
    "        if (off < radius) {\n"
    "            float half_width = sqrt((radius - off) * (radius + off));\n"
    "            extent = vec2(min(extent.x, b.x - half_width), max(extent.y, b.x + half_width));\n"
    "        }\n"
    "        if (d.y != 0.0) {\n"
    "            vec2 normal = vec2(abs(d.y), d.y > 0.0 ? -d.x : d.x) * (radius / length(d));\n"
    "            for (int i = 0; i < 2; i++) {\n"
    "                float line = i == 0 ? low : high;\n"
    "                vec3 t = (vec3(line, line - normal.y, line + normal.y) - a.y) / d.y;\n"
    "                vec3 x = a.x + t * d.x;\n"
    "                if (t.x >= 0.0 && t.x <= 1.0)\n"
    "                    extent = vec2(min(extent.x, x.x - radius), max(extent.y, x.x + radius));\n"
    "                if (t.y >= 0.0 && t.y <= 1.0) extent.y = max(extent.y, x.y + normal.x);\n"
    "                if (t.z >= 0.0 && t.z <= 1.0) extent.x = min(extent.x, x.z - normal.x);\n"
    "            }\n"
    "        }\n"
    "        a = b;\n"
    "    }\n"
    "    return extent;\n"
    "}\n"
    "\n"
    "vec2 occupied_extent(int row) {\n"
    "    vec2 extent = extent_between(float(row) - reach.x, float(row + 1) + reach.x);\n"
    "    return vec2(extent.x - reach.x, extent.y + reach.x);\n"
    "}\n"
    "\n"
    "vec2 widened_extent(int row, vec2 occupied) {\n"
    "    if (reach.y == 0.0) return occupied;\n"
    "    vec2 extent = extent_around(float(row), float(row + 1), reach.y);\n"
    "    return vec2(min(extent.x, occupied.x), max(extent.y, occupied.y));\n"
    "}\n";

static const char heights_text[] =
    // Extends a vertical range: x is the least, y the greatest height.
    "vec2 with_height(vec2 range, float y) { return vec2(min(range.x, y), max(range.y, y)); }\n"
    "\n"
    // The heights of the polygon above the two corners of a cell that lie on one line of equal z.
    "vec2 heights_on_line(vec2 range, float z, vec2 columns) {\n"
    "    vec2 left = vec2(FAR, 0.0), right = vec2(-FAR, 0.0);\n" // x and height where the line enters and
                                                                 // leaves
    "    vec3 a = CORNER(corner_count - 1);\n"
    "    for (int k = 0; k < corner_count; k++) {\n"
    "        vec3 b = CORNER(k);\n"
    "        if ((a.z <= z) != (b.z <= z)) {\n"
    "            vec3 at = mix(a, b, (z - a.z) / (b.z - a.z));\n"
    "            if (at.x < left.x) left = at.xy;\n"
    "            if (at.x > right.x) right = at.xy;\n"
    "        }\n"
    "        a = b;\n"
    "    }\n"
    "    if (!(left.x < right.x)) return range;\n"
    "    for (int i = 0; i < 2; i++) {\n"
    "        float x = columns[i];\n"
    "        if (x >= left.x && x <= right.x)\n"
    "            range = with_height(range, mix(left.y, right.y, (x - left.x) / (right.x - left.x)));\n"
    "    }\n"
    "    return range;\n"
    "}\n"
    "\n"
    // The extremes of a plane polygon in a cell are at the ends of its edges, cut to the cell, or above the
    // cell's corners.
    "vec2 heights_in_cell(int column, int row) {\n"
    "    vec2 least = vec2(column, row) - reach.x, most = vec2(column + 1, row + 1) + reach.x;\n"
    "    vec2 range = vec2(FAR, -FAR);\n"
    "    vec3 a = CORNER(corner_count - 1);\n"
    "    for (int k = 0; k < corner_count; k++) {\n"
    "        vec3 b = CORNER(k), d = b - a;\n"
    "        float begin = 0.0, end = 1.0;\n"
    "        for (int i = 0; i < 2; i++) {\n"
    "            float from = i == 0 ? a.x : a.z, by = i == 0 ? d.x : d.z;\n"
    "            if (by == 0.0) {\n"
    "                if (from < least[i] || from > most[i]) end = -1.0;\n"
    "            } else {\n"
    "                float t0 = (least[i] - from) / by, t1 = (most[i] - from) / by;\n"
    "                begin = max(begin, min(t0, t1));\n"
    "                end = min(end, max(t0, t1));\n"
    "            }\n"
    "        }\n"
    "        if (begin <= end) {\n"
    "            range = with_height(range, mix(a.y, b.y, begin));\n"
    "            range = with_height(range, mix(a.y, b.y, end));\n"
    "        }\n"
    "        a = b;\n"
    "    }\n"
    "    range = heights_on_line(range, least.y, vec2(least.x, most.x));\n"
    "    return heights_on_line(range, most.y, vec2(least.x, most.x));\n"
    "}\n"
    "\n"
    // Heights are not negative here, so their bits have the same order as the floats. 0 means none.
    "void meet_heights(int column, int row) {\n"
    "    vec2 range = heights_in_cell(column, row);\n"
    "    if (range.x > range.y) return;\n"
    "    range = clamp(range, 0.0, float(height.x));\n" // rounding may have left the band
    "    uint at = uint(row - region.z) * uint(region.y - region.x) + uint(column - region.x);\n"
    "    if (range.x <= reach.z)\n"
    "        atomicMax(cells[layout_0.w + at], floatBitsToUint(min(range.y, reach.z)) + 1u);\n"
    "    if (range.y >= reach.z)\n"
    "        atomicMax(cells[layout_1.x + at], ~floatBitsToUint(max(range.x, reach.z)));\n"
    "}\n";

static const char compute_begin_text[] =
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer Meshes { float mesh_corners[]; };\n"
    "layout(std430, binding = 1) readonly buffer Stream { float stream_corners[]; };\n"
    "layout(std430, binding = 2) readonly buffer Blocks { uvec4 blocks[]; };\n"
    "layout(std430, binding = 3) readonly buffer Instances { vec4 instances[]; };\n"
    "layout(std430, binding = 5) buffer Large { uvec4 large_groups; uvec2 large[]; };\n"
    "layout(location = 0) uniform uint first_block;\n"
    "const uint LARGE_MAX = 65536u, LARGE_UNITS = 256u;\n"
    "shared vec3 corners[32 * CORNERS_MAX];\n"
    "shared int corner_counts[32];\n"
    "shared ivec4 boxes[32];\n"
    "shared uint units[32], unit_ends[32];\n"
    "int corner_base, corner_count;\n" // of the polygon this invocation draws
    "#define CORNER(k) corners[corner_base + (k)]\n";

static const char compute_load_text[] =
    "dvec3 load_corner(uvec4 block, uint lane, uint corner) {\n"
    "    uint at = block.y * 288u + corner * 96u + lane;\n"
    "    dvec4 p = block.w == 0u\n"
    "        ? dvec4(mesh_corners[at], mesh_corners[at + 32u], mesh_corners[at + 64u], 1.0)\n"
    "        : dvec4(stream_corners[at], stream_corners[at + 32u], stream_corners[at + 64u], 1.0);\n"
    "    uint rows = block.x * 4u;\n"
    "    return dvec3(dot(dvec4(instances[rows]), p), dot(dvec4(instances[rows + 1u]), p),\n"
    "                 dot(dvec4(instances[rows + 2u]), p));\n"
    "}\n"
    "\n"
    // Cuts one triangle and puts it into shared memory; returns the number of its work units.
    "uint load_triangle(uvec4 block, uint lane, int slot) {\n"
    "    polygon_count = 3;\n"
    "    for (int k = 0; k < 3; k++) polygon[k] = load_corner(block, lane, uint(k));\n"
    "    if (!counts(polygon[0], polygon[1], polygon[2])) polygon_count = 0;\n"
    "    for (int k = 0; k < 3; k++) polygon[k] = seen_from_grid(polygon[k]);\n"
    "    cut_polygon(double(instances[block.x * 4u + 3u].x));\n"
    "    ivec4 box = polygon_box();\n"
    "    for (int k = 0; k < polygon_count; k++) corners[slot * CORNERS_MAX + k] = vec3(polygon[k]);\n"
    "    corner_counts[slot] = polygon_count;\n"
    "    boxes[slot] = box;\n"
    "    if (box.x > box.y || box.z > box.w) return 0u;\n"
    "    return uint(box.w - box.z + 1) * uint((box.y >> 8) - (box.x >> 8) + 1);\n"
    "}\n"
    "\n"
    "void draw_span(uint plane, int row, vec2 extent, ivec2 columns) {\n"
    "    if (extent.x > extent.y) return;\n"
    "    int first = max(int(floor(extent.x)), columns.x), last = min(int(floor(extent.y)), columns.y);\n"
    "    if (first <= last) set_columns(plane, row, first, last);\n"
    "}\n"
    "\n"
    // One unit: one row of the polygon, of at most 256 columns.
    "void draw_unit(int slot, int row, int column_block) {\n"
    "    ivec4 box = boxes[slot];\n"
    "    ivec2 columns = ivec2(max(box.x, column_block << 8), min(box.y, (column_block << 8) + 255));\n"
    "    if (row < box.z || row > box.w || columns.x > columns.y) return;\n"
    "    corner_base = slot * CORNERS_MAX;\n"
    "    corner_count = corner_counts[slot];\n"
    "    vec2 extent = occupied_extent(row);\n"
    "    if ((layout_1.y & 1u) != 0u) draw_span(0u, row, extent, columns);\n"
    "    if ((layout_1.y & 2u) != 0u) draw_span(layout_0.z, row, widened_extent(row, extent), columns);\n"
    "#ifdef HEIGHTS\n"
    "    if (extent.x > extent.y) return;\n"
    "    int first = max(int(floor(extent.x)), columns.x), last = min(int(floor(extent.y)), columns.y);\n"
    "    for (int column = first; column <= last; column++) meet_heights(column, row);\n"
    "#endif\n"
    "}\n";

static const char compute_blocks_text[] =
    // Up to 32 triangles: each is cut by one invocation, then their rows are distributed among all 64.
    "void draw_block(uint number) {\n"
    "    uint lane = gl_LocalInvocationID.x;\n"
    "    uvec4 block = blocks[number];\n"
    "    if (lane < 32u) {\n"
    "        uint count = lane < block.z ? load_triangle(block, lane, int(lane)) : 0u;\n"
    "        if (count > LARGE_UNITS) {\n"
    "            uint at = atomicAdd(large_groups.w, 1u);\n"
    "            if (at < LARGE_MAX) {\n"
    "                large[at] = uvec2(number, lane);\n"
    "                atomicMax(large_groups.y, min(at + 1u, 16u));\n"
    "                count = 0u;\n"
    "            }\n"
    "        }\n"
    "        units[lane] = count;\n"
    "    }\n"
    "    barrier();\n"
    "    if (lane < 32u) {\n"
    "        uint end = 0u;\n"
    "        for (uint i = 0u; i <= lane; i++) end += units[i];\n"
    "        unit_ends[lane] = end;\n"
    "    }\n"
    "    barrier();\n"
    "    for (uint unit = lane; unit < unit_ends[31]; unit += 64u) {\n"
    "        uint slot = 0u;\n"
    "        for (uint jump = 16u; jump > 0u; jump >>= 1)\n"
    "            if (unit_ends[slot + jump - 1u] <= unit) slot += jump;\n"
    "        uint part = unit - (unit_ends[slot] - units[slot]);\n"
    "        ivec4 box = boxes[slot];\n"
    "        uint across = uint((box.y >> 8) - (box.x >> 8) + 1);\n"
    "        draw_unit(int(slot), box.z + int(part / across), (box.x >> 8) + int(part % across));\n"
    "    }\n"
    "}\n"
    "\n"
    "void main() { draw_block(first_block + gl_WorkGroupID.x); }\n";

static const char compute_large_text[] =
    // One large triangle is drawn by many groups: each takes some squares of 64 rows by 256 columns.
    "void draw_large(uvec2 triangle) {\n"
    "    if (gl_LocalInvocationID.x == 0u) load_triangle(blocks[triangle.x], triangle.y, 0);\n"
    "    barrier();\n"
    "    ivec4 box = boxes[0];\n"
    "    int across = (box.y >> 8) - (box.x >> 8) + 1, down = (box.w - box.z + 64) >> 6;\n"
    "    for (int square = int(gl_WorkGroupID.x); square < across * down; square += "
    "int(gl_NumWorkGroups.x))\n"
    "        draw_unit(0, box.z + (square / across) * 64 + int(gl_LocalInvocationID.x), (box.x >> 8) + "
    "square % across);\n"
    "    barrier();\n"
    "}\n"
    "\n"
    "void main() {\n"
    "    uint count = min(large_groups.w, LARGE_MAX);\n"
    "    for (uint i = gl_WorkGroupID.y; i < count; i += gl_NumWorkGroups.y) draw_large(large[i]);\n"
    "}\n";

static const char vertex_text[] = "layout(location = 0) in vec3 position;\n"
                                  "out vec3 given;\n"
                                  "void main() {\n"
                                  "    given = position;\n"
                                  "    gl_Position = vec4(position, 1.0);\n"
                                  "}\n";

static const char geometry_text[] =
    "layout(triangles) in;\n"
    "layout(triangle_strip, max_vertices = 4) out;\n"
    "layout(location = 0) uniform mat4 model;\n"
    "in vec3 given[];\n"
    "flat out vec3 corners[CORNERS_MAX];\n"
    "flat out int corner_count;\n"
    "void main() {\n"
    "    dmat4 exact_model = dmat4(model);\n"
    "    double largest = 0.0lf;\n"
    "    polygon_count = 3;\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "        dvec3 world = (exact_model * dvec4(given[k], 1.0)).xyz;\n"
    "        if (!(abs(world.x) <= 1e7lf && abs(world.y) <= 1e7lf && abs(world.z) <= 1e7lf)) return;\n"
    "        polygon[k] = world;\n"
    "    }\n"
    "    if (!counts(polygon[0], polygon[1], polygon[2])) return;\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "        polygon[k] = seen_from_grid(polygon[k]);\n"
    "        largest = max(largest, abs(polygon[k].y));\n"
    "    }\n"
    "    cut_polygon(min(largest * 4.8e-7lf, height.y));\n"
    "    ivec4 box = polygon_box();\n"
    "    if (box.x > box.y || box.z > box.w) return;\n"
    "    vec2 size = vec2(region.yw - region.xz);\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "        ivec2 cell = ivec2((k & 1) == 0 ? box.x : box.y + 1, (k & 2) == 0 ? box.z : box.w + 1);\n"
    "        gl_Position = vec4(2.0 * vec2(cell - region.xz) / size - 1.0, 0.0, 1.0);\n"
    "        for (int i = 0; i < CORNERS_MAX; i++) corners[i] = i < polygon_count ? vec3(polygon[i]) : "
    "vec3(0.0);\n"
    "        corner_count = polygon_count;\n"
    "        EmitVertex();\n"
    "    }\n"
    "    EndPrimitive();\n"
    "}\n";

static const char fragment_begin_text[] = "flat in vec3 corners[CORNERS_MAX];\n"
                                          "flat in int corner_count;\n"
                                          "#define CORNER(k) corners[k]\n";

static const char fragment_main_text[] =
    "bool is_inside(int column, vec2 extent) {\n"
    "    return extent.x <= extent.y && column >= int(floor(extent.x)) && column <= int(floor(extent.y));\n"
    "}\n"
    "void main() {\n"
    "    ivec2 cell = ivec2(gl_FragCoord.xy) + region.xz;\n"
    "    vec2 extent = occupied_extent(cell.y);\n"
    "    bool occupied = is_inside(cell.x, extent);\n"
    "    if (occupied && (layout_1.y & 1u) != 0u) set_columns(0u, cell.y, cell.x, cell.x);\n"
    "    if ((layout_1.y & 2u) != 0u && (occupied || is_inside(cell.x, widened_extent(cell.y, extent))))\n"
    "        set_columns(layout_0.z, cell.y, cell.x, cell.x);\n"
    "#ifdef HEIGHTS\n"
    "    if (occupied) meet_heights(cell.x, cell.y);\n"
    "#endif\n"
    "}\n";

#define PARTS_MAX 10

static tr_status compile(const gl_functions *gl, GLenum stage, const char *const *parts, int count,
                         bool heights, GLuint *shader, tr_error *error) {
    const char *text[PARTS_MAX] = {heights ? "#version 450 core\n#define HEIGHTS\n" : "#version 450 core\n"};
    for (int i = 0; i < count; i++)
        text[i + 1] = parts[i];
    *shader = gl->CreateShader(stage);
    gl->ShaderSource(*shader, count + 1, text, NULL);
    gl->CompileShader(*shader);
    GLint compiled = GL_FALSE;
    gl->GetShaderiv(*shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return TR_OK;
    char reason[256] = "";
    gl->GetShaderInfoLog(*shader, sizeof reason, NULL, reason);
    gl->DeleteShader(*shader);
    *shader = 0;
    return tr_fail(error, TR_UNAVAILABLE, "the OpenGL driver cannot compile a shader: %s", reason);
}

// Links compiled shaders; they are deleted in any case.
static tr_status link(const gl_functions *gl, const GLuint *shaders, int count, GLuint *program,
                      tr_error *error) {
    *program = gl->CreateProgram();
    for (int i = 0; i < count; i++) {
        gl->AttachShader(*program, shaders[i]);
        gl->DeleteShader(shaders[i]);
    }
    gl->LinkProgram(*program);
    GLint linked = GL_FALSE;
    gl->GetProgramiv(*program, GL_LINK_STATUS, &linked);
    if (linked)
        return TR_OK;
    char reason[256] = "";
    gl->GetProgramInfoLog(*program, sizeof reason, NULL, reason);
    gl->DeleteProgram(*program);
    *program = 0;
    return tr_fail(error, TR_UNAVAILABLE, "the OpenGL driver cannot link a program: %s", reason);
}

tr_status tr_gl_program_create(const gl_functions *gl, const char *vertex, const char *fragment,
                               GLuint *program, tr_error *error) {
    GLuint shaders[2] = {0, 0};
    *program = 0;
    tr_status status = compile(gl, GL_VERTEX_SHADER, &vertex, 1, false, &shaders[0], error);
    if (status == TR_OK && fragment)
        status = compile(gl, GL_FRAGMENT_SHADER, &fragment, 1, false, &shaders[1], error);
    if (status == TR_OK)
        return link(gl, shaders, fragment ? 2 : 1, program, error);
    gl->DeleteShader(shaders[0]);
    return status;
}

static tr_status create_compute(const gl_functions *gl, bool heights, bool large, GLuint *program,
                                tr_error *error) {
    const char *const parts[] = {
        frame_text, cells_text,   polygon_text,      compute_begin_text,
        row_text,   heights_text, compute_load_text, large ? compute_large_text : compute_blocks_text};
    GLuint shader;
    tr_status status = compile(gl, GL_COMPUTE_SHADER, parts, 8, heights, &shader, error);
    return status == TR_OK ? link(gl, &shader, 1, program, error) : status;
}

static tr_status create_drawn(const gl_functions *gl, bool heights, GLuint *program, tr_error *error) {
    const char *const vertex[] = {vertex_text};
    const char *const geometry[] = {frame_text, polygon_text, geometry_text};
    const char *const fragment[] = {frame_text, cells_text,   fragment_begin_text,
                                    row_text,   heights_text, fragment_main_text};
    GLuint shaders[3] = {0, 0, 0};
    tr_status status = compile(gl, GL_VERTEX_SHADER, vertex, 1, heights, &shaders[0], error);
    if (status == TR_OK)
        status = compile(gl, GL_GEOMETRY_SHADER, geometry, 3, heights, &shaders[1], error);
    if (status == TR_OK)
        status = compile(gl, GL_FRAGMENT_SHADER, fragment, 6, heights, &shaders[2], error);
    if (status == TR_OK)
        return link(gl, shaders, 3, program, error);
    for (int i = 0; i < 3; i++)
        gl->DeleteShader(shaders[i]);
    return status;
}

tr_status tr_gl_programs_create(const gl_functions *gl, gl_programs *programs, tr_error *error) {
    gl_programs none = {{0, 0}, {0, 0}, {0, 0}};
    *programs = none;
    tr_status status = TR_OK;
    for (int heights = 0; heights < 2 && status == TR_OK; heights++) {
        status = create_compute(gl, heights != 0, false, &programs->blocks[heights], error);
        if (status == TR_OK)
            status = create_compute(gl, heights != 0, true, &programs->large[heights], error);
        if (status == TR_OK)
            status = create_drawn(gl, heights != 0, &programs->drawn[heights], error);
    }
    if (status != TR_OK)
        tr_gl_programs_destroy(gl, programs);
    return status;
}

void tr_gl_programs_destroy(const gl_functions *gl, gl_programs *programs) {
    for (int i = 0; i < 2; i++) {
        gl->DeleteProgram(programs->blocks[i]);
        gl->DeleteProgram(programs->large[i]);
        gl->DeleteProgram(programs->drawn[i]);
        programs->blocks[i] = programs->large[i] = programs->drawn[i] = 0;
    }
}
#endif
