// Cover a room with cells, find the cell of a point, keep a set of cells as bits, and compare two of them.
#include "troupe/base/scalar.h"
#include "troupe/world/grid.h"

#include <stdio.h>

// Sets the cells that a walk along a circle comes through, and no others.
static void walk(const tr_grid *grid, int steps, tr_bitmap *visited) {
    tr_affine step = tr_affine_place(tr_vec3_make(0, 0, 0), 2 * TR_PI / steps);
    tr_vec3 arm = {2, 0, 0};
    tr_bitmap_clear(visited); // the bitmap is used again and again
    for (int i = 0; i < steps; i++) {
        uint32_t column, row;
        if (tr_grid_find(grid, (tr_vec2){arm.x, 2.5f + arm.z}, &column, &row))
            tr_bitmap_set(visited, column, row);
        arm = tr_affine_apply(&step, arm);
    }
}

int main(void) {
    const tr_box room = {{-3.2f, 0, 0.1f}, {4.7f, 2.5f, 5}};
    tr_grid grid;
    tr_error error;
    if (tr_grid_cover(room, 0.5f, 0.5f, 0, &grid, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%u x %u cells of %g m from (%g, %g)\n", grid.columns, grid.rows, grid.cell, grid.origin.x,
           grid.origin.z);

    tr_bitmap visited, before;
    if (tr_bitmap_create(NULL, grid.columns, grid.rows, &visited) != TR_OK)
        return 1;
    if (tr_bitmap_create(NULL, grid.columns, grid.rows, &before) != TR_OK) {
        tr_bitmap_destroy(NULL, &visited);
        return 1;
    }
    // Ever shorter steps, until they find no other cells.
    int steps = 8;
    walk(&grid, steps, &visited);
    do {
        tr_bitmap last = before; // the other one is written anew
        before = visited;
        visited = last;
        walk(&grid, steps *= 2, &visited);
        printf("%d steps: %llu cells\n", steps, (unsigned long long)tr_bitmap_count(&visited));
    } while (!tr_bitmap_equal(&visited, &before));
    for (uint32_t row = grid.rows; row-- > 0;) { // +Z up
        for (uint32_t column = 0; column < grid.columns; column++)
            putchar(tr_bitmap_get(&visited, column, row) ? '#' : '.');
        putchar('\n');
    }
    printf("%llu cells in %zu bytes\n", (unsigned long long)tr_bitmap_count(&visited),
           tr_bitmap_bytes(&visited));
    tr_bitmap_destroy(NULL, &visited);
    tr_bitmap_destroy(NULL, &before);

    const tr_box country = {{-5000, 0, -5000}, {5000, 100, 5000}};
    if (tr_grid_cover(country, 0.01f, 0, 0, &grid, &error) == TR_LIMIT)
        printf("10 km at 1 cm: %s\n", error.message);
    return 0;
}
