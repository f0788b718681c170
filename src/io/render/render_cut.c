// The dark faces where closed bodies are cut: the cross-section, taken apart into pieces between two lines.
//
// Each cut triangle leaves a directed line on the plane of the cut. A sweep along z keeps the active lines in
// order of x and sums their windings: where the sum is not 0 there is a body, even if several overlap. A
// piece continues as long as the same two lines bound it.
#include "render_data.h"

#include <string.h>

const float tr_render_cut_color[3] = {0.16f, 0.155f, 0.15f};

// Order of the first ends, then of the rest, so that equal input has one order.
static bool is_before(const render_cut_line *a, const render_cut_line *b) {
    if (a->z0 != b->z0)
        return a->z0 < b->z0;
    if (a->x0 != b->x0)
        return a->x0 < b->x0;
    if (a->z1 != b->z1)
        return a->z1 < b->z1;
    return a->x1 != b->x1 ? a->x1 < b->x1 : a->turn < b->turn;
}

// Heap sort: no extra memory, no bad worst case.
static void sift_line(render_cut_line *lines, uint32_t root, uint32_t count) {
    for (uint32_t child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        if (child + 1 < count && is_before(&lines[child], &lines[child + 1]))
            child++;
        if (!is_before(&lines[root], &lines[child]))
            return;
        render_cut_line swap = lines[root];
        lines[root] = lines[child];
        lines[child] = swap;
    }
}

static void sort_lines(render_cut_line *lines, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift_line(lines, i, count);
    for (uint32_t end = count; end-- > 1;) {
        render_cut_line swap = lines[0];
        lines[0] = lines[end];
        lines[end] = swap;
        sift_line(lines, 0, end);
    }
}

tr_status tr_render_cut_begin(tr_render *render, uint32_t lines) {
    render_cut *cut = &render->cut;
    void *block = cut->lines, *active = cut->active, *open = cut->open;
    bool enough = tr_reserve(&render->allocator, &block, &cut->line_capacity, lines, sizeof *cut->lines);
    cut->lines = block;
    enough =
        enough && tr_reserve(&render->allocator, &active, &cut->active_capacity, lines, sizeof *cut->active);
    cut->active = active;
    // The open pieces and those of the next step; each at most half as many as there are lines.
    enough = enough && tr_reserve(&render->allocator, &open, &cut->open_capacity, (uint64_t)lines + 2,
                                  sizeof *cut->open);
    cut->open = open;
    cut->line_count = 0;
    return enough ? TR_OK : TR_OUT_OF_MEMORY;
}

void tr_render_cut_line(tr_render *render, tr_vec3 from, tr_vec3 to) {
    if (from.z == to.z)
        return; // parallel to the sweep line
    bool is_down = from.z > to.z;
    tr_vec3 a = is_down ? to : from, b = is_down ? from : to;
    render_cut_line line = {a.x, a.z, b.x, b.z, is_down ? -1 : 1, TR_NONE};
    render->cut.lines[render->cut.line_count++] = line;
}

static float line_at(const render_cut_line *line, float z) {
    if (z <= line->z0)
        return line->x0;
    if (z >= line->z1)
        return line->x1;
    return line->x0 + (line->x1 - line->x0) * ((z - line->z0) / (line->z1 - line->z0));
}

// Adds one piece as two faces that face up.
static tr_status add_piece(tr_render *render, const render_cut_piece *piece, float end, float height,
                           const float color[3]) {
    tr_status status = tr_render_faces_reserve(render, 2, false);
    if (status != TR_OK)
        return status;
    const render_cut_line *left = &render->cut.lines[piece->left], *right = &render->cut.lines[piece->right];
    const tr_vec3 p[4] = {{line_at(left, piece->begin), height, piece->begin},
                          {line_at(left, end), height, end},
                          {line_at(right, end), height, end},
                          {line_at(right, piece->begin), height, piece->begin}};
    const tr_vec3 halves[2][3] = {{p[0], p[1], p[2]}, {p[0], p[2], p[3]}};
    for (int i = 0; i < 2; i++)
        tr_render_face_add(render, halves[i], NULL, color, RENDER_CUT);
    return TR_OK;
}

// Removes lines that end at or before `z` and adds those that begin there. Returns where the next change is.
static float update_active(render_cut *cut, float z, uint32_t *next) {
    uint32_t kept = 0;
    float change = INFINITY;
    for (uint32_t i = 0; i < cut->active_count; i++)
        if (cut->lines[cut->active[i]].z1 > z)
            cut->active[kept++] = cut->active[i];
    while (*next < cut->line_count && cut->lines[*next].z0 <= z)
        cut->active[kept++] = (*next)++;
    cut->active_count = kept;
    if (*next < cut->line_count)
        change = cut->lines[*next].z0;
    for (uint32_t i = 0; i < kept; i++)
        change = cut->lines[cut->active[i]].z1 < change ? cut->lines[cut->active[i]].z1 : change;
    return change;
}

// Is line a to the right of b just after z, both being active until `change`?
static bool is_right(const render_cut_line *a, const render_cut_line *b, float z, float change) {
    float at_a = line_at(a, z), at_b = line_at(b, z);
    return at_a != at_b ? at_a > at_b : line_at(a, change) > line_at(b, change);
}

// Sorts by x; nearly sorted from the previous step.
static void sort_active(render_cut *cut, float z, float change) {
    for (uint32_t i = 1; i < cut->active_count; i++) {
        uint32_t moved = cut->active[i], k = i;
        for (; k > 0 && is_right(&cut->lines[cut->active[k - 1]], &cut->lines[moved], z, change); k--)
            cut->active[k] = cut->active[k - 1];
        cut->active[k] = moved;
    }
}

// Where the first two neighbours cross before `change`, otherwise `change`.
static float first_crossing(const render_cut *cut, float z, float change) {
    float first = change;
    for (uint32_t i = 1; i < cut->active_count; i++) {
        const render_cut_line *a = &cut->lines[cut->active[i - 1]], *b = &cut->lines[cut->active[i]];
        float before = line_at(b, z) - line_at(a, z), after = line_at(a, change) - line_at(b, change);
        if (!(before > 0 && after > 0))
            continue;
        float crossing = z + (change - z) * (before / (before + after));
        first = crossing > z && crossing < first ? crossing : first;
    }
    return first;
}

// Replaces the open pieces by those of a step from `z` on; pieces that do not continue are added.
static tr_status step(tr_render *render, float z, float height, const float color[3]) {
    render_cut *cut = &render->cut;
    uint32_t half = cut->open_capacity / 2, found = 0, old = cut->open_count, left = 0;
    render_cut_piece *open = cut->open, *fresh = cut->open + half;
    int32_t turns = 0;
    for (uint32_t i = 0; i < cut->active_count; i++) {
        int32_t before = turns;
        turns += cut->lines[cut->active[i]].turn;
        if (before == 0) {
            left = cut->active[i];
        } else if (turns == 0 && found < half) {
            render_cut_piece piece = {left, cut->active[i], z};
            uint32_t same = cut->lines[left].piece;
            if (same != TR_NONE && open[same].right == piece.right) {
                piece.begin = open[same].begin;
                open[same].right = TR_NONE; // it continues
            }
            fresh[found++] = piece;
        }
    }
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < old; i++) {
        cut->lines[open[i].left].piece = TR_NONE;
        if (status == TR_OK && open[i].right != TR_NONE)
            status = add_piece(render, &open[i], z, height, color);
    }
    memmove(open, fresh, found * sizeof *open);
    for (uint32_t i = 0; i < found; i++)
        cut->lines[open[i].left].piece = i;
    cut->open_count = found;
    return status;
}

tr_status tr_render_cut_end(tr_render *render, float height) {
    render_cut *cut = &render->cut;
    // Lines of a tangle may cross too often: the cut is then slightly ragged.
    uint64_t crossings_left = 4 * (uint64_t)cut->line_count + 256;
    uint32_t next = 0;
    tr_status status = TR_OK;
    sort_lines(cut->lines, cut->line_count);
    cut->active_count = cut->open_count = 0;
    float z = cut->line_count > 0 ? cut->lines[0].z0 : INFINITY;
    while (status == TR_OK && z < INFINITY) {
        float change = update_active(cut, z, &next), crossing = change;
        sort_active(cut, z, change);
        if (crossings_left > 0 && change < INFINITY)
            crossing = first_crossing(cut, z, change);
        crossings_left -= crossing < change;
        status = step(render, z, height, tr_render_cut_color);
        z = crossing;
    }
    return status;
}
